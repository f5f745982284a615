"""What the bridge takes while nothing happens, and while much is held: memory, and how often it wakes."""

import os
import time

from .row import Goal, Row
from .tools import BYTES

READERS = 4


def memory(process):
    """MiB: the proportional set size, with memory files counted whole, be they mapped or not."""
    sizes = {}
    with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words[0].startswith("Pss"):
                sizes[words[0]] = int(words[1]) << 10
    shared = sizes.get("Pss_Shmem:", 0)
    return (sizes["Pss:"] - shared + max(shared, memory_files(process))) / (1 << 20)


def memory_files(process):
    """Bytes of them that are allocated."""
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
    """How often its threads were given a core."""
    count = 0
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/status", encoding="utf-8") as file:
            count += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
    return count


def settle(process, quiet=6, patience=60):
    """Waits until no thread of it ran for so many seconds: the bridge gives back what it can after five."""
    deadline = time.monotonic() + patience
    last, since = switches(process), time.monotonic()
    while time.monotonic() - since < quiet:
        if time.monotonic() > deadline:
            return
        time.sleep(0.1)
        now = switches(process)
        if now != last:
            last, since = now, time.monotonic()


class Rest(Row):
    warms_up = False

    def rounds(self):
        return 1

    def begin(self):
        self.ground.xpb("set", "-f", self.bench.small)
        self.ground.xpb("get")
        self.ground.start("xpb", "watch")
        settle(self.ground.bridge)


class Memory(Rest):
    name, title, unit = "memory", "memory at rest", "MiB"
    goal = Goal(10)
    note = "proportional set size, after a set and a get, with one watcher"

    def contenders(self):
        return {"xpb": lambda _: memory(self.ground.bridge)}


class WakeUps(Rest):
    name, title, unit = "wake-ups", "wake-ups at rest", "/min"
    goal = Goal(0)
    note = "of all threads of the bridge, with one watcher"

    def contenders(self):
        return {"xpb": self.counted}

    def counted(self, _):
        before = switches(self.ground.bridge)
        time.sleep(self.bench.options.rest)
        return (switches(self.ground.bridge) - before) * 60 / self.bench.options.rest


class MemoryServed(Row):
    name, title, unit = "memory-served", "memory, 128 MiB to four X clients", "MiB"
    note = "the most while it is served to all at once, from a file of the store; 128 MiB and 12 more are the goal"
    goal = Goal(140)

    def rounds(self):
        return self.bench.options.large_rounds

    def begin(self):
        self.ground.xpb("set", "-t", BYTES, "-f", self.bench.large)

    def contenders(self):
        return {"xpb": self.served}

    def served(self, _):
        readers = [
            self.ground.start(self.bench.floor, "ask", "CLIPBOARD", BYTES) for _ in range(READERS)]
        most = memory(self.ground.bridge)
        while any(reader.poll() is None for reader in readers):
            most = max(most, memory(self.ground.bridge))
            time.sleep(0.01)
        for reader in readers:
            if reader.returncode:
                raise SystemExit(f"bench: {self.title}: a reader ended with status {reader.returncode}")
            self.ground.end(reader)
        return most


ROWS = [Memory, WakeUps, MemoryServed]
