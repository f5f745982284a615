"""Acquires and loses a selection, in all possible ways."""

import time

from Xlib import X, XK, Xatom
from Xlib.ext import xtest
from Xlib.protocol import request as requests

from .connection import say


class Ownership:
    def __init__(self, peer, options):
        self.peer = peer
        self.options = options
        self.selection = peer.atom(options.selection)
        self.reclaims = options.reclaim
        # The remaining number of claims, the interval, and the time of the next claim.
        self.churning = None
        self.time = X.CurrentTime

    def own(self, at=None):
        self.time = self.peer.server_time() if at is None else at
        self.peer.window.set_selection_owner(self.selection, self.time)
        held = self.peer.display.get_selection_owner(self.selection)
        say("owned" if held == self.peer.window else "not-owned", time=self.time, window=self.peer.window.id)

    def own_at(self, difference):
        """Claims the selection with a time in milliseconds relative to now, or with CurrentTime."""
        now = self.peer.server_time()
        self.own(X.CurrentTime if difference == "current" else now + int(difference))

    def disown(self):
        requests.SetSelectionOwner(
            display=self.peer.display.display, window=X.NONE, selection=self.selection, time=self.time)
        self.peer.display.sync()
        say("disowned")

    def destroy(self):
        former, self.peer.window = self.peer.window, self.peer.new_window()
        former.destroy()
        self.peer.display.sync()
        say("destroyed")

    def renew(self):
        """Destroys the window, and at once claims with a new window, as Wine does on every copy."""
        former, self.peer.window = self.peer.window, self.peer.new_window()
        self.time = self.peer.server_time()
        former.destroy()
        self.peer.window.set_selection_owner(self.selection, self.time)
        self.peer.display.sync()
        say("owned", time=self.time, window=self.peer.window.id)

    def lost(self, clear):
        say("lost", time=clear.time)
        if self.reclaims > 0:
            self.reclaims -= 1
            self.own()

    def churn(self, count, rate):
        """Claims the selection count times at the given rate per second, as dragging the mouse does."""
        self.churning = [int(count), 1 / float(rate), time.monotonic()]

    def churn_on(self):
        if self.churning is None or self.churning[2] > time.monotonic():
            return
        self.peer.window.set_selection_owner(self.selection, self.peer.server_time())
        self.peer.display.flush()
        self.churning[0] -= 1
        self.churning[2] += self.churning[1]
        if self.churning[0] == 0:
            self.churning = None
            self.peer.display.sync()
            say("churned")

    def press(self, what, down=True):
        """Plays a user who holds the first button or Shift."""
        if what == "button":
            xtest.fake_input(self.peer.display, X.ButtonPress if down else X.ButtonRelease, 1)
        else:
            key = self.peer.display.keysym_to_keycode(XK.XK_Shift_L)
            xtest.fake_input(self.peer.display, X.KeyPress if down else X.KeyRelease, key)
        self.peer.display.sync()
        say("pressed" if down else "released", text=what)

    # A clipboard manager

    def save(self, *names):
        """Asks the clipboard manager to save these targets, or all targets by default (freedesktop.org's
        specification)."""
        property = self.peer.atom("XPB_PEER_SAVE")
        if names:
            self.peer.window.change_property(property, Xatom.ATOM, 32, [self.peer.atom(name) for name in names])
        self.peer.window.convert_selection(
            self.peer.atom("CLIPBOARD_MANAGER"), self.peer.atom("SAVE_TARGETS"), property, self.peer.server_time())
        self.peer.display.flush()

    def saved(self, notify):
        found = self.peer.read_property(self.peer.window, notify.property) if notify.property else None
        kind, size, data, _ = found or (X.NONE, 0, b"", None)
        say("saved" if found else "not-saved", type=self.peer.name(kind), format=size, length=len(data))
