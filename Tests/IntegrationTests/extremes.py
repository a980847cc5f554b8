"""Numbers at the ends of their ranges: in every argument of every kind, every header field and every
time, through every command that reads a capture. Nothing may crash or take long.

    extremes.py [TRACECHECK] [--keep FOLDER]
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from executable import TOOL

SECONDS_MAX = 60
KEEP = sys.argv[sys.argv.index("--keep") + 1] if "--keep" in sys.argv else None
# As they stand in NDJSON.
VALUES = ["-9223372036854775808", "9223372036854775807", "9223372036854775806", "18446744073709551615",
          "-1", "0", "-0.0", "1e308", "-1e308", "5e-324", "1e999", "-1e999", "9223372036854775808.0",
          "4294967296", "2147483648", '"NaN"', '"-inf"', '"9223372036854775807"', '"0x8badf00d"', "true", "null"]
TIMES = [-(1 << 63), -(1 << 63) + 1, -(1 << 62) - 1, -1, 0, 1, 1 << 62, (1 << 63) - 2, (1 << 63) - 1]
QUESTIONS = ["SELECT * FROM traces, launches", "SELECT count(*) FROM states", "SELECT * FROM durations",
             "SELECT count(*) FROM spans", "SELECT count(*), max(wall_ns) FROM events", "SELECT * FROM findings",
             "SELECT * FROM terminations", "SELECT * FROM launch_times", "SELECT * FROM background_runs",
             "SELECT * FROM kills_explained"]
LIFE = [("proc.start", 0), ("delegate.did_finish_launching", 1), ("delegate.did_finish_launching", 2),
        ("delegate.did_become_active", 1), ("delegate.did_become_active", 2), ("bgtask.begin", 0),
        ("delegate.did_enter_background", 1), ("delegate.did_enter_background", 2), ("proc.suspend", 0),
        ("proc.resume", 0), ("bgtask.end", 0), ("proc.kill", 0)]
VOCABULARY = json.loads(subprocess.run([TOOL, "vocabulary", "--format", "json"], capture_output=True, check=True).stdout)


def commands(path, out):
    plain = ["--config", "none"]
    for report in ("text", "json", "junit", "sarif", "markdown", "html", "jsonl"):
        yield ["check", path, *plain, "--undecided", "--report", report]
    for form in ("html", "txt", "svg", "json", "pftrace"):
        yield ["timeline", path, *plain, "-o", f"{out}.{form}"]
    for question in QUESTIONS:
        yield ["query", question, path]
    for form in ("lctrace", "ndjson", "timeline"):
        yield ["convert", path, "-o", f"{out}.{form}"]
    yield ["metrics", path, *plain]
    yield ["metrics", path, *plain, "--timestamps"]
    yield ["gate", path, *plain, "--write-baseline", f"{out}.json"]
    yield ["gate", *plain, "--reference", path, "--candidate", path]
    yield ["gate", *plain, "--candidate", path, "--max", "launch.p95=400ms"]
    yield ["diff", path, path, *plain]
    yield ["diff", path, path, *plain, "-o", f"{out}.html"]
    yield ["why", path]
    yield ["check", "--together", path, path, *plain]
    yield ["info", path]
    yield ["doctor", path]
    yield ["cat", path, "--after", "1s"]
    yield ["cat", path, "--format", "ndjson", "--before", "1s"]
    yield ["filter", path, "-o", f"{out}.lctrace", "--after", "1h"]
    yield ["merge", path, path, "-o", f"{out}.lctrace"]
    yield ["compact", path, "-o", f"{out}.lctrace"]
    yield ["recover", path, "-o", f"{out}.lctrace"]
    yield ["redact", path, "-o", f"{out}.ndjson"]
    yield ["bundle", path, *plain, "--list"]
    yield ["bundle", path, *plain, "--finding", "1", "-o", f"{out}.lctrace"]
    yield ["replay", path, "--speed", "max"]


def event(time, kind, phase=0, arguments=()):
    word = ["", ',"phase":"enter"', ',"phase":"return"'][phase]
    args = ",".join(f'"{name}":{value}' for name, value in arguments)
    return f'{{"t_ns":{time},"event":"{kind}"{word},"thread":1,"args":{{{args}}}}}\n'


def header(fields=()):
    told = ['"format":"tracecheck-ndjson"', '"version":1'] + [f'"{name}":{value}' for name, value in fields]
    return f'{{"header":{{{",".join(told)}}}}}\n'


def phases(kind):
    return [0] if kind["phase_kind"] == "instant" else [1, 2]


def traces():
    """Names and contents."""
    kinds = VOCABULARY["kinds"]
    usual = [("os_version", '"8.1"'), ("sdk_linked", '"8.1"'), ("coverage", '["*"]')]
    for number, value in enumerate(VALUES):
        # Events of all kinds, each with this value in all its arguments, in a life and out of one.
        lines = [header(usual)] + [event(10**9 * place, *step) for place, step in enumerate(LIFE)]
        for place, kind in enumerate(kinds):
            arguments = [(argument["name"], value) for argument in kind["arguments"]]
            lines += [event(10**10 + 10**7 * place + phase, kind["name"], phase, arguments)
                      for phase in phases(kind)]
        yield f"arguments {value}", lines
        if number % 3:
            continue
        # One argument after the other, with a life around.
        lines = [header(usual)] + [event(10**9 * place, *step) for place, step in enumerate(LIFE[:5])]
        place = 0
        for kind in kinds:
            for argument in kind["arguments"]:
                if argument["type"] in ("integer", "number", "token"):
                    place += 1
                    lines += [event(10**10 + 10**6 * place + phase, kind["name"], phase, [(argument["name"], value)])
                              for phase in phases(kind)]
        yield f"one argument {value}", lines
        fields = [(field["name"], value) for field in VOCABULARY["header_fields"]]
        yield f"header {value}", [header(fields)] + [event(10**9 * n, *step) for n, step in enumerate(LIFE)]
        numbers = [(field["name"], value) for field in VOCABULARY["header_fields"] if field["type"] != "string"]
        yield f"numbers of a header {value}", [header(usual + numbers)] + [
            event(10**9 * n, *step) for n, step in enumerate(LIFE)]
    for first in TIMES:
        for second in TIMES:
            clocks = [("wall_ns", first), ("uptime_ns", second), ("continuous_ns", first)]
            yield f"times {first} {second}", [
                header(usual), event(first, "trace.start", 0, clocks)] + [
                event(second if n % 2 else first, *step, [("token", 7), ("limit_ns", second), ("wall_ns", second)])
                for n, step in enumerate(LIFE)] + [event(second, "trace.clock_sync", 0, clocks)]
    everything = [header(usual)]
    for number, time in enumerate(TIMES):
        for kind in kinds:
            arguments = [(argument["name"], TIMES[(number + 3) % len(TIMES)]) for argument in kind["arguments"]]
            everything += [event(time, kind["name"], phase, arguments) for phase in phases(kind)]
    yield "all kinds at all times", everything


def run(arguments):
    """What is wrong with a call; nothing if it ends as it should."""
    command, out = arguments
    try:
        result = subprocess.run([TOOL, *command], capture_output=True, timeout=SECONDS_MAX, cwd=os.path.dirname(out))
    except subprocess.TimeoutExpired:
        return f"over {SECONDS_MAX} s"
    if b"there is no finding 1" in result.stderr:
        return None
    if result.returncode not in (0, 1, 3, 4):
        return f"status {result.returncode}: {result.stderr[-300:].decode(errors='replace')}"
    return None


def main():
    calls = failed = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(name)
        for number, (title, lines) in enumerate(traces()):
            path = folder / f"{number}.ndjson"
            path.write_text("".join(lines))
            work = [(command, str(folder / f"out-{place}")) for place, command in enumerate(
                commands(str(path), str(folder / "out")))]
            work = [([word.replace(str(folder / "out"), out) for word in command], out) for command, out in work]
            for (command, _), problem in zip(work, pool.map(run, work)):
                calls += 1
                if problem is None:
                    continue
                failed += 1
                print(f"FAILED: {title}: {' '.join(command)}: {problem}", flush=True)
                if KEEP:
                    shutil.copy(path, KEEP)
            for made in folder.glob("out-*"):
                made.unlink()
            path.unlink()
    print(f"{calls} calls, {failed} failed")
    sys.exit(1 if failed else 0)


main()
