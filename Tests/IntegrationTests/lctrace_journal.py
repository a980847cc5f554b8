"""A second reader of a recorder's journal, written from Journal.md alone."""

import math
import struct

from lctrace_blocks import Event, Template
from lctrace_bytes import MASK, crc32c, need, repaired, signed

MAGIC = b"\x89LCJ\r\n\x1a\n"
HEADER_BYTES = 65_536
RECORD_AT = 256
SLOT_BYTES, CHUNK_SLOTS = 16, 128
CHUNK_BYTES = SLOT_BYTES * CHUNK_SLOTS
CHUNK, EVENT, ARGUMENT, TEXT, DROP, DROP_TIME = range(1, 7)
DROP_BYTES = 65_536
INTEGER, UNSIGNED, NUMBER, BOOLEAN, PLAIN, DEFINITION, NAMED, HASH = range(8)
SLOT_FACTOR, CHECK_FACTOR = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93


def slot_check(payload, low, slot):
    """The high half of a commit word, at its place."""
    mix = payload + (slot + 1) * SLOT_FACTOR & MASK
    mix ^= mix >> 32
    return (mix ^ low) * CHECK_FACTOR & MASK & ~0xFFFFFFFF


def word_check(word):
    return 0 if word == 0 else ~word * CHECK_FACTOR & MASK



class Journal:
    """What a journal holds: events by thread and number, what was cut, and what is damaged."""

    def __init__(self, content, vocabulary):
        self.content = content
        self.vocabulary = vocabulary
        self.events = []
        self.damage = []
        self.cut = 0
        self.lacking_names = 0
        self.definitions = {}
        self.drops = {}
        self.missing_bytes = 0
        self.is_cut_short = len(content) < HEADER_BYTES
        if self.is_cut_short:
            self.sealed = self.dropped = self.given_up = self.process = None
            self.trace_at = len(content)
            return
        self._read_header()
        if self.key is None:
            self.key = self._likeliest_key()
        ring_end = min(self.trace_at, len(content))
        for start in range(HEADER_BYTES, ring_end - CHUNK_BYTES + 1, CHUNK_BYTES):
            self._read_chunk(start)
        rest = (ring_end - HEADER_BYTES) % CHUNK_BYTES
        if rest:
            self._read_chunk(ring_end - rest, rest // SLOT_BYTES)
        self.damage = joined(self.damage)
        self._resolve_names()
        if self.is_header_damaged:
            self.damage.append((0, 64))
        if self.missing_bytes:
            self.damage.append((len(content), len(content)))

    def _read_header(self):
        head = self.content[:HEADER_BYTES]
        self.is_header_damaged = (
            head[:8] != MAGIC or crc32c(head[:60]) != int.from_bytes(head[60:64], "little"))
        self.sealed, self.dropped, self.given_up = (self._word(place) for place in (64, 80, 96))
        self.key, self.process, self.trace_at, self.table_at = None, None, len(self.content), None
        if self.is_header_damaged:
            return
        segments, chunks, self.process = struct.unpack("<III", head[12:24])
        self.table_at = HEADER_BYTES + segments * chunks * CHUNK_BYTES
        self.trace_at = self.table_at + (DROP_BYTES if (head[8], head[9]) >= (1, 2) else 0)
        self.missing_bytes = max(0, self.trace_at - len(self.content))
        self.key = int.from_bytes(head[40:42], "little")

    def _word(self, place):
        word, check = struct.unpack("<QQ", self.content[place:place + 16])
        return word if check == word_check(word) else None

    def _slot(self, number):
        return struct.unpack_from("<QQ", self.content, HEADER_BYTES + SLOT_BYTES * number)

    def _valid(self, number, key=0):
        """Payload and low half of a slot whose check is right."""
        payload, word = self._slot(number)
        word ^= key << 48
        low = word & 0xFFFFFFFF
        if word == 0 or slot_check(payload, low, number) != word & ~0xFFFFFFFF:
            return None
        return payload, low

    def _likeliest_key(self):
        """The key that most chunks have; of several the one whose chunk comes first."""
        counts = {}
        for number in range(0, (len(self.content) - HEADER_BYTES) // SLOT_BYTES, CHUNK_SLOTS):
            payload, word = self._slot(number)
            low = word & 0xFFFFFFFF
            wrong = slot_check(payload, low, number) ^ word & ~0xFFFFFFFF
            if low & 7 == CHUNK and wrong & 0xFFFF00000000 == 0:
                counts[wrong >> 48] = counts.get(wrong >> 48, 0) + 1
        return max(counts, key=counts.get, default=0)

    def _read_chunk(self, start, count=CHUNK_SLOTS):
        content = self.content[start:start + count * SLOT_BYTES]
        if not any(content):
            return
        first = (start - HEADER_BYTES) // SLOT_BYTES
        head = self._valid(first, self.key) if count else None
        if head is None or head[1] & 7 != CHUNK:
            if self._read_drops(first, first + count):
                return
            self.damage.append((start, start + len(content)))
            return
        thread, number, turn = head[0] >> 48, head[0] & (1 << 48) - 1, head[1] >> 3
        end = first + count
        while end > first + 1 and self._slot(end - 1) == (0, 0):
            end -= 1
        place, wrong = first + 1, None
        while place < end:
            event = self._event(place, first + count)
            if event is None:
                wrong = place if wrong is None else wrong
                place += 1
                continue
            if wrong is not None:
                self._damaged(wrong, place)
                wrong = None
            event.thread = thread
            event.sequence = number + event.in_chunk
            event.turn = turn
            self.events.append(event)
            place += 1 + event.further
        if wrong is None:
            return
        if self._is_cut(wrong, end):
            self.cut += 1
        else:
            self._damaged(wrong, end)

    def _drop(self, slot):
        """Thread and number of a drop, and the turn that wasn't ready."""
        valid = self._valid(slot, self.key)
        if valid is None or valid[1] & 7 != DROP:
            return None
        return valid[0] >> 48, valid[0] & (1 << 48) - 1, valid[1] >> 3

    def _read_drops(self, first, end):
        """A piece of the table of drops; False if nothing of it is whole."""
        pairs = range(first, end - 1, 2)
        if self.table_at is None:
            is_table = any(self._drop(slot) for slot in pairs)
        else:
            is_table = HEADER_BYTES + SLOT_BYTES * first >= self.table_at
        if not is_table:
            return False
        for slot in pairs:
            if self._slot(slot)[1] == 0:
                continue
            drop, time = self._drop(slot), self._valid(slot + 1)
            if drop is None or time is None or time[1] & 7 != DROP_TIME:
                self._damaged(slot, slot + 2)
            elif drop[1] >= self.drops.get(drop[0], (0,))[0]:
                self.drops[drop[0]] = (drop[1], signed(time[0]))
        return True

    def dropped_events(self):
        """What stands for the last drop of each thread."""
        return [lost(thread, number, time) for thread, (number, time) in self.drops.items()]

    def _is_cut(self, first, end):
        """An event without its commit word, and what was written behind it; the last slot may be half there."""
        if self._slot(first)[1] != 0:
            return False
        halves = [word == 0 for word in self._slot(end - 1)]
        is_half = end - 1 > first and halves[0] != halves[1]
        return all(self._is_part(slot) for slot in range(first + 1, end - is_half))

    def _is_part(self, slot):
        valid = self._valid(slot)
        return valid is not None and valid[1] & 7 in (ARGUMENT, TEXT)

    def _damaged(self, first, end):
        self.damage.append((HEADER_BYTES + SLOT_BYTES * first, HEADER_BYTES + SLOT_BYTES * end))

    def _event(self, place, end):
        valid = self._valid(place)
        if valid is None or valid[1] & 7 != EVENT:
            return None
        payload, low = valid
        further = low >> 15 & 127
        stop = place + 1 + further
        kind = self.vocabulary.kinds.get(low >> 5 & 1023)
        if stop > end or kind is None or low >> 3 & 3 > 2:
            return None
        arguments, defined = [], []
        slot = place + 1
        while slot < stop:
            argument = self._argument(slot, stop, defined)
            if argument is None:
                return None
            arguments.append(argument[0])
            slot = argument[1]
        event = Recorded(Template(kind, low >> 3 & 3, None, []), signed(payload), arguments)
        event.time = event.ticks
        event.in_chunk = low >> 22 & 127
        event.further = further
        for number, text in defined:
            self.definitions.setdefault(number, text)
        return event

    def _argument(self, slot, stop, defined):
        """An argument with its texts, and the slot behind it."""
        valid = self._valid(slot)
        if valid is None or valid[1] & 7 != ARGUMENT:
            return None
        payload, low = valid
        kind, further = low >> 3 & 15, low >> 17 & 127
        name = self.vocabulary.arguments.get(low >> 7 & 1023)
        if kind > HASH or name is None or slot + 1 + further > stop:
            return None
        content = b""
        for part in range(slot + 1, slot + 1 + further):
            text = self._valid(part)
            if text is None or text[1] & 7 != TEXT:
                return None
            content += struct.pack("<Q", text[0])[:text[1] >> 3 & 15]
        value = payload
        if kind == INTEGER:
            value = signed(payload)
        elif kind == NUMBER:
            value = struct.unpack("<d", struct.pack("<Q", payload))[0]
            value = value if math.isfinite(value) else 0.0
        elif kind == BOOLEAN:
            value = payload != 0
        elif kind in (PLAIN, DEFINITION):
            value = repaired(content)
            if kind == DEFINITION:
                defined.append((payload, value))
        elif kind == NAMED:
            value = Name(payload)
        elif kind == HASH:
            value = f"#{payload:016x}"
        return (name, kind, value), slot + 1 + further

    def _resolve_names(self):
        kept = []
        for event in self.events:
            names = [value for _, _, value in event.arguments if isinstance(value, Name)]
            if all(name in self.definitions for name in names):
                event.arguments = [
                    (name, kind, self.definitions[value] if isinstance(value, Name) else value)
                    for name, kind, value in event.arguments]
                kept.append(event)
        self.lacking_names = len(self.events) - len(kept)
        self.events = kept
        if self.lacking_names:
            self.damage.append((HEADER_BYTES, min(self.trace_at, len(self.content))))


def lost(thread, number, time):
    """An event that says that the one of this number was dropped."""
    event = Recorded(Template("trace.lost", 0, thread, []), time, [
        ("count", INTEGER, 1), ("first_ns", INTEGER, time), ("thread", PLAIN, str(thread))])
    event.time, event.sequence = time, number
    return event


def tell_first_losses(events, known, is_whole):
    """Events in order, with the count of what was dropped before the first event of a thread."""
    result = []
    for event in events:
        if event.thread not in known:
            known.add(event.thread)
            told = event
            if event.kind != "trace.lost" and event.sequence > 1 and is_whole:
                told = lost(event.thread, event.sequence - 1, event.time)
                result.append(told)
            if is_whole and told.kind == "trace.lost" and told.arguments[0][0] == "count":
                told.arguments[0] = ("count", INTEGER, told.sequence)
        result.append(event)
    return result


def joined(ranges):
    """Ranges in the order of their places, with those in one that touch."""
    result = []
    for start, end in sorted(ranges):
        if result and result[-1][1] == start:
            start = result.pop()[0]
        result.append((start, end))
    return result


class Name(int):
    """The number of a name that another event defines."""


class Recorded(Event):
    """An event of a journal: with its turn and its place in its chunk."""

    __slots__ = ("in_chunk", "further", "turn")


def header_record(content):
    """The record of the trace header that a journal holds; `Malformed` if it is damaged."""
    from lctrace_reader import HEADER, Record
    record = Record(content[:HEADER_BYTES], RECORD_AT)
    need(record.type == HEADER, "no record of a trace header")
    return record
