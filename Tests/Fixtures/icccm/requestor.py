"""The requestor of a selection, with faults that options choose."""

import array
import hashlib
import time

from Xlib import X

from .connection import say
from .forgeries import forge_delete, forge_destroy


class Requestor:
    """Requests one target, several targets at once, or several targets with MULTIPLE, and reports the answers."""

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--target", default="UTF8_STRING")
        parser.add_argument("--beside", action="append", default=[], metavar="TARGET",
                            help="also request TARGET at the same time, with the same window and another property")
        parser.add_argument("--multiple", nargs="+", metavar="TARGET")
        parser.add_argument("--pair", nargs=2, action="append", default=[], metavar=("TARGET", "PROPERTY"),
                            help="a pair of MULTIPLE exactly as in the list; 'none' and '#NUMBER' are allowed")
        parser.add_argument("--pairs-type", default="ATOM_PAIR", metavar="TYPE")
        parser.add_argument("--pairs-format", type=int, default=32, choices=(8, 16, 32))
        parser.add_argument("--odd", action="store_true", help="leave the last property out of the list")
        parser.add_argument("--empty", action="store_true", help="leave all pairs out of the list")
        parser.add_argument("--no-list", action="store_true", help="leave out the whole list")
        parser.add_argument("--property", default="XPB_PEER", help="'none' for an obsolete client's request")
        parser.add_argument("--time", default="server", help="server, current, or a number")
        parser.add_argument("--out", metavar="FILE")
        parser.add_argument("--timeout", type=float, default=60, help="timeout in seconds without an event")
        parser.add_argument("--destroy", action="store_true", help="destroy the window right after the request")
        parser.add_argument("--destroy-at", choices=("notify", "last"),
                            help="destroy the window at the notify, or after the last chunk and before the empty chunk")
        parser.add_argument("--never-delete", action="store_true", help="do not delete the reply")
        parser.add_argument("--delete", choices=("once", "twice", "early"), default="once",
                            help="twice: delete the next chunk too, unread; early: delete the reply before its notify")
        parser.add_argument("--delay", type=float, metavar="SECONDS", help="wait before reading each chunk")
        parser.add_argument("--watch-owner", action="store_true", help="report the end of the owner's window")
        parser.add_argument("--again-after", type=int, metavar="CHUNKS", help="read CHUNKS chunks, then repeat the request")
        parser.add_argument("--pause-after", type=int, metavar="CHUNKS", help="read CHUNKS chunks, then wait for a command")

    def __init__(self, peer, options):
        self.peer = peer
        self.options = options
        self.selection = peer.atom(options.selection)
        self.properties = {}
        self.incoming = {}
        self.read_early = set()
        self.open = 1
        self.paused = None
        self.status = 0

    def run(self):
        if self.options.watch_owner:
            owner = self.peer.display.get_selection_owner(self.selection)
            owner.change_attributes(event_mask=X.StructureNotifyMask)
        self.request()
        deadline = time.monotonic() + self.options.timeout
        while self.open > 0:
            found = self.peer.next(None if self.paused else deadline)
            if found is None:
                say("timeout")
                return 3
            if isinstance(found, list):
                if found == ["quit"]:
                    return 1
                {"go": self.go, "destroy": self.destroy, "forge": self.forge}[found[0]](*found[1:])
                continue
            if found.type == X.SelectionNotify:
                self.notified(found)
            elif found.type == X.PropertyNotify and found.state == X.PropertyNewValue:
                self.more(found.atom)
            elif found.type == X.DestroyNotify:
                say("owner-gone", window=found.window.id)
            deadline = time.monotonic() + self.options.timeout
        return self.status

    # Requests

    def request(self):
        when = {"server": self.peer.server_time, "current": lambda: X.CurrentTime}.get(
            self.options.time, lambda: int(self.options.time))()
        if self.options.multiple or self.options.pair:
            self.request_pairs(when)
        else:
            property = X.NONE if self.options.property == "none" else self.peer.atom(self.options.property)
            self.convert(self.options.target, property, when)
            for number, target in enumerate(self.options.beside):
                self.convert(target, self.peer.atom(f"XPB_PEER_{number}"), when)
            self.open = 1 + len(self.options.beside)
        self.peer.display.flush()
        say("asked", time=when, window=self.peer.window.id)
        if self.options.destroy:
            self.destroy()

    def convert(self, target, property, when):
        atom = self.peer.atom(target)
        self.properties[property or atom] = target
        self.peer.window.convert_selection(self.selection, atom, property, when)

    def request_pairs(self, when):
        named = [(target, f"XPB_PEER_{number}") for number, target in enumerate(self.options.multiple or [])]
        pairs = []
        for target, name in named + [tuple(pair) for pair in self.options.pair]:
            property = self.listed(name)
            self.properties[property] = target
            pairs += [self.listed(target), property]
        if self.options.odd:
            pairs.pop()
        if self.options.empty:
            pairs.clear()
        property = X.NONE if self.options.property == "none" else self.peer.atom("XPB_PEER_PAIRS")
        if not self.options.no_list and property != X.NONE:
            size = self.options.pairs_format
            value = array.array("I", pairs).tobytes() if size == 8 else [number % 2 ** size for number in pairs]
            self.peer.window.change_property(property, self.peer.atom(self.options.pairs_type), size, value)
        self.peer.window.convert_selection(self.selection, self.peer.atom("MULTIPLE"), property, when)

    def listed(self, name):
        if name.startswith("#"):
            return int(name[1:])
        return X.NONE if name == "none" else self.peer.atom(name)

    # Answers

    def notified(self, notify):
        say("notify", property=self.peer.name(notify.property), target=self.peer.name(notify.target), time=notify.time,
            window=notify.requestor.id)
        if notify.property in self.read_early:
            self.read_early.remove(notify.property)
        elif notify.property == X.NONE:
            self.status = 1
            self.open -= 1
            say("refused", target=self.peer.name(notify.target))
        elif self.options.destroy_at == "notify":
            self.destroy()
        elif notify.target == self.peer.atom("MULTIPLE"):
            self.read_pairs(notify.property)
        else:
            self.read(notify.property)

    def read_pairs(self, property):
        """Reads the result of a MULTIPLE; failed conversions have None as their property (ICCCM section 2.6.2)."""
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
            self.incoming[property] = Incoming(found[3])
        else:
            self.finish(property, *found)

    def more(self, property):
        """Reads a chunk of a transfer; an empty chunk is the end (ICCCM section 2.7.2)."""
        transfer = self.incoming.get(property)
        if self.paused:
            return
        if transfer is None:
            if self.options.delete == "early" and property in self.properties:
                self.read_early.add(property)
                self.read(property)
            return
        if self.options.delay:
            time.sleep(self.options.delay)
        found = self.peer.read_property(self.peer.window, property)
        if found is None:
            return
        if not found[2]:
            del self.incoming[property]
            if transfer.kind and (transfer.kind, transfer.size) != found[:2]:
                say("other-end", type=self.peer.name(found[0]), format=found[1])
            self.finish(property, transfer.kind or found[0], transfer.size or found[1], bytes(transfer.data), None)
            return
        transfer.add(*found[:3])
        say("chunk", number=transfer.number, length=len(found[2]), type=self.peer.name(found[0]), format=found[1])
        if self.options.delete == "twice":
            self.lose(property)
        if self.options.destroy_at == "last" and transfer.is_whole():
            self.destroy()
        elif self.options.pause_after == transfer.number:
            self.pause(property, found[0])
        elif self.options.again_after == transfer.number:
            self.options.again_after = None
            del self.incoming[property]
            self.request()

    def lose(self, property):
        """Waits for the next chunk and deletes it unread, unless the chunk is empty."""
        others = []
        while True:
            found = self.peer.next()
            if not isinstance(found, list) and found.type == X.PropertyNotify and found.atom == property:
                if found.state == X.PropertyNewValue:
                    break
            else:
                others.append(found)
        value = self.peer.window.get_property(property, X.AnyPropertyType, 0, 1)
        if value is not None and len(value.value):
            self.peer.window.delete_property(property)
            self.peer.display.flush()
            say("lost-chunk")
        else:
            others.append(found)
        self.peer.queue.extendleft(reversed(others))

    def pause(self, property, kind):
        self.paused = property
        say("paused", type=self.peer.name(kind or X.NONE))

    # Commands

    def go(self):
        property, self.paused = self.paused, None
        if property in self.incoming:
            self.more(property)

    def destroy(self):
        self.peer.window.destroy()
        self.peer.display.sync()
        self.status, self.open = 1, 0
        say("destroyed")

    def forge(self, kind):
        """Sends the owner a forged event about this peer's window."""
        owner = self.peer.display.get_selection_owner(self.selection)
        if kind == "delete":
            forge_delete(self.peer, owner, self.peer.window, self.paused)
        else:
            forge_destroy(self.peer, owner, self.peer.window)
        say("forged")

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


class Incoming:
    """The part of a transfer that has been received."""

    def __init__(self, announced):
        self.announced = announced[0] if announced else 0
        self.kind = self.size = None
        self.data = bytearray()
        self.number = 0

    def add(self, kind, size, piece):
        self.kind, self.size = kind, size
        self.data += piece
        self.number += 1

    def is_whole(self):
        return len(self.data) >= self.announced
