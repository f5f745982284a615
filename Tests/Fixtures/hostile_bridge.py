#!/usr/bin/python3
"""A bridge on another machine that tries to exhaust the bridge that it shares a pasteboard with.

usage: hostile_bridge.py [--ahead | --long] PATH [MESSAGE]

It opens a link a hundred times over, waits for a copy, and requests the copy's bytes 500 times without ever reading
them. It prints "ready" once it listens, and "asked" once each request was refused or is being fulfilled. With MESSAGE,
it refuses to share, with that message. With --ahead, it only reports contents whose time is an hour ahead. With --long,
its first message has 9 MiB.
"""

import json
import os
import socket
import sys
import threading
import time

OPENED = 100
WANTED = 500
PREFIX = "org.xpb.Pasteboard."


class Bridge:
    def __init__(self, message, option):
        self.message, self.ahead, self.long = message, option == "--ahead", option == "--long"
        self.lock = threading.Lock()
        self.answers = 0

    def count(self):
        with self.lock:
            self.answers += 1
            if self.answers == WANTED:
                print("asked", flush=True)

    def replies(self, call):
        """Returns the replies to a call, each with a flag that says whether more replies follow; None to refuse the
        call."""
        method = call["method"].removeprefix(PREFIX)
        if method == "OpenLink" and self.long:
            return [({"key": "k" * (9 << 20)}, True)]
        if method == "OpenLink":
            return [({"key": "key"}, True)] * (1 if self.ahead else OPENED)
        if method == "JoinLink" and self.message:
            return None
        if method == "JoinLink":
            return [({}, False)]
        if method == "Monitor":
            owner = {"kind": "client"}
            origin = {"machine": "hostile", "time": int(time.time() + 3600) * 1_000_000 if self.ahead else 1}
            return [({"pasteboard": "general", "count": 1, "owner": owner, "types": [], "origin": origin}, True)]
        if method == "Describe" and self.ahead:
            representation = {"type": "public.utf8-plain-text", "promised": True}
            items = [{"representations": [representation]}]
            return [({"count": 1, "owner": {"kind": "client"}, "items": items}, False)]
        if method == "Set":
            promise = call["parameters"]["items"][0]["representations"][0]["promise"]
            wanted = [{"counts": [1], "wanted": {"promise": promise, "ticket": str(i)}} for i in range(WANTED)]
            return [(parameters, True) for parameters in [{"counts": [1]}] + wanted]
        if method in ("Upload", "Break"):
            self.count()
        return [({}, False)] if method == "Break" else []

    def serve(self, connection):
        rest = b""
        while part := connection.recv(65536):
            *calls, rest = (rest + part).split(b"\0")
            for call in calls:
                if not call.startswith(b'{"'):
                    continue
                replies = self.replies(json.loads(call))
                if replies is None:
                    error = {"error": PREFIX + "Refused", "parameters": {"message": self.message}}
                    connection.sendall(json.dumps(error).encode() + b"\0")
                    continue
                for parameters, continues in replies:
                    connection.sendall(json.dumps({"parameters": parameters, "continues": continues}).encode() + b"\0")
                if b".Upload" in call:
                    # The raw bytes are not read, and no reply comes.
                    threading.Event().wait()


def main():
    option = sys.argv[1] if sys.argv[1].startswith("--") else None
    path, *message = sys.argv[2 if option else 1:]
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1024)
    print("ready", flush=True)
    bridge = Bridge(message[0] if message else None, option)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=bridge.serve, args=[connection], daemon=True).start()


main()
