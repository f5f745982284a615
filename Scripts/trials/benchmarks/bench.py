"""Measures xpb, compares it with xclip, xsel, clipnotify and plain Xlib programs, and reports which goals are met.

It measures the release binaries, each row on its own private display. Times mean little on a machine with other load,
but the ratios do, since the programs of a row take turns. Large files go to $TMPDIR.
"""

import argparse
import contextlib
import itertools
import os
import subprocess
import tempfile

from trials import ROOT, Failure, positive, write_figures
from trials.benchmarks import (
    baseline, commands, concurrency, history, idle, row, shared_blocks, table, transfers, watch, wayland, window,
)

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
        # With --compare, two builds are compared with each other; otherwise, one build is compared with other programs.
        builds = {"": options.binaries}
        if options.compare:
            builds = {"new": options.binaries, "old": build_other(options.compare)}
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
                    # With --compare, only our program of each build is measured.
                    break
        rounds = next(iter(rows.values())).rounds()
        values = row.measure(contenders, rounds, kind.warms_up)
        for each in rows.values():
            each.tear_down()
        # The goals apply to elapsed time, and compare xpb with other programs.
        has_goals = not self.options.compare and not self.options.processor
        return row.result(kind, rounds, values, kind.goal if has_goals else None)


KNOWN = {each.name: each for each in [*ROWS, *HISTORY, *WAYLAND, *WINDOW, *SHARED_BLOCKS]}


def rows(text):
    """Returns the rows that an option names."""
    names = text.split(",")
    if unknown := [name for name in names if name not in KNOWN]:
        raise argparse.ArgumentTypeError(f"unknown row: {', '.join(unknown)}; the rows are {', '.join(KNOWN)}")
    return [each for name, each in KNOWN.items() if name in names]


def chosen(options):
    """Returns the rows to measure."""
    groups = [(HISTORY, options.history), (WAYLAND, options.wayland), (WINDOW, options.window),
              (SHARED_BLOCKS, options.shared_blocks)]
    found = options.rows or [
        each for each in KNOWN.values() if all(wanted or each not in group for group, wanted in groups)]
    if not options.window and any(each in WINDOW for each in found):
        raise Failure("the rows of windows need --window")
    if options.processor and options.rows and (others := [each.name for each in found if not each.by_processor]):
        raise Failure(f"--processor cannot measure: {', '.join(others)}")
    return [each for each in found if each.by_processor or not options.processor]


def build_other(revision):
    """Builds a revision in .build-compare, and returns the folder of its binaries."""
    other = ROOT / ".build-compare"
    commit = subprocess.run(
        ["git", "rev-parse", "--verify", f"{revision}^{{commit}}"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
        text=True).stdout.strip()
    if (other / ".git").exists():
        # Keeps the build products, so that only changed files are compiled.
        subprocess.run(["git", "-C", other, "checkout", "--quiet", "--detach", commit], check=True)
    else:
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", other, commit], cwd=ROOT, check=True)
    print(f"Building {revision} in {other.name}", flush=True)
    # --no-build applies to this build only.
    subprocess.run([other / "Scripts/build"], check=True)
    return other / ".build/dist"


def add_options(parser):
    parser.add_argument("--rows", type=rows, metavar="NAME[,NAME]", help="only these rows; an unknown name lists all")
    parser.add_argument(
        "--compare", metavar="REV",
        help="also build REV, in .build-compare, and run both builds in turns; the ratio is new to old")
    for option, purpose in [
            ("processor", "measure the processor time of all processes involved, including the bridge and the X"
             " server, instead of the elapsed time; more reliable on a machine with other load"),
            ("history", "also measure with a history of many entries; see --entries"),
            ("wayland", "also compare with wl-copy and wl-paste in a Wayland session, under sway"),
            ("window", "also measure the loop of a program with a window, which is built in release mode"),
            ("shared-blocks", "also measure 1 GiB on xfs and btrfs, whose files can share blocks; needs root"),
            ("record", "write the table to Scripts/trials/benchmarks/bench.figures")]:
        parser.add_argument(f"--{option}", action="store_true", help=purpose)
    parser.add_argument(
        "--entries", type=positive, default=100_000, metavar="N",
        help="entries of the long history (default: 100,000; a million take ten minutes)")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to FILE")
    parser.add_argument(
        "--rounds", type=positive, default=200, metavar="N",
        help="runs of each program with small text (default: 200)")
    parser.add_argument(
        "--large-rounds", type=positive, default=10, metavar="N",
        help="runs of each program with 128 MiB (default: 10)")
    parser.add_argument(
        "--rest", type=float, default=60, metavar="SECONDS", help="duration of the count of wake-ups (default: 60)")


def run(options):
    classes = chosen(options)
    if options.window:
        subprocess.run(
            ["swift", "build", "--configuration", "release", "--product", "WindowHost"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory(prefix="xpb-bench-") as folder:
        bench = Bench(options, folder)
        bench.run(classes)
    bench.table.finish()
    if options.json:
        bench.table.write_json(options.json)
    if options.record:
        write_figures(__file__, ["# Scripts/bench", *bench.table.lines])
