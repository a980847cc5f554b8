"""Plants bugs in copies of the recorder, one at a time, and expects its tests to find each.

    planted.py [--only NAME,…]

The tests first have to pass without any. Prints what found each bug, and fails if one is missed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

import recorder_package
from executable import ROOT

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--only", default="", help="names of bugs, joined by commas")
OPTIONS = OPTIONS.parse_args()

WRITE = """\
    unsafe lct_store_relaxed(words, payload)
    unsafe lct_store_release(words + 1, JournalSlot.commit(payload, fields, slot: slot))
"""
COMMIT = WRITE.splitlines(keepends=True)


def instructions(program, folder):
    """The state after every instruction of some appends, each read back."""
    stepper, place, copies = (os.path.join(folder, name) for name in ("stepper", "step", "copies"))
    subprocess.run(["gcc", "-O2", "-o", stepper, str(ROOT / "Tests/IntegrationTests/stepper.c")], check=True)
    os.mkdir(copies)
    result = subprocess.run(
        [stepper, place, copies, "0", program, "recorder", "run", place, "--traps", "--segment-bytes", "4096",
         "--segments", "32", "--events", "20"], capture_output=True, text=True)
    if result.returncode != 0:
        return f"the stepper ended with {result.returncode}: {result.stderr}"
    states = int(result.stdout.split()[-1])
    folders = [os.path.join(copies, str(number)) for number in range(states)]
    return said(program, "verify", *folders)


def damage(program, folder):
    """A journal damaged in every place, once."""
    return said(program, "sweep", os.path.join(folder, "sweep"), "--quick")


def watching(program, folder):
    """A reader of the ring beside its writers, under the thread sanitizer. That forgets old writes, and a
    chunk that is reserved orders what its thread did before: one look in five or so sees nothing."""
    for number in range(20):
        events = "200" if number % 2 == 0 else "2000"
        found = said(program, "watch", os.path.join(folder, f"watch-{number}"), "--events", events)
        if found is not None:
            return found
    return None


def said(program, *arguments):
    """Nothing if the run succeeds, else what it says."""
    result = subprocess.run([program, "recorder", *arguments], capture_output=True, text=True,
                            env={**os.environ, "TSAN_OPTIONS": "halt_on_error=1 history_size=7"})
    lines = (result.stdout + result.stderr).strip().splitlines()
    telling = [line for line in lines if "SUMMARY" in line or "Error" in line] or lines or [""]
    return None if result.returncode == 0 else telling[0].strip()[:120]


BUGS = {
    "the commit word before its payload":
        ("TraceRecorder/JournalCore.swift", WRITE, COMMIT[1] + COMMIT[0], instructions, None),
    "a commit without release order":
        ("TraceRecorder/JournalCore.swift", COMMIT[1], COMMIT[1].replace("store_release", "store_relaxed"),
         watching, "thread"),
    "no checksum":
        ("TraceFormat/JournalSlot.swift", "word != 0 && commit(payload, fields, slot: slot) == word ? fields : nil",
         "word != 0 ? fields : nil", damage, None),
    "a length in the header that is trusted":
        ("TraceFormat/JournalDecoder.swift", "    areaByteCount = bytes.count\n    state = .sealed\n",
         "    areaByteCount = bytes.count\n    state = .sealed\n"
         "    if missing > 0 { area.removeLast(max(0, area.count - JournalLayout.headerByteCount)) }\n",
         damage, None),
    "a reader that stops at a hole":
        ("TraceFormat/JournalScan.swift", "      scanChunk(bytes, first..<end)\n",
         "      if words(bytes, first).word == 0 { break }\n      scanChunk(bytes, first..<end)\n", damage, None),
    "a chunk of any journal":
        ("TraceFormat/JournalScan.swift", "guard chunkKey(bytes, slots.lowerBound) == key else {",
         "guard chunkKey(bytes, slots.lowerBound) != nil else {", damage, None),
}


def attempt(check, *changes, sanitizer=None):
    program = recorder_package.build(*changes, sanitizer=sanitizer)
    with tempfile.TemporaryDirectory() as folder:
        return check(program, folder)


def main():
    wanted = [name for name in OPTIONS.only.split(",") if name]
    bugs = {name: bug for name, bug in BUGS.items() if not wanted or name in wanted}
    start = time.monotonic()
    for check, sanitizer in sorted({(bug[3], bug[4]) for bug in bugs.values()}, key=lambda pair: pair[0].__name__):
        failure = attempt(check, sanitizer=sanitizer)
        if failure is not None:
            sys.exit(f"{check.__name__} fails without a bug: {failure}")
    print(f"without a bug: quiet [{time.monotonic() - start:.0f} s]", flush=True)
    missed = 0
    for name, (path, old, new, check, sanitizer) in bugs.items():
        start = time.monotonic()
        found = attempt(check, (path, old, new), sanitizer=sanitizer)
        missed += found is None
        print(f"{name}: {'MISSED' if found is None else 'caught by ' + check.__name__ + ': ' + found} "
              f"[{time.monotonic() - start:.0f} s]", flush=True)
    print(f"{len(bugs) - missed} of {len(bugs)} planted bugs caught")
    sys.exit(1 if missed else 0)


main()
