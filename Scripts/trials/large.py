"""Runs the tests that take minutes and gigabytes: transfers of 64 MiB and 1 GiB in both directions, and a minute of
idling. The tests need about 8 GiB of memory and 3 GiB of disk in /tmp.
"""

import os
import subprocess

from trials import ROOT


def run(options):
    command = "swift test --skip-build --disable-xctest --filter BytesTests|IdleTests"
    return subprocess.run(command.split(), cwd=ROOT, env=os.environ | {"XPB_LARGE": "1"}).returncode
