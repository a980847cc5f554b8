"""Logs of others from outside: how much memory and time they take, and what a pipe is told.

    importing.py [PATH OF TRACECHECK] [--all | --throughput]

--all makes the hostile inputs of all formats, --throughput reads a gigabyte nine times.
"""

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import capture_texts as texts
from executable import TOOL

MEMORY_KIB_MAX = 64 * 1024
# An idle machine takes at most two.
SECONDS_MAX = 4
# Lines of a prefix, lines that are JSON, and rows that hold a line: the others are like these.
SOME_LOGS = ("idevicesyslog", "log-json", "appium")
HOSTILE_BYTES = 10_000_000
DAY_LINES = 8_640_000
# What a machine with other work reaches; an idle one passes more than twice as much.
MEGABYTES_PER_SECOND_MIN = 100
LIVE_PATTERNS = """\
tracecheck: 1
capture_patterns:
  - {message: enters the background, event: delegate.did_enter_background, phase: enter, covers: true}
  - {message: is in the background, event: delegate.did_enter_background, phase: return}
"""
failures = []


def expect(condition, text):
    print(("" if condition else "FAILED: ") + text, flush=True)
    if not condition:
        failures.append(text)


def check(*arguments, stdin=None):
    result = subprocess.run(
        ["/usr/bin/time", "-v", TOOL, "check", "--config", "none", "--fail-on", "never",
         *arguments], capture_output=True, text=True, stdin=stdin)
    user = float(re.search(r"User time \(seconds\): ([\d.]+)", result.stderr)[1])
    system = float(re.search(r"System time \(seconds\): ([\d.]+)", result.stderr)[1])
    peak = int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", result.stderr)[1])
    return result, user + system, peak


def plain(report):
    """A JSON report without what differs from call to call."""
    report = json.loads(report)
    for trace in report["traces"]:
        trace["path"] = ""
        for finding in trace["findings"]:
            for event in finding["witness"]:
                event["source"] = event["source"] and event["source"]["line"]
    return report


def hostile_inputs(folder, formats):
    inputs = [(name, text, made) for name in formats
              for text, made in texts.hostile_logs(name, HOSTILE_BYTES)]
    inputs += [(name, text, made) for text, name, made in texts.hostile_reports(HOSTILE_BYTES)]
    worst = (0, "", 0, "")
    for name, text, made in inputs:
        path = os.path.join(folder, "hostile")
        with open(path, "w") as file:
            file.write(made)
        result, seconds, peak = check("--from", name, path, "--report", "json")
        ok = (result.returncode in (0, 1, 3) and seconds <= SECONDS_MAX
              and peak <= MEMORY_KIB_MAX)
        if not ok:
            expect(False, f"{name}, {text}: status {result.returncode}, {seconds:.2f} s, {peak} KiB")
        worst = (max(worst[0], seconds), f"{name}, {text}" if seconds > worst[0] else worst[1],
                 max(worst[2], peak), f"{name}, {text}" if peak > worst[2] else worst[3])
    print(f"{len(inputs)} hostile inputs of 10 MB: at most {worst[0]:.2f} s ({worst[1]})"
          f" and {worst[2]} KiB ({worst[3]})")


def day(folder):
    """A day of a device at a hundred lines a second, through a pipe, and its record."""
    path = os.path.join(folder, "day.log")
    texts.write(path, texts.device_log(DAY_LINES, relevant_every=100))
    record = os.path.join(folder, "day.lctrace")
    cat = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
    result, seconds, peak = check("-", "--record", record, "--report", "json", stdin=cat.stdout)
    cat.wait()
    report = plain(result.stdout)
    events = report["summary"]["events"]
    expect(peak <= MEMORY_KIB_MAX, f"a day through a pipe with a record: {peak} KiB, {seconds:.1f} s"
           f", {events} events")
    expect(events == DAY_LINES // 100 + 1, "every life-cycle line of the day is an event")
    from_file, seconds, peak = check(path, "--report", "json")
    expect(plain(from_file.stdout) == report, f"a file says the same ({seconds:.1f} s, {peak} KiB)")
    recorded, _, peak = check(record, "--report", "json")
    expect(json.loads(recorded.stdout)["summary"]["events"] == events,
           f"the record holds as many events ({peak} KiB)")
    os.remove(path)


def late_finding(folder):
    """What stands at the end of more facts than were once read."""
    path = os.path.join(folder, "late.log")
    with open(path, "w") as file:
        for n in range(150_000):
            file.write(texts.device(n // 10, "Notes", 412, texts.created(n + 1)))
            file.write(texts.device(n // 10, "Notes", 412, texts.end(n + 1)))
        file.write(texts.device(15_001, "Notes", 412,
                                   "Can't end BackgroundTask: no background task exists with"
                                   " identifier 3 (0x3), or it may have already been ended."))
    result, seconds, peak = check(path, "--report", "json")
    trace = json.loads(result.stdout)["traces"][0]
    expect([f["rule"] for f in trace["findings"]] == ["LC001"] and trace["events"] == 300_002,
           f"300,001 facts are all read, the last one too ({seconds:.2f} s, {peak} KiB)")


def open_tasks(folder):
    path = os.path.join(folder, "open.log")
    with open(path, "w") as file:
        for n in range(40_000):
            file.write(texts.device(n // 100, "Notes", 412, texts.created(n + 1)))
    _, seconds, peak = check(path)
    expect(peak <= MEMORY_KIB_MAX, f"40,000 open tasks: {peak} KiB, {seconds:.2f} s")


def live(folder):
    """A finding is printed while the log goes on, and an interrupt ends the input."""
    configuration = os.path.join(folder, "live.yml")
    with open(configuration, "w") as file:
        file.write(LIVE_PATTERNS)
    process = subprocess.Popen(
        [TOOL, "check", "-", "--config", configuration, "--from", "idevicesyslog"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write(texts.device(0, "Notes", 412, "enters the background"))
    process.stdin.write(texts.device(7, "Notes", 412, "is in the background"))
    process.stdin.write(texts.device(8, "Mail", 500, texts.created(1)))
    process.stdin.flush()
    start = time.monotonic()
    first = process.stdout.readline()
    elapsed = time.monotonic() - start
    expect("LC003" in first and process.poll() is None and elapsed < 3,
           f"a finding is printed {elapsed:.1f} s after its line, while the pipe is open")
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    process.stdin.close()
    status = process.wait(timeout=20)
    expect(status in (0, 1) and "2 traces, 5 events" in rest and "LC003" not in rest.split("\n")[0],
           "an interrupt ends the input with a summary")


def throughput(folder, mebibytes, runs):
    path = os.path.join(folder, "gigabyte.log")
    lines = mebibytes * 1024 * 1024 // 122
    texts.write(path, texts.device_log(lines // 10_000 * 10_000))
    size = os.path.getsize(path)
    ours, theirs = [], []
    for _ in range(runs):
        result, seconds, peak = check(path)
        assert result.returncode == 0, result.stderr
        ours.append(seconds)
        before = os.times()
        subprocess.run(["grep", "-c", "Created background task", path], capture_output=True,
                       env={**os.environ, "LC_ALL": "C"})
        after = os.times()
        theirs.append(after.children_user - before.children_user
                      + after.children_system - before.children_system)
    mine, other = statistics.median(ours), statistics.median(theirs)
    expect(size / mine / 1e6 >= MEGABYTES_PER_SECOND_MIN,
           f"{size / 1e6:.0f} MB, one line in 10,000 relevant: {mine:.2f} s CPU,"
           f" {size / mine / 1e6:.0f} MB/s; grep -c {other:.2f} s, ratio {mine / other:.2f}"
           f" (medians of {runs}), {peak} KiB")
    os.remove(path)


def main():
    with tempfile.TemporaryDirectory() as folder:
        if "--throughput" in sys.argv:
            throughput(folder, 1024, 9)
        else:
            live(folder)
            open_tasks(folder)
            late_finding(folder)
            hostile_inputs(folder, texts.LOGS if "--all" in sys.argv else SOME_LOGS)
            throughput(folder, 200, 3)
            day(folder)
    print(f"{len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
