"""Hostile texts in third-party logs and reports, in rule files, configurations, baselines and our
own reports."""

import json

from hostile_captures import put
from hostile_texts import ATTACKS, is_harmful

COUNT = len(ATTACKS)


def line(second, message, process="Notes"):
    return f"May  4 10:00:{second:02}.000000 {process}(UIKitCore)[412] <Notice>: {message}\n"


BEGUN = ("Created background task <_UIBackgroundTaskInfo: 0x10a>: taskID = 3, taskName = {0},"
         " creationTime = 7 (elapsed = 0).")
ENDED = "Ending background task with UIBackgroundTaskIdentifier: 3"


def log(number):
    """What a device prints; one line of it is what a text makes of it."""
    def said(place):
        return put(place, number)

    return (line(0, "hello", said("process of a log")) + line(1, said("message of a log"))
            + line(2, BEGUN.format(said("task in a log"))) + line(3, ENDED) + line(4, ENDED)
            + line(5, "[Own] did " + said("line of an app's own")))


def crash(number):
    def said(place):
        return put(place, number)

    head = {"app_name": said("name in a report"), "timestamp": "2026-03-04 10:00:30.00 +0100",
            "app_version": said("version in a report"), "bug_type": "309",
            "os_version": "iPhone OS 17.0 (21A1)", "incident_id": f"0A0A0A0A-{number}"}
    body = {
        "captureTime": "2026-03-04 10:00:25.0000 +0100",
        "procLaunch": "2026-03-04 10:00:05.0000 +0100", "pid": 412,
        "procRole": said("state in a report"), "modelCode": said("model in a report"),
        "osVersion": {"train": "iPhone OS 17.0", "build": "21A1"},
        "bundleInfo": {"CFBundleShortVersionString": said("version in a report"),
                       "CFBundleIdentifier": said("name in a report")},
        "procName": said("name in a report"),
        "exception": {"type": "EXC_CRASH", "signal": "SIGKILL"},
        "termination": {"flags": 6, "code": 2343432205,
                        "namespace": said("namespace in a report"),
                        "indicator": said("words in a report"),
                        "reasons": [said("words in a report")]}}
    return json.dumps(head) + "\n" + json.dumps(body) + "\n"


def jetsam(number):
    head = {"bug_type": "298", "timestamp": "2026-03-04 10:00:30.00 +0100",
            "os_version": "iPhone OS 16.1 (20B82)", "incident_id": f"0B-{number}"}
    body = {"product": "iPhone12,1", "processes": [
        {"states": ["frontmost", put("state in a report", number)], "rpages": 81920,
         "reason": put("words in a report", number), "pid": 412,
         "name": put("name in a jetsam report", number)}],
        "memoryStatus": {"pageSize": 16384}}
    return json.dumps(head) + "\n" + json.dumps(body) + "\n"


def payload(number):
    name = "cumulative" + put("category of a payload", number) + "ExitCount"
    return json.dumps({
        "timeStampBegin": f"2026-03-03 23:00:{number % 60:02} +0000",
        "timeStampEnd": "2026-03-04 23:00:00 +0000", "appVersion": "2.4",
        "metaData": {"osVersion": "iPhone OS 16.1 (20B82)", "deviceType": "iPhone12,1",
                     "bundleIdentifier": "com.example.notes"},
        "applicationExitMetrics": {"backgroundExitData": {
            name: 3, "cumulativeAppWatchdogExitCount": 2}}}) + "\n"


FORMS = {"log": log, "ips": crash, "jetsam.ips": jetsam, "json": payload}


def write_others(folder):
    names = []
    for form, make in FORMS.items():
        for number in range(COUNT):
            names.append(f"{number}.{form}")
            (folder / names[-1]).write_text(make(number), errors="surrogatepass")
    return names


PATTERNS = """tracecheck: 1
capture_patterns:
  - {message: "[Own] did <what>", event: trace.marker, args: {text: <what>}}
"""


def quoted(text):
    """A text in YAML, with what must not stand in a file spelt out."""
    return '"' + "".join(
        "\\" + c if c in '"\\' else f"\\U{ord(c):08x}" if is_harmful(c) else c
        for c in text) + '"'


def rules():
    """Rules of which each is broken, with texts in all that a rule can say."""
    text = "tracecheck: 1\nrules:\n"
    for number in range(COUNT):
        def said(place):
            return quoted(put(place, number))

        words = said("texts of a rule")
        text += (f"  - id: own{number}\n    severity: warning\n"
                 f"    summary: {said('summary of a rule')}\n"
                 f"    rationale: {words}\n    consequence: {words}\n    advice: {words}\n"
                 f"    message: {said('message of a rule')}\n"
                 f"    reason: {said('reason of a rule')}\n"
                 f"    never: bgtask.end\n"
                 f"    examples:\n      - holds: {said('remark of an example')}\n"
                 f"        trace: {quoted('+0s bgtask.end token=1')}\n")
    return text


def wrong_rules():
    """One file for each text, as a text that is no YAML ends the reading."""
    for number in range(COUNT):
        said = put("rule that is wrong", number)
        yield f"tracecheck: 1\nrules:\n  - id: {quoted(said)}\n    never: {quoted(said)}\n{said}\n"


def configuration():
    text = "tracecheck: 1\nsuppressions:\n"
    for number in range(COUNT):
        text += (f"  - rule: LC001\n"
                 f"    subject: {quoted(put('subject of a suppression', number))}\n"
                 f"    reason: {quoted(put('reason of a suppression', number))}\n")
    text += "  - {rule: LC001, subject: '*', reason: " + quoted(put("reason of a suppression", 0))
    text += "}\ncapture_patterns:\n"
    for number in range(COUNT):
        text += (f"  - message: {quoted('own ' + put('pattern of a line', number))}\n"
                 f"    event: trace.marker\n    args: {{text: a}}\n")
    text += "apps:\n"
    for number in range(COUNT):
        text += f"  {quoted(put('app of a section', number))}:\n    rules: {{LC861: off}}\n"
    return text


def wrong_configurations():
    for number in range(COUNT):
        said = put("wrong configuration", number)
        yield f"tracecheck: 1\n{quoted(said)}: 1\nfail_on: {quoted(said)}\n{said}\n"


def baseline():
    """Findings that are gone, and an app in which a rule was evaluated that no longer is."""
    lines = [{"tracecheck_baseline": 1}]
    for number in range(COUNT):
        lines.append({"app": put("app of a baseline", number),
                      "rule": put("rule of a baseline", number), "severity": "error",
                      "fingerprint": f"v1:{number:016x}",
                      "subject": put("subject of a baseline", number)})
        lines.append({"app": put("app of a baseline", number), "evaluated": "graphics",
                      "rules": ["LC004"]})
    return "".join(json.dumps(line) + "\n" for line in lines)


def report_lines(known):
    """Lines of a report as a third party may write them, with nothing escaped that JSON allows."""
    row = json.loads(known)
    for number in range(COUNT):
        row["path"] = put("path in a report", number)
        row["trace_id"] = str(number)
        for finding in row["findings"]:
            finding["message"] = put("line of a report", number)
        yield json.dumps(row, ensure_ascii=False) + "\n"


def names(place, ending):
    return [put(place, number) + ending for number in range(COUNT)]
