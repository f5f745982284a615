"""A bridge with a long history compared with one with a short history. Both run without a display, whose share of the
time would be the same."""

import itertools
import random
import shutil
import tempfile
import time

from trials import say
from trials.benchmarks import timing
from trials.benchmarks.row import Goal, Row
from trials.client import Client
from trials.testbed import Testbed

LONG, SHORT = 100_000, 100
SEARCHES = 200


class Histories:
    """Two bridges with their histories, which take a minute or two to write."""

    def __init__(self, bench, binaries):
        self.random = random.Random(1)
        # A few words occur in thousands of entries, most in few.
        self.vocabulary = [self.word() for _ in range(10_000)]
        self.weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(self.vocabulary))))
        self.sizes = {f"{LONG:,}": LONG, str(SHORT): SHORT}
        settings = {"XPB_HISTORY_LIMIT": str(2 * LONG)}
        self.testbeds = {
            name: Testbed(binaries, tempfile.mkdtemp(dir=bench.folder), settings, server=None) for name in self.sizes}

    def __enter__(self):
        try:
            for name in self.sizes:
                self.fill(name)
        except BaseException:
            self.end_all()
            raise
        self.searched = self.random.sample(self.vocabulary, SEARCHES + 1)
        return self

    def __exit__(self, *_):
        self.end_all()

    def end_all(self):
        for testbed in self.testbeds.values():
            testbed.end_all()

    def word(self):
        syllables = self.random.choice([2, 3, 4])
        return "".join(
            self.random.choice("bdfgklmnprstvz") + self.random.choice("aeiou") for _ in range(syllables))

    def client(self, name):
        return Client(self.testbeds[name].socket)

    def xpb(self, name, *arguments):
        self.testbeds[name].xpb(*arguments)

    def timed(self, name, *arguments, **options):
        return timing.timed(["xpb", *arguments], timing.QUIET, self.testbeds[name].environment, **options)

    def fill(self, name):
        """Writes the entries, of eight words each, through the socket."""
        testbed = self.testbeds[name]
        with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="xpb-bench-") as memory:
            # Written to memory first, which takes a tenth of the time of a disk.
            testbed.environment["XDG_STATE_HOME"] = memory
            testbed.start_bridge()
            try:
                self.write_entries(name)
            finally:
                testbed.stop_bridge()
            del testbed.environment["XDG_STATE_HOME"]
            shutil.copytree(memory, testbed.folder / ".local/state")
        testbed.start_bridge()

    def write_entries(self, name):
        client = self.client(name)
        begin = time.monotonic()
        for number in range(self.sizes[name]):
            words = self.random.choices(self.vocabulary, cum_weights=self.weights, k=8)
            client.set(f"{number} {' '.join(words)}\n".encode())
        written = time.monotonic()
        # A search waits until the words of all entries are in the index.
        list(client.all("History", search=self.vocabulary[0]))
        indexed = time.monotonic()
        say(f"{name} entries: written in {written - begin:.1f} s, indexed {indexed - written:.1f} s later")


class History(Row):
    goal = Goal(50, figure="high")
    shares = "history"
    by_processor = False

    @classmethod
    def open(cls, bench, binaries):
        return Histories(bench, binaries)

    def rounds(self):
        return SEARCHES

    def contenders(self):
        return {name: self.run(name) for name in self.testbed.sizes}

    def run(self, name):
        """Returns a function that measures once with the history of that name."""
        raise NotImplementedError


class Start(History):
    name, title = "history-start", "history: start and a first get"
    goal = Goal(2, str(SHORT))

    def rounds(self):
        return max(5, min(self.bench.options.rounds, 20))

    def prepare(self, program):
        self.testbed.xpb(program, "bridge", "stop")

    def run(self, name):
        return lambda _: self.testbed.timed(name, "bridge", "start") + self.testbed.timed(name, "get")


class Set(History):
    name, title = "history-set", "history: set small"
    goal = Goal(1.1, str(SHORT))

    def rounds(self):
        return self.bench.options.rounds

    def run(self, name):
        return lambda _: self.testbed.timed(name, "set", "-f", self.bench.small)


class Search(History):
    name, title = "history-search", "history: search for a word"

    def run(self, name):
        # Status 1 means that no entry matches.
        return lambda number: self.testbed.timed(
            name, "history", "search", self.testbed.searched[number], statuses=(0, 1))


class SearchThroughSocket(History):
    name, title = "history-socket", "history: search through the socket"

    def run(self, name):
        client = self.testbed.client(name)

        def search(number):
            begin = time.perf_counter_ns()
            for _ in client.all("History", search=self.testbed.searched[number]):
                pass
            return (time.perf_counter_ns() - begin) / 1e6
        return search


ROWS = [Start, Set, Search, SearchThroughSocket]
