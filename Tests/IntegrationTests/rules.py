"""The catalogue and users' rules from outside: lists, pages, YAML and back, checks, tests, and use in a check.

Usage: rules.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import json
import re
import unittest

from command_line import ROOT, SLOW, Case, run

TRACES = ROOT / "traces"
OWN = """tracecheck: 1
rules:
  - id: quick-entry
    severity: warning
    parameters: { limit: 2s }
    lasts: { span: delegate.did_enter_background, max: $limit }
    clock: watchdog
    message: "{callback} took {duration}, more than {limit}"
    examples:
      violates:
        - |
          +0s    proc.start into=foreground reason=user_icon
          +100ms delegate.did_become_active for 1ms
          +1s    delegate.will_resign_active for 1ms
          +10ms  >delegate.did_enter_background
          +3s    <delegate.did_enter_background  # here
      holds:
        - |
          +0s    proc.start into=foreground reason=user_icon
          +100ms delegate.did_become_active for 1ms
          +1s    delegate.will_resign_active for 1ms
          +10ms  >delegate.did_enter_background
          +1s    <delegate.did_enter_background
"""


class Lists(Case):
    def test_all_rules_as_text_and_json(self):
        code, text, err = run("rules")
        self.assertEqual((code, err, len(text.splitlines())), (0, "", 159))
        rules = json.loads(run("rules", "--format", "json")[1])
        self.assertEqual([rule["id"] for rule in rules], [line.split()[0] for line in text.splitlines()])
        for rule in rules:
            for key in ("id", "slug", "family", "severity", "summary", "profiles", "needs", "parameters", "clauses",
                        "example_count"):
                self.assertIn(key, rule)
            self.assertEqual(rule["example_count"], len(rule["examples"]))
        limit = next(rule for rule in rules if rule["id"] == "LC003")["parameters"][0]
        self.assertEqual(limit, {
            "name": "limit", "unit": "nanoseconds", "value": 5_000_000_000, "basis": "documented", "text": "5s"})

    def test_lists_narrow_by_id_slug_and_family(self):
        self.assertEqual(
            [line.split()[0] for line in run("rules", "lc003,LC001", "config/opt-out")[1].splitlines()],
            ["LC001", "LC003", "LC862"])
        family = run("rules", "graphics")[1].splitlines()
        self.assertGreater(len(family), 3)
        self.assertTrue(all(" graphics/" in line for line in family))
        code, _, err = run("rules", "LC03")
        self.assertEqual((code, err), (2, "tracecheck: there is no rule called 'LC03'; did you mean 'LC003'?\n"))
        self.assertIn("did you mean 'check'?", run("rules", "chekc", "x.yaml")[2])
        self.assertEqual(run("rules", ",")[0], 2)

    def test_one_rule_alone_is_explained(self):
        self.assertEqual(run("rules", "LC003")[1], run("explain", "LC003")[1])

    def test_users_rules_are_listed_and_explained(self):
        own = self.file("own.yaml", OWN)
        self.assertEqual(len(run("rules", "--rules", own)[1].splitlines()), 160)
        _, page, _ = run("explain", "quick-entry", "--rules", own)
        self.assertIn("--threshold quick-entry.limit=2s", page)
        self.file(".tracecheck.yml", "tracecheck: 1\nrule_files: [own.yaml]\n")
        self.assertEqual(run("explain", "user/quick-entry", cwd=self.path)[1], page)
        self.assertEqual(run("explain", "quick-entry", "--config", "none", cwd=self.path)[0], 2)


class Pages(Case):
    def test_a_page_has_every_part(self):
        code, page, _ = run("explain", "watchdog/did-enter-background-over-5s")
        self.assertEqual(code, 0)
        for part in ("LC003  watchdog/", "\nWhat the system does\n", "\nWhy\n", "\nHow to fix it\n", "In Swift:",
                     "In Objective-C:", "limit: 5s, documented", "--threshold LC003.limit=5s",
                     "thresholds: { LC003.limit: 5s }", "\nApplies to\n", "profiles ios4,", "covers delegate",
                     "Example, violates", "Example, holds", "# here\n", "\nSources\n", "--examples all"):
            self.assertIn(part, page)
        self.assertTrue(all(len(line) <= 100 for line in page.splitlines()), page)
        everything = run("explain", "LC003", "--examples", "all")[1]
        rule = json.loads(run("explain", "LC003", "--format", "json")[1])
        self.assertEqual(everything.count("\nExample, "), rule["example_count"])
        self.assertIn("beginBackgroundTask", rule["snippet"]["swift"])

    def test_reasons_and_hand_written_rules(self):
        page = run("explain", "LC001")[1]
        self.assertIn("\nReasons\n", page)
        self.assertIn("\nWritten by hand\n  because ", page)
        for reason in ("leaked", "double-end"):
            self.assertIn(f"Example, violates ({reason})", page)

    def test_several_rules(self):
        self.assertEqual(len(json.loads(run("explain", "LC001,LC003", "--format", "json")[1])), 2)
        self.assertEqual(len(json.loads(run("explain", "--all", "--format", "json")[1])), 159)
        self.assertIn("LC403  graphics/", run("explain", "graphics")[1])
        self.assertEqual(run("explain")[0], 2)
        self.assertEqual(run("explain", "--all", "LC003")[0], 2)

    def test_limits_can_be_pasted_back(self):
        slow = self.file("slow.ndjson", SLOW)
        for rule in json.loads(run("rules", "--format", "json")[1]):
            if not rule["parameters"]:
                continue
            page = run("explain", rule["id"])[1]
            option = re.search(r"^ +--threshold (\S+)$", page, re.M)[1]
            setting = re.search(r"^ +(thresholds: .*)$", page, re.M)[1]
            self.file("x.yml", f"tracecheck: 1\n{setting}\n")
            code, _, err = run("check", slow, "--threshold", option, "--config", self.path / "x.yml", "--quiet")
            self.assertEqual((code, err), (1, ""), rule["id"])

    def test_the_catalogue_as_one_document(self):
        first, second = (run("explain", "--all", "--format", "markdown") for _ in range(2))
        self.assertEqual(first, second)
        code, text, _ = first
        self.assertEqual(code, 0)
        plain = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.M | re.S)
        anchors, counts = set(), {}
        for heading in re.findall(r"^#+ (.*)$", plain, re.M):
            name = re.sub(r"[^\w\- ]", "", heading.replace("\\", "").lower()).replace(" ", "-")
            count = counts[name] = counts.get(name, -1) + 1
            anchors.add(name if count == 0 else f"{name}-{count}")
        links = re.findall(r"\]\(#([^)]*)\)", plain)
        self.assertEqual(set(links) - anchors, set())
        self.assertEqual(len(links), len(set(links)))
        self.assertEqual(len(re.findall(r"^### ", plain, re.M)), 159)
        families = re.findall(r"^## (.*)$", plain, re.M)
        self.assertEqual(families, sorted(families))
        self.assertEqual(len(links), 159 + len(families))


class Yaml(Case):
    def findings(self, trace, *arguments):
        _, out, _ = run("check", trace, "--report", "json", "--config", "none", *arguments)
        trace = json.loads(out)["traces"][0]
        for finding in trace["findings"]:
            del finding["rule"], finding["slug"], finding["fingerprint"]
        return trace["findings"], list(trace["verdicts"].values())

    def test_printed_rules_judge_alike_under_another_id(self):
        self.assertTrue(any(self.findings(path, "--only", "LC003,LC004,LC002")[0] for path in TRACES.glob("*.lctrace")))
        for rule in ("LC002", "LC003", "LC004", "LC309", "LC541", "LC851", "LM14"):
            code, text, err = run("rules", rule, "--format", "yaml")
            self.assertEqual((code, err), (0, ""), rule)
            text = re.sub(r"^    slug: .*\n", "", text.replace(f"id: {rule}\n", "id: MYID\n", 1), count=1, flags=re.M)
            own = self.file("own.yaml", text)
            for path in sorted(TRACES.glob("*.lctrace")):
                self.assertEqual(
                    self.findings(path, "--rules", own, "--only", "MYID"), self.findings(path, "--only", rule),
                    f"{rule} {path.name}")

    def test_every_printed_rule_is_good_and_passes_its_examples(self):
        code, text, err = run("rules", "--format", "yaml")
        self.assertEqual(code, 0, err)
        self.assertGreater(len(text), 1 << 20)
        text = re.sub(r"^(  - id: )(\w+)$", r"\1my-\2", text, flags=re.M)
        own = self.file("all.yaml", re.sub(r"^(    slug: [^/]+/)", r"\1my-", text, flags=re.M))
        code, out, err = run("rules", "check", own)
        self.assertEqual(code, 0, err)
        self.assertRegex(out.splitlines()[-1], r"^\d+ rules, 0 errors, 0 warnings$")
        code, out, _ = run("rules", "test", own)
        self.assertEqual(code, 0, out)
        self.assertRegex(out.splitlines()[-1], r"^\d+ rules, \d+ examples, 0 failures$")

    def test_hand_written_rules_of_a_list_are_left_out(self):
        code, out, err = run("rules", "background-task", "--format", "yaml")
        self.assertEqual((code, err), (0, "tracecheck: left out, as they are written by hand: LC001, LC105\n"))
        self.assertIn("id: LC101\n", out)

    def test_a_hand_written_rule_says_why(self):
        code, out, err = run("rules", "LC001", "--format", "yaml")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("LC001 can't be printed as YAML: it is written by hand, because ", err)

    def test_the_id_of_a_built_in_rule_is_taken(self):
        own = self.file("own.yaml", run("rules", "LC003", "--format", "yaml")[1])
        code, _, err = run("check", TRACES, "--rules", own)
        self.assertEqual(code, 2)
        self.assertIn("error[duplicate-id]: rule 'LC003': another rule has the id 'LC003'; expected another id", err)
        self.file("own.yaml", own.read_text().replace("id: LC003\n", "id: lc003\n"))
        self.assertEqual(run("check", TRACES, "--rules", own)[0], 2)
        self.file("own.yaml", own.read_text().replace("id: lc003\n", "id: mine\n"))
        code, _, err = run("check", TRACES, "--rules", own)
        self.assertEqual(code, 2)
        self.assertIn("another rule has the slug 'watchdog/did-enter-background-over-5s'", err)
        self.assertIn("did you mean 'user/mine'?", err)


class Check(Case):
    def setUp(self):
        super().setUp()
        self.slow = self.file("slow.ndjson", SLOW)
        self.own = self.file("own.yaml", OWN)

    def found(self, *arguments):
        _, out, err = run("check", self.slow, "--report", "json", *arguments, cwd=self.path)
        self.assertTrue(out, err)
        return [(f["rule"], f["severity"]) for f in json.loads(out)["traces"][0]["findings"]]

    def test_users_rules_judge_beside_the_built_in_ones(self):
        rules = ["--rules", self.own]
        self.assertEqual(self.found(*rules), [("LC003", "error"), ("quick-entry", "warning")])
        self.assertEqual(self.found(*rules, "--only", "quick-entry"), [("quick-entry", "warning")])
        self.assertEqual(self.found(*rules, "--only", "user"), [("quick-entry", "warning")])
        self.assertEqual(self.found(*rules, "--skip", "quick-entry"), [("LC003", "error")])
        self.assertEqual(self.found(*rules, "--threshold", "quick-entry=8s"), [("LC003", "error")])
        self.assertIn(("quick-entry", "note"), self.found(*rules, "--severity", "quick-entry=note"))
        code, out, _ = run("check", self.slow, *rules, "--only", "quick-entry", "--fail-on", "warning")
        self.assertEqual(code, 1)
        self.assertIn("took 7 s, more than 2 s", out)

    def test_a_trace_of_nothing_but_the_apps_own_events_is_judged(self):
        rules = self.file(
            "menu.yaml",
            "tracecheck: 1\nrules:\n  - id: no-crash-menu\n    severity: error\n"
            "    never: x.crash_menu\n    message: crash menu\n")
        trace = self.file("own.timeline", "timeline 1\n0s x.opened\n1s x.crash_menu\n2s x.closed\n")
        code, out, _ = run("check", "--rules", rules, trace)
        self.assertEqual((code, out.split()[:2]), (1, ["error", "no-crash-menu"]))

    def found_of_own_kinds(self, pattern, events):
        rules = self.file(
            "kinds.yaml",
            f"tracecheck: 1\nrules:\n  - id: kinds\n    severity: error\n    message: \"m {{id}}\"\n    {pattern}\n")
        trace = self.file(
            "kinds.timeline",
            'timeline 1\nheader os_version="8.1.0" coverage=["*"]\n0s proc.start into=foreground pid=300\n'
            + events + "30s trace.end reason=clean\n")
        code, out, err = run("check", "--rules", rules, "--only", "kinds", trace)
        self.assertIn(code, (0, 1), err)
        return re.findall(r"^  (m .*)$", out, re.MULTILINE)

    def test_spans_of_the_apps_own_kinds_are_followed(self):
        short = "1s @3 >x.upload id=1\n1.5s @3 <x.upload\n"
        long = "1s @3 >x.upload id=1\n1.5s @3 >x.other\n2s @3 <x.other\n8s @3 <x.upload\n"
        for pattern in ("lasts: { span: x.upload, max: 2s }", "sums: { spans: x.upload, max: 2s }"):
            self.assertEqual(self.found_of_own_kinds(pattern, short), [], pattern)
            self.assertEqual(len(self.found_of_own_kinds(pattern, long)), 1, pattern)
        self.assertEqual(
            self.found_of_own_kinds("never: { event: x.upload, edge: end, where: id == 1 }", short), ["m 1"])

    def test_a_message_speaks_of_what_was_opened(self):
        asked = "1s x.ask id=1\n2s bgtask.begin token=7 id=9\n9s x.tick id=8\n"
        self.assertEqual(
            self.found_of_own_kinds("after: x.ask\n    expect: x.answer\n    within: 3s", asked), ["m 1"])
        self.assertEqual(self.found_of_own_kinds("never: x.tick", "1s x.tick\n"), ["m (not recorded)"])

    def test_the_configuration_may_speak_of_them(self):
        self.file(".tracecheck.yml", "tracecheck: 1\nthresholds: { quick-entry: 8s }\n")
        self.assertEqual(self.found("--rules", self.own), [("LC003", "error")])
        self.file(".tracecheck.yml", "tracecheck: 1\nrule_files: [own.yaml]\n")
        self.assertEqual(self.found("--rules", "./own.yaml"), [("LC003", "error"), ("quick-entry", "warning")])

    def test_settings_of_users_rules_are_shown(self):
        _, out, _ = run("config", "--show", "--rules", self.own, "--threshold", "quick-entry=3s", cwd=self.path)
        self.assertRegex(out, r"quick-entry\.limit +3s +\(default 2s, tool default\) +command line")

    def test_mistakes_are_told_and_nothing_is_checked(self):
        bad = self.file("bad.yaml", OWN.replace("delegate.did_enter_background,", "delegate.did_enter_backgruond,"))
        code, out, err = run("check", self.slow, "--rules", bad)
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"bad\.yaml:6:\d+: error\[unknown-event\]: rule 'quick-entry': ")
        self.assertIn("did you mean 'delegate.did_enter_background'?", err)
        for path in (self.path / "missing.yaml", self.path, "-", ""):
            self.assertEqual(run("check", self.slow, "--rules", path)[0], 2, path)
        latin = self.file("latin.yaml", OWN.encode() + b"# \xe9\n")
        line = OWN.count("\n") + 1
        self.assertIn(f"latin.yaml:{line}:3: error[not-yaml]: not YAML: a byte that is no UTF-8",
                      run("check", self.slow, "--rules", latin)[2])

    def test_warnings_do_not_stop(self):
        text = OWN.replace("{ limit: 2s }", "{ limit: 2s, other: 3s }")
        code, out, err = run("check", self.slow, "--rules", self.file("warned.yaml", text))
        self.assertEqual(code, 1)
        self.assertIn("warning[unused-parameter]", err)
        self.assertIn("quick-entry", out)

    def test_two_files_with_one_id_clash_and_one_file_twice_does_not(self):
        other = self.file("other.yaml", OWN)
        self.assertEqual(run("check", self.slow, "--rules", self.own, "--rules", other)[0], 2)
        self.assertEqual(len(self.found("--rules", self.own, "--rules", self.path / "." / "own.yaml")), 2)

    def test_a_report_never_replaces_a_rule_file(self):
        self.assertEqual(run("check", self.slow, "--rules", self.own, "--report", f"json={self.own}")[0], 2)
        self.assertEqual(self.own.read_text(), OWN)

    def test_undecided_rules_are_counted_and_listed_on_request(self):
        cut = self.file("cut.ndjson", "".join(SLOW.splitlines(True)[:6]).replace('["*"]', '["delegate","proc"]'))
        _, out, _ = run("check", cut, "--config", "none")
        self.assertRegex(out, r"\n\d+ rules undecided, \d+ not checked; --undecided lists them\n")
        self.assertNotIn("LC004", out)
        _, out, _ = run("check", cut, "--config", "none", "--undecided")
        self.assertRegex(out, r"\nundecided\n")
        self.assertRegex(out, r"\n  LC003 +undecided once in 1 trace \(the trace ends too early\)\n")
        self.assertRegex(out, r"\n  LC004 +not checked in 1 trace\n")
        self.assertEqual(run("check", cut, "--undecided", "--quiet", "--config", "none")[1], "")


class Files(Case):
    def test_check_tells_the_memory_of_each_rule(self):
        own = self.file("own.yaml", OWN)
        code, out, err = run("rules", "check", own)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"^\S*own\.yaml: quick-entry: at most 16384 keys, \d+ KiB\n1 rule, 0 errors, 0 warnings\n$")
        code, out, _ = run("rules", "check", "-", stdin=OWN.encode())
        self.assertEqual((code, out.split(":")[0]), (0, "standard input"))

    def test_check_tells_every_mistake_of_every_file(self):
        bad = self.file("bad.yaml", "tracecheck: 1\nrules:\n  - {id: a, neverr: x.y}\n  - {id: b, never: gl.cal}\n"
                        "  - {id: c, never: gl.call}\n")
        worse = self.file("worse.yaml", "rules: [\n")
        code, out, err = run("rules", "check", bad, worse)
        self.assertEqual(code, 2)
        self.assertIn("bad.yaml:3:", err)
        self.assertIn("bad.yaml:4:", err)
        self.assertIn("worse.yaml:", err)
        self.assertIn(": c: no keys", out)
        self.assertNotIn(": a: ", out)
        self.assertEqual(run("rules", "check")[0], 2)
        self.assertEqual(run("rules", "check", self.path / "missing.yaml")[0], 2)

    def test_warnings_are_no_errors(self):
        own = self.file("own.yaml", OWN.replace("{ limit: 2s }", "{ limit: 2s, other: 3s }"))
        code, out, err = run("rules", "check", own)
        self.assertEqual(code, 0)
        self.assertIn("warning[unused-parameter]", err)
        self.assertIn("1 rule, 0 errors, 1 warning\n", out)

    def test_examples_are_run(self):
        own = self.file("own.yaml", OWN)
        self.assertEqual(run("rules", "test", own), (0, "1 rule, 2 examples, 0 failures\n", ""))
        two = self.file("two.yaml", "tracecheck: 1\nrules:\n  - {id: bare, never: gl.call}\n")
        code, out, _ = run("rules", "test", own, two)
        self.assertEqual(code, 0)
        self.assertTrue(out.endswith("two.yaml: bare: no examples\n2 rules, 2 examples, 0 failures\n"), out)

    def test_failures_say_what_was_expected_and_found(self):
        own = self.file("own.yaml", OWN.replace("limit: 2s", "limit: 500ms"))
        code, out, _ = run("rules", "test", own)
        self.assertEqual(code, 1)
        self.assertRegex(
            out, r"own\.yaml: quick-entry: example 1 fails\n    expected no violation\n"
            r"    found a violation \(line 5\): .* took 1 s, more than 500 ms\n")
        self.assertTrue(out.endswith("1 rule, 2 examples, 1 failure\n"))
        self.file("own.yaml", OWN.replace("limit: 2s", "limit: 20s"))
        self.assertRegex(
            run("rules", "test", own)[1],
            r"example 2 fails\n    expected 1 violation in line 5\n    found no violation\n")
        self.file("own.yaml", OWN.replace("+3s    <", "+3s    <<"))
        self.assertIn("found a mistake in line 5 of the trace, column ", run("rules", "test", own)[1])
        self.file("own.yaml", OWN.replace("  # here", "").replace("1ms\n", "1ms  # here\n", 1))
        self.assertIn("expected 1 violation in line 2\n", run("rules", "test", own)[1])

    def test_a_file_with_errors_is_not_tested(self):
        own = self.file("own.yaml", OWN.replace("severity: warning", "severity: bad"))
        code, out, err = run("rules", "test", own)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("error[bad-severity]", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
