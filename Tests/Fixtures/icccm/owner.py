"""The owner of a selection, wrong in whatever way the options say."""

import array
import os
import signal

from Xlib import X, Xatom
from Xlib.protocol import event as events, request as requests

from .connection import say


class Owner:
    """Owns a selection, and answers each request as the options say."""

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--offer", nargs=2, action="append", default=[], metavar=("TARGET", "FILE"))
        parser.add_argument("--type", nargs=2, action="append", default=[], metavar=("TARGET", "TYPE"),
                            help="the property's type, where it is not the target")
        parser.add_argument("--format", nargs=2, action="append", default=[], metavar=("TARGET", "8|16|32"))
        parser.add_argument("--refuse", action="append", default=[], metavar="TARGET")
        parser.add_argument("--silent-for", action="append", default=[], metavar="TARGET")
        parser.add_argument("--silent", action="store_true", help="answer nothing")
        parser.add_argument("--incr", type=int, metavar="BYTES", help="send what is longer in chunks of that many bytes")
        parser.add_argument("--hint", type=int, help="the INCR property's number instead of the length; -1: an empty one")
        parser.add_argument("--stall-after", type=int, metavar="CHUNKS")
        parser.add_argument("--die-after", type=int, metavar="CHUNKS")

    def __init__(self, peer, options):
        self.peer = peer
        self.options = options
        self.selection = peer.atom(options.selection)
        self.files = dict(options.offer)
        self.types = dict(options.type)
        self.formats = {name: int(value) for name, value in options.format}
        self.transfers = {}
        self.time = X.CurrentTime

    def run(self):
        self.own()
        while True:
            found = self.peer.next()
            if isinstance(found, list):
                if found == ["quit"]:
                    return 0
                {"own": self.own, "disown": self.disown, "renew": self.renew, "save": self.save}[found[0]](*found[1:])
            elif found.type == X.SelectionNotify:
                self.saved(found)
            elif found.type == X.SelectionRequest:
                self.answer(found)
            elif found.type == X.SelectionClear:
                say("lost", time=found.time)
            elif found.type == X.PropertyNotify and found.state == X.PropertyDelete:
                self.advance(found.window.id, found.atom)

    def own(self):
        self.time = self.peer.server_time()
        self.peer.window.set_selection_owner(self.selection, self.time)
        held = self.peer.display.get_selection_owner(self.selection)
        say("owned" if held == self.peer.window else "not-owned", time=self.time, window=self.peer.window.id)

    def disown(self):
        requests.SetSelectionOwner(
            display=self.peer.display.display, window=X.NONE, selection=self.selection, time=self.time)
        self.peer.display.sync()
        say("disowned")

    def renew(self):
        """Destroys its window and owns with another one at once, as Wine does at every copy."""
        former, self.peer.window = self.peer.window, self.peer.new_window()
        self.time = self.peer.server_time()
        former.destroy()
        self.peer.window.set_selection_owner(self.selection, self.time)
        self.peer.display.sync()
        say("owned", time=self.time, window=self.peer.window.id)

    def save(self, *names):
        """Has the clipboard manager take these targets, or all for none (freedesktop.org's specification)."""
        property = self.peer.atom("XPB_PEER_SAVE")
        if names:
            self.peer.window.change_property(property, Xatom.ATOM, 32, [self.peer.atom(name) for name in names])
        self.peer.window.convert_selection(
            self.peer.atom("CLIPBOARD_MANAGER"), self.peer.atom("SAVE_TARGETS"), property, self.peer.server_time())
        self.peer.display.flush()

    def saved(self, notify):
        found = self.peer.read_property(self.peer.window, notify.property) if notify.property else None
        kind, size, data, _ = found or (X.NONE, 0, b"", None)
        say("saved" if found else "not-saved", type=self.peer.name(kind), format=size, length=len(data))

    def answer(self, request):
        target = self.peer.name(request.target)
        wanted = self.peer.name(request.property)
        say("request", target=target, property=wanted, time=request.time, window=request.requestor.id)
        if self.options.silent or target in self.options.silent_for:
            say("silent", target=target)
            return
        property = request.property or request.target
        done = target not in self.options.refuse and self.convert(request.requestor, target, property)
        self.notify(request, property if done else X.NONE)
        say("answered" if done else "refused", target=target)

    def convert(self, window, target, property):
        """Writes the target into the property; False is a refusal."""
        if target == "TARGETS" and "TARGETS" not in self.files:
            names = ["TARGETS", "TIMESTAMP", *self.files]
            kind = self.peer.atom(self.types.get(target, "ATOM"))
            window.change_property(property, kind, 32, [self.peer.atom(name) for name in names])
            return True
        if target == "TIMESTAMP":
            window.change_property(property, Xatom.INTEGER, 32, [self.time])
            return True
        if target not in self.files:
            return False
        kind = self.peer.atom(self.types.get(target, target))
        size = self.formats.get(target, 8)
        # Read anew each time: a file that changes is an owner that changes its data without telling.
        with open(self.files[target], "rb") as file:
            data = file.read()
        if self.options.incr and len(data) > self.options.incr:
            self.begin(window, property, kind, size, data)
        else:
            window.change_property(property, kind, size, elements(data, size))
        return True

    def begin(self, window, property, kind, size, data):
        window.change_attributes(event_mask=X.PropertyChangeMask | X.StructureNotifyMask)
        hint = len(data) if self.options.hint is None else self.options.hint
        window.change_property(property, self.peer.atom("INCR"), 32, [] if hint < 0 else [hint])
        self.transfers[window.id, property] = [window, kind, size, data, 0, 0]

    def advance(self, window, property):
        transfer = self.transfers.get((window, property))
        if transfer is None:
            return
        target, kind, size, data, offset, number = transfer
        if self.options.stall_after is not None and number >= self.options.stall_after:
            say("stalled", chunks=number)
            return
        if self.options.die_after is not None and number >= self.options.die_after:
            say("dying", chunks=number)
            os.kill(os.getpid(), signal.SIGKILL)
        piece = data[offset:offset + self.options.incr]
        target.change_property(property, kind, size, elements(piece, size))
        self.peer.display.flush()
        transfer[4:] = offset + len(piece), number + 1
        if piece:
            say("chunk", number=number + 1, length=len(piece))
        else:
            del self.transfers[window, property]
            say("sent", length=len(data))

    def notify(self, request, property):
        request.requestor.send_event(
            events.SelectionNotify(
                time=request.time, requestor=request.requestor, selection=request.selection,
                target=request.target, property=property))
        self.peer.display.flush()


def elements(data, size):
    """What python-xlib takes for a property of that format."""
    return data if size == 8 else array.array({16: "H", 32: "I"}[size], data).tolist()
