"""Runs the bridge together with other clipboard managers, and checks that neither replaces the contents of the other.

Each manager is started before the bridge in one case, and after it in another. The cases run at the same time, each
with an X server, a home folder and processes of its own. A third program (Tests/Fixtures/peer.py) watches the owners of
the selections by XFixes.

Exit status: 0 if everything is in order, 1 if not, 2 for a usage error or a missing program.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from Xlib import X, display

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "Tests/Fixtures"
# The programs with their Debian packages.
PACKAGES = {
    "copyq": "copyq", "xfce4-clipman": "xfce4-clipman", "dbus-daemon": "dbus", "gdbus": "libglib2.0-bin",
    "Xvfb": "xvfb", "xclip": "xclip",
}
# In seconds. A manager reacts to a change within this time; CopyQ checks again after 0.6 s.
SETTLE_TIME = 3
TIMEOUT = 60


class Failure(Exception):
    """A condition that ends a case."""


class OwnerWatch:
    """The number of changes of a selection's owner so far, and the time of the last one."""

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


class Case:
    def __init__(self, binaries, manager, is_first, minutes, folder):
        self.name = f"{manager} {'before' if is_first else 'after'} the bridge"
        self.manager = manager
        self.is_first = is_first
        self.minutes = minutes
        self.folder = pathlib.Path(folder)
        self.faults = 0
        self.processes = []
        self.xpb_path = os.path.join(binaries, "xpb")
        self.environment = {
            "PATH": binaries + ":" + os.environ["PATH"],
            "HOME": folder,
            "TMPDIR": folder,
            "XDG_RUNTIME_DIR": os.path.join(folder, "runtime"),
            "NO_AT_BRIDGE": "1",
            "LANG": "C.UTF-8",
        }
        (self.folder / "runtime").mkdir(mode=0o700)

    # Processes.

    def start(self, *command, **streams):
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": self.log} | streams
        process = subprocess.Popen([*map(str, command)], env=self.environment, **streams)
        self.processes.append(process)
        return process

    def end(self, process, number=signal.SIGTERM):
        if process.poll() is None:
            process.send_signal(number)
        try:
            process.wait(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def output(self, *command, check=True):
        found = subprocess.run(
            [*map(str, command)], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.log, timeout=TIMEOUT)
        if check and found.returncode:
            raise Failure(f"{' '.join(map(str, command))} ended with status {found.returncode}")
        return found.stdout

    def xpb(self, *arguments, check=True):
        return self.output(self.xpb_path, *arguments, check=check)

    def pasted(self):
        """Returns the text that xclip pastes, which does not know the bridge; empty if there is none."""
        return self.output("xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING", check=False)

    # Findings.

    def say(self, text):
        print(f"{self.name + ':':<34} {text}", flush=True)

    def require(self, condition, fault):
        if not condition:
            self.faults += 1
            self.say(f"WRONG: {fault}")

    def await_(self, condition, text):
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            if time.monotonic() > deadline:
                raise Failure(f"not within {TIMEOUT} s: {text}")
            time.sleep(0.05)

    def settle(self):
        """Waits until no program has taken a selection for SETTLE_TIME."""
        begin = time.monotonic()
        while (now := time.monotonic()) - max(begin, self.clipboard.last, self.primary.last) < SETTLE_TIME:
            if now - begin > TIMEOUT:
                raise Failure("the selections keep changing")
            time.sleep(0.1)

    # The parts.

    def run(self):
        with open(self.folder / "log", "ab") as self.log:
            try:
                self.run_parts()
            except Failure as failure:
                self.require(False, str(failure))
            finally:
                self.stop()
        if self.faults:
            lines = (self.folder / "log").read_text(errors="replace").splitlines()
            self.say("the last lines of the log:\n  " + "\n  ".join(lines[-20:]))

    def stop(self):
        if "DISPLAY" in self.environment:
            self.xpb("bridge", "stop", check=False)
        for process in reversed(self.processes):
            self.end(process)

    def run_parts(self):
        self.start_display()
        self.clipboard, self.primary = OwnerWatch(self, "CLIPBOARD"), OwnerWatch(self, "PRIMARY")
        if self.is_first:
            self.start_manager()
            self.xpb("bridge", "start")
        else:
            self.xpb("bridge", "start")
            self.start_manager()
        self.settle()
        self.say(f"clipboard manager of the display: {self.status('manager')}")
        self.copies()
        self.idle()
        self.owner_exits()
        self.bridge_restart()
        self.require(self.manager_process.poll() is None, f"{self.manager} has ended")
        self.say("done")

    def start_display(self):
        reading, writing = os.pipe()
        # Without -noreset an Xvfb forgets atoms and selections when its last client disconnects.
        self.start(
            "Xvfb", "-displayfd", writing, "-noreset", "-nolisten", "tcp", "-screen", "0", "640x480x24",
            pass_fds=[writing])
        os.close(writing)
        with open(reading) as number:
            self.environment["DISPLAY"] = ":" + number.readline().strip()

    def start_manager(self):
        if self.manager == "copyq":
            self.manager_process = self.start("copyq")
            self.await_(lambda: self.output("copyq", "eval", "1", check=False).strip() == b"1", "CopyQ is running")
            return
        bus = self.start("dbus-daemon", "--session", "--nofork", "--print-address=1", stdout=subprocess.PIPE)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        # xfce4-clipman exits after a minute without a tray for its icon.
        tray = self.start("/usr/bin/python3", HERE / "tray.py", stdout=subprocess.PIPE)
        if tray.stdout.readline() != b"tray\n":
            raise Failure("the tray did not start")
        self.manager_process = self.start("xfce4-clipman")
        # A bridge that is already the display's clipboard manager remains so.
        self.await_(self.has_manager if self.is_first else self.is_on_bus, "xfce4-clipman is running")

    def has_manager(self):
        connection = display.Display(self.environment["DISPLAY"])
        try:
            return connection.get_selection_owner(connection.intern_atom("CLIPBOARD_MANAGER")) != X.NONE
        finally:
            connection.close()

    def is_on_bus(self):
        """Returns True if xfce4-clipman is on its D-Bus."""
        return subprocess.run(
            ["gdbus", "wait", "--session", "--timeout", "1", "org.xfce.clipman"], env=self.environment,
            stderr=self.log).returncode == 0

    def status(self, key):
        for line in self.xpb("status").decode().splitlines():
            if line.startswith(key + ": "):
                return line.split(": ", 1)[1]
        return None

    def copies(self):
        """Checks that a copy by each program is one change, and that its contents stay unchanged."""
        for copy in self.copy_by_xclip, self.copy_by_xpb, self.copy_by_gtk:
            data = f"copied by {copy.__name__.split('_')[-1]}\n".encode()
            owners, count = self.clipboard.owners, self.count()
            copy(data)
            self.settle()
            text = data.decode().strip()
            self.require(
                self.clipboard.owners == owners + 1, f"{text}: {self.clipboard.owners - owners} changes of the owner")
            self.require(self.count() == count + 1, f"{text}: the count went from {count} to {self.count()}")
            self.require(self.pasted() == data, f"{text}, but xclip pastes {self.pasted()!r}")
            self.require(self.xpb("get") == data, f"{text}, but xpb pastes {self.xpb('get')!r}")
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
        """Checks that nothing changes without a copy: with contents of the bridge for half of the time, and of another
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
            self.require(self.pasted() == b"left alone\n", "the contents have changed")
            self.require(self.manager_process.poll() is None, f"{self.manager} has ended")

    def figures(self):
        return {
            "owners of CLIPBOARD": self.clipboard.owners, "of PRIMARY": self.primary.owners,
            "count": self.count(), "of find": self.count("find")}

    def owner_exits(self):
        """Checks that the contents stay, at the same count, when their owner is killed, and when it saves them and
        exits."""
        owner = self.copy_by_xclip(b"by a killed program\n")
        self.await_(lambda: self.pasted() == b"by a killed program\n", "xclip copies")
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
        self.require(pasted == data, f"xclip pastes {pasted!r} after {owner}")
        self.require(changes == 1, f"{changes} programs took over from {owner}")

    def owner(self):
        lines = self.xpb("owner").decode().splitlines()
        fields = dict(line.split(": ", 1) for line in lines if ": " in line)
        return f"{fields.get('owner')} {fields.get('program', fields.get('process', ''))}"

    def bridge_restart(self):
        """Checks that the contents of the bridge survive its end and its restart."""
        self.copy_by_xpb(b"by the bridge\n")
        self.settle()
        owners, count = self.clipboard.owners, self.count()
        has_other_manager = self.status("manager") != "this bridge"
        begin = time.monotonic()
        self.xpb("bridge", "stop")
        taken = time.monotonic() - begin
        self.settle()
        pasted = self.pasted()
        self.say(f"the bridge ended in {taken:.1f} s: {self.clipboard.owners - owners} changes of the owner, "
                 f"xclip pastes {pasted!r}")
        self.require(pasted == b"by the bridge\n" or not has_other_manager, "the contents were not handed over")
        self.xpb("bridge", "start")
        self.settle()
        self.say(f"the bridge has restarted: {self.clipboard.owners - owners} changes of the owner, count {count} → "
                 f"{self.count()}, then {self.owner()}")
        self.require(self.pasted() == b"by the bridge\n", f"xclip pastes {self.pasted()!r} after the restart")
        self.require(self.clipboard.owners - owners <= 2, "the owner changed more than twice")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", default=".build/dist")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--manager", action="append", choices=["copyq", "xfce4-clipman"])
    options = parser.parse_args()
    managers = options.manager or ["copyq", "xfce4-clipman"]
    missing = [
        package for program, package in PACKAGES.items()
        if shutil.which(program) is None and (program not in ("copyq", "xfce4-clipman") or program in managers)]
    if missing:
        print(f"beside: missing: {' '.join(missing)}; on Debian: apt-get install {' '.join(missing)}", file=sys.stderr)
        return 2
    binaries = os.path.abspath(options.binaries)
    with contextlib.ExitStack() as folders:
        cases = [
            Case(
                binaries, manager, is_first, options.minutes,
                folders.enter_context(tempfile.TemporaryDirectory(prefix="xpb-beside-")))
            for manager in managers for is_first in (True, False)]
        threads = [threading.Thread(target=case.run, daemon=True) for case in cases]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            for case in cases:
                case.stop()
            raise
    faults = sum(case.faults for case in cases)
    print(f"beside: {'everything is in order' if not faults else f'{faults} faults'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
