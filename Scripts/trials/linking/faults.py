"""Links over a slow line, with broken connections, killed processes, full disks and folders that others may read."""

import contextlib
import os
import signal
import subprocess
import time

from trials import Failure
from trials.linking.machines import ALIVE, Faults, Machines, load, make_file, said, settles, sockets, timed
from trials.linking.ssh_hosts import cut

DATA = "public.data"
# 1 Mbit/s, and 200 ms each way.
SLOW = ["--rate", "1000000", "--delay", "200"]


class Checks:
    """The checks. Each has its own machines."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.faults = Faults()
        self.number = 0

    @contextlib.contextmanager
    def machines(self, far=None, near=None, bridges=("near",)):
        self.number += 1
        folder = self.folder / str(self.number)
        with Machines(folder, {"near": near or {}, "far": far or {}}, self.options.binaries) as machines:
            machines.start_bridges(*bridges)
            yield machines

    def expect(self, title, condition, otherwise=""):
        if condition:
            print(f"ok: {title}", flush=True)
        else:
            self.faults.add("FAULT", f"{title}{': ' * bool(otherwise)}{otherwise}")
        return condition

    def expect_pasted(self, title, machines, name, data, type=DATA, wait=0):
        """Expects that the bytes can be pasted on a machine, at once or within `wait` seconds."""
        done = None

        def is_pasted():
            nonlocal done
            done = machines.run(name, "xpb", "get", "-t", type, timeout=300)
            return done.returncode == 0 and done.stdout == data

        settles(is_pasted, wait)
        reason = said(["xpb", "get"], done) if done.returncode else f"{len(done.stdout)} bytes, of {len(data)}"
        return self.expect(title, done.stdout == data and done.returncode == 0, reason)

    def file(self, length):
        path = self.folder / f"file{length}"
        make_file(path, length)
        return path, path.read_bytes()

    # Slow lines.

    def slow(self):
        file, data = self.file(64 << 10)
        with self.machines({"proxy": SLOW}) as machines:
            begin = time.monotonic()
            machines.link("near", "far", "--allow", "get").require_up()
            print(f"    1 Mbit/s, 200 ms each way: the link is up after {time.monotonic() - begin:.1f} s")
            seconds = timed(["xpb", "set", "-t", DATA, "-f", str(file)], machines.environment("far"))
            self.expect_pasted(f"a set of 64 KiB over a slow line, {seconds:.1f} s", machines, "near", data)
            machines.require("near", "xpb", "set", "-t", DATA, "-f", str(file))
            self.expect_pasted("a get of 64 KiB over a slow line", machines, "far", data)

    def slow_sharing(self):
        with self.machines({"proxy": SLOW}, bridges=("near", "far")) as machines:
            machines.link("near", "far", "--share").require_up()
            for count, (length, writer, reader) in enumerate(
                    [(64 << 10, "near", "far"), (200_000, "near", "far"), (2 << 20, "near", "far"),
                     (1 << 20, "far", "near")], 1):
                file, data = self.file(length)
                machines.require(writer, "xpb", "set", "-t", DATA, "-f", str(file))
                machines.await_count(reader, count)
                title = f"a paste of {length >> 10} KiB on {reader} over a slow line, at least {length / 125_000:.0f} s"
                self.expect_pasted(title, machines, reader, data)

    # Breaks.

    def dropped(self):
        """Expects that a connection that is silently lost comes back, although the other sshd still has the old
        connection."""
        for sharing in (False, True):
            title = "a sharing link" if sharing else "a link"
            path = self.folder / f"cut{self.number}"
            bridges = ("near", "far") if sharing else ("near",)
            with self.machines({"proxy": ["--cut-file", str(path)]}, bridges=bridges) as machines:
                link = machines.link("near", "far", *["--share"] * sharing, ssh=ALIVE).require_up()
                cut(path, "drop")
                self.expect(f"{title} notices the loss of its connection", link.awaits_break(20), link.last_line)
                cut(path, None)
                lines = len(link.lines)
                if self.expect(f"{title} comes back", link.awaits_up(30, lines), link.last_line):
                    machines.require("far", "xpb", "set", "after")
                    self.expect_pasted(f"{title} works after that", machines, "near", b"after", "text", 10)

    def killed(self):
        """Expects that a link can be made again after SIGKILL, which leaves the old link's files behind."""
        for sharing in (False, True):
            title = "a sharing link" if sharing else "a link"
            with self.machines(bridges=("near", "far") if sharing else ("near",)) as machines:
                options = ["--share"] * sharing
                machines.link("near", "far", *options).require_up().end(signal.SIGKILL)
                link = machines.link("near", "far", *options)
                is_up = link.awaits_up(30)
                if not self.expect(f"{title} can be made again after SIGKILL", is_up, link.last_line):
                    continue
                machines.require("far", "xpb", "set", "again")
                self.expect_pasted(f"{title} works after SIGKILL", machines, "near", b"again", "text", 10)
                link.end()
                is_clean = settles(lambda: not sockets(machines, "near") + sockets(machines, "far"), 10)
                left = f"{sockets(machines, 'near')} {sockets(machines, 'far')}"
                self.expect(f"{title} leaves no file behind when it ends", is_clean, left)

    def chain(self):
        """Expects that promises passed along a chain of links break when the first link breaks, and come back when the
        first link comes back."""
        path = self.folder / "chain"
        data = os.urandom(200_000)
        wanted = {"a": {}, "b": {"proxy": ["--cut-file", str(path)]}, "c": {}}
        with Machines(self.folder / "abc", wanted, self.options.binaries) as machines:
            machines.start_bridges("a", "b", "c")
            first = machines.link("a", "b", "--share").require_up()
            machines.link("b", "c", "--share").require_up()
            machines.require("a", "xpb", "set", "-t", DATA, "-f", "-", input=data)
            machines.await_count("c", 1)
            cut(path, "close")
            first.awaits_break()
            time.sleep(1)
            for name in "bc":
                done = machines.run(name, "xpb", "get", "-t", DATA)
                title = f"without the machine that has the bytes, a paste on {name} fails at once"
                self.expect(title, done.returncode == 5, said(["xpb", "get"], done))
            lines = len(first.lines)
            cut(path, None)
            first.awaits_up(since=lines)
            for name in "bc":
                title = f"once the machine that has the bytes is back, {name} pastes"
                self.expect_pasted(title, machines, name, data, wait=20)

    def emptied(self):
        """Expects that a link of two empty pasteboards does not stop, and carries the next copy."""
        with self.machines(bridges=("near", "far")) as machines:
            machines.require("far", "xpb", "set", "old")
            machines.require("far", "xpb", "clear")
            machines.link("near", "far", "--share").require_up()
            time.sleep(1)
            machines.require("far", "xpb", "set", "new")
            self.expect_pasted("after both were empty, a copy crosses", machines, "near", b"new", "text", 10)

    # States.

    def listed(self):
        with self.machines(bridges=("near", "far")) as machines:
            machines.link("near", "far", "--share").require_up()
            for name, other in (("near", "far"), ("far", "near")):
                line = machines.require(name, "xpb", "link", "--list").decode().strip()
                self.expect(f"{name} lists a link that is up", line.startswith(f"{other}: up"), line)

    def doubled(self):
        for sharing in (False, True):
            with self.machines(bridges=("near", "far") if sharing else ("near",)) as machines:
                machines.link("near", "far", *["--share"] * sharing).require_up()
                second = machines.link("near", "far", *["--share"] * sharing)
                second.awaits(lambda: second.has_ended, 20)
                title = f"a second {'sharing ' * sharing}link to a machine is refused"
                self.expect(title, second.end() not in (0, None) and "already" in second.last_line, second.last_line)

    def both_ways(self):
        """Expects that if two machines link to each other, the useless second link does not harm the first link."""
        with self.machines(bridges=("near", "far")) as machines:
            machines.link("near", "far", "--share").require_up()
            second = machines.link("far", "near", "--share")
            settles(lambda: second.lines or second.has_ended, 20)
            print(f"    the second link, in the other direction: {second.last_line}")
            machines.require("far", "xpb", "set", "there")
            self.expect_pasted("links in both directions share", machines, "near", b"there", "text", 10)

    def same_name(self):
        """Expects that two machines with the same name can share with a third machine, which tells their links
        apart."""
        twin = {"environment": {"XPB_MACHINE": "twin"}}
        with Machines(self.folder / "twins", {"a": twin, "b": twin, "c": {}}, self.options.binaries) as machines:
            machines.start_bridges("a", "b", "c")
            links = [machines.link(name, "c", "--share").require_up() for name in "ab"]
            lines = machines.require("c", "xpb", "link", "--list").decode().splitlines()
            names = [line.split(":")[0] for line in lines]
            self.expect("links of machines with the same name have numbers", names == ["twin", "twin#2"], f"{names}")
            machines.require("a", "xpb", "set", "of a twin")
            self.expect_pasted("machines with the same name share", machines, "b", b"of a twin", "text", 10)
            self.expect(
                "their links stay up", all(link.is_up and len(link.lines) == 1 for link in links),
                "; ".join(link.last_line for link in links))

    # The other machine.

    def full_disk(self):
        """Expects that contents that cannot be stored on the other machine's full disk do not end the link, and that
        later contents cross again."""
        with self.small_disk() as place:
            if place:
                self.fill(place)

    @contextlib.contextmanager
    def small_disk(self):
        """Mounts a disk of 4 MiB; yields None if mounting is not allowed."""
        self.number += 1
        place = self.folder / f"small{self.number}"
        place.mkdir()
        mounting = ["mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", str(place)]
        if os.getuid() != 0 or subprocess.run(mounting, capture_output=True).returncode != 0:
            print("skipped: a full disk needs a mount, which only root may make")
            yield None
            return
        try:
            yield place
        finally:
            subprocess.run(["umount", "--lazy", str(place)], check=False)

    def fill(self, place):
        far = {"environment": {"XDG_STATE_HOME": str(place)}}
        file, data = self.file(1 << 20)
        with self.machines(far, bridges=("near", "far")) as machines:
            link = machines.link("near", "far", "--share").require_up()
            machines.require("near", "xpb", "set", "before")
            machines.await_count("far", 1)
            with contextlib.suppress(OSError), open(place / "filler", "wb", buffering=0) as filler:
                while filler.write(bytes(4_096)):
                    pass
            machines.require("near", "xpb", "set", "-t", DATA, "-f", str(file))
            time.sleep(2)
            self.describe_paste("1 MiB to a full disk", machines, DATA)
            machines.require("near", "xpb", "set", "while it is full")
            time.sleep(2)
            self.describe_paste("text to a full disk", machines, "text")
            self.expect("a full disk does not end the link", link.is_up, link.last_line)
            (place / "filler").unlink()
            machines.require("near", "xpb", "set", "-t", DATA, "-f", str(file))
            self.expect_pasted("after a full disk, contents cross", machines, "far", data, wait=10)

    def describe_paste(self, title, machines, type):
        done = machines.run("far", "xpb", "get", "-t", type)
        print(f"    {title}: {said(['xpb', 'get'], done) if done.returncode else 'it is pasted'}")

    def install_on_full_disk(self):
        with self.small_disk() as place:
            if place:
                self.install(place)

    def install(self, home):
        with self.machines({"environment": {"HOME": str(home)}}) as machines:
            done = machines.run(
                "near", "xpb", "link", "far", "--install", "--ssh-option", "-F", "--ssh-option",
                str(machines.configuration))
            words = said(["xpb", "link", "--install"], done)
            is_clear = done.returncode == 4 and "space" in words and "local(" not in words
            self.expect("--install on a full disk fails, with a reason", is_clear, words)

    def readable_folder(self):
        """Expects that a link ends if others may read the other machine's folder of sockets."""
        for sharing in (False, True):
            with self.machines(bridges=("near", "far") if sharing else ("near",)) as machines:
                folder = machines.home("far") / "run/xpb"
                folder.mkdir(exist_ok=True)
                folder.chmod(0o755)
                link = machines.link("near", "far", *["--share"] * sharing)
                link.awaits(lambda: link.has_ended or link.is_up, 20)
                title = f"a folder of sockets with mode 755 ends a {'sharing ' * sharing}link with a reason"
                folder.chmod(0o700)
                self.expect(title, link.has_ended and str(folder) in link.last_line, link.last_line)
                print(f"    {link.last_line}")


def run(options, folder):
    checks = Checks(options, folder)
    for check in (
        checks.slow, checks.slow_sharing, checks.dropped, checks.killed, checks.chain, checks.emptied, checks.listed,
        checks.doubled, checks.both_ways, checks.same_name, checks.full_disk, checks.install_on_full_disk,
        checks.readable_folder):
        try:
            check()
        except (Failure, subprocess.TimeoutExpired) as failure:
            checks.faults.add("FAULT", f"{check.__name__}: {failure}")
    print(f"faults: {checks.faults.number} faults; {load()}")
    return checks.faults.number
