"""A desktop on its own X server, with a window manager, a D-Bus and, if wanted, the bridge."""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time

from Xlib import X, error
from Xlib.ext import xfixes

from trials.testbed import Testbed

# In seconds. Programs of this size start slowly on a machine with other load.
START_TIMEOUT = 90
ACTION_TIMEOUT = 30


class Window:
    """A window that the window manager knows, with the window's title when it was found."""

    def __init__(self, number, title):
        self.number = number
        self.title = title


class Desktop(Testbed):
    """A desktop. Programs on the desktop find neither the D-Bus nor the folders of the user's own desktop."""

    screen = "1280x900x24"

    def __init__(self, binaries, folder, has_bridge=True):
        super().__init__(binaries, folder, {
            "GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory", "GTK_USE_PORTAL": "0", "LIBGL_ALWAYS_SOFTWARE": "1",
            "SAL_USE_VCLPLUGIN": "gtk3", "XDG_SESSION_TYPE": "x11",
        }, has_bridge=has_bridge)

    def start_all(self):
        self.start_server()
        self.start_window_manager()
        self.start_bus()
        self.clipboard = self.display.intern_atom("CLIPBOARD")
        self.display.xfixes_query_version()
        self.display.xfixes_select_selection_input(
            self.root, self.clipboard, xfixes.XFixesSetSelectionOwnerNotifyMask)
        if self.has_bridge:
            self.start_bridge()
        return self

    # Programs.

    def start_program(self, *command, **settings):
        """Starts a program in its own process group, so that `end_program` also ends the program's children."""
        process = subprocess.Popen(
            [*map(str, command)], env=self.environment | settings, stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log, start_new_session=True, cwd=self.folder)
        self.processes.append(process)
        return process

    def end_program(self, process):
        """Kills the process and the rest of its group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        self.end(process, signal.SIGKILL)

    def run(self, *command, timeout=ACTION_TIMEOUT):
        """Returns the output of a command, or None if it fails or takes too long."""
        try:
            found = subprocess.run(
                [*map(str, command)], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=self.log, timeout=timeout)
        except subprocess.TimeoutExpired:
            return None
        return found.stdout if found.returncode == 0 else None

    # Windows and keys.

    def windows(self):
        """Returns the windows that the window manager shows, oldest first."""
        return [
            Window(window.id, text(self.property(window, "_NET_WM_NAME") or self.property(window, "WM_NAME")))
            for window in self.managed_windows()]

    def window(self, pattern):
        """Returns the newest window whose title matches the pattern, or None."""
        return next((window for window in reversed(self.windows()) if re.search(pattern, window.title)), None)

    def activate(self, window):
        self.run("xdotool", "windowactivate", "--sync", window.number)

    def keys(self, *keys):
        """Presses keys, as xdotool names them, one after the other."""
        self.run("xdotool", "key", "--clearmodifiers", "--delay", "30", *keys)

    def hold_shift(self):
        """Holds Shift down, and returns a function that releases it."""
        self.run("xdotool", "keydown", "shift")
        return lambda: self.run("xdotool", "keyup", "shift")

    @contextlib.contextmanager
    def pressing(self, *keys):
        """Presses keys while the body runs. The body does not wait for xdotool to exit."""
        with subprocess.Popen(
                ["xdotool", "key", "--clearmodifiers", *keys], env=self.environment, stdin=subprocess.DEVNULL,
                stdout=self.log, stderr=self.log):
            yield

    def click(self, window, x, y, button=1):
        # With --sync, xdotool waits forever if the pointer is already there.
        self.run("xdotool", "mousemove", "--window", window.number, x, y, "click", button)

    def has_menu(self):
        """Returns True if there is a menu: a window that the window manager does not know."""
        return any(
            attributes.override_redirect and attributes.map_state == X.IsViewable and size.width > 50
            for attributes, size in self.attributes())

    def attributes(self):
        """Returns the attributes and the geometry of each window of the screen."""
        found = []
        for window in self.root.query_tree().children:
            with contextlib.suppress(error.BadWindow, error.BadDrawable):
                found.append((window.get_attributes(), window.get_geometry()))
        return found

    # The clipboard, as a program without any knowledge of the bridge sees it.

    def targets(self):
        return (self.run("xclip", "-o", "-selection", "clipboard", "-t", "TARGETS") or b"").decode().splitlines()

    def read(self, target):
        return self.run("xclip", "-o", "-selection", "clipboard", "-t", target)

    def owner(self):
        """Returns the number of the window that owns the clipboard; 0 if there is no owner."""
        owner = self.display.get_selection_owner(self.clipboard)
        return 0 if owner == X.NONE else owner.id

    def forget_owners(self):
        """Drops the events about the clipboard's owners so far."""
        self.display.sync()
        while self.display.pending_events():
            self.display.next_event()

    def await_owner(self, timeout):
        """Returns True when a program takes the clipboard, False after the timeout."""
        deadline = time.monotonic() + timeout
        while (rest := deadline - time.monotonic()) > 0:
            while self.display.pending_events():
                if getattr(self.display.next_event(), "owner", None):
                    return True
            select.select([self.display.fileno()], [], [], rest)
        return False

    # The bridge.

    def count(self):
        return int(self.xpb("count"))

    def await_count(self, count, timeout):
        """Returns True when the change count is higher than the given one, False after the timeout."""
        found = self.xpb("wait", "--since", str(count), "--timeout", str(timeout), statuses=(0, 1, 3))
        return bool(found.strip())

    def owner_status(self):
        """Returns the bridge's data about the owner of the clipboard."""
        return json.loads(self.xpb("owner", "--json"))["owner"]

    def holds_copy(self):
        """Returns True if the bridge owns the clipboard with a program's copy, as when the program asks to save its
        contents."""
        return "heldBy" in self.owner_status()

    def capture(self):
        """Waits until the bridge's capture of the clipboard is complete, and returns the capture."""
        def complete():
            if self.holds_copy():
                return {"state": "saved"}
            count = self.count()
            for found in self.status()["captures"]:
                if found["pasteboard"] == "general" and found["count"] == count:
                    return found["state"] in ("captured", "skipped") and found
            return None
        return self.await_("the bridge to capture the copy", complete)


def text(found):
    """Returns the text of a property; empty if there is no such property."""
    if found is None:
        return ""
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else str(found)
