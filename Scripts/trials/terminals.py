"""Runs `xpb history`, `xpb pick` and `xpb watch` in xterm and kitty on a private display, checks that the pictures of
the history are on the screen, and draws Documents/Pictures/terminal-*.png. It takes about half a minute.

kitty draws with OpenGL, which is Mesa's llvmpipe on a display without a graphics card. Exit status: 0 if all checks
pass, 1 if one fails, 2 for a usage error.
"""

import contextlib
import shutil
import subprocess
import tempfile
import time

from Xlib import X, error

from trials import ROOT, Failure, pictures, say
from trials.testbed import Testbed

PICTURES = ROOT / "Documents/Pictures"
TIMEOUT = 30

# The colors of large areas of the test picture.
SKY = (70, 130, 200)
SUN = (250, 200, 50)
HILL = (40, 120, 70)
# Sixel has a hundred steps for each channel, and the terminal rounds the colors.
TOLERANCE = 4


def landscape(width=960, height=600):
    """Returns a picture with a sky, a sun and a hill."""
    def color(x, y):
        if (x - 0.72 * width) ** 2 + (y - 0.3 * height) ** 2 < (0.15 * height) ** 2:
            return SUN
        return HILL if y > 0.62 * height + 0.16 * height * ((2 * x / width - 0.8) ** 2) else SKY

    return pictures.png(width, (b"".join(bytes(color(x, y)) for x in range(width)) for y in range(height)), level=9)


class Desk(Testbed):
    screen = "1000x400x24"

    def fill_history(self, picture):
        """Copies text, a file, a link and a picture."""
        (self.folder / "report.pdf").write_bytes(b"%PDF-1.4\n")
        self.xpb("set", "Meeting on Thursday at half past ten, second floor")
        self.xpb("set", "-t", "url", "--text", "https://www.swift.org/documentation/")
        self.xpb("set", "--files", str(self.folder / "report.pdf"))
        self.xpb("set", "-t", "image/png", "-f", "-", given=picture)
        self.xpb("set", "-t", "html", "--text", "<b>Dear Ada</b>,<br>thank you", "-t", "text",
                 "--text", "Dear Ada,\nthank you for the draft of the invoice.\n\nKind regards\nCharles")
        self.xpb("set", "Zürich, Αθήνα, Москва and \x1b[31mcontrol characters")

    # The screen.

    def image(self):
        return pictures.screen(self.display)

    def count(self, color):
        """Returns the number of pixels on the screen that have a color."""
        _, _, rows = self.image()
        data = b"".join(rows)
        near = [bytes(abs(value - wanted) <= TOLERANCE for value in range(256)) for wanted in color]
        channels = [data[i::3].translate(near[i]) for i in range(3)]
        return sum(map(all, zip(*channels)))

    def has_picture(self, pixels):
        """Returns true if the screen has at least this many pixels of each color of the test picture."""
        return all(self.count(color) >= pixels for color in (SKY, SUN, HILL))

    def await_steady(self):
        """Waits until the screen has stopped changing."""
        former = None
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            image = self.image()
            if image == former:
                return
            former = image
            time.sleep(0.3)
        raise Failure("the screen did not stop changing")

    def save(self, name):
        """Writes the part of the screen that is not black as a PNG file."""
        self.await_steady()
        width, height, rows = self.image()
        used = [y for y, row in enumerate(rows) if any(row)]
        right = max(len(row.rstrip(b"\0")) for row in rows) // 3
        top, bottom = used[0], used[-1] + 1
        path = PICTURES / f"{name}.png"
        path.write_bytes(pictures.png(right, (row[:3 * right] for row in rows[top:bottom]), level=9))
        say(f"wrote {path.relative_to(ROOT)}, {right}×{bottom - top}, {path.stat().st_size // 1024} KiB")

    # Terminals.

    def run(self, terminal, script):
        """Starts a terminal, and an sh script in the terminal once the window is there: a terminal that is still
        starting answers late."""
        prompt = f"printf '\\033[1m$ %s\\033[0m\\n' '{script}'"
        shown = f"stty -echo; read start; stty echo; {prompt}; {script}; read line"
        if terminal == "kitty":
            options = [
                "-o", "font_size=10", "-o", "background=#fdf9f0", "-o", "foreground=#202020", "-o",
                "remember_window_size=no", "-o", "initial_window_width=96c", "-o", "initial_window_height=16c", "-o",
                "cursor_blink_interval=0", "-o", "enable_audio_bell=no", "-o", "update_check_interval=0"]
            command = ["kitty", "--config", "NONE", *options, "sh", "-c", shown]
        else:
            kind = "vt340" if terminal == "xterm" else "vt100"
            command = [
                "xterm", "-ti", kind, "-xrm", "XTerm*numColorRegisters: 256", "-fa", "DejaVu Sans Mono", "-fs", "10",
                "-bg", "#fdf9f0", "-fg", "#202020", "-cr", "#202020", "-geometry", "96x16+0+0", "-e", "sh", "-c", shown]
        process = self.start(*command)
        self.await_(f"the window of {terminal}", self.find_window)
        self.await_steady()
        self.keys("Return")
        return process

    def find_window(self):
        """Returns the window of the terminal, and gives it the keyboard."""
        for window in self.display.screen().root.query_tree().children:
            # A window may disappear before it is queried.
            with contextlib.suppress(error.BadDrawable, error.BadWindow):
                if window.get_attributes().map_state == X.IsViewable and window.get_geometry().width > 300:
                    window.set_input_focus(X.RevertToPointerRoot, X.CurrentTime)
                    self.display.sync()
                    return window
        return None

    def keys(self, *names):
        subprocess.run(["xdotool", "key", *names], env=self.environment, check=True, stderr=self.log)


class Checks:
    def __init__(self, desk, terminal, picture):
        self.desk = desk
        self.terminal = terminal
        self.picture = picture

    def history(self):
        """the picture is below its line"""
        process = self.desk.run(self.terminal, "xpb history")
        self.desk.await_("a picture in the history", lambda: self.desk.has_picture(150))
        self.desk.save(f"terminal-history-{self.terminal}")
        self.desk.end(process)

    def pick(self):
        """the preview has the picture, another entry's preview does not, and Return copies"""
        process = self.desk.run(self.terminal, "xpb pick")
        self.desk.await_steady()
        self.desk.keys("Down", "Down")
        self.desk.await_("a picture in the preview", lambda: self.desk.has_picture(2_000))
        self.desk.save(f"terminal-pick-{self.terminal}")
        self.desk.keys("Down")
        self.desk.await_("the picture to disappear", lambda: self.desk.count(SKY) == 0)
        self.desk.keys("Up")
        self.desk.await_("a picture in the preview again", lambda: self.desk.has_picture(2_000))
        before = int(self.desk.xpb("count"))
        self.desk.keys("Return")
        self.desk.xpb("wait", "--since", str(before), "--timeout", str(TIMEOUT))
        if self.desk.xpb("get", "-t", "image/png") != self.picture:
            raise Failure("Return did not copy the picture")
        self.desk.end(process)

    def watch(self):
        """the table has a row for each change"""
        process = self.desk.run(self.terminal, "xpb watch")
        # The table begins with its header.
        self.desk.await_steady()
        self.desk.xpb("set", "Meeting on Thursday at half past ten, second floor")
        self.desk.xpb("set", "-t", "image/png", "-f", "-", given=self.picture)
        subprocess.run(
            ["xclip", "-selection", "clipboard"], input=b"copied by xclip", env=self.desk.environment, check=True,
            stdout=subprocess.DEVNULL)
        self.desk.await_steady()
        self.desk.xpb("set", "--concealed", "-f", "-", given=b"secret")
        self.desk.xpb("clear")
        self.desk.save(f"terminal-watch-{self.terminal}")
        self.desk.end(process)

    def without_pictures(self):
        """a terminal that cannot show pictures shows their descriptions"""
        process = self.desk.run("xterm-without-graphics", "xpb history")
        self.desk.await_steady()
        if self.desk.count(SKY) > 0:
            raise Failure("a picture was on the screen")
        self.desk.end(process)


def add_options(parser):
    parser.add_argument("--only", choices=["xterm", "kitty"], metavar="TERMINAL", help="only xterm or kitty")


def run(options):
    picture = landscape()
    failed = False
    for terminal in [options.only] if options.only else ["xterm", "kitty"]:
        if not shutil.which(terminal):
            raise Failure(f"{terminal} is not installed; Scripts/bootstrap --terminals installs it")
        with tempfile.TemporaryDirectory(prefix="xpb.") as folder:
            settings = {"LIBGL_ALWAYS_SOFTWARE": "1", "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder}
            with Desk(options.binaries, folder, settings) as desk:
                desk.fill_history(picture)
                checks = Checks(desk, terminal, picture)
                names = [checks.history, checks.pick, checks.watch]
                for check in names + ([checks.without_pictures] if terminal == "xterm" else []):
                    try:
                        check()
                        say(f"{terminal}: {check.__doc__}")
                    except Failure as failure:
                        failed = True
                        say(f"{terminal}: FAILED, {check.__doc__}: {failure}")
    return 1 if failed else 0
