#!/usr/bin/python3
"""A raw clipboard manager (freedesktop.org, "Clipboard Manager Specification"), with faults that options choose.

It owns CLIPBOARD_MANAGER. When it is asked to save CLIPBOARD, it fetches the named targets, takes over CLIPBOARD with
them, and answers. Its output has the format of peer.py's output, and it exits at the end of stdin.

  manager.py [--silent | --refuse | --wait]    with --wait, answers on the command go
"""

import argparse
import signal
import sys

from Xlib import X, Xatom
from Xlib.protocol import event as events

from icccm.connection import Peer, say


class Manager:
    def __init__(self, peer, options):
        self.peer = peer
        self.options = options
        self.role = peer.atom("CLIPBOARD_MANAGER")
        self.clipboard = peer.atom("CLIPBOARD")
        self.property = peer.atom("XPB_MANAGER")
        self.held = {}
        self.time = X.CurrentTime
        self.later = []

    def run(self):
        self.own(self.role)
        say("owned", window=self.peer.window.id)
        while True:
            found = self.next()
            if found == ["quit"]:
                return 0
            if found == ["go"]:
                self.options.wait = False
                for request in self.later:
                    self.answer(request)
            elif isinstance(found, list) or found.type != X.SelectionRequest:
                continue
            elif found.selection == self.role:
                self.asked(found)
            else:
                self.serve(found)

    def next(self):
        return self.peer.next()

    def own(self, selection):
        self.time = self.peer.server_time()
        self.peer.window.set_selection_owner(selection, self.time)
        self.peer.display.sync()

    def asked(self, request):
        if self.peer.name(request.target) != "SAVE_TARGETS":
            return self.notify(request, X.NONE)
        found = request.requestor.get_full_property(request.property, Xatom.ATOM)
        names = [self.peer.name(atom) for atom in found.value] if found else []
        say("save", names=names, target="SAVE_TARGETS")
        if self.options.silent:
            return
        if self.options.refuse:
            return self.notify(request, X.NONE)
        data = {name: self.fetch(name) for name in names}
        self.held = {name: value for name, value in data.items() if value}
        self.later.append(request)
        if not self.options.wait:
            self.answer(request)

    def answer(self, request):
        self.own(self.clipboard)
        request.requestor.change_property(request.property, self.peer.atom("NULL"), 32, [])
        self.notify(request, request.property)
        say("saved", names=list(self.held))

    def fetch(self, name):
        """Fetches one target of CLIPBOARD, with or without INCR, and returns its type and bytes; None if it is
        refused."""
        window = self.peer.new_window()
        window.convert_selection(self.clipboard, self.peer.atom(name), self.property, self.peer.server_time())
        kept, pieces, incremental = [], [], False
        while True:
            found = self.peer.next()
            if found == ["quit"]:
                raise SystemExit(0)
            if isinstance(found, list):
                kept.append(found)
            elif found.type == X.SelectionNotify and found.requestor == window:
                if found.property == X.NONE:
                    break
                kind, _, data, _ = self.peer.read_property(window, self.property)
                incremental = self.peer.name(kind) == "INCR"
                if not incremental:
                    pieces = [(kind, data)]
                    break
            elif found.type == X.PropertyNotify and found.window == window:
                if incremental and found.state == X.PropertyNewValue:
                    piece = self.peer.read_property(window, self.property)
                    if piece is None:
                        continue
                    pieces.append((piece[0], piece[2]))
                    if not piece[2]:
                        break
            elif found.type == X.SelectionRequest:
                kept.append(found)
        self.peer.queue.extend(kept)
        return (pieces[0][0], b"".join(data for _, data in pieces)) if pieces else None

    def serve(self, request):
        name = self.peer.name(request.target)
        property = request.property or request.target
        if name == "TARGETS":
            atoms = [self.peer.atom(held) for held in ["TARGETS", *self.held]]
            request.requestor.change_property(property, Xatom.ATOM, 32, atoms)
        elif name in self.held:
            kind, data = self.held[name]
            request.requestor.change_property(property, kind, 8, data)
        else:
            property = X.NONE
        self.notify(request, property)

    def notify(self, request, property):
        request.requestor.send_event(
            events.SelectionNotify(
                time=request.time, requestor=request.requestor, selection=request.selection,
                target=request.target, property=property))
        self.peer.display.flush()


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--refuse", action="store_true")
    parser.add_argument("--wait", action="store_true")
    return Manager(Peer(), parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
