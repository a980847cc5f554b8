"""Writes blocks of few bytes that stand for very much: equal events, and texts that each of them names."""

import zstandard

from lctrace_bytes import crc32c
from lctrace_writer import record, signature, text, varint, zigzag

EVENTS = 65_536
GROUP = 512
TEXT_BYTES = 64 * 1024
EVENT_TEXT_BYTES_MAX = 64 << 20
MARKER, ENTER, STRING, INTEGER = 7, 1, 4, 0
OWN_NAME = 1_024


def frame(content):
    return zstandard.ZstdCompressor(level=19).compress(content)


def block(tag, number, count=EVENTS, texts=(), named=(), numbers=0, phase=0):
    """A block of columns: events a millisecond apart, all with the same arguments.

    `named` are the places of the texts that the arguments name; `numbers` more are numbers."""
    names = [f"a{place}" for place in range(len(named) + numbers)]
    types = [STRING] * len(named) + [INTEGER] * numbers
    dictionary = varint(0) + varint(len(names)) + b"".join(map(text, names))
    dictionary += varint(len(texts)) + b"".join(varint(len(part)) for part in texts) + b"".join(texts)
    dictionary += varint(1) + zigzag(1) + varint(0)
    dictionary += varint(1) + varint(MARKER) + varint(len(names) << 2 | phase) + varint(0)
    dictionary += b"".join(varint((OWN_NAME + place) << 3 | kind) for place, kind in enumerate(types))
    # The plan: one column template, times from the event before, constant arguments.
    dictionary += varint(1) + varint(0) + b"\x00\x80" + zigzag(0) + bytes(len(names))
    dictionary += b"".join(varint(place) for place in named) + b"".join(zigzag(7) for _ in range(numbers))
    groups, base = b"", 0
    for first in range(0, count, GROUP):
        groups += zigzag(max(0, first - 1) - base) + varint(0)
        base = max(0, first - 1)
    columns = [dictionary, bytes(count), groups, b"", b"", b"\x00" + b"\x01" * (count - 1)]
    stored = [content if place == 3 else frame(content) for place, content in enumerate(columns)]
    head = tag.to_bytes(4, "little") + b"\x02\x02" + varint(count) + varint((number - 1) * EVENTS)
    head += varint(1_000_000) + varint(1) + zigzag((number - 1) * EVENTS) + varint(count - 1)
    head += b"\x00\x01" + bytes([1 << MARKER]) + varint(1) + b"\x03" + varint(count if phase == ENTER else 0)
    head += varint(0) + varint(0) + varint(sum(map(len, columns))) + varint(len(columns))
    head += b"".join(varint(len(column)) + varint(len(part)) for column, part in zip(columns, stored))
    return record(2, number, varint(len(head)) + head + b"".join(stored))


def trace(block_count, **parts):
    header = record(1, 0, b"\x00")
    tag = crc32c(header[:-4])
    return signature() + header + b"".join(block(tag, number + 1, **parts) for number in range(block_count))
