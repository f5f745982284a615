"""Runs of a program and what they took."""

import os
import statistics
import time

READ_NULL = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)]
WRITE_NULL = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
ERROR_NULL = [(os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]
QUIET = READ_NULL + WRITE_NULL + ERROR_NULL


def read_file(path):
    return [(os.POSIX_SPAWN_OPEN, 0, path, os.O_RDONLY, 0)]


def write_file(path):
    return [(os.POSIX_SPAWN_OPEN, 1, path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]


def found(program, environment):
    """Where the program is. The search takes time that is not the program's."""
    for folder in environment["PATH"].split(":"):
        if os.access(path := os.path.join(folder, program), os.X_OK):
            return path
    raise SystemExit(f"bench: there is no {program}")


def timed(command, actions, environment, statuses=(0,)):
    """Milliseconds from posix_spawn to the end of the process."""
    path = found(command[0], environment)
    begin = time.perf_counter_ns()
    process = os.posix_spawn(path, command, environment, file_actions=actions)
    _, status = os.waitpid(process, 0)
    end = time.perf_counter_ns()
    if os.waitstatus_to_exitcode(status) not in statuses:
        raise SystemExit(f"bench: {' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return (end - begin) / 1e6


def processor_time(process):
    """Milliseconds that all threads of a process have run, those that ended included: clock_getcpuclockid(3)."""
    return time.clock_gettime_ns((~process << 3) | 2) / 1e6


def summary(values):
    ordered = sorted(values)

    def at(share):
        return ordered[round(share * (len(ordered) - 1))]

    figures = {"median": statistics.median(ordered), "low": at(0.05), "high": at(0.95)}
    return {name: round(value, 4) for name, value in figures.items()}
