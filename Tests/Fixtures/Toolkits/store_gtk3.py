#!/usr/bin/python3
"""A GTK 3 program that stores its clipboard contents at exit, as GTK's manual recommends.

  store_gtk3.py TARGET FILE [TARGET FILE]...   owns CLIPBOARD and prints "owned"; on a line on stdin, stores the
                                               clipboard and prints "stored"; exits at the end of stdin
"""

import ctypes
import os
import pathlib
import sys

import gi

os.environ["NO_AT_BRIDGE"] = "1"
gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

import toolkit  # noqa: E402

# Python has no gtk_clipboard_set_with_data().
gtk = ctypes.CDLL("libgtk-3.so.0")
gdk = ctypes.CDLL("libgdk-3.so.0")
gdk.gdk_atom_intern.restype = ctypes.c_void_p
gdk.gdk_atom_intern.argtypes = [ctypes.c_char_p, ctypes.c_int]
gtk.gtk_clipboard_get.restype = ctypes.c_void_p
gtk.gtk_clipboard_get.argtypes = [ctypes.c_void_p]
gtk.gtk_clipboard_store.argtypes = [ctypes.c_void_p]
gtk.gtk_clipboard_set_can_store.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
gtk.gtk_selection_data_get_target.restype = ctypes.c_void_p
gtk.gtk_selection_data_get_target.argtypes = [ctypes.c_void_p]
gtk.gtk_selection_data_set.argtypes = [
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]


class TargetEntry(ctypes.Structure):
    _fields_ = [("target", ctypes.c_char_p), ("flags", ctypes.c_uint), ("info", ctypes.c_uint)]


GIVE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p)
CLEAR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
gtk.gtk_clipboard_set_with_data.argtypes = [
    ctypes.c_void_p, ctypes.POINTER(TargetEntry), ctypes.c_uint, GIVE, CLEAR, ctypes.c_void_p]


def main():
    names, files = sys.argv[1::2], sys.argv[2::2]
    contents = [pathlib.Path(file).read_bytes() for file in files]
    entries = (TargetEntry * len(names))(*((name.encode(), 0, index) for index, name in enumerate(names)))

    def give(clipboard, data, info, context):
        value = contents[info]
        gtk.gtk_selection_data_set(data, gtk.gtk_selection_data_get_target(data), 8, value, len(value))

    callbacks = GIVE(give), CLEAR(lambda *_: None)
    clipboard = gtk.gtk_clipboard_get(gdk.gdk_atom_intern(b"CLIPBOARD", 0))
    if not gtk.gtk_clipboard_set_with_data(clipboard, entries, len(names), *callbacks, None):
        sys.exit(1)
    gtk.gtk_clipboard_set_can_store(clipboard, None, 0)

    def go_on(*_):
        if toolkit.ended():
            Gtk.main_quit()
        else:
            gtk.gtk_clipboard_store(clipboard)
            toolkit.say("stored")
        return True

    GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, go_on)
    toolkit.say("owned")
    Gtk.main()


main()
