"""The memory and the wake-ups of the bridge while it is idle, and its memory while it serves large contents."""

import os
import time

from trials.benchmarks.commands import BYTES
from trials.benchmarks.row import Goal, Row

READERS = 4


def memory(process):
    """Returns the proportional set size in MiB. Memory files are counted in full, whether they are mapped or not."""
    sizes = {}
    with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words[0].startswith("Pss"):
                sizes[words[0]] = int(words[1]) << 10
    shared = sizes.get("Pss_Shmem:", 0)
    return (sizes["Pss:"] - shared + max(shared, memory_files(process))) / (1 << 20)


def memory_files(process):
    """Returns the number of bytes allocated for memory files."""
    folder = f"/proc/{process}/fd"
    found = {}
    for name in os.listdir(folder):
        try:
            if os.readlink(f"{folder}/{name}").startswith("/memfd:"):
                status = os.stat(f"{folder}/{name}")
                found[status.st_ino] = status.st_blocks * 512
        except FileNotFoundError:
            pass
    return sum(found.values())


def switches(process):
    """Returns the number of context switches of a process's threads."""
    count = 0
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/status", encoding="utf-8") as file:
            count += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
    return count


def settle(process, quiet=6, timeout=60):
    """Waits until no thread of the process has run for `quiet` seconds. The bridge returns unused memory after five."""
    deadline = time.monotonic() + timeout
    last, since = switches(process), time.monotonic()
    while time.monotonic() - since < quiet:
        if time.monotonic() > deadline:
            return
        time.sleep(0.1)
        now = switches(process)
        if now != last:
            last, since = now, time.monotonic()


class Idle(Row):
    warms_up = False

    def rounds(self):
        return 1

    def set_up(self):
        self.testbed.xpb("set", "-f", self.bench.small)
        self.testbed.xpb("get")
        self.testbed.start("xpb", "watch")
        settle(self.testbed.bridge)


class Memory(Idle):
    name, title, unit = "memory", "memory when idle", "MiB"
    goal = Goal(10)
    note = "proportional set size, after a set and a get, with one watcher"

    def contenders(self):
        return {"xpb": lambda _: memory(self.testbed.bridge)}


class WakeUps(Idle):
    name, title, unit = "wake-ups", "wake-ups when idle", "/min"
    goal = Goal(0)
    note = "context switches of all threads of the bridge, with one watcher"

    def contenders(self):
        return {"xpb": self.count}

    def count(self, _):
        before = switches(self.testbed.bridge)
        time.sleep(self.bench.options.rest)
        return (switches(self.testbed.bridge) - before) * 60 / self.bench.options.rest


class MemoryServed(Row):
    name, title, unit = "memory-served", "memory, 128 MiB to four X clients", "MiB"
    note = "maximum while a stored file is served to all of them at once; the goal is 128 MiB and 12 MiB more"
    goal = Goal(140)

    def rounds(self):
        return self.bench.options.large_rounds

    def set_up(self):
        self.testbed.xpb("set", "-t", BYTES, "-f", self.bench.large)

    def contenders(self):
        return {"xpb": self.serve}

    def serve(self, _):
        readers = [
            self.testbed.start(self.bench.baseline, "request", "CLIPBOARD", BYTES) for _ in range(READERS)]
        maximum = memory(self.testbed.bridge)
        while any(reader.poll() is None for reader in readers):
            maximum = max(maximum, memory(self.testbed.bridge))
            time.sleep(0.01)
        for reader in readers:
            if reader.returncode:
                raise SystemExit(f"bench: {self.title}: a reader exited with status {reader.returncode}")
            self.testbed.end(reader)
        return maximum


ROWS = [Memory, WakeUps, MemoryServed]
