"""Every report format of the built executable, read back by independent readers.

Usage: reports.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from executable import ROOT, TOOL
import report_validators as validators

HEADER = {"format": "tracecheck-ndjson", "version": 1, "app_bundle_id": "com.example.notes",
          "os_version": "8.1.0", "coverage": ["*"]}
ATTACKS = [
    'quote " and \' and `tick`', "end ]]> of <![CDATA[ section", "\x1b[2J\x1b[31mred", "a\x00b\x07c",
    "</script><script>alert(1)</script>", "</style></pre></code><img src=x onerror=alert(1)>",
    "line\n::error file=x::forged", "\r::warning::forged", "::stop-commands::x", "##[error]forged",
    "%0A::error::x%25", "bidi \u202e\u2066 end", "tags \U000e0041\U000e0042", "sep \u2028 \u2029",
    "[click](http://evil.example) ![x](http://evil.example/x.png)", "@everyone #123 GH-1 !1 ~x",
    "http://evil.example www.evil.example a@b.example", "| a | b |\n|---|---|", "<!-- -->",
    "&lt;b&gt; &#60;i&#62; &amp;", "\\u0041 \\[x\\]", "*a* _b_ **c** ~~d~~ # e", "$x$ :smile: ^y^",
    "lone \ud800 surrogate", "long " + "x" * 100_000, "\ufeff\u200b\u00ad", "file,line=3,title=x",
]


def run(*arguments, cwd=ROOT, env=None):
    done = subprocess.run(
        [TOOL, *map(str, arguments)], capture_output=True, cwd=cwd, timeout=300,
        env={**os.environ, "GITHUB_STEP_SUMMARY": "", **(env or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def trace(name, app="com.example.notes"):
    """A task that is ended twice; its name comes from somebody who means harm."""
    rows = [{"header": {**HEADER, "app_bundle_id": app}}] + [
        {"t_ns": 1_000_000 * time, "event": event, "args": arguments}
        for time, event, arguments in [
            (0, "proc.start", {}),
            (1_000, "bgtask.begin", {"token": 7, "is_invalid": False, "name": name,
                                     "has_expiration_handler": True}),
            (2_000, "bgtask.end", {"token": 7, "is_invalid": False}),
            (2_500, "bgtask.end", {"token": 7, "is_invalid": False}),
            (9_000, "trace.end", {"reason": "clean"}),
        ]]
    return "".join(json.dumps(row) + "\n" for row in rows)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.out = self.path / "out"
        self.out.mkdir()

    def validated(self, *arguments, links="timelines/"):
        code, _, errors = run("check", *arguments, *validators.arguments(self.out))
        self.assertIn(code, (0, 1, 3), errors)
        try:
            return validators.all_reports(self.out, links=links)
        except validators.Skipped as missing:
            self.skipTest(f"{missing} is missing")


class Formats(Case):
    def test_the_traces_of_the_repository(self):
        results, commands, report = self.validated(
            "traces", "--timeline-link", "timelines/{name}.html")
        self.assertEqual(len(results), 12)
        self.assertEqual([c[0] for c in commands], ["error"] * 6 + ["warning"] * 2 + ["notice"] * 4)
        link = results[0]["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertRegex(link, r"^timelines/[\w-]+\.html#t=[\d.]+&f=v1:[0-9a-f]{16}$")
        self.assertEqual(
            {r["partialFingerprints"]["tracecheckFingerprint/v1"] for r in results},
            {f["fingerprint"] for t in report["traces"] for f in t["findings"]})

    def test_schemas_from_the_command_line(self):
        self.validated("traces")
        for file, schema in [("r.sarif", validators.SARIF_SCHEMA)]:
            validators.check_jsonschema(self.out / file, schema=schema)

    def test_nothing_found_is_valid_too(self):
        results, commands, _ = self.validated("traces/healthy-editor-ios8.timeline")
        self.assertEqual((results, commands), ([], []))
        suites, cases, failures = validators.junit(self.out / "r.xml")
        self.assertEqual((suites, failures), (1, 0))
        self.assertGreater(cases, 100)

    def test_unreadable_inputs_are_reported(self):
        broken = self.path / "broken.lctrace"
        broken.write_bytes(b"nonsense " * 40)
        _, commands, report = self.validated(broken, "traces/healthy-editor-ios8.timeline")
        self.assertEqual(commands[0][1]["title"], "unreadable capture")
        self.assertEqual(report["summary"]["unreadable"], 1)
        rows = validators.lines(self.out / "r.jsonl")
        self.assertEqual([row["path"] for row in rows if "unreadable" in row], [str(broken)])
        log = json.loads((self.out / "r.sarif").read_text())["runs"][0]["invocations"][0]
        self.assertFalse(log["executionSuccessful"])

    def test_two_runs_are_the_same_bytes(self):
        self.validated("traces")
        first = {file.name: file.read_bytes() for file in self.out.iterdir()}
        self.validated("traces")
        self.assertEqual(first, {file.name: file.read_bytes() for file in self.out.iterdir()})

    def test_paths_are_told_from_the_root_of_the_repository(self):
        repository = self.path / "repository"
        (repository / ".git").mkdir(parents=True)
        (repository / "ci").mkdir()
        (repository / "traces").mkdir()
        capture = repository / "traces" / "a b.ndjson"
        capture.write_text(trace("sync"))
        report = self.out / "x.sarif"
        for name in ["../traces/a b.ndjson", capture, "./../traces/../traces/a b.ndjson"]:
            run("check", name, "--report", f"sarif={report}", cwd=repository / "ci")
            result = json.loads(report.read_text())["runs"][0]["results"][0]
            place = result["locations"][0]["physicalLocation"]
            self.assertEqual(place["artifactLocation"]["uri"], "traces/a%20b.ndjson")
            self.assertEqual(place["region"]["startLine"], 5)

    def test_results_can_be_shown_at_a_file_of_the_repository(self):
        results, _, _ = self.validated(
            "traces/fault-task-leaked-ios8.timeline", "--sarif-anchor", "App/Delegate.swift")
        for result in results:
            self.assertEqual(
                result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                "App/Delegate.swift")
            self.assertIn("traces/", json.dumps(result["relatedLocations"]))

    def test_severity_below_the_bar_fails_no_case(self):
        _, text, _ = run("check", "traces", "--report", "json")
        ranks = ["note", "warning", "error"]
        found = {(trace["path"], finding["rule"], rank) for trace in json.loads(text)["traces"]
                 for finding in trace["findings"]
                 for rank in range(ranks.index(finding["severity"]) + 1)}
        for level in [*ranks, "never"]:
            run("check", "traces", "--fail-on", level, "--report", f"junit={self.out / 'r.xml'}")
            expected = sum(1 for item in found if ranks[item[2]] == level)
            self.assertEqual(validators.junit(self.out / "r.xml")[2], expected, level)
            self.assertEqual(expected > 0, level != "never")


class Hostile(Case):
    def test_texts_of_strangers_stay_texts(self):
        for number, attack in enumerate(ATTACKS):
            (self.path / f"{number:02}.ndjson").write_text(trace(attack, app=attack[:200]))
        results, commands, report = self.validated(self.path, "--skip", "config")
        self.assertEqual(len(report["traces"]), len(ATTACKS))
        self.assertGreaterEqual(len(results), len(ATTACKS))
        self.assertLessEqual(len(commands), 30)

    def test_names_of_files_stay_names(self):
        for number, attack in enumerate(ATTACKS):
            try:
                name = f"{number:02} {attack[:60]}.ndjson".replace("/", "_").replace("\0", "_")
                (self.path / name).write_text(trace("sync", app=f"app{number}"))
            except (OSError, UnicodeError):
                continue
        results, _, _ = self.validated(self.path, links="timelines/")
        self.assertGreater(len(results), 20)

    def test_bytes_that_are_no_text(self):
        capture = self.path / "x.ndjson"
        capture.write_bytes(trace("NAME").encode().replace(b"NAME", b"a\xff\xfe\x80b"))
        self.validated(capture)

    def test_the_text_report_gives_a_runner_no_command(self):
        for attack in ["::error::x", "  ::error::x", "::set-output name=x::y"]:
            capture = self.path / "x.ndjson"
            capture.write_text(trace(attack, app=attack))
            rules = self.path / "rules.yaml"
            rules.write_text("tracecheck: 1\nrules:\n  - id: own\n    never: bgtask.begin\n"
                             '    severity: error\n    message: "{name}"\n')
            code, out, errors = run("check", capture, "--rules", rules)
            self.assertEqual(code, 1, errors)
            for line in out.splitlines():
                self.assertFalse(line.lstrip().startswith("::"), line)


class GitHub(Case):
    def test_the_worst_ten_of_each_level_and_a_summary(self):
        for number in range(30):
            (self.path / f"{number}.ndjson").write_text(trace("sync", app=f"com.example.a{number}"))
        summary = self.path / "summary.md"
        summary.write_text("before\n")
        code, out, _ = run("check", self.path, "--report", "github",
                           env={"GITHUB_STEP_SUMMARY": str(summary)})
        self.assertEqual(code, 1)
        commands = validators.github(out)
        self.assertEqual(sum(1 for c in commands if c[0] == "error"), 10)
        text = summary.read_text()
        self.assertTrue(text.startswith("before\n## tracecheck: "), text[:80])
        self.assertIn("30 errors", text)

    def test_a_full_summary_gets_no_more(self):
        summary = self.path / "summary.md"
        summary.write_text("x" * ((1 << 20) - 100))
        run("check", "traces", "--report", "github", env={"GITHUB_STEP_SUMMARY": str(summary)})
        self.assertLessEqual(summary.stat().st_size, 1 << 20)

    def test_without_a_runner_there_is_no_summary(self):
        code, out, errors = run("check", "traces", "--report", "github")
        self.assertEqual((code, errors), (1, ""))
        self.assertEqual(len(validators.github(out)), 12)


class Limits(Case):
    def test_a_comment_fits(self):
        for number in range(120):
            (self.path / f"{number}.ndjson").write_text(
                trace("n" * 390 + str(number), app=f"com.example.a{number}"))
        _, _, report = self.validated(self.path)
        self.assertEqual(len(report["traces"]), 120)
        self.assertLess(len((self.out / "r.md").read_text()), 65_536)


if __name__ == "__main__":
    unittest.main(verbosity=2)
