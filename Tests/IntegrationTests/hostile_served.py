"""What `serve` answers about captures with hostile texts."""

import http.client
import json
import re
import subprocess
import time

from executable import TOOL
import hostile_captures as captures
from hostile_formats import SERVED
from hostile_readers import text

SECONDS_MAX = 60


class Server:
    def __init__(self, folder):
        self.process = subprocess.Popen(
            [TOOL, "serve", folder, "--listen", "127.0.0.1:0", "--config", "none"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.said = self.process.stdout.readline()
        self.port = int(re.search(rb"http://127\.0\.0\.1:(\d+)/", self.said)[1])

    def get(self, path, accept="*/*"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path, headers={"Accept": accept})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def wait(self):
        end = time.monotonic() + SECONDS_MAX
        while self.get("/healthz")[0] != 200:
            assert time.monotonic() < end, "the captures are not read"
            time.sleep(0.1)

    def stop(self):
        self.process.terminate()
        out, errors = self.process.communicate(timeout=20)
        return self.said + out, errors


def answers(folder, judge):
    """Asks for every page about the captures of a folder, and hands each to a judge."""
    captures.write_lives(folder)
    captures.write_folders(folder)
    server = Server(folder)
    try:
        server.wait()

        def ask(address, path, accept="*/*"):
            status, content = server.get(path, accept)
            if status == 200:
                judge(f"serve {address}", SERVED[address], content)
            else:
                judge(f"serve {address}", text, content)
            return status, content

        listed = json.loads(ask("/api/traces", "/api/traces")[1])
        ask("/", "/")
        ask("/healthz", "/healthz")
        # A series is nothing in the first answer that it is in.
        for _ in range(2):
            ask("/metrics", "/metrics")
            ask("/metrics as openmetrics", "/metrics", "application/openmetrics-text")
        for capture in listed["captures"]:
            for trace in capture["traces"]:
                link = trace["timeline"].removeprefix("/timeline/")
                for address in ("/trace/", "/timeline/", "/api/traces/"):
                    status, content = ask(address, address + link)
                    assert status == 200, (address, link, content[:300])
    finally:
        said, errors = server.stop()
        judge("serve said", text, said)
        judge("serve errors", text, errors)
