#!/usr/bin/python3
"""A GTK 3 program that copies and pastes; its command line is described in toolkit.py."""

import os

import gi

# Otherwise, GTK would look for an accessibility bus, and start one.
os.environ["NO_AT_BRIDGE"] = "1"
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, GdkPixbuf, GdkX11, Gio, GLib, Gtk  # noqa: E402

import toolkit  # noqa: E402

CLIPBOARD = Gdk.Atom.intern("CLIPBOARD", False)
# The targets of gtk_target_list_add_text_targets(), which Python cannot use with a clipboard.
TEXT_TARGETS = ["UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING", "text/plain;charset=utf-8", "text/plain"]
TARGETS = {"text": TEXT_TARGETS, "html": ["text/html"], "image": ["image/png"], "files": ["text/uri-list"]}


def pixbuf_of(png):
    loader = GdkPixbuf.PixbufLoader()
    loader.write(png)
    loader.close()
    return loader.get_pixbuf()


def own(contents):
    window = Gtk.Window()
    window.realize()
    clipboard = Gtk.Clipboard.get(CLIPBOARD)
    # Python has no gtk_clipboard_set_with_data(), so a widget owns contents for which GtkClipboard has no function.
    if contents.keys() == {"text"}:
        clipboard.set_text(contents["text"].decode(), -1)
    elif contents.keys() == {"image"}:
        clipboard.set_image(pixbuf_of(contents["image"]))
    else:
        own_by_widget(window, contents)
    await_server()
    toolkit.say_owned(window.get_window().get_xid())
    run()


def await_server():
    """Waits for a reply of the server, so that all earlier requests have reached it."""
    Gdk.selection_owner_get(CLIPBOARD)


def run():
    """Runs the main loop until the end of standard input."""
    GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, go_on)
    Gtk.main()


def go_on(*_):
    if toolkit.ended():
        Gtk.main_quit()
        return False
    return True


def own_by_widget(widget, contents):
    kinds = list(contents)
    for info, kind in enumerate(kinds):
        for target in TARGETS.get(kind, [kind]):
            Gtk.selection_add_target(widget, CLIPBOARD, Gdk.Atom.intern(target, False), info)
    widget.connect("selection-get", lambda _, data, info, time: fill(data, kinds[info], contents[kinds[info]]))
    Gtk.selection_owner_set(widget, CLIPBOARD, GdkX11.x11_get_server_time(widget.get_window()))


def fill(data, kind, contents):
    if kind == "text":
        data.set_text(contents.decode(), -1)
    elif kind == "image":
        data.set_pixbuf(pixbuf_of(contents))
    elif kind == "files":
        data.set_uris([Gio.File.new_for_path(os.fsdecode(path)).get_uri() for path in toolkit.paths(contents)])
    else:
        data.set(data.get_target(), 8, contents)


def read(kind):
    clipboard = Gtk.Clipboard.get(CLIPBOARD)
    if kind == "text":
        return found(clipboard.wait_for_text(), kind).encode()
    if kind == "image":
        done, png = found(clipboard.wait_for_image(), kind).save_to_bufferv("png", [], [])
        return png
    if kind == "files":
        # Python passes an empty list instead of NULL.
        uris = found(clipboard.wait_for_uris() or None, kind)
        return toolkit.path_list(os.fsencode(Gio.File.new_for_uri(uri).get_path()) for uri in uris)
    target = "text/html" if kind == "html" else kind
    return found(clipboard.wait_for_contents(Gdk.Atom.intern(target, False)), kind).get_data()


def found(value, kind):
    if value is None:
        raise toolkit.Absent(f"GTK finds no {kind}")
    return value


def watch():
    Gtk.Clipboard.get(CLIPBOARD).connect("owner-change", lambda *_: toolkit.say("changed"))
    await_server()
    toolkit.say("watching")
    run()


toolkit.main("gtk3.py", own, read, watch)
