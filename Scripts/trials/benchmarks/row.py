"""One row of the table: the programs compared, the measurement, and the goal."""

import dataclasses
import os
import tempfile

from trials.benchmarks import timing
from trials.testbed import Testbed


@dataclasses.dataclass
class Goal:
    """The maximum for a figure: for the ratio of our figure to another program's figure, or for our figure alone."""

    at_most: float
    against: str | None = None
    figure: str = "median"

    def value(self, programs, ratios):
        return ratios[self.against]["median"] if self.against else next(iter(programs.values()))[self.figure]


class Row:
    """A row. --rows takes its `name`; the table shows its `title` and `unit`."""

    name = title = ""
    unit = "ms"
    goal = None
    note = None
    # Additional variables of the bridge's environment.
    settings = {}
    # The display server of the testbed.
    server = "Xvfb"
    # Rows with the same value here are measured on the same testbed, one after the other.
    shares = None
    # False if --processor cannot measure the row, since processes take part that are not present both before and after.
    by_processor = True
    # True if an additional first round, which is not counted, fills caches.
    warms_up = True

    def __init__(self, bench, testbed):
        self.bench = bench
        self.testbed = testbed

    @classmethod
    def open(cls, bench, binaries):
        """Returns the testbed that the row is measured on."""
        return Testbed(binaries, tempfile.mkdtemp(dir=bench.folder), cls.settings, cls.server)

    def rounds(self):
        return self.bench.options.rounds

    def set_up(self):
        """Prepares the row, once, before the first round."""

    def contenders(self):
        """Returns the programs, ours first, each with a function that takes the number of a round and returns the
        figure."""
        raise NotImplementedError

    def prepare(self, program):
        """Prepares a run of a program. The preparation is not part of the measured time."""

    def check(self, program):
        """Checks the result of the first run of a program."""

    def tear_down(self):
        """Cleans up, once, after the last round."""

    # For contenders that are one process from start to exit.

    def process(self, *command, actions=timing.QUIET):
        return lambda _: timing.timed(
            [*map(str, command)], actions, self.testbed.environment, others=self.others())

    def copier(self, *command):
        """Returns a run of a program that copies the small file and may leave a background process that keeps the
        output open."""
        return self.process(
            *command, actions=timing.read_file(self.bench.small) + timing.WRITE_NULL + timing.ERROR_NULL)

    def others(self):
        """Returns the other processes whose time --processor counts: the bridge, the X server and owners."""
        if not self.bench.options.processor:
            return None
        return [self.testbed.bridge, *(process.pid for process in self.testbed.processes if process.poll() is None)]

    def stop_bridge(self):
        self.testbed.xpb("bridge", "stop", statuses=(0, 1, 4))

    def clear_background(self):
        """Takes the selection, which ends the background processes of xclip and xsel that own it."""
        self.testbed.xpb("set", "between")


def measure(contenders, rounds, warms_up):
    """Returns the figures by label. `contenders` maps each label to a row, a program and the program's run. The
    contenders take turns, in reverse order in every other round."""
    values = {label: [] for label in contenders}
    for number in range(0 if warms_up else 1, rounds + 1):
        turns = list(contenders.items())
        for label, (row, program, run) in turns if number % 2 == 0 else reversed(turns):
            row.prepare(program)
            figure = run(number)
            if number > 0:
                values[label].append(figure)
            else:
                row.check(program)
    return values


def result(row, rounds, values, goal):
    first = next(iter(values))
    programs = {program: timing.summary(figures) for program, figures in values.items()}
    ratios = {
        program: timing.ratio(values[first], figures) for program, figures in values.items() if program != first}
    found = {"row": row.name, "title": row.title, "unit": row.unit, "rounds": rounds, "programs": programs,
             "ratios": ratios, "goal": None, "note": row.note}
    if goal:
        value = goal.value(programs, ratios)
        likely = ratios.get(goal.against)
        found["goal"] = dataclasses.asdict(goal) | {
            "value": value, "met": value <= goal.at_most,
            "sure": not likely or not likely["low"] <= goal.at_most <= likely["high"]}
    return found


def binaries(folder, source):
    """Copies a build, as an installation does. The kernel's caching of a file depends on how the file was written: a
    program written in small pieces takes a quarter longer to start, which must not count as a difference between two
    builds."""
    os.mkdir(folder)
    for name in ("xpb", "xpbd"):
        with open(os.path.join(source, name), "rb") as file:
            data = file.read()
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        os.chmod(os.path.join(folder, name), 0o755)
    return folder


def files(folder, small, large):
    """Writes the contents to copy: a line of text, and random bytes."""
    paths = os.path.join(folder, "small"), os.path.join(folder, "large")
    with open(paths[0], "wb") as file:
        file.write(small)
    with open(paths[1], "wb") as file:
        for _ in range(large >> 20):
            file.write(os.urandom(1 << 20))
    return paths
