"""The configuration file from outside: how it is found, what it changes, and what it says of mistakes.

Usage: configuration.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import json
import os
import unittest

from command_line import HEADER, SLOW, Case, run

# Says its app, so that sections for apps apply.
OWN_SLOW = SLOW.replace('"version":1,', '"version":1,"app_bundle_id":"com.example.notes",')


class Configuration(Case):
    def setUp(self):
        super().setUp()
        self.file("slow.ndjson", SLOW)
        self.file("own.ndjson", OWN_SLOW)
        self.below = self.path / "a" / "b"
        self.below.mkdir(parents=True)

    def configure(self, text):
        return self.file(".tracecheck.yml", "tracecheck: 1\n" + text)

    def check(self, *arguments, path="slow.ndjson", cwd=None):
        cwd = cwd or self.path
        code, out, err = run("check", self.path / path, "--report", "json", *arguments, cwd=cwd)
        return code, json.loads(out) if out else None, err

    def findings(self, *arguments, **options):
        _, report, _ = self.check(*arguments, **options)
        return [(f["rule"], f["severity"]) for f in report["traces"][0]["findings"]]

    def test_it_is_found_in_the_directory_and_above(self):
        self.assertEqual(self.findings(), [("LC003", "error")])
        self.configure("severities: {LC003: note}\n")
        self.assertEqual(self.findings(), [("LC003", "note")])
        self.assertEqual(self.findings(cwd=self.below), [("LC003", "note")])

    def test_the_nearest_file_wins(self):
        self.configure("severities: {LC003: note}\n")
        self.file("a/.tracecheck.yml", "tracecheck: 1\nseverities: {LC003: warning}\n")
        self.assertEqual(self.findings(cwd=self.below), [("LC003", "warning")])

    def test_what_is_no_file_is_told(self):
        self.configure("severities: {LC003: note}\n")
        place = self.below / ".tracecheck.yml"
        for make, what in ((place.mkdir, "a directory"), (lambda: os.mkfifo(place), "a pipe or a device"),
                           (lambda: place.symlink_to("nowhere"), "a broken link")):
            make()
            code, out, err = run("check", self.path / "slow.ndjson", cwd=self.below)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(f"tracecheck: .tracecheck.yml is {what}, ", err)
            self.assertEqual(run("check", self.path / "slow.ndjson", "--config", "none", cwd=self.below)[0], 1)
            place.rmdir() if what == "a directory" else place.unlink()

    def test_a_pipe_is_not_waited_for(self):
        os.mkfifo(self.path / "pipe")
        for option in ("--config", "--rules"):
            code, _, err = run("check", self.path / "slow.ndjson", option, self.path / "pipe")
            self.assertEqual(code, 2)
            self.assertIn("it is a pipe or a device, and a file is needed", err)
        self.configure("rule_files: [pipe]\n")
        code, _, err = self.check()
        self.assertEqual(code, 2)
        self.assertIn(".tracecheck.yml:2:14: error[unreadable-file]: pipe: it is a pipe", err)

    def test_names_can_not_move_the_cursor(self):
        for arguments in (["--config", "/tmp/\x1b[31mx.yml"], ["--\x1b[31mx"], ["--rules", "/tmp/\x1b[31mx"]):
            code, _, err = run("check", self.path / "slow.ndjson", *arguments)
            self.assertEqual(code, 2)
            self.assertNotIn("\x1b", err)
            self.assertIn("\\u{1B}[31mx", err)

    def test_another_file_or_none(self):
        self.configure("rules: {LC003: off}\n")
        other = self.file("other.yml", "tracecheck: 1\nseverities: {LC003: warning}\n")
        self.assertEqual(self.findings(), [])
        self.assertEqual(self.findings("--config", other), [("LC003", "warning")])
        self.assertEqual(self.findings("--config", "none"), [("LC003", "error")])
        self.assertEqual(self.check("--config", self.path / "missing.yml")[0], 2)
        self.assertEqual(self.check("--config", "-")[0], 2)
        self.assertEqual(self.check("--config", "")[0], 2)

    def test_the_command_line_wins(self):
        self.configure("fail_on: never\nthresholds: {LC003: 8s}\nrules: {LC001: off}\n")
        self.assertEqual(self.findings(), [])
        self.assertEqual(self.findings("--threshold", "LC003.limit=2s"), [("LC003", "error")])
        self.assertEqual(self.check("--threshold", "LC003=2s")[0], 0)
        self.assertEqual(self.check("--threshold", "LC003=2s", "--fail-on", "error")[0], 1)
        code, _, err = run("check", "slow.ndjson", "--skip", "LC001,LC002,LC003,LC004",
                           "--only", "LC001", cwd=self.path)
        self.assertEqual(code, 2)
        self.assertIn("leave no rule to check", err)

    def test_fail_on(self):
        self.configure("severities: {LC003: warning}\nfail_on: warning\n")
        self.assertEqual(self.check()[0], 1)
        self.configure("severities: {LC003: warning}\nfail_on: error\n")
        self.assertEqual(self.check()[0], 0)

    def test_sections_for_apps(self):
        self.configure(
            "severities: {LC003: warning}\napps:\n  com.example.*: {rules: {LC003: off}}\n")
        self.assertEqual(self.findings(), [("LC003", "warning")])
        self.assertEqual(self.findings(path="own.ndjson"), [])
        named = ["--header", "app_bundle_id=com.example.maps"]
        self.assertEqual(self.findings(*named), [])

    def test_suppressions(self):
        self.configure("suppressions:\n- {rule: LC003, trace: slow.*, reason: known}\n")
        code, report, err = self.check()
        self.assertEqual((code, err), (0, ""))
        trace = report["traces"][0]
        self.assertEqual(trace["findings"], [])
        self.assertEqual(trace["suppressed"][0]["reason"], "known")
        self.assertEqual(trace["suppressed"][0]["origin"], ".tracecheck.yml:3")
        self.assertEqual(trace["suppressed"][0]["finding"]["rule"], "LC003")
        self.assertEqual((report["summary"]["errors"], report["summary"]["suppressed"]), (0, 1))
        _, out, _ = run("check", "slow.ndjson", cwd=self.path)
        self.assertIn("; 1 suppressed; ", out.splitlines()[-1])
        fingerprint = trace["suppressed"][0]["finding"]["fingerprint"]
        self.configure(
            'suppressions:\n- {rule: LC003, fingerprint: "%s", reason: known}\n' % fingerprint)
        self.assertEqual(self.check()[0], 0)
        self.assertEqual(self.check(path="own.ndjson")[0], 1)

    def test_an_expired_suppression_is_told_and_does_not_apply(self):
        text = "suppressions:\n- {rule: LC003, subject: '*', reason: known, expires: %s}\n"
        self.configure(text % "2001-01-01")
        code, report, err = self.check()
        self.assertEqual((code, report["summary"]["suppressed"]), (1, 0))
        self.assertIn(".tracecheck.yml:3:3: warning[expired-suppression]: ", err)
        self.configure(text % "9999-12-31")
        code, report, err = self.check()
        self.assertEqual((code, report["summary"]["suppressed"], err), (0, 1, ""))

    def test_suppressed_findings_of_a_pipe_are_not_shown(self):
        self.configure("suppressions:\n- {rule: LC003, subject: '*', reason: known}\n")
        code, out, _ = run("check", "-", stdin=SLOW.encode(), cwd=self.path)
        self.assertEqual(code, 0)
        self.assertNotIn("error LC003", out)

    def test_rules_of_users(self):
        (self.path / "rules").mkdir()
        self.file("rules/own.yaml", "tracecheck: 1\nrules:\n  - id: own\n    severity: error\n"
                  "    never: delegate.will_resign_active\n    message: it resigned\n")
        self.configure("rule_files: [rules/own.yaml]\nseverities: {own: note}\n")
        self.assertIn(("own", "note"), self.findings(cwd=self.below))
        self.file("rules/own.yaml", "tracecheck: 1\nrules: [{id: own, neverr: x}]\n")
        code, _, err = self.check()
        self.assertEqual(code, 2)
        self.assertIn("rules/own.yaml:2:", err)
        self.assertNotIn("unknown-rule", err)
        self.configure("rule_files: [missing.yaml]\n")
        code, _, err = self.check()
        self.assertEqual(code, 2)
        self.assertIn(".tracecheck.yml:2:14: error[unreadable-file]: missing.yaml: ", err)

    def test_all_mistakes_are_told_at_once_and_nothing_is_checked(self):
        self.configure("fail-on: error\nthresholds: {LC003: 8}\ncapture_patterns: a\n")
        code, out, err = run("check", "slow.ndjson", cwd=self.path)
        self.assertEqual((code, out), (2, ""))
        heads = [line for line in err.splitlines() if line.startswith(".tracecheck.yml:")]
        self.assertEqual(
            [head.split(" ")[0] + head.split(" ")[1] for head in heads],
            [".tracecheck.yml:2:1:error[unknown-key]:",
             ".tracecheck.yml:3:21:error[number-without-unit]:",
             ".tracecheck.yml:4:19:error[bad-type]:"])
        self.assertIn("did you mean 'fail_on'?", err)

    def test_a_report_never_replaces_the_configuration(self):
        path = self.configure("fail_on: never\n")
        code, _, _ = run("check", "slow.ndjson", "--report", "json=.tracecheck.yml", cwd=self.path)
        self.assertEqual(code, 2)
        self.assertEqual(path.read_text(), "tracecheck: 1\nfail_on: never\n")

    def test_show_prints_what_was_set_and_where(self):
        self.configure("severities: {LC003: note}\nthresholds: {LC003: 8s}\n")
        code, out, _ = run("config", "--show", "--skip", "LC001", cwd=self.path)
        self.assertEqual(code, 0)
        rows = [" ".join(line.split()) for line in out.splitlines()]
        self.assertEqual(rows[0], ".tracecheck.yml")
        self.assertIn("LC001 off (default on) command line", rows)
        self.assertIn("LC003 severity note (default error) .tracecheck.yml:2", rows)
        self.assertIn("LC003.limit 8s (default 5s, documented) .tracecheck.yml:3", rows)
        self.assertEqual(len(rows), 5)
        self.assertTrue(rows[-1].startswith("2 of "), rows[-1])
        self.assertEqual(run("config", cwd=self.path)[0], 2)
        _, out, _ = run("config", "--show", "--watchdog", "real", cwd=self.path)
        self.assertRegex(out, r"  watchdog +real +\(default documented\) +command line\n")

    def test_show_prints_everything(self):
        _, out, _ = run("config", "--show", "--all", "--config", "none", cwd=self.path)
        for word in ["fail_on", "profile", "LC001 severity", "LC002.grace", "LC004.calls"]:
            self.assertIn(word, out)
        _, out, _ = run("config", "--show", "--format", "json", "--config", "none", cwd=self.path)
        shown = json.loads(out)
        self.assertEqual(
            list(shown), ["schema_version", "file", "app", "fail_on", "profile", "watchdog",
                          "rule_files", "capture_patterns", "rules", "suppressions", "apps"])
        self.assertTrue(all(
            rule["severity"]["origin"] == {"kind": "default"} for rule in shown["rules"]))

    def test_show_for_an_app(self):
        self.configure("apps:\n  com.example.*:\n    severities: {LC003: note}\n")
        show = ["config", "--show", "--format", "json"]
        _, out, _ = run(*show, "--app", "com.example.notes", cwd=self.path)
        rule = next(rule for rule in json.loads(out)["rules"] if rule["id"] == "LC003")
        self.assertEqual(rule["severity"], {
            "value": "note", "default": "error",
            "origin": {"kind": "app", "file": ".tracecheck.yml", "line": 4,
                       "app": "com.example.*"}})
        _, out, _ = run(*show, cwd=self.path)
        section = json.loads(out)["apps"][0]
        self.assertEqual(section["severities"]["LC003"]["value"], "note")

    def test_a_header_alone_has_no_app(self):
        self.configure("apps: {com.*: {rules: {LC003: off}}}\n")
        self.file("empty.ndjson", HEADER)
        self.assertEqual(self.findings(path="empty.ndjson"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
