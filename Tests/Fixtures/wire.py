#!/usr/bin/python3
"""A client of the bridge's socket that sends arbitrary bytes.

  wire.py SOCKET                 sends stdin, closes its side, and prints everything it receives
  wire.py SOCKET --keep-open     sends stdin as it arrives and prints what it receives, until the end of stdin
  wire.py SOCKET --repeat N      sends stdin N times

Newlines stand for Varlink's NULs in both directions. Status: 0 if the bridge closed the connection or answered
everything, 1 if it cannot be reached, 4 if it closed the connection before everything was sent.
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
