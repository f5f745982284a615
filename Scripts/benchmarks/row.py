"""One row of the table: who takes part, what is measured, what is to be reached."""

import dataclasses
import os
import tempfile

import field

from . import timing


@dataclasses.dataclass
class Goal:
    """The most that a figure may be: ours divided by that of another program, or ours alone."""

    at_most: float
    against: str | None = None
    figure: str = "median"

    def value(self, programs, ratios):
        return ratios[self.against]["median"] if self.against else next(iter(programs.values()))[self.figure]


class Row:
    """`name` is what --rows takes; `title` and `unit` are in the table."""

    name = title = ""
    unit = "ms"
    goal = None
    note = None
    # Variables of the bridge's environment.
    settings = {}
    # Rows with the same word here are measured on the same field, one after the other.
    shares = None
    # Whether --processor can tell it: others take part than are there before and after.
    by_processor = True
    # A first round that does not count fills caches.
    warms_up = True

    def __init__(self, bench, ground):
        self.bench = bench
        self.ground = ground

    @classmethod
    def open(cls, bench, binaries):
        """The field that the row is measured on."""
        return field.Field(binaries, tempfile.mkdtemp(dir=bench.folder), cls.settings)

    def rounds(self):
        return self.bench.options.rounds

    def begin(self):
        """Once, before the first round."""

    def contenders(self):
        """Program → what takes a round's number and gives the figure. The first is ours."""
        raise NotImplementedError

    def prepare(self, program):
        """Before each run; takes no part in the time."""

    def check(self, program):
        """After its first run."""

    def end(self):
        """Once, after the last round."""

    # For contenders that are one process from begin to end.

    def runs(self, *command, actions=timing.QUIET):
        return lambda _: timing.timed(
            [*map(str, command)], actions, self.ground.environment, others=self.others())

    def others(self):
        """With --processor: the bridge, the X server and owners, whose time counts as well."""
        if not self.bench.options.processor:
            return None
        return [self.ground.bridge, *(process.pid for process in self.ground.processes if process.poll() is None)]

    def stop_bridge(self):
        self.ground.xpb("bridge", "stop", statuses=(0, 1, 4))

    def clear_background(self):
        """xclip and xsel leave a process that owns; taking the selection ends it."""
        self.ground.xpb("set", "between")


def measure(contenders, rounds, warms_up):
    """contenders: label → (row, program, run). They take turns, and every other round the last one begins."""
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
            "value": value, "held": value <= goal.at_most,
            "sure": not likely or not likely["low"] <= goal.at_most <= likely["high"]}
    return found


def binaries(folder, source):
    """A copy of a build, as an installed one is. How the kernel keeps a file depends on how it was written, and a start
    takes a quarter longer where it does so in small pieces: that is no difference between two builds."""
    os.mkdir(folder)
    for name in ("xpb", "xpbd"):
        with open(os.path.join(source, name), "rb") as file:
            data = file.read()
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        os.chmod(os.path.join(folder, name), 0o755)
    return folder


def files(folder, small, large):
    """What is copied: a line of text, and bytes that nothing can make shorter."""
    paths = os.path.join(folder, "small"), os.path.join(folder, "large")
    with open(paths[0], "wb") as file:
        file.write(small)
    with open(paths[1], "wb") as file:
        for _ in range(large >> 20):
            file.write(os.urandom(1 << 20))
    return paths
