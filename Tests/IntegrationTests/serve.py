"""`serve` as its users and its enemies meet it: captures that come and go, restarts, slow clients.

    python3 serve.py [PATH OF TRACECHECK] [TEST...]
"""

import http.client
import json
import math
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from executable import ROOT, TOOL

HEADER = (
    '{"header":{"format":"tracecheck-ndjson","version":1,"os_version":"8.1.0",'
    '"app_bundle_id":"com.example.%s","app_version":"1.0","coverage":["*"]%s}}\n')


def life(app="notes", seconds=1.0, trace_id=None, ends=True):
    """A life whose entry into the background takes so long. Without an id of its own it has that of
    every life with the same events."""
    extra = ',"trace_id":"%s"' % trace_id if trace_id else ""
    lines = [
        (0, "proc.start", ',"args":{"into":"foreground","reason":"user_icon"}'),
        (100_000_000, "delegate.did_finish_launching", ',"duration_ns":50000000'),
        (300_000_000, "delegate.did_become_active", ',"duration_ns":1000000'),
        (2_000_000_000, "delegate.will_resign_active", ',"duration_ns":1000000'),
        (2_100_000_000, "delegate.did_enter_background",
         ',"duration_ns":%d' % int(seconds * 1e9)),
    ]
    if ends:
        lines.append((20_000_000_000, "trace.end", ',"args":{"reason":"clean"}'))
    return HEADER % (app, extra) + "".join(
        '{"t_ns":%d,"event":"%s"%s}\n' % line for line in lines)


# A life in which nothing can be wrong.
CLEAN = HEADER % ("clean", "") + "".join(
    '{"t_ns":%d,"event":"%s"%s}\n' % line for line in [
        (0, "proc.start", ',"args":{"into":"foreground","reason":"user_icon"}'),
        (100_000_000, "delegate.did_finish_launching", ',"duration_ns":50000000'),
        (300_000_000, "delegate.did_become_active", ',"duration_ns":1000000'),
        (20_000_000_000, "trace.end", ',"args":{"reason":"clean"}'),
    ])


class Server:
    def __init__(self, directory, *arguments, starter=()):
        self.process = subprocess.Popen(
            [*starter, TOOL, "serve", str(directory), "--listen", "127.0.0.1:0", "--config", "none",
             *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not match:
            raise AssertionError((line, self.process.stderr.read()))
        self.port = int(match[1])

    def get(self, path, headers=None, method="GET", timeout=20):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.read().decode(), dict(response.getheaders())
        finally:
            connection.close()

    def wait(self, condition, seconds=20):
        deadline = time.monotonic() + seconds
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError("it didn't come in %d s" % seconds)
            time.sleep(0.05)

    def wait_ready(self):
        self.wait(lambda: self.get("/healthz")[0] == 200)
        return self

    def captures(self):
        return json.loads(self.get("/api/traces")[1])["captures"]

    def counters(self):
        """Every counter and histogram series of /metrics with its value. A series is shown as
        nothing in the first answer that it is in."""
        self.get("/metrics")
        samples, types = {}, {}
        for line in self.get("/metrics")[1].splitlines():
            if line.startswith("# TYPE "):
                _, _, name, kind = line.split(" ")
                types[name] = kind
            elif not line.startswith("#"):
                series, value = line.rsplit(" ", 1)
                name = series.split("{")[0]
                base = re.sub(r"_(bucket|sum|count)$", "", name)
                if types.get(name) == "counter" or types.get(base) == "histogram":
                    samples[series] = float(value)
        return samples

    def total(self, name):
        return sum(
            value for series, value in self.counters().items() if series.split("{")[0] == name)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        try:
            out, err = self.process.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, out, err

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Case(unittest.TestCase):
    def setUp(self):
        self.path = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.path, ignore_errors=True)
        self.folder = self.path / "captures"
        self.folder.mkdir()

    def serve(self, *arguments, directory=None, starter=()):
        server = Server(directory or self.folder, *arguments, starter=starter)
        self.addCleanup(server.kill)
        return server

    def put(self, name, text):
        """As a careful program puts a file there: whole, under its name."""
        temporary = self.folder / ("." + name.replace("/", "_"))
        temporary.write_text(text)
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        temporary.rename(self.folder / name)


class Pages(Case):
    def test_the_traces_of_the_repository(self):
        server = self.serve(directory=ROOT / "traces").wait_ready()
        report = json.loads(subprocess.run(
            [TOOL, "check", str(ROOT / "traces"), "--config", "none", "--report", "json"],
            capture_output=True, text=True).stdout)
        expected = {
            trace["trace_id"]: sorted(finding["rule"] for finding in trace["findings"])
            for trace in report["traces"]}
        served = {}
        for capture in server.captures():
            for trace in capture["traces"]:
                status, body, _ = server.get("/api/traces/" + trace["trace_id"])
                self.assertEqual(status, 200)
                served[trace["trace_id"]] = sorted(
                    finding["rule"] for finding in json.loads(body)["findings"])
        self.assertEqual(served, expected)
        status, page, headers = server.get("/")
        self.assertEqual(status, 200)
        self.assertIn("fault-slow-background-entry-ios8.lctrace", page)
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertNotIn("<script", page)
        for trace in served:
            status, page, _ = server.get("/trace/" + trace)
            self.assertEqual(status, 200)
            for rule in served[trace]:
                self.assertIn(rule, page)

    def test_filters(self):
        for number in range(3):
            self.put("slow%d.ndjson" % number, life("slow%d" % number, 6))
        self.put("clean.ndjson", CLEAN)
        self.put("broken.lctrace", "this is no trace")
        server = self.serve().wait_ready()

        def shown(query):
            page = server.get("/" + query)[1]
            return set(re.findall(r"<td><code>([^<]*)</code>", page))

        self.assertEqual(len(shown("")), 5)
        self.assertEqual(len(shown("?severity=error")), 3)
        self.assertEqual(shown("?severity=clean"), {"clean.ndjson"})
        self.assertEqual(shown("?severity=unreadable"), {"broken.lctrace"})
        self.assertEqual(len(shown("?rule=LC003")), 3)
        self.assertEqual(shown("?q=SLOW1"), {"slow1.ndjson"})
        self.assertEqual(shown("?q=nothing"), set())

    def test_what_names_say_is_text(self):
        evil = '<script>alert(1)</script>"\' onload=x'
        self.put("<img src=x onerror=alert(1)>.ndjson",
                 life(trace_id="../../etc/passwd?x=1#y").replace(
                     "com.example.notes", evil.replace('"', '\\"')))
        server = self.serve().wait_ready()
        capture, = server.captures()
        trace, = capture["traces"]
        self.assertEqual(trace["app"], evil)
        for path in ("/", trace["timeline"].replace("/timeline/", "/trace/")):
            status, page, _ = server.get(path)
            self.assertEqual(status, 200, path)
            self.assertNotIn("<script", page)
            self.assertNotIn("<img", page)
            self.assertIn("&lt;script&gt;", page)
        self.assertEqual(server.get(trace["timeline"])[0], 200)

    def test_metrics_in_the_format_that_is_asked_for(self):
        self.put("slow.ndjson", life(seconds=6))
        server = self.serve().wait_ready()
        for accept, expected in [
            (None, "text/plain; version=0.0.4"),
            ("text/plain", "text/plain; version=0.0.4"),
            ("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5",
             "application/openmetrics-text"),
            ("application/openmetrics-text;q=0.1,text/plain", "text/plain; version=0.0.4"),
            ("*/*", "text/plain; version=0.0.4"),
        ]:
            status, text, headers = server.get("/metrics", {"Accept": accept} if accept else None)
            self.assertEqual(status, 200)
            self.assertTrue(headers["Content-Type"].startswith(expected), accept)
            self.assertEqual(text.endswith("# EOF\n"), "openmetrics" in expected)
            self.assertIn('rule="LC003"', text)
        self.assertIn('trace_id="', server.get(
            "/metrics", {"Accept": "application/openmetrics-text"})[1])

    def test_a_timeline(self):
        self.put("slow.ndjson", life(seconds=6, trace_id="a b/c"))
        server = self.serve().wait_ready()
        for _ in range(2):
            status, page, headers = server.get("/timeline/a%20b%2Fc")
            self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
            self.assertIn('class="data"', page)
            self.assertEqual(page.count("<html"), 1)
        self.assertEqual(server.get("/timeline/other")[0], 404)

    def test_other_paths_and_methods(self):
        server = self.serve().wait_ready()
        for path in ("/nothing", "/api", "/api/other", "/metrics/x", "/trace", "/trace/none"):
            self.assertEqual(server.get(path)[0], 404, path)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
            status, _, headers = server.get("/", method=method)
            self.assertEqual((status, headers["Allow"]), (405, "GET, HEAD"), method)
        status, body, headers = server.get("/", method="HEAD")
        self.assertEqual((status, body), (200, ""))
        self.assertGreater(int(headers["Content-Length"]), 500)
        self.assertEqual(server.get("/", {"Host": "evil.example"})[0], 421)


class Captures(Case):
    def test_they_come_grow_are_replaced_and_go(self):
        server = self.serve().wait_ready()
        self.assertEqual(server.captures(), [])
        self.put("sub/one.ndjson", life("one", 1, ends=False))
        server.wait(lambda: len(server.captures()) == 1)
        self.assertEqual(server.total("tracecheck_findings_total"), 0)
        self.assertEqual(server.total("tracecheck_traces_total"), 0)
        self.assertGreater(server.total("tracecheck_events_total"), 0)
        # It grows: the same trace, with a finding and an end at last.
        with open(self.folder / "sub/one.ndjson", "a") as file:
            file.write('{"t_ns":9000000000,"event":"delegate.will_terminate"}\n')
            file.write('{"t_ns":19000000000,"event":"proc.exit"}\n')
            file.write('{"t_ns":20000000000,"event":"trace.end","args":{"reason":"clean"}}\n')
        server.wait(lambda: server.captures()[0]["traces"][0]["events"] == 12)
        self.assertEqual(server.total("tracecheck_traces_total"), 1)
        # Another file in its place is another trace.
        self.put("sub/one.ndjson", life("two", 6))
        server.wait(lambda: server.captures()[0]["traces"][0]["app"] == "com.example.two")
        self.assertEqual(server.total("tracecheck_traces_total"), 2)
        self.assertEqual(
            sum(value for series, value in server.counters().items()
                if series.startswith("tracecheck_findings_total") and 'rule="LC003"' in series), 1)
        # A copy is the same trace.
        shutil.copy(self.folder / "sub/one.ndjson", self.folder / "copy.ndjson")
        server.wait(lambda: len(server.captures()) == 2)
        self.assertEqual(server.total("tracecheck_traces_total"), 2)
        # What counted stays counted when the file goes.
        os.remove(self.folder / "sub/one.ndjson")
        os.remove(self.folder / "copy.ndjson")
        server.wait(lambda: server.captures() == [])
        self.assertEqual(server.total("tracecheck_traces_total"), 2)

    def test_nothing_is_checked_twice(self):
        for number in range(20):
            self.put("%d.ndjson" % number, life("app%d" % number))
        server = self.serve().wait_ready()
        checks = server.total("tracecheck_check_duration_seconds_count")
        self.assertEqual(checks, 20)
        os.utime(self.folder / "3.ndjson", (1, 1))
        self.put("readme.txt", "no capture")
        time.sleep(2.5)
        self.assertIn(server.total("tracecheck_check_duration_seconds_count"), (20, 21))

    def test_the_directory_goes_and_comes_back(self):
        self.put("one.ndjson", life())
        server = self.serve().wait_ready()
        self.folder.rename(self.path / "away")
        server.wait(lambda: server.get("/healthz")[0] == 503, 40)
        (self.path / "away").rename(self.folder)
        server.wait(lambda: server.get("/healthz")[0] == 200, 40)

    def test_mistakes_of_the_command_line(self):
        for arguments, words in [
            ([self.path / "none"], "no directory"),
            ([self.folder, "--listen", "here"], "HOST:PORT"),
            ([self.folder, "--listen", "127.0.0.1:99999"], "HOST:PORT"),
            ([self.folder, "--listen", "192.0.2.1:0"], "the address isn't one of this machine's"),
            ([self.folder, "--listen", "nowhere:0"], "it is no address in numbers"),
            ([self.folder, "--state", self.folder / "state"], "put it elsewhere"),
            ([self.folder, "--state", "/proc/none"], "can't create the folder"),
        ]:
            result = subprocess.run(
                [TOOL, "serve", *map(str, arguments)], capture_output=True, text=True, timeout=20)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(words, result.stderr, arguments)
        taken = socket.socket()
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        self.addCleanup(taken.close)
        result = subprocess.run(
            [TOOL, "serve", str(self.folder), "--listen",
             "127.0.0.1:%d" % taken.getsockname()[1]], capture_output=True, text=True, timeout=20)
        self.assertEqual(result.returncode, 2)
        error = " ".join(result.stderr.split())
        self.assertIn("the port is in use by another program", error)
        self.assertIn("choose another address with --listen", error)
        self.assertNotIn("SocketError", error)


class Restarts(Case):
    def test_an_end_is_clean(self):
        self.put("one.ndjson", life())
        for number in (signal.SIGTERM, signal.SIGINT):
            server = self.serve().wait_ready()
            start = time.monotonic()
            code, out, err = server.stop(number)
            self.assertEqual((code, err), (0, ""))
            self.assertLess(time.monotonic() - start, 4)

    def test_a_copy_is_shown_and_not_counted(self):
        self.put("a.ndjson", life("notes", 6, "trace-1"))
        server = self.serve().wait_ready()
        alone = server.get("/")[1]
        self.put("b.ndjson", life("notes", 6, "trace-1"))
        server.wait(lambda: len(server.captures()) == 2)
        page = server.get("/")[1]
        self.assertIn("the same trace as in <code>a.ndjson</code>", page)
        for tile in ("<b>1</b>traces", "<b>1</b>errors"):
            self.assertIn(tile, alone)
            self.assertIn(tile, page)
        self.assertIn("<b>2</b>captures", page)

    def test_results_are_kept(self):
        for number in range(5):
            self.put("%d.ndjson" % number, life("app%d" % number, 6, "trace-%d" % number))
        state = self.path / "state"
        server = self.serve("--state", state).wait_ready()
        before = server.counters()
        os.remove(self.folder / "0.ndjson")
        server.wait(lambda: len(server.captures()) == 4)
        server.stop()
        server = self.serve("--state", state).wait_ready()
        self.assertEqual(len(server.captures()), 4)
        self.assertEqual(server.counters(), before)
        server.stop()
        # Whatever is wrong there is found again, and nothing is counted twice.
        for place, file in enumerate(sorted(state.rglob("*.state"))):
            if place % 3 == 0:
                file.write_bytes(file.read_bytes()[: place])
            elif place % 3 == 1:
                file.write_bytes(os.urandom(200))
        server = self.serve("--state", state).wait_ready()
        self.assertEqual(len(server.captures()), 4)
        self.assertLessEqual(server.total("tracecheck_traces_total"), 5)
        self.assertGreaterEqual(server.total("tracecheck_traces_total"), 4)

    def test_a_full_disk_costs_no_count(self):
        """The state's disk is full at the start, and has room again later."""
        self.put("0.ndjson", life("app", 6))
        state = self.path / "state"
        full = ("strace", "-D", "-f", "-o", "/dev/null", "-e", "trace=ftruncate,fsync",
                "-e", "inject=ftruncate:error=ENOSPC", "-e", "inject=fsync:error=ENOSPC:when=1..4")
        server = self.serve("--state", state, starter=full).wait_ready()
        self.assertEqual(server.total("tracecheck_traces_total"), 1)
        before = server.counters()
        server.wait(lambda: list(state.rglob("captures/*.state")) and list(state.rglob("counts/*.state")))
        _, _, said = server.stop()
        self.assertIn("No space left on device", said)
        self.assertIn("counts go on in memory", said)
        server = self.serve("--state", state).wait_ready()
        self.assertEqual(server.counters(), before)

    def test_killed_at_random_moments(self, kills=50):
        generator = random.Random(5)
        state = self.path / "state"
        last, number = {}, 0
        for _ in range(kills):
            for _ in range(generator.randrange(1, 5)):
                number += 1
                self.put("%d.ndjson" % number,
                         life("app%d" % (number % 3), number % 8, "trace-%d" % number))
            server = self.serve("--state", state)
            end = time.monotonic() + generator.random() * 0.6
            while time.monotonic() < end:
                if generator.random() < 0.5 and server.get("/healthz")[0] == 200:
                    now = server.counters()
                    for series, value in last.items():
                        self.assertGreaterEqual(now.get(series, 0), value, series)
                    last = now
                time.sleep(0.03)
            server.kill()
        server = self.serve("--state", state).wait_ready()
        now = server.counters()
        for series, value in last.items():
            self.assertGreaterEqual(now.get(series, 0), value, series)
        self.assertEqual(server.total("tracecheck_traces_total"), number)
        print(f"killed {kills} times while {number} captures came: no counter fell,"
              " no trace was counted twice")


    def grow(self, path, line):
        """Appends to a capture, which then looks as if that was done a while ago."""
        with open(path, "a") as file:
            file.write(line)
        past = time.time() - 10
        os.utime(path, (past, past))

    def disturb(self, generator, events, place, server=None):
        """Lets a capture grow, moves one, which may grow at once, or takes one away that is listed
        as it is."""
        if not events:
            return 0
        name = generator.choice(sorted(events))
        warning = '{"t_ns":%d,"event":"delegate.did_receive_memory_warning"}\n' % (
            15_000_000_000 + place)
        action = generator.random()
        if action < 0.1 and server:
            listed = {capture["path"]: sum(trace["events"] for trace in capture["traces"])
                      for capture in server.captures()}
            if listed.get(name) == events[name]:
                os.remove(self.folder / name)
                return events.pop(name)
        elif action < 0.5:
            moved = "moved%d.ndjson" % place
            (self.folder / name).rename(self.folder / moved)
            events[moved] = events.pop(name)
            if generator.random() < 0.7:
                self.grow(self.folder / moved, warning)
                events[moved] += 1
        else:
            self.grow(self.folder / name, warning)
            events[name] += 1
        return 0

    def test_killed_while_captures_grow_move_and_go(self, kills=40):
        """Captures without ids of their own: that one is still the same is known from what is kept
        of it alone."""
        generator = random.Random(7)
        state = self.path / "state"
        # The events of the captures that are there, and of those that are gone.
        events, gone = {}, 0
        last, number, place = {}, 0, 0
        for _ in range(kills):
            for _ in range(generator.randrange(1, 4)):
                number += 1
                new = self.folder / ".new"
                # Other times make other traces.
                new.write_text(life("app%d" % (number % 3), ends=False).replace(
                    '"t_ns":0,', '"t_ns":%d,' % number))
                self.grow(new, "")
                new.rename(self.folder / ("%d.ndjson" % number))
                events["%d.ndjson" % number] = 9
            server = self.serve("--state", state)
            end = time.monotonic() + generator.random() * 0.8
            while time.monotonic() < end:
                place += 1
                gone += self.disturb(generator, events, place, server)
                if generator.random() < 0.5 and server.get("/healthz")[0] == 200:
                    now = server.counters()
                    for series, value in last.items():
                        self.assertGreaterEqual(now.get(series, 0), value, series)
                    last = now
                time.sleep(0.03)
            server.kill()
            place += 1
            self.disturb(generator, events, place)
        for name in events:
            self.grow(self.folder / name,
                      '{"t_ns":20000000000,"event":"trace.end","args":{"reason":"clean"}}\n')
            events[name] += 1
        server = self.serve("--state", state).wait_ready()

        def listed():
            return {capture["path"]: sum(trace["events"] for trace in capture["traces"])
                    for capture in server.captures()}

        server.wait(lambda: listed() == events)
        now = server.counters()
        for series, value in last.items():
            self.assertGreaterEqual(now.get(series, 0), value, series)
        self.assertEqual(server.total("tracecheck_events_total"), sum(events.values()) + gone)
        self.assertEqual(server.total("tracecheck_traces_total"), number)
        print(f"killed {kills} times while {number} captures grew, moved and went: no counter"
              " fell, no trace was counted twice")


class Enemies(Case):
    def exchange(self, server, data, seconds=8):
        with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as client:
            client.sendall(data)
            received = b""
            try:
                while chunk := client.recv(65_536):
                    received += chunk
            except (ConnectionResetError, TimeoutError):
                pass
            return received

    def test_heads_that_are_no_requests(self):
        server = self.serve().wait_ready()
        for data, status in [
            (b"\x16\x03\x01\x02\x00\x01\x00", None),
            (b"GET / HTTP/1.1\r\n\r\n", b"400"),
            (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", b"413"),
            (b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
             b"413"),
            (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"431"),
            (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 100_000, b"431"),
            (b"GET / HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n", b"400"),
        ]:
            answer = self.exchange(server, data)
            if status is None:
                self.assertFalse(answer.startswith(b"HTTP/1.1 200"))
            else:
                self.assertTrue(answer.startswith(b"HTTP/1.1 " + status), (data[:60], answer[:60]))
            # Nothing that follows a refused head is answered.
            self.assertEqual(answer.count(b"HTTP/1.1 "), 0 if status is None else 1)
        self.assertEqual(server.get("/healthz")[0], 200)

    def test_requests_one_after_another(self):
        server = self.serve().wait_ready()
        one = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        last = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        answer = self.exchange(server, one * 50 + last)
        self.assertEqual(answer.count(b"HTTP/1.1 200 OK"), 51)

    @staticmethod
    def drip(port, count, seconds, results):
        """Clients that send a byte now and then, in a process of their own: the one that measures
        has enough to do."""
        clients, closed = [], []
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", port))
            client.setblocking(False)
            clients.append((client, time.monotonic()))
        results.send(len(clients))
        head = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
        end, place = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            byte = head[place:place + 1] or b"a"
            place += 1
            for pair in list(clients):
                client, start = pair
                try:
                    client.send(byte)
                    if client.recv(1) == b"":
                        raise ConnectionError
                except BlockingIOError:
                    continue
                except OSError:
                    closed.append(time.monotonic() - start)
                    clients.remove(pair)
            time.sleep(0.2)
        results.send(closed)

    def among_slow_clients(self, server, drips, readers, seconds):
        """The 99th percentile of a good client's times, in milliseconds."""
        results, end = multiprocessing.Pipe()
        process = multiprocessing.Process(
            target=self.drip, args=(server.port, drips, seconds, end))
        process.start()
        self.assertEqual(results.recv(), drips)
        slow = []
        for _ in range(readers):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            client.connect(("127.0.0.1", server.port))
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
            slow.append(client)
        times, threads = [], 0
        while not results.poll():
            start = time.perf_counter()
            status, text, _ = server.get("/metrics", timeout=5)
            times.append(time.perf_counter() - start)
            self.assertEqual(status, 200)
            threads = max(threads, len(os.listdir(f"/proc/{server.process.pid}/task")))
            time.sleep(0.01)
        closed = results.recv()
        process.join()
        for client in slow:
            client.close()
        times.sort()
        p99 = times[int(len(times) * 0.99)] * 1000
        print(f"{drips} drips, {readers} slow readers: {len(times)} good requests, p99"
              f" {p99:.1f} ms, {len(closed)} drips closed after at most {max(closed):.1f} s,"
              f" {threads} threads")
        self.assertEqual(len(closed), drips)
        self.assertLess(max(closed), 6)
        self.assertLessEqual(threads, 16)
        return p99

    def test_slow_clients(self, drips=200, readers=100, seconds=8, rounds=5):
        """A server that waits for slow clients is late in every round; a machine that is busy
        with something else, in some."""
        for number in range(30):
            self.put("%d.ndjson" % number, life("app%d" % number, 6, "trace-%d" % number))
        server = self.serve().wait_ready()
        best = math.inf
        for _ in range(rounds):
            best = min(best, self.among_slow_clients(server, drips, readers, seconds))
            if best <= 25:
                break
        self.assertLessEqual(best, 25)

    def test_more_connections_than_there_is_room_for(self):
        server = self.serve().wait_ready()
        clients = []
        for _ in range(900):
            client = socket.create_connection(("127.0.0.1", server.port), timeout=5)
            clients.append(client)
            self.addCleanup(client.close)
        self.assertEqual(server.get("/healthz", timeout=5)[0], 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
