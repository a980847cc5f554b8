"""The recorder's tests, and runs with many threads, under the thread and the address sanitizer.

    sanitized.py [--only thread|address]

Builds everything once for each of them, which takes minutes.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import recorder_package

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--only", choices=["thread", "address"])
OPTIONS = OPTIONS.parse_args()

# Leaks are no concern of these tests: what threads may still touch is never given back.
ENVIRONMENT = {**os.environ, "TSAN_OPTIONS": "halt_on_error=0 exitcode=66", "ASAN_OPTIONS": "detect_leaks=0"}
RUNS = [
    ["run", "whole", "--threads", "8", "--events", "20000", "--flushes", "--segment-bytes", "65536"],
    ["run", "signals", "--events", "20000", "--signals", "--segment-bytes", "1048576"],
    ["run", "fork", "--events", "2000", "--fork", "--segment-bytes", "1048576"],
    ["watch", "watched", "--threads", "4", "--events", "5000"],
]


def reports(text):
    return len(re.findall(r"^(?:WARNING: ThreadSanitizer|==\d+==ERROR: AddressSanitizer)", text, re.MULTILINE))


def check(name, result, quiet):
    text = result.stdout + result.stderr
    print(f"{name}: status {result.returncode}, {reports(text)} reports{quiet(text)}", flush=True)
    if result.returncode != 0 or reports(text):
        print(text[-6000:])
        return 1
    return 0


def tests(text):
    """How many tests ran."""
    counts = re.findall(r"Test run with (\d+) tests?|Executed (\d+) tests?", text)
    return f", {sum(max(int(a or 0), int(b or 0)) for a, b in counts)} tests" if counts else ""


def main():
    recorder_package.prepare()
    failures = 0
    for sanitizer in [OPTIONS.only] if OPTIONS.only else ["thread", "address"]:
        start = time.monotonic()
        built = recorder_package.swift("build", "--build-tests", sanitizer=sanitizer)
        if built.returncode != 0:
            sys.exit(built.stdout[-4000:] + built.stderr[-2000:])
        print(f"{sanitizer}: built [{time.monotonic() - start:.0f} s]", flush=True)
        result = recorder_package.swift("test", "--skip-build", sanitizer=sanitizer, env=ENVIRONMENT)
        failures += check(f"{sanitizer}: the recorder's tests", result, tests)
        program = os.path.join(
            recorder_package.swift("build", "--show-bin-path", sanitizer=sanitizer).stdout.strip(), "recorder")
        with tempfile.TemporaryDirectory() as folder:
            for command, place, *options in RUNS:
                result = subprocess.run(
                    [program, "recorder", command, os.path.join(folder, place), *options], env=ENVIRONMENT,
                    capture_output=True, text=True)
                failures += check(f"{sanitizer}: {command} {place}", result, lambda _: "")
    sys.exit(1 if failures else 0)


main()
