#!/usr/bin/python3
"""A plain X client that offers, or requests, all targets named in a file.

own FILE    owns CLIPBOARD and offers every name, with the name itself as its bytes; prints "owned", and
            exits at the end of stdin
check FILE  requests TARGETS from the owner of CLIPBOARD, and then each name, which must be listed and have the bytes of
            the file given by --bytes; prints "same" or the difference

Names are separated by NUL. They are bytes, and need not be UTF-8.
"""
import argparse
import select
import sys

from Xlib import X, Xatom, display
from Xlib.protocol import event


def read_names(path):
    with open(path, "rb") as file:
        return [name for name in file.read().split(b"\0") if name]


class Client:
    def __init__(self):
        self.display = display.Display()
        self.window = self.display.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        self.window.change_attributes(event_mask=X.PropertyChangeMask)
        self.clipboard = self.atom(b"CLIPBOARD")
        self.targets = self.atom(b"TARGETS")

    def atom(self, name):
        return self.display.intern_atom(name)

    def time(self):
        """Returns the server's current time, from the event of an empty append."""
        self.window.change_property(self.atom(b"XPB_NAMES_TIME"), Xatom.STRING, 8, b"", X.PropModeAppend)
        while True:
            notice = self.display.next_event()
            if notice.type == X.PropertyNotify:
                return notice.time


def own(client, names):
    atoms = {client.atom(name): name for name in names}
    client.window.set_selection_owner(client.clipboard, client.time())
    client.display.sync()
    print("owned", flush=True)
    while True:
        while client.display.pending_events():
            request = client.display.next_event()
            if request.type == X.SelectionRequest:
                answer(client, atoms, request)
        client.display.flush()
        # Sending may also read events. These are then already in the process, and no descriptor becomes readable for
        # them.
        if client.display.pending_events():
            continue
        ready, _, _ = select.select([client.display, sys.stdin], [], [])
        if sys.stdin in ready and not sys.stdin.readline():
            return


def answer(client, atoms, request):
    where = request.property
    if request.target == client.targets:
        request.requestor.change_property(where, Xatom.ATOM, 32, list(atoms))
    elif request.target in atoms:
        request.requestor.change_property(where, request.target, 8, atoms[request.target])
    else:
        where = X.NONE
    request.requestor.send_event(event.SelectionNotify(
        time=request.time, requestor=request.requestor, selection=request.selection, target=request.target,
        property=where))


def ask(client, target):
    where = client.atom(b"XPB_NAMES")
    client.window.convert_selection(client.clipboard, target, where, client.time())
    while True:
        notice = client.display.next_event()
        if notice.type == X.SelectionNotify:
            break
    if notice.property == X.NONE:
        return None
    value = client.window.get_full_property(where, X.AnyPropertyType)
    client.window.delete_property(where)
    return value.value if value else None


def check(client, names, expected):
    offered = set(ask(client, client.targets) or [])
    for name in names:
        atom = client.atom(name)
        if atom not in offered:
            return f"{name!r} is not on offer"
        found = ask(client, atom)
        found = found.encode("utf-8", "surrogateescape") if isinstance(found, str) else bytes(found or b"")
        if found != expected:
            return f"{name!r} gives {found!r}"
    return "same"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("role", choices=["own", "check"])
    parser.add_argument("names")
    parser.add_argument("--bytes", metavar="FILE")
    options = parser.parse_args()
    client = Client()
    if options.role == "own":
        own(client, read_names(options.names))
    else:
        with open(options.bytes, "rb") as file:
            print(check(client, read_names(options.names), file.read()), flush=True)


main()
