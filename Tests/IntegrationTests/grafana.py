"""Dashboards, rules and alerts: against their schemas, and on real servers.

Usage: grafana.py [PATH-OF-TRACECHECK]; without a path the release build is used. Needs the Debian
packages prometheus and prometheus-alertmanager, and PyPI's jsonschema and grafana-foundation-sdk.
The schemas lie beside the repository, in ../shared/schemas/grafana. With TRACECHECK_PREVIEW=FOLDER
a page with every panel's data is kept there.
"""

import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

import fleet
import preview
import serve
from executable import ROOT, TOOL
from metrics import DAY, TABLE, Case, commands, openmetrics, samples
from servers import IS_CI, Prometheus, alert_manager, fetch, needs, wait_for

GRAFANA = ROOT / "Grafana"
NAMES = ["ci", "device", "fleet", "release", "trace"]
SCHEMAS = ROOT.parent / "shared" / "schemas" / "grafana"
METRICS = {*TABLE, "tracecheck_app_state"}
# What the run itself measures has no past, and states of a moment have no present.
SCRAPE_ONLY = re.compile("check_duration|timestamp_seconds|build_info|unreadable")
BACKFILL_ONLY = re.compile("tracecheck_app_state")
UNITS = {"short", "s", "percentunit"}


def dashboards():
    return {name: json.loads((GRAFANA / "dashboards" / f"{name}.json").read_text()) for name in NAMES}


def panels():
    for name, dashboard in dashboards().items():
        for panel in dashboard["panels"]:
            yield name, panel


class Written(unittest.TestCase):
    """What can be said of the files without a server."""

    def test_all_five_are_there(self):
        self.assertEqual(sorted(p.stem for p in (GRAFANA / "dashboards").iterdir()), NAMES)

    @unittest.skipUnless(SCHEMAS.is_dir(), f"no schemas at {SCHEMAS}")
    def test_they_follow_the_schemas(self):
        import jsonschema

        def validator(kind, definition):
            schema = json.loads((SCHEMAS / f"{kind}.jsonschema.json").read_text())
            schema["$ref"] = f"#/definitions/{definition}"
            return schema["definitions"].get(definition) and jsonschema.Draft7Validator(schema)

        for name, dashboard in dashboards().items():
            validator("dashboard", "Dashboard").validate(dashboard)
            self.assertIn(dashboard["schemaVersion"], (39, 40, 41))
            for panel in dashboard["panels"]:
                kind = panel["type"].replace("-", "")
                with self.subTest(dashboard=name, panel=panel["title"]):
                    validator(kind, "Options").validate(panel["options"])
                    custom = panel["fieldConfig"]["defaults"].get("custom")
                    if check := validator(kind, "FieldConfig"):
                        check.validate(custom or {})
                    else:
                        self.assertIsNone(custom)
                    for target in panel["targets"]:
                        validator("prometheus", "Dataquery").validate(target)

    # Fields of Prometheus' annotations that Grafana and the schema have, and this SDK leaves out.
    UNKNOWN_TO_SDK = tuple(f".annotations.list[0].{key}" for key in ("step", "tagKeys", "textFormat", "titleFormat"))

    def test_the_sdk_reads_and_writes_them(self):
        try:
            from grafana_foundation_sdk.cog.encoder import JSONEncoder
            from grafana_foundation_sdk.cog.plugins import register_default_plugins
            from grafana_foundation_sdk.models.dashboard import Dashboard
        except ImportError:
            if IS_CI:
                raise
            self.skipTest("grafana-foundation-sdk is not installed")
        register_default_plugins()
        for name, dashboard in dashboards().items():
            again = json.loads(JSONEncoder(sort_keys=True).encode(Dashboard.from_json(dashboard)))
            lost = [place for place in missing(dashboard, again) if not place.endswith(self.UNKNOWN_TO_SDK)]
            self.assertEqual(lost, [], name)

    # The rules of grafana/dashboard-linter, with our labels instead of job and instance.

    def test_the_data_source_is_a_variable(self):
        for name, dashboard in dashboards().items():
            sources = [v for v in dashboard["templating"]["list"] if v["type"] == "datasource"]
            self.assertEqual([(v["name"], v["query"], v["label"]) for v in sources],
                             [("datasource", "prometheus", "Data source")])
            for panel in dashboard["panels"]:
                for thing in [panel, *panel["targets"]]:
                    self.assertEqual(thing["datasource"]["uid"], "${datasource}", panel["title"])
            self.assertFalse(dashboard["editable"])
            self.assertEqual(len({p["id"] for p in dashboard["panels"]}), len(dashboard["panels"]))

    def test_variables_cascade(self):
        order = ["app", "app_version", "os_version", "device_model"]
        for name, dashboard in dashboards().items():
            variables = [v for v in dashboard["templating"]["list"] if v["type"] == "query"]
            self.assertIn([v["name"] for v in variables], ([], order))
            for place, variable in enumerate(variables):
                self.assertEqual((variable["allValue"], variable["refresh"], variable["multi"]), (".+", 2, True))
                used = set(re.findall(r'(\w+)=~"\$\1"', variable["query"]))
                self.assertEqual(used, set(order[:place]))

    def test_panels_have_titles_descriptions_units_and_queries(self):
        for name, panel in panels():
            with self.subTest(dashboard=name, panel=panel["title"]):
                self.assertTrue(panel["title"].strip())
                self.assertGreater(len(panel["description"]), 15)
                self.assertIn(panel["fieldConfig"]["defaults"]["unit"], UNITS)
                self.assertTrue(panel["fieldConfig"]["defaults"]["thresholds"]["steps"])
                self.assertTrue(panel["targets"])

    def test_panels_do_not_overlap(self):
        for name, dashboard in dashboards().items():
            taken = set()
            for panel in dashboard["panels"]:
                place = panel["gridPos"]
                cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                         for y in range(place["y"], place["y"] + place["h"])}
                self.assertFalse(cells & taken, panel["title"])
                self.assertLessEqual(place["x"] + place["w"], 24)
                taken |= cells

    def test_queries_are_sound(self):
        chosen = {name: {v["name"] for v in dashboard["templating"]["list"]}
                  for name, dashboard in dashboards().items()}
        for name, panel in panels():
            for target in panel["targets"]:
                expr = target["expr"]
                with self.subTest(dashboard=name, panel=panel["title"], expr=expr):
                    used = re.findall(r"(tracecheck_\w+)(\{[^}]*\})?(\[[^]]*\])?", expr)
                    for metric, matchers, span in used:
                        if metric == "tracecheck_app_state" and not matchers:
                            continue  # the label of the same name
                        base = re.sub("_(bucket|sum|count)$", "", metric)
                        self.assertIn(base if base in METRICS else metric, METRICS)
                        kind, labels = TABLE.get(base, ("stateset", {"app", "device_model"}))
                        if kind in ("counter", "histogram"):
                            self.assertIn(span, ("[$__rate_interval]", "[$__range]", "[1d]"))
                        self.assertEqual(set(re.findall(r'(\w+)=~"\$\1"', matchers)), labels & chosen[name])
                    # They find nothing in series that appear with their final value.
                    self.assertNotRegex(expr, r"\b(rate|increase)\(")
                    # What a graph counts is of the time of a point, what a number counts of all.
                    spans = {span for span in re.findall(r"\[(\$\w+)\]", expr)}
                    self.assertLessEqual(spans, {"$__range" if target["instant"] else "$__rate_interval"})
                    # Counters are summed after the difference, not before.
                    self.assertNotRegex(expr, r"_over_time\(\s*sum|sum[^(]*\(\s*last_over_time")

    def test_rules_have_runbooks(self):
        text = (GRAFANA / "prometheus/rules/alerts.yml").read_text()
        # A rule of a user's own has none, so its alerts lead to the alert's.
        self.assertIn("{{ else }}TracecheckErrors{{ end }}.md", text)
        for name in re.findall(r"/runbooks/(\w+)\.md", text) + ["TracecheckErrors"]:
            self.assertTrue((GRAFANA / "runbooks" / f"{name}.md").is_file(), name)
        listed = json.loads(subprocess.run(
            [TOOL, "rules", "--format", "json"], capture_output=True, check=True).stdout)
        rules = listed if isinstance(listed, list) else listed["rules"]
        for rule in rules:
            page = (GRAFANA / "runbooks" / f"{rule['id']}.md").read_text()
            told = subprocess.run([TOOL, "explain", rule["id"], "--format", "markdown"],
                                  capture_output=True, text=True, check=True).stdout
            self.assertEqual(page, told)


def missing(original, again, path=""):
    """Places of the original that another document lacks or has otherwise."""
    if isinstance(original, dict):
        for key, value in original.items():
            if isinstance(again, dict) and key in again:
                yield from missing(value, again[key], f"{path}.{key}")
            elif value not in ({}, [], "", None):
                yield f"{path}.{key}"
    elif isinstance(original, list):
        if not isinstance(again, list) or len(again) != len(original):
            yield path
        else:
            for place, value in enumerate(original):
                yield from missing(value, again[place], f"{path}[{place}]")
    elif original != again:
        yield f"{path}: {original!r} became {again!r}"


@needs("promtool")
class Rules(unittest.TestCase):
    def promtool(self, *arguments):
        done = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_they_are_without_fault(self):
        self.promtool("check", "rules", "--lint=all", "--lint-fatal",
                      *sorted((GRAFANA / "prometheus/rules").glob("*.yml")))
        self.promtool("check", "config", GRAFANA / "prometheus/prometheus.yml")

    def test_each_fires_and_stays_quiet(self):
        tests = sorted((GRAFANA / "prometheus/tests").glob("*.yml"))
        self.promtool("test", "rules", *tests)
        text = (GRAFANA / "prometheus/tests/alerts.yml").read_text()
        alerts = re.findall(r"alert: (\w+)", (GRAFANA / "prometheus/rules/alerts.yml").read_text())
        self.assertGreater(len(alerts), 8)
        for alert in alerts:
            self.assertIn(f"name: {alert} fires", text)
            self.assertIn(f"name: {alert} stays quiet", text)


    def test_ages_are_of_each_source_and_zero_is_no_moment(self):
        for metric in ("last_success", "last_run"):
            panel = next(p for p in dashboards()["ci"]["panels"] if p["title"] == "Since the " + metric.replace("_", " "))
            name = f"tracecheck_{metric}_timestamp_seconds"
            test = {
                "evaluation_interval": "1m",
                "tests": [{
                    "interval": "1m",
                    "input_series": [
                        {"series": name + '{job="node",instance="never"}', "values": "0x90"},
                        {"series": name + '{job="tracecheck",instance="alive"}', "values": "0+60x90"},
                        {"series": name + '{job="tracecheck",instance="gone"}', "values": "60+60x9 _x80"},
                    ],
                    "promql_expr_test": [{
                        "expr": panel["targets"][0]["expr"], "eval_time": "90m",
                        "exp_samples": [
                            {"labels": '{job="tracecheck",instance="alive"}', "value": 0},
                            {"labels": '{job="tracecheck",instance="gone"}', "value": 4800},
                        ]}]}]}
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "ages.yml"
                path.write_text(json.dumps(test))
                self.promtool("test", "rules", path)


class TextServer:
    """Serves a file as metrics, as any web server would."""

    def __init__(self, path):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = path.read_bytes()
                self.send_response(200)
                is_open = body.endswith(b"# EOF\n")
                kind = "application/openmetrics-text; version=1.0.0" if is_open else "text/plain; version=0.0.4"
                self.send_header("Content-Type", kind + "; charset=utf-8")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@needs("prometheus", "promtool")
class Queries(Case):
    """Every query and variable, on scraped and on backfilled data."""

    def setUp(self):
        super().setUp()
        self.start = int(time.time()) // DAY * DAY - 3 * DAY
        self.end = self.start + 54 * 1800 + 3600
        past = fleet.write(self.path / "past", 54, self.start, 1800)
        (self.path / "x.om").write_text(self.metrics(past, "--timestamps"))
        subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", "x.om", "tsdb"],
                       cwd=self.path, capture_output=True, check=True)
        self.shown = self.path / "shown.om"
        self.now = self.path / "now"
        self.show(0)
        source = self.started(TextServer(self.shown))
        (self.path / "prometheus.yml").write_text(
            "global: {scrape_interval: 1s}\nscrape_configs:\n  - job_name: tracecheck\n"
            f"    static_configs: [{{targets: ['127.0.0.1:{source.port}']}}]\n")
        self.server = self.started(Prometheus(self.path, self.path / "prometheus.yml"))
        self.live = time.time()

    def show(self, round):
        """More captures, among them one that can't be read."""
        fleet.write(self.now, 27, None, 0, first_seed=27 * round)
        (self.now / f"{round}.lctrace").write_bytes(b"no capture")
        whole = self.metrics(self.now, "--format", "openmetrics", code=3)
        # A run without an unreadable capture came before.
        gauge = "# UNIT tracecheck_last_success_timestamp_seconds seconds\n"
        whole = whole.replace(gauge, f"{gauge}tracecheck_last_success_timestamp_seconds {int(time.time())}\n")
        other = self.shown.with_suffix(".new")
        other.write_text(whole)
        other.rename(self.shown)

    def resolved(self, dashboard, expression, rate="10m", span="1h"):
        """What Grafana makes of an expression: it knows the dashboard's own variables only."""
        for variable in dashboards()[dashboard]["templating"]["list"]:
            expression = expression.replace(f"\"${variable['name']}\"", '".+"')
        # What stands in for nothing would hide that there is nothing.
        expression = expression.replace(" or vector(0)", "")
        expression = expression.replace("$__rate_interval", rate).replace("$__range", span)
        self.assertNotIn("$", expression, dashboard)
        return expression

    def results(self, dashboard, panel):
        """Series of each source, by the targets of a panel."""
        for target in panel["targets"]:
            past = self.resolved(dashboard, target["expr"], "10m", f"{self.end - self.start}s")
            live = self.resolved(dashboard, target["expr"], "30s", "30s")
            if target["instant"]:
                yield target, self.server.query(live), self.server.query(past, time=self.end)
            else:
                now = time.time()
                yield (target, self.server.query_range(live, self.live, now, 1),
                       self.server.query_range(past, self.start, self.end, 300))

    STATS = {
        "Traces": ("tracecheck_traces_total", ""),
        "Clean": ("tracecheck_traces_total", 'outcome="clean"'),
        "Errors": ("tracecheck_findings_total", 'severity="error"'),
        "Warnings": ("tracecheck_findings_total", 'severity="warning"'),
        "Ends by the system": (
            "tracecheck_terminations_total",
            'cause="(?!exit|user_force_quit|unrecorded|unknown)'),
        "Lost events": ("tracecheck_lost_events_total", ""),
    }

    def expected(self, text, before=""):
        """What the stat panels must show of what came after a text of metrics."""
        def total(text, name, label):
            return sum(value for series, value in samples(text).items()
                       if series.split("{")[0] == name and re.search(label, series))

        found = {title: total(text, *what) - total(before, *what) for title, what in self.STATS.items()}
        return found | {"Clean traces": found.pop("Clean") / found["Traces"]}

    def numbers(self, span, at):
        """What the stat panels of the fleet show."""
        found = {}
        for panel in dashboards()["fleet"]["panels"]:
            if panel["type"] == "stat":
                expression = self.resolved("fleet", panel["targets"][0]["expr"], span=f"{span}s")
                answer = self.server.query(expression, time=at)
                found[panel["title"]] = float(answer[0]["value"][1]) if answer else None
        return found

    def check_numbers(self):
        first = self.shown.read_text()
        self.assertGreater(self.expected(first)["Errors"], 5)
        # Series that appeared with their final value count, though they never grew.
        self.assertEqual(self.numbers(60, time.time()), self.expected(first))
        table = next(p for p in dashboards()["fleet"]["panels"] if p["title"] == "Rules broken most")
        rows = self.server.query(self.resolved("fleet", table["targets"][0]["expr"], span="60s"))
        of_text = sum(v for s, v in samples(first).items() if s.startswith("tracecheck_findings_total{"))
        self.assertEqual(sum(float(row["value"][1]) for row in rows), of_text)
        # What comes later counts from there on.
        since = time.time()
        time.sleep(1.1)
        self.show(1)
        second = self.shown.read_text()
        traces = self.expected(second)["Traces"]
        wait_for(lambda: float(self.server.query("sum(tracecheck_traces_total)")[0]["value"][1]) == traces,
                 30, "the second scrape")
        now = time.time()
        self.assertEqual(self.numbers(int(now - since), now), self.expected(second, first))
        # Of the past, whole and in parts.
        past = self.metrics(self.path / "past")
        whole = self.numbers(self.end - self.start, self.end)
        self.assertEqual(whole, self.expected(past))
        part = (self.end - self.start) // 12
        parts = [self.numbers(part, self.start + (place + 1) * part) for place in range(12)]
        for title in ("Traces", "Errors", "Warnings", "Lost events"):
            self.assertEqual(sum(one[title] or 0 for one in parts), whole[title], title)
        # The bars of a graph, each of its own ten minutes, add up as well.
        graph = next(p for p in dashboards()["fleet"]["panels"] if p["title"] == "Findings by rule")
        bars = self.server.query_range(
            self.resolved("fleet", graph["targets"][0]["expr"]), self.start, self.end, 600)
        of_past = sum(v for s, v in samples(past).items() if s.startswith("tracecheck_findings_total{"))
        self.assertEqual(sum(float(v) for one in bars for _, v in one["values"]), of_past)

    def test_all_return_data(self):
        wait_for(lambda: self.server.query("tracecheck_build_info"), 30, "the first scrape")
        time.sleep(3)
        empty, drawn = [], []
        print(f"\n{'dashboard':10} {'panel':44} scraped backfilled")
        for name, panel in panels():
            for target, live, past in self.results(name, panel):
                needs_live = not BACKFILL_ONLY.search(target["expr"])
                needs_past = not SCRAPE_ONLY.search(target["expr"])
                print(f"{name:10} {panel['title']:44} {len(live) if needs_live else '-':>7} "
                      f"{len(past) if needs_past else '-':>10}")
                if (needs_live and not live) or (needs_past and not past):
                    empty.append(f"{name}: {panel['title']}: {target['expr']}")
                drawn.append((name, panel, target, past if needs_past else live))
        for name, dashboard in dashboards().items():
            for one in dashboard["annotations"]["list"]:
                found = self.server.query_range(
                    self.resolved(name, one["expr"]), self.start - 3600, self.end, 300)
                print(f"{name:10} {'annotation ' + one['name']:44} {'-':>7} {len(found):>10}")
                if not found:
                    empty.append(f"{name}: {one['expr']}")
                # Marks that touch become one: a version is marked once, when it is first seen.
                for series in found:
                    times = [t for t, _ in series["values"]]
                    self.assertEqual(times, list(range(int(times[0]), int(times[-1]) + 1, 300)), series["metric"])
                    self.assertLess(times[-1] - times[0], 2 * 3600)
            for variable in dashboard["templating"]["list"]:
                if variable["type"] == "query":
                    counts = [len(self.values(name, variable["query"], *window)) for window in (
                        (self.live, time.time()), (self.start, self.end))]
                    print(f"{name:10} {'variable ' + variable['name']:44} {counts[0]:>7} {counts[1]:>10}")
                    if 0 in counts:
                        empty.append(f"{name}: {variable['query']}")
        self.assertEqual(empty, [])
        exemplars = self.server.get(
            "query_exemplars", query="tracecheck_launch_duration_seconds_bucket",
            start=self.live, end=time.time())
        self.assertTrue(exemplars[0]["exemplars"][0]["labels"]["trace_id"].startswith("fleet-"))
        self.check_numbers()
        self.draw(drawn)

    def values(self, dashboard, query, start, end):
        series, label = re.fullmatch(r"label_values\((.*), (\w+)\)", query).groups()
        return self.server.get(f"label/{label}/values", start=start, end=end,
                               **{"match[]": self.resolved(dashboard, series)})

    def draw(self, drawn):
        page = self.path / "preview.html"
        page.write_text(preview.page(drawn, self.start, self.end))
        self.assertEqual(page.read_text().count("<figure"), len(drawn))
        folder = os.environ.get("TRACECHECK_PREVIEW")
        chromium = shutil.which("chromium")
        if folder:
            shutil.copy(page, folder)
        if chromium is None:
            print("no page was drawn: chromium is not installed")
            return
        picture = pathlib.Path(folder or self.path) / "preview.png"
        subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--screenshot={picture}",
                        "--window-size=1600,4600", f"file://{page}"], capture_output=True, timeout=120, check=True)
        self.assertGreater(picture.stat().st_size, 50_000)


class SettingUp(Case):
    """The README's own lines, in a folder of the test's."""

    @needs("promtool")
    def test_the_files_are_where_the_servers_look(self):
        readme = GRAFANA / "README.md"
        etc = self.path / "etc"
        for folder in ("etc/prometheus", "etc/grafana/provisioning/dashboards",
                       "etc/grafana/provisioning/datasources", "etc/default"):
            (self.path / folder).mkdir(parents=True)
        (etc / "prometheus/prometheus.yml").write_text("# mine\n")
        (etc / "default/prometheus").write_text('ARGS=""\n')
        lines = [line for line in commands(readme) if "/etc/" in line]
        self.assertGreater(len(lines), 4)
        for line in lines:
            done = subprocess.run(["sh", "-c", line.replace("/etc/", f"{etc}/")], cwd=GRAFANA,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, line + done.stderr)
        subprocess.run(["promtool", "check", "config", etc / "prometheus/prometheus.yml"],
                       check=True, capture_output=True)
        # What was there before is kept.
        kept = [p for p in (etc / "prometheus").iterdir() if p.is_file() and p.read_text() == "# mine\n"]
        self.assertEqual(len(kept), 1)
        alerts = (etc / "prometheus/rules/alerts.yml").read_text()
        self.assertNotIn("example.com", alerts)
        self.assertIn("https://YOUR.HOST/tracecheck/runbooks/", alerts)
        self.assertIn("retention.time=100y", (etc / "default/prometheus").read_text())
        provider = (etc / "grafana/provisioning/dashboards/tracecheck.yaml").read_text()
        folder = etc / re.search(r"path: /etc/(\S+)", provider)[1]
        self.assertEqual(sorted(p.stem for p in folder.glob("*.json")), NAMES)

    def test_packages_are_all_that_are_needed(self):
        line = next(one for one in commands(GRAFANA / "README.md") if one.startswith("apt-get"))
        for package in ("prometheus", "prometheus-node-exporter", "prometheus-alertmanager", "prometheus-pushgateway"):
            self.assertIn(package, line.split())


@unittest.skipUnless(openmetrics, "prometheus-client is not installed")
class Exemplars(Case):
    """From a point with a trace id to the timeline of the trace."""

    def test_a_link_leads_to_the_timeline(self):
        captures = fleet.write(self.path / "captures", 3, None, 0)
        odd = "a/b?c=d#e f%2F+é"
        self.capture("captures/odd.ndjson", trace_id=odd)
        server = serve.Server(captures)
        self.addCleanup(server.stop)
        source = (GRAFANA / "provisioning/datasources/tracecheck.yaml").read_text()
        self.assertIn("- name: trace_id\n", source)
        # In the file each dollar that isn't a variable of the environment is written twice.
        link = re.search(r"url: (http://127\.0\.0\.1:9477/\S+)", source)[1].replace("$$", "$")

        def text():
            found = server.get("/metrics", {"Accept": "application/openmetrics-text"})[1]
            return found if odd in found else None

        ids = set()
        for family in openmetrics(wait_for(text, 30, "the exemplar")):
            ids |= {sample.exemplar.labels["trace_id"] for sample in family.samples if sample.exemplar}
        self.assertIn(odd, ids)
        for one in ids:
            address = link.replace("${__value.raw:percentencode}", urllib.parse.quote(one, safe=""))
            self.assertNotIn("$", address)
            status, page, _ = server.get(urllib.parse.urlsplit(address).path)
            self.assertEqual(status, 200, address)
            self.assertIn("<title>", page)


@needs("prometheus", "prometheus-alertmanager")
class Alerting(Case):
    """An alert on its way from captures to the receiver of an Alertmanager."""

    def test_an_alert_arrives(self):
        arrived = []

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                arrived.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        # The files as they are, but for addresses and waiting times.
        manager_file = self.path / "alertmanager.yml"
        manager_file.write_text(
            (GRAFANA / "alertmanager/alertmanager.yml").read_text()
            .replace("127.0.0.1:9094", f"127.0.0.1:{receiver.server_address[1]}")
            .replace("group_wait: 30s", "group_wait: 1s"))
        manager = self.started(alert_manager(self.path, manager_file))
        shown = self.path / "shown.prom"
        captures = fleet.write(self.path / "captures", 9, None, 0)
        shown.write_text(self.metrics(captures))
        source = self.started(TextServer(shown))
        rules = (GRAFANA / "prometheus/rules/alerts.yml").read_text()
        (self.path / "alerts.yml").write_text(
            re.sub(r"for: \d+m", "for: 2s", rules).replace("interval: 1m", "interval: 1s"))
        config = (GRAFANA / "prometheus/prometheus.yml").read_text()
        (self.path / "prometheus.yml").write_text(
            config.replace("rules/*.yml", "alerts.yml").replace("scrape_interval: 1m", "scrape_interval: 1s")
            .replace("127.0.0.1:9093", f"127.0.0.1:{manager.port}")
            .replace("127.0.0.1:9100", f"127.0.0.1:{source.port}"))
        server = self.started(Prometheus(self.path, self.path / "prometheus.yml"))
        wait_for(lambda: server.query("tracecheck_build_info"), 30, "the first scrape")
        # Three more apps that are killed in the background entry.
        for place in range(4):
            life = fleet.life(None, 500 + place, "slow_entry", app_bundle_id="com.example.bad",
                              app_version="9", os_version="8.1", device_model="iPhone7,2")
            (captures / f"bad{place}.ndjson").write_text(life.text)
            shown.write_text(self.metrics(captures))
            time.sleep(1.5)

        def names():
            return {alert["labels"]["alertname"] for group in arrived for alert in group["alerts"]}

        wait_for(lambda: {"TracecheckErrors", "TracecheckKills"} <= names(), 40, "two alerts")
        alert = next(a for g in arrived for a in g["alerts"] if a["labels"]["alertname"] == "TracecheckErrors")
        self.assertEqual(alert["labels"]["rule"], "LC003")
        self.assertEqual(alert["labels"]["app"], "com.example.bad")
        self.assertTrue(alert["annotations"]["runbook_url"].endswith("/runbooks/LC003.md"))
        # What isn't wrong is silent.
        self.assertFalse(names() & {"TracecheckMissing", "TracecheckStale", "TracecheckEventsLost",
                                    "TracecheckCapturesUnreadable", "TracecheckLaunchSlow"})
        states = {a["labels"]["alertname"] for a in server.get("alerts")["alerts"]}
        self.assertEqual(states, names())


if __name__ == "__main__":
    unittest.main()
