"""Observers of the server, and a client that grabs it."""

from Xlib import X
from Xlib.ext import xfixes

from .connection import say


class Grab:
    """Grabs the X server until the command quit. A peer that is stopped by a signal holds the grab forever."""

    def __init__(self, peer, options):
        self.peer = peer

    def run(self):
        self.peer.display.grab_server()
        self.peer.display.sync()
        say("grabbed")
        while self.peer.next() != ["quit"]:
            pass
        self.peer.display.ungrab_server()
        self.peer.display.sync()
        return 0


class Known:
    """Reports which of the given names are atoms of the server, without creating atoms."""

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("names", nargs="+", metavar="NAME")

    def __init__(self, peer, options):
        self.peer = peer
        self.names = options.names

    def run(self):
        known = [name for name in self.names
                 if self.peer.display.intern_atom(name, only_if_exists=True) != X.NONE]
        say("known", names=known)
        return 0


class Watch:
    """Reports each change of a selection's owner."""

    def __init__(self, peer, options):
        self.peer = peer
        self.selection = peer.atom(options.selection)

    def run(self):
        self.peer.display.xfixes_query_version()
        mask = (xfixes.XFixesSetSelectionOwnerNotifyMask | xfixes.XFixesSelectionWindowDestroyNotifyMask
                | xfixes.XFixesSelectionClientCloseNotifyMask)
        self.peer.display.xfixes_select_selection_input(self.peer.root, self.selection, mask)
        self.peer.display.sync()
        say("watching")
        while True:
            found = self.peer.next()
            if found == ["quit"]:
                return 0
            if type(found).__name__ == "SetSelectionOwnerNotify":
                say("owner", window=found.owner.id if found.owner else 0, time=found.selection_timestamp)
            elif hasattr(found, "selection_timestamp"):
                say("gone", time=found.selection_timestamp)


class Listen:
    """Reports the client messages MANAGER sent to the root window (ICCCM section 2.8)."""

    def __init__(self, peer, options):
        self.peer = peer

    def run(self):
        self.peer.root.change_attributes(event_mask=X.StructureNotifyMask)
        self.peer.display.sync()
        say("listening")
        while True:
            found = self.peer.next()
            if found == ["quit"]:
                return 0
            if found.type == X.ClientMessage and self.peer.name(found.client_type) == "MANAGER":
                _, values = found.data
                say("manager", time=values[0], target=self.peer.name(values[1]), window=values[2])
