"""A second reader of the trace format, written from Format.md and Journal.md alone.

    lctrace_reader.py FILE [TRACE]

Prints the events of a trace, or of a journal and the trace beside it, as `tracecheck cat --format
ndjson` does, and what is damaged on standard error.
"""

import json
import os
import sys

from lctrace_blocks import BlockHeader, JSONText, checked_json, decode
from lctrace_bytes import Malformed, Reader, crc32c, need, repaired
from lctrace_journal import Journal, header_record

MAGIC = b"\x89LCT\r\n\x1a\n"
SYNC = b"\xfeLC\x01"
SIGNATURE_BYTES = 12
BODY_BYTES_MAX = (16 << 20) + (64 << 10)
HEADER, BLOCK, INDEX, ANCHOR = 0x01, 0x02, 0x81, 0x82


class Refused(Exception):
    """A file of a later major version, or none of this format."""


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
        self.number = reader.varint(bytes_max=5)
        length = reader.varint(bytes_max=5)
        need(length <= BODY_BYTES_MAX, "a record that is too long")
        self.body_start = reader.place
        self.is_cut = length + 4 > reader.left
        need(not self.is_cut, "the record is cut short")
        self.body = reader.bytes(length)
        self.checksum = int.from_bytes(reader.bytes(4), "little")
        self.end = reader.place
        need(crc32c(content[start:self.end - 4]) == self.checksum, "the checksum is wrong")


class Header:
    """The fields and clock anchors of a trace."""

    TYPES = ["integer", "boolean", "string", "strings", "json"]

    def __init__(self, body, vocabulary):
        reader = Reader(body)
        self.anchors, self.fields = [], {}
        for _ in range(reader.varint(limit=len(body))):
            part = Reader(reader.text(limit=len(body)))
            self.anchors.append(tuple(part.zigzag() for _ in range(4)))
        while reader.left:
            number, kind = reader.varint(), reader.byte()
            value = Reader(reader.text(limit=len(body)))
            if number == 0 and kind == 4:
                name = repaired(value.text())
                self.fields[name] = JSONText(checked_json(repaired(value.bytes(value.left))))
            elif kind < len(self.TYPES):
                name = vocabulary.fields.get(number, (f"field_{number}",))[0]
                self.fields[name] = self._value(value, kind)
                value.finish("a field of a header")

    @staticmethod
    def _value(reader, kind):
        if kind == 0:
            return reader.zigzag()
        if kind == 1:
            byte = reader.byte()
            need(byte <= 1, "a boolean that is neither 0 nor 1")
            return byte == 1
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
        self.next_place = 0

    @property
    def fields(self):
        return self.header.fields if self.header else {}

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
    """All traces of a file, and its defects."""

    def __init__(self, content, vocabulary):
        self.content = content
        self.vocabulary = vocabulary
        self.traces = []
        self.defects = []
        self.trace = None
        self.damage_start = None
        place = 0
        while place < len(content):
            place = self._step(place)
        self._end_damage(len(content), is_end=True)

    def _step(self, place):
        """Reads what begins at a place, or goes to the next one where anything may begin."""
        if self._signature(place):
            self._end_damage(place)
            self.trace = Trace(start=place)
            return place + SIGNATURE_BYTES
        try:
            record = Record(self.content, place)
        except Malformed:
            if self.damage_start is None:
                self.damage_start = place
            following = [self.content.find(start, place + 1) for start in (MAGIC, SYNC)]
            return min((found for found in following if found >= 0), default=len(self.content))
        self._take(record)
        return record.end

    def _signature(self, place):
        part = self.content[place:place + SIGNATURE_BYTES]
        if len(part) < SIGNATURE_BYTES or part[:8] != MAGIC:
            return False
        if int.from_bytes(part[10:], "little") != crc32c(part[:10]) & 0xFFFF:
            return False
        if part[8] != 1:
            raise Refused(f"major version {part[8]}")
        return True

    def _end_damage(self, place, lost=0, is_end=False):
        if self.damage_start is None:
            return
        consequence = "skipped"
        if is_end and self._cuts_a_record(self.damage_start):
            consequence = "truncated"
        self.defects.append(Defect(consequence, self.damage_start, place, lost))
        self.damage_start = None

    def _cuts_a_record(self, place):
        """Whether what begins at a place is as a record begins, and longer than the file."""
        rest = self.content[place:]
        if SYNC.startswith(rest[:4]) or MAGIC.startswith(rest[:8]):
            try:
                reader = Reader(rest, 6)
                reader.varint(bytes_max=5)
                return reader.varint(bytes_max=5) + 4 > reader.left
            except Malformed:
                return True
        return False

    def _take(self, record):
        if self.trace is None:
            self.trace = Trace(start=record.start)
        trace = self.trace
        if record.type == HEADER:
            if trace.seen.get(record.number) == record.checksum and trace.tag == record.checksum:
                return self._note("skipped", record, reason="a second time")
            self._end_damage(record.start)
            if trace.header or trace.parts:
                self.trace = trace = Trace(start=record.start)
            trace.header = Header(record.body, self.vocabulary)
            trace.tag = record.checksum
            if trace not in self.traces:
                self.traces.append(trace)
            trace.seen[record.number] = record.checksum
            trace.next_number = record.number + 1
        elif record.type == BLOCK:
            self._block(record)
        else:
            self._end_damage(record.start)
            if 0x03 <= record.type < 0x80:
                self._note("skipped", record, reason="a type that isn't known")
            trace.next_number = max(trace.next_number, record.number + 1)

    def _note(self, consequence, record, lost=0, reason=""):
        self._end_damage(record.start)
        self.defects.append(Defect(consequence, record.start, record.end, lost, reason))

    def _block(self, record):
        trace = self.trace
        reader = Reader(record.body)
        try:
            header = BlockHeader(reader)
        except Malformed as problem:
            return self._note("skipped", record, reason=str(problem))
        if trace.seen.get(record.number) == record.checksum and trace.tag == header.tag:
            return self._note("skipped", record, reason="a second time")
        if trace.tag not in (None, header.tag) or record.number in trace.seen:
            self.trace = trace = Trace(start=record.start)
        trace.tag = header.tag
        if trace not in self.traces:
            self.traces.append(trace)
        trace.seen[record.number] = record.checksum
        lost = header.first_place - trace.next_place
        if lost > 0:
            if self.damage_start is not None:
                self._end_damage(record.start, lost=lost)
            else:
                self.defects.append(Defect("skipped", record.start, record.start, lost, "missing"))
            trace.parts.append(Lost(lost))
        else:
            self._end_damage(record.start)
        trace.next_number = max(trace.next_number, record.number + 1)
        trace.next_place = max(trace.next_place, header.first_place + header.count)
        try:
            events = decode(header, record.body[reader.place:], self.vocabulary)
        except Malformed as problem:
            trace.parts.append(Lost(header.count))
            return self._note("skipped", record, header.count, str(problem))
        trace.parts.append(events)
        trace.blocks.append((record, header))
        return None


ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
HIDDEN = {*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x061C, *range(0x200B, 0x2010),
          *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF}
ESCAPED = {**{code: f"\\u{code:04x}" for code in HIDDEN}, **{ord(key): text for key, text in ESCAPES.items()}}
ONLY_HIDDEN = {code: text for code, text in ESCAPED.items() if code not in (34, 92)}


def value_text(value):
    """A value as NDJSON.md writes it."""
    if isinstance(value, JSONText):
        return str.translate(value, ONLY_HIDDEN)
    if isinstance(value, str):
        return f'"{value.translate(ESCAPED)}"'
    if isinstance(value, list):
        return f"[{','.join(map(value_text, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def object_text(pairs):
    return "{" + ",".join(f"{value_text(name)}:{value_text(value)}" for name, value in pairs) + "}"


def header_text(trace):
    fields = [("format", "tracecheck-ndjson"), ("version", 1), *trace.fields.items()]
    return '{"header":' + object_text(fields) + "}"


def event_text(event):
    phase = ["", ',"phase":"enter"', ',"phase":"return"'][event.phase]
    text = f'{{"t_ns":{event.time},"event":{value_text(event.kind)}{phase},"thread":{event.thread}'
    if event.arguments:
        text += ',"args":' + object_text((name, value) for name, _, value in event.arguments)
    return text + "}"


def lost_text(count, before, after):
    return (f'{{"t_ns":{after.time},"event":"trace.lost","thread":1,"args":{{"count":{count},'
            f'"first_ns":{min(before.time, after.time)},"last_ns":{after.time},"thread":"all"}}}}')


def missing_numbers(events, last):
    """How many numbers of threads are missing before events; `last` keeps the last one of each."""
    missing = 0
    for event in events:
        if event.sequence is not None:
            missing += max(0, event.sequence - last.get(event.thread, event.sequence - 1) - 1)
            last[event.thread] = max(event.sequence, last.get(event.thread, 0))
    return missing


def lines(traces):
    """NDJSON of some traces. What is missing between two blocks is an event of its own."""
    for trace in traces:
        yield header_text(trace)
        before, missing, numbers = None, 0, {}
        for part in trace.parts:
            if isinstance(part, Lost):
                missing += part.count
                continue
            missing = max(missing, missing_numbers(part, numbers))
            if missing and before:
                yield lost_text(missing, before, part[0])
            missing = 0
            yield from map(event_text, part)
            before = part[-1]


def read_recording(journal_content, trace_content, vocabulary):
    """A journal, the trace beside it, and one trace with the events of both."""
    journal = Journal(journal_content, vocabulary)
    behind = File(trace_content or journal_content[journal.trace_at:], vocabulary)
    trace = behind.traces[-1] if behind.traces else Trace()
    if not behind.traces:
        behind.traces.append(trace)
    if trace.header is None:
        try:
            trace.header = Header(header_record(journal_content).body, vocabulary)
        except Malformed:
            pass
    known = {(event.thread, event.sequence) for event in trace.events}
    journal.only = [event for event in journal.events if (event.thread, event.sequence) not in known]
    journal.only.sort(key=lambda event: (event.time, event.thread, event.sequence))
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
    for line in lines(found.traces):
        sys.stdout.buffer.write(line.encode() + b"\n")
    for defect in found.defects:
        print(defect, file=sys.stderr)


if __name__ == "__main__":
    main()
