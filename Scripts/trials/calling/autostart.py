"""The autostart entry in real sessions without systemd, with and without a bridge that was started as the user unit
starts it."""

import contextlib
import glob
import json
import os
import signal

from trials import ROOT, Failure
from trials.calling.checks import check
from trials.calling.recipes import recipe
from trials.calling.session import CallerDesk, executable

ENTRY = ROOT / "Scripts/packaging/xpbd.desktop"
PYTHON = "/usr/bin/python3"
AUTOSTART = next(iter(glob.glob("/usr/lib/*/openbox-xdg-autostart")), "/usr/lib/openbox-xdg-autostart")
# Settings without agents, and with openbox instead of programs that Xfce would wait for in vain.
XFCE_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-session" version="1.0">
  <property name="startup" type="empty">
    <property name="ssh-agent" type="empty"><property name="enabled" type="bool" value="false"/></property>
    <property name="gpg-agent" type="empty"><property name="enabled" type="bool" value="false"/></property>
  </property>
  <property name="sessions" type="empty">
    <property name="Failsafe" type="empty">
      <property name="IsFailsafe" type="bool" value="true"/>
      <property name="Count" type="int" value="2"/>
      <property name="Client0_Command" type="array"><value type="string" value="openbox"/></property>
      <property name="Client1_Command" type="array"><value type="string" value="xfsettingsd"/></property>
    </property>
  </property>
</channel>
"""


class Session(CallerDesk):
    """A display without a bridge, a window manager or D-Bus yet. The entry is the only autostart entry for all
    users."""

    def __init__(self, *arguments):
        super().__init__(*arguments, has_bridge=False)
        folder = self.folder / "etc/xdg"
        (folder / "autostart").mkdir(parents=True)
        (folder / "autostart/xpbd.desktop").symlink_to(ENTRY)
        for name in ("openbox", "xfce4"):
            (folder / name).symlink_to(f"/etc/xdg/{name}")
        self.environment |= {"XDG_CONFIG_DIRS": str(folder), "XDG_MENU_PREFIX": "xfce-"}
        # The entry finds this script as xpb. The script records the result of each run.
        script = self.write("bin/xpb", f'#!/bin/sh\n{self.xpb_path} "$@"\necho "$* $?" >> "$HOME/runs"\n')
        script.chmod(0o755)
        self.environment["PATH"] = f"{script.parent}:{self.environment['PATH']}"
        del self.environment["XPB_XPBD"]

    def start_all(self):
        self.start_server()
        return self

    def end_all(self):
        for process in self.bridges():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
        super().end_all()

    def runs(self):
        """Returns the number of times that the entry was run. Fails if a run failed."""
        path = self.folder / "runs"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if set(lines) - {"bridge start 0"}:
            raise Failure(f"the entry ran: {lines}")
        return len(lines)

    def end_session(self, process):
        """Ends the session's programs, but not the bridge."""
        self.end(process)
        bridges = self.bridges()
        for other in self.leftovers():
            if other not in bridges and executable(other) not in ("Xvfb", None):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(other, signal.SIGTERM)

    def bridges(self):
        """Returns this desktop's processes of xpbd."""
        return [process for process in self.leftovers() if executable(process) == "xpbd"]

    def await_bridge(self):
        """Waits until `xpb status` finds a bridge and no other bridge is running, and returns the bridge's process."""
        process = self.await_("the session to start the bridge", lambda: self.bridge_status().get("process"))
        self.await_("a single bridge", lambda: self.bridges() == [process])
        return process

    def start_as_systemd(self):
        """Starts the bridge as the user unit does."""
        process = self.start(os.path.join(os.path.dirname(self.xpb_path), "xpbd"), "--replace")
        self.await_("the bridge of the unit to run", lambda: self.bridge_status().get("process") == process.pid)
        return process.pid

    def bridge_status(self):
        return json.loads(self.xpb("status", "--json", statuses=(0, 1, 4)) or "{}")


def try_session(desk, *command):
    """Starts the session without a bridge, and then while the unit's bridge is running."""
    session = desk.start_program(*command)
    started = desk.await_bridge()
    # The bridge serves this display, and a copy in the session reaches other programs.
    desk.bridge = started
    desk.xpb("set", "copied in the session")
    desk.await_copy("copied in the session")

    # The unit's bridge takes over from the session's bridge.
    unit = desk.start_as_systemd()
    desk.await_("the first bridge to exit", lambda: desk.bridges() == [unit])
    desk.bridge = unit
    desk.xpb("set", "copied beside the unit")
    desk.end_session(session)

    # The entry leaves the unit's bridge alone.
    count = desk.runs()
    session = desk.start_program(*command)
    desk.await_("the session to run the entry", lambda: desk.runs() > count)
    if desk.await_bridge() != unit:
        raise Failure("the entry replaced the bridge of the unit")
    desk.await_copy("copied beside the unit")
    desk.end_session(session)


@check("autostart-openbox", {"openbox-session": "openbox"})
def autostart_openbox(desk):
    # openbox-session runs openbox-xdg-autostart, which reads the entries.
    try_session(desk, "openbox-session")


@check("autostart-xfce", {"xfce4-session": "xfce4-session", "dbus-run-session": "dbus-daemon"})
def autostart_xfce(desk):
    desk.write(".config/xfce4/xfconf/xfce-perchannel-xml/xfce4-session.xml", XFCE_SETTINGS)
    try_session(desk, "dbus-run-session", "--", "xfce4-session")


@check("autostart-user", {"openbox-session": "openbox"})
def autostart_user(desk):
    """Checks the recipe for an xpb that was not installed by a package."""
    (desk.folder / "etc/xdg/autostart/xpbd.desktop").unlink()
    desk.shell(f"cd {ROOT}\n" + recipe("autostart-user"))
    session = desk.start_program("openbox-session")
    desk.await_bridge()
    desk.end_session(session)


@check("autostart-removed", {AUTOSTART: "openbox"})
def autostart_removed(desk):
    """Checks that sessions ignore the entry if xpb is missing: a removed package leaves the entry until the package is
    purged."""
    command = [PYTHON, AUTOSTART, "--list"]
    if "[*] Pasteboards" not in (found := desk.output(*command)):
        raise Failure(f"the session would not run the entry: {found}")
    if "[ ] Pasteboards" not in (found := desk.output(*command, PATH="/nonexistent")):
        raise Failure(f"the session would run the entry without xpb: {found}")


@check("autostart-line", {"openbox": "openbox"})
def autostart_line(desk):
    """Checks the recipe for a session that reads no entries."""
    desk.shell(recipe("autostart-line"))
    process = desk.await_bridge()
    desk.shell(recipe("autostart-line"))
    if desk.await_bridge() != process:
        raise Failure("the second start replaced the bridge")
