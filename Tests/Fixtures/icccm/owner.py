"""The owner of a selection, with faults that options choose."""

import os
import signal

from Xlib import X, Xatom
from Xlib.ext import xfixes
from Xlib.protocol import event as events

from .connection import say
from .listing import Listing
from .ownership import Ownership
from .sending import Sending, elements, packed

STEPS = "request, property, notify, incr, chunk:N, final"
ACTIONS = ("destroy", "kill", "pause", "disown")


class Owner(Ownership):
    """Owns a selection, and answers requests as the options say."""

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--offer", nargs=2, action="append", default=[], metavar=("TARGET", "FILE"))
        parser.add_argument("--type", nargs=2, action="append", default=[], metavar=("TARGET", "TYPE"),
                            help="the type of the property (default: the target)")
        parser.add_argument("--format", nargs=2, action="append", default=[], metavar=("TARGET", "8|16|32"))
        parser.add_argument("--refuse", action="append", default=[], metavar="TARGET")
        parser.add_argument("--silent-for", action="append", default=[], metavar="TARGET")
        parser.add_argument("--silent", action="store_true", help="answer nothing")
        parser.add_argument("--hold", action="append", default=[], metavar="TARGET",
                            help="answer on the command answer, or in reverse order on the command crossed")
        parser.add_argument("--drop-others", action="store_true",
                            help="never answer requests that come while another is held or sent with INCR, like xclip")
        parser.add_argument("--at", nargs=3, action="append", default=[], metavar=("TARGET", "STEP", "ACTION"),
                            help=f"{', '.join(ACTIONS)} at a step: {STEPS}")
        parser.add_argument("--no-property", action="append", default=[], metavar="TARGET",
                            help="answer with a property that was not written, as Qt does to refuse")
        parser.add_argument("--notify-first", action="append", default=[], metavar="TARGET",
                            help="answer before writing the property")
        parser.add_argument("--double", action="store_true", help="answer twice")
        parser.add_argument("--forge", action="append", default=[],
                            choices=["selection", "target", "property", "time", "window"],
                            help="first send a refusal with one wrong field, to the same window or another")
        parser.add_argument("--reclaim", type=int, default=0, metavar="TIMES", help="claim the selection again after a loss")
        parser.add_argument("--refill", action="store_true", help="claim the selection if it has no owner, as Klipper does")
        parser.add_argument("--not-yet", action="store_true", help="wait for the command own")
        Listing.add_arguments(parser)
        Sending.add_arguments(parser)

    def __init__(self, peer, options):
        super().__init__(peer, options)
        self.files = dict(options.offer)
        self.types = dict(options.type)
        self.formats = {name: int(value) for name, value in options.format}
        self.actions = {(target, step): action for target, step, action in options.at}
        self.held = []
        self.requestors = []
        self.listing = Listing(peer, options)
        self.sending = Sending(self, options)

    def run(self):
        if self.options.refill:
            self.peer.display.xfixes_query_version()
            self.peer.display.xfixes_select_selection_input(
                self.peer.root, self.selection, xfixes.XFixesSetSelectionOwnerNotifyMask)
        if self.options.not_yet:
            self.peer.display.sync()
            say("ready")
        else:
            self.own()
        commands = {
            "own": self.own, "disown": self.disown, "renew": self.renew, "save": self.save, "destroy": self.destroy,
            "offer": self.offer, "answer": self.release, "crossed": self.cross, "churn": self.churn,
            "own-at": self.own_at, "own-with": lambda time: self.own(int(time)), "press": self.press,
            "release": lambda what: self.press(what, False),
        }
        while True:
            found = self.peer.next(self.deadline())
            if found is None:
                self.pass_time()
            elif isinstance(found, list):
                if found == ["quit"]:
                    return 0
                commands[found[0]](*found[1:])
            elif found.type == X.SelectionNotify:
                self.saved(found)
            elif found.type == X.SelectionRequest:
                self.asked(found)
            elif found.type == X.SelectionClear:
                self.lost(found)
            elif found.type == X.PropertyNotify and found.state == X.PropertyDelete:
                self.sending.advance(found.window.id, found.atom)
            elif type(found).__name__ == "SetSelectionOwnerNotify" and not (found.owner and found.owner.id):
                self.own()

    def deadline(self):
        times = [self.sending.deadline(), self.churning and self.churning[2]]
        return min((moment for moment in times if moment), default=None)

    def pass_time(self):
        self.sending.pass_time()
        self.churn_on()

    # Requests

    def offer(self, target, file):
        """Changes the offer, without causing an event."""
        self.files[target] = file
        say("offered", target=target)

    def asked(self, request):
        target = self.peer.name(request.target)
        wanted = self.peer.name(request.property)
        say("request", target=target, property=wanted, time=request.time, window=request.requestor.id)
        self.step(target, "request")
        self.requestors.append(request.requestor)
        if self.options.silent or target in self.options.silent_for:
            say("silent", target=target)
        elif self.options.drop_others and (self.held or self.sending.transfers):
            say("dropped", target=target)
        elif target in self.options.hold:
            self.held.append(request)
            say("held", target=target)
        else:
            self.answer(request)

    def release(self):
        held, self.held = self.held, []
        for request in held:
            self.answer(request)

    def cross(self):
        self.held.reverse()
        self.release()

    def answer(self, request):
        target = self.peer.name(request.target)
        property = request.property or request.target
        for field in self.options.forge:
            self.forge(request, field)
        if target in self.options.notify_first:
            self.notify(request, property)
            self.peer.display.sync()
        done = target in self.options.no_property
        if not done and target not in self.options.refuse:
            done = self.convert(request.requestor, target, property)
        self.peer.display.flush()
        self.step(target, "property")
        for _ in range(2 if self.options.double else 1):
            if target not in self.options.notify_first:
                self.notify(request, property if done else X.NONE)
        self.step(target, "notify")
        say("answered" if done else "refused", target=target)

    def step(self, target, step):
        """Performs the action for this step, if there is one."""
        action = self.actions.pop((target, step), None)
        if action is None:
            return
        self.peer.display.sync()
        say(action, target=target, text=step)
        if action == "destroy":
            self.destroy()
        elif action == "disown":
            self.disown()
        elif action == "pause":
            # Waits for the next command, whatever it is. The peer does not stop itself with a signal, since it might
            # stop only after a test has already continued it.
            self.peer.command()
        else:
            os.kill(os.getpid(), signal.SIGKILL)

    def convert(self, window, target, property):
        """Writes the target into the property; returns False to refuse the target."""
        if target == "TARGETS" and "TARGETS" not in self.files:
            kind = self.peer.atom(self.types.get(target, "ATOM"))
            atoms = self.listing.atoms(self.files)
            if self.options.incr_list:
                self.sending.begin(window, property, target, kind, 32, packed(atoms, 32))
            else:
                window.change_property(property, kind, 32, atoms)
            return True
        if target == "TIMESTAMP" and target not in self.files:
            window.change_property(property, Xatom.INTEGER, 32, [self.time])
            return True
        if target not in self.files:
            return False
        kind = self.peer.atom(self.types.get(target, target))
        size = self.formats.get(target, 8)
        # The file is read for each request, so a changed file plays an owner that changes its data without an event.
        with open(self.files[target], "rb") as file:
            data = file.read()
        if self.options.incr and len(data) > self.options.incr:
            self.sending.begin(window, property, target, kind, size, data)
        else:
            window.change_property(property, kind, size, elements(data, size))
        return True

    def notify(self, request, property, **wrong):
        fields = {"requestor": request.requestor, "selection": request.selection, "target": request.target,
                  "property": property, "time": request.time} | wrong
        request.requestor.send_event(events.SelectionNotify(**fields))
        self.peer.display.flush()

    def forge(self, request, field):
        forged = self.peer.atom("XPB_PEER_FORGED")
        if field == "window":
            # The windows of earlier requests, which requested something else.
            for requestor in self.requestors[:-1]:
                requestor.send_event(events.SelectionNotify(
                    requestor=requestor, selection=request.selection, target=request.target, property=X.NONE,
                    time=request.time))
        elif field == "property":
            request.requestor.change_property(forged, Xatom.STRING, 8, b"forged")
            self.notify(request, forged)
        else:
            self.notify(request, X.NONE, **{field: request.time + 1 if field == "time" else forged})
        say("forged", text=field)
