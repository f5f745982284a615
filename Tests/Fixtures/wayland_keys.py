#!/usr/bin/python3
"""Windows of a Wayland session that report the keys that they get, for the tests that paste.

usage: wayland_keys.py APP_ID

It is run with Debian's Python (GTK 3) in a session that has a keyboard. It reads commands from stdin, one per line, and exits
at the end of stdin. Each is answered by its first word, once what it does has happened:

  start          opens a window, and waits until that is active
  other          opens a second window, whose keys are reported with "other" before each, and waits until that is active
  close          closes the window
  close-other    closes the second window
  titles         changes the title of the window 2,000 times
  sync           does nothing; all keys that the compositor has sent before are reported before the answer
  run PROGRAM    runs "PROGRAM history restore 1 --paste" on a terminal of its own, and reports the status
  child PROGRAM  opens the second window, runs "PROGRAM history restore 1 --paste --from-own-window", closes the second window
                 once the program has found it, and reports the keys and then the status
  pick PROGRAM   opens the second window, runs "PROGRAM pick --paste" on a terminal of its own, presses Return, reports the
                 status, and closes the second window
  stay PROGRAM   does that and lets the second window stay open

A key that goes down is reported as its symbol, with the modifiers that are down: Control+v.
"""

import os
import subprocess
import sys
import time

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

import keys  # noqa: E402

MODIFIERS = {Gdk.ModifierType.SHIFT_MASK: "Shift", Gdk.ModifierType.CONTROL_MASK: "Control"}


class Window:
    def __init__(self, name):
        self.name = name
        self.window = Gtk.Window(title=name or "first", default_width=100, default_height=100)
        self.window.connect("key-press-event", self.report)
        self.window.show_all()
        while not self.window.is_active():
            Gtk.main_iteration()

    def report(self, _, event):
        names = [name for mask, name in MODIFIERS.items() if event.state & mask]
        print(self.name + "+".join(names + [Gdk.keyval_name(event.keyval)]), flush=True)

    def close(self):
        self.window.destroy()
        synchronize()


def synchronize():
    """Waits until the compositor has performed all requests, and reports the keys that it has sent before."""
    Gdk.Display.get_default().sync()
    while Gtk.events_pending():
        Gtk.main_iteration()


class Commands:
    def __init__(self):
        self.window = self.second = None
        self.rest = b""
        GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, GLib.IOCondition.IN | GLib.IOCondition.HUP, self.read)

    def read(self, *_):
        data = os.read(0, 1 << 12)
        if not data:
            Gtk.main_quit()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.perform(*line.decode().split())
        return True

    def perform(self, command, *arguments):
        if command == "start":
            self.window = Window("")
        elif command in ("other", "child", "pick", "stay"):
            self.second = Window("other ")
        elif command == "close":
            self.window.close()
        elif command == "close-other":
            self.second.close()
        elif command == "titles":
            # Each change is reported to the others on its own. All changes together fill the buffers of a client that
            # does not read, which the compositor then disconnects. A socket's buffer holds some 270 of them. No event
            # tells that the client has read, so the pauses leave it half a second for each buffer on a busy machine.
            for number in range(2_000):
                self.window.window.set_title(f"title {number} of many")
                synchronize()
                if number % 50 == 0:
                    time.sleep(0.1)
        synchronize()
        print(command, flush=True)
        if command == "run":
            print("status", keys.run(arguments[0], "history", "restore", "1", "--paste"), flush=True)
        elif command == "child":
            print("status", self.child(arguments[0]), flush=True)
        elif command in ("pick", "stay"):
            # The list is drawn once the second entry is.
            status = keys.run(arguments[0], "pick", "--paste", answers=[(b"first", b"\x1b[B\r"), (b"closes", b"\r")])
            print("status", status, flush=True)
            if command == "pick":
                self.second.close()

    def child(self, program):
        line = [program, "history", "restore", "1", "--paste", "--from-own-window", "--verbose"]
        with subprocess.Popen(line, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
            for message in process.stderr:
                if "pastes into" in message:
                    self.second.close()
        synchronize()
        return process.returncode


if __name__ == "__main__":
    GLib.set_prgname(sys.argv[1])
    Commands()
    sys.exit(Gtk.main())
