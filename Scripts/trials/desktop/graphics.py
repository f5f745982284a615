"""Programs for images and drawings."""

from trials.desktop import samples
from trials.desktop.program import Program, SavingProgram


class GIMP(Program):
    name = product = "GIMP"
    package = executable = "gimp"
    formats = [("image", ["image/png"], samples.is_png(240, 200))]
    # Without a selection, GIMP copies the layer. With a selection, it would ask to save the image when it quits.
    select_keys = []
    # "Paste as new image". The title of the new image's window has the size.
    paste_keys = ["ctrl+shift+v"]
    pastes = ("image",)
    def document(self):
        path = self.folder / "image.png"
        path.write_bytes(samples.png(240, 200))
        return path

    def empty_document(self):
        return self.document()

    def command(self, path):
        return [self.executable, "--no-splash", "--new-instance", path]

    def title(self, path):
        return rf"\[{path.stem}\].* – GIMP$"

    def result(self, kind):
        return "yes" if self.desktop.window(rf" {samples.WIDTH}x{samples.HEIGHT} – GIMP$") else None


class LargeGIMP(GIMP):
    name = "GIMP: 24 megapixels"
    formats = [("image", ["image/png"], samples.is_png(6000, 4000))]
    pastes = ()

    def document(self):
        path = self.folder / "large.png"
        if not path.exists():
            path.write_bytes(samples.large_png(6000, 4000))
        return path


class Inkscape(SavingProgram):
    name = product = "Inkscape"
    package = executable = "inkscape"
    # Inkscape's text/plain is the source of the drawing.
    formats = [("drawing", ["image/svg+xml", "image/x-inkscape-svg"], samples.has("<rect", "#2040c0"))]
    drawing = ('<svg xmlns="http://www.w3.org/2000/svg" width="240" height="200">'
               '<rect id="box" x="20" y="20" width="100" height="80" fill="#2040c0"/></svg>')
    pastes = ("text", "html", "rtf", "image")
    def document(self):
        path = self.folder / "drawing.svg"
        path.write_text(self.drawing)
        return path

    def empty_document(self):
        path = self.folder / "empty.svg"
        path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="240" height="200"></svg>')
        return path

    def title(self, path):
        # After rendering something, Inkscape shows a different name of the document in the title.
        return r" - Inkscape$"

    def press_paste(self, kind):
        if kind != "image":
            # Inkscape pastes text only into a text object, so this chooses the text tool and clicks a place.
            self.desktop.keys("F8")
            self.desktop.click(self.window, 600, 500)
        super().press_paste(kind)
        if kind != "image":
            self.desktop.keys("Escape")

    def saved(self, kind, data):
        found = data.decode("utf-8", "replace")
        if kind == "text":
            return "yes" if samples.TEXT in found else None
        if kind in ("html", "rtf"):
            return "as text" if samples.WORDS in found else None
        if kind == "image":
            return "yes" if "data:image/png;base64" in found else None
        if kind == "files":
            return "as text" if "first.txt" in found else None
        return None
