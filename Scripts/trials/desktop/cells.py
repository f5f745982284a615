"""The cells of the table. Each function returns the cell's text, or raises a `Failure` with the reason for a "no"."""

import time

from trials import Failure
from trials.desktop import samples

# Targets that mean nothing if they are empty.
FILLED_TARGETS = ["UTF8_STRING", "text/plain;charset=utf-8", "text/html", "image/png", "image/bmp"]


class NotApplicable(Exception):
    """The program does not have the cell's function."""


def copied(program):
    """Starts the program and makes it copy; returns the change count."""
    desktop = program.desktop
    desktop.xpb("set", "before")
    before = desktop.count()
    program.open(program.document())
    program.copy()
    if not desktop.await_count(before, 10):
        raise Failure("the bridge did not count the copy")
    return desktop.count()


def check(program, moment):
    """Checks with xclip, which does not know of the bridge, that each format of the copy is there; returns the
    targets."""
    targets = program.desktop.targets()
    if not targets:
        raise Failure(f"empty {moment}")
    for name, names, is_right in program.formats:
        offered = [target for target in names if target in targets]
        if not offered:
            rest = [target for target in targets if "/" in target] or targets
            raise Failure(f"{name} missing {moment}, only {' '.join(rest[:3])}")
        data = program.desktop.read(offered[0])
        if data is None or not is_right(data):
            raise Failure(f"{offered[0]} {moment} is {'refused' if data is None else f'wrong ({len(data)} bytes)'}")
    return targets


def check_captured(program, capture, moment):
    """Checks that each format of captured contents, which the bridge owns, is there, and that no text or image is
    empty."""
    try:
        for target in check(program, moment):
            if target in FILLED_TARGETS and program.desktop.read(target) == b"":
                raise Failure(f"an empty {target} {moment}")
    except Failure as failure:
        reason = capture.get("reason")
        raise Failure(f"{failure} ({reason})" if reason else str(failure)) from None


def copy_out(program):
    copied(program)
    check(program, "by xclip")
    for name, targets, is_right in program.formats:
        alternatives = [word for target in targets for word in ("-t", target)]
        if not is_right(program.desktop.xpb("get", "--exact", *alternatives)):
            raise Failure(f"xpb get wrote wrong {name}")
    return "yes"


def survives(program, end):
    count = copied(program)
    desktop = program.desktop
    owner = desktop.owner()
    capture = desktop.capture()
    is_saved = desktop.holds_copy()
    end()
    if not is_saved:
        desktop.await_("a new owner of the clipboard", lambda: desktop.owner() != owner)
    # For a moment, there is no owner, until the bridge takes over.
    deadline = time.monotonic() + 2
    while desktop.owner() == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    check_captured(program, capture, "afterwards")
    if desktop.count() != count:
        raise Failure(f"the count went from {count} to {desktop.count()}")
    return "yes"


def survives_kill(program):
    return survives(program, program.kill)


def survives_quit(program):
    return survives(program, program.quit)


def undo_then_paste(program):
    copied(program)
    desktop = program.desktop
    capture = desktop.capture()
    desktop.xpb("set", "after")
    desktop.xpb("undo")
    check_captured(program, capture, "after undo")
    return "yes"


def pasting(kind):
    """Returns the function of the cell for contents of a kind that `xpb` sets and the program pastes."""
    def cell(program):
        if kind not in program.pastes:
            raise NotApplicable
        program.open(program.empty_document())
        program.desktop.xpb("set", *source(program, kind))
        return program.paste(kind)
    return cell


def source(program, kind):
    """Returns the arguments of `xpb set` for contents of a kind."""
    if kind == "text":
        return ["--text", samples.TEXT]
    if kind == "html":
        return ["-t", "text/html", "--text", program.html]
    if kind == "rtf":
        return ["-t", "text/rtf", "--text", samples.RTF]
    folder = program.desktop.folder / "sources"
    folder.mkdir(exist_ok=True)
    if kind == "image":
        path = folder / "image.png"
        path.write_bytes(samples.png(samples.WIDTH, samples.HEIGHT))
        return ["-t", "image/png", "-f", str(path)]
    paths = [folder / name for name in ("first.txt", "second.txt")]
    for path in paths:
        path.write_text(path.name)
    return ["--files", *map(str, paths)]


COPIES = {
    "copy out": copy_out, "survives kill": survives_kill, "survives quit": survives_quit,
    "undo, then paste": undo_then_paste,
}
PASTES = {
    "text in": pasting("text"), "HTML in": pasting("html"), "RTF in": pasting("rtf"), "image in": pasting("image"),
    "files in": pasting("files"),
}
