"""`redact` and `bundle` from outside: verdicts stay, words go, and parts of traces show what they
were cut out for.

Usage: sharing.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from executable import ROOT, TOOL

TRACES = sorted((ROOT / "traces").glob("*.lctrace"))
KEY = "00112233445566778899aabbccddeeff\n"
RULE_ON_A_NAME = """
tracecheck: 1
rules:
  - id: some-name
    severity: error
    never:
      event: bgtask.begin
      where: name matches "upload*"
    message: "upload"
    help: Do not.
"""
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8")


def run(*arguments, status=0, stdin=None):
    result = subprocess.run(
        [TOOL, *map(str, arguments)], input=stdin, capture_output=True, timeout=300,
        env=ENVIRONMENT)
    if result.returncode != status:
        raise AssertionError(
            f"{arguments}: exit {result.returncode}, not {status}\n{result.stderr.decode()}")
    return result


def report(path, *options, status=0):
    return json.loads(run("check", "--config", "none", "--fail-on", "never", "--report", "json",
                          path, *options, status=status).stdout)["traces"]


def verdicts(path, *options, status=0):
    """What a redaction must not change."""
    told = []
    for trace in report(path, *options, status=status):
        findings = [
            [finding[key] for key in ("rule", "severity", "reason", "time_ns", "last_time_ns",
                                      "thread", "launch", "count", "confidence")]
            + [[(event["index"], event["event"]) for event in finding["witness"]
                if not event["event"].startswith("r_") and ".r_" not in event["event"]]]
            for finding in trace["findings"]]
        told.append({
            "findings": sorted(findings, key=json.dumps), "verdicts": trace["verdicts"],
            "completeness": trace["completeness"], "profile": trace["profile"],
            "events": trace["events"], "launches": trace["launches"],
            "quality": [(note["id"], note["count"]) for note in trace["quality"]]})
    return told


def each(function, items):
    """Runs a function on all items, some at once, and returns what it says in their order."""
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(function, items))


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.key = self.folder / "secret.key"
        self.key.write_text(KEY)


class Verdicts(Folder):
    def same(self, source, name):
        redacted = self.folder / f"redacted-{name}.lctrace"
        run("redact", source, "-o", redacted)
        self.assertEqual(verdicts(source), verdicts(redacted), name)

    def test_traces(self):
        for source in TRACES:
            with self.subTest(source.name):
                self.same(source, source.stem)

    def test_simulated_lives(self):
        found = 0
        for seed in range(1, 13):
            life = self.folder / f"life-{seed}.lctrace"
            run("simulate", "--seed", seed, "-o", life)
            self.same(life, f"life-{seed}")
            found += sum(trace["events"] for trace in report(life))
        self.assertGreater(found, 1000)

    def test_examples_of_all_rules(self):
        """All examples of a rule, one trace after the other."""
        rules = json.loads(run("rules", "--format", "json").stdout)
        rules = rules.get("rules", rules) if isinstance(rules, dict) else rules
        identifiers = [rule["id"] for rule in rules if rule["id"].startswith("L")]
        self.assertGreater(len(identifiers), 100)

        def examine(identifier):
            rule = json.loads(run("explain", identifier, "--format", "json").stdout)
            texts = [example["timeline"] for example in rule["examples"]]
            if not texts:
                return None
            # A header of each, so that none runs on into the next.
            source = self.folder / f"{identifier}.timeline"
            source.write_text("\n".join(
                (text if text.startswith("timeline") else f"timeline 1\n{text}").rstrip() + "\n"
                for text in texts))
            redacted = self.folder / f"{identifier}.ndjson"
            run("redact", source, "-o", redacted)
            before, after = verdicts(source), verdicts(redacted)
            self.assertEqual(len(before), len(texts), identifier)
            return identifier, before, after, len([1 for trace in before if trace["findings"]])

        told = [answer for answer in each(examine, identifiers) if answer]
        for identifier, before, after, _ in told:
            with self.subTest(identifier):
                self.assertEqual(before, after)
        self.assertGreater(sum(violated for *_, violated in told), 100)


    def test_tokens_that_rules_hold_equal(self):
        """A number and its text, and two ways to write an é."""
        life = run("convert", ROOT / "traces" / "healthy-audio-ios7.lctrace", "--to", "ndjson",
                   "-o", "-").stdout.decode().splitlines()
        place = 1 + next(number for number, line in enumerate(life) if "did_become_active" in line
                         and "return" in line)
        first = json.loads(life[place - 1])["t_ns"]
        out = self.folder / "redacted.ndjson"
        for begun, ended in ((1, "1"), ("01", "+1"), ("caf\u00e9", "cafe\u0301"), ("a", "b")):
            tasks = [json.dumps({"t_ns": first, "event": f"bgtask.{word}", "args": {
                "token": token, "is_invalid": False}}) for word, token in
                (("begin", begun), ("end", ended))]
            source = self.folder / "mixed.ndjson"
            source.write_text("\n".join([*life[:place], *tasks, *life[place:]]) + "\n")
            run("redact", source, "-o", out)
            before, after = verdicts(source), verdicts(out)
            self.assertEqual(before, after, (begun, ended))
            found = any(finding[0] == "LC001" for finding in before[0]["findings"])
            self.assertEqual(found, begun == "a")


class Words(Folder):
    """A canary in every place where a person may have written something."""
    def planted(self):
        vocabulary = json.loads(run("vocabulary", "--format", "json").stdout)
        count = 0

        def canary():
            nonlocal count
            count += 1
            return f"Canary/{count} süß"

        def weird():
            return {"canary key": [canary(), {canary(): None}]}

        header = {"format": "tracecheck-ndjson", "version": 1}
        wrong = {"format": "tracecheck-ndjson", "version": 1}
        for field in vocabulary["header_fields"]:
            name = field["name"]
            if name in ("format", "version"):
                continue
            header[name] = [canary(), canary()] if field["type"] == "strings" else canary()
            wrong[name] = weird()
        header["canary_field"] = canary()
        wrong["canary_field"] = weird()
        lines, time = [], 0
        shapes = [canary, weird, lambda: [canary()], lambda: canary() + "x" * 70]
        kinds = [(kind["name"], kind["phase_kind"], [part["name"] for part in kind["arguments"]])
                 for kind in vocabulary["kinds"]]
        kinds += [("canary.sings", "instant", ["name", "canary"]),
                  ("bgtask.canary", "span", ["token"]), ("canary", "instant", ["canary"])]
        for name, shape, arguments in kinds:
            for value in shapes:
                time += 1000
                event = {"t_ns": time, "event": name, "thread": 1,
                         "args": {part: value() for part in arguments + ["canary_argument"]}}
                if shape != "instant":
                    event["phase"] = "enter"
                lines.append(event)
                if shape != "instant":
                    time += 1000
                    lines.append({"t_ns": time, "event": name, "thread": 1, "phase": "return",
                                  "args": {"canary_other": value()}})
        text = "".join(
            json.dumps(line, ensure_ascii=False) + "\n"
            for line in [{"header": header}] + lines + [{"header": wrong}] + lines[:50])
        self.assertGreater(count, 1000)
        return text

    def hides(self, path, *words):
        for word in words:
            self.assertNotIn(word.encode(), path.read_bytes().lower(), path.name)

    def test_no_canary_is_seen(self):
        source = self.folder / "planted.ndjson"
        source.write_text(self.planted())
        self.assertEqual(run("cat", source, "--format", "ndjson").stdout.lower().count(b"canary")
                         > 1000, True)
        words = ["canary", "süß", "s\\u00fc"]
        for form in ("ndjson", "timeline", "lctrace"):
            out = self.folder / f"out.{form}"
            run("redact", source, "-o", out)
            self.hides(out, *words)
            for other in ("ndjson", "timeline"):
                again = self.folder / f"again-{form}.{other}"
                run("convert", out, "-o", again)
                self.hides(again, *words)
            self.assertEqual(sum(trace["events"] for trace in report(out)),
                             sum(trace["events"] for trace in report(source)))
        self.assertEqual(verdicts(source), verdicts(self.folder / "out.lctrace"))
        piped = run("redact", "-", "-o", "-", "--to", "ndjson", stdin=source.read_bytes()).stdout
        self.assertNotIn(b"canary", piped.lower())

    def test_names_of_files_and_processes_are_not_carried_over(self):
        log = self.folder / "canary.log"
        log.write_text("".join(
            f"Nov 22 10:00:{second:02} iPhone Canary(UIKitCore)[57] <Notice>: "
            f"{message}\n" for second, message in enumerate([
                "applicationDidBecomeActive: com.example.canary", "canary wrote canary.txt",
                "[Canary] applicationDidEnterBackground:"] * 4)))
        result = subprocess.run([TOOL, "redact", log, "-o", self.folder / "log.ndjson"],
                                capture_output=True)
        self.assertIn(result.returncode, (0, 3))
        if (self.folder / "log.ndjson").exists():
            self.hides(self.folder / "log.ndjson", "canary")

    def test_the_key_decides(self):
        source = TRACES[0]
        first, second, third, fourth = (self.folder / f"{n}.lctrace" for n in range(4))
        run("redact", source, "-o", first, "--key-file", self.key)
        run("redact", source, "-o", second, "--key-file", self.key)
        run("redact", source, "-o", third)
        run("redact", source, "-o", fourth)
        self.assertEqual(first.read_bytes(), second.read_bytes())
        self.assertNotEqual(third.read_bytes(), fourth.read_bytes())
        self.assertNotEqual(first.read_bytes(), third.read_bytes())
        said = run("redact", source, "-o", third)
        self.assertEqual(said.stdout + said.stderr, b"")

    def test_what_stays_is_readable(self):
        text = run("redact", ROOT / "traces" / "fault-task-leaked-ios8.timeline", "-o", "-",
                   "--to", "timeline").stdout.decode()
        self.assertIn("bgtask.begin", text)
        self.assertIn("os_version=8", text)
        self.assertRegex(text, "r:[g-v]{16}")


class Bundles(Folder):
    def identity(self, finding):
        return tuple(finding[key] for key in ("rule", "reason", "severity", "time_ns", "thread",
                                              "confidence", "subject"))

    def check_all(self, source, name, redacts=False):
        findings = [(trace, finding) for trace in report(source) for finding in trace["findings"]]
        listed = run("bundle", source, "--list").stdout.decode().splitlines()
        if not findings:
            self.assertEqual(listed, ["nothing is found"])
            return []
        self.assertEqual(len(listed), len(findings))
        shares = []
        for number, (trace, finding) in enumerate(findings, 1):
            self.assertTrue(listed[number - 1].startswith(f"{number}  "))
            self.assertIn(finding["rule"], listed[number - 1])
            out = self.folder / f"{name}-{number}.ndjson"
            told = run("bundle", source, "--finding", number, "-o", out,
                       *(["--redact"] if redacts else []))
            parts = report(out)
            self.assertEqual(len(parts), 1)
            found = [self.identity(other) for other in parts[0]["findings"]]
            known = [self.identity(other) for other in trace["findings"]]
            wanted = self.identity(finding)
            if redacts:
                found, known = ([other[:-1] for other in some] for some in (found, known))
                wanted = wanted[:-1]
            self.assertIn(wanted, found, told.stderr)
            self.assertLessEqual(set(found), set(known), f"{name} {number}: something new")
            self.assertIn(f"kept {parts[0]['events']} of {trace['events']} ".encode(), told.stderr)
            self.assertIn(f"tracecheck check {out}".encode(), told.stderr)
            self.assertNotIn(b"trace_id", out.read_bytes())
            shares.append(parts[0]["events"] / trace["events"])
        return shares

    def test_every_finding_of_the_traces(self):
        shares = [share for source in TRACES for share in self.check_all(source, source.stem)]
        self.assertGreater(len(shares), 4)

    def test_every_finding_of_simulated_faults(self):
        names = [line.split()[0] for line in
                 run("simulate", "--list-faults").stdout.decode().splitlines() if line.strip()]
        self.assertGreater(len(names), 5)
        shares = []
        for name in names[::max(1, len(names) // 6)]:
            life = self.folder / f"{name}.lctrace"
            run("simulate", "--fault", name, "-o", life)
            shares += self.check_all(life, name)
            self.check_all(life, f"redacted-{name}", redacts=True)
        self.assertGreater(len(shares), 3)
        self.assertLess(min(shares), 1)

    def long_life(self):
        """An hour of touches in which one task is never ended."""
        header = {"header": {"format": "tracecheck-ndjson", "version": 1, "os_version": "8.1",
                             "app_bundle_id": "com.example.notes", "background_modes": []}}
        lines, time = [header], 1_000_000_000
        for number in range(20_000):
            time += 180_000_000
            lines.append({"t_ns": time, "event": "ui.touch", "args": {"x": number, "y": 1}})
            if number in (9_000, 15_000):
                for _ in range(2):
                    time += 1
                    lines.append({"t_ns": time, "event": "bgtask.end",
                                  "args": {"token": 7 + number, "is_invalid": False}})
                lines[-2]["event"] = "bgtask.begin"
                time += 1
                lines.append({"t_ns": time, "event": "bgtask.end",
                              "args": {"token": 7 + number, "is_invalid": False}})
        path = self.folder / "long.ndjson"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        binary = self.folder / "long.lctrace"
        run("convert", path, "-o", binary)
        return path, binary

    def test_the_part_is_short(self):
        for source in self.long_life():
            shares = self.check_all(source, source.suffix[1:])
            self.assertGreater(len(shares), 0)
            self.assertLess(max(shares), 0.01)

    def test_the_trace_is_chosen_of_several(self):
        both = self.folder / "both.lctrace"
        sources = [ROOT / "traces" / f"{name}.lctrace"
                   for name in ("fault-task-leaked-ios8", "fault-task-double-end-ios8")]
        both.write_bytes(b"".join(source.read_bytes() for source in sources))
        shares = self.check_all(both, "both")
        self.assertEqual(len(shares), sum(
            len(trace["findings"]) for source in sources for trace in report(source)))

    def test_options_of_check_count(self):
        source = ROOT / "traces" / "fault-task-leaked-ios8.lctrace"
        rule = report(source)[0]["findings"][0]["rule"]
        listed = run("bundle", source, "--list", "--skip", rule).stdout.decode()
        self.assertNotIn(rule, listed)


    def test_hashes_must_show_it_too(self):
        rules = self.folder / "rules.yml"
        rules.write_text(RULE_ON_A_NAME)
        source = ROOT / "traces" / "fault-task-leaked-ios8.lctrace"
        listed = run("bundle", source, "--list", "--rules", rules).stdout.decode().splitlines()
        number = next(line.split()[0] for line in listed if "some-name" in line)
        out = self.folder / "part.ndjson"
        told = run("bundle", source, "--rules", rules, "--finding", number, "-o", out).stderr
        self.assertIn(b"with the rule options given here", told)
        out.unlink()
        told = run("bundle", source, "--rules", rules, "--finding", number, "-o", out, "--redact",
                   status=2).stderr
        self.assertIn(b"once names and texts are hashes", told)
        self.assertFalse(out.exists())


class Refusals(Folder):
    def refused(self, words, *arguments, status=2):
        out = [str(part) for part in arguments]
        result = run(*out, status=status)
        self.assertIn(words.encode(), result.stderr)
        self.assertNotIn(b"Fatal", result.stderr)

    def test_redact(self):
        source = self.folder / "in.lctrace"
        source.write_bytes(TRACES[0].read_bytes())
        out = self.folder / "out.ndjson"
        before = source.read_bytes()
        self.refused("also the input", "redact", source, "-o", source)
        link = self.folder / "link.lctrace"
        link.symlink_to(source)
        self.refused("also the input", "redact", source, "-o", link)
        self.refused("also the input", "redact", source, "-o", self.key, "--to", "ndjson",
                     "--key-file", self.key)
        self.assertEqual(source.read_bytes(), before)
        self.assertEqual(self.key.read_text(), KEY)
        self.refused("names no format", "redact", source, "-o", self.folder / "out.txt")
        self.refused("no format to write", "redact", source, "-o", out, "--to", "har")
        self.refused("names no file", "redact", source, "-o", out, "--key-file", "")
        for text in ("", "00", "x" * 32, KEY.strip() + "0", "0" * 10_000, "zz" * 16, "\0" * 32):
            bad = self.folder / "bad.key"
            bad.write_text(text)
            self.refused("holds no key", "redact", source, "-o", out, "--key-file", bad)
        for text in (KEY.upper(), "\n " + KEY.strip(), KEY.strip()):
            self.key.write_text(text)
            run("redact", source, "-o", out, "--key-file", self.key)
        out.unlink()
        missing = self.folder / "missing.lctrace"
        self.refused("missing.lctrace", "redact", missing, "-o", out, status=3)
        result = subprocess.run([TOOL, "redact", source, "-o", out, "--key-file", missing],
                                capture_output=True)
        self.assertNotIn(result.returncode, (0, 70))
        self.assertFalse(out.exists())

    def test_bundle(self):
        source = self.folder / "in.lctrace"
        source.write_bytes((ROOT / "traces" / "fault-task-leaked-ios8.lctrace").read_bytes())
        healthy = ROOT / "traces" / "healthy-editor-ios8.lctrace"
        out = self.folder / "out.ndjson"
        self.refused("needs the number", "bundle", source, "-o", out)
        self.refused("needs a file", "bundle", source, "--finding", 1)
        for number in (0, -1, -2**63):
            self.refused("counts from 1", "bundle", source, f"--finding={number}", "-o", out)
        self.refused("there is no finding 999", "bundle", source, "--finding", 999, "-o", out)
        self.refused("there is no finding", "bundle", source, "--finding", 2**63 - 1, "-o", out)
        self.refused("there is no finding 1", "bundle", healthy, "--finding", 1, "-o", out)
        self.refused("also the input", "bundle", source, "--finding", 1, "-o", source)
        self.refused("several times", "bundle", "-", "--finding", 1, "-o", out)
        self.refused("several times", "bundle", "-", "--list")
        for margin in ("soon", "-1s", "1e400s"):
            self.refused("--margin takes", "bundle", source, "--finding", 1, "-o", out,
                         f"--margin={margin}")
        self.refused("--redact", "bundle", source, "--finding", 1, "-o", out, "--key-file",
                     self.key)
        self.refused("--list writes nothing", "bundle", source, "--list", "-o", out)
        self.refused("missing", "bundle", self.folder / "missing", "--list", status=3)
        self.assertFalse(out.exists())
        for margin in ("0s", "200000h"):
            run("bundle", source, "--finding", 1, "-o", out, "--margin", margin)

    def test_damage_is_told(self):
        damaged = self.folder / "damaged.ndjson"
        good = run("convert", TRACES[0], "-o", "-", "--to", "ndjson").stdout.splitlines(True)
        damaged.write_bytes(b"".join(good[:20] + [b"{canary}\n"] + good[20:]))
        out = self.folder / "out.ndjson"
        run("redact", damaged, "-o", out, status=3)
        self.assertNotIn(b"canary", out.read_bytes())
        run("redact", damaged, "-o", out, "--allow-damaged")


if __name__ == "__main__":
    unittest.main()
