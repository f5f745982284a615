"""Timed runs of programs, and their statistics."""

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


def located(program, environment):
    """Returns the path of a program, so that the search does not count as the program's time."""
    for folder in environment["PATH"].split(":"):
        if os.access(path := os.path.join(folder, program), os.X_OK):
            return path
    raise SystemExit(f"bench: {program} is not in PATH")


def timed(command, actions, environment, statuses=(0,), others=None):
    """Returns the milliseconds from posix_spawn to the exit of the process. If `others` is given, returns the processor
    time of the process and of the others instead."""
    path = located(command[0], environment)
    before = sum(map(processor_time, others or []))
    begin = time.perf_counter_ns()
    process = os.posix_spawn(path, command, environment, file_actions=actions)
    _, status, usage = os.wait4(process, 0)
    end = time.perf_counter_ns()
    if os.waitstatus_to_exitcode(status) not in statuses:
        raise SystemExit(f"bench: {' '.join(command)} exited with status {os.waitstatus_to_exitcode(status)}")
    if others is None:
        return (end - begin) / 1e6
    return (usage.ru_utime + usage.ru_stime) * 1e3 + sum(map(processor_time, others)) - before


def processor_time(process):
    """Returns the processor time of a process in milliseconds, including threads that have exited. See
    clock_getcpuclockid(3)."""
    return time.clock_gettime_ns((~process << 3) | 2) / 1e6


def quantile(share, ordered):
    return ordered[round(share * (len(ordered) - 1))]


def summary(values):
    ordered = sorted(values)
    figures = {"median": statistics.median(ordered), "low": quantile(0.05, ordered), "high": quantile(0.95, ordered)}
    return {name: round(value, 4) for name, value in figures.items()}


def ratio(ours, theirs):
    """Returns the ratio of the medians with its 90 % confidence interval, by bootstrap: whole rounds are resampled, so
    that the figures of a round stay together."""
    if not statistics.median(theirs):
        return None
    rng = random.Random(1)
    resampled = []
    for _ in range(RESAMPLES):
        rounds = rng.choices(range(len(ours)), k=len(ours))
        below = statistics.median([theirs[number] for number in rounds])
        if below:
            resampled.append(statistics.median([ours[number] for number in rounds]) / below)
    resampled.sort()
    median = statistics.median(ours) / statistics.median(theirs)
    figures = {"median": median, "low": quantile(0.05, resampled), "high": quantile(0.95, resampled)}
    return {name: round(value, 4) for name, value in figures.items()}
