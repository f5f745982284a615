"""Runs editors, shells and tools that copy and paste by calling a clipboard program. The only clipboard program is xpb,
under the names xclip, xsel, pbcopy, pbpaste, wl-copy and wl-paste.

Each check has its own X server, bridge and home folder, and drives the real program. An independent X client reads the
program's copies, and makes the copies that the program pastes. The settings of the programs come from
Documents/Recipes.md.

It takes some minutes. The checks of systemd need root. Exit status: 0 if all checks pass, 1 if one fails or its program
is missing, 2 for a usage error.
"""

import pathlib
import subprocess
import tempfile
import time

from trials import Failure, begins, say, words_of
from trials.calling import autostart, editors, pickers, recipes, session, shells, systemd, tools
from trials.calling.checks import CHECKS as ALL_CHECKS

MODULES = [editors, shells, tools, pickers, autostart, systemd]
CHECKS = {
    check.name: check
    for module in MODULES for check in ALL_CHECKS.values() if check.run.__module__ == module.__name__}


def run_check(check, options, programs):
    """Returns None if the check passes, or else the reason of the failure."""
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
            reason = run_check(check, options, programs)
            failures += reason is not None
            say(f"{check.name + ':':<20} {reason or 'ok'} ({time.monotonic() - begin:.1f} s)")
    return failures


def add_options(parser):
    names = words_of(CHECKS, "check", begins)
    parser.add_argument(
        "--only", type=names, default=list(CHECKS), metavar="NAME[,NAME]",
        help="run only checks whose name begins with one of these")
    parser.add_argument(
        "--skip", type=names, default=[], metavar="NAME[,NAME]",
        help="skip checks whose name begins with one of these, for programs that are not installed")
    parser.add_argument(
        "--extra", type=lambda name: pathlib.Path(name).resolve(), metavar="DIR",
        help="a folder with programs that Debian 12 does not have: xclip.el, bin/cliphist and node_modules/clipboardy")
    parser.add_argument(
        "--list", action="store_true", help="list the checks, each with the programs that are missing; run no check")


def run(options):
    checks = [CHECKS[name] for name in options.only if name not in options.skip]
    skipped = [name for name in options.only if name in options.skip]
    if options.list:
        for check in checks:
            say(f"{check.name:<20} {'; '.join(check.missing(options.extra))}".rstrip())
        return 0
    failures = run_all(checks, options)
    if len(checks) == len(CHECKS) and (untried := sorted(recipes.all_recipes().keys() - recipes.used)):
        say(f"no check tries these recipes: {', '.join(untried)}")
        failures += 1
    if skipped:
        say(f"skipped: {', '.join(skipped)}")
    say(f"{len(checks) - failures} of {len(checks)} passed")
    return 1 if failures else 0
