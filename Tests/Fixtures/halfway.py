#!/usr/bin/python3
"""An X server that closes each connection right after it has accepted the client.

  halfway.py DISPLAY             performs the connection setup of DISPLAY (`:7`) for each client, then disconnects

Prints the name of its own display, which is on the loopback interface.
"""

import socket
import sys


def main():
    listener = listen()
    print(f"127.0.0.1:{listener.getsockname()[1] - 6000}", flush=True)
    path = "/tmp/.X11-unix/X" + sys.argv[1].lstrip(":")
    while True:
        client, _ = listener.accept()
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(path)
            server.sendall(client.recv(4096))
            head = server.recv(8, socket.MSG_WAITALL)
            length = 4 * int.from_bytes(head[6:8], sys.byteorder)
            client.sendall(head + server.recv(length, socket.MSG_WAITALL))
            # Reads the first request after the client has opened the display.
            client.recv(4096)


def listen():
    for port in range(6100, 65536):
        listener = socket.socket()
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            continue
        listener.listen()
        return listener
    sys.exit("no port is free")


if __name__ == "__main__":
    sys.exit(main())
