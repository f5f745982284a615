"""Many simultaneous requests from one client."""

import collections

from Xlib import X
from Xlib.protocol import request as requests

from .connection import say


class Crowd:
    """Sends many requests without waiting for answers, and then counts the answers.

    A last request, for TIMESTAMP, is sent after all other requests were answered, so that superfluous answers arrive
    before the answer to the last request.
    """

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--ask", nargs=3, action="append", default=[], metavar=("SELECTION", "TARGET", "PROPERTY"),
                            help="'none' for no property")
        parser.add_argument("--times", type=int, default=1, metavar="N", help="repeat all requests N times")
        parser.add_argument("--destroy", action="store_true", help="destroy each window right after its request")
        parser.add_argument("--destroy-answered", action="store_true", help="destroy each window after its answer")
        parser.add_argument("--one-by-one", action="store_true", help="wait for each answer before the next request")
        parser.add_argument("--stay", action="store_true", help="read no property, and stay until the command quit")
        parser.add_argument("--deaf", action="store_true", help="read nothing from the server until the command go")

    def __init__(self, peer, options):
        self.peer = peer
        self.options = options
        self.asked = []
        self.answers = collections.defaultdict(list)

    def run(self):
        when = self.peer.server_time()
        # The requests follow one another without a round trip to the server.
        atoms = {name: X.NONE if name == "none" else self.peer.atom(name) for ask in self.options.ask for name in ask}
        for selection, target, property in self.options.ask * self.options.times:
            window = self.peer.new_window()
            window.convert_selection(atoms[selection], atoms[target], atoms[property], when)
            self.asked.append(window.id)
            if self.options.destroy:
                self.destroy(window)
            if self.options.one_by_one and not self.await_all():
                return 1
        self.peer.display.flush()
        say("asked", number=len(self.asked))
        if self.options.destroy:
            self.ask_last(when)
            self.await_last()
            say("destroyed", number=len(self.asked))
            return 0
        if self.options.deaf and not self.await_command():
            return 1
        if not self.await_all():
            return 1
        self.ask_last(when)
        if not self.await_last():
            return 1
        answers = [self.answers[window] for window in self.asked]
        say("answered", values=[len(all) for all in answers], names=[self.peer.name(all[0]) for all in answers])
        while self.options.stay and self.peer.next() != ["quit"]:
            pass
        return 0

    def destroy(self, window):
        """Destroys a window. Window.destroy() would release its id, which the next window would reuse."""
        requests.DestroyWindow(display=self.peer.display.display, window=window.id)

    def await_all(self):
        while len(self.answers) < len(self.asked):
            if not self.handle(self.peer.next()):
                return False
        return True

    def await_command(self):
        while True:
            line = self.peer.command()
            if line in (["go"], ["quit"]):
                return line == ["go"]

    def handle(self, found):
        """Handles an event; returns False to end the peer."""
        if found == ["quit"]:
            return False
        if not isinstance(found, list) and found.type == X.SelectionNotify:
            self.answers[found.requestor.id].append(found.property)
            if self.options.destroy_answered and found.requestor != self.peer.window:
                self.destroy(found.requestor)
        return True

    def ask_last(self, when):
        self.peer.window.convert_selection(
            self.peer.atom(self.options.selection), self.peer.atom("TIMESTAMP"), self.peer.atom("XPB_PEER_LAST"), when)
        self.peer.display.flush()

    def await_last(self):
        while self.peer.window.id not in self.answers:
            if not self.handle(self.peer.next()):
                return False
        return True
