"""Drives desktop programs with keys and mouse while the bridge is running, and prints tables of the contents that can
be copied and pasted.

Other clipboard managers, and programs that send the clipboard to another X server, have their own tables.

Each program has its own X server, window manager, D-Bus, home folder and bridge, and is restarted for each cell. xclip,
which does not know of the bridge, reads the results. With --times, the program is started in turns on a desktop without
a bridge and on a desktop with a bridge.

It takes some minutes. Exit status: 0 if everything is in order, 1 if a cell is "no", a difference is above the noise or
a program is not installed, 2 for a usage error.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import tempfile
import textwrap
import time

from trials import ROOT, Failure, is_in, machine_description, say, words_of
from trials.desktop import cells, managers, senders, times
from trials.desktop.browsers import Chromium, ChromiumPicture, Firefox, FirefoxPicture
from trials.desktop.editors import (
    FlushingWxEditor, GnomeTextEditor, GVim, Mousepad, NEdit, Notepad, SwingEditor, TextEdit, Thunar, WxEditor,
)
from trials.desktop.graphics import GIMP, Inkscape, LargeGIMP
from trials.desktop.managers import Diodon, GPaste, Klipper
from trials.desktop.office import Calc, LargeCalc, Writer, WriterPicture
from trials.desktop.program import Program
from trials.desktop.senders import TigerVNC, TigerVNCServer
from trials.desktop.session import Desktop

PROGRAMS = [
    Mousepad, Thunar, GIMP, LargeGIMP, Inkscape, Writer, WriterPicture, Calc, LargeCalc, Firefox, FirefoxPicture,
    Chromium, ChromiumPicture, GVim, NEdit, GnomeTextEditor, WxEditor, FlushingWxEditor, SwingEditor, Notepad, TextEdit,
    Klipper, Diodon, GPaste, TigerVNC, TigerVNCServer,
]
BY_NAME = {program.name: program for program in PROGRAMS}
TABLES = [cells.COPIES, cells.PASTES, managers.CELLS, senders.CELLS]
COLUMNS = [column for table in TABLES for column in table]
# The tools that the trial needs, with their Debian packages.
TOOLS = {
    "Xvfb": "xvfb", "openbox": "openbox", "xdotool": "xdotool", "xclip": "xclip", "dbus-daemon": "dbus",
    "gdbus": "libglib2.0-bin",
}
DOCUMENT = ROOT / "Documents/Programs.md"


# The tables of cells.

def run_programs(programs, columns, binaries):
    """Returns the cells of each program, by the names of the program and the column."""
    rows = {}
    for program in programs:
        functions = {column: function for column, function in program.columns.items() if column in columns}
        if not functions:
            continue
        with (tempfile.TemporaryDirectory(prefix="xpb-programs-", ignore_cleanup_errors=True) as folder,
              Desktop(binaries, folder) as desktop):
            row = rows[program.name] = {}
            for column, function in functions.items():
                begin = time.monotonic()
                row[column] = run_cell(program(desktop), column, function)
                say(f"{program.name + ', ' + column + ':':<50} {row[column]} ({time.monotonic() - begin:.1f} s)")
    return rows


def run_cell(program, column, function):
    """Returns the text of a cell."""
    try:
        return function(program)
    except cells.NotApplicable:
        return "-"
    except (Failure, subprocess.TimeoutExpired) as failure:
        part, remark = program.limits.get(column, (None, None))
        return remark if part and part in str(failure) else f"no: {failure}"
    finally:
        program.end()


def cell_tables(rows):
    """Returns the lines of the tables. Each table lists the programs that have at least one of its cells."""
    lines = []
    for columns in TABLES:
        shown = {
            name: [row.get(column, "") for column in columns] for name, row in rows.items()
            if any(row.get(column, "-") != "-" for column in columns)}
        if shown:
            lines += ["", *table(["program", *columns], shown)]
    return lines[1:]


def table(heading, rows):
    """Returns the lines of a Markdown table."""
    lines = ["| " + " | ".join(heading) + " |", "|---" * len(heading) + "|"]
    return lines + ["| " + " | ".join([name, *row]) + " |" for name, row in rows.items()]


# The table of times.

def measure_programs(programs, binaries, turns):
    """Returns the series of each program's copies and exits, by the program's name, and the number of programs that
    failed."""
    series, failures = {}, 0
    for program in programs:
        with (tempfile.TemporaryDirectory(prefix="xpb-programs-", ignore_cleanup_errors=True) as folders,
              Desktop(binaries, subfolder(folders, "without"), has_bridge=False) as without_bridge,
              Desktop(binaries, subfolder(folders, "with")) as with_bridge):
            try:
                copies, ends = series[program.name] = times.measure(program, without_bridge, with_bridge, turns)
            except Failure as failure:
                failures += 1
                say(f"{program.name}: {failure}")
                continue
            for action, found in ("copies", copies), ("quits", ends):
                say(f"{program.name} {action + ':':<7} " + "; ".join(found.cells()))
    return series, failures


def subfolder(folder, name):
    path = pathlib.Path(folder) / name
    path.mkdir()
    return path


def time_tables(series):
    heading = ["without the bridge", "with it", "difference"]
    lines = []
    for number, action in enumerate(["time to copy", "time to quit"]):
        lines += ["", *table([action, *heading], {name: found[number].cells() for name, found in series.items()})]
    return lines[1:]


# Output and arguments.

def write(name, lines):
    """Replaces the lines of the document between the markers with the given name."""
    before, _, after = parts(name)
    DOCUMENT.write_text(before + "\n" + "\n".join(lines) + "\n\n" + after, encoding="utf-8")


def write_rows(name, lines, found):
    """Replaces the rows of the document's tables that the given tables also have, and adds the other given rows.

    `found` has the versions of the programs, and is empty if this part of the document has no versions.
    """
    before, present, after = parts(name)
    blocks = [block.splitlines() for block in present.strip("\n").split("\n\n")]
    by_heading = {block[0]: block for block in blocks}
    for block in "\n".join(lines).split("\n\n"):
        heading, rule, *rows = block.splitlines()
        if heading in by_heading:
            merge(by_heading[heading], rows)
        else:
            # The last block is the remark, so the table comes before it.
            blocks.insert(len(blocks) - 1, [heading, rule, *rows])
    if found:
        blocks[-1] = [version_remark(versions_of(blocks[-1]) | found)]
    DOCUMENT.write_text(
        before + "\n" + "\n\n".join("\n".join(block) for block in blocks) + "\n\n" + after, encoding="utf-8")


def merge(lines, rows):
    """Puts rows into the lines of a table: each row replaces the row with the same first cell, or goes to the end."""
    places = {line.split(" | ")[0]: place for place, line in enumerate(lines)}
    for row in rows:
        if (first := row.split(" | ")[0]) in places:
            lines[places[first]] = row
        else:
            lines.append(row)


def parts(name):
    """Returns the document in three parts: up to the first marker, between the markers, and from the second marker
    on."""
    text = DOCUMENT.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, rest = text.split(begin)
    between, after = rest.split(end)
    return before + begin, between, end + after


def versions(programs):
    """Returns the versions of the programs' packages, by the names of the products."""
    found = {}
    for program in {program.product: program for program in programs}.values():
        version = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", program.package], stdout=subprocess.PIPE, check=False).stdout
        if version:
            # Without the epoch and Debian's suffix.
            found[program.product] = re.split("[-+~]", version.decode().split(":")[-1])[0]
    return found


def version_remark(found):
    words = ", ".join(f"{product} {version}" for product, version in found.items())
    return textwrap.fill(f"Versions: {words}.", 130, break_on_hyphens=False)


def versions_of(lines):
    """Returns the versions that a remark of `version_remark` lists."""
    words = " ".join(lines).removeprefix("Versions: ").removesuffix(".")
    return dict(word.rsplit(" ", 1) for word in words.split(", "))


def missing_packages(programs):
    executables = TOOLS | {
        executable: program.package for program in programs for executable in (program.executable, program.needs)
        if executable}
    return list(dict.fromkeys(
        package for executable, package in executables.items()
        if shutil.which(executable) is None and not pathlib.Path(executable).exists()))


def add_options(parser):
    parser.add_argument(
        "--only", type=words_of(BY_NAME, "program", is_in), default=list(BY_NAME), metavar="WORD[,WORD]",
        help="only programs whose name contains one of these words; an unknown word lists all names")
    exclusive = parser.add_mutually_exclusive_group()
    exclusive.add_argument(
        "--cells", type=words_of(COLUMNS, "cell", is_in), default=COLUMNS, metavar="WORD[,WORD]",
        help="only columns of the tables whose name contains one of these words")
    parser.add_argument(
        "--times", action="store_true",
        help="measure how long programs take to copy and quit, with and without the bridge in turns, instead of making"
        " the tables")
    parser.add_argument("--turns", type=turns, default=5, metavar="N", help="turns for each program (default: 5)")
    exclusive.add_argument(
        "--write", action="store_true",
        help="also write the tables, or the times, to Documents/Programs.md; with --only, only these programs' rows")


def turns(text):
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError("must be at least 2")
    return int(text)


def run(options):
    programs = [BY_NAME[name] for name in options.only]
    if options.times:
        programs = [program for program in programs if issubclass(program, Program)]
    if missing := " ".join(missing_packages(programs)):
        raise Failure(f"missing: {missing}; on Debian: apt-get install --no-install-recommends {missing}")
    found = {}
    if options.times:
        series, failures = measure_programs(programs, options.binaries, options.turns)
        lines = time_tables(series)
        is_good = not failures and all(found.is_noise() for pair in series.values() for found in pair)
        remark = f"Medians and quartiles of {options.turns} turns, on {machine_description()}."
    else:
        rows = run_programs(programs, options.cells, options.binaries)
        lines = cell_tables(rows)
        is_good = not any(cell.startswith("no") for row in rows.values() for cell in row.values())
        found = versions(programs)
        remark = version_remark(found)
    say("\n".join(["", *lines, "", remark]))
    kind = "times" if options.times else "cells"
    if options.write and len(options.only) < len(PROGRAMS):
        write_rows(kind, lines, found)
    elif options.write:
        write(kind, [*lines, "", remark])
    return 0 if is_good else 1
