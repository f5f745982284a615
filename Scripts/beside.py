"""Runs the bridge beside other clipboard managers, and looks whether they leave each other's contents alone.

Each case has an X server, a home and processes of its own, and they run at the same time: each manager, started before
the bridge and after it. What owns a selection is told by XFixes to a peer that is neither (Tests/Fixtures/peer.py).

Status: 0 all is well, 1 something is not, 2 usage or a program is missing.
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
# The Debian packages of the programs.
PACKAGES = {
    "copyq": "copyq", "xfce4-clipman": "xfce4-clipman", "dbus-daemon": "dbus", "gdbus": "libglib2.0-bin",
    "Xvfb": "xvfb", "xclip": "xclip",
}
# What a manager does after a change, it has done within this. CopyQ looks again after 0.6 s.
QUIET = 3
PATIENCE = 60


class Wrong(Exception):
    """Something that ends a case."""


class Watch:
    """The changes of a selection's owner, as they come."""

    def __init__(self, case, selection):
        self.owners = 0
        self.last = time.monotonic()
        self.process = case.start(
            "/usr/bin/python3", FIXTURES / "peer.py", "watch", "--selection", selection, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        if json.loads(self.process.stdout.readline())["event"] != "watching":
            raise Wrong(f"nobody watches {selection}")
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
            process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def output(self, *command, check=True):
        found = subprocess.run(
            [*map(str, command)], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.log, timeout=PATIENCE)
        if check and found.returncode:
            raise Wrong(f"{' '.join(map(str, command))} ended with status {found.returncode}")
        return found.stdout

    def xpb(self, *arguments, check=True):
        return self.output(self.xpb_path, *arguments, check=check)

    def pasted(self):
        """By a program that knows of no bridge; empty where there is nothing."""
        return self.output("xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING", check=False)

    # Findings.

    def say(self, text):
        print(f"{self.name + ':':<34} {text}", flush=True)

    def require(self, holds, text):
        if not holds:
            self.faults += 1
            self.say(f"WRONG: {text}")

    def await_(self, condition, text):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise Wrong(f"not within {PATIENCE} s: {text}")
            time.sleep(0.05)

    def settle(self):
        """Until nobody has taken a selection for a moment."""
        begin = time.monotonic()
        while (now := time.monotonic()) - max(begin, self.clipboard.last, self.primary.last) < QUIET:
            if now - begin > PATIENCE:
                raise Wrong("the selections are never at rest")
            time.sleep(0.1)

    # The parts.

    def run(self):
        with open(self.folder / "log", "ab") as self.log:
            try:
                self.look()
            except Wrong as reason:
                self.require(False, str(reason))
            finally:
                self.stop()
        if self.faults:
            lines = (self.folder / "log").read_text(errors="replace").splitlines()
            self.say("what the programs wrote ends with:\n  " + "\n  ".join(lines[-20:]))

    def stop(self):
        if "DISPLAY" in self.environment:
            self.xpb("bridge", "stop", check=False)
        for process in reversed(self.processes):
            self.end(process)

    def look(self):
        self.start_display()
        self.clipboard, self.primary = Watch(self, "CLIPBOARD"), Watch(self, "PRIMARY")
        if self.is_first:
            self.start_manager()
            self.xpb("bridge", "start")
        else:
            self.xpb("bridge", "start")
            self.start_manager()
        self.settle()
        self.say(f"clipboard manager of the display: {self.status('manager')}")
        self.copies()
        self.rest()
        self.deaths()
        self.ends()
        self.require(self.manager_process.poll() is None, f"{self.manager} has ended")
        self.say("done")

    def start_display(self):
        reading, writing = os.pipe()
        # Without -noreset an Xvfb forgets atoms and selections when its last client leaves.
        self.start(
            "Xvfb", "-displayfd", writing, "-noreset", "-nolisten", "tcp", "-screen", "0", "640x480x24",
            pass_fds=[writing])
        os.close(writing)
        with open(reading) as number:
            self.environment["DISPLAY"] = ":" + number.readline().strip()

    def start_manager(self):
        if self.manager == "copyq":
            self.manager_process = self.start("copyq")
            self.await_(lambda: self.output("copyq", "eval", "1", check=False).strip() == b"1", "CopyQ runs")
            return
        bus = self.start("dbus-daemon", "--session", "--nofork", "--print-address=1", stdout=subprocess.PIPE)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        # Without a tray for its icon it ends after a minute.
        tray = self.start("/usr/bin/python3", HERE / "tray.py", stdout=subprocess.PIPE)
        if tray.stdout.readline() != b"tray\n":
            raise Wrong("there is no tray")
        self.manager_process = self.start("xfce4-clipman")
        # A bridge that has the role keeps it.
        self.await_(self.has_manager if self.is_first else self.is_listed, "xfce4-clipman runs")

    def has_manager(self):
        connection = display.Display(self.environment["DISPLAY"])
        try:
            return connection.get_selection_owner(connection.intern_atom("CLIPBOARD_MANAGER")) != X.NONE
        finally:
            connection.close()

    def is_listed(self):
        """Whether xfce4-clipman is on its bus."""
        return subprocess.run(
            ["gdbus", "wait", "--session", "--timeout", "1", "org.xfce.clipman"], env=self.environment,
            stderr=self.log).returncode == 0

    def status(self, key):
        for line in self.xpb("status").decode().splitlines():
            if line.startswith(key + ": "):
                return line.split(": ", 1)[1]
        return None

    def copies(self):
        """A copy by every way is one change, and stays as it is."""
        for way in self.copy_by_xclip, self.copy_by_xpb, self.copy_by_gtk:
            data = f"copied by {way.__name__.split('_')[-1]}\n".encode()
            owners, count = self.clipboard.owners, self.count()
            way(data)
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
            raise Wrong("GTK 3 could not copy")
        return process

    def rest(self):
        """All is left alone: with contents of the bridge for one half, and of another program for the other."""
        for way in self.copy_by_xpb, self.copy_by_gtk:
            way(b"left alone\n")
            self.start("xclip", "-quiet", "-i", "-selection", "primary", self.file(b"selected\n"))
            self.settle()
            before = self.figures()
            time.sleep(self.minutes * 30)
            after = self.figures()
            text = ", ".join(f"{name} {before[name]} → {after[name]}" for name in before)
            self.say(f"{self.minutes / 2:g} minutes, {way.__name__.split('_')[-1]}'s contents: {text}")
            self.require(before == after, "something changed with nobody there")
            self.require(self.pasted() == b"left alone\n", "the contents are others")
            self.require(self.manager_process.poll() is None, f"{self.manager} has ended")

    def figures(self):
        return {
            "owners of CLIPBOARD": self.clipboard.owners, "of PRIMARY": self.primary.owners,
            "count": self.count(), "of find": self.count("find")}

    def deaths(self):
        """An owner that is killed, and one that has its contents saved: they stay, at the same count."""
        owner = self.copy_by_xclip(b"of the dead\n")
        self.await_(lambda: self.pasted() == b"of the dead\n", "xclip copies")
        self.settle()
        self.outlived("an owner killed", b"of the dead\n", lambda: self.end(owner, signal.SIGKILL))

        owner = self.start(
            "/usr/bin/python3", FIXTURES / "Toolkits/store_gtk3.py", "UTF8_STRING", self.file(b"saved\n"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        owner.stdout.readline()
        self.settle()

        def leave():
            owner.stdin.write(b"\n")
            owner.stdin.flush()
            if owner.stdout.readline() != b"stored\n":
                raise Wrong("GTK 3 could not have its contents saved")
            owner.stdin.close()
            owner.wait(timeout=PATIENCE)
        self.outlived("an owner that has its contents saved", b"saved\n", leave)

    def outlived(self, what, data, end):
        owners, count = self.clipboard.owners, self.count()
        end()
        self.settle()
        changes, rise = self.clipboard.owners - owners, self.count() - count
        kept = self.pasted()
        self.say(f"{what}: {changes} changes of the owner, count +{rise}, then {self.owner()}")
        self.require(kept == data, f"xclip pastes {kept!r} after {what}")
        self.require(changes == 1, f"{changes} programs took over from {what}")

    def owner(self):
        lines = self.xpb("owner").decode().splitlines()
        fields = dict(line.split(": ", 1) for line in lines if ": " in line)
        return f"{fields.get('owner')} {fields.get('program', fields.get('process', ''))}"

    def ends(self):
        """The bridge ends with contents, comes back, and finds what is there."""
        self.copy_by_xpb(b"of the bridge\n")
        self.settle()
        owners, count = self.clipboard.owners, self.count()
        has_role = self.status("manager") != "this bridge"
        begin = time.monotonic()
        self.xpb("bridge", "stop")
        taken = time.monotonic() - begin
        self.settle()
        kept = self.pasted()
        self.say(f"the bridge ended in {taken:.1f} s: {self.clipboard.owners - owners} changes of the owner, "
                 f"xclip pastes {kept!r}")
        self.require(kept == b"of the bridge\n" or not has_role, "the contents were not handed over")
        self.xpb("bridge", "start")
        self.settle()
        self.say(f"the bridge is back: {self.clipboard.owners - owners} changes of the owner, count {count} → "
                 f"{self.count()}, then {self.owner()}")
        self.require(self.pasted() == b"of the bridge\n", f"xclip pastes {self.pasted()!r} then")
        self.require(self.clipboard.owners - owners <= 2, "the owner changed again and again")


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
    print(f"beside: {'all is well' if not faults else f'{faults} things are wrong'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
