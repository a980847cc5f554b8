"""What `check` costs: peak memory and allocations, which must not follow the length of a trace."""

import os
import re
import subprocess
import sys
import tempfile

from executable import ROOT, TOOL, release_build

MEMORY_KIB_MAX = 64 * 1024
# Blocks, state changes and findings allocate; events don't.
ALLOCATIONS_PER_EVENT_MAX = 0.01
# A pipe is read without an index; few rules, as only its length matters.
PIPED_TIMES = 10
PIPED_RULES = "LC001,LC002,LC003,LC004"


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, **options).stdout


def piped_peak(tracecheck, content, times):
    """The peak of a check of a trace that comes several times through a pipe, and its events."""
    process = subprocess.Popen(
        ["/usr/bin/time", "-f", "%M", tracecheck, "check", "--config", "none", "--fail-on", "never",
         "--only", PIPED_RULES, "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for _ in range(times):
        process.stdin.write(content)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return int(err.split()[-1]), int(re.search(rb"(\d+) events", out)[1])


def main():
    tracecheck, tracedev = TOOL, release_build("tracedev")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        counter = os.path.join(folder, "allocations.so")
        source = ROOT / "Tests/IntegrationTests/allocations.c"
        output("gcc", "-O2", "-shared", "-fPIC", "-o", counter, str(source))
        counts = {}
        for events in (100_000, 1_000_000):
            text = os.path.join(folder, f"{events}.ndjson")
            binary = os.path.join(folder, f"{events}.lctrace")
            with open(text, "wb") as file:
                subprocess.run([tracedev, "workload", str(events)], check=True, stdout=file)
            output(tracecheck, "convert", text, "-o", binary)
            for path in (text, binary):
                result = subprocess.run(
                    ["/usr/bin/time", "-v", tracecheck, "check", "--fail-on", "never", path],
                    check=True, capture_output=True, text=True)
                peak = int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", result.stderr)[1])
                user = re.search(r"User time \(seconds\): ([\d.]+)", result.stderr)[1]
                ok = peak <= MEMORY_KIB_MAX
                failures += not ok
                print(f"{os.path.basename(path)}: peak {peak} KiB, user {user} s"
                      + ("" if ok else f": more than {MEMORY_KIB_MAX} KiB"))
            report = os.path.join(folder, "count")
            subprocess.run(
                [tracecheck, "check", "--fail-on", "never", binary], check=True,
                capture_output=True,
                env={**os.environ, "LD_PRELOAD": counter, "ALLOCATIONS_FILE": report})
            with open(report) as file:
                counts[events] = int(file.read())
            print(f"{events} events: {counts[events]} allocations")
        with open(binary, "rb") as file:
            content = file.read()
        once, events = piped_peak(tracecheck, content, 1)
        often, all_events = piped_peak(tracecheck, content, PIPED_TIMES)
        ok = often <= MEMORY_KIB_MAX and all_events == PIPED_TIMES * events
        failures += not ok
        print(f"piped: {events} events {once} KiB, {all_events} events {often} KiB")
        extra = (counts[1_000_000] - counts[100_000]) / 900_000
        ok = extra <= ALLOCATIONS_PER_EVENT_MAX
        failures += not ok
        print(f"{extra:.5f} allocations per further event"
              + ("" if ok else f": more than {ALLOCATIONS_PER_EVENT_MAX}"))
    print(f"{6 - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


main()
