#!/usr/bin/python3
"""Creates and compares PNG images with GdkPixbuf.

  image.py make FILE       writes an image of 640 by 480 pixels that is hard to compress, with an alpha channel
  image.py same FILE FILE  exits with 0 if both have the same pixels, or with 1 and the difference
"""

import random
import sys

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf, GLib  # noqa: E402

WIDTH, HEIGHT, CHANNELS = 640, 480, 4


def make(name):
    pixels = random.Random(1).randbytes(WIDTH * HEIGHT * CHANNELS)
    image = GdkPixbuf.Pixbuf.new_from_bytes(
        GLib.Bytes.new(pixels), GdkPixbuf.Colorspace.RGB, True, 8, WIDTH, HEIGHT, WIDTH * CHANNELS)
    image.savev(name, "png", [], [])


def same(first, second):
    found, expected = (GdkPixbuf.Pixbuf.new_from_file(name) for name in (first, second))
    for what in ("get_width", "get_height", "get_n_channels"):
        values = getattr(found, what)(), getattr(expected, what)()
        if values[0] != values[1]:
            sys.exit(f"{what.removeprefix('get_')} is {values[0]} where {values[1]} was expected")
    if found.read_pixel_bytes().get_data() != expected.read_pixel_bytes().get_data():
        sys.exit("the pixels differ")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", name]: make(name)
        case ["same", first, second]: same(first, second)
        case _: sys.exit(__doc__)
