"""Whether the numbers of `serve` are right, and whether it goes on, whatever its directory holds.

    python3 serve_numbers.py [PATH OF TRACECHECK] [TEST...]
"""

import concurrent.futures
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import unittest

from executable import ROOT, TOOL
from serve import HEADER, Case, life


def lines(*events):
    """Events of the delegate, each with its time and its duration in milliseconds."""
    return "".join('{"t_ns":%d,"event":"delegate.%s","duration_ns":%d}\n' % (
        time_ms * 1_000_000, name, duration_ms * 1_000_000)
        for time_ms, name, duration_ms in events)


def clean(app, ends=True):
    """A life in which nothing can be wrong, of five events and an end."""
    start = '{"t_ns":0,"event":"proc.start","args":{"into":"foreground","reason":"user_icon"}}\n'
    return HEADER % (app, "") + start + lines(
        (100, "did_finish_launching", 50), (300, "did_become_active", 1)) + END * ends


# Root looks into every directory, unless it gives that right away.
WITH_PERMISSIONS = () if os.geteuid() else (
    "setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search")

# What makes it one with a fault.
FAULT = lines((2_000, "will_resign_active", 1), (2_100, "did_enter_background", 6_000))
END = '{"t_ns":20000000000,"event":"trace.end","args":{"reason":"clean"}}\n'


def values(text):
    """The samples of a text of metrics."""
    lines = (line.split(" # ")[0] for line in text.splitlines() if not line.startswith("#"))
    return {series: float(value) for series, value in (line.rsplit(" ", 1) for line in lines)}


class Numbers(Case):
    def put_old(self, name, text):
        """A capture that nobody writes to any more."""
        temporary = self.folder / ".temporary"
        temporary.write_bytes(text if isinstance(text, bytes) else text.encode())
        past = time.time() - 120
        os.utime(temporary, (past, past))
        temporary.rename(self.folder / name)

    def outcomes(self, server):
        counts = {}
        for series, value in server.counters().items():
            if series.startswith("tracecheck_traces_total"):
                outcome = re.search('outcome="([^"]*)"', series)[1]
                counts[outcome] = counts.get(outcome, 0) + value
        return {outcome: value for outcome, value in counts.items() if value}

    def wait_events(self, server, name, count):
        def events():
            return {capture["path"]: sum(trace["events"] for trace in capture["traces"])
                    for capture in server.captures()}.get(name)
        server.wait(lambda: events() == count)


class Counting(Numbers):
    def test_a_state_directory_that_is_gone(self):
        state = self.path / "state"
        self.put_old("a.ndjson", clean("a", ends=False))
        server = self.serve("--state", state).wait_ready()
        self.wait_events(server, "a.ndjson", 5)
        self.assertEqual(self.outcomes(server), {"clean": 1})
        shutil.rmtree(state)
        for number in range(3):
            with open(self.folder / "a.ndjson", "a") as file:
                file.write('{"t_ns":%d,"event":"delegate.did_receive_memory_warning"}\n'
                           % (9_000_000_000 + number))
            self.wait_events(server, "a.ndjson", 6 + number)
            self.assertEqual(self.outcomes(server), {"clean": 1})

    def test_a_trace_that_grew_and_comes_back_after_a_restart(self):
        state = self.path / "state"
        self.put_old("a.ndjson", clean("a", ends=False))
        server = self.serve("--state", state).wait_ready()
        self.wait_events(server, "a.ndjson", 5)
        with open(self.folder / "a.ndjson", "a") as file:
            file.write('{"t_ns":9000000000,"event":"delegate.did_receive_memory_warning"}\n')
        self.wait_events(server, "a.ndjson", 6)
        (self.folder / "a.ndjson").rename(self.path / "a.ndjson")
        server.wait(lambda: not server.captures())
        for _ in range(2):
            server.stop()
            server = self.serve("--state", state).wait_ready()
            (self.path / "a.ndjson").rename(self.folder / "b.ndjson")
            self.wait_events(server, "b.ndjson", 6)
            self.assertEqual(self.outcomes(server), {"clean": 1})
            self.assertEqual(server.total("tracecheck_events_total"), 6)
            (self.folder / "b.ndjson").rename(self.path / "a.ndjson")
            server.wait(lambda: not server.captures())

    def test_a_capture_that_is_renamed_and_grows_at_once(self):
        more = '{"t_ns":%d,"event":"delegate.did_receive_memory_warning"}\n'
        state = self.path / "state"
        current = self.folder / "current.ndjson"
        self.put_old(current.name, clean("a", ends=False))
        server = self.serve("--state", state).wait_ready()
        self.wait_events(server, current.name, 5)
        for number in range(1, 4):
            # While it runs, and while it doesn't.
            if number % 2 == 0:
                server.stop()
            old = self.folder / ("old%d.ndjson" % number)
            current.rename(old)
            with open(old, "a") as file:
                file.write(more % (9_000_000_000 + number))
            # Other times make these other traces.
            self.put_old(current.name, clean("a", ends=False).replace(
                '"t_ns":0,', '"t_ns":%d,' % number))
            if number % 2 == 0:
                server = self.serve("--state", state).wait_ready()
            self.wait_events(server, old.name, 6)
            self.wait_events(server, current.name, 5)
            self.assertEqual(server.total("tracecheck_events_total"), 5 + 6 * number)
            self.assertEqual(sum(self.outcomes(server).values()), 1 + number)
        # No name was left behind.
        server.stop()
        server = self.serve("--state", state).wait_ready()
        self.assertEqual(len(server.captures()), 4)
        self.assertEqual(len(list((state / "state-2" / "captures").glob("*.state"))), 4)
        self.assertEqual(server.total("tracecheck_events_total"), 5 + 6 * 3)

    def test_former_ids_that_cannot_be_kept_hold_back_nothing_else(self):
        state = self.path / "state"
        ids = state / "state-2" / "ids"
        self.put_old("a.ndjson", clean("a", ends=False))
        server = self.serve("--state", state).wait_ready()
        with open(self.folder / "a.ndjson", "a") as file:
            file.write('{"t_ns":9000000000,"event":"delegate.did_receive_memory_warning"}\n')
        self.wait_events(server, "a.ndjson", 6)
        ids.rmdir()
        ids.write_text("no directory")
        (self.folder / "a.ndjson").rename(self.path / "a.ndjson")
        server.wait(lambda: not server.captures())
        for number in range(3):
            self.put_old("%d.ndjson" % number, clean("b").replace(
                '"t_ns":0,', '"t_ns":%d,' % (number + 1)))
        server.wait(lambda: len(server.captures()) == 3)
        # Theirs are kept, and the one that still says under which name the trace is counted.
        server.wait(lambda: len(list((state / "state-2" / "captures").glob("*.state"))) == 4)
        ids.unlink()
        ids.mkdir()
        self.put("note.txt", "no capture")
        server.wait(lambda: len(list(ids.glob("*.state"))) == 1)
        server.stop()
        server = self.serve("--state", state).wait_ready()
        (self.path / "a.ndjson").rename(self.folder / "c.ndjson")
        self.wait_events(server, "c.ndjson", 6)
        self.assertEqual(server.total("tracecheck_events_total"), 6 + 3 * 6)

    def test_a_later_failure_to_keep_results_is_told_too(self):
        state = self.path / "state"
        captures, counts = state / "state-2" / "captures", state / "state-2" / "counts"
        server = self.serve("--state", state).wait_ready()
        for number in range(2):
            shutil.rmtree(state)
            self.put_old("%d.ndjson" % number, clean("a%d" % number).replace(
                '"t_ns":0,', '"t_ns":%d,' % number))
            server.wait(lambda: len(server.captures()) == number + 1)
            captures.mkdir(parents=True)
            counts.mkdir()
            # The next look keeps what couldn't be kept.
            self.put("note%d.txt" % number, "no capture")
            server.wait(lambda: len(list(captures.glob("*.state"))) == 2)
            self.assertEqual(len(list(counts.glob("*.state"))), 1)
            self.assertTrue((state / "state-2" / "checks.state").exists())
            # The look may still be at its end.
            time.sleep(1)
        _, _, err = server.stop()
        self.assertEqual(err.count("will be found again after a restart"), 2)

    def test_a_directory_that_cannot_be_listed_for_a_moment(self):
        sub = self.folder / "sub"
        sub.mkdir()
        (sub / "a.ndjson").write_text(clean("a", ends=False))
        server = self.serve(starter=WITH_PERMISSIONS).wait_ready()
        self.wait_events(server, "sub/a.ndjson", 5)
        self.addCleanup(sub.chmod, 0o700)
        sub.chmod(0)
        self.put_old("b.ndjson", clean("b").replace('"t_ns":0,', '"t_ns":1,'))
        server.wait(lambda: len(server.captures()) == 2)
        self.assertEqual(self.outcomes(server), {"clean": 1})

        def unseen():
            samples = values(server.get("/metrics")[1])
            self.assertEqual(samples["tracecheck_last_success_timestamp_seconds"],
                             samples["tracecheck_last_run_timestamp_seconds"])
            return samples["tracecheck_unseen_paths"]

        # What isn't seen can be seen from outside.
        sentence = "a part of the directory can't be looked at: %s: can't list" % sub
        server.wait(lambda: "ok, but " + sentence in server.get("/healthz")[1])
        self.assertIn(sentence.replace("'", "&#39;"), server.get("/")[1])

        server.wait(lambda: unseen() == 1, 40)
        sub.chmod(0o700)
        server.wait(lambda: server.get("/healthz")[1] == "ok\n")
        self.assertNotIn("be looked at", server.get("/")[1])
        server.wait(lambda: unseen() == 0)
        with open(sub / "a.ndjson", "a") as file:
            file.write(FAULT + END)
        server.wait(lambda: sum(self.outcomes(server).values()) == 2)
        self.assertEqual(self.outcomes(server), {"clean": 1, "findings": 1})
        _, _, err = server.stop()
        self.assertEqual(err.count("can't list the directory"), 1)

    def test_a_directory_that_cannot_be_listed_from_the_start(self):
        sub = self.folder / "lost+found"
        sub.mkdir(0)
        self.addCleanup(sub.chmod, 0o700)
        server = self.serve(starter=WITH_PERMISSIONS).wait_ready()
        samples = values(server.get("/metrics")[1])
        self.assertEqual(samples["tracecheck_unseen_paths"], 1)
        self.assertGreater(samples["tracecheck_last_success_timestamp_seconds"], 0)

    def test_there_is_no_success_as_long_as_an_unreadable_capture_lies_there(self):
        success = "tracecheck_last_success_timestamp_seconds"
        run = "tracecheck_last_run_timestamp_seconds"
        self.put_old("broken.lctrace", "this is no trace")
        server = self.serve().wait_ready()

        def samples():
            return values(server.get("/metrics")[1])

        first = samples()[run]
        for number in range(2):
            time.sleep(1.1)
            # Another file makes the server look again.
            self.put_old("%d.ndjson" % number, clean("a").replace(
                '"t_ns":0,', '"t_ns":%d,' % number))
            server.wait(lambda: len(server.captures()) == 2 + number)
            server.wait(lambda: samples()[run] > first)
            first = samples()[run]
            self.assertNotIn(success, samples())
        os.remove(self.folder / "broken.lctrace")
        server.wait(lambda: samples().get(success) == samples()[run])

    def test_a_capture_written_over_by_a_larger_one(self):
        self.put_old("current.ndjson", clean("a"))
        server = self.serve().wait_ready()
        other = life("b" * 30, 6)
        (self.folder / "current.ndjson").write_text(other)
        server.wait(lambda: server.captures()[0]["traces"][0]["app"] == "com.example." + "b" * 30)
        past = time.time() - 120
        os.utime(self.folder / "current.ndjson", (past, past))
        server.wait(lambda: self.outcomes(server) == {"clean": 1, "findings": 1})
        self.put_old("copy.ndjson", other)
        server.wait(lambda: len(server.captures()) == 2)
        self.assertEqual(self.outcomes(server), {"clean": 1, "findings": 1})

    def test_other_rules_after_a_restart(self):
        state = self.path / "state"
        self.put_old("a.ndjson", life("a", 6))
        server = self.serve("--state", state, "--skip", "LC003").wait_ready()
        self.assertFalse([series for series in server.counters() if "LC003" in series])
        before = self.outcomes(server)
        server.stop()
        server = self.serve("--state", state).wait_ready()
        self.assertEqual([value for series, value in server.counters().items()
                          if "LC003" in series], [1])
        self.assertEqual(server.captures()[0]["traces"][0]["errors"], 1)
        self.assertEqual(self.outcomes(server), before)

    def test_a_new_series_begins_at_nothing(self):
        state = self.path / "state"
        server = self.serve("--state", state).wait_ready()
        self.put_old("a.ndjson", life("a", 6))
        server.wait(lambda: len(server.captures()) == 1)
        first, second = [values(server.get("/metrics")[1]) for _ in range(2)]
        self.assertEqual(first.keys(), second.keys())
        for series, value in first.items():
            if not re.search("timestamp|build_info", series):
                self.assertEqual(value, 0, series)
        for outcome, value in [("findings", 1), ("clean", 0), ("unreadable", 0)]:
            series = 'tracecheck_traces_total{outcome="%s",source="ndjson"}' % outcome
            self.assertEqual(second[series], value)
        finding, = [s for s in second if "LC003" in s]
        self.assertEqual(second[finding], 1)
        # Another format has other readers.
        accept = {"Accept": "application/openmetrics-text"}
        first, second = [values(server.get("/metrics", accept)[1]) for _ in range(2)]
        self.assertEqual((first[finding], second[finding]), (0, 1))
        # What was shown before a restart doesn't fall.
        server.stop()
        server = self.serve("--state", state).wait_ready()
        self.assertEqual(values(server.get("/metrics")[1])[finding], 1)

    def test_an_idle_server_is_not_stale(self):
        server = self.serve().wait_ready()
        samples = values(server.get("/metrics")[1])
        for name in ("last_run", "last_success"):
            self.assertLess(
                abs(samples["tracecheck_%s_timestamp_seconds" % name] - time.time()), 35)

    def test_an_outcome_counts_when_it_is_known(self):
        whole = (ROOT / "traces" / "columns-game-ios8.lctrace").read_bytes()
        self.put("a.ndjson", clean("a", ends=False))
        (self.folder / "b.lctrace").write_bytes(whole[:40])
        server = self.serve().wait_ready()
        self.assertEqual(self.outcomes(server), {})
        self.assertGreater(server.total("tracecheck_events_total"), 0)
        with open(self.folder / "a.ndjson", "a") as file:
            file.write(FAULT + END)
        with open(self.folder / "b.lctrace", "ab") as file:
            file.write(whole[40:])
        server.wait(lambda: sum(self.outcomes(server).values()) == 2)
        self.assertEqual(self.outcomes(server), {"clean": 1, "findings": 1})
        # What has been quiet for a minute has ended, and so has what is gone.
        # Other times make these other traces than the beginning of the first one.
        self.put_old("c.ndjson", clean("c", ends=False).replace('"t_ns":0,', '"t_ns":1,'))
        server.wait(lambda: self.outcomes(server) == {"clean": 2, "findings": 1})
        self.put("d.ndjson", clean("d", ends=False).replace('"t_ns":0,', '"t_ns":2,'))
        server.wait(lambda: len(server.captures()) == 4)
        self.assertEqual(self.outcomes(server), {"clean": 2, "findings": 1})
        os.remove(self.folder / "d.ndjson")
        server.wait(lambda: self.outcomes(server) == {"clean": 3, "findings": 1})

    def test_copies_in_other_formats(self):
        shutil.copytree(ROOT / "traces", self.folder, dirs_exist_ok=True)
        past = time.time() - 120
        for path in self.folder.rglob("*"):
            os.utime(path, (past, past))
        expected = values(subprocess.run(
            [TOOL, "metrics", str(self.folder), "--config", "none"],
            capture_output=True, text=True).stdout)
        served = self.serve().wait_ready().counters()

        def some(samples):
            return {series: value for series, value in samples.items() if value and re.match(
                "tracecheck_(traces|events|findings|lost_events)_total", series)}

        self.assertEqual(some(served), some(expected))

    def test_a_file_that_is_written_all_the_time(self):
        path = self.folder / "a.ndjson"
        path.write_text(life("a", ends=False))
        stop = threading.Event()

        def write():
            time_ns = 9_000_000_000
            while not stop.is_set():
                with open(path, "a") as file:
                    for _ in range(5):
                        time_ns += 1_000
                        file.write('{"t_ns":%d,"event":"proc.sample"}\n' % time_ns)
                time.sleep(0.001)

        thread = threading.Thread(target=write)
        thread.start()
        try:
            server = self.serve()
            server.wait(lambda: server.captures(), 30)
            server.wait_ready()
        finally:
            stop.set()
            thread.join()

    def test_a_destroyed_capture_is_not_clean(self):
        whole = bytearray((ROOT / "traces" / "columns-game-ios8.lctrace").read_bytes())
        whole[len(whole) // 2] ^= 0x40
        self.put_old("a.lctrace", bytes(whole))
        server = self.serve().wait_ready()
        capture, = server.captures()
        self.assertTrue(capture["damaged"])
        self.assertEqual(sum(trace["events"] for trace in capture["traces"]), 0)
        self.assertNotIn(">clean</span>", server.get("/")[1])
        self.assertIn("<b>1</b>unreadable", server.get("/")[1])
        self.assertNotIn("<code>a.lctrace", server.get("/?severity=clean")[1])
        self.assertIn("<code>a.lctrace", server.get("/?severity=unreadable")[1])
        self.assertEqual(self.outcomes(server), {"unreadable": 1})

    def test_damaged_state(self):
        state = self.path / "state"
        for name in "abc":
            self.put_old(name + ".ndjson", life(name))
        server = self.serve("--state", state).wait_ready()
        before = server.counters()
        server.stop()
        file = sorted(state.glob("state-*/counts/*.state"))[0]
        content = bytearray(file.read_bytes())
        content[-1] ^= 1
        file.write_bytes(content)
        server = self.serve("--state", state).wait_ready()
        after = server.counters()
        for series, value in before.items():
            if "check_duration" not in series:
                self.assertEqual(after.get(series), value, series)
        _, _, err = server.stop()
        self.assertIn(str(file) + ": it is damaged", err)
        self.assertTrue(file.with_name(file.name + ".damaged").exists())
        self.assertTrue(file.exists())

    def test_one_server_for_one_state(self):
        state = self.path / "state"
        self.serve("--state", state).wait_ready()

        def refusal(folder):
            result = subprocess.run(
                [TOOL, "serve", str(folder), "--listen", "127.0.0.1:0", "--state", str(state)],
                capture_output=True, text=True, timeout=20)
            self.assertEqual(result.returncode, 2)
            return result.stderr

        self.assertIn("another process", refusal(self.folder))
        (self.path / "other").mkdir()
        first = self.path / "first"
        other = self.serve("--state", first, directory=self.path / "other").wait_ready()
        other.stop()
        state = first
        self.assertIn("belongs to " + str(self.path / "other"), refusal(self.folder))


class Directory(Numbers):
    def test_long_checks_do_not_hold_back_what_comes_after_them(self):
        self.put_old("long.ndjson", clean("long", ends=False) + "".join(
            '{"t_ns":%d,"event":"proc.sample"}\n' % (9_000_000_000 + number)
            for number in range(1_000_000)))
        start = time.monotonic()
        server = self.serve().wait_ready()
        took = time.monotonic() - start
        self.put_old("new.ndjson", clean("new").replace('"t_ns":0,', '"t_ns":1,'))
        server.wait(lambda: len(server.captures()) == 2, max(1.5, took * 3))

    def test_a_pipe_in_the_place_of_a_capture(self):
        for number in range(20):
            self.put_old("%d.ndjson" % number, life("app%d" % number, trace_id="t%d" % number))
        server = self.serve().wait_ready()
        for number in range(19):
            pipe = self.path / "pipe"
            os.mkfifo(pipe)
            pipe.rename(self.folder / ("%d.ndjson" % number))
            self.assertIn(server.get("/timeline/t%d" % number, timeout=5)[0], (404, 503))
        self.assertEqual(server.get("/timeline/t19", timeout=5)[0], 200)
        self.put_old("new.ndjson", life("new"))
        server.wait(lambda: [c["path"] for c in server.captures()] == ["19.ndjson", "new.ndjson"])

    def test_a_directory_that_is_moved_away_is_told_at_once(self):
        self.put_old("a.ndjson", life("a"))
        server = self.serve().wait_ready()
        # Nothing changes for a while, and no look is due.
        time.sleep(3)
        before = server.counters()
        for _ in range(2):
            self.folder.rename(self.path / "away")
            server.wait(lambda: server.get("/healthz")[0] == 503, 1.5)
            self.assertIn("the directory isn&#39;t there", server.get("/")[1])
            self.assertEqual([c["path"] for c in server.captures()], ["a.ndjson"])
            (self.path / "away").rename(self.folder)
            server.wait(lambda: server.get("/healthz")[0] == 200, 1.5)
        self.assertEqual(server.counters(), before)
        # Another one in its place is another one, and empty.
        self.folder.rename(self.path / "away")
        self.folder.mkdir()
        server.wait(lambda: not server.captures(), 1.5)

    def test_odd_names(self):
        os.symlink("/none/at/all", self.folder / "dangling.ndjson")
        with open(os.fsencode(self.folder) + b"/\xff.ndjson", "w") as file:
            file.write(life("unnamed"))
        self.put_old("\u0301mark.ndjson", life("mark"))
        server = self.serve().wait_ready()
        self.assertEqual([c["path"] for c in server.captures()], ["\u0301mark.ndjson"])
        self.assertEqual(server.get(server.captures()[0]["traces"][0]["timeline"])[0], 200)
        for number in range(60):
            self.put("short%d.ndjson" % number, life("short"))
            os.remove(self.folder / ("short%d.ndjson" % number))
            self.assertEqual(server.get("/healthz")[0], 200)
        _, _, err = server.stop()
        self.assertEqual(err.count("it is a link to nothing"), 1)
        self.assertEqual(err.count("isn't UTF-8"), 1)
        self.assertNotIn("short", err)

    def test_slashes_at_the_end(self):
        self.put_old("a.ndjson", life("a"))
        server = self.serve(directory=str(self.folder) + "//").wait_ready()
        self.assertEqual([c["path"] for c in server.captures()], ["a.ndjson"])
        self.assertEqual(server.get(server.captures()[0]["traces"][0]["timeline"])[0], 200)

    def test_links(self):
        (self.path / "outside").mkdir()
        (self.path / "outside" / "secret.ndjson").write_text(life("secret"))
        (self.folder / "sub").mkdir()
        self.put_old("sub/a.ndjson", life("a"))
        os.symlink("sub/a.ndjson", self.folder / "inside.ndjson")
        os.symlink(self.path / "outside", self.folder / "folder")
        os.symlink("../outside/secret.ndjson", self.folder / "file.ndjson")
        os.symlink("/", self.folder / "root")
        # The directory itself may be a link.
        os.symlink(self.folder, self.path / "link")
        server = self.serve(directory=self.path / "link").wait_ready()
        self.assertEqual(
            [c["path"] for c in server.captures()], ["inside.ndjson", "sub/a.ndjson"])
        _, _, err = server.stop()
        self.assertEqual(err.count("leads out of the directory"), 3)


class Requests(Numbers):
    def test_one_timeline_for_many(self):
        events = "".join('{"t_ns":%d,"event":"proc.sample"}\n' % (9_000_000_000 + number)
                         for number in range(100_000))
        self.put_old("a.ndjson", life("a", trace_id="t", ends=False) + events)
        server = self.serve().wait_ready()
        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            answers = list(pool.map(lambda _: server.get("/timeline/t", timeout=60), range(40)))
        self.assertEqual({status for status, _, _ in answers}, {200})
        self.assertEqual(len({body for _, body, _ in answers}), 1)

    def test_requests_that_are_well_formed(self):
        server = self.serve().wait_ready()
        for head, status, has_body in [
            ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
             "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n", 200, True),
            ("GET http://localhost:1/healthz HTTP/1.1\r\nHost: localhost\r\n", 200, True),
            ("GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n", 421, True),
            ("GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\n", 421, True),
            ("HEAD / HTTP/1.1\r\nHost: evil.example\r\n", 421, False),
            ("HEAD /%zz HTTP/1.1\r\nHost: localhost\r\n", 400, False),
        ]:
            with socket.create_connection(("127.0.0.1", server.port), timeout=8) as client:
                client.sendall((head + "\r\n").encode())
                client.shutdown(socket.SHUT_WR)
                answer = b""
                while chunk := client.recv(65_536):
                    answer += chunk
            self.assertTrue(answer.startswith(b"HTTP/1.1 %d" % status), (head, answer))
            self.assertEqual(answer.split(b"\r\n\r\n", 1)[1] != b"", has_body, head)

    def test_ids_that_are_no_part_of_a_request(self):
        ids = ["zzz\ny", "é" * 3_000, "t"]
        for number, trace_id in enumerate(ids):
            self.put_old("%d.ndjson" % number, life(
                "notes", 6, json.dumps(trace_id, ensure_ascii=False)[1:-1]))
        server = self.serve().wait_ready()
        traces = [trace for capture in server.captures() for trace in capture["traces"]]
        self.assertEqual({trace["trace_id"] for trace in traces}, set(ids))
        page = server.get("/")[1]
        for trace in traces:
            self.assertIn('"%s"' % trace["timeline"], page)
            self.assertEqual(server.get(trace["timeline"])[0], 200)
            self.assertEqual(server.get(trace["timeline"].replace("timeline", "trace"))[0], 200)
        for _ in range(2):
            text = server.get("/metrics", {"Accept": "application/openmetrics-text"})[1]
        line, = [line for line in text.splitlines() if "LC003" in line]
        self.assertTrue(line.endswith(' 3 # {trace_id="t"} 1'), line)
        for rule in ("LC003", "lc003", "Slow-Background-Entry"):
            if rule == "Slow-Background-Entry":
                rule = json.loads(server.get("/api/traces/t")[1])["findings"][0]["slug"].upper()
            self.assertIn("<h2>3 captures</h2>", server.get("/?rule=" + rule)[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
