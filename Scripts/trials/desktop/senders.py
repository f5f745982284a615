"""Programs that send the clipboard to another X server, and the cells of their table."""

import subprocess
import time

from trials import Failure
from trials.desktop import samples
from trials.desktop.program import Participant
from trials.desktop.session import START_TIMEOUT

# In seconds. A sender reacts to a change within this time.
SETTLE_TIME = 3


# The cells.

def text_there(sender):
    sender.run()
    sender.xpb("set", "--text", samples.TEXT)
    sender.desktop.await_("the text to arrive", lambda: sender.pasted(sender.there) == samples.TEXT)
    return "yes"


def text_back(sender):
    sender.run()
    sender.xpb("set", "before")
    time.sleep(SETTLE_TIME)
    count = int(sender.xpb("count"))
    sender.copy(sender.there, samples.TEXT)
    sender.desktop.await_("the text to arrive", lambda: sender.xpb("get", statuses=(0, 1)).decode() == samples.TEXT)
    time.sleep(SETTLE_TIME)
    if (rise := int(sender.xpb("count")) - count) != 1:
        raise Failure(f"the count rose by {rise}")
    return "yes"


def pastes_once(sender):
    """Sets contents for one paste. The sender's reads do not count as a paste, but xclip's read does."""
    sender.run()
    sender.xpb("set", "--once", given=samples.TEXT.encode())
    time.sleep(SETTLE_TIME)
    if sender.pasted(sender.here) != samples.TEXT:
        raise Failure("the sender used it up")
    time.sleep(SETTLE_TIME)
    if sender.pasted(sender.here) == samples.TEXT:
        raise Failure("it could be pasted twice")
    return "yes"


CELLS = {"text there": text_there, "text back": text_back, "one paste": pastes_once}


# The programs.

class TigerVNC(Participant):
    """A viewer on the bridge's desktop. The viewer's server is an X server with its own clipboard."""

    name = "TigerVNC: viewer"
    product = "TigerVNC"
    package, executable = "tigervnc-viewer", "xtigervncviewer"
    columns = CELLS

    def __init__(self, desktop):
        super().__init__(desktop)
        self.server = self.here = self.there = None

    def run(self):
        socket = self.desktop.folder / "vnc"
        socket.unlink(missing_ok=True)
        self.server = self.desktop.start(
            "Xtigervnc", "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-SecurityTypes", "None", "-rfbport", "-1",
            "-rfbunixpath", socket, "-geometry", "640x480", stdout=subprocess.PIPE)
        self.here, self.there = self.displays(
            self.desktop.environment["DISPLAY"], ":" + self.server.stdout.readline().strip().decode())
        self.start(self.executable, "-SecurityTypes", "None", socket)
        window = self.desktop.await_(
            "the viewer's window", lambda: self.desktop.window("TigerVNC"), START_TIMEOUT)
        # The viewer reads and writes the clipboard only while it has the focus.
        self.desktop.activate(window)
        time.sleep(SETTLE_TIME)

    def displays(self, viewer, server):
        """Returns the display of the bridge, and the other display."""
        return viewer, server

    def end(self):
        super().end()
        if self.server is not None:
            self.desktop.end(self.server)

    # Both displays.

    def xpb(self, *arguments, **streams):
        return self.desktop.xpb(*arguments, "--display", self.here, **streams)

    def copy(self, display, text):
        path = self.desktop.folder / "copied"
        path.write_text(text, encoding="utf-8")
        self.desktop.start("xclip", "-display", display, "-quiet", "-i", "-selection", "clipboard", path)

    def pasted(self, display):
        data = self.desktop.run("xclip", "-display", display, "-o", "-selection", "clipboard", "-t", "UTF8_STRING")
        return (data or b"").decode("utf-8", "replace")


class TigerVNCServer(TigerVNC):
    """A server as the desktop of the bridge. The viewer is on the other desktop."""

    name = "TigerVNC: server"
    package, executable = "tigervnc-standalone-server", "xtigervncviewer"
    needs = "Xtigervnc"

    def displays(self, viewer, server):
        return server, viewer

    def run(self):
        super().run()
        self.xpb("bridge", "start")

    def end(self):
        if self.here is not None:
            self.xpb("bridge", "stop", statuses=(0, 1, 3, 4))
        super().end()
