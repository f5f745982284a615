"""A window of a toolkit with a text view, which writes its text to a file after each change.

usage: window.py gtk3|gtk4|qt5|qt6 FILE TITLE
"""

import pathlib
import sys


def gtk3(write, title):
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk
    window, view = Gtk.Window(title=title, default_width=400, default_height=200), Gtk.TextView()
    view.get_buffer().connect("changed", lambda buffer: write(
        buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)))
    window.add(view)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()


def gtk4(write, title):
    import gi
    gi.require_version("Gtk", "4.0")
    from gi.repository import GLib, Gtk
    window, view = Gtk.Window(title=title, default_width=400, default_height=200), Gtk.TextView()
    view.get_buffer().connect("changed", lambda buffer: write(
        buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)))
    window.set_child(view)
    window.present()
    GLib.MainLoop().run()


def qt(widgets, write, title):
    application = widgets.QApplication([])
    view = widgets.QPlainTextEdit()
    view.setWindowTitle(title)
    view.textChanged.connect(lambda: write(view.toPlainText()))
    view.show()
    run = getattr(application, "exec", None) or application.exec_
    run()


def main(toolkit, path, title):
    def write(text):
        # Replaced at once, so that no reader sees half of it.
        part = pathlib.Path(path + ".part")
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    if toolkit == "gtk3":
        gtk3(write, title)
    elif toolkit == "gtk4":
        gtk4(write, title)
    elif toolkit == "qt5":
        from PyQt5 import QtWidgets
        qt(QtWidgets, write, title)
    else:
        from PyQt6 import QtWidgets
        qt(QtWidgets, write, title)


if __name__ == "__main__":
    main(*sys.argv[1:])
