"""xpb compared with xclip and xsel: one process of each, from start to exit."""

import contextlib
import os
import shutil
import subprocess
import time

from trials import Failure
from trials.benchmarks import timing
from trials.benchmarks.baseline import Owner
from trials.benchmarks.row import Goal, Row

BYTES = "application/octet-stream"
NO_XSEL = "without xsel, which stops at the first NUL and takes minutes for 128 MiB"
CLIPBOARD = ("-selection", "clipboard")


class Noise(Row):
    name, title = "noise", "noise of the machine: /bin/true"
    note = "the same program compared with itself"

    def contenders(self):
        return {"true": self.process("true"), "true again": self.process("true")}


class GetHeld(Row):
    name, title = "get", "get small, held by the bridge"
    goal = Goal(0.35, "xclip")

    def set_up(self):
        self.testbed.xpb("set", "-f", self.bench.small)

    def contenders(self):
        return {
            "xpb": self.process("xpb", "get"), "xclip": self.process("xclip", "-o", *CLIPBOARD),
            "xsel": self.process("xsel", "-o", "-b")}


class GetOwned(GetHeld):
    name, title = "get-owned", "get small, owned by xclip"
    goal = Goal(0.5, "xclip")

    def set_up(self):
        count = self.testbed.xpb("count").decode().strip()
        self.testbed.start("xclip", "-quiet", "-i", *CLIPBOARD, self.bench.small)
        self.testbed.xpb("wait", "--since", count, "--timeout", "30")


class Set(Row):
    name, title = "set", "set small"
    goal = Goal(0.45, "xclip")
    note = "xclip and xsel return before they own the selection; xpb returns after its ownership is verified"

    def contenders(self):
        return {
            "xpb": self.process("xpb", "set", "-f", self.bench.small),
            "xclip": self.process("xclip", "-i", *CLIPBOARD, self.bench.small),
            "xsel": self.copier("xsel", "-i", "-b")}

    def prepare(self, program):
        self.clear_background()


class SetAfter(Set):
    name, title = "set-after", "set small from stdin, right after another program's copy"
    goal = Goal(0.55, "xclip")
    note = None

    def set_up(self):
        self.owner = Owner(self.bench, self.testbed, "CLIPBOARD", "UTF8_STRING", self.bench.small)

    def contenders(self):
        return {"xpb": self.copier("xpb", "set"), "xclip": self.copier("xclip", "-i", *CLIPBOARD)}

    def prepare(self, program):
        self.clear_background()
        self.owner.own()
        self.owner.await_owned()

    def tear_down(self):
        self.clear_background()
        self.owner.end()


class Promise(Row):
    name, title = "promise", "get small during a slow promise"
    goal = Goal(1.2, "alone")
    note = "while another reader waits for a promise that takes five seconds, and without another reader"

    def set_up(self):
        self.waiting = []

    def rounds(self):
        return max(5, super().rounds() // 4)

    def contenders(self):
        get = self.process("xpb", "get", "-t", "text/html")
        return {"with promise": get, "alone": get}

    def prepare(self, program):
        self.kill_waiting()
        began = os.path.join(self.testbed.folder, "began")
        command = f"echo > {began}; exec sleep 5"
        self.testbed.xpb("set", "-t", "text/html", "-f", self.bench.small, "-t", "text/plain", "-c", command)
        if program == "alone":
            return
        os.mkfifo(began)
        self.waiting.append(self.testbed.start("xpb", "get", "-t", "text/plain"))
        # Opening the pipe returns once the promise's command runs, so the reader is waiting by then.
        with open(began, "rb") as pipe:
            pipe.read()
        os.unlink(began)

    def kill_waiting(self):
        while self.waiting:
            self.testbed.end(self.waiting.pop())

    def tear_down(self):
        self.clear_background()
        self.kill_waiting()


class Entry(Row):
    """The time to show an entry, compared with CopyQ, which has a history too, if CopyQ is installed."""

    name, title = "entry", "history: one entry of ten"
    ENTRIES = 10

    def rounds(self):
        return max(5, super().rounds() // 4)

    def set_up(self):
        self.copyq = self.testbed.start("copyq") if shutil.which("copyq") else None
        deadline = time.monotonic() + 30
        while self.copyq and self.run_copyq("count").returncode != 0:
            if time.monotonic() > deadline:
                raise Failure("copyq does not answer")
        for number in range(self.ENTRIES):
            text = f"entry {number}"
            self.testbed.xpb("set", text)
            if self.copyq:
                self.run_copyq("add", text)
        self.entry = self.testbed.xpb("history", "list").splitlines()[self.ENTRIES // 2].split(b"\t")[0].decode()

    def run_copyq(self, *words):
        return subprocess.run(
            ["copyq", *words], env=self.testbed.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            check=False)

    def contenders(self):
        ours = {"xpb": self.process("xpb", "history", "show", self.entry)}
        return ours | ({"copyq": self.process("copyq", "read", self.ENTRIES // 2)} if self.copyq else {})

    def tear_down(self):
        if self.copyq:
            self.testbed.end(self.copyq)


class Large(Row):
    note = NO_XSEL

    def rounds(self):
        return self.bench.options.large_rounds


class GetLarge(Large):
    name, title = "get-large", "get 128 MiB to a file"
    goal = Goal(0.15, "xclip")

    def set_up(self):
        self.out = os.path.join(self.testbed.folder, "out")
        self.testbed.xpb("set", "-t", BYTES, "-f", self.bench.large)

    def contenders(self):
        actions = timing.READ_NULL + timing.write_file(self.out)
        return {
            "xpb": self.process("xpb", "get", "-t", BYTES, actions=actions),
            "xclip": self.process("xclip", "-o", *CLIPBOARD, "-t", BYTES, actions=actions)}

    def prepare(self, program):
        """Makes each run write a new file, after the previous file has been written to the disk."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.out)
        os.sync()

    def check(self, program):
        if subprocess.run(["cmp", "-s", self.out, self.bench.large], check=False).returncode != 0:
            raise SystemExit(f"bench: {self.title}: {program} wrote wrong bytes")


class GetLargeOwned(GetLarge):
    name, title = "get-large-owned", "get 128 MiB to a file, owned by xclip"
    goal = Goal(0.9, "xclip")
    # xclip never answers a request that arrives while it sends, such as a capture's request.
    settings = {"XPB_CAPTURE": "false"}

    def set_up(self):
        self.out = os.path.join(self.testbed.folder, "out")
        count = self.testbed.xpb("count").decode().strip()
        self.testbed.start("xclip", "-quiet", "-i", *CLIPBOARD, "-t", BYTES, self.bench.large)
        self.testbed.xpb("wait", "--since", count, "--timeout", "30")


class SetLarge(Large):
    name, title = "set-large", "set 128 MiB from a file"
    goal = Goal(0.4, "xclip")

    def contenders(self):
        return {
            "xpb": self.process("xpb", "set", "-t", BYTES, "-f", self.bench.large),
            "xclip": self.process("xclip", "-i", *CLIPBOARD, "-t", BYTES, self.bench.large)}

    def prepare(self, program):
        self.clear_background()
        os.sync()


class SetCopy(SetLarge):
    """A `set` compared with the least that it must do: copying the file once to where the bridge keeps it."""

    name, title = "set-copy", "set 128 MiB, against a kernel copy"
    goal = Goal(1.25, "copy")
    note = None

    def set_up(self):
        self.copy = os.path.join(self.testbed.folder, "copy")

    def contenders(self):
        return {
            "xpb": self.process("xpb", "set", "-t", BYTES, "-f", self.bench.large),
            "copy": self.process(self.bench.baseline, "copy", self.bench.large, self.copy)}

    def prepare(self, program):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.copy)
        # Without the previous copy in the history, its pages are free again, like the pages of the plain copy.
        self.testbed.xpb("set", "between")
        self.testbed.xpb("history", "clear")
        os.sync()


class FirstSet(Row):
    name, title = "first-set", "first set, starting the bridge"
    goal = Goal(2.5, "xclip")
    by_processor = False

    def rounds(self):
        return max(5, min(super().rounds(), 30))

    def contenders(self):
        return {
            "xpb": self.process("xpb", "set", "-f", self.bench.small),
            "xclip": self.process("xclip", "-i", *CLIPBOARD, self.bench.small)}

    def prepare(self, program):
        self.stop_bridge()


ROWS = [
    Noise, GetHeld, GetOwned, Set, SetAfter, Promise, Entry, GetLarge, GetLargeOwned, SetLarge, SetCopy, FirstSet,
]
