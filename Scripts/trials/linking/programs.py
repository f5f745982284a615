"""Desktop programs that copy and paste on one of two machines with a shared pasteboard. The other machine has no
windows; xpb copies and pastes there."""

import contextlib
import os
import shutil
import time

from trials import FIXTURES, Failure, pictures
from trials.desktop import samples
from trials.desktop.browsers import Chromium, Firefox
from trials.desktop.editors import Mousepad
from trials.desktop.office import Writer
from trials.desktop.session import Desktop
from trials.linking.machines import Faults, Machines, load

PROGRAMS = [Firefox, Writer, Mousepad, Chromium]
TOOLKITS = FIXTURES / "Toolkits"
# Contents of more than 64 KiB cross only when they are pasted.
LONG = 1 << 20


def long_png():
    """Returns an image with a long chunk that no program shows."""
    image = samples.png(samples.WIDTH, samples.HEIGHT)
    # The signature has 8 bytes, and the first chunk 25.
    return image[:33] + pictures.chunk(b"xpBx", os.urandom(LONG)) + image[33:]


def contents(kind, program):
    """Returns the type and the bytes of the contents that the program pastes."""
    return {
        "text": ("text", samples.TEXT.encode()), "html": ("text/html", program.html.encode()),
        "image": ("image/png", long_png())}[kind]


def paste(program, machines, kind):
    """Copies on the other machine, and pastes in the program."""
    program.open(program.empty_document())
    count = program.desktop.count()
    type, data = contents(kind, program)
    machines.require("near", "xpb", "set", "-t", type, "-f", "-", input=data)
    if not program.desktop.await_count(count, 10):
        raise Failure("the copy did not arrive")
    return program.paste(kind)


def copy(program, machines):
    """Copies in the program, and pastes on the other machine."""
    machines.require("near", "xpb", "set", "before")
    time.sleep(0.5)
    count = machines.count("near")
    program.open(program.document())
    program.copy()
    machines.await_count("near", count + 1)
    for name, targets, is_right in program.formats:
        alternatives = [word for target in targets for word in ("-t", target)]
        if not is_right(machines.require("near", "xpb", "get", *alternatives)):
            raise Failure(f"the {name} was wrong")
    return "yes"


def run(options, folder):
    faults = Faults()
    with shared_desktop(options, folder / "toolkits") as (desktop, machines):
        for toolkit in ("gtk3", "gtk4", "qt", "tk"):
            read_by_toolkit(toolkit, desktop, machines, faults)
    for number, program in enumerate(PROGRAMS):
        if not shutil.which(program.executable):
            faults.add(program.name, f"{program.package} is not installed")
            continue
        with shared_desktop(options, folder / str(number)) as (desktop, machines):
            run_program(program, desktop, machines, faults)
    print(f"programs: {faults.number} faults; {load()}")
    return faults.number


@contextlib.contextmanager
def shared_desktop(options, folder):
    """Yields a desktop, and the machines. The machine `far` has the desktop, and shares the pasteboard of `near`."""
    place = folder / "desktop"
    place.mkdir(parents=True)
    with Desktop(options.binaries, place) as desktop:
        far = {"environment": desktop.environment}
        with Machines(folder / "machines", {"near": {}, "far": far}, options.binaries) as machines:
            machines.start_bridges("near")
            machines.link("near", "far", "--share").require_up()
            yield desktop, machines


def read_by_toolkit(toolkit, desktop, machines, faults):
    """Copies long text on the other machine, and checks that a toolkit pastes the text at the first attempt."""
    text = os.urandom(LONG).hex().encode()
    count = desktop.count()
    machines.require("near", "xpb", "set", "-f", "-", input=text)
    if not desktop.await_count(count, 10):
        return faults.add(toolkit, "the copy did not arrive")
    found = desktop.folder / "found"
    found.unlink(missing_ok=True)
    desktop.run("/usr/bin/python3", TOOLKITS / f"{toolkit}.py", "read", "text", found)
    if found.exists() and found.read_bytes() == text:
        return print(f"{toolkit}, 2 MiB of text in: yes", flush=True)
    return faults.add(toolkit, "no: 2 MiB of text was not pasted")


def run_program(program, desktop, machines, faults):
    steps = {f"{kind} in": paste_step(kind) for kind in ("text", "html", "image") if kind in program.pastes}
    for title, step in (steps | {"copy out": copy}).items():
        one = program(desktop)
        try:
            print(f"{program.name}, {title}: {step(one, machines)}", flush=True)
        except Failure as failure:
            faults.add(f"{program.name}, {title}", f"no: {failure}")
        finally:
            one.end()


def paste_step(kind):
    return lambda program, machines: paste(program, machines, kind)
