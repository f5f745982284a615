"""The time from a change of owner in X to a watcher's line, for `xpb watch` and a loop of clipnotify."""

import os
import select
import signal
import subprocess
import time

from trials.benchmarks.baseline import Owner
from trials.benchmarks.row import Goal, Row

TIMEOUT = 5
# The usual loop. Debian has no package of clipnotify, so baseline.c contains its few lines. The loop misses a change
# that comes between two runs of the program.
LOOP = "while {} notify CLIPBOARD; do echo changed; done"


class Watcher:
    """A program that writes a line for each change."""

    def __init__(self, testbed, *command):
        self.process = testbed.start(*command, stdout=subprocess.PIPE, start_new_session=True)

    def lines(self, timeout):
        """Returns the number of lines that arrive together, or 0 after the timeout."""
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            return 0
        data = os.read(self.process.stdout.fileno(), 1 << 20)
        if not data:
            raise SystemExit("bench: a watcher exited")
        return data.count(b"\n")

    def end(self, testbed):
        """Ends the process group, with the programs that a shell runs."""
        os.killpg(self.process.pid, signal.SIGTERM)
        testbed.end(self.process)
        self.process.stdout.close()


class Watchers(Row):
    by_processor = False

    def set_up(self):
        self.owner = Owner(self.bench, self.testbed, "CLIPBOARD", "UTF8_STRING", self.bench.small)
        self.watcher = None
        self.lost = 0

    def prepare(self, program):
        """Starts the program, after ending the other program, whose work on a change would delay this program."""
        self.dismiss()
        if program == "xpb":
            self.watcher = Watcher(self.testbed, "xpb", "watch", "--initial")
            self.watcher.lines(TIMEOUT)
            return
        self.watcher = Watcher(self.testbed, "sh", "-c", LOOP.format(self.bench.baseline))
        # clipnotify does not report when it is ready.
        time.sleep(0.05)

    def dismiss(self):
        if self.watcher:
            self.watcher.end(self.testbed)
            self.watcher = None

    def tear_down(self):
        self.dismiss()
        self.owner.end()


class Watch(Watchers):
    name, title = "watch", "change in X to a watcher's line"
    goal = Goal(1.0, "clipnotify")

    def contenders(self):
        return {"xpb": self.change, "clipnotify": self.change}

    def change(self, _):
        self.owner.own()
        owned = self.owner.await_owned()
        while not self.watcher.lines(TIMEOUT):
            # The watcher was not ready yet.
            self.owner.own()
            owned = self.owner.await_owned()
        return (time.perf_counter_ns() - owned) / 1e6


class WatchLost(Watchers):
    name, title = "watch-lost", "changes lost, of 1,000 at once"
    unit = ""
    goal = Goal(0)
    note = "changes as fast as an X client can make them; one without a line within a second counts as lost"
    warms_up = False

    CHANGES = 1000

    def rounds(self):
        return 3

    def contenders(self):
        return {"xpb": self.changes, "clipnotify": self.changes}

    def changes(self, _):
        self.owner.own(self.CHANGES)
        for _ in range(self.CHANGES):
            self.owner.await_owned()
        seen = 0
        while found := self.watcher.lines(1 if seen else TIMEOUT):
            seen += found
        return abs(self.CHANGES - seen)


ROWS = [Watch, WatchLost]
