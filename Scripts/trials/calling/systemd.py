"""The units and the autostart entry under a real systemd user manager.

The manager runs in a mount namespace in which the machine looks as if systemd had booted it. This needs root.
"""

import os
import pathlib

from trials import ROOT, Failure
from trials.calling.checks import check

MANAGER = "/lib/systemd/systemd"
UNITS = ("xpbd.service", "xpbd.socket")
ENTRY_UNIT = "app-xpbd@autostart.service"
# The target of a desktop. It pulls in the targets for graphical sessions and for the autostart entries.
TARGET = """[Unit]
BindsTo=graphical-session.target
Wants=xdg-desktop-autostart.target
Before=graphical-session.target xdg-desktop-autostart.target
"""
# The manager moves all processes of its control group, so the control group must be its own. The manager looks for the
# programs of the entries in its own default path.
START = """
echo $$ > "$4/cgroup.procs"
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system
mount -t tmpfs tmpfs /usr/local/bin
ln -s "$1" "$2" /usr/local/bin/
exec "$3" --user
"""


def control_group():
    """Returns the folder of this process's control group in systemd's hierarchy; see cgroups(7)."""
    for line in pathlib.Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "name=systemd":
            return pathlib.Path("/sys/fs/cgroup/systemd" + path)
    return pathlib.Path("/sys/fs/cgroup" + path)


class Manager:
    """A running service manager with the units of xpb. No unit is enabled."""

    def __init__(self, desk):
        if os.geteuid() != 0:
            raise Failure("starting a service manager needs root")
        self.desk = desk
        programs = os.path.dirname(desk.xpb_path)
        for name in UNITS:
            unit = (ROOT / "Scripts/packaging/systemd" / name).read_text(encoding="utf-8")
            desk.write(f".config/systemd/user/{name}", unit.replace("@PREFIX@/bin", programs))
        desk.write(".config/systemd/user/desk.target", TARGET)
        self.programs = programs
        self.group = control_group() / f"xpb-callers-{os.getpid()}"
        self.process = None

    def __enter__(self):
        self.group.mkdir()
        try:
            self.process = self.desk.start_program(
                "unshare", "--mount", "sh", "-euc", START, "sh", f"{self.programs}/xpb", f"{self.programs}/xpbd",
                MANAGER, self.group, SYSTEMD_LOG_TARGET="console")
            self.desk.await_(
                "the service manager to run", lambda: self.control("is-system-running") in ("running", "degraded"))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process:
            # The manager stops its units.
            self.desk.end(self.process)
        for folder, _, _ in os.walk(self.group, topdown=False):
            os.rmdir(folder)

    def control(self, *arguments):
        """Returns the output of systemctl."""
        found = self.desk.output(
            "nsenter", "--target", self.process.pid, "--mount", "systemctl", "--user", *arguments, statuses=range(256))
        return found.strip()

    def start(self, unit):
        self.control("start", unit)
        if (state := self.state(unit)) != "active":
            raise Failure(f"{unit} is {state}: {self.control('status', unit)}")

    def stop_session(self):
        self.control("stop", "desk.target")
        self.desk.await_("the session's bridge to exit", lambda: not self.desk.bridges())

    def state(self, unit):
        return self.property(unit, "ActiveState")

    def property(self, unit, name):
        return self.control("show", unit, "--property", name, "--value")


@check("systemd-autostart", {MANAGER: "systemd"})
def systemd_autostart(desk):
    """Checks that a desktop started by systemd runs the entry as a unit, and that the bridge stays in the unit after
    xpb exits."""
    with Manager(desk) as manager:
        manager.start("desk.target")
        desk.bridge = desk.await_bridge()
        desk.await_("xpb to exit", lambda: manager.property(ENTRY_UNIT, "MainPID") == "0")
        desk.xpb("set", "copied in the session")
        desk.await_copy("copied in the session")
        if manager.state(ENTRY_UNIT) != "active":
            raise Failure(f"{ENTRY_UNIT} stopped: {manager.control('status', ENTRY_UNIT)}")
        manager.stop_session()
        # The next session begins with the contents of the previous session.
        manager.start("desk.target")
        desk.bridge = desk.await_bridge()
        desk.await_copy("copied in the session")


@check("systemd-service", {MANAGER: "systemd"})
def systemd_service(desk):
    """Checks that if the service and the entry start at the same time, only the service's bridge stays."""
    with Manager(desk) as manager:
        manager.control("enable", "xpbd.service")
        for turn in range(3):
            manager.start("desk.target")
            manager.start("xpbd.service")
            process = int(manager.property("xpbd.service", "MainPID"))
            desk.await_("the entry's unit to stop", lambda: manager.state(ENTRY_UNIT) in ("inactive", "failed"))
            if (result := manager.property(ENTRY_UNIT, "Result")) != "success":
                raise Failure(f"{ENTRY_UNIT}: {result}: {manager.control('status', ENTRY_UNIT)}")
            if desk.await_bridge() != process:
                raise Failure(f"the bridge was not the service's bridge: {manager.control('status', 'xpbd.service')}")
            desk.bridge = process
            if turn > 0:
                desk.await_copy(f"copied in session {turn - 1}")
            desk.xpb("set", f"copied in session {turn}")
            desk.await_copy(f"copied in session {turn}")
            manager.stop_session()


@check("systemd-socket", {MANAGER: "systemd"})
def systemd_socket(desk):
    """Checks that the socket starts the service for its first client."""
    with Manager(desk) as manager:
        manager.control("enable", "--now", "xpbd.socket")
        if desk.bridges():
            raise Failure("a bridge was running before its first client")
        desk.xpb("set", "copied by the socket's first client")
        desk.bridge = desk.await_bridge()
        if int(manager.property("xpbd.service", "MainPID")) != desk.bridge:
            raise Failure("the bridge was not the service's bridge")
        desk.await_copy("copied by the socket's first client")
