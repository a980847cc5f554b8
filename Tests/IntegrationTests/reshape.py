"""`filter`, `merge` and `cat a b`: what is cut apart and put together again is judged the same, and
`check` on several threads says the same as on one."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from executable import ROOT, TOOL, release_build


class Count:
    passed = failed = 0

    @classmethod
    def check(cls, what, ok):
        cls.passed += ok
        cls.failed += not ok
        if not ok:
            print(f"FAILED: {what}")


def run(*command, status=0, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, **options)
    Count.check(f"{command[1:]} ends with {status}: {result.stderr[-300:]}",
                result.returncode == status)
    return result


def events(path, *options):
    lines = run(TOOL, "cat", path, "--format", "ndjson", *options).stdout.splitlines()
    return [line for line in lines if not line.startswith(b'{"header"')]


def header(path):
    return json.loads(run(TOOL, "cat", path, "--format", "ndjson").stdout.split(b"\n")[0])["header"]


def traces(path, *options, **process):
    """The traces of a report, without what tells of the file."""
    result = run(TOOL, "check", "--config", "none", "--fail-on", "never", "--report", "json", path,
                 *options, **process)
    found = json.loads(result.stdout)["traces"]
    for trace in found:
        del trace["path"], trace["format"]
        for finding in trace["findings"]:
            for event in finding["witness"]:
                event["source"] = None
    return found


def filtering(folder, source):
    questions = [
        ["--kind", "bgtask.*"], ["--after", "60s", "--before", "3m"], ["--thread", "7"], [],
        ["--after", "1m", "--kind", "delegate.*", "--kind", "proc.*"], ["--kind", "x.nothing"],
    ]
    whole = events(source)
    for number, question in enumerate(questions):
        wanted = events(source, *question)
        Count.check(f"{question} chooses some", question == [] or len(wanted) < len(whole))
        for form in ("lctrace", "ndjson", "timeline"):
            path = folder / f"filtered-{number}.{form}"
            run(TOOL, "filter", source, "-o", path, *question)
            Count.check(f"filter {question} to {form}", events(path) == wanted)
    covered = header(folder / "filtered-0.ndjson")["coverage"]
    Count.check(f"without the life cycle nothing is covered: {covered}", covered == [])
    part = folder / "life.ndjson"
    kept = ["bgtask", "delegate", "proc", "scene", "trace"]
    run(TOOL, "filter", source, "-o", part, *[word for name in kept for word in ("--kind", f"{name}.*")])
    covered = header(part)["coverage"]
    Count.check(f"what is left out isn't covered: {covered}", covered == kept)
    Count.check("all of it is the same trace", traces(folder / "filtered-3.lctrace") ==
                traces(source))


def merging(folder, source, name):
    """Parts by time and by thread, in any order, become the whole again."""
    whole, judged = events(source), traces(source)
    if not whole:
        return
    times = [json.loads(line)["t_ns"] for line in whole]
    middle = (times[-1] - times[0]) // 2 + 1
    early, late = folder / f"{name}-early.lctrace", folder / f"{name}-late.lctrace"
    run(TOOL, "filter", source, "-o", early, "--before", f"{middle}ns")
    run(TOOL, "filter", source, "-o", late, "--after", f"{middle}ns")
    merged = folder / f"{name}-merged.lctrace"
    for parts in ((early, late), (late, early)):
        run(TOOL, "merge", *parts, "-o", merged)
        Count.check(f"{name}: merged events", events(merged) == whole)
        mended = traces(merged)
        for trace, original in zip(mended, judged):
            # What was cut apart has no id of its own any more: it is that of the events.
            trace["trace_id"] = original["trace_id"]
        Count.check(f"{name}: merged report", mended == judged)
    threads = sorted({json.loads(line).get("thread", 1) for line in whole})
    if len(threads) > 1 and len(set(times)) == len(times):
        parts = []
        for thread in threads:
            parts.append(folder / f"{name}-{thread}.lctrace")
            run(TOOL, "filter", source, "-o", parts[-1], "--thread", str(thread))
        run(TOOL, "merge", *reversed(parts), "-o", merged)
        Count.check(f"{name}: merged threads", events(merged) == whole)
    both = folder / f"{name}-both.lctrace"
    both.write_bytes(early.read_bytes() + late.read_bytes())
    apart = traces(early) + traces(late)
    for number, trace in enumerate(apart, 1):
        trace["number"] = number
    Count.check(f"{name}: cat a b", traces(both) == apart)


def refusals(folder, source):
    out = folder / "never.lctrace"
    log = folder / "device.log"
    log.write_text("Nov 22 10:00:00 iPhone SpringBoard(UIKitCore)[57] <Notice>: hello\n" * 20)
    twice = folder / "twice.lctrace"
    once = folder / "once.lctrace"
    run(TOOL, "convert", source, "-o", once)
    twice.write_bytes(once.read_bytes() * 2)
    other = folder / "other.ndjson"
    text = source.read_bytes().split(b"\n", 1)
    head = json.loads(text[0])
    head["header"]["app_bundle_id"] = "com.example.other"
    other.write_bytes(json.dumps(head).encode() + b"\n" + text[1])
    for path, words in ((log, b"only traces are merged"), (twice, b"more than one trace"),
                        (other, b"of the app com.example.other"),
                        (folder / "missing.lctrace", b"missing.lctrace")):
        result = run(TOOL, "merge", once, path, "-o", out, status=3)
        Count.check(f"{words}: {result.stderr}", words in result.stderr)
        Count.check("nothing is written", not out.exists())
    run(TOOL, "merge", once, once, "-o", once, status=2)
    run(TOOL, "merge", "-", "-", "-o", out, status=2)
    run(TOOL, "filter", source, "-o", out, "--after", "soon", status=2)
    run(TOOL, "filter", source, "-o", folder / "x.txt", status=2)
    for jobs in ("0", "257", "-1"):
        run(TOOL, "check", source, "--jobs", jobs, status=2)


def threads(folder, source):
    """Many files, some of them copies, foreign or damaged, on one thread and on several."""
    many = folder / "many"
    many.mkdir()
    lines = source.read_bytes().split(b"\n")
    for number in range(40):
        cut = b"\n".join(lines[:1] + lines[1 + 90 * number:1 + 90 * number + 400 + number]) + b"\n"
        (many / f"{number:02}.ndjson").write_bytes(cut)
        if number % 7 == 0:
            (many / f"{number:02}-copy.ndjson").write_bytes(cut)
    (many / "notes.txt").write_text("nothing of an app\n")
    trace = (folder / "once.lctrace").read_bytes()
    (many / "damaged.lctrace").write_bytes(trace[:3000] + b"x" + trace[3001:])
    command = [TOOL, "check", "--config", "none", "--report", "json", "--report",
               f"text={folder / 'text'}", "--allow-damaged", "--fail-on", "never"]

    def outcome(jobs, *paths):
        result = run(*command, "--jobs", jobs, *paths)
        text = re.sub(rb"[0-9.]+ m?s\n$", b"", (folder / "text").read_bytes())
        return result.stdout, result.stderr, text

    for paths, least in (([many], 40), (sorted(many.iterdir(), reverse=True), 40),
                         ([many / "00.ndjson"], 1)):
        alone = outcome(1, *paths)
        said = len(json.loads(alone[0])["traces"])
        Count.check(f"{said} traces are judged", said >= least)
        for jobs in (2, 3, 8, 64):
            Count.check(f"{jobs} jobs, {len(paths)} inputs", outcome(jobs, *paths) == alone)


def unopened(folder, source):
    """A file with an index is judged with blocks that stay closed, a pipe with all of them."""
    text = source.read_bytes().split(b"\n", 1)
    head = json.loads(text[0])
    head["header"]["trace_id"] = "0123456789abcdef0123456789abcdef"
    named = folder / "named.ndjson"
    named.write_bytes(json.dumps(head).encode() + b"\n" + text[1])
    tracedev = release_build("tracedev")
    for columns in (1, 10**9):
        path = folder / f"named-{columns}.lctrace"
        run(tracedev, "encode", named, "-o", path, "--columns-from", columns)
        for choice in ([], ["--only", "LC001,LC002,LC003,LC004"], ["--only", "background-task"]):
            piped = traces("-", *choice, input=path.read_bytes())
            Count.check(f"closed blocks, {choice}", traces(path, *choice) == piped)


def lossy(path):
    """A trace of three blocks: a task begins in the second, and ends in the third."""
    lines = [json.dumps({"header": {
        "format": "tracecheck-ndjson", "version": 1, "app_bundle_id": "com.example.notes",
        "app_version": "1.4", "os_version": "8.1.0", "sdk_linked": "8.1",
        "device_model": "iPhone7,2", "multitasking_supported": True, "app_kind": "app",
        "clock_kind": "continuous", "coverage": ["*"]}})]

    def add(event, phase=None, **arguments):
        line = {"t_ns": 1_000_000 + 1000 * len(lines), "event": event, "args": arguments}
        lines.append(json.dumps(dict(line, phase=phase) if phase else line))

    def fill(count):
        for number in range(count):
            add("app.something", n=number * number % 9973)

    add("trace.start")
    add("proc.start", pid=100)
    for call in ["will_finish_launching", "did_finish_launching", "did_become_active"]:
        add(f"delegate.{call}", "enter")
        add(f"delegate.{call}", "return")
    fill(65_536)
    add("bgtask.begin", token=9, is_invalid=False, name="save", has_expiration_handler=True)
    fill(65_536)
    add("bgtask.end", token=9)
    fill(100)
    path.write_text("\n".join(lines) + "\n")


def losses(folder):
    """What a damaged trace leaves undecided stays undecided in all that is written from it."""
    lossy(folder / "lossy.ndjson")
    run(TOOL, "convert", folder / "lossy.ndjson", "-o", folder / "whole.lctrace")
    content = bytearray((folder / "whole.lctrace").read_bytes())
    content[len(content) // 2] ^= 0xFF
    damaged = folder / "lost.lctrace"
    damaged.write_bytes(content)

    def judged(path, status=0):
        [trace] = json.loads(run(
            TOOL, "check", "--config", "none", "--report", "json", path,
            status=status).stdout)["traces"]
        return (sorted(finding["rule"] for finding in trace["findings"]),
                "TQ08" in [notice["id"] for notice in trace["quality"]])

    Count.check("the whole trace is well", judged(folder / "whole.lctrace") == ([], False))
    Count.check("a lost block leaves it undecided", judged(damaged, 3) == ([], True))
    out = folder / "lost.out.lctrace"
    for command in [["recover"], ["redact"], ["convert"], ["compact"], ["filter"],
                    ["filter", "--before", "1h"], ["filter", "--after", "1ms"]]:
        run(TOOL, *command, damaged, "-o", out, status=3)
        Count.check(f"undecided also after {command}", judged(out) == ([], True))
    for form in ["ndjson", "timeline"]:
        text = folder / f"lost.{form}"
        run(TOOL, "convert", damaged, "-o", text, status=3)
        Count.check(f"undecided also as {form}", judged(text) == ([], True))
        text.write_bytes(run(TOOL, "cat", damaged, "--format", form, status=3).stdout)
        Count.check(f"undecided also as printed {form}", judged(text) == ([], True))
    (folder / "none.ndjson").write_bytes(
        (folder / "lossy.ndjson").read_bytes().split(b"\n")[0] + b"\n")
    run(TOOL, "merge", damaged, folder / "none.ndjson", "-o", out, status=3)
    Count.check("undecided also after a merge", judged(out) == ([], True))
    with open(damaged, "rb") as file:
        run(TOOL, "check", "-", "--record", out, "--config", "none", stdin=file, status=3)
    Count.check("undecided also in a record", judged(out) == ([], True))
    numbered(folder, judged)


def numbered(folder, judged):
    """Where events are numbered, as in recordings, text forms lose the numbers, not the loss."""
    recording = folder / "recording"
    subprocess.run(
        [release_build("tracedev"), "recorder", "run", recording, "--events", "200000",
         "--segment-bytes", "4194304"], check=True, stdout=subprocess.DEVNULL)
    whole = folder / "numbered.lctrace"
    run(TOOL, "recover", recording, "-o", whole)
    content = bytearray(whole.read_bytes())
    content[len(content) // 2] ^= 0xFF
    damaged = folder / "numbered.lost.lctrace"
    damaged.write_bytes(content)
    Count.check("a numbered trace is well", not judged(whole)[1])
    Count.check("its lost block is told", judged(damaged, 3)[1])
    out = folder / "numbered.out.lctrace"
    for command in ["recover", "redact", "convert", "compact", "filter", "merge"]:
        run(TOOL, command, damaged, "-o", out, status=3)
        Count.check(f"told also after {command}", judged(out)[1])
        if command in ["recover", "compact"]:
            continue
        for form in ["ndjson", "timeline"]:
            text = folder / f"numbered.{form}"
            run(TOOL, command, damaged, "-o", text, status=3)
            Count.check(f"told also after {command} to {form}", judged(text)[1])
    for form in ["ndjson", "timeline"]:
        text = folder / f"numbered.{form}"
        text.write_bytes(run(TOOL, "cat", damaged, "--format", form, status=3).stdout)
        Count.check(f"told also as printed {form}", judged(text)[1])
        with open(damaged, "rb") as file:
            run(TOOL, "check", "-", "--record", text, "--config", "none", stdin=file, status=3)
        Count.check(f"told also in a record of {form}", judged(text)[1])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        workload = folder / "workload.ndjson"
        with open(workload, "wb") as file:
            subprocess.run([release_build("tracedev"), "workload", "150000"], check=True,
                           stdout=file)
        filtering(folder, workload)
        merging(folder, workload, "workload")
        for source in sorted((ROOT / "traces").glob("*.timeline")):
            merging(folder, source, source.stem)
        losses(folder)
        refusals(folder, workload)
        threads(folder, workload)
        unopened(folder, workload)
    print(f"{Count.passed} passed, {Count.failed} failed")
    sys.exit(1 if Count.failed else 0)


main()
