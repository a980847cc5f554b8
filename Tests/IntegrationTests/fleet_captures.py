"""Captures of a fleet, made by the simulator: apps in versions, on devices, over some days.

Five of them are corrupt, some hold the same trace as another, and one holds traces of two apps.
"""

import json
import os
import random
import shutil
import subprocess

from executable import TOOL

DAY = 86_400 * 10 ** 9
DAYS = 3
APPS = ("com.example.notes", "com.example.mail", "com.example.spiel für zwei")
VERSIONS = ("1.0", "1.9", "1.10", "2.0")
# Each ends the app, or breaks a rule of severity error.
FAULTS = ("task-leaked", "entry-slow", "launch-slow", "task-ended-twice", "draws-in-background",
          "work-while-suspended", "expiration-ignored", "end-slow")
COPIES = 20
CORRUPT = 5
# One file with a trace of each; the second breaks a rule that nothing else breaks.
TWO_APPS = "two-apps.lctrace"
TWO_APPS_TRACES = (("task-ended-twice", "com.example.notes", "1.0"),
                   ("database-held", "com.example.mail", "3.0"))
TWO_APPS_RULE = "LC201"


def run(*arguments, stdin=b"", expect=(0,)):
    done = subprocess.run([TOOL, *map(str, arguments)], input=stdin, capture_output=True,
                          timeout=300)
    assert done.returncode in expect, (arguments, done.returncode, done.stderr.decode()[:500])
    return done


def altered(text, number, choose, version=None, app=None):
    """A simulated capture as one of another app, version and day."""
    head, body = text.split("\n", 1)
    header = json.loads(head)
    fields = header["header"]
    fields["app_bundle_id"] = app or choose.choice(APPS)
    fields["app_version"] = version or choose.choice(VERSIONS)
    if number % 50 == 7 and version is None:
        # What a log doesn't say is unknown.
        del fields["app_version"], fields["device_model"]
    wall = "1609459200000000000"
    assert f'"wall_ns":{wall}' in body, head
    day = str(int(wall) + number % DAYS * DAY)
    body = body.replace(f'"wall_ns":{wall}', f'"wall_ns":{day}', 1)
    if number % 40 == 9:
        # Without an anchor there is no day.
        body = body.replace(f',"wall_ns":{day}', "", 1)
    return json.dumps(header, ensure_ascii=False) + "\n" + body


def two_apps(raw):
    """Traces of two apps, one behind the other, as the bytes of one file."""
    parts = []
    for number, (fault, app, version) in enumerate(TWO_APPS_TRACES):
        story = run("simulate", "--fault", fault, "--to", "ndjson", "-o", "-").stdout.decode()
        path = raw / f"part-{number}.ndjson"
        path.write_text(altered(story, number, None, version, app))
        run("convert", path, "-o", path.with_suffix(".lctrace"))
        parts.append(path.with_suffix(".lctrace").read_bytes())
    return b"".join(parts)


def make(folder, count, seed=1):
    """Makes so many captures; returns their paths, sorted, and those of the corrupt ones."""
    choose = random.Random(seed)
    raw, captures = folder / "raw", folder / "captures"
    raw.mkdir()
    for part in ("a", "b b", "c%2F"):
        (captures / part).mkdir(parents=True)
    faults = max(len(FAULTS) * 4, count // 25)
    binary = count // 25
    plain = count - faults - binary - COPIES - CORRUPT - 1
    run("simulate", "--count", plain, "--seed", seed, "--to", "ndjson", "-o", raw)
    texts = [(path.name, path.read_text()) for path in sorted(raw.iterdir())]
    stories = [run("simulate", "--fault", fault, "--to", "ndjson", "-o", "-").stdout.decode()
               for fault in FAULTS]
    for number in range(faults):
        # A fault that appears with a version.
        version = choose.choice(VERSIONS[number % len(FAULTS) % len(VERSIONS):])
        texts.append((f"fault-{number}.ndjson", (stories[number % len(FAULTS)], version)))
    paths = []
    for number, (name, text) in enumerate(texts):
        text, version = text if isinstance(text, tuple) else (text, None)
        path = captures / ("a", "b b", "c%2F")[number % 3] / name
        path.write_text(altered(text, number, choose, version))
        paths.append(path)
    run("simulate", "--count", binary, "--seed", 70_000 + seed, "-o", captures / "a")
    for number, path in enumerate(choose.sample(paths, COPIES)):
        if number % 2:
            shutil.copyfile(path, captures / "b b" / f"copy-{number}.ndjson")
        else:
            run("convert", path, "-o", captures / "a" / f"copy-{number}.lctrace")
    whole = max(captures.glob("a/*.lctrace"), key=lambda path: path.stat().st_size).read_bytes()
    bent = bytearray(whole)
    bent[len(bent) // 2] ^= 0xFF
    wrong = {
        "garbage.lctrace": b"nonsense" * 9, "picture.ndjson": b"\x89PNG\r\n\x1a\n" + bytes(99),
        "broken.timeline.gz": b"\x1f\x8b\x08" + b"\xff" * 40,
        "broken.ndjson.zst": b"\x28\xb5\x2f\xfd" + b"\xff" * 40,
        "bent.lctrace": bytes(bent),
    }
    assert len(wrong) == CORRUPT
    corrupt = [captures / "a" / name for name in wrong]
    for path in corrupt:
        path.write_bytes(wrong[path.name])
    (captures / "b b" / TWO_APPS).write_bytes(two_apps(raw))
    shutil.rmtree(raw)
    found = sorted(str(path) for path in captures.rglob("*") if path.is_file())
    assert len(found) == count, len(found)
    return found, sorted(map(str, corrupt))


CONTRACT = ("check", "--files-from", "-", "-0", "--measures", "--keep-copies", "--fail-on", "never",
            "--allow-damaged", "--config", "none")


def report(paths, target, *options):
    """The JSON Lines report of these files, on the contract of all engines."""
    names = b"".join(os.fsencode(path) + b"\0" for path in paths)
    run(*CONTRACT, "--report", f"jsonl={target}", *options, stdin=names)
    return target
