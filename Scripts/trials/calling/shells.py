"""fish, zsh, bash and tmux, driven with the keyboard in a terminal."""

from trials.calling.checks import check
from trials.calling.recipes import recipe
from trials.calling.session import Terminal

# fish, which uses the first of pbcopy, wl-copy, xsel and xclip that it finds

def fish(desk, *names, **environment):
    """Copies the command line and pastes into it, with fish's own keys."""
    desk.use_drop_ins(*names)
    config = "function fish_prompt; printf 'READY> '; end\nset -g fish_greeting\n"
    desk.write(".config/fish/config.fish", recipe("fish") + config)
    # The settings above must find the programs.
    with Terminal(desk, "fish", "--private", PATH=desk.bare_path, **environment) as shell:
        shell.await_shown("READY> ")
        shell.type("echo 'žluť' \\\"\x18")
        desk.await_copy("echo 'žluť' \\\"")
        shell.type("\x15")
        desk.own("from elsewhere ☃")
        shell.type("printf %s '\x16' > pasted\r")
        desk.await_file("pasted", "from elsewhere ☃")
        shell.await_shown("READY> ")
        desk.own("echo one > first\necho 'it''s' > second")
        shell.type("\x16\r")
        desk.await_file("first", "one\n")
        desk.await_file("second", "its\n")
        shell.type("echo 'through a pipe' | fish_clipboard_copy\r")
        desk.await_copy("through a pipe\n")
        shell.type("fish_clipboard_paste > out\r")
        desk.await_file("out", "through a pipe\n")
        shell.type("exit\r")
        shell.await_end()


@check("fish-pbcopy", {"fish": "fish"})
def fish_pbcopy(desk):
    fish(desk, "pbcopy", "pbpaste", "xsel", "xclip")


@check("fish-wl-copy", {"fish": "fish"})
def fish_wl_copy(desk):
    fish(desk, "wl-copy", "wl-paste", "xclip", WAYLAND_DISPLAY="wayland-9")


@check("fish-xsel", {"fish": "fish"})
def fish_xsel(desk):
    fish(desk, "xsel", "xclip")


@check("fish-xclip", {"fish": "fish"})
def fish_xclip(desk):
    fish(desk, "xclip")


# zsh and bash, with functions

def line_editor(desk, *command, **environment):
    """Copies the command line and pastes into it, with the recipe's keys."""
    desk.use_drop_ins()
    with Terminal(desk, *command, **environment) as shell:
        shell.await_shown("READY> ")
        shell.type("echo 'žluť' \\\"\x18c")
        desk.await_copy("echo 'žluť' \\\"")
        shell.type("\x15")
        desk.own("from elsewhere ☃")
        # The text is inserted at the cursor, and the cursor is then after the text.
        shell.type("printf %s '' > pasted\x01" + "\x06" * 11 + "\x18v end\r")
        desk.await_file("pasted", "from elsewhere ☃ end")
        shell.type("exit\r")
        shell.await_end()


@check("zsh", {"zsh": "zsh"})
def zsh(desk):
    desk.write(".zshrc", recipe("zsh") + "PROMPT='READY> '\nbindkey -e '^U' kill-whole-line\n")
    line_editor(desk, "zsh", "-d")


@check("bash", {"bash": "bash"})
def bash(desk):
    desk.write(".bashrc", recipe("bash") + "PS1='READY> '\nunset HISTFILE\n")
    line_editor(desk, "bash")


# tmux

# With the default assume-paste-time, tmux would treat keys that follow each other fast as pasted text, not as commands.
TMUX_SETTINGS = """
set -g mode-keys emacs
set -g default-command sh
set -g assume-paste-time 0
"""


def tmux(desk, settings):
    """Copies a line in copy mode with keys, and pastes into a program in the window."""
    settings = desk.write(".tmux.conf", settings + TMUX_SETTINGS)
    with Terminal(desk, "tmux", "-f", settings, "new-session", "-s", "callers", PS1="READY> ") as terminal:
        terminal.await_shown("READY> ")
        terminal.type("clear; printf 'copied: %s\\n' 'žluť'\r")
        terminal.await_shown("copied: žluť")
        # Enters copy mode, which shows the place in the history; then goes up to the line, marks it to its end, and
        # copies.
        terminal.type("\x02[")
        terminal.await_shown("[0/")
        terminal.type("\x10\x01\x00\x05\x1bw")
        desk.await_copy("copied: žluť")
        desk.own("from elsewhere ☃\nin two lines")
        terminal.type("cat > pasted\r")
        desk.await_("cat to run", (desk.folder / "pasted").exists)
        terminal.type("\x02]")
        terminal.await_shown("in two lines")
        terminal.type("\r\x04")
        desk.await_file("pasted", "from elsewhere ☃\nin two lines\n")
        terminal.type("exit\r")
        terminal.await_end()


@check("tmux-copy-command", {"tmux": "tmux"})
def tmux_copy_command(desk):
    desk.use_drop_ins()
    tmux(desk, recipe("tmux"))


@check("tmux-copy-pipe", {"tmux": "tmux"})
def tmux_copy_pipe(desk):
    # The usual lines for the other programs.
    for copy, paste in (
            ("xclip -in -selection clipboard", "xclip -out -selection clipboard"), ("xsel -ib", "xsel -ob"),
            ("pbcopy", "pbpaste"), ("wl-copy", "wl-paste -n")):
        tmux(desk, f"""
            bind -T copy-mode M-w send -X copy-pipe-and-cancel "{copy}"
            bind ] run-shell "{paste} | tmux load-buffer -" \\; paste-buffer
            """)
