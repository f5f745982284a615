"""Events forged with SendEvent. According to ICCCM section 2, clients send only SelectionNotify this way."""

from Xlib import X
from Xlib.protocol import event as events

from .connection import say


def send(peer, window, event):
    window.send_event(event)
    peer.display.sync()


def forge_delete(peer, owner, window, property):
    send(peer, owner, events.PropertyNotify(
        window=window, atom=property, time=peer.server_time(), state=X.PropertyDelete))


def forge_destroy(peer, owner, window):
    send(peer, owner, events.DestroyNotify(event=window, window=window))


class Forge:
    """Sends a selection's owner a forged event about the owner, requests TIMESTAMP from it, and reports each answer."""

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--event", choices=("request", "clear", "destroy"), required=True)
        parser.add_argument("--target", default="UTF8_STRING")

    def __init__(self, peer, options):
        self.peer = peer
        self.options = options
        self.selection = peer.atom(options.selection)

    def run(self):
        owner = self.peer.display.get_selection_owner(self.selection)
        now = self.peer.server_time()
        if self.options.event == "request":
            send(self.peer, owner, events.SelectionRequest(
                time=now, owner=owner, requestor=self.peer.window, selection=self.selection,
                target=self.peer.atom(self.options.target), property=self.peer.atom("XPB_PEER_FORGED")))
        elif self.options.event == "clear":
            send(self.peer, owner, events.SelectionClear(time=now, window=owner, atom=self.selection))
        else:
            forge_destroy(self.peer, owner, owner)
        say("forged", window=owner.id)
        # The owner handles events in order, so an answer to the forged event would arrive first.
        self.peer.window.convert_selection(
            self.selection, self.peer.atom("TIMESTAMP"), self.peer.atom("XPB_PEER"), self.peer.server_time())
        self.peer.display.flush()
        while True:
            found = self.peer.next()
            if found == ["quit"]:
                return 1
            if found.type == X.SelectionNotify:
                say("notify", target=self.peer.name(found.target), property=self.peer.name(found.property))
                if found.target == self.peer.atom("TIMESTAMP"):
                    return 0
