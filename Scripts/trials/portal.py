"""Copies files, and reads them in a sandbox without the home folder, through the session's portal for files.

The sandbox is a bubblewrap that the portal takes for a Flatpak program. 100 files have odd names; the portal must not be
called before the sandbox asks. Files that were cut have a key too. The portal of Debian 12 takes no folders: then there
is no key, and the list of files has the folder. Exit status: 0 if everything is in order, 1 if not.
"""

import pathlib
import shutil
import subprocess
import tempfile

from trials import Failure, say
from trials.testbed import Testbed

PORTAL = "/usr/libexec/xdg-document-portal"
APPLICATION = "org.example.App"
KEY = "application/vnd.portal.filetransfer"
ODD = ["tab\there", "quote'\"x", "ä 世界", "%41", "-f", "new\nline", ".hidden", "a;b", "back\\slash", "x" * 200]
INSIDE = f"""
import gi, os, pathlib, subprocess, sys
from gi.repository import Gio, GLib
if pathlib.Path(sys.argv[1]).exists():
    sys.exit("the sandbox has the home folder")
paste = ["xclip", "-selection", "clipboard", "-t", "{KEY}", "-o"]
key = subprocess.run(paste, stdout=subprocess.PIPE, check=True).stdout.decode()
found = Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
    "org.freedesktop.portal.Documents", "/org/freedesktop/portal/documents", "org.freedesktop.portal.FileTransfer",
    "RetrieveFiles", GLib.Variant("(sa{{sv}})", (key, {{}})), None, 0, 20_000, None).unpack()[0]
for path in found:
    print(pathlib.Path(path).read_text() == os.path.basename(path))
"""


class Trial(Testbed):
    def start_all(self):
        self.start_x()
        self.start_bus()
        self.calls = self.folder / "portal.log"
        with open(self.calls, "wb") as log:
            self.start(PORTAL, "--verbose", stdout=log, stderr=log)
        self.await_("the portal's file system", (self.runtime / "doc/by-app").is_dir)
        self.start_bridge()
        return self

    def inside(self):
        """Returns the number of files that the sandbox has read, byte for byte."""
        info = self.folder / "info"
        info.write_text(f"[Application]\nname={APPLICATION}\n[Instance]\ninstance-id=1\n")
        bus = self.environment["DBUS_SESSION_BUS_ADDRESS"].removeprefix("unix:path=").split(",")[0]
        links = [word for name in ("bin", "lib", "lib64") for word in ("--symlink", f"usr/{name}", f"/{name}")]
        command = [
            "bwrap", "--ro-bind", "/usr", "/usr", *links, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
            "--ro-bind", info, "/.flatpak-info", "--ro-bind", bus, "/bus", "--ro-bind", "/tmp/.X11-unix",
            "/tmp/.X11-unix", "--bind", self.runtime / "doc/by-app" / APPLICATION, self.runtime / "doc",
            "--setenv", "DBUS_SESSION_BUS_ADDRESS", "unix:path=/bus", "/usr/bin/python3", "-c", INSIDE,
            self.folder / "files"]
        return self.output_of(*command).split().count(b"True")

    def paste(self, target):
        command = ["/usr/bin/xclip", "-selection", "clipboard", "-t", target, "-o"]
        return subprocess.run(command, env=self.environment, capture_output=True, check=False).stdout

    def make_files(self):
        folder = self.folder / "files"
        folder.mkdir()
        names = [f"file {number}.txt" for number in range(100 - len(ODD))] + ODD
        for name in names:
            (folder / name).write_text(name)
        return [folder / name for name in names]


def run(options):
    if not pathlib.Path(PORTAL).exists() or not shutil.which("bwrap"):
        raise Failure("xdg-desktop-portal or bubblewrap is not installed; run Scripts/bootstrap --callers")
    with tempfile.TemporaryDirectory(prefix="xpb-", ignore_cleanup_errors=True) as folder:
        with Trial(options.binaries, folder, has_bridge=True) as trial:
            return 0 if check(trial) else 1


def check(trial):
    files = trial.make_files()
    trial.xpb("set", "--files", *files)
    trial.paste("TARGETS")
    early = trial.calls.read_bytes().count(b"FileTransfer")
    read = trial.inside()
    say(f"{early} calls before a program asked; {read} of {len(files)} files read in the sandbox")
    trial.xpb("set", "--files", "--cut", files[0])
    cut = trial.inside()
    say(f"{cut} of 1 cut file read")
    trial.xpb("set", "--files", files[0], trial.folder / "files")
    key, listed = trial.paste(KEY), trial.paste("text/uri-list").count(b"file://")
    say(f"with a folder: {'a key' if key else 'no key'}, and {listed} of 2 in the list")
    return (early, read, cut, listed) == (0, len(files), 1, 2)
