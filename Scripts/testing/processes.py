"""The processes that a run starts. Each has its own session, which ends with the run."""

import os
import signal
import subprocess

_running = set()


def start(command, **options):
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    _running.add(process)
    return process


def end(process):
    """Kills the process, if it is still running, and the rest of its process group."""
    _running.discard(process)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def end_with_the_run():
    """Ends all processes when the run is interrupted or terminated."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end_all)


def _end_all(number, _):
    for process in list(_running):
        end(process)
    # sys.exit would wait for the threads that wait for the processes.
    os._exit(128 + number)
