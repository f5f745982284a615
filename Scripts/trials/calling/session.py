"""A desktop on which the only clipboard programs are links to xpb, and the programs that call these links."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import signal
import struct
import subprocess
import termios
import threading

from Xlib import X
from Xlib.ext import res

from trials import FIXTURES, Failure
from trials.calling.recipes import recipe
from trials.desktop.session import Desktop

DROP_INS = ("xclip", "xsel", "pbcopy", "pbpaste", "wl-copy", "wl-paste")
# Programs that other programs call to reach the clipboard. None of these clipboard programs may be on PATH.
OTHER_TOOLS = {
    *DROP_INS, "xclip-copyfile", "xclip-cutfile", "xclip-pastefile", "xcb", "autocutsel", "copyq", "parcellite",
    "clipit", "clipman", "diodon", "gpaste-client", "qlipper", "xfce4-clipman", "klipper", "qdbus", "lemonade",
    "doitclient", "win32yank.exe", "termux-clipboard-get", "termux-clipboard-set", "clip.exe", "powershell.exe",
    "xpb", "xpbd",
    # `pass` ends its earlier processes by name, even the processes of other desktops.
    "pkill",
}
PEER = FIXTURES / "peer.py"
TIMEOUT = 30


def programs_folder(path, binaries):
    """Makes a folder with links to all programs of this machine except clipboard tools, and to xpb and xpbd."""
    path.mkdir()
    for folder in ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"):
        with contextlib.suppress(FileNotFoundError):
            for entry in os.scandir(folder):
                if entry.name not in OTHER_TOOLS:
                    with contextlib.suppress(FileExistsError):
                        os.symlink(entry.path, path / entry.name)
    for name in ("xpb", "xpbd"):
        os.symlink(os.path.join(os.path.abspath(binaries), name), path / name)


class CallerDesk(Desktop):
    """The desktop of one check. Programs find the drop-ins as a user's programs do: through the line of the
    documentation that sets PATH."""

    def __init__(self, binaries, folder, programs, extra, has_bridge=True):
        super().__init__(binaries, folder, has_bridge)
        self.extra = extra
        # Interactive programs see a terminal and an X display, but nothing of the caller's session.
        self.environment |= {
            "PATH": str(programs), "SHELL": "/bin/sh", "TERM": "xterm-256color", "TMUX_TMPDIR": str(folder),
            "XPB_XPBD": os.path.join(os.path.abspath(binaries), "xpbd"), "EDITOR": "false",
            "XDG_DATA_DIRS": "/usr/share",
        }
        self.bare_path = str(programs)
        self.owner_process = None
        self.use_drop_ins(*DROP_INS)

    def use_drop_ins(self, *names):
        """Makes these programs the only clipboard programs that others find."""
        folder = self.folder / ".local/lib/xpb/bin"
        folder.mkdir(parents=True, exist_ok=True)
        for name in DROP_INS:
            (folder / name).unlink(missing_ok=True)
        for name in names:
            (folder / name).symlink_to(self.xpb_path)
        self.environment["PATH"] = self.bare_path
        self.environment["PATH"] = self.shell(recipe("path") + 'printf %s "$PATH"')
        self.require_no_other_tools()

    def require_no_other_tools(self):
        for name in OTHER_TOOLS - {"xpb", "xpbd"}:
            found = self.shell(f"command -v {name} || true").strip()
            if found and os.path.realpath(found) != os.path.realpath(self.xpb_path):
                raise Failure(f"{name} is reachable as {found}")

    def end_all(self):
        super().end_all()
        for process in self.leftovers():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def leftovers(self):
        """Returns the processes with the home folder of this desktop, such as daemons that its programs have
        started."""
        home = f"\0HOME={self.folder}\0".encode()
        found = []
        for number in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if number.isdigit() and home in b"\0" + pathlib.Path("/proc", number, "environ").read_bytes():
                    found.append(int(number))
        return found

    # Programs.

    def shell(self, script, **options):
        """Returns the output of an sh script. A failure includes the script's messages."""
        return self.output("sh", "-c", script, **options)

    def output(self, *command, given=None, timeout=TIMEOUT, **options):
        return self.output_of(*command, given=(given or "").encode(), timeout=timeout, **options).decode()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def await_file(self, name, expected):
        """Waits until a program has written a file with these contents."""
        path = self.folder / name

        def contents():
            return path.read_text(encoding="utf-8") if path.exists() else None
        try:
            self.await_("the program to write the file", lambda: contents() == expected)
        except Failure as failure:
            raise Failure(f"pasted {contents()!r}, expected {expected!r}") from failure

    # The clipboard, by X clients that share no code with xpb.

    def ask(self, target="UTF8_STRING", selection="CLIPBOARD"):
        """Returns the bytes of a selection in a target; None if the selection does not have the target."""
        out = self.folder / "asked"
        out.unlink(missing_ok=True)
        # The peer exits at the end of its input, even before the answer, so the input stays open.
        process = self.start(
            PEER, "ask", "--selection", selection, "--target", target, "--timeout", "5", "--out", out,
            stdin=subprocess.PIPE)
        status = process.wait(timeout=TIMEOUT)
        process.stdin.close()
        self.processes.remove(process)
        return out.read_bytes() if status == 0 and out.exists() else None

    def await_copy(self, expected, selection="CLIPBOARD", target="UTF8_STRING"):
        """Waits until a program has copied exactly these contents, and the bridge offers them."""
        expected = expected.encode() if isinstance(expected, str) else expected
        try:
            self.await_("the copy to arrive", lambda: (
                self.ask(target, selection) == expected and self.owner_client(selection) == self.bridge))
        except Failure as failure:
            owner = "the bridge" if self.owner_client(selection) == self.bridge else "another program"
            raise Failure(f"{owner} had {self.ask(target, selection)!r}, expected {expected!r}") from failure

    def owner_client(self, selection):
        """Returns the process whose client owns a selection, according to the X-Resource extension."""
        owner = self.display.get_selection_owner(self.display.intern_atom(selection))
        if owner == X.NONE:
            return None
        found = self.display.res_query_client_ids([{"client": owner.id, "mask": res.LocalClientPIDMask}]).ids
        return next((client.value[0] for client in found if client.spec.mask == res.LocalClientPIDMask), None)

    def own(self, text, selection="CLIPBOARD"):
        """Makes an independent program copy text, and waits until the bridge has noticed the copy."""
        file = self.write(f"owned-{selection}", text)
        count = self.count()
        if self.owner_process:
            self.end(self.owner_process)
        self.owner_process = self.start(
            PEER, "own", "--selection", selection, "--offer", "UTF8_STRING", file, "--offer", "STRING", file,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        while json.loads(self.owner_process.stdout.readline() or '{"event": "owned"}')["event"] != "owned":
            pass
        # The owner's reports are read, since a full pipe would stop the owner.
        threading.Thread(target=self.owner_process.stdout.read, daemon=True).start()
        if self.owner_process.poll() is not None:
            raise Failure("the independent program exited")
        if selection == "CLIPBOARD" and not self.await_count(count, TIMEOUT):
            raise Failure("the bridge did not notice the independent copy")


def executable(process):
    """Returns the name of a process's program; None if the process has exited."""
    with contextlib.suppress(OSError):
        return os.path.basename(os.readlink(f"/proc/{process}/exe"))
    return None


class Terminal:
    """A program on its own terminal, which accepts keys."""

    def __init__(self, desk, *command, **settings):
        self.desk = desk
        self.shown = bytearray()
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        self.process = subprocess.Popen(
            [*map(str, command)], env=desk.environment | settings, stdin=slave, stdout=slave, stderr=slave,
            cwd=desk.folder, start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        desk.processes.append(self.process)
        threading.Thread(target=self.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.desk.end_program(self.process)

    def read(self):
        with contextlib.suppress(OSError):
            while piece := os.read(self.master, 65536):
                self.shown += piece

    def await_shown(self, text):
        """Waits until the program has shown a string since the last call."""
        try:
            self.desk.await_(f"'{text}' on the terminal", lambda: text.encode() in self.shown)
        except Failure as failure:
            raise Failure(f"{failure}: {bytes(self.shown[-800:])!r}") from failure
        del self.shown[:self.shown.index(text.encode()) + len(text.encode())]

    def type(self, keys):
        os.write(self.master, keys.encode())

    def await_end(self):
        try:
            self.process.wait(timeout=TIMEOUT)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"{self.process.args[0]} did not exit: {bytes(self.shown[-300:])!r}") from error
