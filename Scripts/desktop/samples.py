"""The contents that the programs copy and paste, and checks of what arrives."""

import struct
import zlib

TEXT = "one Grüße line"
HTML = "<p>one <b>heavy</b> word</p>"
RTF = r"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}\f0 one {\b heavy} word\par}"
# The text of HTML and RTF.
WORDS = "one heavy word"
WIDTH, HEIGHT = 60, 40


def png(width, height, color=(32, 64, 192)):
    """Returns an image with a diagonal line of another colour."""
    rows = b""
    for y in range(height):
        row = bytearray(bytes(color) * width)
        x = y * width // height
        row[3 * x:3 * x + 3] = b"\xff\xff\xff"
        rows += b"\0" + row

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def png_size(data):
    """Returns the width and the height of a complete PNG, or None."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or b"IEND" not in data[-12:]:
        return None
    return struct.unpack(">II", data[16:24])


# Checks. Each takes the bytes of a target, and returns True if they are what the program copied.

def is_png(width, height):
    return lambda data: png_size(data) == (width, height)


def has(*parts):
    """Returns a check for parts of a text. HTML and lists of files come in UTF-8, some HTML in UTF-16."""
    def check(data):
        encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
        found = data.decode(encoding, "replace")
        return all(part in found for part in parts)
    return check
