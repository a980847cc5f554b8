"""The gate over a small history of captures kept in git: it fails exactly where a fault is new.

Usage: gate.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from executable import ROOT, TOOL
import report_validators as validators

HEADER = {"format": "tracecheck-ndjson", "version": 1, "app_bundle_id": "com.example.notes",
          "os_version": "8.1.0", "device_model": "iPhone7,2", "multitasking_supported": True,
          "exits_on_suspend": False}


def capture(slow_entry=False, double_end=False, version="1.0", start=0, pid=100, token=7,
            coverage=("*",), swapped=False, app="com.example.notes", stretch=1.0):
    """One life: launch, background task, background, suspension. Times in milliseconds."""
    header = {**HEADER, "app_bundle_id": app, "app_version": version, "coverage": list(coverage)}
    at = lambda milliseconds: start + int(milliseconds * stretch * 1_000_000)
    entry = 6_300 if slow_entry else 120
    rows = [
        (0, "proc.start", None, {"pid": pid, "into": "foreground", "reason": "user_icon"}),
        (180, "delegate.did_finish_launching", "enter", {}),
        (350, "delegate.did_finish_launching", "return", {}),
        (400, "delegate.did_become_active", "enter", {}),
        (405, "delegate.did_become_active", "return", {}),
        (9_000, "bgtask.begin", None, {"token": token, "is_invalid": False, "name": "sync",
                                       "has_expiration_handler": True}),
        (9_400, "bgtask.end", None, {"token": token, "is_invalid": False}),
        *([(9_700, "bgtask.end", None, {"token": token, "is_invalid": False})]
          if double_end else []),
        (11_900, "data.save", None, {"kind": "ui_state"}),
        (12_000, "delegate.will_resign_active", "enter", {}),
        (12_004, "delegate.will_resign_active", "return", {}),
        (12_100, "delegate.did_enter_background", "enter", {}),
        (12_100 + entry, "delegate.did_enter_background", "return", {}),
        (12_200 + entry, "proc.suspend", None, {"inferred": False}),
    ]
    text = [json.dumps({"header": header})]
    for time, event, phase, arguments in rows:
        row = {"t_ns": at(time), "event": event, "thread": 1}
        if phase:
            row["phase"] = phase
        if arguments:
            row["args"] = arguments
        # The order of keys and of files says nothing.
        text.append(json.dumps(dict(reversed(row.items())) if swapped else row))
    return "\n".join(text) + "\n"


class Repository(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "app"
        self.out = pathlib.Path(folder.name) / "out"
        self.out.mkdir()
        (self.path / "captures").mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.baseline = "tracecheck-baseline.jsonl"
        self.skipped = None

    def git(self, *arguments, check=True):
        return subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", *arguments],
            cwd=self.path, check=check, capture_output=True, text=True)

    def run_tool(self, *arguments, env=None):
        done = subprocess.run(
            [TOOL, *map(str, arguments)], cwd=self.path, capture_output=True, text=True,
            timeout=120, env={**os.environ, "GITHUB_STEP_SUMMARY": "", **(env or {})})
        return done.returncode, done.stdout, done.stderr

    def commit(self, message, files, remove=()):
        for name in remove:
            (self.path / "captures" / name).unlink()
        for name, text in files.items():
            (self.path / "captures" / name).write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def write_baseline(self):
        code, out, errors = self.run_tool(
            "gate", "captures", "--write-baseline", self.baseline)
        self.assertEqual(code, 0, errors)
        self.assertIn(f"wrote {self.baseline}", out)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "baseline")

    def gate(self, *options, expect, counts=None):
        """Runs the gate with every report, validates them all, and returns the JSON report."""
        code, out, errors = self.run_tool(
            "gate", "captures", "--baseline", self.baseline, *options, "--report", "text",
            *validators.arguments(self.out))
        self.assertEqual(code, expect, out + errors)
        # What is known is only counted, and the gate has the last word.
        self.assertNotIn("known)", out)
        self.assertNotRegex(out, "(?m)^check:")
        word = {0: "passed", 1: "failed"}[expect]
        self.assertRegex(out.splitlines()[-1], f"^gate: {word}; .* traces?, .* events; ")
        try:
            results, commands, report = validators.all_reports(self.out)
        except validators.Skipped as missing:
            self.skipped = str(missing)
            report = json.loads((self.out / "r.json").read_text())
            results = None
        failures = validators.junit(self.out / "r.xml")[2] if not self.skipped else None
        if results is not None:
            new = [r for r in results if r.get("baselineState") != "unchanged"
                   and not r.get("suppressions") and r["level"] == "error"]
            self.assertEqual(bool(new), expect == 1)
            self.assertEqual(bool(failures), expect == 1)
            self.assertEqual(any(c[0] == "error" for c in commands), expect == 1)
        if counts:
            self.assertIn(f"{self.baseline}: {counts}", out)
        return report, out


class History(Repository):
    def test_the_gate_fails_exactly_where_a_fault_is_new(self):
        self.commit("clean", {"a.ndjson": capture(), "b.ndjson": capture(start=10**9, pid=7)})
        self.write_baseline()
        clean = (self.path / self.baseline).read_text()
        self.gate(expect=0, counts="0 new, 0 fixed, 0 unchanged")

        self.commit("a fault", {"a.ndjson": capture(slow_entry=True)})
        _, out = self.gate(expect=1, counts="1 new, 0 fixed, 0 unchanged")
        self.assertIn("error LC003", out)
        self.assertEqual(self.run_tool("check", "captures", "--baseline", self.baseline)[0], 1)

        self.commit("mended", {"a.ndjson": capture()})
        self.gate(expect=0, counts="0 new, 0 fixed, 0 unchanged")

        self.commit("the fault again, accepted", {"a.ndjson": capture(slow_entry=True)})
        self.write_baseline()
        known = (self.path / self.baseline).read_text()
        self.assertEqual(len(known.splitlines()), len(clean.splitlines()) + 1)
        self.gate(expect=0, counts="0 new, 0 fixed, 1 unchanged")

        _, out, _ = self.run_tool("gate", "captures", "--baseline", self.baseline)
        self.assertNotIn("error LC003", out)
        self.assertRegex(out.splitlines()[-1], "^gate: passed; 0 errors, .*; 1 known; ")
        # A check shows them, marked as known.
        _, out, _ = self.run_tool("check", "captures", "--baseline", self.baseline)
        self.assertIn("error LC003", out)
        self.assertIn("(known)", out)
        self.assertIn("check: no new findings", out)

        self.commit("renamed", {"renamed.ndjson": capture(slow_entry=True)}, remove=["a.ndjson"])
        self.gate(expect=0, counts="0 new, 0 fixed, 1 unchanged")

        self.commit("other order", {
            "0.ndjson": capture(slow_entry=True, swapped=True), "z.ndjson": capture()},
            remove=["renamed.ndjson", "b.ndjson"])
        self.gate(expect=0, counts="0 new, 0 fixed, 1 unchanged")

        self.commit("another version", {"0.ndjson": capture(slow_entry=True, version="2.3")})
        self.gate(expect=0, counts="0 new, 0 fixed, 1 unchanged")

        self.commit("recorded again", {"0.ndjson": capture(
            slow_entry=True, version="2.3", start=77 * 10**9, pid=4711, token=991, stretch=1.07)})
        self.gate(expect=0, counts="0 new, 0 fixed, 1 unchanged")
        self.write_baseline()
        self.assertEqual((self.path / self.baseline).read_text(), known, "it says the same")

        self.commit("a second fault", {"0.ndjson": capture(slow_entry=True, double_end=True)})
        report, out = self.gate(expect=1, counts="1 new, 0 fixed, 1 unchanged")
        self.assertIn("error LC001", out)
        self.assertNotIn("error LC003", out)
        self.assertEqual(
            sorted((f["rule"], f["baseline"]) for t in report["traces"] for f in t["findings"]),
            [("LC001", "new"), ("LC003", "unchanged")])
        report, out = self.gate("--new-only", expect=1)
        self.assertEqual([f["rule"] for t in report["traces"] for f in t["findings"]], ["LC001"])

        self.commit("all mended", {"0.ndjson": capture()})
        _, out = self.gate(expect=0, counts="0 new, 1 fixed, 0 unchanged")
        self.assertIn("fixed  LC003", out)
        report, _ = self.gate("--strict-baseline", expect=1)
        self.assertEqual(
            [f["rule"] for t in report["traces"] for f in t["findings"]], ["GT02"])
        self.gate("--prune-baseline", expect=0)
        self.assertEqual((self.path / self.baseline).read_text(), clean)
        self.gate("--strict-baseline", expect=0)

        self.commit("a rule's evidence is recorded no more", {
            "0.ndjson": capture(coverage=["delegate", "proc", "trace"]),
            "z.ndjson": capture(coverage=["delegate", "proc", "trace"], start=5)})
        report, out = self.gate(expect=1, counts="0 new, 0 fixed, 0 unchanged")
        self.assertIn("error GT01", out)
        self.assertIn("background-task can no longer be evaluated", out)

        self.commit("no capture of the app", {"0.ndjson": capture(app="com.example.other")},
                    remove=["z.ndjson"])
        _, out = self.gate(expect=1)
        self.assertIn("no capture of com.example.notes was checked", out)
        if self.skipped:
            self.skipTest(f"all but the validation: {self.skipped} is missing")

    def test_lost_coverage_is_no_improvement(self):
        self.commit("known", {"a.ndjson": capture(double_end=True)})
        self.write_baseline()
        self.commit("blind", {"a.ndjson": capture(double_end=True, coverage=["delegate", "proc"])})
        _, out = self.gate(expect=1, counts="0 new, 0 fixed, 0 unchanged, 1 no longer evaluated")
        before = (self.path / self.baseline).read_bytes()
        self.gate("--prune-baseline", expect=1)
        self.assertEqual((self.path / self.baseline).read_bytes(), before, "nothing was fixed")
        # What is switched off on purpose isn't missed.
        self.gate("--only", "LC003", expect=0)

    def test_one_healthy_capture_hides_nothing(self):
        self.commit("known", {"a.ndjson": capture(double_end=True),
                              "b.ndjson": capture(start=10**9, pid=7)})
        self.write_baseline()
        before = (self.path / self.baseline).read_bytes()
        blind = ["delegate", "proc"]
        self.commit("one is blind", {"a.ndjson": capture(double_end=True, coverage=blind)})
        report, out = self.gate(
            "--prune-baseline", expect=0,
            counts="0 new, 0 fixed, 0 unchanged, 1 no longer evaluated")
        self.assertEqual((self.path / self.baseline).read_bytes(), before, "nothing was fixed")
        words = r"is evaluated in only 1 of 2 traces, and was in all of the baseline's; \d+ more"
        self.assertRegex(out, rf"(?m)^coverage  com\.example\.notes: \w+ {words} rules aren't")
        self.assertEqual([item["app"] for item in report["coverage"]], ["com.example.notes"])
        self.assertRegex(report["coverage"][0]["message"], words)
        for form in ["github", "markdown", "html"]:
            _, out, _ = self.run_tool(
                "gate", "captures", "--baseline", self.baseline, "--report", form)
            self.assertIn("1 of 2 traces", out, form)
        # A baseline that was written without shares is as strict.
        old = before.replace(b',"partly":{}', b"")
        self.assertNotEqual(old, before)
        (self.path / self.baseline).write_bytes(old)
        self.gate(expect=0, counts="0 new, 0 fixed, 0 unchanged, 1 no longer evaluated")

    def test_a_recorder_that_stopped_mends_nothing(self):
        self.commit("known", {"a.ndjson": capture(double_end=True),
                              "b.ndjson": capture(start=10**9, pid=7)})
        self.write_baseline()
        before = (self.path / self.baseline).read_bytes()
        header = capture().splitlines()[0] + "\n"
        start = '{"t_ns":%d,"event":"trace.start","thread":1,"args":{"reason":"launch"}}\n'
        counts = "0 new, 0 fixed, 0 unchanged, 1 no longer evaluated"
        for first, second in [("", ""), (start % 0, start % 5)]:
            self.commit("silent", {"a.ndjson": header + first, "b.ndjson": header + second})
            report, out = self.gate("--strict-baseline", expect=1, counts=counts)
            self.assertEqual(
                [f["rule"] for t in report["traces"] for f in t["findings"]], ["GT01"])
            self.assertIn("no rule on events can be evaluated any more for com.example.notes", out)
            self.gate("--prune-baseline", expect=1, counts=counts)
            self.assertEqual((self.path / self.baseline).read_bytes(), before)
            self.commit("one is silent", {"b.ndjson": capture()})
            _, out = self.gate("--prune-baseline", expect=0, counts=counts)
            self.assertIn("is evaluated in only 1 of 2 traces", out)
            self.assertEqual((self.path / self.baseline).read_bytes(), before)
        self.commit("mended", {"a.ndjson": capture(), "b.ndjson": capture(start=10**9, pid=7)})
        _, out = self.gate("--prune-baseline", expect=0, counts="0 new, 1 fixed, 0 unchanged")
        self.assertNotIn("\ncoverage  ", out)
        self.assertNotEqual((self.path / self.baseline).read_bytes(), before)

    def test_severities_go_down_and_not_up(self):
        self.commit("known", {"a.ndjson": capture(slow_entry=True)})
        self.write_baseline()
        error = (self.path / self.baseline).read_text()
        milder = ["--severity", "LC003=note"]
        _, out = self.gate(*milder, expect=0, counts="0 new, 0 fixed, 1 unchanged")
        self.assertRegex(out, "(?m)^milder  LC003 .*: note, and error in the baseline")
        self.assertEqual((self.path / self.baseline).read_text(), error)
        self.gate(*milder, "--prune-baseline", expect=0)
        self.assertEqual(
            (self.path / self.baseline).read_text(),
            error.replace('"severity":"error"', '"severity":"note"'))
        _, out = self.gate(expect=1, counts="0 new, 1 graver, 0 fixed, 0 unchanged")
        self.assertIn("graver than the baseline has it", out)
        _, out, _ = self.run_tool(
            "gate", "captures", "--baseline", self.baseline, "--report", "markdown")
        self.assertIn("## tracecheck: 1 new or graver finding\n", out)
        # What --fail-on lets pass is told and passes.
        self.gate("--severity", "LC003=warning", expect=0,
                  counts="0 new, 1 graver, 0 fixed, 0 unchanged")

    def test_suppressions_are_honoured_and_listed_until_they_expire(self):
        self.commit("clean", {"a.ndjson": capture()})
        self.write_baseline()
        self.commit("a fault", {"a.ndjson": capture(slow_entry=True)})
        configuration = self.path / ".tracecheck.yml"
        for expires, code in [("2999-01-01", 0), ("2001-01-01", 1)]:
            configuration.write_text(
                "tracecheck: 1\nsuppressions:\n  - rule: LC003\n    subject: '*'\n"
                f"    reason: the vendor knows\n    expires: {expires}\n")
            report, out = self.gate(expect=code)
            self.assertEqual("suppressed LC003" in out, code == 0, out)
            self.assertEqual("the vendor knows (until 2999-01-01)" in out, code == 0)
            self.assertEqual(report["summary"]["suppressed"], 1 - code)

    def test_two_branches_merge(self):
        self.commit("clean", {"a.ndjson": capture()})
        (self.path / ".gitattributes").write_text(f"{self.baseline} merge=union\n")
        self.write_baseline()
        for branch, name, fault in [("one", "b.ndjson", {"slow_entry": True}),
                                    ("two", "c.ndjson", {"double_end": True})]:
            self.git("checkout", "-q", "-b", branch, "main")
            self.commit(branch, {name: capture(**fault)})
            self.write_baseline()
        self.git("checkout", "-q", "main")
        for branch in ["one", "two"]:
            self.git("merge", "-q", "--no-edit", branch)
        self.gate(expect=0, counts="0 new, 0 fixed, 2 unchanged")

    def test_without_the_attribute_a_conflict_is_told(self):
        self.commit("clean", {"a.ndjson": capture()})
        self.write_baseline()
        text = (self.path / self.baseline).read_text()
        (self.path / self.baseline).write_text(
            text + "<<<<<<< HEAD\n" + text.splitlines()[1] + "\n=======\n>>>>>>> x\n")
        code, _, errors = self.run_tool("gate", "captures", "--baseline", self.baseline)
        self.assertEqual(code, 2)
        self.assertRegex(errors, rf"{self.baseline}:\d+: a conflict of a merge was left")


class Timing(Repository):
    """Durations of two sets of captures."""

    def fill(self, name, count, factor=1.0, **options):
        folder = self.path / name
        folder.mkdir()
        for number in range(count):
            # Some noise, and other times, so that none is a copy.
            (folder / f"{number}.ndjson").write_text(capture(
                start=number * 10**9, pid=number + 1, stretch=factor * (1 + number % 7 / 500),
                **options))

    def durations(self, *arguments, expect):
        code, out, errors = self.run_tool("gate", *arguments)
        self.assertEqual(code, expect, out + errors)
        return out

    def verdicts(self, table):
        rows = [line.split() for line in table.splitlines()]
        return {row[0]: row[-1] for row in rows if len(row) > 7 and row[0] != "duration"}

    def test_grown_durations_fail(self):
        self.fill("main", 20)
        self.fill("branch", 20, factor=1.25)
        sides = ["--reference", "main", "--candidate", "branch"]
        out = self.durations(*sides, expect=4)
        self.assertEqual(self.verdicts(out)["launch"], "slower")
        self.assertIn("com.example.notes", out)
        quiet = self.durations(*sides, "--quiet", expect=4)
        self.assertEqual(set(self.verdicts(quiet).values()), {"slower"})
        back = self.durations("--reference", "branch", "--candidate", "main", expect=0)
        self.assertEqual(self.verdicts(back)["launch"], "faster")
        same = self.durations("--reference", "main", "--candidate", "main", expect=0)
        self.assertEqual(self.verdicts(same)["launch"], "unchanged")

    def test_few_captures_decide_nothing(self):
        self.fill("main", 20)
        self.fill("branch", 7, factor=3)
        out = self.durations("--reference", "main", "--candidate", "branch", expect=0)
        self.assertIn("inconclusive: the candidate has only 7 of at least 8", out)
        # Another device is another thing.
        text = (self.path / "branch" / "0.ndjson").read_text()
        (self.path / "branch" / "8.ndjson").write_text(
            text.replace("iPhone7,2", "iPad4,1").replace('"pid": 1', '"pid": 99'))
        out = self.durations("--reference", "main", "--candidate", "branch", expect=0)
        self.assertIn("the reference has none and the candidate has only 1", out)

    def test_budgets(self):
        self.fill("branch", 9)
        out = self.durations("--candidate", "branch", "--max", "launch.p95=10s",
                             "--max", "terminate.max=1ms", expect=0)
        self.assertIn("kept", out)
        self.assertIn("inconclusive", out)
        out = self.durations("--candidate", "branch", "--max", "launch.median=400ms", expect=4)
        self.assertIn("broken", out)

    def test_reports(self):
        self.fill("main", 20)
        self.fill("branch", 20, factor=1.25)
        self.durations("--reference", "main", "--candidate", "branch", "--max", "launch.p95=1ms",
                       *validators.arguments(self.out), expect=4)
        report = json.loads((self.out / "r.json").read_text())
        rules = {f["rule"] for trace in report["traces"] for f in trace["findings"]}
        self.assertEqual(rules, {"GT03", "GT04"})
        try:
            validators.all_reports(self.out)
        except validators.Skipped as missing:
            self.skipTest(f"all but the validation: {missing} is missing")
        out = self.durations("--reference", "main", "--candidate", "branch", "--report", "json",
                             expect=4)
        json.loads(out)

    def test_damage_weighs_more(self):
        self.fill("main", 20)
        self.fill("branch", 20, factor=1.25)
        (self.path / "branch" / "broken.lctrace").write_bytes(b"nonsense" * 20)
        sides = ["--reference", "main", "--candidate", "branch"]
        self.durations(*sides, expect=3)
        self.durations(*sides, "--allow-damaged", expect=4)

    def test_usage(self):
        self.fill("main", 1)
        for arguments, message in [
            (["--reference", "main"], "needs --candidate"),
            (["--candidate", "main"], "needs --reference"),
            (["--max", "launch.p95=1s"], "--candidate"),
            (["--candidate", "main", "--max", "lunch.p95=1s"], "did you mean 'launch'"),
            (["--candidate", "main", "--max", "launch.p101=1s"], "p1 to p100"),
            (["--candidate", "main", "--max", "launch.p95"], "launch.p95=400ms"),
            (["main", "--candidate", "main", "--max", "launch.p95=1s"], "leave paths away"),
            (["--candidate", "main", "--max", "launch.p95=1s", "--baseline", "b"],
             "leave --baseline away"),
            (["--reference", "-", "--candidate", "-"], "read only once"),
        ]:
            code, out, errors = self.run_tool("gate", *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(message, errors)


class Mistakes(Repository):
    def test_usage(self):
        self.commit("clean", {"a.ndjson": capture()})
        for arguments, message in [
            (["gate", "captures"], "nothing to compare with"),
            (["gate", "captures", "--baseline", "none.jsonl"], "--write-baseline"),
            (["gate", "captures", "--baseline", "captures/a.ndjson"], "captures/a.ndjson:1: "),
            (["gate", "captures", "--write-baseline", "captures/a.ndjson"], "also the input"),
            (["gate", "captures", "--write-baseline", "b", "--shard", "1/2"], "needs all traces"),
            (["check", "captures", "--strict-baseline"], "needs --baseline"),
            (["check", "captures", "--new-only"], "needs --baseline"),
        ]:
            code, out, errors = self.run_tool(*arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(message, errors)

    def test_no_captures_are_no_damage(self):
        self.commit("clean", {"a.ndjson": capture()})
        self.write_baseline()
        (self.path / "empty").mkdir()
        code, out, _ = self.run_tool("gate", "empty", "--baseline", self.baseline)
        self.assertEqual(code, 3)
        self.assertRegex(out.splitlines()[-1], "^gate: undecided, as there are no captures; ")
        self.assertIn("1 without captures", out.splitlines()[-1])

    def test_damage_weighs_more(self):
        self.commit("clean", {"a.ndjson": capture(double_end=True)})
        self.write_baseline()
        before = (self.path / self.baseline).read_bytes()
        (self.path / "captures" / "a.ndjson").write_text(capture())
        (self.path / "captures" / "broken.lctrace").write_bytes(b"nonsense" * 20)
        arguments = ["gate", "captures", "--baseline", self.baseline, "--prune-baseline"]
        code, out, errors = self.run_tool(*arguments)
        self.assertEqual(code, 3)
        self.assertRegex(out.splitlines()[-1], "^gate: undecided, as captures are damaged")
        self.assertIn("the baseline was not changed", errors)
        self.assertEqual((self.path / self.baseline).read_bytes(), before)
        code, _, errors = self.run_tool(*arguments, "--allow-damaged")
        self.assertEqual(code, 0, errors)
        self.assertNotEqual((self.path / self.baseline).read_bytes(), before)


class NewUser(Repository):
    def test_the_three_commands_of_the_readme(self):
        readme = (ROOT / "README.md").read_text()
        section = readme[readme.index("## CI"):]
        block = re.search(r"```sh\n(.*?)```", section, re.S)[1]
        commands = [line.split("#")[0].strip() for line in block.splitlines() if line.strip()]
        self.assertEqual(len(commands), 3)
        self.commit("clean", {"a.ndjson": capture(slow_entry=True)})
        codes = []
        for command in commands:
            words = shlex.split(command)
            self.assertEqual(words[0], "tracecheck")
            code, out, errors = self.run_tool(*words[1:])
            self.assertEqual(errors, "")
            codes.append(code)
        # The first tells what is wrong today; the second takes note; the third passes.
        self.assertEqual(codes, [1, 0, 0])
        (self.path / "captures" / "b.ndjson").write_text(capture(double_end=True, pid=3))
        code, out, _ = self.run_tool(*shlex.split(commands[2])[1:])
        self.assertEqual(code, 1)
        self.assertIn("LC001", out)
        self.assertIn("was ended twice", out)


if __name__ == "__main__":
    unittest.main(verbosity=2)
