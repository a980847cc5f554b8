"""Traces made to hurt: each has a few thousand things open, and events that concern them all."""

import os
import re
import subprocess
import sys
import tempfile

from executable import TOOL

SECONDS_MAX = 10
MEMORY_KIB_MAX = 64 * 1024
# Each clause remembers what opened up to 16,384 things at once, and several clauses follow these.
OPEN_MEMORY_KIB_MAX = 128 * 1024
HEADER = """timeline 1
header os_version=8.1 sdk_linked=8.1 background_modes=["audio"] coverage=["*"]
0s      trace.start reason=launch
1ms     proc.start into=foreground reason=user_icon
120ms   delegate.did_finish_launching for 30ms
450ms   delegate.did_become_active for 2ms
"""


def at(nanoseconds, *lines):
    return "".join(f"{nanoseconds + place}ns {line}\n" for place, line in enumerate(lines))


def notifications_beyond_the_limit():
    yield from (at(10**9 + n * 10, f'localnote.schedule id="{n}"') for n in range(16_000))
    yield from (
        at(2 * 10**9 + n * 10, "localnote.cancel id=x", "localnote.schedule id=x")
        for n in range(30_000))


def saves_that_never_end():
    yield from (at(10**9 + n * 10, f">work.span class=save id={n}") for n in range(12_000))
    yield from (
        at(2 * 10**9 + n * 10**9,
           "delegate.will_resign_active for 1ns", ">delegate.did_enter_background",
           "<delegate.did_enter_background", "delegate.will_enter_foreground for 1ns",
           "delegate.did_become_active for 1ns")
        for n in range(300))


def losses_among_many_notifications():
    yield from (at(10**9 + n * 10, f'localnote.schedule id="{n}"') for n in range(16_000))
    yield from (at(2 * 10**9 + n * 10, "trace.lost count=1") for n in range(20_000))


def losses_after_every_span():
    yield from (
        f"{n}ms @{n % 50} >data.save\n{n}ms trace.lost\n" for n in range(500, 30_000))


def spans_lost_in_the_background():
    yield at(2 * 10**9, "audio.play op=start stream=1 audible=true",
             "delegate.will_resign_active for 1ns", "delegate.did_enter_background for 1ns")
    yield from (
        at(3 * 10**9 + n * 10, "@5 >work.span class=housekeeping", "trace.lost")
        for n in range(200_000))


def spans_that_cross_in_the_background():
    yield at(2 * 10**9, "audio.play op=start stream=1 audible=true",
             "delegate.will_resign_active for 1ns", "delegate.did_enter_background for 1ns")
    yield from (
        at(3 * 10**9 + n * 10, "@5 >data.save store=s", "@5 >work.span class=housekeeping",
           "@5 <data.save", "@5 <work.span class=housekeeping")
        for n in range(100_000))


def locks_while_a_suspension_waits():
    yield from (at(10**9 + n * 10, f"file.lock op=acquire lock={n} container=app_group") for n in range(16_000))
    yield at(2 * 10**9, "delegate.will_resign_active for 1ns",
             "delegate.did_enter_background for 1ns", "proc.suspend inferred=true")
    yield from (
        at(3 * 10**9 + n * 10, "file.lock op=acquire lock=-1 container=app_group",
           "file.lock op=release lock=-1")
        for n in range(40_000))


def tasks_whose_times_go_back():
    for start in (9, 1):
        yield from (
            at(start * 10**9 + n * 10, f"bgtask.begin token={start * 10**6 + n}")
            for n in range(20_000))


HOSTILE = [
    (tasks_whose_times_go_back, [], OPEN_MEMORY_KIB_MAX),
    (notifications_beyond_the_limit, []),
    (saves_that_never_end, []),
    (losses_among_many_notifications, []),
    (losses_after_every_span, []),
    (spans_lost_in_the_background, ["--only", "LC603"]),
    (spans_that_cross_in_the_background, ["--only", "LC603"]),
    (locks_while_a_suspension_waits, [], OPEN_MEMORY_KIB_MAX),
]


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for lines, options, *memory in HOSTILE:
            memory_kib_max = memory[0] if memory else MEMORY_KIB_MAX
            path = os.path.join(folder, f"{lines.__name__}.timeline")
            with open(path, "w") as file:
                file.write(HEADER)
                file.writelines(lines())
            result = subprocess.run(
                ["/usr/bin/time", "-v", TOOL, "check", "--config", "none", "--fail-on",
                 "never", path, *options],
                capture_output=True, text=True)
            user = float(re.search(r"User time \(seconds\): ([\d.]+)", result.stderr)[1])
            peak = int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", result.stderr)[1])
            ok = result.returncode == 0 and user <= SECONDS_MAX and peak <= memory_kib_max
            failures += not ok
            print(f"{lines.__name__.replace('_', ' ')}: user {user} s, peak {peak} KiB"
                  + ("" if ok else f": failed (status {result.returncode}, limits {SECONDS_MAX} s"
                                   f" and {memory_kib_max} KiB)"))
    print(f"{len(HOSTILE) - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


main()
