"""LibreOffice. The documents are flat XML, so that a saved document shows the pasted contents."""

import base64
import re

from trials.desktop import samples
from trials.desktop.program import SavingProgram

NAMESPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for prefix, name in [
        ("office", "office"), ("style", "style"), ("text", "text"), ("table", "table"), ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible")]) + ' xmlns:xlink="http://www.w3.org/1999/xlink"'
STYLES = ('<office:automatic-styles><style:style style:name="B" style:family="text">'
          '<style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>')
SETTINGS = {
    "/org.openoffice.Office.Common/Misc": {"ShowTipOfTheDay": "false", "FirstRun": "false"},
    "/org.openoffice.Setup/Product": {"ooSetupLastVersion": "7.4", "LastTimeDonateShown": "4102444800",
                                      "LastTimeGetInvolvedShown": "4102444800"},
    "/org.openoffice.Office.Common/Save/Document": {"WarnAlienFormat": "false"},
}

# The exit status with which soffice.bin asks to be started again, as with a new profile.
RESTART_STATUS = 81


class Office(SavingProgram):
    product, executable = "LibreOffice", "/usr/lib/libreoffice/program/soffice.bin"
    option = suffix = kind = body = ""
    pastes = ("text", "html", "rtf", "image", "files")

    def write(self, name, body):
        path = self.folder / f"{name}.{self.suffix}"
        path.write_text(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document {NAMESPACES} office:version="1.3" '
            f'office:mimetype="application/vnd.oasis.opendocument.{self.kind}">{STYLES}<office:body>'
            f'<office:{self.kind}>{body}</office:{self.kind}></office:body></office:document>\n')
        return path

    def document(self):
        return self.write("document", self.body)

    def prepare(self):
        folder = self.desktop.folder / ".config/libreoffice/4/user"
        folder.mkdir(parents=True, exist_ok=True)
        items = "".join(
            f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
            for path, values in SETTINGS.items() for name, value in values.items())
        (folder / "registrymodifications.xcu").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
            f'xmlns:xs="http://www.w3.org/2001/XMLSchema">{items}</oor:items>\n')

    def command(self, path):
        return [self.executable, "--norestore", "--nologo", self.option, path]

    def opened(self):
        if self.process.poll() == RESTART_STATUS:
            self.desktop.end_program(self.process)
            self.start()
        return super().opened()

    def title(self, path):
        return rf"^{path.name} "

    def result(self, kind):
        # LibreOffice asks how to import HTML and text with several lines, and whether to insert a file as a linked
        # section.
        if dialog := self.desktop.window("^(Import Options|Text Import|Insert Section)$"):
            self.desktop.activate(dialog)
            self.desktop.keys("Return")
            return None
        return super().result(kind)

    def saved(self, kind, data):
        found = data.decode("utf-8", "replace")
        body = found[found.find("<office:body>"):]
        words = re.sub(r"<[^>]*>", "", body)
        if kind == "text":
            return "yes" if samples.TEXT in words else None
        if kind in ("html", "rtf"):
            if samples.WORDS not in words:
                return None
            return "yes" if re.search(r"<text:span[^>]*>heavy</text:span>", body) else "as text"
        if kind == "image":
            return "yes" if "<draw:image" in body and "<office:binary-data>" in body else None
        if kind == "files":
            if "first.txt" not in body or "second.txt" not in body:
                return None
            return "as a link" if "<text:section-source" in body else "as text"
        return None


class Writer(Office):
    name, package = "LibreOffice Writer", "libreoffice-writer"
    option, suffix, kind = "--writer", "fodt", "text"
    body = '<text:p>one <text:span text:style-name="B">heavy</text:span> word</text:p>'
    formats = [
        ("text", ["UTF8_STRING"], samples.has("one heavy word")),
        ("HTML", ["text/html"], samples.has("<b>heavy</b>")),
        ("RTF", ["text/rtf"], samples.has(r"{\rtf", "heavy")),
    ]

    def empty_document(self):
        return self.write("empty", "<text:p/>")


class WriterPicture(Writer):
    name = "LibreOffice Writer: a picture"
    formats = [("image", ["image/png"], lambda data: samples.png_size(data) is not None)]
    pastes = ()
    # Shift+F4 selects the first picture.
    select_keys = ["shift+F4"]

    def document(self):
        data = base64.b64encode(samples.png(240, 200)).decode()
        return self.write("picture", (
            '<text:p><draw:frame text:anchor-type="paragraph" svg:width="6cm" svg:height="5cm"><draw:image>'
            f'<office:binary-data>{data}</office:binary-data></draw:image></draw:frame></text:p>'))


class Calc(Office):
    name, package = "LibreOffice Calc", "libreoffice-calc"
    option, suffix, kind = "--calc", "fods", "spreadsheet"
    formats = [
        ("text", ["UTF8_STRING"], samples.has("one\ttwo\nthree\tfour")),
        ("HTML", ["text/html"], samples.has("<table", "three")),
        ("RTF", ["text/rtf"], samples.has(r"{\rtf", "three")),
    ]

    def document(self):
        return self.table("document", (("one", "two"), ("three", "four")))

    def table(self, name, rows):
        cells = "".join("<table:table-row>" + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{word}</text:p></table:table-cell>'
            for word in row) + "</table:table-row>" for row in rows)
        return self.write(name, f'<table:table table:name="Sheet1">{cells}</table:table>')

    html = "<table><tr><td>one</td><td>heavy</td><td>word</td></tr></table>"
    # Ctrl+A would also select a million empty rows.
    select_keys = ["ctrl+Home", "shift+ctrl+End"]

    def empty_document(self):
        return self.table("empty", [[""]])

    def saved(self, kind, data):
        if kind == "html":
            return "yes" if re.search(rb"<text:p>one</text:p>.*<text:p>heavy</text:p>", data, re.DOTALL) else None
        return super().saved(kind, data)


class LargeCalc(Calc):
    name = "LibreOffice Calc: 300,000 cells"
    formats = [
        ("text", ["UTF8_STRING"], samples.has("0 0\t0 1", "29999 8\t29999 9")),
        ("HTML", ["text/html"], samples.has("<table", "29999 9")),
    ]
    pastes = ()

    def document(self):
        return self.table("large", ((f"{row} {column}" for column in range(10)) for row in range(30_000)))
