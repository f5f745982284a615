#!/usr/bin/python3
"""A window that reports the keys that it gets, for the tests that paste.

It is run with Debian's Python (python3-xlib) on an X server without a window manager. It reads commands from stdin, one per
line, and exits at the end of stdin. Each is answered by its first word:

  class NAME     sets WM_CLASS
  focus          gives the focus to the window
  other          gives the focus to a second window, whose keys are reported as well, with "other" before each
  hold KEY       presses a key, as a user who does not release it
  close          destroys the window
  grab           grabs the keyboard, as a menu does
  run PROGRAM    runs "PROGRAM history restore 1 --paste" on a terminal of its own, and reports the status
  child PROGRAM  makes the second window active, runs "PROGRAM history restore 1 --paste" without a terminal, makes the
                 first window active again once the program has found it, and reports the status
  manage         names both windows and the active one to the others, as a window manager does, makes the first active, and
                 waits until the bridge has recorded it
  unmanage       ends that, since the X server may serve another test next
  pick PROGRAM   makes the second window active, runs "PROGRAM pick --paste" on a terminal of its own, presses Return, makes
                 the first window active again, and reports the status
  shell PROGRAM  does that with an interactive shell between the terminal and the program

A key that goes down is reported as its symbol, with the modifiers that are down: Control+v.
"""

import contextlib
import os
import pty
import select
import subprocess
import sys

from Xlib import XK, X, Xatom, display
from Xlib.ext import xtest

MODIFIERS = {X.ShiftMask: "Shift", X.ControlMask: "Control", X.Mod1Mask: "Alt"}


def run(*command, answers=()):
    """Runs a command on a terminal of its own, and returns its exit status.

    Each answer is a text that the command writes, and the keys that are pressed then.
    """
    process, terminal = pty.fork()
    if process == 0:
        os.execv(command[0], command)
    written = b""
    with contextlib.suppress(OSError):
        while data := os.read(terminal, 1 << 12):
            written += data
            if answers and answers[0][0] in written:
                os.write(terminal, answers[0][1])
                answers = answers[1:]
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


class Window:
    def __init__(self, screen, name):
        self.name = name
        self.window = screen.root.create_window(
            0, 0, 100, 100, 0, X.CopyFromParent, event_mask=X.KeyPressMask | X.StructureNotifyMask)
        self.window.map()

    def focus(self):
        self.window.set_input_focus(X.RevertToNone, X.CurrentTime)


class Keys:
    def __init__(self):
        self.display = display.Display()
        # Another test on this server may have ended early.
        self.forget_windows()
        screen = self.display.screen()
        self.windows = [Window(screen, ""), Window(screen, "other ")]
        # Only a window that is mapped can get the focus.
        mapped = 0
        while mapped < len(self.windows):
            mapped += self.display.next_event().type == X.MapNotify

    def perform(self, command, *arguments):
        if command == "class":
            self.windows[0].window.set_wm_class(arguments[0].lower(), arguments[0])
        elif command == "focus":
            self.windows[0].focus()
        elif command == "other":
            self.windows[1].focus()
        elif command == "hold":
            xtest.fake_input(self.display, X.KeyPress, self.display.keysym_to_keycode(XK.string_to_keysym(arguments[0])))
        elif command == "close":
            self.windows[0].window.destroy()
        elif command == "unmanage":
            self.forget_windows()
        elif command == "grab":
            self.windows[1].window.grab_keyboard(True, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
        elif command == "manage":
            self.manage()
        self.display.sync()
        print(command, flush=True)
        if command in ("pick", "shell"):
            # The list is drawn once the second entry is.
            program = [arguments[0], "pick", "--paste"]
            if command == "shell":
                program = ["/bin/bash", "--norc", "-ic", f"set -m; {arguments[0]} pick --paste; exit $?"]
            self.activate(1)
            status = run(*program, answers=[(b"first", b"\x1b[B\r"), (b"closes", b"\r")])
            self.activate(0)
            print("status", status, flush=True)
        if command == "child":
            self.activate(1)
            line = [arguments[0], "history", "restore", "1", "--paste", "--verbose"]
            with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as program:
                for message in program.stderr:
                    if "previous window" in message:
                        self.activate(0)
            print("status", program.returncode, flush=True)
        if command == "run":
            print("status", run(arguments[0], "history", "restore", "1", "--paste"), flush=True)

    def manage(self):
        bridge = self.display.get_selection_owner(self.display.intern_atom("_XPB_S0"))
        bridge.change_attributes(event_mask=X.PropertyChangeMask)
        active = self.display.intern_atom("_NET_ACTIVE_WINDOW")
        self.set_property("_NET_SUPPORTED", Xatom.ATOM, [active])
        self.set_property("_NET_CLIENT_LIST", Xatom.WINDOW, [window.window.id for window in self.windows])
        self.activate(0)
        # A bridge that is late would see the next active window instead.
        record = self.display.intern_atom("_XPB_RECENT_WINDOWS")
        while True:
            recent = bridge.get_full_property(record, Xatom.WINDOW)
            if recent and recent.value[0] == self.windows[0].window.id:
                return
            while self.display.next_event().type != X.PropertyNotify:
                pass

    def activate(self, number):
        self.set_property("_NET_ACTIVE_WINDOW", Xatom.WINDOW, [self.windows[number].window.id])
        self.windows[number].focus()
        self.display.sync()

    def set_property(self, name, kind, values):
        self.display.screen().root.change_property(self.display.intern_atom(name), kind, 32, values)

    def forget_windows(self):
        for name in ("_NET_SUPPORTED", "_NET_CLIENT_LIST", "_NET_ACTIVE_WINDOW"):
            self.display.screen().root.delete_property(self.display.intern_atom(name))

    def report(self, event):
        if event.type != X.KeyPress:
            return
        window = next(window for window in self.windows if window.window.id == event.window.id)
        symbol = self.display.keycode_to_keysym(event.detail, 0)
        names = [name for mask, name in MODIFIERS.items() if event.state & mask]
        print(window.name + "+".join(names + [self.name(symbol)]), flush=True)

    @staticmethod
    def name(symbol):
        names = {getattr(XK, name): name[3:] for name in dir(XK) if name.startswith("XK_")}
        return names.get(symbol, str(symbol))

    def run(self):
        rest = b""
        while True:
            while self.display.pending_events():
                self.report(self.display.next_event())
            readable, _, _ = select.select([0, self.display.fileno()], [], [])
            if 0 not in readable:
                continue
            data = os.read(0, 1 << 12)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self.perform(*line.decode().split())


if __name__ == "__main__":
    sys.exit(Keys().run())
