"""A bridge with a long history, compared with a bridge with a short history. Both bridges run without a display, since
the display's share of the time would be the same."""

import gettext
import gzip
import json
import math
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
# The limit on the matches that are awaited: the user sees no more of them.
SHOWN = 100


class Texts:
    """Random pieces of the documents, manuals, headers, programs and translations of this machine, as long as copied
    texts are: from 3 characters to 100,000, with a median of 70."""

    PLAIN = [("/usr/share/doc", "*"), ("/usr/share/man", "*.gz"), ("/usr/include", "*.h"), ("/usr/lib/python3*", "*.py")]
    LANGUAGES = ["zh_CN", "zh_TW", "ja", "ko", "ru", "el", "th", "hi", "ar", "he", "uk", "vi", "de", "fr"]

    # The limit on the characters of each kind in memory.
    LIMIT = 100_000_000

    def __init__(self, generator):
        self.random = generator
        root = pathlib.Path("/")
        folders = [(folder, pattern) for base, pattern in self.PLAIN for folder in root.glob(base[1:])]
        self.plain = self.weighed(folders, self.plain_text)
        locales = root / "usr/share/locale"
        self.translated = self.weighed([(locales / name, "*.mo") for name in self.LANGUAGES], self.translation)

    def weighed(self, folders, read):
        """Returns texts, and the sums of their lengths."""
        paths = sorted(path for folder, pattern in folders for path in folder.rglob(pattern) if path.is_file())
        self.random.shuffle(paths)
        texts, lengths = [], []
        for text in filter(None, map(read, paths)):
            if "\0" in text:
                continue
            texts.append(text)
            lengths.append(len(text) + (lengths[-1] if lengths else 0))
            if lengths[-1] > self.LIMIT:
                break
        return texts, lengths

    @staticmethod
    def plain_text(path):
        try:
            data = path.read_bytes()
            return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        except (OSError, EOFError, UnicodeDecodeError, gzip.zlib.error):
            return ""

    @staticmethod
    def translation(path):
        try:
            with open(path, "rb") as file:
                return "\n".join(str(text) for text in gettext.GNUTranslations(file)._catalog.values())
        except (OSError, UnicodeDecodeError):
            return ""

    def piece(self):
        # One piece in eight is a translation.
        texts, lengths = self.translated if self.translated[0] and self.random.random() < 0.12 else self.plain
        text = self.random.choices(texts, cum_weights=lengths)[0]
        length = int(min(max(self.random.lognormvariate(math.log(70), 1.6), 3), 100_000))
        start = text.find("\n" if length > 40 else " ", self.random.randrange(len(text))) + 1
        return text[start:start + length].strip() or self.piece()


class Histories:
    """Two bridges with imported histories. An import of 100,000 entries takes half a minute."""

    def __init__(self, bench, binaries):
        self.random = random.Random(1)
        self.texts = Texts(self.random)
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
        return self

    def __exit__(self, *_):
        self.end_all()

    def end_all(self):
        for testbed in self.testbeds.values():
            testbed.end_all()

    def client(self, name):
        return Client(self.testbeds[name].socket)

    def xpb(self, name, *arguments):
        self.testbeds[name].xpb(*arguments)

    def timed(self, name, *arguments, **options):
        return timing.timed(["xpb", *arguments], timing.QUIET, self.testbeds[name].environment, **options)

    def fill(self, name):
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
                text = self.texts.piece()
                bytes_ += len(text.encode())
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

    def phrase(self, number, lengths=(3, 12)):
        """Returns a random part of an entry, as a phrase of the search."""
        generator = random.Random(number)
        while True:
            text, length = generator.choice(self.samples), generator.randint(*lengths)
            start = generator.randint(0, max(len(text) - length, 0))
            part = text[start:start + length]
            if len(part.strip()) == length and '"' not in part:
                return f'"{part}"'


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
    name, title = "history-search", "history: search for a phrase by the command"

    def run(self, name):
        # Status 1 means that no entry matches.
        return lambda number: self.testbed.timed(
            name, "history", "search", self.testbed.phrase(number), statuses=(0, 1))


class SearchThroughSocket(History):
    name, title = "history-socket", "history: search for a phrase"
    note = f"of 3 to 12 characters, until {SHOWN} matches have arrived or all have, through the socket"

    def run(self, name):
        client = self.testbed.client(name)

        def search(number):
            begin = time.perf_counter_ns()
            for _ in client.all("History", search=self.testbed.phrase(number), limit=SHOWN):
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
            phrase = self.testbed.phrase(number, lengths=(1, 8))
            begin, end = time.perf_counter_ns(), None
            for reply in client.all("History", search=phrase, limit=20):
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
        # The first row starts other bridges.
        process = self.testbed.testbeds[name].status()["process"]
        return lambda _: memory(process)


ROWS = [Start, Set, Search, SearchThroughSocket, FirstEntries, Memory]
