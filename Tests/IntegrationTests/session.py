"""A session of a made-up editor: three launches, two thousand events, and eight faults planted in it.

Usage: session.py [PATH-OF-TRACECHECK]; without a path the release build is used. The session
without its faults must be found clean, and each fault must be found where it was planted, by its
rule alone.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from executable import ROOT, TOOL

SECOND = 1_000_000_000
MILLISECOND = 1_000_000


# The rule, and the name of the fault by which the session plants it.
FAULTS = collections.OrderedDict([
    ("LC302", "waits for the network while it launches"),
    ("LC542", "leaves a metadata query running when it resigns"),
    ("LC822", "leaves an alert open when it enters the background"),
    ("LC001", "ends a background task twice"),
    ("LC004", "draws in the background"),
    ("LC201", "holds the address book when it is suspended"),
    ("LC003", "takes six seconds to enter the background"),
    ("LC802", "schedules a notification with a sound that isn't in the bundle"),
])


class Session:
    """Writes the events of the session; faults that aren't named are left out."""

    def __init__(self, faults):
        self.faults = faults
        self.lines = []
        self.now = 0
        self.token = 0

    def has(self, rule):
        return rule in self.faults

    def event(self, event, /, thread=1, phase=None, after=MILLISECOND, **arguments):
        self.now += after
        line = {"t_ns": self.now, "event": event, "thread": thread}
        if phase:
            line["phase"] = phase
        if arguments:
            line["args"] = arguments
        self.lines.append(json.dumps(line))

    def span(self, event, length=MILLISECOND, /, thread=1, after=MILLISECOND, **arguments):
        self.event(event, thread, "enter", after, **arguments)
        self.event(event, thread, "return", length)

    def launch(self, number):
        self.event("proc.start", into="foreground", reason="user_icon", launch_id=number)
        self.span("delegate.will_finish_launching", 20 * MILLISECOND, application_state="inactive")
        self.event("delegate.did_finish_launching", phase="enter", application_state="inactive")
        self.event("data.restore", store="notes")
        self.event("note.observe", name="NSUserDefaultsDidChangeNotification")
        if number == 2 and self.has("LC302"):
            self.span("net.sync_wait", 300 * MILLISECOND, request=1)
        self.event("delegate.did_finish_launching", phase="return", after=100 * MILLISECOND)
        self.span("delegate.did_become_active", application_state="active")

    def edit(self, events, number):
        """The user types: touches, short work on all threads, saves, requests."""
        for index in range(events // 8):
            self.event("ui.touch", after=40 * MILLISECOND, x=10, y=index % 400)
            self.span("work.span", 3 * MILLISECOND, id=index, **{"class": "ui"})
            self.event("work.dispatch", queue="spelling", critical=False, work=index)
            self.span("work.span", 8 * MILLISECOND, thread=3, id=index, **{"class": "other"})
            self.event("net.io", thread=4, socket=1, bytes=512)
            if index % 10 == 0:
                self.event("data.dirty", store="notes", kind="user_data")
                self.span("data.save", thread=3, store="notes", kind="user_data", ok=True)
            if index == 20 and number == 3 and self.has("LC802"):
                self.event("localnote.schedule", id="tea", fire_wall_ns=10 ** 18,
                           sound_name="tea.caf", sound_in_bundle=False, sound_format="linear_pcm")

    def away(self, number):
        """To the background and into suspension, with a task for the last save."""
        if number == 2:
            self.event("res.use", op="acquire", resource="address_book")
            if not self.has("LC201"):
                self.event("res.use", op="release", resource="address_book")
        if number == 1:
            self.event("work.query_start", query=1)
            self.event("ui.alert_show", id=1)
            if not self.has("LC822"):
                self.event("ui.alert_dismiss", id=1, by="user")
        self.event("sys.home_button", after=SECOND)
        self.event("delegate.will_resign_active", phase="enter")
        if number == 1 and not self.has("LC542"):
            self.event("work.query_stop", query=1)
        self.event("delegate.will_resign_active", phase="return")
        # A stretch of inactivity that is shorter is nobody's fault.
        slow = number == 1 and self.has("LC542")
        self.event("delegate.did_enter_background", phase="enter",
                   after=600 * MILLISECOND if slow else MILLISECOND)
        self.token += 1
        self.event("bgtask.begin", token=self.token, is_invalid=False,
                   has_expiration_handler=True, name="save draft")
        slow = number == 3 and self.has("LC003")
        self.event("delegate.did_enter_background", phase="return",
                   after=6 * SECOND if slow else 30 * MILLISECOND)
        self.span("delegate.should_save_state", result=True)
        self.span("data.save", 200 * MILLISECOND, thread=3, store="notes", kind="ui_state", ok=True)
        if number == 2 and self.has("LC004"):
            self.event("gl.call", thread=7, context=1, kind="draw", after=50 * MILLISECOND)
        self.event("bgtask.end", thread=3, token=self.token, is_invalid=False)
        if number == 1 and self.has("LC001"):
            self.event("bgtask.end", thread=1, token=self.token, is_invalid=False)
        self.event("proc.suspend", after=2 * SECOND, inferred=False)

    def back(self, number):
        self.event("proc.resume", after=600 * SECOND, inferred=False, reason="user_icon")
        self.span("delegate.will_enter_foreground")
        self.span("delegate.did_become_active")
        if number == 1:
            if not self.has("LC542"):
                self.event("work.query_start", query=1)
            self.event("work.query_stop", query=1)
            if self.has("LC822"):
                self.event("ui.alert_dismiss", id=1, by="user")
        if number == 2 and self.has("LC201"):
            self.event("res.use", op="release", resource="address_book")

    def write(self):
        header = {
            "format": "tracecheck-ndjson", "version": 1, "app_bundle_id": "com.example.editor",
            "os_version": "8.1.0", "sdk_linked": "8.1", "multitasking_supported": True,
            "exits_on_suspend": False, "background_modes": [], "refresh_status": "available",
            "app_kind": "app", "has_settings_bundle": True, "uses_view_controllers": True,
            "coverage": ["*"],
        }
        self.lines.append(json.dumps({"header": header}))
        self.event("trace.start", reason="launch")
        for number in (1, 2, 3):
            self.launch(number)
            self.edit(352, number)
            self.away(number)
            self.back(number)
            self.edit(352, number)
            if number < 3:
                self.away(0)
                self.event("proc.kill", after=3600 * SECOND, cause="jetsam")
        self.event("trace.end", reason="clean")
        return "\n".join(self.lines) + "\n"


class PlantedFaults(unittest.TestCase):
    def check(self, faults):
        session = Session(faults)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "session.ndjson"
            path.write_text(session.write())
            result = subprocess.run(
                [TOOL, "check", str(path), "--config", "none", "--report", "json"],
                capture_output=True, timeout=120)
        trace = json.loads(result.stdout)["traces"][0]
        return trace, sorted(f["rule"] for f in trace["findings"])

    def test_the_session_without_faults_is_clean(self):
        trace, found = self.check([])
        self.assertGreaterEqual(trace["events"], 2000)
        self.assertEqual(found, [])

    def test_each_fault_alone_is_found_alone(self):
        for rule in FAULTS:
            with self.subTest(rule):
                self.assertEqual(self.check([rule])[1], [rule], FAULTS[rule])

    def test_eight_faults_of_eight_families_are_found(self):
        trace, found = self.check(list(FAULTS))
        self.assertEqual(found, sorted(FAULTS))
        families = {f["slug"].split("/")[0] for f in trace["findings"]}
        self.assertEqual(len(families), 8)
        print(f"\n{trace['events']} events, 3 launches, findings: {', '.join(found)}")


if __name__ == "__main__":
    unittest.main(verbosity=1)
