"""The built executable from outside: what scripts and people rely on.

Usage: command_line.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def release_executable():
    folder = subprocess.run(
        ["swift", "build", "-c", "release", "--show-bin-path"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    return os.path.join(folder, "tracecheck")


TOOL = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else release_executable()
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
        "fault-task-leaked-ios8": [("LC001", "leaked")],
        "fault-task-double-end-ios8": [("LC001", "double-end")],
        "fault-work-while-suspended-ios8": [("LC002", "straddled"), ("LC002", "observed")],
        "fault-slow-background-entry-ios8": [("LC003", None)],
        "fault-gl-in-background-ios7": [("LC004", None)],
        "two-launches-ios8": [("LC001", "unknown-token")],
    }

    def test_text_ends_with_totals_and_exit_code_1(self):
        code, out, _ = run("check", "traces")
        self.assertEqual(code, 1)
        self.assertRegex(out.splitlines()[-1], r"^6 errors, 1 warning, 0 notes; 17 traces, \d+ events")

    def test_findings_of_every_trace(self):
        code, out, _ = run("check", "traces", "--report", "json")
        report = json.loads(out)
        self.assertEqual(len(report["traces"]), 17)
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
            "quality", "verdicts"])
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
        for option in (["--baseline", "x"], ["--rules", "x"], ["--together"], ["--report", "sarif"]):
            self.assertEqual(run("check", "traces", *option)[0], 2, option)


class Commands(Case):
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
        rules = run("rules", "--format", "json")[1]
        for rule in ("LC001", "LC002", "LC003", "LC004"):
            self.assertIn(rule, rules)
            self.assertEqual(run("explain", rule)[0], 0)
            json.loads(run("explain", rule, "--format", "json")[1])
        self.assertEqual(run("--help")[0], 0)
        self.assertEqual(run("--version")[0], 0)


class Samples(Case):
    """Captures of other people, where they are at hand: rule, severity and count per file."""

    FOLDER = ROOT.parent / "shared" / "samples"
    EXPECTED = {
        "console-02-flutter-balanced-tasks.log": [],
        "console-03-flutter-uiscene-fault.log": [],
        "console-05-device-lock-inactive.log": [],
        "xcode-01-timer-double-end.log": [("LC001", "note", 1)],
        "xcode-02-twilio-double-end.log": [("LC001", "note", 1)],
        "xcode-03-metal-background.log": [],
    }

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

    def test_the_whole_folder(self):
        code, out, err = run("check", self.FOLDER)
        self.assertIn(code, (0, 1, 3), err)
        self.assertNotIn("Fatal", err)


if __name__ == "__main__":
    unittest.main(verbosity=1)
