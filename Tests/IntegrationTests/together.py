"""Several captures of one run, judged together, from outside: what is merged, and what is not.

Usage: together.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import html
import itertools
import json
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

from executable import TOOL

BEGUN = ("Created background task <_UIBackgroundTaskInfo: 0x10a>: taskID = {0}, taskName = {1}, "
         "creationTime = {0} (elapsed = 0).")
ENDED = "Ending background task with UIBackgroundTaskIdentifier: {0}"
KILLED = (
    "Received termination request from [osservice<com.apple.SpringBoard>:34] on "
    "<RBSProcessPredicate app<com.example.notes(11AA)>:{pid}> with context <RBSTerminateContext| "
    "domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: "
    "app<com.example.notes>:{pid} exhausted real (wall clock) time allowance of 10.00 seconds "
    "reportType:CrashLog maxTerminationResistance:Interactive>")
SUSPENDED = "[app<com.example.notes(11AA)>:412] Suspending task."


def stamp(seconds, digits=6):
    """The time of day `seconds` after ten o'clock."""
    whole, fraction = divmod(round(seconds * 10 ** 6), 10 ** 6)
    text = f"{10 + whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
    return text + (f".{fraction:06}"[:digits + 1] if digits else "")


def console(lines):
    """(seconds, process, message): Console.app's text, in the zone of Central Europe."""
    return "".join(f"default\t{stamp(t)}+0200\t{name}\t{text}\n" for t, name, text in lines)


def syslog(lines, pids={"Notes": 412}, digits=6):
    """(seconds, process, message): idevicesyslog, in local time, without year and zone."""
    return "".join(
        f"May  4 {stamp(t, digits)} {'' if digits else 'phone '}{name}[{pids.get(name, 33)}]"
        f" <Notice>: {text}\n"
        for t, name, text in lines)


def ips(pid=412, end="10:00:20.2500", launch="09:59:00.0000", zone="+0200", system="16.1",
        name="Notes", bundle="com.example.notes"):
    head = {
        "app_name": name, "timestamp": f"2024-05-04 10:00:21.00 {zone}", "app_version": "2.1",
        "bug_type": "309", "os_version": f"iPhone OS {system} (20B82)", "bundleID": bundle,
        "incident_id": f"11111111-2222-3333-4444-00000000{pid:04}"}
    reason = ("<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog "
              f"transgression: app<{bundle}>:{pid} exhausted real (wall clock) time allowance of "
              "10.00 seconds")
    body = {
        "pid": pid, "procName": name, "captureTime": f"2024-05-04 {end} {zone}",
        "procLaunch": f"2024-05-04 {launch} {zone}", "modelCode": "iPhone15,2",
        "bundleInfo": {"CFBundleIdentifier": bundle, "CFBundleShortVersionString": "2.1"},
        "osVersion": {"train": f"iPhone OS {system}", "build": "20B82"},
        "exception": {"type": "EXC_CRASH", "signal": "SIGKILL"},
        "termination": {
            "flags": 6, "code": 2343432205, "namespace": "FRONTBOARD",
            "reasons": [reason, "ProcessVisibility: Background", "WatchdogEvent: scene-update",
                        "reportType:CrashLog maxTerminationResistance:Interactive>"]}}
    return json.dumps(head) + "\n" + json.dumps(body, indent=1) + "\n"


LINES = [
    (0, "Notes", BEGUN.format(4, "load")), (1, "Notes", ENDED.format(4)),
    (10.125, "Notes", BEGUN.format(5, "save")), (20.25, "runningboardd", KILLED.format(pid=412))]

# What the app's own recorder wrote of the same run: 08:00 UTC is ten o'clock.
RECORDED = (
    '{"header":{"format":"tracecheck-ndjson","version":1,"app_bundle_id":"com.example.notes",'
    '"app_version":"2.1","os_version":"16.1","sdk_linked":"16.1","clock_kind":"continuous"}}\n'
    '{"t_ns":5000000000,"event":"trace.start","args":{"reason":"launch",'
    '"continuous_ns":5000000000,"wall_ns":1714809540000000000}}\n'
    '{"t_ns":5001000000,"event":"proc.start","args":{"pid":412,"into":"foreground"}}\n'
    '{"t_ns":5100000000,"event":"delegate.did_finish_launching","duration_ns":1000000}\n'
    '{"t_ns":5200000000,"event":"delegate.did_become_active","duration_ns":1000000}\n'
    '{"t_ns":74000000000,"event":"delegate.will_resign_active","duration_ns":1000000}\n'
    '{"t_ns":74500000000,"event":"delegate.did_enter_background","phase":"enter"}\n'
    '{"t_ns":75125000000,"event":"bgtask.begin","args":{"token":5,"is_invalid":false,'
    '"name":"save","has_expiration_handler":true}}\n')


class Together(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, content):
        path = pathlib.Path(self.folder.name) / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def run_tool(self, *arguments):
        result = subprocess.run(
            [TOOL, *arguments], capture_output=True, cwd=self.folder.name, timeout=120)
        return result.returncode, result.stdout.decode(), result.stderr.decode()

    def check(self, *arguments):
        code, text, errors = self.run_tool("check", "--report", "json", *arguments)
        self.assertIn(code, (0, 1, 3), errors)
        return code, json.loads(text), errors

    def together(self, *arguments):
        return self.check("--together", *arguments)

    def findings(self, report, rule=None):
        return [
            finding for trace in report["traces"] for finding in trace["findings"]
            if rule is None or finding["rule"] == rule]

    def quality(self, report, which="together"):
        return " | ".join(
            note["message"] for trace in report["traces"] for note in trace["quality"]
            if note["id"] == which)

    def three(self):
        return [
            self.file("console.txt", console(LINES)), self.file("device.log", syslog(LINES)),
            self.file("Notes.ips", ips())]

    # One kill

    def test_three_captures_of_one_kill_give_one_finding(self):
        names = self.three()
        _, alone, _ = self.check(*names)
        self.assertEqual(len(self.findings(alone, "LM14")), 3)
        code, report, _ = self.together(*names)
        self.assertEqual(code, 1)
        self.assertEqual(len(report["traces"]), 1)
        trace = report["traces"][0]
        self.assertEqual(trace["path"], "Notes.ips + console.txt + device.log")
        self.assertEqual(trace["sources"], ["Notes.ips", "console.txt", "device.log"])
        self.assertEqual(trace["app"], "com.example.notes")
        self.assertEqual(trace["os_version"], "16.1")
        finding, = self.findings(report, "LM14")
        self.assertEqual(finding["confidence"], "certain")
        kill = [event for event in finding["witness"] if event["event"] == "proc.kill"]
        self.assertEqual(len(kill), 1)
        self.assertEqual(
            {place["path"] for place in kill[0]["sources"]}, set(trace["sources"]))
        self.assertIn(kill[0]["source"], kill[0]["sources"])
        self.assertEqual(kill[0]["args"]["code"], 0x8badf00d)
        # Both tasks of the two logs, each once: two begins, an end, the kill, and the beginning.
        self.assertEqual(trace["events"], 5)

    def test_one_kill_where_the_clock_of_a_log_was_set(self):
        lines = [(-400, "Notes", BEGUN.format(4, "load")), (-399, "Notes", ENDED.format(4))] + [
            (t, "SpringBoard", "x") for t in (200, -99, -97, -95)] + LINES[2:]
        code, report, _ = self.together(
            self.file("console.txt", console(LINES[2:3] + [(20.5, "Notes", "hello")])),
            self.file("device.log", syslog(lines)), self.file("Notes.ips", ips()))
        self.assertEqual(code, 1)
        trace, = report["traces"]
        finding, = self.findings(report, "LM14")
        kill, = [event for event in finding["witness"] if event["event"] == "proc.kill"]
        self.assertEqual({place["path"] for place in kill["sources"]}, {"Notes.ips", "device.log"})
        self.assertEqual(self.findings(report, "LC001"), [])
        self.assertNotIn("TQ08", json.dumps(trace["quality"]))
        self.assertIn("the clock of the log", self.quality(report, "capture"))

    def test_one_end_is_remarked_once(self):
        _, report, _ = self.together(*self.three())
        remarks = self.quality(report, "capture")
        self.assertEqual(remarks.count("the system ended the app"), 1, remarks)

    def test_the_text_report_names_the_files(self):
        _, text, _ = self.run_tool("check", "--together", *self.three())
        self.assertIn("Notes.ips + console.txt + device.log", text)
        for place in ("console.txt:4", "device.log:4", "Notes.ips:"):
            self.assertIn(place, text)
        self.assertEqual(text.count("error LM14 "), 1)

    def test_the_order_of_the_arguments_does_not_matter(self):
        names = self.three() + [self.file("run.ndjson", RECORDED)]
        outputs = {
            self.run_tool("check", "--together", "--report", "json", *order)[1]
            for order in itertools.permutations(names)}
        self.assertEqual(len(outputs), 1)

    def test_why_tells_of_the_kill_once(self):
        code, text, errors = self.run_tool("why", "--together", *self.three())
        words = " ".join(text.split())
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(words.count("was ended by the system"), 1)
        for place in ("console.txt:4", "device.log:4", "Notes.ips:"):
            self.assertIn(place, words)

    def test_a_recording_and_a_log_with_the_kill(self):
        self.file("run.ndjson", RECORDED)
        self.assertEqual(self.run_tool("convert", "run.ndjson", "-o", "run.lctrace")[0], 0)
        names = ["run.lctrace", self.file("device.log", syslog(LINES))]
        code, report, _ = self.together(*names)
        trace, = report["traces"]
        # The recording alone knows only that the callback hasn't returned.
        self.assertEqual(self.check("run.lctrace")[0], 0)
        self.assertEqual(code, 1)
        self.assertEqual(trace["launches"], 1)
        finding, = self.findings(report, "LC003")
        self.assertIn("device.log", json.dumps(finding["witness"]))
        # The limit of the guide, and that of the watchdog, each once.
        self.assertEqual(len(self.findings(report, "LM14")), 1)
        # The task of both is one task; that of the log alone is there too.
        _, text, _ = self.run_tool("convert", "--together", *names, "-o", "-", "--to", "ndjson")
        events = [json.loads(line) for line in text.splitlines()[1:]]
        begins = [event["args"] for event in events if event["event"] == "bgtask.begin"]
        self.assertEqual([arguments["token"] for arguments in begins], [4, 5])
        self.assertTrue(begins[1]["has_expiration_handler"])
        self.assertEqual(len([event for event in events if event["event"] == "proc.kill"]), 1)
        times = [event["t_ns"] for event in events]
        self.assertEqual(times, sorted(times))

    def test_a_report_without_a_time_belongs_to_the_process(self):
        jetsam = {
            "memoryStatus": {"pageSize": 16384}, "largestProcess": "Notes", "processes": [
                {"name": "Notes", "pid": 412, "rpages": 70000, "reason": "per-process-limit",
                 "states": ["frontmost"]}]}
        lines = LINES[:3] + [
            (20.25, "runningboardd", "[app<com.example.notes(11AA)>:412] termination reported by"
             " launchd (2, 9, 9)")]
        code, report, _ = self.together(
            self.file("device.log", syslog(lines)), self.file("jetsam.ips", json.dumps(jetsam)))
        self.assertEqual(len(report["traces"]), 1)
        _, text, _ = self.run_tool("why", "--together", "device.log", "jetsam.ips")
        self.assertEqual(text.count("was ended by the system"), 1)
        self.assertIn("memory", text)

    # What is not merged

    def test_another_process_is_judged_alone_and_says_why(self):
        names = self.three() + [self.file("other.ips", ips(pid=77))]
        code, report, _ = self.together(*names)
        self.assertEqual(code, 1)
        self.assertEqual(
            sorted(trace["path"] for trace in report["traces"]),
            ["Notes.ips + console.txt + device.log", "other.ips"])
        self.assertEqual(len(self.findings(report, "LM14")), 2)
        self.assertIn("of process 77", self.quality(report))

    def test_a_process_mixed_into_the_log_stays_apart(self):
        lines = LINES + [
            (5, "Photos", BEGUN.format(5, "sort")),
            (21, "runningboardd", KILLED.format(pid=98).replace("notes", "photos"))]
        lines.sort(key=lambda line: line[0])
        pids = {"Notes": 412, "Photos": 98}
        code, report, _ = self.together(
            self.file("device.log", syslog(lines, pids)), self.file("Notes.ips", ips()))
        apps = {trace["app"]: trace for trace in report["traces"]}
        self.assertEqual(set(apps), {"com.example.notes", "com.example.photos"})
        self.assertEqual(apps["com.example.notes"]["sources"], ["Notes.ips", "device.log"])
        self.assertEqual(len(self.findings(report, "LM14")), 2)
        witness = json.dumps([f["witness"] for f in apps["com.example.notes"]["findings"]])
        self.assertNotIn("photos", witness)

    def by_app(self, report):
        """Of each app the path of its trace, and what is said of how it came about."""
        return {
            trace["app"]: (trace["path"], " | ".join(
                note["message"] for note in trace["quality"] if note["id"] == "together"))
            for trace in report["traces"]}

    def test_logs_of_two_apps_are_told_each_by_its_own_files(self):
        for later in (0, 300):
            photos = [
                (later + 5, "Photos", BEGUN.format(5, "sort")),
                (later + 21, "runningboardd", KILLED.format(pid=98).replace("notes", "photos"))]
            with self.subTest(later=later):
                names = [self.file("device.log", syslog(LINES)),
                         self.file("photos.log", syslog(photos, {"Photos": 98}))]
                _, report, _ = self.together(*names)
                told = self.by_app(report)
                self.assertEqual(told["com.example.notes"][0], "device.log")
                self.assertEqual(told["com.example.photos"][0], "photos.log")
                self.assertEqual(
                    sorted(trace["sources"] for trace in report["traces"]),
                    [["device.log"], ["photos.log"]])
                self.assertNotIn("merged", self.quality(report))
                _, text, _ = self.run_tool("check", "--together", *names)
                self.assertNotIn("device.log + photos.log", text)
                # What is of one app is merged all the same, and only that.
                _, report, _ = self.together(*names, self.file("Notes.ips", ips()))
                told = self.by_app(report)
                path, message = told["com.example.notes"]
                self.assertEqual(path, "Notes.ips + device.log")
                self.assertIn("merged from device.log", message)
                self.assertNotIn("photos.log", message)
                self.assertEqual(told["com.example.photos"][0], "photos.log")
                self.assertNotIn("merged", told["com.example.photos"][1])

    def test_an_undated_log_beside_that_of_another_app(self):
        # Console.app prints no date; which day is meant doesn't make it a capture of the other.
        photos = [
            (5, "Photos", BEGUN.format(5, "sort")),
            (21, "runningboardd", KILLED.format(pid=98).replace("notes", "photos"))]
        _, report, _ = self.together(
            self.file("device.log", syslog(LINES)), self.file("console.txt", console(photos)))
        self.assertEqual(self.by_app(report)["com.example.notes"][0], "device.log")
        self.assertEqual(
            {trace["path"] for trace in report["traces"]}, {"console.txt", "device.log"})
        self.assertNotIn("merged from", self.quality(report))

    def test_a_log_in_which_an_app_is_silent_is_not_among_its_files(self):
        noise = [(1, "kernel", "nothing"), (2, "Photos", BEGUN.format(9, "sort")),
                 (19, "Photos", ENDED.format(9)), (20.5, "kernel", "nothing")]
        names = self.three() + [self.file("other.log", syslog(noise, {"Photos": 98}))]
        _, report, _ = self.together(*names)
        told = self.by_app(report)
        self.assertEqual(
            told["com.example.notes"][0], "Notes.ips + console.txt + device.log")
        self.assertEqual(
            [path for app, (path, _) in told.items() if app != "com.example.notes"],
            ["other.log"])

    def test_another_app_with_the_same_process_id(self):
        names = [self.file("device.log", syslog(LINES)),
                 self.file("Mail.ips", ips(name="Mail", bundle="com.example.mail"))]
        _, report, _ = self.together(*names)
        self.assertEqual(len(report["traces"]), 2)
        self.assertIn("another app", self.quality(report))

    def test_the_same_process_id_on_another_day(self):
        late = ips().replace("2024-05-04", "2024-05-20")
        _, report, _ = self.together(
            self.file("run.ndjson", RECORDED), self.file("late.ips", late))
        self.assertEqual(len(report["traces"]), 2)
        self.assertIn("judged alone", self.quality(report))

    def test_an_unreadable_file_among_them(self):
        names = self.three()
        code, report, errors = self.together(*names, self.file("photo.png", b"\x89PNG\r\n\x1a\n0"))
        self.assertEqual(code, 3)
        self.assertEqual(len(self.findings(report, "LM14")), 1)
        self.assertEqual(report["summary"]["unreadable"], 1)
        self.assertIn("photo.png", errors)
        self.assertEqual(self.together(*names, "photo.png", "--allow-damaged")[0], 1)

    def test_a_bare_console_without_times_stays_alone(self):
        names = [self.file("Notes.ips", ips()),
                 self.file("xcode.txt", "App started\n" + BEGUN.format(5, "save") + "\n"
                           + ENDED.format(5) + "\n")]
        _, report, _ = self.together(*names)
        self.assertEqual(len(report["traces"]), 2)
        self.assertIn("judged alone", self.quality(report))

    # Clocks

    def test_a_zone_that_only_the_report_names(self):
        # The log is in local time; the report names the zone. Elsewhere it is another day.
        for zone, end, launch in (("+0200", "10:00:20.2500", "09:59:00.0000"),
                                  ("-0930", "10:00:20.2500", "09:59:00.0000")):
            _, report, _ = self.together(
                self.file("device.log", syslog(LINES)),
                self.file("Notes.ips", ips(zone=zone, end=end, launch=launch)))
            self.assertEqual(len(report["traces"]), 1, zone)
            self.assertIn("time zone", self.quality(report))

    def test_a_host_in_another_zone_is_found_by_what_both_tell(self):
        moved = [(t + 3 * 3600, name, text) for t, name, text in LINES]
        _, report, _ = self.together(
            self.file("console.txt", console(LINES)), self.file("device.log", syslog(moved)))
        trace, = report["traces"]
        self.assertEqual(trace["events"], 5)

    def test_clocks_that_are_some_100_ms_apart(self):
        lines = LINES[:2] + [
            (n, "Notes", text) for n in range(2, 8)
            for text in (BEGUN.format(n + 10, f"part {n}"),)] + [
            (n + 0.5, "Notes", ENDED.format(n + 10)) for n in range(2, 8)] + LINES[2:]
        lines.sort(key=lambda line: line[0])
        late = [(t + 0.35, name, text) for t, name, text in lines]
        _, whole, _ = self.check(self.file("device.log", syslog(late)))
        _, report, _ = self.together(self.file("console.txt", console(lines)), "device.log")
        trace, = report["traces"]
        self.assertIn("350 ms", self.quality(report))
        self.assertEqual(trace["events"], whole["traces"][0]["events"])

    def test_a_log_that_knows_whole_seconds_only(self):
        _, report, _ = self.together(
            self.file("console.txt", console(LINES)),
            self.file("device.log", syslog(LINES, digits=0)))
        trace, = report["traces"]
        self.assertEqual(trace["events"], 5)

    def test_what_nobody_saw_is_no_evidence(self):
        # A task that is open when one log ends, and a suspension in another that began later.
        first = [(0, "Notes", BEGUN.format(4, "load")), (1, "Notes", ENDED.format(4)),
                 (1.5, "Notes", BEGUN.format(5, "save")), (2, "Notes", "nothing")]
        second = [(60, "runningboardd", "nothing"), (61, "runningboardd", SUSPENDED)]
        _, report, _ = self.together(
            self.file("a.log", syslog(first)), self.file("b.log", syslog(second)))
        self.assertEqual(self.findings(report, "LC001"), [])
        self.assertIn("TQ08", json.dumps(report))
        _, report, _ = self.check(self.file("c.log", syslog(first + second)))
        self.assertEqual(len(self.findings(report, "LC001")), 1)

    # Headers

    def test_headers_that_contradict_each_other(self):
        _, report, _ = self.together(
            self.file("run.ndjson", RECORDED), self.file("Notes.ips", ips(system="15.0")))
        trace, = report["traces"]
        self.assertEqual(trace["os_version"], "16.1")
        message = self.quality(report, "TQ12")
        self.assertIn('run.ndjson says os_version is "16.1", and Notes.ips says "15.0"', message)

    # Logs as they are read alone

    def test_a_log_alone_says_what_it_says_without_the_option(self):
        for seed in range(4):
            name = self.file("alone.log", syslog(self.story(random.Random(seed))))
            with self.subTest(seed=seed):
                report = self.together(name)[1]
                self.assertEqual(self.told(report), self.told(self.check(name)[1]))
                self.assertTrue(self.findings(report))

    def test_more_processes_than_are_followed_at_a_time(self):
        lines = [
            (20 * index, "runningboardd", KILLED.format(pid=412 + index)) for index in range(90)]
        name = self.file("device.log", syslog(lines))
        report_of_first = self.file("Notes.ips", ips(end="10:00:00.0000"))
        _, alone, _ = self.check(name)
        _, report, _ = self.together(name, report_of_first)
        self.assertEqual(len(self.findings(alone, "LM14")), 90)
        self.assertEqual(len(self.findings(report, "LM14")), 90)
        by_path = {}
        for trace in report["traces"]:
            by_path.setdefault(trace["path"], []).append(trace)
        self.assertEqual(
            {path: len(traces) for path, traces in by_path.items()},
            {"Notes.ips + device.log": 1, "device.log": 89})
        first, = by_path["Notes.ips + device.log"]
        self.assertIn('"line": 1}', json.dumps(first["findings"]))

    def test_a_long_log_is_watched_to_its_last_line(self):
        # Of a long log most lines are passed over, and the last ones say nothing.
        noise = [(2 + 0.001 * n, "kernel", f"line {n} says nothing of an app at all")
                 for n in range(17000)]
        noise += [(19 + 0.05 * n, "kernel", f"line {n} says nothing either") for n in range(25)]
        names = [self.file("device.log", syslog(LINES[:2] + noise)),
                 self.file("Notes.ips", ips())]
        code, report, _ = self.together(*names)
        trace, = report["traces"]
        self.assertNotIn("TQ08", json.dumps(trace["quality"]))
        self.assertEqual(len(self.findings(report, "LM14")), 1)

    # Patterns of the user

    PATTERNS = """\
tracecheck: 1
capture_patterns:
  - message: "[Sync] began <id> (<what>)"
    event: work.span
    phase: enter
    args: {id: <id>, class: download, label: <what>}
  - message: "[Sync] done <id> in *"
    event: work.span
    phase: return
    args: {id: <id>}
  - {message: "*drew <n> triangles*", event: gl.call, args: {kind: draw, count: <n>}}
"""

    def test_lines_of_patterns_are_merged(self):
        own = [(2, "Notes", "[Sync] began 7 (photos)"), (3, "Notes", "frame drew 300 triangles"),
               (4, "Notes", "[Sync] done 7 in 2 s"), (5, "Notes", "frame drew many triangles")]
        lines = LINES[:2] + own + LINES[2:]
        self.file(".tracecheck.yml", self.PATTERNS)
        names = [self.file("console.txt", console(lines)), self.file("device.log", syslog(lines)),
                 self.file("Notes.ips", ips())]
        code, text, errors = self.run_tool(
            "convert", "--together", *names, "-o", "-", "--to", "ndjson")
        self.assertEqual((code, errors), (0, ""))
        header, *events = [json.loads(line) for line in text.splitlines()]
        self.assertLessEqual({"work", "gl", "bgtask"}, set(header["header"]["coverage"]))
        told = [(event["event"], event.get("phase"), event["args"]) for event in events
                if event["event"].split(".")[0] in ("work", "gl")]
        self.assertEqual(told, [
            ("work.span", "enter", {"id": 7, "class": "download", "label": "photos"}),
            ("gl.call", None, {"kind": "draw", "count": 300}),
            ("work.span", "return", {"id": 7})])
        # Without the log that the lines are in, nothing is told of them.
        report = self.together(*names)[1]
        self.assertIn("the first is console.txt:6", self.quality(report, "capture"))
        self.assertEqual(self.run_tool("why", "--together", *names)[0], 0)

    # Reports that machines read

    def test_machine_reports_point_into_the_files(self):
        names = self.three()
        counts = {
            name: len((pathlib.Path(self.folder.name) / name).read_text().splitlines())
            for name in names}

        def check(path, line):
            self.assertIn(path, counts)
            self.assertLessEqual(line, counts[path])

        _, text, _ = self.run_tool("check", "--together", "--report", "sarif", *names)
        result, = json.loads(text)["runs"][0]["results"]
        places = [result["locations"][0]["physicalLocation"]] + [
            place["location"]["physicalLocation"]
            for place in result["codeFlows"][0]["threadFlows"][0]["locations"]]
        for place in places:
            check(place["artifactLocation"]["uri"], place.get("region", {}).get("startLine", 1))
        self.assertEqual(places[0]["region"]["startLine"], places[-1]["region"]["startLine"])
        _, text, _ = self.run_tool("check", "--together", "--report", "gitlab", *names)
        location = json.loads(text)[0]["location"]
        check(location["path"], location["lines"]["begin"])
        _, text, _ = self.run_tool("check", "--together", "--report", "github", *names)
        found = re.search("^::error file=(.*?),line=([0-9]+),title=LM14", text, re.M)
        check(found[1], int(found[2]))
        for form in ("html", "markdown", "junit"):
            _, text, _ = self.run_tool("check", "--together", "--report", form, *names)
            text = html.unescape(text)
            self.assertIn("Notes.ips + console.txt + device.log", text, form)
            self.assertIn("console.txt:4", text, form)

    def test_traces_judged_alone_point_into_their_own_files(self):
        names = [
            self.file("first.ips", ips()),
            self.file("second.ips", ips(pid=77, name="Mail", bundle="com.example.mail"))]
        _, report, _ = self.together(*names)
        self.assertEqual(len(report["traces"]), 2)
        for trace in report["traces"]:
            _, alone, _ = self.check(trace["path"])
            places, expected = (
                [[event["source"] for event in finding["witness"]] for finding in told["findings"]]
                for told in (trace, alone["traces"][0]))
            self.assertTrue(any(places))
            self.assertEqual(places, expected)
        _, text, _ = self.run_tool("check", "--together", *names)
        self.assertIn("second.ips:", text)
        _, text, _ = self.run_tool("why", "--together", *names)
        self.assertIn("second.ips:", text)

    def test_what_two_captures_remark_is_told_once(self):
        again = ips().replace("11111111-", "22222222-")
        _, report, _ = self.together(self.file("a.ips", ips()), self.file("b.ips", again))
        trace, = report["traces"]
        told = [note["message"] for note in trace["quality"] if note["id"] == "capture"]
        self.assertTrue(told)
        self.assertEqual(len(told), len(set(told)))

    # Options

    def test_what_cannot_be_together_is_refused(self):
        names = self.three()
        for arguments, word in (
                (["--together", "--dry-run", *names], "--dry-run"),
                (["--dry-run", *names], "--together"), ([*names, "-o", "x.lctrace"], "--together"),
                (["--together", *names], "-o")):
            code, text, errors = self.run_tool("convert", *arguments)
            self.assertEqual((code, text), (2, ""), arguments)
            self.assertIn(word, errors)

    def test_a_simulated_payload_is_of_no_run(self):
        payload = {
            "timeStampBegin": "2024-05-04 08:00:00", "timeStampEnd": "2024-05-04 08:01:00",
            "crashDiagnostics": [{"version": "1.0.0", "diagnosticMetaData": {
                "bundleIdentifier": "com.example.notes", "pid": 412, "signal": 9,
                "terminationReason": "Namespace SPRINGBOARD, Code 0x8badf00d",
                "osVersion": "iPhone OS 16.1 (20B82)"}}]}
        _, report, _ = self.together(
            *self.three(), self.file("payload.json", json.dumps(payload)))
        self.assertEqual(len(report["traces"]), 2)
        self.assertIn("simulated by Xcode", self.quality(report))

    def test_shard_is_refused_beside_it(self):
        code, _, errors = self.run_tool("check", "--together", "--shard", "1/2", *self.three())
        self.assertEqual(code, 2)
        self.assertIn("--shard", errors)

    def test_standard_input_is_refused(self):
        code, _, errors = self.run_tool("check", "--together", "-")
        self.assertEqual(code, 2)
        self.assertIn("save it to a file", errors)

    def test_a_file_named_twice_is_a_copy(self):
        names = self.three()
        _, report, _ = self.together(*names, names[0])
        self.assertEqual(len(report["traces"]), 1)
        self.assertEqual(len(self.findings(report, "LM14")), 1)

    def test_a_folder(self):
        self.three()
        self.file("notes.md", "no capture")
        code, report, _ = self.together(".")
        self.assertEqual(code, 1)
        self.assertEqual(len(self.findings(report, "LM14")), 1)

    # Any split

    def test_any_split_of_a_log_gives_the_same_findings(self):
        for seed in range(12):
            generator = random.Random(seed)
            lines = self.story(generator)
            form = console if seed % 2 else syslog
            whole = self.together(self.file("whole.log", form(lines)))[1]
            count = generator.randint(2, 5)
            parts = [[] for _ in range(count)]
            for line in lines[1:-1]:
                generator.choice(parts).append(line)
            # Each is taken over the same time.
            names = [
                self.file(f"part{index}.log", form([lines[0]] + part + [lines[-1]]))
                for index, part in enumerate(parts)]
            split = self.together(*names)[1]
            with self.subTest(seed=seed):
                self.assertEqual(self.told(split), self.told(whole))
                self.assertTrue(self.told(whole))

    def told(self, report):
        def bare(finding):
            finding = dict(finding)
            finding["witness"] = [
                {key: value for key, value in event.items() if key not in ("source", "sources")}
                for event in finding["witness"]]
            return json.dumps(finding, sort_keys=True)
        return [
            ([bare(finding) for finding in trace["findings"]], trace["events"],
             trace["verdicts"])
            for trace in report["traces"]]

    def story(self, generator):
        """A life in lines: tasks with handlers or without, states, a suspension, a kill."""
        time, lines = 1.0, [(0, "kernel", "begins")]

        def add(name, text, pause):
            nonlocal time
            lines.append((round(time, 6), name, text))
            time += pause

        for token in range(1, generator.randint(4, 9)):
            name = generator.choice(["save", "load", "sync"])
            handler = generator.choice(["(null)", "<__NSMallocBlock__: 0x1>"])
            add("Notes", f"Will add backgroundTask with taskName: {name}, "
                f"expirationHandler: {handler}", 0.0001)
            add("Notes", BEGUN.format(token, name), generator.uniform(0.5, 3))
            if generator.random() < 0.4:
                add("Notes", "Deactivation reason added: 5; deactivation reasons: 0 -> 32; "
                    "animating application lifecycle event: 0", 0.7)
                add("Notes", "Deactivation reason removed: 5; deactivation reasons: 32 -> 0; "
                    "animating application lifecycle event: 0", 0.7)
            if generator.random() < 0.6:
                add("Notes", ENDED.format(token), 0.0002)
                add("Notes", f"Ending task with identifier {token} and description: "
                    f"<_UIBackgroundTaskInfo: 0x1>: taskID = {token}, taskName = {name}, "
                    "creationTime = 1 (elapsed = 1)., _expireHandler: (null)", 0.5)
        add("runningboardd", SUSPENDED, 20)
        add("runningboardd", KILLED.format(pid=412), 1)
        add("kernel", "ends", 0)
        return lines


if __name__ == "__main__":
    unittest.main()
