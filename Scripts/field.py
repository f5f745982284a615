"""A bridge on an X server of its own, and what it holds: for the scripts that put it under strain."""

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

from Xlib import X, display
from Xlib.ext import res

PATIENCE = 120


class Wrong(Exception):
    """Something that ends the script."""


class Field:
    """An Xvfb, a home and a bridge. Whatever was started by it ends with it."""

    def __init__(self, binaries, folder, settings=None):
        self.folder = pathlib.Path(folder)
        self.processes = []
        self.asked = 0
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
            return self.begin()
        except BaseException:
            self.end_all()
            raise

    def begin(self):
        # Without -noreset an Xvfb forgets atoms and selections when its last client leaves.
        server = self.start(
            "Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "640x480x24",
            stdout=subprocess.PIPE)
        number = server.stdout.readline().strip().decode()
        if not number:
            raise Wrong("Xvfb did not start")
        self.environment["DISPLAY"] = os.environ["DISPLAY"] = ":" + number
        os.environ.pop("XAUTHORITY", None)
        self.display = display.Display()
        self.xpb("bridge", "start")
        status = self.status()
        self.bridge = status["process"]
        self.socket = status["socket"]
        return self

    def __exit__(self, *_):
        self.end_all()

    def end_all(self):
        subprocess.run(
            [self.xpb_path, "bridge", "stop", "--timeout", "10"], env=self.environment, stdout=subprocess.DEVNULL,
            stderr=self.log, check=False)
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
            # A stopped one takes no other signal.
            process.send_signal(signal.SIGCONT)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def xpb(self, *arguments, given=None, statuses=(0,)):
        found = subprocess.run(
            [self.xpb_path, *arguments], env=self.environment, input=given, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=PATIENCE, **({} if given is not None else {"stdin": subprocess.DEVNULL}))
        if found.returncode not in statuses:
            message = found.stderr.decode("utf-8", "replace").strip()
            raise Wrong(f"xpb {' '.join(arguments)} ended with status {found.returncode}: {message}")
        return found.stdout

    def status(self):
        return json.loads(self.xpb("status", "--json"))

    # What the bridge holds.

    def figures(self):
        """Memory in KiB (proportional set size), and numbers of descriptors, threads, windows and the server's atoms."""
        open_files = self.descriptors()
        return {
            "memory": self.memory(), "descriptors": open_files.total(), "open": open_files,
            "threads": len(os.listdir(f"/proc/{self.bridge}/task")), "windows": self.windows(), "atoms": self.atoms(),
        }

    def descriptors(self):
        """What they are of, and how many of each: the fewest of some looks. A connection whose client has just ended, and a
        file that is on its way to the disk, are open for a moment more."""
        looks = []
        for _ in range(20):
            looks.append(self.open_files())
            time.sleep(0.05)
        return min(looks, key=collections.Counter.total)

    def open_files(self):
        folder = f"/proc/{self.bridge}/fd"
        found = collections.Counter()
        for number in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):
                # Numbers of pipes, sockets and contents differ.
                found[re.sub(r"\d+", "N", os.readlink(f"{folder}/{number}"))] += 1
        return found

    def memory(self):
        with open(f"/proc/{self.bridge}/smaps_rollup", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pss:"))

    def processor_time(self):
        """In ticks, of all its threads."""
        with open(f"/proc/{self.bridge}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def windows(self):
        """Those of the bridge's X client (XRes)."""
        specs = [{"client": 0, "mask": res.LocalClientPIDMask}]
        for found in self.display.res_query_client_ids(specs).ids:
            if found.spec.mask == res.LocalClientPIDMask and self.bridge in list(found.value):
                kinds = self.display.res_query_client_resources(found.spec.client).types
                window = self.display.intern_atom("WINDOW")
                return sum(kind.count for kind in kinds if kind.resource_type == window)
        return 0

    def atoms(self):
        """How many the server has, but for those that this asked for: it numbers them one after the other."""
        self.asked += 1
        return self.display.intern_atom(f"_FIELD_{os.getpid()}_{self.asked}") - self.asked

    def rest(self, patience=PATIENCE):
        """Waits until nothing is under way, and tells whether that came to be."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            status = self.status()
            # The one that asks is a client.
            if status["transfers"] == 0 and status["clients"] <= 1:
                return True
            time.sleep(0.2)
        return False


def say(text):
    print(text, flush=True)


def keep(path, lines):
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def machine():
    """What the figures were measured on."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "?")
    return f"{os.cpu_count()} cores, {model}, Linux {os.uname().release}, Python {sys.version.split()[0]}"
