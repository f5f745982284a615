"""Wayland compositors without a screen, for scripts that run in their own session."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

from trials import FIXTURES, Failure

# Programs that print a line when they are ready, and that press a key and print a line for each line of input.
KEYBOARDS = {
    "kwin": pathlib.Path(__file__).with_name("kwin_keyboard.py"), "mutter": FIXTURES / "mutter_keyboard.py"}


def compositor(name, folder, xwayland=None):
    """Starts a compositor, sway or kwin, in a folder. If the name is "present", returns the compositor of the
    surrounding session.

    xwayland: None, or an argument of `Scripts/try wayland --xwayland` if X11 programs take part.
    """
    return Present(xwayland) if name == "present" else Compositor(name, folder, xwayland)


class Keyboard:
    """A keyboard of a session, for programs that can copy only after a key press."""

    def __init__(self, compositor):
        self.environment = compositor.environment
        self.process = None
        if program := KEYBOARDS.get(compositor.name.split()[0]):
            self.process = subprocess.Popen(
                ["/usr/bin/python3", program], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.await_line()

    def await_line(self):
        if not self.process.stdout.readline():
            raise Failure(f"{self.process.args[-1].name} did not press a key")

    def press(self):
        if self.process:
            self.process.stdin.write(b"\n")
            self.process.stdin.flush()
            self.await_line()
        else:
            subprocess.run(["wtype", "-s", "100", "-k", "a"], env=self.environment, timeout=20, check=True)

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Present:
    """The session that the script runs in, such as a session that `Scripts/try session` has started in another
    Debian."""

    def __init__(self, xwayland=None):
        self.name = os.environ.get("SESSION_COMPOSITOR", "mutter")
        # Under KWin 5.27, wl-paste waits forever if there is nothing to paste.
        self.tells_emptiness = not self.name.startswith("kwin 5")
        # mutter ignores a copy by a Wayland program after a copy by another program, if no key was pressed in between.
        self.needs_keys = self.name.startswith("mutter")
        self.xwayland = xwayland
        self.environment = {name: value for name, value in os.environ.items() if xwayland or name != "DISPLAY"}

    def end(self):
        pass


class Compositor:
    """A compositor without a screen, and the environment of its clients."""

    def __init__(self, name, folder, xwayland=None):
        self.name = name
        self.xwayland = xwayland
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "LC_ALL": "C.UTF-8"}
        start = {"sway": self.sway, "kwin": self.kwin}[name]
        command, more = start(folder)
        with open(folder / "compositor.log", "wb") as log:
            self.process = subprocess.Popen(
                command, env=self.environment | more, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)
        # KWin in Debian 12 is version 5.27.
        self.tells_emptiness = name != "kwin"
        self.needs_keys = False
        self.environment |= self.displays(folder)

    def sway(self, folder):
        xwayland = "force" if self.xwayland else "disable"
        (folder / "config").write_text(f"xwayland {xwayland}\nexec {self.announcement(folder)}\n")
        command = ["sway", "--config", str(folder / "config")]
        # sway refuses to be started by root, and Xwayland cannot run its compiler of keymaps without a group.
        if os.getuid() == 0:
            command = ["unshare", "--user", "--map-user=65534", "--map-group=65534"] + command
        return command, {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}

    def kwin(self, folder):
        # The program is copied, since the installed file's capability cannot be granted everywhere. KWin checks its
        # file name, so the copy keeps the name.
        program = shutil.copy(shutil.which("kwin_wayland"), folder / "kwin_wayland")
        (folder / "announce").write_text(f"#!/bin/sh\n{self.announcement(folder)}\nexec sleep infinity\n")
        (folder / "announce").chmod(0o700)
        command = ["dbus-run-session", str(program), "--virtual", "--no-lockscreen", str(folder / "announce")]
        # Without the checks, every program may press keys.
        more = {"KWIN_COMPOSE": "Q", "KWIN_WAYLAND_NO_PERMISSION_CHECKS": "1"}
        return command + (["--xwayland"] if self.xwayland else []), more

    def announcement(self, folder):
        """Returns a shell command that writes the names of the displays to a file."""
        file = f"{folder}/displays"
        return f"env | grep -E '^(WAYLAND_)?DISPLAY=' >{file}.new && mv {file}.new {file}"

    def displays(self, folder):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if (folder / "displays").exists():
                found = dict(line.split("=", 1) for line in (folder / "displays").read_text().splitlines())
                return {name: found[name] for name in ["WAYLAND_DISPLAY"] + ["DISPLAY"] * bool(self.xwayland)}
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        log = (folder / "compositor.log").read_text(errors="replace").splitlines()
        raise Failure("\n".join(["the compositor did not start; its log ends with:", *log[-5:]]))

    def end(self):
        # dbus-run-session exits before its program, so the group is killed again below.
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        # wlroots restarts Xwayland when its last client has left, and the new Xwayland may have missed the signal.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
