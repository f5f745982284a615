"""The plain Xlib programs of baseline.c."""

import os
import shutil
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(__file__), "baseline.c")


def build(folder):
    program = os.path.join(folder, "baseline")
    # A Swift toolchain includes clang.
    compiler = shutil.which("cc") or "clang"
    subprocess.run([compiler, "-O2", "-o", program, SOURCE, "-lX11", "-lXfixes"], check=True)
    return program


class Owner:
    """An X client that owns a selection as soon as it is created."""

    def __init__(self, bench, testbed, selection, target, path):
        self.testbed = testbed
        self.process = testbed.start(
            bench.baseline, "own", selection, target, path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=sys.stderr)
        self.await_owned()

    def await_line(self, kind):
        """Returns the number in the next line of that kind. Lines of other kinds are skipped, since the bridge's
        captures cause "sent" lines too."""
        while words := self.process.stdout.readline().split():
            if words[0] == kind:
                return int(words[1])
        raise SystemExit("bench: the owner exited")

    def await_owned(self):
        """Waits until the client has taken the selection, and returns the time in nanoseconds of CLOCK_MONOTONIC."""
        return self.await_line(b"took")

    def await_sent(self):
        """Waits until the client has sent its contents once more."""
        return self.await_line(b"sent")

    def own(self, times=1):
        """Makes the client take the selection again, a number of times."""
        self.process.stdin.write(b"\n" * times)
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        self.testbed.end(self.process)
