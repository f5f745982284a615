"""Neovim, Emacs and Vim, driven with the keyboard in a terminal."""

import os

from trials import Failure
from trials.calling.checks import check
from trials.calling.recipes import recipe
from trials.calling.session import Terminal, executable

# Neovim, which chooses a provider by the programs and variables that it finds

def neovim(desk, provider, settings, **environment):
    """Copies and pastes lines and characters with the unnamed register, and with the register of PRIMARY."""
    document = desk.write("document", "first žluť\nsecond line\n")
    init = desk.write("init.vim", settings)
    with Terminal(desk, "nvim", "-n", "-u", init, document, **environment) as editor:
        editor.await_shown("second line")
        editor.type(":call writefile([provider#clipboard#Executable()], 'provider')\r")
        desk.await_file("provider", provider + "\n")
        editor.type("ggyy")
        desk.await_copy("first žluť\n")
        editor.type('jyw')
        desk.await_copy("second ")
        # Neovim pastes its own copy while the program that it started is running. The program must exit when others
        # copy.
        running = [process for process in desk.leftovers() if executable(process) == "xpb"]
        if bool(running) != (provider in ("xclip", "xsel", "wl-copy")):
            raise Failure(f"{len(running)} programs stayed in the foreground")
        desk.own("from elsewhere ☃")
        desk.await_("the programs in the foreground to exit", lambda: not any(
            os.path.exists(f"/proc/{process}") for process in running))
        editor.type("0P:w! pasted\r")
        desk.await_file("pasted", "first žluť\nfrom elsewhere ☃second line\n")
        # The editor pastes its own copy as lines.
        editor.type("ggyy")
        desk.await_copy("first žluť\n")
        editor.type("Gp:w! lines\r")
        desk.await_file("lines", "first žluť\nfrom elsewhere ☃second line\nfirst žluť\n")
        if provider != "pbcopy":
            editor.type('gg"*yw')
            desk.await_copy("first ", selection="PRIMARY")
        editor.type(":qa!\r")
        editor.await_end()
    desk.await_copy("first žluť\n")


@check("neovim-xclip", {"nvim": "neovim"})
def neovim_xclip(desk):
    neovim(desk, "xclip", recipe("neovim"))


@check("neovim-xsel", {"nvim": "neovim"})
def neovim_xsel(desk):
    desk.use_drop_ins("xsel")
    neovim(desk, "xsel", recipe("neovim"))


@check("neovim-wl-copy", {"nvim": "neovim"})
def neovim_wl_copy(desk):
    neovim(desk, "wl-copy", recipe("neovim"), WAYLAND_DISPLAY="wayland-9")


@check("neovim-pbcopy", {"nvim": "neovim"})
def neovim_pbcopy(desk):
    desk.use_drop_ins("pbcopy", "pbpaste")
    # Version 0.7 chooses these programs automatically only on macOS.
    provider = """
        let g:clipboard = {'name': 'pbcopy', 'copy': {'+': ['pbcopy'], '*': ['pbcopy']},
              \\ 'paste': {'+': ['pbpaste'], '*': ['pbpaste']}}
        """
    neovim(desk, "pbcopy", recipe("neovim") + provider)


@check("neovim-xpb", {"nvim": "neovim"})
def neovim_xpb(desk):
    desk.use_drop_ins()
    neovim(desk, "xpb", recipe("neovim-xpb"))


# Emacs

def emacs(desk, settings, *options, **environment):
    document = desk.write("document", "first žluť\nsecond line\n")
    init = desk.write("init.el", settings)
    with Terminal(desk, "emacs", "-nw", "-Q", *options, "-l", init, document, **environment) as editor:
        editor.await_shown("second line")
        # Marks the first word, and copies it.
        editor.type("\x00\x1bf\x1bw")
        desk.await_copy("first")
        # Emacs appends the second of two kills in a row to the first. xclip.el starts a program for each kill, and does
        # not wait for the first program.
        editor.type("\x01\x0b")
        desk.await_copy("first žluť")
        editor.type("\x0b")
        desk.await_copy("first žluť\n")
        desk.own("from elsewhere ☃")
        # Goes to the end, pastes, and saves.
        editor.type("\x1b>\x19\x18\x13")
        desk.await_file("document", "second line\nfrom elsewhere ☃")
        # C-y pastes Emacs's own kill, and M-y the previous kill.
        editor.type("\x1b<\x0b")
        desk.await_copy("second line")
        editor.type("\x19\x19\x1b>\x19\x1by\x18\x13")
        desk.await_file("document", "second linesecond line\nfrom elsewhere ☃from elsewhere ☃")
        editor.type("\x18\x03")
        editor.await_end()


@check("emacs-xpb", {"emacs": "emacs-nox"})
def emacs_xpb(desk):
    desk.use_drop_ins()
    emacs(desk, recipe("emacs"))


@check("emacs-xclip.el", {"emacs": "emacs-nox"}, extras=["xclip.el"])
def emacs_xclip(desk):
    for method, environment in (("xclip", {}), ("xsel", {}), ("wl-copy", {"WAYLAND_DISPLAY": "wayland-9"})):
        desk.use_drop_ins(*("wl-copy", "wl-paste") if method == "wl-copy" else [method])
        emacs(desk, recipe("emacs-xclip"), "-L", desk.extra, **environment)


# Vim

@check("vim", {"vim": "vim-nox"})
def vim(desk):
    desk.use_drop_ins()
    if "-clipboard" not in desk.output("vim", "--version"):
        raise Failure("this Vim supports X; the check needs a Vim without X")
    document = desk.write("document", "first žluť\nsecond line\n")
    settings = desk.write("vimrc", "set encoding=utf-8\n" + recipe("vim"))
    with Terminal(desk, "vim", "-N", "-n", "-i", "NONE", "-u", settings, document) as editor:
        editor.await_shown("second line")
        editor.type("ggv$h\\y")
        desk.await_copy("first žluť")
        editor.type("V\\y")
        desk.await_copy("first žluť\n")
        desk.own("from elsewhere ☃")
        editor.type("G0\\P:w! pasted\r")
        desk.await_file("pasted", "first žluť\nfrom elsewhere ☃second line\n")
        desk.own("a line\n")
        editor.type("gg\\p:w! lines\r")
        desk.await_file("lines", "first žluť\na line\nfrom elsewhere ☃second line\n")
        copy, paste = recipe("vim-commands").splitlines()
        editor.type(f"{copy}\r\r")
        desk.await_copy("first žluť\na line\nfrom elsewhere ☃second line\n")
        desk.own("read\n")
        editor.type(f"G{paste}\r:w! read\r")
        desk.await_file("read", "first žluť\na line\nfrom elsewhere ☃second line\nread\n")
        editor.type(":qa!\r")
        editor.await_end()
