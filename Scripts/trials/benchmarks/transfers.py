"""128 MiB to and from an X client, compared with the baseline: two plain Xlib programs that move the same bytes."""

import os
import subprocess
import time

from trials.benchmarks import timing
from trials.benchmarks.baseline import Owner
from trials.benchmarks.commands import BYTES, Large
from trials.benchmarks.idle import memory
from trials.benchmarks.row import Goal, Row

# A selection that the bridge does not handle.
BASELINE = "_BASELINE"


class Transfer(Large):
    note = None

    def set_up(self):
        self.out = os.path.join(self.testbed.folder, "out")
        self.owner = Owner(self.bench, self.testbed, BASELINE, BYTES, self.bench.large)

    def baseline(self, number):
        elapsed = self.requestor(BASELINE)(number)
        self.owner.await_sent()
        return elapsed

    def requestor(self, selection):
        return self.process(self.bench.baseline, "request", selection, BYTES)

    def check_output(self, *command):
        """Checks that a command writes the bytes that were copied. The check is not part of the measured time."""
        timing.timed([*map(str, command)], timing.READ_NULL + timing.write_file(self.out), self.testbed.environment)
        if subprocess.run(["cmp", "-s", self.out, self.bench.large], check=False).returncode != 0:
            raise SystemExit(f"bench: {self.title}: {command[0]} wrote wrong bytes")
        os.unlink(self.out)

    def tear_down(self):
        self.owner.end()


class Serve(Transfer):
    name, title = "serve", "serve 128 MiB to an X client"
    goal = Goal(1.2, "baseline")

    def set_up(self):
        super().set_up()
        self.testbed.xpb("set", "-t", BYTES, "-f", self.bench.large)
        self.check_output(self.bench.baseline, "request", "CLIPBOARD", BYTES)

    def contenders(self):
        return {"xpb": self.requestor("CLIPBOARD"), "baseline": self.baseline}


class Fetch(Transfer):
    """Fetches of PRIMARY. The bridge does not capture PRIMARY, so it fetches the contents each time, and the owner
    reports each transfer."""

    name, title = "fetch", "fetch 128 MiB from an X client"
    goal = Goal(1.15, "to a memfd")
    note = "to a memfd: the baseline stores the bytes in a memory file; otherwise it discards them"

    def set_up(self):
        super().set_up()
        count = self.testbed.xpb("count", "-p", "find").decode().strip()
        self.primary = Owner(self.bench, self.testbed, "PRIMARY", BYTES, self.bench.large)
        self.testbed.xpb("wait", "-p", "find", "--since", count, "--timeout", "30")
        self.check_output("xpb", "get", "-p", "find", "-t", BYTES)
        self.primary.await_sent()

    def contenders(self):
        return {"xpb": self.fetch, "baseline": self.baseline, "to a memfd": self.baseline_storing}

    def fetch(self, number):
        elapsed = self.process("xpb", "get", "-p", "find", "-t", BYTES)(number)
        self.primary.await_sent()
        return elapsed

    def baseline_storing(self, number):
        file = os.memfd_create("baseline")
        actions = timing.READ_NULL + [(os.POSIX_SPAWN_DUP2, file, 1)]
        elapsed = self.process(self.bench.baseline, "request", BASELINE, BYTES, actions=actions)(number)
        self.owner.await_sent()
        os.close(file)
        return elapsed

    def tear_down(self):
        self.primary.end()
        super().tear_down()


class FirstByte(Fetch):
    """The time until a reader has the first byte of 128 MiB. The owner takes a hundred times as long to send all of the
    bytes."""

    name, title = "first-byte", "first byte of 128 MiB from an X client"
    goal = Goal(5)
    note = "from the start of the reader; the baseline writes each piece as soon as it arrives"
    # The owner goes on sending after the measured time.
    by_processor = False

    def contenders(self):
        return {"xpb": self.first("xpb", "get", "-p", "find", "-t", BYTES),
                "baseline": self.first(self.bench.baseline, "request", BASELINE, BYTES)}

    def first(self, *command):
        owner = self.primary if command[0] == "xpb" else self.owner

        def run(_):
            begin = time.perf_counter_ns()
            reader = subprocess.Popen(
                [*map(str, command)], env=self.testbed.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
            os.read(reader.stdout.fileno(), 1)
            elapsed = (time.perf_counter_ns() - begin) / 1e6
            while os.read(reader.stdout.fileno(), 1 << 20):
                pass
            reader.stdout.close()
            if reader.wait() != 0:
                raise SystemExit(f"bench: {self.title}: {command[0]} exited with status {reader.returncode}")
            owner.await_sent()
            return elapsed

        return run


class MemoryFetched(Row):
    name, title, unit = "memory-fetched", "memory, 1 GiB fetched by one reader", "MiB"
    goal = Goal(16)
    note = "maximum above the memory before, with a reader that keeps up"
    LENGTH = 1 << 30

    def rounds(self):
        return min(5, self.bench.options.large_rounds)

    def set_up(self):
        path = os.path.join(self.testbed.folder, "gigabyte")
        with open(path, "wb") as file:
            file.truncate(self.LENGTH)
        count = self.testbed.xpb("count", "-p", "find").decode().strip()
        self.owner = Owner(self.bench, self.testbed, "PRIMARY", BYTES, path)
        self.testbed.xpb("wait", "-p", "find", "--since", count, "--timeout", "30")

    def contenders(self):
        return {"xpb": self.fetch}

    def fetch(self, _):
        before = maximum = memory(self.testbed.bridge)
        reader = self.testbed.start("xpb", "get", "-p", "find", "-t", BYTES, stdout=subprocess.DEVNULL)
        while reader.poll() is None:
            maximum = max(maximum, memory(self.testbed.bridge))
            time.sleep(0.005)
        if reader.returncode:
            raise SystemExit(f"bench: {self.title}: the reader exited with status {reader.returncode}")
        self.testbed.end(reader)
        self.owner.await_sent()
        return maximum - before

    def tear_down(self):
        self.owner.end()


ROWS = [Serve, Fetch, FirstByte, MemoryFetched]
