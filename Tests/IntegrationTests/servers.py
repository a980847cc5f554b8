"""Servers that tests start on free ports of the loopback, and end by their process ids."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

IS_CI = os.environ.get("CI") == "true"


def needs(*programs):
    """Skips a class of tests where a program is missing; in CI that is a failure."""
    missing = [p for p in programs if shutil.which(p) is None]
    if missing and IS_CI:
        raise RuntimeError(f"missing: {', '.join(missing)}; Tests/run installs them")
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def fetch(url, timeout=10, data=None, method=None):
    """The status and text of an answer."""
    request = urllib.request.Request(url, data=data, method=method)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(errors="replace")


def wait_for(condition, seconds, what):
    """What the condition returns as soon as that is something."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError):
            if result := condition():
                return result
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain for {what}")
        time.sleep(0.2)


def listens(process, port):
    """Whether a process is the one that listens on a port."""
    inodes = set()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(FileNotFoundError):
            for line in pathlib.Path("/proc/net", table).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and int(fields[1].rsplit(":", 1)[1], 16) == port:
                    inodes.add(f"socket:[{fields[9]}]")
    held = set()
    for descriptor in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            held.add(os.readlink(descriptor))
    return bool(inodes & held)


class Server:
    """A process with a port, and its log.

    A port that is free now may be another one's a moment later, so a server is ready when it is
    this process that listens; until then it is started again on another port.
    """

    def __init__(self, folder, name, arguments, ready):
        self.name, self.folder = name, folder
        for attempt in range(5):
            self.start(arguments)
            try:
                wait_for(lambda: self.is_ready(ready), 30, f"{name} to start")
                return
            except AssertionError:
                ended = self.process.poll() is not None
                self.stop()
                if not ended or attempt == 4:
                    raise AssertionError(f"{name} didn't start:\n{self.log.read_text()[-2000:]}")

    def start(self, arguments):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = pathlib.Path(self.folder) / f"{self.name}-{self.port}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [self.name, *arguments(self.port)], stdout=log, stderr=log, cwd=self.folder)

    def is_ready(self, path):
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended")
        return listens(self.process, self.port) and fetch(self.url + path, timeout=2)[0] == 200

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Prometheus(Server):
    def __init__(self, folder, config, *options, storage="tsdb"):
        self.storage = pathlib.Path(folder) / storage
        self.config = pathlib.Path(config)
        super().__init__(folder, "prometheus", lambda port: [
            f"--config.file={config}", f"--storage.tsdb.path={self.storage}",
            "--storage.tsdb.retention.time=100y", f"--web.listen-address=127.0.0.1:{port}",
            "--web.enable-lifecycle", "--enable-feature=exemplar-storage", *options], "/-/ready")

    def get(self, path, **parameters):
        status, text = fetch(f"{self.url}/api/v1/{path}?" + urllib.parse.urlencode(parameters))
        answer = json.loads(text)
        if status != 200 or answer["status"] != "success":
            raise AssertionError(f"{parameters}: {answer.get('error', text)}")
        return answer["data"]

    def query(self, expression, **parameters):
        """Series with a number: those that are NaN don't count."""
        result = self.get("query", query=expression, **parameters)["result"]
        return [one for one in result if one["value"][1] != "NaN"]

    def query_range(self, expression, start, end, step):
        """Series with at least one number."""
        result = self.get("query_range", query=expression, start=start, end=end, step=step)["result"]
        return [one for one in result if any(value != "NaN" for _, value in one["values"])]


def push_gateway(folder):
    return Server(folder, "prometheus-pushgateway", lambda port: [
        f"--web.listen-address=127.0.0.1:{port}"], "/-/ready")


def alert_manager(folder, config):
    return Server(folder, "prometheus-alertmanager", lambda port: [
        f"--config.file={config}", f"--storage.path={folder}/alertmanager",
        f"--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address="], "/-/ready")


def node_exporter(folder, textfiles):
    return Server(folder, "prometheus-node-exporter", lambda port: [
        f"--web.listen-address=127.0.0.1:{port}", "--collector.disable-defaults",
        "--collector.textfile", f"--collector.textfile.directory={textfiles}"], "/metrics")
