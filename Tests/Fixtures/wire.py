#!/usr/bin/python3
"""A client of the bridge's socket that sends whatever it is given.

  wire.py SOCKET                 sends stdin, then ends its side, and prints all that comes back
  wire.py SOCKET --keep-open     sends stdin as it comes and prints what comes back, until stdin ends
  wire.py SOCKET --repeat N      sends stdin's bytes N times over

Messages are written with a newline where Varlink has NUL, both ways. Status: 0 the bridge closed or answered to
the end, 1 it cannot be reached, 4 it closed before all was sent.
"""

import argparse
import os
import select
import socket
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("socket")
    parser.add_argument("--keep-open", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()

    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(options.socket)
    except OSError as failure:
        print(failure, file=sys.stderr)
        return 1
    return keep_open(connection) if options.keep_open else send_all(connection, options.repeat)


def send_all(connection, repeat):
    status = 0
    try:
        piece = sys.stdin.buffer.read().replace(b"\n", b"\0")
        for _ in range(repeat):
            connection.sendall(piece)
        connection.shutdown(socket.SHUT_WR)
    except (BrokenPipeError, ConnectionResetError):
        status = 4
    try:
        while received := connection.recv(1 << 20):
            show(received)
    except ConnectionResetError:
        status = 4
    return status


def keep_open(connection):
    while True:
        ready, _, _ = select.select([connection, 0], [], [])
        if connection in ready:
            received = connection.recv(1 << 20)
            if not received:
                return 0
            show(received)
        if 0 in ready:
            piece = os.read(0, 1 << 20)
            if not piece:
                return 0
            connection.sendall(piece.replace(b"\n", b"\0"))


def show(received):
    sys.stdout.buffer.write(received.replace(b"\0", b"\n"))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
