"""Wayland compositors without a screen, for the scripts that run in a session of their own."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time


class Present:
    """The session that the script runs in, which `Scripts/session` starts in a newer Debian, for example."""

    # The compositors that are run like this have both.
    tells_emptiness = True
    takes_keys = True

    def __init__(self, xwayland=None):
        self.xwayland = xwayland
        self.environment = {name: value for name, value in os.environ.items() if xwayland or name != "DISPLAY"}

    def end(self):
        pass


class Compositor:
    """A compositor without a screen, and the environment of its clients."""

    def __init__(self, name, folder, xwayland=None):
        self.xwayland = xwayland
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "LC_ALL": "C.UTF-8"}
        start = {"sway": self.sway, "kwin": self.kwin}[name]
        command, more = start(folder)
        with open(folder / "compositor.log", "wb") as log:
            self.process = subprocess.Popen(
                command, env=self.environment | more, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)
        # Under KWin 5.27, wl-paste waits forever if there is nothing to paste.
        self.tells_emptiness = name != "kwin"
        # KWin 5.27 has no protocol for a virtual keyboard.
        self.takes_keys = name != "kwin"
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
        # The capability of the installed file is not given everywhere, and KWin looks at the name of its file.
        program = shutil.copy(shutil.which("kwin_wayland"), folder / "kwin_wayland")
        (folder / "announce").write_text(f"#!/bin/sh\n{self.announcement(folder)}\nexec sleep infinity\n")
        (folder / "announce").chmod(0o700)
        command = ["dbus-run-session", str(program), "--virtual", "--no-lockscreen", str(folder / "announce")]
        return command + (["--xwayland"] if self.xwayland else []), {"KWIN_COMPOSE": "Q"}

    def announcement(self, folder):
        """Returns a command of a shell that writes the names of the displays to a file."""
        return f"env | grep -E '^(WAYLAND_)?DISPLAY=' >{folder}/displays.new && mv {folder}/displays.new {folder}/displays"

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
        sys.exit("\n".join(["the compositor did not start; its log ends with:", *log[-5:]]))

    def end(self):
        # dbus-run-session ends before its program.
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        # wlroots starts Xwayland anew when its last client has left, and that one may have missed the signal.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
