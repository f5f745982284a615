#!/usr/bin/python3
"""A bridge with a single answer: listens on a socket, and prints what each caller has sent.

usage: answering.py PATH [PIECE...]

Sends the pieces of the answer for each call, half a second apart; `\\0` in a piece stands for NUL.
"""

import json
import os
import socket
import sys
import time


def serve(listener, pieces):
    while True:
        connection, _ = listener.accept()
        calls = b""
        while part := connection.recv(65536):
            calls += part
            for _ in range(part.count(b"\0")):
                for number, piece in enumerate(pieces):
                    if number > 0:
                        time.sleep(0.5)
                    connection.sendall(piece)
        print(json.dumps(calls.decode().split("\0")[:-1]), flush=True)


def main():
    path, *pieces = sys.argv[1:]
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    print("ready", flush=True)
    serve(listener, [piece.replace("\\0", "\0").encode() for piece in pieces])


main()
