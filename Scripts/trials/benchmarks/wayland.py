"""xpb compared with wl-copy and wl-paste in a Wayland session without an X display, and the idle bridge there."""

import subprocess

from trials.benchmarks import idle
from trials.benchmarks.row import Goal, Row


class WaylandRow(Row):
    shares = "wayland"
    server = "sway"


class Get(WaylandRow):
    name, title = "wl-get", "Wayland: get small, held by the bridge"
    goal = Goal(0.5, "wl-paste")

    def set_up(self):
        self.testbed.xpb("set", "-f", self.bench.small)

    def contenders(self):
        return {"xpb": self.process("xpb", "get"), "wl-paste": self.process("wl-paste", "--no-newline")}


class GetOwned(Get):
    name, title = "wl-get-owned", "Wayland: get small, owned by wl-copy"

    def set_up(self):
        count = self.testbed.xpb("count").decode().strip()
        with open(self.bench.small, "rb") as file:
            subprocess.run(
                ["wl-copy", "--type", "text/plain"], env=self.testbed.environment, stdin=file,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        self.testbed.xpb("wait", "--since", count, "--timeout", "30")


class Set(WaylandRow):
    name, title = "wl-set", "Wayland: set small"
    goal = Goal(0.7, "wl-copy")
    note = "wl-copy returns before it owns the selection; xpb returns after the compositor has it"

    def contenders(self):
        return {
            "xpb": self.process("xpb", "set", "-f", self.bench.small),
            "wl-copy": self.copier("wl-copy", "--type", "text/plain")}

    def prepare(self, program):
        self.clear_background()


class WakeUps(WaylandRow, idle.WakeUps):
    name, title = "wl-wake-ups", "Wayland: wake-ups when idle"


ROWS = [Get, GetOwned, Set, WakeUps]
