"""The table of the trials: their purpose, their packages, and how they are built."""

import typing

BUILD = "Scripts/build"
BOARD = "swift build --package-path Examples/board --configuration release --product xpb-board --static-swift-stdlib"
# gold, Swift's default linker on Linux, cannot read the debug information of instrumented code. Toolchains include lld.
FUZZ = (
    "swift build --configuration release --product Fuzz --scratch-path .build-fuzz"
    " -Xswiftc -DFUZZING -Xswiftc -sanitize=fuzzer,address -Xswiftc -Xclang-linker -Xswiftc -fuse-ld=lld")


class Trial(typing.NamedTuple):
    """A trial. Its module or program in this package has the trial's name, unless another name is given."""

    purpose: str
    # The option of Scripts/bootstrap for packages that only this trial needs.
    packages: str = ""
    # The commands that build the trial's programs.
    builds: tuple = (BUILD,)
    module: str = ""
    program: str = ""


TRIALS = {
    "crash": Trial(
        "kills the bridge a thousand times during writes, truncates its database, fills its disk: no acknowledged write"
        " may be lost"),
    "storm": Trial(
        "times `xpb get` with 50 stuck requestors, 5 silent owners and 200 clients that never read, and while an owner"
        " changes 20,000 times a second"),
    "soak": Trial(
        "runs an hour of valid and faulty traffic, and checks that the bridge then holds no more resources than"
        " before"),
    "machines": Trial(
        "drives the pure state machines with ten million random operations, and checks their invariants",
        builds=("swift build --quiet --configuration release --product Machines",)),
    "fuzz": Trial(
        "fuzzes the parsers of untrusted bytes: HTML, RTF, lists of files, type declarations, the wire, Wayland, PNG"
        " and others", builds=(FUZZ,)),
    "mutants": Trial(
        "removes lines of the code, one for each rule of X11 selections, and checks that a test fails", builds=()),
    "large": Trial(
        "runs the tests with gigabytes, and a minute of idling", builds=("swift build --build-tests",)),
    "beside": Trial(
        "runs the bridge together with CopyQ and xfce4-clipman, and checks that neither replaces the other's contents"),
    "programs": Trial(
        "drives GIMP, LibreOffice, browsers, editors, Java, Wine, GNUstep, clipboard managers, VNC and others with keys"
        " and mouse while the bridge runs"),
    "callers": Trial(
        "runs Neovim, Emacs, tmux, fish, pyperclip, pass, rofi and others where xpb is the only clipboard program, and"
        " sessions with the autostart entry", packages="--callers"),
    "paste": Trial(
        "pastes into terminals, toolkits, browsers, Emacs and LibreOffice with `history restore --paste`, and checks that all of it"
        " arrives, in the right window", packages="--terminals"),
    "link": Trial(
        "simulates machines that `xpb link` connects over ssh: shares a pasteboard in a ring while links are cut,"
        " compares the traffic and the times with scp and xclip, and tests slow and broken links"),
    "wayland": Trial(
        "copies at random with xpb, wl-copy and xclip under sway or KWin, kills programs, and compares contents, types"
        " and counts with a reference model", packages="--wayland"),
    "wayland-programs": Trial(
        "copies and pastes between wl-clipboard, GTK 4, Qt 6, Chromium, xclip, GTK 3 and Tk under sway or KWin, with"
        " and without the focus", packages="--wayland"),
    "compositors": Trial(
        "runs `wayland`, or `wayland-programs`, under the sway, KWin and mutter of Debian 12, 13 and 14",
        packages="--wayland"),
    "session": Trial(
        "runs a command, or the tests with compositors, in a root folder with another Debian", program="session.bash"),
    "board": Trial(
        "drives Examples/board with keys and mouse, measures it, and draws its pictures; also runs Examples/sdl-paste",
        packages="--board",
        builds=(
            BUILD, BOARD, "swift test --package-path Examples/board", "swift build --package-path Examples/sdl-paste")),
    "terminals": Trial(
        "runs `pick`, `history` and `watch` in xterm and kitty, checks the pictures on the screen, and draws the"
        " pictures of the documentation", packages="--terminals"),
    "conversions": Trial(
        "converts generated and damaged pictures between PNG, BMP and TIFF, and compares the pixels with ImageMagick"),
    "portal": Trial(
        "reads copied files in a sandbox without the home folder, through the session's portal", packages="--callers"),
    "picture": Trial("draws the terminal of the README from a real session"),
}
# The trial behind Scripts/bench.
BENCH = Trial("measures xpb and compares it with other programs", module="benchmarks.bench")
