"""The requestor of a selection, wrong in whatever way the options say."""

import hashlib
import time

from Xlib import X

from .connection import say


class Requestor:
    """Asks for one target, or for several by MULTIPLE, and reports what comes."""

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--target", default="UTF8_STRING")
        parser.add_argument("--multiple", nargs="+", metavar="TARGET")
        parser.add_argument("--pairs-type", default="ATOM_PAIR", metavar="TYPE")
        parser.add_argument("--property", default="XPB_PEER", help="'none' asks as obsolete clients do")
        parser.add_argument("--time", default="server", help="server, current, or a number")
        parser.add_argument("--out", metavar="FILE")
        parser.add_argument("--timeout", type=float, default=60, help="seconds of silence")
        parser.add_argument("--destroy", action="store_true", help="destroy the window right after asking")
        parser.add_argument("--never-delete", action="store_true", help="leave the reply where it is")
        parser.add_argument("--pause-after", type=int, metavar="CHUNKS", help="take so many, then wait for a command")

    def __init__(self, peer, options):
        self.peer = peer
        self.options = options
        self.selection = peer.atom(options.selection)
        self.targets = options.multiple or [options.target]
        self.properties = {}
        self.incoming = {}
        self.open = len(self.targets)
        self.paused = None
        self.status = 0

    def run(self):
        self.request()
        deadline = time.monotonic() + self.options.timeout
        while self.open:
            found = self.peer.next(None if self.paused else deadline)
            if found is None:
                say("timeout")
                return 3
            if isinstance(found, list):
                if found == ["quit"]:
                    return 1
                {"go": self.go, "destroy": self.destroy}[found[0]]()
                continue
            if found.type == X.SelectionNotify:
                self.notified(found)
            elif found.type == X.PropertyNotify and found.state == X.PropertyNewValue:
                self.more(found.atom)
            deadline = time.monotonic() + self.options.timeout
        return self.status

    def request(self):
        window = self.peer.window
        when = {"server": self.peer.server_time, "current": lambda: X.CurrentTime}.get(
            self.options.time, lambda: int(self.options.time))()
        if self.options.multiple:
            pairs = []
            for number, target in enumerate(self.targets):
                property = self.peer.atom(f"XPB_PEER_{number}")
                self.properties[property] = target
                pairs += [self.peer.atom(target), property]
            property = self.peer.atom("XPB_PEER_PAIRS")
            window.change_property(property, self.peer.atom(self.options.pairs_type), 32, pairs)
            target = self.peer.atom("MULTIPLE")
        else:
            target = self.peer.atom(self.options.target)
            property = X.NONE if self.options.property == "none" else self.peer.atom(self.options.property)
            self.properties[property or target] = self.options.target
        window.convert_selection(self.selection, target, property, when)
        self.peer.display.flush()
        say("asked", time=when, window=window.id)
        if self.options.destroy:
            self.destroy()

    def notified(self, notify):
        say("notify", property=self.peer.name(notify.property), target=self.peer.name(notify.target), time=notify.time)
        if notify.property == X.NONE:
            self.status, self.open = 1, 0
            say("refused")
        elif self.options.multiple:
            self.read_pairs(notify.property)
        else:
            self.read(notify.property)

    def read_pairs(self, property):
        """The failed conversions of a MULTIPLE have None in their property's place (ICCCM section 2.6.2)."""
        found = self.peer.read_property(self.peer.window, property)
        pairs = found[3] if found else []
        say("pairs", names=[self.peer.name(atom) for atom in pairs])
        done = [atom for atom in pairs[1::2] if atom != X.NONE]
        self.open = len(done)
        for atom in done:
            self.read(atom)

    def read(self, property):
        if self.options.never_delete:
            found = self.peer.window.get_property(property, X.AnyPropertyType, 0, 1)
            self.pause(property, None if found is None else found.property_type)
            return
        found = self.peer.read_property(self.peer.window, property)
        if found is None:
            self.status = 1
            self.open -= 1
            say("no-property", target=self.properties[property])
        elif self.peer.name(found[0]) == "INCR":
            say("incr", target=self.properties[property], values=found[3])
            self.incoming[property] = [None, None, b"", 0]
        else:
            self.finish(property, *found)

    def more(self, property):
        """A chunk of a transfer under way; an empty one ends it (ICCCM section 2.7.2)."""
        transfer = self.incoming.get(property)
        if transfer is None or self.paused:
            return
        found = self.peer.read_property(self.peer.window, property)
        if found is None:
            return
        kind, size, data, _ = found
        if not data:
            del self.incoming[property]
            kind, size = (kind, size) if transfer[0] is None else transfer[:2]
            self.finish(property, kind, size, transfer[2], None)
            return
        transfer[:] = kind, size, transfer[2] + data, transfer[3] + 1
        say("chunk", number=transfer[3], length=len(data), type=self.peer.name(kind))
        if self.options.pause_after == transfer[3]:
            self.pause(property, kind)

    def pause(self, property, kind):
        self.paused = property
        say("paused", type=self.peer.name(kind or X.NONE))

    def go(self):
        property, self.paused = self.paused, None
        if property in self.incoming:
            self.more(property)

    def destroy(self):
        self.peer.window.destroy()
        self.peer.display.sync()
        self.status, self.open = 1, 0
        say("destroyed")

    def finish(self, property, kind, size, data, values):
        self.open -= 1
        if self.options.out:
            with open(self.options.out, "wb") as file:
                file.write(data)
        type_name = self.peer.name(kind)
        if values is not None and type_name in ("ATOM", "TARGETS"):
            names = [self.peer.name(value) for value in values]
        else:
            names = None
        say("reply", target=self.properties[property], type=type_name, format=size, length=len(data),
            sha256=hashlib.sha256(data).hexdigest(), values=values, names=names,
            text=data.decode("latin-1") if size == 8 and len(data) <= 4096 else None)
