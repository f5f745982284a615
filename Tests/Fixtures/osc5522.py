#!/usr/bin/python3
"""A terminal that exchanges its clipboard by OSC 5522 with the program that runs in it.

usage: osc5522.py MODE FILE COMMAND...

FILE is a JSON object whose members are types with their bytes in base64. The program's writes replace it. The exit status
is that of COMMAND, whose standard streams are the terminal.

MODE is one of

  good     answers at once
  pieces   answers a few bytes at a time
  late     answers a request only after the next one
  garbage  sends keys, other sequences and replies to other requests in between
  denied   denies reading and writing
  busy     reports EBUSY once a program has begun to write
  damaged  sends a piece that is not base64
  cut      ends after the first piece
  plain    answers only the request for its attributes, as most terminals do
  never    answers nothing
  interrupt  answers the first request with Ctrl-C
"""

import base64
import json
import os
import pty
import re
import sys

PACKET = re.compile(rb"\x1b\]5522;([^;\x1b]*)(?:;([^\x1b]*))?\x1b\\|\x1b\[c")
ATTRIBUTES = b"\x1b[?62;c"


class Ended(Exception):
    pass


class Terminal:
    def __init__(self, mode, path, master):
        self.mode, self.path, self.master = mode, path, master
        with open(path, encoding="utf-8") as file:
            self.contents = {name: base64.b64decode(text) for name, text in json.load(file).items()}
        self.written = None
        self.held = b""

    def send(self, data):
        if self.mode == "garbage":
            data = b"a\x1b[A\x1b]5522;type=read:status=DONE:id=other\x1b\\\x1b]11;rgb:0/0/0\x07" + data
        step = 3 if self.mode == "pieces" else 65536
        for start in range(0, len(data), step):
            os.write(self.master, data[start:start + step])

    def reply(self, kind, status, fields, mime=None, data=None):
        text = f"type={kind}:status={status}" + (f":id={fields['id']}" if "id" in fields else "")
        if mime:
            text += ":mime=" + base64.b64encode(mime.encode()).decode()
        payload = b"" if data is None else b";" + base64.b64encode(data)
        return b"\x1b]5522;" + text.encode() + payload + b"\x1b\\"

    def read(self, fields, wanted):
        if wanted == ".":
            # kitty ends the list with a newline.
            names = (" ".join(self.contents) + "\n").encode()
            return (self.reply("read", "OK", fields) + self.reply("read", "DATA", fields, ".", names)
                    + self.reply("read", "DONE", fields))
        if self.mode == "denied":
            return self.reply("read", "EPERM", fields)
        answer = self.reply("read", "OK", fields)
        for name in wanted.split():
            data = self.contents.get(name, b"")
            for start in range(0, len(data), 4096):
                answer += self.reply("read", "DATA", fields, name, data[start:start + 4096])
                if self.mode == "damaged":
                    answer = answer[:-3] + b"*\x1b\\"
                if self.mode == "cut":
                    os.write(self.master, answer)
                    raise Ended
        return answer + self.reply("read", "DONE", fields)

    def write(self, fields, payload):
        kind = fields["type"]
        if kind == "write":
            self.written = {}
            if self.mode == "denied":
                self.written = None
                return self.reply("write", "EPERM", fields)
            return b""
        if self.written is None:
            return b""
        if self.mode == "busy":
            self.written = None
            return self.reply("write", "EBUSY", fields)
        if "mime" in fields:
            name = base64.b64decode(fields["mime"]).decode()
            self.written[name] = self.written.get(name, b"") + payload
            return b""
        encoded = {name: base64.b64encode(data).decode() for name, data in self.written.items()}
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(encoded, file)
        self.written = None
        return self.reply("write", "DONE", fields)

    def answer(self, match):
        if self.mode == "never":
            return b""
        if self.mode == "interrupt":
            self.mode = "never"
            return b"\x03"
        if match.group() == b"\x1b[c":
            held, self.held = self.held, b""
            return ATTRIBUTES + held
        if self.mode == "plain":
            return b""
        fields = dict(field.split("=", 1) for field in match.group(1).decode().split(":"))
        payload = base64.b64decode(match.group(2) or b"")
        if fields["type"] != "read":
            return self.write(fields, payload)
        answer = self.read(fields, payload.decode())
        if self.mode == "late" and payload == b".":
            self.held = answer
            return b""
        return answer

    def run(self):
        pending = b""
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            pending += data
            end = 0
            for match in PACKET.finditer(pending):
                end = match.end()
                self.send(self.answer(match))
            pending = pending[end:]


def main():
    mode, path, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    child, master = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    try:
        Terminal(mode, path, master).run()
    except Ended:
        os.close(master)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main()
