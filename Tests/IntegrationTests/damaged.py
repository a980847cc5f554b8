"""Small captures with a byte changed, cut short, or with blocks in another order, read by the program: every
block that no damage touches comes out, nothing else does, and the damage is named.

    damaged.py [TRACECHECK]

`tracedev damage` reads all of these damages in one process; here are some hundred of them, from outside.
What has to come out of a trace is known from the whole one, of a journal from a second reader.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import lctrace_reader
from executable import TOOL, beside

VOCABULARY = lctrace_reader.Vocabulary.of_page(lctrace_reader.page())


class Count:
    mutants = lost = invented = unnamed = crashes = 0

    @classmethod
    def fail(cls, path, what, *details):
        setattr(cls, what, getattr(cls, what) + 1)
        print(f"FAILED: {path.parent.name}/{path.name}: {what}", *(str(detail)[:300] for detail in details), flush=True)


def run(path, *words):
    result = subprocess.run([TOOL, *words, str(path)], capture_output=True)
    if result.returncode not in (0, 1, 3):
        Count.fail(path, "crashes", words, result.returncode, result.stderr[-300:])
    return result


def is_notice(line):
    """What `cat` writes in the place of events that are missing."""
    event = json.loads(line)
    return event["event"] == "trace.lost" and list(event.get("args", {})) == ["count", "first_ns", "last_ns", "thread"]


def events(lines):
    return [line for line in lines if not line.startswith('{"header":')]


class Whole:
    """A trace that isn't damaged: its records, and the lines of its blocks."""

    def __init__(self, content):
        self.records, place = [], 0
        while place < len(content):
            if content.startswith(lctrace_reader.MAGIC, place):
                end = place + lctrace_reader.SIGNATURE_BYTES
            else:
                end = lctrace_reader.Record(content, place).end
            self.records.append((place, end))
            place = end
        self.blocks, self.traces = [], []
        for number, trace in enumerate(lctrace_reader.File(content, VOCABULARY).traces):
            for (record, _), part in zip(trace.blocks, trace.parts, strict=True):
                lines = [lctrace_reader.event_text(event) for event in part]
                self.blocks.append((record.start, record.end, lines))
                self.traces.append(number)

    def expected(self, manner, first, second):
        """The blocks that must come out, in their order; some of them perhaps once more."""
        blocks = list(range(len(self.blocks)))
        if manner == "byte":
            return [block for block in blocks if not self.blocks[block][0] <= first < self.blocks[block][1]], None
        if manner == "cut":
            return [block for block in blocks if self.blocks[block][1] <= first], None
        if manner == "swapped":
            blocks[first], blocks[second] = second, first
        elif manner == "dropped":
            blocks = [block for block in blocks if block not in (first, second)]
        else:
            blocks.insert(second + 1, first)
            once = list(dict.fromkeys(blocks))
            # The records of one trace are known at a time.
            return once, blocks if self.traces[first] != self.traces[second] else None
        return blocks, None

    def text(self, blocks):
        return [line for block in blocks for line in self.blocks[block][2]]


def check_trace(path, whole):
    manner, first, *second = path.name.split("-")
    once, again = whole.expected(manner, int(first), int(second[0]) if second else None)
    found = [line for line in events(run(path, "cat", "--format", "ndjson").stdout.decode().splitlines())
             if not is_notice(line)]
    if found not in (whole.text(once), again and whole.text(again)):
        missing = [block for block in once if not set(whole.blocks[block][2]) <= set(found)]
        Count.fail(path, "lost" if missing else "invented", missing)
    answer = run(path, "doctor", "--format", "json")
    is_whole = answer.returncode == 0 and json.loads(answer.stdout)["verdict"] == "intact"
    # Where it is cut between two records nothing shows that more was written.
    if is_whole and not (manner == "cut" and any(end == int(first) for _, end in whole.records)):
        Count.fail(path, "unnamed")


def check_journal(path, whole):
    content = path.read_bytes()
    found = run(path, "cat", "--format", "ndjson").stdout.decode().splitlines()
    journal, traces = lctrace_reader.read_recording(content, b"", VOCABULARY)
    expected = list(lctrace_reader.lines(traces.traces, VOCABULARY))
    if found and events(found) != events(expected) or not found and journal.events:
        is_less = set(events(expected)) - set(events(found))
        Count.fail(path, "lost" if is_less else "invented", is_less or set(events(found)) - set(events(expected)))
    if {line for line in events(found) if not is_loss(line)} - set(events(whole)):
        Count.fail(path, "invented")
    answer = run(path, "doctor", "--format", "json")
    defects = json.loads(answer.stdout)["defects"] if answer.stdout else [None]
    if (journal.damage or journal.is_cut_short) and not defects:
        Count.fail(path, "unnamed")


def is_loss(line):
    return json.loads(line)["event"] == "trace.lost"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([beside("tracedev"), "damage", "--samples", folder], check=True)
        captures = sorted(folder.iterdir())
        assert [capture.name for capture in captures] == ["columns", "index", "journal", "rows"], captures
        for capture in captures:
            content = (capture / "whole").read_bytes()
            (capture / "whole").unlink()
            is_journal = capture.name == "journal"
            if is_journal:
                whole = list(lctrace_reader.lines(lctrace_reader.read_recording(content, b"", VOCABULARY)[1].traces, VOCABULARY))
            else:
                whole = Whole(content)
            mutants = sorted(capture.iterdir())
            assert len(mutants) > 60, (capture, len(mutants))
            for path in mutants:
                Count.mutants += 1
                (check_journal if is_journal else check_trace)(path, whole)
    print(f"{Count.mutants} damaged captures through cat and doctor: intact blocks lost {Count.lost}, events invented "
          f"{Count.invented}, damage unnamed {Count.unnamed}, crashes {Count.crashes}")
    sys.exit(1 if Count.lost + Count.invented + Count.unnamed + Count.crashes else 0)


main()
