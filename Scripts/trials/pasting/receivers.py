"""The programs into which the trial `paste` pastes. Each reports the text that it has so far."""

import contextlib
import html
import json
import pathlib
import re

from trials import Failure
from trials.desktop import browsers, office
from trials.desktop.session import START_TIMEOUT

# In seconds.
SAVE_TIMEOUT = 1
WINDOW = pathlib.Path(__file__).with_name("window.py")
# The limit on the text in a window's title: Firefox cuts titles of more than 256 characters.
MAX_TITLE = 120
# A page whose title has the end of the text.
PAGE = """<!doctype html><meta charset=utf-8><title>page</title>
<textarea id=place style="width: 90vw; height: 90vh"></textarea>
<script>
place.focus()
addEventListener("focus", () => place.focus())
place.addEventListener("input", () => { document.title = "has " + JSON.stringify(place.value.slice(-%d)) + " end" })
</script>""" % MAX_TITLE


class Receiver:
    """A program with one window, whose text is in a file."""

    name = executable = ""
    # The variables of a program under X11.
    settings = {}
    speaks_x11 = speaks_wayland = True

    def __init__(self, desktop, title):
        self.desktop, self.title = desktop, title
        self.file = desktop.folder / f"{title}.txt"

    def command(self):
        raise NotImplementedError

    def open(self):
        settings = {} if self.desktop.compositor else self.settings
        self.process = self.desktop.start_program(*self.command(), **settings)
        self.window = self.desktop.await_(
            f"the window {self.title}", lambda: self.desktop.window(self.pattern()), START_TIMEOUT)
        self.desktop.activate(self.window)

    def pattern(self):
        return f"^{self.title}$"

    def pasted(self, texts):
        """Returns the text that the program has after it has pasted these texts."""
        return "".join(texts)

    def text(self):
        return self.file.read_text(encoding="utf-8") if self.file.exists() else ""

    def end(self):
        if hasattr(self, "process"):
            self.desktop.end_program(self.process)


class Toolkit(Receiver):
    executable = "/usr/bin/python3"
    toolkit = ""

    def command(self):
        return [self.executable, WINDOW, self.toolkit, self.file, self.title]


class GTK3(Toolkit):
    name, toolkit = "GTK 3", "gtk3"


class GTK4(Toolkit):
    name, toolkit = "GTK 4", "gtk4"


class Qt5(Toolkit):
    name, toolkit = "Qt 5", "qt5"
    settings = {"QT_QPA_PLATFORM": "xcb"}


class Qt6(Toolkit):
    name, toolkit = "Qt 6", "qt6"
    settings = {"QT_QPA_PLATFORM": "xcb"}


class XTerm(Receiver):
    name = executable = "xterm"
    speaks_wayland = False

    def command(self):
        return ["xterm", "-T", self.title, "-e", "sh", "-c", f"cat > '{self.file}'"]


class Kitty(Receiver):
    name = executable = "kitty"

    def command(self):
        return [
            "kitty", "--config", "NONE", "-o", "confirm_os_window_close=0", "--title", self.title, "sh", "-c",
            f"cat > '{self.file}'"]


class Foot(Receiver):
    name = executable = "foot"
    speaks_x11 = False

    def command(self):
        return ["foot", "-T", self.title, "sh", "-c", f"cat > '{self.file}'"]


class Emacs(Receiver):
    # Debian's emacs-nox has no window, and emacs-pgtk speaks Wayland.
    name, executable = "Emacs", "emacs-gtk"
    speaks_wayland = False

    def command(self):
        write = f'(let ((inhibit-message t)) (write-region nil nil "{self.file}" nil 0))'
        hook = f"(add-hook 'after-change-functions (lambda (&rest _) {write}) nil t)"
        # Each --eval may begin in another buffer.
        program = f'(progn (setq coding-system-for-write (quote utf-8)) (switch-to-buffer "text") {hook})'
        return [self.executable, "-Q", "--title", self.title, "--eval", program]


class Browser(Receiver):
    """A browser. The title of its window has the end of the text."""

    def prepare(self):
        """Writes the settings that keep the browser from asking questions."""

    def open(self):
        self.page = self.desktop.folder / "page.html"
        self.page.write_text(PAGE, encoding="utf-8")
        self.prepare()
        super().open()

    def pattern(self):
        return "^(page|has )"

    def text(self):
        window = self.desktop.window("^has .* end")
        return json.loads(window.title[len("has "):window.title.rindex(" end")]) if window else ""


class Firefox(Browser):
    name, executable = "Firefox", "firefox-esr"
    settings = browsers.Firefox.settings

    def prepare(self):
        browsers.Firefox.prepare(self)

    def command(self):
        return browsers.Firefox.command(self, self.page)


class Chromium(Browser):
    name, executable = "Chromium", "chromium"

    def command(self):
        return browsers.Chromium.command(self, self.page)


class Writer(office.Writer):
    """LibreOffice Writer, whose document is saved to be read."""

    name, executable = "Writer", office.Writer.executable
    speaks_x11 = speaks_wayland = True

    def __init__(self, desktop, title):
        super().__init__(desktop)

    def open(self):
        super().open(self.empty_document())

    def pasted(self, texts):
        # Writer leaves out the newline at the end of pasted text.
        return "".join(text.removesuffix("\n") for text in texts)

    def text(self):
        self.save()
        data = self.path.read_text(encoding="utf-8", errors="replace")
        body = data[data.find("<office:body>"):]
        paragraphs = re.findall(r"<text:p[^>]*/>|<text:p[^>]*>(.*?)</text:p>", body)
        return "\n".join(html.unescape(re.sub(r"<[^>]*>", "", text)) for text in paragraphs)

    def save(self):
        """Saves the document, and waits until that has happened; an unchanged document is not saved."""
        before = self.path.stat().st_mtime_ns
        self.desktop.keys(*self.save_keys)
        with contextlib.suppress(Failure):
            self.desktop.await_("the document", lambda: self.path.stat().st_mtime_ns != before, SAVE_TIMEOUT)


PROGRAMS = [XTerm, Kitty, Foot, GTK3, GTK4, Qt5, Qt6, Chromium, Firefox, Emacs, Writer]
