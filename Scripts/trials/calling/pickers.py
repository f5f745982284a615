"""Programs in a pipe with xpb: pickers for the history, another history manager, and screenshots."""

import re
import struct

from Xlib import X

from trials import Failure
from trials.calling.checks import check
from trials.calling.recipes import recipe
from trials.calling.session import Terminal

TEXTS = ("first žluť", "second ☃ to find", "third")


def fill_history(desk):
    for text in TEXTS:
        desk.own(text)
        desk.capture()


@check("fzf", {"fzf": "fzf"})
def fzf(desk):
    fill_history(desk)
    pick_in_terminal(desk, "fzf")


def pick_in_terminal(desk, name):
    """Types words into fzf, and Return when one line is left, since fzf searches while it reads keys."""
    with Terminal(desk, "sh", "-c", recipe(name)) as terminal:
        terminal.await_shown(f"{len(TEXTS)}/{len(TEXTS)}")
        terminal.type("sec find")
        terminal.await_shown(f"1/{len(TEXTS)}")
        terminal.type("\r")
        terminal.await_end()
    desk.await_copy(TEXTS[1])


def pick(desk, name):
    """Types a word into the picker's window, and Return."""
    fill_history(desk)
    process = desk.start_program("sh", "-c", recipe(name))
    desk.await_(f"the window of {name}", lambda: has_grab(desk))
    desk.run("xdotool", "type", "--delay", "40", "find")
    desk.run("xdotool", "key", "Return")
    desk.await_(f"{name} to exit", lambda: process.poll() is not None)
    desk.await_copy(TEXTS[1])


def has_grab(desk):
    """Returns True if a program has grabbed the keyboard, as a picker does when it is ready for keys."""
    status = desk.root.grab_keyboard(False, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
    if status == X.GrabSuccess:
        desk.display.ungrab_keyboard(X.CurrentTime)
        desk.display.sync()
    return status == X.AlreadyGrabbed


@check("rofi", {"rofi": "rofi", "xdotool": "xdotool"})
def rofi(desk):
    pick(desk, "rofi")


@check("dmenu", {"dmenu": "suckless-tools", "xdotool": "xdotool"})
def dmenu(desk):
    pick(desk, "dmenu")


@check("cliphist", {}, extras=["bin/cliphist"])
def cliphist(desk):
    """Checks that cliphist records the copies and restores the chosen copy."""
    desk.environment["PATH"] += f":{desk.extra}/bin"
    record(desk, recipe("cliphist"))
    pick_in_terminal(desk, "cliphist-pick")
    # The usual line for wl-clipboard.
    desk.output("cliphist", "wipe")
    record(desk, "wl-paste --watch cliphist store")


def record(desk, line):
    process = desk.start_program("sh", "-c", line)
    for text in TEXTS:
        desk.own(text)
        desk.await_(f"'{text}' in cliphist", lambda text=text: text in desk.shell("cliphist list", statuses=(0, 1)))
    desk.end_program(process)


# Screenshots

def screenshot(desk, name):
    desk.shell(recipe(name))
    desk.await_("a picture on the clipboard", lambda: "image/png" in targets(desk))
    picture = desk.ask("image/png")
    size = re.match(rb"\x89PNG\r\n\x1a\n....IHDR(.{8})", picture, re.DOTALL)
    if not size or struct.unpack(">II", size[1]) != (1280, 900):
        raise Failure(f"the picture began with {picture[:40]!r}")
    desk.await_copy(picture, target="image/png")


def targets(desk):
    atoms = desk.ask("TARGETS") or b""
    return [desk.display.get_atom_name(atom) for (atom,) in struct.iter_unpack("I", atoms)]


@check("maim", {"maim": "maim"})
def maim(desk):
    screenshot(desk, "maim")


@check("scrot", {"scrot": "scrot"})
def scrot(desk):
    screenshot(desk, "scrot")


@check("flameshot", {"flameshot": "flameshot"})
def flameshot(desk):
    screenshot(desk, "flameshot")
