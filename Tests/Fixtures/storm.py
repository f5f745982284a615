#!/usr/bin/python3
"""Two X11 programs and two clients of the bridge change CLIPBOARD as fast as possible; a third X11 program counts the
changes.

  storm.py SOCKET CHANGES

Each of the four programs makes at least CHANGES changes. The X11 programs claim the selection with the server's time;
the clients of the bridge write through its socket, and try again if another program was faster. Needs the varlink
package in PYTHONPATH. Prints a JSON object: "owners", the number of new owners that XFixes reported, which is the
number of changes, and "rose", true if each count returned to a client was higher than the client's previous count.
The last owner stays until the end of standard input.
"""

import json
import os
import select
import sys

import varlink
from Xlib import X, Xatom, display
from Xlib.ext import xfixes
from Xlib.protocol import event as events

INTERFACE = "org.xpb.Pasteboard"


def claim(socket, changes, say):
    """Claims the selection repeatedly, with two windows in turn.

    The bridge reports several changes as one if it is thousands of changes behind, so the program waits for the reports
    of its changes now and then.
    """
    watch = varlink.Client.new_with_address("unix:" + socket).open(INTERFACE)
    reports = watch.Monitor(pasteboards=["general"], initial=True, _more=True)
    first = count = next(reports)["count"]
    server = display.Display()
    root = server.screen().root
    selection = server.intern_atom("CLIPBOARD")
    stamp = server.intern_atom("_STAMP")
    windows = [root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask) for _ in range(2)]
    done = 0
    while done < changes:
        window = windows[done % 2]
        window.change_property(stamp, Xatom.STRING, 8, b"")
        while (event := server.next_event()).type != X.PropertyNotify or event.window != window:
            refuse(event)
        window.set_selection_owner(selection, event.time)
        # A claim fails if another claim has a later time.
        done += server.get_selection_owner(selection) == window
        while count < first + done - 256:
            count = next(reports)["count"]
    server.sync()
    say("done")
    while not select.select([0, server], [], [])[0].count(0):
        while server.pending_events():
            refuse(server.next_event())
        server.flush()


def refuse(event):
    if event.type == X.SelectionRequest:
        answer = events.SelectionNotify(
            time=event.time, requestor=event.requestor, selection=event.selection, target=event.target, property=X.NONE)
        event.requestor.send_event(answer)


def write(socket, changes, say):
    connection = varlink.Client.new_with_address("unix:" + socket).open(INTERFACE)
    handle = connection.Begin()["handle"]
    connection.Append(handle, "dGV4dA==")
    connection.Commit(handle)
    item = {"representations": [{"type": "text", "bytes": {"handle": handle, "offset": 0, "length": 4}}]}
    last, rose, done = -1, True, 0
    while done < changes:
        try:
            # The timeout is long, since a busy machine may need more than the usual five seconds for a claim.
            count = connection.Set(pasteboards=["general"], items=[item], timeout=60_000)["counts"][0]
        except varlink.VarlinkError as error:
            if error.error() != INTERFACE + ".Refused":
                raise
            continue
        rose = rose and count > last
        last = count
        done += 1
    say("rose" if rose else "went back")


def child(body, *arguments):
    """Runs a function in a child process. Returns the ends of the pipes to the child's standard input and from its
    output."""
    (to_read, to_write), (from_read, from_write) = os.pipe(), os.pipe()
    if os.fork() == 0:
        os.dup2(to_read, 0)
        os.close(to_write)
        body(*arguments, lambda text: os.write(from_write, text.encode()))
        os._exit(0)
    os.close(to_read)
    os.close(from_write)
    return to_write, from_read


def main():
    socket, changes = sys.argv[1], int(sys.argv[2])
    server = display.Display()
    server.xfixes_query_version()
    selection = server.intern_atom("CLIPBOARD")
    server.xfixes_select_selection_input(server.screen().root, selection, xfixes.XFixesSetSelectionOwnerNotifyMask)
    server.sync()
    writers = [(claim, socket, changes), (claim, socket, changes), (write, socket, changes), (write, socket, changes)]
    children = [child(*writer) for writer in writers]
    answers = [os.read(end, 100).decode() for _, end in children]
    server.sync()
    owners = 0
    while server.pending_events():
        server.next_event()
        owners += 1
    print(json.dumps({"owners": owners, "rose": answers[2:] == ["rose", "rose"]}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
