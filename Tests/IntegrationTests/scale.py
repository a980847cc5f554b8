"""A thousand small captures: shards that merge to the single run, and how fast one process is.

Usage: scale.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import itertools
import json
import os
import pathlib
import random
import resource
import subprocess
import tempfile
import unittest

from executable import TOOL
import gate
import report_validators as validators

COUNT = 1_000
# A guard against getting worse, on machines that do other things too.
FILES_PER_SECOND_MIN = 200


def run(*arguments, cwd, stdin=b"", expect=(0, 1, 3)):
    done = subprocess.run([TOOL, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True,
                          timeout=300)
    assert done.returncode in expect, (arguments, done.returncode, done.stderr.decode()[:500])
    return done


class Shards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.holder.name)
        captures = cls.path / "captures"
        for number in range(COUNT):
            # Folders, and files beside them that begin with their names.
            name = ["a{n}.ndjson", "a/{n}.ndjson", "a.b/{n}.ndjson", "deep/er/{n}.ndjson"][
                number % 4].format(n=number)
            (captures / name).parent.mkdir(parents=True, exist_ok=True)
            text = gate.capture(
                slow_entry=number % 10 == 0, double_end=number % 7 == 0, start=number * 1_000,
                pid=number, app=f"com.example.a{number % 5}")
            if number % 3 == 0:
                lines = text.split("\n", 1)
                header = json.loads(lines[0])
                header["header"]["trace_id"] = f"trace-{number}"
                text = json.dumps(header) + "\n" + lines[1]
            (captures / name).write_text(text)
        (captures / "broken.lctrace").write_bytes(b"nonsense" * 9)
        (captures / "copy.ndjson").write_bytes((captures / "a0.ndjson").read_bytes())
        (captures / "README.md").write_text("no capture\n")

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def report(self, *options, name):
        file = self.path / name
        done = run("check", *options, "--report", f"jsonl={file}", cwd=self.path)
        return done.returncode, file

    def test_four_shards_merged_equal_the_single_run(self):
        code, single = self.report("captures", name="single.jsonl")
        self.assertEqual(code, 3)
        shards = [self.report("captures", "--shard", f"{n}/4", name=f"{n}.jsonl")[1]
                  for n in range(1, 5)]
        rows = [len(shard.read_bytes().splitlines()) for shard in shards]
        self.assertTrue(all(COUNT / 8 < count < COUNT / 2 for count in rows), rows)
        merged = run("merge-reports", *shards, cwd=self.path)
        self.assertEqual(merged.returncode, code)
        self.assertEqual(merged.stdout, single.read_bytes())
        lines = validators.lines(single)
        unreadable = {row["path"] for row in lines if "unreadable" in row}
        self.assertIn("captures/broken.lctrace", unreadable)
        self.assertEqual(len(lines) - len(unreadable), COUNT)
        print(f"\n{len(lines)} lines, {len(unreadable)} unreadable; shards of {rows} lines;"
              f" merged equal the single run in {len(merged.stdout)} bytes")

    def test_merging_is_associative_commutative_and_idempotent(self):
        _, single = self.report("captures", name="single.jsonl")
        shards = [self.report("captures", "--shard", f"{n}/3", name=f"m{n}.jsonl")[1]
                  for n in range(1, 4)]
        wanted = single.read_bytes()
        for order in itertools.permutations(shards):
            self.assertEqual(run("merge-reports", *order, cwd=self.path).stdout, wanted)
        pair = run("merge-reports", shards[2], shards[0], cwd=self.path).stdout
        both = run("merge-reports", "-", shards[1], cwd=self.path, stdin=pair).stdout
        self.assertEqual(both, wanted)
        again = run("merge-reports", single, single, shards[1], cwd=self.path).stdout
        self.assertEqual(again, wanted)
        file = self.path / "merged.jsonl"
        run("merge-reports", *shards, "-o", file, cwd=self.path)
        self.assertEqual(file.read_bytes(), wanted)

    def test_any_cut_of_a_list_of_files_merges(self):
        names = sorted(str(p.relative_to(self.path)) for p in (self.path / "captures").rglob("*.ndjson")
                       if p.name != "copy.ndjson")
        random.Random(1).shuffle(names)
        parts = [names[:301], names[301:]]
        reports = []
        for place, part in enumerate(parts):
            report = self.path / f"list{place}.jsonl"
            run("check", "--files-from", "-", "-0", "--report", f"jsonl={report}", cwd=self.path,
                stdin=b"".join(name.encode() + b"\0" for name in part))
            reports.append(report)
        whole = self.path / "whole.jsonl"
        run("check", "--files-from", "-", "--report", f"jsonl={whole}", cwd=self.path,
            stdin="\n".join(names).encode())
        self.assertEqual(run("merge-reports", *reports, cwd=self.path).stdout,
                         run("merge-reports", whole, cwd=self.path).stdout)

    def test_lines_that_are_none_are_told(self):
        bad = self.path / "bad.jsonl"
        bad.write_text('{"path":"a"\n\n[]\n{"events":1}\n{"path":"b","unreadable":{}}\n')
        done = run("merge-reports", bad, cwd=self.path)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stdout, b'{"path":"b","unreadable":{}}\n')
        errors = done.stderr.decode().splitlines()
        self.assertEqual([line.split(":")[1] for line in errors], ["1", "3", "4"], errors)

    def test_an_empty_folder_is_told_by_every_shard(self):
        (self.path / "empty").mkdir(exist_ok=True)
        (self.path / "empty" / "x.md").write_text("nothing")
        code, single = self.report("empty", name="e.jsonl")
        shards = [self.report("empty", "--shard", f"{n}/2", name=f"e{n}.jsonl") for n in (1, 2)]
        self.assertEqual([code] + [shard[0] for shard in shards], [3, 3, 3])
        merged = run("merge-reports", *[shard[1] for shard in shards], cwd=self.path)
        self.assertEqual(merged.stdout, single.read_bytes())

    def test_speed_in_one_process(self):
        names = "\n".join(
            str(path) for path in sorted((self.path / "captures").rglob("[0-9]*.ndjson")))
        count = len(names.splitlines())
        best = float("inf")
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run("check", "--files-from", "-", "--report", "jsonl", cwd=self.path,
                stdin=names.encode(), expect=(1,))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
        rate = count / best
        print(f"\n{count} captures in {best:.2f} s of processor time: {rate:.0f} files/s")
        self.assertGreaterEqual(rate, FILES_PER_SECOND_MIN)


if __name__ == "__main__":
    unittest.main(verbosity=2)
