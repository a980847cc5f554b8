"""`query`: every table and view against counts made another way, the index, what is refused, and
what it costs.

Usage: query.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import concurrent.futures
import csv
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter, defaultdict

from executable import ROOT, TOOL, beside
import gate

TABLES = ["captures", "traces", "launches", "states", "durations", "spans", "events", "findings",
          "terminations"]
VIEWS = ["launch_times", "background_runs", "slowest_background_entries", "findings_by_version",
         "kills_explained"]
EVENTS_MAX_SECONDS = 3.0
# So many draws of the reference workload become a million events.
WORKLOAD_DRAWS = 1_046_000
# A machine that does other work takes longer: the best of so many rounds counts.
ROUNDS_MAX = 5
EVENTS_MAX_MIB = 200
UPDATE_MAX_SECONDS = 1.0


def run(*arguments, status=0, cwd=None, stdin=None):
    done = subprocess.run([TOOL, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True,
                          timeout=300)
    assert done.returncode == status, (arguments, done.returncode, done.stderr.decode()[-600:])
    return done


def query(sql, *arguments, status=0, **options):
    """The rows of an answer, each as a dictionary."""
    done = run("query", "--config", "none", "--format", "json", sql, *arguments, status=status,
               **options)
    return json.loads(done.stdout)


def plain(rows):
    """Rows without the numbers that a database gives, in an order of their own."""
    kept = [{key: value for key, value in row.items()
             if key not in ("trace", "capture", "id", "version", "parts")} for row in rows]
    return sorted(kept, key=lambda row: json.dumps(row, sort_keys=True))


def samples(path):
    """Values of `metrics`, by name and labels."""
    found = {}
    for line in run("metrics", "--config", "none", path).stdout.decode().splitlines():
        match = re.match(r"(\w+)(?:\{(.*?)\})? (\S+)$", line)
        if match and not line.startswith("#"):
            labels = dict(re.findall(r'(\w+)="(.*?)"', match[2] or ""))
            found[match[1], tuple(sorted(labels.items()))] = float(match[3])
    return found


def total(found, name, label=None):
    """The sum of a metric, by the value of a label."""
    sums = Counter()
    for (metric, labels), value in found.items():
        if metric == name:
            sums[dict(labels).get(label)] += value
    return {key: value for key, value in sums.items() if value}


class Simulated(unittest.TestCase):
    """Captures made by the simulator, whole and with planted faults."""

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.path = pathlib.Path(cls.holder.name)
        cls.captures = cls.path / "captures"
        (cls.captures / "scenes").mkdir(parents=True)
        run("simulate", "--count", 25, "--seed", 3, "-o", cls.captures)
        run("simulate", "--count", 8, "--seed", 500, "--profile", "ios13", "--to", "ndjson",
            "-o", cls.captures / "scenes")
        listed = run("simulate", "--list-faults").stdout.decode()
        faults = re.findall(r"^\s*([a-z][a-z0-9-]+)\s", listed, re.M)
        assert len(faults) > 50, listed
        for name in faults[::4]:
            run("simulate", "--fault", name, "-o", cls.captures / f"{name}.lctrace")
        cls.index = cls.path / "index.db"
        cls.report = json.loads(run(
            "check", "--config", "none", "--fail-on", "never", "--report", "json",
            cls.captures).stdout)["traces"]
        query("SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM spans)", cls.captures,
              "--db", cls.index)
        cls.database = sqlite3.connect(f"file:{cls.index}?mode=ro", uri=True)
        cls.addClassCleanup(cls.database.close)
        cls.lines = {}
        for trace in cls.report:
            text = run("convert", trace["path"], "--to", "ndjson", "-o", "-").stdout
            cls.lines[trace["trace_id"]] = [json.loads(line) for line in text.splitlines()[1:]]
        assert len(cls.lines) == len(cls.report), "ids of simulated traces differ"

    def rows(self, sql):
        return query(sql, self.captures)

    def test_traces_are_those_of_the_report(self):
        shared = ["path", "trace_id", "format", "app", "app_version", "os_version", "device_model",
                  "profile", "events", "launches", "first_ns", "last_ns", "completeness", "number"]
        expected = []
        for trace in self.report:
            row = {name: trace[name] for name in shared}
            for name in ("error", "warning", "note"):
                row[name + "s"] = sum(item["severity"] == name for item in trace["findings"])
            expected.append(row)
        names = ", ".join([*shared, "errors", "warnings", "notes"])
        self.assertEqual(plain(self.rows(f"SELECT {names} FROM traces")), plain(expected))

    def test_findings_are_those_of_the_report(self):
        names = ["rule", "slug", "severity", "reason", "message", "time_ns", "last_time_ns",
                 "thread", "launch", "count", "subject", "fingerprint", "confidence"]
        expected = [
            {"trace_id": trace["trace_id"], **{name: item[name] for name in names},
             "witness": json.dumps([event["index"] for event in item["witness"]],
                                   separators=(",", ":"))}
            for trace in self.report for item in trace["findings"]]
        self.assertGreater(len(expected), 15)
        found = self.rows(f"SELECT trace_id, {', '.join(names)}, witness FROM findings")
        self.assertEqual(plain(found), plain(expected))

    def test_events_are_those_of_the_captures(self):
        found = defaultdict(list)
        for row in self.rows(
                "SELECT t.trace_id, e.* FROM events e JOIN traces t USING (trace) ORDER BY e.id"):
            found[row["trace_id"]].append(row)
        self.assertEqual({name for name, lines in self.lines.items() if lines}, set(found))
        for name, rows in found.items():
            lines = self.lines[name]
            self.assertEqual([row["ordinal"] for row in rows], list(range(len(lines))))
            for row, line in zip(rows, lines):
                self.assertEqual(
                    (row["time_ns"], row["event"], row["phase"], row["thread"],
                     json.loads(row["args"] or "{}")),
                    (line["t_ns"], line["event"], line.get("phase", "instant"),
                     line.get("thread", 1), line.get("args", {})))
                self.assertEqual(row["id"], (row["trace"] << 32) + row["ordinal"])

    def test_times_on_the_wall_follow_the_anchors(self):
        anchors = {}
        for name, lines in self.lines.items():
            for line in lines:
                wall = line.get("args", {}).get("wall_ns")
                if wall is not None and name not in anchors:
                    anchors[name] = wall - line["t_ns"]
        rows = self.rows(
            "SELECT t.trace_id, count(*) n, count(e.wall_ns) known, min(e.wall_ns - e.time_ns) low"
            " FROM events e JOIN traces t USING (trace) GROUP BY 1")
        for row in rows:
            if row["trace_id"] in anchors:
                self.assertEqual(row["known"], row["n"])
                self.assertLessEqual(row["low"], anchors[row["trace_id"]])
            else:
                self.assertEqual(row["known"], 0)

    def test_launches_are_the_starts_of_processes(self):
        counts = {row["trace_id"]: row["n"] for row in self.rows(
            "SELECT trace_id, count(launch) n FROM traces LEFT JOIN launches USING (trace)"
            " GROUP BY 1")}
        self.assertEqual(counts, {trace["trace_id"]: trace["launches"] for trace in self.report})
        found = defaultdict(list)
        for row in self.rows(
                "SELECT t.trace_id, l.* FROM launches l JOIN traces t USING (trace)"
                " WHERE NOT is_mid_life AND reason <> 'prewarm' ORDER BY trace, launch"):
            found[row["trace_id"]].append(row)
            self.assertLessEqual(row["start_ns"], row["end_ns"])
        self.assertGreater(len(found), 20)
        for name, rows in found.items():
            starts = [line for line in self.lines[name] if line["event"] == "proc.start"
                      and line["args"].get("reason") != "prewarm"]
            self.assertTrue({row["start_ns"] for row in rows}
                            <= {line["t_ns"] for line in starts}, name)
            pids = {line["args"].get("pid") for line in starts}
            self.assertTrue({row["pid"] for row in rows} <= pids, name)

    def test_states_and_durations_are_those_of_the_metrics(self):
        found = samples(self.captures)
        seconds = total(found, "tracecheck_state_seconds_total", "state")
        states = {row["state"]: row for row in self.rows(
            "SELECT state, sum(duration_ns) / 1e9 s, sum(end_ns - start_ns - duration_ns) d"
            " FROM states WHERE state <> 'not_running' GROUP BY 1")}
        self.assertGreater(len(states), 6)
        for state in set(seconds) | set(states):
            self.assertAlmostEqual(seconds.get(state, 0), states[state]["s"], delta=0.01)
            self.assertEqual(states[state]["d"], 0)
        names = {"launch": "launch_duration", "enter_background": "enter_background_duration",
                 "background_task": "background_task_duration", "background_run": "background_run",
                 "suspend_latency": "suspend_latency", "terminate": "terminate_duration"}
        measured = {row["duration"]: row for row in self.rows(
            "SELECT duration, count(*) n, sum(duration_ns) / 1e9 s FROM durations GROUP BY 1")}
        for word, name in names.items():
            row = measured.get(word, {"n": 0, "s": 0})
            name = f"tracecheck_{name}_seconds"
            self.assertEqual(sum(total(found, name + "_count").values()), row["n"], word)
            self.assertAlmostEqual(sum(total(found, name + "_sum").values()), row["s"], delta=0.01)
        self.assertGreaterEqual(len(measured), 4)

    def test_states_have_no_gaps(self):
        rows = self.rows("SELECT trace, interval, start_ns, end_ns FROM states ORDER BY 1, 2")
        for before, row in zip(rows, rows[1:]):
            if before["trace"] == row["trace"] and row["start_ns"] >= before["start_ns"]:
                self.assertGreaterEqual(row["start_ns"], before["end_ns"])

    def test_terminations_are_those_of_the_metrics_and_the_events(self):
        causes = {row["cause"]: row["n"] for row in self.rows(
            "SELECT cause, sum(count) n FROM terminations GROUP BY 1")}
        self.assertEqual(causes, total(samples(self.captures), "tracecheck_terminations_total",
                                       "cause"))
        kills = sum(line["event"] == "proc.kill" for lines in self.lines.values() for line in lines)
        self.assertGreater(kills, 3)
        rows = self.rows("SELECT count(*) n FROM terminations WHERE kind = 'kill'")
        self.assertEqual(rows[0]["n"], kills)
        told = [row["explanation"] for row in self.rows(
            "SELECT explanation FROM terminations WHERE explanation IS NOT NULL")]
        words = " ".join(run("why", "--config", "none", self.captures).stdout.decode().split())
        for text in told:
            self.assertIn(" ".join(text.split()), words)
        self.assertGreater(len(told), 3)

    def test_spans_of_threads_are_pairs_of_events(self):
        pairs = Counter()
        for name, lines in self.lines.items():
            open_spans = defaultdict(list)
            for line in sorted(lines, key=lambda line: line["t_ns"]):
                stack = open_spans[line.get("thread", 1)]
                phase = line.get("phase")
                if line["event"] in ("proc.start", "proc.kill", "proc.exit"):
                    open_spans.clear()
                elif phase == "enter" and line["event"].startswith("delegate."):
                    stack.append(line)
                elif phase == "return" and stack and stack[-1]["event"] == line["event"]:
                    start = stack.pop()
                    pairs[name, line["event"], start["t_ns"], line["t_ns"]] += 1
        found = Counter(
            (row["trace_id"], row["name"], row["start_ns"], row["end_ns"]) for row in self.rows(
                "SELECT t.trace_id, s.* FROM spans s JOIN traces t USING (trace)"
                " WHERE lane = 'threads' AND NOT is_cut AND name LIKE 'delegate.%'"))
        self.assertGreater(len(found), 100)
        self.assertEqual(found, pairs)

    def test_spans_of_tasks_are_begins_and_ends(self):
        begins = Counter((name, line["t_ns"]) for name, lines in self.lines.items()
                         for line in lines if line["event"] == "bgtask.begin"
                         and line["args"].get("is_invalid") is not True)
        found = Counter((row["trace_id"], row["start_ns"]) for row in self.rows(
            "SELECT trace_id, start_ns FROM spans JOIN traces USING (trace) WHERE lane = 'tasks'"))
        self.assertGreater(len(found), 5)
        self.assertEqual(found, begins)
        rows = self.rows("SELECT count(*) n FROM spans WHERE end_ns - start_ns <> duration_ns")
        self.assertEqual(rows[0]["n"], 0)

    def test_views_answer_what_their_tables_hold(self):
        tables = {name: self.rows(f"SELECT * FROM {name}") for name in
                  ("traces", "launches", "durations", "findings", "terminations")}
        traces = {row["trace"]: row for row in tables["traces"]}
        whose = lambda row: {
            **{name: traces[row["trace"]][name] for name in
               ("app", "app_version", "os_version", "device_model", "trace_id")},
            "launch": row["launch"]}
        times = [{**whose(row), **{name: row[name] for name in
                                   ("start_ns", "goes_into", "reason", "launch_ns")}}
                 for row in tables["launches"] if row["launch_ns"] is not None]
        self.assertEqual(plain(self.rows("SELECT * FROM launch_times")), plain(times))
        measured = [row for row in tables["durations"] if row["duration"] == "launch"]
        self.assertEqual(sorted(row["launch_ns"] for row in times),
                         sorted(row["duration_ns"] for row in measured))
        of = lambda word: [row for row in tables["durations"] if row["duration"] == word]
        runs = [{**whose(row), "end_ns": row["end_ns"], "run_ns": row["duration_ns"]}
                for row in of("background_run")]
        found = self.rows("SELECT * FROM background_runs")
        self.assertGreater(sum(row["state_after"] == "suspended" for row in found), 3)
        self.assertNotIn("not_running", {row["state_after"] for row in found})
        for row in found:
            del row["state_after"]
        self.assertEqual(plain(found), plain(runs))
        entries = self.rows("SELECT * FROM slowest_background_entries")
        lengths = [row["entry_ns"] for row in entries]
        self.assertEqual(lengths, sorted(lengths, reverse=True))
        self.assertEqual(plain(entries), plain(
            [{**whose(row), "end_ns": row["end_ns"], "entry_ns": row["duration_ns"]}
             for row in of("enter_background")]))
        versions = defaultdict(list)
        for row in tables["findings"]:
            trace = traces[row["trace"]]
            versions[trace["app"], trace["app_version"], row["rule"], row["slug"],
                     row["severity"]].append(row)
        population = Counter((row["app"], row["app_version"]) for row in traces.values())
        self.assertEqual(plain(self.rows("SELECT * FROM findings_by_version")), plain([
            {"app": key[0], "app_version": key[1], "rule": key[2], "slug": key[3],
             "severity": key[4], "findings": len(rows),
             "occurrences": sum(row["count"] for row in rows),
             "traces": len({row["trace"] for row in rows}), "traces_of_version": population[key[:2]]}
            for key, rows in versions.items()]))
        kills = [{**whose(row), **{name: row[name] for name in (
            "time_ns", "wall_ns", "cause", "count", "state", "rule", "meaning", "explanation")}}
            for row in tables["terminations"]
            if row["cause"] not in ("exit", "exit_after_will_terminate", "unrecorded")]
        self.assertEqual(plain(self.rows("SELECT * FROM kills_explained")), plain(kills))
        self.assertGreater(sum(row["rule"] is not None for row in kills), 1)

    def test_the_index_holds_the_same_as_a_call_without_one(self):
        for name in [*TABLES, *VIEWS]:
            direct = self.rows(f"SELECT * FROM {name}")
            self.assertTrue(direct, name)
            kept = query(f"SELECT * FROM {name}", self.captures, "--db", self.index)
            self.assertEqual(plain(direct), plain(kept), name)
            asked = query(f"SELECT * FROM {name}", "--db", self.index)
            self.assertEqual(plain(asked), plain(kept), name)
            cursor = self.database.execute(f"SELECT * FROM {name}")
            names = [column[0] for column in cursor.description]
            self.assertEqual([dict(zip(names, row)) for row in cursor], asked, name)

    def test_no_table_is_missed(self):
        """What a question reads is there, however it is spelled: the index, which has every table,
        gives the same answer to another program."""
        for sql in (
                "SELECT count(*) n FROM EVENTS", 'SELECT count(*) n FROM "Events"',
                "SELECT count(*) n FROM [eVents]", "SELECT count(event) n FROM `EVENTS`",
                "SELECT count(*) n FROM traces t JOIN spans USING (trace)",
                "SELECT count(*) n FROM traces NATURAL JOIN (SELECT trace FROM Spans)",
                "SELECT count(*) n FROM (SELECT trace FROM traces) NATURAL JOIN events",
                "SELECT max(n) n FROM (SELECT count(*) n FROM traces JOIN spans USING (trace)"
                " GROUP BY traces.trace)",
                "WITH s AS (SELECT * FROM Spans)"
                " SELECT count(*) n FROM s JOIN TRACES USING (trace)",
                "SELECT count(*) n FROM traces WHERE EXISTS (SELECT 1 FROM EVENTS)",
                "SELECT count(*) n FROM LAUNCH_TIMES JOIN spans USING (trace)",
                "SELECT count(*) n FROM Findings_By_Version, (SELECT 1 FROM Events LIMIT 1)"):
            expected = self.database.execute(sql).fetchone()[0]
            self.assertGreater(expected, 0, sql)
            self.assertEqual(self.rows(sql), [{"n": expected}], sql)

    def test_the_questions_of_the_documentation(self):
        page = (ROOT / "Sources/TraceQuery/TraceQuery.docc/TraceQuery.md").read_text()
        questions = re.findall(r"^```sql\n(.*?)^```", page, re.M | re.S)
        self.assertTrue(any("json_each" in sql for sql in questions))
        for sql in questions:
            found = self.rows(sql)
            self.assertTrue(found, sql)
            self.assertEqual(len(found), len(self.database.execute(sql).fetchall()), sql)
            if "json_each" in sql:
                proofs = self.rows("SELECT witness FROM findings")
                self.assertEqual(len(found), sum(len(json.loads(row["witness"])) for row in proofs))

    def test_every_column_is_described_and_filled(self):
        schema = run("query", "--schema").stdout.decode()
        parts = re.findall(r"^(table|view) (\w+): .+\n((?:  .+\n)+)", schema, re.M)
        self.assertEqual([name for kind, name, _ in parts if kind == "table"], TABLES)
        self.assertEqual([name for kind, name, _ in parts if kind == "view"], VIEWS)
        for _, name, lines in parts:
            listed = re.findall(r"^  (\w+) ", lines, re.M)
            row = self.rows(f"SELECT * FROM {name} LIMIT 1")[0]
            self.assertEqual(list(row), listed)

    def test_the_forms_of_an_answer_agree(self):
        sql = ("SELECT trace_id, rule, reason, time_ns, count * 0.25 AS q, message, x'00ff' AS b"
               " FROM findings ORDER BY trace_id, finding")
        rows = self.rows(sql)
        lines = run("query", "--config", "none", "--format", "jsonl", sql, self.captures).stdout
        self.assertEqual([json.loads(line) for line in lines.splitlines()], rows)
        text = run("query", "--config", "none", "--format", "csv", sql, self.captures).stdout
        found = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
        self.assertEqual(found, [
            {name: "" if value is None else str(value) for name, value in row.items()}
            for row in rows])
        table = run("query", "--config", "none", sql, self.captures).stdout.decode().splitlines()
        self.assertEqual(len(table), len(rows) + 2)
        self.assertEqual(table[0].split(), list(rows[0]))
        self.assertTrue(all(row["b"] == "00ff" for row in rows))


class Index(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.captures = self.path / "captures"
        self.captures.mkdir()
        self.index = self.path / "index.db"
        for number in range(4):
            self.write(number)
        (self.captures / "README.md").write_text("no capture\n")

    def write(self, number, **options):
        (self.captures / f"{number}.ndjson").write_text(gate.capture(
            start=number * 1_000, pid=number, app=f"com.example.a{number}", **options))

    def ask(self, sql, *arguments, **options):
        return query(sql, *(arguments or (self.captures,)), "--db", self.index, **options)

    def digest(self):
        return hashlib.sha256(self.index.read_bytes()).hexdigest()

    def agree(self):
        """What the index says is what a call without one says."""
        for name in TABLES:
            sql = f"SELECT * FROM {name}"
            self.assertEqual(plain(self.ask(sql)), plain(query(sql, self.captures)), name)

    def test_only_what_has_changed_is_read(self):
        self.agree()
        time.sleep(0.2)
        self.agree()
        before = self.digest()
        numbers = self.ask("SELECT app, trace FROM traces ORDER BY 1")
        self.assertEqual(self.digest(), before)
        self.write(2, double_end=True)
        self.agree()
        after = self.ask("SELECT app, trace FROM traces ORDER BY 1")
        self.assertEqual([a["app"] for a, b in zip(numbers, after) if a != b], ["com.example.a2"])
        rules = self.ask("SELECT DISTINCT app FROM findings JOIN traces USING (trace)"
                         " WHERE rule = 'LC001'")
        self.assertEqual(rules, [{"app": "com.example.a2"}])

    def test_what_is_gone_is_forgotten_and_what_is_new_is_read(self):
        self.agree()
        (self.captures / "1.ndjson").unlink()
        self.write(7)
        self.agree()
        for name in TABLES[2:]:
            rows = self.ask(f"SELECT count(*) n FROM {name} WHERE trace NOT IN"
                            " (SELECT trace FROM traces)")
            self.assertEqual(rows, [{"n": 0}], name)

    def test_a_change_that_keeps_size_and_time_is_seen(self):
        self.agree()
        path = self.captures / "0.ndjson"
        before, text = path.stat(), path.read_text()
        path.write_text(text.replace("a0", "b0"))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual(path.stat().st_size, before.st_size)
        self.agree()
        self.assertIn({"app": "com.example.b0"}, self.ask("SELECT app FROM traces"))

    def test_copies_are_read_once(self):
        shutil.copy(self.captures / "0.ndjson", self.captures / "a-copy.ndjson")
        run("convert", self.captures / "3.ndjson", "-o", self.captures / "3.lctrace")
        report = json.loads(run("check", "--config", "none", "--report", "json", "--fail-on",
                                "never", self.captures).stdout)
        expected = {(item["path"], item["copy_of"]) for item in report["copies"]}
        self.assertEqual(len(expected), 2)
        for _ in range(2):
            rows = self.ask("SELECT path, copy_of FROM captures WHERE status = 'copy'")
            self.assertEqual({(row["path"], row["copy_of"]) for row in rows}, expected)
            self.agree()
        (self.captures / "0.ndjson").unlink()
        (self.captures / "3.lctrace").unlink()
        self.agree()
        self.assertEqual(self.ask("SELECT count(*) n FROM traces"), [{"n": 4}])
        self.assertEqual(self.ask("SELECT count(*) n FROM events WHERE trace NOT IN"
                                  " (SELECT trace FROM traces)"), [{"n": 0}])

    def test_the_original_of_copies_is_the_first_of_the_call(self):
        """Whatever the index was asked before."""
        first, copy = self.captures / "0.ndjson", self.captures / "a-copy.ndjson"
        shutil.copy(first, copy)
        sql = "SELECT path, copy_of FROM captures ORDER BY 1"
        for inputs in ((copy,), (first, copy), (copy, first), (first, copy), (self.captures,)):
            self.assertEqual(self.ask(sql, *inputs), query(sql, *inputs), inputs)
        before = self.digest()
        self.ask(sql, self.captures)
        self.assertEqual(self.digest(), before)

    def test_equal_events_of_two_versions_are_two_traces(self):
        text = (self.captures / "0.ndjson").read_text()
        (self.captures / "9.ndjson").write_text(
            text.replace('"app_version": "1.0"', '"app_version": "2.0"'))
        report = json.loads(run("check", "--config", "none", "--report", "json", "--fail-on",
                                "never", self.captures).stdout)
        self.assertNotIn("copies", {key for key, value in report.items() if value})
        rows = self.ask("SELECT app_version FROM traces JOIN captures USING (path)"
                        " WHERE path LIKE '%/0.ndjson' OR path LIKE '%/9.ndjson' ORDER BY 1")
        self.assertEqual([row["app_version"] for row in rows], ["1.0", "2.0"])
        self.agree()

    def test_events_are_read_when_a_question_names_them(self):
        self.ask("SELECT count(*) FROM traces")
        with sqlite3.connect(self.index) as database:
            self.assertEqual(database.execute("SELECT count(*) FROM events").fetchone(), (0,))
        done = run("query", "SELECT count(*) FROM events", "--db", self.index, status=2)
        self.assertIn(b"name the captures too", done.stderr)
        for sql in ("SELECT count(*) FROM EVENTS", "SELECT 1 FROM traces JOIN spans USING (trace)",
                    "SELECT 1 FROM traces NATURAL JOIN events"):
            done = run("query", sql, "--db", self.index, status=2)
            self.assertIn(b"name the captures too", done.stderr, sql)
        self.assertGreater(self.ask("SELECT count(*) n FROM events")[0]["n"], 40)
        self.assertGreater(query("SELECT count(*) n FROM events", "--db", self.index)[0]["n"], 40)

    def test_other_rules_have_all_judged_again(self):
        sql = "SELECT count(*) n FROM findings"
        self.write(1, slow_entry=True)
        whole = self.ask(sql)[0]["n"]
        self.assertGreater(whole, 0)
        none = self.ask(sql, self.captures, "--only", "LC851")
        self.assertLess(none[0]["n"], whole)
        self.assertEqual(self.ask(sql)[0]["n"], whole)
        done = run("query", sql, "--db", self.index, "--only", "LC003", status=2)
        self.assertIn(b"name them too", done.stderr)

    def test_databases_of_others_are_left_alone(self):
        other = self.path / "other.db"
        with sqlite3.connect(other) as database:
            database.execute("CREATE TABLE traces (x)")
        later = self.path / "later.db"
        self.ask("SELECT 1")
        shutil.copy(self.index, later)
        with sqlite3.connect(later) as database:
            database.execute("PRAGMA user_version = 99")
        text = self.path / "notes.txt"
        text.write_text("notes that are worth keeping\n" * 9)
        for path, words in ((other, "database of another program"), (later, "another version"),
                            (text, "is no index"), (self.captures, "can't be opened")):
            before = path.read_bytes() if path.is_file() else None
            done = run("query", "SELECT 1", self.captures, "--db", path, status=2)
            self.assertIn(words, done.stderr.decode())
            if before is not None:
                self.assertEqual(path.read_bytes(), before)
        done = run("query", "SELECT 1", self.captures / "0.ndjson", "--db",
                   self.captures / "0.ndjson", status=2)
        self.assertIn("also the input", done.stderr.decode())
        missing = self.path / "missing.db"
        done = run("query", "SELECT 1", "--db", missing, status=2)
        self.assertIn("no index", done.stderr.decode())
        self.assertFalse(missing.exists())

    def test_an_index_in_use_is_told(self):
        self.ask("SELECT 1")
        self.write(9)
        database = sqlite3.connect(self.index, isolation_level=None)
        self.addCleanup(database.close)
        database.execute("BEGIN IMMEDIATE")
        done = run("query", "SELECT 1", self.captures, "--db", self.index, status=2)
        self.assertIn("another process is using the index", done.stderr.decode())
        database.execute("ROLLBACK")
        self.assertEqual(self.ask("SELECT count(*) n FROM traces"), [{"n": 5}])

    def start(self, *arguments):
        process = subprocess.Popen(
            [TOOL, "query", "--config", "none", "--format", "json", *map(str, arguments), "--db",
             self.index], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def interrupt(self, name, *arguments):
        """Interrupts a call while it writes, which takes long because of one large capture."""
        journal = pathlib.Path(f"{self.index}-journal")
        for count in (400_000, 1_600_000, 6_400_000):
            with open(self.captures / name, "w") as file:
                file.write(gate.capture().split("\n", 1)[0] + "\n")
                for number in range(count):
                    file.write('{"t_ns":%d,"event":"work.sample"}\n' % (1_000 * number))
            process = self.start("SELECT count(*) n FROM traces", self.captures, *arguments)
            while process.poll() is None and not journal.exists():
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            if process.wait(timeout=120) == -signal.SIGINT:
                return
            # The machine was faster than this program.
            self.index.unlink()
            if arguments:
                (self.captures / name).unlink()
                self.ask("SELECT 1")
        self.fail("no call could be interrupted")

    def test_an_interrupt_takes_nothing_away(self):
        sql = "SELECT app FROM traces ORDER BY 1"
        before = self.ask(sql)
        self.assertEqual(len(before), 4)
        self.interrupt("0-large.ndjson", "--only", "LC003")
        self.assertEqual(query(sql, "--db", self.index), before)

    def test_an_interrupted_first_call_is_told(self):
        sql = "SELECT count(*) n FROM traces"
        self.interrupt("large.ndjson")
        done = run("query", sql, "--db", self.index, status=3)
        self.assertIn(b"the index is unfinished", done.stderr)
        (self.captures / "large.ndjson").unlink()
        self.assertEqual(self.ask(sql), [{"n": 4}])
        done = run("query", sql, "--db", self.index)
        self.assertEqual(done.stderr, b"")
        self.agree()

    def test_what_cannot_be_looked_at_keeps_only_what_is_below_it(self):
        sql = "SELECT count(*) n FROM traces"
        folder = self.captures / "folder"
        folder.mkdir()
        (self.captures / "3.ndjson").rename(folder / "3.ndjson")
        self.assertEqual(self.ask(sql), [{"n": 4}])
        (self.captures / "0.ndjson").unlink()
        (self.captures / "1.ndjson").unlink()
        (self.captures / "1.ndjson").symlink_to("nowhere")
        self.assertEqual(self.ask(sql, status=3), [{"n": 2}])
        if os.geteuid() == 0:
            return
        self.addCleanup(folder.chmod, 0o700)
        folder.chmod(0)
        (self.captures / "2.ndjson").unlink()
        rows = self.ask("SELECT path FROM traces", status=3)
        self.assertEqual(rows, [{"path": str(folder / "3.ndjson")}])

    def test_a_call_that_was_killed_does_no_harm(self):
        before = self.ask("SELECT app FROM traces ORDER BY 1")
        # A cache of nothing has pages written before the end of the transaction.
        subprocess.run([sys.executable, "-c", """
import os, signal, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN")
for name in sys.argv[2:]:
    database.execute(f"DELETE FROM {name}")
os.kill(os.getpid(), signal.SIGKILL)
""", self.index, *TABLES], check=False)
        self.assertGreater(pathlib.Path(f"{self.index}-journal").stat().st_size, 0)
        with self.assertRaisesRegex(sqlite3.OperationalError, "readonly"):
            database = sqlite3.connect(f"file:{self.index}?mode=ro", uri=True)
            self.addCleanup(database.close)
            database.execute("SELECT count(*) FROM traces")
        self.assertEqual(query("SELECT app FROM traces ORDER BY 1", "--db", self.index), before)

    def test_calls_at_the_same_time_answer_about_their_own_captures(self):
        other = self.path / "other"
        other.mkdir()
        shutil.copy(self.captures / "0.ndjson", other)
        answered = 0
        for _ in range(8):
            calls = [(self.start("SELECT count(*) n FROM traces", folder), count)
                     for folder, count in ((self.captures, 4), (other, 1), (self.captures, 4))]
            for process, count in calls:
                out, errors = process.communicate(timeout=120)
                if process.returncode == 0:
                    self.assertEqual(json.loads(out), [{"n": count}])
                    answered += 1
                else:
                    self.assertRegex(errors, b"another process is using the index|other calls put")
        self.assertGreater(answered, 8)

    def test_who_reads_is_waited_for(self):
        self.ask("SELECT 1")
        database = sqlite3.connect(self.index, isolation_level=None)
        self.addCleanup(database.close)
        database.execute("BEGIN")
        database.execute("SELECT count(*) FROM captures").fetchone()
        self.write(9)
        process = self.start("SELECT count(*) n FROM traces", self.captures)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=3)
        database.execute("ROLLBACK")
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(json.loads(out), [{"n": 5}])

    def change(self, sql):
        database = sqlite3.connect(self.index, isolation_level=None)
        database.execute(sql)
        database.close()

    def test_values_that_no_index_holds_are_told(self):
        for change in ("parts = 'x'", "rank = 'x'", "status = 'odd'", "capture_of"):
            self.index.unlink(missing_ok=True)
            self.ask("SELECT 1")
            if change == "capture_of":
                self.change("ALTER TABLE captures RENAME COLUMN copy_of TO capture_of")
            else:
                self.change(f"UPDATE captures SET {change}")
            for arguments in ((), (self.captures,)):
                done = run("query", "SELECT 1", *arguments, "--db", self.index, status=2)
                self.assertRegex(done.stderr, b"is damaged|no such column: copy_of")

    def test_what_an_index_says_does_not_move_the_cursor(self):
        self.ask("SELECT 1")
        self.change("UPDATE captures SET problems = 'one' || char(27) || '[2Jtwo' || char(10, 155)")
        done = run("query", "SELECT 1", "--db", self.index)
        self.assertIn(b"one\\u{1B}[2Jtwo\n\\u{9B}\n", done.stderr)
        self.assertNotIn(b"\x1b", done.stderr)

    def test_what_is_damaged_is_told_again(self):
        (self.captures / "broken.lctrace").write_bytes(b"nonsense" * 9)
        text = (self.captures / "0.ndjson").read_text().splitlines()
        text.insert(5, "{nonsense")
        (self.captures / "0.ndjson").write_text("\n".join(text) + "\n")
        errors = []
        for arguments in ((self.captures,), (self.captures,), ()):
            done = run("query", "SELECT count(*) FROM traces", *arguments, "--db", self.index,
                       status=3)
            self.assertIn(b"4", done.stdout)
            errors.append(done.stderr)
        self.assertIn(b"broken.lctrace", errors[0])
        self.assertIn(b"0.ndjson:6:", errors[0])
        self.assertEqual(len(set(errors)), 1, errors)
        # A capture that is damaged later stands at its place among the lines nevertheless.
        shutil.copy(self.captures / "0.ndjson", self.captures / "00.ndjson")
        for number in ("1", "00", "3"):
            path = self.captures / f"{number}.ndjson"
            path.write_text(path.read_text() + "{nonsense\n")
            said = [run("query", "SELECT 1", self.captures, *index, status=3).stderr
                    for index in (("--db", self.index), ())]
            self.assertEqual(said[0], said[1])
        for number in ("1", "3"):
            self.write(int(number))
        (self.captures / "00.ndjson").unlink()
        run("query", "SELECT 1", self.captures, "--db", self.index, "--allow-damaged")
        self.assertEqual(
            query("SELECT status, count(*) n FROM captures GROUP BY 1 ORDER BY 1", self.captures,
                  status=3),
            [{"status": "damaged", "n": 1}, {"status": "passed_over", "n": 1},
             {"status": "read", "n": 3}, {"status": "unreadable", "n": 1}])


class Asking(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.capture = self.path / "a.ndjson"
        self.capture.write_text(gate.capture(slow_entry=True))

    def test_mistakes_in_sql_are_found_first(self):
        for sql, words in (
                ("SELECT lunch FROM launches", "no such column: lunch"), ("SELEC 1", "syntax error"),
                ("SELECT 1; SELECT 2", "second statement"), ("", "there is no SQL"),
                ("DELETE FROM traces", "isn't allowed"), ("ATTACH 'x' AS y", "isn't allowed"),
                ("SELECT load_extension('x')", "isn't allowed"),
                ("SELECT fts3_tokenizer('simple')", "isn't allowed"),
                ("SELECT * FROM pragma_table_info('traces')", "isn't allowed"),
                ("UPDATE sqlite_master SET name = 'x'", "may not be modified"),
                ("SELECT ?", "parameters")):
            done = run("query", sql, self.path / "missing.ndjson", status=2)
            self.assertIn(words, done.stderr.decode())
            self.assertEqual(done.stdout, b"")
            self.assertNotIn(b"missing.ndjson", done.stderr)

    def test_mistakes_while_answering_are_told(self):
        done = run("query", "SELECT json_extract('{', '$.a')", self.capture, status=2)
        self.assertIn("malformed JSON", done.stderr.decode())
        done = run("query", "SELECT zeroblob(100000000)", self.capture, status=2)
        self.assertIn("too big", done.stderr.decode())

    def test_sql_comes_from_files_too(self):
        path = self.path / "q.sql"
        path.write_text("-- how many?\nSELECT count(*) AS n\nFROM traces;\n")
        asked = ("query", "--format", "csv", "-f")
        self.assertEqual(run(*asked, path, self.capture).stdout, b"n\r\n1\r\n")
        self.assertEqual(run(*asked, "-", self.capture, stdin=path.read_bytes()).stdout,
                         b"n\r\n1\r\n")
        again = run(*asked, "-", "-", stdin=path.read_bytes(), status=2)
        self.assertIn(b"only once", again.stderr)
        path.write_bytes(b"SELECT '\xff'")
        self.assertIn(b"UTF-8", run(*asked, path, self.capture, status=2).stderr)
        path.write_bytes(b" " * (1 << 20) + b"SELECT 1")
        self.assertIn(b"longer than", run(*asked, path, self.capture, status=2).stderr)

    def test_standard_input_is_a_capture(self):
        done = run("query", "--format", "jsonl", "SELECT path, events FROM traces", "-",
                   stdin=self.capture.read_bytes())
        self.assertEqual(json.loads(done.stdout)["path"], "-")
        done = run("query", "SELECT 1", "-", "--db", self.path / "x.db", status=2,
                   stdin=self.capture.read_bytes())
        self.assertIn(b"index of files", done.stderr)

    def test_inputs_and_rules_are_those_of_check(self):
        sql = "SELECT rule FROM findings ORDER BY 1"
        self.assertIn({"rule": "LC003"}, query(sql, self.capture))
        self.assertNotIn({"rule": "LC003"}, query(sql, self.capture, "--threshold", "LC003=8s"))
        self.assertEqual(query(sql, self.capture, "--only", "LC003"), [{"rule": "LC003"}])
        listed = self.path / "list.txt"
        listed.write_text(f"{self.capture}\n")
        self.assertEqual(query("SELECT count(*) n FROM traces", "--files-from", listed),
                         [{"n": 1}])
        empty = self.path / "empty"
        empty.mkdir()
        self.assertEqual(query("SELECT count(*) n FROM traces", empty, status=3), [{"n": 0}])
        self.assertIn(b"nothing to ask about", run("query", "SELECT 1", status=2).stderr)
        self.assertIn(b"no question", run("query", status=2).stderr)

    def test_an_interrupt_ends_a_long_question(self):
        endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
        process = subprocess.Popen([TOOL, "query", endless, self.capture], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        # The signal is caught before the first capture is opened, and the answer never comes.
        deadline = time.monotonic() + 30
        caught = f"/proc/{process.pid}/status"
        while time.monotonic() < deadline:
            mask = re.search(r"SigCgt:\s*(\w+)", pathlib.Path(caught).read_text())
            if int(mask[1], 16) & (1 << (signal.SIGINT - 1)):
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), -signal.SIGINT)

    def test_the_reader_may_leave(self):
        sql = ("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
               " SELECT x FROM n LIMIT 100000000")
        process = subprocess.Popen([TOOL, "query", "--format", "csv", sql, self.capture],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.read(6), b"x\r\n1\r\n")
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()


class Explanations(unittest.TestCase):
    """Why an app ended is told the same by `check --measures` as by `query` and `why`."""

    def test_every_fault(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            listed = run("simulate", "--list-faults").stdout.decode()
            faults = re.findall(r"^\s*([a-z][a-z0-9-]+)\s", listed, re.M)
            self.assertGreater(len(faults), 100)

            def plant(fault):
                run("simulate", "--fault", fault, "-o", folder / f"{fault}.lctrace")
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                list(pool.map(plant, faults))
            report = json.loads(run(
                "check", "--config", "none", "--fail-on", "never", "--report", "json",
                "--measures", folder).stdout)["traces"]
            measured = [
                (trace["path"], end["launch"], end["time_ns"], end["cause"], end["rule"])
                for trace in report for end in trace["measures"]["terminations"]]
            asked = query(
                "SELECT path, launch, time_ns, cause, rule FROM terminations"
                " JOIN traces USING (trace)", folder)
            self.assertGreater(sum(end[4] is not None for end in measured), 10)
            self.assertEqual(sorted(measured, key=str),
                             sorted((tuple(row.values()) for row in asked), key=str))


class Cost(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.path = pathlib.Path(holder.name)

    def measured(self, *arguments):
        done = subprocess.run(
            ["/usr/bin/time", "-f", "%U %M", TOOL, *map(str, arguments)], capture_output=True,
            text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr[-500:])
        user, peak = done.stderr.strip().splitlines()[-1].split()
        return done.stdout, float(user), int(peak) / 1024

    def test_a_million_events(self):
        source, capture = self.path / "million.ndjson", self.path / "million.lctrace"
        with open(source, "wb") as file:
            subprocess.run([beside("tracedev"), "workload", str(WORKLOAD_DRAWS), "--reference"],
                           check=True, stdout=file)
        run("convert", source, "-o", capture)
        count = json.loads(run("check", "--config", "none", "--fail-on", "never", "--report",
                               "json", capture).stdout)["traces"][0]["events"]
        self.assertGreaterEqual(count, 1_000_000)
        for arguments in ((), ("--db", self.path / "million.db")):
            seconds = []
            while not seconds or (min(seconds) > EVENTS_MAX_SECONDS and len(seconds) < ROUNDS_MAX):
                for path in arguments[1:]:
                    path.unlink(missing_ok=True)
                out, user, peak = self.measured(
                    "query", "--config", "none", "--format", "csv",
                    "SELECT count(*) n FROM events", capture, *arguments)
                print(f"{count:,} events {arguments[:1]}: {user} s of user time, {peak:.0f} MiB")
                self.assertEqual(out, f"n\n{count}\n")
                self.assertLessEqual(peak, EVENTS_MAX_MIB)
                seconds.append(user)
            self.assertLessEqual(min(seconds), EVENTS_MAX_SECONDS)

    def test_a_thousand_captures_of_which_one_changed(self):
        captures, index = self.path / "thousand", self.path / "thousand.db"
        captures.mkdir()
        for number in range(1_000):
            (captures / f"{number}.ndjson").write_text(
                gate.capture(start=number * 1_000, pid=number, double_end=number % 7 == 0))
        sql = "SELECT count(*) n, sum(errors) e FROM traces"
        before = query(sql, captures, "--db", index)
        query(sql, captures, "--db", index)
        (captures / "500.ndjson").write_text(gate.capture(start=500_000, pid=7, double_end=True))
        start = time.monotonic()
        after = query(sql, captures, "--db", index)
        seconds = time.monotonic() - start
        print(f"1,000 captures, one changed: {seconds:.2f} s")
        self.assertEqual(after[0]["n"], before[0]["n"])
        self.assertEqual(after[0]["e"], before[0]["e"] + 1)
        self.assertEqual(after, query(sql, captures))
        self.assertLess(seconds, UPDATE_MAX_SECONDS)


if __name__ == "__main__":
    unittest.main(verbosity=1)
