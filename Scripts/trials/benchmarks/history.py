"""A bridge with a long history, compared with a bridge with a short history. Both bridges run without a display, since
the display's share of the time would be the same."""

import itertools
import json
import pathlib
import random
import shutil
import tempfile
import time

from trials import say
from trials.benchmarks import timing
from trials.benchmarks.idle import memory
from trials.benchmarks.row import Goal, Row
from trials.client import Client
from trials.testbed import Testbed

SHORT = 100
SEARCHES = 200
# The number of entries whose random parts are searched for.
SAMPLES = 1_000


class Histories:
    """Two bridges with imported histories. An import of 100,000 entries takes half a minute."""

    def __init__(self, bench, binaries):
        self.random = random.Random(1)
        # A few words occur in thousands of entries, and most words in few.
        self.vocabulary = [self.word() for _ in range(10_000)]
        self.weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(self.vocabulary))))
        self.samples = []
        long = bench.options.entries
        self.sizes = {f"{long:,}": long, str(SHORT): SHORT}
        settings = {"XPB_HISTORY_LIMIT": str(2 * long)}
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
        """Imports the entries, of eight words each."""
        testbed = self.testbeds[name]
        with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="xpb-bench-") as memory:
            # The state is written to memory first, which takes a tenth of the time of writing to a disk.
            testbed.environment["XDG_STATE_HOME"] = memory
            testbed.start_bridge()
            try:
                self.import_entries(name)
            finally:
                testbed.stop_bridge()
            del testbed.environment["XDG_STATE_HOME"]
            shutil.copytree(memory, testbed.folder / ".local/state")
        testbed.start_bridge()

    def import_entries(self, name):
        size = self.sizes[name]
        path = self.testbeds[name].folder / "entries.jsonl"
        bytes_ = 0
        with open(path, "w", encoding="utf-8") as file:
            for number in range(size):
                words = self.random.choices(self.vocabulary, cum_weights=self.weights, k=8)
                text = f"{number} {' '.join(words)}\n"
                bytes_ += len(text)
                if number % max(size // SAMPLES, 1) == 0:
                    self.samples.append(text)
                # A thousand entries span an hour.
                file.write(json.dumps({"text": text, "time": 1_700_000_000 + 3_600 * number // 1_000}) + "\n")
        begin = time.monotonic()
        self.testbeds[name].xpb("history", "import", "jsonl", path, timeout=3_600)
        written = time.monotonic()
        path.unlink()
        self.client(name).set(b"the latest copy")
        self.await_index(name)
        indexed = time.monotonic()
        stored = sum(file.stat().st_size for file in self.state(name).rglob("*") if file.is_file())
        say(f"{name} entries: imported in {written - begin:.1f} s, indexed {indexed - written:.1f} s later; the store"
            f" is {stored / bytes_:.1f} times as large as the text")

    def await_index(self, name):
        """Waits until the words of all entries are in the index. A search compares each entry that is not in the index,
        which takes a long time. The bridge adds to the index while nobody searches."""
        client = self.client(name)

        def is_indexed():
            begin = time.monotonic()
            list(client.all("History", search="qqqqq"))
            duration = time.monotonic() - begin
            # Some ten thousand entries are compared in 50 ms.
            if duration < 0.005:
                return True
            time.sleep(10 * duration + 1)
            return False
        self.testbeds[name].await_("an index of all entries", is_indexed, timeout=3_600)

    def state(self, name):
        return pathlib.Path(self.testbeds[name].environment["XDG_STATE_HOME"])

    def part(self, number):
        """Returns a random part of a word, of 3 characters or more. It has no blank, since most entries may match both
        halves of a part with a blank."""
        generator = random.Random(number)
        word = generator.choice([word for word in generator.choice(self.samples).split() if len(word) > 2])
        length = generator.randint(3, len(word))
        start = generator.randint(0, len(word) - length)
        return word[start:start + length]


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
        """Returns a function that measures once, with the history of this name."""
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
    name, title = "history-socket", "history: search for a part of a word"
    note = "from 3 to 8 characters, until all matches have arrived, through the socket"

    def run(self, name):
        client = self.testbed.client(name)

        def search(number):
            begin = time.perf_counter_ns()
            for _ in client.all("History", search=self.testbed.part(number)):
                pass
            return (time.perf_counter_ns() - begin) / 1e6
        return search


class FirstEntries(History):
    name, title = "history-first", "history: the first entries of a search"
    goal = Goal(10, figure="high")
    note = "from 1 to 8 characters, through the socket"

    def run(self, name):
        client = self.testbed.client(name)

        def search(number):
            part = self.testbed.part(number)[:1 + number % 8]
            begin, end = time.perf_counter_ns(), None
            for reply in client.all("History", search=part, limit=20):
                if reply["entries"] and not end:
                    end = time.perf_counter_ns()
            return ((end or time.perf_counter_ns()) - begin) / 1e6
        return search


class Memory(History):
    name, title, unit = "history-memory", "history: memory of the bridge", "MiB"
    goal = Goal(12)
    note = "proportional set size, after the searches"

    def rounds(self):
        return 3

    def run(self, name):
        return lambda _: memory(self.testbed.testbeds[name].bridge)


ROWS = [Start, Set, Search, SearchThroughSocket, FirstEntries, Memory]
