"""Judges one output: it is what it claims to be, gives orders to nobody, and every text in it is
shown as what it is. Tells which texts came out."""

import collections
import functools
import json
import re
import unicodedata

from hostile_captures import PARSED, PLACES, changed
from hostile_others import quoted
from hostile_texts import ATTACKS, HARMFUL, MARK, is_harmful, shown, squeezed

# What a runner of jobs takes for a command: the old form anywhere in a line, the new one behind
# blanks of any kind.
OLD_COMMAND = re.compile(r"##\[|##vso\[", re.I)
# Traces are data, and a program that reads them finds what was recorded. They have the escapes that
# their format promises, and nobody prints them into the log of a job.
DATA = {f"{command} {form}" for command in ("convert", "filter", "merge", "redact", "bundle")
        for form in ("ndjson", "timeline")} | {"replay"}
UNPROMISED = re.compile("[\u00ad\U000e0000-\U000e0fff]")
# Of a cut text the rest is missing.
CUTS = ("…", "...")


class Outcome:
    """Which texts came out of which place into which form, and what is wrong."""

    def __init__(self):
        self.seen = collections.defaultdict(set)
        self.forms = set()
        self.faults = []

    def add(self, other):
        for cell, numbers in other.seen.items():
            self.seen[cell] |= numbers
        self.forms |= other.forms
        self.faults += other.faults


def judge(outcome, form, reader, content):
    """`form` is the command and the name of the form, `reader` what reads it."""
    outcome.forms.add(form)
    try:
        if reader.__name__ == "perfetto":
            texts = reader(content)
        else:
            text = content.decode()
            texts = reader(text)
            harmless(text, form, reader.__name__)
        for part in texts:
            compare(outcome, form, part)
    except Exception as error:
        outcome.faults.append((form, f"{type(error).__name__}: {error}"[:600]))
        for place, number in MARK.findall(content.decode(errors="replace")):
            outcome.seen[int(place), form].add(int(number))


def harmless(text, form, kind):
    text = text.replace("\r\n", "\n") if kind == "comma_separated" else text
    allowed = "\n\t" if kind == "comma_separated" else "\n"
    if form in DATA:
        text = UNPROMISED.sub("", text)
    bad = set(HARMFUL.findall(text)) - set(allowed)
    assert not bad, f"characters {bad} reach the reader"
    for line in text.split("\n"):
        if line.lstrip().startswith("::"):
            assert kind == "github", f"a command {line[:200]!r}"
        if OLD_COMMAND.search(line):
            assert form in DATA, f"a command {line[:200]!r}"


def broken(part):
    """A text in which what a runner would obey is spelt out."""
    part = re.sub(r"##(?=\[|vso\[)", r"#\\u{23}", part, flags=re.I)
    return re.sub(r"^(\s*):(?=:)", r"\1\\u{3A}", part)


def wrapped(part):
    """A text in which a line was broken before a word that would begin a command."""
    return re.sub(r"(?<!\S):(?=:)", r"\\u{3A}", part)


def in_json(part):
    """A text as it stands between the quotes of JSON that is shown as a text."""
    escapes = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", '"': '\\"',
               "\\": "\\\\"}
    return "".join(
        escapes[c] if c in escapes else json.dumps(c)[1:-1] if is_harmful(c) else c for c in part)


# Where a text is shown as it stands in its file, between quotes or with marks for what is hidden.
AS_WRITTEN = {"text in JSON", "word of a mistake", "rule that is wrong", "wrong configuration",
              "pattern of a line", "line of a report"}


@functools.cache
def forms_of(part, place):
    """How a part of a text may be shown."""
    part = changed(PLACES[place], part)
    parts = {part}
    if PLACES[place] in AS_WRITTEN:
        parts |= {in_json(part), quoted(part)[1:-1], "".join(
            "?" if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") else c for c in part)}
    parts |= {shown(part) for part in parts}
    parts |= {broken(part) for part in parts} | {wrapped(part) for part in parts}
    return {squeezed(part) for part in parts}


def loose(part):
    """A text without the signs that readers of logs and reports take for their own."""
    return re.sub(r'\\u\{?[0-9A-Fa-f]{2,5}\}?|[\\"|\s\x00-\x1f\x7f-\x9f]', "", part)


def compare(outcome, form, part):
    """Whether before and behind each mark stands what belongs there."""
    if "Q" not in part:
        return
    part = squeezed(part)
    for match in MARK.finditer(part):
        place, number = int(match[1]), int(match[2])
        outcome.seen[place, form].add(number)
        before, behind = ATTACKS[number]
        head, rest = part[:match.start()], part[match.end():]
        befores, behinds = forms_of(before, place), forms_of(behind, place)
        if PLACES[place] in PARSED:
            head, rest = loose(head[-400:]), loose(rest[:400])
            befores, behinds = map(loose, befores), map(loose, behinds)
        if not any(map(head.endswith, befores)) or not any(follows(rest, b) for b in behinds):
            outcome.faults.append((
                form, f"{PLACES[place]}, text {number}, {before!r} and {behind!r}: shown as"
                f" {head[-60:]!r} and {rest[:60]!r}"))


def follows(rest, behind):
    if rest.startswith(behind):
        return True
    common = next((n for n, (a, b) in enumerate(zip(rest, behind)) if a != b),
                  min(len(rest), len(behind)))
    return common == len(rest) or rest.startswith(CUTS, common)
