"""Numbers, texts and checksums of the trace format, as Format.md describes them."""

import struct

MASK = (1 << 64) - 1
TEXT_BYTES_MAX = 64 * 1024


class Malformed(Exception):
    """Bytes that the format doesn't allow; the text says what is wrong."""


def need(condition, text):
    if not condition:
        raise Malformed(text)


def _crc_table():
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_CRC = _crc_table()


def crc32c(content, value=0):
    """The CRC-32C of some bytes; `value` is that of the bytes before them."""
    value ^= 0xFFFFFFFF
    table = _CRC
    for byte in content:
        value = table[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def signed(value):
    """64 bits taken as a number with a sign."""
    value &= MASK
    return value - (1 << 64) if value >> 63 else value


def unzigzag(value):
    return value >> 1 ^ -(value & 1)


def repaired(content):
    """UTF-8 as text, with `?` for each byte that is no well-formed UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        return (content[:error.start].decode() + "?" * (error.end - error.start)
                + repaired(content[error.end:]))


class Reader:
    """Reads some bytes from their beginning; what isn't there is `Malformed`."""

    def __init__(self, content, place=0, end=None):
        self.content = content
        self.place = place
        self.end = len(content) if end is None else end

    @property
    def left(self):
        return self.end - self.place

    def bytes(self, count):
        need(count <= self.left, "the bytes end early")
        self.place += count
        return bytes(self.content[self.place - count:self.place])

    def byte(self):
        need(self.left >= 1, "the bytes end early")
        self.place += 1
        return self.content[self.place - 1]

    def varint(self, bytes_max=10, limit=MASK):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
            need(shift < 7 * bytes_max, "a varint is too long")
        need(value <= limit, f"a number is greater than {limit}")
        return value

    def zigzag(self):
        return unzigzag(self.varint())

    def number(self):
        return struct.unpack("<d", self.bytes(8))[0]

    def text(self, limit=TEXT_BYTES_MAX):
        return self.bytes(self.varint(limit=limit))

    def finish(self, what):
        need(self.left == 0, f"{what} has bytes behind its end")
