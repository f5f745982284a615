"""Drives the pure state machines of the protocol with random operations, including invalid operations, and checks the
invariants after each operation. Tests/Machines has the invariants of each machine.

A violation is printed as the shortest sequence of operations found to cause it. Add the sequence to
Tests/Machines/Found/MACHINE under a descriptive name, and the tests will replay it.
"""

import datetime
import subprocess
import sys
import tempfile

from trials import ROOT, say, write_figures


def add_options(parser):
    parser.add_argument(
        "machines", nargs="*", metavar="MACHINE",
        help="a name of Tests/Machines/Machine.swift (default: all machines, each with its share of the steps)")
    parser.add_argument("--steps", type=number, metavar="N", help="total number of operations (default: 10000000)")
    parser.add_argument(
        "--seed", type=number, metavar="N",
        help="seed of the random operations (default: a random number, which is printed)")
    parser.add_argument("--record", action="store_true", help="write the figures to Scripts/trials/machines.figures")


def number(text):
    """Returns the text, if it is a number."""
    if not text.isdecimal():
        raise ValueError
    return text


def run(options):
    program = ROOT / ".build/release/Machines"
    words = [word for name in ("steps", "seed") if (value := getattr(options, name)) for word in (f"--{name}", value)]
    lines = []
    with tempfile.NamedTemporaryFile("r") as notes:
        command = [program, "--notes", notes.name, *words, *options.machines]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                lines.append(line.rstrip("\n"))
                say(lines[-1])
        if process.returncode not in (0, 1, 2):
            seed, machine = open(notes.name, encoding="utf-8").readline().split()
            print(f"machines: {machine} crashed; to print its operations: {program} --show {seed} {machine}",
                  file=sys.stderr)
    if options.record and process.returncode == 0:
        date = datetime.datetime.now(datetime.timezone.utc).date()
        write_figures(__file__, [f"Scripts/try machines, {date}", *lines])
    return process.returncode if process.returncode >= 0 else 128 - process.returncode
