"""What `check` costs: peak memory and allocations, which must not follow the length of a trace.

Usage: resources.py [PATH-OF-TRACECHECK] [--store]; without a path the release build is used.
Allocations of a million further events are compared with allocations.json, by version of Swift;
--store writes what was counted there, with a little room, and fails nothing for it.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

from executable import ROOT, TOOL, beside

MEMORY_KIB_MAX = 64 * 1024
# Blocks, state changes and findings allocate; events don't. For versions of Swift without limits.
ALLOCATIONS_PER_MILLION_MAX = 10_000
LIMITS = ROOT / "Tests/IntegrationTests/allocations.json"
EVENTS = (100_000, 1_000_000)
RECORDED = (1_000, 401_000)
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


def swift_version():
    """As limits name it: 6.3 of `Swift version 6.3.1`."""
    text = output("swift", "--version", text=True)
    return ".".join(re.search(r"Swift version (\d+)\.(\d+)", text).groups())


def allocations(command, counter, folder):
    """How often a run asks for memory."""
    report = os.path.join(folder, "count")
    output(*command, env={**os.environ, "LD_PRELOAD": counter, "ALLOCATIONS_FILE": report})
    with open(report) as file:
        return int(file.read())


def judge_allocations(counted, stores):
    """Compares allocations per million further events with the limits, and tells what failed."""
    version = swift_version()
    limits = json.loads(LIMITS.read_text()) if LIMITS.exists() else {}
    if stores:
        # A little room: single allocations are those of threads beside the events.
        limits[version] = {name: math.ceil(count * 1.1 + 10) for name, count in counted.items()}
        LIMITS.write_text(json.dumps(limits, indent=2, sort_keys=True) + "\n")
    own = limits.get(version)
    if own is None:
        print(f"no limits for Swift {version}: resources.py --store counts them")
        own = {}
    failures = 0
    for name, count in counted.items():
        limit = own.get(name, ALLOCATIONS_PER_MILLION_MAX)
        ok = count <= limit
        failures += not ok
        print(f"{name}: {count:.0f} allocations per million further events"
              + (f" (at most {limit})" if ok else f": more than {limit}"))
    return failures


def main():
    tracecheck, tracedev = TOOL, beside("tracedev")
    stores = "--store" in sys.argv
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        counter = os.path.join(folder, "allocations.so")
        source = ROOT / "Tests/IntegrationTests/allocations.c"
        output("gcc", "-O2", "-shared", "-fPIC", "-o", counter, str(source))
        counts = {"decode": [], "check": [], "record": []}
        for events in EVENTS:
            text = os.path.join(folder, f"{events}.ndjson")
            binary = os.path.join(folder, f"{events}.lctrace")
            with open(text, "wb") as file:
                subprocess.run([tracedev, "workload", str(events)], check=True, stdout=file)
            output(tracecheck, "convert", "--config", "none", text, "-o", binary)
            for path in (text, binary):
                result = subprocess.run(
                    ["/usr/bin/time", "-v", tracecheck, "check", "--config", "none", "--fail-on",
                     "never", path],
                    check=True, capture_output=True, text=True)
                peak = int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", result.stderr)[1])
                user = re.search(r"User time \(seconds\): ([\d.]+)", result.stderr)[1]
                ok = peak <= MEMORY_KIB_MAX
                failures += not ok
                print(f"{os.path.basename(path)}: peak {peak} KiB, user {user} s"
                      + ("" if ok else f": more than {MEMORY_KIB_MAX} KiB"))
            counts["check"].append(allocations(
                [tracecheck, "check", "--config", "none", "--jobs", "1", "--fail-on", "never",
                 binary], counter, folder))
            counts["decode"].append(allocations([tracedev, "decode", binary], counter, folder))
        for events in RECORDED:
            place = os.path.join(folder, f"recorded-{events}")
            counts["record"].append(allocations(
                [tracedev, "recorder", "measure", place, "--bare", "--exits", "--events",
                 str(events)], counter, folder))
        with open(binary, "rb") as file:
            content = file.read()
        once, events = piped_peak(tracecheck, content, 1)
        often, all_events = piped_peak(tracecheck, content, PIPED_TIMES)
        ok = often <= MEMORY_KIB_MAX and all_events == PIPED_TIMES * events
        failures += not ok
        print(f"piped: {events} events {once} KiB, {all_events} events {often} KiB")
        further = {"record": RECORDED[1] - RECORDED[0]}
        failures += judge_allocations({
            name: max(0, many - few) / further.get(name, EVENTS[1] - EVENTS[0]) * 1e6
            for name, (few, many) in counts.items()}, stores)
    print(f"{8 - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


main()
