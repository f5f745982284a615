"""The peer of Tests/Fixtures/dropin_row.sh, which owns selections and waits for other clients' claims."""

import argparse
import contextlib
import os
import signal

from Xlib import X, Xatom
from Xlib.ext import res, xfixes
from Xlib.protocol import request as requests

from .connection import Peer, say
from .owner import Owner

SELECTIONS = ("PRIMARY", "SECONDARY", "CLIPBOARD")


class Rows:
    """Follows commands from a FIFO, one line each: the FIFO for the answer, the command and its arguments.

    begin                    ends this peer's owners, and empties the selections and the first cut buffer
    own SELECTION OPTION...  starts an owner, as "peer.py own" does
    claimed SELECTION        waits until a client has claimed the selection after the command begin
    settled                  waits until each client that has connected after begin has claimed a selection or is gone
    owned SELECTION          waits until the selection has an owner
    free SELECTION           waits until the clients have settled and the selection has no owner

    A command ends the wait of the previous command, whose caller may be dead.
    """

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("commands", metavar="FIFO")

    def __init__(self, peer, options):
        self.peer = peer
        self.display = peer.display
        self.selections = {name: peer.atom(name) for name in SELECTIONS}
        self.buffer = peer.atom("CUT_BUFFER0")
        self.owners = []
        # The clients at the command begin, the windows that have claimed a selection since, and the claimed selections.
        self.former, self.claimants, self.claims = set(), set(), set()
        os.dup2(os.open(options.commands, os.O_RDWR), 0)

    def run(self):
        self.display.xfixes_query_version()
        self.display.res_query_version()
        for selection in self.selections.values():
            self.display.xfixes_select_selection_input(
                self.peer.root, selection, xfixes.XFixesSetSelectionOwnerNotifyMask
                | xfixes.XFixesSelectionWindowDestroyNotifyMask | xfixes.XFixesSelectionClientCloseNotifyMask)
        # The end of a client destroys its window.
        self.peer.root.change_attributes(event_mask=X.SubstructureNotifyMask)
        self.display.sync()
        say("ready")
        waiting = None
        while True:
            if waiting and waiting[1]():
                self.answer(waiting[0])
                waiting = None
            found = self.peer.next()
            if isinstance(found, list):
                waiting = found[0], self.condition(*found[1:])
            else:
                self.note(found)

    def condition(self, command, *arguments):
        """Carries out a command, and returns the condition for its answer."""
        if command == "begin":
            self.begin()
            return lambda: True
        if command == "settled":
            return self.has_settled
        atom = self.selections[arguments[0]]
        if command == "own":
            self.claims.discard(atom)
            self.start_owner(arguments)
        if command in ("own", "claimed"):
            return lambda: atom in self.claims
        if command == "owned":
            return lambda: self.is_owned(atom)
        return lambda: self.has_settled() and not self.is_owned(atom)

    @staticmethod
    def answer(fifo):
        # A FIFO whose reader has died cannot be opened.
        with contextlib.suppress(OSError):
            descriptor = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
            os.write(descriptor, b"done\n")
            os.close(descriptor)

    def begin(self):
        while self.owners:
            process, pipe = self.owners.pop()
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(pipe)
        for selection in filter(self.is_owned, self.selections.values()):
            requests.SetSelectionOwner(
                display=self.display.display, window=X.NONE, selection=selection, time=X.CurrentTime)
        self.peer.root.change_property(self.buffer, Xatom.STRING, 8, b"")
        self.display.sync()
        self.note_pending()
        self.claimants, self.claims = set(), set()
        self.former = self.clients()

    def start_owner(self, arguments):
        """Starts an owner in a forked process, so that Python does not start again."""
        parser = argparse.ArgumentParser()
        parser.add_argument("--selection")
        Owner.add_arguments(parser)
        options = parser.parse_args(["--selection", *arguments])
        end, pipe = os.pipe()
        process = os.fork()
        if process == 0:
            os.dup2(end, 0)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.closerange(3, 64)
            try:
                Owner(Peer(), options).run()
            finally:
                os._exit(1)
        os.close(end)
        self.owners.append((process, pipe))

    def note(self, found):
        if type(found).__name__ == "SetSelectionOwnerNotify" and found.owner and found.owner.id:
            self.claims.add(found.selection)
            self.claimants.add(found.owner.id)
        elif found.type == X.DestroyNotify:
            self.claimants.discard(found.window.id)

    def note_pending(self):
        """Records the events that have arrived; returns False if there are no events."""
        number = self.display.pending_events()
        for _ in range(number):
            self.note(self.display.next_event())
        return number > 0

    def has_settled(self):
        while True:
            # The server serves all clients that are ready before it checks for new input. So when it answers the second
            # request, it has noticed the exit of each client that exited before the first request.
            self.clients()
            present = self.clients()
            has_news = self.note_pending()
            claimants = {self.client(window) for window in self.claimants}
            if all(client in claimants for client, process in present - self.former):
                return True
            if not has_news:
                return False

    def is_owned(self, selection):
        return self.display.get_selection_owner(selection) != X.NONE

    def clients(self):
        """Returns the clients with their processes, since the server gives the ids of a client that is gone to the next
        client."""
        found = self.display.res_query_client_ids([{"client": X.NONE, "mask": res.LocalClientPIDMask}])
        return {(self.client(each.spec.client), *each.value) for each in found.ids}

    def client(self, resource):
        # The server assigns each client a range of ids, which differ in the high bits.
        return resource & ~self.display.display.info.resource_id_mask
