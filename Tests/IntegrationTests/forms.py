"""The same trace as text, rows, columns and compacted, with and without its index: the same reports
and the same answers of `cat`, and blocks that nobody asks for are not read."""

import os
import re
import subprocess
import sys
import tempfile

from executable import ROOT, TOOL, release_build

SYNC = b"\xfeLC\x01"


def run(*command, allowed=(0,), **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, **options)
    assert result.returncode in allowed, (command, result.returncode, result.stderr[-500:])
    return result


def report(path):
    """The report without the name and the form of its file."""
    lines = run(TOOL, "check", "--config", "none", "--fail-on", "never", "--report", "json", path)
    lines = lines.stdout.decode()
    for form in ("lctrace", "timeline", "ndjson"):
        lines = lines.replace(f'"format":"{form}"', "")
    # Only a text has lines that events were read from.
    lines = re.sub(r'"source":\{[^}]*\}', '"source":null', lines)
    return lines.replace(str(path), "")


def blocks(content):
    """Where the records of blocks begin."""
    places, start = [], content.find(SYNC)
    while start >= 0:
        if content[start + 4] == 2:
            places.append(start)
        start = content.find(SYNC, start + 4)
    return places


class Count:
    passed = failed = 0

    @classmethod
    def check(cls, what, ok):
        cls.passed += ok
        cls.failed += not ok
        if not ok:
            print(f"FAILED: {what}")


def same_reports(folder, tracedev, source, name):
    forms = {"text": source}
    for form, options in [("rows", ["--columns-from", 10**9]), ("columns", ["--columns-from", 1])]:
        forms[form] = folder / f"{name}.{form}.lctrace"
        run(tracedev, "encode", source, "-o", forms[form], *options)
    forms["converted"] = folder / f"{name}.converted.lctrace"
    run(TOOL, "convert", source, "-o", forms["converted"])
    forms["compacted"] = folder / f"{name}.compacted.lctrace"
    run(TOOL, "compact", forms["rows"], "-o", forms["compacted"])
    reports = {form: report(path) for form, path in forms.items()}
    for form, text in reports.items():
        Count.check(f"{name}: the report of {form}", text == reports["text"])
    return forms


def same_answers(folder, path):
    content = path.read_bytes()
    questions = [
        ["--kind", "bgtask.*"], ["--kind", "proc.*", "--format", "ndjson"], ["--after", "1m"],
        ["--before", "50s"], ["--after", "60s", "--before", "61s"], ["--kind", "x.nothing"],
        ["--after", "60s", "--kind", "delegate.*", "--thread", "1"],
    ]
    # Without its last record, which is the index, and with the index damaged.
    start = content.rfind(SYNC)
    cut = folder / "cut.lctrace"
    cut.write_bytes(content[:start])
    damaged = folder / "damaged.lctrace"
    broken = bytearray(content)
    broken[start + 30] ^= 1
    damaged.write_bytes(broken)
    for question in questions:
        whole = run(TOOL, "cat", "-", *question, input=content).stdout
        Count.check(f"cat {question}", run(TOOL, "cat", path, *question).stdout == whole)
        Count.check(f"cat {question} without index",
                    run(TOOL, "cat", cut, *question).stdout == whole)
        Count.check(f"cat {question} with a damaged index",
                    run(TOOL, "cat", damaged, *question, allowed=(3,)).stdout == whole)
    # Blocks that aren't wanted are not read: their content may be anything.
    places = blocks(content)
    hollow = bytearray(content)
    for begin, end in list(zip(places, places[1:]))[1:-2]:
        hollow[begin + 600:end - 40] = bytes(len(hollow[begin + 600:end - 40]))
    unread = folder / "unread.lctrace"
    unread.write_bytes(hollow)
    Count.check("there are several blocks", len(places) > 5)
    for question in (["--before", "1s"], ["--kind", "trace.end"]):
        whole = run(TOOL, "cat", "-", *question, input=content).stdout
        Count.check(f"cat {question} reads only its blocks",
                    run(TOOL, "cat", unread, *question).stdout == whole)
    # A block that is wanted and damaged is told, and the others come out.
    result = run(TOOL, "cat", unread, "--after", "0s", allowed=(3,))
    Count.check("damage in a wanted block is told", b"damaged" in result.stderr)


def main():
    import pathlib
    tracedev = release_build("tracedev")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source in sorted((ROOT / "traces").glob("*.timeline")):
            same_reports(folder, tracedev, source, source.stem)
        workload = folder / "workload.ndjson"
        with open(workload, "wb") as file:
            subprocess.run([tracedev, "workload", "400000"], check=True, stdout=file)
        forms = same_reports(folder, tracedev, workload, "workload")
        sizes = {form: os.path.getsize(path) for form, path in forms.items()}
        print(", ".join(f"{form} {size} bytes" for form, size in sizes.items()))
        Count.check("columns are smaller", sizes["columns"] < sizes["rows"])
        Count.check("compacted is smaller", sizes["compacted"] < sizes["columns"])
        same_answers(folder, forms["converted"])
    print(f"{Count.passed} passed, {Count.failed} failed")
    sys.exit(1 if Count.failed else 0)


main()
