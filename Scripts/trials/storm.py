"""Measures how a storm of misbehaving peers affects other clients.

One run times `xpb get` of text in three situations: with no other client; while requestors never fetch the contents
they requested, owners do not answer and clients never read; and after the bridge has given up on all of these. The
bridge's resources before and after are compared. Then a program takes PRIMARY again and again, thousands of times a
second, while `xpb watch` reads each change: `xpb get` is timed at two such rates.

It takes a minute. Exit status: 0 if everything is in order, 1 if not, 2 for a usage error.
"""

import json
import multiprocessing
import os
import select
import signal
import socket
import statistics
import tempfile
import threading
import time

from Xlib import X, display

from trials import Failure, machine_description, positive, say, write_figures
from trials.testbed import TIMEOUT, Testbed

TEXT = b"The quick brown fox jumps over the lazy dog.\n"
# In seconds. The bridge gives up on an unresponsive requestor after 30 s.
CLEANUP_TIMEOUT = 60
# The changes per second during which a get should be answered almost as usual, and the limits on the ratio of its time
# and on the additional memory in KiB. With many more changes, a get must merely be answered.
BURST_RATE = 3_000
BURST_RATIO = 10
BURST_MEMORY = 16 << 10


class Requestors(threading.Thread):
    """X clients that request long text and never fetch it."""

    def __init__(self, testbed, number):
        super().__init__(daemon=True)
        self.clients = [testbed.connection() for _ in range(number)]
        self.started = 0
        self.ended = threading.Event()
        self.ready = threading.Event()

    def run(self):
        for client in self.clients:
            window = client.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
            window.convert_selection(
                client.intern_atom("CLIPBOARD"), client.intern_atom("UTF8_STRING"), client.intern_atom("_STORM"),
                X.CurrentTime)
            client.flush()
        for client in self.clients:
            while (found := client.next_event()).type != X.SelectionNotify:
                pass
            if found.property != X.NONE:
                self.started += 1
        self.ready.set()
        self.ended.wait()
        for client in self.clients:
            client.close()


class Owners(threading.Thread):
    """X clients that each own a selection and answer no request."""

    def __init__(self, testbed, selections):
        super().__init__(daemon=True)
        self.testbed = testbed
        self.selections = selections
        self.requests = 0
        self.ready = threading.Event()
        self.ended = threading.Event()

    def run(self):
        clients = []
        for selection in self.selections:
            client = self.testbed.connection()
            window = client.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
            window.set_selection_owner(client.intern_atom(selection), X.CurrentTime)
            client.sync()
            clients.append(client)
        self.ready.set()
        while not self.ended.is_set():
            for client in select.select(clients, [], [], 0.2)[0]:
                while client.pending_events():
                    self.requests += client.next_event().type == X.SelectionRequest
        for client in clients:
            client.close()


def non_reading_clients(path, number):
    """Returns clients of the socket that never read. Half of the clients watch; the other half have requested more than
    a socket buffers."""
    watch = [{"method": "org.xpb.Pasteboard.Monitor", "parameters": {"pasteboards": ["general"]}, "more": True}]
    describe = [{"method": "org.varlink.service.GetInterfaceDescription",
            "parameters": {"interface": "org.xpb.Pasteboard"}}] * 50
    clients = []
    for index in range(number):
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.connect(path)
        client.sendall(b"".join(json.dumps(call).encode() + b"\0" for call in (watch, describe)[index % 2]))
        clients.append(client)
    return clients


def await_no_work(testbed):
    """Waits until the bridge uses no processor time for 0.3 s."""
    last, unchanged = None, 0
    deadline = time.monotonic() + TIMEOUT
    while unchanged < 3:
        if time.monotonic() > deadline:
            raise Failure("the bridge was never idle")
        used = testbed.processor_time()
        last, unchanged = used, unchanged + 1 if used == last else 0
        time.sleep(0.1)


def own_again_and_again(name, rate, begun, ended):
    """Takes PRIMARY at a rate per second, until the second event is set. Sets the first event after the first
    change."""
    client = display.Display(name)
    window = client.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    primary = client.intern_atom("PRIMARY")
    begin, done = time.monotonic(), 0
    while not ended.is_set():
        due = int((time.monotonic() - begin) * rate)
        for _ in range(due - done):
            window.set_selection_owner(primary, X.CurrentTime)
        done = due
        client.flush()
        if done:
            begun.set()
        # Requests for the list of targets are not answered.
        while client.pending_events():
            client.next_event()
        time.sleep(0.001)
    client.close()


def timed_get(testbed):
    """Returns the milliseconds of one `xpb get`, from its start to its exit."""
    read, write = os.pipe()
    begin = time.perf_counter_ns()
    process = os.posix_spawn(
        testbed.xpb_path, ["xpb", "get"], testbed.environment,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, write, 1),
            (os.POSIX_SPAWN_CLOSE, read)])
    _, status = os.waitpid(process, 0)
    end = time.perf_counter_ns()
    os.close(write)
    text = os.read(read, 1 << 16)
    os.close(read)
    if status or text != TEXT:
        raise Failure(f"xpb get exited with status {os.waitstatus_to_exitcode(status)}, with {len(text)} bytes")
    return (end - begin) / 1e6


def timed_gets(testbed, rounds):
    """Returns the median and the 95th percentile of the times of some runs of `xpb get`."""
    times = sorted(timed_get(testbed) for _ in range(rounds))
    return statistics.median(times), times[int(0.95 * len(times))]


def measure(testbed, options):
    """Returns the lines of the report, and the faults."""
    faults = []
    lines = []

    def report(text):
        lines.append(text)
        say(text)

    def require(condition, expectation):
        if not condition:
            faults.append(expectation)
            report(f"WRONG: expected: {expectation}")

    # The storm runs once beforehand, so that the first figures include caches and other one-time allocations.
    silent = ["PRIMARY"] + [f"com.example.silent{number}" for number in range(1, options.owners)]
    for name in silent[1:]:
        testbed.xpb("create", name)
    storm(testbed, options, silent, warming=True)
    testbed.xpb("set", given=TEXT)
    require(testbed.await_idle(), "the bridge is idle before the storm")
    before = testbed.figures()
    calm, calm_late = timed_gets(testbed, options.rounds)

    counts, (median, late) = storm(testbed, options, silent)
    report(f"storm: {counts['stuck']} stuck requestors of {options.requestors}, {counts['requests']} requests to "
           f"{options.owners} silent owners, {counts['clients']} clients of which {options.clients} never read")
    require(counts["stuck"] == options.requestors, "every requestor gets a reply")
    require(counts["clients"] >= options.clients, "the clients that never read are connected")
    require(testbed.await_idle(CLEANUP_TIMEOUT), f"the bridge is idle within {CLEANUP_TIMEOUT} s after the storm")
    after_calm, after_late = timed_gets(testbed, options.rounds)
    after = testbed.figures()

    base = statistics.mean([calm, after_calm])
    report(f"{'xpb get, ms':<24}{'median':>10}{'95 %':>10}")
    report(f"{'before':<24}{calm:>10.2f}{calm_late:>10.2f}")
    report(f"{'in the storm':<24}{median:>10.2f}{late:>10.2f}")
    report(f"{'after':<24}{after_calm:>10.2f}{after_late:>10.2f}")
    report(f"{'ratio':<24}{median / base:>10.2f}   (goal: 2)")
    require(median <= 2 * base, "a get in the storm takes at most twice the usual time")
    report(f"{'resources':<24}{'before':>10}{'after':>10}")
    for name in [name for name in before if name != "open"]:
        report(f"{name + (' KiB' if name == 'memory' else ''):<24}{before[name]:>10}{after[name]:>10}")
        # Allocators keep some pages. A leak per peer would be many times as large.
        slack = 1024 if name == "memory" else 0
        require(after[name] <= before[name] + slack, f"{name}: no more than before")
    burst(testbed, BURST_RATE, options.rounds, report, require)
    burst(testbed, options.rate, max(options.rounds // 20, 1), report, require)
    return lines, faults


def burst(testbed, rate, rounds, report, require):
    """Times `xpb get` while a program changes the owner of PRIMARY and `xpb watch` reads the changes."""
    calm, _ = timed_gets(testbed, rounds)
    memory = testbed.figures()["memory"]
    watch = testbed.start(testbed.xpb_path, "watch", "-p", "find")
    before = int(testbed.xpb("count", "-p", "find"))
    begun, ended = multiprocessing.Event(), multiprocessing.Event()
    owner = multiprocessing.Process(
        target=own_again_and_again, args=(testbed.environment["DISPLAY"], rate, begun, ended))
    owner.start()
    # A few gets could take less time than the start of the process.
    if not begun.wait(TIMEOUT):
        raise Failure("the owner did not start")
    begin = time.monotonic()
    median, late = timed_gets(testbed, rounds)
    count = int(testbed.xpb("count", "-p", "find"))
    seen = (count - before) / (time.monotonic() - begin)
    peak = testbed.figures()["memory"]
    ended.set()
    owner.join()
    testbed.end(watch, signal.SIGKILL)
    goal = f"   (goal: {BURST_RATIO})" if rate <= BURST_RATE else ""
    report(f"{'in a burst of changes':<24}{median:>10.2f}{late:>10.2f}   ({seen:.0f} a second, watched)")
    report(f"{'ratio':<24}{median / calm:>10.2f}{goal}")
    report(f"{'memory KiB':<24}{memory:>10}{peak:>10}")
    require(count > before, "the changes are counted")
    require(
        median <= BURST_RATIO * calm or not goal,
        f"a get in a burst of changes takes at most {BURST_RATIO} times the usual time")
    require(peak <= memory + BURST_MEMORY, f"the bridge needs at most {BURST_MEMORY} KiB more in a burst of changes")


def storm(testbed, options, silent, warming=False):
    """Starts all misbehaving peers, measures, then ends the owners and the clients. The requestors stay connected until
    the bridge is idle."""
    testbed.xpb("set", given=b"long " * (options.length // 5))
    requestors = Requestors(testbed, options.requestors)
    requestors.start()
    if not requestors.ready.wait(TIMEOUT):
        raise Failure("the requestors got no reply")
    owners = Owners(testbed, silent)
    owners.start()
    owners.ready.wait()
    readers = [testbed.start(testbed.xpb_path, "get", "-p", name, "--timeout", "60") for name in
               ["find" if name == "PRIMARY" else name for name in silent]]
    deadline = time.monotonic() + TIMEOUT
    while owners.requests < len(silent) and time.monotonic() < deadline:
        time.sleep(0.01)
    testbed.xpb("set", given=TEXT)
    clients = non_reading_clients(testbed.socket, options.clients)
    # Queues changes for the watchers that do not read.
    for _ in range(options.changes):
        testbed.xpb("set", given=TEXT)
    counts = {"stuck": requestors.started, "requests": owners.requests, "clients": testbed.status()["clients"]}
    await_no_work(testbed)
    figures = None if warming else timed_gets(testbed, options.rounds)
    for reader in readers:
        testbed.end(reader, signal.SIGKILL)
    owners.ended.set()
    owners.join()
    for client in clients:
        client.close()
    if not testbed.await_idle(CLEANUP_TIMEOUT):
        raise Failure(
            f"not idle within {CLEANUP_TIMEOUT} s, with the requestors still connected: {testbed.status()}")
    requestors.ended.set()
    requestors.join()
    return counts, figures


def add_options(parser):
    for option, default, purpose in [
            ("rounds", 200, "number of timed runs of `xpb get` before, during and after the storm"),
            ("requestors", 50, "X clients that never fetch the contents they requested"),
            ("owners", 5, "X clients that own a selection and answer no request"),
            ("clients", 200, "clients of the socket that never read"),
            ("changes", 50, "changes for clients that watch and never read"),
            ("length", 8 << 20, "length of the contents that nobody fetches, in bytes"),
            ("rate", 20_000, "changes of the owner per second, while `xpb watch` reads them")]:
        parser.add_argument(
            f"--{option}", type=positive, metavar="N", default=default, help=f"{purpose} (default: {default:,})")
    parser.add_argument("--record", action="store_true", help="write the figures to Scripts/trials/storm.figures")


def run(options):
    with (tempfile.TemporaryDirectory(prefix="xpb-") as folder,
          Testbed(options.binaries, folder) as testbed):
        lines, faults = measure(testbed, options)
    say("everything is in order" if not faults else f"{len(faults)} faults")
    if options.record and not faults:
        write_figures(__file__, [f"# Scripts/try storm, {machine_description()}", *lines])
    return 1 if faults else 0
