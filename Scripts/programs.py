"""Drives desktop programs by keys and mouse beside the bridge, and prints a table of what can be copied and pasted.

Each program has an X server, a window manager, a D-Bus, a home folder and a bridge of its own. It is started anew for
each cell. xclip, which does not know the bridge, reads the results.

Exit status: 0 if no cell is "no", 1 if one is or a program is missing, 2 for a usage error.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time

from desktop import cells
from desktop.browsers import Chromium, ChromiumPicture, Firefox, FirefoxPicture
from desktop.editors import Mousepad, Thunar
from desktop.graphics import GIMP, Inkscape
from desktop.office import Calc, Writer, WriterPicture
from desktop.session import Desktop
from testbed import Failure, say

PROGRAMS = [Mousepad, Thunar, GIMP, Inkscape, Writer, WriterPicture, Calc, Firefox, FirefoxPicture, Chromium, ChromiumPicture]
# The other programs with their Debian packages.
TOOLS = {
    "Xvfb": "xvfb", "openbox": "openbox", "xdotool": "xdotool", "xclip": "xclip", "dbus-daemon": "dbus",
}


def run_cell(program, function):
    """Returns the text of a cell."""
    try:
        return function(program)
    except cells.NotApplicable:
        return "-"
    except (Failure, subprocess.TimeoutExpired) as failure:
        return f"no: {failure}"
    finally:
        program.end()


def table(rows):
    """Returns the table in Markdown."""
    lines = ["| program | " + " | ".join(cells.COLUMNS) + " |", "|---" * (len(cells.COLUMNS) + 1) + "|"]
    for name, found in rows.items():
        lines.append(f"| {name} | " + " | ".join(found.get(column, "") for column in cells.COLUMNS) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", default=".build/dist")
    parser.add_argument("--only", default="")
    parser.add_argument("--cells", default="")
    options = parser.parse_args()
    programs = PROGRAMS
    if options.only:
        wanted = options.only.lower().split(",")
        programs = [program for program in PROGRAMS if program.__name__.lower() in wanted]
    columns = {
        name: function for name, function in cells.COLUMNS.items()
        if not options.cells or any(name.startswith(wanted) for wanted in options.cells.split(","))}
    missing = [package for program, package in TOOLS.items() if shutil.which(program) is None]
    missing += [program.package for program in programs if shutil.which(program.executable) is None]
    if missing:
        names = " ".join(dict.fromkeys(missing))
        print(f"programs: missing: {names}; on Debian: apt-get install --no-install-recommends {names}",
              file=sys.stderr)
        return 1
    rows = {}
    for program in programs:
        with tempfile.TemporaryDirectory(prefix="xpb-programs-", ignore_cleanup_errors=True) as folder:
            with Desktop(options.binaries, folder) as desktop:
                rows[program.name] = {}
                for column, function in columns.items():
                    begin = time.monotonic()
                    cell = rows[program.name][column] = run_cell(program(desktop), function)
                    say(f"{program.name + ', ' + column + ':':<34} {cell} ({time.monotonic() - begin:.1f} s)")
    say("\n".join(table(rows)))
    return 1 if any(cell.startswith("no") for row in rows.values() for cell in row.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
