#!/usr/bin/python3
"""A client of the bridge's socket that misbehaves.

  bad_client.py SOCKET message NAME    sends one of MESSAGES
  bad_client.py SOCKET file KIND       writes the contents of a descriptor, one of FILES
  bad_client.py SOCKET range NAME      writes an invalid range of a file, one of RANGES
  bad_client.py SOCKET descriptors N [NAMED]
                                       sends N descriptors with a call that refers to NAMED of them (default: none)
  bad_client.py SOCKET stray           sends a descriptor with a byte that does not start a message
  bad_client.py SOCKET flood KIND N    makes N calls without waiting for answers, KIND is oneway, pipelined or mixed;
                                       prints the number of answers, and whether all were successful
  bad_client.py SOCKET unread N TYPES  writes TYPES formats to `find`, and requests them with N clients that never read
  bad_client.py SOCKET half WAY        makes a call after closing its reading side, or before closing its writing side;
                                       WAY is read or write
  bad_client.py SOCKET clients N       connects N times, makes a call on each connection, and prints the answers
  bad_client.py SOCKET part N BYTES    sends an incomplete message of BYTES bytes from each of N clients; prints how
                                       many stay connected, and the errors of the others
  bad_client.py SOCKET padded N        makes a call of nearly 4 MiB from each of N clients, and prints the answers
  bad_client.py SOCKET watch N         watches with N clients, and prints the answers
  bad_client.py SOCKET fork            leaves its connection to a child and exits; the child exits at the end of stdin
  bad_client.py SOCKET upload          kills itself in the middle of an upload
  bad_client.py SOCKET cramped         uploads to `find` while the bridge's files may not grow, and again when they may
  bad_client.py SOCKET hoard N         uploads a byte repeatedly with N clients, until each is refused; prints the
                                       number of successful uploads, and holds them
  bad_client.py SOCKET stash WAY N     passes 60 descriptors from each of N clients: with a call that is never fully
                                       answered if WAY is whole, with an incomplete call if WAY is part; prints how
                                       many stay connected, and holds them
  bad_client.py SOCKET pile N          appends N items, each with its own upload, to `find` and to `com.example.pile`
  bad_client.py SOCKET user ID         connects as another user
  bad_client.py SOCKET change N        writes N times to `general`, as fast as the answers come; prints the last count

Commands that hold something print their output first, and then hold it until the end of stdin. Each command prints a
line: the names of errors, `ok` for other answers, `closed` if the bridge closed the connection.
"""

import base64
import contextlib
import errno
import fcntl
import json
import os
import resource
import select
import signal
import socket
import struct
import sys

INTERFACE = "org.xpb.Pasteboard."
SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
MFD_HUGETLB = 4


def call(method, parameters=None, **members):
    message = {"method": INTERFACE + method, "parameters": parameters or {}, **members}
    return json.dumps(message).encode() + b"\0"


def count(value):
    """Returns a call of Count with the given JSON as the pasteboard's name."""
    return b'{"method":"org.xpb.Pasteboard.Count","parameters":{"pasteboard":' + value + b"}}\0"


def nested(opening, closing, depth=100_000):
    return count(opening * depth + closing * depth)


def described(member):
    return b'{"method":"org.xpb.Pasteboard.Describe","parameters":{"pasteboard":"general",' + member + b"}}\0"


MESSAGES = {
    "nuls": b"\0" * (1 << 20),
    "too-long": b" " * (4 << 20) + b" \0",
    "longest": count(b'"general"')[:-1] + b" " * ((4 << 20) - len(count(b'"general"')) + 1) + b"\0",
    "deep-array": nested(b"[", b"]"),
    "deep-object": nested(b'{"a":', b"}").replace(b":}", b":1}"),
    "deep-open": count(b"[" * 4_000_000),
    "deep-elsewhere": b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"," + count(b'"general"')[1:],
    "huge-fraction": described(b'"timeout":1e400'),
    "huge-integer": described(b'"timeout":' + b"9" * 4_000),
    "long-number": described(b'"timeout":1' + b"0" * 3_000_000),
    "negative": described(b'"timeout":-9223372036854775808'),
    "fraction": described(b'"timeout":0.5'),
    "invalid-utf8": count(b'"\xff\xfe\xc0\x80"'),
    "half-character": count(b'"general\xe2\x82"'),
    "lone-surrogate": count(b'"\\ud800"'),
    "swapped-surrogates": count(b'"\\udc00\\ud800"'),
    "escaped-nul": count(b'"a\\u0000b"'),
    "duplicate": count(b'7,"pasteboard":"general"'),
    "two-objects": count(b'"general"')[:-1] * 2 + b"\0",
    "byte-order-mark": b"\xef\xbb\xbf" + count(b'"general"'),
    "utf16": count(b'"general"')[:-1].decode().encode("utf-16-le") + b"\0",
    "long-name": count(b'"' + b"a" * 4_000_000 + b'"'),
    "long-key": b'{"' + b"k" * 4_000_000 + b'":1,' + count(b'"general"')[1:],
    "many-keys": b"{" + b"".join(b'"%d":1,' % key for key in range(300_000)) + count(b'"general"')[1:],
    "null-parameters": b'{"method":"org.xpb.Pasteboard.Count","parameters":null}\0',
    "null-method": b'{"method":null}\0',
    "list": b"[]\0",
    "text": b'"text"\0',
    "unclosed": b'{"method":"org.xpb.Pasteboard.Count\0',
}


def regular():
    path = os.path.join(os.environ["TMPDIR"], "regular")
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)


def memory(seals, flags=0, length=4096):
    file = os.memfd_create("bad", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING | flags)
    os.ftruncate(file, length)
    if seals:
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, seals)
    return file


def reopened(flags):
    file = memory(0)
    other = os.open(f"/proc/self/fd/{file}", flags)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, SEALS)
    return other


def sealed(seals):
    return lambda: memory(seals)


FILES = {
    "directory": lambda: os.open("/", os.O_RDONLY),
    "socket": lambda: socket.socketpair()[0].detach(),
    "pipe": lambda: os.pipe()[0],
    "zero": lambda: os.open("/dev/zero", os.O_RDONLY),
    "epoll": lambda: os.dup(select.epoll().fileno()),
    "event": lambda: os.eventfd(0),
    "path": lambda: os.open("/proc/self/exe", os.O_PATH),
    "regular": regular,
    "unsealed": sealed(0),
    "sealed-against-shrinking": sealed(fcntl.F_SEAL_SHRINK),
    "not-sealed-against-writing": sealed(SEALS & ~fcntl.F_SEAL_WRITE),
    "seals-can-be-added": sealed(SEALS & ~fcntl.F_SEAL_SEAL),
    "sealed-against-later-writing": sealed(SEALS & ~fcntl.F_SEAL_WRITE | 0x10),
    "huge-pages": lambda: memory(SEALS, MFD_HUGETLB, 0),
    "memory-path": lambda: reopened(os.O_PATH),
    "write-only": lambda: reopened(os.O_WRONLY),
    "sealed": sealed(SEALS),
    "sealed-read-only": lambda: reopened(os.O_RDONLY),
}

RANGES = {
    "behind": (4097, 0),
    "longer": (1, 4096),
    "negative-offset": (-1, 1),
    "negative-length": (0, -1),
    "sum-overflows": (1, 2**63 - 1),
    "offset-overflows": (2**63 - 1, 1),
    "no-integer": (0, 2**63),
    "empty-at-the-end": (4096, 0),
    "another-descriptor": None,
}


def representation(index=0, offset=0, length=4096, type="text/x-bad"):
    return {"type": type, "bytes": {"descriptor": index, "offset": offset, "length": length}}


def setting(representations, pasteboard="find"):
    return call("Set", {"pasteboards": [pasteboard], "items": [{"representations": representations}]})


def name(answer):
    return json.loads(answer).get("error", "ok").rpartition(".")[2]


class Client:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(sys.argv[1])
        self.rest = b""
        self.is_closed = False

    def answers(self):
        """Returns the complete answers received so far, without waiting."""
        pieces = [self.rest]
        try:
            while piece := self.socket.recv(1 << 20, socket.MSG_DONTWAIT):
                pieces.append(piece)
            self.is_closed = True
        except BlockingIOError:
            pass
        except ConnectionResetError:
            self.is_closed = True
        *whole, self.rest = b"".join(pieces).split(b"\0")
        return whole

    def exchange(self, data, descriptors=(), wanted=1, reads=True):
        """Sends everything while reading, and then reads until the wanted number of answers or the end of the
        connection."""
        answers, sent = [], 0
        while not self.is_closed and (sent < len(data) or len(answers) < wanted):
            is_sending = sent < len(data)
            is_reading = reads or not is_sending
            readable, writable, _ = select.select(
                [self.socket] if is_reading else [], [self.socket] if is_sending else [], [])
            if writable:
                try:
                    passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack(f"{len(descriptors)}i", *descriptors))]
                    piece = data[sent : sent + (1 << 20)]
                    sent += self.socket.sendmsg([piece], passed if descriptors else [], socket.MSG_DONTWAIT)
                    descriptors = ()
                except BlockingIOError:
                    pass
                except (BrokenPipeError, ConnectionResetError):
                    answers += self.answers()
                    self.is_closed = True
            if readable:
                answers += self.answers()
        return answers


def report(client, answers):
    print(" ".join([name(answer) for answer in answers] + (["closed"] if client.is_closed else [])), flush=True)


def hold():
    sys.stdin.read()


def message(which):
    client = Client()
    answers = client.exchange(MESSAGES[which])
    # Another call shows whether the connection still works.
    client.exchange(call("Count", {"pasteboard": "general"}))
    report(client, answers)


def file(kind):
    try:
        descriptor = FILES[kind]()
    except OSError as failure:
        # The kernel does not support this kind of file.
        return print("unsupported", failure)
    client = Client()
    report(client, client.exchange(setting([representation(length=0 if kind == "huge-pages" else 4096)]), [descriptor]))


def range_(which):
    faulty = representation(1) if RANGES[which] is None else representation(0, *RANGES[which])
    client = Client()
    report(client, client.exchange(setting([faulty]), [memory(SEALS)]))


def descriptors(number, named="0"):
    representations = [representation(index, length=1) for index in range(int(named))]
    data = setting(representations) if representations else call("Count", {"pasteboard": "general"})
    client = Client()
    report(client, client.exchange(data, [memory(SEALS)] * int(number)))


def stray():
    client = Client()
    client.socket.sendmsg([b"{"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", memory(SEALS)))])
    report(client, client.exchange(b"}\0"))


def flood(kind, number):
    number = int(number)
    loud, mute = call("Count", {"pasteboard": "general"}), call("Count", {"pasteboard": "general"}, oneway=True)
    data = {"oneway": mute * number + loud, "pipelined": loud * number, "mixed": (mute + loud) * (number // 2)}[kind]
    client = Client()
    # Reading and writing alternate, because the bridge reads no call while an answer waits to be sent.
    answers = client.exchange(data, wanted=data.count(loud))
    print(len(answers), {name(answer) for answer in answers} == {"ok"}, flush=True)


def unread(number, types):
    writer = Client()
    representations = [representation(length=1, type=f"text/x-bad-{index}") for index in range(int(types))]
    writer.exchange(setting(representations), [memory(SEALS)])
    clients = [Client() for _ in range(int(number))]
    for client in clients:
        client.socket.sendall(call("Describe", {"pasteboard": "find", "targets": True}))
        client.socket.sendall(call("Monitor", {"pasteboards": ["find"], "initial": True}, more=True))
    # Waits until the bridge has started to answer each client.
    for client in clients:
        select.select([client.socket], [], [])
    print("unread", flush=True)
    hold()


def half(way):
    client = Client()
    if way == "write":
        client.socket.sendall(call("Count", {"pasteboard": "general"}))
        client.socket.shutdown(socket.SHUT_WR)
        report(client, client.exchange(b"", wanted=2))
    else:
        client.socket.shutdown(socket.SHUT_RD)
        try:
            for _ in range(1_000):
                client.socket.sendall(call("Count", {"pasteboard": "general"}))
        except OSError as failure:
            return print(errno.errorcode[failure.errno], flush=True)
        print("sent", flush=True)
        hold()


def clients(number):
    connected = [Client() for _ in range(int(number))]
    results = [client.exchange(call("Count", {"pasteboard": "general"})) for client in connected]
    names = [name(answers[0]) if answers else "closed" for answers in results]
    print(" ".join(f"{word}={names.count(word)}" for word in sorted(set(names))), flush=True)
    hold()


def part(number, length):
    clients = [Client() for _ in range(int(number))]
    for client in clients:
        try:
            client.socket.sendall(b"x" * int(length))
        except (BrokenPipeError, ConnectionResetError):
            pass
    # Each exchange takes another round of the bridge's loop, and in each round the bridge reads from all clients.
    for _ in range(20):
        Client().exchange(call("Count", {"pasteboard": "general"}))
    answers = [[name(answer) for answer in client.answers()] for client in clients]
    results = [
        "open" if not client.is_closed else answer[0] if answer else "closed"
        for client, answer in zip(clients, answers)
    ]
    print(" ".join(f"{word}={results.count(word)}" for word in sorted(set(results))), flush=True)
    hold()


def padded(number):
    clients = [Client() for _ in range(int(number))]
    long = call("Count", {"pasteboard": "general"}, padding="x" * 4_000_000)
    names = [name(client.exchange(long)[0]) for client in clients]
    print(" ".join(f"{word}={names.count(word)}" for word in sorted(set(names))), flush=True)
    hold()


def watch(number):
    watchers = [Client() for _ in range(int(number))]
    watching = call("Monitor", {"pasteboards": ["find"], "initial": True}, more=True)
    names = [name(watcher.exchange(watching)[0]) for watcher in watchers]
    print(" ".join(f"{word}={names.count(word)}" for word in sorted(set(names))), flush=True)
    hold()


def fork():
    client = Client()
    client.socket.sendall(call("Monitor", {"pasteboards": ["general"], "initial": True}, more=True))
    client.exchange(b"")
    if os.fork() == 0:
        print("left", flush=True)
        hold()
    os._exit(0)


def upload():
    client = Client()
    handle = json.loads(client.exchange(call("Begin"))[0])["parameters"]["handle"]
    piece = call("Append", {"handle": handle, "data": "QUJD" * 60_000})
    client.exchange(piece * 20, wanted=20)
    client.socket.sendall(piece[:1000])
    print("uploading", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def cramped():
    """Uploads three chunks. At first, there is no room for the second chunk."""
    client = Client()
    peer = client.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    bridge = struct.unpack("3i", peer)[0]
    handle = json.loads(client.exchange(call("Begin"))[0])["parameters"]["handle"]
    pieces = [call("Append", {"handle": handle, "data": letter * 80_000}) for letter in ("AAAA", "BBBB", "CCCC")]
    answers = client.exchange(pieces[0])
    soft, hard = resource.prlimit(bridge, resource.RLIMIT_FSIZE)
    resource.prlimit(bridge, resource.RLIMIT_FSIZE, (300_000, hard))
    answers += client.exchange(pieces[1])
    resource.prlimit(bridge, resource.RLIMIT_FSIZE, (soft, hard))
    answers += client.exchange(pieces[1] + pieces[2] + call("Commit", {"handle": handle}), wanted=3)
    whole = {"type": "image/x-bad", "bytes": {"handle": handle, "offset": 0, "length": 720_000}}
    answers += client.exchange(setting([whole]))
    report(client, answers)


def begun(client, number):
    answers = client.exchange(call("Begin") * number, wanted=number)
    return [json.loads(answer)["parameters"].get("handle") for answer in answers]


def hoard(number):
    clients, taken, refusals = [Client() for _ in range(int(number))], 0, set()
    for client in clients:
        for handle in begun(client, 200):
            answers = [client.exchange(call("Append", {"handle": handle, "data": "QQ=="}))[0]] if handle else []
            taken += [name(answer) for answer in answers].count("ok")
            refusals |= {name(answer) for answer in answers} - {"ok"}
    print(taken, *refusals, flush=True)
    hold()


def stash(way, number):
    clients = [Client() for _ in range(int(number))]
    passed = struct.pack("60i", *[memory(SEALS)] * 60)
    watching = call("Monitor", {"pasteboards": ["general"], "initial": True, "descriptor": 59}, more=True)
    for client in clients:
        data = watching if way == "whole" else b"{"
        # The bridge may already have disconnected a client, if the descriptors of other clients arrived first.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.socket.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, passed)])
    if way == "whole":
        answers = [client.exchange(b"") for client in clients]
        print([name(answer[0]) for answer in answers if answer].count("ok"), flush=True)
    else:
        # Disconnected clients are closed by the time that other clients are answered.
        Client().exchange(call("Count", {"pasteboard": "general"}))
        for client in clients:
            client.answers()
        print(sum(not client.is_closed for client in clients), flush=True)
    hold()


def pile(number):
    client = Client()
    for board in ("find", "com.example.pile"):
        for start in range(0, int(number), 100):
            handles = begun(client, 100)
            parts = [{"handle": handle, "offset": 0, "length": 3} for handle in handles]
            for index, handle in enumerate(handles):
                data = base64.b64encode(b"%03d" % ((start + index) % 1000)).decode()
                calls = call("Append", {"handle": handle, "data": data}) + call("Commit", {"handle": handle})
                client.exchange(calls, wanted=2)
            items = [{"representations": [{"type": "text/plain", "bytes": part}]} for part in parts]
            answers = client.exchange(call("Set", {"pasteboards": [board], "append": start > 0, "items": items}))
            if name(answers[0]) != "ok":
                return print(board, start, answers[0].decode(), flush=True)
            client.exchange(b"".join(call("Release", {"handle": handle}) for handle in handles), wanted=100)
    print("ok", flush=True)


def user(number):
    os.setgroups([])
    os.setgid(int(number))
    os.setuid(int(number))
    client = Client()
    report(client, client.exchange(call("Count", {"pasteboard": "general"})))


def change(number):
    client = Client()
    for _ in range(int(number)):
        answers = client.exchange(setting([representation(length=1)], "general"), [memory(SEALS)])
    print(json.loads(answers[0])["parameters"]["counts"][0], flush=True)


if __name__ == "__main__":
    # With this, writing to a connection closed by the bridge raises an error.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    verbs = [
        message, file, range_, descriptors, stray, flood, unread, half, clients, part, padded, watch, fork, upload,
        cramped, hoard, stash, pile, user, change,
    ]
    {verb.__name__.rstrip("_"): verb for verb in verbs}[sys.argv[2]](*sys.argv[3:])
