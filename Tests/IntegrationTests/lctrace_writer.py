"""Writes traces that the format allows and the product's own writer never makes: every predictor,
mode and stream at random, odd frames, sets of kinds and declarations.

Blocks are written from choices and not from events: what they mean is for readers to say.
"""

import struct

import zstandard

from lctrace_bytes import MASK, crc32c

MAGIC = b"\x89LCT\r\n\x1a\n"
SYNC = b"\xfeLC\x01"


def varint(value):
    result = bytearray()
    while value > 0x7F:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(result) + bytes([value])


def zigzag(value):
    return varint((value << 1 ^ value >> 63) & MASK)


def text(content):
    content = content.encode() if isinstance(content, str) else content
    return varint(len(content)) + content


def signature(minor=1, major=1):
    head = MAGIC + bytes([major, minor])
    return head + struct.pack("<H", crc32c(head) & 0xFFFF)


def record(kind, number, body, flags=0):
    head = SYNC + bytes([kind, flags]) + varint(number) + varint(len(body)) + body
    return head + struct.pack("<I", crc32c(head))


def stored_frame(content, chance):
    """A frame of raw and repeated-byte blocks, cut at random places."""
    size = len(content)
    single = chance.random() < 0.8 and size < 1 << 20
    if single:
        head = b"\x20" + bytes([size]) if size < 256 else b"\xa0" + struct.pack("<I", size)
    else:
        head = b"\x00" + bytes([chance.choice([0x38, 0x48, 0x60])])
    blocks, place = [], 0
    while place < size:
        step = min(size - place, chance.choice([1, 5, 100, 1000]))
        part = content[place:place + step]
        repeated = len(set(part)) == 1 and chance.random() < 0.7
        blocks.append((1, step, part[:1]) if repeated else (0, step, part))
        place += step
    if not blocks or chance.random() < 0.1:
        blocks.append((0, 0, b""))
    result = b"\x28\xb5\x2f\xfd" + head
    for number, (kind, length, part) in enumerate(blocks):
        word = (number == len(blocks) - 1) | kind << 1 | length << 3
        result += struct.pack("<I", word)[:3] + part
    return result


class Block:
    """A random block: declarations, then events as rows or as columns."""

    def __init__(self, chance, count, spoils=False):
        self.chance = chance
        self.spoils = spoils
        self.count = count
        self.kinds = chance.sample(["my.kind", "", "k" * 256, "ä", "other"], chance.choice([0, 1, 3]))
        self.names = chance.sample(["mine", "", "n" * 256, "ö", "b"], chance.choice([0, 1, 3]))
        self.texts = [chance.choice(["", "a", "save", b"\xff\xfe", b"\xe2\x82", b"a\xed\xa0\x80b", "日本", "true", "[1,2]",
                                     "{\"a\":null}", "nothing", "-1.5e3", "\"x\""]) for _ in range(chance.choice([1, 3, 20]))]
        self.threads = [chance.choice([1, 2, 3, -5, (1 << 63) - 1, -(1 << 63), chance.randint(1, 99)])
                        for _ in range(chance.choice([1, 2, 4]))]
        self.threads = sorted(set(self.threads))
        self.numbered = chance.random() < 0.3
        self.templates = [self.template() for _ in range(chance.choice([1, 2, 6, 30]))]

    def number_or_name(self, names):
        if names and self.chance.random() < 0.3:
            return 1024 + self.chance.randrange(len(names))
        return self.chance.randint(1, 145)

    def template(self):
        chance = self.chance
        arguments, used = [], set()
        for _ in range(chance.choice([0, 0, 1, 1, 2, 5])):
            name = self.number_or_name(self.names)
            if name not in used:
                used.add(name)
                arguments.append((name, chance.randint(0, 5)))
        return (self.number_or_name(self.kinds), chance.randint(0, 2), chance.randrange(len(self.threads)), arguments)

    def declarations(self):
        result = varint(len(self.kinds)) + b"".join(map(text, self.kinds))
        result += varint(len(self.names)) + b"".join(map(text, self.names))
        texts = [part.encode() if isinstance(part, str) else part for part in self.texts]
        result += varint(len(texts)) + b"".join(varint(len(part)) for part in texts) + b"".join(texts)
        result += varint(len(self.threads))
        for thread in self.threads:
            result += zigzag(thread) + varint(1 if self.numbered else 0)
        result += varint(len(self.templates))
        for kind, phase, thread, arguments in self.templates:
            result += varint(kind) + varint(len(arguments) << 2 | phase) + varint(thread)
            result += b"".join(varint(name << 3 | kind) for name, kind in arguments)
        return result

    def value(self, kind):
        chance = self.chance
        if kind == 0:
            return zigzag(chance.choice([0, 1, -1, 5000, -(1 << 63), (1 << 63) - 1, chance.randint(-99, 99)]))
        if kind == 1:
            return varint(chance.choice([0, 1, 99, MASK, 1 << 63]))
        if kind == 2:
            return struct.pack("<d", chance.choice([0.0, -0.0, 1.5, float("nan"), float("inf"), -float("inf"), 1e300]))
        if kind == 3:
            return bytes([chance.randint(0, 1)])
        return varint(chance.randrange(len(self.texts)))

    def changed(self, content):
        """With `spoils`, content with a byte that is another one, or one more, or one less."""
        if not self.spoils or self.chance.random() < 0.9:
            return content
        content, place = bytearray(content), self.chance.randrange(len(content) + 1)
        manner = self.chance.randrange(4)
        if manner <= 1 and place < len(content):
            content[place] = self.chance.choice([0, 1, content[place] ^ 1 << self.chance.randrange(8), 255])
        elif manner == 2:
            content.insert(place, self.chance.randrange(256))
        elif place < len(content):
            del content[place]
        return bytes(content)

    def frame(self, content, codec):
        """Spoils stored frames only: versions of zstd differ in what they notice of others."""
        chance = self.chance
        if codec == 1 or chance.random() < 0.3:
            return self.changed(stored_frame(content, chance))
        return zstandard.ZstdCompressor(
            level=chance.choice([1, 3, 12]), write_checksum=chance.random() < 0.3,
            write_content_size=chance.random() < 0.7).compress(content)

    def body(self, tag, first_place, codec, encoding):
        chance = self.chance
        scale = chance.choice([(1, 1), (125, 3), (10**6, 1), (1000, 1), (1, 7), (0xFFFFFFFF, 1)])
        base = chance.choice([0, 10**9, -5, 10**15, -(1 << 63), (1 << 63) - 1 - 10**9])
        times = self.times(base)
        lengths = None
        if encoding == 1:
            content = self.changed(self.rows(times))
            frames, size = self.frame(content, codec), len(content)
        else:
            columns = [self.changed(column) for column in self.columns(times)]
            parts = [part if number == 3 else self.frame(part, codec) for number, part in enumerate(columns)]
            lengths = [(len(part), len(framed)) for part, framed in zip(columns, parts)]
            frames, size = b"".join(parts), sum(map(len, columns))
        occurring = 0
        for kind, _, _, _ in self.templates:
            occurring |= 1 << (kind if kind < 255 else 255)
        occurring |= chance.choice([0, 0, 1 << 200, (1 << 256) - 1])
        full = occurring.to_bytes(32, "little")
        stripped = full.lstrip(b"\0")
        zeros = 32 - len(stripped)
        held = stripped.rstrip(b"\0")
        head = struct.pack("<I", tag) + bytes([encoding, codec]) + varint(self.count) + varint(first_place)
        head += varint(scale[0]) + varint(scale[1]) + zigzag(min(times)) + varint(max(times) - min(times))
        head += bytes([zeros, len(held)]) + held + varint(len(self.threads))
        head += bytes([4 if self.numbered else 0]) + varint(0) * 3 + varint(size)
        if encoding == 2:
            head += varint(len(lengths)) + b"".join(varint(a) + varint(b) for a, b in lengths)
        head = self.changed(head + chance.choice([b"", b"", b"later"]))
        return text(head) + frames

    def times(self, base):
        chance = self.chance
        manner = chance.choice(["rising", "anywhere", "noisy"])
        result, time = [], base
        for _ in range(self.count):
            if manner == "anywhere":
                time = chance.choice([base, base + chance.randint(0, 10**9), chance.randint(-(1 << 63), (1 << 63) - 1)])
            else:
                time += chance.choice([0, 1, 7, 8, 900, chance.randint(0, 10**6)]) - (500 if manner == "noisy" else 0)
            time = max(-(1 << 63), min((1 << 63) - 1, time))
            result.append(time)
        return result

    def rows(self, times):
        content, before, arguments = b"", min(times), 0
        for time in times:
            place = self.chance.randrange(len(self.templates))
            slots = self.templates[place][3]
            difference = time - before & MASK
            content += varint(place) + zigzag(difference - (1 << 64) if difference >> 63 else difference)
            content += b"".join(self.value(kind) for _, kind in slots)
            arguments += len(slots)
            before = time
        return self.declarations() + varint(arguments) + content

    def columns(self, times):
        """The columns of events whose column templates, predictors, streams and modes are random."""
        chance = self.chance
        streams = chance.randint(1, 4)
        many = chance.random() < 0.2
        plan = []
        for _ in range(chance.choice([300, 600]) if many else chance.choice([1, 2, 5, 20])):
            place = chance.randrange(len(self.templates))
            slots = []
            for name, kind in self.templates[place][3]:
                modes = [0, 1, 1, 2, 3, 4, 5] if kind <= 1 else [0, 1, 2] if kind in (4, 5) else [0, 1]
                slots.append([kind, chance.choice(modes), b"", 0])
            plan.append((place, chance.randrange(streams), chance.randint(0, 4), chance.randrange(256),
                         chance.choice([0, 5, -7, 1000, -(1 << 63)]), slots))
        order = [chance.randrange(len(plan)) for _ in range(self.count)]
        maximum = chance.choice([0, 5, -3, (1 << 63) - 5, -(1 << 63)])
        result = self.declarations() + varint(len(plan))
        result += b"".join(varint(column[0]) for column in plan)
        result += bytes(column[1] << 4 | column[2] for column in plan) + bytes(column[3] for column in plan)
        result += b"".join(zigzag(column[4]) for column in plan if column[2] == 4)
        result += zigzag(maximum)
        for column in order:
            for slot in plan[column][5]:
                if slot[1] == 1:
                    slot[2] += self.value(slot[0])
                elif slot[1] == 2 and slot[0] in (4, 5):
                    place = chance.randrange(len(self.texts))
                    slot[2] += zigzag(place - slot[3])
                    slot[3] = place
                elif slot[1]:
                    slot[2] += zigzag(chance.choice([0, 1, -1, 2, 4095, 4096, -(1 << 63), (1 << 63) - 1, chance.randint(0, 50)]))
        slots = [slot for column in plan for slot in column[5]]
        result += bytes(slot[1] for slot in slots)
        result += b"".join(varint(len(slot[2])) if slot[1] else self.value(slot[0]) for slot in slots)
        templates = bytes(min(column, 255) for column in order)
        templates += b"".join(struct.pack("<H", column - 255) for column in order if column >= 255)
        groups, low, symbols = self.time_columns(times, order, plan, streams)
        return [result, templates, groups, low, b"".join(slot[2] for slot in slots), *symbols]

    def time_columns(self, times, order, plan, streams):
        groups, low, symbols = b"", b"", [bytearray() for _ in range(streams)]
        base = min(times)
        for start in range(0, len(times), 512):
            group = times[start - 1] if start else times[0]
            if self.chance.random() < 0.1:
                # Any base will do.
                group = self.chance.choice(times)
            groups += zigzag(signed(group - base))
            base = before = group
            bits, count, of_thread, of_column = 0, 0, {}, {}
            for time, column in zip(times[start:start + 512], order[start:start + 512]):
                place, stream, predictor, centre, period, _ = plan[column]
                thread = self.templates[place][2]
                origin = (before if predictor <= 1 else of_thread.get(thread, base) if predictor <= 3
                          else of_column.get(column, base) + period)
                difference = time - origin & MASK
                if predictor in (1, 3, 4):
                    difference = signed(difference)
                    difference = (difference << 1 ^ difference >> 63) & MASK
                symbol = difference
                if difference >= 8:
                    e = difference.bit_length() - 1
                    symbol = 8 + 4 * (e - 3) + (difference >> e - 2 & 3)
                    bits |= (difference & (1 << e - 2) - 1) << count
                    count += e - 2
                symbols[stream].append((symbol - centre + 128) % 256)
                before = of_thread[thread] = of_column[column] = time
            size = (count + 7) // 8
            if count % 8:
                bits |= self.chance.choice([0, 1]) << 8 * size - 1
            low += bits.to_bytes(size, "little")
            groups += varint(size)
        return groups, low, [bytes(stream) for stream in symbols]


def signed(value):
    value &= MASK
    return value - (1 << 64) if value >> 63 else value


def header_body(chance):
    anchors = chance.choice([0, 0, 1, 2])
    body = varint(anchors)
    for _ in range(anchors):
        body += text(b"".join(zigzag(chance.randint(-10**18, 10**18)) for _ in range(3))
                     + zigzag(chance.choice([0, -43_200, 50_400, 20_700])) + chance.choice([b"", b"more"]))
    fields = [(3, 2, b"continuous"), (6, 2, b"id\xff"), (14, 1, b"\1"), (16, 3, text("a") + text(b"\xc3")),
              (32, 0, zigzag(-5)), (16, 4, b"[1]"), (99, 2, b"later"), (98, 9, b"what"), (0, 4, text("own") + b"{\"a\":1}"),
              (10, 0, zigzag(8)), (97, 3, b""), (8, 2, b"")]
    for number, kind, content in chance.sample(fields, chance.randint(0, 6)):
        body += varint(number) + bytes([kind]) + text(content)
    return body


def random_trace(chance, spoils=False):
    """A trace with its header and one to four blocks; `spoils` changes what is in them, and the
    checksums are right all the same."""
    head = record(1, 0, header_body(chance), flags=chance.choice([0, 0, 255]))
    tag = struct.unpack("<I", head[-4:])[0]
    result, number, place = signature(minor=chance.choice([0, 1, 1, 9])) + head, 1, 0
    for _ in range(chance.randint(1, 4)):
        if chance.random() < 0.2:
            result += record(chance.choice([0x83, 0x90, 0xFF]), number, b"whatever")
            number += 1
        block = Block(chance, chance.choice([1, 2, 3, 30, 200, 511, 512, 513, 1100]), spoils)
        block.numbered = block.numbered and place == 0
        result += record(2, number, block.body(tag, place, chance.choice([1, 2]), chance.choice([1, 2])))
        number += 1
        place += block.count
    return result
