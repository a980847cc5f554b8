"""Random traces as NDJSON: every type of argument, odd texts, extreme times, kinds nobody knows."""

import json

ODD_TEXTS = ["", "save", "ä", "日本", "😀", "\u202e", "\ufeff", "\x00", "\x7f\x9f", "\"\\/", "a\nb\tc", "#0123456789abcdef",
             "\u2028", "x" * 300, "ends with é", "{", "null"]
EXTREMES = [0, 1, -1, 7, 8, 127, 128, 255, 256, 4095, 4096, (1 << 31) - 1, 1 << 32, (1 << 53) + 1,
            (1 << 63) - 1, -(1 << 63), -(1 << 63) + 1]
DOUBLES = [0.0, -0.0, 0.5, 1 / 3, 1e-5, 1e-320, 5e-324, 1e15, 1e16, 1e17, 123456789012345680.0, -2.5e300, 1.7976931348623157e308,
           100.0, 9007199254740993.0]
JSONS = [None, [], {}, [1, 2.5, "x", None, True], {"a": {"b": [[]]}}, ["\u202e"], 1 << 70, -(1 << 64), {"": ""}, [1e300]]


class Style:
    """What the events of one trace are like."""

    def __init__(self, chance, vocabulary):
        self.chance = chance
        known = list(vocabulary.kinds.values())
        own = ["my.kind", "ui.touch2", "ä.ö", "k" * 256, "with space", "x\u202ey", "trace"]
        self.kinds = chance.sample(known, chance.randint(1, 12)) + chance.sample(own, chance.choice([0, 0, 1, 3]))
        self.names = (chance.sample(list(vocabulary.arguments.values()), chance.randint(1, 8))
                      + chance.sample(["mine", "n" * 256, "ö", " ", "x y", "id2"], chance.choice([0, 1, 3])))
        self.threads = [chance.choice([1, 2, 3, 7, -1, 0, *EXTREMES]) for _ in range(chance.choice([1, 2, 5, 20]))]
        self.unit = chance.choice([1, 1, 10**3, 10**6, 10**9])
        self.times = chance.choice(["rising", "rising", "noisy", "equal", "anywhere", "backwards", "ticks"])
        self.shapes = [self.shape() for _ in range(chance.choice([1, 3, 10, 40]))]
        self.time = chance.choice([0, 0, 10**9, 10**18, -10**18, *EXTREMES])
        self.token = 0

    def shape(self):
        """A call site: its kind, phase, thread, arguments, and what they are like."""
        chance = self.chance
        names = chance.sample(self.names, min(len(self.names), chance.choice([0, 0, 1, 2, 3, 8])))
        return (chance.choice(self.kinds), chance.choice(["instant", "enter", "return"]), chance.choice(self.threads),
                [(name, chance.choice(["token", "few", "small", "extreme", "unsigned", "double", "boolean", "text", "word",
                                       "json", "constant", "mixed"])) for name in names])

    def value(self, manner):
        chance = self.chance
        if manner == "mixed":
            manner = chance.choice(["small", "extreme", "double", "boolean", "text", "json"])
        if manner == "token":
            self.token += chance.choice([0, 1, 1, 2, 4000])
            return self.token
        if manner == "few":
            return chance.choice([3, 5, -9])
        if manner == "small":
            return chance.randint(-300, 300)
        if manner == "extreme":
            return chance.choice(EXTREMES)
        if manner == "unsigned":
            return chance.choice([1 << 63, (1 << 64) - 1, (1 << 63) + chance.randint(0, 999)])
        if manner == "double":
            return chance.choice([*DOUBLES, chance.random(), chance.uniform(-1e6, 1e6)])
        if manner == "boolean":
            return chance.random() < 0.5
        if manner == "word":
            return f"word-{chance.randint(0, 40)}"
        if manner == "json":
            return chance.choice(JSONS)
        return "same" if manner == "constant" else chance.choice(ODD_TEXTS)

    def next_time(self):
        chance = self.chance
        if self.times == "rising":
            self.time += self.unit * chance.choice([0, 1, 5, chance.randint(0, 100_000)])
        elif self.times == "noisy":
            self.time += self.unit * chance.randint(-50, 1000)
        elif self.times == "anywhere":
            self.time = chance.choice([chance.randint(-(1 << 63), (1 << 63) - 1), *EXTREMES])
        elif self.times == "backwards":
            self.time -= self.unit * chance.randint(0, 1000)
        elif self.times == "ticks":
            self.time = abs(self.time) // 2 + chance.randint(0, 10**6)
            return self.time * 125 // 3 if self.time < 1 << 56 else self.time
        self.time = max(-(1 << 63), min((1 << 63) - 1, self.time))
        return self.time

    def event(self):
        kind, phase, thread, arguments = self.chance.choice(self.shapes)
        event = {"t_ns": self.next_time(), "event": kind, "phase": phase, "thread": thread}
        if arguments:
            event["args"] = {name: self.value(manner) for name, manner in arguments}
        return event


def header(chance, vocabulary):
    fields = {"format": "tracecheck-ndjson", "version": 1}
    values = {"string": ODD_TEXTS + ["8.1.0"], "integer": EXTREMES, "boolean": [True, False],
              "strings": [[], ["*"], ["a", "", "ö"]]}
    for name, kind in chance.sample(list(vocabulary.fields.values()), chance.choice([0, 1, 5, 20])):
        if name != "format_version":
            fields[name] = chance.choice(values[kind] if chance.random() < 0.9 else JSONS)
    for name in chance.sample(["own", "field_99", "ö", "x y"], chance.choice([0, 0, 1, 2])):
        fields[name] = chance.choice(ODD_TEXTS + JSONS + EXTREMES + DOUBLES)
    return {"header": fields}


def trace(chance, vocabulary, count):
    """The lines of one trace."""
    style = Style(chance, vocabulary)
    yield json.dumps(header(chance, vocabulary), ensure_ascii=False)
    for _ in range(count):
        yield json.dumps(style.event(), ensure_ascii=False)
