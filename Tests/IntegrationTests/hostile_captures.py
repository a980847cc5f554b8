"""Captures that carry hostile texts: every place that a capture has for a text of its author.

One capture has one text in each place, another one in the next capture; so after as many captures
as there are texts each has been in each place.
"""

import json
import re

from hostile_texts import ATTACKS, text

MILLISECOND = 1_000_000

# Places in a trace, by number. The first ones are in its header.
HEADER = ["app_bundle_id", "app_version", "device_model", "trace_id", "os_build",
          "recorder_version", "main_nib", "refresh_status", "app_kind"]
LISTS = ["background_modes", "permitted_task_identifiers", "log_levels"]
PLACES = HEADER + LISTS + [
    "unknown header field", "value of an unknown field", "thread name", "task name", "scene",
    "own kind", "argument name", "argument text", "text in JSON", "label of a span", "peer",
    "lock", "reason of a start", "cause of an end", "words about an end", "namespace of an end",
    "file name", "folder name",
    # Third-party logs and reports.
    "process of a log", "message of a log", "task in a log", "line of an app's own",
    "name in a report", "version in a report", "words in a report", "namespace in a report",
    "state in a report", "model in a report", "name in a jetsam report", "category of a payload",
    # What is read beside captures.
    "message of a rule", "summary of a rule", "texts of a rule", "reason of a rule",
    "remark of an example", "rule that is wrong",
    "name of a rule file", "reason of a suppression", "subject of a suppression",
    "app of a section", "pattern of a line", "wrong configuration", "name of a configuration",
    "app of a baseline", "subject of a baseline", "rule of a baseline", "name of a baseline",
    "line of a report", "path in a report", "word of a mistake", "argument of a command"]
# Third-party formats have signs of their own.
PARSED = PLACES[PLACES.index("process of a log"):PLACES.index("message of a rule")]
NUMBERS = {name: number for number, name in enumerate(PLACES)}


def as_name(text):
    """A text as a file may be called."""
    return text.replace("/", "_").replace("\0", "_")


def on_a_line(text):
    """A text as it may stand in a line of a log."""
    return text.replace("\n", " ").replace("\r", " ")


def as_words(text):
    """A text that YAML takes for one."""
    return on_a_line(text).replace(": ", ":")


# Where a text can't be as it is.
CHANGES = {"file name": as_name, "folder name": as_name, "name of a rule file": as_name,
           "name of a configuration": as_name, "name of a baseline": as_name,
           "process of a log": on_a_line, "message of a log": on_a_line,
           "task in a log": on_a_line, "line of an app's own": on_a_line,
           "rule that is wrong": as_words, "wrong configuration": as_words,
           "pattern of a line": lambda text: re.sub(r"([\\*<])", r"\\\1", text),
           # Braces stand around fields there.
           "message of a rule": lambda text: text.translate({0x7B: "(", 0x7D: ")"}),
           "argument of a command": lambda text: text.replace("\0", "")}


def changed(place, text):
    return CHANGES[place](text) if place in CHANGES else text


def put(place, number):
    """The text in a place of a capture: each place has another text in each capture."""
    place_number = NUMBERS[place]
    return changed(place, text(place_number, (number + place_number) % len(ATTACKS)))


def life(number):
    """A life as NDJSON: a task that is ended twice, odd kinds and names, an end by the system."""
    def said(place):
        return put(place, number)

    header = {"format": "tracecheck-ndjson", "version": 1, "os_version": "8.1.0",
              "coverage": ["*"], said("unknown header field"): said("value of an unknown field")}
    header |= {name: said(name) for name in HEADER}
    header |= {name: ["audio", said(name)] for name in LISTS}
    events = [
        ("proc.start", {"into": "foreground", "reason": said("reason of a start")}, 1),
        ("delegate.did_finish_launching", {}, 1), ("delegate.did_become_active", {}, 1),
        ("trace.thread", {"thread": 2, "name": said("thread name")}, 2),
        ("scene.will_connect", {"scene": said("scene")}, 1),
        ("bgtask.begin", {"token": 7, "is_invalid": False, "name": said("task name"),
                          "has_expiration_handler": True}, 1),
        ("bgtask.end", {"token": 7, "is_invalid": False}, 1),
        ("bgtask.end", {"token": 7, "is_invalid": False}, 1),
        (said("own kind"), {said("argument name"): "plain"}, 2),
        ("trace.marker", {"text": said("argument text")}, 2),
        ("own.json", {"value": {"a": [said("text in JSON")]}}, 2),
        ("work.span", {"class": "save", "id": 1, "label": said("label of a span")}, 2),
        ("net.connect", {"op": "open", "socket": 3, "peer": said("peer")}, 2),
        ("file.lock", {"op": "acquire", "lock": said("lock"), "container": "app_group"}, 2),
        ("delegate.will_resign_active", {}, 1), ("delegate.did_enter_background", {}, 1),
        ("proc.suspend", {}, 1),
        ("proc.kill", {"cause": said("cause of an end"), "code": 562215634,
                       "description": said("words about an end"),
                       "namespace": said("namespace of an end")}, 1),
    ]
    rows = [{"header": header}]
    for place, (event, arguments, thread) in enumerate(events):
        row = {"t_ns": 100 * MILLISECOND * place, "event": event, "thread": thread,
               "args": arguments}
        if event.startswith("delegate."):
            row["duration_ns"] = MILLISECOND
        rows.append(row)
    rows.insert(-1, {"t_ns": 1_550 * MILLISECOND, "event": "gl.call", "args": {"kind": "draw"}})
    return "".join(json.dumps(row) + "\n" for row in rows)


def write_lives(folder):
    """All lives in a folder, each called by a text. Returns their names."""
    names = []
    for number in range(len(ATTACKS)):
        names.append(put("file name", number) + ".ndjson")
        (folder / names[-1]).write_text(life(number))
    return names


def plain_life(name="com.example.notes"):
    header = {"format": "tracecheck-ndjson", "version": 1, "os_version": "8.1.0",
              "coverage": ["*"], "app_bundle_id": name}
    rows = [{"header": header}, {"t_ns": 0, "event": "proc.start", "args": {"into": "foreground"}},
            {"t_ns": 500 * MILLISECOND, "event": "bgtask.begin", "args": {"token": 1, "name": "a"}},
            {"t_ns": 600 * MILLISECOND, "event": "bgtask.end", "args": {"token": 1}},
            {"t_ns": 700 * MILLISECOND, "event": "bgtask.end", "args": {"token": 1}}]
    return "".join(json.dumps(row) + "\n" for row in rows)


def write_folders(folder):
    """Folders called by texts, each with a capture that is damaged and one that can't be read."""
    names = []
    for number in range(len(ATTACKS)):
        name = put("folder name", number)
        (folder / name).mkdir()
        (folder / name / "life.ndjson").write_text(plain_life() + '{"t_ns":1\n' + "\n")
        (folder / name / "none.lctrace").write_bytes(b"nonsense " * 40)
        names += [f"{name}/life.ndjson", f"{name}/none.lctrace"]
    return names


MISTAKES = {
    "timeline": 'timeline 1\nheader os_version=8.1 {0}=1\n+0s proc.start into={0} {0}\n'
                '+1s {0}\n{0}\n+1s proc.start "{0}"\n',
    "ndjson": '{{"header":{{"format":"tracecheck-ndjson","version":1,"os_version":{1}}}}}\n'
              '{{"t_ns":{1},"event":{1}}}\n{{"t_ns":1,"event":"bgtask.begin","args":{1}}}\n'
              '{{"t_ns":2,"event":"x","phase":{1}}}\n{{"t_ns":3,{1}:1,"event":"x"}}\n{0}\n',
}


def write_mistakes(folder):
    """Captures with mistakes in each of which a text stands where it isn't understood."""
    names = []
    for form, lines in MISTAKES.items():
        for number in range(len(ATTACKS)):
            said = put("word of a mistake", number)
            names.append(f"{form}{number}.{form}")
            (folder / names[-1]).write_text(lines.format(said, json.dumps(said)))
    return names
