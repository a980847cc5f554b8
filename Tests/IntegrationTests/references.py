"""The reference workload in the formats of others, each read back by a reader that isn't ours.

The sizes of our format are compared with these files: they must hold every event, or the comparison
is worth nothing. Usage: references.py [PATH-OF-TRACECHECK]; without a path the release build is
used. Needs Debian's `babeltrace2` and `zstd`, PyPI's `perfetto`, `mcap` and `zstandard`. Without
them, and without CI=true, the tests that need them say so and are skipped.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import unittest

from executable import beside

try:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto
except ImportError:
    perfetto = None
try:
    import zstandard
    from mcap.reader import make_reader
    from mcap.stream_reader import StreamReader
except ImportError:
    make_reader = None

IS_CI = os.environ.get("CI") == "true"
TRACEDEV = beside("tracedev")
EVENTS = 40_000
# Sizes follow from the events alone, so that they can be asked for on any machine.
SIZED_EVENTS = 150_000

Event = collections.namedtuple("Event", "time name phase thread args")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class References(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        cls.told = output(TRACEDEV, "references", "--events", str(EVENTS), "-o", cls.path)
        lines = (cls.path / "workload.ndjson").read_text().splitlines()
        cls.events = []
        for line in lines[1:]:
            read = json.loads(line)
            cls.events.append(Event(
                read["t_ns"], read["event"], read.get("phase", "instant"), read["thread"],
                read.get("args", {})))

    def assert_same(self, events, expected=None):
        expected = self.events if expected is None else expected
        for place, (event, other) in enumerate(zip(events, expected)):
            self.assertEqual(event, other, f"event {place}")
        self.assertEqual(len(events), len(expected))

    def test_the_workload_is_what_it_should_be(self):
        self.assertGreater(len(self.events), EVENTS * 0.9)
        self.assertEqual({event.phase for event in self.events}, {"instant", "enter", "return"})
        self.assertGreater(len({event.name for event in self.events}), 50)
        self.assertGreater(len({event.thread for event in self.events}), 6)
        # Both of the header's forms in CTF, and packets and chunks that follow each other.
        gaps = [b.time - a.time for a, b in zip(self.events, self.events[1:])]
        self.assertGreaterEqual(min(gaps), 0)
        self.assertGreater(max(gaps), 1 << 32)
        for line in self.told.splitlines():
            self.assertIn(f", {len(self.events)} events", line)
        self.assertEqual(len(self.told.splitlines()), 5)

    @unittest.skipIf(not shutil.which("babeltrace2") and not IS_CI, "babeltrace2 is not installed")
    def test_ctf(self):
        text = output("babeltrace2", "--clock-cycles", "--no-delta", self.path / "ctf")
        line = re.compile(r"\[(\d+)\] (\S+): \{ _?vtid = (\d+) \}, \{ ?(.*?) ?\}")
        field = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|-?\d+)')
        phases = {"entry": "enter", "exit": "return"}
        events = []
        for told in text.splitlines():
            match = line.fullmatch(told)
            self.assertTrue(match, told)
            name, phase = match[2], "instant"
            if name.rpartition("_")[2] in phases:
                name, _, phase = name.rpartition("_")
                phase = phases[phase]
            args = {name: json.loads(value) for name, value in field.findall(match[4])}
            self.assertEqual(len(args), match[4].count(" = "), told)
            events.append(Event(int(match[1]), name, phase, int(match[3]), args))
        self.assert_same(events)

    @unittest.skipIf(perfetto is None and not IS_CI, "PyPI's perfetto is not installed")
    def test_perfetto(self):
        trace = perfetto.Trace()
        trace.ParseFromString((self.path / "workload.pftrace").read_bytes())
        clocks, threads, tracks, defaults = {}, {}, {}, {}
        names = collections.defaultdict(dict)
        phases = {1: "enter", 2: "return", 3: "instant"}
        events = []
        for packet in trace.packet:
            sequence = packet.trusted_packet_sequence_id
            for clock in packet.clock_snapshot.clocks:
                if clock.is_incremental:
                    self.assertEqual(packet.sequence_flags, 1)
                    clocks[sequence] = clock.timestamp
            if packet.HasField("trace_packet_defaults"):
                self.assertEqual(packet.trace_packet_defaults.timestamp_clock_id, 64)
                track = packet.trace_packet_defaults.track_event_defaults.track_uuid
                defaults[sequence] = track
            if packet.HasField("track_descriptor"):
                descriptor = packet.track_descriptor
                tracks[descriptor.uuid] = descriptor
                if descriptor.HasField("thread"):
                    self.assertIn(descriptor.parent_uuid, tracks)
                    threads[descriptor.uuid] = descriptor.thread.tid
            for kind in ("event_categories", "event_names", "debug_annotation_names"):
                for name in getattr(packet.interned_data, kind):
                    self.assertNotIn(name.iid, names[sequence, kind])
                    names[sequence, kind][name.iid] = name.name
            if not packet.HasField("track_event"):
                continue
            self.assertEqual(packet.sequence_flags, 2)
            clocks[sequence] += packet.timestamp
            told, args = packet.track_event, {}
            for annotation in told.debug_annotations:
                name = names[sequence, "debug_annotation_names"][annotation.name_iid]
                args[name] = getattr(annotation, annotation.WhichOneof("value"))
            name = None
            if told.type != told.TYPE_SLICE_END:
                name = names[sequence, "event_names"][told.name_iid]
                category = names[sequence, "event_categories"][told.category_iids[0]]
                self.assertEqual(category, name.partition(".")[0])
            events.append(Event(
                clocks[sequence], name, phases[told.type], threads[defaults[sequence]], args))
        # Ends have no names there.
        self.assert_same(events, [
            event._replace(name=None) if event.phase == "return" else event
            for event in self.events])

    def decode(self, path):
        return subprocess.run([TRACEDEV, "decode", path], capture_output=True, text=True)

    def test_decode_ends_at_a_defect(self):
        text, binary = self.path / "workload.ndjson", self.path / "ours.lctrace"
        output(TRACEDEV, "encode", text, "-o", binary)
        for path in (text, binary):
            self.assertEqual(self.decode(path).stdout, f"{len(self.events)}\n")
        lines = text.read_bytes().splitlines(keepends=True)
        content = binary.read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            for name, wrong, place in (
                    ("line.ndjson", b"".join(lines[:5] + [b"{\n"] + lines[5:]), "line"),
                    ("cut.lctrace", content[:len(content) // 2], "byte"),
                    ("foreign.lctrace", b"no trace " * 40, "")):
                path = pathlib.Path(folder, name)
                path.write_bytes(wrong)
                with self.subTest(name):
                    result = self.decode(path)
                    self.assertEqual((result.returncode, result.stdout), (1, ""))
                    self.assertRegex(result.stderr, rf"^Error: {place}")

    def test_fxt(self):
        content = (self.path / "workload.fxt").read_bytes()
        self.assertEqual(len(content) % 8, 0)
        words = struct.unpack(f"<{len(content) // 8}Q", content)
        self.assertEqual(words[0], 0x0016547846040010)
        texts, threads, events = {0: ""}, {}, []
        phases = {0: "instant", 2: "enter", 3: "return"}

        def string(place, count):
            padded = content[place * 8:(place + (count + 7) // 8) * 8]
            self.assertFalse(any(padded[count:]))
            return padded[:count].decode()

        place = 1
        while place < len(words):
            header = words[place]
            kind, size = header & 15, header >> 4 & 0xFFF
            self.assertGreater(size, 0)
            if kind == 1:
                self.assertEqual(words[place + 1], 1_000_000_000)
            elif kind == 2:
                number = header >> 16 & 0x7FFF
                self.assertNotIn(number, texts)
                texts[number] = string(place + 1, header >> 32 & 0x7FFF)
            elif kind == 3:
                threads[header >> 16 & 0xFF] = words[place + 2]
            elif kind == 4:
                name = texts[header >> 48]
                self.assertEqual(texts[header >> 32 & 0xFFFF], name.partition(".")[0])
                args, at = {}, place + 2
                for _ in range(header >> 20 & 15):
                    word = words[at]
                    value = {
                        1: lambda: struct.unpack("<i", struct.pack("<I", word >> 32))[0],
                        3: lambda: struct.unpack("<q", struct.pack("<Q", words[at + 1]))[0],
                        6: lambda: texts[word >> 32 & 0xFFFF],
                        9: lambda: bool(word >> 32),
                    }[word & 15]()
                    args[texts[word >> 16 & 0xFFFF]] = value
                    at += word >> 4 & 0xFFF
                self.assertEqual(at, place + size)
                events.append(Event(
                    words[place + 1], name, phases[header >> 16 & 15],
                    threads[header >> 24 & 0xFF], args))
            else:
                self.fail(f"a record of type {kind}")
            place += size
        self.assertEqual(place, len(words))
        self.assert_same(events)

    def mcap_events(self, name):
        pool, classes, events = descriptor_pool.DescriptorPool(), {}, []
        with open(self.path / name, "rb") as file:
            reader = make_reader(file, validate_crcs=True)
            statistics = reader.get_summary().statistics
            self.assertEqual(statistics.message_count, len(self.events))
            self.assertEqual(statistics.message_start_time, self.events[0].time)
            self.assertEqual(statistics.message_end_time, self.events[-1].time)
            for schema, channel, message in reader.iter_messages(log_time_order=False):
                self.assertEqual((schema.encoding, channel.message_encoding), ("protobuf",) * 2)
                if schema.id not in classes:
                    for told in descriptor_pb2.FileDescriptorSet.FromString(schema.data).file:
                        pool.Add(told)
                    classes[schema.id] = message_factory.GetMessageClass(
                        pool.FindMessageTypeByName(schema.name))
                read = classes[schema.id].FromString(message.data)
                events.append((message.log_time, channel.topic, read))
                self.assertEqual(message.publish_time, message.log_time)
        return events, statistics

    @unittest.skipIf((perfetto is None or make_reader is None) and not IS_CI,
                     "PyPI's mcap, zstandard and perfetto are not installed")
    def test_mcap(self):
        phases = {"instant": 0, "enter": 1, "return": 2}
        for name in ("workload.mcap", "unindexed.mcap"):
            with self.subTest(name):
                events, _ = self.mcap_events(name)
                self.assertEqual(len(events), len(self.events))
                for (time, topic, read), event in zip(events, self.events):
                    self.assertEqual((time, topic), (event.time, event.name))
                    self.assertEqual(
                        (read.thread, read.phase), (event.thread, phases[event.phase]))
                    fields = {field.name for field, _ in read.ListFields()}
                    self.assertLessEqual(fields - {"thread", "phase"}, set(event.args))
                    for argument, value in event.args.items():
                        self.assertEqual(getattr(read, argument), value)

    @unittest.skipIf(make_reader is None and not IS_CI, "PyPI's mcap is not installed")
    def test_the_index_of_mcap_finds_each_message(self):
        counts = {}
        for name in ("workload.mcap", "unindexed.mcap"):
            counts[name], raw = 0, b""
            with open(self.path / name, "rb") as file:
                for record in StreamReader(file, emit_chunks=True, validate_crcs=True).records:
                    if type(record).__name__ == "Chunk":
                        raw = zstandard.ZstdDecompressor().decompress(
                            record.data, max_output_size=record.uncompressed_size)
                    elif type(record).__name__ == "MessageIndex":
                        for time, offset in record.records:
                            told = struct.unpack_from("<BQHIQ", raw, offset)
                            self.assertEqual(
                                (told[0], told[2], told[4]), (5, record.channel_id, time))
                            counts[name] += 1
        self.assertEqual(counts, {"workload.mcap": len(self.events), "unindexed.mcap": 0})


@unittest.skipIf(not shutil.which("zstd") and not IS_CI, "zstd is not installed")
class BenchTests(unittest.TestCase):
    def rows(self, *arguments):
        text = output(TRACEDEV, "bench", *arguments)
        rows = {}
        for line in text.splitlines()[1:]:
            cells = re.split(r"  +", line)
            rows[cells[0]] = cells[1:]
        return rows

    def test_sizes(self):
        rows = self.rows("--only", "size", "--events", str(SIZED_EVENTS))
        asked = [name for name in rows if "against" in name or name.startswith("size")]
        self.assertEqual(len(asked), 12, rows)
        for name in asked:
            if name not in ("size, rows, zstd -3", "MCAP, no message index, against ours"):
                self.assertEqual(rows[name][-1], "ok", (name, rows[name]))

    def test_what_is_missing_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run(
                [TRACEDEV, "bench", "--only", "start", "--only", "decode", "--events", "40000",
                 "--runs", "1"],
                check=True, capture_output=True, text=True, env={**os.environ, "PATH": folder})
        self.assertIn("not measured: no babeltrace2 here", result.stdout)
        self.assertRegex(result.stdout, r"check of 100 events  +<= 20 ms  +[\d.]+ ms  +(ok|short)")
        self.assertRegex(
            result.stdout, r"NDJSON, read to batches  +>= 2 M/s  +[\d.]+ M events/s.*(ok|short)")
        self.assertIn("missing: zstd babeltrace2 jq", result.stderr)

    def test_a_tool_that_is_not_there_is_said_at_once(self):
        result = subprocess.run(
            [TRACEDEV, "bench", "--only", "start", "--tracecheck", "no/such/tool"],
            capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"there is no program {os.getcwd()}/no/such/tool", result.stderr)
        self.assertNotIn("measuring", result.stderr)

    def test_an_interrupted_run_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                process = subprocess.Popen(
                    [TRACEDEV, "bench", "--only", "start", "--events", "1000", "--runs", "1000000"],
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                    env={**os.environ, "TMPDIR": folder},
                    # Whoever runs these tests may ignore it.
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
                self.addCleanup(process.kill)
                for line in process.stderr:
                    if line.startswith("measuring"):
                        break
                made = os.listdir(folder)
                self.assertEqual(len(made), 1)
                self.assertEqual(
                    stat.S_IMODE(os.stat(os.path.join(folder, made[0])).st_mode), 0o700)
                process.send_signal(number)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, -number)
                self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
