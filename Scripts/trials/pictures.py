"""PNG files, and the contents of a screen. A row of pixels has three bytes per pixel."""

import struct
import zlib

from Xlib import X


def chunk(kind, data):
    """Returns a chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, rows, level=1):
    """Returns a PNG file made of rows. The rows may be a generator, so that only one row needs memory."""
    packer = zlib.compressobj(level)
    packed = [packer.compress(b"\0" + row) for row in rows]
    header = struct.pack(">IIBBBBB", width, len(packed), 8, 2, 0, 0, 0)
    data = b"".join(packed) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def screen(display, place=None):
    """Returns the width, the height and the rows of the screen, or of a rectangle of the screen."""
    root = display.screen().root
    if place is None:
        whole = root.get_geometry()
        place = 0, 0, whole.width, whole.height
    _, _, width, height = place
    data = root.get_image(*place, X.ZPixmap, 0xFFFFFF).data
    pixels = bytearray(3 * width * height)
    pixels[0::3], pixels[1::3], pixels[2::3] = data[2::4], data[1::4], data[0::4]
    return width, height, [bytes(pixels[start:start + 3 * width]) for start in range(0, len(pixels), 3 * width)]
