"""Copies and pastes between programs of both sides of a Wayland session, and prints a table of the results.

The programs are xpb, wl-clipboard, GTK 4, Qt 6 and Chromium on the Wayland side, xclip, GTK 3 and Tk on the X11 side,
under sway or KWin without a screen, or in the session around the trial. Each program copies text, HTML, an image and a
custom type, as far as it can, while no window, an X11 window or a Wayland window has the focus. Each program pastes
these contents with the same focus, and again with another focus. The change count must rise by one with each copy, and
at no other time. GTK 4, Qt 6 and Chromium have the focus when they copy and paste, since Wayland gives its clipboard
only to the focused program.
"""

import contextlib
import random
import select
import subprocess
import sys
import tempfile
import time

from trials import FIXTURES, Failure
from trials.compositor import Keyboard
from trials.testbed import Testbed

TOOLKITS = FIXTURES / "Toolkits"
# A Wayland program with a window, which does not copy.
WINDOW = """
import gi
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk
Gtk.init()
window = Gtk.Window(default_width=200, default_height=100)
window.realize()
surface = window.get_surface()
surface.connect(
    "notify::state", lambda *_: surface.get_state() & Gdk.ToplevelState.FOCUSED and print("focused", flush=True))
window.present()
GLib.MainLoop().run()
"""
CUSTOM = "application/x-xpb-test"
MIME = {"text": "text/plain;charset=utf-8", "html": "text/html", "image": "image/png", CUSTOM: CUSTOM}
STATES = ["none", "x11", "wayland"]
PACKAGES = [
    "xwayland", "wl-clipboard", "xclip", "x11-utils", "xdotool", "wtype", "chromium",
    "gir1.2-gtk-3.0", "gir1.2-gtk-4.0", "python3-pyqt6", "qt6-wayland", "python3-tk"]


class Session:
    """A Wayland session with a bridge, and the window that has the focus."""

    def __init__(self, testbed):
        self.environment = testbed.environment
        self.folder = testbed.folder
        self.xpb = testbed.xpb_path
        self.processes = []
        self.keyboard = Keyboard(testbed.compositor)
        self.needs_keys = testbed.compositor.needs_keys
        self.window = None
        self.state = "none"

    def run(self, command, environment=None, stdin=b"", timeout=20):
        done = subprocess.run(
            [*map(str, command)], env=self.environment | (environment or {}), input=stdin, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=timeout)
        return done.returncode, done.stdout, done.stderr

    def copies(self, command, stdin=b""):
        """Runs a command that leaves a background process, which keeps the command's output open."""
        subprocess.run(
            [*map(str, command)], env=self.environment, input=stdin, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=20, check=True)

    def start(self, command, environment=None):
        process = subprocess.Popen(
            [*map(str, command)], env=self.environment | (environment or {}), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def press_until_output(self, process):
        """Presses a key repeatedly until a process has printed something. A window gets the keys of a new keyboard only
        after a moment."""
        for _ in range(6):
            self.keyboard.press()
            # A second key would make the program copy twice, so this waits long enough for a busy machine.
            if select.select([process.stdout], [], [], 3)[0]:
                return

    def end(self, process):
        self.processes.remove(process)
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()

    def count(self):
        return int(self.run([self.xpb, "count"])[1])

    def focus(self, state):
        """Gives the focus to an X11 window, a Wayland window or no window, by starting and ending a program."""
        if state == self.state:
            return
        self.state = state
        former, self.window = self.window, None
        if former:
            self.end(former)
        if state == "x11":
            self.window = self.start(["xev", "-event", "mouse"])
            deadline = time.monotonic() + 20
            while not self.run(["xdotool", "getwindowfocus", "getwindowname"])[1].strip():
                if time.monotonic() > deadline:
                    raise Failure("the X11 window did not get the focus")
        elif state == "wayland":
            self.window = self.start(["/usr/bin/python3", "-c", WINDOW], {"GDK_BACKEND": "wayland"})
            expect(self.window, "focused")

    def close(self):
        for process in list(self.processes):
            self.end(process)
        self.keyboard.end()


def expect(process, word):
    """Waits for a line of a program."""
    if not select.select([process.stdout], [], [], 20)[0]:
        raise Failure(f"did not print '{word}'")
    line = process.stdout.readline().decode().strip()
    if line != word:
        raise Failure(f"printed '{line}' instead of '{word}'")


class Program:
    """A program that copies contents of several kinds in one step, and pastes one kind."""

    # The kinds that the program copies together, and the kinds that it pastes.
    kinds = pasted = ["text", "html", "image", CUSTOM]
    # True if the program has its own window, with the focus.
    has_window = False

    def __init__(self, session):
        self.session = session

    def copy(self, files):
        """Copies the contents of files, given by kind. Returns the process that owns the contents, if it must be
        ended."""
        raise NotImplementedError

    def paste(self, kind):
        """Returns the bytes of a kind."""
        raise NotImplementedError


class Xpb(Program):
    name = "xpb"

    def copy(self, files):
        parts = [word for kind, file in files.items() for word in ("-t", MIME[kind], "-f", file)]
        self.session.run([self.session.xpb, "set", *parts])

    def paste(self, kind):
        return self.session.run([self.session.xpb, "get", "-t", MIME[kind]])[1]


class WlClipboard(Program):
    name = "wl-clipboard"
    kinds = ["text"]

    def copy(self, files):
        if self.session.needs_keys:
            self.session.keyboard.press()
        self.session.copies(["wl-copy", "--type", MIME["text"]], stdin=files["text"].read_bytes())

    def paste(self, kind):
        return self.session.run(["wl-paste", "--no-newline", "--type", MIME[kind]])[1]


class Xclip(Program):
    name = "xclip"
    kinds = ["text"]

    def copy(self, files):
        self.session.copies(["xclip", "-selection", "clipboard", "-t", "UTF8_STRING", files["text"]])

    def paste(self, kind):
        target = "UTF8_STRING" if kind == "text" else MIME[kind]
        return self.session.run(["xclip", "-o", "-selection", "clipboard", "-t", target])[1]


class Toolkit(Program):
    """A program in Tests/Fixtures/Toolkits."""

    program = None
    variables = {}

    def copy(self, files):
        words = [word for kind, file in files.items() for word in (kind, file)]
        process = self.session.start([TOOLKITS / self.program, "own", *words], self.variables)
        if self.has_window:
            expect(process, "focused")
            self.session.press_until_output(process)
        expect(process, "owned")
        return process

    def paste(self, kind):
        file = self.session.folder / "pasted"
        status, _, error = self.session.run([TOOLKITS / self.program, "read", kind, file], self.variables)
        if status == 3:
            return b""
        if status != 0:
            raise Failure(f"exited with status {status}: {error.decode().strip()[-200:]}")
        return file.read_bytes()


class GTK4(Toolkit):
    name, program, has_window = "GTK 4", "gtk4.py", True
    variables = {"GDK_BACKEND": "wayland"}


class Qt6(Toolkit):
    name, program, has_window = "Qt 6", "qt.py", True
    variables = {"QT_QPA_PLATFORM": "wayland", "QT_BINDING": "PyQt6"}


class Chromium(Toolkit):
    name, program, has_window = "Chromium", "chromium.py", True
    kinds = pasted = ["text", "html"]


class GTK3(Toolkit):
    name, program = "GTK 3", "gtk3.py"
    variables = {"GDK_BACKEND": "x11"}


class Tk(Toolkit):
    name, program = "Tk", "tk.py"
    kinds = pasted = ["text"]


PROGRAMS = [Xpb, WlClipboard, GTK4, Qt6, Chromium, Xclip, GTK3, Tk]


class Matrix:
    """The cells: for each source and target, the number of states and kinds that were tried, and the number that
    failed."""

    def __init__(self, session, folder, log):
        self.session = session
        self.log = log
        self.folder = folder
        self.tried = {}
        self.faults = {}
        # The contents of the current copy.
        self.files = {}

    def make_files(self, kinds, number):
        text = f"copy {number}: Zoë, 東京"
        noise = random.Random(number).randbytes(70_000)
        data = {"text": text.encode(), "html": f"<b>{text}</b>".encode(), CUSTOM: noise}
        for kind in kinds:
            file = self.folder / f"{kind.replace('/', '-')}.{number}"
            if kind == "image":
                subprocess.run(["/usr/bin/python3", TOOLKITS / "image.py", "make", file], check=True)
            else:
                file.write_bytes(data[kind])
            self.files[kind] = file

    def run(self, sources, targets):
        number = 0
        for source in sources:
            # A program with a window has the focus when it copies.
            for state in ["none"] if source.has_window else STATES:
                number += 1
                self.run_copy(source, targets, state, number)

    def run_copy(self, source, targets, state, number):
        session = self.session
        owner = None
        self.files = {}
        self.make_files(source.kinds, number)
        label = f"{source.name}, {state}"
        try:
            session.focus(state)
            count = session.count()
            owner = source.copy(self.files)
            session.run([session.xpb, "wait", "--since", str(count), "--timeout", "10"])
            self.paste_all(source, targets, f"{label}, unchanged", count + 1)
            session.focus(STATES[(STATES.index(state) + 1) % len(STATES)])
            self.paste_all(source, targets, f"{label}, {session.state}", count + 1)
        except (Failure, subprocess.SubprocessError) as failure:
            for target in targets:
                self.fault(source, target, label, f"no copy: {failure}")
        finally:
            if owner:
                session.end(owner)

    def paste_all(self, source, targets, label, count):
        # Programs with a window take the focus.
        for target in sorted(targets, key=lambda target: target.has_window):
            for kind in [kind for kind in source.kinds if kind in target.pasted]:
                self.tried[source.name, target.name] = self.tried.get((source.name, target.name), 0) + 1
                if fault := self.paste_fault(source, target, kind):
                    self.fault(source, target, f"{label}, {kind}", fault)
        if (found := self.session.count()) != count:
            for target in targets:
                self.fault(source, target, label, f"the count is {found} instead of {count}")

    def paste_fault(self, source, target, kind):
        """Returns a fault of a paste; None if the paste is right. Contents cross to the other side only after the
        change."""
        expected = self.files[kind]
        deadline = time.monotonic() + 5
        while True:
            try:
                pasted = target.paste(kind)
            except (Failure, subprocess.SubprocessError) as failure:
                return str(failure)
            if self.is_same(source, target, kind, pasted, expected):
                return None
            if time.monotonic() > deadline:
                return f"{len(pasted)} wrong bytes" if pasted else "nothing"

    def is_same(self, source, target, kind, pasted, expected):
        if kind == "html":
            # Chromium turns the HTML that it copies into a document.
            return expected.read_bytes() in pasted
        if kind != "image" or not pasted:
            return pasted == expected.read_bytes()
        if source.name == target.name == "Qt 6":
            # Qt gives other Qt programs the image without its alpha channel, with or without a bridge.
            return True
        file = self.folder / "pasted.png"
        file.write_bytes(pasted)
        same = subprocess.run(
            ["/usr/bin/python3", TOOLKITS / "image.py", "same", file, expected], stderr=subprocess.DEVNULL)
        return same.returncode == 0

    def fault(self, source, target, label, text):
        self.faults[source.name, target.name] = self.faults.get((source.name, target.name), 0) + 1
        print(f"{label} -> {target.name}: {text}", file=self.log, flush=True)

    def table(self, sources, targets):
        lines = ["| copied by | " + " | ".join(target.name for target in targets) + " |",
                 "|---" * (len(targets) + 1) + "|"]
        for source in sources:
            cells = [self.cell(source, target) for target in targets]
            lines.append("| " + " | ".join([source.name, *cells]) + " |")
        return lines

    def cell(self, source, target):
        tried = self.tried.get((source.name, target.name), 0)
        faults = self.faults.get((source.name, target.name), 0)
        return f"{max(tried - faults, 0)} of {tried}" if tried else "-"


def add_options(parser):
    parser.add_argument(
        "--compositor", choices=["sway", "kwin", "present"], default="sway",
        help="default: sway; present: the compositor of the session around the trial, with its Xwayland")
    for option in "sources", "targets":
        parser.add_argument(
            f"--{option}", metavar="WORD[,WORD]", help=f"only {option} whose name contains a word", default="")


def run(options):
    wanted = PACKAGES + {"sway": ["sway"], "kwin": ["kwin-wayland"], "present": []}[options.compositor]
    installed = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package}\n", *wanted], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if missing := set(wanted) - set(installed.stdout.decode().split()):
        raise Failure(f"not installed: {' '.join(sorted(missing))}; run Scripts/bootstrap --wayland")
    # Otherwise, GTK would look for an accessibility bus, and start one.
    settings = {"GTK_A11Y": "none", "GSK_RENDERER": "cairo"}
    with (tempfile.TemporaryDirectory(prefix="xpb-", ignore_cleanup_errors=True) as folder,
          Testbed(options.binaries, folder, settings, options.compositor, "unfocused") as testbed,
          contextlib.closing(Session(testbed)) as session):
        sources, targets = [[each(session) for each in chosen(words)] for words in (options.sources, options.targets)]
        matrix = Matrix(session, testbed.folder, sys.stderr)
        matrix.run(sources, targets)
    print("\n".join(matrix.table(sources, targets)))
    return 1 if matrix.faults else 0


def chosen(words):
    return [each for each in PROGRAMS if any(word in each.name.lower() for word in words.lower().split(","))]
