"""The ready queries of DuckDB, over JSON Lines and over Parquet, against counts made in Python.

Usage: fleet_queries.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import collections
import json
import math
import os
import pathlib
import re
import tempfile
import unittest

import duckdb

from executable import ROOT
import fleet_captures as fleet

QUERIES = ROOT / "Sources/Fleet/duckdb"
COUNT = 600
VIEWS = {"jsonl.sql", "parquet.sql"}
TABLES = ("captures", "findings", "launches", "durations")
NO_KILLS = {None, "exit", "exit_after_will_terminate", "unrecorded", "user_force_quit", "crash"}
UNKNOWN_FIRST = "\x00"


def app_of(trace):
    return re.sub(r"[^A-Za-z0-9._-]", "_", trace["app"] or "")[:100] or "unknown"


def known(value):
    """Sorts what is unknown before everything else."""
    return UNKNOWN_FIRST if value is None else value


class Queries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.holder.name)
        names, cls.corrupt = fleet.make(cls.path, COUNT, seed=3)
        # In two reports that have some files in common: a line that occurs twice is one.
        fleet.report(names[:320], cls.path / "1.jsonl")
        fleet.report(names[280:], cls.path / "2.jsonl")
        # An earlier one without measures, which says less.
        fleet.run(*(word for word in fleet.CONTRACT if word != "--measures"),
                  "--report", f"jsonl={cls.path}/0.jsonl",
                  stdin=b"".join(os.fsencode(name) + b"\0" for name in names[100:400]))
        # The other way: one call, which reports a trace once.
        plain = cls.path / "plain.json"
        fleet.run("check", "--files-from", "-", "--fail-on", "never", "--allow-damaged",
                  "--config", "none", "--measures", "--report", f"json={plain}",
                  stdin="\n".join(names).encode())
        cls.plain = json.loads(plain.read_text())
        cls.traces = cls.plain["traces"]
        cls.sources = {}
        lines = duckdb.connect()
        lines.execute(f"SET VARIABLE reports = '{cls.path}/[012].jsonl'")
        lines.execute((QUERIES / "jsonl.sql").read_text())
        cls.sources["jsonl"] = lines
        (cls.path / "tables").mkdir()
        for table in TABLES:
            lines.execute(f"COPY (FROM {table}) TO '{cls.path}/tables/{table}'"
                          " (FORMAT parquet, PARTITION_BY (app, date))")
        columns = duckdb.connect()
        columns.execute(f"SET VARIABLE tables = '{cls.path}/tables'")
        columns.execute((QUERIES / "parquet.sql").read_text())
        cls.sources["parquet"] = columns
        cls.run_queries = set()

    @classmethod
    def tearDownClass(cls):
        for connection in cls.sources.values():
            connection.close()
        cls.holder.cleanup()
        there = {path.name for path in QUERIES.glob("*.sql")} - VIEWS
        assert cls.run_queries == there, f"never run: {there - cls.run_queries}"

    def query(self, name, wanted, **variables):
        """Runs a query over both sources, and compares its rows with those wanted."""
        self.run_queries.add(name)
        self.assertTrue(wanted, "a query without rows shows nothing")
        for source, connection in self.sources.items():
            for variable, value in variables.items():
                connection.execute(f"SET VARIABLE {variable} = {value}")
            found = connection.execute((QUERIES / name).read_text()).fetchall()
            for row, expected in zip(found, wanted):
                self.assertEqual(len(row), len(expected))
                for a, b in zip(row, expected):
                    if isinstance(b, float):
                        # Nothing is below zero, and zero has no sign.
                        self.assertEqual(math.copysign(1, a), 1, (source, row))
                        self.assertAlmostEqual(float(a), b, delta=0.000_6, msg=(source, row))
                    else:
                        self.assertEqual(a, b, (source, row, expected))
            self.assertEqual(len(found), len(wanted), source)

    def launches(self):
        for trace in self.traces:
            for launch in trace["measures"]["launches"]:
                yield trace, launch

    def test_worst_versions(self):
        launches, errors = collections.Counter(), collections.Counter()
        paths, wrong = collections.defaultdict(set), collections.defaultdict(set)
        for trace in self.traces:
            key = app_of(trace), trace["app_version"]
            found = sum(f["count"] for f in trace["findings"] if f["severity"] == "error")
            launches[key] += trace["launches"]
            errors[key] += found
            paths[key].add(trace["path"])
            if found:
                wrong[key].add(trace["path"])
        rows = [(*key, len(paths[key]), launches[key], errors[key], len(wrong[key]),
                 round(100 * errors[key] / launches[key], 3)) for key in launches]
        rows.sort(key=lambda row: (-row[-1], row[0], known(row[1])))
        wanted = [row for row in rows if row[3] >= 30]
        self.assertLess(len(wanted), len(rows))
        self.query("worst_versions.sql", wanted, min_launches=30)
        # With one launch of a version, which is the second trace of its file.
        self.assertIn(("com.example.mail", "3.0", 1, 1, 1, 1, 100.0), rows)
        self.query("worst_versions.sql", rows, min_launches=1)

    def test_launch_percentiles(self):
        groups = collections.defaultdict(list)
        for trace, launch in self.launches():
            if launch["duration_ns"] is not None:
                groups[app_of(trace), trace["device_model"], trace["os_version"]].append(
                    launch["duration_ns"])
        wanted = []
        for key in sorted(groups, key=lambda key: tuple(map(known, key))):
            values = sorted(groups[key])
            ranks = [max(1, -(-len(values) * share // 100)) for share in (50, 90, 95, 99)]
            wanted.append((*key, len(values), *(values[rank - 1] / 1e9 for rank in ranks),
                           values[-1] / 1e9))
        self.query("launch_percentiles.sql", wanted)

    def test_kills_per_thousand(self):
        groups = collections.defaultdict(list)
        for trace, launch in self.launches():
            groups[app_of(trace), trace["app_version"]].append(launch["end"])
        wanted = []
        for key, ends in groups.items():
            n, kills = len(ends), sum(end not in NO_KILLS for end in ends)
            low, high = (self.wilson_bound(kills, n, side) for side in (-1, 1))
            wanted.append((*key, n, kills, ends.count("jetsam"), round(1000 * kills / n, 3),
                           1000 * low, 1000 * high))
        self.assertGreater(sum(row[3] for row in wanted), 10)
        wanted.sort(key=lambda row: (-row[5], row[0], known(row[1])))
        self.query("kills_per_thousand.sql", wanted)

    @staticmethod
    def wilson_bound(kills, n, side):
        """Solves |share - p| = z·sqrt(p(1-p)/n) for p by halving, which is what Wilson's means."""
        z, share = 1.959963984540054, kills / n
        inner, outer = share, 0.0 if side < 0 else 1.0
        for _ in range(200):
            p = (inner + outer) / 2
            if abs(share - p) <= z * math.sqrt(p * (1 - p) / n):
                inner = p
            else:
                outer = p
        return inner

    def test_new_rules_by_version(self):
        order = lambda version: tuple(map(int, re.findall(r"\d+", version)))
        wanted = []
        traces = [trace for trace in self.traces if trace["app_version"] is not None]
        for app in sorted({app_of(trace) for trace in traces}):
            of_app = [trace for trace in traces if app_of(trace) == app]
            seen = 0
            broken = set()
            for version in sorted({trace["app_version"] for trace in of_app}, key=order):
                here = [trace for trace in of_app if trace["app_version"] == version]
                rules = {f["rule"]: f["slug"] for trace in here for f in trace["findings"]}
                for rule in sorted(set(rules) - broken) if seen else ():
                    count = sum(any(f["rule"] == rule for f in trace["findings"])
                                for trace in here)
                    wanted.append((app, version, rule, rules[rule], count, len(here), seen))
                    self.assertEqual(len(here), len({trace["path"] for trace in here}))
                broken |= set(rules)
                seen += len(here)
        self.assertIn("1.10", {row[1] for row in wanted})
        # In the second trace of a file.
        self.assertIn(("com.example.mail", "3.0", fleet.TWO_APPS_RULE), {row[:3] for row in wanted})
        self.query("new_rules_by_version.sql", wanted)

    def test_kills_explained(self):
        groups = collections.defaultdict(list)
        for trace, launch in self.launches():
            if launch["end"] is not None:
                ends = [end["rule"] for end in trace["measures"]["terminations"]
                        if end["launch"] == launch["launch"]]
                groups[app_of(trace), launch["end"], ends[0]].append(trace["path"])
        wanted = [(*key, len(paths), len(set(paths))) for key, paths in groups.items()]
        self.assertTrue(any(row[2] for row in wanted))
        wanted.sort(key=lambda row: (row[0], -row[3], row[1], known(row[2])))
        self.query("kills_explained.sql", wanted)

    def test_unreadable(self):
        groups = collections.defaultdict(list)
        for problem in self.plain["problems"]:
            if problem["consequence"] == "unreadable":
                reason = re.sub(r"[0-9]+", "N", problem["message"])
                groups["unreadable", reason].append(problem["path"])
        for trace in self.traces:
            if trace["completeness"] == "damaged":
                groups["damaged", None].append(trace["path"])
        self.assertEqual(sorted(path for paths in groups.values() for path in paths),
                         self.corrupt)
        wanted = [(*key, len(paths), min(paths)) for key, paths in groups.items()]
        wanted.sort(key=lambda row: (-row[2], row[0], known(row[1])))
        self.query("unreadable.sql", wanted)

    def test_both_sources_hold_the_same(self):
        for table in TABLES:
            rows = [connection.execute(f"FROM {table} ORDER BY ALL").fetchall()
                    for connection in self.sources.values()]
            self.assertEqual(rows[0], rows[1], table)
            self.assertTrue(rows[0], table)

    def test_captures_say_whether_measures_were_cut_off(self):
        path = self.path / "cut.jsonl"
        rows = [{"path": f"/c/{n}.lctrace", "number": n, "events": 1, "launches": 0,
                 "completeness": "complete", "findings": [], **measures}
                for n, measures in ((1, {"measures": {"incomplete": False}}),
                                    (2, {"measures": {"incomplete": True}}), (3, {}))]
        # A file is incomplete if one of its traces is.
        rows += [{**rows[0], "path": rows[1]["path"]}]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        with duckdb.connect() as connection:
            connection.execute(f"SET VARIABLE reports = '{path}'")
            connection.execute((QUERIES / "jsonl.sql").read_text())
            self.assertEqual(
                connection.execute("SELECT incomplete FROM captures ORDER BY path").fetchall(),
                [(False,), (True,), (None,)])
        found = self.sources["parquet"].execute(
            "SELECT DISTINCT incomplete FROM captures WHERE status = 'checked'").fetchall()
        self.assertEqual(found, [(False,)])

    def test_what_is_measured_is_in_the_tables(self):
        durations = collections.Counter(
            (trace["path"], item["name"], item["duration_ns"])
            for trace in self.traces for item in trace["measures"]["durations"])
        self.assertGreater(len({key[1] for key in durations}), 3)
        rows = self.sources["parquet"].execute(
            "SELECT path, name, duration_ns FROM durations").fetchall()
        self.assertEqual(collections.Counter(rows), durations)


if __name__ == "__main__":
    unittest.main(verbosity=2)
