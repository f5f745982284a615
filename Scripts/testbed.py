"""A bridge on an X server of its own, for the scripts that put it under load, and measurements of what it holds."""

import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from Xlib import display
from Xlib.ext import res

TIMEOUT = 120


class Failure(Exception):
    """A condition that ends the script."""


class Testbed:
    """An Xvfb, a home folder and a bridge. Every process that it starts ends with it."""

    screen = "640x480x24"

    def __init__(self, binaries, folder, settings=None):
        self.folder = pathlib.Path(folder)
        self.processes = []
        self.interned = 0
        self.xpb_path = os.path.join(os.path.abspath(binaries), "xpb")
        self.runtime = self.folder / "runtime"
        self.runtime.mkdir(mode=0o700)
        self.environment = {
            "PATH": os.path.abspath(binaries) + ":" + os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder),
            "XDG_RUNTIME_DIR": str(self.runtime), "LANG": "C.UTF-8", "NO_AT_BRIDGE": "1",
        } | (settings or {})
        self.log = open(self.folder / "log", "ab")

    def __enter__(self):
        try:
            return self.start_all()
        except BaseException:
            self.end_all()
            raise

    def start_all(self):
        self.start_server()
        self.start_bridge()
        return self

    def start_server(self):
        # Without -noreset an Xvfb forgets atoms and selections when its last client disconnects.
        server = self.start(
            "Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", self.screen,
            stdout=subprocess.PIPE)
        number = server.stdout.readline().strip().decode()
        if not number:
            raise Failure("Xvfb did not start")
        self.environment["DISPLAY"] = os.environ["DISPLAY"] = ":" + number
        os.environ.pop("XAUTHORITY", None)
        self.display = display.Display()

    def start_bridge(self):
        self.xpb("bridge", "start")
        status = self.status()
        self.bridge = status["process"]
        self.socket = status["socket"]

    def __exit__(self, *_):
        self.end_all()

    def stop_bridge(self):
        subprocess.run(
            [self.xpb_path, "bridge", "stop", "--timeout", "10"], env=self.environment, stdout=subprocess.DEVNULL,
            stderr=self.log, check=False)

    def end_all(self):
        self.stop_bridge()
        for process in reversed(self.processes):
            self.end(process)

    # Processes.

    def start(self, *command, **streams):
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": self.log} | streams
        process = subprocess.Popen([*map(str, command)], env=self.environment, **streams)
        self.processes.append(process)
        return process

    def end(self, process, number=signal.SIGTERM):
        if process in self.processes:
            self.processes.remove(process)
        if process.poll() is None:
            process.send_signal(number)
            # A stopped process handles no signal before this one.
            process.send_signal(signal.SIGCONT)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def xpb(self, *arguments, given=None, statuses=(0,)):
        found = subprocess.run(
            [self.xpb_path, *arguments], env=self.environment, input=given, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=TIMEOUT, **({} if given is not None else {"stdin": subprocess.DEVNULL}))
        if found.returncode not in statuses:
            message = found.stderr.decode("utf-8", "replace").strip()
            raise Failure(f"xpb {' '.join(arguments)} ended with status {found.returncode}: {message}")
        return found.stdout

    def status(self):
        return json.loads(self.xpb("status", "--json"))

    # What the bridge holds.

    def figures(self):
        """Returns its memory in KiB (proportional set size) and the numbers of its descriptors, threads and windows and
        of the server's atoms."""
        open_files = self.descriptors()
        return {
            "memory": self.memory(), "descriptors": open_files.total(), "open": open_files,
            "threads": len(os.listdir(f"/proc/{self.bridge}/task")), "windows": self.windows(), "atoms": self.atoms(),
        }

    def descriptors(self):
        """Returns the targets of its descriptors with the number of each, from the smallest of 20 samples: the
        connection of a client that has just ended, and a file on its way to the disk, stay open for a moment longer."""
        samples = []
        for _ in range(20):
            samples.append(self.open_files())
            time.sleep(0.05)
        return min(samples, key=collections.Counter.total)

    def open_files(self):
        folder = f"/proc/{self.bridge}/fd"
        found = collections.Counter()
        for number in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):
                # The numbers of pipes, sockets and stored files differ.
                found[re.sub(r"\d+", "N", os.readlink(f"{folder}/{number}"))] += 1
        return found

    def memory(self):
        with open(f"/proc/{self.bridge}/smaps_rollup", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pss:"))

    def processor_time(self):
        """Returns the processor time of all its threads, in clock ticks."""
        with open(f"/proc/{self.bridge}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def windows(self):
        """Returns the number of windows of the bridge's X client, from the X-Resource extension."""
        specs = [{"client": 0, "mask": res.LocalClientPIDMask}]
        for found in self.display.res_query_client_ids(specs).ids:
            if found.spec.mask == res.LocalClientPIDMask and self.bridge in list(found.value):
                kinds = self.display.res_query_client_resources(found.spec.client).types
                window = self.display.intern_atom("WINDOW")
                return sum(kind.count for kind in kinds if kind.resource_type == window)
        return 0

    def atoms(self):
        """Returns the number of atoms of the server, without those that this function interned. The server numbers
        atoms in sequence, so the number of a new one is the count."""
        self.interned += 1
        return self.display.intern_atom(f"_TESTBED_{os.getpid()}_{self.interned}") - self.interned

    def await_idle(self, timeout=TIMEOUT):
        """Waits until no transfer is active and no other client is connected; returns False if that takes too long."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            status = self.status()
            # `xpb status` is itself a client.
            if status["transfers"] == 0 and status["clients"] <= 1:
                return True
            time.sleep(0.2)
        return False


def say(text):
    print(text, flush=True)


def write_figures(path, lines):
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def machine_description():
    """Returns the machine that the figures were measured on, in a line."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "?")
    kernel = ".".join(os.uname().release.split(".")[:2])
    return f"{os.cpu_count()} cores, {model}, Linux {kernel}, Python {sys.version.split()[0]}"
