"""Two thousand captures through one process, shards and Spark: the same result, whatever fails.

Usage: spark.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import duckdb
import pyspark
from pyspark.sql import Row

from executable import ROOT, TOOL
import fleet_captures as fleet

FLEET = ROOT / "Sources/Fleet"
# Nothing is left behind among the sources.
sys.dont_write_bytecode = True
sys.path.insert(0, str(FLEET / "spark"))
import tracecheck_job  # noqa: E402
import tracecheck_runs  # noqa: E402

COUNT = 2_000
TABLES = ("captures", "findings", "launches", "durations")
# The work is in other processes: a quick start matters more than fast code.
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
PATIENCE_SECONDS = 400


def submit(master, output, *arguments, settings=()):
    """Starts the job, and returns its process; its log is beside its output."""
    settings = {
        "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4",
        "spark.executor.extraJavaOptions": QUICK, "spark.driver.bindAddress": "127.0.0.1",
        "spark.worker.cleanup.enabled": "false", **dict(settings)}
    home = pathlib.Path(pyspark.__file__).parent
    command = [str(home / "bin/spark-submit"), "--master", master, "--driver-java-options", QUICK]
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    command += [str(FLEET / "spark/tracecheck_job.py"), "--binary", TOOL, "--output", str(output),
                "--keep-reports", *map(str, arguments)]
    environment = {
        **os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    # Workers of local-cluster have their folders where the job was started.
    folder = output.with_suffix(".work")
    folder.mkdir(exist_ok=True)
    with open(output.with_suffix(".log"), "wb") as log:
        return subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log,
                                start_new_session=True)


def finish(process, output, succeeds=True):
    try:
        code = process.wait(PATIENCE_SECONDS)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    log = output.with_suffix(".log").read_text(errors="replace")
    assert (code == 0) == succeeds, log[-4_000:]
    return log


def executors_of(session):
    """Process ids of a job's executors: it was started in a session of its own."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
            if b"CoarseGrainedExecutorBackend" in words and b"java" in words.split(b"\0")[0] \
                    and os.getsid(int(folder.name)) == session:
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def lines(path):
    return sorted(path.read_bytes().splitlines())


def reported(output):
    """The lines of the report that the job kept, sorted."""
    rows = duckdb.sql(
        f"SELECT line FROM read_parquet('{output}/reports/*.parquet') WHERE line IS NOT NULL")
    return sorted(line.encode() for line, in rows.fetchall())


def tables(setting, value, views):
    """The rows of all tables, sorted; bytes are known only to who lists the files."""
    connection = duckdb.connect()
    connection.execute(f"SET VARIABLE {setting} = '{value}'")
    connection.execute((FLEET / "duckdb" / views).read_text())
    return {name: connection.execute(
        f"SELECT * {'EXCLUDE (bytes)' if name == 'captures' else ''} FROM {name} ORDER BY ALL"
    ).fetchall() for name in TABLES}, connection


class Fleet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.holder.name)
        start = time.monotonic()
        cls.names, cls.corrupt = fleet.make(cls.path, COUNT)
        made = time.monotonic()
        cls.single = fleet.report(cls.names, cls.path / "single.jsonl")
        cls.wanted, cls.connection = tables("reports", cls.single, "jsonl.sql")
        print(f"\n{COUNT} captures made in {made - start:.0f} s, checked by one process in"
              f" {time.monotonic() - made:.0f} s: " + ", ".join(
                  f"{len(rows)} {name}" for name, rows in cls.wanted.items()))

    @classmethod
    def tearDownClass(cls):
        cls.connection.close()
        cls.holder.cleanup()

    def compare(self, output):
        self.assertEqual(reported(output), lines(self.single))
        found, connection = tables("tables", output, "parquet.sql")
        connection.close()
        for name in TABLES:
            self.assertEqual(found[name], self.wanted[name], name)

    def test_every_file_is_one_row_and_corrupt_ones_say_so(self):
        rows = self.connection.execute(
            "SELECT path, status, error, events FROM captures ORDER BY path").fetchall()
        self.assertEqual([row[0] for row in rows], self.names)
        bad = {path: (status, error, events) for path, status, error, events in rows
               if status != "checked"}
        self.assertEqual(sorted(bad), self.corrupt)
        for path, (status, error, events) in bad.items():
            if path.endswith("bent.lctrace"):
                self.assertEqual(status, "damaged")
            else:
                self.assertEqual((status, events), ("unreadable", 0), path)
                self.assertTrue(error)

    def test_copies_are_those_of_a_single_call(self):
        names = b"".join(os.fsencode(path) + b"\0" for path in self.names)
        plain = json.loads(fleet.run(
            "check", "--files-from", "-", "-0", "--fail-on", "never", "--allow-damaged",
            "--config", "none", "--report", "json", stdin=names).stdout)
        copies = sorted((row["path"], row["copy_of"]) for row in plain["copies"])
        self.assertGreaterEqual(len(copies), fleet.COPIES)
        self.assertEqual(self.connection.execute(
            "SELECT path, copy_of FROM captures WHERE copy_of IS NOT NULL ORDER BY ALL"
        ).fetchall(), copies)
        counted = self.connection.execute("SELECT count(*) FROM findings").fetchone()[0]
        self.assertEqual(counted, sum(len(row["findings"]) for row in plain["traces"]))

    def test_four_shards_merged(self):
        shards = [fleet.report(self.names, self.path / f"{n}.jsonl", "--shard", f"{n}/4")
                  for n in range(1, 5)]
        for shard in shards:
            self.assertGreater(len(lines(shard)), COUNT / 8)
        merged = self.path / "merged.jsonl"
        fleet.run("merge-reports", *shards, "-o", merged, "--fail-on", "never", "--allow-damaged")
        self.assertEqual(lines(merged), lines(self.single))

    def test_spark_in_one_process(self):
        output = self.path / "local"
        finish(submit("local[2]", output, self.path / "captures"), output)
        self.compare(output)
        folders = {path.name for path in (output / "captures").iterdir() if path.is_dir()}
        self.assertIn("app=com.example.spiel_f_r_zwei", folders)
        self.assertIn("app=unknown", folders)
        days = {path.name for path in (output / "launches/app=com.example.notes").iterdir()}
        self.assertEqual(days, {"date=2021-01-01", "date=2021-01-02", "date=2021-01-03",
                                "date=unknown"})

    def test_spark_on_two_executors(self):
        output = self.path / "cluster"
        finish(submit("local-cluster[2,1,1024]", output, self.path / "captures"), output)
        self.compare(output)

    def test_spark_with_an_executor_killed_in_the_middle(self):
        output = self.path / "killed"
        process = submit("local-cluster[2,1,1024]", output, self.path / "captures",
                         "--task-files", 50)
        pending = output / "reports/_temporary/0"
        victim = None
        deadline = time.monotonic() + PATIENCE_SECONDS
        while victim is None and process.poll() is None and time.monotonic() < deadline:
            # Tasks that have ended well are folders; of some forty a few.
            if len(list(pending.glob("task_*"))) >= 4:
                victim = min(executors_of(process.pid), default=None)
            time.sleep(0.02)
        if victim is not None:
            os.kill(victim, signal.SIGKILL)
            done = len(list(pending.glob("task_*")))
        log = finish(process, output)
        self.assertIsNotNone(victim, log[-2_000:])
        self.assertLess(done, 35, "it was killed too late to matter")
        self.assertIn("Lost executor", log)
        print(f"\nexecutor {victim} killed after {done} of {-(-COUNT // 50)} tasks")
        self.compare(output)

    def test_spark_on_a_file_system_that_has_to_be_fetched_from(self):
        healthy = [path for path in self.names if "/a/" in path and path not in self.corrupt]
        two_apps, = (path for path in self.names if path.endswith(f"/{fleet.TWO_APPS}"))
        wanted = [*healthy[:7], two_apps, *self.corrupt]
        folder = self.path / "far"
        folder.mkdir()
        for path in wanted:
            os.link(path, folder / pathlib.Path(path).name)
        output = self.path / "fetched"
        mount = "spark.hadoop.fs.viewfs.mounttable.fleet.link./captures"
        finish(submit("local[2]", output, "viewfs://fleet/captures",
                      settings={mount: f"file://{folder}"}), output)
        rows = duckdb.sql(
            "SELECT path, status, events, bytes FROM read_parquet("
            f"'{output}/captures/*/*/*.parquet') ORDER BY path").fetchall()
        known = {pathlib.Path(row[0]).name: row for row in self.connection.execute(
            "SELECT path, status, events FROM captures").fetchall()}
        expected = sorted(
            (f"viewfs://fleet/captures/{path.name}", *known[path.name][1:], path.stat().st_size)
            for path in folder.iterdir())
        self.assertEqual(rows, expected)
        for line in reported(output):
            self.assertTrue(json.loads(line)["path"].startswith("viewfs://fleet/captures/"))
        # What is there isn't mixed with what another run writes, and that is said at once.
        shutil.rmtree(output / "reports")
        log = finish(submit("local[2]", output, folder), output, succeeds=False)
        self.assertIn(f"{output} holds findings, launches, durations, captures already", log)
        self.assertFalse((output / "reports").exists())


class Tasks(unittest.TestCase):
    """What the job does without Spark."""

    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = pathlib.Path(self.holder.name)

    def check(self, rows, program=TOOL):
        with unittest.mock.patch.object(tracecheck_job.SparkFiles, "get", return_value=program):
            return list(tracecheck_job.checker("tracecheck", [], 60)(iter(rows)))

    def test_a_fetched_file_may_have_any_name(self):
        text = ('{"header":{"format":"tracecheck-ndjson","version":1}}\n'
                '{"t_ns":1,"event":"proc.start"}\n').encode()
        names = [f"far://b/{name}" for name in (
            "plain.ndjson", "none", "long." + "x" * 300, "nul.a\0b", "accent.\u00e9t\u00e9",
            "quote.\"\\", "line.\n", "dots...", "seventeen." + "y" * 17)]
        rows = self.check(Row(path=name, length=len(text), content=text) for name in names)
        self.assertEqual([row[0] for row in rows], names)
        for name, length, line, error in rows:
            self.assertEqual((json.loads(line)["path"], error), (name, None))
            self.assertEqual(json.loads(line)["events"], 1)
            self.assertEqual(length, len(text))

    def test_a_fetched_file_is_named_as_it_was_where_its_process_dies(self):
        program = self.folder / "tracecheck"
        program.write_text("#!/bin/sh\necho \"no more: $(tr -d '\\0')\" >&2\nkill -SEGV $$\n")
        program.chmod(0o700)
        name = "far://b/\u00e9.lctrace"
        row, = self.check([Row(path=name, length=1, content=b"x")], str(program))
        self.assertEqual((row[0], row[3]), (name, None))
        line = json.loads(row[2])
        self.assertEqual(line["path"], name)
        self.assertEqual(line["unreadable"]["message"],
                         f"tracecheck ended with signal 11: no more: {name}")

    def test_an_output_that_is_there_is_told_before_all_work(self):
        output = self.folder / "checked"
        for name in ("captures", "launches"):
            (output / name).mkdir(parents=True)
            (output / name / "_SUCCESS").touch()
        folders = unittest.mock.Mock(exists=os.path.exists, delete=shutil.rmtree)
        with self.assertRaisesRegex(SystemExit, "holds launches, captures already; give --overwr"):
            tracecheck_job.make_room(folders, str(output), False)
        self.assertTrue((output / "captures/_SUCCESS").exists())
        tracecheck_job.make_room(folders, str(output), True)
        self.assertEqual([path.name for path in output.iterdir()], ["launches"])
        tracecheck_job.make_room(folders, str(self.folder / "other"), False)

    def test_the_module_is_shipped_from_beside_the_job_only(self):
        self.assertEqual(tracecheck_job.module_to_ship(),
                         str(FLEET / "spark/tracecheck_runs.py"))
        # As YARN lays it down in the driver's container.
        elsewhere = self.folder / "__pyfiles__/tracecheck_runs.py"
        with unittest.mock.patch.object(tracecheck_runs, "__file__", str(elsewhere)):
            self.assertIsNone(tracecheck_job.module_to_ship())


class Processes(unittest.TestCase):
    """What becomes of files whose process dies."""

    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.program = pathlib.Path(self.holder.name) / "tracecheck"

    def runs(self, script, **options):
        self.program.write_text("#!/usr/bin/env python3\nimport json, os, signal, sys, time\n"
                                "names = [os.fsdecode(n) for n in sys.stdin.buffer.read()"
                                ".split(b'\\0') if n]\n" + script
                                + "\nfor n in names: print(json.dumps({'path': n}))\n")
        # As what ships files leaves it.
        self.program.chmod(stat.S_IRUSR | stat.S_IWUSR)
        program = tracecheck_runs.executable(str(self.program), self.holder.name)
        return tracecheck_runs.Runs(program, **options)

    def test_a_process_that_dies_costs_one_file(self):
        files = [f"/x/{n}" for n in range(37)]
        calls = self.runs("if '/x/23' in names: os.kill(os.getpid(), signal.SIGSEGV)")
        rows = list(calls.lines(files))
        self.assertEqual([row[0] for row in rows], files)
        self.assertEqual([row[0] for row in rows if "unreadable" in row[1]], ["/x/23"])
        line = json.loads(rows[23][1])
        self.assertEqual(line["path"], "/x/23")
        self.assertIn("signal 11", line["unreadable"]["message"])
        # None is lost by who takes the lines only, and the tool takes them for its own.
        report = list(calls.report(files))
        self.assertEqual([json.loads(line)["path"] for line in report], files)
        part = pathlib.Path(self.holder.name) / "part.jsonl"
        part.write_text("".join(f"{line}\n" for line in report))
        done = subprocess.run([TOOL, "merge-reports", part, "-o", part.with_suffix(".all")],
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(lines(part.with_suffix(".all")), lines(part))

    def test_a_process_that_hangs_costs_one_file(self):
        calls = self.runs("if '/x/2' in names: time.sleep(60)", timeout=0.7)
        rows = list(calls.lines(["/x/1", "/x/2", "/x/3"]))
        self.assertEqual([row[0] for row in rows if "unreadable" not in row[1]], ["/x/1", "/x/3"])
        self.assertIn("longer than 0.7 s", json.loads(rows[1][1])["unreadable"]["message"])

    def test_a_name_that_is_not_utf_8_is_told_as_the_tool_does(self):
        file = os.fsdecode(os.fsencode(self.holder.name) + b"/\xff.lctrace")
        calls = self.runs("os.kill(os.getpid(), signal.SIGSEGV)")
        died, = calls.report([file])
        pathlib.Path(file).write_bytes(b"nonsense" * 9)
        told, = tracecheck_runs.Runs(TOOL).report([file])
        self.assertEqual(json.loads(died)["path"], json.loads(told)["path"])
        self.assertEqual(list(json.loads(died)), list(json.loads(told)))

    def test_a_call_that_is_wrong_fails_at_once(self):
        calls = self.runs("sys.exit('what?') if len(names) < 9 else sys.exit(2)")
        with self.assertRaises(tracecheck_runs.Misused):
            list(calls.lines([f"/x/{n}" for n in range(9)]))

    def test_names_of_any_bytes_come_back(self):
        folder = pathlib.Path(self.holder.name)
        files = []
        for number, name in enumerate(("line\nfeed", "bell\x07", "\u202eright", "quote\"s\\")):
            files.append(str(folder / f"{name}.ndjson"))
            pathlib.Path(files[-1]).write_text(
                '{"header":{"format":"tracecheck-ndjson","version":1}}\n'
                f'{{"t_ns":{number},"event":"proc.start"}}\n')
        rows = list(tracecheck_runs.Runs(TOOL).lines(files))
        self.assertEqual([row[0] for row in rows], files)
        for row in rows:
            self.assertEqual(json.loads(row[1])["events"], 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
