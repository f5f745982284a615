"""Runs the trial `wayland` under the compositors of Debian 12, 13 and 14, and prints a table of their faults.

Each of sway, KWin and mutter runs without Xwayland, with Xwayland while no X11 window has the focus, and with Xwayland
while an X11 window has the focus. A fault is printed when it is found; the logs are in .build/compositors. With
--programs, the trial `wayland-programs` runs instead, with Xwayland, and its tables are printed.

`Scripts/try session` makes a root folder with each Debian, which takes some minutes the first time and needs root.
"""

import os
import re
import subprocess
import threading

from testing import jobs, processes

from trials import ROOT, is_in, positive, words_of

TRY = ROOT / "Scripts/try"
LOGS = ROOT / ".build/compositors"
SUITES = ["bookworm", "trixie", "forky"]
COMPOSITORS = ["sway", "kwin", "mutter"]
# The columns of the table, by the argument of `wayland --xwayland`.
STATES = {None: "without Xwayland", "unfocused": "Xwayland, without the focus", "focused": "Xwayland, with the focus"}
LAST_LINE = re.compile(r"(?P<changes>\d+) changes under (?P<name>.+?)( with Xwayland \w+)?, (?P<faults>\d+) faults")
printing = threading.Lock()


def say(*lines):
    with printing:
        print(*lines, sep="\n", flush=True)


class Cell:
    """A run of a trial under a compositor."""

    def __init__(self, suite, compositor, state, options):
        self.suite, self.compositor, self.state = suite, compositor, state
        self.label = f"{compositor} of {suite}, {STATES[state]}"
        self.log = LOGS / f"{suite}-{compositor}-{state or 'none'}.log"
        self.command = [TRY, "session", "run", *["--no-xwayland"] * (state is None), suite, compositor]
        self.command += ["/project/Scripts/try", *self.trial(options), "--compositor", "present"]
        self.command += ["--binaries", "/usr/local/bin"]
        # The name and version of the compositor, once they are known, and the cell's text in the table.
        self.name = None
        self.text = "did not run"
        self.environment = os.environ | {"XPB_BINARIES": str(options.binaries)}
        self.job = jobs.Job(self.label, self.run)

    def trial(self, options):
        return [
            "wayland", "--log", "--copies", str(options.copies), "--seed", str(options.seed),
            *(["--xwayland", self.state] if self.state else [])]

    def run(self):
        """Runs the trial, and returns true if it found no fault."""
        with open(self.log, "w", encoding="utf-8") as log:
            process = processes.start(
                self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
                env=self.environment)
            try:
                for line in process.stdout:
                    log.write(line)
                    log.flush()
                    self.take(line.rstrip("\n"))
                return process.wait() == 0
            finally:
                processes.end(process)

    def take(self, line):
        """Handles a line of the trial's output."""
        if match := LAST_LINE.fullmatch(line):
            self.name = match["name"]
            self.text = f"{match['faults']} in {int(match['changes']):,}"
            say(f"{self.label}: {line}")
        elif line and not line.startswith(" "):
            self.text = f"ended: {line}"
            say(f"{self.label}: {line}")


class ProgramsCell(Cell):
    """A run of `wayland-programs`."""

    def __init__(self, suite, compositor, options):
        self.table = []
        super().__init__(suite, compositor, "unfocused", options)
        self.log = LOGS / f"{suite}-{compositor}-programs.log"

    def trial(self, options):
        return ["wayland-programs"]

    def take(self, line):
        if line.startswith("|"):
            self.table.append(line)
        elif line:
            say(f"{self.label}: {line}")


def table(cells):
    """Returns the table of faults, with a row for each compositor and a column for each state."""
    lines = ["| compositor | " + " | ".join(STATES.values()) + " |", "|---" * (len(STATES) + 1) + "|"]
    for start in range(0, len(cells), len(STATES)):
        row = cells[start:start + len(STATES)]
        name = next((cell.name for cell in row if cell.name), f"{row[0].compositor} of {row[0].suite}")
        lines.append(f"| {name} | " + " | ".join(cell.text for cell in row) + " |")
    return lines


def add_options(parser):
    places = [f"{suite}-{compositor}" for suite in SUITES for compositor in COMPOSITORS]
    parser.add_argument(
        "--only", type=words_of(places, "compositor", is_in), default=places, metavar="WORD[,WORD]",
        help="only compositors with one of these words, such as kwin or trixie-sway")
    parser.add_argument(
        "--copies", type=positive, default=1_000, metavar="N", help="number of changes in each run (default: 1,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the random numbers (default: 1)")
    parser.add_argument(
        "--jobs", type=positive, default=len(os.sched_getaffinity(0)), metavar="N",
        help="number of compositors at the same time (default: one for each core)")
    parser.add_argument("--programs", action="store_true", help="run `wayland-programs` instead of `wayland`")


def run(options):
    processes.end_with_the_run()
    places = [place.split("-") for place in options.only]
    for suite in dict.fromkeys(suite for suite, _ in places):
        subprocess.run([TRY, "session", "make", suite], check=True)
    LOGS.mkdir(parents=True, exist_ok=True)
    if options.programs:
        cells = [ProgramsCell(*place, options) for place in places]
    else:
        cells = [Cell(*place, state, options) for place in places for state in STATES]
    jobs.run([cell.job for cell in cells], options.jobs, lambda job: None)
    if options.programs:
        for cell in cells:
            print(f"\n{cell.compositor} of {cell.suite}\n", *cell.table, sep="\n")
    else:
        print("", *table(cells), sep="\n")
    return 0 if all(cell.job.passed for cell in cells) else 1
