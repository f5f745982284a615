#!/usr/bin/python3
"""A client of the bridge that uses the varlink package and no xpb code. It gets the interface from the service.

  varlink_client.py SOCKET describe                     prints the service's methods, one per line
  varlink_client.py SOCKET get TYPE                     writes the bytes to stdout
  varlink_client.py SOCKET set TYPE                     sets the contents to stdin; prints the count
  varlink_client.py SOCKET watch N                      prints a line for each of N changes: count, types, added, removed
  varlink_client.py SOCKET round-trip LENGTH            writes and reads LENGTH bytes in chunks; prints ok
  varlink_client.py SOCKET promise TYPE MODE            promises stdin; MODE is keep, break, ignore or exit. Prints
                                                        `set COUNT`, `wanted NAME` for each request, `ended HOW`
  varlink_client.py SOCKET items                        sets two items of two types, reads and prints all in one call
  varlink_client.py SOCKET own                          creates, finds, lists and removes a pasteboard; prints ok
  varlink_client.py SOCKET crowd N                      writes and reads on N simultaneous connections; prints ok
  varlink_client.py SOCKET many N                       sets, reads and describes N items; prints ok
  varlink_client.py SOCKET call METHOD PARAMETERS       prints `ok` or the error's name and message; PARAMETERS is JSON
"""

import base64
import json
import os
import sys

import varlink

PIECE = 262_144
INTERFACE = "org.xpb.Pasteboard"


class Bridge:
    def __init__(self, socket):
        self.client = varlink.Client.new_with_address("unix:" + socket)

    def open(self):
        """Opens a new connection, since a connection that waits for replies accepts no other calls."""
        return self.client.open(INTERFACE)


def upload(connection, data):
    handle = connection.Begin()["handle"]
    for start in range(0, len(data), PIECE):
        connection.Append(handle, base64.b64encode(data[start : start + PIECE]).decode())
    length = connection.Commit(handle)["length"]
    assert length == len(data), (length, len(data))
    return {"handle": handle, "offset": 0, "length": length}


def download(connection, place):
    data = b""
    parts = []
    count = 0
    while count < place["length"]:
        wanted = min(PIECE, place["length"] - count)
        data = base64.b64decode(connection.Read(place["handle"], place["offset"] + count, wanted)["data"])
        assert len(data) == wanted, (len(data), wanted)
        parts.append(data)
        count += len(data)
    return b"".join(parts)


def item(*representations):
    return {"representations": list(representations)}


def write(connection, data, type_name):
    place = upload(connection, data)
    counts = connection.Set(["general"], [item({"type": type_name, "bytes": place})])["counts"]
    connection.Release(place["handle"])
    return counts[0]


def read(connection, type_name):
    found = connection.Get("general", [type_name])
    data = download(connection, found["bytes"])
    connection.Release(found["bytes"]["handle"])
    return data


def describe(bridge):
    text = bridge.client.get_interface(INTERFACE).description
    for line in text.splitlines():
        if line.startswith("method "):
            print(line.split()[1].split("(")[0])


def watch(bridge, count):
    changes = bridge.open().Monitor(pasteboards=["general"], types=True, initial=True, _more=True)
    for number, change in enumerate(changes):
        lists = [change["types"], change.get("added") or [], change.get("removed") or []]
        print(change["count"], *(",".join(types) or "-" for types in lists), flush=True)
        if number == count:
            break


def round_trip(bridge, length):
    # Test bytes in which no two chunks are equal.
    data = os.urandom(min(length, 1 << 16)) * (length // (1 << 16) + 1)
    data = b"".join(number.to_bytes(4, "big") + data[number * 4096 : (number + 1) * 4096 - 4] for number in range(length // 4096 + 1))
    data = data[:length]
    with bridge.open() as connection:
        write(connection, data, "application/octet-stream")
        assert read(connection, "application/octet-stream") == data
    print("ok")


def promise(bridge, type_name, mode):
    data = sys.stdin.buffer.read()
    replies = bridge.open().Set(["general"], [item({"type": type_name, "promise": "later"})], _more=True)
    for reply in replies:
        if reply.get("wanted"):
            print("wanted", reply["wanted"]["promise"], flush=True)
            ticket = reply["wanted"]["ticket"]
            with bridge.open() as connection:
                if mode == "keep":
                    connection.Keep(ticket, upload(connection, data))
                elif mode == "break":
                    connection.Break(ticket, "out of ink")
                elif mode == "exit":
                    os._exit(0)
        elif reply.get("ended"):
            print("ended", reply["ended"], flush=True)
        else:
            print("set", reply["counts"][0], flush=True)


def items(bridge):
    with bridge.open() as connection:
        place = upload(connection, b"<b>one</b>one<b>two</b>two")

        def part(type_name, offset, length):
            return {"type": type_name, "bytes": {"handle": place["handle"], "offset": offset, "length": length}}

        connection.Set(
            ["general"],
            [
                item(part("public.html", 0, 10), part("public.utf8-plain-text", 10, 3)),
                item(part("public.html", 13, 10), part("public.utf8-plain-text", 23, 3)),
            ],
        )
        for reply in list(connection.Fetch("general", _more=True)):
            for found in reply["found"]:
                print(found["item"], found["type"], download(connection, found["bytes"]).decode())


def own(bridge):
    with bridge.open() as connection:
        made = connection.Create()
        name = made["pasteboard"]
        assert made["created"] and not connection.Create(name)["created"]
        connection.Persist(name, True)
        boards = {board["name"]: board for board in connection.List()["boards"]}
        assert boards[name]["persistent"] and boards[name]["count"] == 0, boards
        connection.Remove(name)
        try:
            connection.Get(name)
        except varlink.VarlinkError as error:
            assert error.error() == INTERFACE + ".NoSuchPasteboard", error
        else:
            raise AssertionError("a removed pasteboard was read")
    print("ok")


def crowd(bridge, count):
    with bridge.open() as writer:
        write(writer, b"for all", "text/plain")
    connections = [bridge.open() for _ in range(count)]
    for connection in connections:
        assert connection.Count("general")["count"] > 0
    for connection in connections:
        assert read(connection, "text") == b"for all"
    print("ok")


def many(bridge, count):
    with bridge.open() as connection:
        data = b"".join(b"%08d" % number for number in range(count))
        place = upload(connection, data)
        items = [
            item({"type": "text/plain", "bytes": {"handle": place["handle"], "offset": 8 * number, "length": 8}})
            for number in range(count)
        ]
        # The long timeout is for slow test machines. The client drops keywords after positional arguments.
        connection.Set(pasteboards=["general"], items=items, timeout=300_000)
        replies = list(connection.Fetch(pasteboard="general", types=["text"], _more=True))
        found = [found for reply in replies for found in reply["found"]]
        assert [one["item"] for one in found] == list(range(count)), "items are missing or not in order"
        assert len(connection.Describe("general")["items"]) == count
        last = connection.Get(pasteboard="general", types=["text"], item=count - 1)
        assert download(connection, last["bytes"]) == b"%08d" % (count - 1)
    print("ok")


def call(bridge, method, parameters):
    try:
        with bridge.open() as connection:
            reply = getattr(connection, method)(**json.loads(parameters), _more=method in ("Fetch", "Monitor"))
            if method in ("Fetch", "Monitor"):
                next(reply)
        print("ok")
    except varlink.VarlinkError as error:
        print(error.error(), error.parameters().get("message", ""))


def main():
    bridge = Bridge(sys.argv[1])
    command, arguments = sys.argv[2], sys.argv[3:]
    if command == "describe":
        describe(bridge)
    elif command == "get":
        sys.stdout.buffer.write(read(bridge.open(), arguments[0]))
    elif command == "set":
        print(write(bridge.open(), sys.stdin.buffer.read(), arguments[0]))
    elif command == "watch":
        watch(bridge, int(arguments[0]))
    elif command == "round-trip":
        round_trip(bridge, int(arguments[0]))
    elif command == "promise":
        promise(bridge, *arguments)
    elif command == "items":
        items(bridge)
    elif command == "own":
        own(bridge)
    elif command == "crowd":
        crowd(bridge, int(arguments[0]))
    elif command == "many":
        many(bridge, int(arguments[0]))
    elif command == "call":
        call(bridge, *arguments)


if __name__ == "__main__":
    main()
