"""Runs the bridge together with other clipboard managers, and checks that neither replaces the other's contents.

Each manager is started before the bridge in one case, and after the bridge in another. The cases run at the same time,
each with its own X server, home folder and processes. A third program (Tests/Fixtures/peer.py) watches the owners of
the selections with XFixes.

It takes some minutes. Exit status: 0 if everything is in order, 1 if not, 2 for a usage error or a missing program.
"""

import contextlib
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from Xlib import X

from trials import FIXTURES, ROOT, Failure
from trials.testbed import Testbed

# The programs with their Debian packages.
PACKAGES = {
    "copyq": "copyq", "xfce4-clipman": "xfce4-clipman", "dbus-daemon": "dbus", "gdbus": "libglib2.0-bin",
    "Xvfb": "xvfb", "xclip": "xclip",
}
MANAGERS = ["copyq", "xfce4-clipman"]
# In seconds. A manager reacts to a change within this time; CopyQ checks again after 0.6 s.
SETTLE_TIME = 3
TIMEOUT = 60


class OwnerWatch:
    """The number of changes of a selection's owner so far, and the time of the last change."""

    def __init__(self, case, selection):
        self.owners = 0
        self.last = time.monotonic()
        self.process = case.start(
            "/usr/bin/python3", FIXTURES / "peer.py", "watch", "--selection", selection, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        if json.loads(self.process.stdout.readline())["event"] != "watching":
            raise Failure(f"the watch of {selection} did not start")
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] == "owner" and event["window"]:
                self.owners += 1
            self.last = time.monotonic()


class Case(Testbed):
    """The bridge and a manager, one started after the other."""

    patience = TIMEOUT

    def __init__(self, binaries, manager, is_first, minutes, folder):
        super().__init__(binaries, folder)
        self.name = f"{manager} {'before' if is_first else 'after'} the bridge"
        self.manager = manager
        self.is_first = is_first
        self.minutes = minutes
        self.faults = 0

    def pasted(self):
        """Returns the text that xclip pastes without knowing of the bridge; empty if there is no text."""
        return self.output_of("xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING", statuses=())

    # Findings.

    def say(self, text):
        print(f"{self.name + ':':<34} {text}", flush=True)

    def require(self, condition, fault):
        if not condition:
            self.faults += 1
            self.say(f"WRONG: {fault}")

    def settle(self):
        """Waits until no program has taken a selection for SETTLE_TIME."""
        begin = time.monotonic()
        while (now := time.monotonic()) - max(begin, self.clipboard.last, self.primary.last) < SETTLE_TIME:
            if now - begin > TIMEOUT:
                raise Failure("the selections keep changing")
            time.sleep(0.1)

    # The parts.

    def run(self):
        try:
            with self:
                self.run_parts()
        except Failure as failure:
            self.require(False, str(failure))
        if self.faults:
            lines = (self.folder / "log").read_text(errors="replace").splitlines()
            self.say("the last lines of the log:\n  " + "\n  ".join(lines[-20:]))

    def start_all(self):
        self.start_server()
        self.clipboard, self.primary = OwnerWatch(self, "CLIPBOARD"), OwnerWatch(self, "PRIMARY")
        for start in [self.start_manager, self.start_bridge][::1 if self.is_first else -1]:
            start()
        return self

    def run_parts(self):
        self.settle()
        self.say(f"clipboard manager of the display: {self.field('manager')}")
        self.copies()
        self.idle()
        self.owner_exits()
        self.bridge_restart()
        self.require(self.manager_process.poll() is None, f"{self.manager} exited")
        self.say("done")

    def start_manager(self):
        if self.manager == "copyq":
            self.manager_process = self.start("copyq")
            self.await_("CopyQ to run", lambda: self.output_of("copyq", "eval", "1", statuses=()).strip() == b"1")
            return
        self.start_bus()
        # xfce4-clipman exits after a minute without a tray for its icon.
        tray = self.start("/usr/bin/python3", ROOT / "Scripts/trials/tray.py", stdout=subprocess.PIPE)
        if tray.stdout.readline() != b"tray\n":
            raise Failure("the tray did not start")
        self.manager_process = self.start("xfce4-clipman")
        # A bridge that is already the display's clipboard manager stays the manager.
        self.await_("xfce4-clipman to run", self.has_manager if self.is_first else self.is_on_bus)

    def has_manager(self):
        return self.display.get_selection_owner(self.display.intern_atom("CLIPBOARD_MANAGER")) != X.NONE

    def is_on_bus(self):
        """Returns True if xfce4-clipman is on the case's D-Bus."""
        return subprocess.run(
            ["gdbus", "wait", "--session", "--timeout", "1", "org.xfce.clipman"], env=self.environment,
            stderr=self.log).returncode == 0

    def field(self, key):
        """Returns the value of a line of `xpb status`."""
        for line in self.xpb("status").decode().splitlines():
            if line.startswith(key + ": "):
                return line.split(": ", 1)[1]
        return None

    def copies(self):
        """Checks that a copy by each program is one change, and that the copied contents stay unchanged."""
        for copy in self.copy_by_xclip, self.copy_by_xpb, self.copy_by_gtk:
            data = f"copied by {copy.__name__.split('_')[-1]}\n".encode()
            owners, count = self.clipboard.owners, self.count()
            copy(data)
            self.settle()
            text = data.decode().strip()
            self.require(
                self.clipboard.owners == owners + 1, f"{text}: {self.clipboard.owners - owners} changes of the owner")
            self.require(self.count() == count + 1, f"{text}: the count went from {count} to {self.count()}")
            self.require(self.pasted() == data, f"{text}, but xclip pasted {self.pasted()!r}")
            self.require(self.xpb("get") == data, f"{text}, but xpb pasted {self.xpb('get')!r}")
        self.say("copies by xclip, xpb and GTK 3: done")

    def count(self, pasteboard="general"):
        return int(self.xpb("count", "-p", pasteboard))

    def file(self, data):
        path = self.folder / "copied"
        path.write_bytes(data)
        return path

    def copy_by_xclip(self, data):
        return self.start("xclip", "-quiet", "-i", "-selection", "clipboard", self.file(data))

    def copy_by_xpb(self, data):
        self.xpb("set", "-f", self.file(data))

    def copy_by_gtk(self, data):
        process = self.start(
            "/usr/bin/python3", FIXTURES / "Toolkits/gtk3.py", "own", "text", self.file(data), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        if process.stdout.readline() != b"owned\n":
            raise Failure("GTK 3 could not copy")
        return process

    def idle(self):
        """Checks that nothing changes without a copy. The bridge owns the contents for half of the time, and another
        program for the other half."""
        for copy in self.copy_by_xpb, self.copy_by_gtk:
            copy(b"left alone\n")
            self.start("xclip", "-quiet", "-i", "-selection", "primary", self.file(b"selected\n"))
            self.settle()
            before = self.figures()
            time.sleep(self.minutes * 30)
            after = self.figures()
            text = ", ".join(f"{name} {before[name]} → {after[name]}" for name in before)
            self.say(f"{self.minutes / 2:g} minutes, contents by {copy.__name__.split('_')[-1]}: {text}")
            self.require(before == after, "something changed without a copy")
            self.require(self.pasted() == b"left alone\n", "the contents changed")
            self.require(self.manager_process.poll() is None, f"{self.manager} exited")

    def figures(self):
        return {
            "owners of CLIPBOARD": self.clipboard.owners, "of PRIMARY": self.primary.owners,
            "count": self.count(), "of find": self.count("find")}

    def owner_exits(self):
        """Checks that the contents survive when the contents' owner is killed, and when the owner saves the contents
        and exits."""
        owner = self.copy_by_xclip(b"by a killed program\n")
        self.await_("xclip to copy", lambda: self.pasted() == b"by a killed program\n")
        self.settle()
        self.check_survival("a killed owner", b"by a killed program\n", lambda: self.end(owner, signal.SIGKILL))

        owner = self.start(
            "/usr/bin/python3", FIXTURES / "Toolkits/store_gtk3.py", "UTF8_STRING", self.file(b"saved\n"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        owner.stdout.readline()
        self.settle()

        def save_and_exit():
            owner.stdin.write(b"\n")
            owner.stdin.flush()
            if owner.stdout.readline() != b"stored\n":
                raise Failure("GTK 3 could not save its contents")
            owner.stdin.close()
            owner.wait(timeout=TIMEOUT)
        self.check_survival("an owner that saves its contents", b"saved\n", save_and_exit)

    def check_survival(self, owner, data, end):
        owners, count = self.clipboard.owners, self.count()
        end()
        self.settle()
        changes, rise = self.clipboard.owners - owners, self.count() - count
        pasted = self.pasted()
        self.say(f"{owner}: {changes} changes of the owner, count +{rise}, then {self.owner()}")
        self.require(pasted == data, f"xclip pasted {pasted!r} after {owner}")
        self.require(changes == 1, f"{changes} programs took over from {owner}")

    def owner(self):
        lines = self.xpb("owner").decode().splitlines()
        fields = dict(line.split(": ", 1) for line in lines if ": " in line)
        return f"{fields.get('owner')} {fields.get('program', fields.get('process', ''))}"

    def bridge_restart(self):
        """Checks that the bridge's contents survive a stop and a restart of the bridge."""
        self.copy_by_xpb(b"by the bridge\n")
        self.settle()
        owners, count = self.clipboard.owners, self.count()
        has_other_manager = self.field("manager") != "this bridge"
        begin = time.monotonic()
        self.xpb("bridge", "stop")
        taken = time.monotonic() - begin
        self.settle()
        pasted = self.pasted()
        self.say(f"the bridge stopped in {taken:.1f} s: {self.clipboard.owners - owners} changes of the owner, "
                 f"xclip pasted {pasted!r}")
        self.require(pasted == b"by the bridge\n" or not has_other_manager, "the contents were not handed over")
        self.xpb("bridge", "start")
        self.settle()
        self.say(f"the bridge has restarted: {self.clipboard.owners - owners} changes of the owner, count {count} → "
                 f"{self.count()}, then {self.owner()}")
        self.require(self.pasted() == b"by the bridge\n", f"xclip pasted {self.pasted()!r} after the restart")
        self.require(self.clipboard.owners - owners <= 2, "the owner changed more than twice")


def add_options(parser):
    parser.add_argument(
        "--minutes", type=float, default=10, metavar="N",
        help="minutes in which no program copies (default: 10)")
    parser.add_argument(
        "--manager", action="append", choices=MANAGERS, metavar="NAME", help=f"{' or '.join(MANAGERS)} (default: both)")


def run(options):
    managers = options.manager or MANAGERS
    missing = [
        package for program, package in PACKAGES.items()
        if shutil.which(program) is None and (program not in MANAGERS or program in managers)]
    if missing:
        print(f"beside: missing: {' '.join(missing)}; on Debian: apt-get install {' '.join(missing)}", file=sys.stderr)
        return 2
    with contextlib.ExitStack() as folders:
        cases = [
            Case(
                options.binaries, manager, is_first, options.minutes,
                folders.enter_context(tempfile.TemporaryDirectory(prefix="xpb-beside-")))
            for manager in managers for is_first in (True, False)]
        threads = [threading.Thread(target=case.run, daemon=True) for case in cases]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException:
            for case in cases:
                case.end_all()
            raise
    faults = sum(case.faults for case in cases)
    print(f"beside: {'everything is in order' if not faults else f'{faults} faults'}")
    return 1 if faults else 0
