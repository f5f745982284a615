"""Simulates machines that `xpb link` connects over ssh, on the loopback interface.

ring      copies at random on three machines that share one pasteboard in a ring of links, cuts the links, and compares
          contents, counts and histories
traffic   counts the bytes that cross for 1 GiB that nobody pastes, and compares a paste of it with scp
figures   compares `xpb get` and `xpb set` over a link with xclip over ssh and over X forwarding
programs  copies and pastes in desktop programs over a shared link
faults    checks slow, broken and doubled links, kills, full disks and folders that others may read

The trial needs sshd; `figures` also needs Xvfb, xclip and xauth, and `programs` the programs of the trial `programs`.
"""

import argparse
import pathlib
import tempfile

from trials import Failure
from trials.linking import faults, figures, programs, ring, traffic

PARTS = {"ring": ring.run, "traffic": traffic.run, "figures": figures.run, "programs": programs.run,
         "faults": faults.run}


def add_options(parser):
    parser.add_argument("part", nargs="*", type=part, metavar="PART", help="the parts to run (default: all)")
    parser.add_argument(
        "--folder", metavar="DIR", help="folder for the machines, which must have a short path (default: in /tmp)")
    group = parser.add_argument_group("ring")
    group.add_argument("--copies", type=int, default=2_000, metavar="N", help="number of changes (default: 2,000)")
    group.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default: 1)")
    group.add_argument(
        "--cuts", default="close,drop,stop,restart", metavar="KINDS",
        help="kinds of cuts, or none (default: close,drop,stop,restart)")
    group.add_argument("--faults", type=int, default=20, metavar="N", help="stop after N faults (default: 20)")
    group = parser.add_argument_group("traffic and figures")
    group.add_argument("--rounds", type=int, metavar="N", help="rounds (default: 3 for traffic, 10 and 5 for figures)")
    group.add_argument(
        "--mebibytes", type=int, metavar="N", help="size in MiB (default: 1024 for traffic, 128 for figures)")


def part(text):
    if text not in PARTS:
        raise argparse.ArgumentTypeError(f"there is no part '{text}'")
    return text


def run(options):
    failed = 0
    for name in options.part or PARTS:
        with tempfile.TemporaryDirectory(prefix="xpb-", dir=options.folder or "/tmp") as folder:
            try:
                failed += PARTS[name](options, pathlib.Path(folder))
            except Failure as failure:
                print(f"{name}: {failure}")
                failed += 1
    return 1 if failed else 0
