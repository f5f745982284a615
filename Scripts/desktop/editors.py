"""A text editor and a file manager."""

from desktop import samples
from desktop.program import Program, SavingProgram


class Mousepad(SavingProgram):
    name = product = package = executable = "mousepad"
    formats = [("text", ["UTF8_STRING"], samples.has("first Grüße\nsecond line\n"))]
    pastes = ("text", "html", "rtf", "files")
    def document(self):
        path = self.folder / "editor.txt"
        path.write_text("first Grüße\nsecond line\n")
        return path

    def empty_document(self):
        path = self.folder / "empty.txt"
        path.write_text("")
        return path

    def command(self, path):
        return [self.executable, "--disable-server", path]

    def saved(self, kind, data):
        found = data.decode("utf-8", "replace").strip()
        if kind == "text":
            return "yes" if found == samples.TEXT else None
        if kind in ("html", "rtf"):
            return "as text" if found == samples.WORDS else None
        if kind == "files":
            return "as text" if "first.txt" in found and "second.txt" in found else None
        return None


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
