"""Text editors of several toolkits, and a file manager."""

import pathlib

from trials.desktop import samples
from trials.desktop.program import Program, SavingProgram

SOURCES = pathlib.Path(__file__).resolve().parent / "sources"
TEXT = "first Grüße\nsecond line\n"


class TextEditor(SavingProgram):
    """An editor of plain text."""

    formats = [("text", ["UTF8_STRING"], samples.has(TEXT))]
    pastes = ("text", "html", "rtf", "files")
    # The encoding and the newline of the editor's files.
    encoding = "utf-8"
    newline = "\n"

    def document(self):
        return self.write("editor", TEXT)

    def empty_document(self):
        return self.write("empty", "")

    def write(self, name, text):
        path = self.folder / f"{name}.txt"
        path.write_bytes(text.replace("\n", self.newline).encode(self.encoding))
        return path

    def saved(self, kind, data):
        found = data.decode(self.encoding, "replace").strip()
        if kind == "text":
            return "yes" if found == samples.TEXT else None
        if kind in ("html", "rtf"):
            return "as text" if found == samples.WORDS else None
        if kind == "files":
            return "as text" if "first.txt" in found and "second.txt" in found else None
        return None


class Mousepad(TextEditor):
    name = product = package = executable = "mousepad"

    def command(self, path):
        return [self.executable, "--disable-server", path]


class GVim(TextEditor):
    name = product = executable = "gvim"
    package = "vim-gtk3"
    formats = [*TextEditor.formats, ("vim's own", ["_VIMENC_TEXT"], samples.has(TEXT))]
    # Selects all lines, and names the clipboard's register.
    select_keys = ["Escape", "g", "g", "shift+v", "shift+g", "quotedbl", "plus"]
    copy_key = "y"
    paste_keys = ["Escape", "quotedbl", "plus", "shift+p"]
    save_keys = ["Escape", "colon", "w", "Return"]
    quit_keys = ["Escape", "colon", "q", "a", "Return"]

    def command(self, path):
        return [self.executable, "--clean", "--nofork", path]


class NEdit(TextEditor):
    name = product = "NEdit"
    package = executable = "nedit"
    # NEdit does not support UTF-8.
    formats = [("text", ["STRING"], samples.has(TEXT))]
    encoding = "latin-1"


class GnomeTextEditor(TextEditor):
    name = product = "GNOME Text Editor"
    package = executable = "gnome-text-editor"
    # The editor does not copy the last end of line.
    formats = [("text", ["UTF8_STRING"], samples.has(TEXT.rstrip()))]
    limits = {
        "survives kill": ("seems to use GTK 4", "not captured, as reading can freeze GTK 4"),
        "undo, then paste": ("seems to use GTK 4", "not captured, as reading can freeze GTK 4"),
    }
    settings = {"GSK_RENDERER": "cairo"}

    def command(self, path):
        return [self.executable, "--standalone", "--ignore-session", path]


class WxEditor(TextEditor):
    """A small program that copies with wxClipboard."""

    name, product = "wxWidgets", "wxPython"
    package, executable = "python3-wxgtk4.0", "/usr/bin/python3"
    needs = "/usr/lib/python3/dist-packages/wx"
    limits = {"survives quit": ("empty afterwards", "it removes its contents")}
    options = []

    def command(self, path):
        return [self.executable, SOURCES / "wx_editor.py", *self.options, path]


class FlushingWxEditor(WxEditor):
    """The same program with the call that asks the clipboard manager to save its contents."""

    name = "wxWidgets: flushed"
    limits = {}
    options = ["--flush"]


class SwingEditor(TextEditor):
    name, product = "Java: Swing", "OpenJDK"
    package, executable = "openjdk-17-jdk", "java"
    # `java` compiles and runs the source.
    needs = "javac"

    def command(self, path):
        return [self.executable, SOURCES / "SwingEditor.java", path]


class Notepad(TextEditor):
    name, product = "Wine: Notepad", "Wine"
    package = executable = "wine"
    # Notepad recognizes UTF-8 by a byte order mark.
    encoding = "utf-8-sig"
    newline = "\r\n"
    quit_keys = ["alt+F4"]
    # Keeps Wine from asking whether to install its parts for .NET and HTML.
    settings = {"WINEDLLOVERRIDES": "mscoree,mshtml=", "WINEDEBUG": "-all"}

    def command(self, path):
        return [self.executable, "notepad", "Z:" + str(path).replace("/", "\\")]

    def kill(self):
        self.desktop.run("wineserver", "--kill")
        super().kill()

    def end(self):
        self.desktop.run("wineserver", "--kill")
        super().end()


class TextEdit(TextEditor):
    name, product = "GNUstep: TextEdit", "TextEdit.app"
    package, executable = "textedit.app", "TextEdit"
    select_keys = ["alt+a"]
    copy_key = "alt+c"
    paste_keys = ["alt+v"]
    save_keys = ["alt+s"]
    quit_keys = ["alt+q"]


class Thunar(Program):
    name = product = "Thunar"
    package = executable = "thunar"
    formats = [
        ("files", ["x-special/gnome-copied-files"], samples.has("copy\n", "first.txt", "second.txt")),
        ("text", ["UTF8_STRING"], samples.has("first.txt", "second.txt")),
    ]
    pastes = ("files",)
    def document(self):
        path = self.folder / "full folder"
        path.mkdir(exist_ok=True)
        for name in "first.txt", "second.txt":
            (path / name).write_text(name)
        return path

    def empty_document(self):
        path = self.folder / "empty folder"
        path.mkdir(exist_ok=True)
        for file in path.iterdir():
            file.unlink()
        return path

    def result(self, kind):
        if kind != "files":
            return None
        names = sorted(file.name for file in self.path.iterdir())
        return "yes" if names == ["first.txt", "second.txt"] else None
