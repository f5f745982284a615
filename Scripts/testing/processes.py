"""The processes that a run starts. Each has a session of its own, which ends with the run."""

import os
import signal
import subprocess

_running = set()


def start(command, **options):
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    _running.add(process)
    return process


def end(process):
    """Kills what is left of the session of a process that has ended, or of one that has not."""
    _running.discard(process)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def end_with_the_run():
    """Ends all processes when this one is interrupted or terminated."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end_all)


def _end_all(number, _):
    for process in list(_running):
        end(process)
    # The threads that wait for the processes no longer matter.
    os._exit(128 + number)
