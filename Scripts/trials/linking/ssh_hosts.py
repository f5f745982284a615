"""Machines reached over ssh, for the trials that need several machines. Each machine is a local home folder with an
sshd on the loopback interface, which Tests/Fixtures/sshd.py runs."""

import json
import os
import pathlib
import subprocess

from trials import FIXTURES

FIXTURE = FIXTURES / "sshd.py"


class SSHHosts:
    """The machines. They run during a `with` block; its end also ends their programs.

    machines: names, or a dictionary from names to settings: environment, options, proxy (see the fixture). binaries:
    the folder of xpb, which comes first in PATH on each machine.
    """

    def __init__(self, folder, machines, binaries):
        self.folder = pathlib.Path(folder).resolve()
        self.wanted = machines if isinstance(machines, dict) else {name: {} for name in machines}
        self.configuration = self.folder / "ssh/config"
        path = os.path.abspath(binaries) + ":" + os.environ["PATH"]
        self.base = {"PATH": path, "LC_ALL": "C.UTF-8", "TMPDIR": str(self.folder)}

    def __enter__(self):
        self.fixture = subprocess.Popen(
            [str(FIXTURE), str(self.folder), json.dumps(self.wanted)], env=self.base, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.fixture.stdout.readline()
        if not line:
            self.fixture.wait()
            raise RuntimeError(f"{FIXTURE.name} did not start")
        self.machines = json.loads(line)
        return self

    def __exit__(self, *_):
        self.fixture.stdin.close()
        self.fixture.wait()

    # Machines.

    def environment(self, name):
        """Returns the environment of a machine, for programs that a script runs there without ssh."""
        return dict(self.machines[name]["environment"])

    def home(self, name):
        return pathlib.Path(self.machines[name]["environment"]["HOME"])

    def port(self, name):
        return self.machines[name]["port"]

    def stop(self, name):
        """Kills all sessions of a machine, and refuses new connections."""
        self.perform(f"stop {name}")

    def start(self, name):
        """Accepts connections to a stopped machine again."""
        self.perform(f"start {name}")

    def change_key(self, name):
        """Gives a machine a host key that ssh does not know."""
        self.perform(f"rekey {name}")

    def perform(self, command):
        print(command, file=self.fixture.stdin, flush=True)
        if self.fixture.stdout.readline().strip() != command:
            raise RuntimeError(f"{FIXTURE.name} exited at '{command}'")

    # Commands.

    def command(self, name, *command, options=()):
        """Returns the ssh command line for a command on a machine."""
        return ["ssh", "-F", str(self.configuration), "-o", "BatchMode=yes", *options, name, *command]

    def ssh(self, name, *command, options=(), **streams):
        """Runs a command on a machine to completion."""
        streams = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True} | streams
        if "input" in streams:
            del streams["stdin"]
        return subprocess.run(self.command(name, *command, options=options), env=self.base, **streams)


def cut(path, kind):
    """Cuts the connections of ssh_proxy.py with this file by `drop` or `close`; ends the cut if the kind is None."""
    path = pathlib.Path(path)
    if kind is None:
        path.unlink(missing_ok=True)
        return
    # The file is replaced in one step, since a connection may read it at any time.
    new = path.with_name(path.name + ".new")
    new.write_text(kind)
    new.replace(path)


def counts(path):
    """Returns the numbers of bytes that ssh_proxy.py carried to and from the server."""
    return [int(field) for field in pathlib.Path(path).read_text().split()]
