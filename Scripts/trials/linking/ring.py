"""Random copies on three machines that share one pasteboard in a ring of links, while links are cut now and then."""

import dataclasses
import glob
import json
import random
import subprocess
import threading
import time

from trials import Failure
from trials.client import Client, ConnectionEnded, ErrorReply
from trials.linking.machines import ALIVE, TIMEOUT, Faults, Machines, load, said, settles
from trials.linking.ssh_hosts import cut

NAMES = ["a", "b", "c"]
NEXT = {"a": "b", "b": "c", "c": "a"}
TEXT, HTML, DATA = "public.utf8-plain-text", "public.html", "public.data"
LONG = 100_000
# A link whose next attempt is more than this number of seconds away is restarted.
PATIENCE = 2
# The number of copies between two comparisons of all machines.
INTERVAL = 25


@dataclasses.dataclass
class Copy:
    """A change made on a machine. `count` is the change count on the machine, once the command has exited."""

    number: int
    machine: str
    kind: str
    types: dict
    command: list
    input: bytes = b""
    count: int | None = None

    @property
    def token(self):
        return f"{self.kind}-{self.machine}-{self.number:06}"

    @property
    def is_withheld(self):
        return self.kind in ("concealed", "local")


@dataclasses.dataclass(frozen=True)
class State:
    """A machine's pasteboard, as its bridge reports it to a link."""

    count: int
    origin: tuple
    is_withheld: bool
    is_empty: bool
    is_incomplete: bool


class Watcher(threading.Thread):
    """A watch of a machine's bridge, which receives each change."""

    def __init__(self, name, path, faults):
        super().__init__(daemon=True)
        self.name, self.faults = name, faults
        self.client = Client(path)
        self.client.socket.settimeout(None)
        self.states = []
        self.start()

    def run(self):
        try:
            for reply in self.client.all("Monitor", pasteboards=["general"], initial=True, origins=True):
                self.take(reply)
        except ErrorReply as failure:
            self.faults.add(self.name, f"the watch ended: {failure}")
        except (ConnectionEnded, ValueError):
            return

    def take(self, reply):
        origin = reply["origin"]
        state = State(
            reply["count"], (origin["time"], origin["machine"]), reply.get("withheld", False),
            reply["owner"]["kind"] == "none", reply.get("incomplete", False))
        if self.states:
            self.compare(self.states[-1], state)
        self.states.append(state)

    def compare(self, old, new):
        """Checks that no count is left out, that no origin changes at a count, and that no count rises without a newer
        origin, which would be an echo."""
        # An empty pasteboard takes the origin of another machine's clear without a change of the count.
        takes_clear = old.is_empty and new.is_empty and new.origin > old.origin
        if new.count == old.count and new.origin != old.origin and not takes_clear:
            self.faults.add(self.name, f"the origin changed at the count {new.count}", "the origin changed at a count")
        if new.count not in (old.count, old.count + 1):
            self.faults.add(self.name, f"the count went from {old.count} to {new.count}", "a count was left out")
        if new.count > old.count and new.origin <= old.origin:
            self.faults.add(self.name, f"the count {new.count} has no newer origin", "a count without a newer origin")

    @property
    def state(self):
        return self.states[-1]


class Ring:
    """The machines, their links, and the copies made so far."""

    def __init__(self, machines, folder, seed, cuts, faults):
        self.machines, self.folder, self.faults = machines, folder, faults
        self.random = random.Random(seed)
        self.kinds_of_cuts = cuts
        self.copies = []
        # The cut links. Each cut ends before the copy with the given number.
        self.cuts = {}
        # The links whose first attempt may meet a cut. A link ends if its first attempt fails.
        self.begun_cut = set()
        machines.start_bridges(*NAMES)
        self.watchers = {name: Watcher(name, self.socket(name), faults) for name in NAMES}
        self.links = {name: self.start_link(name).require_up() for name in NAMES}
        self.pastes = self.restarts = self.cuts_made = 0

    def socket(self, name):
        return glob.glob(self.machines.environment(name)["XDG_RUNTIME_DIR"] + "/xpb/*.sock")[0]

    def start_link(self, name):
        return self.machines.link(name, NEXT[name], "--share", ssh=ALIVE)

    # Copies.

    def copy(self, machine, kind):
        """Returns a copy of a kind. Its bytes begin with its own token, and data also has its own length."""
        number = len(self.copies)
        copy = Copy(number, machine, kind, {}, ["xpb", "set", "--json"])
        text = (copy.token + " " + "x" * self.random.randrange(2_000)).encode()
        if kind == "clear":
            copy.command = ["xpb", "clear", "--json"]
        elif kind == "html":
            html = b"<b>" + text + b"</b>"
            copy.types = {HTML: html, TEXT: text}
            copy.command += ["-t", HTML, "--text", html.decode(), "-t", TEXT, "--text", text.decode()]
        else:
            type = DATA if kind == "data" else TEXT
            copy.types = {type: self.data(copy) if kind == "data" else text}
            copy.command += {"concealed": ["--concealed"], "local": ["--local-only"]}.get(kind, [])
            copy.command += ["-t", type, "-f", "-"]
            copy.input = copy.types[type]
        self.copies.append(copy)
        return copy

    def data(self, copy):
        return (copy.token + " ").encode() + self.random.randbytes(LONG + copy.number - len(copy.token) - 1)

    def perform(self, *copies):
        """Makes copies at the same moment, each on a different machine."""
        processes = [
            subprocess.Popen(
                copy.command, env=self.machines.environment(copy.machine), stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for copy in copies]
        writers = [
            threading.Thread(target=self.finish, args=(copy, process)) for copy, process in zip(copies, processes)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()

    def finish(self, copy, process):
        try:
            output, words = process.communicate(copy.input, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            return self.faults.add(copy.token, "the command did not exit")
        if process.returncode == 0:
            copy.count = json.loads(output)["counts"]["general"]
            return None
        done = subprocess.CompletedProcess(copy.command, process.returncode, output, words)
        return self.faults.add(copy.token, said(copy.command[:3], done), "a copy failed")

    def step(self):
        kinds, weights = ["text", "html", "data", "clear", "concealed", "local"], [40, 20, 20, 6, 7, 7]
        names = self.random.sample(NAMES, 2 if self.random.random() < 0.25 else 1)
        copies = [self.copy(name, self.random.choices(kinds, weights)[0]) for name in names]
        self.perform(*copies)
        if self.random.random() < 0.1:
            self.paste(self.random.choice(NAMES))

    def paste(self, name):
        """Pastes while copies are on their way. The pasted bytes must be the bytes of one copy."""
        type = self.random.choice([TEXT, HTML, DATA])
        done = self.machines.run(name, "xpb", "get", "--exact", "-t", type)
        if done.returncode != 0:
            return
        self.pastes += 1
        # Every type conforms to public.data.
        found = [copy for copy in self.copies if done.stdout in copy.types.values()]
        if not found:
            fault = f"{len(done.stdout)} bytes of no copy were pasted as {type}: {done.stdout[:60]}"
            self.faults.add(name, fault, "bytes of no copy")
        for copy in found:
            self.check_secrecy(copy, name)

    def check_secrecy(self, copy, name):
        if copy.is_withheld and copy.machine != name:
            self.faults.add(copy.token, f"the contents were on {name}", "withheld contents crossed")

    # Cuts.

    def cut_file(self, name):
        """Returns the file that cuts the link from a machine to the next machine, through the next machine's proxy."""
        return self.folder / f"{NEXT[name]}.cut"

    def cut(self):
        name, kind = self.random.choice(NAMES), self.random.choice(self.kinds_of_cuts)
        if name in self.cuts:
            return
        self.cuts_made += 1
        if not self.links[name].is_up:
            self.begun_cut.add(name)
        self.cuts[name] = (kind, len(self.copies) + self.random.randrange(1, 15))
        if kind == "stop":
            self.machines.stop(NEXT[name])
        elif kind == "restart":
            self.restart(name)
        else:
            cut(self.cut_file(name), kind)

    def heal(self, everything=False):
        """Ends the cuts whose time has come."""
        for name, (kind, end) in list(self.cuts.items()):
            if not everything and len(self.copies) < end:
                continue
            del self.cuts[name]
            if kind == "stop":
                self.machines.start(NEXT[name])
            elif kind != "restart":
                # ssh must notice that a connection is lost before the next connection can be made.
                if not self.links[name].awaits_break(20):
                    self.faults.add(self.links[name], f"a cut of kind {kind} was not noticed")
                cut(self.cut_file(name), None)
            if self.links[name].pause > PATIENCE or name in self.begun_cut:
                self.restart(name)

    def restart(self, name):
        self.restarts += 1
        self.links[name].end()
        self.links[name] = self.start_link(name)
        self.begun_cut.discard(name)
        if name in self.cuts:
            self.begun_cut.add(name)

    def bring_up(self):
        """Waits until all links are up. A link that does not come up is a fault, and is restarted."""
        self.heal(everything=True)
        for name, link in self.links.items():
            if link.pause > PATIENCE or link.has_ended:
                self.restart(name)
        for name in NAMES:
            for _ in range(2):
                link = self.links[name]
                # An attempt that began before the end of a cut takes 20 seconds, and is followed by a pause.
                if link.awaits_up():
                    break
                reason = link.last_line.split("; trying")[0].split(", of process")[0]
                self.faults.add(link, f"the link did not come up: {reason}", f"no link: {reason}")
                # Kills all sessions on the next machine, which would not happen on a real machine.
                self.machines.stop(NEXT[name])
                self.machines.start(NEXT[name])
                self.restart(name)
            else:
                raise Failure(f"the link {link} could not be made")

    # The comparison.

    def is_equal(self):
        if self.counts() != {name: watcher.state.count for name, watcher in self.watchers.items()}:
            return False
        return all(self.are_equal(self.watchers[name].state, self.watchers[NEXT[name]].state) for name in NAMES)

    def are_equal(self, left, right):
        """Returns true if a link between machines with these states has nothing left to do."""
        if left.is_empty and right.is_empty:
            return True
        if left.origin != right.origin:
            return max(left, right, key=lambda state: state.origin).is_withheld
        return self.is_lost(left) or not left.is_incomplete and not right.is_incomplete

    def is_lost(self, state):
        """Returns true if the machine on which the contents were copied now has other contents, which it withholds. The
        bytes of promised long contents are then no longer available."""
        machine = state.origin[1].rpartition(".")[0]
        return machine in NAMES and self.watchers[machine].state.origin != state.origin

    def breaks(self, lines):
        """Returns the lines that the links have written after these numbers of lines, in parentheses."""
        news = [
            f"{link}: {line}" for name, link in self.links.items() for line in link.lines[lines[name]:]]
        return f" ({'; '.join(news)})" if news else ""

    def compare(self, place):
        self.bring_up()
        lines = {name: len(link.lines) for name, link in self.links.items()}
        if not settles(self.is_equal):
            self.faults.add(place, f"the machines did not become equal: {self.described()}", "machines differ")
        counts = self.counts()
        time.sleep(0.3)
        if self.counts() != counts:
            self.faults.add(place, f"the counts went from {counts} to {self.counts()}", "an echo")
        origins = self.origins()
        for name in NAMES:
            self.compare_contents(place, name, origins, lines)

    def counts(self):
        return {name: self.machines.count(name) for name in NAMES}

    def described(self):
        """Returns the states of the machines and their copies, newest first."""
        origins = self.origins()
        states = sorted(self.watchers.items(), key=lambda item: item[1].state.origin, reverse=True)
        return "; ".join(
            f"{name} has {origins[state.origin].token if state.origin in origins else state.origin}"
            + ", incomplete" * state.is_incomplete
            for name, watcher in states for state in [watcher.state])

    def origins(self):
        """Returns the copies by origin."""
        copies = {(copy.machine, copy.count): copy for copy in self.copies}
        found = {}
        for name, watcher in self.watchers.items():
            for state in watcher.states:
                is_own = state.origin[1].rpartition(".")[0] == name
                if is_own and (name, state.count) in copies:
                    found[state.origin] = copies[name, state.count]
        return found

    def compare_contents(self, place, name, origins, lines):
        state = self.watchers[name].state
        copy = origins.get(state.origin)
        if copy is None:
            if state.count:
                self.faults.add(place, f"{name} has an origin without a copy: {state.origin}", "origin without a copy")
            return
        if state.is_empty != (copy.kind == "clear"):
            found = "nothing" if state.is_empty else "contents"
            self.faults.add(
                place, f"{name} has {found} under the origin of {copy.token}", f"{found} under the wrong origin")
            return
        for type, data in copy.types.items():
            done = self.machines.run(name, "xpb", "get", "--exact", "-t", type)
            if done.returncode != 0 and copy.kind == "data" and self.is_lost(state):
                continue
            if done.returncode != 0:
                words = done.stderr.decode().strip()
                # On a machine that is too busy for three seconds, ssh gives up a link that nobody has cut.
                fault = f"{name} could not paste {copy.token}: {words}{self.breaks(lines)}"
                self.faults.add(place, fault, f"no paste: {words}")
            elif done.stdout != data:
                self.faults.add(place, f"{name} has wrong bytes for {copy.token}", "wrong bytes")

    def check_end(self):
        """Checks the histories, and that no withheld contents were ever on another machine."""
        origins = self.origins()
        for name, watcher in self.watchers.items():
            for state in watcher.states:
                if state.origin in origins:
                    self.check_secrecy(origins[state.origin], name)
        for name in NAMES:
            self.check_history(name)

    def check_history(self, name):
        listed = self.machines.require(name, "xpb", "history", "list", "--all", "--limit", "1000000", "--json")
        entries = json.loads(listed)["entries"]
        previews = "\n".join(entry.get("preview") or "" for entry in entries)
        lengths = {entry["length"] for entry in entries if entry["type"] == DATA}
        for copy in self.copies:
            is_there = LONG + copy.number in lengths if copy.kind == "data" else copy.token in previews
            if is_there and (copy.kind == "concealed" or copy.is_withheld and copy.machine != name):
                self.faults.add(copy.token, f"the contents are in the history of {name}", "withheld, in a history")
            is_own = copy.machine == name and copy.count is not None and copy.kind not in ("clear", "concealed")
            if is_own and not is_there:
                self.faults.add(copy.token, f"the copy is not in the history of {name}", "copy not in its history")


def run(options, folder):
    faults = Faults(options.faults)
    wanted = {
        name: {"proxy": ["--cut-file", str(folder / f"{name}.cut")], "environment": {"XPB_HISTORY_LIMIT": "1000000"}}
        for name in NAMES}
    begin = time.monotonic()
    with Machines(folder / "ring", wanted, options.binaries) as machines:
        ring = Ring(machines, folder, options.seed, options.cuts.split(","), faults)
        compared = 0
        while len(ring.copies) < options.copies and not faults.are_too_many:
            if options.cuts != "none" and ring.random.random() < 0.03:
                ring.cut()
            ring.heal()
            ring.step()
            if len(ring.copies) >= compared + INTERVAL:
                compared = len(ring.copies)
                ring.compare(compared)
        ring.compare("end")
        counts = ring.counts()
        time.sleep(3)
        if ring.counts() != counts:
            faults.add("end", f"the counts went from {counts} to {ring.counts()}", "an echo")
        ring.check_end()
        print(
            f"ring: {len(ring.copies)} copies, {ring.cuts_made} cuts, {ring.restarts} restarts of links, "
            f"{ring.pastes} pastes, counts {counts}, {time.monotonic() - begin:.0f} s, seed {options.seed}, "
            f"{faults.number} faults; {load()}")
    for kind, number in faults.kinds.most_common():
        print(f"  {number} times: {kind}")
    return faults.number
