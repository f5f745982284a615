"""The output of a run: a line for each part that ends, and at the end a summary."""

import collections

SLOWEST = 20
# The lines of a failed part's log that are shown.
TAIL = 40


def say(text):
    print(text, flush=True)


def ended(job, clock):
    """Prints that a job has ended."""
    if job.began is None:
        say(f"{clock}  not run   {job.name}")
    else:
        say(f"{clock}  {'passed' if job.passed else 'FAILED':8}  {job.name} ({job.seconds:.1f} s)")


def matrix(groups):
    """Prints the matrix that PeerTests writes to standard output, between lines about its tests."""
    for group in groups:
        # Without release binaries, these tests are not run.
        if group.name.startswith("PeerTests.") and group.log.exists():
            lines = group.log.read_text(errors="replace").splitlines()
            rows = [line for line in lines if line.strip() and line[0] not in "◇✔✘↳􀟈"]
            say("\n".join(["", *rows]) if rows else "")


def failures(parts, groups):
    """Prints the failed parts and tests, with the reasons."""
    for part in parts:
        if part.passed is False and part.began is not None:
            say(f"\n{part.name} failed; the end of {part.log}:")
            for line in part.log.read_text(errors="replace").splitlines()[-TAIL:]:
                say("    " + line[:1000])
    for group in groups:
        for test in group.with_status("failed"):
            say(f"\n{test.name}\n  “{test.title}” failed after {test.seconds:.1f} s; the log is {group.log}")
            for issue in test.issues or ["no reason was reported"]:
                say("    " + issue[:8000].replace("\n", "\n    "))


def slowest(groups):
    tests = sorted((test for group in groups for test in group.tests.values()), key=lambda test: -test.seconds)
    say(f"\nThe {min(SLOWEST, len(tests))} slowest tests:")
    for test in tests[:SLOWEST]:
        say(f"  {test.seconds:6.1f} s  {test.name}")


def times(jobs, start):
    """Prints when each part began and how long the part took, in seconds."""
    say("\nParts, with their start in seconds and their duration:")
    for job in sorted((job for job in jobs if job.began), key=lambda job: job.began):
        say(f"  {job.began - start:6.0f}  {job.seconds:6.1f} s  {job.name}")


def repeated(counts, runs):
    """Prints how often each test failed in several runs."""
    say(f"\n{runs} runs; " + ("failed tests:" if counts else "no test failed"))
    for name, count in counts.most_common():
        say(f"  {count} of {runs}: {name}")


def summary(groups):
    """Prints the numbers of passed, failed and skipped tests as the last line. A test that did not run has not
    passed."""
    found = collections.Counter(test.status for group in groups for test in group.tests.values())
    skipped = f", {found['skipped']} skipped" if found["skipped"] else ""
    say(f"\n{found['passed']} passed, {found['failed'] + found['missing']} failed{skipped}")
