"""The calls of the program that carry texts from every place into every form."""

import subprocess

from executable import TOOL
import hostile_captures as captures
import hostile_others as others
from hostile_formats import READERS, REPORTS
from hostile_texts import ATTACKS

TABLES = ["captures", "traces", "launches", "states", "durations", "spans", "events", "findings",
          "terminations", "kills_explained", "findings_by_version"]
COUNT = len(ATTACKS)
# A machine that does much else still ends a call; one that hangs is told.
SECONDS_MAX = 600


class Call:
    """A call of the program, and which form stands where: None for standard output."""

    def __init__(self, folder, *arguments, outputs=(), form=None, is_wrong=False):
        self.folder, self.arguments = folder, [str(argument) for argument in arguments]
        # What is wrong in how it is called, or in what it is given, ends with a status of its own.
        self.statuses = (2, 3) if is_wrong else (0, 1, 3, 4)
        self.outputs = list(outputs) + ([] if form is None else [(form, None)])
        self.command = self.arguments[0] if self.arguments[0] in READERS else "tracecheck"

    def run(self):
        """The reader, the name of the form, and the bytes, for each output."""
        done = subprocess.run(
            [TOOL, *self.arguments], cwd=self.folder, capture_output=True, timeout=SECONDS_MAX,
            env={"HOME": str(self.folder), "PATH": "/usr/bin:/bin"})
        if done.returncode not in self.statuses:
            yield "", None, f"{self.arguments}: status {done.returncode}: {done.stderr[-500:]}"
        for form, path in self.outputs:
            if path is not None and not path.exists():
                yield "", None, f"{self.arguments}: no {form}: {done.stderr[:500]}"
                continue
            content = done.stdout if path is None else path.read_bytes()
            yield f"{self.command} {form}".strip(), READERS[self.command][form], content
        yield f"{self.command} errors", READERS["why"][""], done.stderr


class Index(Call):
    """A call that makes what others read."""


EVERYTHING = "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM spans)"


def reports(folder, out, command, *arguments):
    """One call that makes every report into a file of its own, and one on standard output."""
    places = [(form, out / f"{command}.{form}") for form in REPORTS]
    asked = [part for form, path in places for part in ("--report", f"{form}={path}")]
    return Call(folder, command, "--fail-on", "never", *asked, *arguments, outputs=places)


def whole(folder, out, names, *options):
    """The commands that take many captures at once."""
    options = options or ("--config", "none")
    yield reports(folder, out, "check", *options, "--undecided", "--", *names)
    yield Call(folder, "check", *options, "--", *names, form="text")
    yield Call(folder, "check", *options, "--report", "github", "--", *names, form="github")
    index = out / "index.db"
    yield Index(folder, "query", *options, "--db", index, EVERYTHING, "--", *names, form="table")
    for form in READERS["query"]:
        for table in TABLES:
            yield Call(folder, "query", "--format", form, "--db", index, f"SELECT * FROM {table}",
                       form=form)
    for form in READERS["metrics"]:
        yield Call(folder, "metrics", *options, "--format", form, "--", *names, form=form)
    for form in READERS["info"]:
        yield Call(folder, "info", "--format", form, "--", *names, form=form)
    if "--rules" not in options:
        yield Call(folder, "why", *options, "--", *names, form="")


def drawn(folder, name, *options):
    options = options or ("--config", "none")
    for form in READERS["timeline"]:
        yield Call(folder, "timeline", *options, "-o", "-", "--to", form, "--", name, form=form)


def compared(folder, name, other, *options):
    options = options or ("--config", "none")
    for form in READERS["diff"]:
        yield Call(folder, "diff", *options, "--format", form, "--", name, other, form=form)


def printed(folder, name):
    """The commands that print one capture, or make another one of it."""
    for command in ("cat", "doctor"):
        for form in READERS[command]:
            yield Call(folder, command, "--format", form, "--", name, form=form)
    for form in ("ndjson", "timeline"):
        yield Call(folder, "convert", "-o", "-", "--to", form, "--", name, form=form)
    yield Call(folder, "convert", "--dry-run", "--", name, form="dry-run")


def made(folder, out, name):
    """The commands that make a trace of a part of one, and tell about it."""
    yield Call(folder, "bundle", "--config", "none", "--list", "--", name, form="list")
    for form in ("ndjson", "timeline"):
        for command, *options in (["filter", "--after", "0s"], ["merge"], ["redact"],
                                  ["bundle", "--config", "none", "--finding", "1"]):
            yield Call(folder, command, *options, "-o", "-", "--to", form, "--", name, form=form)
    for form in READERS["recover"]:
        yield Call(folder, "recover", "-o", out / "recovered.ndjson", "--format", form, "--", name,
                   form=form)
    yield Call(folder, "replay", "--speed", "max", "--", name, form="")
    yield Call(folder, "replay", "--what-if", "--config", "none", "--profile", "ios13", "--", name,
               form="what-if")
    yield Call(folder, "timeline", "--config", "none", "--ascii", "-o", "-", "--to", "txt", "--",
               name, form="txt")


def lives(folder, out):
    names = captures.write_lives(folder)
    plain = out / "plain.ndjson"
    plain.write_text(captures.plain_life())
    yield from whole(folder, out, names)
    empty = out / "empty.jsonl"
    empty.write_text('{"tracecheck_baseline":1}\n')
    yield reports(folder, out, "gate", "--config", "none", "--baseline", empty, "--", *names)
    for number, name in enumerate(names):
        yield from drawn(folder, name)
        yield from printed(folder, name)
        if number % 3 == 0:
            yield from compared(folder, name, plain)
        if number % 4 == 0:
            yield from made(folder, out, name)


def folders(folder, out):
    names = captures.write_folders(folder)
    yield from whole(folder, out, names)
    for name in names[::7]:
        yield from printed(folder, name)


def mistakes(folder, out):
    names = captures.write_mistakes(folder)
    yield reports(folder, out, "check", "--config", "none", "--", *names)
    for number, name in enumerate(names):
        yield Call(folder, "doctor", "--", name, form="text")
        if number % 3 == 0:
            yield Call(folder, "doctor", "--format", "json", "--", name, form="json")
            yield Call(folder, "cat", "--", name, form="timeline")


def logs(folder, out):
    names = others.write_others(folder)
    patterns = folder / "patterns.yml"
    patterns.write_text(others.PATTERNS)
    plain = out / "plain.ndjson"
    plain.write_text(captures.plain_life())
    yield from whole(folder, out, names, "--config", patterns)
    for name in names[::7]:
        yield from drawn(folder, name, "--config", patterns)
        yield from compared(folder, name, plain, "--config", patterns)
        yield Call(folder, "cat", "--", name, form="timeline")
    for name in names[:COUNT] + names[COUNT::9]:
        yield Call(folder, "convert", "--config", patterns, "--dry-run", "--", name, form="dry-run")


def rules(folder, out):
    file, life = folder / "rules.yaml", folder / "life.ndjson"
    file.write_text(others.rules())
    life.write_text(captures.plain_life())
    options = ["--config", "none", "--rules", file]
    yield from whole(folder, out, [life], *options)
    yield from drawn(folder, life, *options)
    yield from compared(folder, life, life, *options)
    empty = out / "empty.jsonl"
    empty.write_text('{"tracecheck_baseline":1}\n')
    yield reports(folder, out, "gate", *options, "--baseline", empty, life)
    yield Call(folder, "bundle", *options, "--list", life, form="list")
    yield Call(folder, "replay", "--what-if", *options, "--profile", "ios13", life, form="what-if")
    ids = ",".join(f"own{number}" for number in range(COUNT))
    for form in READERS["explain"]:
        yield Call(folder, "explain", "--rules", file, "--format", form, ids, form=form)
        for number in range(0, COUNT, 5):
            yield Call(folder, "explain", "--rules", file, "--format", form, f"own{number}",
                       form=form)
    for form in ("text", "json", "yaml"):
        yield Call(folder, "rules", "--rules", file, "--format", form, ids, form=form)
    for command in ("check", "test"):
        yield Call(folder, "rules", command, file, form=command)
    for number, (text, name) in enumerate(
            zip(others.wrong_rules(), others.names("name of a rule file", ".yaml"))):
        (folder / name).write_text(text)
        yield Call(folder, "rules", "check", "--", name, form="check", is_wrong=True)
        if number % 4 == 0:
            yield Call(folder, "check", f"--rules={name}", life, is_wrong=True)


def configurations(folder, out):
    file, life = folder / "good.yml", folder / "life.ndjson"
    file.write_text(others.configuration())
    life.write_text(captures.plain_life())
    yield reports(folder, out, "check", "--config", file, life)
    for form in READERS["config"]:
        yield Call(folder, "config", "--show", "--config", file, "--format", form, form=form)
    yield Call(folder, "config", "--show", "--config", file, "--app", "com.example.notes",
               form="text")
    for number, (text, name) in enumerate(zip(
            others.wrong_configurations(), others.names("name of a configuration", ".yml"))):
        (folder / name).write_text(text)
        yield Call(folder, "config", "--show", f"--config={name}", is_wrong=True)
        if number % 4 == 0:
            (folder / name).with_suffix(".good.yml").write_text("tracecheck: 1\n")
            yield Call(folder, "config", "--show", f"--config={name[:-4]}.good.yml", form="text")


def baselines(folder, out):
    names = []
    for number in range(COUNT):
        names.append(f"{number}.ndjson")
        (folder / names[-1]).write_text(
            captures.plain_life(captures.put("app of a baseline", number)))
    file = folder / "known.jsonl"
    file.write_text(others.baseline())
    yield reports(folder, out, "gate", "--config", "none", f"--baseline={file}", *names)
    for number, name in enumerate(others.names("name of a baseline", ".jsonl")):
        (folder / name).write_text(others.baseline())
        for form in ("text", "github")[number % 2:]:
            yield Call(folder, "gate", "--config", "none", "--report", form, f"--baseline={name}",
                       names[0], form=form)
        yield Call(folder, "gate", "--config", "none", f"--write-baseline={name}.new", names[0],
                   form="text")
        if number % 3 == 0:
            (folder / f"{name}.wrong").write_text(captures.put("rule of a baseline", number) + "\n")
            yield Call(folder, "gate", "--config", "none", f"--baseline={name}.wrong", names[0],
                       is_wrong=True)


def joined(folder, out):
    life = folder / "life.ndjson"
    life.write_text(captures.plain_life())
    known = subprocess.run([TOOL, "check", "--config", "none", "--report", "jsonl", life],
                           capture_output=True, text=True).stdout
    file = folder / "report.jsonl"
    file.write_text("".join(others.report_lines(known)))
    yield Call(folder, "merge-reports", file, form="")
    for number in range(0, COUNT, 3):
        wrong = folder / f"{number}.jsonl"
        said = captures.put("line of a report", number)
        wrong.write_text(f"{said}\n{{{others.quoted(said)}: {said}}}\n")
        yield Call(folder, "merge-reports", wrong, form="")


def arguments(folder, out):
    """What a script hands over from a name of somebody else's."""
    for number in range(0, COUNT, 3):
        said = captures.put("argument of a command", number)
        calls = [[said], ["check", f"--config={said}", "x"], ["check", f"--report={said}", "x"],
                 ["check", f"--header={said}=1", "x"],
                 ["query", f"--format={said}", "SELECT 1", "x"],
                 ["query", f"--file={said}", "x"], ["diff", f"--align={said}", "x", "y"],
                 ["cat", f"--after={said}", "x"], ["serve", f"--listen={said}", "."],
                 ["timeline", "x", f"-o={said}"]]
        # Names of rules are a list.
        if not set(said) & set(", "):
            calls.append(["explain", "--", said])
        for call in calls:
            yield Call(folder, *call, is_wrong=True)


GROUPS = [lives, folders, mistakes, logs, rules, configurations, baselines, joined, arguments]
