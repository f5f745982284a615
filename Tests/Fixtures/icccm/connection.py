"""A connection to the X server, and the output of the peer."""

import array
import collections
import json
import os
import select
import time

from Xlib import X, Xatom, display, error


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
        """Returns the server's time, from a PropertyNotify for an empty append (ICCCM section 2.1)."""
        clock = self.atom("XPB_PEER_CLOCK")
        self.window.change_property(clock, Xatom.INTEGER, 32, [], X.PropModeAppend)
        while True:
            found = self.display.next_event()
            if found.type == X.PropertyNotify and found.atom == clock:
                return found.time
            self.queue.append(found)

    def next(self, deadline=None):
        """Returns the next X event, or a command as a list of words; None at the deadline (of time.monotonic)."""
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
            # python-xlib's flush() keeps data that a full socket does not accept, and sends the data when the socket is
            # writable.
            unsent = [self.display] if self.display.display.data_send else []
            ready, writable, _ = select.select([self.display, 0], unsent, [], left)
            if not ready and not writable:
                return None
            if 0 in ready:
                piece = os.read(0, 65536)
                self.input += piece
                self.input_ended = not piece

    def command(self):
        """Returns the next command as a list of words, without reading events."""
        while b"\n" not in self.input:
            piece = os.read(0, 65536)
            if not piece:
                return ["quit"]
            self.input += piece
        line, self.input = self.input.split(b"\n", 1)
        return line.decode().split()

    def read_property(self, window, atom):
        """Reads and deletes a property: its type, format, bytes and, for format 32, its values."""
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
