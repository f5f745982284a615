#!/usr/bin/python3
"""Machines for tests of ssh. Each machine is a home folder on this machine, with an sshd on the loopback interface.

usage: sshd.py FOLDER MACHINES

MACHINES is a JSON object. Its members are the machines by name. ssh -F FOLDER/ssh/config finds them under these names:

  {"near": {}, "far": {"environment": {"DISPLAY": ":7"}, "options": ["AllowStreamLocalForwarding no"]}}

  environment  variables of its programs, in addition to the variables that lead to its folder
  options      lines of its sshd_config(5), which take precedence over this program's lines
  proxy        options of ssh_proxy.py, which then carries its connections

Once all machines accept connections, it prints their ports and environments as a line of JSON, such as
{"near": {"port": 40001, "environment": {"HOME": "FOLDER/machines/near"}}}. It then reads commands, one per line, from
stdin, and prints each command after executing it:

  stop NAME   kills all sessions of sshd, and refuses new connections
  start NAME  accepts connections again, at the same port
  rekey NAME  changes the host key, and leaves the old key in the file of known hosts

At the end of stdin, it ends all programs that are running on the machines, and exits.
"""

import json
import os
import pathlib
import pwd
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import sys

PROXY = pathlib.Path(__file__).resolve().with_name("ssh_proxy.py")
INHERITED = ["PATH", "LC_ALL", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"]
SFTP_SERVERS = ["/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/lib/ssh/sftp-server"]
# sshd passes the client's command in a variable, and starts this script in the user's own home folder.
ENTER = """#!/bin/sh
cd "$HOME" || exit
command=$SSH_ORIGINAL_COMMAND
unset SSH_ORIGINAL_COMMAND OLDPWD
if [ -n "$command" ]; then exec /bin/sh -c "$command"; else exec /bin/sh -i; fi
"""


def quoted(text):
    """Returns text as one argument in a line of ssh_config(5) or sshd_config(5)."""
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def make_key(path):
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)]
    subprocess.run(command, stdin=subprocess.DEVNULL, check=True)


class Machine:
    """A home folder, and the listener and sessions of its sshd."""

    def __init__(self, name, keys, home, wanted):
        self.name, self.keys = name, keys
        self.proxy = wanted.get("proxy")
        self.environment = {name: os.environ[name] for name in INHERITED if name in os.environ} | {
            "HOME": str(home), "TMPDIR": str(home / "tmp"), "XDG_RUNTIME_DIR": str(home / "run"),
            "XDG_STATE_HOME": str(home / ".local/state"), "XDG_CONFIG_HOME": str(home / ".config"),
            "XPB_MACHINE": name} | wanted.get("environment", {})
        for folder in (home, home / "tmp", home / "run"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_key(keys / name)
        (keys / f"{name}.conf").write_text("\n".join(wanted.get("options", []) + self.configuration()) + "\n")
        self.log = open(keys / f"{name}.log", "ab")
        self.listener = None
        self.sessions = []
        # Keeps the port for this machine while it is stopped.
        self.reservation = self.bound(0)
        self.port = self.reservation.getsockname()[1]

    def configuration(self):
        variables = [quoted(f"{name}={value}") for name, value in self.environment.items()]
        sftp = [f"Subsystem sftp {path}" for path in SFTP_SERVERS if os.path.exists(path)][:1]
        return sftp + [
            f"HostKey {quoted(self.keys / self.name)}", f"AuthorizedKeysFile {quoted(self.keys / 'id.pub')}",
            f"ForceCommand exec {shlex.quote(str(self.keys / 'enter'))}", "SetEnv " + " ".join(variables),
            "PasswordAuthentication no", "KbdInteractiveAuthentication no", "StrictModes no", "UsePAM no",
            "PidFile none", "PermitUserRC no", "PrintMotd no", "PrintLastLog no"]

    def bound(self, port):
        end = socket.socket()
        end.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        end.bind(("127.0.0.1", port))
        return end

    def start(self):
        if not self.listener:
            self.listener = self.bound(self.port)
            self.listener.listen(64)

    def stop(self):
        if self.listener:
            self.listener.close()
            self.listener = None
        for session in self.sessions:
            # The id of a session that has not been waited for cannot belong to another process.
            if session.poll() is None:
                os.killpg(session.pid, signal.SIGKILL)
                session.wait()
        self.sessions = []

    def rekey(self):
        new = self.keys / "new"
        make_key(new)
        (self.keys / "new.pub").replace(self.keys / f"{self.name}.pub")
        new.replace(self.keys / self.name)

    def accept(self, sshd):
        """Starts an sshd for one connection. The sshd reads its configuration and host key again."""
        connection, _ = self.listener.accept()
        command = [sshd, "-i", "-e", "-f", str(self.keys / f"{self.name}.conf")]
        self.sessions = [session for session in self.sessions if session.poll() is None]
        with connection:
            self.sessions.append(subprocess.Popen(
                command, stdin=connection, stdout=connection, stderr=self.log, start_new_session=True))

    def known_host(self):
        return f"[127.0.0.1]:{self.port} " + (self.keys / f"{self.name}.pub").read_text()

    def host(self):
        lines = [f"Host {self.name}", "HostName 127.0.0.1", f"Port {self.port}"]
        if self.proxy is not None:
            command = shlex.join(["/usr/bin/python3", str(PROXY), *self.proxy]).replace("%", "%%")
            lines.append(f"ProxyCommand {command} %h %p")
        return lines


class Hosts:
    """The machines of a test."""

    def __init__(self, folder, wanted):
        self.sshd = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin")
        if not self.sshd:
            sys.exit("sshd.py: sshd is not installed; run Scripts/bootstrap --test")
        # An sshd run by root needs this folder, which Debian's service makes when it starts.
        if os.getuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        keys = folder / "ssh"
        keys.mkdir(mode=0o700)
        make_key(keys / "id")
        (keys / "enter").write_text(ENTER)
        (keys / "enter").chmod(0o700)
        self.machines = {
            name: Machine(name, keys, folder / "machines" / name, machine) for name, machine in wanted.items()}
        self.write_client(keys)
        # The input has no buffer, since the selector would not notice a line that is already in a buffer.
        self.input = open(0, "rb", buffering=0)

    def write_client(self, keys):
        machines = self.machines.values()
        (keys / "known_hosts").write_text("".join(machine.known_host() for machine in machines))
        lines = [line for machine in machines for line in machine.host()] + [
            "Host *", f"User {pwd.getpwuid(os.getuid()).pw_name}", f"IdentityFile {quoted(keys / 'id')}",
            "IdentitiesOnly yes", "IdentityAgent none", f"UserKnownHostsFile {quoted(keys / 'known_hosts')}",
            "GlobalKnownHostsFile none", "StrictHostKeyChecking yes", "UpdateHostKeys no", "ControlMaster no"]
        (keys / "config").write_text("\n".join(lines) + "\n")

    def serve(self):
        for machine in self.machines.values():
            machine.start()
        self.say(json.dumps({
            name: {"port": machine.port, "environment": machine.environment}
            for name, machine in self.machines.items()}))
        while self.turn():
            pass

    def turn(self):
        """Handles the connections or the command that have arrived; returns false at the end of stdin."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.input, selectors.EVENT_READ)
            for machine in self.machines.values():
                if machine.listener:
                    selector.register(machine.listener, selectors.EVENT_READ, machine)
            ready = [key.data for key, _ in selector.select()]
        for machine in filter(None, ready):
            machine.accept(self.sshd)
        return None not in ready or self.obey(self.input.readline().decode())

    def obey(self, line):
        if not line:
            return False
        command, name = line.split()
        {"stop": Machine.stop, "start": Machine.start, "rekey": Machine.rekey}[command](self.machines[name])
        self.say(line.strip())
        return True

    def say(self, line):
        print(line, flush=True)

    def end(self):
        for machine in self.machines.values():
            machine.stop()
        # SIGTERM lets the bridge exit in an orderly way.
        for number in (signal.SIGTERM, signal.SIGKILL):
            self.end_programs(number)

    def end_programs(self, number):
        """Sends the signal to all programs of the machines, and waits until they have exited or none has exited for
        five seconds."""
        homes = {b"HOME=" + os.fsencode(machine.environment["HOME"]) for machine in self.machines.values()}
        with selectors.DefaultSelector() as running:
            for process in filter(str.isdigit, os.listdir("/proc")):
                try:
                    variables = pathlib.Path("/proc", process, "environ").read_bytes().split(b"\0")
                    if homes.isdisjoint(variables) or int(process) == os.getpid():
                        continue
                    running.register(os.pidfd_open(int(process)), selectors.EVENT_READ)
                    os.kill(int(process), number)
                except OSError:
                    # The process is another user's, or has exited.
                    continue
            while running.get_map():
                ended = running.select(timeout=5)
                if not ended:
                    return
                for key, _ in ended:
                    running.unregister(key.fd)
                    os.close(key.fd)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    hosts = Hosts(pathlib.Path(sys.argv[1]).resolve(), json.loads(sys.argv[2]))
    try:
        hosts.serve()
    finally:
        hosts.end()


if __name__ == "__main__":
    main()
