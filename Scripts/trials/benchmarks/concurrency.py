"""Many clients at once: the bridge's cost per client, compared with the cost of a single client."""

import resource
import time

from trials.benchmarks import timing
from trials.benchmarks.baseline import Owner
from trials.benchmarks.idle import settle
from trials.benchmarks.row import Goal, Row
from trials.client import Client


class Concurrency(Row):
    unit = "ms"

    def rounds(self):
        return max(5, self.bench.options.rounds // 10)

    def set_up(self):
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
        self.testbed.xpb("set", "-f", self.bench.small)

    def cost(self, work):
        """Returns the bridge's processor time for some work, in milliseconds."""
        settle(self.testbed.bridge, quiet=0.05, timeout=5)
        before = timing.processor_time(self.testbed.bridge)
        work()
        settle(self.testbed.bridge, quiet=0.05, timeout=5)
        return timing.processor_time(self.testbed.bridge) - before


class Readers(Concurrency):
    name, title = "readers", "200 readers at once, each"
    goal = Goal(1.0, "alone")
    note = "processor time of the bridge for one reader, which connects, requests text and disconnects"

    NUMBER = 200

    def contenders(self):
        return {"xpb": lambda _: self.cost(lambda: self.read(self.NUMBER)) / self.NUMBER,
                "alone": lambda _: self.cost(lambda: [self.read(1) for _ in range(self.NUMBER)]) / self.NUMBER}

    def read(self, number):
        clients = [Client(self.testbed.socket) for _ in range(number)]
        for client in clients:
            client.send("Get", {"pasteboard": "general", "types": ["text"]})
        for client in clients:
            client.receive()
        for client in clients:
            client.socket.close()


class Watchers(Concurrency):
    """Many watchers compared with a hundred watchers instead of one, since most of the cost of a change with one
    watcher does not depend on the number of watchers."""

    name, title = "watchers", "1,000 watchers of one change, each"
    goal = Goal(1.0, "100 watchers")
    note = "processor time of the bridge for one change, divided by the number of watchers"

    NUMBERS = {"xpb": 1000, "100 watchers": 100, "alone": 1}

    def set_up(self):
        super().set_up()
        self.setter = Client(self.testbed.socket)
        self.watchers = []

    def contenders(self):
        return {program: lambda _: self.change() / len(self.watchers) for program in self.NUMBERS}

    def prepare(self, program):
        wanted = self.NUMBERS[program]
        while len(self.watchers) > wanted:
            self.watchers.pop().socket.close()
        while len(self.watchers) < wanted:
            watcher = Client(self.testbed.socket)
            watcher.send("Monitor", {"pasteboards": ["general"], "initial": True}, more=True)
            watcher.receive()
            self.watchers.append(watcher)

    def change(self):
        def work():
            count = self.setter.set(b"a change\n")
            for watcher in self.watchers:
                while watcher.receive()["parameters"]["count"] < count:
                    pass
        return self.cost(work)

    def tear_down(self):
        for client in [self.setter, *self.watchers]:
            client.socket.close()


class Primary(Row):
    """Changes of PRIMARY, as when text is selected by dragging, but much faster."""

    name, title, unit = "primary", "300 changes of PRIMARY a second", "%"
    goal = Goal(3)
    note = "processor time of the bridge, in percent of one core"
    warms_up = False

    RATE = 300
    SECONDS = 5

    def rounds(self):
        return 3

    def set_up(self):
        self.owner = Owner(self.bench, self.testbed, "PRIMARY", "UTF8_STRING", self.bench.small)
        settle(self.testbed.bridge, quiet=0.5)

    def contenders(self):
        return {"xpb": self.changes}

    def changes(self, _):
        begin, before = time.monotonic(), timing.processor_time(self.testbed.bridge)
        for number in range(self.RATE * self.SECONDS):
            time.sleep(max(0, begin + number / self.RATE - time.monotonic()))
            self.owner.own()
            self.owner.await_owned()
        settle(self.testbed.bridge, quiet=0.2, timeout=5)
        return (timing.processor_time(self.testbed.bridge) - before) / (self.SECONDS * 10)

    def tear_down(self):
        self.owner.end()


class SynchronizedPrimary(Primary):
    """The same changes with the setting that copies PRIMARY to CLIPBOARD, and back."""

    name, title = "sync", "the same with the setting sync"
    settings = {"XPB_SYNC": "both"}


ROWS = [Readers, Watchers, Primary, SynchronizedPrimary]
