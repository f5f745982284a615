"""Sends the bridge an hour of mixed traffic, valid and faulty, and checks that the bridge then holds no more resources
than before.

Workers of several kinds run at the same time, each in a loop: commands of xpb, xclip and xsel, GTK 3, Qt 5 and Tk
programs, and raw peers that break the rules of X11 selections and of the socket in every way that Tests/Fixtures
supports. Some of these programs are stopped or killed at random moments. Every few minutes all workers pause, and the
script prints the resources of the bridge: memory, descriptors, threads, windows, atoms of the server, and properties
left on other clients' windows.

Exit status: 0 if everything is in order, 1 if not, 2 for a usage error.
"""

import array
import contextlib
import itertools
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from Xlib import X

from trials import FIXTURES, Failure, machine_description, say, write_figures
from trials.testbed import Testbed

# The valid exit statuses of xpb while others own or break the clipboard: success, empty, no answer, incomplete,
# refused.
ANY_OUTCOME = (0, 1, 3, 5, 6)


class Soak:
    def __init__(self, testbed, options):
        self.testbed = testbed
        self.options = options
        self.faults = []
        self.counts = {}
        self.fewest_windows = 0
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.working = threading.Event()
        self.paused = threading.Semaphore(0)
        self.lines = []
        for name, length in [("small", 45), ("medium", 300_000), ("large", 5 << 20)]:
            (testbed.folder / name).write_bytes((name.encode() + b" text\n") * (length // (len(name) + 6)))
        (testbed.folder / "page.html").write_bytes(b"<p>some <b>bold</b> text</p>")
        self.files = [str(testbed.folder / name) for name in ("small", "medium", "large")]

    def say(self, text):
        self.lines.append(text)
        say(text)

    def fault(self, text):
        with self.lock:
            self.faults.append(text)
            if len(self.faults) <= 20:
                self.say(f"WRONG: {text}")

    def count(self, kind):
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + 1

    # Programs.

    def run(self, *command, given=None, statuses=(0,), kind=None, timeout=60):
        """Returns the output; None after a timeout. A timeout, or a status that is not in `statuses`, is a fault,
        unless `statuses` is None."""
        try:
            found = subprocess.run(
                [*map(str, command)], env=self.testbed.environment, input=given, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=timeout, **({} if given is not None else {"stdin": subprocess.DEVNULL}))
        except subprocess.TimeoutExpired:
            if statuses is not None:
                self.fault(f"{' '.join(map(str, command))} did not exit within {timeout} s")
            return None
        if statuses is not None and found.returncode not in statuses:
            message = found.stderr.decode("utf-8", "replace").strip()[:300]
            self.fault(f"{' '.join(map(str, command))[:200]} exited with status {found.returncode}: {message}")
        self.count(kind or os.path.basename(str(command[0])))
        return found.stdout

    def xpb(self, *arguments, given=None, statuses=ANY_OUTCOME):
        return self.run(
            self.testbed.xpb_path, *arguments, given=given, statuses=statuses, kind=f"xpb {arguments[0]}")

    def spawn(self, *command):
        return subprocess.Popen(
            [*map(str, command)], env=self.testbed.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def finish(self, process, rng):
        """Ends the process in one of three ways: closes its input, kills it, or stops and then kills it."""
        self.stop.wait(rng.random())
        way = rng.randrange(4)
        if way == 0:
            process.kill()
        elif way == 1:
            process.send_signal(signal.SIGSTOP)
            self.stop.wait(rng.random() * 3)
            process.kill()
        try:
            process.stdin.close()
            process.wait(timeout=rng.random() * 3)
        except (subprocess.TimeoutExpired, OSError):
            process.kill()
        process.wait()

    # The rounds of the workers.

    def own_pasteboard(self, rng, number):
        """Sets and gets contents on a pasteboard that no other worker uses, and checks that the bytes are the same and
        that the count grows by one."""
        pasteboard = f"com.example.soak{number}"
        data = rng.randbytes(rng.choice([0, 1, 100, 70_000, 262_144, 262_145, 3 << 20]))
        kind = rng.choice(["image/png", "com.example.custom", "application/x-soak"])
        before = int(self.xpb("count", "-p", pasteboard, statuses=(0,)) or 0)
        self.xpb("set", "-p", pasteboard, "-t", kind, "-f", "-", given=data, statuses=(0,))
        got = self.xpb("get", "-p", pasteboard, "-t", kind, statuses=(0,))
        if got != data:
            self.fault(f"{pasteboard}: set {len(data)} bytes, got {len(got or b'')} other bytes")
        if int(self.xpb("count", "-p", pasteboard, statuses=(0,)) or 0) != before + 1:
            self.fault(f"{pasteboard}: one set did not increase the count by one")

    def commands(self, rng, _):
        text = rng.choice(["one", "two\nlines", "ünï", "x" * 5000]).encode()
        rng.choice([
            lambda: self.xpb("set", given=text), lambda: self.xpb("get", "--timeout", "1"),
            lambda: self.xpb("set", "-t", "text/html", "-f", self.testbed.folder / "page.html", "--text", "page"),
            lambda: self.xpb("types", "--timeout", "1"), lambda: self.xpb("items"), lambda: self.xpb("owner"),
            lambda: self.xpb("list"), lambda: self.xpb("undo"), lambda: self.xpb("redo"),
            lambda: self.xpb("history", "list"), lambda: self.xpb("history", "search", "text"),
            lambda: self.xpb("set", "--concealed", given=b"a secret"), lambda: self.xpb("clear"),
            lambda: self.xpb("set", "--once", given=text), lambda: self.xpb("set", "--expires", "1s", given=text),
            lambda: self.xpb("set", "-c", f"cat {self.files[1]}"), lambda: self.xpb("add", given=text),
            lambda: self.xpb("get", "--timeout", "1", "-t", rng.choice(["html", "image", "text/rtf", "UTF8_STRING"])),
            lambda: self.xpb("dump", "--timeout", "1"), lambda: self.xpb("get", "-p", "find", "--timeout", "1"),
            lambda: self.xpb("set", "-p", "find", given=text), lambda: self.xpb("set", "-f", self.files[2]),
        ])()

    def tools(self, rng, _):
        selection = rng.choice(["clipboard", "primary"])
        file = rng.choice(self.files)
        way = rng.randrange(4)
        if way == 0:
            # xclip's background process inherits all open files, and may hang forever.
            process = self.spawn("xclip", "-i", "-selection", selection, file)
            if process.wait(timeout=60):
                self.fault(f"xclip -i exited with status {process.returncode}")
            process.stdin.close()
            self.count("xclip")
        elif way == 1:
            # xclip and xsel wait forever for owners that do not answer.
            self.run("xclip", "-o", "-selection", selection, "-t", "UTF8_STRING", statuses=None, timeout=2)
        elif way == 2:
            with open(file, "rb") as data:
                self.run("xsel", "-i", f"--{selection}", given=data.read(), statuses=(0,))
        else:
            self.run("xsel", "-o", f"--{selection}", statuses=None, timeout=2)

    def toolkits(self, rng, _):
        program = FIXTURES.joinpath("Toolkits", rng.choice(["gtk3.py", "qt.py", "tk.py"]))
        if rng.random() < 0.5:
            process = self.spawn(program, "own", "text", self.files[0])
            self.stop.wait(1)
            self.xpb("get", "--timeout", "1")
            self.finish(process, rng)
            self.count("toolkit own")
        else:
            self.run(
                program, "read", "text", self.testbed.folder / "read", statuses=None, timeout=10, kind="toolkit read")

    def watches(self, rng, _):
        options = rng.choice([(), ("--json",), ("-p", "find"), ("--initial",)])
        process = self.spawn(self.testbed.xpb_path, "watch", *options)
        self.stop.wait(rng.random() * 5)
        self.finish(process, rng)
        self.count("xpb watch")

    def faulty_requestors(self, rng, _):
        options = rng.choice(REQUESTORS)
        process = self.spawn(FIXTURES / "peer.py", "ask", "--timeout", "5", *options)
        self.stop.wait(rng.random() * 3)
        self.finish(process, rng)
        self.count("faulty requestor")

    def faulty_owners(self, rng, _):
        options = [part.format(folder=self.testbed.folder) for part in rng.choice(OWNERS)]
        selection = rng.choice(["CLIPBOARD", "PRIMARY", "com.example.faulty"])
        pasteboard = {"CLIPBOARD": "general", "PRIMARY": "find"}.get(selection, selection)
        process = self.spawn(
            FIXTURES / "peer.py", "own", "--selection", selection, "--offer", "UTF8_STRING",
            self.files[rng.randrange(3)], "--offer", "text/html", self.testbed.folder / "page.html", *options)
        self.stop.wait(0.5)
        for _ in range(rng.randrange(1, 4)):
            self.xpb("get", "-p", pasteboard, "--timeout", "0.5", "-t", rng.choice(["text", "html", "UTF8_STRING"]))
        self.finish(process, rng)
        self.count("faulty owner")

    def faulty_programs(self, rng, _):
        """Runs bad_client.py in one of its modes, or a crowd of windows that never fetch contents."""
        options = rng.choice(PROGRAMS)
        if options[0] == "crowd":
            process = self.spawn(FIXTURES / "peer.py", *options)
        else:
            process = self.spawn(sys.executable, FIXTURES / "bad_client.py", self.testbed.socket, *options)
        self.stop.wait(rng.random() * 2)
        self.finish(process, rng)
        self.count("faulty program")

    def faulty_clients(self, rng, _):
        """Sends invalid or unfinished messages to the socket."""
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.settimeout(1)
        try:
            client.connect(self.testbed.socket)
            for _ in range(rng.randrange(1, 4)):
                rng.choice(CLIENTS)(client, rng)
            self.stop.wait(rng.random() * 2)
        except OSError:
            # The bridge closed the connection, as it should.
            pass
        client.close()
        self.count("faulty client")

    # The run.

    def work(self, round, number):
        rng = random.Random(self.options.seed * 1000 + number)
        while True:
            self.paused.release()
            self.working.wait()
            self.paused.acquire()
            if self.stop.is_set():
                return self.paused.release()
            while self.working.is_set():
                try:
                    round(rng, number)
                except Exception as error:
                    self.fault(f"{round.__name__}: {type(error).__name__} {error}")

    def pause(self, workers):
        """Pauses all workers, sets the same contents as in every pause, waits until the bridge is idle, and returns the
        resources that the bridge holds."""
        self.working.clear()
        for _ in range(workers):
            self.paused.acquire()
        for _ in range(workers):
            self.paused.release()
        own = [f"com.example.soak{number}" for number in range(workers)]
        for pasteboard in ["find", *own, "com.example.faulty"]:
            self.testbed.xpb("set", "-p", pasteboard, given=b"pause")
        # Replaces the contents on the undo stack with short contents.
        for number in range(25):
            self.testbed.xpb("set", given=b"pause %d" % number)
        self.end_hung()
        if not self.testbed.await_idle():
            self.fault(f"the bridge did not become idle: {json.dumps(self.testbed.status())}")
        figures = self.testbed.figures()
        figures["windows"] = self.min_windows()
        figures["left"] = self.leftovers()
        return figures

    def min_windows(self):
        """Returns the minimum number of windows that the bridge has during the pause. The window of a finished transfer
        remains for 5 s, because xsel may answer twice, and the window of a canceled transfer for 30 s, because its
        owner may continue to send. The function does not wait if the number does not exceed the minimum of earlier
        pauses."""
        deadline = time.monotonic() + 40
        fewest = self.testbed.windows()
        while fewest > self.fewest_windows and time.monotonic() < deadline:
            time.sleep(0.5)
            fewest = min(fewest, self.testbed.windows())
        self.fewest_windows = fewest if self.fewest_windows == 0 else min(fewest, self.fewest_windows)
        return fewest

    def end_hung(self):
        """Kills the remaining processes of xclip and xsel. These processes no longer own a selection: each waits
        forever for a requestor that disappeared during a transfer. Within an hour, they would use up the server's
        clients."""
        home = f"HOME={self.testbed.folder}".encode()
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if not name.isdigit() or os.readlink(f"/proc/{name}/exe").rsplit("/", 1)[1] not in ("xclip", "xsel"):
                    continue
                with open(f"/proc/{name}/environ", "rb") as file:
                    if home not in file.read().split(b"\0"):
                        continue
                os.kill(int(name), signal.SIGKILL)
                self.count("hung xclip or xsel")

    def leftovers(self):
        """Returns the number of properties and event selections left on the windows of the bystander."""
        count = 0
        for window in self.windows:
            count += len(window.list_properties()) + bool(window.get_attributes().all_event_masks)
        return count

    def bystander(self):
        """Returns a round that requests targets into windows that stay open, and deletes the first piece of each
        reply.

        Each target has its own property. In a shared property, MULTIPLE would find a late list of targets, and the
        owner would take the names in the list for properties."""
        connection = self.testbed.connection()
        windows = [connection.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent) for _ in range(5)]
        connection.sync()
        names = ["UTF8_STRING", "TARGETS", "text/html", "image/png", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "NONE"]
        properties = {connection.intern_atom(name): connection.intern_atom(f"_SOAK_{name}") for name in names}
        self.windows = [self.testbed.display.create_resource_object("window", window.id) for window in windows]
        rng = random.Random(self.options.seed)

        def round(*_):
            window, target = rng.choice(windows), rng.choice(list(properties))
            window.convert_selection(
                connection.intern_atom("CLIPBOARD"), target, properties[target], X.CurrentTime)
            connection.flush()
            self.stop.wait(0.2)
            while connection.pending_events():
                connection.next_event()
            if not self.working.is_set():
                # Reads the remaining pieces of the transfers that have started.
                for _ in range(40):
                    for window, property in itertools.product(windows, properties.values()):
                        window.delete_property(property)
                    connection.sync()
                    self.stop.wait(0.05)
            else:
                window.delete_property(properties[target])
                connection.flush()
            self.count("bystander")

        return round

    def run_workers(self):
        rounds = [
            self.own_pasteboard, self.own_pasteboard, self.commands, self.commands, self.tools, self.toolkits,
            self.watches, self.faulty_requestors, self.faulty_requestors, self.faulty_owners, self.faulty_clients,
            self.faulty_programs, self.bystander()]
        for number, round in enumerate(rounds):
            threading.Thread(target=self.work, args=(round, number), daemon=True).start()
        end = time.monotonic() + self.options.minutes * 60
        self.say(f"{'minute':>7}{'memory KiB':>12}{'descriptors':>12}{'threads':>9}{'windows':>9}{'atoms':>7}"
                 f"{'left':>6}{'rounds':>9}")
        started = time.monotonic()
        pauses = []
        interval = min(self.options.every, self.options.minutes / 6) * 60
        while time.monotonic() < end:
            self.working.set()
            deadline = min(time.monotonic() + interval, end)
            while time.monotonic() < deadline:
                time.sleep(min(1, max(0, deadline - time.monotonic())))
                if not os.path.exists(f"/proc/{self.testbed.bridge}"):
                    raise Failure("the bridge exited")
            figures = self.pause(len(rounds))
            pauses.append(figures)
            self.say(f"{(time.monotonic() - started) / 60:>7.1f}{figures['memory']:>12}{figures['descriptors']:>12}"
                     f"{figures['threads']:>9}{figures['windows']:>9}{figures['atoms']:>7}{figures['left']:>6}"
                     f"{sum(self.counts.values()):>9}")
        self.stop.set()
        self.working.set()
        self.judge(pauses)

    def judge(self, pauses):
        """Compares the resources in the pauses, except in the first third, in which caches and one-time allocations
        grow."""
        if len(pauses) < 5:
            raise Failure(f"{len(pauses)} pauses are too few to compare; use more --minutes")
        warm = pauses[len(pauses) // 3:]
        for name in ("descriptors", "threads", "windows", "atoms", "left"):
            if pauses[-1][name] > warm[0][name]:
                self.fault(f"{name} grew from {warm[0][name]} to {pauses[-1][name]}")
                if name == "descriptors":
                    self.say(f"new: {dict(pauses[-1]['open'] - warm[0]['open'])}")
        half = len(warm) // 2
        early, late = (statistics.median(pause["memory"] for pause in part) for part in (warm[:half], warm[half:]))
        # A leak that depends on the traffic would be far larger within an hour.
        if late > early * 1.05 + 512:
            self.fault(f"memory grew from {early:.0f} to {late:.0f} KiB")
        if pauses[-1]["left"]:
            self.fault(f"{pauses[-1]['left']} properties or event selections are left on other clients' windows")
        self.say(", ".join(f"{kind} {count}" for kind, count in sorted(self.counts.items())))
        status = self.testbed.status()
        for refusal in status.get("refusals", []):
            self.say(f"refused: {refusal['reason']} {refusal['count']}")


# The faults of the raw peers, which `peer.py --help` explains. Owners that send endlessly are left out: the bridge
# would read gigabytes up to its limits, which is correct but slow.
REQUESTORS = [
    [], ["--never-delete"], ["--destroy"], ["--pause-after", "1"], ["--property", "none"], ["--time", "current"],
    ["--time", "1"], ["--target", "TARGETS"], ["--target", "image/png"], ["--target", "NO_SUCH_TARGET"],
    ["--target", "MULTIPLE"], ["--multiple", "UTF8_STRING", "TARGETS", "text/html"],
    ["--multiple", "UTF8_STRING", "--pairs-type", "ATOM"], ["--selection", "PRIMARY"],
    ["--selection", "com.example.soak0", "--target", "image/png", "--never-delete"],
    ["--delete", "twice"], ["--delete", "early"], ["--destroy-at", "notify"], ["--destroy-at", "last"],
    ["--delay", "0.1"], ["--again-after", "1"], ["--multiple", "UTF8_STRING", "TEXT", "--odd"],
    ["--multiple", "UTF8_STRING", "--empty"],
    ["--multiple", "UTF8_STRING", "--no-list"], ["--multiple", "UTF8_STRING", "--pairs-format", "8"],
    ["--beside", "text/html", "--beside", "TARGETS"], ["--time", "4294967295"],
]
OWNERS = [
    [], ["--silent"], ["--refuse", "TARGETS"], ["--silent-for", "UTF8_STRING"], ["--incr", "4000"],
    ["--incr", "60000", "--stall-after", "2"], ["--incr", "60000", "--die-after", "2"],
    ["--incr", "4000", "--hint", "-1"], ["--incr", "60000", "--hint", "4294967295"],
    ["--type", "UTF8_STRING", "STRING"], ["--format", "UTF8_STRING", "16"],
    ["--double"], ["--no-property", "UTF8_STRING"], ["--notify-first", "UTF8_STRING"], ["--hold", "UTF8_STRING"],
    ["--incr", "4000", "--early", "3"], ["--incr", "60000", "--change-type-after", "2"],
    ["--incr", "60000", "--change-format-after", "2"], ["--incr", "60000", "--no-final"],
    ["--incr", "60000", "--delay", "0.1"], ["--incr", "60000", "--hint-format", "8"],
    ["--empty-list"], ["--incr-list"], ["--no-atoms", "5"], ["--long-name", "60000"], ["--reclaim", "20"], ["--refill"],
    ["--type", "TARGETS", "TARGETS"], ["--offer", "x-kde-passwordManagerHint", "{folder}/small"],
]

PROGRAMS = [
    ["crowd", "--stay", "--times", "60", "--ask", "CLIPBOARD", "UTF8_STRING", "XPB_PEER"],
    ["crowd", "--stay", "--times", "200", "--ask", "CLIPBOARD", "TARGETS", "XPB_PEER"],
    ["stray"], ["descriptors", "64"], ["descriptors", "100"],
    ["flood", "oneway", "2000"], ["flood", "pipelined", "2000"], ["flood", "mixed", "2000"], ["unread", "20", "50"],
    ["half", "read"], ["half", "write"], ["clients", "100"], ["fork"], ["upload"], ["change", "200"],
    *(["message", name]
      for name in ("nuls", "too-long", "deep-open", "huge-integer", "many-keys", "long-name", "unclosed")),
    *(["file", kind] for kind in ("directory", "pipe", "zero", "regular", "unsealed", "path", "write-only", "sealed")),
    *(["range", name] for name in ("longer", "sum-overflows", "another-descriptor")),
]


def call(method, **parameters):
    return json.dumps({"method": "org.xpb.Pasteboard." + method, "parameters": parameters}).encode() + b"\0"


def with_descriptors(client, rng):
    opened = [os.open(path, os.O_RDONLY) for path in ("/dev/null", "/", "/dev/zero")[:rng.randrange(1, 4)]]
    item = {"representations": [{"type": "text", "bytes": {"descriptor": 0, "offset": 0, "length": 4}}]}
    client.sendmsg(
        [call("Set", pasteboards=["com.example.faulty"], items=[item])],
        [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", opened))])
    for descriptor in opened:
        os.close(descriptor)


CLIENTS = [
    lambda client, rng: client.sendall(rng.randbytes(rng.randrange(1, 5000))),
    lambda client, rng: client.sendall(b"\0" * rng.randrange(1, 5000)),
    lambda client, rng: client.sendall(call("Count", pasteboard="general")[:-5]),
    lambda client, rng: client.sendall(call("List") * 200),
    lambda client, rng: client.sendall(call("Begin") * 300),
    lambda client, rng: client.sendall(call("Get", pasteboard="general", types=["text"])),
    lambda client, rng: client.sendall(call("Monitor", pasteboards=["general"])),
    lambda client, rng: client.sendall(b"[" * 50_000 + b"\0"),
    lambda client, rng: client.shutdown(socket.SHUT_WR),
    lambda client, rng: client.shutdown(socket.SHUT_RD),
    with_descriptors,
]


def add_options(parser):
    parser.add_argument("--minutes", type=float, default=60, metavar="N", help="duration in minutes (default: 60)")
    parser.add_argument(
        "--every", type=float, default=4, metavar="N",
        help="minutes between two pauses, in which the resources of the bridge are measured (default: 4)")
    parser.add_argument(
        "--seed", type=int, default=random.randrange(1 << 30), metavar="N",
        help="seed of the workers' random choices (default: a random seed, which is printed)")
    parser.add_argument("--record", action="store_true", help="write the figures to Scripts/trials/soak.figures")


def run(options):
    # A short history is soon full, so that its growth is not mistaken for a leak.
    settings = {"XPB_HISTORY_LIMIT": "200"}
    with (tempfile.TemporaryDirectory(prefix="xpb-") as folder,
          Testbed(options.binaries, folder, settings) as testbed):
        soak = Soak(testbed, options)
        soak.say(f"{options.minutes:g} minutes, seed {options.seed}")
        soak.run_workers()
    soak.say("no faults" if not soak.faults else f"{len(soak.faults)} faults")
    if options.record and not soak.faults:
        write_figures(__file__, [f"# Scripts/try soak, {machine_description()}", *soak.lines])
    return 1 if soak.faults else 0
