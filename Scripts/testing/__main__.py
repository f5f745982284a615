"""Runs the checks and tests: checks of the sources and the manifest, the builds, the release binaries, their
installation and instruction counts, the documentation, and every test of the package."""

import argparse
import collections
import os
import pathlib
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import checks  # noqa: E402
import groups  # noqa: E402
import jobs  # noqa: E402
import processes  # noqa: E402
import report  # noqa: E402
from groups import ROOT  # noqa: E402

LOGS = ROOT / ".build/test"
# Two for each core, since the programs of a test wait about half of the time.
SLOTS = 2 * len(os.sched_getaffinity(0))
# The jobs with the highest rank begin first: builds, then the groups that take longest.
BUILD_RANK = 1_000
LONG_GROUPS = (
    "XclipRows", "XselRows", "WaylandRows", "FastLineTests", "LinkTests", "StormTests", "MatrixTests",
    "WithTests", "DumpTests", "NameTests", "BadClientTests", "SharingTests", "PromiseTests", "Rule02", "Rule03", "Rule04",
    "UndoTests", "RobustnessTests", "WindowHostTests",
)


class Part:
    """A part that is a list of commands or Python functions, with its own log."""

    def __init__(self, name, *steps, **options):
        self.log = LOGS / (name.replace(" ", "-") + ".log")
        self.steps = steps
        self.job = jobs.Job(name, self.run, **options)

    def run(self):
        with open(self.log, "w", encoding="utf-8") as log:
            return all(self.step(step, log) for step in self.steps)

    def step(self, step, log):
        if callable(step):
            faults = list(step())
            print(*faults, sep="\n", file=log, flush=True)
            return not faults
        print("$", *step, file=log, flush=True)
        process = processes.start(step, cwd=ROOT, stdout=log, stderr=log)
        try:
            return process.wait() == 0
        finally:
            processes.end(process)

    @property
    def name(self):
        return self.job.name

    @property
    def passed(self):
        return self.job.passed

    @property
    def began(self):
        return self.job.began


def check(name, *arguments):
    return [f"Scripts/checks/{name}", *arguments]


def all_parts():
    """Returns the parts of a full run apart from the tests. The release binaries are built after the debug build, since
    two builds at once only slow each other, and at the same time as the tests that do not use the binaries, since half
    of a test's time is waiting."""
    debug = Part("debug build", ["swift", "build", "--build-tests"], slots=SLOTS // 2, rank=BUILD_RANK)
    binaries = Part(
        "release binaries", ["Scripts/build"], check("linkage"), checks.installation_faults,
        check("manual", "--check", ".build/man"), after=[debug.job], slots=SLOTS // 2, rank=BUILD_RANK)
    return debug, binaries, [
        Part("sources", ["swift", "format", "lint", "--strict", "--recursive", *checks.SOURCES], checks.long_comments,
             checks.missing_tests,
             ["python3", "-m", "unittest", "discover", "--start-directory", "Scripts/testing"], check("imports"),
             check("generate-types", "--check"), check("generate-wire", "--check"),
             check("generate-wayland", "--check"),
             # Fails if a line that the trial removes is not where the trial's table says.
             ["Scripts/try", "mutants", "--list"], rank=BUILD_RANK),
        Part("documentation", ["Scripts/docs", "--no-build"], after=[debug.job], rank=BUILD_RANK),
        Part("instructions", check("instructions"), after=[binaries.job], rank=BUILD_RANK),
        Part("dependent package", checks.dependent_faults, after=[debug.job], rank=BUILD_RANK),
    ]


class Run:
    """A run of parts and tests."""

    def __init__(self, options):
        self.options = options
        self.parts = []
        self.groups = []
        self.start = time.monotonic()

    @property
    def is_full(self):
        return self.options.filter is None

    def whole(self):
        """Builds, checks and tests. Returns true if everything passed."""
        if self.is_full:
            debug, binaries, others = all_parts()
            self.parts = [debug, binaries, *others]
        else:
            debug, binaries = Part("debug build", ["swift", "build", "--build-tests"]), None
            self.parts = [debug]

        def ended(job):
            self.ended(job)
            # The tests are known only after the debug build.
            return self.test_jobs(binaries) if job is debug.job and job.passed else []

        jobs.run([part.job for part in self.parts], SLOTS, ended)
        return self.finish()

    def again(self, count):
        """Builds, and runs the tests several times. Returns true if all runs passed."""
        debug, binaries, _ = all_parts()
        self.parts = [debug, binaries] if self.is_full else [debug]
        jobs.run([part.job for part in self.parts], SLOTS, self.ended)
        if not all(part.passed for part in self.parts):
            report.say("\nThe tests were not run, since a part above failed; its log is in .build/test")
            return False
        failed, passed = collections.Counter(), True
        for number in range(1, count + 1):
            report.say(f"\nRun {number} of {count}")
            self.groups = []
            jobs.run(self.test_jobs(binaries if self.is_full else None), SLOTS, self.ended)
            passed = self.finish() and passed
            failed.update(test.name for group in self.groups for test in group.with_status("failed"))
        report.repeated(failed, count)
        return passed

    def test_jobs(self, binaries):
        """Returns a job for each group of tests. In a full run, the tests of the programs use the release binaries."""
        logs = LOGS / "tests"
        shutil.rmtree(logs, ignore_errors=True)
        logs.mkdir(parents=True)
        found = []
        for name, tests in groups.grouped(groups.listed(self.options.filter or "")).items():
            runs_programs = binaries is not None and name.split(".")[0] in groups.PROGRAM_MODULES
            environment = {"XPB_BINARIES": str(groups.DIST)} if runs_programs else {}
            group = groups.Group(name, tests, logs, environment)
            self.groups.append(group)
            rank = 500 if any(long in name for long in LONG_GROUPS) else len(tests)
            found.append(jobs.Job(name, group.run, [binaries.job] if runs_programs else [], rank=rank))
        if not found:
            raise SystemExit(f"test: no test matches {self.options.filter}")
        return found

    def ended(self, job):
        seconds = int(time.monotonic() - self.start)
        report.ended(job, f"{seconds // 60:3}:{seconds % 60:02}")

    def finish(self):
        """Prints the results of the run, and returns true if everything passed."""
        report.matrix(self.groups)
        report.times([part.job for part in self.parts], self.start)
        report.slowest(self.groups)
        report.failures(self.parts, self.groups)
        report.summary(self.groups)
        return all(part.passed for part in self.parts) and not any(group.with_status("failed") for group in self.groups)


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def options():
    parser = argparse.ArgumentParser(prog="Scripts/test", description=__doc__)
    parser.add_argument(
        "--filter", metavar="REGEX",
        help="run only the tests whose name matches, with the debug binaries, and no other checks")
    parser.add_argument(
        "--peers", action="store_const", dest="filter", const=r"^PeerTests\.",
        help="run only the tests with GTK 3, Qt 5 and Tk programs, and print the table of their results")
    parser.add_argument(
        "--again", metavar="N", type=positive, help="run the tests N times, without the checks, and count the failures")
    parser.add_argument(
        "--sanitize", metavar="KIND", choices=["address", "thread"],
        help="build the library, the bridge and the tests for AddressSanitizer (address) or ThreadSanitizer (thread),"
        " and run only the tests; a sanitizer report from any program fails the run, even if the test passes")
    return parser.parse_args()


def main():
    chosen = options()
    if chosen.sanitize:
        arguments = ["--filter", chosen.filter] if chosen.filter else []
        os.execv(ROOT / "Scripts/checks/sanitize", ["sanitize", chosen.sanitize, *arguments])
    LOGS.mkdir(parents=True, exist_ok=True)
    processes.end_with_the_run()
    run = Run(chosen)
    return 0 if (run.again(chosen.again) if chosen.again else run.whole()) else 1


sys.exit(main())
