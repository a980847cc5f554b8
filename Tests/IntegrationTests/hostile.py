"""Traces made to hurt: each has a few thousand things open, and events that concern them all."""

import json
import os
import re
import subprocess
import sys
import tempfile

from executable import TOOL

SECONDS_MAX = 10
# What a hundred thousand violations that one finding counts may take beside the events themselves.
REPETITION_SECONDS_MAX = 1
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


def callbacks_in_turn_inside_another():
    """Whether each is nested in the outer one is known only far behind, but just near enough."""
    for start in range(10**9, 7 * 10**9, 10**9):
        yield at(start, ">delegate.did_receive_remote_notification completion_id=1")
        yield from (
            at(start + 10 + n * 10, ">delegate.handle_url_session completion_id=2", "ui.touch",
               "<delegate.handle_url_session", "ui.touch")
            for n in range(16_000))
        yield at(start + 10**8, "<delegate.did_receive_remote_notification")


def notifications_without_identifiers():
    yield from (at(10**9 + n * 10, "localnote.schedule") for n in range(300_000))
    yield from (at(2 * 10**9 + n * 10, "localnote.cancel") for n in range(100_000))


def touches_while_active():
    yield from (at(2 * 10**9 + n * 10, "ui.touch") for n in range(100_000))


def touches_behind_an_alert():
    yield at(10**9, "delegate.will_resign_active for 1ns")
    yield from (at(2 * 10**9 + n * 10, "ui.touch") for n in range(100_000))


HOSTILE = [
    (tasks_whose_times_go_back, [], OPEN_MEMORY_KIB_MAX),
    (notifications_beyond_the_limit, []),
    (saves_that_never_end, []),
    (losses_among_many_notifications, []),
    (losses_after_every_span, []),
    (spans_lost_in_the_background, ["--only", "LC603"]),
    (spans_that_cross_in_the_background, ["--only", "LC603"]),
    (locks_while_a_suspension_waits, [], OPEN_MEMORY_KIB_MAX),
    (callbacks_in_turn_inside_another, []),
    (notifications_without_identifiers, []),
]


# A trace whose violations repeat, the same without them, and the rule that counts them.
REPEATED = [(touches_behind_an_alert, touches_while_active, "LC509")]


def check(folder, lines, options):
    """The status, user time in seconds, peak of memory in KiB and report of a check."""
    path = os.path.join(folder, f"{lines.__name__}.timeline")
    with open(path, "w") as file:
        file.write(HEADER)
        file.writelines(lines())
    result = subprocess.run(
        ["/usr/bin/time", "-v", TOOL, "check", "--config", "none", "--fail-on", "never", path,
         *options],
        capture_output=True, text=True)
    user = float(re.search(r"User time \(seconds\): ([\d.]+)", result.stderr)[1])
    peak = int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", result.stderr)[1])
    return result.returncode, user, peak, result.stdout


def repeat(folder, violating, holding, rule):
    """Whether violations that repeat take little beside the events that make them."""
    status, user, _, report = check(folder, violating, ["--report", "json"])
    other_status, other_user, _, other_report = check(folder, holding, ["--report", "json"])
    counts = [finding["count"] for trace in json.loads(report)["traces"]
              for finding in trace["findings"] if finding["rule"] == rule]
    ok = (status == other_status == 0 and counts == [100_000] and rule not in {
        finding["rule"] for trace in json.loads(other_report)["traces"]
        for finding in trace["findings"]} and user <= other_user + REPETITION_SECONDS_MAX)
    print(f"{violating.__name__.replace('_', ' ')}: user {user} s, without {other_user} s"
          + ("" if ok else f": failed (statuses {status} and {other_status}, counts {counts},"
                           f" limit {REPETITION_SECONDS_MAX} s more)"))
    return ok


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for lines, options, *memory in HOSTILE:
            memory_kib_max = memory[0] if memory else MEMORY_KIB_MAX
            status, user, peak, _ = check(folder, lines, options)
            ok = status == 0 and user <= SECONDS_MAX and peak <= memory_kib_max
            failures += not ok
            print(f"{lines.__name__.replace('_', ' ')}: user {user} s, peak {peak} KiB"
                  + ("" if ok else f": failed (status {status}, limits {SECONDS_MAX} s"
                                   f" and {memory_kib_max} KiB)"))
        for violating, holding, rule in REPEATED:
            failures += not repeat(folder, violating, holding, rule)
    print(f"{len(HOSTILE) + len(REPEATED) - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


main()
