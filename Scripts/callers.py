"""Runs programs that copy and paste by calling a clipboard program, where xpb under other names is the only one.

Each check has an X server, a bridge and a home folder of its own, and drives the real program. An independent X client
reads what it copies, and copies what it pastes. The settings of the programs are those of Documents/Recipes.md.

Exit status: 0 if all checks pass, 1 if one fails, 2 for a usage error.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

from calling import autostart, editors, pickers, recipes, session, shells, systemd, tools
from calling.checks import CHECKS as ALL_CHECKS
from testbed import Failure, say

MODULES = [editors, shells, tools, pickers, autostart, systemd]
CHECKS = {
    check.name: check
    for module in MODULES for check in ALL_CHECKS.values() if check.run.__module__ == module.__name__}
# The programs of the desktop itself.
TOOLS = {"Xvfb": "xvfb", "openbox": "openbox", "dbus-daemon": "dbus"}


def run(check, options, programs):
    """Returns None if the check passes, else the reason."""
    if missing := check.missing(options.extra):
        return "missing: " + ", ".join(missing)
    in_session = check.run.__module__ in (autostart.__name__, systemd.__name__)
    make = autostart.Session if in_session else session.CallerDesk
    with tempfile.TemporaryDirectory(prefix="xpb-callers-", ignore_cleanup_errors=True) as folder:
        try:
            with make(options.binaries, folder, programs, options.extra) as desk:
                check.run(desk)
        except (Failure, OSError, subprocess.SubprocessError) as failure:
            return str(failure) or repr(failure)
    return None


def run_all(checks, options):
    """Returns the number of failures."""
    failures = 0
    with tempfile.TemporaryDirectory(prefix="xpb-programs-") as folder:
        programs = pathlib.Path(folder) / "bin"
        session.programs_folder(programs, options.binaries)
        for check in checks:
            begin = time.monotonic()
            reason = run(check, options, programs)
            failures += reason is not None
            say(f"{check.name + ':':<20} {reason or 'ok'} ({time.monotonic() - begin:.1f} s)")
    return failures


def chosen(options, parser):
    """Returns the checks that the options name."""
    def named(words):
        found = [name for name in CHECKS if any(name.startswith(word) for word in words)]
        for word in words:
            if not any(name.startswith(word) for name in CHECKS):
                parser.error(f"no check '{word}'; there are: {', '.join(CHECKS)}")
        return found

    only = named(options.only.split(",")) if options.only else list(CHECKS)
    skipped = named(options.skip.split(",")) if options.skip else []
    return [CHECKS[name] for name in only if name not in skipped], [name for name in only if name in skipped]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", default=".build/dist")
    parser.add_argument("--only")
    parser.add_argument("--skip")
    parser.add_argument("--extra", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    options.extra = options.extra and options.extra.resolve()
    checks, skipped = chosen(options, parser)
    if options.list:
        for check in checks:
            say(f"{check.name:<20} {'; '.join(check.missing(options.extra))}".rstrip())
        return 0
    for name in ("xpb", "xpbd"):
        if not pathlib.Path(options.binaries, name).exists():
            print(f"callers: no {options.binaries}/{name}; Scripts/build makes it", file=sys.stderr)
            return 1
    failures = run_all(checks, options)
    if len(checks) == len(CHECKS) and (untried := sorted(recipes.all_recipes().keys() - recipes.used)):
        say(f"no check tries these recipes: {', '.join(untried)}")
        failures += 1
    if skipped:
        say(f"skipped: {', '.join(skipped)}")
    say(f"{len(checks) - failures} of {len(checks)} passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
