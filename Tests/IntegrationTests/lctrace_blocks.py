"""Blocks of a trace: their header, their frames, and events in rows, as Format.md describes them."""

import json
import math
import re
import struct
import sys

import zstandard

from lctrace_bytes import MASK, TEXT_BYTES_MAX, Malformed, Reader, need, repaired, signed

EVENTS_MAX = 65_536
ARGUMENTS_MAX = 524_288
EVENT_ARGUMENTS_MAX = 64
TEMPLATES_MAX = 4_096
CHUNK_BYTES_MAX = 16 << 20
COLUMN_BYTES_MAX = 4 << 20
NAME_BYTES_MAX = 256
ALL_TEXTS_BYTES_MAX = 8 << 20
EVENT_TEXTS_BYTES_MAX = 64 << 20
WINDOW_MAX = 4 << 20
NAMES_MAX = 9_216
THREADS_MAX = 4_096
PLACE_MAX = 1 << 61
JSON_DEPTH_MAX = 62
DECLARED_FROM = 1_024
# The bit of the set of kinds that stands for all kinds without a bit of their own.
OTHER_KINDS = 255
ROWS, COLUMNS = 1, 2
STORED, ZSTD = 1, 2
INTEGER, UNSIGNED, NUMBER, BOOLEAN, STRING, JSON = range(6)


class BlockHeader:
    """What a block says of itself before its chunk."""

    def __init__(self, reader):
        """Takes the header from its length on, and leaves the reader at the chunk."""
        length = reader.varint()
        need(length <= reader.left, "the header of a block is cut short")
        end = reader.place + length
        self.bytes = bytes(reader.content[reader.place:end])
        part = Reader(reader.content, reader.place, end)
        self.tag = int.from_bytes(part.bytes(4), "little")
        self.encoding = part.byte()
        self.codec = part.byte()
        self.count = part.varint(limit=EVENTS_MAX)
        need(self.count >= 1, "a block without events")
        self.first_place = part.varint(limit=PLACE_MAX)
        self.numerator = part.varint(limit=0xFFFFFFFF)
        self.denominator = part.varint(limit=0xFFFFFFFF)
        need(self.numerator >= 1 and self.denominator >= 1, "a tick of no length")
        self.earliest = part.zigzag()
        self.latest = self.earliest + part.varint()
        need(self.latest < 1 << 63, "a latest time that 64 bits don't hold")
        zeros, held = part.byte(), part.byte()
        need(zeros + held <= 32, "a set of kinds of more than 32 bytes")
        self.kinds = int.from_bytes(bytes(zeros) + part.bytes(held), "little")
        self.thread_count = part.varint(limit=THREADS_MAX)
        self.flags = part.byte()
        self.unmatched_enters = part.varint(limit=EVENTS_MAX)
        self.unmatched_returns = part.varint(limit=EVENTS_MAX)
        self.unknown_kinds = part.varint(limit=NAMES_MAX)
        self.chunk_length = part.varint(limit=CHUNK_BYTES_MAX)
        self.columns = []
        if self.encoding == COLUMNS:
            count = part.varint()
            need(6 <= count <= 9, "a number of columns that isn't 6 to 9")
            self.columns = [(part.varint(limit=COLUMN_BYTES_MAX), part.varint()) for _ in range(count)]
            need(sum(size for size, _ in self.columns) == self.chunk_length,
                 "columns that aren't as long as the chunk")
        # Later versions may add bytes.
        reader.place = end

    def nanoseconds(self, ticks):
        value = ticks * self.numerator // self.denominator
        return max(-(1 << 63), min((1 << 63) - 1, value))


def unframed(frame, codec, length):
    """The content of a frame, which has to fill all of `frame` and hold `length` bytes."""
    need(codec in (STORED, ZSTD), f"a codec {codec} that isn't known")
    try:
        parameters = zstandard.get_frame_parameters(frame)
        header = zstandard.frame_header_size(frame)
    except zstandard.ZstdError as error:
        raise Malformed(f"no zstd frame: {error}") from None
    need(frame[:4] == b"\x28\xb5\x2f\xfd", "no zstd frame")
    need(parameters.dict_id == 0, "a frame with a dictionary")
    descriptor = frame[4]
    is_single = bool(descriptor & 0x20)
    has_size = is_single or descriptor >> 6 != 0
    need(not has_size or parameters.content_size == length, "a frame of another length")
    need(is_single or parameters.window_size <= WINDOW_MAX, "a frame with a large window")
    place, is_last = header, False
    while not is_last:
        need(place + 3 <= len(frame), "a frame is cut short")
        word = int.from_bytes(frame[place:place + 3], "little")
        is_last, kind, size = bool(word & 1), word >> 1 & 3, word >> 3
        need(kind != 3, "a reserved type of a frame's block")
        need(codec == ZSTD or kind != 2, "a compressed block in a stored frame")
        place += 3 + (1 if kind == 1 else size)
    need(place + 4 * parameters.has_checksum == len(frame), "not exactly one frame")
    try:
        content = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompress(
            frame, max_output_size=length + 1) if length or not has_size else b""
    except zstandard.ZstdError as error:
        raise Malformed(f"a frame is damaged: {error}") from None
    need(len(content) == length, "a frame of another length")
    return content


class Template:
    """What events of a block share: kind, phase, thread and the names and types of arguments."""

    def __init__(self, kind, phase, thread, arguments):
        self.kind = kind
        self.phase = phase
        self.thread = thread
        self.arguments = arguments


class Declarations:
    """Kinds, names, texts, threads and templates of a block: the first five parts of its chunk."""

    def __init__(self, reader, vocabulary):
        self.kinds = self._names(reader)
        self.names = self._names(reader)
        count = self._count(reader)
        lengths = [reader.varint(limit=TEXT_BYTES_MAX) for _ in range(count)]
        need(sum(lengths) <= ALL_TEXTS_BYTES_MAX, "too many bytes of texts")
        self.texts = [repaired(reader.bytes(length)) for length in lengths]
        self.lengths = lengths
        self.named_bytes = 0
        self.threads = []
        count = self._count(reader)
        need(count <= THREADS_MAX, "too many threads")
        for _ in range(count):
            identifier = reader.zigzag()
            self.threads.append((identifier, reader.varint()))
        self.templates = []
        count = self._count(reader)
        need(count <= TEMPLATES_MAX, "too many templates")
        for _ in range(count):
            kind = self._name(reader.varint(), self.kinds, vocabulary.kinds)
            word = reader.varint()
            need(word & 3 < 3, "a phase that isn't known")
            thread = reader.varint()
            need(thread < len(self.threads), "a thread that isn't declared")
            need(word >> 2 <= EVENT_ARGUMENTS_MAX, "too many arguments of a template")
            arguments = []
            for _ in range(word >> 2):
                argument = reader.varint()
                need(argument & 7 <= JSON, "a type of arguments that isn't known")
                arguments.append((self._name(argument >> 3, self.names, vocabulary.arguments), argument & 7))
            self.templates.append(Template(kind, word & 3, thread, arguments))

    @staticmethod
    def _count(reader):
        count = reader.varint()
        need(count <= reader.left, "more than there are bytes")
        return count

    def _names(self, reader):
        count = self._count(reader)
        need(count <= NAMES_MAX, "too many names")
        return [repaired(reader.text(limit=NAME_BYTES_MAX)) for _ in range(count)]

    @staticmethod
    def _name(number, declared, known):
        if number >= DECLARED_FROM:
            need(number - DECLARED_FROM < len(declared), "a name that isn't declared")
            return declared[number - DECLARED_FROM]
        need(number in known, "a number without a name")
        return known[number]

    def value(self, reader, kind):
        """A value as it stands in rows."""
        if kind == INTEGER:
            return reader.zigzag()
        if kind == UNSIGNED:
            return reader.varint()
        if kind == NUMBER:
            return finite(reader.number())
        if kind == BOOLEAN:
            byte = reader.byte()
            need(byte <= 1, "a boolean that is neither 0 nor 1")
            return byte == 1
        return self.text_value(reader.varint(), kind)

    def text_value(self, place, kind):
        need(place < len(self.texts), "a text that isn't declared")
        self.name_bytes(self.lengths[place])
        text = self.texts[place]
        return text if kind == STRING else JSONText(checked_json(text))

    def name_bytes(self, count):
        """Counts the bytes of a text that an event names."""
        self.named_bytes += count
        need(self.named_bytes <= EVENT_TEXTS_BYTES_MAX, "events with too many bytes of texts")


# White space that is outside all strings, from the beginning on.
SPACES = re.compile(r'\A(?:[^"\s]|"(?:[^"\\]|\\.)*")*\s')


def depth(text):
    """How deep arrays and objects nest."""
    deepest = now = 0
    for sign in re.sub(r'"(?:[^"\\]|\\.)*"', "", text):
        now += (sign in "[{") - (sign in "]}")
        deepest = max(deepest, now)
    return deepest


class JSONText(str):
    """A value that is kept as JSON."""


def finite(value):
    if math.isnan(value):
        return 0.0
    if math.isinf(value):
        return math.copysign(sys.float_info.max, value)
    return value


def checked_json(text):
    """JSON without white space as it is, or else its first bytes as a JSON string."""
    try:
        need(not SPACES.search(text), "white space between values")
        json.loads(text, parse_constant=lambda word: json.loads("!"))
        need(depth(text) <= JSON_DEPTH_MAX, "values that nest too deep")
        return text
    except (Malformed, ValueError, RecursionError):
        start = text.encode()[:10_000].decode(errors="ignore")
        return json.dumps(start, ensure_ascii=False)


class Event:
    """One event, with all that a trace holds of it. `ticks` is its time in units of its block."""

    __slots__ = ("ticks", "time", "kind", "phase", "thread", "sequence", "arguments")

    def __init__(self, template, ticks, arguments):
        self.kind = template.kind
        self.phase = template.phase
        self.thread = template.thread
        self.ticks = ticks
        self.arguments = arguments


def rows(header, content, vocabulary):
    """The events of a chunk of encoding 1."""
    reader = Reader(content)
    declarations = Declarations(reader, vocabulary)
    argument_count = reader.varint(limit=ARGUMENTS_MAX)
    ticks, events, seen = header.earliest, [], 0
    for _ in range(header.count):
        place = reader.varint()
        need(place < len(declarations.templates), "a template that isn't declared")
        template = declarations.templates[place]
        ticks = signed(ticks + reader.zigzag())
        arguments = [(name, kind, declarations.value(reader, kind)) for name, kind in template.arguments]
        seen += len(arguments)
        events.append(Event(template, ticks, arguments))
    need(seen == argument_count, "another number of arguments than declared")
    reader.finish("a chunk")
    return declarations, events


def decode(header, chunk, vocabulary):
    """The events of a block, with their times in nanoseconds, threads and numbers."""
    from lctrace_columns import columns
    need(header.encoding in (ROWS, COLUMNS), f"an encoding {header.encoding} that isn't known")
    if header.encoding == ROWS:
        declarations, events = rows(
            header, unframed(chunk, header.codec, header.chunk_length), vocabulary)
    else:
        declarations, events = columns(header, chunk, vocabulary)
    need(len(declarations.threads) == header.thread_count, "another number of threads than the header tells")
    bits = {name: min(number, OTHER_KINDS) for number, name in vocabulary.kinds.items()}
    need(all(header.kinds >> bits.get(template.kind, OTHER_KINDS) & 1 for template in declarations.templates),
         "a kind that isn't in the set of kinds")
    times = [event.ticks for event in events]
    need(min(times) == header.earliest and max(times) == header.latest, "other times than the header tells")
    need(not header.flags & 1 or all(a <= b for a, b in zip(times, times[1:])), "times that decrease")
    numbers = [first for _, first in declarations.threads]
    for event in events:
        thread = event.thread
        event.thread = declarations.threads[thread][0]
        event.sequence = numbers[thread] or None
        if numbers[thread]:
            numbers[thread] += 1
        event.time = header.nanoseconds(event.ticks)
    return events
