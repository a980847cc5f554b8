"""Events in columns, encoding 2 of a block, as Format.md describes it."""

from lctrace_blocks import (
    ARGUMENTS_MAX, BOOLEAN, INTEGER, JSON, NUMBER, STRING, TEMPLATES_MAX, UNSIGNED, Declarations, Event,
    unframed)
from lctrace_bytes import MASK, Reader, need, signed, unzigzag

GROUP = 512
ESCAPE = 255
DEEPEST = 64
DICTIONARY, TEMPLATES, GROUPS, LOW_BITS, ARGUMENTS, SYMBOLS = range(6)
CONSTANT, AS_IN_ROWS, FROM_BEFORE, FROM_THREAD, FROM_MAXIMUM, FROM_SPAN = range(6)
TYPES_OF_MODES = {
    FROM_BEFORE: (INTEGER, UNSIGNED, STRING, JSON), FROM_THREAD: (INTEGER, UNSIGNED),
    FROM_MAXIMUM: (INTEGER, UNSIGNED), FROM_SPAN: (INTEGER, UNSIGNED)}


class ColumnTemplate:
    """A template with what its events share beyond it: how times and arguments are told."""

    def __init__(self, template):
        self.template = template
        self.slots = []
        self.last_time = None


class Slot:
    """One argument of a column template."""

    def __init__(self, name, kind):
        self.name = name
        self.kind = kind
        self.mode = None
        self.constant = None
        self.constant_bytes = 0
        self.part = None
        self.before = 0


def read_plan(reader, declarations, stream_count):
    count = reader.varint()
    need(count <= TEMPLATES_MAX, "too many column templates")
    plan = []
    for _ in range(count):
        place = reader.varint()
        need(place < len(declarations.templates), "a template that isn't declared")
        plan.append(ColumnTemplate(declarations.templates[place]))
    for column in plan:
        byte = reader.byte()
        column.stream, column.predictor = byte >> 4, byte & 15
        need(column.stream < stream_count, "a stream that isn't there")
        need(column.predictor <= 4, "a predictor that isn't known")
    for column in plan:
        column.centre = reader.byte()
    for column in plan:
        column.period = reader.zigzag() if column.predictor == 4 else 0
    maximum = reader.zigzag()
    for column in plan:
        column.slots = [Slot(name, kind) for name, kind in column.template.arguments]
    slots = [slot for column in plan for slot in column.slots]
    for slot in slots:
        slot.mode = reader.byte()
        need(slot.mode <= FROM_SPAN, "a mode that isn't known")
        need(slot.kind in TYPES_OF_MODES.get(slot.mode, range(6)), "a mode that isn't for the type")
    lengths = []
    for slot in slots:
        if slot.mode == CONSTANT:
            slot.constant = declarations.value(reader, slot.kind)
            # It counts for each event, and not for the plan.
            slot.constant_bytes, declarations.named_bytes = declarations.named_bytes, 0
        else:
            lengths.append((slot, reader.varint()))
    reader.finish("a plan")
    return plan, maximum, lengths


def column_templates(content, count, plan):
    """The column template of each event."""
    need(len(content) >= count, "too few bytes of column templates")
    escaped = Reader(content, count)
    result = []
    for byte in content[:count]:
        number = byte if byte < ESCAPE else ESCAPE + int.from_bytes(escaped.bytes(2), "little")
        need(number < len(plan), "a column template that isn't there")
        result.append(plan[number])
    escaped.finish("the column of templates")
    return result


class Bits:
    """Reads numbers of bits, the lowest first."""

    def __init__(self, content):
        self.value = int.from_bytes(content, "little")
        self.left = 8 * len(content)

    def take(self, count):
        need(count <= self.left, "too few low bits")
        result = self.value & (1 << count) - 1
        self.value >>= count
        self.left -= count
        return result


def difference(symbol, bits):
    if symbol < 8:
        return symbol
    exponent, quarter = 3 + (symbol - 8 >> 2), symbol - 8 & 3
    return (4 + quarter << exponent - 2) | bits.take(exponent - 2)


def read_times(header, order, groups, low_bits, streams):
    """The time of each event in ticks."""
    groups, low_bits = Reader(groups), Reader(low_bits)
    streams = [Reader(stream) for stream in streams]
    base, times = header.earliest, []
    for start in range(0, len(order), GROUP):
        base = signed(base + groups.zigzag())
        bits = Bits(low_bits.bytes(groups.varint()))
        before, of_thread, of_column = base, {}, {}
        for column in order[start:start + GROUP]:
            byte = streams[column.stream].byte()
            symbol = (byte + column.centre - 128) % 256
            need(symbol < 252, "a symbol that isn't known")
            distance = difference(symbol, bits)
            if column.predictor in (1, 3, 4):
                distance = unzigzag(distance)
            thread = column.template.thread
            if column.predictor <= 1:
                origin = before
            elif column.predictor <= 3:
                origin = of_thread.get(thread, base)
            else:
                origin = of_column.get(column, base) + column.period
            before = of_thread[thread] = of_column[column] = signed(origin + distance)
            times.append(before)
        need(bits.left < 8, "low bits behind the last event of a group")
    groups.finish("the column of groups")
    low_bits.finish("the column of low bits")
    for stream in streams:
        stream.finish("a column of symbols")
    return times


class Numbers:
    """The numbers that arguments are told against."""

    def __init__(self, maximum):
        self.maximum = maximum
        self.of_thread = {}
        self.spans = {}

    def enclosing(self, thread):
        spans = self.spans.get(thread, [])
        return spans[-1] if spans and len(spans) <= DEEPEST else 0

    def follow(self, template, arguments):
        numbers = [value for _, kind, value in arguments if kind in (INTEGER, UNSIGNED)]
        if numbers:
            number = signed(numbers[0])
            self.of_thread[template.thread] = number
            if number > self.maximum and (number - self.maximum) & MASK < 4_096:
                self.maximum = number
        if template.phase == 1:
            self.spans.setdefault(template.thread, []).append(numbers[0] if numbers else 0)
        elif template.phase == 2 and self.spans.get(template.thread):
            self.spans[template.thread].pop()


def read_value(slot, thread, numbers, declarations):
    if slot.mode == CONSTANT:
        declarations.name_bytes(slot.constant_bytes)
        return slot.constant
    if slot.mode == AS_IN_ROWS:
        return declarations.value(slot.part, slot.kind)
    origin = {FROM_BEFORE: slot.before, FROM_THREAD: numbers.of_thread.get(thread, 0),
              FROM_MAXIMUM: numbers.maximum, FROM_SPAN: numbers.enclosing(thread)}[slot.mode]
    value = origin + slot.part.zigzag() & MASK
    slot.before = value
    if slot.kind == INTEGER:
        return signed(value)
    return value if slot.kind == UNSIGNED else declarations.text_value(value, slot.kind)


def columns(header, chunk, vocabulary):
    """The declarations and the events of a chunk of encoding 2."""
    chunk, contents = Reader(chunk), []
    for number, (length, stored) in enumerate(header.columns):
        frame = chunk.bytes(stored)
        if number == LOW_BITS:
            need(length == stored, "low bits that are compressed")
            contents.append(frame)
        else:
            contents.append(unframed(frame, header.codec, length))
    chunk.finish("a chunk")
    reader = Reader(contents[DICTIONARY])
    declarations = Declarations(reader, vocabulary)
    plan, maximum, lengths = read_plan(reader, declarations, len(contents) - SYMBOLS)
    order = column_templates(contents[TEMPLATES], header.count, plan)
    need(sum(len(column.slots) for column in order) <= ARGUMENTS_MAX, "too many arguments")
    times = read_times(header, order, contents[GROUPS], contents[LOW_BITS], contents[SYMBOLS:])
    arguments = Reader(contents[ARGUMENTS])
    for slot, length in lengths:
        slot.part = Reader(arguments.bytes(length))
    arguments.finish("the column of arguments")
    numbers, events = Numbers(maximum), []
    for column, time in zip(order, times):
        template = column.template
        values = [(slot.name, slot.kind, read_value(slot, template.thread, numbers, declarations))
                  for slot in column.slots]
        numbers.follow(template, values)
        events.append(Event(template, time, values))
    for slot, _ in lengths:
        slot.part.finish("a slot of arguments")
    return declarations, events
