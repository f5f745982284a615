"""Checks xpb-board with real programs on a private desktop, measures it, and draws its pictures.

Each check drives Examples/board with mouse and keys; one check drives Examples/sdl-paste. The pictures are written to
Documents/Pictures. It takes about two minutes. Only the measurement of wake-ups waits for a fixed time: the checks wait
for changes with `xpb wait`, for the state of widgets with AT-SPI, and for the canvas with the pixels of the screen.

$XPB_BOARD is the xpb-board to use instead of the last build of Examples/board. Exit status: 0 if all checks pass, 1 if
one fails, 2 for a usage error.
"""

import argparse
import collections
import contextlib
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from trials import FIXTURES, ROOT, Failure, pictures, say
from trials.board_desk import DOCUMENT, Board, Desk, until, wait_event

PICTURES = ROOT / "Documents/Pictures"
TOOLKITS = FIXTURES / "Toolkits"
BOARD = ROOT / "Examples/board/.build/release/xpb-board"
SDL_PASTE = ROOT / "Examples/sdl-paste/.build/debug/sdl-paste"
SECOND = "org.example.second"
BLUE = (0x20, 0x40, 0xC0)
COLOR_FORMS = {
    "org.xpb.board.tile", "com.apple.cocoa.pasteboard.color", "public.utf8-plain-text", "public.svg-image",
    "public.png",
}
# The limits, in seconds and numbers.
FIRST_FRAME_LIMIT = 0.3
REST_SECONDS = 10


def color_tile(name, x, y, color="#2040c0", label="", **other):
    description = {
        "version": 1, "id": name, "x": x, "y": y, "width": 140, "height": 100, "color": color, "corners": 6,
        "label": label,
    } | other
    return [("org.xpb.board.tile", json.dumps(description).encode())]


def text_tile(name, x, y, text, label=""):
    description = {
        "version": 1, "id": name, "x": x, "y": y, "width": 180, "height": 60, "corners": 6, "label": label}
    return [("public.utf8-plain-text", text.encode()), ("org.xpb.board.tile", json.dumps(description).encode())]


# A GTK 3 window that writes the text that is dropped on it to a file.
DROP_TARGET = """
import os, sys
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk

def received(widget, context, x, y, data, info, time):
    with open(sys.argv[1] + ".new", "w", encoding="utf-8") as file:
        file.write(data.get_text())
    os.rename(sys.argv[1] + ".new", sys.argv[1])

window = Gtk.Window(default_width=300, default_height=300)
window.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
window.drag_dest_add_text_targets()
window.connect("drag-data-received", received)
window.connect("map-event", lambda *_: (window.move(10, 60), print("ready", flush=True)))
window.show_all()
Gtk.main()
"""

# A window with a text view, whose text is written to a file after each change.
PASTE_TARGET = """
import os, sys
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

def changed(buffer):
    with open(sys.argv[1] + ".new", "w", encoding="utf-8") as file:
        file.write(buffer.get_text(*buffer.get_bounds(), True))
    os.rename(sys.argv[1] + ".new", sys.argv[1])

window, view = Gtk.Window(), Gtk.TextView()
view.get_buffer().connect("changed", changed)
window.add(view)
window.connect("focus-in-event", lambda *_: print("ready", flush=True))
window.show_all()
Gtk.main()
"""


def expect(condition, description):
    if not condition:
        raise Failure(description)


class Checks:
    def __init__(self, desk):
        self.desk = desk

    @contextlib.contextmanager
    def board(self, *items, document=DOCUMENT, language=None, options=()):
        """Runs a board with these tiles until the end of the block."""
        self.desk.write(list(items), document)
        board = Board(self.desk, "--board", "--document", document, *options, language=language)
        try:
            board.await_tiles(len(items))
            yield board
        finally:
            board.end()

    def copied(self, board, *keys):
        """Presses keys that copy, and returns the clipboard's change count after the copy."""
        before = self.desk.count()
        self.desk.keys(*keys or ("ctrl+c",))
        return self.desk.wait_change(before)

    def written(self, *keys, document=DOCUMENT):
        """Presses keys that change the document, and waits for the change."""
        before = self.desk.count(document)
        self.desk.keys(*keys)
        return self.desk.wait_change(before, document)

    # 4

    def check_4_copy(self):
        """a copied color tile offers its five forms, and the PNG has its color"""
        with self.board(color_tile("a", 40, 30)) as board:
            until("the tile's color", lambda: self.desk.has_color(*board.point(self.desk.tiles()[0]), BLUE))
            board.click(*board.point(self.desk.tiles()[0]))
            self.copied(board)
            kinds = set(self.desk.items("general")[0])
            # The bridge makes BMP and TIFF of the PNG.
            made = {"com.microsoft.bmp", "public.tiff"}
            expect(kinds == COLOR_FORMS | made, f"the clipboard had {sorted(kinds)}")
            expect(self.desk.get("text") == b"#2040c0", "the text was not the color")
            self.expect_color(self.desk.get("image/png"))
            self.copied(board)
        # Nobody has asked for the PNG of this copy, so the program keeps its promise when it ends.
        self.expect_color(self.desk.get("image/png"))

    def expect_color(self, png):
        pixbuf = self.pixbuf(png)
        size = (pixbuf.get_width(), pixbuf.get_height())
        expect(size == (140, 100), f"the PNG had {size} pixels")
        offset = 50 * pixbuf.get_rowstride() + 70 * pixbuf.get_n_channels()
        found = tuple(pixbuf.get_pixels()[offset:offset + 3])
        expect(found == BLUE, f"the PNG's middle was {found}")

    def pixbuf(self, png):
        import gi
        gi.require_version("GdkPixbuf", "2.0")
        from gi.repository import GdkPixbuf
        loader = GdkPixbuf.PixbufLoader()
        loader.write(png)
        loader.close()
        return loader.get_pixbuf()

    # 5

    def check_5_paste(self):
        """a tile is pasted into a second board, at the last click, and into GTK 3, Qt 5 and Tk programs"""
        with self.board(color_tile("a", 40, 30)) as board, self.board(document=SECOND) as second:
            board.activate()
            board.click(*board.point(self.desk.tiles()[0]))
            self.copied(board)
            second.activate()
            x, y, *_ = second.canvas()
            second.click(x + 333, y + 222)
            self.written("ctrl+v", document=SECOND)
            tile = self.desk.tiles(SECOND)[0]
            expect((tile["x"], tile["y"], tile["color"]) == (333, 222, "#2040c0"), f"the second board had {tile}")
            expect(tile["id"] != "a", "the pasted tile had the name of the copied tile")
            for toolkit in ("gtk3", "qt", "tk"):
                expect(self.read_by(toolkit, "text") == b"#2040c0", f"{toolkit} pasted different text")
            for toolkit in ("gtk3", "qt"):
                self.expect_color(self.read_by(toolkit, "image"))

    def read_by(self, toolkit, kind):
        path = self.desk.folder / "pasted"
        subprocess.run(
            ["/usr/bin/python3", TOOLKITS / f"{toolkit}.py", "read", kind, path], env=self.desk.environment, check=True,
            timeout=60, stdout=subprocess.DEVNULL, stderr=self.desk.log)
        return path.read_bytes()

    # 6

    def check_6_unknown_type(self):
        """contents of an unknown type come back byte for byte"""
        contents = os.urandom(100_000)
        with self.board() as board:
            self.desk.xpb("set", "-t", "application/x-nobody-knows", given=contents)
            until("Paste to be enabled", lambda: board.is_enabled("push button", "Paste"))
            self.written("ctrl+v")
            self.desk.xpb("clear")
            self.copied(board)
            expect(self.desk.get("application/x-nobody-knows") == contents, "the bytes changed")
            self.desk.xpb("clear")
        with_bridge = self.desk.xpb("get", "-p", DOCUMENT, "-t", "application/x-nobody-knows")
        expect(with_bridge == contents, "the document's bytes changed")

    # 7

    def check_7_paste_state(self):
        """Paste is enabled only while the clipboard has contents, even if no menu is opened"""
        self.desk.xpb("clear")
        with self.board() as board:
            states = [board.is_enabled("push button", "Paste")]
            self.desk.xpb("set", given=b"now")
            until("Paste to be enabled", lambda: board.is_enabled("push button", "Paste"))
            self.desk.xpb("clear")
            until("Paste to be disabled", lambda: not board.is_enabled("push button", "Paste"))
            states.append(board.is_enabled("push button", "Paste"))
            self.desk.xpb("set", given=b"again")
            states.append(until("Paste to be enabled", lambda: board.is_enabled("push button", "Paste")))
            expect(states == [False, False, True], f"Paste was {states}")
            self.stopped_owner(board)

    def stopped_owner(self, board):
        """Checks that the window reacts while the clipboard's owner is stopped, and that a paste reports the reason of
        its failure."""
        owner = self.desk.start("xclip", "-selection", "clipboard", "-quiet", "-i", stdin=subprocess.PIPE)
        before = self.desk.count()
        owner.stdin.write(b"from a program that stops")
        owner.stdin.close()
        self.desk.wait_change(before)
        until("Paste to be enabled", lambda: board.is_enabled("push button", "Paste"))
        owner.send_signal(signal.SIGSTOP)
        self.desk.keys("ctrl+v")
        x, y, *_ = board.canvas()
        board.click(x + 300, y + 300, button=3)
        until("a menu", lambda: board.find("menu item", "New Color Tile"))
        self.desk.keys("Escape")
        until("the menu to close", lambda: not self.desk.popups())
        until("a message about the owner", board.message)
        expect(not self.desk.tiles(), "the failed paste made a tile")
        self.desk.end(owner)

    # 8

    def check_8_drag(self):
        """a drag of 40 motions is undone in one step, with a name in English and in German"""
        for language, title, edit in (
            ("C.UTF-8", "Undo Move Tile", "Undo"), ("de_DE.UTF-8", "Rückgängig: Kachel bewegen", "Rückgängig")):
            with self.board(color_tile("a", 40, 30), language=language) as board:
                expect(not board.is_enabled("push button", edit), "something could be undone at first")
                start = board.point(self.desk.tiles()[0])
                self.drag(start, 40, (5, 3))
                until("the end of the drag", lambda: self.place_of("a") == (240, 150))
                until(f"{title} to be enabled", lambda: board.is_enabled("push button", title))
                levels = self.desk.xpb("undo", "--list", "-p", DOCUMENT).decode().splitlines()
                expect(levels[0].split("\t")[-1] in ("Move Tile", "Kachel bewegen"), f"the bridge had {levels[0]}")
                self.desk.keys("ctrl+z")
                until("the tile at its old place", lambda: self.place_of("a") == (40, 30))
                until("Undo to be disabled", lambda: not board.is_enabled("push button", edit))
                self.desk.keys("ctrl+shift+z")
                until("the redone drag", lambda: self.place_of("a") == (240, 150))

    def drag(self, start, motions, step):
        self.desk.input("mousemove", *start, "mousedown", 1)
        for index in range(1, motions + 1):
            self.desk.input("mousemove", start[0] + index * step[0], start[1] + index * step[1])
        self.desk.input("mouseup", 1)

    def place_of(self, name, document=DOCUMENT):
        return next(((tile["x"], tile["y"]) for tile in self.desk.tiles(document) if tile["id"] == name), None)

    # 9

    def check_9_cut(self):
        """undoing a cut brings the tile back, and leaves the clipboard as it is"""
        with self.board(color_tile("a", 40, 30), color_tile("b", 240, 30, "#c01c28")) as board:
            board.click(*board.point(self.desk.tiles()[0]))
            before = self.desk.count(DOCUMENT)
            count = self.copied(board, "ctrl+x")
            self.desk.wait_change(before, DOCUMENT)
            expect([tile["id"] for tile in self.desk.tiles()] == ["b"], "the tile was not removed")
            until("Undo Cut Tile to be enabled", lambda: board.is_enabled("push button", "Undo Cut Tile"))
            self.written("ctrl+z")
            expect([tile["id"] for tile in self.desk.tiles()] == ["a", "b"], "the tile was not back at its place")
            expect(self.desk.count() == count, "the clipboard changed")

    # 10

    def check_10_menu(self):
        """at each corner of the screen, the menu is inside the screen and shows all its items"""
        with self.board() as board:
            self.desk.input("windowmove", "--sync", board.window.id, 0, 0)
            self.desk.input("windowsize", "--sync", board.window.id, 1270, 870)
            until("a large window", lambda: board.place()[2] > 1200)
            until("a large canvas", lambda: board.canvas()[2] > 1200)
            x, y, width, height = board.canvas()
            right, bottom = x + width - 4, y + height - 4
            for corner in ((x + 3, y + 3), (right, y + 3), (x + 3, bottom), (right, bottom)):
                board.click(*corner, button=3)
                until("a menu", lambda: board.find("menu item", "New Color Tile") and self.desk.popups())
                for left, top, wide, high in self.desk.popups():
                    inside = left >= 0 and top >= 0 and left + wide <= 1280 and top + high <= 900
                    expect(inside, f"the menu at {corner} was at {left}, {top} with {wide} × {high}")
                    expect(self.items_height(board) <= high, f"the last items of the menu at {corner} were cut off")
                self.desk.keys("Escape")
                until("the menu to close", lambda: not self.desk.popups())

    def items_height(self, board):
        """Returns the minimum height of the menu that shows all its items."""
        first, last = (
            self.desk.accessibility.place(board.find("menu item", name)) for name in ("New Color Tile", "Edit Tile"))
        # Above these two items are seven items of the same height and three separators of at least 9 pixels.
        return 7 * first[3] + 3 * 9 + last[1] + last[3] - first[1]

    # 11

    def check_11_find(self):
        """Find Next in one board finds the string searched for in another; typing alone does not change PRIMARY"""
        tiles = [text_tile("a", 20, 20, "apples"), text_tile("b", 20, 120, "pears and plums")]
        with self.board(*tiles) as board, self.board(*tiles, document=SECOND) as second:
            self.desk.xpb("set", "-p", "find", given=b"selected by the user")
            before = self.desk.count("find")
            board.activate()
            self.desk.keys("ctrl+f")
            self.desk.type("plums")
            self.desk.keys("Return")
            after = self.desk.wait_change(before, "find")
            # Return makes one change; the letters before Return make no change.
            expect(after == before + 1, "typing changed PRIMARY")
            expect(self.desk.xpb("get", "-p", "find") == b"plums", "PRIMARY was not the search string")
            # The field has a text now, which the letters replace without being selected.
            self.desk.keys("ctrl+f")
            self.desk.type("pears")
            until("the replaced text", lambda: self.desk.accessibility.has_text(board.application, "pears"))
            expect(self.desk.count("find") == after, "Ctrl+F changed PRIMARY")
            second.activate()
            x, y, *_ = second.canvas()
            second.click(x + 500, y + 400)
            until("Copy to be disabled", lambda: not second.is_enabled("push button", "Copy"))
            self.desk.keys("ctrl+g")
            until("Copy to be enabled", lambda: second.is_enabled("push button", "Copy"))
            self.copied(second)
            expect(self.desk.xpb("get") == b"pears and plums", "the wrong tile was found")

    # 12

    def check_12_views(self):
        """the palette and the bar appear and disappear with the focus, and undo applies to the focus"""
        with self.board(color_tile("a", 40, 30)) as board:
            tile = self.desk.tiles()[0]
            expect(not board.find("push button", "Done"), "the bar was there at first")
            board.click(*board.point(tile), count=2)
            self.await_views(board, True)
            board.click(*self.middle_of(board, "Search the board"))
            self.await_views(board, False)
            board.click(*board.point(tile))
            self.await_views(board, True)
            self.choose_color(board, 0)
            until("the new color", lambda: self.desk.tiles()[0]["color"] != "#2040c0")
            until("Undo Change Color to be enabled", lambda: board.is_enabled("push button", "Undo Change Color"))
            self.written("ctrl+z")
            expect(self.desk.tiles()[0]["color"] == "#2040c0", "the color was not back")
            self.refuse_color(board)
            self.desk.keys("Escape")
            self.await_views(board, False)
            until("Undo of the board to be disabled", lambda: not board.is_enabled("push button", "Undo"))

    def await_views(self, board, are_shown):
        def found():
            return bool(board.find("push button", "Done")), bool(self.desk.popups())
        until("the views" if are_shown else "the views to close", lambda: found() == (are_shown, are_shown))

    def middle_of(self, board, name):
        x, y, *_ = board.place()
        left, top, width, height = self.desk.accessibility.extents(board.application, name)
        return x + left + width // 2, y + top + height // 2

    def choose_color(self, board, index):
        left, top, width, height = self.desk.popups()[0]
        self.desk.input("mousemove", left + width // 10, top + height // 4, "click", 1)

    def refuse_color(self, board):
        """Checks that a field with an invalid color keeps the focus."""
        board.click(*self.middle_of(board, "Color such as"))
        self.desk.keys("ctrl+a")
        self.desk.type("#20zz")
        board.click(*self.middle_of(board, "Search the board"))
        until("the focus in the field", lambda: self.desk.accessibility.is_focused(board.application, "Color such as"))
        self.desk.keys("ctrl+a")
        before = self.desk.count(DOCUMENT)
        self.desk.type("#33cc66")
        self.desk.keys("Return")
        self.desk.wait_change(before, DOCUMENT)
        expect(self.desk.tiles()[0]["color"] == "#33cc66", "the field's color was not used")
        board.click(*board.point(self.desk.tiles()[0]))

    # 13

    def check_13_kill(self):
        """no tile is lost if the bridge dies during a copy or the board after a paste; a failed copy is reported"""
        with self.board(color_tile("a", 40, 30), text_tile("b", 240, 30, "kept")) as board:
            board.click(*board.point(self.desk.tiles()[0]))
            until("Copy to be enabled", lambda: board.is_enabled("push button", "Copy"))
            os.kill(self.desk.bridge, signal.SIGSTOP)
            self.desk.keys("ctrl+c")
            self.desk.remove_daemon()
            os.kill(self.desk.bridge, signal.SIGKILL)
            until("a message in the window", board.message)
            self.desk.restore_daemon()
            self.desk.start_bridge()
            expect(len(self.desk.tiles()) == 2, "a tile was lost with the bridge")
            # The window still works.
            self.copied(board)
            self.written("ctrl+v")
            expect(len(self.desk.tiles()) == 3, "the window did not paste any more")
            before = self.desk.count(DOCUMENT)
            self.desk.keys("ctrl+v")
            self.desk.wait_change(before, DOCUMENT)
            board.process.kill()
            expect(len(self.desk.tiles()) == 4, "a tile was lost with the board")
        with contextlib.closing(Closing(Board(self.desk, "--board"))) as again:
            again.board.await_tiles(4)

    def check_clipboard_undo(self):
        """the command that undoes the clipboard is dimmed at first, and then names the change that it undoes"""
        with self.board() as board:
            def title():
                board.click(*self.middle_of(board, "Clipboard"))
                found = until("the menu", lambda: board.name("menu item", "Undo"))
                return found
            first = title()
            expect(not board.is_enabled("menu item", first), f"'{first}' was enabled at first")
            self.desk.keys("Escape")
            until("the menu to close", lambda: not self.desk.popups())
            self.desk.xpb("set", given=b"one")
            before = self.desk.count()
            self.desk.xpb("set", given=b"two")
            self.desk.wait_change(before)
            until("Paste to be enabled", lambda: board.is_enabled("push button", "Paste"))
            expect(title() == "Undo Copy from xpb", "the item had the wrong name")
            before = self.desk.count()
            # The first item has the focus.
            self.desk.keys("Return")
            self.desk.wait_change(before)
            expect(self.desk.xpb("get") == b"one", "the clipboard was not undone")

    # Shared documents and bad input

    def check_two_windows(self):
        """two windows share a document, and no tile is lost when both change it"""
        with self.board(color_tile("a", 40, 30)) as board, contextlib.closing(
                Closing(Board(self.desk, "--board", "--standalone"))) as other:
            other.board.await_tiles(1)
            self.desk.xpb("set", given=b"from one")
            for window, count in ((board, 2), (other.board, 3), (board, 4)):
                window.activate()
                until("Paste to be enabled", lambda: window.is_enabled("push button", "Paste"))
                self.written("ctrl+v")
                board.await_tiles(count)
                other.board.await_tiles(count)
            expect(len({tile["id"] for tile in self.desk.tiles()}) == 4, "two tiles had the same name")

    def check_newer_tile(self):
        """a tile of a later version is shown as a card, and kept as it is"""
        newer = b'{"version":9,"id":"n","wheels":4}'
        with self.board([("org.xpb.board.tile", newer), ("public.utf8-plain-text", b"inside")]) as board:
            x, y, *_ = board.canvas()
            board.click(x + 400, y + 300)
            self.desk.xpb("set", given=b"beside it")
            until("Paste to be enabled", lambda: board.is_enabled("push button", "Paste"))
            self.written("ctrl+v")
            expect(self.desk.get("org.xpb.board.tile", DOCUMENT) == newer, "the tile was changed")
            expect(self.desk.get("text", DOCUMENT) == b"inside", "the tile's contents were changed")

    def check_dead_target(self):
        """undoing a change of a tile that another program has removed does nothing, and the window still works"""
        with self.board(color_tile("a", 40, 30)) as board:
            board.click(*board.point(self.desk.tiles()[0]), count=2)
            self.await_views(board, True)
            before = self.desk.count(DOCUMENT)
            self.choose_color(board, 0)
            self.desk.wait_change(before, DOCUMENT)
            until("Undo Change Color to be enabled", lambda: board.is_enabled("push button", "Undo Change Color"))
            self.desk.xpb("clear", "-p", DOCUMENT)
            board.await_tiles(0)
            self.await_views(board, False)
            self.desk.keys("ctrl+z")
            self.desk.xpb("set", "-p", "find", given=b"selected elsewhere")
            x, y, *_ = board.canvas()
            before = self.desk.count(DOCUMENT)
            board.click(x + 120, y + 90, button=2)
            self.desk.wait_change(before, DOCUMENT)
            tile = self.desk.tiles()[0]
            expect((tile["x"], tile["y"]) == (120, 90), f"the tile was {tile}")
            expect(self.desk.get("text", DOCUMENT) == b"selected elsewhere", "different text was pasted")

    def check_cut_archive(self):
        """a truncated archive is refused, and the board stays as it is"""
        with self.board(color_tile("a", 40, 30)) as board:
            archive = self.desk.xpb("dump", "-p", DOCUMENT)
            before = self.desk.count(DOCUMENT)
            self.desk.xpb("load", "-p", DOCUMENT, given=archive[:-7], statuses=range(1, 7))
            expect(self.desk.count(DOCUMENT) == before, "the document changed")
            self.desk.xpb("clear", "-p", DOCUMENT)
            board.await_tiles(0)
            self.desk.xpb("load", "-p", DOCUMENT, given=archive)
            board.await_tiles(1)

    def check_huge_picture(self):
        """a picture of 20,000 × 20,000 pixels is pasted as a card, with little memory"""
        png = pictures.png(20_000, itertools.repeat(bytes(60_000), 20_000))
        with self.board() as board:
            self.desk.xpb("set", "-t", "image/png", given=png)
            until("Paste to be enabled", lambda: board.is_enabled("push button", "Paste"))
            self.written("ctrl+v")
            x, y, *_ = board.canvas()
            until("a card", lambda: self.desk.pixel(x + 20, y + 20) == (255, 255, 255))
            expect(self.desk.get("image/png", DOCUMENT) == png, "the picture changed")
            peak = memory(board.process.pid, "VmHWM")
            say(f"    peak memory {peak // 1024} MiB")
            expect(peak < 400 * 1024, f"the peak memory was {peak // 1024} MiB")

    # 14

    def check_14_pictures(self):
        """the program's pictures are drawn"""
        tiles = [
            color_tile("c1", 24, 24, "#1c71d8", "Sea", corners=12),
            color_tile("c2", 184, 24, "#2ec27e", "Moss", corners=12),
            color_tile("c3", 344, 24, "#e66100", "Rust", corners=12),
            text_tile("t1", 24, 150, "A scrapbook: whatever is pasted becomes a tile.", "Note"),
            [("public.file-url", b"file:///home/me/Documents/plan.odt\r\n"), tile_at("f", 230, 150, 200, 60)],
            [("public.url", b"https://www.swift.org"), ("public.utf8-plain-text", b"https://www.swift.org"),
             tile_at("l", 24, 240, 200, 44)],
            [("application/x-spreadsheet-cells", b"\x00\x01"), tile_at("u", 450, 150, 220, 60)],
            [("image/png", small_png()), tile_at("p", 250, 240, 220, 160)],
        ]
        with self.board(*tiles) as board:
            first = self.desk.tiles()[0]
            until("the first tile", lambda: self.desk.has_color(*board.point(first), (0x1C, 0x71, 0xD8)))
            for tile, color in zip(self.desk.tiles()[1:3], ((0x2E, 0xC2, 0x7E), (0xE6, 0x61, 0x00))):
                expect(self.desk.has_color(*board.point(tile), color), f"{tile['label']} had the wrong color")
            middle = board.point(self.desk.tiles()[7])
            until("the picture", lambda: not self.desk.has_color(*middle, (255, 255, 255), 20))
            place = board.place()
            self.desk.save_picture(PICTURES / "board.png", place)
            board.click(*board.point(self.desk.tiles()[1]), count=2)
            self.await_views(board, True)
            x, y, *_ = board.canvas()
            # Moves the pointer away from widgets that it would highlight.
            self.desk.input("mousemove", x + 600, y + 450)
            self.desk.save_picture(PICTURES / "tile.png", place)
        for text in ("A first note", "https://www.swift.org", "git commit --amend", "#2040c0"):
            self.desk.xpb("set", given=text.encode())
        self.desk.xpb("set", "-t", "image/png", given=small_png())
        self.desk.xpb("set", given="What was copied last".encode())
        history = Board(self.desk, "--history")
        try:
            until("the rows", lambda: history.find("label", "What was copied last"))
            until("the end of drawing", lambda: self.is_drawn(history))
            self.desk.save_picture(PICTURES / "history.png", history.place())
            self.desk.type("mit")
            until("the rows of a search", lambda: not history.find("label", "#2040c0"))
            until("the end of drawing", lambda: self.is_drawn(history))
            self.desk.save_picture(PICTURES / "history-search.png", history.place())
            self.draw_states(history)
        finally:
            history.end()

    def draw_states(self, history):
        """Draws the menu, several selected entries, a deletion, a search that finds nothing, and the settings."""
        self.desk.keys("ctrl+a", "BackSpace")
        until("all rows", lambda: history.find("label", "#2040c0"))
        place = history.place()
        history.click(*self.middle_of(history, "https://www.swift.org"), button=3)
        until("the menu", lambda: self.desk.popups() and history.find("menu item", "Save As…"))
        self.desk.save_picture(PICTURES / "history-menu.png", place)
        self.desk.keys("Escape")
        until("the end of the menu", lambda: not self.desk.popups())
        self.desk.keys("shift+Down")
        until("the number of entries", lambda: history.name("label", "2 entries are selected"))
        self.desk.save_picture(PICTURES / "history-several.png", place)
        self.desk.keys("Delete")
        until("a message", lambda: history.message() and history.message().startswith("2 entries"))
        self.desk.save_picture(PICTURES / "history-deleted.png", place)
        self.desk.type("zzz")
        until("no rows", lambda: history.name("label", "No entry matches"))
        self.desk.save_picture(PICTURES / "history-none.png", place)
        self.desk.keys("F10", "Right")
        self.choose_item(history, "Settings…")
        until("the settings", lambda: history.find("text", "Do not store copies of"))
        number = until("the window", lambda: self.desk.window_named("Settings"))
        window = self.desk.display.create_resource_object("window", number)
        size, corner = window.get_geometry(), window.translate_coords(self.desk.display.screen().root, 0, 0)
        self.desk.save_picture(PICTURES / "settings.png", (-corner.x, -corner.y, size.width, size.height))

    def is_drawn(self, board):
        x, y, *_ = board.place()
        # A place without text in the selected row, the first one.
        return self.desk.has_color(x + 460, y + 185, (0x35, 0x84, 0xE4), 12)

    # History

    def check_history(self):
        """typing searches the history; entries can be pinned, deleted and restored; Return copies, pastes and closes"""
        for text in ("alpha one", "beta two", "gamma three"):
            self.desk.xpb("set", given=text.encode())
        path = self.desk.folder / "pasted"
        target = self.desk.start("/usr/bin/python3", "-c", PASTE_TARGET, path, stdout=subprocess.PIPE)
        expect(target.stdout.readline() == b"ready\n", "there was no window to paste into")
        board = Board(self.desk, "--history")
        try:
            until("the entries", lambda: board.find("label", "gamma three") and board.find("label", "alpha one"))
            self.desk.xpb("set", given=b"delta four")
            until("the new entry", lambda: board.find("label", "delta four"))
            self.desk.type("bet")
            until("one entry", lambda: board.find("label", "beta two") and not board.find("label", "alpha one"))
            self.desk.keys("ctrl+a", "BackSpace")
            until("all entries", lambda: board.find("label", "alpha one"))
            self.desk.keys("Delete")
            until("the entry to disappear", lambda: not board.find("label", "delta four"))
            until("Undo Delete Entry to be enabled", lambda: board.is_enabled("push button", "Undo Delete Entry"))
            self.desk.keys("ctrl+z")
            until("the entry", lambda: board.find("label", "delta four"))
            board.click(*self.middle_of(board, "beta two"))
            self.desk.keys("ctrl+p")
            until("a pinned entry", lambda: b"beta" in self.desk.xpb("history", "--pinned", statuses=(0, 1)))
            before = self.desk.count()
            self.desk.keys("Return")
            self.desk.wait_change(before)
            expect(self.desk.xpb("get") == b"beta two", "the wrong entry was copied")
            until("the pasted text", path.exists)
            expect(path.read_text(encoding="utf-8") == "beta two", "different text was pasted")
            board.process.wait(timeout=20)
        finally:
            board.end()

    @contextlib.contextmanager
    def history(self, *texts):
        """Copies texts, and runs a board with the history until the end of the block."""
        for text in texts:
            self.desk.xpb("set", given=text.encode())
        board = Board(self.desk, "--history")
        try:
            until("the entries", lambda: all(board.find("label", text) for text in texts))
            yield board
        finally:
            board.end()

    def check_menu(self):
        """the menu of the right button pastes plain text, pins, saves, and keeps an entry on the board"""
        for text in ("alpha one", "beta two"):
            self.desk.xpb("set", given=text.encode())
        self.desk.xpb("set", "-t", "text/html", given=b"<b>gamma</b> three")
        path = self.desk.folder / "pasted-plain"
        target = self.desk.start("/usr/bin/python3", "-c", PASTE_TARGET, path, stdout=subprocess.PIPE)
        expect(target.stdout.readline() == b"ready\n", "there was no window to paste into")
        board = Board(self.desk, "--history")
        try:
            until("the entries", lambda: board.find("label", "gamma three") and board.find("label", "alpha one"))
            self.choose(board, "alpha one", "Pin")
            until("a pinned entry", lambda: b"alpha" in self.desk.xpb("history", "--pinned", statuses=(0, 1)))
            until("the pinned entry on top", lambda: self.is_above(board, "alpha one", "gamma three"))
            before = self.desk.count(DOCUMENT)
            self.choose(board, "beta two", "Keep on the Board")
            self.desk.wait_change(before, DOCUMENT)
            expect(self.desk.get("text", DOCUMENT) == b"beta two", "the board did not get the entry")
            self.choose(board, "beta two", "Save As…")
            saved = self.desk.folder / "saved.txt"
            until("the dialog", lambda: self.desk.window_named("Save As…"))
            self.desk.keys("ctrl+a")
            self.desk.type(str(saved))
            self.desk.keys("Return")
            until("the file", saved.exists)
            expect(saved.read_bytes() == b"beta two", "the file has different contents")
            self.choose(board, "gamma three", "Paste as Plain Text (Shift+Return)")
            until("the pasted text", path.exists)
            expect(path.read_text(encoding="utf-8") == "gamma three", "different text was pasted")
            expect(b"text/html" not in self.desk.xpb("types", "--mime"), "the style was copied")
            board.process.wait(timeout=20)
        finally:
            board.end()

    def choose(self, board, entry, item):
        """Chooses an item of the menu of an entry."""
        board.click(*self.middle_of(board, entry), button=3)
        self.choose_item(board, item)

    def choose_item(self, board, item):
        """Chooses an item of the open menu."""
        until(f"the item {item}", lambda: self.desk.popups() and board.find("menu item", item))
        for _ in range(20):
            if self.desk.accessibility.has_focus(board.find("menu item", item)):
                break
            self.desk.keys("Down")
            wait_event()
        self.desk.keys("Return")
        until("the menu to close", lambda: not self.desk.popups())

    def is_above(self, board, first, second):
        return self.middle_of(board, first)[1] < self.middle_of(board, second)[1]

    def check_filters(self):
        """the filters show the entries of a kind; a pinned entry is not deleted; one Undo brings back all deletions"""
        with self.history("alpha one", "https://www.swift.org", "#2040c0", "beta two") as board:
            for button, shown, hidden in (
                    ("Links", "https://www.swift.org", "alpha one"), ("Colors", "#2040c0", "https://www.swift.org"),
                    ("Text", "alpha one", "#2040c0")):
                board.click(*self.center_of(board, "push button", button))
                until(f"the entries of {button}", lambda: board.find("label", shown) and not board.find("label", hidden))
            board.click(*self.center_of(board, "push button", "All"))
            until("all entries", lambda: board.find("label", "#2040c0"))
            self.desk.keys("ctrl+p")
            until("a pinned entry", lambda: b"beta" in self.desk.xpb("history", "--pinned", statuses=(0, 1)))
            self.desk.keys("Delete")
            until("a message", lambda: board.message() and "pinned" in board.message())
            self.desk.keys("Down", "Delete")
            until("a message", lambda: board.message() and board.message().startswith("The entry was deleted"))
            self.desk.keys("Delete")
            until("a message", lambda: board.message() and board.message().startswith("2 entries"))
            expect(not board.find("label", "#2040c0"), "the entry was still there")
            board.click(*self.center_of(board, "push button", "Undo"))
            until("both entries", lambda: board.find("label", "#2040c0") and board.find("label", "https://www.swift.org"))

    def check_several(self):
        """several entries are copied as one in their order, deleted and brought back; a copied entry moves to the top"""
        texts = ("alpha one", "beta two", "gamma three", "delta four")
        path = self.desk.folder / "pasted-several"
        target = self.desk.start("/usr/bin/python3", "-c", PASTE_TARGET, path, stdout=subprocess.PIPE)
        expect(target.stdout.readline() == b"ready\n", "there was no window to paste into")
        with self.history(*texts) as board:
            self.desk.keys("shift+Down")
            until("the number of entries", lambda: board.name("label", "2 entries are selected"))
            before = self.desk.count()
            self.desk.keys("ctrl+Return")
            self.desk.wait_change(before)
            expect(self.desk.xpb("get") == b"delta four\ngamma three", "the two entries were not copied as one")
            until("the copied text on top", lambda: self.is_above(board, "delta four gamma", "gamma three"))
            before = self.desk.count()
            board.click(*self.middle_of(board, "beta two"))
            self.desk.keys("ctrl+Return")
            self.desk.wait_change(before)
            until("the copied entry on top", lambda: self.is_above(board, "beta two", "delta four gamma"))
            board.click(*self.middle_of(board, "alpha one"))
            self.desk.input("keydown", "ctrl")
            board.click(*self.middle_of(board, "gamma three"))
            self.desk.input("keyup", "ctrl")
            until("the number of entries", lambda: board.name("label", "2 entries are selected"))
            self.desk.keys("Delete")
            until("both entries to disappear", lambda: not any(board.find("label", text) for text in texts[::2]))
            self.desk.keys("ctrl+z")
            until("both entries", lambda: all(board.find("label", text) for text in texts[::2]))
            board.click(*self.middle_of(board, "alpha one"))
            self.desk.input("keydown", "ctrl")
            board.click(*self.middle_of(board, "beta two"))
            self.desk.input("keyup", "ctrl")
            self.desk.keys("Return")
            until("the pasted text", path.exists)
            expect(path.read_text(encoding="utf-8") == "alpha one\nbeta two", "different text was pasted")
            board.process.wait(timeout=20)

    def check_settings(self):
        """the window shows that the history is paused, and its settings are read and written"""
        with self.history("alpha one") as board:
            self.desk.xpb("history", "pause")
            self.desk.keys("ctrl+w")
            board.process.wait(timeout=20)
        board = Board(self.desk, "--history")
        try:
            until("a message", lambda: board.message() and "paused" in board.message())
            board.click(*self.center_of(board, "push button", "Resume History", last=True))
            until("the end of the pause", lambda: not json.loads(self.desk.xpb("status", "--json"))["store"]["paused"])
            self.desk.keys("F10", "Right")
            self.choose_item(board, "Settings…")
            until("the window", lambda: self.desk.window_named("Settings"))
            path = pathlib.Path(self.desk.environment["HOME"], ".config/xpb/config.json")
            for key in ("Escape", None):
                until("the settings", lambda: board.find("combo box", "Selected text and clipboard"))
                self.desk.keys("Tab")
                while not self.desk.accessibility.has_focus(board.find("push button", "Save")):
                    self.desk.keys("Tab")
                    wait_event()
                self.desk.keys("shift+Tab", "space", "Down", "Return")
                if key:
                    self.desk.keys(key)
                    until("the end of the settings", lambda: not self.desk.window_named("Settings"))
                    expect(not path.exists(), "the settings were written without Save")
                    self.desk.keys("F10", "Right")
                    self.choose_item(board, "Settings…")
            self.desk.keys("Tab", "space")
            until("the setting", lambda: path.exists() and '"find-to-general"' in path.read_text(encoding="utf-8"))
            until("the end of the settings", lambda: not self.desk.window_named("Settings"))
            self.desk.type("zzz")
            until("a search", lambda: board.name("label", "No entry matches"))
        finally:
            board.end()
            self.desk.xpb("config", "sync", "--default")

    def check_changes_elsewhere(self):
        """new entries stay in view, the latest one is selected, and entries deleted elsewhere disappear"""
        with self.history("alpha one") as board:
            for number in range(40):
                self.desk.xpb("set", given=f"later {number}".encode())
            until("the latest entry", lambda: board.find("label", "later 39"))
            self.desk.xpb("history", "delete", self.desk.xpb("history", "-n", "1", "--format", "{id}").decode().strip())
            second = self.desk.start(self.desk.program, "--history")
            second.wait(timeout=20)
            until("the deleted entry to disappear", lambda: not board.find("label", "later 39"))
            before = self.desk.count()
            self.desk.keys("ctrl+Return")
            self.desk.wait_change(before)
            expect(self.desk.xpb("get") == b"later 38", "the latest entry was not selected")
            before = self.desk.count()
            self.desk.keys("ctrl+Return")
            self.desk.wait_change(before)

    def check_haste(self):
        """Return waits for the search that was just typed, and Undo in the bar brings entries back from any place"""
        with self.history("alpha one", "beta two", "gamma three") as board:
            before = self.desk.count()
            self.desk.input("type", "--delay", "1", "alpha")
            self.desk.keys("ctrl+Return")
            self.desk.wait_change(before)
            expect(self.desk.xpb("get") == b"alpha one", "the entry selected before the search was copied")
            self.desk.input("key", "ctrl+a")
            self.desk.type("beta")
            until("one entry", lambda: board.find("label", "beta two") and not board.find("label", "alpha one"))
            board.click(*self.center_of(board, "push button", "Delete Entry"))
            until("the entry to disappear", lambda: not board.find("label", "beta two"))
            board.click(*self.center_of(board, "page tab", "Board"))
            board.click(*self.center_of(board, "push button", "Undo", last=True))
            board.click(*self.center_of(board, "page tab", "History"))
            until("the entry", lambda: board.find("label", "beta two"))

    def check_copied_again(self):
        """an entry that is deleted and then copied again stays when the window is closed"""
        with self.history("alpha one", "beta two") as board:
            self.desk.keys("Delete")
            until("the entry to disappear", lambda: not board.find("label", "beta two"))
            self.desk.xpb("set", given=b"beta two")
            until("the new copy", lambda: board.find("label", "beta two"))
            self.desk.keys("ctrl+w")
            board.process.wait(timeout=20)
        expect(b"beta two" in self.desk.xpb("history"), "the new copy was deleted")

    def center_of(self, board, role, name, last=False):
        """Returns the middle of a widget on the screen."""
        x, y, *_ = board.place()
        left, top, wide, high = self.desk.accessibility.place(board.find(role, name, last=last))
        return x + left + wide // 2, y + top + high // 2

    def check_closing(self):
        """Escape ends a search and then closes the window; Ctrl+W and Ctrl+Q close the window too"""
        for text in ("alpha one", "beta two"):
            self.desk.xpb("set", given=text.encode())
        board = Board(self.desk, "--history")
        try:
            until("the entries", lambda: board.find("label", "alpha one") and board.find("label", "beta two"))
            self.desk.type("bet")
            until("one entry", lambda: not board.find("label", "alpha one"))
            self.desk.keys("Escape")
            until("all entries", lambda: board.find("label", "alpha one"))
            self.desk.keys("Escape")
            board.process.wait(timeout=20)
        finally:
            board.end()
        for page, key in (("--history", "ctrl+w"), ("--board", "ctrl+q")):
            board = Board(self.desk, page)
            try:
                self.desk.keys(key)
                board.process.wait(timeout=20)
            finally:
                board.end()

    def check_drag_out(self):
        """an entry of the history can be dragged to a GTK 3 program"""
        self.desk.xpb("set", given="dragged text".encode())
        self.desk.xpb("set", given=b"another entry")
        path = self.desk.folder / "dropped"
        target = self.desk.start("/usr/bin/python3", "-c", DROP_TARGET, path, stdout=subprocess.PIPE)
        expect(target.stdout.readline() == b"ready\n", "there was no window to drop on")
        board = Board(self.desk, "--history")
        try:
            until("the entries", lambda: board.find("label", "dragged text"))
            self.desk.input("windowmove", "--sync", board.window.id, 400, 100)
            until("the window to move", lambda: board.place()[0] >= 395)
            x, y = self.middle_of(board, "dragged text")
            self.desk.input("mousemove", x, y, "mousedown", 1)
            for step in range(1, 31):
                self.desk.input("mousemove", x + (100 - x) * step // 30, y + (150 - y) * step // 30)
            self.desk.input("mouseup", 1)
            until("the dropped text", path.exists)
            expect(path.read_text(encoding="utf-8") == "dragged text", "different text was dropped")
        finally:
            board.end()

    def check_sdl(self):
        """the SDL program shows the clipboard's text as its title, and copies"""
        self.desk.xpb("set", given=b"shown by SDL")
        program = self.desk.start(self.desk.sdl_program)
        window = until("the SDL window", lambda: self.desk.window_named("shown by SDL"))
        before = self.desk.count()
        self.desk.xpb("set", given=b"another text")
        self.desk.wait_change(before)
        until("the new title", lambda: self.desk.window_named("another text"))
        before = self.desk.count()
        self.desk.input("windowactivate", "--sync", window)
        self.desk.keys("c")
        self.desk.wait_change(before)
        expect(self.desk.xpb("get") == b"copied by SDL", "the SDL program did not copy")
        self.desk.end(program)

    def check_second_start(self):
        """a second instance presents the first instance's window, with the requested page"""
        with self.board() as board:
            until("the board", lambda: self.desk.accessibility.is_focused(board.application, "Board: "))
            second = Board(self.desk, "--history", wait=False)
            expect(second.process.wait(timeout=20) == 0, "the second instance failed")
            until("the history", lambda: self.desk.accessibility.is_focused(board.application, "Search the history"))
            expect(second.find_window() is None, "the second instance had its own window")

    # Figures

    def check_figures(self):
        """with 10,000 entries, the first frame is fast, few rows exist, and the window does not wake at rest"""
        self.desk.seed_history(10_000)
        times = []
        for _ in range(5):
            times.append(self.first_frame())
        say(f"    first frame with 10,000 entries: {', '.join(f'{t * 1000:.0f}' for t in times)} ms")
        board = Board(self.desk, "--history")
        try:
            until("the rows", lambda: board.find("list item"))
            self.await_rest(board)
            wakes = self.wake_ups(board)
            say(f"    wake-ups in {REST_SECONDS} s at rest: {sum(wakes.values())} {dict(wakes)}")
            until("the entries below", lambda: self.page_down(board, "Entry 96"), timeout=90)
            rows = self.desk.accessibility.count(board.application, "list item")
            say(f"    rows that exist after scrolling through 400 entries: {rows}")
        finally:
            board.end()
        expect(sorted(times)[2] < FIRST_FRAME_LIMIT, f"the first frame took {sorted(times)[2]:.3f} s")
        expect(sum(wakes.values()) == 0, "the window woke at rest")
        expect(rows < 300, "too many rows exist that are not visible")

    def page_down(self, board, name):
        self.desk.input("key", *["Page_Down"] * 10)
        return self.desk.accessibility.name(board.application, "label", name)

    def check_many_entries(self):
        """with 100,000 entries, the first frame is fast and a search finds an entry"""
        self.desk.seed_history(100_000)
        times = sorted(self.first_frame() for _ in range(3))
        board = Board(self.desk, "--history")
        try:
            until("the rows", lambda: board.find("list item"))
            self.desk.type("needle42 88888")
            until("an empty list", lambda: not board.find("list item"))
            self.desk.keys("ctrl+a")
            self.desk.type("88888")
            until("the entry", lambda: self.desk.accessibility.name(board.application, "label", "Entry 88888 "))
            peak = memory(board.process.pid, "VmHWM")
            say(f"    first frame {times[1] * 1000:.0f} ms, peak memory {peak // 1024} MiB")
        finally:
            board.end()
        expect(times[1] < 2 * FIRST_FRAME_LIMIT, f"the first frame took {times[1]:.3f} s")

    def first_frame(self):
        """Returns the seconds from the start of the program to a frame with the first entry, whose background is blue
        since it is selected."""
        start = time.monotonic()
        board = Board(self.desk, "--history", wait=False)
        root = self.desk.display.screen().root
        try:
            while True:
                image = root.get_image(640, 0, 1, 900, 2, 0xFFFFFF)
                if b"\xe4\x84\x35" in image.data:
                    return time.monotonic() - start
                if time.monotonic() > start + 20:
                    raise Failure("no frame with the entries appeared")
                time.sleep(0.002)
        finally:
            board.end()

    def await_rest(self, board):
        """Waits until no thread of the program has run for one and a half seconds."""
        last = (switches(board.process.pid), time.monotonic())

        def rests():
            nonlocal last
            now = switches(board.process.pid)
            if now != last[0]:
                last = (now, time.monotonic())
            return time.monotonic() - last[1] > 1.5
        deadline = time.monotonic() + 60
        while not rests():
            if time.monotonic() > deadline:
                raise Failure("the program did not come to rest")
            time.sleep(0.1)

    def wake_ups(self, board):
        before = switches(board.process.pid)
        # The measurement takes this time.
        time.sleep(REST_SECONDS)
        after = switches(board.process.pid)
        return collections.Counter({name: after[name] - before.get(name, 0) for name in after
                                    if after[name] != before.get(name, 0)})


class Closing:
    def __init__(self, board):
        self.board = board

    def close(self):
        self.board.end()


def switches(process):
    """Returns the number of context switches of each thread, by the thread's name and number."""
    found = {}
    for task in os.listdir(f"/proc/{process}/task"):
        with contextlib.suppress(OSError):
            text = pathlib.Path(f"/proc/{process}/task/{task}/status").read_text(encoding="utf-8")
            fields = dict(line.split(":\t", 1) for line in text.splitlines())
            found[f"{fields['Name'].strip()} {task}"] = (
                int(fields["voluntary_ctxt_switches"]) + int(fields["nonvoluntary_ctxt_switches"]))
    return found


def memory(process, field):
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field))


def tile_at(name, x, y, width, height):
    description = {"version": 1, "id": name, "x": x, "y": y, "width": width, "height": height}
    return ("org.xpb.board.tile", json.dumps(description).encode())


def small_png():
    return pictures.png(220, (
        b"".join(bytes((40 + x // 2, 90 + y // 2, 200 - y)) for x in range(220)) for y in range(160)))


def add_options(parser):
    parser.add_argument(
        "--only", metavar="WORD[,WORD]",
        help="only checks whose name contains one of these words; many_entries, with 100,000 entries of the history,"
        " takes ten minutes and runs only if this option names it")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)


def run(options):
    names = [name for name in vars(Checks) if name.startswith("check_")]
    if not options.only:
        # Filling its history takes minutes.
        names.remove("check_many_entries")
    else:
        words = options.only.split(",")
        names = [name for name in names if any(word in name for word in words)]
    if options.here:
        return 0 if all([run_check(name, options.binaries) for name in names]) else 1
    # A process can use only one accessibility bus, and each check has its own desktop.
    passed = sum(map(run_apart, names))
    say(f"{passed} of {len(names)} checks passed")
    return 0 if passed == len(names) else 1


def run_apart(name):
    """Runs a check in its own process, which ends the programs that it has started, even if this process is killed by a
    signal."""
    process = subprocess.Popen([sys.executable, *sys.argv, "--no-build", "--here", "--only", name])
    try:
        return process.wait() == 0
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def expect_no_faults(folder):
    """Fails if a board has crashed, or has misused GTK."""
    for log in pathlib.Path(folder).glob("board-*.log"):
        text = log.read_text(errors="replace")
        expect("Fatal error" not in text and "CRITICAL" not in text, "a board reported a fault")


def run_check(name, binaries):
    """Runs a check on its own desktop, prints a line, and returns whether the check has passed."""
    title = f"{name.removeprefix('check_'):16} {getattr(Checks, name).__doc__}"
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="xpb-") as folder:
        try:
            with Desk(binaries, os.environ.get("XPB_BOARD", BOARD), SDL_PASTE, folder) as desk:
                getattr(Checks(desk), name)()
            expect_no_faults(folder)
            say(f"ok   {title} ({time.monotonic() - begin:.1f} s)")
            return True
        except Exception as error:
            say(f"FAIL {title}: {error}")
            if not isinstance(error, Failure):
                traceback.print_exc()
            for log in sorted(pathlib.Path(folder).glob("board-*.log")):
                if text := log.read_text(errors="replace").strip():
                    say("     " + text[-2000:])
            return False
