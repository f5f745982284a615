"""Runs jobs that depend on each other, several at a time."""

import concurrent.futures
import time


class Job:
    """A part of a run. It starts after other jobs have passed, occupies a number of slots, and passes or fails."""

    def __init__(self, name, work, after=(), slots=1, rank=0):
        """`work` is called without arguments and returns true if the job passed. Of the jobs that can start, the job
        with the highest rank starts first."""
        self.name = name
        self.work = work
        self.after = tuple(after)
        self.slots = slots
        self.rank = rank
        self.passed = None
        self.began = None
        self.seconds = 0

    def is_ready(self):
        return all(job.passed for job in self.after)

    def is_futile(self):
        return any(job.passed is False for job in self.after)

    def run(self):
        self.began = time.monotonic()
        try:
            return self.work()
        finally:
            self.seconds = time.monotonic() - self.began


def run(jobs, slots, ended):
    """Runs the jobs with at most this many slots occupied. `ended` is called with each job, and may return more jobs. A
    job that follows a failed job fails without being run."""
    waiting = list(jobs)
    running = {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=slots) as pool:
        while waiting or running:
            waiting.sort(key=lambda job: -job.rank)
            for job in [job for job in waiting if job.is_futile()]:
                waiting.remove(job)
                job.passed = False
                waiting += ended(job) or []
            for job in startable(waiting, slots - sum(job.slots for job in running.values())):
                waiting.remove(job)
                running[pool.submit(job.run)] = job
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                job = running.pop(future)
                job.passed = future.result()
                waiting += ended(job) or []


def startable(waiting, free):
    """Yields the jobs that can start now. A job that needs more slots than are free waits, and other jobs may overtake
    it."""
    for job in list(waiting):
        if job.is_ready() and job.slots <= free:
            free -= job.slots
            yield job
