#!/usr/bin/python3
"""A raw peer of X11 selections: it does what it is told, wrong things included.

Run by the tests with Debian's Python (python3-xlib). It says what happens as one JSON object a line on stdout,
each with "event", and takes commands, one a line, on stdin; the end of stdin ends it.

  peer.py own      owns a selection and answers requests          commands: own, disown, renew, save, quit
  peer.py ask      asks for a selection, once                     commands: go, destroy, forge, quit
  peer.py crowd    asks for much at once, and counts the answers  commands: go, quit
  peer.py forge    sends a selection's owner a forged event       commands: quit
  peer.py known    says which names the X server knows            commands: none
  peer.py grab     holds the X server for itself                  commands: quit
  peer.py watch    says who owns a selection, by XFixes' events   commands: quit
  peer.py listen   says which manager selections are announced    commands: quit

Status: 0 done, 1 refused or ended by a fault, 2 usage, 3 no answer in time.
"""

import argparse
import signal
import sys

from icccm.connection import Peer
from icccm.crowd import Crowd
from icccm.forgeries import Forge
from icccm.owner import Owner
from icccm.requestor import Requestor
from icccm.watchers import Grab, Known, Listen, Watch

ROLES = {"own": Owner, "ask": Requestor, "crowd": Crowd, "forge": Forge, "known": Known, "grab": Grab, "watch": Watch,
         "listen": Listen}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    roles = parser.add_subparsers(dest="role", required=True)
    for name, make in ROLES.items():
        role = roles.add_parser(name)
        role.set_defaults(make=make)
        if hasattr(make, "add_arguments"):
            make.add_arguments(role)
        if name in ("own", "ask", "crowd", "forge", "watch"):
            role.add_argument("--selection", default="CLIPBOARD")
    return parser.parse_args()


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    options = arguments()
    return options.make(Peer(), options).run()


if __name__ == "__main__":
    sys.exit(main())
