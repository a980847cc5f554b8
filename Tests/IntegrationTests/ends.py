"""The table of ends, walked from outside through every surface: each tells the same of a row.

Usage: ends.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from executable import TOOL

RULE = re.compile(r"\bL[CM]\d{2,3}\b")
HEADER = 'timeline 1\nheader os_version=15.0 sdk_linked=15.0 coverage=["proc"]\n'
WHOLE = ('timeline 1\nheader os_version=15.0 sdk_linked=15.0 multitasking_supported=true'
         ' exits_on_suspend=false background_modes=[] refresh_status=available app_kind=app'
         ' coverage=["*"]\n')
LIFE = """+0s     proc.start into=foreground reason=user_icon
+10ms   delegate.did_finish_launching for 100ms
+200ms  delegate.did_become_active for 1ms
+1s     delegate.will_resign_active for 1ms
+10ms   delegate.did_enter_background for 1ms
+1s     proc.kill cause=jetsam
"""
# What stands in a trace of nothing but an end for a rule that isn't about the end.
BESIDE = {"LC625", "LC861", "LC862", "LC863"}


def run(*arguments):
    """What a command prints, which must find fault with no argument or file."""
    done = subprocess.run([TOOL, *arguments, "--config", "none"], capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        raise AssertionError(f"{arguments} gave {done.returncode}: {done.stderr}")
    return done.stdout


def table():
    listed = subprocess.run(
        [TOOL, "vocabulary", "--ends", "--format", "json"], capture_output=True, text=True)
    return json.loads(listed.stdout)["ends"]


def kills(row):
    """Each way in which a kill says that it is this row, as arguments of proc.kill."""
    place = {"visibility": row["visibility"]} if row["visibility"] else {}
    cause = {"cause": row["cause"]} if row["cause"] else {}
    # The watchdog's code says who gave it; without that it may mean anything.
    name = {"namespace": row["namespaces"][0]} if row["namespaces"] else {}
    for code in row["codes"]:
        yield {**cause, **place, **name, "code": code["decimal"]}
    for word in row["words"]:
        yield {**cause, **place, "description": f"it was {word} here"}
        if row["words_are_enough"]:
            yield {**place, "description": f"it was {word} here"}
    if row["cause_is_enough"]:
        yield {**cause, **place}
    if not row["codes"] and not row["words"] and row["namespaces"] and not row["cause_is_enough"]:
        yield {**cause, **place, **name}
    if row["id"] == "watchdog-code":
        yield {"cause": "watchdog", "code": 0x8BADF00D}
        yield {"code": 0x8BADF00D}
        yield {"cause": "unknown", "code": 0x8BADF00D}


def line(arguments):
    return "+0s     proc.kill " + " ".join(f"{k}={json.dumps(v)}" for k, v in arguments.items())


class EndsTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.rows = table()
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, text, name="capture.timeline"):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text)
        return str(path)

    def each_kill(self):
        for row in self.rows:
            if row["id"] in ("exit", "bad-access", "illegal-instruction"):
                continue  # counted, and told by no kill
            ways = list(kills(row))
            self.assertTrue(ways, row["id"])
            for arguments in ways:
                yield row, arguments

    def test_the_table_is_whole(self):
        self.assertGreater(len(self.rows), 50)
        ids = [row["id"] for row in self.rows]
        self.assertEqual(len(ids), len(set(ids)))
        for row in self.rows:
            # A row has rules, or it says why none is about it.
            self.assertNotEqual(bool(row["rules"]), bool(row["without_rule"]), row["id"])
            for key in ("meaning", "proves", "releases", "source"):
                self.assertTrue(row[key], row["id"])
            for code in row["codes"]:
                self.assertEqual(int(code["hexadecimal"], 16), code["decimal"])

    def test_why_says_the_meaning_and_the_rules(self):
        for row, arguments in self.each_kill():
            with self.subTest(row=row["id"], **arguments):
                story = run("why", self.path(HEADER + "+0s trace.start reason=attach\n"
                                             + line(arguments) + "\n"))
                story = " ".join(story.split())
                self.assertIn(f"it {row['meaning']}.", story)
                named = RULE.findall(story)
                if " explains it, and the trace has a finding" in story:
                    self.assertIn(named[0], row["rules"])
                elif arguments == {"cause": row["cause"]} and row["cause"] == "bgtask_expired":
                    # The system's word names the rule; a code leaves open which it was.
                    self.assertEqual(named, row["rules"][:1])
                else:
                    self.assertEqual(named, row["rules"])

    def test_check_names_no_other_rule(self):
        for row, arguments in self.each_kill():
            with self.subTest(row=row["id"], **arguments):
                report = run("check", "--report", "json", self.path(
                    HEADER + "+0s trace.start reason=attach\n" + line(arguments) + "\n"))
                found = set(re.findall(r'"rule":\s*"(L[CM]\d+)"', report)) - BESIDE
                self.assertLessEqual(found, set(row["rules"]))

    def test_metrics_count_the_cause(self):
        for row, arguments in self.each_kill():
            with self.subTest(row=row["id"], **arguments):
                page = run("metrics", self.path(HEADER + "+0s trace.start reason=attach\n"
                                                + line(arguments) + "\n"))
                counted = re.findall(r'_terminations_total\{cause="(\w+)"\} 1\b', page)
                self.assertEqual(counted, [row["cause"] or "unknown"])

    def test_an_importer_says_the_same(self):
        walked = 0
        for row in self.rows:
            if row["id"] == "stackshot" or not (row["codes"] and row["namespaces"]):
                continue
            if row["visibility"]:
                continue  # a line of a report doesn't say where the app was
            for namespace in row["namespaces"]:
                for code in row["codes"]:
                    reason = f"Namespace {namespace}, Code {code['hexadecimal']}"
                    with self.subTest(row=row["id"], reason=reason):
                        walked += 1
                        told = run("check", "--report", "json", self.path(
                            "Process:             Notes [412]\n"
                            "Identifier:          com.example.notes\n"
                            "Date/Time:           2024-05-04 10:00:30.250 +0000\n"
                            "OS Version:          iPhone OS 16.1 (20B82)\n"
                            "Exception Type:  EXC_CRASH (SIGKILL)\n"
                            f"Termination Reason: {reason}\n", "capture.crash"))
                        told = " ".join(told.split())
                        self.assertIn(f"the system ended the app: it {row['meaning']}", told)
                        shown = re.search(r"a trace shows more: ([LCM0-9, ]+)", told)
                        listed = shown.group(1).rstrip(", ").split(", ") if shown else []
                        self.assertEqual(listed, row["rules"])
        self.assertGreater(walked, 20)

    def test_counters_are_explained_by_the_rules_of_their_rows(self):
        walked = 0
        for counter in sorted({c for row in self.rows for c in row["counters"]}):
            rows = [row for row in self.rows if counter in row["counters"]]
            # Other names of a counter stand for it.
            own = {c for row in rows for c in row["counters"][:1]}
            if counter not in own:
                continue
            rules = sorted({rule for row in rows for rule in row["rules"]})
            with self.subTest(counter=counter):
                walked += 1
                path = self.path(
                    WHOLE + LIFE + f"+60s exit.import category={counter} count=1\n"
                    "+1s trace.end reason=clean\n")
                report = json.loads(
                    run("check", "--only", "LM20", "--report", "json", path))
                told = json.dumps(report)
                listed = re.search(r"explained by no finding of ([LCM0-9, ]+)", told)
                if rules and listed:
                    self.assertEqual(listed.group(1).split(", "), rules)
                else:
                    self.assertEqual([], rules if not listed else ["a finding"], told[:600])
                story = " ".join(run("why", path).split())
                sentence = re.search(
                    r"counted 1 exit of category " + counter + r": it (.*?)\. Evid", story)
                if rules:
                    self.assertIn(sentence.group(1), [row["meaning"] for row in rows])
        self.assertGreater(walked, 8)

    def test_every_rule_says_which_ends_it_explains(self):
        for rule in sorted({rule for row in self.rows for rule in row["rules"]}):
            page = run("explain", rule, "--format", "json")
            mine = [row["id"] for row in self.rows if rule in row["rules"]]
            self.assertEqual(sorted(json.loads(page)["explains"]), sorted(mine), rule)


if __name__ == "__main__":
    unittest.main()
