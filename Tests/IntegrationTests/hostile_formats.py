"""The forms of output, as the program itself lists them, each with the reader that judges it.

A form that the program has and this table hasn't, or the other way round, fails the stage.
"""

import re
import subprocess

from executable import TOOL
import hostile_readers as read

# What each command can write, by the name of the form; "" where it has one only.
REPORTS = {
    "text": read.text, "json": read.one_json, "jsonl": read.json_lines, "sarif": read.sarif,
    "junit": read.xml_texts, "github": read.github, "gitlab": read.one_json,
    "markdown": read.markdown, "html": read.page}
PAGES = {
    "html": read.timeline_page, "pftrace": read.perfetto, "json": read.one_json,
    "svg": read.xml_texts, "txt": read.text}
TRACES = {"lctrace": None, "ndjson": read.json_lines, "timeline": read.notation}
PRINTED = {"text": read.text, "json": read.one_json}
READERS = {
    "check": REPORTS, "gate": REPORTS, "merge-reports": {"": read.json_lines},
    "diff": {**PRINTED, "html": read.timeline_page}, "why": {"": read.text}, "timeline": PAGES,
    "metrics": {"text": read.prometheus, "openmetrics": read.open_metrics},
    "query": {"table": read.text, "csv": read.comma_separated, "json": read.one_json,
              "jsonl": read.json_lines},
    "serve": {"": read.served}, "convert": {**TRACES, "dry-run": read.text}, "filter": TRACES,
    "merge": TRACES, "compact": {"": None}, "redact": TRACES,
    "bundle": {**TRACES, "list": read.text},
    "cat": {"timeline": read.notation, "ndjson": read.json_lines}, "info": PRINTED,
    "doctor": PRINTED, "recover": PRINTED, "simulate": TRACES,
    "replay": {"": read.json_lines, "what-if": read.text},
    "rules": {"text": read.text, "json": read.one_json, "yaml": read.yaml, "check": read.text,
              "test": read.text},
    "explain": {**PRINTED, "markdown": read.markdown_document}, "vocabulary": PRINTED,
    "config": PRINTED, "capture": PRINTED}
# Forms that options or subcommands without a list of values choose.
CHOSEN_OTHERWISE = {
    ("convert", "dry-run"), ("bundle", "list"), ("replay", "what-if"),
    ("rules", "check"), ("rules", "test")}
# Where a capture's text can't come out, and why.
TEXTLESS = {
    "simulate": "its traces are made from numbers and words of the program",
    "vocabulary": "it prints the program's own table", "capture": "it prints the program's recipes",
    "compact": "it writes a binary trace only"}
# What `serve` answers at each of its addresses.
SERVED = {
    "/": read.served, "/trace/": read.served, "/timeline/": read.timeline_page,
    "/api/traces": read.served_json, "/api/traces/": read.served_json, "/metrics": read.prometheus,
    "/metrics as openmetrics": read.open_metrics, "/healthz": read.text}


def run(*arguments):
    done = subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=60)
    return done.stdout, done.stderr


def commands():
    """The commands that help lists."""
    listed = run("--help")[0].partition("SUBCOMMANDS:")[2]
    return re.findall(r"^  ([a-z-]+) ", listed, re.M)


NOBODY = "zzzzzzzz"
# Where help has no list of values, a wrong one makes the program tell them.
ASKED = {
    "check": ["--report", NOBODY, "x"], "gate": ["--write-baseline", "y", "--report", NOBODY, "x"],
    "timeline": ["x", "-o", "-", "--to", NOBODY], "diff": ["x", "y", "--format", NOBODY],
    "metrics": ["x", "--format", NOBODY], "convert": ["x", "-o", "-", "--to", NOBODY],
    "filter": ["x", "-o", "-", "--to", NOBODY], "merge": ["x", "-o", "-", "--to", NOBODY],
    "redact": ["x", "-o", "-", "--to", NOBODY],
    "bundle": ["x", "--finding", "1", "-o", "-", "--to", NOBODY],
    "simulate": ["-o", "-", "--to", NOBODY]}


def forms(command):
    """The forms of a command, by its help or by what it says of a wrong one."""
    named = ["rules", "list"] if command == "rules" else [command]
    help_text = " ".join(run(*named, "--help")[0].partition("OPTIONS:")[2].split())
    if command in ASKED:
        said = run(command, *ASKED[command])[1]
        listed = re.search(r"there are ([\w, -]+)$", said.strip())
        assert listed, (command, said)
        return set(listed[1].split(", "))
    listed = re.search(r"--format <format> (?:(?! --).)*?\(values: ([\w, ]+)[;)]", help_text)
    assert listed or not re.search("--(format|to|report) <", help_text), (command, help_text)
    return set(listed[1].split(", ")) if listed else {""}


def unknown():
    """What the program can write and the table lacks, and the other way round."""
    listed = {(command, form) for command in commands() for form in forms(command)}
    table = {(command, form) for command, readers in READERS.items() for form in readers}
    table -= CHOSEN_OTHERWISE
    pages = set(re.findall(r"/(?:[a-z]+/?)+", run("serve", "--help")[0].partition("USAGE")[0]))
    pages = {page.rstrip("/") for page in pages} - {"/var/lib/tracecheck", "/lib/tracecheck"}
    tabled = {address.partition(" ")[0].rstrip("/") for address in SERVED}
    return sorted(listed ^ table) + sorted(page for page in pages if page not in tabled)


def judged_forms():
    """The forms that some call must make, as the outcome names them."""
    made = {f"{command} {form}".strip() for command, readers in READERS.items()
            for form, reader in readers.items() if reader and command not in TEXTLESS}
    return made - {"serve"} | {f"serve {address}" for address in SERVED}
