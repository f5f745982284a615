"""The times of `xpb get` and `xpb set` over a link, compared with xclip over ssh and over X forwarding. Each program
runs on one machine, and uses the pasteboard of another."""

import contextlib
import shutil
import subprocess
from statistics import median

from trials.linking.machines import Faults, Machines, have_same_bytes, load, make_file, timed
from trials.testbed import Testbed

# The delays in each direction, in milliseconds.
DELAYS = [0, 50]
SELECTION = ["-selection", "clipboard"]
# The timeout for a run, in seconds.
LIMIT = 60
QUIET = ">/dev/null 2>&1"


class Forwarding:
    """An ssh session with X forwarding, from the desk to the far machine."""

    def __init__(self, machines):
        self.process = subprocess.Popen(
            machines.command("far", "echo \"$DISPLAY\"; cat", options=["-Y"]), env=machines.environment("desk"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.environment = machines.environment("far") | {"DISPLAY": self.process.stdout.readline().strip()}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


class Figures:
    """The measurements. The link is made on `near`, the programs run on `far`, and `desk` has the X server for
    xclip."""

    def __init__(self, machines, folder, rounds, forwarding, faults):
        self.machines, self.folder, self.rounds, self.faults = machines, folder, rounds, faults
        self.forwarding = forwarding
        self.pasted = folder / "pasted"

    def measure(self, title, file, rounds):
        """Measures all ways to get and to set the contents of a file, in turns."""
        self.machines.require("near", "xpb", "set", "-t", "text", "-f", str(file))
        self.copy_at_desk(file)
        self.compare(f"{title} get", file, rounds, self.ways_to_get())
        self.compare(f"{title} set", file, rounds, self.ways_to_set(file))

    def copy_at_desk(self, file):
        with open(file, "rb") as input:
            subprocess.run(
                ["xclip", *SELECTION], env=self.machines.environment("desk"), stdin=input, check=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ways_to_get(self):
        far = self.machines.environment("far")
        ways = {
            "xpb get": lambda: timed(["xpb", "get"], far, sink=self.pasted, timeout=LIMIT),
            "ssh xclip -o": lambda: timed(
                self.machines.command("desk", "xclip", *SELECTION, "-o"), far, sink=self.pasted, timeout=LIMIT)}
        if self.forwarding:
            forwarded = self.forwarding.environment
            ways["xclip -o, X forwarded"] = lambda: timed(
                ["xclip", *SELECTION, "-o"], forwarded, sink=self.pasted, timeout=LIMIT)
        return ways

    def ways_to_set(self, file):
        far = self.machines.environment("far")
        # xclip stays in the background, where it would keep ssh's streams open.
        command = self.machines.command("desk", f"xclip {' '.join(SELECTION)} {QUIET}")
        return {
            "xpb set": lambda: timed(["xpb", "set", "-t", "text", "-f", str(file)], far, timeout=LIMIT),
            "ssh xclip -i": lambda: timed(command, far, source=file, timeout=LIMIT)}

    def compare(self, title, file, rounds, ways):
        times = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                # A way that has timed out is not run again.
                if None in times[name]:
                    continue
                times[name].append(way())
                if times[name][-1] is None:
                    # xclip still serves the program that timed out.
                    self.copy_at_desk(file)
                self.check(name, file, times[name][-1])
        first = next(iter(ways))
        for name, found in times.items():
            self.print_row(title if name == first else "", name, found, times[first])

    def check(self, name, file, seconds):
        if "-o" in name.split() or name == "xpb get":
            if seconds is not None and not have_same_bytes(file, self.pasted):
                self.faults.add(name, "the bytes differ")
        elif name == "xpb set" and self.machines.require("near", "xpb", "get") != file.read_bytes():
            self.faults.add(name, "the bytes differ from the bytes that were set")

    def print_row(self, title, name, found, ours):
        if None in found:
            return print(f"{title:<28} {name:<24} {f'> {LIMIT} s':>12}", flush=True)
        ratio = "" if found is ours or None in ours else f"{median(found) / median(ours):>9.1f}"
        return print(
            f"{title:<28} {name:<24} {median(found) * 1e3:>9.1f} ms {min(found) * 1e3:>9.1f} {max(found) * 1e3:>9.1f}"
            f" {len(found):>6} {ratio}", flush=True)


def run(options, folder):
    faults = Faults()
    small, large = folder / "small", folder / "large"
    small.write_bytes(b"The quick brown fox jumps over the lazy dog.\n")
    make_file(large, (options.mebibytes or 128) << 20, is_text=True)
    print(f"{'':<28} {'':<24} {'median':>12} {'min':>9} {'max':>9} {'rounds':>6} {'/ xpb':>9}")
    for delay in DELAYS:
        measure(options, folder, delay, [small, large], faults)
    print(f"figures: {load()}")
    return faults.number


def measure(options, folder, delay, files, faults):
    rounds = [options.rounds or 10, options.rounds or 5]
    desk = folder / f"desk{delay}"
    desk.mkdir()
    with Testbed(options.binaries, desk, has_bridge=False) as testbed, contextlib.ExitStack() as stack:
        # Without a delay, there is no proxy, since a proxy would be slower than the network.
        proxy = {"proxy": ["--delay", str(delay)]} if delay else {}
        wanted = {
            "near": {}, "desk": {"environment": {"DISPLAY": testbed.environment["DISPLAY"]}, **proxy},
            "far": {"options": ["X11Forwarding yes"], **proxy}}
        machines = stack.enter_context(Machines(folder / f"figures{delay}", wanted, options.binaries))
        machines.start_bridges("near")
        machines.link("near", "far", "--allow", "get").require_up()
        forwarding = None
        if shutil.which("xauth"):
            forwarding = stack.enter_context(Forwarding(machines))
        else:
            print("xauth is not installed, so X forwarding is not measured")
        figures = Figures(machines, folder, rounds, forwarding, faults)
        for file, number in zip(files, rounds):
            length = f"{file.stat().st_size >> 20} MiB" if file.stat().st_size >= 1 << 20 else "small"
            figures.measure(f"{delay} ms each way, {length}", file, number)
