#!/usr/bin/python3
"""Reports each time a file is opened.

  opened.py FILE

Prints "watching", then "opened" for each open(2) of the file. See inotify(7).
"""

import ctypes
import os
import sys

IN_OPEN = 0x20
# The size of struct inotify_event without a name. Events of a watched file have no name.
EVENT = 16

library = ctypes.CDLL(None, use_errno=True)
descriptor = library.inotify_init1(os.O_CLOEXEC)
if library.inotify_add_watch(descriptor, os.fsencode(sys.argv[1]), IN_OPEN) < 0:
    sys.exit(os.strerror(ctypes.get_errno()))
print("watching", flush=True)
while True:
    # Consecutive equal events are merged while they are unread.
    for _ in range(len(os.read(descriptor, 4096)) // EVENT):
        print("opened", flush=True)
