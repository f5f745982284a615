#!/usr/bin/python3
"""A Tk program that copies and pastes; its command line is described in toolkit.py.

Tk supports only strings, and programs have to encode other data as strings: a copied target is a string with one
character per byte, and a pasted target arrives as a list of words, "0x89 0x50 ...".
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
    # This waits for a reply of the server, so the claim has reached the server.
    root.winfo_pointerxy()
    toolkit.say_owned(root.winfo_id())
    root.tk.createfilehandler(0, tkinter.READABLE, lambda *_: toolkit.ended() and root.quit())
    root.mainloop()


def png_of(data):
    """Returns the image as Tk writes it after decoding it."""
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
    # The words are padded to two digits and joined, to avoid a list of up to a hundred million strings.
    words = re.sub(r"0x([0-9a-f])\b", r"0\1", pasted(target))
    return bytes.fromhex(words.replace("0x", ""))


def pasted(target):
    try:
        return root.clipboard_get(type=target)
    except tkinter.TclError as reason:
        raise toolkit.Absent(f"Tk finds no {target}: {reason}")


toolkit.main("tk.py", own, read)
