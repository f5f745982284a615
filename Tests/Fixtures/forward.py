#!/usr/bin/python3
"""Forwards connections from a TCP port of the loopback interface to the socket of an X display, as ssh -X does.

Usage: forward.py :7 [SECONDS]

Prints the display's name, such as localhost:30123.0, and forwards until it is killed. Bytes from the server arrive
SECONDS later, as over a slow network.
"""

import socket
import sys
import threading
import time


def pump(source, sink, delay):
    try:
        while data := source.recv(65536):
            time.sleep(delay)
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    delay = float(sys.argv[2]) if len(sys.argv) > 2 else 0
    path = "/tmp/.X11-unix/X" + sys.argv[1].lstrip(":").split(".")[0]
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    print(f"localhost:{port - 6000}.0", flush=True)
    while True:
        near, _ = listener.accept()
        far = socket.socket(socket.AF_UNIX)
        far.connect(path)
        for ends in ((near, far, 0), (far, near, delay)):
            threading.Thread(target=pump, args=ends, daemon=True).start()


main()
