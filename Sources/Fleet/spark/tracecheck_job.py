"""Checks captures with Spark, and writes what they say as Parquet.

    spark-submit --py-files tracecheck_runs.py tracecheck_job.py \
        --binary tracecheck --output hdfs:///checked/2026-11-23 hdfs:///captures/2026-11-23

The program is shipped with the job. Inputs are files and folders on any file system that Spark
knows. The tables are captures (one row per file), findings, launches and durations, each in folders
app=…/date=…; captures is written last, and its _SUCCESS says that all four are there. What can't be
read is a row of captures that says why.

A folder is checked as one flat list of files; each is judged for itself, whatever task it falls to,
so that tables don't depend on the number of executors or on which of them fail. Files that hold the
same trace are found at the end, over all of them: captures.copy_of names the one that counts, and
the other tables hold nothing of the rest.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import tempfile

from pyspark import SparkFiles
from pyspark.sql import SparkSession, functions as F, types as T
from pyspark.sql.window import Window

FOLDER = pathlib.Path(__file__).resolve().parent
if str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))

import tracecheck_runs as runs  # noqa: E402

# Larger files are not fetched into a task: Spark holds one in memory.
FETCHED_BYTES_MAX = 512 << 20
TASK_FILES = 2_000
TABLES = ("findings", "launches", "durations", "captures")
# What a run writes besides, and deletes at its end.
PASSING = ("reports", "files")
# What a fetched file may keep of its name: that of no format is longer.
SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,16}")

LINE = """
    path string, trace_id string, format string, app string, app_version string,
    os_version string, device_model string, events bigint, launches bigint, completeness string,
    number int, unreadable struct<message: string, advice: string>,
    findings array<struct<rule: string, slug: string, severity: string, reason: string,
        message: string, time_ns: bigint, thread: bigint, launch: int, count: bigint,
        last_time_ns: bigint, subject: string, fingerprint: string, confidence: string>>,
    measures struct<content: string, wall_ns: bigint,
        launches: array<struct<launch: int, start_ns: bigint, wall_ns: bigint, reason: string,
            duration_ns: bigint, first_foreground_ns: bigint, `end`: string>>,
        durations: array<struct<name: string, launch: int, start_ns: bigint, duration_ns: bigint,
            end_ns: bigint>>,
        terminations: array<struct<launch: int, time_ns: bigint, cause: string, count: bigint,
            rule: string>>,
        incomplete: boolean>
"""
RAW = T.StructType([
    T.StructField("path", T.StringType(), False),
    T.StructField("bytes", T.LongType()),
    T.StructField("line", T.StringType()),
    T.StructField("error", T.StringType()),
])


def local_path(path):
    """The name of a file on this machine; None for one of another file system."""
    if path.startswith("file:"):
        path = path[len("file:"):]
        return "/" + path.lstrip("/")
    return path if path.startswith("/") else None


def shown(path):
    return local_path(path) or path


def checker(name, extra, timeout):
    """What a task does with its rows: (path, length), and the content of what is fetched."""

    def run(rows):
        with tempfile.TemporaryDirectory(prefix="tracecheck-") as folder:
            program = runs.executable(SparkFiles.get(name), folder)
            calls = runs.Runs(program, extra, timeout, folder)
            batch, size = {}, 0
            for number, row in enumerate(rows):
                local = local_path(row.path)
                if "content" in row:
                    suffix = pathlib.PurePath(row.path).suffix
                    suffix = suffix if SUFFIX.fullmatch(suffix) else ""
                    local = os.path.join(folder, f"{number}{suffix}")
                    with open(local, "wb") as file:
                        file.write(row.content)
                    size += len(row.content)
                batch[local] = row
                if len(batch) >= runs.BATCH_FILES or size >= runs.BATCH_BYTES:
                    yield from check(calls, batch)
                    batch, size = {}, 0
            yield from check(calls, batch)

    return run


def quoted(text):
    """A text as it stands in a line of the report, between the quotes."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def check(calls, batch):
    for local, line, error in calls.lines(list(batch)):
        row = batch[local]
        if "content" in row:
            # The name in the task's folder says nothing to anybody.
            line = line and line.replace(quoted(local), quoted(row.path))
            error = error and error.replace(local, row.path)
        yield shown(row.path), row.length, line, error
    for local, row in batch.items():
        if "content" in row:
            os.unlink(local)


def reports(spark, arguments, name):
    """One row per trace: the file, and its line of the report or why there is none."""
    run = checker(name, arguments.options, arguments.timeout)
    parts = []
    for is_local in (True, False):
        paths = [path for path in map(qualified(spark), arguments.inputs)
                 if (local_path(path) is not None) == is_local]
        if not paths:
            continue
        listing = (spark.read.format("binaryFile").option("recursiveFileLookup", "true")
                   .option("pathGlobFilter", arguments.pattern).load(paths))
        files = listing.select("path", "length")
        if is_local:
            count = files.count()
            tasks = max(spark.sparkContext.defaultParallelism, -(-count // arguments.task_files))
            rows = files.repartition(tasks, "path")
            parts.append(spark.createDataFrame(rows.rdd.mapPartitions(run), RAW))
            continue
        # Spark's own partitions: a file is read where it is checked, and moved nowhere else.
        fits = F.col("length") <= FETCHED_BYTES_MAX
        contents = listing.where(fits).select("path", "length", "content")
        checked = spark.createDataFrame(contents.rdd.mapPartitions(run), RAW)
        all_files = files.select(
            F.col("path"), F.col("length").alias("bytes"),
            F.when(fits, "it couldn't be fetched")
            .otherwise(f"it is larger than {FETCHED_BYTES_MAX} bytes").alias("why"))
        parts.append(
            all_files.join(checked.select("path", "line", "error"), "path", "left").select(
                "path", "bytes", "line",
                F.when(F.col("line").isNull(), F.coalesce("error", "why")).alias("error")))
    table = parts[0]
    for part in parts[1:]:
        table = table.unionByName(part)
    return table


def qualified(spark):
    """Names as their file systems write them: what has no scheme is on the default one."""
    jvm, session = spark.sparkContext._jvm, spark.sparkContext._jsc

    def name(path):
        path = jvm.org.apache.hadoop.fs.Path(path)
        return path.getFileSystem(session.hadoopConfiguration()).makeQualified(path).toString()

    return name


def traces(raw):
    """The lines with their keys as columns, and those of the partitions."""
    row = raw.select("path", "bytes", "error", "line", F.from_json("line", LINE).alias("r"))
    day = F.date_format(F.timestamp_seconds((F.col("r.measures.wall_ns") / 1e9).cast("long")),
                        "yyyy-MM-dd")
    return row.select(
        "path", "bytes", "error", "line", "r", F.col("r.number").alias("number"),
        F.col("r.trace_id").alias("trace_id"),
        F.col("r.app").alias("bundle"), F.col("r.app_version").alias("app_version"),
        F.col("r.os_version").alias("os_version"), F.col("r.device_model").alias("device_model"),
        folder_name(F.col("r.app")).alias("app"), F.coalesce(day, F.lit("unknown")).alias("date"))


def folder_name(app):
    """An app's name as a folder: letters, digits, dots and hyphens, and not too long."""
    name = F.substring(F.regexp_replace(app, "[^A-Za-z0-9._-]", "_"), 1, 100)
    return F.when(F.coalesce(name, F.lit("")) == "", "unknown").otherwise(name)


def captures(rows):
    """One row per file, with the file whose copy it is."""
    first = Window.partitionBy("path").orderBy("number")
    identity = F.concat_ws(
        "\u0001", *[F.coalesce(F.col(c).cast("string"), F.lit("\u0002")) for c in (
            "trace_id", "r.measures.content", "r.events", "bundle", "app_version", "os_version",
            "device_model")])
    is_comparable = (F.col("r.measures.content").isNotNull()
                     & (F.col("r.completeness") != "damaged")
                     & ((F.col("r.events") > 0)
                        | (F.col("trace_id") != F.col("r.measures.content"))))
    files = (
        rows.withColumn("place", F.row_number().over(first)).groupBy("path").agg(
            F.max("bytes").alias("bytes"), F.max("error").alias("error"),
            F.max("r.unreadable.message").alias("unreadable"),
            F.count("number").alias("traces"),
            F.coalesce(F.sum("r.events"), F.lit(0)).alias("events"),
            F.coalesce(F.sum("r.launches"), F.lit(0)).alias("launches"),
            F.coalesce(F.sum(F.size("r.findings")), F.lit(0)).alias("findings"),
            F.max(F.when(F.col("r.completeness") == "damaged", 1).otherwise(0)).alias("damaged"),
            F.bool_or("r.measures.incomplete").alias("incomplete"),
            F.min(F.coalesce(is_comparable, F.lit(False))).alias("comparable"),
            F.array_join(F.array_sort(F.collect_list(identity)), "\u0003").alias("identity"),
            *[F.max(F.when(F.col("place") == 1, F.col(source))).alias(name) for name, source in (
                ("format", "r.format"), ("trace_id", "trace_id"), ("bundle", "bundle"),
                ("app_version", "app_version"), ("os_version", "os_version"),
                ("device_model", "device_model"), ("completeness", "r.completeness"),
                ("app", "app"), ("date", "date"))]))
    rank = (F.when(F.col("format") == "lctrace", 0).when(F.col("format") == "ndjson", 1)
            .when(F.col("format") == "timeline", 2).otherwise(3))
    same = Window.partitionBy(
        F.when(F.col("comparable"), F.col("identity")).otherwise(F.col("path"))
    ).orderBy(rank, "path")
    original = F.first("path").over(same)
    why = F.coalesce("unreadable", "error")
    return files.select(
        "path",
        F.when(F.col("traces") > 0, F.when(F.col("damaged") == 1, "damaged").otherwise("checked"))
        .when(why.isNull() | why.startswith(runs.NOTHING), "empty")
        .otherwise("unreadable").alias("status"),
        why.alias("error"), "bytes", "format", "traces", "events", "launches", "findings",
        "completeness", "incomplete", "trace_id", "bundle", "app_version", "os_version",
        "device_model", F.when(original != F.col("path"), original).alias("copy_of"),
        "app", "date")


KEYS = ["path", "number", "trace_id", "bundle", "app_version", "os_version", "device_model"]
PARTITIONS = ["app", "date"]


def findings(rows):
    return rows.select(*KEYS, *PARTITIONS, F.explode("r.findings").alias("x")).select(
        *KEYS, "x.*", *PARTITIONS)


def durations(rows):
    return rows.select(*KEYS, *PARTITIONS, F.explode("r.measures.durations").alias("x")).select(
        *KEYS, "x.*", *PARTITIONS)


def launches(rows):
    """Launches with the rule that explains their end."""
    ends = F.expr("get(filter(ends, e -> e.launch = x.launch), 0)")
    return rows.select(
        *KEYS, *PARTITIONS, F.col("r.measures.terminations").alias("ends"),
        F.explode("r.measures.launches").alias("x")).select(
        *KEYS, "x.*", ends.getField("rule").alias("end_rule"), *PARTITIONS)


def write(table, folder, arguments):
    """Few files: rows of an app and day go into one, and into several only if they are many."""
    (table.hint("rebalance", *map(F.col, PARTITIONS)).write.partitionBy(*PARTITIONS)
     .mode("overwrite" if arguments.overwrite else "errorifexists").parquet(folder))
    # A table without rows has its columns all the same.
    table.limit(0).drop(*PARTITIONS).write.mode("append").parquet(
        f"{folder}/app=unknown/date=unknown")


class Folders:
    """The folders of any file system that Spark knows."""

    def __init__(self, context):
        self.path = context._jvm.org.apache.hadoop.fs.Path
        self.configuration = context._jsc.hadoopConfiguration()

    def exists(self, folder):
        path = self.path(folder)
        return path.getFileSystem(self.configuration).exists(path)

    def delete(self, folder):
        path = self.path(folder)
        path.getFileSystem(self.configuration).delete(path, True)


def make_room(folders, output, overwrite):
    """Before anything is judged: a table captures says that all tables are there, and are whole."""
    if overwrite:
        folders.delete(f"{output}/captures")
        return
    there = [name for name in (*TABLES, *PASSING) if folders.exists(f"{output}/{name}")]
    if there:
        raise SystemExit(f"tracecheck: {output} holds {', '.join(there)} already; give --overwrite"
                         " to replace what it holds, or name another folder")


def module_to_ship():
    """What tasks import, if it lies beside the job; from elsewhere --py-files brought it to all."""
    module = pathlib.Path(runs.__file__).resolve()
    return str(module) if module.parent == FOLDER else None


def parser():
    arguments = argparse.ArgumentParser(
        description="Checks captures with Spark, and writes what they say as Parquet.")
    arguments.add_argument("inputs", nargs="+", help="files and folders of captures")
    arguments.add_argument("--output", required=True, help="the folder of the tables")
    arguments.add_argument("--binary", help="tracecheck for the executors' system; if it isn't"
                           " given it must be shipped with --files")
    arguments.add_argument("--overwrite", action="store_true", help="replace what is there already")
    arguments.add_argument("--pattern", default="*", help="names of files to check, *.lctrace")
    arguments.add_argument("--keep-reports", action="store_true",
                           help="keep the lines of the report, too, as table reports")
    arguments.add_argument("--timeout", type=float, default=runs.TIMEOUT_SECONDS,
                           help="seconds for a process of at most 256 captures")
    arguments.add_argument("--task-files", type=int, default=TASK_FILES,
                           help="captures of a task, on file systems that all machines share")
    arguments.add_argument("--option", dest="options", action="append", default=[],
                           help="an option for tracecheck, as --option=--profile=ios13")
    return arguments


def main():
    arguments = parser().parse_args()
    spark = (SparkSession.builder.appName("tracecheck")
             .config("spark.sql.session.timeZone", "UTC").getOrCreate())
    # A file that can't be read, or is gone, is a row.
    for setting in ("ignoreCorruptFiles", "ignoreMissingFiles"):
        spark.conf.set(f"spark.sql.files.{setting}", "true")
    context = spark.sparkContext
    output = arguments.output.rstrip("/")
    folders = Folders(context)
    make_room(folders, output, arguments.overwrite)
    module = module_to_ship()
    if module:
        context.addPyFile(module)
    name = "tracecheck"
    if arguments.binary:
        context.addFile(arguments.binary)
        name = os.path.basename(arguments.binary)
    lines = f"{output}/reports"
    # Captures are judged once, and what all tables are made of is kept: only a task that has ended
    # well is taken over, so that no row is there twice.
    reports(spark, arguments, name).write.mode(
        "overwrite" if arguments.overwrite else "errorifexists").parquet(lines)
    rows = traces(spark.read.schema(RAW).parquet(lines))
    # Which files are copies is found once, too.
    found = f"{output}/files"
    captures(rows).write.mode("overwrite").parquet(found)
    files = spark.read.parquet(found)
    counted = rows.where("line IS NOT NULL AND number IS NOT NULL").join(
        files.where("copy_of IS NOT NULL").select("path"), "path", "left_anti")
    for table in TABLES:
        made = files if table == "captures" else globals()[table](counted)
        write(made, f"{output}/{table}", arguments)
    summary = {row.status: row["count"] for row in files.groupBy("status").count().collect()}
    for folder in (found, *([] if arguments.keep_reports else [lines])):
        folders.delete(folder)
    told = (f"{count} {status}" for status, count in sorted(summary.items()))
    print("tracecheck:", ", ".join(told))
    spark.stop()


if __name__ == "__main__":
    main()
