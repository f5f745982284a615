#!/usr/bin/python3
"""Tk as a program that copies and pastes; toolkit.py tells its command line.

Tk knows strings only. A program that wants more makes it of them: what it copies under a target of its own is a string
of one character for each byte, and what it pastes under one comes as a list of words, "0x89 0x50 ...".
"""

import re
import tkinter

import toolkit

root = tkinter.Tk()
root.withdraw()


def own(contents):
    root.clipboard_clear()
    for kind, value in contents.items():
        if kind == "text":
            root.clipboard_append(value.decode())
        elif kind == "image":
            root.clipboard_append(png_of(value), type="image/png")
        elif kind == "files":
            uris = "".join(toolkit.uri_of_path(path) + "\r\n" for path in toolkit.paths(value))
            root.clipboard_append(uris, type="text/uri-list")
        else:
            root.clipboard_append(value, type="text/html" if kind == "html" else kind)
    # This waits for an answer of the server, so the request to own is there.
    root.winfo_pointerxy()
    toolkit.say_owned(root.winfo_id())
    root.tk.createfilehandler(0, tkinter.READABLE, lambda *_: toolkit.ended() and root.quit())
    root.mainloop()


def png_of(data):
    """The image as Tk writes it when it has read it."""
    image = tkinter.PhotoImage(data=data, format="png")
    return root.tk.call(image.name, "data", "-format", "png")


def read(kind):
    if kind == "text":
        return pasted("UTF8_STRING").encode()
    if kind == "image":
        return png_of(pasted_bytes("image/png"))
    if kind == "files":
        lines = pasted_bytes("text/uri-list").decode().splitlines()
        return toolkit.path_list(toolkit.path_of_uri(line) for line in lines if not line.startswith("#"))
    return pasted_bytes("text/html" if kind == "html" else kind)


def pasted_bytes(target):
    # Two digits to each word, and then no prefixes: no list is made of what may be a hundred million characters.
    words = re.sub(r"0x([0-9a-f])\b", r"0\1", pasted(target))
    return bytes.fromhex(words.replace("0x", ""))


def pasted(target):
    try:
        return root.clipboard_get(type=target)
    except tkinter.TclError as reason:
        raise toolkit.Absent(f"Tk finds no {target}: {reason}")


toolkit.main("tk.py", own, read)
