"""Hostile texts in every place where a capture's text can come out, in every form.

A table beside this file says which places come out in which form: `x` where each text does, a digit
where so many tenths of them do, a dot where none does. Each text that comes out is looked at.

Usage: hostile_strings.py [PATH-OF-TRACECHECK] [--write] [--only=GROUP]; without a path the release
build is used. --write writes the table anew; --only makes the calls of one group, and leaves the
table alone.
"""

import collections
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

from hostile_captures import PLACES
from hostile_formats import TEXTLESS, judged_forms, unknown
from hostile_judge import Outcome, judge
from hostile_runs import GROUPS, Index
from hostile_served import answers
from hostile_texts import ATTACKS

TABLE = pathlib.Path(__file__).with_name("hostile_strings.txt")
ONLY = [option[len("--only="):] for option in sys.argv if option.startswith("--only=")]
SHOWN_MAX = 8
# Several calls at a time: handing one over costs as much as some take.
CHUNK = 8


def judged(call):
    outcome = Outcome()
    for form, reader, content in call.run():
        if reader is None:
            outcome.faults.append((call.command, content))
        else:
            judge(outcome, form, reader, content)
    return outcome


def served(folder):
    outcome = Outcome()
    try:
        answers(folder, lambda *answer: judge(outcome, *answer))
    except (AssertionError, OSError) as error:
        outcome.faults.append(("serve", repr(error)[:600]))
    return outcome


def all_outcomes(folder):
    calls = []
    for group in GROUPS:
        if not ONLY or group.__name__ in ONLY:
            own, out = folder / group.__name__, folder / f"{group.__name__}-out"
            own.mkdir()
            out.mkdir()
            calls += group(own, out)
    (folder / "served").mkdir()
    whole = Outcome()
    with multiprocessing.Pool(max(2, os.cpu_count() or 2)) as pool:
        pages = None
        if not ONLY or "served" in ONLY:
            pages = pool.apply_async(served, (folder / "served",))
        # What others read is made first.
        for chunk in (1, CHUNK):
            some = [call for call in calls if isinstance(call, Index) == (chunk == 1)]
            for outcome in pool.imap_unordered(judged, some, chunk):
                whole.add(outcome)
        if pages:
            whole.add(pages.get())
    return whole, len(calls)


def sign(count):
    return "." if not count else "x" if count == len(ATTACKS) else str(10 * count // len(ATTACKS))


def table(outcome):
    """A line for each form with a sign for each place, and below what the columns are."""
    width = max(map(len, outcome.forms))
    lines = [f"{form:{width}}  " + "".join(
        sign(len(outcome.seen.get((place, form), ()))) for place in range(len(PLACES)))
        for form in sorted(outcome.forms)]
    lines += ["", "Columns, from the left:"]
    lines += [f"{number + 1:3}  {name}" for number, name in enumerate(PLACES)]
    return "\n".join(lines) + "\n"


def compared(outcome):
    """What differs from the table that is kept, and places that come out nowhere."""
    text, known = table(outcome), TABLE.read_text() if TABLE.exists() else ""
    if "--write" in sys.argv:
        TABLE.write_text(text)
        known = text
    if text != known:
        old, new = known.splitlines(), text.splitlines()
        yield "the table isn't what came out; --write writes it"
        yield from (f"- {line}" for line in old if line not in new)
        yield from (f"+ {line}" for line in new if line not in old)
    places = {place for place, _ in outcome.seen}
    yield from (f"{name} comes out nowhere" for place, name in enumerate(PLACES)
                if place not in places)
    yield from (f"{form}: no call makes it" for form in sorted(judged_forms() - outcome.forms))
    commands = {form.partition(" ")[0] for _, form in outcome.seen}
    yield from (f"{command}: texts come out, and none can" for command in commands & set(TEXTLESS))


def main():
    start = time.monotonic()
    failures = [f"not in the table of forms, or there only: {form}" for form in unknown()]
    with tempfile.TemporaryDirectory() as name:
        outcome, count = all_outcomes(pathlib.Path(name))
    failures += [] if ONLY else compared(outcome)
    by_form = collections.defaultdict(list)
    for form, fault in outcome.faults:
        by_form[form].append(fault)
    for form, faults in sorted(by_form.items()):
        failures += [f"{form}: {len(faults)} faults"] + [f"  {one}" for one in faults[:SHOWN_MAX]]
    print("\n".join(failures))
    print(f"{len(ATTACKS)} texts, {len(PLACES)} places, {len(outcome.forms)} forms:"
          f" {len(outcome.seen)} of {len(PLACES) * len(outcome.forms)} cells show"
          f" {sum(map(len, outcome.seen.values()))} texts in {count} calls,"
          f" {time.monotonic() - start:.0f} s; {'failed' if failures else 'passed'}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
