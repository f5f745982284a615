"""Many at once: what one of them costs the bridge beside one that is alone."""

import resource
import time

import crash

from . import timing
from .floor import Owner
from .rest import settle
from .row import Goal, Row


class Many(Row):
    unit = "ms"

    def rounds(self):
        return max(5, self.bench.options.rounds // 10)

    def begin(self):
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
        self.ground.xpb("set", "-f", self.bench.small)

    def cost(self, work):
        """Milliseconds of a core that the bridge took for it."""
        settle(self.ground.bridge, quiet=0.05, patience=5)
        before = timing.processor_time(self.ground.bridge)
        work()
        settle(self.ground.bridge, quiet=0.05, patience=5)
        return timing.processor_time(self.ground.bridge) - before


class Readers(Many):
    name, title = "readers", "200 readers at once, each"
    goal = Goal(1.0, "alone")
    note = "time of a core that the bridge needs for one reader: connects, asks for a text, leaves"

    NUMBER = 200

    def contenders(self):
        return {"xpb": lambda _: self.cost(lambda: self.read(self.NUMBER)) / self.NUMBER,
                "alone": lambda _: self.cost(lambda: [self.read(1) for _ in range(self.NUMBER)]) / self.NUMBER}

    def read(self, number):
        clients = [crash.Client(self.ground.socket) for _ in range(number)]
        for client in clients:
            client.send("Get", {"pasteboard": "general", "types": ["text"]})
        for client in clients:
            client.receive()
        for client in clients:
            client.socket.close()


class Watchers(Many):
    """Beside a hundred, not one: what a change costs in any case would be most of that."""

    name, title = "watchers", "1,000 watchers of one change, each"
    goal = Goal(1.0, "100 of them")
    note = "time of a core that the bridge needs for a change, divided by how many are told of it"

    NUMBERS = {"xpb": 1000, "100 of them": 100, "alone": 1}

    def begin(self):
        super().begin()
        self.setter = crash.Client(self.ground.socket)
        self.watchers = []

    def contenders(self):
        return {program: lambda _: self.change() / len(self.watchers) for program in self.NUMBERS}

    def prepare(self, program):
        wanted = self.NUMBERS[program]
        while len(self.watchers) > wanted:
            self.watchers.pop().socket.close()
        while len(self.watchers) < wanted:
            watcher = crash.Client(self.ground.socket)
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

    def end(self):
        for client in [self.setter, *self.watchers]:
            client.socket.close()


class Primary(Row):
    """As a hand does that drags over a text, much faster."""

    name, title, unit = "primary", "300 changes of PRIMARY a second", "%"
    goal = Goal(3)
    note = "of one core, by the bridge"
    warms_up = False

    RATE = 300
    SECONDS = 5

    def rounds(self):
        return 3

    def begin(self):
        self.owner = Owner(self.bench, self.ground, "PRIMARY", "UTF8_STRING", self.bench.small)
        settle(self.ground.bridge, quiet=0.5)

    def contenders(self):
        return {"xpb": self.changes}

    def changes(self, _):
        begin, before = time.monotonic(), timing.processor_time(self.ground.bridge)
        for number in range(self.RATE * self.SECONDS):
            time.sleep(max(0, begin + number / self.RATE - time.monotonic()))
            self.owner.take()
            self.owner.took()
        settle(self.ground.bridge, quiet=0.2, patience=5)
        return (timing.processor_time(self.ground.bridge) - before) / (self.SECONDS * 10)

    def end(self):
        self.owner.end()


ROWS = [Readers, Watchers, Primary]
