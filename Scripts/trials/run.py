"""Finds a trial, reads its options, builds its programs and runs it."""

import argparse
import difflib
import importlib
import os
import pathlib
import signal
import subprocess
import sys

from trials import ROOT, Failure
from trials.table import BUILD, TRIALS

FOLDER = pathlib.Path(__file__).parent


def main(words):
    """Runs the trial that the command line names, and returns the exit status."""
    if words and not words[0].startswith("-"):
        name, *words = words
        if name in TRIALS:
            return run(f"Scripts/try {name}", name, TRIALS[name], words)
        near = " or ".join(f"'{other}'" for other in difflib.get_close_matches(name, TRIALS))
        hint = f"did you mean {near}?" if near else f"there are {', '.join(TRIALS)}"
        print(f"try: there is no trial '{name}'; {hint}", file=sys.stderr)
        return 2
    parser = argparse.ArgumentParser(
        prog="Scripts/try", usage="Scripts/try NAME [OPTION ...]\n       Scripts/try --list",
        description="Runs a trial of xpb. Scripts/try NAME --help lists the trial's options.")
    parser.add_argument("--list", action="store_true", help="list the trials, one per line")
    if not parser.parse_args(words).list:
        parser.error("which trial? Scripts/try --list names them")
    for name, trial in TRIALS.items():
        print(f"{name:<17} {trial.purpose}")
    return 0


def run(title, name, trial, words):
    if trial.program:
        os.execv(FOLDER / trial.program, [title, *words])
    try:
        module = importlib.import_module("trials." + (trial.module or name.replace("-", "_")))
    except ModuleNotFoundError as error:
        print(f"{name}: {error}; Scripts/bootstrap --test {trial.packages} installs it", file=sys.stderr)
        return 1
    options = parsed(title, trial, module, words)
    # SIGTERM ends the trial in order, so that the programs that it has started end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return module.run(options) or 0
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return 1


def parsed(title, trial, module, words):
    """Returns the options, after building the programs that the trial needs."""
    parser = argparse.ArgumentParser(
        prog=title, description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    if hasattr(module, "add_options"):
        module.add_options(parser)
    if trial.builds:
        parser.add_argument("--no-build", action="store_true", help="use the programs of the last build")
    if BUILD in trial.builds:
        parser.add_argument(
            "--binaries", type=pathlib.Path, default=os.environ.get("XPB_BINARIES"), metavar="FOLDER",
            help="use xpb and xpbd in this folder, and build nothing (default: $XPB_BINARIES, or else the output of"
            " Scripts/build)")
    options = parser.parse_args(words)
    # Printing a list needs no programs.
    if not trial.builds or getattr(options, "list", False):
        return options
    chosen = getattr(options, "binaries", None)
    if not options.no_build and not chosen:
        build(trial)
    if BUILD in trial.builds:
        options.binaries = pathlib.Path(chosen or ROOT / ".build/dist").resolve()
        for program in "xpb", "xpbd":
            if not (options.binaries / program).exists():
                parser.error(f"there is no {program} in {options.binaries}; Scripts/build makes it")
    return options


def build(trial):
    for command in f"Scripts/bootstrap --test {trial.packages}", *trial.builds:
        status = subprocess.run(command.split(), cwd=ROOT).returncode
        if status:
            raise SystemExit(status)
