"""Converts generated pictures with xpbd, and compares each pixel with ImageMagick; then converts damaged pictures.

ImageMagick makes random pictures of each kind: color types, depths, palettes, compressions, orders of bytes. The process
that converts pictures makes PNG of BMP and TIFF, and both of PNG. ImageMagick reads the result and the original, with
8 bits for each color; a color may differ by one where a rule of rounding applies: for transparent pixels, and for
palettes with 16 bits. BMP with RLE is compared with a reader of this trial, since ImageMagick reads some of it wrongly.

For the damaged pictures, bytes of the pictures are replaced, removed or repeated. The process must end in time, without
a signal, and without output unless its status is 0. Exit status: 0 if everything is in order, 1 if not.
"""

import collections
import pathlib
import random
import struct
import subprocess
import tempfile
import time

from trials import Failure, positive, say

COUNT = 200
# The limit on one conversion, in seconds.
TIME = 30

PNG = {
    "rgb": ["-type", "TrueColor"], "rgba": ["-type", "TrueColorAlpha"], "gray": ["-colorspace", "Gray"],
    "palette": ["-colors", "16", "-type", "Palette"], "one bit": ["-monochrome"], "interlaced": ["-interlace", "PNG"],
    "16 bits": ["-depth", "16"],
}
BMP = {
    "version 2": ["BMP2:"], "version 3": ["BMP3:"], "version 4": ["BMP:"], "one bit": ["-monochrome", "BMP3:"],
    "palette": ["-colors", "200", "-type", "Palette", "BMP3:"],
    "rle": ["-colors", "200", "-type", "Palette", "-compress", "RLE", "BMP3:"],
    "565": ["-define", "bmp:subtype=RGB565", "BMP:"], "555": ["-define", "bmp:subtype=RGB555", "BMP:"],
    "alpha": ["-type", "TrueColorAlpha", "BMP:"],
}
TIFF = {
    "none": ["-compress", "None"], "lzw": ["-compress", "LZW"], "zip": ["-compress", "Zip"],
    "packbits": ["-compress", "RLE"], "group 4": ["-monochrome", "-compress", "Group4"],
    "16 bits": ["-depth", "16", "-compress", "LZW"], "palette": ["-colors", "64", "-type", "Palette"],
    "gray": ["-colorspace", "Gray"], "tiles": ["-define", "tiff:tile-geometry=32x32"],
    "alpha": ["-type", "TrueColorAlpha"], "big-endian": ["-endian", "MSB"],
}
ROUNDED = {("png", "rgba", "bmp"), ("tiff", "palette", "png"), ("tiff", "alpha", "png")}


def add_options(parser):
    parser.add_argument("--count", type=positive, default=COUNT, help=f"pictures of each kind (default: {COUNT})")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default: 1)")
    parser.add_argument(
        "--damaged", type=positive, default=1, metavar="MINUTES", help="minutes with damaged pictures (default: 1)")


class Trial:
    def __init__(self, options, folder):
        self.xpbd = pathlib.Path(options.binaries, "xpbd").resolve()
        self.folder = pathlib.Path(folder)
        self.random = random.Random(options.seed)
        self.faults = 0
        # Pictures to damage.
        self.seeds = []

    def magick(self, *arguments):
        return subprocess.run(["convert", *map(str, arguments)], check=True, capture_output=True).stdout

    def convert(self, picture, kind):
        return subprocess.run(
            [self.xpbd, "--convert-picture", kind], input=picture, capture_output=True, timeout=TIME, check=False)

    def original(self, has_alpha):
        path = self.folder / "original.miff"
        size = f"{self.random.randint(1, 97)}x{self.random.randint(1, 80)}"
        alpha = ["-alpha", "set", "-channel", "A", "-fx", "(i*7+j*3)%256/255", "+channel"] if has_alpha else []
        self.magick(
            "-size", size, "-seed", self.random.randint(0, 1_000_000), "plasma:", "-depth", 8, *alpha, path)
        return path

    def pixels(self, path, *options):
        return self.magick(path, *options, "-depth", 8, "rgba:-")

    def compare(self, kind, name, options, count):
        *options, prefix = options if kind == "bmp" else [*options, ""]
        path = self.folder / f"picture.{kind}"
        results = collections.Counter()
        for _ in range(count):
            self.magick(self.original(name in ("rgba", "alpha")), *options, f"{prefix}{path}")
            picture = path.read_bytes()
            for to in ("bmp", "tiff") if kind == "png" else ("png",):
                made = self.convert(picture, to)
                results[to] += made.returncode == 0 and self.is_equal(path, picture, made.stdout, (kind, name, to))
            if len(picture) < 20_000 and self.random.random() < 0.05:
                self.seeds.append(picture)
        for to, equal in results.items():
            say(f"{'ok  ' if equal == count else 'FAIL'} {kind} ({name}) to {to}: {equal} of {count}")
            self.faults += count - equal

    def is_equal(self, path, picture, made, kinds):
        result = self.folder / f"made.{kinds[2]}"
        result.write_bytes(made)
        got = self.pixels(result)
        # Without +repage, ImageMagick flattens onto the canvas on which the picture was made.
        white = ["+repage", "-background", "white", "-flatten"] if kinds[2] == "bmp" else []
        # ImageMagick also uses RLE where the options do not ask for it.
        is_rle = kinds[0] == "bmp" and picture[14] >= 40 and struct.unpack_from("<I", picture, 30) == (1,)
        wanted = decoded_rle(picture) if is_rle else self.pixels(path, *white)
        if len(got) != len(wanted):
            return False
        if kinds not in ROUNDED:
            return got == wanted
        return all(
            abs(a - b) <= tolerance(wanted[index | 3], kinds) for index, (a, b) in enumerate(zip(got, wanted)))

    def damage(self, picture):
        data = bytearray(picture)
        for _ in range(self.random.randint(1, 8)):
            place = self.random.randrange(len(data))
            match self.random.randrange(4):
                case 0: data[place] = self.random.randrange(256)
                case 1: data[place:place + 4] = struct.pack("<I", self.random.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF]))
                case 2: del data[place:place + self.random.randint(1, 40)]
                case 3: data[place:place] = data[place:place + self.random.randint(1, 200)]
            if not data:
                return b"\x89PNG\r\n\x1a\n"
        return bytes(data)

    def convert_damaged(self, minutes):
        end = time.monotonic() + 60 * minutes
        outcomes = collections.Counter()
        while time.monotonic() < end:
            picture = self.damage(self.random.choice(self.seeds))
            try:
                made = self.convert(picture, self.random.choice(["png", "bmp", "tiff"]))
            except subprocess.TimeoutExpired:
                outcomes["TIMEOUT"] += 1
                continue
            if made.returncode < 0:
                outcomes[f"signal {-made.returncode}"] += 1
                (self.folder.parent / f"conversion-{outcomes.total()}.picture").write_bytes(picture)
            elif made.returncode and made.stdout:
                outcomes["OUTPUT OF A FAILURE"] += 1
            else:
                outcomes["refused" if made.returncode else "converted"] += 1
        say(f"damaged: {', '.join(f'{count} {name}' for name, count in sorted(outcomes.items()))}")
        self.faults += sum(count for name, count in outcomes.items() if name not in ("refused", "converted"))


def tolerance(alpha, kinds):
    """Returns the maximum difference of a color. libtiff multiplies the colors of a TIFF by the alpha, so that a pixel
    with little alpha keeps only few bits of its color."""
    if kinds[:2] != ("tiff", "alpha"):
        return 1
    return 1 + 255 // alpha if alpha else 255


def decoded_rle(picture):
    """Returns the pixels of a BMP file with 8 bits and RLE."""
    offset, = struct.unpack_from("<I", picture, 10)
    header, width, height = struct.unpack_from("<Iii", picture, 14)
    start = 14 + header
    palette = [picture[place:place + 3][::-1] + b"\xff" for place in range(start, offset, 4)]
    grid = [bytearray(width) for _ in range(height)]
    x, y, place = 0, 0, offset
    while (pair := picture[place:place + 2]) != b"\0\1":
        count, value = pair
        place += 2
        if count:
            grid[y][x:x + count] = bytes([value]) * count
            x += count
        elif value == 0:
            x, y = 0, y + 1
        elif value == 2:
            x, y, place = x + picture[place], y + picture[place + 1], place + 2
        else:
            grid[y][x:x + value] = picture[place:place + value]
            x, place = x + value, place + value + (value & 1)
    return b"".join(palette[index] for row in reversed(grid) for index in row[:width])


def run(options):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        trial = Trial(options, folder)
        for kind, variants in (("png", PNG), ("bmp", BMP), ("tiff", TIFF)):
            for name, words in variants.items():
                trial.compare(kind, name, words, options.count)
        if not trial.seeds:
            raise Failure("no picture was chosen to be damaged; increase --count")
        trial.convert_damaged(options.damaged)
        return 1 if trial.faults else 0
