"""Machines that each have a bridge, and the links between the machines, for the parts of Scripts/try link."""

import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

from trials import Failure
from trials.linking.ssh_hosts import SSHHosts

TIMEOUT = 60
# With these options, ssh notices a lost connection after three seconds.
ALIVE = ["ServerAliveInterval=1", "ServerAliveCountMax=2"]


class Machines(SSHHosts):
    """Machines on which xpb commands run as if a user were logged in there."""

    def __init__(self, folder, machines, binaries):
        folder.mkdir(parents=True)
        super().__init__(folder, machines, binaries)
        self.links = []

    def __exit__(self, *failure):
        for link in self.links:
            link.end()
        super().__exit__(*failure)

    def run(self, name, *command, input=b"", timeout=TIMEOUT, **variables):
        """Runs a command on a machine to completion."""
        return subprocess.run(
            command, env=self.environment(name) | variables, input=input, capture_output=True, timeout=timeout)

    def require(self, name, *command, **options):
        """Returns the output of a command; raises a failure if the command fails."""
        done = self.run(name, *command, **options)
        if done.returncode != 0:
            raise Failure(f"on {name}: {said(command, done)}")
        return done.stdout

    def start_bridges(self, *names):
        for name in names:
            self.require(name, "xpb", "bridge", "start")

    def bridge_process(self, name):
        return json.loads(self.require(name, "xpb", "status", "--json"))["process"]

    def count(self, name):
        return int(self.require(name, "xpb", "count"))

    def await_count(self, name, count):
        self.require(name, "xpb", "wait", "--since", str(count - 1), "--timeout", str(TIMEOUT), timeout=2 * TIMEOUT)

    def direct_configuration(self):
        """Returns an ssh configuration that reaches the machines without their proxies."""
        path = self.configuration.with_name("direct")
        lines = self.configuration.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not line.startswith("ProxyCommand")))
        return path

    def link(self, source, target, *options, ssh=(), configuration=None):
        """Starts a link, which ends when the machines end."""
        command = ["xpb", "link", target, *options]
        for option in ["-F", str(configuration or self.configuration), *ssh]:
            command += ["--ssh-option", option]
        link = Link(source, target, command, self.environment(source))
        self.links.append(link)
        return link


class Link:
    """A process of `xpb link`, and the lines that it writes."""

    def __init__(self, source, target, command, environment):
        self.source, self.target = source, target
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, errors="replace", start_new_session=True)
        self.lines = []
        self.changed = threading.Condition()
        self.has_ended = False
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def __str__(self):
        return f"{self.source}-{self.target}"

    def read(self):
        for line in self.process.stderr:
            with self.changed:
                self.lines.append(line.strip().removeprefix("xpb: "))
                self.changed.notify_all()
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    @property
    def is_up(self):
        return not self.has_ended and bool(self.lines) and " is up; " in self.lines[-1]

    @property
    def last_line(self):
        return self.lines[-1] if self.lines else "no output"

    @property
    def pause(self):
        """The pause before the next attempt, in seconds; 0 for a link that is up."""
        found = re.search(r"trying again in (\d+) s$", self.last_line)
        return int(found[1]) if found else 0

    def awaits_up(self, timeout=TIMEOUT, since=0):
        """Returns true once the link is up and has written more than `since` lines, and false if it exits or takes too
        long."""
        return self.awaits(lambda: self.is_up and len(self.lines) > since, timeout)

    def awaits_break(self, timeout=TIMEOUT):
        return self.awaits(lambda: not self.is_up, timeout)

    def awaits(self, condition, timeout):
        with self.changed:
            self.changed.wait_for(lambda: condition() or self.has_ended, timeout)
            return bool(condition())

    def require_up(self):
        if not self.awaits_up():
            raise Failure(f"the link {self} did not come up: {self.last_line}")
        return self

    def end(self, number=signal.SIGTERM):
        """Terminates the process, and returns its status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.reader.join(1)
        return status


def said(command, done):
    words = (done.stderr or done.stdout or b"").decode(errors="replace").strip()
    return f"'{' '.join(map(str, command))[:80]}' exited with status {done.returncode}: {words[:300]}"


def sockets(machines, name):
    """Returns the files in a machine's folder of links."""
    folder = pathlib.Path(machines.environment(name)["XDG_RUNTIME_DIR"], "xpb/link")
    return sorted(os.listdir(folder)) if folder.exists() else []


def settles(condition, timeout=TIMEOUT, pause=0.1):
    """Returns true once the condition holds, and false after the timeout."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def peak(process):
    """Returns the peak resident size of a process, in MiB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)[1]) / 1024


def timed(command, environment, source=os.devnull, sink=os.devnull, timeout=300):
    """Returns the seconds that a command takes from start to exit, or None after the timeout."""
    with open(source, "rb") as input, open(sink, "wb") as output:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, env=environment, stdin=input, stdout=output, stderr=subprocess.PIPE, start_new_session=True)
        try:
            words = process.communicate(timeout=timeout)[1]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None
        seconds = time.perf_counter() - begin
    if process.returncode != 0:
        text = words.decode(errors="replace").strip()
        raise Failure(f"'{' '.join(map(str, command))[-90:]}' exited with status {process.returncode}: {text[:300]}")
    return seconds


def make_file(path, length, is_text=False):
    """Writes a file without holes, in which no two blocks of 1 MiB are equal."""
    block = os.urandom(1 << 20)
    if is_text:
        block = block[:1 << 19].hex().encode()
    with open(path, "wb") as file:
        for number in range((length >> 20) + 1):
            file.write((b"%015d\n" % number + block[16:])[:length - (number << 20)])


def have_same_bytes(left, right):
    return subprocess.run(["cmp", "--silent", left, right]).returncode == 0


def load():
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


class Faults:
    """The faults of a part. Each fault is printed when it is found."""

    def __init__(self, limit=None):
        self.limit = limit
        self.number = 0
        self.kinds = collections.Counter()

    def add(self, place, fault, kind=None):
        self.number += 1
        self.kinds[kind or fault] += 1
        print(f"{place}: {fault}", flush=True)

    @property
    def are_too_many(self):
        return self.limit is not None and self.number >= self.limit
