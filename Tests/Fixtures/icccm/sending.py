"""The owner's side of INCR, with faults that options choose (ICCCM section 2.7.2)."""

import array
import os
import select
import signal
import struct
import time

from Xlib import X

from .connection import say

CODES = {16: "H", 32: "I"}
X_CHANGE_PROPERTY = 18


def elements(data, size):
    """Converts bytes to the value that python-xlib takes for a property of this format."""
    return data if size == 8 else array.array(CODES[size], data).tolist()


def packed(values, size):
    """Converts values of a property with this format to bytes."""
    return array.array(CODES[size], values).tobytes()


class Transfer:
    def __init__(self, window, property, target, kind, size, data):
        self.window = window
        self.property = property
        self.target = target
        self.kind = kind
        self.size = size
        self.data = data
        self.offset = 0
        self.number = 0
        # The time of the next chunk, if it is delayed.
        self.due = None


class Sending:
    """The transfers in progress, by window and property."""

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--incr", type=int, metavar="BYTES", help="send longer data in chunks of BYTES bytes")
        parser.add_argument("--hint", type=int, help="the number in the INCR property instead of the length; -1 for none")
        parser.add_argument("--hint-format", type=int, default=32, choices=[8, 16, 32], help="format of the INCR property")
        parser.add_argument("--stall-after", type=int, metavar="CHUNKS")
        parser.add_argument("--die-after", type=int, metavar="CHUNKS")
        parser.add_argument("--early", type=int, default=0, metavar="CHUNKS",
                            help="write CHUNKS chunks before the property is deleted")
        parser.add_argument("--change-type-after", type=int, metavar="CHUNKS")
        parser.add_argument("--change-format-after", type=int, metavar="CHUNKS")
        parser.add_argument("--no-final", action="store_true", help="never send the empty chunk")
        parser.add_argument("--endless", action="store_true", help="start again at the end of the data")
        parser.add_argument("--delay", type=float, metavar="SECONDS", help="wait before sending each chunk")
        parser.add_argument("--quiet", action="store_true", help="do not report chunks")
        parser.add_argument("--rapid", action="store_true",
                            help="send chunks of one byte without the queues of python-xlib, which take ten "
                                 "times as long; nothing else is answered until the end")

    def __init__(self, owner, options):
        self.owner = owner
        self.peer = owner.peer
        self.options = options
        self.transfers = {}

    def begin(self, window, property, target, kind, size, data):
        window.change_attributes(event_mask=X.PropertyChangeMask | X.StructureNotifyMask)
        hint = len(data) if self.options.hint is None else self.options.hint
        value = [] if hint < 0 else elements(hint.to_bytes(4, "little"), self.options.hint_format)
        window.change_property(property, self.peer.atom("INCR"), self.options.hint_format, value)
        transfer = Transfer(window, property, target, kind, size, data)
        self.transfers[window.id, property] = transfer
        self.owner.step(target, "incr")
        for _ in range(self.options.early):
            self.send(transfer)

    def advance(self, window, property):
        transfer = self.transfers.get((window, property))
        if transfer is None:
            return
        if self.options.stall_after is not None and transfer.number >= self.options.stall_after:
            say("stalled", number=transfer.number)
        elif self.options.die_after is not None and transfer.number >= self.options.die_after:
            say("dying", number=transfer.number)
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.options.delay:
            transfer.due = time.monotonic() + self.options.delay
        elif self.options.rapid:
            self.send_bytes(transfer)
            self.send(transfer)
        else:
            self.send(transfer)

    def send(self, transfer):
        transfer.due = None
        piece = transfer.data[transfer.offset:transfer.offset + self.options.incr]
        if not piece and self.options.endless:
            transfer.offset = 0
            piece = transfer.data[:self.options.incr]
        self.owner.step(transfer.target, f"chunk:{transfer.number}" if piece else "final")
        if not piece and self.options.no_final:
            return say("unfinished", length=len(transfer.data))
        kind, size = transfer.kind, transfer.size
        if self.options.change_type_after is not None and transfer.number >= self.options.change_type_after:
            kind = self.peer.atom("XPB_PEER_OTHER")
        if self.options.change_format_after is not None and transfer.number >= self.options.change_format_after:
            size = 32
            piece = piece[:len(piece) // 4 * 4]
        transfer.window.change_property(transfer.property, kind, size, elements(piece, size))
        self.peer.display.flush()
        transfer.offset += len(piece)
        transfer.number += 1
        if not piece:
            del self.transfers[transfer.window.id, transfer.property]
            say("sent", length=len(transfer.data), target=transfer.target)
        elif not self.options.quiet:
            say("chunk", number=transfer.number, length=len(piece))

    def send_bytes(self, transfer):
        """Writes each byte after the previous byte was deleted, up to the end of the data."""
        connection = self.peer.display.display
        identity = transfer.window.id, transfer.property
        self.peer.display.flush()
        for byte in transfer.data:
            connection.socket.sendall(
                struct.pack("=BBHIIIB3xIB3x", X_CHANGE_PROPERTY, 0, 7, *identity, transfer.kind, 8, 1, byte))
            while self.next_change(connection.socket) != (*identity, X.PropertyDelete):
                pass
        # Corrects the serial number of the next request.
        connection.request_serial = (connection.request_serial + len(transfer.data)) % 65536
        transfer.offset = len(transfer.data)

    @staticmethod
    def next_change(socket):
        """Returns the window, property and state of the next PropertyNotify; no other event is expected."""
        event = b""
        while len(event) < 32:
            select.select([socket], [], [])
            event += socket.recv(32 - len(event))
        code, window, property, state = struct.unpack("=B3xII4xB15x", event)
        if code != X.PropertyNotify:
            raise RuntimeError(f"unexpected event {code}")
        return window, property, state

    def deadline(self):
        return min((transfer.due for transfer in self.transfers.values() if transfer.due), default=None)

    def pass_time(self):
        now = time.monotonic()
        for transfer in list(self.transfers.values()):
            if transfer.due and transfer.due <= now:
                self.send(transfer)
