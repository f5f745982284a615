#!/usr/bin/python3
"""A GTK 4 program that copies and pastes in a Wayland session; its command line is described in toolkit.py."""

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("Gdk", "4.0")
from gi.repository import Gdk, Gio, GLib, GObject, Gtk  # noqa: E402

import toolkit  # noqa: E402

Gtk.init()
loop = GLib.MainLoop()
window = Gtk.Window(title="gtk4.py", default_width=200, default_height=100)
clipboard = window.get_clipboard()


def run_focused(action, key=None):
    """Shows the window, runs one action once it has the keyboard focus, and another action on a key press or a line on
    stdin."""
    window.realize()
    # Gtk.Window.is_active() needs a keyboard, which a compositor without a screen may not have.
    window.get_surface().connect(
        "notify::state", lambda surface, _: surface.get_state() & Gdk.ToplevelState.FOCUSED and action())
    if key:
        keys = Gtk.EventControllerKey()
        keys.connect("key-pressed", lambda *_: key())
        window.add_controller(keys)
        GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, go_on, key)
    window.present()
    loop.run()


def go_on(_, condition, key):
    if toolkit.ended():
        loop.quit()
        return False
    key()
    return True


def own(contents):
    provider = Gdk.ContentProvider.new_union([provider_of(kind, value) for kind, value in contents.items()])

    def copy():
        clipboard.set_content(provider)
        window.get_display().sync()
        toolkit.say("owned")

    run_focused(lambda: toolkit.say("focused"), copy)


def provider_of(kind, value):
    if kind == "text":
        return Gdk.ContentProvider.new_for_value(GObject.Value(str, value.decode()))
    if kind == "image":
        # GTK looks for a serializer of exactly this type.
        texture = GObject.Value(Gdk.Texture, Gdk.Texture.new_from_bytes(GLib.Bytes.new(value)))
        return Gdk.ContentProvider.new_for_value(texture)
    return Gdk.ContentProvider.new_for_bytes(mime_type(kind), GLib.Bytes.new(value))


def mime_type(kind):
    return "text/html" if kind == "html" else kind


def read(kind):
    found = []

    def done(_, result):
        try:
            if kind == "text":
                found.append((clipboard.read_text_finish(result) or "").encode())
            elif kind == "image":
                found.append(clipboard.read_texture_finish(result).save_to_png_bytes().get_data())
            else:
                output = Gio.MemoryOutputStream.new_resizable()
                stream, _ = clipboard.read_finish(result)
                output.splice(stream, Gio.OutputStreamSpliceFlags.CLOSE_TARGET, None)
                found.append(output.steal_as_bytes().get_data())
        except GLib.Error as error:
            found.append(error)
        loop.quit()

    def paste():
        if kind == "text":
            clipboard.read_text_async(None, done)
        elif kind == "image":
            clipboard.read_texture_async(None, done)
        else:
            clipboard.read_async([mime_type(kind)], GLib.PRIORITY_DEFAULT, None, done)

    run_focused(paste)
    if not found or isinstance(found[0], GLib.Error):
        raise toolkit.Absent(f"GTK finds no {kind}: {found}")
    return found[0]


toolkit.main("gtk4.py", own, read)
