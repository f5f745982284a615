#!/usr/bin/python3
"""Gives a keyboard to mutter without a screen. Without a keyboard, no Wayland program would get the focus.

Prints "ready", and then, for each line of standard input, presses and releases a key and prints "pressed". mutter
ignores the copy from a program whose last input is older than the current owner's last input.
"""

import sys

from gi.repository import Gio, GLib

NAME = "org.gnome.Mutter.RemoteDesktop"
KEYSYM_A = 0x61


class Keyboard:
    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.session = self.call("/org/gnome/Mutter/RemoteDesktop", NAME, "CreateSession")[0]
        self.call(self.session, NAME + ".Session", "Start")

    def call(self, path, interface, method, arguments=None):
        return self.bus.call_sync(NAME, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, -1, None)

    def press(self):
        for is_down in (True, False):
            self.call(self.session, NAME + ".Session", "NotifyKeyboardKeysym", GLib.Variant("(ub)", (KEYSYM_A, is_down)))


keyboard = Keyboard()
keyboard.press()
print("ready", flush=True)
for _ in sys.stdin:
    keyboard.press()
    print("pressed", flush=True)
