"""Runs of a program and what they took."""

import os
import random
import statistics
import time

READ_NULL = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)]
WRITE_NULL = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
ERROR_NULL = [(os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]
QUIET = READ_NULL + WRITE_NULL + ERROR_NULL

RESAMPLES = 300


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


def timed(command, actions, environment, statuses=(0,), others=None):
    """Milliseconds from posix_spawn to the end of the process; with others, those of cores that it and these had."""
    path = found(command[0], environment)
    before = sum(map(processor_time, others or []))
    begin = time.perf_counter_ns()
    process = os.posix_spawn(path, command, environment, file_actions=actions)
    _, status, usage = os.wait4(process, 0)
    end = time.perf_counter_ns()
    if os.waitstatus_to_exitcode(status) not in statuses:
        raise SystemExit(f"bench: {' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    if others is None:
        return (end - begin) / 1e6
    return (usage.ru_utime + usage.ru_stime) * 1e3 + sum(map(processor_time, others)) - before


def processor_time(process):
    """Milliseconds that all threads of a process have run, those that ended included: clock_getcpuclockid(3)."""
    return time.clock_gettime_ns((~process << 3) | 2) / 1e6


def at(share, ordered):
    return ordered[round(share * (len(ordered) - 1))]


def summary(values):
    ordered = sorted(values)
    figures = {"median": statistics.median(ordered), "low": at(0.05, ordered), "high": at(0.95, ordered)}
    return {name: round(value, 4) for name, value in figures.items()}


def ratio(ours, theirs):
    """That of the medians, and between what it would be in nine of ten runs of the same: the rounds are drawn anew,
    those of a round together, some hundred times."""
    if not statistics.median(theirs):
        return None
    dice = random.Random(1)
    drawn = []
    for _ in range(RESAMPLES):
        rounds = dice.choices(range(len(ours)), k=len(ours))
        below = statistics.median([theirs[number] for number in rounds])
        if below:
            drawn.append(statistics.median([ours[number] for number in rounds]) / below)
    drawn.sort()
    median = statistics.median(ours) / statistics.median(theirs)
    figures = {"median": median, "low": at(0.05, drawn), "high": at(0.95, drawn)}
    return {name: round(value, 4) for name, value in figures.items()}
