"""The bytes that cross for long contents that nobody pastes, and the time of a paste, compared with scp."""

import time
from statistics import median

from trials import Failure
from trials.linking.machines import Faults, Machines, have_same_bytes, load, make_file, peak, settles, timed
from trials.linking.ssh_hosts import counts

DATA = "public.data"
# The maximum number of bytes that may cross for a copy that nobody pastes.
BYTES_LIMIT = 100 << 10
# The maximum time of a paste, as a multiple of scp's time.
RATIO_LIMIT = 1.2


class Traffic:
    def __init__(self, machines, folder, length, faults):
        self.machines, self.folder, self.length, self.faults = machines, folder, length, faults
        self.file = folder / "file"
        self.copy = folder / "copy"
        make_file(self.file, length)
        self.count = 0

    def set(self):
        """Sets the contents on machine a, and waits until machine b has learned of the contents."""
        begin = time.perf_counter()
        self.machines.require("a", "xpb", "set", "-t", DATA, "-f", str(self.file), timeout=600)
        seconds = time.perf_counter() - begin
        self.count += 1
        self.machines.await_count("b", self.count)
        return seconds

    def moved(self):
        """Returns the bytes that crossed in both directions, once no more bytes cross."""
        path = self.folder / "count"
        last, since = None, time.monotonic()

        def is_quiet():
            nonlocal last, since
            now = sum(counts(path))
            if now != last:
                last, since = now, time.monotonic()
            return time.monotonic() - since > 2

        if not settles(is_quiet):
            raise Failure("bytes did not stop crossing")
        return last

    def measure_bytes(self):
        before = self.moved()
        seconds = self.set()
        moved = self.moved() - before
        print(f"traffic: set of {self.length >> 20} MiB in {seconds:.2f} s; {moved} bytes crossed before a paste")
        if moved >= BYTES_LIMIT:
            self.faults.add("traffic", f"{moved} bytes crossed, more than the {BYTES_LIMIT} allowed")

    def check_copy(self, name):
        if not have_same_bytes(self.file, self.copy):
            self.faults.add("traffic", f"the bytes of {name} differ")
        self.copy.unlink()

    def paste(self):
        command = ["xpb", "get", "-t", DATA, "-o", str(self.copy)]
        seconds = timed(command, self.machines.environment("b"), timeout=600)
        self.check_copy("the paste")
        return seconds

    def copy_by_ssh(self, configuration):
        command = ["scp", "-q", "-F", str(configuration), "-o", "BatchMode=yes", str(self.file), f"b:{self.copy}"]
        seconds = timed(command, self.machines.environment("a"), timeout=600)
        self.check_copy("scp")
        return seconds


def run(options, folder):
    faults = Faults()
    length = (options.mebibytes or 1024) << 20
    wanted = {"a": {}, "b": {"proxy": ["--count-file", str(folder / "count")]}}
    with Machines(folder / "traffic", wanted, options.binaries) as machines:
        traffic = Traffic(machines, folder, length, faults)
        machines.start_bridges("a", "b")
        link = machines.link("a", "b", "--share").require_up()
        traffic.measure_bytes()
        # A paste through the proxy would measure the proxy.
        link.end()
        direct = machines.direct_configuration()
        link = machines.link("a", "b", "--share", configuration=direct).require_up()
        ours, theirs = [], []
        for _ in range(options.rounds or 3):
            traffic.set()
            ours.append(traffic.paste())
            theirs.append(traffic.copy_by_ssh(direct))
        ratio = median(ours) / median(theirs)
        print(
            f"traffic: paste {median(ours):.2f} s, scp {median(theirs):.2f} s, ratio {ratio:.2f} "
            f"(goal {RATIO_LIMIT}), medians of {len(ours)}; {load()}")
        if ratio > RATIO_LIMIT:
            faults.add("traffic", f"a paste took {ratio:.2f} times as long as scp")
        peaks = {"xpb link": link.process.pid} | {f"xpbd on {name}": machines.bridge_process(name) for name in "ab"}
        print("traffic: peak sizes " + ", ".join(f"{name} {peak(pid):.0f} MiB" for name, pid in peaks.items()))
    return faults.number
