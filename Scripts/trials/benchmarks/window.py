"""The longest turn of the loop of a window that uses PasteboardEvents: Tests/WindowHost, with Xlib and poll(2)."""

import signal
import subprocess

from trials import ROOT
from trials.benchmarks.baseline import Owner
from trials.benchmarks.row import Goal, Row

# A screen that is drawn sixty times a second shows a frame every 16.7 ms.
FRAME = 16


class Host:
    """The program with the window, which reads commands from a pipe."""

    def __init__(self, testbed, program):
        self.testbed = testbed
        self.process = testbed.start(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.expect("ready")

    def send(self, command):
        self.process.stdin.write(f"{command}\n".encode())
        self.process.stdin.flush()

    def line(self):
        return self.process.stdout.readline().decode().rstrip("\n")

    def expect(self, text):
        line = self.line()
        if line != text:
            raise SystemExit(f"bench: the window's program printed '{line}' instead of '{text}'")

    def end(self):
        """Ends the program, and returns its longest turn in milliseconds. A turn is the work between two calls of
        poll(2)."""
        self.send("turns")
        longest = int(self.line().split()[3]) / 1000
        self.process.stdin.close()
        self.testbed.end(self.process)
        self.process.stdout.close()
        return longest


class Frames(Row):
    goal = Goal(FRAME, figure="high")
    by_processor = False

    def rounds(self):
        return 10

    def set_up(self):
        self.owner = Owner(self.bench, self.testbed, "CLIPBOARD", "UTF8_STRING", self.bench.small)

    def contenders(self):
        return {"xpb": self.longest_turn}

    def tear_down(self):
        self.owner.end()


class StoppedOwner(Frames):
    name, title = "frame", "longest turn of a window's loop, owner stopped"
    note = "the window is drawn for each of 20 commands while a read waits for the owner until its timeout"

    def longest_turn(self, _):
        # Contents that the bridge has captured would be read without the owner.
        self.owner.own()
        self.owner.await_owned()
        self.owner.process.send_signal(signal.SIGSTOP)
        host = Host(self.testbed, ROOT / ".build/release/WindowHost")
        host.send("read")
        for number in range(20):
            host.send(f"draw {number}")
            host.expect(f"drawn {number}")
        host.expect("failed silent")
        self.owner.process.send_signal(signal.SIGCONT)
        return host.end()


class ManyChanges(Frames):
    name, title = "frame-changes", "longest turn of a window's loop, 1,000 changes"
    note = "changes as fast as an X client can make them; all are seen, in order and by the loop's thread"

    CHANGES = 1000

    def longest_turn(self, _):
        host = Host(self.testbed, ROOT / ".build/release/WindowHost")
        start = int(self.testbed.xpb("count"))
        host.send(f"observe {start - 1}")
        host.send(f"await {start}")
        host.expect(f"changes {start}...{start}")
        host.send(f"await {start + self.CHANGES}")
        self.owner.own(self.CHANGES)
        for _ in range(self.CHANGES):
            self.owner.await_owned()
        host.expect(f"changes {start}...{start + self.CHANGES}")
        return host.end()


ROWS = [StoppedOwner, ManyChanges]
