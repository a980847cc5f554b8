"""Patterns for an app's own log lines from outside: what `convert --dry-run` prints, and that every
command uses them.

Usage: patterns.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import json
import unittest

from command_line import Case, run

CONFIGURATION = """\
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
  - {message: "*drew <n> triangles*", event: gl.call, args: {kind: draw, count: <n>}, process: Notes}
apps:
  com.example.*:
    capture_patterns:
      - {message: hello, event: trace.marker, args: {text: hi}}
"""

PREFIX = "2026-03-01 10:00:%s00000+0100 Notes[412:%d] "


def line(second, message, thread=9001):
    return PREFIX % (second, thread) + message + "\n"


LOG = (
    line("00.0", "hello")
    + line("01.2", "[Sync] began 7 (photos)")
    + line("01.3", "[Sync] began 8 (all\\_notes)", thread=9002)
    + line("02.0", "Created background task <_UIBackgroundTaskInfo: 0x10a>: taskID = 3, taskName = save,"
           " creationTime = 7 (elapsed = 0).")
    + line("02.1", "frame 9 drew 300 triangles")
    + line("02.2", "frame 10 drew many triangles")
    + line("02.3", "Application 'Notes' waits")
    + "[Sync] done 7 in 3 s\n"
    + "some print\n"
    + line("02.4", "Ending background task with UIBackgroundTaskIdentifier: 3"))

ACCOUNT = """\
notes.log: Xcode console

Patterns
  .tracecheck.yml:15  hello -> trace.marker: 1 line, 1 of them of other apps than com.example.*
    line 1: no event of its own
  .tracecheck.yml:3  [Sync] began <id> (<what>) -> enter of work.span: 2 lines
    line 2: 1.2s @9001    >work.span id=7 class=download label=photos
    line 3: 1.3s @9002    >work.span id=8 class=download label=all_notes
  .tracecheck.yml:7  [Sync] done <id> in * -> return of work.span: 1 line
    line 8: 2.3s          <work.span id=7
  .tracecheck.yml:11  *drew <n> triangles* -> gl.call: 1 line
    line 5: 2.1s @9001    gl.call kind=draw count=300

Known messages
  background task begun: 1 line
    line 4: 2s @9001      bgtask.begin token=3 name=save
  background task ended, called: 1 line
    line 10: 2.4s @9001    bgtask.end token=3

Ignored
  1 line: neither a known message nor one of a pattern
    line 9: some print
  1 line: begins like a known message, and doesn't go on like it
    line 7: Application 'Notes' waits
  1 line: fits a pattern, but a field isn't what its argument needs
    .tracecheck.yml:11: count isn't a whole number: 1 line
      line 6: frame 10 drew many triangles

Observed by patterns
  gl: covered, so that rules may conclude from silence
  work: covered, so that rules may conclude from silence

Events
  work.span: 3
  bgtask.begin: 1
  bgtask.end: 1
  gl.call: 1
  trace.start: 1

10 lines: 5 by patterns, 2 known, 0 going on with another, 3 ignored; 7 events in 1 trace; nothing was written
"""

# A callback that takes too long, in the words of the app.
SLOW_PATTERNS = """\
tracecheck: 1
capture_patterns:
  - {message: "-> background", event: delegate.did_enter_background, phase: enter, covers: true}
  - {message: '\\<- background', event: delegate.did_enter_background, phase: return}
  - {message: "end <code>", event: proc.kill, args: {cause: watchdog, code: <code>}}
"""
SLOW_LOG = line("10.0", "-> background") + line("17.0", "<- background") + line("18.0", "end 0x8badf00d")


class Patterns(Case):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.file(".tracecheck.yml", CONFIGURATION)
        self.file("notes.log", LOG)

    def names(self):
        return sorted(path.name for path in self.path.iterdir())

    def test_dry_run_tells_what_became_of_each_line(self):
        before = self.names()
        self.assertEqual(run("convert", "notes.log", "--dry-run", cwd=self.path), (0, ACCOUNT, ""))
        self.assertEqual(self.names(), before)

    def test_the_counts_add_up(self):
        _, text, _ = run("convert", "-", "--dry-run", stdin=LOG.encode() * 50, cwd=self.path)
        numbers = [int(word) for word in text.splitlines()[-1].replace(":", " ").split() if word.isdigit()]
        self.assertEqual(numbers[0], 500)
        self.assertEqual(sum(numbers[1:5]), numbers[0])

    def test_convert_and_check_use_them(self):
        code, text, _ = run("convert", "notes.log", "-o", "-", "--to", "timeline", cwd=self.path)
        self.assertEqual(code, 0)
        self.assertIn(">work.span id=7 class=download label=photos\n", text)
        self.assertNotIn("work.span", run("convert", "notes.log", "-o", "-", "--to", "timeline",
                                          "--config", "none", cwd=self.path)[1])
        _, text, _ = run("check", "notes.log", "--report", "json", cwd=self.path)
        trace = json.loads(text)["traces"][0]
        self.assertEqual(trace["events"], 7)
        self.assertTrue(any("count isn't a whole number" in row["message"] for row in trace["quality"]))

    def test_a_section_is_for_the_app_that_the_call_names(self):
        self.file("bare.log", "hello\n")
        code, text, err = run("convert", "bare.log", "--dry-run", "--from", "xcode", cwd=self.path)
        self.assertEqual(code, 3)
        self.assertIn("1 of them of other apps", text)
        self.assertIn("no life-cycle lines", err)
        code, text, _ = run("convert", "bare.log", "--dry-run", "--from", "xcode", "--header",
                            "app_bundle_id=com.example.notes", cwd=self.path)
        self.assertEqual(code, 0)
        self.assertIn("line 1: 0s            trace.marker text=hi\n", text)

    def test_a_callback_in_the_words_of_the_app_is_judged(self):
        self.file(".tracecheck.yml", SLOW_PATTERNS)
        self.file("slow.log", SLOW_LOG)
        code, text, _ = run("check", "slow.log", "--report", "json", cwd=self.path)
        findings = json.loads(text)["traces"][0]["findings"]
        self.assertEqual((code, [row["rule"] for row in findings]), (1, ["LC003"]))
        self.assertEqual(findings[0]["witness"][0]["source"], {"path": "slow.log", "line": 1})
        code, text, _ = run("why", "slow.log", cwd=self.path)
        self.assertEqual(code, 0)
        self.assertIn("LC003 (watchdog/did-enter-background-over-5s) explains it", " ".join(text.split()))

    def test_pictures_and_metrics_use_them(self):
        self.file(".tracecheck.yml", SLOW_PATTERNS)
        self.file("slow.log", SLOW_LOG)
        shown = run("timeline", "slow.log", "-o", "-", "--to", "json", cwd=self.path)
        self.assertIn("applicationDidEnterBackground", shown[1])
        text = run("metrics", "slow.log", cwd=self.path)[1]
        self.assertRegex(text, r'tracecheck_findings_total\{[^}]*rule="LC003"[^}]*\} 1\n')
        without = run("metrics", "slow.log", "--config", "none", cwd=self.path)[1]
        self.assertNotIn("LC003", without)

    def test_mistakes_stop_every_command(self):
        self.file(".tracecheck.yml", CONFIGURATION.replace("count: <n>", "count: <m>"))
        for command in (["check", "notes.log"], ["why", "notes.log"],
                        ["convert", "notes.log", "--dry-run"], ["config", "--show"]):
            code, text, err = run(*command, cwd=self.path)
            self.assertEqual((code, text), (2, ""), command)
            self.assertIn(".tracecheck.yml:11:81: error[unknown-field]: count: the message has no field <m>;"
                          " expected one of <n>\n", err)

    def test_show_prints_them_with_their_origin(self):
        _, text, _ = run("config", "--show", cwd=self.path)
        self.assertRegex(text, r"pattern \[Sync\] done <id> in \* +return of work.span +\.tracecheck.yml:7\n")
        _, text, _ = run("config", "--show", "--app", "com.example.notes", cwd=self.path)
        self.assertRegex(text, r"pattern hello +trace.marker +\.tracecheck.yml:15\n")
        _, text, _ = run("config", "--show", "--format", "json", cwd=self.path)
        shown = json.loads(text)
        self.assertEqual(shown["capture_patterns"][2], {
            "message": "*drew <n> triangles*", "event": "gl.call", "phase": "instant",
            "process": "Notes", "origin": {"kind": "file", "file": ".tracecheck.yml", "line": 11}})
        self.assertEqual(shown["apps"][0]["capture_patterns"][0]["origin"]["app"], "com.example.*")

    def test_a_report_of_an_end_has_no_lines(self):
        self.file("a.timeline", "timeline 1\nheader app_bundle_id=a\n\n0s proc.kill cause=watchdog\n")
        code, text, err = run("convert", "a.timeline", "--dry-run", cwd=self.path)
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(text.endswith("\nEvents\n  proc.kill: 1\n\n1 event in 1 trace; nothing was written\n"))

    def test_without_a_file_to_write_nothing_is_done(self):
        code, text, err = run("convert", "notes.log", cwd=self.path)
        self.assertEqual((code, text), (2, ""))
        self.assertIn("name it with -o, or use --dry-run", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
