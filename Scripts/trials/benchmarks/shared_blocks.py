"""Copies on file systems whose files can share blocks, so that no byte of a long file is copied. These rows need root,
to mount a file as a disk."""

import contextlib
import os
import subprocess
import tempfile

from trials import Failure
from trials.benchmarks import timing
from trials.benchmarks.commands import BYTES
from trials.benchmarks.row import Goal, Row
from trials.testbed import Testbed

LENGTH = 1 << 30
DISK = 5 << 30


class SharedBlocks(Row):
    """A row whose home folder and copied file are on one file system, as is usual."""

    format = ()
    goal = Goal(10)

    @classmethod
    @contextlib.contextmanager
    def open(cls, bench, binaries):
        if os.getuid() != 0:
            raise Failure("only root may mount a file as a disk")
        place = tempfile.mkdtemp(dir=bench.folder)
        image = place + ".image"
        with open(image, "wb") as file:
            file.truncate(DISK)
        subprocess.run([*cls.format, image], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["mount", "-o", "loop", image, place], check=True)
        try:
            with Testbed(binaries, place) as testbed:
                yield testbed
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)
            os.unlink(image)

    def rounds(self):
        return self.bench.options.large_rounds

    def set_up(self):
        self.file = os.path.join(self.testbed.folder, "file")
        self.out = os.path.join(self.testbed.folder, "out")
        with open(self.file, "wb") as file:
            for _ in range(LENGTH >> 20):
                file.write(os.urandom(1 << 20))
        os.sync()
        self.testbed.xpb("set", "-t", BYTES, "-f", self.file)

    def check(self, program):
        with open(self.out, "wb") as out:
            subprocess.run(
                [self.testbed.xpb_path, "get", "-t", BYTES], env=self.testbed.environment, stdout=out, check=True)
        if subprocess.run(["cmp", "-s", self.out, self.file], check=False).returncode != 0:
            raise SystemExit(f"bench: {self.title}: {program} kept wrong bytes")
        os.unlink(self.out)


class SharedSet(SharedBlocks):
    def contenders(self):
        return {"xpb": self.process("xpb", "set", "-t", BYTES, "-f", self.file)}

    def prepare(self, program):
        self.testbed.xpb("set", "between")
        os.sync()


class SharedGet(SharedBlocks):
    def contenders(self):
        actions = timing.READ_NULL + timing.write_file(self.out)
        return {"xpb": self.process("xpb", "get", "-t", BYTES, actions=actions)}

    def prepare(self, program):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.out)
        os.sync()


class SetXFS(SharedSet):
    name, title, format, shares = "set-xfs", "set 1 GiB on xfs", ("mkfs.xfs", "-q"), "xfs"


class GetXFS(SharedGet):
    name, title, format, shares = "get-xfs", "get 1 GiB to a file on xfs", ("mkfs.xfs", "-q"), "xfs"


class SetBtrfs(SharedSet):
    name, title, format, shares = "set-btrfs", "set 1 GiB on btrfs", ("mkfs.btrfs", "-q"), "btrfs"


class GetBtrfs(SharedGet):
    name, title, format, shares = "get-btrfs", "get 1 GiB to a file on btrfs", ("mkfs.btrfs", "-q"), "btrfs"


ROWS = [SetXFS, GetXFS, SetBtrfs, GetBtrfs]
