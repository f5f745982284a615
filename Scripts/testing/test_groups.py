"""Tests of the groups and jobs. A fake test program acts as the names of its tests say."""

import os
import pathlib
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import groups  # noqa: E402
import jobs  # noqa: E402

BUNDLE = '''#!/usr/bin/env python3
import json, os, re, signal, sys, time
words = sys.argv
patterns = [words[i + 1] for i, word in enumerate(words) if word == "--filter"]
with open(words[words.index("--event-stream-output-path") + 1], "w") as events:
    def tell(kind, name, symbol="default", **more):
        payload = {"kind": kind, "testID": f"{name}/File.swift:1:1", "instant": {"absolute": time.monotonic()},
                   "messages": [{"symbol": symbol, "text": "the\\u2028message"}], **more}
        print(json.dumps({"kind": "event", "payload": payload}, ensure_ascii=False), file=events, flush=True)
    status = 0
    for name in os.environ["TESTS"].split():
        if not any(re.search(pattern, name) for pattern in patterns):
            continue
        if "absent" in name:
            continue
        tell("testStarted", name)
        if "dies" in name:
            events.write('{"kind": "event", "pay')
            events.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        if "hangs" in name:
            time.sleep(1000)
        if "fails" in name:
            status = 1
            tell("issueRecorded", name, issue={"sourceLocation": {"fileID": "M/File.swift", "line": 7}})
        tell("testEnded", name, "fail" if "fails" in name else "pass")
if "ends" in os.environ["TESTS"]:
    os.kill(os.getpid(), signal.SIGSEGV)
sys.exit(status)
'''


class GroupTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        bundle = self.folder / "bundle"
        bundle.write_text(BUNDLE)
        bundle.chmod(bundle.stat().st_mode | stat.S_IXUSR)
        for name, value in {"BUNDLE": bundle, "SILENCE": -1, "PATIENCE": 0.5}.items():
            self.addCleanup(setattr, groups, name, getattr(groups, name))
            setattr(groups, name, value)

    def group(self, *names):
        names = [f"M.Suite/{name}()" for name in names]
        return groups.Group("M.Suite", names, self.folder, {"TESTS": " ".join(names)})

    def statuses(self, *names):
        group = self.group(*names)
        passed = group.run()
        self.assertEqual(passed, all(test.status == "passed" for test in group.tests.values()))
        return {name[8:-2]: test.status for name, test in group.tests.items()}, group

    def test_a_failure_has_its_place_and_message(self):
        statuses, group = self.statuses("first", "fails", "last")
        self.assertEqual(statuses, {"first": "passed", "fails": "failed", "last": "passed"})
        self.assertEqual(group.tests["M.Suite/fails()"].issues, ["M/File.swift:7: the\u2028message"])

    def test_a_process_that_dies_takes_one_test_along(self):
        statuses, group = self.statuses("fails", "dies", "second", "dies_too", "last")
        self.assertEqual(
            statuses, {"fails": "failed", "dies": "failed", "second": "passed", "dies_too": "failed", "last": "passed"})
        self.assertIn("SIGKILL", group.tests["M.Suite/dies()"].issues[0])

    def test_a_process_that_dies_at_its_end_takes_the_last_test_along(self):
        statuses, _ = self.statuses("first", "ends")
        self.assertEqual(statuses, {"first": "passed", "ends": "failed"})

    def test_a_process_that_reports_nothing_is_ended(self):
        statuses, _ = self.statuses("first", "hangs", "last")
        self.assertEqual(statuses, {"first": "passed", "hangs": "failed", "last": "passed"})

    def test_a_test_that_does_not_run_has_failed(self):
        statuses, _ = self.statuses("first", "absent")
        self.assertEqual(statuses, {"first": "passed", "absent": "failed"})


class JobTests(unittest.TestCase):
    def run_jobs(self, wanted, slots=2):
        ended = []
        jobs.run(wanted, slots, lambda job: ended.append(job.name))
        return ended

    def test_jobs_begin_after_those_that_they_need_and_by_rank(self):
        first = jobs.Job("first", lambda: True, slots=2)
        low = jobs.Job("low", lambda: True, [first], slots=2)
        high = jobs.Job("high", lambda: True, [first], slots=2, rank=1)
        self.assertEqual(self.run_jobs([low, high, first]), ["first", "high", "low"])

    def test_a_job_that_ends_brings_more(self):
        first, second = jobs.Job("first", lambda: True), jobs.Job("second", lambda: True)
        ended = []
        jobs.run([first], 1, lambda job: ended.append(job.name) or ([second] if job is first else None))
        self.assertEqual(ended, ["first", "second"])

    def test_a_job_after_one_that_failed_fails_without_a_run(self):
        first = jobs.Job("first", lambda: False)
        second = jobs.Job("second", self.fail, [first])
        third = jobs.Job("third", self.fail, [second])
        self.assertEqual(self.run_jobs([third, second, first]), ["first", "second", "third"])
        self.assertIs(third.passed, False)
        self.assertIsNone(third.began)


if __name__ == "__main__":
    unittest.main()
