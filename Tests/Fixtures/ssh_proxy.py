#!/usr/bin/python3
"""A ProxyCommand for ssh(1) that plays a slow, distant or broken network.

It connects to the port, and carries stdin there and the answers to stdout. The bytes of a cut connection are lost for
good. The server does not learn that a connection was cut by `drop`, or even that ssh has exited: the connection lasts
until the server closes it.
"""

import argparse
import collections
import fcntl
import os
import selectors
import signal
import socket
import sys
import time

PIECE = 1 << 18
# The maximum number of arrived bytes that the receiver has not read. At this limit, no more bytes are read.
WAITING_LIMIT = 1 << 20
# The depth of the token bucket, in seconds: how long the line may stay idle without losing throughput.
DEPTH = 0.02
# The interval at which the files of --cut-file and --count-file are read and written, in seconds.
INTERVAL = 0.05
CUT_STATUS = 3


class Direction:
    """A direction of a connection, in which bytes travel from one descriptor to another."""

    def __init__(self, source, sink, delay, rate):
        self.source, self.sink = source, sink
        self.delay, self.rate = delay, rate
        self.piece = PIECE if not rate else max(512, min(PIECE, int(rate * DEPTH / 2)))
        # The pieces on their way, each with the time of its arrival.
        self.pieces = collections.deque()
        self.arrived = collections.deque()
        self.waiting = 0
        # The time when the line is free for the next piece.
        self.free = 0
        self.count = 0
        self.is_at_end = False

    def wants_to_read(self, now):
        return not self.is_at_end and self.waiting < WAITING_LIMIT and self.free <= now

    def read(self, now):
        try:
            data = os.read(self.source, self.piece)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if self.rate:
            self.free = max(self.free, now - DEPTH) + len(data) / self.rate
        # The end travels like a piece.
        self.pieces.append((max(self.free, now) + self.delay, data))
        self.count += len(data)
        self.is_at_end = not data

    def advance(self, now):
        """Moves the pieces whose time has come. Returns false once the end has arrived and all bytes are written."""
        while self.pieces and self.pieces[0][0] <= now:
            data = self.pieces.popleft()[1]
            self.arrived.append(memoryview(data))
            self.waiting += len(data)
        while self.arrived:
            if not self.arrived[0]:
                return False
            try:
                written = os.write(self.sink, self.arrived[0])
            except BlockingIOError:
                return True
            self.waiting -= written
            if written < len(self.arrived[0]):
                self.arrived[0] = self.arrived[0][written:]
            else:
                self.arrived.popleft()
        return True

    def next_time(self, now):
        """Returns the time of the next arrival or read; None if it is unknown."""
        times = [self.pieces[0][0]] if self.pieces else []
        if self.free > now and not self.is_at_end and self.waiting < WAITING_LIMIT:
            times.append(self.free)
        return min(times, default=None)


class Counter:
    """The file with the numbers of bytes that all connections have moved so far, to the server and from the server."""

    def __init__(self, path):
        self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.counted = [0, 0]
        self.next_time = 0
        self.add([0, 0])

    def add(self, counts):
        fcntl.flock(self.file, fcntl.LOCK_EX)
        before = [int(field) for field in os.pread(self.file, 64, 0).split()] or [0, 0]
        totals = [total + count - old for total, count, old in zip(before, counts, self.counted)]
        # The length is always the same, so that a reader finds whole numbers.
        os.pwrite(self.file, b"%20d %20d\n" % tuple(totals), 0)
        fcntl.flock(self.file, fcntl.LOCK_UN)
        self.counted = counts

    def update(self, counts, now):
        if counts != self.counted and self.next_time <= now:
            self.add(counts)
            self.next_time = now + INTERVAL


class Connection:
    """A connection to the server, for one ssh process."""

    def __init__(self, options):
        self.cut_file = options.cut_file
        if self.cut() == "close":
            sys.exit(CUT_STATUS)
        self.counter = Counter(options.count_file) if options.count_file else None
        try:
            self.server = socket.create_connection((options.host, options.port))
        except OSError as failure:
            sys.exit(f"ssh_proxy.py: {failure.strerror}")
        self.server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        server = self.server.fileno()
        for descriptor in (0, 1, server):
            os.set_blocking(descriptor, False)
        delay, rate = options.delay / 1000, options.rate / 8
        self.directions = [Direction(0, server, delay, rate), Direction(server, 1, delay, rate)]
        self.selector = selectors.DefaultSelector()

    def cut(self):
        """Returns the content of the cut file; empty if there is no file, or if it is being written."""
        if not self.cut_file:
            return ""
        try:
            with open(self.cut_file) as file:
                return file.read().strip()
        except FileNotFoundError:
            return ""

    def counts(self):
        return [direction.count for direction in self.directions]

    def run(self):
        while True:
            now = time.monotonic()
            cut = self.cut()
            if cut == "close":
                return CUT_STATUS
            if cut == "drop":
                return self.drop()
            if self.counter:
                self.counter.update(self.counts(), now)
            if not self.carry(now):
                return 0

    def carry(self, now):
        """Advances both directions, waits, and reads; returns false at the end of the connection."""
        try:
            going, coming = [direction.advance(now) for direction in self.directions]
        except ConnectionError:
            return False
        if not going:
            # The server may still send something.
            self.server.shutdown(socket.SHUT_WR)
            self.directions[0].arrived.clear()
        if not coming:
            return False
        wanted = collections.Counter()
        for direction in self.directions:
            wanted[direction.source] |= selectors.EVENT_READ * direction.wants_to_read(now)
            wanted[direction.sink] |= selectors.EVENT_WRITE * bool(direction.arrived)
        self.watch({descriptor: events for descriptor, events in wanted.items() if events})
        ready = {key.fd for key, events in self.selector.select(self.timeout(now)) if events & selectors.EVENT_READ}
        now = time.monotonic()
        for direction in self.directions:
            if direction.source in ready:
                direction.read(now)
        return True

    def watch(self, wanted):
        registered = dict(self.selector.get_map())
        for descriptor in registered.keys() - wanted.keys():
            self.selector.unregister(descriptor)
        for descriptor, events in wanted.items():
            if descriptor not in registered:
                self.selector.register(descriptor, events)
            elif registered[descriptor].events != events:
                self.selector.modify(descriptor, events)

    def timeout(self, now):
        times = [direction.next_time(now) for direction in self.directions]
        if self.cut_file or (self.counter and self.counts() != self.counter.counted):
            times.append(now + INTERVAL)
        return max(0, min((time for time in times if time is not None), default=now + 3600) - now)

    def drop(self):
        """Loses all bytes until the server closes the connection."""
        self.record()
        # ssh sends SIGHUP when it exits. The shared stderr is closed here, for programs that wait for its end.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.dup2(os.open(os.devnull, os.O_RDWR), 2)
        self.watch({0: selectors.EVENT_READ, self.server.fileno(): selectors.EVENT_READ})
        while self.selector.get_map():
            for key, _ in self.selector.select():
                if not self.lose(key.fd):
                    self.selector.unregister(key.fd)
        return CUT_STATUS

    def lose(self, descriptor):
        try:
            return bool(os.read(descriptor, PIECE))
        except BlockingIOError:
            return True
        except ConnectionError:
            return False

    def record(self):
        if self.counter:
            self.counter.add(self.counts())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay", type=float, default=0, metavar="MS", help="time that each byte takes to arrive")
    parser.add_argument("--rate", type=float, default=0, metavar="BITS", help="bits per second in each direction")
    parser.add_argument(
        "--cut-file", metavar="PATH", help="while this file contains 'drop', no bytes arrive; while it contains "
        "'close', connections are closed, and new connections fail")
    parser.add_argument(
        "--count-file", metavar="PATH", help="a file with the numbers of bytes to and from the server, "
        "which all connections with this file add to")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    return parser.parse_args()


def main():
    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(1))
    connection = Connection(arguments())
    try:
        return connection.run()
    finally:
        connection.record()


if __name__ == "__main__":
    sys.exit(main())
