"""Kills the bridge 1,000 times during writes, truncates its database at 200 lengths and fills its disk, and checks that
no acknowledged write is lost. It takes some minutes.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from trials import Failure
from trials.client import Client, ConnectionEnded, ErrorReply


class Bridge:
    """An xpbd without a display, in its own folder."""

    def __init__(self, program, folder, state=None):
        self.program = program
        self.folder = folder
        self.state = state or f"{folder}/state"
        self.socket = f"{folder}/run/xpb/none.sock"
        self.store = f"{self.state}/xpb/none"
        self.log = f"{folder}/log"
        self.process = None
        os.makedirs(f"{folder}/run", mode=0o700, exist_ok=True)

    def start(self):
        environment = {
            "HOME": self.folder, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": f"{self.folder}/run",
            "XDG_STATE_HOME": self.state, "XPB_HISTORY_LIMIT": "1000000"}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "--no-display"], env=environment, stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            try:
                return Client(self.socket)
            except OSError:
                if self.process.poll() is not None:
                    raise Failure(f"the bridge did not start:\n{self.log_tail()}") from None
                if time.monotonic() > deadline:
                    raise Failure(f"the bridge did not answer:\n{self.log_tail()}") from None
                time.sleep(0.001)

    def log_tail(self):
        with open(self.log, errors="replace") as log:
            return "".join(log.readlines()[-10:])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)

    def stored_files(self):
        return [name for _, _, names in os.walk(f"{self.store}/blobs") for name in names]


def require(condition, message, bridge):
    if not condition:
        raise Failure(f"{message}\nthe bridge's log ends with:\n{bridge.log_tail()}")


def content(round_, number):
    size = random.choice([16, 64, 1_000, 30_000, 300_000, 2_000_000])
    head = f"{round_}-{number}-".encode()
    return head + random.randbytes(size // 2).hex().encode()


def kills(bridge, rounds):
    """In each round, writes, kills the bridge with SIGKILL within 50 ms, restarts it, and checks that no write is
    lost."""
    acknowledged = None
    count = 0
    total = 0
    last_of_round = {}
    for round_ in range(rounds):
        client = bridge.start()
        pending = None
        now = client.count()
        require(now >= count, f"round {round_}: the count decreased from {count} to {now}", bridge)
        count = now
        timer = threading.Timer(random.uniform(0, 0.05), lambda: bridge.process.send_signal(signal.SIGKILL))
        timer.start()
        try:
            number = 0
            while True:
                pending = content(round_, number)
                new = client.set(pending)
                require(new > count, f"round {round_}: a count of {new} after {count}", bridge)
                count = new
                acknowledged = pending
                last_of_round[round_] = pending
                pending = None
                total += 1
                number += 1
        except ConnectionEnded:
            pass
        timer.join()
        bridge.process.wait()
        client = bridge.start()
        now = client.count()
        require(now >= count, f"round {round_}: the count decreased from {count} to {now}", bridge)
        count = now
        if acknowledged is not None:
            try:
                found = client.get()
            except ErrorReply as error:
                found = error.args[0].encode()
            require(
                found in (acknowledged, pending),
                f"round {round_}: an acknowledged write was lost: {found[:40]!r} instead of {acknowledged[:40]!r}",
                bridge,
            )
            acknowledged = found
        if round_ % 50 == 49:
            entries = client.history()
            known = {entry["preview"].split("-")[0] for entry in entries if entry.get("preview")}
            for old in last_of_round:
                require(str(old) in known, f"round {round_}: round {old} was missing from the history", bridge)
            print(f"  {round_ + 1} rounds, {total} writes acknowledged", flush=True)
        bridge.stop()
    # The bridge deletes the files of interrupted writes in the background.
    client = bridge.start()
    deadline = time.monotonic() + 120
    while True:
        entries = client.history()
        copies = sum(entry["copies"] for entry in entries)
        orphans = len(bridge.stored_files()) - copies
        if orphans == 0:
            break
        require(time.monotonic() < deadline, f"{orphans} files belonged to no entry", bridge)
        # Maintenance begins when nobody has used the store for 100 ms.
        time.sleep(0.5)
    bridge.stop()
    print(f"kills: {rounds} rounds, {total} writes acknowledged, none lost, no count decreased, no orphaned file")


def full(bridge):
    """Fills the file system of the store, and checks that writes are refused and no acknowledged write is lost."""
    client = bridge.start()
    acknowledged = []
    refusals = 0
    number = 0
    while refusals < 50:
        data = f"full-{number}-".encode() + random.randbytes(20_000).hex().encode()
        number += 1
        try:
            client.set(data)
            acknowledged.append(data)
            refusals = 0
        except ErrorReply as error:
            require(error.args[0] == "Refused", f"{error.args}", bridge)
            refusals += 1
            found = client.get()
            require(found == acknowledged[-1], "a refused write changed the contents", bridge)
    memory = b"in memory only"
    client.set(memory, memory=True)
    require(client.get() == memory, "a write to memory was missing", bridge)
    require(len(acknowledged) > 5, "the file system was full from the start", bridge)
    last = acknowledged[-1]
    for _ in range(20):
        bridge.kill()
        client = bridge.start()
        try:
            found = client.get()
        except ErrorReply:
            found = None
        # The contents may be empty, if the store had room to record that contents in memory replaced them.
        require(found in (last, None), "an acknowledged write was lost on a full disk", bridge)
        listed = {entry["preview"].split("-")[1] for entry in client.history() if entry.get("preview")}
        for index in range(len(acknowledged)):
            require(acknowledged[index].split(b"-")[1].decode() in listed, f"write {index} was lost", bridge)
    bridge.stop()
    print(f"full disk: {len(acknowledged)} writes acknowledged, then refused; none lost in 20 kills")


def cuts(bridge, rounds):
    """Truncates the database at random lengths, and checks that nothing is lost."""
    client = bridge.start()
    for number in range(50):
        client.set(content("cut", number))
    # A regular shutdown copies the write-ahead log into the database. Later writes are only in the log.
    bridge.stop()
    client = bridge.start()
    for number in range(50, 60):
        client.set(content("cut", number))
    last = client.get()
    count = client.count()
    entries = {entry["count"] for entry in client.history()}
    bridge.kill()
    original = f"{bridge.folder}/original"
    shutil.copytree(bridge.store, original)
    size = os.path.getsize(f"{original}/store.sqlite")
    set_aside = 0
    for round_ in range(rounds):
        shutil.rmtree(bridge.store)
        shutil.copytree(original, bridge.store)
        length = random.randrange(0, size)
        os.truncate(f"{bridge.store}/store.sqlite", length)
        if round_ % 2:
            for name in os.listdir(bridge.store):
                if name.startswith("store.sqlite-"):
                    path = f"{bridge.store}/{name}"
                    os.truncate(path, random.randrange(0, os.path.getsize(path) + 1))
        open(bridge.log, "w").close()
        client = bridge.start()
        now = client.count()
        require(now >= count, f"cut at {length}: the count decreased from {count} to {now}", bridge)
        found = client.get()
        require(found == last, f"cut at {length}: the contents were lost", bridge)
        listed = {entry["count"] for entry in client.history()}
        require(listed >= entries, f"cut at {length}: {len(entries - listed)} entries were lost", bridge)
        aside = [name for name in os.listdir(bridge.store) if "damaged" in name]
        log = open(bridge.log, errors="replace").read()
        if aside:
            set_aside += 1
            require("damaged" in log, f"cut at {length}: the log did not mention {aside}", bridge)
        bridge.kill()
    print(f"cuts: {rounds} lengths of {size} bytes, {set_aside} databases set aside, nothing lost")


def add_options(parser):
    parser.add_argument("--rounds", type=int, default=1_000, metavar="N", help="number of kills (default: 1,000)")
    parser.add_argument("--cuts", type=int, default=200, metavar="N", help="number of truncations (default: 200)")
    parser.add_argument(
        "--seed", type=int, default=random.randrange(1 << 32), metavar="N",
        help="seed of the random choices (default: a random seed, which is printed)")
    parser.add_argument("--in-namespace", action="store_true", help=argparse.SUPPRESS)


def run(options):
    if not options.in_namespace:
        # The full disk is a small tmpfs in a private mount namespace.
        command = ["unshare", "--mount", "--map-root-user", "--user", sys.executable, *sys.argv, "--no-build"]
        os.execvp(command[0], [*command, "--in-namespace", "--seed", str(options.seed)])
    random.seed(options.seed)
    print(f"crash: seed {options.seed}", flush=True)
    program = str(options.binaries / "xpbd")
    with tempfile.TemporaryDirectory(prefix="xpb-crash-") as folder:
        kills(Bridge(program, f"{folder}/kills"), options.rounds)
        cuts(Bridge(program, f"{folder}/cuts"), options.cuts)
        small = f"{folder}/small"
        os.mkdir(small)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", small], check=True)
        try:
            full(Bridge(program, f"{folder}/full", state=small))
        finally:
            subprocess.run(["umount", "--lazy", small], check=True)
