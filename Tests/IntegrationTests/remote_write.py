"""Remote write from outside: to Prometheus, to VictoriaMetrics, and to receivers that fail or attack.

Usage: remote_write.py [PATH-OF-TRACECHECK]; without a path the release build is used. Needs the
Debian packages prometheus and victoria-metrics.
"""

import base64
import collections
import concurrent.futures
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import socketserver
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

import fleet
import serve
from executable import TOOL
from servers import Prometheus, Server, fetch, needs, wait_for

DAY = 86_400
# Each life is one of an app version of its own, with some 70 series.
MANY = 1_600
SERIES = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"')


class Victoria(Server):
    def __init__(self, folder):
        super().__init__(folder, "victoria-metrics", lambda port: [
            f"-storageDataPath={folder}/victoria", f"-httpListenAddr=127.0.0.1:{port}",
            "-retentionPeriod=100y"], "/health")

    def everything(self):
        """Value by time in milliseconds, by series."""
        fetch(self.url + "/internal/force_flush")
        matching = urllib.parse.urlencode({"match[]": '{__name__=~"tracecheck_.*"}'})
        status, text = fetch(f"{self.url}/api/v1/export?{matching}", timeout=60)
        assert status == 200, text[:500]
        found = collections.defaultdict(dict)
        for line in text.splitlines():
            one = json.loads(line)
            found[frozenset(one["metric"].items())].update(zip(one["timestamps"], one["values"]))
        return found


class Receiver:
    """A receiver in this process: it counts, and answers as it is told."""

    def __init__(self, answer=None, forward=None, host="127.0.0.1"):
        self.found = collections.defaultdict(dict)
        self.requests = []
        self.lock = threading.Lock()
        self.answer = answer or (lambda number: (204, {}))
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.lock:
                    receiver.requests.append((time.monotonic(), self.path, dict(self.headers), body))
                    number = len(receiver.requests)
                answer = receiver.answer(number)
                if answer is None:
                    self.close_connection = True
                    return
                status, headers, *text = answer
                if status == 204 and forward:
                    status, text = forward(self.path, dict(self.headers), body)
                    text = [text]
                elif status == 204:
                    with receiver.lock:
                        take(body, receiver.found)
                text = (text or [""])[0].encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                if status != 204:
                    self.wfile.write(text)

            def log_message(self, *_):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
            daemon_threads = True

            def handle_error(self, *_):
                # A sender that leaves is no error here.
                pass

        self.server = Listener((host, 0), Handler)
        self.port = self.server.server_address[1]
        name = f"[{host}]" if ":" in host else host
        self.url = f"http://{name}:{self.port}/api/v1/write"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def everything(self):
        """Value by time in milliseconds, by series."""
        with self.lock:
            return {series: dict(values) for series, values in self.found.items()}

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def varint(data, place):
    number = shift = 0
    while True:
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, place
        shift += 7


def fields(data):
    place = 0
    while place < len(data):
        key, place = varint(data, place)
        assert key & 7 == 2, key
        count, place = varint(data, place)
        yield key >> 3, data[place:place + count]
        place += count
    assert place == len(data)


def unpacked(block):
    count, place = varint(block, 0)
    out = bytearray()
    while place < len(block):
        tag = block[place]
        assert tag & 3 == 0, tag
        length, place = tag >> 2, place + 1
        if length >= 60:
            width = length - 59
            length = int.from_bytes(block[place:place + width], "little")
            place += width
        out += block[place:place + length + 1]
        place += length + 1
    assert len(out) == count
    return bytes(out)


def take(block, found):
    """Adds a request's samples; a second value for a time must be the same as the first."""
    for _, series in fields(unpacked(block)):
        labels, samples, last = [], [], None
        for number, part in fields(series):
            if number == 1:
                labels.append(tuple(text.decode() for _, text in fields(part)))
            else:
                value, = struct.unpack("<d", part[1:9])
                stamp, end = varint(part, 10)
                assert end == len(part) and part[0] == 0x09 and part[9] == 0x10
                samples.append((stamp, value))
        assert labels == sorted(labels), labels
        known = found[frozenset(labels)]
        for stamp, value in samples:
            assert last is None or stamp > last
            assert known.get(stamp, value) == value
            known[stamp] = last = value
            last = stamp


def text_samples(text):
    """Value by time in milliseconds (None without one), by series."""
    found = collections.defaultdict(dict)
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        match = re.match(r"(\w+)(?:\{(.*)\})? (\S+)(?: (\S+))?$", line)
        labels = [("__name__", match[1])]
        for name, value in SERIES.findall(match[2] or ""):
            labels.append((name, re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], value)))
        stamp = None if match[4] is None else round(float(match[4]) * 1000)
        found[frozenset(labels)][stamp] = float(match[3])
    return found


def newest(found):
    return {series: values[max(values)] for series, values in found.items()}


def run(*arguments, timeout=200):
    """The status, standard output and error of `metrics`, and the most memory in bytes."""
    process = subprocess.Popen(
        [TOOL, "metrics", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    timer = threading.Timer(timeout, process.kill)
    timer.start()
    memory = 0
    with concurrent.futures.ThreadPoolExecutor() as readers:
        out, err = readers.submit(process.stdout.read), readers.submit(process.stderr.read)
        # The usage that the system reports at the end counts this program's memory too.
        while process.poll() is None:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            if peak := re.search(r"VmHWM:\s+(\d+) kB", status):
                memory = max(memory, int(peak[1]) * 1024)
            time.sleep(0.02)
        out, err = out.result().decode(), err.result().decode()
    timer.cancel()
    process.stdout.close()
    process.stderr.close()
    return process.returncode, out, err, memory


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)

    def setUp(self):
        self.path = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.path, ignore_errors=True)

    def started(self, server):
        self.addCleanup(server.stop)
        return server

    def assert_close(self, found, expected):
        """The same series, and numbers that are equal but for the last bits."""
        self.assertEqual(set(found), set(expected))
        for series, value in expected.items():
            self.assertAlmostEqual(found[series], value, delta=abs(value) * 1e-12, msg=series)

    def captures(self, count=9, wall=None):
        return fleet.write(self.path / "captures", count, wall, 600)


def many(folder):
    """Captures of so many app versions that their totals are over 100,000 samples."""
    folder.mkdir()
    for seed in range(MANY):
        fault = fleet.FAULTS[seed % len(fleet.FAULTS)]
        one = fleet.life(
            None, seed, fault, app_bundle_id=f"com.example.a{seed % 30}", app_version=f"{seed}",
            os_version="8.1.0", device_model="iPhone7,2")
        (folder / f"{seed:05}.ndjson").write_text(one.text)
    return folder


@needs("prometheus", "victoria-metrics")
class Servers(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.many = many(cls.shared / "many")
        # The memory of a run whose receiver takes everything at once.
        cls.usual = None

    def prometheus(self):
        config = self.path / "prometheus.yml"
        config.write_text("global: {scrape_interval: 1m}\n")
        return self.started(Prometheus(self.path, config, "--web.enable-remote-write-receiver"))

    def send(self, url, *options):
        """Sends all totals, and returns them as a text has them, and the memory that it took."""
        textfile = self.path / f"{time.monotonic_ns()}.prom"
        code, out, err, memory = run(
            self.many, "--max-series", 1_000_000, "--remote-write", url, "--textfile", textfile, *options)
        self.assertEqual((code, out), (0, ""), err)
        expected = {series: one[None] for series, one in text_samples(textfile.read_text()).items()}
        self.assertGreaterEqual(len(expected), 100_000)
        self.assertEqual(err.splitlines()[-1], f"{len(expected)} samples sent to {url}")
        return expected, memory

    @staticmethod
    def prometheus_samples(server):
        found = server.query('{__name__=~"tracecheck_.*"}')
        return {frozenset(one["metric"].items()): float(one["value"][1]) for one in found}

    def test_prometheus_has_what_the_text_says(self):
        server = self.prometheus()
        expected, _ = self.send(server.url + "/api/v1/write")
        found = self.prometheus_samples(server)
        self.assertEqual(set(found), set(expected))
        self.assertEqual(found, expected)
        # What is over an hour older than what it has, it refuses, and that is told.
        captures = self.captures(9, time.time() // DAY * DAY - 3 * DAY)
        code, out, err, _ = run(captures, "--timestamps", "--remote-write", server.url + "/api/v1/write")
        self.assertEqual((code, out), (3, ""))
        sent, refused = self.account(err)
        self.assertEqual((sent > 0, refused > 0), (False, True), err)
        self.assertIn("400 Bad Request: out of bounds", err)
        text = run(captures, "--timestamps")[1]
        self.assertEqual(refused, sum(map(len, text_samples(text).values())))
        # What is recent it takes at the times it had.
        start = int(time.time()) - 1_500
        (self.path / "recent").mkdir()
        (self.path / "recent/one.ndjson").write_text(fleet.life(start, 4, app_bundle_id="recent").text)
        code, out, err, _ = run(
            self.path / "recent", "--timestamps", "--remote-write", server.url + "/api/v1/write",
            "--remote-write-label", "instance=mac-3")
        self.assertEqual((code, out), (0, ""), err)
        launches = server.query_range(
            'tracecheck_launch_duration_seconds_count{app="recent",instance="mac-3"}', start - 60,
            time.time(), 30)
        values = [float(value) for _, value in launches[0]["values"]]
        self.assertEqual((values[0], values[-1]), (0, 1))

    @staticmethod
    def account(err):
        sent = re.search(r"^(\d+) samples sent to", err, re.MULTILINE)
        refused = re.findall(r"refused (\d+) samples", err)
        return int(sent[1]), sum(map(int, refused))

    def test_victoria_has_what_the_text_says(self):
        server = self.started(Victoria(self.path))
        expected, _ = self.send(server.url + "/api/v1/write")
        self.assert_close(newest(server.everything()), expected)

    def test_victoria_has_the_past(self):
        server = self.started(Victoria(self.path))
        captures = self.captures(60, 1_500_000_000)
        code, out, err, _ = run(
            captures, "--timestamps", "--remote-write", server.url + "/api/v1/write")
        self.assertEqual((code, out), (0, ""), err)
        expected = text_samples(run(captures, "--timestamps")[1])
        self.assertEqual(self.account(err), (sum(map(len, expected.values())), 0))
        self.assertGreater(self.account(err)[0], 50_000)
        found = server.everything()
        # It registers many new series in the background.
        deadline = time.monotonic() + 30
        while len(found) < len(expected) and time.monotonic() < deadline:
            time.sleep(0.5)
            found = server.everything()
        self.assertEqual(set(found), set(expected))
        for series, values in expected.items():
            self.assert_close(found[series], values)

    def test_nothing_is_lost_while_prometheus_is_started_again(self):
        server = self.prometheus()
        port, restarted = server.port, []

        def fail(number):
            # The 20th request finds it gone for ten seconds.
            if number == 20:
                server.stop()

                def restart():
                    log = server.log.open("ab")
                    server.process = subprocess.Popen(server.process.args, stdout=log, stderr=log)
                    log.close()
                    restarted.append(time.monotonic())

                threading.Timer(10, restart).start()
            return 204, {}

        self.outage(port, fail, lambda: self.prometheus_samples(server))
        self.assertTrue(restarted)

    def test_nothing_is_lost_while_victoria_stands_still(self):
        server = self.started(Victoria(self.path))

        def fail(number):
            if number == 20:
                server.process.send_signal(signal.SIGSTOP)
                threading.Timer(10, server.process.send_signal, [signal.SIGCONT]).start()
            return 204, {}

        self.outage(server.port, fail, lambda: newest(server.everything()))

    def outage(self, port, fail, found):
        """Sends through a proxy that notices when the middle has come."""
        def forward(path, headers, body):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=40)
            try:
                connection.request("POST", path, body, headers)
                answer = connection.getresponse()
                return answer.status, answer.read().decode()
            except OSError:
                return 502, "the receiver isn't there"
            finally:
                connection.close()

        if Servers.usual is None:
            _, Servers.usual = self.send(self.started(Receiver()).url)
        proxy = self.started(Receiver(fail, forward))
        start = time.monotonic()
        expected, memory = self.send(proxy.url)
        self.assertGreater(time.monotonic() - start, 10)
        self.assert_close(found(), expected)
        self.assertGreater(len(proxy.requests), 50)
        self.assertLess(
            memory, Servers.usual + (24 << 20), f"{Servers.usual >> 20} MiB without an outage")


class Retrying(Case):
    def test_failures_are_tried_again_and_refusals_are_not(self):
        answers = {
            1: (500, {}, "not yet"), 2: None, 3: (429, {"Retry-After": "1"}, "slowly"),
            5: (503, {"Retry-After": "soon"}, "x" * 100_000),
        }
        receiver = self.started(Receiver(lambda number: answers.get(number, (204, {}))))
        captures = self.captures(60, 1_500_000_000)
        start = time.monotonic()
        code, out, err, _ = run(captures, "--timestamps", "--remote-write", receiver.url)
        self.assertEqual((code, out), (0, ""), err)
        self.assertGreater(time.monotonic() - start, 1)
        self.assertEqual(receiver.everything(), text_samples(run(captures, "--timestamps")[1]))
        bodies = [body for _, _, _, body in receiver.requests]
        self.assertEqual(bodies[0], bodies[1])
        self.assertEqual(bodies[0], bodies[3])
        self.assertEqual(bodies[4], bodies[5])
        waits = [b[0] - a[0] for a, b in zip(receiver.requests, receiver.requests[1:])]
        self.assertGreaterEqual(waits[2], 1)
        _, path, headers, _ = receiver.requests[0]
        self.assertEqual(path, "/api/v1/write")
        for name, value in (("Content-Type", "application/x-protobuf"), ("Content-Encoding", "snappy"),
                            ("X-Prometheus-Remote-Write-Version", "0.1.0")):
            self.assertEqual(headers[name], value)
        self.assertRegex(headers["User-Agent"], r"^tracecheck/\d")

    def test_a_refused_request_costs_no_other(self):
        receiver = self.started(Receiver(
            lambda number: (400, {}, "out of\n bounds \x1b[31m" + "x" * 900) if number == 2 else (204, {})))
        captures = self.captures(60, 1_500_000_000)
        code, _, err, _ = run(captures, "--timestamps", "--remote-write", receiver.url)
        self.assertEqual(code, 3)
        total = sum(map(len, text_samples(run(captures, "--timestamps")[1]).values()))
        sent, refused = Servers.account(err)
        self.assertEqual((sent, refused), (total - refused, 2_000))
        self.assertEqual(sum(map(len, receiver.found.values())), sent)
        bodies = [body for _, _, _, body in receiver.requests]
        self.assertEqual(len(bodies), len(set(bodies)))
        line = next(one for one in err.splitlines() if "refused" in one)
        self.assertIn("400 Bad Request: out of bounds \\u{1B}[31mxxx", line)
        self.assertLess(len(line), 400)

    def test_a_redirect_is_named_and_not_followed(self):
        receiver = self.started(Receiver(lambda number: (301, {"Location": "http://elsewhere/"})))
        code, _, err, _ = run(self.captures(), "--remote-write", receiver.url)
        self.assertEqual(code, 3)
        self.assertIn("301 Moved Permanently, and it names http://elsewhere/", err)
        self.assertEqual(len(receiver.requests), 1)

    def test_receivers_cannot_tell_what_is_secret(self):
        def repeats(number):
            return (404, {}, "no page /api/v1/write?token=hidden%21 for fleet:s@cret")

        for answer in (repeats, lambda number: (301, {"Location": "http://b/?token=hidden%21"})):
            receiver = self.started(Receiver(answer))
            url = receiver.url.replace("127.0.0.1", "fleet:s%40cret@127.0.0.1") + "?token=hidden%21"
            code, _, err, _ = run(self.captures(), "--remote-write", url)
            self.assertEqual(code, 3)
            for secret in ("cret", "hidden"):
                self.assertNotIn(secret, err)
            self.assertIn("***", err)

    def test_addresses_and_passwords(self):
        captures = self.captures()
        six = self.started(Receiver(host="::1"))
        self.assertEqual(run(captures, "--remote-write", six.url)[0], 0)
        receiver = self.started(Receiver())
        url = receiver.url.replace("127.0.0.1", "fleet:s%40cret@localhost") + "?token=hidden"
        code, _, err, _ = run(captures, "--remote-write", url)
        self.assertEqual(code, 0, err)
        _, path, headers, _ = receiver.requests[0]
        self.assertEqual(path, "/api/v1/write?token=hidden")
        self.assertEqual(base64.b64decode(headers["Authorization"].split()[1]), b"fleet:s@cret")
        self.assertIn("http://***@localhost", err)
        for secret in ("cret", "hidden", "fleet"):
            self.assertNotIn(secret, err)

    def test_credentials_come_from_a_file(self):
        captures = self.captures()
        login = self.path / "login"
        for content, sent in (
            ("fleet:s@cret: 1\n", "Basic " + base64.b64encode(b"fleet:s@cret: 1").decode()),
            (" s3cret.token-~+/=\r\n", "Bearer s3cret.token-~+/="),
        ):
            login.write_text(content)
            receiver = self.started(Receiver())
            code, _, err, _ = run(
                captures, "--remote-write", receiver.url, "--remote-write-credentials", login)
            self.assertEqual(code, 0, err)
            self.assertEqual(receiver.requests[0][2]["Authorization"], sent)
            self.assertIn(f"sent to {receiver.url}\n", err)
            self.assertNotIn("cret", err)
            # The shell's own pipe is a file too.
            piped = subprocess.run(
                ["bash", "-c", '"$0" metrics "$1" --remote-write "$2" --remote-write-credentials'
                 ' <(printf %s "$LOGIN")', TOOL, captures, receiver.url],
                env={**os.environ, "LOGIN": content}, capture_output=True, text=True, timeout=60)
            self.assertEqual(piped.returncode, 0, piped.stderr)
            self.assertEqual(receiver.requests[-1][2]["Authorization"], sent)
            # A receiver that repeats what it was told.
            answer = f"no page for {content.strip()}, {sent}"
            receiver = self.started(Receiver(lambda number: (404, {}, answer)))
            code, _, err, _ = run(
                captures, "--remote-write", receiver.url, "--remote-write-credentials", login)
            self.assertEqual(code, 3)
            self.assertIn("404 Not Found: no page for ***", err)
            for secret in ("cret", sent.split()[1][:6]):
                self.assertNotIn(secret, err)

    def test_credentials_that_cannot_be_used(self):
        captures = self.captures()
        receiver = self.started(Receiver())
        login = self.path / "login"
        for content, said in (
            (b"", "it is empty"), (b" \n", "it is empty"), (b"one:secret\ntwo:secret\n", "lines"),
            (b"fleet secret\n", "a token has neither blanks"), (b"Bearer secret", "neither blanks"),
            ("s\u00e9cret".encode(), "beyond ASCII"), (b"a:secret\xff", "UTF-8"),
            (b"a:secret\x00", "control"), (b"a:" + b"secret" * 700, "longer than 4096"),
        ):
            login.write_bytes(content)
            code, out, err, _ = run(
                captures, "--remote-write", receiver.url, "--remote-write-credentials", login)
            self.assertEqual((code, out), (2, ""), content)
            self.assertIn(f"--remote-write-credentials: {login} can't be used: ", err)
            self.assertIn(said, err)
            for secret in ("secret", "cret", "fleet"):
                self.assertNotIn(secret, err.replace(str(login), ""))
        login.write_text("fleet:secret")
        other = receiver.url.replace("127.0.0.1", "me:secret@127.0.0.1")
        for arguments, said in (
            (["--remote-write-credentials", login], "isn't given"),
            (["--remote-write", other, "--remote-write-credentials", login], "leave one of them away"),
            (["--remote-write", receiver.url, "--remote-write-credentials", "-"], "standard input"),
            (["--remote-write", receiver.url, "--remote-write-credentials", ""], "names no file"),
            (["--remote-write", receiver.url, "--remote-write-credentials", self.path / "none"],
             "check the spelling"),
            (["--remote-write", receiver.url, "--remote-write-credentials", self.path], "directory"),
            (["--remote-write", receiver.url, "--remote-write-credentials", login,
              "--textfile", login], "also the input"),
        ):
            code, out, err, _ = run(captures, *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(said, err)
            self.assertNotIn("secret", err)
        self.assertEqual(receiver.requests, [])
        self.assertEqual(login.read_text(), "fleet:secret")

    def test_wrong_usage(self):
        captures = self.captures()
        for arguments, said in (
            (["--remote-write", "https://me:secret@a/x"], "https isn't spoken here"),
            (["--remote-write", "a:9090"], "http://"), (["--remote-write", "http://a:0/"], "port"),
            (["--remote-write-label", "a=b"], "isn't given"),
            (["--remote-write-timeout", "5s"], "isn't given"),
            (["--remote-write", "http://a/", "--remote-write-timeout", "0s"], "from 1s"),
            (["--remote-write", "http://a/", "--remote-write-label", "app=b"], "of their own"),
            (["--remote-write", "http://a/", "--format", "text"], "leave --format away"),
        ):
            code, out, err, _ = run(captures, *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(said, err)
            self.assertNotIn("secret", err)


class Hostile(Case):
    """Whatever answers, the end comes in bounded time, and says what wasn't sent."""

    def listener(self, talk):
        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                try:
                    talk(self.request)
                except OSError:
                    pass

        class Listener(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False

        server = Listener(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server.server_address[1]

    def test_all_of_them(self):
        captures = self.captures()

        def drip(connection):
            while True:
                connection.sendall(b"H")
                time.sleep(0.05)

        def endless(connection):
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            while True:
                connection.sendall(b"X: " + b"y" * 4_000 + b"\r\n")

        def endless_body(connection):
            connection.recv(1)
            connection.sendall(b"HTTP/1.1 500 X\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n")
            while True:
                connection.sendall(b"z" * 4_000)

        def reset(connection):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

        def silent(connection):
            time.sleep(30)

        def fails(connection):
            connection.recv(65_536)
            connection.sendall(b"HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\nno")

        def patient(connection):
            connection.recv(65_536)
            connection.sendall(
                b"HTTP/1.1 429 Slowly\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n")

        busy_count = 0

        def busy(connection):
            nonlocal busy_count
            while connection.recv(65_536):
                busy_count += 1
                connection.sendall(
                    b"HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n")

        def other(connection):
            connection.sendall(b"220 mail.example ESMTP\r\n")
            time.sleep(30)

        closed = socket.socket()
        closed.bind(("127.0.0.1", 0))
        self.addCleanup(closed.close)
        full = socket.socket()
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        self.addCleanup(full.close)
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
            self.addCleanup(one.close)
        ports = {
            "drip": (self.listener(drip), "in time"), "endless": (self.listener(endless), "16 KiB"),
            "endless body": (self.listener(endless_body), "500 X: zzz"),
            "reset": (self.listener(reset), ""), "silent": (self.listener(silent), "in time"),
            "fails": (self.listener(fails), "500 Oh: no"),
            "patient": (self.listener(patient), "more patience than there is time"),
            "busy": (self.listener(busy), "503 Busy"), "other": (self.listener(other), "isn't HTTP/1.1"),
            "closed": (closed.getsockname()[1], "Connection refused"),
            "full": (full.getsockname()[1], ""),
        }

        def attack(port):
            start = time.monotonic()
            result = run(
                captures, "--remote-write", f"http://127.0.0.1:{port}/", "--remote-write-timeout", "2s")
            return (*result, time.monotonic() - start)

        # What it takes to read the captures on this machine is told by a receiver that takes all.
        with concurrent.futures.ThreadPoolExecutor(len(ports) + 1) as pool:
            usual = pool.submit(attack, self.started(Receiver()).port)
            results = dict(zip(ports, pool.map(lambda one: attack(one[0]), ports.values())))
            usual = usual.result()
        self.assertEqual(usual[0], 0, usual)
        for name, (code, out, err, memory, seconds) in results.items():
            self.assertEqual((code, out), (3, ""), (name, err))
            self.assertRegex(err, r"(?m)^0 samples sent to", name)
            self.assertRegex(err, r"(?m)^tracecheck: [1-9]\d* samples weren't sent", name)
            self.assertIn(ports[name][1], err, name)
            self.assertLess(seconds, usual[4] + 8, name)
            self.assertLess(memory, 256 << 20, name)
        self.assertLess(busy_count, 60)
        # Its patience is over the time: it isn't even waited for.
        self.assertLess(results["patient"][4], usual[4] + 1.9)

    def test_an_interrupt_ends_it(self):
        connected = threading.Event()

        def wait(_):
            connected.set()
            time.sleep(30)

        process = subprocess.Popen(
            [TOOL, "metrics", self.captures(), "--remote-write",
             f"http://127.0.0.1:{self.listener(wait)}/"], stderr=subprocess.PIPE, text=True)
        self.assertTrue(connected.wait(30))
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=10)[1]
        self.assertLess(time.monotonic() - start, 3)
        self.assertEqual(process.returncode, -signal.SIGINT, err)
        self.assertRegex(err, r"[1-9]\d* samples weren't sent \(interrupted\)")


class Serving(Case):
    def serve(self, receiver, *options):
        served = self.path / "served"
        served.mkdir(exist_ok=True)
        server = serve.Server(
            served, "--remote-write", receiver.url, "--remote-write-interval", "1s", *options)
        self.addCleanup(server.process.kill)
        return served, server

    @staticmethod
    def counters(found):
        """The newest value of every series that isn't about the sending or the moment."""
        changing = re.compile("remote_write|timestamp|build_info|unseen")
        return {
            series: value for series, value in newest(found).items()
            if not changing.search(dict(series)["__name__"])}

    def shown(self, server):
        server.get("/metrics")
        text = server.get("/metrics")[1]
        return self.counters(text_samples_now(text))

    def test_what_is_shown_is_sent(self):
        failing = threading.Event()
        receiver = self.started(Receiver(
            lambda number: (503, {}, "away") if failing.is_set() else (204, {})))
        served, server = self.serve(receiver, "--state", self.path / "state")
        (served / "one.ndjson").write_text(serve.life("notes", 6, "one"))
        server.wait_ready()
        server.wait(lambda: self.counters(receiver.everything()) == self.shown(server) != {})
        # Nobody had seen these series: they begin with nothing.
        for series, values in receiver.everything().items():
            if series in self.shown(server):
                self.assertEqual(values[min(values)], 0)
                self.assertEqual(sorted(values.values()), list(values.values()))
        failing.set()
        (served / "two.ndjson").write_text(serve.life("chat", 1, "two"))
        server.wait(lambda: len(server.captures()) == 2)
        before = len(receiver.requests)
        server.wait(lambda: len(receiver.requests) > before + 3)
        # Pages are there all the time, and say what waits.
        own = {dict(series)["__name__"]: value[None]
               for series, value in text_samples(server.get("/metrics")[1]).items()
               if "remote_write" in dict(series)["__name__"]}
        self.assertGreater(own["tracecheck_remote_write_failed_requests_total"], 0)
        self.assertGreater(own["tracecheck_remote_write_pending_samples"], 0)
        self.assertGreater(own["tracecheck_remote_write_sent_samples_total"], 0)
        failing.clear()
        server.wait(lambda: self.counters(receiver.everything()) == self.shown(server))
        # The last totals go out at the end.
        (served / "three.ndjson").write_text(serve.life("photos", 2, "three"))
        server.wait(lambda: len(server.captures()) == 3)
        last = self.shown(server)
        code, _, err = self.stopped(server)
        self.assertEqual(code, 0, err)
        final = self.counters(receiver.everything())
        self.assertEqual({s: v for s, v in final.items() if s in last and "check" not in str(s)},
                         {s: v for s, v in last.items() if "check" not in str(s)})
        self.assertEqual(err.count("can't be sent to"), 1, err)
        self.assertEqual(err.count("can be sent to again"), 1, err)
        self.assertIn("503 Service Unavailable: away", err)
        # No counter falls or begins anew over a restart.
        _, server = self.serve(receiver, "--state", self.path / "state")
        server.wait_ready()
        before = len(receiver.requests)
        server.wait(lambda: len(receiver.requests) > before + 1)
        self.stopped(server)
        for series, values in receiver.everything().items():
            name = dict(series)["__name__"]
            if series in last and "check_duration" not in name:
                in_order = [values[stamp] for stamp in sorted(values)]
                self.assertEqual(in_order, sorted(in_order), name)

    @staticmethod
    def stopped(server):
        server.process.send_signal(signal.SIGTERM)
        out, err = server.process.communicate(timeout=15)
        return server.process.returncode, out, err

    def test_a_receiver_that_hangs_keeps_nobody_waiting(self):
        hanging = socket.socket()
        hanging.bind(("127.0.0.1", 0))
        hanging.listen()
        self.addCleanup(hanging.close)
        receiver = type("Hanging", (), {"url": f"http://127.0.0.1:{hanging.getsockname()[1]}/"})
        served, server = self.serve(receiver)
        (served / "one.ndjson").write_text(serve.life("notes", 6, "one"))
        server.wait_ready()
        hanging.settimeout(10)
        connection = hanging.accept()[0]
        self.addCleanup(connection.close)
        for _ in range(20):
            start = time.monotonic()
            self.assertEqual(server.get("/metrics")[0], 200)
            self.assertLess(time.monotonic() - start, 2)
        start = time.monotonic()
        code, _, err = self.stopped(server)
        self.assertEqual(code, 0, err)
        self.assertLess(time.monotonic() - start, 9)
        self.assertRegex(err, r"the last \d+ samples weren't sent")

    def test_it_logs_in_with_a_file(self):
        receiver = self.started(Receiver())
        login = self.path / "login"
        login.write_text("s3cret\n")
        served, server = self.serve(receiver, "--remote-write-credentials", login)
        (served / "one.ndjson").write_text(serve.life("notes", 6, "one"))
        server.wait_ready()
        server.wait(lambda: receiver.requests)
        arguments = pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
        self.assertNotIn(b"s3cret", arguments)
        code, out, err = self.stopped(server)
        self.assertEqual(code, 0, err)
        self.assertEqual({headers["Authorization"] for _, _, headers, _ in receiver.requests},
                         {"Bearer s3cret"})
        self.assertNotIn("s3cret", out + err)

    def test_a_refusal_is_told_once(self):
        receiver = self.started(Receiver(lambda number: (404, {}, "no such page")))
        served, server = self.serve(receiver)
        (served / "one.ndjson").write_text(serve.life("notes", 6, "one"))
        server.wait_ready()
        server.wait(lambda: len(receiver.requests) >= 3)
        bodies = len(receiver.requests)
        _, _, err = self.stopped(server)
        self.assertGreaterEqual(bodies, 3)
        self.assertEqual(len(re.findall(r"refused \d+ samples: 404 Not Found: no such page", err)), 1, err)


def text_samples_now(text):
    return {series: {0: values[None]} for series, values in text_samples(text).items()}


if __name__ == "__main__":
    unittest.main()
