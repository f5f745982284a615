"""Prints the figures of Scripts/bench, or the comparison of two builds."""

import argparse
import contextlib
import itertools
import os
import signal
import sys
import tempfile

from testbed import Failure, write_figures

from . import baseline, commands, concurrency, history, idle, row, shared_blocks, table, transfers, watch, wayland, window

TEXT = b"The quick brown fox jumps over the lazy dog.\n"
LARGE = 128 << 20

ROWS = [*commands.ROWS, *transfers.ROWS, *watch.ROWS, *idle.ROWS, *concurrency.ROWS]
HISTORY = history.ROWS
WAYLAND = wayland.ROWS
WINDOW = window.ROWS
SHARED_BLOCKS = shared_blocks.ROWS


class Bench:
    """The state that all rows share."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.baseline = baseline.build(folder)
        # Two builds are compared with each other, one build with other programs.
        builds = {"new": options.binaries, "old": options.compare} if options.compare else {"": options.binaries}
        self.builds = {
            build: row.binaries(os.path.join(folder, f"binaries-{build}"), source) for build, source in builds.items()}
        self.small, self.large = row.files(folder, TEXT, LARGE)
        self.table = table.Table()

    def run(self, classes):
        for _, group in itertools.groupby(classes, lambda each: each.shares or each.name):
            self.run_group(list(group))

    def run_group(self, classes):
        """Measures rows that share a testbed."""
        with contextlib.ExitStack() as stack:
            testbeds = {
                build: stack.enter_context(classes[0].open(self, binaries)) for build, binaries in self.builds.items()}
            for each in classes:
                self.table.add(self.run_row(each, testbeds))

    def run_row(self, kind, testbeds):
        rows = {build: kind(self, testbed) for build, testbed in testbeds.items()}
        for each in rows.values():
            each.set_up()
        contenders = {}
        for build, each in rows.items():
            for program, run in each.contenders().items():
                contenders[build or program] = (each, program, run)
                if build:
                    # A build is compared with the other build only, not with other programs.
                    break
        rounds = next(iter(rows.values())).rounds()
        values = row.measure(contenders, rounds, kind.warms_up)
        for each in rows.values():
            each.tear_down()
        # The goals are of elapsed time, and relative to other programs.
        has_goals = not self.options.compare and not self.options.processor
        return row.result(kind, rounds, values, kind.goal if has_goals else None)


def chosen(options):
    known = {each.name: each for each in [*ROWS, *HISTORY, *WAYLAND, *WINDOW, *SHARED_BLOCKS]
             if each.by_processor or not options.processor}
    if options.rows:
        unknown = [name for name in options.rows.split(",") if name not in known]
        if unknown:
            raise SystemExit(f"bench: unknown row: {', '.join(unknown)}; the rows are {', '.join(known)}")
        if not options.window_host and any(each.name in options.rows.split(",") for each in WINDOW):
            raise SystemExit("bench: the rows of windows need --window")
        return [each for name, each in known.items() if name in options.rows.split(",")]
    return [
        each for each in known.values()
        if (options.history or each not in HISTORY) and (options.wayland or each not in WAYLAND)
        and (options.window_host or each not in WINDOW) and (options.shared_blocks or each not in SHARED_BLOCKS)]


def main():
    parser = argparse.ArgumentParser(prog="Scripts/bench")
    parser.add_argument("--binaries", required=True)
    parser.add_argument("--compare", metavar="BINARIES")
    parser.add_argument("--processor", action="store_true")
    parser.add_argument("--rows", metavar="NAME[,NAME]")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--record", metavar="FILE")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--large-rounds", type=int, default=10)
    parser.add_argument("--rest", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--history", action="store_true")
    parser.add_argument("--wayland", action="store_true")
    parser.add_argument("--shared-blocks", action="store_true")
    parser.add_argument("--window-host", metavar="PROGRAM")
    options = parser.parse_args()
    classes = chosen(options)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="xpb-bench-") as folder:
        try:
            bench = Bench(options, folder)
            bench.run(classes)
        except Failure as failure:
            raise SystemExit(f"bench: {failure}") from failure
    bench.table.finish()
    if options.json:
        bench.table.write_json(options.json)
    if options.record:
        write_figures(options.record, ["# Scripts/bench", *bench.table.lines])


if __name__ == "__main__":
    main()
