"""An hour of mixed traffic, real and faulty, after which the bridge has to hold what it held before.

Workers of several kinds run at the same time, each in a loop: commands of xpb, xclip and xsel, programs of GTK 3, Qt 5 and
Tk, and raw peers that break the rules of X11 selections and of the socket in every way that Tests/Fixtures knows, some of
them stopped or killed at any moment. Every few minutes all rest, and what the bridge holds then is told: memory,
descriptors, threads, windows, atoms of the server, and what is left on the windows of others.

Status: 0 all is well, 1 something is not, 2 usage.
"""

import argparse
import array
import contextlib
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

from Xlib import X, display

import field

FIXTURES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Tests/Fixtures")
# What xpb may end with when others hold or spoil the clipboard: nothing there, silent, broken, refused. Never 4.
UNSURE = (0, 1, 3, 5, 6)


class Soak:
    def __init__(self, ground, options):
        self.ground = ground
        self.options = options
        self.faults = []
        self.counts = {}
        self.fewest_windows = 0
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.going = threading.Event()
        self.resting = threading.Semaphore(0)
        self.lines = []
        for name, length in [("small", 45), ("medium", 300_000), ("large", 5 << 20)]:
            (ground.folder / name).write_bytes((name.encode() + b" text\n") * (length // (len(name) + 6)))
        (ground.folder / "page.html").write_bytes(b"<p>some <b>bold</b> text</p>")
        self.files = [str(ground.folder / name) for name in ("small", "medium", "large")]

    def say(self, text):
        self.lines.append(text)
        field.say(text)

    def fault(self, text):
        with self.lock:
            self.faults.append(text)
            if len(self.faults) <= 20:
                self.say(f"WRONG: {text}")

    def count(self, kind):
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + 1

    # Programs.

    def run(self, *command, given=None, statuses=(0,), kind=None, patience=60):
        """Its output; a status that is none of those, or no end, is a fault."""
        try:
            found = subprocess.run(
                [*map(str, command)], env=self.ground.environment, input=given, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=patience, **({} if given is not None else {"stdin": subprocess.DEVNULL}))
        except subprocess.TimeoutExpired:
            if statuses is not None:
                self.fault(f"{' '.join(map(str, command))} did not end in {patience} s")
            return None
        if statuses is not None and found.returncode not in statuses:
            message = found.stderr.decode("utf-8", "replace").strip()[:300]
            self.fault(f"{' '.join(map(str, command))[:200]} ended with status {found.returncode}: {message}")
        self.count(kind or os.path.basename(str(command[0])))
        return found.stdout

    def xpb(self, *arguments, given=None, statuses=UNSURE):
        return self.run(
            self.ground.xpb_path, *arguments, given=given, statuses=statuses, kind=f"xpb {arguments[0]}")

    def spawn(self, *command):
        return subprocess.Popen(
            [*map(str, command)], env=self.ground.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def finish(self, process, dice):
        """Ends it in order, or by SIGKILL, or after it stood still for a while."""
        self.stop.wait(dice.random())
        way = dice.randrange(4)
        if way == 0:
            process.kill()
        elif way == 1:
            process.send_signal(signal.SIGSTOP)
            self.stop.wait(dice.random() * 3)
            process.kill()
        try:
            process.stdin.close()
            process.wait(timeout=dice.random() * 3)
        except (subprocess.TimeoutExpired, OSError):
            process.kill()
        process.wait()

    # What is done. Each is one round of a worker.

    def own_pasteboard(self, dice, number):
        """Nobody else writes there: what was set is what is got, and the count rises."""
        board = f"com.example.soak{number}"
        data = dice.randbytes(dice.choice([0, 1, 100, 70_000, 262_144, 262_145, 3 << 20]))
        kind = dice.choice(["image/png", "com.example.custom", "application/x-soak"])
        before = int(self.xpb("count", "-p", board, statuses=(0,)) or 0)
        self.xpb("set", "-p", board, "-t", kind, "-f", "-", given=data, statuses=(0,))
        got = self.xpb("get", "-p", board, "-t", kind, statuses=(0,))
        if got != data:
            self.fault(f"{board}: {len(data)} bytes were set and {len(got or b'')} others came")
        if int(self.xpb("count", "-p", board, statuses=(0,)) or 0) != before + 1:
            self.fault(f"{board}: one copy was not one step")

    def commands(self, dice, _):
        text = dice.choice(["one", "two\nlines", "ünï", "x" * 5000]).encode()
        dice.choice([
            lambda: self.xpb("set", given=text), lambda: self.xpb("get", "--timeout", "1"),
            lambda: self.xpb("set", "-t", "text/html", "-f", self.ground.folder / "page.html", "--text", "page"),
            lambda: self.xpb("types", "--timeout", "1"), lambda: self.xpb("items"), lambda: self.xpb("owner"),
            lambda: self.xpb("list"), lambda: self.xpb("undo"), lambda: self.xpb("redo"),
            lambda: self.xpb("history", "list"), lambda: self.xpb("history", "search", "text"),
            lambda: self.xpb("set", "--concealed", given=b"a secret"), lambda: self.xpb("clear"),
            lambda: self.xpb("set", "--once", given=text), lambda: self.xpb("set", "--expires", "1s", given=text),
            lambda: self.xpb("set", "-c", f"cat {self.files[1]}"), lambda: self.xpb("add", given=text),
            lambda: self.xpb("get", "--timeout", "1", "-t", dice.choice(["html", "image", "text/rtf", "UTF8_STRING"])),
            lambda: self.xpb("dump", "--timeout", "1"), lambda: self.xpb("get", "-p", "find", "--timeout", "1"),
            lambda: self.xpb("set", "-p", "find", given=text), lambda: self.xpb("set", "-f", self.files[2]),
        ])()

    def tools(self, dice, _):
        selection = dice.choice(["clipboard", "primary"])
        file = dice.choice(self.files)
        way = dice.randrange(4)
        if way == 0:
            # Its child keeps all that it was given open, and where it hangs it does so for good.
            process = self.spawn("xclip", "-i", "-selection", selection, file)
            if process.wait(timeout=60):
                self.fault(f"xclip -i ended with status {process.returncode}")
            process.stdin.close()
            self.count("xclip")
        elif way == 1:
            # They wait for silent owners without end.
            self.run("xclip", "-o", "-selection", selection, "-t", "UTF8_STRING", statuses=None, patience=2)
        elif way == 2:
            with open(file, "rb") as data:
                self.run("xsel", "-i", f"--{selection}", given=data.read(), statuses=(0,))
        else:
            self.run("xsel", "-o", f"--{selection}", statuses=None, patience=2)

    def toolkits(self, dice, _):
        program = os.path.join(FIXTURES, "Toolkits", dice.choice(["gtk3.py", "qt5.py", "tk.py"]))
        if dice.random() < 0.5:
            process = self.spawn(program, "own", "text", self.files[0])
            self.stop.wait(1)
            self.xpb("get", "--timeout", "1")
            self.finish(process, dice)
            self.count("toolkit own")
        else:
            self.run(program, "read", "text", self.ground.folder / "read", statuses=None, patience=10, kind="toolkit read")

    def watches(self, dice, _):
        process = self.spawn(self.ground.xpb_path, "watch", *dice.choice([(), ("--json",), ("-p", "find"), ("--initial",)]))
        self.stop.wait(dice.random() * 5)
        self.finish(process, dice)
        self.count("xpb watch")

    def faulty_requestors(self, dice, _):
        options = dice.choice(REQUESTORS)
        process = self.spawn(os.path.join(FIXTURES, "peer.py"), "ask", "--timeout", "5", *options)
        self.stop.wait(dice.random() * 3)
        self.finish(process, dice)
        self.count("faulty requestor")

    def faulty_owners(self, dice, _):
        options = [part.format(folder=self.ground.folder) for part in dice.choice(OWNERS)]
        selection = dice.choice(["CLIPBOARD", "PRIMARY", "com.example.faulty"])
        board = {"CLIPBOARD": "general", "PRIMARY": "find"}.get(selection, selection)
        process = self.spawn(
            os.path.join(FIXTURES, "peer.py"), "own", "--selection", selection, "--offer", "UTF8_STRING",
            self.files[dice.randrange(3)], "--offer", "text/html", self.ground.folder / "page.html", *options)
        self.stop.wait(0.5)
        for _ in range(dice.randrange(1, 4)):
            self.xpb("get", "-p", board, "--timeout", "0.5", "-t", dice.choice(["text", "html", "UTF8_STRING"]))
        self.finish(process, dice)
        self.count("faulty owner")

    def faulty_programs(self, dice, _):
        """Clients of the socket in every way of bad_client.py, and crowds of windows that take nothing."""
        options = dice.choice(PROGRAMS)
        if options[0] == "crowd":
            process = self.spawn(os.path.join(FIXTURES, "peer.py"), *options)
        else:
            process = self.spawn(sys.executable, os.path.join(FIXTURES, "bad_client.py"), self.ground.socket, *options)
        self.stop.wait(dice.random() * 2)
        self.finish(process, dice)
        self.count("faulty program")

    def faulty_clients(self, dice, _):
        """Of the socket."""
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.settimeout(1)
        try:
            client.connect(self.ground.socket)
            for _ in range(dice.randrange(1, 4)):
                dice.choice(CLIENTS)(client, dice)
            self.stop.wait(dice.random() * 2)
        except OSError:
            # It was closed, as it should be.
            pass
        client.close()
        self.count("faulty client")

    # The whole.

    def work(self, round, number):
        dice = random.Random(self.options.seed * 1000 + number)
        while True:
            self.resting.release()
            self.going.wait()
            self.resting.acquire()
            if self.stop.is_set():
                return self.resting.release()
            while self.going.is_set():
                try:
                    round(dice, number)
                except Exception as error:
                    self.fault(f"{round.__name__}: {type(error).__name__} {error}")

    def rest(self, workers):
        """Until all workers stand and the bridge is at rest, holding the same as at each rest."""
        self.going.clear()
        for _ in range(workers):
            self.resting.acquire()
        for _ in range(workers):
            self.resting.release()
        for board in ["find"] + [f"com.example.soak{number}" for number in range(workers)] + ["com.example.faulty"]:
            self.ground.xpb("set", "-p", board, given=b"rest")
        # What could be undone to is then short as well.
        for number in range(25):
            self.ground.xpb("set", given=b"rest %d" % number)
        self.end_hung()
        if not self.ground.rest():
            self.fault(f"it does not come to rest: {json.dumps(self.ground.status())}")
        figures = self.ground.figures()
        figures["windows"] = self.fewest()
        figures["left"] = self.left()
        return figures

    def fewest(self):
        """The fewest windows that the bridge has while it rests. One of a transfer that is over stays for 5 s, for an xsel that
        answers twice, and one of a transfer that was given up for 30, for an owner that goes on. Where there are no more
        than ever, nothing is waited for."""
        deadline = time.monotonic() + 40
        fewest = self.ground.windows()
        while fewest > self.fewest_windows and time.monotonic() < deadline:
            time.sleep(0.5)
            fewest = min(fewest, self.ground.windows())
        self.fewest_windows = fewest if self.fewest_windows == 0 else min(fewest, self.fewest_windows)
        return fewest

    def end_hung(self):
        """Ends what is left of xclip and xsel. None of them owns anything by now: each waits, for good, for a requestor that
        has gone in the middle of a transfer. In an hour they would take all the clients that the server has room for."""
        home = f"HOME={self.ground.folder}".encode()
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if not name.isdigit() or os.readlink(f"/proc/{name}/exe").rsplit("/", 1)[1] not in ("xclip", "xsel"):
                    continue
                with open(f"/proc/{name}/environ", "rb") as file:
                    if home not in file.read().split(b"\0"):
                        continue
                os.kill(int(name), signal.SIGKILL)
                self.count("hung xclip or xsel")

    def left(self):
        """What there is on windows of a program that asked for a lot in between: properties, and events selected."""
        left = 0
        for window in self.windows:
            left += len(window.list_properties()) + bool(window.get_attributes().all_event_masks)
        return left

    def bystander(self):
        """Asks for everything into windows that stay, and takes it, or the first piece."""
        connection = display.Display()
        windows = [connection.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent) for _ in range(5)]
        connection.sync()
        names = ["UTF8_STRING", "TARGETS", "text/html", "image/png", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "NONE"]
        self.windows = [self.ground.display.create_resource_object("window", window.id) for window in windows]
        dice = random.Random(self.options.seed)

        def round(*_):
            window = dice.choice(windows)
            window.convert_selection(
                connection.intern_atom("CLIPBOARD"), connection.intern_atom(dice.choice(names)),
                connection.intern_atom("_SOAK"), X.CurrentTime)
            connection.flush()
            self.stop.wait(0.2)
            while connection.pending_events():
                connection.next_event()
            if not self.going.is_set():
                # A transfer that began goes on for as long as its pieces are taken.
                for _ in range(40):
                    for window in windows:
                        window.delete_property(connection.intern_atom("_SOAK"))
                    connection.sync()
                    self.stop.wait(0.05)
            else:
                window.delete_property(connection.intern_atom("_SOAK"))
                connection.flush()
            self.count("bystander")

        return round

    def begin(self):
        rounds = [
            self.own_pasteboard, self.own_pasteboard, self.commands, self.commands, self.tools, self.toolkits, self.watches,
            self.faulty_requestors, self.faulty_requestors, self.faulty_owners, self.faulty_clients, self.faulty_programs,
            self.bystander()]
        for number, round in enumerate(rounds):
            threading.Thread(target=self.work, args=(round, number), daemon=True).start()
        end = time.monotonic() + self.options.minutes * 60
        self.say(f"{'minute':>7}{'memory KiB':>12}{'descriptors':>12}{'threads':>9}{'windows':>9}{'atoms':>7}{'left':>6}"
                 f"{'rounds':>9}")
        begun = time.monotonic()
        rests = []
        interval = min(self.options.every, self.options.minutes / 6) * 60
        while time.monotonic() < end:
            self.going.set()
            deadline = min(time.monotonic() + interval, end)
            while time.monotonic() < deadline:
                time.sleep(min(1, max(0, deadline - time.monotonic())))
                if not os.path.exists(f"/proc/{self.ground.bridge}"):
                    raise field.Wrong("the bridge is gone")
            figures = self.rest(len(rounds))
            rests.append(figures)
            self.say(f"{(time.monotonic() - begun) / 60:>7.1f}{figures['memory']:>12}{figures['descriptors']:>12}"
                     f"{figures['threads']:>9}{figures['windows']:>9}{figures['atoms']:>7}{figures['left']:>6}"
                     f"{sum(self.counts.values()):>9}")
        self.stop.set()
        self.going.set()
        self.judge(rests)

    def judge(self, rests):
        """The first third fills caches and makes what is made once."""
        if len(rests) < 5:
            raise field.Wrong(f"{len(rests)} rests are too few to judge by; give it more minutes")
        warm = rests[len(rests) // 3:]
        for name in ("descriptors", "threads", "windows", "atoms", "left"):
            if rests[-1][name] > warm[0][name]:
                self.fault(f"{name} grew from {warm[0][name]} to {rests[-1][name]}")
                if name == "descriptors":
                    self.say(f"new: {dict(rests[-1]['open'] - warm[0]['open'])}")
        half = len(warm) // 2
        early, late = (statistics.median(rest["memory"] for rest in part) for part in (warm[:half], warm[half:]))
        # What leaks with the traffic is far more in an hour.
        if late > early * 1.05 + 512:
            self.fault(f"memory grew from {early:.0f} to {late:.0f} KiB")
        if rests[-1]["left"]:
            self.fault(f"{rests[-1]['left']} properties or selected events are left on windows of others")
        self.say(", ".join(f"{kind} {count}" for kind, count in sorted(self.counts.items())))
        status = self.ground.status()
        for refusal in status.get("refusals", []):
            self.say(f"refused: {refusal['reason']} {refusal['count']}")


# What the raw peers are told to do wrong; `peer.py --help` tells what each means. Who sends without end is left out: a reader
# takes that up to the limits, gigabytes of it, which is right and slow.
REQUESTORS = [
    [], ["--never-delete"], ["--destroy"], ["--pause-after", "1"], ["--property", "none"], ["--time", "current"],
    ["--time", "1"], ["--target", "TARGETS"], ["--target", "image/png"], ["--target", "NO_SUCH_TARGET"],
    ["--target", "MULTIPLE"], ["--multiple", "UTF8_STRING", "TARGETS", "text/html"],
    ["--multiple", "UTF8_STRING", "--pairs-type", "ATOM"], ["--selection", "PRIMARY"],
    ["--selection", "com.example.soak0", "--target", "image/png", "--never-delete"],
    ["--delete", "twice"], ["--delete", "early"], ["--destroy-at", "notify"], ["--destroy-at", "last"], ["--drip", "0.1"],
    ["--again-after", "1"], ["--multiple", "UTF8_STRING", "TEXT", "--odd"], ["--multiple", "UTF8_STRING", "--empty"],
    ["--multiple", "UTF8_STRING", "--no-list"], ["--multiple", "UTF8_STRING", "--pairs-format", "8"],
    ["--beside", "text/html", "--beside", "TARGETS"], ["--time", "4294967295"],
]
OWNERS = [
    [], ["--silent"], ["--refuse", "TARGETS"], ["--silent-for", "UTF8_STRING"], ["--incr", "4000"],
    ["--incr", "60000", "--stall-after", "2"], ["--incr", "60000", "--die-after", "2"], ["--incr", "4000", "--hint", "-1"],
    ["--incr", "60000", "--hint", "4294967295"], ["--type", "UTF8_STRING", "STRING"], ["--format", "UTF8_STRING", "16"],
    ["--double"], ["--no-property", "UTF8_STRING"], ["--notify-first", "UTF8_STRING"], ["--hold", "UTF8_STRING"],
    ["--incr", "4000", "--early", "3"], ["--incr", "60000", "--change-type-after", "2"],
    ["--incr", "60000", "--change-format-after", "2"], ["--incr", "60000", "--no-final"],
    ["--incr", "60000", "--drip", "0.1"], ["--incr", "60000", "--hint-format", "8"],
    ["--empty-list"], ["--incr-list"], ["--no-atoms", "5"], ["--long-name", "60000"], ["--reclaim", "20"], ["--refill"],
    ["--type", "TARGETS", "TARGETS"], ["--offer", "x-kde-passwordManagerHint", "{folder}/small"],
]

PROGRAMS = [
    ["crowd", "--stay", "--times", "60", "--ask", "CLIPBOARD", "UTF8_STRING", "XPB_PEER"],
    ["crowd", "--stay", "--times", "200", "--ask", "CLIPBOARD", "TARGETS", "XPB_PEER"],
    ["stray"], ["descriptors", "64"], ["descriptors", "100"],
    ["flood", "oneway", "2000"], ["flood", "pipelined", "2000"], ["flood", "mixed", "2000"], ["unread", "20", "50"],
    ["half", "read"], ["half", "write"], ["clients", "100"], ["fork"], ["upload"], ["change", "200"],
    *(["message", name] for name in ("nuls", "too-long", "deep-open", "huge-integer", "many-keys", "long-name", "unclosed")),
    *(["file", kind] for kind in ("directory", "pipe", "zero", "regular", "unsealed", "path", "write-only", "sealed")),
    *(["range", name] for name in ("longer", "sum-overflows", "another-descriptor")),
]


def call(method, **parameters):
    return json.dumps({"method": "org.xpb.Pasteboard." + method, "parameters": parameters}).encode() + b"\0"


def with_descriptors(client, dice):
    opened = [os.open(path, os.O_RDONLY) for path in ("/dev/null", "/", "/dev/zero")[:dice.randrange(1, 4)]]
    item = {"representations": [{"type": "text", "bytes": {"descriptor": 0, "offset": 0, "length": 4}}]}
    client.sendmsg(
        [call("Set", pasteboards=["com.example.faulty"], items=[item])],
        [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", opened))])
    for descriptor in opened:
        os.close(descriptor)


CLIENTS = [
    lambda client, dice: client.sendall(dice.randbytes(dice.randrange(1, 5000))),
    lambda client, dice: client.sendall(b"\0" * dice.randrange(1, 5000)),
    lambda client, dice: client.sendall(call("Count", pasteboard="general")[:-5]),
    lambda client, dice: client.sendall(call("List") * 200),
    lambda client, dice: client.sendall(call("Begin") * 300),
    lambda client, dice: client.sendall(call("Get", pasteboard="general", types=["text"])),
    lambda client, dice: client.sendall(call("Monitor", pasteboards=["general"])),
    lambda client, dice: client.sendall(b"[" * 50_000 + b"\0"),
    lambda client, dice: client.shutdown(socket.SHUT_WR),
    lambda client, dice: client.shutdown(socket.SHUT_RD),
    with_descriptors,
]


def main():
    parser = argparse.ArgumentParser(prog="Scripts/soak")
    parser.add_argument("--binaries", required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=4, help="minutes between two rests")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--keep", metavar="FILE")
    options = parser.parse_args()
    # The history is full soon, and stays as long.
    settings = {"XPB_HISTORY_LIMIT": "200"}
    with tempfile.TemporaryDirectory(prefix="xpb-") as folder:
        try:
            with field.Field(options.binaries, folder, settings) as ground:
                soak = Soak(ground, options)
                soak.say(f"{options.minutes:g} minutes, seed {options.seed}")
                soak.begin()
        except field.Wrong as wrong:
            print(f"WRONG: {wrong}", file=sys.stderr)
            return 1
    soak.say("nothing was found" if not soak.faults else f"{len(soak.faults)} faults")
    if options.keep and not soak.faults:
        field.keep(options.keep, [f"# Scripts/soak, {field.machine()}", *soak.lines])
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main())
