#!/usr/bin/python3
"""Presses keys under KWin, with its protocol org_kde_kwin_fake_input.

Prints "ready", and then, for each line of standard input, presses and releases a key and prints "pressed". KWin must be
running with KWIN_WAYLAND_NO_PERMISSION_CHECKS=1.
"""

import os
import socket
import struct
import sys

INTERFACE = b"org_kde_kwin_fake_input"
# The numbers of objects, requests and events.
DISPLAY, REGISTRY, CALLBACK, INPUT = 1, 2, 3, 4
SYNC, GET_REGISTRY, BIND = 0, 1, 0
GLOBAL, DONE = 0, 0
AUTHENTICATE, KEYBOARD_KEY = 0, 10
# The protocol's first version with keys, and a key's Linux code.
VERSION = 4
KEY_A = 30


class Keyboard:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
        self.name = None
        self.send(DISPLAY, GET_REGISTRY, struct.pack("=I", REGISTRY))
        self.synchronize()
        if self.name is None:
            sys.exit(f"KWin has no {INTERFACE.decode()}")
        self.send(REGISTRY, BIND, struct.pack("=I", self.name) + string(INTERFACE) + struct.pack("=II", VERSION, INPUT))
        self.send(INPUT, AUTHENTICATE, string(b"xpb") + string(b"a test"))
        self.press()

    def send(self, object, request, arguments):
        self.socket.sendall(struct.pack("=II", object, (8 + len(arguments)) << 16 | request) + arguments)

    def receive(self, length):
        data = b""
        while len(data) < length:
            more = self.socket.recv(length - len(data))
            if not more:
                sys.exit("KWin has closed the connection")
            data += more
        return data

    def synchronize(self):
        """Waits until KWin has handled all requests."""
        self.send(DISPLAY, SYNC, struct.pack("=I", CALLBACK))
        while True:
            object, word = struct.unpack("=II", self.receive(8))
            arguments = self.receive((word >> 16) - 8)
            if object == DISPLAY and word & 0xFFFF == 0:
                sys.exit(f"Wayland error: {arguments}")
            if object == CALLBACK:
                return
            if object == REGISTRY and word & 0xFFFF == GLOBAL:
                name, length = struct.unpack("=II", arguments[:8])
                if arguments[8:7 + length] == INTERFACE:
                    self.name = name

    def press(self):
        for is_down in (1, 0):
            self.send(INPUT, KEYBOARD_KEY, struct.pack("=II", KEY_A, is_down))
        self.synchronize()


def string(text):
    """Returns a Wayland string, with its length and its padding."""
    text += b"\0"
    return struct.pack("=I", len(text)) + text + bytes(-len(text) % 4)


keyboard = Keyboard()
print("ready", flush=True)
for _ in sys.stdin:
    keyboard.press()
    print("pressed", flush=True)
