#!/usr/bin/python3
"""Reports each time that a file is opened.

  opened.py FILE

Prints "watching", then "opened" for each open(2) of the file. See inotify(7).
"""

import ctypes
import os
import sys

IN_OPEN = 0x20
# struct inotify_event without its name, which events of a watched file do not have.
EVENT = 16

library = ctypes.CDLL(None, use_errno=True)
descriptor = library.inotify_init1(os.O_CLOEXEC)
if library.inotify_add_watch(descriptor, os.fsencode(sys.argv[1]), IN_OPEN) < 0:
    sys.exit(os.strerror(ctypes.get_errno()))
print("watching", flush=True)
while True:
    # Equal events that follow one another are merged as long as they are unread.
    for _ in range(len(os.read(descriptor, 4096)) // EVENT):
        print("opened", flush=True)
