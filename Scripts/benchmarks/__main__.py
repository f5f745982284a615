"""The figures of Scripts/bench, or the comparison of two builds."""

import argparse
import contextlib
import itertools
import os
import signal
import sys
import tempfile

import field

from . import floor, history, many, rest, row, table, tools, transfers, watching

TEXT = b"The quick brown fox jumps over the lazy dog.\n"
LARGE = 128 << 20

ROWS = [*tools.ROWS, *transfers.ROWS, *watching.ROWS, *rest.ROWS, *many.ROWS]
HISTORY = history.ROWS


class Bench:
    """What all rows have in common."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.floor = floor.build(folder)
        # Of two builds the figures are beside each other; else those of one beside other programs.
        builds = {"new": options.binaries, "old": options.compare} if options.compare else {"": options.binaries}
        self.builds = {
            build: row.binaries(os.path.join(folder, f"binaries-{build}"), source) for build, source in builds.items()}
        self.small, self.large = row.files(folder, TEXT, LARGE)
        self.table = table.Table()

    def run(self, classes):
        for _, group in itertools.groupby(classes, lambda each: each.shares or each.name):
            self.group(list(group))

    def group(self, classes):
        """Rows that share what they are measured on."""
        with contextlib.ExitStack() as stack:
            grounds = {
                build: stack.enter_context(classes[0].open(self, binaries)) for build, binaries in self.builds.items()}
            for each in classes:
                self.table.add(self.one(each, grounds))

    def one(self, kind, grounds):
        rows = {build: kind(self, ground) for build, ground in grounds.items()}
        for each in rows.values():
            each.begin()
        contenders = {}
        for build, each in rows.items():
            for program, run in each.contenders().items():
                contenders[build or program] = (each, program, run)
                if build:
                    # Of two builds each is beside the other, and beside nothing else.
                    break
        rounds = next(iter(rows.values())).rounds()
        values = row.measure(contenders, rounds, kind.warms_up)
        for each in rows.values():
            each.end()
        # What is to be reached is told of the time that goes by, and beside others.
        is_measured = not self.options.compare and not self.options.processor
        return row.result(kind, rounds, values, kind.goal if is_measured else None)


def chosen(options):
    known = {each.name: each for each in [*ROWS, *HISTORY] if each.by_processor or not options.processor}
    if options.rows:
        unknown = [name for name in options.rows.split(",") if name not in known]
        if unknown:
            raise SystemExit(f"bench: there is no row {', '.join(unknown)}; there are {', '.join(known)}")
        return [each for name, each in known.items() if name in options.rows.split(",")]
    return [each for each in known.values() if options.history or each not in HISTORY]


def main():
    parser = argparse.ArgumentParser(prog="Scripts/bench")
    parser.add_argument("--binaries", required=True)
    parser.add_argument("--compare", metavar="BINARIES")
    parser.add_argument("--processor", action="store_true")
    parser.add_argument("--rows", metavar="NAME[,NAME]")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--keep", metavar="FILE")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--large-rounds", type=int, default=10)
    parser.add_argument("--rest", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--history", action="store_true")
    options = parser.parse_args()
    classes = chosen(options)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="xpb-bench-") as folder:
        try:
            bench = Bench(options, folder)
            bench.run(classes)
        except field.Wrong as wrong:
            raise SystemExit(f"bench: {wrong}") from wrong
    bench.table.end()
    if options.json:
        bench.table.write_json(options.json)
    if options.keep:
        field.keep(options.keep, ["# Scripts/bench", *bench.table.lines])


if __name__ == "__main__":
    main()
