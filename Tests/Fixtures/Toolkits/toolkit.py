"""The common parts of the toolkits' programs: command line, files, and the check of ownership.

  PROGRAM own KIND FILE [KIND FILE]...   owns CLIPBOARD, prints "owned", and exits at the end of stdin
  PROGRAM read KIND FILE                 writes CLIPBOARD's contents of this kind into the file
  PROGRAM watch                          prints "watching", and then "changed" for each change that the toolkit reports

In a Wayland session, a program can take the clipboard only with a key press on its window, and read it only with the
keyboard focus. GTK 4 and Qt 6 then print "focused" once their window has the focus, and copy on a key press or a line
on stdin.

KIND is "text" or "html" (UTF-8), "image" (a PNG file), "files" (absolute paths, each terminated by NUL), or the name of
a target, whose bytes are unchanged.

Status: 0 success, 1 an error such as a failed claim, 2 usage, 3 the toolkit finds nothing of this kind.
"""

import os
import pathlib
import sys
import urllib.parse

from Xlib import X, display


class Absent(Exception):
    """The toolkit finds nothing of the requested kind, or gives up."""


def main(program, own, read, watch=None):
    """Runs own({kind: bytes}) or watch(), which return at the end of stdin, or read(kind), which returns bytes."""
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
    """Prints "owned" if the client that created this window owns CLIPBOARD, according to a separate connection.

    The toolkit's requests must already have reached the server.
    """
    connection = display.Display()
    owner = connection.get_selection_owner(connection.intern_atom("CLIPBOARD"))
    # The server assigns each client a range of ids, which differ in the high bits.
    client = ~connection.display.info.resource_id_mask
    if owner == X.NONE or owner.id & client != window & client:
        say("not owned")
        sys.exit(1)
    say("owned")


def say(word):
    print(word, flush=True)


def ended(*_):
    """Reads standard input; True at its end."""
    return not os.read(0, 65536)


def paths(data):
    """Splits a "files" file into paths."""
    return data.split(b"\0")[:-1]


def path_list(found):
    """Returns the "files" file for some paths."""
    return b"".join(path + b"\0" for path in found)


def uri_of_path(path):
    """Encodes a path according to RFC 8089, byte by byte."""
    return "file://" + urllib.parse.quote_from_bytes(path)


def path_of_uri(uri):
    """Decodes the path of a file URL as bytes. The bytes need not be UTF-8."""
    if not uri.startswith("file:///"):
        raise Absent(f"{uri} is not the URL of a local file")
    return urllib.parse.unquote_to_bytes(uri.removeprefix("file://"))
