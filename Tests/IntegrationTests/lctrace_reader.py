"""A second reader of the trace format, written from Format.md and Journal.md alone.

    lctrace_reader.py FILE [TRACE]

Prints the events of a trace, or of a journal and the trace beside it, as `tracecheck cat --format
ndjson` does, and what is damaged on standard error.
"""

import json
import os
import re
import sys

from lctrace_blocks import BlockHeader, JSONText, checked_json, decode
from lctrace_bytes import Malformed, Reader, crc32c, need, repaired
from lctrace_journal import HEADER_BYTES, RECORD_AT, Journal, header_record, tell_first_losses

MAGIC = b"\x89LCT\r\n\x1a\n"
SYNC = b"\xfeLC\x01"
SIGNATURE_BYTES = 12
BODY_BYTES_MAX = (16 << 20) + (64 << 10)
HEADER_BYTES_MAX = 1 << 20
ANCHORS_MAX = 1_024
FIELDS_MAX = 4_096
HEADER, BLOCK, INDEX, ANCHOR = 0x01, 0x02, 0x81, 0x82


class Vocabulary:
    """The names that numbers stand for, as `tracecheck vocabulary` and Numbers.md tell them."""

    def __init__(self, kinds, arguments, fields):
        self.kinds = kinds
        self.arguments = arguments
        self.fields = fields

    @classmethod
    def of_page(cls, path):
        """From the tables of Numbers.md."""
        tables = []
        with open(path, encoding="utf-8") as page:
            for line in page:
                cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
                if cells[0] == "number":
                    tables.append({})
                elif cells[0].isdigit():
                    tables[-1][int(cells[0])] = cells[1:]
        kinds, arguments, fields = tables
        return cls({number: cells[0] for number, cells in kinds.items()},
                   {number: cells[0] for number, cells in arguments.items()},
                   {number: tuple(cells) for number, cells in fields.items()})


class Record:
    """A whole record: where it stands, and what is in it."""

    def __init__(self, content, start):
        reader = Reader(content, start)
        need(reader.bytes(4) == SYNC, "no sync word")
        self.start = start
        self.type = reader.byte()
        reader.byte()
        self.number = reader.varint(bytes_max=5, limit=0xFFFFFFFF)
        self.body = reader.bytes(reader.varint(bytes_max=5, limit=BODY_BYTES_MAX))
        self.checksum = int.from_bytes(reader.bytes(4), "little")
        self.end = reader.place
        need(crc32c(content[start:self.end - 4]) == self.checksum, "the checksum is wrong")


class Header:
    """The fields and clock anchors of a trace."""

    TYPES = ["integer", "boolean", "string", "strings", "json"]

    def __init__(self, body, vocabulary):
        need(len(body) <= HEADER_BYTES_MAX, "a header that is too long")
        reader, count = Reader(body), 0
        self.anchors, self.known, self.others = [], {}, []
        for _ in range(reader.varint(limit=ANCHORS_MAX)):
            part = Reader(reader.text(limit=len(body)))
            anchor = tuple(part.zigzag() for _ in range(4))
            need(-(1 << 31) <= anchor[3] < 1 << 31, "a distance from UTC of more than 32 bits")
            self.anchors.append(anchor)
        while reader.left:
            count += 1
            need(count <= FIELDS_MAX, "too many fields")
            number, kind = reader.varint(), reader.byte()
            value = Reader(reader.text(limit=len(body)))
            if number == 0 and kind == 4:
                name = repaired(value.text())
                self.others.append((name, JSONText(checked_json(repaired(value.bytes(value.left))))))
            elif number != 0 and kind < len(self.TYPES):
                content = self._value(value, kind)
                if number in vocabulary.fields:
                    self.known[number] = content
                else:
                    self.others.append((f"field_{number}", content))

    def named(self, vocabulary):
        """Names and values: the fields of the vocabulary in its order, then all others."""
        return [(vocabulary.fields[number][0], self.known[number]) for number in sorted(self.known)] + self.others

    @staticmethod
    def _value(reader, kind):
        if kind == 0:
            return reader.zigzag()
        if kind == 1:
            return reader.byte() != 0
        if kind == 3:
            texts = []
            while reader.left:
                texts.append(repaired(reader.text(limit=reader.left)))
            return texts
        text = repaired(reader.bytes(reader.left))
        return text if kind == 2 else JSONText(checked_json(text))


class Trace:
    """One trace of a file. Without a header its fields are unknown."""

    def __init__(self, header=None, tag=None, start=None):
        self.header = header
        self.tag = tag
        self.start = start
        self.parts = []
        self.blocks = []
        self.seen = {}
        self.next_number = 0
        # The place behind the last block that was read, and behind the last one that was there.
        self.next_place = 0
        self.known_place = 0

    @property
    def events(self):
        return [event for part in self.parts if not isinstance(part, Lost) for event in part]


class Lost:
    """Events that are missing between two blocks."""

    def __init__(self, count):
        self.count = count


class Defect:
    """Bytes of a file that are damaged or missing, and how many events with them."""

    def __init__(self, consequence, start, end, lost=0, reason=""):
        self.consequence = consequence
        self.start = start
        self.end = end
        self.lost = lost
        self.reason = reason

    def __str__(self):
        return f"bytes {self.start}-{self.end}: {self.consequence}, {self.lost} events lost; {self.reason}"


class File:
    """All traces of a file, and its defects in the order of their places."""

    def __init__(self, content, vocabulary):
        self.content = content
        self.vocabulary = vocabulary
        self.traces = []
        self.defects = []
        # Events that are missing, and those of blocks that can't be read.
        self.lost = 0
        self.unread = 0
        self.trace = None
        self.damage_start = None
        place = 0
        while place < len(content):
            place = self._step(place)
        self._end_damage(len(content), is_end=True)
        self.defects.sort(key=lambda defect: (defect.start, defect.end))

    def _step(self, place):
        """Reads what begins at a place, or goes to the next one where anything may begin."""
        version = signature_version(self.content[place:place + SIGNATURE_BYTES])
        if version is not None:
            self._end_damage(place)
            if version > 1:
                self._name("refused", place, place + SIGNATURE_BYTES, reason="a later major version")
                return len(self.content)
            self.trace = Trace(start=place)
            return place + SIGNATURE_BYTES
        try:
            record = Record(self.content, place)
        except Malformed:
            if self.damage_start is None:
                self.damage_start = place
            following = [self.content.find(start, place + 1) for start in (MAGIC, SYNC)]
            return min((found for found in following if found >= 0), default=len(self.content))
        if self.trace is None:
            if place == 0:
                self._name("skipped", 0, 0, reason="the signature is missing")
            self.trace = Trace(start=place)
        if record.type == BLOCK:
            self._block(record)
        else:
            self._other(record)
        return record.end

    def _name(self, consequence, start, end, lost=0, reason=""):
        self.defects.append(Defect(consequence, start, end, lost, reason))

    def _skip(self, record, reason):
        self._end_damage(record.start)
        self._name("skipped", record.start, record.end, reason=reason)

    def _end_damage(self, place, lost=0, is_end=False):
        """What is damaged ends here. At the end of the file it may be a record that is cut short."""
        if self.damage_start is None:
            return
        cut = self._cut_record() if is_end else place
        if cut > self.damage_start:
            self._name("skipped", self.damage_start, cut, lost)
        if cut < place:
            self._name("truncated", cut, place)
        self.damage_start = None

    def _cut_record(self):
        """Where the first record or signature begins that is longer than the file."""
        for place in range(self.damage_start, len(self.content)):
            rest = self.content[place:place + 16]
            if MAGIC.startswith(rest[:8]) and len(rest) < SIGNATURE_BYTES:
                return place
            if not SYNC.startswith(rest[:4]):
                continue
            reader = Reader(rest, min(6, len(rest)))
            try:
                reader.varint(bytes_max=5)
                if len(self.content) - place < reader.varint(bytes_max=5, limit=BODY_BYTES_MAX) + reader.place + 4:
                    return place
            except Malformed:
                if len(rest) < 16:
                    return place
        return len(self.content)

    def _count(self, record, lost=0):
        """Follows the numbers of records, and names those that are missing or late."""
        trace = self.trace
        if record.number > trace.next_number and self.damage_start is None:
            self._name("skipped", record.start, record.start, lost, "records are missing")
        elif record.number < trace.next_number and record.number not in trace.seen:
            self._name("skipped", record.start, record.start, reason="a record that is late")
        trace.next_number = max(trace.next_number, record.number + 1)
        trace.seen.setdefault(record.number, set()).add(record.checksum)

    def _other(self, record):
        trace = self.trace
        if record.checksum in trace.seen.get(record.number, ()):
            return self._skip(record, "a second time")
        if record.type == HEADER:
            self._end_damage(record.start)
            if trace.seen or trace.tag is not None:
                self.trace = trace = Trace(start=record.start)
            try:
                trace.header = Header(record.body, self.vocabulary)
            except Malformed as problem:
                self._skip(record, str(problem))
            trace.tag = record.checksum
            self.traces.append(trace)
            trace.next_number = record.number
        self._count(record)
        self._end_damage(record.start)
        if 0x03 <= record.type < 0x80:
            self._skip(record, "a type that isn't known")
        return None

    def _block(self, record):
        trace = self.trace
        reader = Reader(record.body)
        try:
            header = BlockHeader(reader)
        except Malformed as problem:
            self._count(record)
            return self._skip(record, str(problem))
        if record.checksum in trace.seen.get(record.number, ()) and trace.tag == header.tag:
            return self._skip(record, "a second time")
        if trace.tag != header.tag or record.number in trace.seen:
            self.trace = trace = Trace(start=record.start)
            self.traces.append(trace)
            trace.tag = header.tag
            trace.next_number = record.number
            self._name("skipped", record.start, record.start, reason="the trace header is missing")
        lost = max(0, header.first_place - trace.known_place)
        self.lost += lost
        trace.known_place = max(trace.known_place, header.first_place + header.count)
        self._count(record, lost)
        self._end_damage(record.start, lost)
        try:
            events = decode(header, record.body[reader.place:], self.vocabulary)
        except Malformed as problem:
            self.unread += header.count
            return self._skip(record, str(problem))
        missing = max(0, header.first_place - trace.next_place)
        if missing:
            trace.parts.append(Lost(missing))
        trace.next_place = max(trace.next_place, header.first_place + header.count)
        trace.parts.append(events)
        trace.blocks.append((record, header))
        return None


def index_blocks(content):
    """Where the blocks of all traces begin, by the index alone; nothing if any part of it is missing."""
    places, end = [], len(content)
    while end > 0:
        found = last_trace_of_index(content, end)
        if found is None:
            return None
        blocks, end = found
        places = blocks + places
    return places


def last_trace_of_index(content, end):
    """The blocks of the trace that ends at a place, and where that trace begins."""
    length = int.from_bytes(content[end - 8:end - 4], "little")
    start, blocks, trace = end - length, [], None
    while True:
        try:
            need(0 <= start < end, "no index record")
            record = Record(content[:end], start)
            need(record.type == INDEX, "no index record")
        except Malformed:
            return None
        reader = Reader(record.body)
        trace = start - reader.varint()
        before = reader.varint()
        place, entries = trace, []
        for _ in range(reader.varint()):
            place += reader.varint()
            entries.append(place)
            reader.varint()
            reader.varint()
            BlockHeader(reader)
        blocks = entries + blocks
        if before == 0:
            return blocks, trace
        start -= before


def signature_version(content):
    """The major version that a signature tells, if it is one."""
    if len(content) < SIGNATURE_BYTES or content[:8] != MAGIC:
        return None
    return content[8] if int.from_bytes(content[10:], "little") == crc32c(content[:10]) & 0xFFFF else None


ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
HIDDEN = {*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x061C, *range(0x200B, 0x2010),
          *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF}
ESCAPED = {**{code: f"\\u{code:04x}" for code in HIDDEN}, **{ord(key): text for key, text in ESCAPES.items()}}
STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')


def unescaped(text):
    """What a JSON string says; half a surrogate pair is U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", json.loads(text))


def value_text(value):
    """A value as NDJSON.md writes it."""
    if isinstance(value, JSONText):
        return STRINGS.sub(lambda found: value_text(unescaped(found[0])), value)
    if isinstance(value, str):
        return f'"{value.translate(ESCAPED)}"'
    if isinstance(value, list):
        return f"[{','.join(map(value_text, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def object_text(pairs):
    return "{" + ",".join(f"{value_text(name)}:{value_text(value)}" for name, value in pairs) + "}"


def header_text(trace, vocabulary):
    fields = [("format", "tracecheck-ndjson"), ("version", 1)]
    if trace.header:
        fields += [pair for pair in trace.header.named(vocabulary) if pair[0] not in ("format", "version")]
    return '{"header":' + object_text(fields) + "}"


def event_text(event):
    phase = ["", ',"phase":"enter"', ',"phase":"return"'][event.phase]
    text = f'{{"t_ns":{event.time},"event":{value_text(event.kind)}{phase},"thread":{event.thread}'
    if event.arguments:
        text += ',"args":' + object_text((name, value) for name, _, value in event.arguments)
    return text + "}"


def lost_text(count, before, after):
    last = min(event.time for event in after)
    first = min(max(event.time for event in before), last)
    return (f'{{"t_ns":{last},"event":"trace.lost","thread":1,"args":{{"count":{count},'
            f'"first_ns":{first},"last_ns":{last},"thread":"all"}}}}')


class Numbers:
    """Follows the numbers of threads, to count those that are missing."""

    def __init__(self):
        self.last = {}
        # Before the first number 1 it isn't known how many events a thread had before its first one.
        self.is_begun = False

    def missing(self, events):
        """How many numbers are missing before or between some events; nothing if they have none."""
        numbered = [event for event in events if event.sequence is not None]
        if not numbered:
            return None
        self.is_begun = self.is_begun or any(event.sequence == 1 for event in numbered)
        missing = 0
        for event in numbered:
            before = self.last.get(event.thread, 0 if self.is_begun else event.sequence - 1)
            missing += max(0, event.sequence - before - 1)
            self.last[event.thread] = event.sequence
        return missing


def lines(traces, vocabulary):
    """NDJSON of some traces. What is missing between two blocks is an event of its own."""
    for trace in traces:
        yield header_text(trace, vocabulary)
        before, lost, numbers = None, 0, Numbers()
        for part in trace.parts:
            if isinstance(part, Lost):
                lost += part.count
                continue
            missing = numbers.missing(part)
            if missing or missing is None and lost:
                yield lost_text(lost if missing is None else missing, before or part, part)
            lost = 0
            yield from map(event_text, part)
            before = part


def read_recording(journal_content, trace_content, vocabulary):
    """A journal, the trace beside it, and one trace with the events of both."""
    journal = Journal(journal_content, vocabulary)
    behind = File(trace_content or journal_content[journal.trace_at:], vocabulary)
    trace = behind.traces[-1] if behind.traces else Trace()
    has_trace = bool(behind.traces)
    if not behind.traces:
        behind.traces.append(trace)
    try:
        header = Header(header_record(journal_content).body, vocabulary)
        trace.header = trace.header or header
    except Malformed:
        journal.damage.append((RECORD_AT, HEADER_BYTES))
    known = {(event.thread, event.sequence) for event in trace.events}
    threads = {event.thread for event in trace.events}
    found = journal.events + journal.dropped_events()
    journal.in_both = sum((event.thread, event.sequence) in known for event in found)
    journal.only = []
    for event in found:
        if (event.thread, event.sequence) not in known:
            known.add((event.thread, event.sequence))
            journal.only.append(event)
    journal.only.sort(key=lambda event: (event.time, event.thread, event.sequence))
    is_whole = (not (journal.damage or journal.missing_bytes or behind.defects) and journal.given_up == 0
                and (journal.sealed == 0 or has_trace))
    journal.only = tell_first_losses(journal.only, threads, is_whole)
    trace.parts.extend(without_gaps(journal.only))
    return journal, behind


def without_gaps(events):
    """Events in parts in which the numbers of each thread have no gap, as those of a block have none."""
    parts, last = [], {}
    for event in events:
        if not parts or last.get(event.thread, event.sequence - 1) != event.sequence - 1:
            parts.append([])
            last = {}
        parts[-1].append(event)
        last[event.thread] = event.sequence
    return parts


def page():
    folder = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(folder, "../../Sources/TraceFormat/TraceFormat.docc/Numbers.md")


def main():
    vocabulary = Vocabulary.of_page(page())
    with open(sys.argv[1], "rb") as file:
        content = file.read()
    if sys.argv[1].endswith(".lcjournal"):
        beside = sys.argv[1].removesuffix(".lcjournal") + ".lctrace"
        trace = b""
        if os.path.exists(beside):
            with open(beside, "rb") as file:
                trace = file.read()
        journal, found = read_recording(content, trace, vocabulary)
        print(journal.damage, journal.cut, journal.lacking_names, file=sys.stderr)
    else:
        found = File(content, vocabulary)
    for line in lines(found.traces, vocabulary):
        sys.stdout.buffer.write(line.encode() + b"\n")
    for defect in found.defects:
        print(defect, file=sys.stderr)


if __name__ == "__main__":
    main()
