"""The contents that the programs copy and paste, and checks of the contents that arrive."""

import random
import struct

from trials import pictures

TEXT = "one Grüße line"
HTML = "<p>one <b>heavy</b> word</p>"
RTF = r"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}\f0 one {\b heavy} word\par}"
# The text of HTML and RTF.
WORDS = "one heavy word"
WIDTH, HEIGHT = 60, 40


def png(width, height):
    """Returns an image of one color with a diagonal line."""
    rows = []
    for y in range(height):
        row = bytearray(b"\x20\x40\xc0" * width)
        x = y * width // height
        row[3 * x:3 * x + 3] = b"\xff\xff\xff"
        rows.append(row)
    return pictures.png(width, rows)


def large_png(width, height):
    """Returns an image with noise, like a photograph, so that a program takes seconds to compress the image."""
    noise = random.Random(width)
    few = bytes(64 + value % 4 for value in range(256))
    rows = []
    for _ in range(height):
        row = bytearray(b"\x20\x40\xc0" * width)
        row[1::3] = noise.randbytes(width).translate(few)
        rows.append(row)
    return pictures.png(width, rows)


def png_size(data):
    """Returns the width and the height of a complete PNG, or None."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or b"IEND" not in data[-12:]:
        return None
    return struct.unpack(">II", data[16:24])


# Checks. Each check takes the bytes of a target, and returns True if the bytes match the program's copy.

def is_png(width, height):
    return lambda data: png_size(data) == (width, height)


def has(*parts):
    """Returns a check for parts of some text. Text is in UTF-8, some HTML is in UTF-16, and STRING is in Latin-1."""
    def check(data):
        found = text_of(data)
        return all(part in found for part in parts)
    return check


def text_of(data):
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
