"""The trials behind Scripts/try, which strain xpb or measure it for longer than a test may take.

A trial is a module with the function `run`, which takes the parsed options and returns the exit status: 0 or None if
everything is in order. A trial with its own options also has `add_options`. The module `table` lists the trials.
"""

import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests/Fixtures"


class Failure(Exception):
    """A condition that ends a trial or a part of it."""


def say(text):
    print(text, flush=True)


def positive(text):
    """Returns the number of an option that must be at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"not a number of at least 1: {text}")
    return int(text)


def words_of(names, kind, is_match):
    """Returns an option type that turns words separated by commas into the list of the names that match any word."""
    def matching(text):
        words = text.lower().split(",")
        for word in words:
            if not any(is_match(word, name.lower()) for name in names):
                raise argparse.ArgumentTypeError(f"there is no {kind} '{word}'; there are: {', '.join(names)}")
        return [name for name in names if any(is_match(word, name.lower()) for word in words)]
    return matching


def is_in(word, name):
    return word in name


def begins(word, name):
    return name.startswith(word)


def write_figures(path, lines):
    """Writes the figures of a trial next to the trial's module, whose path is given."""
    pathlib.Path(path).with_suffix(".figures").write_text("\n".join(lines) + "\n", encoding="utf-8")


def machine_description():
    """Returns a line that describes the machine that the figures were measured on."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "?")
    kernel = ".".join(os.uname().release.split(".")[:2])
    return f"{os.cpu_count()} cores, {model}, Linux {kernel}, Python {sys.version.split()[0]}"
