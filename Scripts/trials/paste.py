"""Pastes into real programs with `xpb history restore --paste` and `xpb pick --paste`, and checks that each paste arrives
once, whole, and in the right window.

Each program has its own display, home folder and bridge, with a second window that must stay empty. The display is an X
server with openbox, or with --sway a session of sway. Shift is held down during every second paste. Every third paste is picked, in a terminal that opens for it.

It takes some minutes. Exit status: 0 if everything is in order, 1 if a paste failed or a program is not installed, 2
for a usage error.
"""

import shutil
import tempfile
import time

from trials import Failure, is_in, positive, say, words_of
from trials.desktop.session import Desktop
from trials.desktop.wayland import SwayDesktop
from trials.pasting.receivers import GTK3, MAX_TITLE, PROGRAMS

BY_NAME = {program.name: program for program in PROGRAMS}
# In seconds.
PASTE_TIMEOUT = 20


class Pastes:
    """The pastes into one program."""

    def __init__(self, desktop, receiver, count):
        self.desktop, self.receiver, self.count = desktop, receiver, count
        self.texts = []

    def run(self):
        for number in range(self.count):
            self.paste(number, holds_shift=number % 2 == 1)

    def copy(self, number):
        """Copies a text, and then another one. Returns the text and the number of its entry."""
        text = f"paste {number} é世\n"
        self.desktop.xpb("set", "--text", text)
        entry = self.desktop.xpb("history", "-n", "1").split(b"\t")[0].decode()
        self.desktop.xpb("set", "--text", f"wrong {number}")
        return text, entry

    def paste(self, number, holds_shift):
        text, entry = self.copy(number)
        release = self.desktop.hold_shift() if holds_shift else None
        try:
            if number % 3 == 2:
                self.pick()
            else:
                self.desktop.xpb("history", "restore", entry, "--paste")
        finally:
            if release:
                release()
        self.expect(text)

    def pick(self):
        """Picks the entry before the last one."""
        terminal = ["foot", "-T", "picker"] if self.desktop.compositor else ["xterm", "-T", "picker", "-e"]
        process = self.desktop.start_program(*terminal, "xpb", "pick", "--paste")
        self.desktop.activate(self.desktop.await_("the picker", lambda: self.desktop.window("^picker$")))
        self.desktop.keys("Down", "Return")
        process.wait(PASTE_TIMEOUT)

    def expect(self, text):
        self.texts.append(text)
        deadline = time.monotonic() + PASTE_TIMEOUT
        while not self.has_arrived():
            if time.monotonic() > deadline:
                raise Failure(f"{text.strip()!r} did not arrive; the end is {self.receiver.text()[-60:]!r}")
            time.sleep(0.02)

    def has_arrived(self):
        found, expected = self.receiver.text(), self.receiver.pasted(self.texts)
        # The title of a browser's window has only the end of the text.
        return found and (found == expected or len(found) == MAX_TITLE and expected.endswith(found))


def run_program(kind, session, binaries, count):
    """Returns the remark on the pastes into a program in a kind of session."""
    with (tempfile.TemporaryDirectory(prefix="xpb-paste-", ignore_cleanup_errors=True) as folder,
          session(binaries, folder) as desktop):
        other, receiver = GTK3(desktop, "other"), kind(desktop, "receiver")
        try:
            other.open()
            receiver.open()
            Pastes(desktop, receiver, count).run()
            if other.text():
                raise Failure(f"the other window got {other.text()[-60:]!r}")
        except Failure as failure:
            return f"no: {failure}"
        finally:
            receiver.end()
            other.end()
        return f"{count} of {count}"


def add_options(parser):
    parser.add_argument(
        "--only", metavar="WORD[,WORD]", type=words_of(list(BY_NAME), "program", is_in), default=list(BY_NAME),
        help="only programs with one of the words in their names")
    parser.add_argument("--sway", action="store_true", help="a session of sway, and programs that use Wayland")
    parser.add_argument(
        "--count", metavar="N", type=positive, default=100, help="pastes into each program (default: 100)")


def run(options):
    failures = 0
    session = SwayDesktop if options.sway else Desktop
    for name in options.only:
        program = BY_NAME[name]
        if not (program.speaks_wayland if options.sway else program.speaks_x11):
            continue
        if shutil.which(program.executable):
            remark = run_program(program, session, options.binaries, options.count)
        else:
            remark = f"no: {program.executable} is not installed"
        failures += remark.startswith("no")
        say(f"{name + ':':<10} {remark}")
    return 1 if failures else 0
