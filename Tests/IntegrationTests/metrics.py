"""The metrics from outside: their text, and the servers that read it.

Usage: metrics.py [PATH-OF-TRACECHECK]; without a path the release build is used. Needs the Debian
packages prometheus, prometheus-node-exporter and prometheus-pushgateway, and PyPI's
prometheus-client.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest
import unittest.mock

import fleet
import servers
from executable import ROOT, TOOL
from servers import IS_CI, Prometheus, fetch, needs, node_exporter, push_gateway, wait_for

try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
    from prometheus_client.parser import text_string_to_metric_families as text_format
except ImportError:
    if IS_CI:
        raise
    openmetrics = text_format = None

DAY = 86_400
BOUNDS = ["0.1", "0.25", "0.4", "0.5", "1.0", "2.0", "5.0", "10.0", "20.0", "30.0", "180.0", "600.0", "+Inf"]
APP = {"app", "app_version"}
# The table of the specification: names, types and labels.
TABLE = {
    "tracecheck_traces_total": ("counter", {"outcome", "source"}),
    "tracecheck_findings_total": (
        "counter", APP | {"rule", "severity", "os_version", "device_model"}),
    "tracecheck_events_total": ("counter", {"source"}),
    "tracecheck_lost_events_total": ("counter", {"source"}),
    "tracecheck_launch_duration_seconds": ("histogram", APP),
    "tracecheck_enter_background_duration_seconds": ("histogram", APP),
    "tracecheck_background_task_duration_seconds": ("histogram", APP),
    "tracecheck_background_run_seconds": ("histogram", APP),
    "tracecheck_suspend_latency_seconds": ("histogram", APP),
    "tracecheck_terminate_duration_seconds": ("histogram", APP),
    "tracecheck_state_seconds_total": ("counter", {"app", "state"}),
    "tracecheck_terminations_total": ("counter", {"cause"}),
    "tracecheck_check_duration_seconds": ("histogram", set()),
    "tracecheck_last_run_timestamp_seconds": ("gauge", set()),
    "tracecheck_last_success_timestamp_seconds": ("gauge", set()),
    # Without a sample: only a server looks at a directory again and again.
    "tracecheck_unseen_paths": ("gauge", set()),
    "tracecheck_build_info": ("gauge", {"version"}),
}


def run(*arguments, **options):
    done = subprocess.run([TOOL, "metrics", *map(str, arguments)], capture_output=True, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def samples(text):
    """Value by series, without exemplars and timestamps."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            series, value = re.match(r"(\S+?(?:\{.*?\})?) (\S+)", line).groups()
            found[series] = float(value)
    return found


def last_buckets(text):
    """The text with the last sample of each histogram only: the parser takes buckets of a second
    time for repetitions."""
    last = {}
    for line in text.splitlines():
        if match := re.match(r"(\S+?)_bucket\{(.*?),?le=.* (\S+)$", line):
            last[match[1], match[2]] = match[3]
    kept = []
    for line in text.splitlines():
        match = re.match(r"(\S+?)_(?:bucket|sum|count)\{(.*?),?(?:le=.*)?\} \S+ (\S+)$", line)
        if not match or (match[1], match[2]) not in last or last[match[1], match[2]] == match[3]:
            kept.append(line)
    return "\n".join(kept) + "\n"


def commands(document):
    """The command lines of a document's blocks for the shell."""
    blocks = re.findall(r"^```sh\n(.*?)^```", document.read_text(), re.M | re.S)
    return [line for block in blocks for line in block.splitlines() if line and not line.startswith("#")]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.servers = []
        self.addCleanup(lambda: [server.stop() for server in self.servers])

    def started(self, server):
        self.servers.append(server)
        return server

    def capture(self, name="life.ndjson", **header):
        header = {"app_bundle_id": "com.example.notes", "app_version": "1", **header}
        (self.path / name).write_text(fleet.life(None, 1, **header).text)
        return self.path / name

    def metrics(self, *arguments, code=0):
        status, out, err = run(*arguments)
        self.assertEqual(status, code, err)
        return out


class Text(Case):
    def test_names_types_and_labels_are_those_of_the_table(self):
        fleet.write(self.path, 27, None, 0)
        families = {family.name: family for family in text_format(self.metrics(self.path))}
        found = {}
        for family in families.values():
            name = family.name + ("_total" if family.type == "counter" else "")
            labels = set()
            for sample in family.samples:
                labels |= set(sample.labels) - {"le"}
            found[name] = (family.type, labels)
        self.assertEqual(found, TABLE)

    def test_buckets_sit_on_the_limits(self):
        for family in text_format(self.metrics(self.capture())):
            bounds = [s.labels["le"] for s in family.samples if s.name.endswith("_bucket")]
            if family.type == "histogram" and bounds:
                self.assertEqual(bounds[:len(BOUNDS)], BOUNDS)

    def test_the_numbers_of_one_life(self):
        life = fleet.Life(None, app_bundle_id="a", app_version="1", trace_id="t").launch(0.4)
        life.leave(0.7, task=2, token=1).sleep(0.5, 60).come_back()
        life.leave(0.2).event("proc.kill", 0.5, signal=9, cause="jetsam")
        (self.path / "a.ndjson").write_text(life.text)
        found = samples(self.metrics(self.path))
        app = '{app="a",app_version="1"}'
        expected = {
            f"tracecheck_launch_duration_seconds_sum{app}": 0.4,
            f"tracecheck_enter_background_duration_seconds_sum{app}": 0.71 + 0.2,
            f"tracecheck_enter_background_duration_seconds_count{app}": 2,
            # From the return of the callback, in which it was begun.
            f"tracecheck_background_task_duration_seconds_sum{app}": 2,
            # Until the suspension; after the resume; until the kill.
            f"tracecheck_background_run_seconds_sum{app}": 2.5 + 0.01 + 0.5,
            f"tracecheck_suspend_latency_seconds_sum{app}": 0.5,
            'tracecheck_state_seconds_total{app="a",state="suspended"}': 60,
            'tracecheck_state_seconds_total{app="a",state="entering_background"}': 0.91,
            'tracecheck_terminations_total{cause="jetsam"}': 1,
            'tracecheck_terminations_total{cause="watchdog"}': 0,
        }
        for series, value in expected.items():
            self.assertAlmostEqual(found[series], value, places=6, msg=series)

    def test_open_metrics_passes_a_strict_parser_and_names_traces(self):
        fleet.write(self.path, 27, None, 0)
        families = list(openmetrics(self.metrics(self.path, "--format", "openmetrics")))
        units = {family.name: family.unit for family in families}
        self.assertEqual(units["tracecheck_launch_duration_seconds"], "seconds")
        self.assertEqual(units["tracecheck_state_seconds"], "seconds")
        named = {}
        for family in families:
            for sample in family.samples:
                if sample.exemplar:
                    named.setdefault(family.name, set()).add(sample.exemplar.labels["trace_id"])
        ids = {f"fleet-{seed:04}" for seed in range(27)}
        self.assertLessEqual(set().union(*named.values()), ids)
        for name, (kind, _) in TABLE.items():
            if kind == "histogram" and "check" not in name:
                self.assertTrue(named.get(name), name)
        self.assertTrue(named["tracecheck_findings"])

    def test_both_formats_say_the_same(self):
        fleet.write(self.path, 9, None, 0)
        text = samples(self.metrics(self.path))
        other = samples(self.metrics(self.path, "--format", "openmetrics"))
        changing = re.compile("check_duration|timestamp")
        self.assertEqual(
            {k: v for k, v in text.items() if not changing.search(k)},
            {k: v for k, v in other.items() if not changing.search(k)})

    def test_the_same_captures_give_the_same_bytes(self):
        fleet.write(self.path, 9, None, 0)
        steady = [
            [line for line in self.metrics(self.path).splitlines()
             if not re.search("check_duration|timestamp", line)] for _ in range(2)]
        self.assertEqual(steady[0], steady[1])

    def test_names_from_captures_stay_names(self):
        attacks = [
            'a"} 1\nevil_total{x="', "a\\", 'a\\"', "a\nb", "é😀", "{}", "# HELP x", 'a" # {trace_id="x"} 1',
            "\\n", "a,b=\"c\"", "x" * 5000,
        ]
        for place, attack in enumerate(attacks):
            self.capture(f"{place}.ndjson", app_bundle_id=attack, app_version=attack, device_model=attack,
                         trace_id=attack)
        expected = {a if len(a) <= 128 else a[:128] + "…" for a in attacks}
        for format, parser in (("text", text_format), ("openmetrics", openmetrics)):
            out = self.metrics(self.path, "--format", format)
            families = {family.name: family for family in parser(out)}
            self.assertFalse([name for name in families if not name.startswith("tracecheck_")])
            launches = families["tracecheck_launch_duration_seconds"].samples
            self.assertEqual({s.labels["app"] for s in launches}, expected)

    def test_what_can_not_be_seen_is_written_out(self):
        self.capture(app_bundle_id="a\x1b[31mb\u202ec\rd\u0000e", app_version="1")
        out = self.metrics(self.path)
        self.assertIn('app="a\\\\u{1B}[31mb\\\\u{202E}c\\\\u{D}d\\\\u{0}e"', out)

    def test_invalid_utf8_is_repaired(self):
        text = self.capture().read_bytes().replace(b"com.example.notes", b"com.\xff\xfe.notes")
        (self.path / "life.ndjson").write_bytes(text)
        out = subprocess.run([TOOL, "metrics", self.path, "--allow-damaged"], capture_output=True).stdout
        list(text_format(out.decode("utf-8")))

    def test_series_are_capped(self):
        for place in range(40):
            self.capture(f"{place:02}.ndjson", app_bundle_id=f"com.example.a{place:02}")
        whole = samples(self.metrics(self.path))
        capped = samples(self.metrics(self.path, "--max-series", 200))

        def apps(found):
            return {m[1] for s in found if (m := re.search(r'\bapp="([^"]*)"', s))}

        def total(found, name):
            return sum(value for series, value in found.items() if series.startswith(name + "{"))

        self.assertEqual(len(apps(whole)), 40)
        self.assertIn("other", apps(capped))
        self.assertLess(len(apps(capped)), 10)
        named = [s for s in capped if 'app="' in s and 'app="other"' not in s]
        self.assertLessEqual(len(named), 200)
        for name in ("tracecheck_launch_duration_seconds_count", "tracecheck_state_seconds_total",
                     "tracecheck_background_run_seconds_sum"):
            self.assertAlmostEqual(total(whole, name), total(capped, name), places=6)
        self.assertEqual(apps(samples(self.metrics(self.path, "--max-series", 0))), {"other"})

    def test_an_unreadable_input_counts(self):
        self.capture()
        (self.path / "broken.lctrace").write_bytes(b"nothing")
        found = samples(self.metrics(self.path, code=3))
        self.assertEqual(found['tracecheck_traces_total{outcome="unreadable",source="unknown"}'], 1)
        self.assertNotIn("tracecheck_last_success_timestamp_seconds", found)
        self.assertIn("tracecheck_last_run_timestamp_seconds", found)

    def test_rules_can_be_chosen(self):
        path = self.path / "slow.ndjson"
        path.write_text(fleet.life(None, 1, "slow_entry", app_bundle_id="a").text)
        self.assertIn('rule="LC003"', self.metrics(path))
        self.assertNotIn("rule=", self.metrics(path, "--skip", "LC003"))

    def test_exits_that_the_system_counted(self):
        (self.path / "payload.json").write_text(
            '{"timeStampBegin":"2026-03-03 00:00:00 +0000","timeStampEnd":"2026-03-04 00:00:00 +0000",'
            '"applicationExitMetrics":{"backgroundExitData":{"cumulativeMemoryPressureExitCount":5,'
            '"cumulativeAppWatchdogExitCount":2,"cumulativeNormalAppExitCount":9}},'
            '"metaData":{"bundleIdentifier":"com.example.notes"}}')
        found = samples(self.metrics(self.path))
        for cause, count in (("jetsam", 5), ("watchdog", 2), ("exit", 9), ("crash", 0)):
            self.assertEqual(found[f'tracecheck_terminations_total{{cause="{cause}"}}'], count)

    def test_wrong_usage(self):
        path = self.capture()
        for arguments, said in (
            (["--format", "json"], "there is no metrics format called 'json'"),
            (["--timestamps", "--format", "text"], "--timestamps is for promtool"),
            (["--timestamps", "--textfile", self.path / "x"], "refuses timestamps"),
            (["--textfile", self.path / "x", "--format", "openmetrics"], "reads --format text only"),
            (["--textfile", "-"], "takes the name of a file"),
            (["--textfile", path], "is to be written, and it is also the input"),
            (["--max-series", "-1"], ""), (["--remote-wrote", "http://x"], "Unknown option"),
        ):
            code, out, err = run(path, *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(said, err)

    def test_files_from_a_list(self):
        path = self.capture()
        (self.path / "list").write_text(f"{path}\n")
        found = samples(self.metrics("--files-from", self.path / "list"))
        self.assertEqual(found['tracecheck_traces_total{outcome="clean",source="ndjson"}'], 1)


class Textfile(Case):
    def test_it_appears_whole(self):
        target = self.path / "x.prom"
        target.write_text("old")
        self.assertEqual(self.metrics(self.capture(), "--textfile", target), "")
        self.assertIn("tracecheck_build_info", target.read_text())
        self.assertEqual([p.name for p in self.path.glob(".trace*")], [])

    def test_a_failing_run_keeps_the_last_success(self):
        target = self.path / "x.prom"
        capture = self.capture()
        self.metrics(capture, "--textfile", target)
        success = samples(target.read_text())["tracecheck_last_success_timestamp_seconds"]
        self.metrics(capture, self.path / "missing", "--textfile", target, code=3)
        after = samples(target.read_text())
        self.assertEqual(after["tracecheck_last_success_timestamp_seconds"], success)
        self.assertGreaterEqual(after["tracecheck_last_run_timestamp_seconds"], success)


@needs("promtool")
class Promtool(Case):
    def test_check_metrics(self):
        fleet.write(self.path, 27, None, 0)
        done = subprocess.run(
            ["promtool", "check", "metrics"], input=self.metrics(self.path), text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))


class Backfill(Case):
    def setUp(self):
        super().setUp()
        self.start = int(time.time()) // DAY * DAY - 3 * DAY

    def test_every_sample_has_a_time_and_they_are_sorted(self):
        fleet.write(self.path, 27, self.start, 1800)
        out = self.metrics(self.path, "--timestamps")
        self.assertTrue(out.endswith("# EOF\n"))
        self.assertNotIn("trace_id", out)
        last = {}
        for line in out.splitlines():
            if line.startswith("#"):
                continue
            series, _, stamp = re.fullmatch(r"(\S+?\{.*\}) (\S+) (\S+)", line).groups()
            self.assertLess(last.get(series, 0), float(stamp), line)
            self.assertTrue(self.start - 120 <= float(stamp) < self.start + 2 * DAY, line)
            last[series] = float(stamp)
        list(openmetrics(last_buckets(out)))

    def test_the_order_of_inputs_does_not_matter(self):
        fleet.write(self.path, 12, self.start, 1800)
        names = sorted(self.path.glob("*.ndjson"))
        self.assertEqual(
            self.metrics(*names, "--timestamps"), self.metrics(*reversed(names), "--timestamps"))

    def refused(self, wall, *said):
        (self.path / "one.ndjson").write_text(fleet.life(wall, 1, app_bundle_id="a").text)
        code, out, err = run(self.path, "--timestamps")
        self.assertEqual((code, out), (3, "# EOF\n"))
        for text in said:
            self.assertIn(text, err)
        self.assertEqual(run(self.path, "--timestamps", "--allow-damaged")[0], 0)

    def test_a_trace_without_wall_clock_is_told(self):
        self.refused(None, "one.ndjson: not backfilled: it has no wall-clock anchor")

    def test_the_newest_hours_are_left_alone(self):
        self.refused(time.time() - 2 * 3600, "three hours")

    def test_times_in_the_wrong_unit_are_told(self):
        self.refused(time.time() / 1000 - DAY, "before 2007")
        self.refused(time.time() * 1000 / 1e6 * 1e6 / 1000 + DAY * 400, "three hours")

    def test_traces_of_the_same_minute_are_merged(self):
        for place in range(5):
            life = fleet.life(self.start, place, app_bundle_id="a", app_version="1")
            (self.path / f"{place}.ndjson").write_text(life.text)
        out = self.metrics(self.path, "--timestamps")
        ends = [line for line in out.splitlines() if line.startswith("tracecheck_traces_total")]
        self.assertEqual(ends[-1].split()[1], "5")
        self.assertEqual(ends[0].split()[1], "0")


@needs("prometheus", "promtool")
class BackfilledBlocks(Case):
    def test_they_are_queried(self):
        start = int(time.time()) // DAY * DAY - 3 * DAY
        captures = fleet.write(self.path / "captures", 27, start, 1800)
        (self.path / "x.om").write_text(self.metrics(captures, "--timestamps"))
        done = subprocess.run(
            ["promtool", "tsdb", "create-blocks-from", "openmetrics", "x.om", "tsdb"],
            cwd=self.path, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.path / "prometheus.yml").write_text("global: {scrape_interval: 1m}\n")
        server = self.started(Prometheus(self.path, self.path / "prometheus.yml"))
        end = start + 27 * 1800 + 3600
        now = samples(self.metrics(captures))

        def increase(name, by=""):
            found = server.query(f"sum{by}(increase({name}[{end - start + 600}s]))", time=end)
            return {tuple(sorted(one["metric"].items())): float(one["value"][1]) for one in found}

        for name in TABLE:
            total = sum(v for s, v in now.items() if s.split("{")[0] == name)
            if name.endswith("_total") and total > 0:
                # Samples around each change keep what Prometheus adds at the edges below 5 %.
                self.assertAlmostEqual(increase(name)[()], total, delta=0.06 * total, msg=name)
        launches = server.query(
            "histogram_quantile(0.5, sum by (le) (increase("
            f"tracecheck_launch_duration_seconds_bucket[{end - start}s])))", time=end)
        self.assertTrue(0.1 < float(launches[0]["value"][1]) < 1)
        states = server.query_range("tracecheck_app_state == 1", start, start + 7200, 2)
        words = {one["metric"]["tracecheck_app_state"] for one in states}
        self.assertLessEqual({"active", "background", "suspended"}, words)


@needs("prometheus-node-exporter")
class TextfileCollector(Case):
    def test_it_shows_the_file(self):
        folder = self.path / "textfiles"
        folder.mkdir()
        captures = fleet.write(self.path / "captures", 27, None, 0)
        self.metrics(captures, "--textfile", folder / "tracecheck.prom")
        exporter = self.started(node_exporter(self.path, folder))
        _, text = fetch(exporter.url + "/metrics")
        shown = samples(text)
        self.assertEqual(shown["node_textfile_scrape_error"], 0)
        for series, value in samples((folder / "tracecheck.prom").read_text()).items():
            name = series.split("{")[0]
            self.assertIn(name, text)
        self.assertEqual(
            shown['tracecheck_traces_total{outcome="clean",source="ndjson"}'],
            samples((folder / "tracecheck.prom").read_text())[
                'tracecheck_traces_total{outcome="clean",source="ndjson"}'])


@needs("prometheus-pushgateway")
class PushGateway(Case):
    def test_a_port_of_another_one_is_left_alone(self):
        other = self.started(push_gateway(self.path))
        ports = iter([other.port, servers.free_port()])
        with unittest.mock.patch.object(servers, "free_port", lambda: next(ports)):
            mine = self.started(push_gateway(self.path))
        self.assertNotEqual(mine.port, other.port)
        self.assertTrue(servers.listens(mine.process, mine.port))
        self.assertFalse(servers.listens(mine.process, other.port))

    def test_it_takes_the_text(self):
        captures = fleet.write(self.path / "captures", 27, None, 0)
        gateway = self.started(push_gateway(self.path))
        # The lines of the documents themselves.
        for document in (ROOT / "README.md", ROOT / "Grafana/README.md"):
            line = next(one for one in commands(document) if "curl" in one and ":9091" in one)
            job = re.search(r"/metrics/job/(\w+)", line)[1]
            own = line.replace("tracecheck metrics captures/", f"'{TOOL}' metrics '{captures}'", 1)
            self.assertNotEqual(own, line)
            own = own.replace("http://127.0.0.1:9091", gateway.url)
            done = subprocess.run(["bash", "-o", "pipefail", "-c", own], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, f"{document}: {line}\n{done.stderr}")
            _, shown = fetch(gateway.url + "/metrics")
            self.assertIn(f'tracecheck_traces_total{{instance="",job="{job}",outcome="clean"', shown)
            self.assertRegex(shown, f'launch_duration_seconds_bucket{{app="com.example.chat".*job="{job}"')


if __name__ == "__main__":
    unittest.main()
