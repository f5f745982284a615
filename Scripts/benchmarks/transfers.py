"""128 MiB to and from an X client, beside the floor: two plain Xlib programs that move the same bytes."""

import os
import subprocess

from . import timing
from .floor import Owner
from .row import Goal
from .tools import BYTES, Large

# The bridge takes no part in this one.
FLOOR = "_FLOOR"


class Transfer(Large):
    note = None

    def begin(self):
        self.out = os.path.join(self.ground.folder, "out")
        self.owner = Owner(self.bench, self.ground, FLOOR, BYTES, self.bench.large)

    def floor(self, number):
        taken = self.asked(FLOOR)(number)
        self.owner.sent()
        return taken

    def asked(self, selection):
        return self.runs(self.bench.floor, "ask", selection, BYTES)

    def same(self, *command):
        """What the command writes is what was copied. It is no time that counts."""
        timing.timed([*map(str, command)], timing.READ_NULL + timing.write_file(self.out), self.ground.environment)
        if subprocess.run(["cmp", "-s", self.out, self.bench.large], check=False).returncode != 0:
            raise SystemExit(f"bench: {self.title}: {command[0]} wrote other bytes")
        os.unlink(self.out)

    def end(self):
        self.owner.end()


class Serve(Transfer):
    name, title = "serve", "serve 128 MiB to an X client"
    goal = Goal(1.2, "floor")

    def begin(self):
        super().begin()
        self.ground.xpb("set", "-t", BYTES, "-f", self.bench.large)
        self.same(self.bench.floor, "ask", "CLIPBOARD", BYTES)

    def contenders(self):
        return {"xpb": self.asked("CLIPBOARD"), "floor": self.floor}


class Fetch(Transfer):
    """Of PRIMARY, which the bridge captures nothing of: it has to fetch each time, and the owner tells that it did."""

    name, title = "fetch", "fetch 128 MiB from an X client"
    goal = Goal(1.3, "floor")
    note = "floor kept: into a memory file, as the bridge has to; the other one throws away what it reads"

    def begin(self):
        super().begin()
        count = self.ground.xpb("count", "-p", "find").decode().strip()
        self.primary = Owner(self.bench, self.ground, "PRIMARY", BYTES, self.bench.large)
        self.ground.xpb("wait", "-p", "find", "--since", count, "--timeout", "30")
        self.same("xpb", "get", "-p", "find", "-t", BYTES)
        self.primary.sent()

    def contenders(self):
        return {"xpb": self.fetch, "floor": self.floor, "floor kept": self.kept}

    def fetch(self, number):
        taken = self.runs("xpb", "get", "-p", "find", "-t", BYTES)(number)
        self.primary.sent()
        return taken

    def kept(self, number):
        file = os.memfd_create("kept")
        actions = timing.READ_NULL + [(os.POSIX_SPAWN_DUP2, file, 1)]
        taken = self.runs(self.bench.floor, "ask", FLOOR, BYTES, actions=actions)(number)
        self.owner.sent()
        os.close(file)
        return taken

    def end(self):
        self.primary.end()
        super().end()


ROWS = [Serve, Fetch]
