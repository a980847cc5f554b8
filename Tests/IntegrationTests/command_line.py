"""The built executable from outside: what scripts and people rely on.

Usage: command_line.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import gzip
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from executable import ROOT, TOOL

HEADER = '{"header":{"format":"tracecheck-ndjson","version":1,"os_version":"8.1.0","coverage":["*"]}}\n'
SLOW = HEADER + "".join(
    '{"t_ns":%d,"event":"%s"%s}\n' % line for line in [
        (0, "proc.start", ""),
        (10_000_000, "delegate.did_finish_launching", ',"duration_ns":5000000'),
        (1_000_000_000, "delegate.did_become_active", ',"duration_ns":5000000'),
        (2_000_000_000, "delegate.will_resign_active", ',"duration_ns":5000000'),
        (2_100_000_000, "delegate.did_enter_background", ',"phase":"enter"'),
        (9_100_000_000, "delegate.did_enter_background", ',"phase":"return"'),
        (9_200_000_000, "trace.end", ',"args":{"reason":"clean"}'),
    ])


def crc32c(data):
    checksum = 0xFFFFFFFF
    for byte in data:
        checksum ^= byte
        for _ in range(8):
            checksum = checksum >> 1 ^ (0x82F63B78 if checksum & 1 else 0)
    return checksum ^ 0xFFFFFFFF


def run(*arguments, stdin=b"", cwd=ROOT, env=None):
    result = subprocess.run(
        [TOOL, *map(str, arguments)], input=stdin, capture_output=True, cwd=cwd, timeout=120,
        env={**os.environ, **(env or {})})
    return result.returncode, result.stdout.decode(), result.stderr.decode()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def file(self, name, content):
        path = self.path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


class Traces(Case):
    """The captures of the repository, as the README's first command checks them."""

    EXPECTED = {
        "fault-task-leaked-ios8": [("LC101", None), ("LC108", None), ("LC001", "leaked")],
        "fault-task-double-end-ios8": [("LC206", None), ("LC001", "double-end")],
        "fault-work-while-suspended-ios8": [("LC002", "straddled"), ("LC002", "observed")],
        "fault-slow-background-entry-ios8": [("LC003", None)],
        "fault-gl-in-background-ios7": [("LC004", None)],
        "near-miss-five-seconds-ios8": [("LC309", None)],
        "two-launches-ios8": [("LC001", "unknown-token"), ("LC515", None)],
    }

    def test_text_ends_with_totals_and_exit_code_1(self):
        code, out, _ = run("check", "traces")
        self.assertEqual(code, 1)
        self.assertRegex(out.splitlines()[-1], r"^6 errors, 2 warnings, 4 notes; 18 traces, \d+ events")

    def test_the_first_screen_of_the_readme_is_real(self):
        readme = (ROOT / "README.md").read_text()
        shown = readme.split("```\n$ tracecheck check ", 1)[1].split("```")[0]
        trace, expected = shown.split("\n", 1)
        _, out, _ = run("check", trace)
        self.assertEqual(out.rsplit(";", 1)[0], expected.rsplit(";", 1)[0])

    def test_the_real_allowance_of_the_watchdog_can_be_asked_for(self):
        slow = "traces/fault-slow-background-entry-ios8.lctrace"
        def found(*options):
            report = json.loads(run("check", slow, "--report", "json", *options)[1])
            return [(f["rule"], f["severity"]) for f in report["traces"][0]["findings"]]
        self.assertEqual(found(), [("LC003", "error")])
        self.assertEqual(found("--watchdog", "real"), [("LC003", "warning"), ("LM14", "error")])
        self.assertEqual(run("check", slow, "--watchdog", "reel")[0], 2)

    def test_findings_of_every_trace(self):
        code, out, _ = run("check", "traces", "--report", "json")
        report = json.loads(out)
        self.assertEqual(len(report["traces"]), 18)
        for trace in report["traces"]:
            name = pathlib.Path(trace["path"]).stem
            self.assertEqual(trace["format"], "lctrace")
            found = [(f["rule"], f["reason"]) for f in trace["findings"]]
            self.assertEqual(found, self.EXPECTED.get(name, []), name)

    def test_both_forms_of_a_trace_agree(self):
        for binary in sorted((ROOT / "traces").glob("*.lctrace")):
            forms = []
            for path in (binary, binary.with_suffix(".timeline")):
                _, out, _ = run("check", path, "--report", "json")
                trace = json.loads(out)["traces"][0]
                for finding in trace["findings"]:
                    for witness in finding["witness"]:
                        witness["source"] = None
                del trace["path"], trace["format"]
                forms.append(trace)
            self.assertEqual(*forms, binary.name)

    def test_two_runs_are_byte_identical(self):
        first, second = (run("check", "traces", "--report", "json") for _ in range(2))
        self.assertEqual(first, second)


class Report(Case):
    def test_json_has_every_key_of_the_contract(self):
        path = self.file("slow.ndjson", SLOW)
        code, out, _ = run("check", path, "--report", "json")
        self.assertEqual(code, 1)
        report = json.loads(out)
        self.assertEqual(list(report)[:4], ["schema_version", "tool", "traces", "summary"])
        trace = report["traces"][0]
        self.assertEqual(list(trace), [
            "path", "trace_id", "format", "app", "app_version", "os_version", "device_model",
            "profile", "events", "launches", "first_ns", "last_ns", "completeness", "findings",
            "quality", "verdicts", "suppressed", "number"])
        finding = trace["findings"][0]
        self.assertEqual(list(finding)[:14], [
            "rule", "slug", "severity", "reason", "message", "time_ns", "thread", "launch", "count",
            "last_time_ns", "subject", "fingerprint", "confidence", "witness"])
        self.assertEqual(finding["rule"], "LC003")
        self.assertEqual(finding["time_ns"], 9_100_000_000)
        self.assertEqual(list(finding["witness"][0]), [
            "index", "time_ns", "event", "phase", "thread", "role", "args", "source"])
        self.assertEqual(finding["witness"][0]["source"]["line"], 6)
        self.assertEqual(list(report["summary"])[:7], [
            "traces", "events", "errors", "warnings", "notes", "unknown", "unreadable"])

    def test_fail_on_and_threshold_and_severity(self):
        path = self.file("slow.ndjson", SLOW)
        self.assertEqual(run("check", path, "--fail-on", "never")[0], 0)
        self.assertEqual(run("check", path, "--threshold", "LC003=8s")[0], 0)
        self.assertEqual(run("check", path, "--severity", "LC003=note")[0], 0)
        self.assertEqual(run("check", path, "--severity", "LC003=note", "--fail-on", "note")[0], 1)
        self.assertEqual(run("check", path, "--skip", "watchdog")[0], 0)
        self.assertEqual(run("check", path, "--only", "LC001")[0], 0)
        self.assertEqual(run("check", path, "--profile", "os3")[0], 0)

    def test_standard_input_and_wrappers(self):
        self.assertEqual(run("check", "-", stdin=SLOW.encode())[0], 1)
        self.assertEqual(run("check", "-", stdin=gzip.compress(SLOW.encode()))[0], 1)
        zstd = subprocess.run(["zstd", "-qc"], input=SLOW.encode(), capture_output=True, check=True)
        self.assertEqual(run("check", self.file("slow.zst", zstd.stdout))[0], 1)

    def test_files_from(self):
        path = self.file("slow.ndjson", SLOW)
        self.assertEqual(run("check", "--files-from", "-", stdin=f"{path}\n".encode())[0], 1)
        self.assertEqual(
            run("check", "--files-from", "-", "-0", stdin=f"{path}\0".encode())[0], 1)

    def test_an_empty_list_is_told_like_an_empty_folder(self):
        (self.path / "empty").mkdir()
        rows = {}
        for name, arguments in [("list", ["--files-from", "-"]), ("folder", ["empty"])]:
            report = self.path / f"{name}.jsonl"
            code, _, err = run("check", *arguments, "--report", f"jsonl={report}", cwd=self.path)
            self.assertEqual(code, 3, name)
            self.assertIn("no captures", err, name)
            rows[name] = [json.loads(line) for line in report.read_text().splitlines()]
            self.assertEqual([list(row) for row in rows[name]], [["path", "unreadable"]], name)
            code, out, _ = run("check", *arguments, cwd=self.path)
            self.assertIn("1 without captures", out.splitlines()[-1], name)
            self.assertNotIn("unreadable", out.splitlines()[-1], name)
            self.assertEqual(run("check", *arguments, "--allow-damaged", cwd=self.path)[0], 0)
        self.assertEqual(rows["list"][0]["path"], "-")
        self.assertEqual(run("metrics", "--files-from", "-", cwd=self.path)[0], 3)

    def test_colour_only_on_request(self):
        path = self.file("slow.ndjson", SLOW)
        self.assertNotIn("\x1b", run("check", path)[1])
        self.assertIn("\x1b", run("check", path, "--color", "always")[1])


class BadInput(Case):
    """A clear paragraph, the right exit code, and nothing of the other inputs lost."""

    def check_bad(self, bad, code, *words, options=()):
        good = self.file("good.ndjson", SLOW)
        for order in ([bad, good], [good, bad]):
            result, out, err = run("check", *order, *options)
            self.assertEqual(result, code, err)
            self.assertIn("LC003", out, "the good input is still judged")
            for word in words:
                self.assertIn(word, err + out)
            self.assertNotIn("Fatal", err)

    def test_missing_file(self):
        self.check_bad(self.path / "nowhere.lctrace", 3, "nowhere.lctrace")

    def test_empty_file(self):
        self.check_bad(self.file("empty.ndjson", b""), 3, "empty.ndjson", "empty")

    def test_png(self):
        png = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
        self.check_bad(self.file("picture.lctrace", png), 3, "PNG")

    def test_directory_without_captures(self):
        folder = self.path / "nothing"
        folder.mkdir()
        (folder / "notes.txt").write_text("buy milk\n")
        self.check_bad(folder, 3, "nothing")

    def test_future_major_version(self):
        content = bytearray((ROOT / "traces/healthy-fetch-ios8.lctrace").read_bytes())
        content[8] = 9
        content[10:12] = (crc32c(content[:10]) & 0xFFFF).to_bytes(2, "little")
        self.check_bad(self.file("future.lctrace", bytes(content)), 3, "version 9", "version 1")

    def test_malformed_line(self):
        text = HEADER + '{"t_ns":0,"event":"proc.start"}\n{"t_ns":oops}\n{"t_ns":5,"event":"trace.marker"}\n'
        self.check_bad(self.file("broken.ndjson", text), 3, "broken.ndjson:3:")
        path = self.file("broken.ndjson", text)
        _, out, _ = run("check", path, "--report", "json")
        self.assertEqual(json.loads(out)["traces"][0]["events"], 2)
        self.assertEqual(run("check", path, "--allow-damaged")[0], 0)

    def test_cut_file_is_truncated_not_damaged(self):
        content = (ROOT / "traces/healthy-fetch-ios8.lctrace").read_bytes()
        for size in (len(content) - 1, len(content) // 2):
            code, out, _ = run("check", self.file("cut.lctrace", content[:size]), "--report", "json")
            self.assertEqual(code, 0)
            self.assertEqual(json.loads(out)["traces"][0]["completeness"], "truncated")

    def test_damaged_middle(self):
        content = bytearray((ROOT / "traces/healthy-fetch-ios8.lctrace").read_bytes())
        content[len(content) // 2] ^= 0x55
        path = self.file("damaged.lctrace", bytes(content))
        self.assertEqual(run("check", path)[0], 3)

    def test_unknown_option_and_names(self):
        for arguments, hint in [
            (["check", "traces", "--colour", "always"], "--color"),
            (["check", "traces", "--only", "LC999"], "LC999"),
            (["check", "traces", "--profile", "ios9"], "ios"),
            (["check", "traces", "--report", "yaml"], "yaml"),
            (["explain", "watchdog/did-enter-background-over-5"], "watchdog/did-enter-background-over-5s"),
            (["nonsense"], "nonsense"),
            (["convert", "traces/healthy-fetch-ios8.lctrace", "-o", "x.mp3"], "mp3"),
        ]:
            code, _, err = run(*arguments)
            self.assertEqual(code, 2, arguments)
            self.assertIn(hint, err)

    def test_features_to_come_are_not_accepted(self):
        for option in (["--baseline", "x"], ["--rules", "x"], ["--report", "pdf"]):
            self.assertEqual(run("check", "traces", *option)[0], 2, option)


class Commands(Case):
    def test_the_case_of_an_extension_says_nothing(self):
        self.file("a.ndjson", SLOW)
        for name in ["b.ndjson", "b.lctrace", "b.timeline"]:
            written = []
            for place in [name, name.upper().replace("B", "C"), name.replace("b.", "d.").title()]:
                code, _, errors = run("convert", "a.ndjson", "-o", place, cwd=self.path)
                self.assertEqual(code, 0, errors)
                written.append((self.path / place).read_bytes())
            self.assertEqual(written, written[:1] * 3, name)
        self.assertEqual(run("compact", "a.ndjson", "-o", "E.LCTRACE", cwd=self.path)[0], 0)
        # A dot at the beginning hides a file, and begins no extension.
        for command, name, words in [
                ("convert", ".ndjson", "names no format to write"),
                ("convert", "..LCTRACE", "names no format to write"),
                ("convert", "f.ndjson.old", "names no format to write"),
                ("compact", ".lctrace", "writes .lctrace files only")]:
            code, _, errors = run(command, "a.ndjson", "-o", name, cwd=self.path)
            self.assertEqual(code, 2, name)
            self.assertIn(words, errors)
            self.assertFalse((self.path / name).exists())

    def test_a_broken_trace_in_a_directory_is_told_in_whatever_case(self):
        (self.path / "in").mkdir()
        self.file("in/a.ndjson", SLOW)
        for name in ["u.lctrace", "v.LCTRACE", "w.Timeline"]:
            self.file(f"in/{name}", "garbage")
            code, _, errors = run("check", "in", cwd=self.path)
            self.assertEqual(code, 3, errors)
            self.assertIn(f"in/{name}: ", errors)
        self.file("in/x.png", b"\x89PNG\r\n\x1a\n")
        self.assertNotIn("x.png", run("check", "in", cwd=self.path)[2])

    def test_convert_there_and_back(self):
        for source in sorted((ROOT / "traces").glob("*.timeline")):
            first = self.path / "a.ndjson"
            self.assertEqual(run("convert", source, "-o", first)[0], 0)
            self.assertEqual(run("convert", first, "-o", self.path / "b.lctrace")[0], 0)
            self.assertEqual(run("convert", self.path / "b.lctrace", "-o", self.path / "c.ndjson")[0], 0)
            self.assertEqual(first.read_bytes(), (self.path / "c.ndjson").read_bytes())
            code, out, _ = run("convert", "-", "-o", "-", "--to", "timeline", stdin=first.read_bytes())
            self.assertEqual(code, 0)
            again = run("convert", "-", "-o", "-", "--to", "timeline", stdin=out.encode())[1]
            self.assertEqual(out, again, "printing what was parsed is a fixed point")

    def test_what_is_to_be_written_must_be_named(self):
        trace = ROOT / "traces/healthy-editor-ios8.lctrace"
        for command in ("convert", "timeline", "compact", "recover"):
            code, out, err = run(command, trace)
            self.assertEqual((code, out), (2, ""), command)
            self.assertIn(command + " needs a file to write: name it with -o", err)
            self.assertNotIn("Usage:", err)

    def test_concatenated_traces_are_read_one_by_one(self):
        both = b"".join(
            (ROOT / f"traces/{name}.lctrace").read_bytes()
            for name in ("healthy-fetch-ios8", "fault-gl-in-background-ios7"))
        code, out, _ = run("check", "-", "--report", "json", stdin=both)
        self.assertEqual(code, 1)
        self.assertEqual([len(t["findings"]) for t in json.loads(out)["traces"]], [0, 1])

    def test_cat_filters(self):
        trace = ROOT / "traces/healthy-editor-ios8.lctrace"
        out = run("cat", trace, "--kind", "bgtask.*", "--format", "ndjson")[1]
        events = [json.loads(line)["event"] for line in out.splitlines()[1:]]
        self.assertEqual(events, ["bgtask.begin", "bgtask.end"])
        out = run("cat", trace, "--after", "312s", "--before", "313s", "--format", "ndjson")[1]
        self.assertEqual(len(out.splitlines()) - 1, 5)
        out = run("cat", trace, "--thread", "3", "--format", "ndjson")[1]
        self.assertTrue(all(json.loads(line)["thread"] == 3 for line in out.splitlines()[1:]))

    def test_info_vocabulary_rules_explain_as_json(self):
        info = json.loads(run("info", ROOT / "traces/healthy-editor-ios8.lctrace", "--format", "json")[1])
        self.assertTrue(info)
        vocabulary = json.loads(run("vocabulary", "--format", "json")[1])
        self.assertEqual(
            [len(vocabulary[part]) for part in ("kinds", "notifications", "header_fields")],
            [145, 24, 33])
        numbers = {entry["name"]: entry["number"] for entry in vocabulary["argument_names"]}
        self.assertEqual(sorted(numbers.values()), list(range(1, 149)))
        for kind in vocabulary["kinds"]:
            for argument in kind["arguments"]:
                self.assertIn(argument["name"], numbers)
        rules = run("rules", "--format", "json")[1]
        for rule in ("LC001", "LC002", "LC003", "LC004"):
            self.assertIn(rule, rules)
            self.assertEqual(run("explain", rule)[0], 0)
            json.loads(run("explain", rule, "--format", "json")[1])
        self.assertEqual(run("--help")[0], 0)
        self.assertEqual(run("--version")[0], 0)


class Captures(Case):
    def test_how_captures_are_made(self):
        code, text, _ = run("capture")
        self.assertEqual(code, 0)
        for place in ("ON A DEVICE", "IN A SIMULATOR", "ON THIS COMPUTER"):
            self.assertIn(place, text)
        self.assertIn("idevicesyslog | tracecheck check -", text)
        recipes = json.loads(run("capture", "--format", "json")[1])
        self.assertTrue(all(r["commands"] and r["shows"] and r["hides"] for r in recipes))
        only = json.loads(run("capture", "simulator", "--format", "json")[1])
        self.assertEqual({r["place"] for r in only}, {"simulator"})
        self.assertEqual(run("capture", "mars")[0], 2)


class Samples(Case):
    """Captures of other people, where they are at hand: rule, severity and count per file."""

    FOLDER = ROOT.parent / "shared" / "samples"
    EXPECTED = {
        "console-02-flutter-balanced-tasks.log": [],
        "console-03-flutter-uiscene-fault.log": [],
        "console-05-device-lock-inactive.log": [],
        "xcode-01-timer-double-end.log": [("LC001", "note", 1)],
        "xcode-02-twilio-double-end.log": [("LC001", "note", 1)],
        "xcode-03-metal-background.log": [("LM09", "warning", 4)],
        "crash-01-8badf00d-scene-update-ios11.crash": [("LM14", "error", 1)],
        "crash-02-dead10cc-ios10.crash": [("LM11", "error", 1)],
        "crash-05-c00010ff-thermal.crash": [],
        "crash-07-cpu-resource-kill-ios11.ips": [("LC207", "warning", 1)],
        "crash-12-tcc-kill-ios15.ips": [],
        "jetsam-01-event-ios14.ips": [],
    }
    # Logs in which no app says anything, or nothing that is wrong.
    SILENT = ("idevice-01-ios18-header-and-noise.log", "idevice-02-ios18-resume-inputui.log",
              "idevice-04-ios10-location-relaunch.log", "idevice-07-appium-wrapped-assertions.log",
              "idevice-08-ios9-simulator-boot.log",
              "ndjson-01-sysdiagnose-entry.ndjson", "syslogstyle-01-simulator-js-crash.log")

    def setUp(self):
        super().setUp()
        if not self.FOLDER.is_dir():
            self.skipTest("the folder of samples is not here")

    def test_findings(self):
        for name, expected in self.EXPECTED.items():
            _, out, _ = run("check", self.FOLDER / name, "--report", "json")
            found = [
                (f["rule"], f["severity"], f["count"])
                for trace in json.loads(out)["traces"] for f in trace["findings"]]
            self.assertEqual(found, expected, name)

    def test_negative_controls_are_silent(self):
        for name in self.SILENT:
            code, out, err = run("check", self.FOLDER / name, "--report", "json")
            findings = [f for trace in json.loads(out)["traces"] for f in trace["findings"]]
            self.assertEqual((code, findings), (0, []), (name, err))

    def test_the_whole_folder(self):
        code, out, err = run("check", self.FOLDER)
        self.assertIn(code, (0, 1, 3), err)
        self.assertNotIn("Fatal", err)


class Faults(Case):
    """One input or output at fault harms no other, and is named."""

    def test_same_id_other_content(self):
        named = SLOW.replace('"coverage"', '"trace_id":"abc","coverage"')
        cut = named.splitlines(keepends=True)
        first = self.file("a.ndjson", "".join(cut[:3]))
        second = self.file("b.ndjson", named)
        code, out, _ = run("check", first, second)
        self.assertEqual(code, 1)
        self.assertIn("2 traces", out)

    def test_cut_and_greedy_wrappers(self):
        folder = self.path / "in"
        folder.mkdir()
        content = gzip.compress(SLOW.encode())
        for size in (12, len(content) // 2, len(content) - 4):
            path = self.file("in/cut.ndjson.gz", content[:size])
            for given in (path, folder):
                code, _, err = run("check", given)
                self.assertEqual(code, 3, err)
                self.assertIn("ends in the middle", err)
                self.assertNotIn("it is empty", err)
        path = self.file("in/cut.ndjson.gz", bytes.fromhex("28b52ffd0090") + bytes(20))
        code, _, err = run("check", folder)
        self.assertEqual(code, 3)
        self.assertRegex(err, r"a window of 256 MiB, and at most 8 MiB")

    def test_pipes_among_several_inputs_are_read_once_and_in_order(self):
        pipes = [self.path / name for name in ("one", "two")]
        for pipe in pipes:
            os.mkfifo(pipe)
        good = self.file("good.ndjson", SLOW.replace("9100000000", "9100000001"))
        process = subprocess.Popen(
            [TOOL, "check", pipes[0], good, pipes[1], "--report", "json"], stdout=subprocess.PIPE)
        for pipe in pipes:
            pipe.write_text(SLOW.replace('"os_version":"8.1.0"', f'"os_version":"8.1.0","app_bundle_id":"{pipe.name}"'))
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        traces = json.loads(out)["traces"]
        self.assertEqual([pathlib.Path(t["path"]).name for t in traces], ["one", "good.ndjson", "two"])

    def test_no_rule_left(self):
        path = self.file("slow.ndjson", SLOW)
        for options in (["--only", ""], ["--only", ",,"], ["--skip", " "],
                        ["--only", "LC003", "--skip", "watchdog"]):
            code, out, err = run("check", path, *options)
            self.assertEqual((code, out), (2, ""), options)
            self.assertIn("rule", err)
        self.assertEqual(run("check", path, "--only", " LC001 , LC003 ")[0], 1)

    def test_outputs_never_replace_inputs_or_each_other(self):
        path = self.file("slow.ndjson", SLOW)
        os.link(path, self.path / "hard.ndjson")
        (self.path / "sub").mkdir()
        refused = [
            ["check", path, "--report", f"json={path}"],
            ["check", self.path, "--report", f"json={path}"],
            ["check", path, "--report", f"json={self.path}/hard.ndjson"],
            ["check", path, "--report", f"json={self.path}/r", "--report", f"text={self.path}/sub/../r"],
            ["check", path, "-", "--record", path],
            ["check", "-", "--record", f"{self.path}/r", "--report", f"json={self.path}/r"],
            ["convert", path, "-o", path],
            ["convert", path, "-o", self.path / "hard.ndjson"],
            ["check", ""], ["convert", path, "-o", "", "--to", "ndjson"],
        ]
        for arguments in refused:
            code, _, err = run(*arguments, stdin=SLOW.encode())
            self.assertEqual(code, 2, arguments)
            self.assertEqual(path.read_text(), SLOW)
        self.assertEqual(run("check", path, "--report", f"json={self.path}/report.json")[0], 1)
        self.assertEqual(run("check", self.path, "--report", f"json={self.path}/report.json")[0], 1)

    def test_a_record_that_fails_loses_no_findings(self):
        code, out, err = run("check", "-", "--record", "/dev/full", stdin=SLOW.encode())
        self.assertEqual(code, 2)
        self.assertIn("LC003", out)
        self.assertIn("/dev/full", err)

    def test_output_to_a_file_that_is_open_already(self):
        path = self.file("slow.ndjson", SLOW)
        for name in ("/dev/stdout", "//dev/stdout", "/dev/../dev/stdout", "/proc/self/../self/fd/1"):
            script = f'echo first; "$0" convert "$1" -o {name} --to ndjson; echo last'
            with open(self.path / "all.txt", "w") as file:
                subprocess.run(["bash", "-c", script, TOOL, str(path)], stdout=file, check=True)
            lines = (self.path / "all.txt").read_text().splitlines()
            self.assertEqual((lines[0], lines[-1]), ("first", "last"), name)
            self.assertIn("tracecheck-ndjson", lines[1])
            self.assertTrue(os.path.islink("/dev/stdout"))

    def test_names_that_can_not_be_opened(self):
        self.file("good.ndjson", SLOW)
        bad = os.path.join(os.fsencode(self.path), b"caf\xe9.ndjson")
        pathlib.Path(os.fsdecode(bad)).write_text(SLOW)
        code, out, err = run("check", self.path)
        self.assertEqual(code, 3)
        self.assertIn("LC003", out)
        self.assertIn("isn't UTF-8", err)
        os.unlink(bad)
        os.symlink("/nowhere/at/all", self.path / "link.ndjson")
        code, _, err = run("check", self.path)
        self.assertEqual(code, 3)
        self.assertIn("link.ndjson", err)

    def test_a_pipe_decided_on_few_bytes_says_so(self):
        code, _, err = run("check", "-", stdin=b'{"a')
        self.assertEqual(code, 3)
        self.assertIn("decided on the first 3 bytes", err)

    def test_info_of_several(self):
        self.file("readme.txt", "hello\n")
        one, two = self.file("a.ndjson", SLOW), self.file("b.ndjson", SLOW)
        for paths in ([one, two], [self.path]):
            code, out, err = run("info", *paths, "--format", "json")
            self.assertEqual((code, err), (0, ""))
            self.assertEqual([info["events"] for info in json.loads(out)], [10, 10])
            self.assertEqual(run("info", *paths)[1].count("completeness  complete"), 2)
        self.assertEqual(json.loads(run("info", one, "--format", "json")[1])["events"], 10)
        code, out, err = run("info", self.path / "none", one, "--format", "json")
        self.assertEqual((code, len(json.loads(out))), (3, 1))
        self.assertEqual(run("info", ROOT / "Sources/tracecheck")[0], 3)

    def test_allow_damaged_in_every_command(self):
        missing = self.path / "none.lctrace"
        for command in (["check"], ["cat"], ["info"], ["convert", "-o", self.path / "x.ndjson"]):
            self.assertEqual(run(*command, missing)[0], 3, command)
            self.assertEqual(run(*command, missing, "--allow-damaged")[0], 0, command)

    def test_all_problems_are_counted(self):
        text = HEADER + '{"t_ns":0,"event":"proc.start"}\n' + '{"t_ns":oops}\n' * 150
        code, out, err = run("check", self.file("bad.ndjson", text), "--report", "json")
        self.assertEqual(code, 3)
        report = json.loads(out)
        self.assertEqual(len(report["problems"]) + report["summary"]["problems_omitted"], 150)
        self.assertIn("50 problems not listed", run("check", self.path / "bad.ndjson")[1])


class Live(Case):
    """Inputs that are still being written."""

    def start(self, *arguments):
        process = subprocess.Popen(
            [TOOL, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass

    @staticmethod
    def wait_until_caught(process, number, seconds=10):
        """A program that still starts is ended by a signal before it can catch it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            except OSError:
                return
            caught = re.search(r"^SigCgt:\s*([0-9a-f]+)", status, re.MULTILINE)
            if caught is None or int(caught[1], 16) >> (number - 1) & 1:
                return
            time.sleep(0.01)

    def end(self, process, number, seconds=20):
        self.wait_until_caught(process, number)
        # The pipe stays open until the process is gone: else the end of the input may come first.
        killer = threading.Timer(seconds, process.kill)
        killer.start()
        process.send_signal(number)
        out, err = process.stdout.read(), process.stderr.read()
        process.wait()
        killer.cancel()
        return process.returncode, out.decode(), err.decode()

    def test_an_interrupt_before_the_first_byte(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for name in ("-", "/dev/stdin"):
                process = self.start("check", name)
                time.sleep(0.4)
                code, out, err = self.end(process, number)
                self.assertEqual((code, err), (0, ""))
                self.assertIn("0 errors", out)

    def test_a_hang_up_that_is_ignored_ends_nothing(self):
        process = subprocess.Popen(
            [TOOL, "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.addCleanup(self.stop, process)
        self.wait_until_caught(process, signal.SIGTERM)
        process.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
        self.assertEqual(self.end(process, signal.SIGTERM)[0], 0)

    def test_an_interrupt_during_recognition_and_while_opening(self):
        process = self.start("check", "-")
        process.stdin.write(b"{")
        process.stdin.flush()
        time.sleep(0.1)
        self.assertEqual(self.end(process, signal.SIGINT)[0], 0)
        os.mkfifo(self.path / "pipe")
        process = self.start("check", self.path / "pipe")
        time.sleep(0.4)
        self.assertEqual(self.end(process, signal.SIGINT)[0], 0)

    def test_an_interrupt_commits_what_was_read(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            record = self.path / "record.lctrace"
            process = self.start("check", "-", "--record", record)
            process.stdin.write(SLOW.encode())
            process.stdin.flush()
            time.sleep(0.6)
            code, out, _ = self.end(process, number)
            self.assertEqual(code, 1)
            self.assertIn("LC003", out)
            self.assertEqual([entry.name for entry in self.path.iterdir()], ["record.lctrace"])
            self.assertEqual(run("check", record)[0], 1)
            process = self.start("convert", "-", "-o", self.path / "x.ndjson")
            time.sleep(0.4)
            self.end(process, number)
            self.assertEqual([entry.name for entry in self.path.iterdir()], ["record.lctrace"])

    def test_a_pipe_that_falls_silent_inside_a_callback(self):
        process = self.start(
            "check", "-", "--only", "LC003", "--threshold", "LC003=1s", "--config", "none")
        lines = SLOW.splitlines(keepends=True)
        inside = next(i for i, line in enumerate(lines) if '"phase":"enter"' in line) + 1
        self.wait_until_caught(process, signal.SIGINT)
        process.stdin.write("".join(lines[:inside]).encode())
        process.stdin.flush()
        start = time.monotonic()
        line = process.stdout.readline().decode()
        seconds = time.monotonic() - start
        self.assertIn("LC003", line)
        self.assertGreater(seconds, 1.0)
        self.assertLess(seconds, 2.0, "later than a second after the deadline")
        print(f"a silent pipe: found {seconds - 1:.2f} s after the deadline")

    def test_kills_and_refused_ends_on_an_open_pipe(self):
        start = '{"t_ns":0,"event":"trace.start","args":{"reason":"attach"}}\n'
        kill = '{"t_ns":1000000000,"event":"proc.kill","args":{"cause":"watchdog","code":2343432205}}\n'
        task = '{"t_ns":%d,"event":"bgtask.%s","args":{"token":7%s}}\n'
        ends = task % (1e9, "begin", "") + task % (2e9, "end", "") + task % (3e9, "end", ',"refused":true')
        for rule, events in (("LM14", kill), ("LC001", ends)):
            header = HEADER.replace("8.1.0", "17.0")
            process = self.start("check", "-", "--only", rule, "--config", "none")
            killer = threading.Timer(10, process.kill)
            killer.start()
            self.addCleanup(killer.cancel)
            process.stdin.write((header + start + events).encode())
            process.stdin.flush()
            self.assertIn(rule, process.stdout.readline().decode())
            self.assertIsNone(process.poll())

    def test_findings_of_a_busy_pipe(self):
        process = self.start("check", "-")
        process.stdin.write("".join(SLOW.splitlines(keepends=True)[:-1]).encode())
        found = threading.Event()
        threading.Thread(
            target=lambda: found.set() if process.stdout.readline() else None, daemon=True).start()
        step = 9_300_000_000
        for _ in range(300):
            process.stdin.write(b'{"t_ns":%d,"event":"trace.marker"}\n' % step)
            process.stdin.flush()
            step += 1_000_000
            if found.wait(0.02):
                break
        self.assertTrue(found.is_set(), "no finding while the pipe was busy")
        self.assertIsNone(process.poll())


if __name__ == "__main__":
    unittest.main(verbosity=1)
