#!/usr/bin/python3
"""A raw peer of X11 selections: it does what it is told, wrong things included.

Run by the tests with Debian's Python (python3-xlib). It says what happens as one JSON object a line on stdout,
each with "event", and takes commands, one a line, on stdin; the end of stdin ends it.

  peer.py own      owns a selection and answers requests          commands: own, disown, renew, save, quit
  peer.py ask      asks for a selection, once                     commands: go, destroy, quit
  peer.py grab     holds the X server for itself                  commands: quit
  peer.py watch    says who owns a selection, by XFixes' events   commands: quit
  peer.py listen   says which manager selections are announced    commands: quit

Status: 0 done, 1 refused or ended by a fault, 2 usage, 3 no answer in time.
"""

import argparse
import array
import collections
import hashlib
import json
import os
import select
import signal
import sys
import time

from Xlib import X, Xatom, display, error
from Xlib.ext import xfixes
from Xlib.protocol import event as events, request as requests


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


class Peer:
    """A connection with one window, and the loop over the display and stdin."""

    def __init__(self):
        self.display = display.Display()
        self.display.set_error_handler(lambda failure, request: say("error", name=type(failure).__name__))
        self.root = self.display.screen().root
        self.window = self.new_window()
        self.queue = collections.deque()
        self.input = b""
        self.input_ended = False

    def new_window(self):
        return self.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)

    def atom(self, name):
        return self.display.intern_atom(name)

    def name(self, atom):
        if atom == X.NONE:
            return None
        try:
            return self.display.get_atom_name(atom)
        except error.BadAtom:
            return f"#{atom}"

    def server_time(self):
        """The time of a PropertyNotify for an append of nothing (ICCCM section 2.1)."""
        clock = self.atom("XPB_PEER_CLOCK")
        self.window.change_property(clock, Xatom.INTEGER, 32, [], X.PropModeAppend)
        while True:
            found = self.display.next_event()
            if found.type == X.PropertyNotify and found.atom == clock:
                return found.time
            self.queue.append(found)

    def next(self, deadline=None):
        """The next X event, or a command's words as a list; None at the deadline (of time.monotonic)."""
        while True:
            if self.queue:
                return self.queue.popleft()
            if self.display.pending_events():
                return self.display.next_event()
            if b"\n" in self.input:
                line, self.input = self.input.split(b"\n", 1)
                return line.decode().split()
            if self.input_ended:
                return ["quit"]
            left = None if deadline is None else max(0, deadline - time.monotonic())
            ready, _, _ = select.select([self.display, 0], [], [], left)
            if not ready:
                return None
            if 0 in ready:
                piece = os.read(0, 65536)
                self.input += piece
                self.input_ended = not piece

    def read_property(self, window, atom):
        """Type, format, bytes and, for format 32, the values of a property, which is then deleted."""
        found = window.get_full_property(atom, X.AnyPropertyType)
        if found is None:
            return None
        window.delete_property(atom)
        self.display.flush()
        value = found.value
        if found.format == 8:
            value = value.encode("latin-1") if isinstance(value, str) else bytes(value)
            return found.property_type, 8, value, None
        code = {16: "H", 32: "I"}[found.format]
        return found.property_type, found.format, array.array(code, value).tobytes(), list(value)


class Owner:
    """Owns a selection, and answers each request as the options say."""

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


class Requestor:
    """Asks for one target, or for several by MULTIPLE, and reports what comes."""

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


class Grab:
    """Holds the X server until it is told to end; stopped by a signal, it holds it for good."""

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


class Watch:
    """Says each change of a selection's owner."""

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
    """Says the client messages MANAGER that come to the root window (ICCCM section 2.8)."""

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


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    roles = parser.add_subparsers(dest="role", required=True)

    own = roles.add_parser("own")
    own.set_defaults(make=Owner)
    own.add_argument("--offer", nargs=2, action="append", default=[], metavar=("TARGET", "FILE"))
    own.add_argument("--type", nargs=2, action="append", default=[], metavar=("TARGET", "TYPE"),
                     help="the property's type, where it is not the target")
    own.add_argument("--format", nargs=2, action="append", default=[], metavar=("TARGET", "8|16|32"))
    own.add_argument("--refuse", action="append", default=[], metavar="TARGET")
    own.add_argument("--silent-for", action="append", default=[], metavar="TARGET")
    own.add_argument("--silent", action="store_true", help="answer nothing")
    own.add_argument("--incr", type=int, metavar="BYTES", help="send what is longer in chunks of that many bytes")
    own.add_argument("--hint", type=int, help="the INCR property's number instead of the length; -1: an empty one")
    own.add_argument("--stall-after", type=int, metavar="CHUNKS")
    own.add_argument("--die-after", type=int, metavar="CHUNKS")

    ask = roles.add_parser("ask")
    ask.set_defaults(make=Requestor)
    ask.add_argument("--target", default="UTF8_STRING")
    ask.add_argument("--multiple", nargs="+", metavar="TARGET")
    ask.add_argument("--pairs-type", default="ATOM_PAIR", metavar="TYPE")
    ask.add_argument("--property", default="XPB_PEER", help="'none' asks as obsolete clients do")
    ask.add_argument("--time", default="server", help="server, current, or a number")
    ask.add_argument("--out", metavar="FILE")
    ask.add_argument("--timeout", type=float, default=60, help="seconds of silence")
    ask.add_argument("--destroy", action="store_true", help="destroy the window right after asking")
    ask.add_argument("--never-delete", action="store_true", help="leave the reply where it is")
    ask.add_argument("--pause-after", type=int, metavar="CHUNKS", help="take so many, then wait for a command")

    roles.add_parser("grab").set_defaults(make=Grab)
    roles.add_parser("watch").set_defaults(make=Watch)
    roles.add_parser("listen").set_defaults(make=Listen)
    for role in (own, ask, roles.choices["watch"]):
        role.add_argument("--selection", default="CLIPBOARD")
    return parser.parse_args()


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    options = arguments()
    return options.make(Peer(), options).run()


if __name__ == "__main__":
    sys.exit(main())
