"""Traces of few bytes that stand for very much: every command ends soon, reads them or says why not."""

import os
import re
import subprocess
import sys
import tempfile

from executable import TOOL
from lctrace_bombs import ENTER, EVENTS, EVENT_TEXT_BYTES_MAX, TEXT_BYTES, trace

# What a command may take for each 25 KB, and for whatever it is given at all.
SECONDS_MAX = 5
BYTES = 25_000
MEMORY_KIB_MAX = 128 * 1024


# What a block holds, and whether it may be read.
BLOCKS = {
    "texts beyond the bound": (dict(texts=[b"x" * TEXT_BYTES], named=[0] * 8), False),
    "texts just beyond the bound": (dict(texts=[b"x" * (EVENT_TEXT_BYTES_MAX // EVENTS), b"y"], named=[0, 1]), False),
    "as much text as may be": (dict(texts=[b"x" * (EVENT_TEXT_BYTES_MAX // EVENTS)], named=[0]), True),
    "few events with long texts": (
        dict(count=EVENT_TEXT_BYTES_MAX // TEXT_BYTES, texts=[b"\x07" * TEXT_BYTES], named=[0]), True),
    "as many arguments as may be": (dict(texts=[b"x"], named=[0] * 4, numbers=4), True),
    "begun and never ended": (dict(texts=[b"x" * 9], named=[0], phase=ENTER), True),
    "no arguments": (dict(), True),
    "a large dictionary": (dict(texts=[b"x" * TEXT_BYTES] * 63, named=[]), True),
}
REFUSED = "the texts of its events take more than"
QUESTION = "SELECT count(*), max(length(args)) FROM events"


def commands(path, folder):
    out = os.path.join(folder, "out")
    yield ["info", path]
    yield ["check", "--config", "none", "--fail-on", "never", path]
    yield ["doctor", path]
    yield ["filter", path, "-o", out + ".lctrace"]
    yield ["filter", path, "-o", out + ".lctrace", "--after", "1s"]
    yield ["compact", path, "-o", out + ".lctrace"]
    yield ["query", QUESTION, path]
    yield ["diff", path, path]
    for form in ("html", "txt", "svg", "json", "pftrace"):
        yield ["timeline", path, "-o", f"{out}.{form}"]


def run(command, folder):
    """Status, user and system seconds, peak in KiB, and what it says."""
    for name in os.listdir(folder):
        if name.startswith("out"):
            os.remove(os.path.join(folder, name))
    result = subprocess.run(
        ["/usr/bin/time", "-f", "%U %S %M", TOOL, *command], capture_output=True, text=True, errors="replace")
    user, system, peak = result.stderr.strip().split("\n")[-1].split()
    return result.returncode, float(user) + float(system), int(peak), result.stdout + result.stderr


def main():
    counts = [int(word) for word in sys.argv[1:]] or [1, 100, 200]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (parts, is_read) in BLOCKS.items():
            # What is legal takes as long as its events do: of that one block.
            for count in counts[:1] if is_read else counts:
                path = os.path.join(folder, "bomb.lctrace")
                with open(path, "wb") as file:
                    file.write(trace(count, **parts))
                size = os.path.getsize(path)
                limit = SECONDS_MAX * max(1, size / BYTES)
                for command in commands(path, folder):
                    status, seconds, peak, said = run(command, folder)
                    tells = REFUSED in said
                    ok = (seconds <= limit and peak <= MEMORY_KIB_MAX
                          and (status in (0, 3) if is_read else status == 3)
                          and (tells != is_read) and re.search("Fatal|fatal error", said) is None)
                    passed, failed = passed + ok, failed + (not ok)
                    shown = " ".join(word for word in command[:1] + [command[-1].replace(folder + "/", "")])
                    print(f"{name}, {count} blocks, {size} bytes: {shown}: {seconds:.2f} s, {peak >> 10} MiB"
                          + (f", status {status}" if status else "")
                          + ("" if ok else f": failed (limits {limit:.1f} s, {MEMORY_KIB_MAX >> 10} MiB)"
                             + said[:300]), flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
