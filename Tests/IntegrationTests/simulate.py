"""`tracecheck simulate` and `tracecheck replay` from outside.

Usage: simulate.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from executable import TOOL

SCENARIO = """# Somebody calls while a note is written.
profile ios8
app documents, downloads
0s open
3s touch 5
2s interruption phone_call accepted 20s
10min open
"""


def run(*arguments, status=0, stdin=None):
    result = subprocess.run(
        [TOOL, *map(str, arguments)], input=stdin, capture_output=True, timeout=120)
    if result.returncode != status:
        raise AssertionError(
            f"{arguments}: exit {result.returncode}, not {status}\n{result.stderr.decode()}")
    return result


def events(text):
    return [json.loads(line) for line in text.splitlines()]


def wait_for(is_so):
    limit = time.monotonic() + 30
    while not is_so():
        if time.monotonic() > limit:
            raise AssertionError("it didn't happen in 30 s")
        time.sleep(0.005)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Simulate(Folder):
    def test_same_seed_same_bytes_in_every_form(self):
        for form in ["lctrace", "ndjson", "timeline"]:
            first = run("simulate", "--seed", 5, "-o", "-", "--to", form).stdout
            second = run("simulate", "--seed", 5, "-o", "-", "--to", form).stdout
            other = run("simulate", "--seed", 6, "-o", "-", "--to", form).stdout
            self.assertEqual(first, second)
            self.assertNotEqual(first, other)

    def test_a_scenario_happens_as_written(self):
        place = self.folder / "call.scenario"
        place.write_text(SCENARIO)
        out = self.folder / "call.ndjson"
        run("simulate", "--scenario", place, "-o", out)
        kinds = [e.get("event") for e in events(out.read_text())]
        call = kinds.index("sys.interruption")
        self.assertLess(call, kinds.index("delegate.did_enter_background"))
        self.assertLess(kinds.index("proc.suspend"), kinds.index("delegate.will_enter_foreground"))
        run("check", out, "--fail-on", "warning")

    def test_an_option_wins_over_the_scenario(self):
        place = self.folder / "call.scenario"
        place.write_text(SCENARIO)
        text = run(
            "simulate", "--scenario", place, "--profile", "scene", "-o", "-", "--to",
            "ndjson").stdout.decode()
        kinds = {e.get("event") for e in events(text)}
        self.assertIn("scene.did_enter_background", kinds)
        self.assertNotIn("delegate.did_enter_background", kinds)

    def test_a_shown_scenario_gives_the_session_again(self):
        place = self.folder / "shown.scenario"
        place.write_bytes(run("simulate", "--seed", 11, "--show-scenario").stdout)
        again = run("simulate", "--seed", 11, "--scenario", place, "-o", "-").stdout
        self.assertEqual(again, run("simulate", "--seed", 11, "-o", "-").stdout)

    def test_many_sessions_are_healthy(self):
        run("simulate", "--count", 60, "-o", self.folder)
        names = sorted(os.listdir(self.folder))
        self.assertEqual(len(names), 60)
        self.assertTrue(all(name.endswith(".lctrace") for name in names))
        result = run("check", self.folder, "--fail-on", "warning")
        self.assertIn(b"0 errors, 0 warnings", result.stdout)

    def test_faults_are_found_by_their_rules(self):
        faults = [line.split() for line in run("simulate", "--list-faults").stdout.decode().splitlines()]
        self.assertGreater(len(faults), 90)
        for name, rule, *_ in faults[::9]:
            trace = run("simulate", "--fault", name, "-o", "-").stdout
            found = run(
                "check", "-", "--report", "json", "--fail-on", "never", stdin=trace).stdout
            rules = {f["rule"] for t in json.loads(found)["traces"] for f in t["findings"]}
            self.assertIn(rule, rules, name)

    def test_a_signal_ends_it_and_leaves_nothing_half_written(self):
        place = self.folder / "long.scenario"
        place.write_text("profile ios8\napp drawing\n0s open\n160h wait\n")
        into = self.folder / "many"
        into.mkdir()
        for number in [signal.SIGINT, signal.SIGTERM]:
            one = self.folder / "one.lctrace"
            process = subprocess.Popen([TOOL, "simulate", "--scenario", place, "-o", one])
            wait_for(lambda: any(name.startswith(".") for name in os.listdir(self.folder)))
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, -number)
            self.assertFalse(one.exists())
            process = subprocess.Popen([TOOL, "simulate", "--count", "1000000", "-o", into])
            wait_for(lambda: len(os.listdir(into)) > 2)
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, -number)
            self.assertEqual([name for name in os.listdir(into) if name.startswith(".")], [])
            run("check", into, "--fail-on", "warning")

    def test_mistakes_are_usage_errors(self):
        bad = self.folder / "bad.scenario"
        bad.write_text("0s open\n3s dance\n")
        for arguments, words in [
            (["simulate"], "simulate needs a file to write"),
            (["simulate", "-o", "out.txt"], "names no format to write"),
            (["simulate", "--profile", "ios9", "-o", "-"], "profile"),
            (["simulate", "--app", "documents,dancing", "-o", "-"], "part of an app"),
            (["simulate", "--fault", "nothing", "-o", "-"], "fault"),
            (["simulate", "--fault", "main-busy", "--seed", "3", "-o", "-"], "of its own"),
            (["simulate", "--scenario", bad, "-o", "-"], "bad.scenario:2: 'dance' can't happen"),
            (["simulate", "--count", "0", "-o", self.folder], "from 1 to"),
            (["simulate", "--count", "2", "-o", bad], "no directory"),
            (["simulate", "--scenario", bad, "-o", bad, "--to", "ndjson"], "dance"),
        ]:
            error = run(*arguments, status=2).stderr.decode()
            self.assertIn(words, error)

    def test_a_scenario_is_not_overwritten(self):
        place = self.folder / "call.scenario"
        place.write_text(SCENARIO)
        error = run("simulate", "--scenario", place, "-o", place, "--to", "ndjson", status=2)
        self.assertIn(b"also the input", error.stderr)
        self.assertEqual(place.read_text(), SCENARIO)


class Replay(Folder):
    def setUp(self):
        super().setUp()
        self.trace = self.folder / "notes.lctrace"
        place = self.folder / "short.scenario"
        place.write_text("profile ios8\napp documents\n0s open\n1s touch 4\n1s home\n4s wait\n")
        run("simulate", "--scenario", place, "--seed", 3, "-o", self.trace)

    def test_replayed_events_are_the_recorded_ones(self):
        replayed = run("replay", self.trace, "--speed", "max").stdout
        self.assertEqual(
            replayed, run("cat", self.trace, "--format", "ndjson").stdout)

    def test_time_passes_as_fast_as_said(self):
        lines = events(run("cat", self.trace, "--format", "ndjson").stdout.decode())[1:]
        seconds = (lines[-1]["t_ns"] - lines[0]["t_ns"]) / 1e9
        start = time.monotonic()
        run("replay", self.trace, "--speed", "10x")
        taken = time.monotonic() - start
        self.assertGreaterEqual(taken, seconds / 10 - 0.05)
        self.assertLess(taken, seconds / 10 + 3)

    def test_a_pipe_sees_events_before_the_end(self):
        process = subprocess.Popen([TOOL, "replay", self.trace], stdout=subprocess.PIPE)
        try:
            start = time.monotonic()
            for line in process.stdout:
                if b"delegate.did_become_active" in line:
                    break
            self.assertLess(time.monotonic() - start, 3)
            self.assertIsNone(process.poll())
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)

    def test_captures_appear_whole(self):
        into = self.folder / "watched"
        into.mkdir()
        process = subprocess.Popen(
            [TOOL, "replay", self.trace, "--speed", "10x", "--into", into])
        seen = set()
        while process.poll() is None:
            seen.update(name for name in os.listdir(into) if not name.startswith("."))
            for name in list(seen):
                self.assertIn(b"trace.end", (into / name).read_bytes())
            time.sleep(0.02)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(os.listdir(into), ["notes.ndjson"])
        run("check", into, "--fail-on", "warning")

    def test_an_interrupted_replay_leaves_nothing(self):
        into = self.folder / "watched"
        into.mkdir()
        process = subprocess.Popen([TOOL, "replay", self.trace, "--into", into])
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(os.listdir(into), [])

    def test_other_systems_give_other_verdicts(self):
        place = self.folder / "budget.timeline"
        place.write_text(
            "timeline 1\nheader os_version=8.1 sdk_linked=8.1 background_modes=[] coverage=[*]\n"
            "+0s proc.start into=foreground\n"
            "+10ms delegate.did_finish_launching for 10ms\n"
            "+50ms delegate.did_become_active for 1ms\n"
            "+1s bgtask.begin token=1 is_invalid=false name=up has_expiration_handler=true\n"
            "+1s delegate.will_resign_active for 1ms\n"
            "+1s delegate.did_enter_background for 1ms\n"
            "+60s bgtask.end token=1 is_invalid=false\n"
            "+1s proc.suspend inferred=false\n"
            "+1s trace.end reason=clean\n")
        text = run("replay", place, "--what-if", "--profile", "ios13").stdout.decode()
        self.assertIn("on ios13 instead of ios8", text)
        self.assertIn("LC105 background-task/over-budget: ok -> warning (1)", text)
        text = run("replay", place, "--what-if", "--threshold", "LC105=20s").stdout.decode()
        self.assertIn("LC105 background-task/over-budget: ok -> warning (1)", text)
        # A task over its budget explains the long run, too.
        self.assertIn("LC206 suspension/long-background-run: note (1) -> ok", text)
        self.assertTrue(text.endswith("2 verdicts change\n"), text)
        text = run("replay", place, "--what-if", "--threshold", "LC105=100s").stdout.decode()
        self.assertEqual(text, "on ios8, with other limits\n0 verdicts change\n")

    def test_a_directory_is_replayed_into_another(self):
        captures = self.folder / "captures" / "monday"
        captures.mkdir(parents=True)
        into = self.folder / "watched"
        into.mkdir()
        (captures / "a.lctrace").write_bytes(self.trace.read_bytes())
        (captures.parent / "b.lctrace").write_bytes(self.trace.read_bytes())
        (captures / "readme.md").write_text("Not a capture.\n")
        run("replay", captures.parent, "--speed", "max", "--into", into)
        self.assertEqual(sorted(os.listdir(into)), ["a.ndjson", "b.ndjson"])
        error = run("replay", captures.parent, "--speed", "max", status=2).stderr.decode()
        self.assertIn("--into names a directory", error)
        (captures / "readme.md").unlink()
        self.assertEqual(
            run("replay", captures, "--speed", "max").stdout,
            run("replay", self.trace, "--speed", "max").stdout)
        empty = self.folder / "empty"
        empty.mkdir()
        run("replay", empty, "--speed", "max", "--into", into, status=3)

    def test_broken_clocks_are_not_waited_for(self):
        def times(*values):
            lines = ['{"header":{"format":"tracecheck-ndjson","version":1}}']
            lines += ['{"t_ns":%d,"event":"ui.touch"}' % value for value in values]
            return "".join(line + "\n" for line in lines).encode()

        for speed in ["1x", "10x"]:
            start = time.monotonic()
            back = run(
                "replay", "-", "--speed", speed, "--allow-damaged",
                stdin=times(9 * 10**18, -9 * 10**18))
            self.assertEqual(back.stdout.count(b"ui.touch"), 2)
            error = run(
                "replay", "-", "--speed", speed, status=3, stdin=times(-9 * 10**18, 9 * 10**18))
            self.assertIn(b"--speed max waits for nothing", error.stderr)
            self.assertLess(time.monotonic() - start, 20)

    def test_mistakes_are_usage_errors(self):
        for arguments, words in [
            (["replay", self.trace, "--speed", "3x"], "speed"),
            (["replay", self.trace, self.trace], "--into names a directory"),
            (["replay", self.trace, "--into", self.trace], "no directory"),
            (["replay", self.trace, "--profile", "ios13"], "need --what-if"),
            (["replay", self.trace, "--what-if"], "something that differs"),
            (
                ["replay", self.trace, "--what-if", "--profile", "ios13", "--speed", "max"],
                "leave --speed out"),
            (
                ["replay", self.trace, "--what-if", "--profile", "ios13", "--into", "x"],
                "leave --into out"),
            (["replay", ""], "empty"),
            (["replay", self.trace, "--what-if", "--profile", "ios99"], "profile"),
        ]:
            self.assertIn(words, run(*arguments, status=2).stderr.decode())
        run("replay", self.folder / "none.lctrace", "--speed", "max", status=3)


if __name__ == "__main__":
    unittest.main()
