"""Readers of every form of output. Each raises if an output isn't what it claims to be, and returns
the pieces of text that somebody would see in it: what is escaped comes back as it was meant."""

import base64
import csv
import html.parser
import io
import json
import re
import urllib.parse
import xml.etree.ElementTree

from hostile_texts import is_harmful
from report_validators import strings

HTML = {
    "html", "head", "meta", "title", "style", "body", "header", "section", "article", "h1", "h2",
    "h3", "p", "span", "a", "pre", "code", "b", "ul", "li"}
MARKDOWN = {
    "h1", "h2", "h3", "h4", "p", "details", "summary", "b", "br", "code", "ul", "li", "strong",
    "a", "pre"}
SERVED = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "a", "code", "div", "span",
    "table", "tr", "th", "td", "form", "input", "select", "option", "button", "b", "br", "link",
    "main"}
VOID = {"meta", "br", "input", "link"}
SVG = "{http://www.w3.org/2000/svg}"


class Page(html.parser.HTMLParser):
    """The texts of a page of known elements only, without scripts and with harmless links."""

    def __init__(self, allowed, links):
        super().__init__()
        self.allowed, self.links, self.open, self.texts = allowed, links, [], []

    def handle_starttag(self, tag, attributes):
        assert tag in self.allowed, f"an element <{tag}>"
        for name, value in attributes:
            assert not name.startswith("on") and name not in ("src", "srcdoc"), f"{name}={value!r}"
            if name in ("href", "action"):
                assert value.startswith(self.links), f"a link to {value!r}"
            else:
                self.texts.append(value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> ends nothing"

    def handle_comment(self, data):
        raise AssertionError(f"a comment {data!r}")

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.texts.append(data)


def page(text, allowed=HTML, links=("#",)):
    reader = Page(allowed, links)
    reader.feed(text)
    reader.close()
    assert not reader.open, reader.open
    return reader.texts


def served(text):
    return page(text, SERVED, ("/", "#", "data:,"))


def text(text):
    return [text]


def strict(text):
    return json.loads(text, parse_constant=lambda name: 1 / 0)


def one_json(text):
    return list(strings(strict(text)))


def sarif(text):
    """In messages a bracket with a backslash is a bracket, and no link begins with it."""
    def messages(value):
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, (dict, list)):
                yield from messages(item)
        if isinstance(value, dict) and isinstance(value.get("text"), str):
            yield value["text"]

    log = strict(text)
    for part in messages(log):
        assert not re.search(r"(?<!\\)\[[^\]]*\]\(", part), part
    return [address(part.replace("\\[", "[")) for part in strings(log)]


def address(part):
    """A text that may be part of an address, with its signs instead of their numbers."""
    is_path = "%" in part and re.fullmatch(r"[\w.~/%-]+", part, re.ASCII)
    return urllib.parse.unquote(part, errors="strict") if is_path else part


def served_json(text):
    return [address(part) for part in one_json(text)]


def yaml(text):
    import yaml
    return list(strings(yaml.safe_load(text)))


def json_lines(text):
    return [part for line in text.split("\n") if line for part in strings(strict(line))]


def xml_texts(text, forbidden=("script", "foreignObject", "a", "image", "use")):
    root = xml.etree.ElementTree.fromstring(text)
    found = []
    for element in root.iter():
        assert element.tag.removeprefix(SVG) not in forbidden, element.tag
        for name, value in element.attrib.items():
            assert not name.startswith("on") and "href" not in name, name
            found.append(value)
        found += [element.text or "", element.tail or ""]
    return found


def markdown(text):
    """As GitHub renders it, with HTML and with links made of bare words."""
    import markdown_it
    text = text.removeprefix("<!-- tracecheck-report -->\n")
    renderer = markdown_it.MarkdownIt("gfm-like", {"html": True, "linkify": True})
    return ["".join(page(renderer.render(text), MARKDOWN, ("timelines/", "#")))]


def github(text):
    """Commands are only those that the report makes; everything else is no command."""
    found = []
    for line in text.split("\n"):
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        if line.startswith("::"):
            assert match, line
            properties = [part.partition("=") for part in match[2].split(",")]
            assert [name for name, _, _ in properties] == ["file", "line", "title"], line
            found += [unescaped(value) for _, _, value in properties] + [unescaped(match[3])]
        else:
            found.append(line)
    return found


def unescaped(text):
    table = {"%25": "%", "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}
    return re.sub("%[0-9A-F]{2}", lambda match: table[match[0]], text)


def comma_separated(text):
    """No cell may be a formula, in whatever form a spreadsheet reads it."""
    found = []
    for row in csv.reader(io.StringIO(text, newline=""), strict=True):
        for cell in row:
            start = cell.lstrip("\t\r\n ")[:1]
            is_number = re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?|-?inf", cell)
            assert is_number or start not in tuple("=+-@\uff1d\uff0b\uff0d\uff20"), cell
            assert not cell.startswith(("\t", "\r")), cell
            found.append(cell.removeprefix("'"))
    return found


def metrics(text, is_open):
    if is_open:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    else:
        from prometheus_client.parser import text_string_to_metric_families
    found = []
    for family in text_string_to_metric_families(text):
        assert family.name.startswith("tracecheck_"), family.name
        for sample in family.samples:
            assert all(re.fullmatch("[a-z_]+", name) for name in sample.labels), sample.labels
            found += sample.labels.values()
            if sample.exemplar:
                found += sample.exemplar.labels.values()
    assert found
    return found


def prometheus(text):
    return metrics(text, False)


def open_metrics(text):
    assert text.endswith("# EOF\n") and text.count("# EOF\n") == 1
    return metrics(text, True)


class TimelinePage(html.parser.HTMLParser):
    """The scripts of a page with a timeline, and the data in it."""

    def __init__(self):
        super().__init__()
        self.scripts, self.tags, self.open = [], [], None

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            assert not name.startswith("on") and name != "srcdoc", name
            assert name not in ("src", "href") or value.startswith(("#", "data:,")), value
        if tag == "script":
            self.open = dict(attributes)
            self.scripts.append([self.open, ""])

    def handle_endtag(self, tag):
        if tag == "script":
            self.open = None

    def handle_data(self, data):
        if self.open is not None:
            self.scripts[-1][1] += data


def timeline_page(text):
    """The data are base64 in elements that no browser runs; the script holds no text of a trace."""
    reader = TimelinePage()
    reader.feed(text)
    reader.close()
    blocks = [data for attributes, data in reader.scripts if attributes.get("type")]
    programs = [data for attributes, data in reader.scripts if not attributes.get("type")]
    assert len(programs) == 1 and blocks, [attributes for attributes, _ in reader.scripts]
    assert "Q" + "0" not in programs[0]
    rest = text
    for block in blocks:
        rest = rest.replace(block, "")
    found = [rest.partition("<script")[0]]
    for block in blocks:
        content = base64.b64decode("".join(block.split()), validate=True)
        # Texts stand one behind the other, between numbers.
        found += [part for part in content.decode("utf-8", "replace").split("\0") if part]
    return found


def perfetto(content):
    """Every text of the packets, read with Perfetto's own classes."""
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    trace = perfetto_trace_pb2.Trace()
    trace.ParseFromString(content)
    found = list(message_texts(trace))
    for part in found:
        assert not any(map(is_harmful, part)), part
    return found


def message_texts(message):
    for field, value in message.ListFields():
        for item in value if field.is_repeated else [value]:
            if field.message_type:
                yield from message_texts(item)
            elif isinstance(item, str):
                yield item


def notation(text):
    """The lines of our notation: a text that is no word is quoted as in JSON."""
    found = []
    for line in text.split("\n"):
        assert re.match(r"timeline 1$|header |[-+]?[\d.]+\w+ |#|$", line), line
        found += [json.loads(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', line)]
        rest = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
        # JSON stands where an argument is one; what is in its quotes was read above.
        assert re.fullmatch(r"[-\w.:/+@<>=,*\[\]{}# ]*", rest), rest
        found.append(rest)
    return found


def markdown_document(text):
    """A file that people write links into; no link leads to a program."""
    import markdown_it
    renderer = markdown_it.MarkdownIt("gfm-like", {"html": True, "linkify": True})
    links = ("#", "http://", "https://", "mailto:")
    return ["\n".join(page(renderer.render(text), MARKDOWN, links))]
