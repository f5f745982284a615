"""xpb beside xclip and xsel: one process each, from its start to its end."""

import contextlib
import os
import shutil
import subprocess
import time

import field

from . import timing
from .row import Goal, Row

BYTES = "application/octet-stream"
NO_XSEL = "without xsel, which cuts at the first NUL and takes minutes for 128 MiB"
CLIPBOARD = ("-selection", "clipboard")


class Noise(Row):
    name, title = "noise", "noise of the machine: /bin/true"
    note = "how far one and the same program is from itself"

    def contenders(self):
        return {"true": self.runs("true"), "true again": self.runs("true")}


class GetHeld(Row):
    name, title = "get", "get small, held by the bridge"
    goal = Goal(0.35, "xclip")

    def begin(self):
        self.ground.xpb("set", "-f", self.bench.small)

    def contenders(self):
        return {
            "xpb": self.runs("xpb", "get"), "xclip": self.runs("xclip", "-o", *CLIPBOARD),
            "xsel": self.runs("xsel", "-o", "-b")}


class GetOwned(GetHeld):
    name, title = "get-owned", "get small, owned by xclip"
    goal = Goal(0.5, "xclip")

    def begin(self):
        count = self.ground.xpb("count").decode().strip()
        self.ground.start("xclip", "-quiet", "-i", *CLIPBOARD, self.bench.small)
        self.ground.xpb("wait", "--since", count, "--timeout", "30")


class Set(Row):
    name, title = "set", "set small"
    goal = Goal(0.35, "xclip")
    note = "xclip and xsel return before they own; xpb returns when it is verified that it does"

    def contenders(self):
        return {
            "xpb": self.runs("xpb", "set", "-f", self.bench.small),
            "xclip": self.runs("xclip", "-i", *CLIPBOARD, self.bench.small),
            "xsel": self.runs(
                "xsel", "-i", "-b",
                actions=timing.read_file(self.bench.small) + timing.WRITE_NULL + timing.ERROR_NULL)}

    def prepare(self, program):
        self.clear_background()


class Promise(Row):
    name, title = "promise", "get small, beside a slow promise"
    goal = Goal(1.2, "alone")
    note = "while another reader waits for a promise that takes five seconds, and while none does"

    def begin(self):
        self.waiting = []

    def rounds(self):
        return max(5, super().rounds() // 4)

    def contenders(self):
        get = self.runs("xpb", "get", "-t", "text/html")
        return {"beside": get, "alone": get}

    def prepare(self, program):
        self.kill_waiting()
        began = os.path.join(self.ground.folder, "began")
        command = f"echo > {began}; exec sleep 5"
        self.ground.xpb("set", "-t", "text/html", "-f", self.bench.small, "-t", "text/plain", "-c", command)
        if program == "alone":
            return
        os.mkfifo(began)
        self.waiting.append(self.ground.start("xpb", "get", "-t", "text/plain"))
        # Until the command runs, and so the reader waits.
        with open(began, "rb") as pipe:
            pipe.read()
        os.unlink(began)

    def kill_waiting(self):
        while self.waiting:
            self.ground.end(self.waiting.pop())

    def end(self):
        self.clear_background()
        self.kill_waiting()


class Entry(Row):
    """Beside CopyQ, which keeps a history as well; without it where that is not installed."""

    name, title = "entry", "history: one entry of ten"
    ENTRIES = 10

    def rounds(self):
        return max(5, super().rounds() // 4)

    def begin(self):
        self.copyq = self.ground.start("copyq") if shutil.which("copyq") else None
        deadline = time.monotonic() + 30
        while self.copyq and self.asks_copyq("count").returncode != 0:
            if time.monotonic() > deadline:
                raise field.Wrong("copyq does not answer")
        for number in range(self.ENTRIES):
            text = f"entry {number}"
            self.ground.xpb("set", text)
            if self.copyq:
                self.asks_copyq("add", text)
        self.entry = self.ground.xpb("history", "list").splitlines()[self.ENTRIES // 2].split(b"\t")[0].decode()

    def asks_copyq(self, *words):
        return subprocess.run(
            ["copyq", *words], env=self.ground.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            check=False)

    def contenders(self):
        ours = {"xpb": self.runs("xpb", "history", "show", self.entry)}
        return ours | ({"copyq": self.runs("copyq", "read", self.ENTRIES // 2)} if self.copyq else {})

    def end(self):
        if self.copyq:
            self.ground.end(self.copyq)


class Large(Row):
    note = NO_XSEL

    def rounds(self):
        return self.bench.options.large_rounds


class GetLarge(Large):
    name, title = "get-large", "get 128 MiB to a file"
    goal = Goal(0.15, "xclip")

    def begin(self):
        self.out = os.path.join(self.ground.folder, "out")
        self.ground.xpb("set", "-t", BYTES, "-f", self.bench.large)

    def contenders(self):
        actions = timing.READ_NULL + timing.write_file(self.out)
        return {
            "xpb": self.runs("xpb", "get", "-t", BYTES, actions=actions),
            "xclip": self.runs("xclip", "-o", *CLIPBOARD, "-t", BYTES, actions=actions)}

    def prepare(self, program):
        """A new file each time, and nothing left to be written to the disk from the last one."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.out)
        os.sync()

    def check(self, program):
        if subprocess.run(["cmp", "-s", self.out, self.bench.large], check=False).returncode != 0:
            raise SystemExit(f"bench: {self.title}: {program} wrote other bytes")


class SetLarge(Large):
    name, title = "set-large", "set 128 MiB from a file"
    goal = Goal(0.4, "xclip")

    def contenders(self):
        return {
            "xpb": self.runs("xpb", "set", "-t", BYTES, "-f", self.bench.large),
            "xclip": self.runs("xclip", "-i", *CLIPBOARD, "-t", BYTES, self.bench.large)}

    def prepare(self, program):
        self.clear_background()
        os.sync()


class FirstSet(Row):
    name, title = "first-set", "first set, starting the bridge"
    goal = Goal(3, "xclip")
    by_processor = False

    def rounds(self):
        return max(5, min(super().rounds(), 30))

    def contenders(self):
        return {
            "xpb": self.runs("xpb", "set", "-f", self.bench.small),
            "xclip": self.runs("xclip", "-i", *CLIPBOARD, self.bench.small)}

    def prepare(self, program):
        self.stop_bridge()


ROWS = [Noise, GetHeld, GetOwned, Set, Promise, Entry, GetLarge, SetLarge, FirstSet]
