#!/usr/bin/python3
"""A raw peer of X11 selections. It follows its commands, even if they break the rules.

Run by the tests with Debian's Python (python3-xlib). It reports each event as a line of JSON with the member "event" on
stdout, and reads commands, one per line, from stdin. It exits at the end of stdin.

  peer.py own      owns a selection and answers requests            commands: own, disown, renew, save, quit
  peer.py ask      requests a selection once                        commands: go, destroy, forge, quit
  peer.py crowd    sends many requests and counts the answers       commands: go, quit
  peer.py forge    sends a selection's owner a forged event         commands: quit
  peer.py known    reports the names that are atoms of the server   commands: none
  peer.py grab     grabs the X server                               commands: quit
  peer.py watch    reports the owners of a selection, with XFixes   commands: quit
  peer.py listen   reports announced manager selections             commands: quit
  peer.py rows     serves Tests/Fixtures/dropin_row.sh              commands: from a FIFO

Status: 0 success, 1 refused or failed, 2 usage, 3 timeout.
"""

import argparse
import signal
import sys

from icccm.connection import Peer
from icccm.crowd import Crowd
from icccm.forgeries import Forge
from icccm.owner import Owner
from icccm.requestor import Requestor
from icccm.rows import Rows
from icccm.watchers import Grab, Known, Listen, Watch

ROLES = {"own": Owner, "ask": Requestor, "crowd": Crowd, "forge": Forge, "known": Known, "grab": Grab, "watch": Watch,
         "listen": Listen, "rows": Rows}


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
