"""What the programs of the three toolkits have in common: their command line, files by name, and proof of ownership.

  PROGRAM own KIND FILE [KIND FILE]...   owns CLIPBOARD, says "owned", and ends with its standard input
  PROGRAM read KIND FILE                 writes what CLIPBOARD has of that kind into the file
  PROGRAM watch                          says "watching", then "changed" each time the toolkit tells of a change

KIND is "text" or "html" (UTF-8), "image" (a PNG file), "files" (absolute paths, each ended by NUL), or else the name of
a target, whose bytes go as they are.

Status: 0 done, 1 a fault, such as a selection that could not be owned, 2 usage, 3 the toolkit gives nothing of that kind.
"""

import os
import pathlib
import sys
import urllib.parse

from Xlib import X, display


class Absent(Exception):
    """The toolkit finds nothing of the kind asked for, or gives it up."""


def main(program, own, read, watch=None):
    """Runs own({kind: bytes}) or watch(), which return at the end of standard input, or read(kind), which gives bytes."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["own"] and len(arguments) >= 3 and len(arguments) % 2 == 1:
        kinds, names = arguments[1::2], arguments[2::2]
        own({kind: pathlib.Path(name).read_bytes() for kind, name in zip(kinds, names)})
    elif arguments[:1] == ["read"] and len(arguments) == 3:
        try:
            data = read(arguments[1])
        except Absent as reason:
            print(f"{program}: {reason}", file=sys.stderr)
            sys.exit(3)
        pathlib.Path(arguments[2]).write_bytes(data)
    elif arguments == ["watch"] and watch is not None:
        watch()
    else:
        print(__doc__.replace("PROGRAM", program), file=sys.stderr)
        sys.exit(2)


def say_owned(window):
    """Says that the client which made this window owns CLIPBOARD, once the server says so on a connection apart.

    What the toolkit sent must have reached the server by then.
    """
    connection = display.Display()
    owner = connection.get_selection_owner(connection.intern_atom("CLIPBOARD"))
    # The server gives each client a range of ids, which the high bits tell apart.
    client = ~connection.display.info.resource_id_mask
    if owner == X.NONE or owner.id & client != window & client:
        say("not owned")
        sys.exit(1)
    say("owned")


def say(word):
    print(word, flush=True)


def ended(*_):
    """Takes what standard input has; whether that was its end."""
    return not os.read(0, 65536)


def paths(data):
    """The paths of a "files" file, as the system has them."""
    return data.split(b"\0")[:-1]


def path_list(found):
    """The "files" file of paths."""
    return b"".join(path + b"\0" for path in found)


def uri_of_path(path):
    """RFC 8089, byte by byte."""
    return "file://" + urllib.parse.quote_from_bytes(path)


def path_of_uri(uri):
    """The path of a file URL, as bytes, which need not be UTF-8."""
    if not uri.startswith("file:///"):
        raise Absent(f"{uri} is no URL of a local file")
    return urllib.parse.unquote_to_bytes(uri.removeprefix("file://"))
