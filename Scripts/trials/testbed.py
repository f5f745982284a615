"""A bridge on its own display server, for all trials and benchmarks, and measurements of the bridge's resources."""

import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import time

from Xlib import X, display, error
from Xlib.ext import res

from trials import Failure
from trials.compositor import compositor

TIMEOUT = 120


class Testbed:
    """A home folder with a display server and a bridge. The processes that a testbed starts end with the testbed.

    server: Xvfb, the name of a compositor (with `xwayland`, see compositor.py), or None for a bridge without a display.
    has_bridge: False if the bridge is started later, or by other programs.
    """

    screen = "640x480x24"
    # The seconds to wait for the effect of a program's action.
    patience = 30

    def __init__(self, binaries, folder, settings=None, server="Xvfb", xwayland=None, has_bridge=True):
        self.folder = pathlib.Path(folder)
        self.server, self.xwayland, self.has_bridge = server, xwayland, has_bridge
        self.settings = settings or {}
        self.compositor = None
        self.processes = []
        self.interned = 0
        self.xpb_path = os.path.join(os.path.abspath(binaries), "xpb")
        self.runtime = self.folder / "runtime"
        self.runtime.mkdir(mode=0o700)
        self.environment = {
            "PATH": os.path.abspath(binaries) + ":" + os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder),
            "XDG_RUNTIME_DIR": str(self.runtime), "LANG": "C.UTF-8", "NO_AT_BRIDGE": "1",
        } | self.settings
        self.log = open(self.folder / "log", "ab")

    def __enter__(self):
        try:
            return self.start_all()
        except BaseException:
            self.end_all()
            raise

    def start_all(self):
        self.start_server()
        if self.has_bridge:
            self.start_bridge()
        return self

    def start_server(self):
        if self.server == "Xvfb":
            self.start_x()
        elif self.server:
            self.compositor = compositor(self.server, self.runtime, self.xwayland)
            self.environment |= self.compositor.environment | self.settings | {"PATH": self.environment["PATH"]}

    def start_x(self):
        # Without -noreset, Xvfb forgets atoms and selections when its last client disconnects.
        server = self.start(
            "Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", self.screen,
            stdout=subprocess.PIPE)
        number = server.stdout.readline().strip().decode()
        if not number:
            raise Failure("Xvfb did not start")
        self.environment["DISPLAY"] = ":" + number
        self.display = self.connection()

    def connection(self):
        """Returns a new connection to the X server."""
        return display.Display(self.environment["DISPLAY"])

    def start_bus(self):
        """Starts a session bus for the programs that start later."""
        bus = self.start("dbus-daemon", "--session", "--nofork", "--print-address=1", stdout=subprocess.PIPE)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()

    def start_window_manager(self):
        self.start("openbox", "--sm-disable")
        self.root = self.display.screen().root
        self.await_("openbox to run", lambda: self.property(self.root, "_NET_SUPPORTING_WM_CHECK"))

    def property(self, window, name):
        """Returns the value of a property; None if the window does not have the property, or was closed a moment
        ago."""
        with contextlib.suppress(error.BadWindow):
            found = window.get_full_property(self.display.intern_atom(name), X.AnyPropertyType)
            return found and found.value
        return None

    def managed_windows(self):
        """Returns the windows that the window manager shows, oldest first."""
        numbers = self.property(self.root, "_NET_CLIENT_LIST") or []
        return [self.display.create_resource_object("window", number) for number in numbers]

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
        if self.has_bridge:
            self.stop_bridge()
        for process in reversed(self.processes):
            self.end(process)
        if self.compositor:
            self.compositor.end()

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
            # A stopped process handles the signal only after SIGCONT.
            process.send_signal(signal.SIGCONT)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def output_of(self, *command, given=None, statuses=(0,), timeout=TIMEOUT, **settings):
        """Returns the output of a command. Fails if the command exits with a status that is not in `statuses`, unless
        these are empty."""
        stdin = {"stdin": subprocess.DEVNULL} if given is None else {"input": given}
        words = " ".join([os.path.basename(command[0]), *map(str, command[1:])])
        try:
            found = subprocess.run(
                [*map(str, command)], env=self.environment | settings, cwd=self.folder, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=timeout, **stdin)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"{words} did not exit within {timeout} s") from error
        if statuses and found.returncode not in statuses:
            message = (found.stderr or found.stdout).decode("utf-8", "replace").strip()
            raise Failure(f"{words} exited with status {found.returncode}: {message[-800:]}")
        return found.stdout

    def xpb(self, *arguments, **options):
        return self.output_of(self.xpb_path, *arguments, **options)

    def status(self):
        return json.loads(self.xpb("status", "--json"))

    def await_(self, text, condition, timeout=None):
        """Waits until the condition holds, and returns its value."""
        deadline = time.monotonic() + (timeout or self.patience)
        while not (value := condition()):
            if time.monotonic() > deadline:
                raise Failure(f"timed out after {timeout or self.patience} s waiting for {text}")
            time.sleep(0.03)
        return value

    # The bridge's resources.

    def figures(self):
        """Returns the bridge's memory in KiB (proportional set size), and the numbers of the bridge's descriptors,
        threads and windows and of the server's atoms."""
        open_files = self.descriptors()
        return {
            "memory": self.memory(), "descriptors": open_files.total(), "open": open_files,
            "threads": len(os.listdir(f"/proc/{self.bridge}/task")), "windows": self.windows(), "atoms": self.atoms(),
        }

    def descriptors(self):
        """Returns the targets of the bridge's descriptors with the number of each target, from the smallest of 20
        samples: the connection of a client that has just exited, and a file on its way to the disk, stay open for a
        moment longer."""
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
                # The numbers in the names of pipes, sockets and stored files differ.
                found[re.sub(r"\d+", "N", os.readlink(f"{folder}/{number}"))] += 1
        return found

    def memory(self):
        with open(f"/proc/{self.bridge}/smaps_rollup", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pss:"))

    def processor_time(self):
        """Returns the processor time of all the bridge's threads, in clock ticks."""
        with open(f"/proc/{self.bridge}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def windows(self):
        """Returns the number of windows of the bridge's X client, according to the X-Resource extension."""
        specs = [{"client": 0, "mask": res.LocalClientPIDMask}]
        for found in self.display.res_query_client_ids(specs).ids:
            if found.spec.mask == res.LocalClientPIDMask and self.bridge in list(found.value):
                kinds = self.display.res_query_client_resources(found.spec.client).types
                window = self.display.intern_atom("WINDOW")
                return sum(kind.count for kind in kinds if kind.resource_type == window)
        return 0

    def atoms(self):
        """Returns the number of the server's atoms, without the atoms that this function has interned. The server
        numbers atoms in sequence, so the number of a new atom is the count."""
        self.interned += 1
        return self.display.intern_atom(f"_TESTBED_{os.getpid()}_{self.interned}") - self.interned

    def await_idle(self, timeout=TIMEOUT):
        """Waits until no transfer is active and no other client is connected; returns False after the timeout."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            status = self.status()
            # `xpb status` is itself a client.
            if status["transfers"] == 0 and status["clients"] <= 1:
                return True
            time.sleep(0.2)
        return False
