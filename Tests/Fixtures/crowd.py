#!/usr/bin/python3
"""A plain X client with many windows, each of which asks CLIPBOARD for a target and takes nothing of what comes.

  crowd.py WINDOWS TARGET    says {"served": N, "refused": N} once all are answered; ends at the end of standard input
  crowd.py --known NAME...   says which of the names are atoms of the server, and makes none
"""

import argparse
import json
import select
import sys

from Xlib import X, display


def ask(server, windows, target):
    root = server.screen().root
    selection, wanted, property = (server.intern_atom(name) for name in ("CLIPBOARD", target, "XPB_CROWD"))
    for _ in range(windows):
        root.create_window(0, 0, 1, 1, 0, X.CopyFromParent).convert_selection(
            selection, wanted, property, X.CurrentTime)
    server.flush()
    answers = {True: 0, False: 0}
    while sum(answers.values()) < windows:
        event = server.next_event()
        if event.type == X.SelectionNotify:
            answers[event.property != X.NONE] += 1
    print(json.dumps({"served": answers[True], "refused": answers[False]}), flush=True)
    select.select([0], [], [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--known", nargs="+", metavar="NAME")
    parser.add_argument("windows", type=int, nargs="?")
    parser.add_argument("target", nargs="?")
    options = parser.parse_args()
    server = display.Display()
    if options.known:
        known = [name for name in options.known if server.intern_atom(name, only_if_exists=True) != X.NONE]
        print(json.dumps({"known": known}), flush=True)
    else:
        ask(server, options.windows, options.target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
