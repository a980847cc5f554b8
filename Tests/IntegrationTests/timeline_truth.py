"""What timelines say of lives with losses, restarts and crowds. Run by timeline.py."""

import collections
import json
import re
import unicodedata
import xml.etree.ElementTree

from executable import ROOT
from timeline import Folder, run

SVG = "{http://www.w3.org/2000/svg}"


def event(seconds, kind, phase=None, thread=1, **arguments):
    written = {"t_ns": round(seconds * 1e9), "event": kind, "thread": thread}
    if phase:
        written["phase"] = phase
    if arguments:
        written["args"] = arguments
    return written


def launch(start):
    return [
        event(start, "proc.start", into="foreground", reason="user_icon"),
        event(start + 0.1, "delegate.did_finish_launching", "enter"),
        event(start + 0.2, "delegate.did_finish_launching", "return", result=True),
        event(start + 0.3, "delegate.did_become_active", "enter"),
        event(start + 0.31, "delegate.did_become_active", "return")]


def width_of(text):
    """The columns of a text without accents, in the way of terminals."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


class TruthTests(Folder):
    def capture(self, name, events, **header):
        fields = {"format": "tracecheck-ndjson", "version": 1, "app_bundle_id": "com.example.app",
                  "os_version": "8.1", **header}
        path = self.folder / f"{name}.ndjson"
        path.write_text("".join(
            json.dumps(line) + "\n" for line in [{"header": fields}, *events]))
        return path

    def life(self, name, events, end=60.0, **header):
        inner = sorted(launch(1.0) + events, key=lambda event: event["t_ns"])
        return self.capture(name, inner + [event(end, "trace.end", reason="clean")], **header)

    def chrome(self, path):
        read = json.loads(self.timeline(path, "truth.json").read_text())
        return read["traceEvents"]

    def spans(self, path):
        """Row, name, seconds of start and end, whether it is cut, arguments."""
        rows, stacks, spans = {}, collections.defaultdict(list), []
        for each in self.chrome(path):
            if each["ph"] == "M" and each["name"] == "thread_name":
                rows[each["tid"]] = each["args"]["name"]
            elif each["ph"] == "B":
                stacks[each["tid"]].append(each)
            elif each["ph"] == "E":
                begun, ended = stacks[each["tid"]].pop(), each.get("args", {})
                spans.append((rows[each["tid"]], begun["name"], begun["ts"] / 1e6,
                              each["ts"] / 1e6, ended.pop("cut", False),
                              {**begun.get("args", {}), **ended}))
        return spans

    def texts(self, path):
        return [element.text or "" for element in
                xml.etree.ElementTree.parse(self.timeline(path, "truth.svg")).iter(SVG + "text")]

    def test_frames_end_when_they_are_complete(self):
        for name in ["columns-game-ios8", "near-miss-gl-finished-ios7"]:
            frames = [span for span in self.spans(ROOT / f"traces/{name}.lctrace")
                      if span[0].startswith("Graphics: gl.call") and not span[4]]
            self.assertTrue(frames, name)
            self.assertLess(max(span[3] - span[2] for span in frames), 5, name)

    def test_a_restart_moves_what_follows_behind_what_came_before(self):
        path = self.capture("restart", launch(1000.0) + [
            event(1050.0, "bgtask.begin", token=1, name="old"), *launch(5.0),
            event(8.0, "bgtask.begin", token=1, name="new"), event(9.0, "bgtask.end", token=1),
            event(9.0, "bgtask.end", token=1), event(15.0, "trace.end", reason="clean")])
        spans = {span[1]: span for span in self.spans(path) if span[0].startswith(("La", "Ba"))}
        self.assertEqual(spans["Launch 1"][2:5], (1000.0, 1050.0, True))
        self.assertEqual(spans["Launch 2, device restarted"][2:5], (1050.0, 1060.0, True))
        self.assertEqual(spans["new"][2:5], (1053.0, 1054.0, False))
        finding = [each for each in self.chrome(path) if each.get("name", "").startswith("LC001 ")]
        self.assertEqual([each["ts"] / 1e6 for each in finding], [1054.0])
        self.assertIn(b"60s", self.timeline(path, "restart.txt").read_bytes().splitlines()[0])

    def test_a_start_without_an_end_before_it_says_nothing_of_the_gap(self):
        path = self.capture("implicit", launch(1.0) + [event(5.0, "ui.touch"), *launch(7200.0)])
        launches = [span for span in self.spans(path) if span[0] == "Launches"]
        self.assertEqual(launches[0][2:5], (1.0, 5.0, True))

    def test_what_an_end_says_is_kept(self):
        path = self.life("ends", [
            event(2.0, "url.task", op="start", task=1, session="s"),
            event(3.0, "url.task", op="error", task=1, session="s", code=-1001),
            event(4.0, "data.save", "enter", store="notes"),
            event(5.0, "data.save", "return", ok=False)])
        spans = {span[1]: span for span in self.spans(path)}
        self.assertEqual(spans["s"][5]["code"], -1001)
        self.assertEqual(spans["data.save"][5], {"store": "notes", "ok": False})
        self.assertIn(b"code", self.timeline(path, "ends.pftrace").read_bytes())

    def test_open_ends_look_open(self):
        path = self.life("open", [
            event(2.0, "bgtask.begin", token=1, name="leaked"),
            event(2.0, "bgtask.begin", token=2, name="ended"),
            event(59.0, "bgtask.end", token=2)])
        picture = self.timeline(path, "open.svg").read_text()
        self.assertIn("<title>leaked, at least 58s</title></path>", picture)
        self.assertIn("<title>ended, 57s</title></rect>", picture)
        lines = self.timeline(path, "open.txt").read_text().splitlines()
        self.assertTrue(next(line for line in lines if "leaked" in line).endswith("→"))
        self.assertFalse(next(line for line in lines if "ended" in line).endswith("→"))

    def test_findings_about_the_header_have_no_time(self):
        path = self.capture("header", launch(30 * 86_400.0), exits_on_suspend=True,
                            background_modes=["audio", "foo"])
        found = self.timeline(path, "header.txt").read_text()
        self.assertRegex(found, r"(?m)^▲ header  \w+ L")
        self.assertTrue([text for text in self.texts(path) if text.startswith("header  L")])
        times = [each["ts"] / 1e6 for each in self.chrome(path)
                 if each.get("args", {}).get("about") == "header"]
        self.assertTrue(times)
        self.assertEqual(set(times), {30 * 86_400.0})

    def test_many_threads_leave_room_for_the_state(self):
        threads = [event(1.0, "work.sample", thread=100 + i, label="heartbeat") for i in range(45)]
        path = self.capture("threads", [
            event(0.9, "trace.start", reason="attach"), *threads, *launch(2.0)])
        text = self.timeline(path, "threads.txt").read_text()
        self.assertIn("App state", text)
        self.assertIn("Launches", text)
        self.assertRegex(text, r"(?m)^and \d+ more tracks$")
        texts = self.texts(path)
        self.assertIn("App state", texts)
        self.assertTrue([text for text in texts if re.fullmatch(r"and \d+ more tracks", text)])

    def test_a_crowd_of_tasks_is_counted(self):
        tasks = [event(2.0 + i / 1000, "bgtask.begin", token=i, name="save") for i in range(3000)]
        tasks += [event(20.0 + i / 1000, "bgtask.end", token=i) for i in range(3000)]
        path = self.life("crowd", tasks)
        self.assertIn("and 2997 more\n", self.timeline(path, "crowd.txt").read_text())
        self.assertIn("and 2997 more", self.texts(path))
        marks = collections.Counter(
            each["name"] for each in self.chrome(path) if each["ph"] == "i")
        self.assertEqual(marks["save"], 2 * (3000 - 96))
        self.assertEqual(marks["bgtask.begin"], 0)

    def test_ascii_and_width_hold_for_every_line(self):
        name = "日本語のとても長いバックグラウンドタスク名"
        path = self.life("wide", [
            event(2.0, "bgtask.begin", token=1, name=name), event(50.0, "bgtask.end", token=1),
            event(51.0, "bgtask.end", token=1),
            event(52.0, "trace.thread", thread=7, name="très · long"),
            event(53.0, "work.sample", thread=7)], app_bundle_id="com.日本.アプリ" * 20)
        for width in [60, 100]:
            for options in [[], ["--ascii"]]:
                text = self.timeline(path, "wide.txt", "--width", width, *options).read_text()
                widths = [width_of(line) for line in text.splitlines()]
                self.assertLessEqual(max(widths), width, text)
                self.assertEqual("--ascii" in options, text.isascii(), text)
                self.assertIn("LC001", text)

    def test_pictures_keep_texts_apart_and_inside(self):
        ends = [event(30.0 + i / 20, "bgtask.begin", token=i, name=f"{i}") for i in range(8)]
        ends += [event(30.01 + i / 20, "bgtask.end", token=i) for i in range(8)]
        ends += [event(30.02 + i / 20, "bgtask.end", token=i) for i in range(8)]
        path = self.life("close", ends, app_bundle_id="com.日本.アプリ" * 20)
        tree = xml.etree.ElementTree.parse(self.timeline(path, "close.svg"))
        labels = [element.text for element in tree.iter(SVG + "text")
                  if element.get("class", "").startswith("n ")
                  and element.get("text-anchor") == "middle"]
        self.assertEqual(labels, ["1–8"])
        title = next(element for element in tree.iter(SVG + "text")
                     if element.get("class") == "h")
        self.assertTrue(title.text.endswith("…"))

    def test_each_capture_has_its_own_trace(self):
        one = self.life("one", [])
        two = self.folder / "two.ndjson"
        two.write_text(one.read_text())
        output = self.folder / "both.html"
        result = run("timeline", one, "--compare", two, "-o", output, "--compare-trace", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        for options, words in [
                (["--compare", two, "--compare-trace", "2"], b"--compare-trace 2 is not in"),
                (["--compare", two, "--trace", "2"], b"--trace 2 is not in"),
                (["--compare", two, "--compare-trace", "0"], b"counts from 1"),
                (["--compare-trace", "1"], b"--compare names")]:
            result = run("timeline", one, "-o", self.folder / "none.html", *options)
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)
