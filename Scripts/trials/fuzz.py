"""Fuzzes the parsers of untrusted bytes with libFuzzer and AddressSanitizer. The targets, listed in
Tests/Fuzz/FuzzTarget.swift, are built once and run one after the other.

Inputs that fail are written to .build-fuzz/finds. Add them to Tests/Fuzz/Corpus/TARGET under a descriptive name, and
the tests will replay them.
"""

import argparse
import os
import re
import subprocess
import sys

from trials import ROOT, positive

CORPUS = ROOT / "Tests/Fuzz/Corpus"
SCRATCH = ROOT / ".build-fuzz"
FINDS = SCRATCH / "finds"


def add_options(parser):
    targets = sorted(path.name for path in CORPUS.iterdir() if path.is_dir())
    parser.add_argument(
        "targets", nargs="*", type=one_of(targets), default=targets, metavar="TARGET",
        help="a name of Tests/Fuzz/FuzzTarget.swift (default: all targets)")
    parser.add_argument(
        "--seconds", type=positive, default=60, metavar="N", help="seconds to run each target (default: 60)")
    parser.add_argument(
        "--length", type=positive, default=4096, metavar="N",
        help="maximum length of an input in bytes (default: 4096)")


def one_of(targets):
    def target(text):
        if text not in targets:
            raise argparse.ArgumentTypeError(f"unknown target {text}; the targets are: {', '.join(targets)}")
        return text
    return target


def run(options):
    FINDS.mkdir(parents=True, exist_ok=True)
    return 0 if all([passes(target, options) for target in options.targets]) else 1


def passes(target, options):
    """Fuzzes a target, prints a line, and returns true if no input failed."""
    print(f"{target:<14} ", end="", flush=True)
    corpus = SCRATCH / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    # LeakSanitizer does not recognize references that Swift stores with a tag in their high bits. The backtrace of the
    # Swift runtime would wait for a process that libFuzzer has already ended.
    settings = {"XPB_FUZZ_TARGET": target, "ASAN_OPTIONS": "detect_leaks=0", "SWIFT_BACKTRACE": "enable=no"}
    log = SCRATCH / f"{target}.log"
    with open(log, "wb") as output:
        status = subprocess.run(
            [SCRATCH / "release/Fuzz", f"-max_total_time={options.seconds}", f"-max_len={options.length}",
             "-timeout=10", "-rss_limit_mb=1024", "-use_value_profile=1", f"-artifact_prefix={FINDS / target}-", corpus,
             CORPUS / target],
            env=os.environ | settings, stdout=output, stderr=subprocess.STDOUT).returncode
    text = log.read_text(errors="replace")
    if status == 0:
        inputs, edges = last(r"^Done ([0-9]+) runs", text), last(r" cov: ([0-9]+) ", text)
        print(f"{inputs} inputs, {edges} edges reached", flush=True)
        return True
    print(f"failed, input: {last(r'Test unit written to (.*)', text)}", flush=True)
    reasons = [line for line in text.splitlines() if re.search("Fatal error|ERROR:|BrokenInvariant", line)]
    print(*(line[:300] for line in reasons[:3]), sep="\n", file=sys.stderr)
    return False


def last(pattern, text):
    """Returns the text of the group in the pattern's last match; empty if there is no match."""
    return "".join(re.findall(pattern, text, re.MULTILINE)[-1:])
