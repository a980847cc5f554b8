"""Timelines from outside: pages in a real Chromium, Perfetto's own classes, XML and JSON readers.

Usage: timeline.py [PATH-OF-TRACECHECK]; without a path the release build is used.
Needs Debian's `chromium` and `libxml2-utils`, PyPI's `playwright` and `perfetto`. Without them, and
without CI=true, the tests that need them say so and are skipped. With SCREENSHOTS=FOLDER the page
is kept as pictures.
"""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from executable import ROOT, TOOL, release_build

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None
try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto
except ImportError:
    perfetto = None

IS_CI = os.environ.get("CI") == "true"
CHROMIUM = shutil.which("chromium")
SLOW = ROOT / "traces/fault-slow-background-entry-ios8.lctrace"
SCENES = ROOT / "traces/healthy-scenes-ios17.lctrace"
LAUNCHES = ROOT / "traces/two-launches-ios8.lctrace"
FORMATS = ["html", "pftrace", "json", "svg", "txt"]

ATTACKS = [
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"'><b>bold</b>",
    "a\u2028b\u2029c", "\u202egnp.exe\u2066", "a\u0000b\u0007c\u001b[31m", "]]>&amp;<!--",
    "\u200b\u200d\ufeff", "${alert(1)}`", "javascript:alert(1)", "\\u003cscript\\u003e",
    "\U000e0041\U000e0042", "\u061c\u00ad",
]


def run(*arguments, **options):
    return subprocess.run(
        [TOOL, *map(str, arguments)], capture_output=True, timeout=300, **options)


def hostile_trace(path):
    """A trace in which every text that its app chose is an attack."""
    events = [{"t_ns": 1000, "event": "proc.start",
               "args": {"into": "foreground", "reason": "user_icon"}}]
    time = 1_000_000
    for number, attack in enumerate(ATTACKS):
        for event, arguments in [
                ("bgtask.begin", {"token": number + 1, "name": attack}),
                ("trace.thread", {"thread": number + 2, "name": attack}),
                ("scene.will_connect", {"scene": attack}),
                ("net.connect", {"op": "open", "socket": number, "peer": attack}),
                ("x." + attack, {attack: attack}), ("trace.marker", {"text": attack})]:
            time += 1_000_000
            events.append({"t_ns": time, "event": event, "thread": number + 2, "args": arguments})
    events.append({"t_ns": time + 1_000_000, "event": "proc.kill",
                   "args": {"cause": "bgtask_expired", "code": 562215634,
                            "description": ATTACKS[0]}})
    header = {"format": "tracecheck-ndjson", "version": 1, "app_bundle_id": ATTACKS[0],
              "app_version": ATTACKS[1], "device_model": ATTACKS[4], "os_version": "13.1",
              "trace_id": ATTACKS[2]}
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"header": header}) + "\n")
        for event in events:
            file.write(json.dumps(event) + "\n")


def harmful(text):
    """Characters that could mislead a reader; a line feed is none."""
    def is_harmful(code):
        return (code < 32 and code != 10 or 0x7F <= code < 0xA0 or code in (0xAD, 0x61C, 0xFEFF)
                or 0x200B <= code <= 0x200F or 0x2028 <= code <= 0x202E
                or 0x2060 <= code <= 0x206F or 0xE0000 <= code < 0xE1000)
    return {hex(ord(letter)) for letter in text if is_harmful(ord(letter))}


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.hostile = cls.folder / "hostile.ndjson"
        hostile_trace(cls.hostile)

    def timeline(self, capture, name, *options):
        path = self.folder / name
        result = run("timeline", capture, "-o", path, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return path


class CommandTests(Folder):
    def test_every_format_by_extension_and_by_option(self):
        for name in FORMATS:
            by_extension = self.timeline(SLOW, f"slow.{name}").read_bytes()
            for option in ["--to", "--format"]:
                result = run("timeline", SLOW, "-o", "-", option, name)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stdout, by_extension, name)
            upper = self.timeline(SLOW, f"upper.{name.upper()}").read_bytes()
            self.assertEqual(upper, by_extension, name)

    def test_every_kind_of_capture_can_be_drawn(self):
        converted = self.folder / "slow.ndjson"
        run("convert", SLOW, "-o", converted)
        for capture in [SLOW, SLOW.with_suffix(".timeline"), converted]:
            text = self.timeline(capture, "kind.txt").read_text()
            self.assertIn("LC003", text)
        piped = run("timeline", "-", "-o", "-", "--to", "txt", input=SLOW.read_bytes())
        self.assertIn(b"LC003", piped.stdout)

    def test_rule_options_are_those_of_check(self):
        def text(*options):
            return " ".join(self.timeline(SLOW, "rules.txt", *options).read_text().split())
        self.assertNotIn("LC003", text("--skip", "LC003"))
        self.assertIn("the limit is 6 s", text("--threshold", "LC003=6s"))
        self.assertIn("warning LC003", text("--severity", "LC003=warning"))

    def test_wrong_usage_is_refused(self):
        output = self.folder / "wrong"
        for options in [
                ["-o", output], ["-o", f"{output}.html", "--to", "pdf"],
                ["-o", f"{output}.svg", "--compare", SLOW], ["-o", f"{output}.svg", "--width", "80"],
                ["-o", f"{output}.html", "--ascii"], ["-o", f"{output}.txt", "--width", "59"],
                ["-o", f"{output}.txt", "--width", "1001"], ["-o", f"{output}.html", "--trace", "0"],
                ["-o", f"{output}.html", "--trace", "2"], ["-o", SLOW, "--to", "html"]]:
            result = run("timeline", SLOW, *options)
            self.assertEqual(result.returncode, 2, options)
            self.assertTrue(result.stderr)
        self.assertEqual(list(self.folder.glob("wrong*")), [])
        for options in [], ["--to", "txt"]:
            result = run("timeline", SLOW, *options, text=True)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("name it with -o", " ".join(result.stderr.split()))
            self.assertNotIn("Usage:", result.stderr)
        result = run("timeline", self.folder / "none.lctrace", "-o", f"{output}.html")
        self.assertEqual(result.returncode, 3)

    def test_damage_is_told_and_the_rest_drawn(self):
        broken = self.folder / "broken.ndjson"
        run("convert", SLOW, "-o", broken)
        lines = broken.read_text().splitlines()
        lines.insert(4, "{")
        broken.write_text("\n".join(lines) + "\n")
        output = self.folder / "broken.txt"
        result = run("timeline", broken, "-o", output)
        self.assertEqual(result.returncode, 3)
        self.assertIn("LC003", output.read_text())
        self.assertEqual(run("timeline", broken, "-o", output, "--allow-damaged").returncode, 0)

    def test_texts_fit_the_width_that_was_asked_for(self):
        for width in [60, 72, 200]:
            text = self.timeline(SLOW, "wide.txt", "--width", width)
            lanes = [line for line in text.read_text().splitlines() if "active" in line]
            self.assertTrue(lanes)
            self.assertLessEqual(max(map(len, lanes)), width)
        ascii_only = self.timeline(LAUNCHES, "ascii.txt", "--ascii").read_text()
        self.assertTrue(ascii_only.isascii())


class InjectionTests(Folder):
    def test_texts_stay_texts(self):
        for name in ["json", "svg", "txt"]:
            text = self.timeline(self.hostile, f"hostile.{name}").read_text()
            self.assertEqual(harmful(text), set(), name)
        page = self.timeline(self.hostile, "hostile.html").read_text()
        self.assertEqual(harmful(page), set())
        self.assertNotIn("alert(1)", page)

    def test_json_gives_the_texts_back(self):
        read = json.loads(self.timeline(self.hostile, "hostile.json").read_text())
        texts = {str(value) for event in read["traceEvents"]
                 for value in event.get("args", {}).values()}
        for attack in ATTACKS:
            self.assertIn(attack, texts)

    def test_pictures_are_xml_without_scripts(self):
        for capture in [self.hostile, SLOW, SCENES]:
            path = self.timeline(capture, "picture.svg")
            tree = xml.etree.ElementTree.parse(path)
            for element in tree.iter():
                self.assertNotIn("script", element.tag)
                self.assertFalse([name for name in element.attrib if name.startswith("on")])
            if shutil.which("xmllint"):
                subprocess.run(["xmllint", "--noout", path], check=True)
            elif IS_CI:
                self.fail("xmllint is missing")


@unittest.skipIf(perfetto is None and not IS_CI, "PyPI's perfetto is not installed")
class PerfettoTests(Folder):
    def packets(self, capture, *options):
        trace = perfetto.Trace()
        trace.ParseFromString(self.timeline(capture, "trace.pftrace", *options).read_bytes())
        return list(trace.packet)

    def assert_sound(self, packets):
        """Every event is on a known track, spans nest, flows end, clocks are told first."""
        tracks, names, flows = {}, {}, collections.defaultdict(list)
        stacks = collections.defaultdict(list)
        has_clock = False
        self.assertEqual(packets[0].sequence_flags, 3)
        for packet in packets:
            self.assertEqual(packet.trusted_packet_sequence_id, 1)
            for name in packet.interned_data.event_names:
                names[name.iid] = name.name
            if packet.HasField("track_descriptor"):
                descriptor = packet.track_descriptor
                if descriptor.parent_uuid:
                    self.assertIn(descriptor.parent_uuid, tracks)
                tracks[descriptor.uuid] = descriptor
            if packet.HasField("clock_snapshot"):
                has_clock = True
                clocks = {clock.clock_id for clock in packet.clock_snapshot.clocks}
                self.assertIn(packet.clock_snapshot.primary_trace_clock, clocks)
            if not packet.HasField("track_event"):
                continue
            self.assertTrue(has_clock)
            event = packet.track_event
            self.assertIn(event.track_uuid, tracks)
            if event.type == event.TYPE_SLICE_BEGIN:
                self.assertIn(event.name_iid, names)
                stacks[event.track_uuid].append(packet.timestamp)
            elif event.type == event.TYPE_SLICE_END:
                self.assertLessEqual(stacks[event.track_uuid].pop(), packet.timestamp)
            else:
                self.assertEqual(event.type, event.TYPE_INSTANT)
                self.assertTrue(event.name or event.name_iid in names)
            for flow in event.flow_ids:
                flows[flow].append("step")
            for flow in event.terminating_flow_ids:
                flows[flow].append("end")
        self.assertEqual({uuid: stack for uuid, stack in stacks.items() if stack}, {})
        for steps in flows.values():
            self.assertGreaterEqual(len(steps), 2)
            self.assertEqual(steps[-1], "end")
            self.assertEqual(steps.count("end"), 1)
        return tracks, names, flows

    def test_every_trace_is_sound(self):
        for capture in sorted((ROOT / "traces").glob("*.lctrace")) + [self.hostile]:
            with self.subTest(capture.name):
                self.assert_sound(self.packets(capture))

    def test_texts_stay_texts(self):
        texts = set()
        for packet in self.packets(self.hostile):
            texts |= {note.string_value for note in packet.track_event.debug_annotations}
            texts |= {name.name for name in packet.interned_data.event_names}
            texts |= {packet.track_event.name, packet.track_descriptor.name}
        # Angles are nothing to a viewer that draws texts; what moves or hides letters is spelt out.
        self.assertIn(ATTACKS[0], texts)
        self.assertIn("\\u{202E}gnp.exe\\u{2066}", texts)
        self.assertEqual(harmful("".join(texts)), set())

    def test_tracks_names_and_flows(self):
        packets = self.packets(SLOW)
        tracks, names, flows = self.assert_sound(packets)
        titles = {track.name for track in tracks.values()}
        self.assertTrue({"App state", "Launches", "Findings"} <= titles, titles)
        threads = [track.thread for track in tracks.values() if track.HasField("thread")]
        self.assertEqual([(thread.tid, thread.thread_name) for thread in threads],
                         [(1, "Main thread")])
        process = [track.process for track in tracks.values() if track.HasField("process")]
        self.assertEqual(process[0].process_name, "com.example.photos")
        self.assertEqual(len(flows), 1)
        finding = [packet for packet in packets if packet.track_event.terminating_flow_ids]
        self.assertEqual(finding[0].timestamp, 36_900_000_000)
        self.assertTrue(finding[0].track_event.name.startswith("LC003 "))
        self.assertIn("entering background", names.values())
        scenes = {track.name for track in self.assert_sound(self.packets(SCENES))[0].values()}
        self.assertTrue({"left", "right", "sync position"} <= scenes, scenes)

    def test_the_clock_is_that_of_the_header(self):
        uptime = self.folder / "uptime.ndjson"
        uptime.write_text(
            '{"header":{"format":"tracecheck-ndjson","version":1,"clock_kind":"uptime"}}\n'
            '{"t_ns":5000,"event":"trace.start","args":{"continuous_ns":9000,"uptime_ns":5000,'
            '"wall_ns":1700000000000000000}}\n'
            '{"t_ns":6000,"event":"proc.start","args":{"into":"foreground"}}\n')
        packets = self.packets(uptime)
        snapshot = [packet for packet in packets if packet.HasField("clock_snapshot")][0]
        clocks = {c.clock_id: c.timestamp for c in snapshot.clock_snapshot.clocks}
        self.assertEqual(clocks, {3: 5000, 6: 9000, 1: 1_700_000_000_000_000_000})
        self.assertEqual(snapshot.clock_snapshot.primary_trace_clock, 3)
        events = [packet for packet in packets if packet.HasField("track_event")]
        self.assertEqual({packet.timestamp_clock_id for packet in events}, {3})


class ChromeTests(Folder):
    def test_events_nest_and_flows_end(self):
        for capture in [SLOW, SCENES, LAUNCHES, self.hostile]:
            read = json.loads(self.timeline(capture, "trace.json").read_text())
            open_count = collections.Counter()
            flows = collections.defaultdict(str)
            rows = {event["tid"] for event in read["traceEvents"]
                    if event["ph"] == "M" and event["name"] == "thread_name"}
            for event in read["traceEvents"]:
                if event["ph"] in "BE":
                    open_count[event["tid"]] += 1 if event["ph"] == "B" else -1
                    self.assertGreaterEqual(open_count[event["tid"]], 0)
                if event["ph"] != "M":
                    self.assertIn(event["tid"], rows)
                    self.assertIsInstance(event["ts"], (int, float))
                if event["ph"] in "stf":
                    flows[event["id"]] += event["ph"]
            self.assertEqual(+open_count, collections.Counter())
            for steps in flows.values():
                self.assertRegex(steps, "^st*f$")


if __name__ == "__main__":
    # Pages and odd lives have tests of their own, run with these.
    from timeline_page import *  # noqa: F401,F403
    from timeline_truth import *  # noqa: F401,F403
    from timeline_reader import *  # noqa: F401,F403
    unittest.main()
