"""Changes or removes important lines of the code, one at a time, and checks that a test fails each time.

The mutations are in Tests/ConformanceTests/Mutations/*.tsv, with these fields: the rule, the file, the text to be
replaced, its replacement, and the tests as a --filter of swift test. A tab, a newline and a backslash are written as
\\t, \\n and \\\\.
"""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import NamedTuple

from trials import ROOT, Failure

TABLES = "Tests/ConformanceTests/Mutations"
FIGURES = Path(__file__).with_suffix(".figures")
SCRATCH = ROOT / ".build-mutants"
ESCAPES = {"n": "\n", "t": "\t", "\\": "\\"}
# These tests run the built programs; all other tests are linked with the code that they test.
BY_PROGRAM = re.compile(r"^\^?(Conformance|Integration|Peer)Tests")
# In seconds. A mutant may make a test wait forever. Without the mutation, each test takes seconds, so a test that takes
# minutes counts as failed.
TEST_TIMEOUT = 150
BUILD_TIMEOUT = 1_800


class Mutant(NamedTuple):
    rule: str
    file: str
    old: str
    new: str
    test: str

    def __str__(self):
        change = f"{shown(self.old)} -> {shown(self.new)}" if self.new else shown(self.old)
        return f"{self.rule} | {self.file}: {change} | {self.test}"


def shown(text):
    return " ".join(text.split())


def unescaped(text):
    return re.sub(r"\\(.)", lambda found: ESCAPES[found[1]], text)


def mutants(root):
    """Yields the mutants of all tables. The text of each mutant must occur exactly once in its file."""
    for table in sorted((root / TABLES).glob("*.tsv")):
        for number, line in enumerate(table.read_text().splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            where = f"{table.name}:{number}"
            fields = line.split("\t")
            if len(fields) != 5:
                raise Failure(f"{where} has {len(fields)} fields instead of 5")
            mutant = Mutant(*map(unescaped, fields))
            if not (root / mutant.file).is_file():
                raise Failure(f"{where}: no such file: {mutant.file}")
            count = (root / mutant.file).read_text().count(mutant.old)
            if count != 1:
                raise Failure(f"{where}: this text occurs {count} times in {mutant.file}: {shown(mutant.old)}")
            if mutant.old == mutant.new:
                raise Failure(f"{where} changes nothing")
            yield mutant


class Copy:
    """A worktree of the last commit with its own build, in a folder that is removed at the end."""

    def __init__(self):
        self.folder = SCRATCH / "tree"

    def __enter__(self):
        self.remove()
        SCRATCH.mkdir(exist_ok=True)
        git("worktree", "add", "--quiet", "--detach", str(self.folder), "HEAD")
        if (ROOT / "Package.resolved").is_file():
            shutil.copy(ROOT / "Package.resolved", self.folder)
        # The copy reuses the fetched dependencies and the Python package that Scripts/bootstrap installs for the tests.
        if (ROOT / ".build").is_dir():
            (self.folder / ".build").mkdir()
            for name in ("checkouts", "repositories", "artifacts", "workspace-state.json", "python"):
                part = ROOT / ".build" / name
                if part.exists():
                    subprocess.run(["cp", "-a", str(part), str(self.folder / ".build")], check=True)
        return self

    def __exit__(self, *_):
        self.remove()

    def remove(self):
        if self.folder.exists():
            git("worktree", "remove", "--force", str(self.folder), check=False)
            shutil.rmtree(self.folder, ignore_errors=True)
        git("worktree", "prune")

    def run(self, *command, timeout):
        """Runs a command, and returns its status and output. The status is None after a timeout."""
        process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            env=os.environ | {"XPB_MUTANTS": str(self.folder)})
        try:
            text, _ = process.communicate(timeout=timeout)
            return process.returncode, text
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            self.end_all()
            process.wait()

    def end_all(self):
        """Kills processes that a killed test left behind. A bridge has its own session, and would serve later displays
        with the same number.

        The processes are recognized by the folder in their environment, in the variable of run() or in the PATH of the
        tests.
        """
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if str(self.folder).encode() in (process / "environ").read_bytes():
                    os.kill(int(process.name), signal.SIGKILL)
            except (OSError, ProcessLookupError):
                pass

    def build(self, *options):
        status, text = self.run("swift", "build", *options, timeout=BUILD_TIMEOUT)
        if status != 0:
            errors = [line for line in text.splitlines() if "error:" in line]
            raise Failure("build failed: " + ("; ".join(errors[:3]) or text[-300:]))

    def is_red(self, mutant):
        """Returns true if the tests fail with the mutation."""
        path = self.folder / mutant.file
        original = path.read_text()
        path.write_text(original.replace(mutant.old, mutant.new))
        try:
            if mutant.file.startswith("Sources/") and BY_PROGRAM.match(mutant.test):
                for product in ("xpbd", "xpb"):
                    self.build("--product", product)
            else:
                self.build("--build-tests")
            return not self.is_green(mutant.test)
        finally:
            path.write_text(original)

    def is_green(self, *tests):
        filters = [part for name in tests for part in ("--filter", name)]
        status, text = self.run("swift", "test", "--skip-build", "--disable-xctest", *filters, timeout=TEST_TIMEOUT)
        if status is not None and not re.search(r"Test run with [1-9]\d* tests?", text):
            raise Failure(f"no test matches {', '.join(tests)}")
        self.issues = [line for line in text.splitlines() if "recorded an issue" in line] or text.splitlines()[-1:]
        return status == 0


def git(*arguments, check=True):
    subprocess.run(["git", *arguments], cwd=ROOT, check=check, stderr=None if check else subprocess.DEVNULL)


def store(results, all_mutants):
    """Writes the results to the figures, and keeps the earlier results of the other mutants."""
    known = {}
    if FIGURES.is_file():
        for line in FIGURES.read_text().splitlines():
            mutant, _, result = line.rpartition(" | ")
            known[mutant] = result
    known |= {str(mutant): result for mutant, result in results.items()}
    lines = [f"{mutant} | {known[str(mutant)]}\n" for mutant in all_mutants if str(mutant) in known]
    FIGURES.write_text("".join(lines))


def add_options(parser):
    parser.add_argument("rules", nargs="*", metavar="RULE", help="rules of the tables (default: all)")
    parser.add_argument("--list", action="store_true", help="only check the tables, and print the mutants")
    parser.add_argument("--record", action="store_true", help="write the results to Scripts/trials/mutants.figures")


def run(options):
    there = list(mutants(ROOT))
    unknown = set(options.rules) - {mutant.rule for mutant in there}
    if unknown:
        raise Failure(f"no such rule: {', '.join(sorted(unknown))}")
    chosen = [mutant for mutant in there if not options.rules or mutant.rule in options.rules]
    if options.list:
        print(*chosen, sep="\n")
        return 0
    results = {}
    with Copy() as copy:
        # The copy contains only committed changes.
        if [mutant for mutant in mutants(copy.folder)] != there:
            raise Failure("the tables have uncommitted changes")
        copy.build("--build-tests")
        for mutant in chosen:
            try:
                results[mutant] = "red" if copy.is_red(mutant) else "GREEN"
            except Failure as fault:
                results[mutant] = f"FAULT: {fault}"
            print(f"{mutant} | {results[mutant]}", flush=True)
            if options.record:
                store(results, there)
        # A test that also fails without a mutation has shown nothing.
        copy.build("--build-tests")
        for tests in sorted({mutant.test for mutant, result in results.items() if result == "red"}):
            if not copy.is_green(tests):
                for mutant in [mutant for mutant in results if mutant.test == tests]:
                    results[mutant] = "RED WITHOUT MUTATION"
                print(f"{tests} fails without a mutation", *copy.issues, sep="\n")
        if options.record:
            store(results, there)
    bad = sum(result != "red" for result in results.values())
    print(f"mutants: {len(results)} mutations, {bad} not detected")
    return 1 if bad else 0
