"""A client of the bridge's socket that shares no code with the project. It sends JSON and sealed memory files."""

import array
import base64
import contextlib
import fcntl
import json
import os
import socket

F_ADD_SEALS = 1033
SEALS = 0x1 | 0x2 | 0x4 | 0x8


class ConnectionEnded(Exception):
    """The bridge has exited or closed the connection."""


class ErrorReply(Exception):
    """An error of the interface: its name and its message."""


@contextlib.contextmanager
def sealed(content):
    """Yields the descriptor of a sealed memory file."""
    file = os.memfd_create("content", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        with os.fdopen(os.dup(file), "wb") as stream:
            stream.write(content)
        fcntl.fcntl(file, F_ADD_SEALS, SEALS)
        yield file
    finally:
        os.close(file)


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.rest = b""

    def send(self, method, parameters, files=(), more=False):
        call = {"method": "org.xpb.Pasteboard." + method, "parameters": parameters}
        if more:
            call["more"] = True
        data = json.dumps(call).encode() + b"\0"
        control = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
        try:
            sent = self.socket.sendmsg([data], control)
            self.socket.sendall(data[sent:])
        except OSError as error:
            raise ConnectionEnded(str(error)) from error

    def receive(self):
        while b"\0" not in self.rest:
            try:
                data = self.socket.recv(1 << 20)
            except OSError as error:
                raise ConnectionEnded(str(error)) from error
            if not data:
                raise ConnectionEnded("closed")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        reply = json.loads(message)
        if "error" in reply:
            raise ErrorReply(reply["error"].rsplit(".", 1)[-1], reply.get("parameters", {}).get("message", ""))
        return reply

    def call(self, method, **parameters):
        files = parameters.pop("files", ())
        self.send(method, parameters, files)
        return self.receive()["parameters"]

    def all(self, method, **parameters):
        self.send(method, parameters, more=True)
        while True:
            reply = self.receive()
            yield reply["parameters"]
            if not reply.get("continues"):
                return

    def set(self, content, pasteboard="general", **options):
        item = {"representations": [{
            "type": "public.utf8-plain-text", "bytes": {"descriptor": 0, "offset": 0, "length": len(content)}}]}
        parameters = {"pasteboards": [pasteboard], "items": [item]} | ({"options": options} if options else {})
        with sealed(content) as file:
            return self.call("Set", **parameters, files=[file])["counts"][0]

    def get(self, **parameters):
        reply = self.call("Get", **({"pasteboard": "general"} | parameters))
        bytes_ = reply["bytes"]
        data = b""
        while len(data) < bytes_["length"]:
            piece = self.call(
                "Read", handle=bytes_["handle"], offset=bytes_["offset"] + len(data),
                length=min(262_144, bytes_["length"] - len(data)))["data"]
            data += base64.b64decode(piece)
        return data

    def count(self, pasteboard="general"):
        return self.call("Count", pasteboard=pasteboard)["count"]

    def history(self):
        return [entry for reply in self.all("History") for entry in reply["entries"]]
