"""Runs the tests of the package in groups, each group in its own process.

The tests of a group run one after another. So a test that examines its process sees no other test, a process that dies
fails only the running test, and as many groups run at once as there are slots.
"""

import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import processes

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUNDLE = ROOT / ".build/debug/xpbPackageTests.xctest"
DIST = ROOT / ".build/dist"
# The modules whose tests run xpb and xpbd. In a full run, these programs are the release binaries.
PROGRAM_MODULES = {"ConformanceTests", "IntegrationTests", "PeerTests"}
# The modules whose suites are groups, since their tests take a minute or more. Each of the other modules is one group,
# since starting a test process takes 0.4 seconds.
SPLIT_MODULES = PROGRAM_MODULES | {"PasteboardTests", "RichTextTests", "XPBCommandTests"}
# A test process that reports nothing for this number of seconds is killed. No test may take as long, so such a process
# has not reacted to its test's time limit.
SILENCE = 15 * 60
# The seconds between two checks for silence.
PATIENCE = 60


class Test:
    """The result of one test."""

    def __init__(self, name):
        self.name = name
        self.title = name
        self.status = "missing"
        self.seconds = 0
        self.issues = []
        self.began = None


class Group:
    """Tests that one process runs, and their results."""

    def __init__(self, name, names, logs, environment):
        self.name = name
        self.tests = {name: Test(name) for name in names}
        self.logs = logs
        self.environment = environment

    @property
    def log(self):
        return self.logs / (self.name.replace("/", ".") + ".log")

    def run(self):
        """Runs the tests, and returns true if all of them passed."""
        self.log.write_bytes(b"")
        before = None
        # After the death of a process, another process runs the tests that had not begun.
        while (waiting := self.with_status("missing")) and len(waiting) != before:
            before = len(waiting)
            status = Process(self, waiting).run()
            # A process that ran to completion exits with 1 if a test has failed, otherwise with 0.
            if status != (1 if any(test.status == "failed" for test in waiting) else 0):
                self.blame(waiting, status)
        for test in self.with_status("missing"):
            test.status = "failed"
            test.issues.append(f"the test did not run; see {self.log}")
        return not self.with_status("failed")

    def blame(self, tests, status):
        """Reports the death of a process as a failure of the test that was running, or of the last test."""
        running = self.with_status("running") or [max(tests, key=lambda test: test.began or 0)]
        for test in running:
            test.status = "failed"
            test.issues.append(f"the process of the tests {describe(status)} during this test; see {self.log}")

    def with_status(self, status):
        return [test for test in self.tests.values() if test.status == status]


class Process:
    """A process that runs tests of a group."""

    def __init__(self, group, tests):
        self.group = group
        self.tests = tests
        self.events = group.log.with_suffix(".events")

    def run(self):
        """Runs the tests until the process exits, reads their events, and returns the exit status."""
        command = [BUNDLE, "--testing-library", "swift-testing", "--no-parallel", "--event-stream-version", "0",
                   "--event-stream-output-path", self.events]
        if len(self.tests) == len(self.group.tests):
            command += ["--filter", f"^{re.escape(self.group.name)}[./]"]
        else:
            command += [word for test in self.tests for word in ("--filter", f"^{re.escape(test.name)}(/|$)")]
        self.events.write_bytes(b"")
        with open(self.group.log, "ab") as log:
            process = processes.start(
                command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT,
                env={**os.environ, **self.group.environment})
        try:
            return self.wait(process)
        finally:
            processes.end(process)
            self.read()

    def wait(self, process):
        """Waits for the process to exit. If the process reports nothing for too long, aborts it, which prints a
        backtrace."""
        while True:
            try:
                return process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                if time.time() - self.events.stat().st_mtime > SILENCE:
                    process.send_signal(signal.SIGABRT)

    def read(self):
        # The last piece, after the last newline, is empty or an incomplete line of a process that died.
        for line in self.events.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]:
            record = json.loads(line)
            payload = record["payload"]
            if record["kind"] == "event":
                self.take(payload)
            elif test := self.test(payload["id"]):
                test.title = payload.get("displayName", payload["name"])
        self.events.unlink()

    def take(self, event):
        test = self.test(event.get("testID", ""))
        if test is None:
            return
        kind, messages, now = event["kind"], event["messages"], event["instant"]["absolute"]
        if kind == "testStarted":
            test.status, test.began = "running", now
        elif kind == "testSkipped":
            test.status = "skipped"
        elif kind == "issueRecorded" and not event["issue"].get("isKnown"):
            place = event["issue"].get("sourceLocation") or {}
            where = f"{place.get('fileID', '')}:{place.get('line', '')}: " if place else ""
            test.issues.append(where + "\n".join(message["text"] for message in messages))
        elif kind == "testEnded":
            failed = test.issues or any(message["symbol"] == "fail" for message in messages)
            test.status = "failed" if failed else "passed"
            test.seconds = now - test.began

    def test(self, identifier):
        """Returns the test with an id of the event stream."""
        return self.group.tests.get(without_place(identifier))


def describe(status):
    return f"was killed by {signal.Signals(-status).name}" if status < 0 else f"exited with status {status}"


def without_place(identifier):
    """Returns a test's name without its place in the source. Events have the place; lists have it if another module has
    a test of the same name in a file of the same name."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", identifier)


def listed(pattern):
    """Returns the names of the tests that match a pattern."""
    output = subprocess.run(
        [BUNDLE, "--testing-library", "swift-testing", "--list-tests"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
        text=True).stdout
    names = [without_place(line.strip()) for line in output.splitlines() if re.match(r"\w+\.\S", line)]
    return [name for name in names if re.search(pattern, name)]


def grouped(names):
    """Returns the names of tests, by the name of their group."""
    groups = collections.defaultdict(list)
    for name in names:
        module = name.split(".")[0]
        groups[name.rsplit("/", 1)[0] if module in SPLIT_MODULES and "/" in name else module].append(name)
    return groups
