"""The figures of Scripts/bench: one table, and the same as JSON.

Every row times several programs at the same task, in turns, so that what else the machine does hits all alike. A run
is a posix_spawn(3) with /dev/null in place of what is not asked for, up to the end of the process. What is set up
between runs (an owner, other contents) is not timed.
"""

import argparse
import contextlib
import functools
import itertools
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import tempfile
import time

import crash

SMALL = b"The quick brown fox jumps over the lazy dog.\n"
LARGE = 128 << 20

READ_NULL = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)]
WRITE_NULL = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
ERROR_NULL = [(os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]


def read_file(path):
    return [(os.POSIX_SPAWN_OPEN, 0, path, os.O_RDONLY, 0)]


def write_file(path):
    return [(os.POSIX_SPAWN_OPEN, 1, path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]


class Bench:
    def __init__(self, options):
        self.options = options
        self.environment = dict(os.environ)
        binaries = os.path.abspath(options.binaries)
        self.environment["PATH"] = binaries + ":" + self.environment["PATH"]
        self.xpb_path = os.path.join(binaries, "xpb")
        self.small = os.path.join(options.folder, "small")
        self.large = os.path.join(options.folder, "large")
        self.out = os.path.join(options.folder, "out")
        self.owners = []
        self.rows = []
        with open(self.small, "wb") as file:
            file.write(SMALL)
        with open(self.large, "wb") as file:
            for _ in range(LARGE >> 20):
                file.write(os.urandom(1 << 20))

    def path(self, program):
        if program == "xpb":
            return self.xpb_path
        return next(
            candidate for folder in self.environment["PATH"].split(":")
            if os.access(candidate := os.path.join(folder, program), os.X_OK))

    def timed(self, command, actions, environment=None, statuses=(0,)):
        """Milliseconds from posix_spawn to the end of the process."""
        path = self.path(command[0])
        begin = time.perf_counter_ns()
        process = os.posix_spawn(path, command, environment or self.environment, file_actions=actions)
        _, status = os.waitpid(process, 0)
        end = time.perf_counter_ns()
        if os.waitstatus_to_exitcode(status) not in statuses:
            raise SystemExit(f"bench: {' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
        return (end - begin) / 1e6

    def xpb(self, *arguments):
        return subprocess.run(
            [self.xpb_path, *arguments], env=self.environment, check=True, stdout=subprocess.PIPE).stdout

    def own_by_xclip(self):
        """Has an xclip own the small text, and returns when the bridge has seen it."""
        self.end_owners()
        count = self.xpb("count").decode().strip()
        self.owners.append(subprocess.Popen(
            ["xclip", "-quiet", "-i", "-selection", "clipboard", self.small], env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        self.xpb("wait", "--since", count, "--timeout", "30")

    def end_owners(self):
        for owner in self.owners:
            owner.terminate()
            owner.wait()
        self.owners.clear()

    def row(self, name, contenders, rounds, prepare=lambda _: None, check=None, goal=None, note=None):
        """contenders: program → (command, file actions), or what takes a round's number and gives the milliseconds; the
        first one is what the ratios are of."""
        times = {program: [] for program in contenders}
        for number in range(rounds + 1):
            for program, contender in contenders.items():
                prepare(program)
                taken = contender(number) if callable(contender) else self.timed(*contender)
                # The first round fills caches.
                if number > 0:
                    times[program].append(taken)
                elif check:
                    check(name, program)
        figures = {program: summary(values) for program, values in times.items()}
        first = next(iter(figures))
        ratios = {
            program: round(figures[first]["median_ms"] / figure["median_ms"], 3)
            for program, figure in figures.items() if program != first}
        self.rows.append({
            "row": name, "rounds": rounds, "programs": figures, "ratios": ratios, "goal": goal, "note": note})
        self.show(self.rows[-1])

    def show(self, row):
        for program, figure in row["programs"].items():
            line = (f"{row['row']:<34} {program:<7} {figure['median_ms']:>10.3f} {figure['low_ms']:>10.3f}"
                    f" {figure['high_ms']:>10.3f} {row['rounds']:>6}")
            ratio = row["ratios"].get(program)
            if ratio is not None:
                line += f"   {next(iter(row['programs']))} takes {ratio:.2f} of it"
                if row["goal"] is not None and program == row["goal"].get("of"):
                    held = "holds" if ratio <= row["goal"]["at_most"] else "MISSED"
                    line += f" (goal {row['goal']['at_most']}: {held})"
            elif row["goal"] is not None and "high_ms" in row["goal"]:
                held = "holds" if figure["high_ms"] <= row["goal"]["high_ms"] else "MISSED"
                line += f"   95th: goal {row['goal']['high_ms']} ms: {held}"
            print(line, flush=True)
        if row["note"]:
            print(f"{'':<34} {row['note']}")

    def same(self, expected):
        def check(name, program):
            if subprocess.run(["cmp", "-s", self.out, expected]).returncode != 0:
                raise SystemExit(f"bench: {name}: {program} wrote other bytes")
        return check

    def clear_background(self, _=None):
        """xclip and xsel leave a process that owns; taking the selection ends it."""
        self.xpb("set", "between")

    def clear_file(self, _=None):
        """A new file each time, and nothing left to be written to the disk from the last one."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.out)
        os.sync()

    def run(self):
        rounds, large_rounds = self.options.rounds, self.options.large_rounds
        print(f"{'':<34} {'':<7} {'median ms':>10} {'5th':>10} {'95th':>10} {'rounds':>6}")

        self.first_set(max(5, min(rounds, 20)))

        self.xpb("set", "-f", self.small)
        pastes = {
            "xpb": (["xpb", "get"], READ_NULL + WRITE_NULL),
            "xclip": (["xclip", "-o", "-selection", "clipboard"], READ_NULL + WRITE_NULL),
            "xsel": (["xsel", "-o", "-b"], READ_NULL + WRITE_NULL),
        }
        self.row(
            "get small, held by the bridge", pastes, rounds, goal={"of": "xclip", "at_most": 0.8})

        self.own_by_xclip()
        self.row("get small, owned by xclip", pastes, rounds)
        self.end_owners()

        copies = {
            "xpb": (["xpb", "set", "-f", self.small], READ_NULL + WRITE_NULL),
            "xclip": (["xclip", "-i", "-selection", "clipboard", self.small], READ_NULL + WRITE_NULL + ERROR_NULL),
            "xsel": (["xsel", "-i", "-b"], read_file(self.small) + WRITE_NULL + ERROR_NULL),
        }
        self.row(
            "set small", copies, rounds, prepare=self.clear_background,
            note="xclip and xsel return before they own; xpb returns when it is verified that it does")

        self.beside_a_promise(rounds)

        no_xsel = "without xsel, which cuts at the first NUL and takes minutes for 128 MiB"
        self.xpb("set", "-t", "application/octet-stream", "-f", self.large)
        self.row(
            "get 128 MiB to a file",
            {
                "xpb": (["xpb", "get", "-t", "application/octet-stream"], READ_NULL + write_file(self.out)),
                "xclip": (
                    ["xclip", "-o", "-selection", "clipboard", "-t", "application/octet-stream"],
                    READ_NULL + write_file(self.out)),
            },
            large_rounds, prepare=self.clear_file, check=self.same(self.large), note=no_xsel)

        self.row(
            "set 128 MiB from a file",
            {
                "xpb": (
                    ["xpb", "set", "-t", "application/octet-stream", "-f", self.large], READ_NULL + WRITE_NULL),
                "xclip": (
                    ["xclip", "-i", "-selection", "clipboard", "-t", "application/octet-stream", self.large],
                    READ_NULL + WRITE_NULL + ERROR_NULL),
            },
            large_rounds, prepare=self.clear_background, note=no_xsel)

    def beside_a_promise(self, rounds):
        """The same reading while a reader waits for a promise that takes five seconds, and without."""
        began = os.path.join(self.options.folder, "began")
        waiting = []

        def prepare(program):
            for reader in waiting:
                reader.kill()
                reader.wait()
            waiting.clear()
            command = f"echo > {began}; exec sleep 5"
            self.xpb("set", "-t", "text/html", "-f", self.small, "-t", "text/plain", "-c", command)
            if program == "alone":
                return
            os.mkfifo(began)
            waiting.append(subprocess.Popen(
                [self.xpb_path, "get", "-t", "text/plain"], env=self.environment, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL))
            # Until the command runs, and so the reader waits.
            with open(began, "rb") as pipe:
                pipe.read()
            os.unlink(began)

        get = (["xpb", "get", "-t", "text/html"], READ_NULL + WRITE_NULL)
        self.row(
            "get small, beside a slow promise", {"beside": get, "alone": get}, max(5, rounds // 4), prepare=prepare,
            goal={"of": "alone", "at_most": 1.2})
        self.clear_background()
        for reader in waiting:
            reader.wait()

    def first_set(self, rounds):
        """The call that has to start the bridge."""
        def stop(_):
            with contextlib.suppress(subprocess.CalledProcessError):
                subprocess.run(
                    [self.xpb_path, "bridge", "stop"], env=self.environment, check=True, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL)
        self.row(
            "first set, starting the bridge",
            {"xpb": (["xpb", "set", "-f", self.small], READ_NULL + WRITE_NULL)}, rounds, prepare=stop)


class History:
    """A bridge with a long history beside one with a short one; without a display, which takes as long for both."""

    SHORT = 100
    WORDS = 200

    def __init__(self, bench, entries):
        self.bench = bench
        self.random = random.Random(1)
        # Some words are in thousands of entries, most in few.
        self.vocabulary = [self.word() for _ in range(10_000)]
        self.weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(self.vocabulary))))
        self.sizes = {f"{entries:,}": entries, f"{self.SHORT}": self.SHORT}
        self.environments = {}
        for name, size in self.sizes.items():
            folder = os.path.join(bench.options.folder, f"history-{size}")
            os.makedirs(os.path.join(folder, "runtime"), mode=0o700)
            self.environments[name] = {
                "PATH": bench.environment["PATH"], "HOME": folder, "XDG_RUNTIME_DIR": os.path.join(folder, "runtime"),
                "XPB_HISTORY_LIMIT": str(2 * entries)}

    def word(self):
        syllables = self.random.choice([2, 3, 4])
        return "".join(
            self.random.choice("bdfgklmnprstvz") + self.random.choice("aeiou") for _ in range(syllables))

    def socket(self, name):
        return crash.Client(os.path.join(self.environments[name]["XDG_RUNTIME_DIR"], "xpb/none.sock"))

    def xpb(self, name, *arguments):
        subprocess.run(
            [self.bench.xpb_path, *arguments], env=self.environments[name], check=True, stdout=subprocess.DEVNULL)

    def timed(self, name, *arguments, **options):
        actions = READ_NULL + WRITE_NULL + ERROR_NULL
        return self.bench.timed(["xpb", *arguments], actions, self.environments[name], **options)

    def fill(self, name):
        """Copies of some words each, through the wire."""
        environment = self.environments[name]
        state = os.path.join(environment["HOME"], ".local/state")
        with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="xpb-bench-") as memory:
            # On a disk it takes ten times as long.
            environment["XDG_STATE_HOME"] = memory
            self.copy(name)
            self.xpb(name, "bridge", "stop")
            del environment["XDG_STATE_HOME"]
            shutil.copytree(memory, state)
        self.xpb(name, "bridge", "start")

    def copy(self, name):
        self.xpb(name, "bridge", "start")
        client = self.socket(name)
        begin = time.monotonic()
        for number in range(self.sizes[name]):
            words = self.random.choices(self.vocabulary, cum_weights=self.weights, k=8)
            client.set(f"{number} {' '.join(words)}\n".encode())
        written = time.monotonic()
        # It waits for the words of all of them to be in the index.
        list(client.all("History", search=self.vocabulary[0]))
        print(f"{name} entries: written in {written - begin:.1f} s, {time.monotonic() - written:.1f} s later indexed")

    def started(self, name):
        """Milliseconds from the start of the bridge to the end of a get."""
        self.xpb(name, "bridge", "stop")
        return self.timed(name, "bridge", "start") + self.timed(name, "get")

    def search(self, name, number):
        begin = time.perf_counter_ns()
        for _ in self.clients[name].all("History", search=self.searched[number]):
            pass
        return (time.perf_counter_ns() - begin) / 1e6

    def run(self):
        try:
            for name in self.sizes:
                self.fill(name)
            self.searched = self.random.sample(self.vocabulary, self.WORDS + 1)
            self.rows()
        finally:
            for name in self.sizes:
                with contextlib.suppress(subprocess.CalledProcessError):
                    self.xpb(name, "bridge", "stop")

    def rows(self):
        bench, rounds, short = self.bench, self.bench.options.rounds, str(self.SHORT)

        def contenders(timed):
            return {name: functools.partial(timed, name) for name in self.sizes}

        bench.row(
            "history: start, and a first get", contenders(lambda name, _: self.started(name)), max(5, min(rounds, 20)),
            goal={"of": short, "at_most": 2})
        bench.row(
            "history: set small", contenders(lambda name, _: self.timed(name, "set", "-f", bench.small)), rounds,
            goal={"of": short, "at_most": 1.1})
        bench.row(
            "history: search of a word",
            # Status 1: nothing is found.
            contenders(
                lambda name, number: self.timed(name, "history", "search", self.searched[number], statuses=(0, 1))),
            self.WORDS,
            goal={"high_ms": 50})
        self.clients = {name: self.socket(name) for name in self.sizes}
        bench.row("history: search through the socket", contenders(self.search), self.WORDS, goal={"high_ms": 50})


def summary(values):
    ordered = sorted(values)
    def at(share):
        return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]
    figures = {"median_ms": statistics.median(ordered), "low_ms": at(0.05), "high_ms": at(0.95)}
    return {name: round(value, 3) for name, value in figures.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True)
    parser.add_argument("--binaries", required=True)
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--large-rounds", type=int, default=5)
    parser.add_argument("--history", type=int, metavar="ENTRIES")
    options = parser.parse_args()
    bench = Bench(options)
    try:
        bench.run()
        if options.history:
            History(bench, options.history).run()
    finally:
        bench.end_owners()
        with contextlib.suppress(subprocess.CalledProcessError):
            bench.xpb("bridge", "stop")
    if options.json:
        machine = {"machine": platform.machine(), "cores": os.cpu_count(), "kernel": platform.release()}
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"v": 1, "machine": machine, "rows": bench.rows}, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
