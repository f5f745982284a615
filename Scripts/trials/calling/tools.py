"""Libraries and tools that call the clipboard programs: pyperclip, pass, clipr, and Node packages."""

import re

from trials import ROOT, Failure
from trials.calling.checks import check
from trials.calling.recipes import recipe

PYTHON = "/usr/bin/python3"
# Scripts/bootstrap --callers unpacks pyperclip there: the last version whose own tests can be run.
PYPERCLIP = ROOT / ".build/callers/pyperclip-1.8.2"
DEBIAN_PYPERCLIP = "/usr/lib/python3/dist-packages/pyperclip"
TEXT = "first žluť\nsecond ☃"


# pyperclip

@check("pyperclip-tests", {"pytest-3": "python3-pytest", str(PYPERCLIP): "none; Scripts/bootstrap --callers gets it"})
def pyperclip_tests(desk):
    """Runs pyperclip's own tests, nine for each program that the tests find."""
    command = [PYTHON, "-m", "pytest", "-v", "-p", "no:cacheprovider", PYPERCLIP / "tests"]
    found = desk.output(*command, PYTHONPATH=str(PYPERCLIP / "src"), PYTHONDONTWRITEBYTECODE="1")
    for name in ("TestXClip", "TestXSel", "TestWlClipboard"):
        if (passed := len(re.findall(rf"::{name}::\w+ PASSED", found))) != 9:
            raise Failure(f"{passed} of 9 tests of {name} passed: {found[-800:]}")


@check("pyperclip", {DEBIAN_PYPERCLIP: "python3-pyperclip"})
def pyperclip(desk):
    """Copies and pastes with Debian's pyperclip, using the program that it chooses itself, and each program that can be
    set."""
    for name in ("", "xclip", "xsel", "pbcopy", "wl-clipboard"):
        choose = f"pyperclip.set_clipboard('{name}')\n" if name else ""
        script = f"import pyperclip, sys\n{choose}"
        desk.output(PYTHON, "-c", script + "pyperclip.copy(sys.argv[1])", f"{name} {TEXT}")
        desk.await_copy(f"{name} {TEXT}")
        desk.own(f"to {name} ☃\n")
        expect(f"pyperclip, {name}", f"to {name} ☃\n", desk.output(
            PYTHON, "-c", script + "sys.stdout.write(pyperclip.paste())"))


# pass

def prepare_pass(desk):
    desk.output("gpg", "--batch", "--passphrase", "", "--quick-gen-key", "tester", "default", "default", "never")
    desk.output("pass", "init", "tester")
    desk.output("pass", "insert", "--multiline", "site", given="s3cret ☃\nlogin: me\n")


def copy_by_pass(desk, *names, **environment):
    desk.use_drop_ins(*names)
    desk.own("before ☃\n")
    words = desk.output("pass", "-c", "site", PASSWORD_STORE_CLIP_TIME="2", **environment)
    expect("the message", "Copied site to clipboard. Will clear in 2 seconds.\n", words)
    desk.await_copy("s3cret ☃")
    # After the two seconds, pass copies the earlier text again.
    desk.await_copy("before ☃\n")


@check("pass-xclip", {"pass": "pass", "gpg": "gnupg"})
def pass_xclip(desk):
    prepare_pass(desk)
    copy_by_pass(desk, "xclip")


@check("pass-wl-copy", {"pass": "pass", "gpg": "gnupg"})
def pass_wl_copy(desk):
    prepare_pass(desk)
    copy_by_pass(desk, "wl-copy", "wl-paste", WAYLAND_DISPLAY="wayland-9")


@check("pass-replaced", {"pass": "pass", "gpg": "gnupg"})
def pass_replaced(desk):
    """Checks that if other contents are copied before pass clears the clipboard, these contents are kept."""
    prepare_pass(desk)
    desk.use_drop_ins("xclip")
    desk.own("before")
    desk.output("pass", "-c", "site", PASSWORD_STORE_CLIP_TIME="2")
    desk.await_copy("s3cret ☃")
    desk.own("meanwhile")
    # pass copies these contents again as its last step.
    desk.await_copy("meanwhile")


@check("pass-secret", {"pass": "pass", "gpg": "gnupg"})
def pass_secret(desk):
    """Checks that the function of the documentation keeps the secret out of the history, and that the secret can be
    pasted only once."""
    prepare_pass(desk)
    desk.use_drop_ins()
    desk.shell(recipe("pass") + "\npassx site")
    desk.await_copy("s3cret ☃")
    if "s3cret" in desk.shell("xpb history list", statuses=(0, 1)):
        raise Failure("the secret was in the history")
    desk.await_("the secret to be gone after the paste", lambda: desk.ask() is None)


# R

@check("clipr", {"Rscript": "r-base-core", "/usr/lib/R/site-library/clipr": "r-cran-clipr"})
def clipr(desk):
    for names in (["xclip"], ["xsel"]):
        desk.use_drop_ins(*names)
        # clipr mistakes an empty clipboard for a missing display.
        desk.own("something")
        desk.output(
            "Rscript", "-e", f"clipr::write_clip(c('{names[0]} žluť', 'two'), allow_non_interactive = TRUE)")
        desk.await_copy(f"{names[0]} žluť\ntwo")
        desk.own(f"to {names[0]} ☃\n\nthree")
        expect("read_clip", f"to {names[0]} ☃||three", desk.output(
            "Rscript", "-e", "cat(clipr::read_clip(allow_non_interactive = TRUE), sep = '|')"))
        desk.output("Rscript", "-e", "clipr::write_clip(head(cars, 2), allow_non_interactive = TRUE)")
        desk.await_copy("speed\tdist\n4\t2\n4\t10")


# Node

@check("node-copy-paste", {"node": "nodejs", "/usr/share/nodejs/copy-paste": "node-copy-paste"})
def node_copy_paste(desk):
    load = "const c = require('/usr/share/nodejs/copy-paste');"
    desk.output("node", "-e", load + "c.copy(process.argv[1], error => { if (error) throw error; })", TEXT)
    desk.await_copy(TEXT)
    desk.own("to node ☃\n")
    expect("paste", "to node ☃\n", desk.output("node", "-e", load + "process.stdout.write(c.paste())"))


@check("clipboardy", {"node": "nodejs"}, extras=["node_modules/clipboardy/index.js"])
def clipboardy(desk):
    desk.use_drop_ins("xsel")
    load = f"import c from '{desk.extra}/node_modules/clipboardy/index.js';"
    node = ["node", "--input-type=module", "-e"]
    for write, read in (("await c.write(text)", "await c.read()"), ("c.writeSync(text)", "c.readSync()")):
        text = f"{write} {TEXT}\n"
        desk.output(*node, f"{load} const text = process.argv[1]; {write}", text)
        desk.await_copy(text)
        desk.own(f"to {read} ☃\n")
        expect(read, f"to {read} ☃\n", desk.output(*node, f"{load} process.stdout.write({read})"))


def expect(what, expected, found):
    if found != expected:
        raise Failure(f"{what}: {found!r} instead of {expected!r}")
