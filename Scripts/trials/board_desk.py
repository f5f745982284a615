"""A private desktop for the tests of xpb-board: an X server, a window manager, a session bus, a bridge and boards.
Mouse and keys drive the boards; AT-SPI, `xpb` and the pixels of the screen show their state."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time

from Xlib import X, error

from trials import Failure, pictures
from trials.client import Client, sealed
from trials.testbed import Testbed

TIMEOUT = 20
DOCUMENT = "org.xpb.board"


class Desk(Testbed):
    """The desktop. The programs that it starts end with it."""

    screen = "1280x900x24"

    def __init__(self, binaries, program, sdl_program, folder):
        super().__init__(binaries, folder, {
            "GSK_RENDERER": "cairo", "GDK_BACKEND": "x11", "XPB_HISTORY_LIMIT": "200000", "XPB_CAPTURE_EXCEPT": "xclip",
        })
        del self.environment["NO_AT_BRIDGE"]
        # The boards start the bridge by this name, which a check can remove.
        self.daemon = self.folder / "xpbd"
        self.daemon_path = os.path.join(os.path.abspath(binaries), "xpbd")
        self.environment["XPB_XPBD"] = str(self.daemon)
        self.restore_daemon()
        self.program = program
        self.sdl_program = sdl_program

    def start_all(self):
        self.start_server()
        self.start_bus()
        # This process inspects the programs over AT-SPI, on the same display and bus.
        os.environ |= {
            name: self.environment[name] for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")}
        from trials import accessibility
        self.accessibility = accessibility
        self.start_window_manager()
        self.start_bridge()
        return self

    def restore_daemon(self):
        self.daemon.symlink_to(self.daemon_path)

    def remove_daemon(self):
        self.daemon.unlink()

    def window_named(self, name):
        """Returns the number of the window with this title, or None."""
        return next((
            window.id for window in self.managed_windows()
            if self.property(window, "_NET_WM_NAME") == name.encode()), None)

    # The state of the bridge.

    def items(self, name=DOCUMENT):
        """Returns the types of each item of a pasteboard."""
        items = {}
        for line in self.xpb("items", "-p", name, statuses=(0, 1)).decode().splitlines():
            number, kind = line.split("\t")[:2]
            items.setdefault(int(number), []).append(kind)
        return list(items.values())

    def tiles(self, name=DOCUMENT):
        """Returns the descriptions of the tiles of a document."""
        found = []
        for number, kinds in enumerate(self.items(name)):
            if "org.xpb.board.tile" in kinds:
                found.append(json.loads(self.get("org.xpb.board.tile", name, number)))
        return found

    def get(self, kind, name="general", item=0):
        return self.xpb("get", "-p", name, "-t", kind, "--item", str(item))

    def count(self, name="general"):
        return int(self.xpb("count", "-p", name))

    def wait_change(self, since, name="general"):
        """Waits until the change count has passed a value, and returns the count."""
        return int(self.xpb("wait", "-p", name, "--since", str(since), "--timeout", str(TIMEOUT)))

    def write(self, items, name=DOCUMENT):
        """Writes items, each a list of types and bytes, through the socket, and returns the change count."""
        if not items:
            self.xpb("clear", "-p", name, statuses=range(7))
            return None
        offset, described = 0, []
        for item in items:
            representations = []
            for kind, data in item:
                representations.append(
                    {"type": kind, "bytes": {"descriptor": 0, "offset": offset, "length": len(data)}})
                offset += len(data)
            described.append({"representations": representations})
        client = Client(self.socket)
        with sealed(b"".join(data for item in items for _, data in item)) as file, contextlib.closing(client.socket):
            return client.call("Set", pasteboards=[name], items=described, files=[file])["counts"][0]

    def seed_history(self, count):
        """Fills the history with short strings, over one connection to the socket."""
        client = Client(self.socket)
        for number in range(count):
            client.set(f"Entry {number} of a long history, with some words to find: needle{number % 97}".encode())
        client.socket.close()

    # Input.

    def input(self, *arguments):
        subprocess.run(
            ["xdotool", *map(str, arguments)], env=self.environment, check=True, stdout=subprocess.DEVNULL,
            stderr=self.log)

    def keys(self, *names):
        self.input("key", "--clearmodifiers", *names)

    def type(self, text):
        self.input("type", "--delay", "20", text)

    # The screen.

    def pixel(self, x, y):
        """Returns the red, green and blue of a pixel of the screen."""
        image = self.display.screen().root.get_image(int(x), int(y), 1, 1, X.ZPixmap, 0xFFFFFF)
        blue, green, red = image.data[:3]
        return red, green, blue

    def has_color(self, x, y, color, tolerance=6):
        return all(abs(a - b) <= tolerance for a, b in zip(self.pixel(x, y), color))

    def popups(self):
        """Returns the rectangles of the visible menus and popovers: the windows that the window manager does not
        frame."""
        found = []
        for window in self.display.screen().root.query_tree().children:
            # A menu may close at any moment.
            with contextlib.suppress(error.BadWindow, error.BadDrawable):
                attributes, place = window.get_attributes(), window.get_geometry()
                is_shown = attributes.override_redirect and attributes.map_state == X.IsViewable
                if is_shown and place.width > 20 and place.height > 20 and place.x > -50:
                    found.append((place.x, place.y, place.width, place.height))
        return found

    def save_picture(self, path, place=None):
        """Writes the screen, or a rectangle of it, as a PNG file."""
        width, _, rows = pictures.screen(self.display, place)
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_bytes(pictures.png(width, rows, level=9))


class Board:
    """A running xpb-board."""

    def __init__(self, desk, *options, language=None, wait=True):
        self.desk = desk
        environment = dict(desk.environment)
        if language:
            environment |= {"LANG": language, "LC_ALL": language}
        self.errors = desk.folder / f"board-{time.monotonic_ns()}.log"
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [desk.program, *options], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=errors)
        desk.processes.append(self.process)
        if wait:
            self.window = until("the window of xpb-board", self.find_window)
            self.application = until("xpb-board on the accessibility bus", self.find_application)
            self.activate()

    def find_window(self):
        return next((
            window for window in self.desk.managed_windows()
            if list(self.desk.property(window, "_NET_WM_PID") or []) == [self.process.pid]), None)

    def find_application(self):
        return self.desk.accessibility.application(self.process.pid)

    def activate(self):
        self.desk.input("windowactivate", "--sync", self.window.id)
        until("the window to become active", self.is_active)

    def is_active(self):
        active = self.desk.property(self.desk.root, "_NET_ACTIVE_WINDOW")
        return active and active[0] == self.window.id

    def end(self, number=signal.SIGTERM):
        self.desk.end(self.process, number)

    # The state of the widgets.

    def find(self, role, name=None, showing=True, last=False):
        """Returns the first widget, or the last one, with a role and a name, or None."""
        return self.desk.accessibility.find(self.application, role, name, showing, last)

    def is_enabled(self, role, name):
        found = self.find(role, name)
        return found is not None and self.desk.accessibility.is_sensitive(found)

    def name(self, role, beginning):
        """Returns the name of the first widget with a role whose name has this beginning, or None."""
        return self.desk.accessibility.name(self.application, role, beginning)

    def message(self):
        """Returns the text of the message bar, or None."""
        return self.desk.accessibility.message(self.application)

    def place(self):
        """Returns the rectangle of the window's contents on the screen."""
        size = self.window.get_geometry()
        corner = self.window.translate_coords(self.desk.display.screen().root, 0, 0)
        return -corner.x, -corner.y, size.width, size.height

    def canvas(self):
        """Returns the rectangle of the board on the screen."""
        x, y, *_ = self.place()
        left, top, width, height = self.desk.accessibility.extents(self.application, "Board: ", "Pinnwand: ")
        return x + left, y + top, width, height

    def point(self, tile):
        """Returns the middle of a tile on the screen."""
        x, y, *_ = self.canvas()
        return int(x + tile["x"] + tile["width"] / 2), int(y + tile["y"] + tile["height"] / 2)

    # Actions.

    def click(self, x, y, button=1, count=1):
        self.desk.input("mousemove", int(x), int(y), "click", "--repeat", count, "--delay", 60, button)

    def await_tiles(self, count):
        """Waits until the board shows a number of tiles."""
        until(f"{count} tiles on the board", lambda: self.name_of_canvas() == str(count))

    def name_of_canvas(self):
        name = self.name(None, "Board: ") or self.name(None, "Pinnwand: ")
        return name and name.split(": ")[1]


def until(description, probe, timeout=TIMEOUT):
    """Waits until a function returns a true value, and returns the value. Calls the function after each accessibility
    event and every 20 ms."""
    deadline = time.monotonic() + timeout
    while True:
        found = probe()
        if found:
            return found
        if time.monotonic() > deadline:
            raise Failure(f"timed out after {timeout} s waiting for {description}")
        wait_event()


def wait_event():
    try:
        from trials import accessibility
        accessibility.wait_event()
    except ImportError:
        time.sleep(0.02)
