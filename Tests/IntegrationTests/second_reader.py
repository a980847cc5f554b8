"""The trace format read a second time, by Python from its specification alone, and compared with the
product: ready traces, random ones, odd ones that the product never writes, damage, and journals.

    second_reader.py [TRACECHECK] [--count N] [--seed N] [--keep FOLDER]
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import lctrace_bombs
import lctrace_reader
import lctrace_writer
import random_traces
from executable import ROOT, TOOL, beside
from lctrace_journal import CHUNK_BYTES, HEADER_BYTES

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--count", type=int, default=1_000, help="generated traces")
OPTIONS.add_argument("--seed", type=int, default=7)
OPTIONS.add_argument("--keep", type=pathlib.Path, help="where files go that are read differently")
OPTIONS = OPTIONS.parse_args()
VOCABULARY = lctrace_reader.Vocabulary.of_page(lctrace_reader.page())
# Traces that share a file, so that a program starts less often. A file of several traces is valid.
TRACES_OF_FILE = 5
DAMAGED = 130
DISORDERED = 60
DAMAGES_OF_JOURNAL = 14


class Count:
    traces = files = blocks = events = defects = failed = 0

    @classmethod
    def fail(cls, name, *lines):
        cls.failed += 1
        if cls.failed <= 10:
            print(f"FAILED: {name}")
            for line in lines:
                print(f"  {str(line)[:400]}")


def run(*command, allowed=(0,)):
    result = subprocess.run([str(part) for part in command], capture_output=True)
    assert result.returncode in allowed, (command, result.returncode, result.stderr[-500:])
    return result.stdout


def tool_lines(path):
    """What the product reads. An argument that is called `id` itself is written with an escape."""
    return run(TOOL, "cat", "--format", "ndjson", path, allowed=(0, 3)).replace(
        b'"\\u0069d":', b'"id":').split(b"\n")[:-1]


def own_lines(traces):
    return [line.encode() for line in lctrace_reader.lines(traces, VOCABULARY)]


def doctor(path):
    return json.loads(run(TOOL, "doctor", "--format", "json", path, allowed=(0, 3)))


def compare_lines(name, theirs, mine):
    if theirs == mine:
        return
    place = next((n for n, pair in enumerate(zip(theirs, mine)) if pair[0] != pair[1]),
                 min(len(theirs), len(mine)))
    Count.fail(f"{name}: line {place + 1} of {len(theirs)} and {len(mine)}",
               *(side[place] if place < len(side) else "nothing" for side in (theirs, mine)))


def compare(name, path, with_doctor=True):
    """The events of a trace, one by one, and the bytes that are damaged."""
    failed = Count.failed
    found = lctrace_reader.File(path.read_bytes(), VOCABULARY)
    Count.files += 1
    Count.blocks += sum(len(trace.blocks) for trace in found.traces)
    Count.events += sum(len(trace.events) for trace in found.traces)
    Count.defects += len(found.defects)
    compare_lines(name, tool_lines(path), own_lines(found.traces))
    if with_doctor:
        answer = doctor(path)
        theirs = (answer["events"], answer["blocks"], sorted(
            {(defect["consequence"], defect["first_byte"], defect["end_byte"]) for defect in answer["defects"]}))
        mine = (sum(len(trace.events) for trace in found.traces), sum(len(trace.blocks) for trace in found.traces),
                sorted({(defect.consequence, defect.start, defect.end) for defect in found.defects}))
        if theirs != mine:
            Count.fail(f"{name}: damage", theirs, mine)
        # A header that is wrong may be refused before or after it has told how many events there were.
        lost = answer["events_in_lost_blocks"]
        if not found.lost <= lost <= found.lost + found.unread:
            Count.fail(f"{name}: events lost", lost, (found.lost, found.unread))
    if OPTIONS.keep and Count.failed > failed:
        shutil.copy(path, OPTIONS.keep)
    return found


def ready_traces():
    """Every trace of the repository, and its text."""
    for path in sorted(ROOT.glob("[!.]*/**/*.lctrace")):
        Count.traces += 1
        found = compare(path.name, path)
        text = path.with_suffix(".timeline")
        if text.exists():
            compare_lines(f"{path.name} and its text", tool_lines(text), own_lines(found.traces))
        yield path.read_bytes()


def written_traces(folder, chance, count):
    """Random events, written by the product as rows or columns."""
    for number in range(count):
        source, path = folder / f"{number}.ndjson", folder / f"{number}.lctrace"
        with open(source, "w", encoding="utf-8") as file:
            for _ in range(TRACES_OF_FILE):
                events = chance.choice([1, 2, 5, 20, 60, 300, 700])
                file.writelines(f"{line}\n" for line in random_traces.trace(chance, VOCABULARY, events))
        run(beside("tracedev"), "encode", source, "-o", path, "--columns-from", chance.choice([1, 1, 10**9]),
            "--level", chance.choice([1, 3, 12]))
        Count.traces += TRACES_OF_FILE
        compare(f"random trace {number}", path, with_doctor=False)
        yield path.read_bytes()


def simulated_traces(folder, count):
    """Sessions of a simulated phone."""
    (folder / "simulated").mkdir()
    run(TOOL, "simulate", "--count", count, "--seed", 7, "--to", "lctrace", "-o", folder / "simulated")
    paths = sorted((folder / "simulated").iterdir())
    assert len(paths) == count, len(paths)
    for number in range(0, count, TRACES_OF_FILE):
        content = b"".join(path.read_bytes() for path in paths[number:number + TRACES_OF_FILE])
        path = folder / f"simulated-{number}.lctrace"
        path.write_bytes(content)
        Count.traces += len(paths[number:number + TRACES_OF_FILE])
        compare(f"simulated traces from {number}", path, with_doctor=False)
        yield content


def odd_traces(folder, chance, count, spoils):
    """Traces that the product never writes; with `spoils` some break the format, under right checksums."""
    for number in range(count):
        contents = [lctrace_writer.random_trace(chance, spoils) for _ in range(TRACES_OF_FILE)]
        path = folder / f"odd-{number}.lctrace"
        path.write_bytes(b"".join(contents))
        Count.traces += len(contents)
        compare(f"{'spoilt' if spoils else 'odd'} trace {number}", path)
        yield contents[0]


def damaged(chance, content):
    """A content with bytes changed, cut out, put in, repeated or from another trace."""
    result = bytearray(content)
    for _ in range(chance.choice([1, 1, 2, 4])):
        place = chance.randrange(len(result))
        other = min(len(result), place + chance.choice([1, 3, 50, 400]))
        manner = chance.randrange(6)
        if manner == 0:
            result[place] ^= 1 << chance.randrange(8)
        elif manner == 1:
            result[place:other] = bytes(other - place)
        elif manner == 2:
            del result[place:other]
        elif manner == 3:
            result[place:place] = chance.randbytes(other - place)
        elif manner == 4:
            result[place:place] = result[max(0, place - 300):place]
        else:
            del result[max(place, 64):]
    return bytes(result)


def damaged_traces(folder, chance, contents):
    for number in range(DAMAGED):
        content = chance.choice(contents)
        if chance.random() < 0.3:
            content += chance.choice(contents)
        path = folder / f"damaged-{number}.lctrace"
        path.write_bytes(damaged(chance, content))
        # A capture that doesn't look like a trace any more is another matter.
        head = path.read_bytes()
        if lctrace_reader.signature_version(head[:lctrace_reader.SIGNATURE_BYTES]) == 1:
            compare(f"damaged trace {number}", path)


def disordered(chance, folder, contents):
    """Whole records in another order, left out, repeated, renumbered, or from another trace."""
    for number in range(DISORDERED):
        content = chance.choice(contents)
        records, place = [], lctrace_reader.SIGNATURE_BYTES
        while place < len(content):
            records.append(lctrace_reader.Record(content, place))
            place = records[-1].end
        parts = [content[record.start:record.end] for record in records]
        for _ in range(chance.choice([1, 2, 3])):
            one, other = chance.randrange(len(parts)), chance.randrange(len(parts))
            manner = chance.randrange(4)
            if manner == 0:
                parts[one], parts[other] = parts[other], parts[one]
            elif manner == 1 and len(parts) > 1:
                del parts[one]
            elif manner == 2:
                parts.insert(other, parts[one])
            else:
                record = lctrace_reader.Record(parts[one], 0)
                parts[one] = lctrace_writer.record(record.type, chance.randrange(5), record.body)
        path = folder / f"disordered-{number}.lctrace"
        path.write_bytes(content[:lctrace_reader.SIGNATURE_BYTES] + b"".join(parts))
        compare(f"disordered trace {number}", path)


def texts_of_events(folder):
    """Blocks whose events name as many bytes of texts as may be, and more."""
    for number, (count, is_read) in enumerate([(1_023, True), (1_024, True), (1_025, False)]):
        path = folder / f"texts-{number}.lctrace"
        path.write_bytes(lctrace_bombs.trace(1, count=count, texts=[b"x" * lctrace_bombs.TEXT_BYTES], named=[0]))
        Count.traces += 1
        found = compare(f"a block of {count} long texts", path)
        if bool(found.traces[0].events) != is_read:
            Count.fail(f"a block of {count} long texts", found.defects)


def killed(folder, command, seconds):
    """What a recorder leaves that is killed: its journal, and the trace beside it."""
    victim = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 20
        while not list(folder.glob("*.lcjournal")):
            assert time.monotonic() < end, f"no journal in {folder}"
            time.sleep(0.001)
        time.sleep(seconds)
    finally:
        victim.send_signal(signal.SIGKILL)
        victim.wait()
    journal = next(folder.glob("*.lcjournal"))
    trace = journal.with_suffix(".lctrace")
    return journal.read_bytes(), trace.read_bytes() if trace.exists() else b""


def compare_journal(name, folder, journal, trace):
    path = folder / "copy.lcjournal"
    path.write_bytes(journal)
    path.with_suffix(".lctrace").unlink(missing_ok=True)
    if trace:
        path.with_suffix(".lctrace").write_bytes(trace)
    read, found = lctrace_reader.read_recording(journal, trace, VOCABULARY)
    Count.files += 1
    Count.events += sum(len(part.events) for part in found.traces)
    Count.defects += len(read.damage)
    compare_lines(name, tool_lines(path), own_lines(found.traces))
    answer = doctor(path)
    counts = answer["journal"]
    of_trace = sum(len(part.events) for part in found.traces) - len(read.only)
    theirs = (counts["events_in_trace"], counts["events_in_journal_only"], counts["events_in_both"], counts["events_cut"],
              counts["events_dropped"], counts["events_given_up"], counts["sealed_turns"], counts["pid"],
              sorted({(defect["first_byte"], defect["end_byte"]) for defect in answer["defects"]}))
    mine = (of_trace, len(read.only), read.in_both, read.cut, read.dropped, read.given_up, read.sealed, read.process,
            sorted({*read.damage, *((read.trace_at + defect.start, read.trace_at + defect.end) for defect in found.defects)}))
    if read.lacking_names:
        # A name whose text is damaged is known to who has read the trace first: which events count as
        # both is decided before the trace is read here.
        theirs, mine = theirs[3:8], mine[3:8]
    if theirs != mine:
        Count.fail(f"{name}: counts", theirs, mine)
    return found


def damaged_journal(chance, journal):
    result = bytearray(journal)
    used = [place for place in range(HEADER_BYTES, len(result), CHUNK_BYTES) if any(result[place:place + CHUNK_BYTES])] or [HEADER_BYTES]
    for _ in range(chance.choice([1, 1, 3, 10])):
        place = chance.choice(used) + 16 * chance.randrange(128)
        manner = chance.randrange(7)
        if manner <= 1:
            result[place + chance.randrange(16)] ^= 1 << chance.randrange(8)
        elif manner == 2:
            count = 16 * chance.choice([1, 2, 5])
            result[place:place + count] = bytes(count)
        elif manner == 3:
            result[chance.choice([5, 20, 41, 62, 300])] ^= 1
        elif manner == 4:
            chunk = chance.choice(used)
            result[chunk:chunk + CHUNK_BYTES] = result[used[0]:used[0] + CHUNK_BYTES]
        elif manner == 5:
            chunk = chance.choice(used)
            result[chunk:chunk + 16] = bytes(16)
        elif chance.random() < 0.3:
            del result[max(place, HEADER_BYTES):]
            break
    return bytes(result[:len(journal)])


def journals(folder, chance):
    """Recordings of killed apps, as they are, joined, and damaged."""
    for number, command in enumerate([
            [beside("notesdemo"), "{}", "--seed", 3],
            [beside("notesdemo"), "{}", "--seed", 4, "--double-end"],
            [beside("tracedev"), "recorder", "run", "{}", "--threads", 1, "--segment-bytes", 8192, "--pause", 50_000],
            [beside("tracedev"), "recorder", "run", "{}", "--threads", 4, "--segment-bytes", 8192, "--pause", 200_000],
            # A ring that is too small: most events are dropped.
            [beside("tracedev"), "recorder", "run", "{}", "--threads", 6, "--segment-bytes", 8192, "--segments", 3]]):
        place = folder / f"recording-{number}"
        command = [place if part == "{}" else part for part in command]
        journal, trace = killed(place, command, 0.3)
        name = f"recording {number}"
        found = compare_journal(name, folder, journal, trace)
        compare_journal(f"{name}, its journal alone", folder, journal, b"")
        compare_journal(f"{name}, joined", folder, journal + trace, b"")
        if trace:
            path = folder / "alone.lctrace"
            path.write_bytes(trace)
            compare(f"{name}, its trace alone", path)
        if not any(part.events for part in found.traces):
            Count.fail(f"{name} has no events")
        for _ in range(DAMAGES_OF_JOURNAL):
            compare_journal(f"{name}, damaged", folder, damaged_journal(chance, journal),
                            trace if chance.random() < 0.5 else b"")


def indexes(folder):
    """The blocks that an index tells are those that are there."""
    source, trace = folder / "workload.ndjson", folder / "workload.lctrace"
    source.write_bytes(run(beside("tracedev"), "workload", 70_000))
    run(beside("tracedev"), "encode", source, "-o", trace)
    place = folder / "whole"
    run(beside("tracedev"), "recorder", "run", place, "--threads", 2, "--events", 8_000, "--segment-bytes", 8192)
    joined = folder / "joined.lctrace"
    joined.write_bytes((place / "run.lctrace").read_bytes() + trace.read_bytes())
    found = compare("joined traces with indexes", joined)
    blocks = [record.start for part in found.traces for record, _ in part.blocks]
    if lctrace_reader.index_blocks(joined.read_bytes()) != blocks or len(blocks) < 4:
        Count.fail("the index", lctrace_reader.index_blocks(joined.read_bytes()), blocks)


def main():
    chance = random.Random(OPTIONS.seed)
    files = OPTIONS.count // TRACES_OF_FILE
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        start = time.monotonic()

        def took(what):
            nonlocal start
            print(f"{what}: {Count.files} files, {Count.events} events, {time.monotonic() - start:.1f} s", flush=True)
            start = time.monotonic()

        contents = list(ready_traces())
        took("ready traces")
        contents += written_traces(folder, chance, files * 45 // 100)
        took("random traces")
        contents += simulated_traces(folder, OPTIONS.count // 10)
        took("simulated traces")
        odd = list(odd_traces(folder, chance, files * 25 // 100, spoils=False))
        contents += odd
        took("odd traces")
        contents += odd_traces(folder, chance, files * 20 // 100, spoils=True)
        took("spoilt traces")
        damaged_traces(folder, chance, contents)
        took("damaged traces")
        disordered(chance, folder, odd)
        took("disordered traces")
        texts_of_events(folder)
        took("blocks of long texts")
        indexes(folder)
        took("indexes")
        journals(folder, chance)
        took("journals")
    print(f"{Count.traces} traces and {Count.files} files compared: {Count.blocks} blocks, {Count.events} events, "
          f"{Count.defects} places of damage; {Count.failed} failed")
    sys.exit(1 if Count.failed else 0)


main()
