"""The plain Xlib programs of Scripts/floor.c."""

import os
import shutil
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "floor.c")


def build(folder):
    program = os.path.join(folder, "floor")
    # Swift brings one along.
    compiler = shutil.which("cc") or "clang"
    subprocess.run([compiler, "-O2", "-o", program, SOURCE, "-lX11", "-lXfixes"], check=True)
    return program


class Owner:
    """An X client that owns a selection from here on."""

    def __init__(self, bench, ground, selection, target, path):
        self.ground = ground
        self.process = ground.start(
            bench.floor, "own", selection, target, path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=sys.stderr)
        self.took()

    def line(self, kind):
        """The number of the next one that is of that kind; a capture of the bridge is told as well."""
        while words := self.process.stdout.readline().split():
            if words[0] == kind:
                return int(words[1])
        raise SystemExit("bench: the owner ended")

    def took(self):
        """When it took the selection, in nanoseconds of CLOCK_MONOTONIC."""
        return self.line(b"took")

    def sent(self):
        """Waits until it sent its content once more."""
        return self.line(b"sent")

    def take(self, times=1):
        self.process.stdin.write(b"\n" * times)
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        self.ground.end(self.process)
