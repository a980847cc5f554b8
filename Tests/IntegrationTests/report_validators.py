"""Independent readers of every report format. Each raises if a report isn't what it claims to be.

The schema of SARIF is looked for beside the repository and may be named by SARIF_SCHEMA.
"""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import unicodedata
import xml.etree.ElementTree

from executable import ROOT

SARIF_SCHEMA = pathlib.Path(os.environ.get(
    "SARIF_SCHEMA", ROOT.parent / "shared" / "schemas" / "sarif" / "sarif-schema-2.1.0.json"))
LINES_SCHEMA = ROOT / "Sources/TraceExport/TraceExport.docc/Resources/report-lines.schema.json"
IS_CI = os.environ.get("CI") == "true"

# https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
GITLAB_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "location", "severity"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


class Skipped(Exception):
    """A reader isn't there, and the machine isn't one of continuous integration."""


def need(condition, what):
    if condition:
        return
    if IS_CI:
        raise AssertionError(f"{what} is missing, and continuous integration must have it")
    raise Skipped(what)


def harmless(text, where):
    """No control, invisible or direction-changing character may reach a reader."""
    for character in text:
        category = unicodedata.category(character)
        if category in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in "\n\r":
            raise AssertionError(f"{where}: {character!r} in {text[:200]!r}")


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def sarif(path):
    """Schema, `sarif-tools`, and GitHub's own limits. Returns the results."""
    import jsonschema
    log = json.loads(pathlib.Path(path).read_text())
    need(SARIF_SCHEMA.exists(), f"the schema {SARIF_SCHEMA.name}")
    schema = json.loads(SARIF_SCHEMA.read_text())
    jsonschema.validators.validator_for(schema)(schema).validate(log)
    import sarif.loader
    read = sarif.loader.load_sarif_file(str(path))
    results = log["runs"][0]["results"]
    assert read.get_result_count() == sum(
        1 for result in results if not result.get("suppressions")) \
        or read.get_result_count() == len(results)
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert len(results) <= 25_000
    for result in results:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["partialFingerprints"]["primaryLocationLineHash"]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert not uri.startswith(("/", "./")) and "\\" not in uri, uri
        flow = result.get("codeFlows")
        assert result["properties"]["launch"] == 0 or flow, result
    for text in strings(log):
        harmless(text, "sarif")
    return results


def check_jsonschema(path, schema=None, builtin=None):
    tool = shutil.which("check-jsonschema")
    need(tool, "check-jsonschema")
    kind = ["--builtin-schema", builtin] if builtin else ["--schemafile", str(schema)]
    done = subprocess.run([tool, *kind, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def junit(path):
    """`xmllint`, `junitparser`, and sums that agree. Returns (suites, cases, failures)."""
    tool = shutil.which("xmllint")
    need(tool, "xmllint")
    done = subprocess.run([tool, "--noout", "--huge", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = {element.tag for element in xml.etree.ElementTree.parse(path).iter()}
    allowed = {"testsuites", "testsuite", "testcase", "failure", "error", "skipped", "properties",
               "property", "system-out"}
    assert names <= allowed, names - allowed
    import junitparser
    suites = list(junitparser.JUnitXml.fromfile(str(path)))
    failures = cases = 0
    for suite in suites:
        members = list(suite)
        assert suite.tests == len(members), suite.name
        results = [type(result).__name__ for case in members for result in case.result]
        assert suite.failures == results.count("Failure")
        assert suite.errors == results.count("Error")
        assert suite.skipped == results.count("Skipped")
        assert len({(case.classname, case.name) for case in members}) == len(members), suite.name
        failures += suite.failures
        cases += len(members)
    harmless(pathlib.Path(path).read_text(), "junit")
    for time in re.findall(r' time="([^"]*)"', pathlib.Path(path).read_text()):
        assert re.fullmatch(r"\d+\.\d{3}", time), time
    return len(suites), cases, failures


def github(text, summary=None):
    """Reads commands as GitHub's runner does. Returns (level, properties, message) of each."""
    commands = []
    for line in text.split("\n"):
        stripped = line.lstrip()
        if not stripped.startswith("::"):
            # The older form of commands is found anywhere in a line.
            assert "##[" not in line, line
            continue
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*(?:%3A[^:]*)*)::(.*)", stripped)
        assert match, line
        properties = {}
        for item in match[2].split(","):
            name, _, value = item.partition("=")
            assert name in ("file", "line", "title"), line
            assert name not in properties, line
            properties[name] = unescaped(value, {"%3A": ":", "%2C": ","})
        message = unescaped(match[3], {})
        assert int(properties["line"]) >= 1
        harmless(message, "github")
        for value in properties.values():
            harmless(value, "github")
            assert "\n" not in value and "\r" not in value, value
        commands.append((match[1], properties, message))
    for level in ("error", "warning", "notice"):
        assert sum(1 for command in commands if command[0] == level) <= 10
    if summary is not None:
        assert len(pathlib.Path(summary).read_bytes()) <= 1 << 20
        markdown_text(pathlib.Path(summary).read_text(), mark="")
    return commands


def unescaped(text, more):
    table = {"%25": "%", "%0D": "\r", "%0A": "\n", **more}
    return re.sub(r"%[0-9A-F]{2}", lambda match: table[match[0]], text)


def gitlab(path):
    import jsonschema
    findings = json.loads(pathlib.Path(path).read_text())
    jsonschema.Draft202012Validator(GITLAB_SCHEMA).validate(findings)
    prints = [finding["fingerprint"] for finding in findings]
    assert len(set(prints)) == len(prints), "a fingerprint isn't unique"
    for text in strings(findings):
        harmless(text, "gitlab")
    return findings


def lines(path):
    import jsonschema
    schema = json.loads(LINES_SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    rows = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    for row in rows:
        validator.validate(row)
    return rows


class Page(html.parser.HTMLParser):
    VOID = {"meta", "br"}

    def __init__(self, allowed, links):
        super().__init__()
        self.allowed, self.links, self.open = allowed, links, []
        self.ids, self.targets = set(), set()

    def handle_starttag(self, tag, attributes):
        assert tag in self.allowed, tag
        for name, value in attributes:
            assert not name.startswith("on") and name != "src", name
            if name == "id":
                self.ids.add(value)
            if name == "href":
                assert value.startswith("#") or value.startswith(self.links), value
                if value.startswith("#"):
                    self.targets.add(value[1:])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        harmless(data, "html")


def html_text(text, links="timelines/"):
    page = Page({
        "html", "head", "meta", "title", "style", "body", "header", "section", "article", "h1",
        "h2", "h3", "p", "span", "a", "pre", "code", "b", "ul", "li"}, links)
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert page.targets <= page.ids, page.targets - page.ids
    assert "default-src 'none'" in text and "<script" not in text.lower()


def markdown_text(text, mark="<!-- tracecheck-report -->\n", links="timelines/"):
    """Renders it as GitHub does, with HTML and links from bare words, and reads the outcome."""
    import markdown_it
    assert text.startswith(mark)
    assert len(text) < 65_536 or not mark
    harmless(text, "markdown")
    renderer = markdown_it.MarkdownIt("gfm-like", {"html": True, "linkify": True})
    page = Page({
        "h2", "p", "details", "summary", "b", "br", "code", "ul", "li", "strong", "a"}, links)
    rendered = renderer.render(text.removeprefix(mark))
    page.feed(rendered)
    page.close()
    assert not page.open, page.open
    for forbidden in (r"(?<![\w&])@\w", r"(?<![&\w])#\d"):
        # Mentions and references aren't seen by the renderer: the source must not hold one.
        assert not re.search(forbidden, re.sub(r'href="[^"]*"', "", text)), forbidden


def all_reports(folder, links="timelines/"):
    """Validates the reports that `arguments` asks for."""
    folder = pathlib.Path(folder)
    results = sarif(folder / "r.sarif")
    junit(folder / "r.xml")
    gitlab(folder / "gl.json")
    rows = lines(folder / "r.jsonl")
    html_text((folder / "r.html").read_text(), links)
    markdown_text((folder / "r.md").read_text(), links=links)
    commands = github((folder / "r.github").read_text())
    report = json.loads((folder / "r.json").read_text())
    assert len(report["traces"]) == sum(1 for row in rows if "unreadable" not in row)
    return results, commands, report


def arguments(folder):
    """The options for every format, each into a file of a folder."""
    names = {"sarif": "r.sarif", "junit": "r.xml", "gitlab": "gl.json", "jsonl": "r.jsonl",
             "html": "r.html", "markdown": "r.md", "github": "r.github", "json": "r.json"}
    return [part for name, file in names.items()
            for part in ("--report", f"{name}={pathlib.Path(folder) / file}")]
