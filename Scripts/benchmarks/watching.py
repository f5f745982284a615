"""A change in X, to a line of somebody who watches: `xpb watch`, and a loop of clipnotify."""

import os
import select
import signal
import subprocess
import time

from .floor import Owner
from .row import Goal, Row

PATIENCE = 5
# As people write it; Debian has no clipnotify, and ours is its few lines. What changes between two of them it misses.
LOOP = "while {} notify CLIPBOARD; do echo changed; done"


class Watcher:
    """A program that writes a line for each change."""

    def __init__(self, ground, *command):
        self.process = ground.start(*command, stdout=subprocess.PIPE, start_new_session=True)

    def lines(self, patience):
        """How many come at once, and none when none came in that time."""
        if not select.select([self.process.stdout], [], [], patience)[0]:
            return 0
        data = os.read(self.process.stdout.fileno(), 1 << 20)
        if not data:
            raise SystemExit("bench: a watcher ended")
        return data.count(b"\n")

    def end(self, ground):
        """With what a shell runs."""
        os.killpg(self.process.pid, signal.SIGTERM)
        ground.end(self.process)
        self.process.stdout.close()


class Watching(Row):
    by_processor = False

    def begin(self):
        self.owner = Owner(self.bench, self.ground, "CLIPBOARD", "UTF8_STRING", self.bench.small)
        self.watcher = None
        self.lost = 0

    def prepare(self, program):
        """The one alone: what the others do with a change would take its time."""
        self.dismiss()
        if program == "xpb":
            self.watcher = Watcher(self.ground, "xpb", "watch", "--initial")
            self.watcher.lines(PATIENCE)
            return
        self.watcher = Watcher(self.ground, "sh", "-c", LOOP.format(self.bench.floor))
        # Nothing tells when it watches.
        time.sleep(0.05)

    def dismiss(self):
        if self.watcher:
            self.watcher.end(self.ground)
            self.watcher = None

    def end(self):
        self.dismiss()
        self.owner.end()


class Watch(Watching):
    name, title = "watch", "change in X to a line of a watcher"
    goal = Goal(1.0, "clipnotify")

    def contenders(self):
        return {"xpb": self.change, "clipnotify": self.change}

    def change(self, _):
        self.owner.take()
        took = self.owner.took()
        while not self.watcher.lines(PATIENCE):
            # It was not there yet.
            self.owner.take()
            took = self.owner.took()
        return (time.perf_counter_ns() - took) / 1e6


class WatchLost(Watching):
    name, title = "watch-lost", "changes lost, of 1,000 at once"
    unit = ""
    goal = Goal(0)
    note = "as fast as an X client can take a selection; what a second brings no more is lost"
    warms_up = False

    CHANGES = 1000

    def rounds(self):
        return 3

    def contenders(self):
        return {"xpb": self.changes, "clipnotify": self.changes}

    def changes(self, _):
        self.owner.take(self.CHANGES)
        for _ in range(self.CHANGES):
            self.owner.took()
        seen = 0
        while found := self.watcher.lines(1 if seen else PATIENCE):
            seen += found
        return abs(self.CHANGES - seen)


ROWS = [Watch, WatchLost]
