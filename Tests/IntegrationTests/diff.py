"""Two lives side by side: what appeared, vanished, moved and slowed, in every form.

Usage: diff.py [PATH-OF-TRACECHECK]; without a path the release build is used.
Needs Debian's `chromium` and PyPI's `playwright` for the page. Without them, and without CI=true,
its test says so and is skipped.
"""

import json
import pathlib
import subprocess
import tempfile
import unittest

from executable import TOOL
import gate
from timeline import CHROMIUM, IS_CI, sync_playwright


def edited(text, change):
    """A capture with its events changed by a function, which may drop one by returning None."""
    header, *rows = text.splitlines()
    events = [change(json.loads(row)) for row in rows]
    return "\n".join([header, *(json.dumps(event) for event in events if event)]) + "\n"


def later(milliseconds, since):
    def change(event):
        if event["t_ns"] >= since * 1_000_000:
            event["t_ns"] += milliseconds * 1_000_000
        return event
    return change


def tasks(count, unended=()):
    """A life with so many background tasks, some of which, counted from 0, never end."""
    rows = [(0, "proc.start", {"into": "foreground"}), (500, "data.save", {"kind": "ui_state"})]
    for number in range(count):
        task = {"token": number, "is_invalid": False}
        rows.append((1_000 + 2_000 * number, "bgtask.begin", {
            **task, "name": "save", "has_expiration_handler": True}))
        if number not in unended:
            rows.append((1_500 + 2_000 * number, "bgtask.end", task))
    rows.append((400_000, "trace.end", {"reason": "clean"}))
    return "\n".join([json.dumps({"header": gate.HEADER}), *(
        json.dumps({"t_ns": time * 1_000_000, "event": event, "thread": 1, "args": arguments})
        for time, event, arguments in rows)]) + "\n"


class Differences(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.path / name).write_text(text)
        return name

    def run_tool(self, *arguments, expect=0):
        done = subprocess.run([TOOL, "diff", *map(str, arguments)], cwd=self.path,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout if expect == 0 else done.stderr

    def differences(self, first, second, *options):
        self.write("a.ndjson", first)
        self.write("b.ndjson", second)
        report = json.loads(self.run_tool("a.ndjson", "b.ndjson", "--format", "json", *options))
        self.assertEqual(sum(report["summary"].values()), len(report["differences"]))
        found = {}
        for row in report["differences"]:
            found.setdefault(row["change"], []).append(row)
        return report, found

    def test_the_same_life_has_no_differences(self):
        # Neither the start of the clock nor pids, tokens and noise are differences.
        again = gate.capture(start=77 * 10**9, pid=4711, token=991, stretch=1.01)
        report, found = self.differences(gate.capture(), again)
        self.assertEqual(found, {})
        self.assertEqual(report["findings"], {"appeared": [], "vanished": [], "common": []})
        out = self.run_tool("a.ndjson", "b.ndjson")
        self.assertTrue(out.endswith("\nno differences\n"), out)

    def test_a_slow_callback_moves_what_follows(self):
        report, found = self.differences(gate.capture(), gate.capture(slow_entry=True))
        self.assertEqual([f["rule"] for f in report["findings"]["appeared"]], ["LC003"])
        slower = found["slower"]
        self.assertEqual([row["name"] for row in slower], ["delegate.did_enter_background"])
        self.assertEqual(slower[0]["change_ns"], 6_180_000_000)
        self.assertEqual([slower[0][side]["duration_ns"] for side in "ab"],
                         [120_000_000, 6_300_000_000])
        self.assertEqual([slower[0][side]["aligned_ns"] for side in "ab"], [12_100_000_000] * 2)
        moved = found["moved"]
        self.assertEqual(len(moved), 1, moved)
        self.assertEqual(moved[0]["change_ns"], 6_180_000_000)
        self.assertEqual(set(found), {"slower", "moved"})
        times = {row["name"]: (row["a_ns"], row["b_ns"]) for row in report["times"]}
        self.assertEqual(times["entering background"], (120_000_000, 6_300_000_000))
        self.assertEqual(times["until active"], (400_000_000, 400_000_000))
        # The other way round it is faster, and the finding has gone.
        report, found = self.differences(gate.capture(slow_entry=True), gate.capture())
        self.assertEqual(set(found), {"faster", "moved"})
        self.assertEqual([f["rule"] for f in report["findings"]["vanished"]], ["LC003"])

    def test_what_appears_and_vanishes(self):
        report, found = self.differences(gate.capture(), gate.capture(double_end=True))
        self.assertEqual([(r["name"], r["group"]) for r in found["appeared"]],
                         [("bgtask.end", "Background tasks")])
        self.assertEqual(set(found), {"appeared"})
        self.assertIsNone(found["appeared"][0]["a"])
        self.assertEqual(found["appeared"][0]["b"]["time_ns"], 9_700_000_000)
        self.assertEqual([f["rule"] for f in report["findings"]["appeared"]], ["LC001"])
        without = edited(gate.capture(),
                         lambda event: None if event["event"] == "data.save" else event)
        _, found = self.differences(gate.capture(), without)
        self.assertEqual([(r["change"], r["name"]) for r in found["vanished"]],
                         [("vanished", "data.save")])

    def test_one_thing_moves_alone_or_all_that_follows(self):
        alone = edited(gate.capture(), lambda event: {
            **event, "t_ns": 10_900_000_000} if event["event"] == "data.save" else event)
        _, found = self.differences(gate.capture(), alone)
        self.assertEqual([(r["name"], r["change_ns"], r["moves_the_rest"])
                          for r in found["moved"]], [("data.save", -1_000_000_000, False)])
        # A second more before the task begins is told once, and nothing takes longer but states.
        _, found = self.differences(gate.capture(), edited(gate.capture(), later(1000, 9_000)))
        self.assertEqual([(r["name"], r["change_ns"], r["moves_the_rest"])
                          for r in found["moved"]], [("sync", 1_000_000_000, True)])
        self.assertEqual(set(found), {"moved"})
        # A second more is nothing if ten are.
        _, found = self.differences(
            gate.capture(), edited(gate.capture(), later(1000, 9_000)), "--tolerance", "10s")
        self.assertEqual(found, {})

    def test_alignment_at_an_event(self):
        second = edited(gate.capture(), later(1000, 9_000))
        report, found = self.differences(
            gate.capture(), second, "--align", "delegate.did_enter_background")
        self.assertEqual(report["aligned_at"], "delegate.did_enter_background")
        self.assertEqual([report[side]["aligned_ns"] for side in "ab"],
                         [12_100_000_000, 13_100_000_000])
        # Measured from there, what lies before the longer wait came earlier.
        self.assertEqual(found["moved"][0]["change_ns"], -1_000_000_000)
        for kind in ["gl.call", "delegate.did_enter_background#2"]:
            told = self.run_tool("a.ndjson", "b.ndjson", "--align", kind, expect=2)
            self.assertIn("a.ndjson doesn't hold what --align names", told)

    def test_usage(self):
        self.write("a.ndjson", gate.capture())
        for options, words in [
                (["--align", "x#0"], "--align takes launch"),
                (["--align", ""], "--align takes launch"),
                (["--tolerance", "3"], "lacks one of the units"),
                (["--tolerance=-1s"], "less than nothing"),
                (["--format", "xml"], "there is no format"),
                (["--trace", "0"], "counts from 1"), (["--trace", "2"], "holds 1 trace"),
                (["-o", "a.ndjson"], "a.ndjson"), (["-o", "d.pdf"], "'d.pdf' names no format")]:
            told = self.run_tool("a.ndjson", "a.ndjson", *options, expect=2)
            self.assertIn(words, told)
        self.assertIn("given twice", self.run_tool("-", "-", expect=2))
        self.write("broken.lctrace", "nonsense")
        self.run_tool("a.ndjson", "broken.lctrace", expect=3)

    def test_many_of_a_name_are_counted(self):
        def frames(count, length):
            header, *rows = gate.capture().splitlines()
            more = [json.dumps({"t_ns": 1_000_000_000 + number * 10_000_000, "event": "app.frame",
                                "thread": 1, "duration_ns": length}) for number in range(count)]
            return "\n".join([header, *sorted(rows + more, key=lambda r: json.loads(r)["t_ns"])])
        _, found = self.differences(frames(100, 1_000_000), frames(180, 30_000_000))
        self.assertEqual([(r["name"], r["count"], r["a"]["count"], r["b"]["count"])
                          for r in found["more_often"]], [("app.frame", 80, 100, 180)])
        self.assertEqual([(r["name"], r["change_ns"], r["is_mean"]) for r in found["slower"]],
                         [("app.frame", 29_000_000, True)])
        self.assertIn("on average 0.001s, now 0.03s", self.run_tool("a.ndjson", "b.ndjson"))
        # One more or less is a difference, too.
        _, found = self.differences(frames(101, 1_000_000), frames(100, 1_000_000))
        self.assertEqual([(r["name"], r["count"]) for r in found["less_often"]], [("app.frame", 1)])

    def test_what_never_ends(self):
        for count in [5, 70]:
            whole = tasks(count)
            _, found = self.differences(whole, tasks(count, {count - 1}))
            self.assertEqual(set(found), {"never_ended"})
            self.assertEqual([found["never_ended"][0][side]["unended"] for side in "ab"], [0, 1])
            # Where the recording stops right behind a beginning, nobody knows.
            lines = whole.splitlines()
            last = max(place for place, line in enumerate(lines) if "bgtask.begin" in line)
            stopped = "\n".join(lines[:last + 1]) + "\n"
            _, found = self.differences(whole, stopped)
            self.assertEqual([r["name"] for r in found["vanished"]], ["trace.end"])
            self.assertEqual(set(found), {"vanished"})
            _, found = self.differences(stopped, whole)
            self.assertEqual(set(found), {"appeared"})
            # One that has been open since the beginning shows it in spite of that.
            stopped = "\n".join(tasks(count, {0}).splitlines()[:-1]) + "\n"
            _, found = self.differences(whole, stopped)
            self.assertEqual(set(found), {"vanished", "never_ended"})
            # Another one that never ends, and as many: nothing changed.
            _, found = self.differences(tasks(count, {1}), tasks(count, {3}))
            self.assertEqual(found, {})
            _, found = self.differences(tasks(count, {1}), tasks(count, {2, 3}))
            self.assertEqual([(r["change"], r["count"]) for rows in found.values() for r in rows],
                             [("never_ended", 1)])
            self.assertIn(f"1 of {count}, now 2 of {count}", self.run_tool("a.ndjson", "b.ndjson"))

    def test_text_is_for_people_and_the_same_every_time(self):
        self.write("a.ndjson", gate.capture())
        self.write("b.ndjson", gate.capture(slow_entry=True, version="1.1"))
        out = self.run_tool("a.ndjson", "b.ndjson", "-o", "d.txt") or (self.path / "d.txt").read_text()
        self.assertEqual(out, self.run_tool("a.ndjson", "b.ndjson"))
        for line in ["A  a.ndjson  com.example.notes  1.0  8.1.0  iPhone7,2  13 events  12.32s",
                     "  appeared  error LC003 watchdog/did-enter-background-over-5s",
                     "  entering background   0.12s    6.3s  +6.18s"]:
            self.assertIn(line, out.splitlines())
        for name in ["d.TXT", ".hidden", "d.", "2026-11-23.diff", "plain"]:
            self.run_tool("a.ndjson", "b.ndjson", "-o", name)
            self.assertEqual((self.path / name).read_text(), out, name)
        self.run_tool("a.ndjson", "b.ndjson", "-o", "d.HTML")
        self.assertIn("<!doctype html>", (self.path / "d.HTML").read_text()[:100].lower())
        self.assertRegex(out, r"slower +\+12\.1s  delegate\.did_enter_background \(Main thread\)"
                              r"  0\.12s, now 6\.3s \(\+6\.18s\)")

    @unittest.skipIf((sync_playwright is None or CHROMIUM is None) and not IS_CI,
                     "chromium or PyPI's playwright is not installed")
    def test_the_page_leads_to_the_places(self):
        self.write("a.ndjson", gate.capture())
        self.write("b.ndjson", gate.capture(slow_entry=True))
        self.run_tool("a.ndjson", "b.ndjson", "-o", "both.html",
                      "--align", "delegate.will_resign_active")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1400, "height": 800},
                                    reduced_motion="reduce")
            told = []
            page.on("pageerror", lambda error: told.append(str(error)))
            page.on("console", lambda message: told.append(message.text))
            page.goto((self.path / "both.html").as_uri())
            page.wait_for_function("window.tracecheckTimeline !== undefined")
            text = page.inner_text("#panel-compare")
            for words in ["only in B", "LC003", "Life", "slower", "0.12s, now 6.3s"]:
                self.assertIn(words, text)
            page.click("#panel-compare .difference:has-text('slower')")
            page.wait_for_timeout(400)
            start, end = page.evaluate("tracecheckTimeline.shown")
            # The callback began 100 ms behind the moment of alignment, and took 6.3 s.
            self.assertTrue(start < 0.1e9 and end > 6.4e9 and end - start < 10e9, (start, end))
            self.assertEqual(told, [])
            browser.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
