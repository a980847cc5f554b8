"""Whether `serve` counts a capture once that grows, whatever happens to its file in between, and
two captures twice that only begin alike.

    python3 serve_growth.py [PATH OF TRACECHECK] [TEST...]
"""

import os
import random
import shutil
import time
import unittest

from serve import HEADER
from serve_numbers import WITH_PERMISSIONS, Numbers, clean, values

START = '{"t_ns":0,"event":"proc.start","args":{"into":"foreground","reason":"user_icon"}}\n'


def warning(number):
    """One event."""
    return '{"t_ns":%d,"event":"delegate.did_receive_memory_warning"}\n' % (9_000_000_000 + number)


def append(path, text):
    with open(path, "a") as file:
        file.write(text)


class Growing(Numbers):
    def put_young(self, name, number):
        """A capture of five events that no other one has."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(clean("a", ends=False).replace('"t_ns":0,', '"t_ns":%d,' % number))
        return path

    def events(self, server):
        return server.total("tracecheck_events_total")

    def paths(self, server):
        return {capture["path"] for capture in server.captures()}

    def go_on(self, server, is_killed, state):
        if not is_killed:
            return server
        server.kill()
        return self.serve("--state", state, starter=WITH_PERMISSIONS).wait_ready()

    def what_happens_in_between(self, is_killed):
        state = self.path / "state"
        hidden, away, dotted, linked, inner = (
            self.put_young(name, number) for number, name in enumerate(
                ["hidden.ndjson", "away.ndjson", "dotted.ndjson", "linked.ndjson",
                 "sub/inner.ndjson"]))
        server = self.serve("--state", state, starter=WITH_PERMISSIONS).wait_ready()
        server.wait(lambda: len(server.captures()) == 5)
        self.assertEqual(self.events(server), 25)

        sub, renamed = self.folder / "sub", self.folder / "renamed"
        with open(inner, "a") as inside, open(hidden, "a") as unreadable:
            self.addCleanup(lambda: renamed.exists() and renamed.chmod(0o700))
            hidden.chmod(0)
            unreadable.write(warning(1))
            unreadable.flush()
            away.rename(self.path / "away")
            dotted.rename(self.folder / ".dotted")
            sub.chmod(0)
            sub.rename(renamed)
            inside.write(warning(1))
        server.wait(lambda: {capture["path"]: "failure" in capture for capture in server.captures()}
                    == {"hidden.ndjson": True, "linked.ndjson": False})
        server = self.go_on(server, is_killed, state)

        hidden.chmod(0o600)
        renamed.chmod(0o700)
        for path in (hidden, self.path / "away", self.folder / ".dotted", linked):
            append(path, warning(2))
        (self.path / "away").rename(away)
        (self.folder / ".dotted").rename(dotted)
        os.link(linked, self.folder / "0.ndjson")
        server = self.go_on(server, is_killed, state)
        for name, count in [("hidden", 7), ("away", 6), ("dotted", 6), ("linked", 6), ("0", 6),
                            ("renamed/inner", 6)]:
            self.wait_events(server, name + ".ndjson", count)
        self.assertEqual(self.events(server), 7 + 4 * 6)

    def test_what_happens_in_between(self):
        self.what_happens_in_between(False)

    def test_what_happens_in_between_when_killed(self):
        self.what_happens_in_between(True)

    def test_captures_that_begin_alike(self):
        state = self.path / "state"
        names = {"header": "", "first": START}
        for place in (0, 1):
            for name, text in names.items():
                (self.folder / f"{name}{place}.ndjson").write_text(
                    HEADER % (f"app{place}", "") + text)
        server = self.serve("--state", state).wait_ready()
        server.wait(lambda: len(server.captures()) == 4)
        for round_ in (1, 2):
            for place in (0, 1):
                for name in names:
                    append(self.folder / f"{name}{place}.ndjson",
                           "".join(warning(100 * round_ + 10 * place + number + (name == "first"))
                                   for number in range(2 + place)))
            for place in (0, 1):
                self.wait_events(server, f"header{place}.ndjson", (2 + place) * round_)
                self.wait_events(server, f"first{place}.ndjson", 1 + (2 + place) * round_)
            self.assertEqual(self.events(server), 2 * 5 * round_ + 2)
            server.kill()
            server = self.serve("--state", state).wait_ready()
            self.assertEqual(self.events(server), 2 * 5 * round_ + 2)

    def test_copies_of_what_a_capture_has_become(self):
        state = self.path / "state"
        current = self.folder / "a.ndjson"
        self.put_old(current.name, clean("a", ends=False))
        server = self.serve("--state", state).wait_ready()
        self.wait_events(server, current.name, 5)
        server.stop()
        append(current, warning(1))
        shutil.copy2(current, self.folder / "0.ndjson")
        server = self.serve("--state", state).wait_ready()
        self.wait_events(server, "0.ndjson", 6)
        self.wait_events(server, current.name, 6)
        self.assertEqual(self.events(server), 6)
        # As some rotate logs.
        append(current, warning(2))
        shutil.copy2(current, self.folder / "1.ndjson")
        current.write_text(HEADER % ("a", "") + START.replace('"t_ns":0,', '"t_ns":1,'))
        self.wait_events(server, "1.ndjson", 7)
        self.wait_events(server, current.name, 1)
        self.assertEqual(self.events(server), 7 + 1)

    def test_unreadable_captures_count_once(self):
        success = "tracecheck_last_success_timestamp_seconds"
        for number in range(2):
            self.put_old(f"{number}.ndjson", '{"header":{"format":"tracecheck-ndjson"\ngarbage\n')
        self.put_old("2.lctrace", "this is no trace")
        server = self.serve().wait_ready()
        path = self.folder / "2.lctrace"
        for name in ("3.lctrace", "2.lctrace", "4.lctrace"):
            path = path.rename(self.folder / name)
            server.wait(lambda: self.paths(server) == {"0.ndjson", "1.ndjson", name})
            self.assertEqual(self.outcomes(server), {"unreadable": 3})
        for name in ("4.lctrace", "0.ndjson", "1.ndjson"):
            self.assertNotIn(success, values(server.get("/metrics")[1]))
            os.remove(self.folder / name)
            server.wait(lambda: name not in self.paths(server))
        server.wait(lambda: success in values(server.get("/metrics")[1]))
        self.assertEqual(self.outcomes(server), {"unreadable": 3})

    def test_many_names_in_a_moment(self, seconds=6):
        generator = random.Random(4)
        for number in range(200):
            self.put_old(f"other{number}.ndjson", HEADER % ("other", "") + START.replace(
                '"t_ns":0,', '"t_ns":%d,' % (1 + number)))
        path = self.put_young("moving.ndjson", 300)
        server = self.serve().wait_ready()
        server.wait(lambda: self.events(server) == 205)
        count, moves = 5, 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _ in range(generator.randrange(1, 7)):
                moves += 1
                path = path.rename(self.folder / f"moving{moves}.ndjson")
                time.sleep(generator.choice([0, 0.002, 0.01]))
            append(path, warning(count))
            count += 1
            time.sleep(generator.choice([0.05, 1.2]))
        self.wait_events(server, path.name, count)
        self.assertEqual(self.events(server), 200 + count)
        server.wait(lambda: len(server.captures()) == 201)
        print(f"one file was given {moves} names while it grew {count - 5} times: counted once")


if __name__ == "__main__":
    unittest.main(verbosity=2)
