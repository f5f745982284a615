"""Other clipboard managers that run together with the bridge, and the cells of their table.

A manager reads each copy, and puts text back when the text's owner exits. Each function of a cell returns the cell's
text, or raises a `Failure` with the reason for a "no".
"""

import subprocess
import time

from trials import FIXTURES, Failure
from trials.desktop import samples
from trials.desktop.program import Participant
from trials.desktop.session import START_TIMEOUT

# The contents that a program copies, by X11 target.
COPIED = {
    "UTF8_STRING": b"copied by a program", "text/html": b"<p>copied by a <b>program</b></p>",
    "image/png": samples.png(samples.WIDTH, samples.HEIGHT), "application/x-example": b"\0\1\2",
}
# In seconds. A manager reacts to a change within this time.
SETTLE_TIME = 3
LIFETIME = 2


# The cells.

def keeps_types(manager):
    """Kills a program that has copied several types. All types must remain, without another change or history entry."""
    desktop = manager.desktop
    manager.run()
    before = desktop.count()
    copier = copy(manager)
    desktop.capture()
    time.sleep(SETTLE_TIME)
    if desktop.count() != before + 1:
        raise Failure(f"the count rose by {desktop.count() - before} with the copy")
    copier.kill()
    copier.wait()
    time.sleep(SETTLE_TIME)
    for target, data in COPIED.items():
        if (found := desktop.read(target)) != data:
            raise Failure(f"{target} is {'missing' if found is None else 'wrong'} afterwards")
    if desktop.count() != before + 1:
        raise Failure(f"the count rose by {desktop.count() - before - 1} with the kill")
    entries = desktop.xpb("history", "list", "--format", "{preview}").decode().splitlines()
    if entries.count(COPIED["UTF8_STRING"].decode()) != 1:
        raise Failure(f"the history had {entries}")
    return "yes"


def copy(manager):
    """Starts a program that copies several types, and returns the program's process when the manager has read the
    text."""
    desktop = manager.desktop
    folder = desktop.folder / "copied"
    folder.mkdir(exist_ok=True)
    offers = []
    for number, (target, data) in enumerate(COPIED.items()):
        (folder / str(number)).write_bytes(data)
        offers += ["--offer", target, folder / str(number)]
    process = desktop.start(
        "/usr/bin/python3", FIXTURES / "peer.py", "own", *offers, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    desktop.await_("the manager to read the text", lambda: manager.has(COPIED["UTF8_STRING"].decode()))
    return process


def forgets_expired(manager):
    """Sets a secret with a lifetime. No part of the secret may come back."""
    desktop = manager.desktop
    manager.run()
    desktop.xpb("set", "--concealed", "--expires", f"{LIFETIME}s", given=samples.TEXT.encode())
    if desktop.read("UTF8_STRING") != samples.TEXT.encode():
        raise Failure("xclip could not paste it")
    time.sleep(LIFETIME + 1)
    check_gone(desktop, "after its time")
    time.sleep(SETTLE_TIME)
    check_gone(desktop, "later")
    return "yes"


def pastes_once(manager):
    """Sets contents for one paste. The manager's reads do not count as a paste, but xclip's read does."""
    desktop = manager.desktop
    manager.run()
    desktop.xpb("set", "--once", given=samples.TEXT.encode())
    time.sleep(SETTLE_TIME)
    if desktop.read("UTF8_STRING") != samples.TEXT.encode():
        raise Failure("the manager used it up")
    time.sleep(SETTLE_TIME)
    check_gone(desktop, "after the paste")
    return "yes"


def check_gone(desktop, moment):
    """Checks that neither the history nor xpb nor xclip has the text of the sample."""
    text = samples.TEXT.encode()
    if text in desktop.xpb("history", statuses=(0, 1)):
        raise Failure(f"the history had it {moment}")
    for program, found in ("xpb", desktop.xpb("get", statuses=(0, 1))), ("xclip", desktop.read("UTF8_STRING")):
        if text in (found or b""):
            raise Failure(f"{program} pasted it {moment}, from {desktop.owner_status().get('program')}")


CELLS = {
    "killed program": keeps_types, "secret that expires": forgets_expired, "contents for one paste": pastes_once,
}


# The managers.

class Manager(Participant):
    columns = CELLS
    # The manager's name on the D-Bus, and the command that prints its history.
    bus_name = ""
    listing = []

    def run(self):
        """Starts the manager, and sets contents until the manager reads them."""
        self.start(self.executable)
        self.desktop.await_(
            f"{self.name} on the D-Bus",
            lambda: self.desktop.run("gdbus", "wait", "--session", "--timeout", "1", self.bus_name) is not None,
            START_TIMEOUT)
        # The manager is on the D-Bus before it watches the clipboard.
        words = f"before the copy, {time.monotonic_ns()}"
        self.desktop.await_(f"{self.name} to read the contents", lambda: self.reads(words), START_TIMEOUT)
        time.sleep(SETTLE_TIME)

    def reads(self, words):
        self.desktop.xpb("set", words)
        time.sleep(1)
        return self.has(words)

    def has(self, text):
        """Returns True if the manager has the text in its own history."""
        return text in (self.desktop.run(*self.listing) or b"").decode("utf-8", "replace")


def putting_back(process):
    """Returns the limits of a manager that also stores secrets, and copies its latest text when there is no owner."""
    return {
        "secret that expires": (f"after its time, from {process}", "the manager puts it back"),
        "contents for one paste": (f"after the paste, from {process}", "yes, and the manager puts it back"),
    }


class Klipper(Manager):
    name = product = "Klipper"
    package, executable = "plasma-workspace", "klipper"
    bus_name = "org.kde.klipper"
    listing = [
        "gdbus", "call", "--session", "--dest", bus_name, "--object-path", "/klipper",
        "--method", "org.kde.klipper.klipper.getClipboardHistoryMenu"]


class GPaste(Manager):
    name = product = "GPaste"
    package, executable = "gpaste-2", "/usr/libexec/gpaste/gpaste-daemon"
    limits = putting_back("gpaste-daemon")
    bus_name = "org.gnome.GPaste"
    listing = ["gpaste-client", "history", "--oneline"]


class Diodon(Manager):
    name = product = "Diodon"
    package = executable = "diodon"
    limits = putting_back("diodon")
    bus_name = "net.launchpad.Diodon"

    def has(self, text):
        # Zeitgeist stores Diodon's history.
        return any(
            text.encode() in path.read_bytes()
            for path in (self.desktop.folder / ".local/share/zeitgeist").glob("activity.sqlite*"))
