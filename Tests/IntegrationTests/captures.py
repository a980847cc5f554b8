"""Captures that other tools made, from outside: what is concluded from each, and what is said of files
that only look like captures.

Usage: captures.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import unittest
import zipfile

from command_line import Case, run

REACT_NATIVE = """\
2026-03-01 10:00:00.000000+0100 Notes[412:9001] [javascript] AppState active
2026-03-01 10:00:05.000000+0100 Notes[412:9001] [javascript] 'AppState', 'inactive'
2026-03-01 10:00:06.000000+0100 Notes[412:9001] [javascript] 'AppState', 'background'
2026-03-01 10:00:09.000000+0100 Notes[412:9001] [javascript] AppState changed to active
"""

OVERDUE = (
    '2026-03-01 10:00:00.000000+0100 Notes[412:9001] [BackgroundTask] Background Task 7 ("upload"), was'
    ' created over 30 seconds ago. In applications running in the background, this creates a risk of'
    ' termination.\n')

EXPIRED = (
    "Mar  1 10:00:00 iPhone assertiond[65] <Error>: Forcing crash report with description: Notes:412 has"
    ' active assertions beyond permitted time: <BKProcessAssertion: 0x10; "upload" (finishTask:180s)>\n')

CRASH = """\
Incident Identifier: 11111111-2222-3333-4444-%012d
Process:             Notes [412]
Path:                %s
Identifier:          com.example.notes
Version:             2.1
OS Version:          iPhone OS 11.1 (15B93)
"""

REFUSED = CRASH % (1, "/private/var/Notes.app/Notes") + """\
Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000001
Triggered by Thread:  0

Thread 0 Crashed:
0   libGPUSupportMercury.dylib    \t0x00000001a3b3bf28 gpus_ReturnNotPermittedKillClient + 16
"""

WATCHDOG = """\
Exception Type:  EXC_CRASH (SIGKILL)
Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d

Termination Description: SPRINGBOARD, scene-update watchdog transgression: com.example.notes exhausted \
real (wall clock) time allowance of 10.00 seconds

ProcessVisibility: Background

Elapsed application CPU time (seconds): 0.100, 1% CPU
"""

TWICE = """\
default\t10:00:00.000000+0100\tNotes\tCreated background task <x: 0x1>: taskID = 5, taskName = save, creationTime = 7 (elapsed = 0).
default\t10:00:01.000000+0100\tNotes\tEnding background task with UIBackgroundTaskIdentifier: 5
default\t10:00:04.000000+0100\tNotes\tEnding background task with UIBackgroundTaskIdentifier: 5
default\t10:00:04.000100+0100\tNotes\tCan't end BackgroundTask: no background task exists with identifier 5 (0x5), or it may have already been ended.
"""

SIMULATED = json.dumps({
    "timeStampBegin": "2020-10-14 15:12:00 +0000", "timeStampEnd": "2020-10-14 15:12:00 +0000",
    "crashDiagnostics": [{
        "version": "1.0.0",
        "callStackTree": {"callStackPerThread": True, "callStacks": [{
            "threadAttributed": True, "callStackRootFrames": [{
                "binaryUUID": "70B89F27-1634-3580-A695-57CDB41D7743",
                "offsetIntoBinaryTextSegment": 123, "sampleCount": 20, "binaryName": "testBinaryName",
                "address": 74565}]}]},
        "diagnosticMetaData": {
            "appBuildVersion": "1", "appVersion": "1.0", "regionFormat": "US", "osVersion": "iPhone OS 14.0.1 (18A393)",
            "deviceType": "iPhone11,6", "bundleIdentifier": "com.example.notes", "exceptionType": 1,
            "signal": 11, "terminationReason": "Namespace SIGNAL, Code 0xb"}}]})


class Captures(Case):
    def findings(self, name, text):
        self.file(name, text)
        code, out, err = run("check", name, "--config", "none", "--report", "json", cwd=self.path)
        traces = json.loads(out)["traces"]
        rows = [(f["rule"], f["severity"]) for trace in traces for f in trace["findings"]]
        return code, rows, traces

    def piped(self, text):
        _, out, _ = run("check", "-", "--config", "none", "--report", "json", stdin=text.encode(), cwd=self.path)
        return [(f["rule"], f["severity"]) for trace in json.loads(out)["traces"] for f in trace["findings"]]

    def why(self, *names):
        code, out, _ = run("why", *names, "--config", "none", cwd=self.path)
        return code, " ".join(out.split())

    def test_states_of_react_native(self):
        self.file("notes.log", REACT_NATIVE)
        _, text, _ = run("convert", "notes.log", "-o", "-", "--to", "timeline", "--config", "none", cwd=self.path)
        kinds = [line.split()[-1] for line in text.splitlines() if "delegate." in line]
        self.assertEqual(kinds, ["delegate.did_become_active", "delegate.will_resign_active",
                                 "delegate.did_enter_background", "delegate.did_become_active"])
        metro = " LOG  AppState active\n LOG  AppState background\n"
        self.assertEqual(self.findings("metro.log", metro)[:2], (0, []))

    def test_a_task_of_which_uikit_warns(self):
        code, rows, traces = self.findings("overdue.log", OVERDUE)
        self.assertEqual((code, rows), (0, [("LM07", "note")]))
        self.assertIn("7", traces[0]["findings"][0]["message"])
        self.assertEqual(traces[0]["findings"][0]["witness"][0]["source"]["line"], 1)
        ended = OVERDUE + OVERDUE.split(" [Back")[0] + (
            " [BackgroundTask] Ending background task with UIBackgroundTaskIdentifier: 7\n")
        self.assertEqual(self.findings("ended.log", ended)[1], [("LM07", "note")])

    def test_a_task_over_a_change_of_the_clock(self):
        """In a log without zones nobody knows how long it was open; elsewhere it is known."""
        line = "2026-{0} Df {1} (UIKitCore) [com.apple.UIKit:BackgroundTask] {2}\n"
        task = "<_UIBackgroundTaskInfo: 0x1>: taskID = 7, taskName = save, creationTime = 100"

        def log(first, second):
            notes, board, daemon = "Notes[41:5]", "SpringBoard[60:9]", "runningboardd[30:1]"
            return "Timestamp               Ty Process[PID:TID]\n" + "".join(
                line.format(*row) for row in [
                    (first + ":20.000", daemon, "[app<com.example.notes(AAAA)>:41] Resuming task."),
                    (first + ":21.000", notes,
                     "Deactivation reason removed: 5; deactivation reasons: 32 -> 0; "
                     "animating application lifecycle event: 0"),
                    (first + ":50.000", notes, f"Created background task {task}.0 (elapsed = 0)."),
                    (first + ":51.000", board,
                     "Application process state changed for com.example.notes: "
                     "<SBApplicationProcessState: 0x1; pid: 41; taskState: Running; "
                     "visibility: Background>"),
                    (second + ":05.000", notes,
                     "Ending background task with UIBackgroundTaskIdentifier: 7"),
                    (second + ":08.000", daemon,
                     "[app<com.example.notes(AAAA)>:41] Suspending task."),
                    (second + ":40.000", board, "x")])

        def rules(text):
            self.file("clock.log", text)
            _, out, _ = run("check", "clock.log", "--config", "none", "--header", "os_version=17.0",
                            "--report", "json", cwd=self.path)
            return [f["rule"] for trace in json.loads(out)["traces"] for f in trace["findings"]]

        self.assertIn("LM07", rules(log("03-29 01:50", "03-29 02:10")))
        self.assertEqual(rules(log("03-29 01:59", "03-29 03:00")), [])
        self.assertEqual(rules(log("10-25 02:57", "10-25 02:02")), [])

    def test_a_part_that_stands_in_a_log_twice(self):
        line = "Jun  9 {} {} <Notice>: {}\n"
        daemon, notes = "runningboardd(RunningBoard)[30]", "Notes(UIKitCore)[41]"
        begun = "Created background task <x: 0x1>: taskID = {}, taskName = a, creationTime = 7 (elapsed = 0)."
        head = "".join(line.format(*row) for row in [
            ("10:00:00.000000", daemon, "[app<com.example.notes(AAAA)>:41] Resuming task."),
            ("10:00:01.000000", notes, begun.format(1)),
            ("10:00:02.000000", notes, "Ending background task with UIBackgroundTaskIdentifier: 1"),
            ("10:00:03.000000", notes, begun.format(7))])
        noise = [line.format(f"10:0{n // 3}:{20 * (n % 3):02}.{n:06}", "SpringBoard[60]", f"n{n}")
                 for n in range(6, 18)]
        tail = line.format("10:06:10.000000", daemon, "[app<com.example.notes(AAAA)>:41] Suspending task.")
        tail += line.format("10:09:00.000000", "SpringBoard[60]", "x")
        _, once, _ = self.findings("once.log", head + "".join(noise) + tail)
        _, twice, traces = self.findings("twice.log", head + "".join(noise[:10] + noise[3:]) + tail)
        self.assertEqual((once, twice), ([("LC001", "error")], [("LC001", "error")]))
        self.assertNotIn("TQ08", json.dumps(traces[0]["quality"]))

    def test_a_process_that_goes_on_has_not_crashed(self):
        line = "2026-06-09 10:00:0{}+0200 Notes[41:100] {}\n"
        crash = line.format("2.000000", "*** Terminating app due to uncaught exception 'X', reason: 'y'")
        ended = "Ending background task with UIBackgroundTaskIdentifier: 8"
        rest = line.format(
            "3.500000",
            "[BackgroundTask] Created background task <x: 0x1>: taskID = 8, taskName = a, "
            "creationTime = 7 (elapsed = 0).")
        rest += line.format("4.000000", "[BackgroundTask] " + ended)
        rest += line.format("4.100000", "[BackgroundTask] " + ended)
        self.assertEqual(self.findings("whole.log", rest)[1], [("LC001", "error")])
        _, rows, traces = self.findings("goes-on.log", crash + rest)
        self.assertEqual(rows, [("LC001", "error")])
        self.assertNotIn("crashed", json.dumps(traces[0]["quality"]))
        self.assertIn("crashed", json.dumps(self.findings("crash.log", crash)[2][0]["quality"]))

    def test_a_long_line_that_tells_nothing_is_no_damage(self):
        head = "default\t09:59:59.000000+0100\tNotes\t"
        code, rows, traces = self.findings("short.log", TWICE)
        for size in (60_000, 66_000, 1_000_000):
            noise = head + "y" * size + "\n"
            for text in (TWICE + noise, noise + TWICE, "y" * size + "\n" + TWICE):
                with self.subTest(size=size, start=text[:20]):
                    self.assertEqual(self.findings("long.log", text)[:2], (code, rows))

    def test_lines_with_their_numbers(self):
        numbered = "".join(f"{n}:{line}" for n, line in enumerate(TWICE.splitlines(True), 12))
        self.assertEqual(self.findings("grep.log", numbered)[:2], (1, [("LC001", "error")]))

    def test_lines_that_end_with_carriage_returns_alone(self):
        # More than is read at once.
        noise = "default\t09:59:59.000000+0100\tNotes\tnoise\n" * 20_000
        for text in (TWICE, noise + TWICE):
            text = text.replace("\n", "\r")
            self.assertEqual(self.findings("old.log", text)[:2], (1, [("LC001", "error")]))
            code, _, _ = run("check", "--together", "old.log", "--config", "none", cwd=self.path)
            self.assertEqual(code, 1)
            self.assertEqual(self.piped(text), [("LC001", "error")])

    def test_a_pipe_is_read_as_the_file_is(self):
        for size in (66_000, 1_000_000):
            with self.subTest(size=size):
                self.assertEqual(self.piped("y" * size + "\n" + TWICE), [("LC001", "error")])
        code, _, err = run("check", "-", "--config", "none", stdin=b"y" * 70_000, cwd=self.path)
        self.assertEqual(code, 3)
        self.assertIn("without life-cycle lines", err)

    def test_the_words_of_a_kill_are_kept(self):
        code, rows, _ = self.findings("expired.log", EXPIRED)
        self.assertEqual((code, rows), (1, [("LC102", "error")]))
        text = self.why("expired.log")[1]
        self.assertIn("kept a background task open longer than the system permits", text)
        self.assertIn("beyond permitted time", text)

    def test_a_kill_in_a_log_is_said_where_no_rule_judges_it(self):
        line = ("Jun  9 10:00:04.000000 runningboardd(RunningBoard)[30] <Notice>:"
                " [app<com.example.notes(AAAA)>:41] Process exited: <RBSProcessExitContext| specific,"
                " status:<RBSProcessExitStatus| domain:%s>>.\n")
        for status, words in (("signal(2) code:SIGABRT(6)", "the app crashed (signal 6)"),
                              ("jetsam(1) code:per-process-limit(7)", "it used more memory than one process may")):
            self.file("end.log", line % status)
            code, out, _ = run("check", "end.log", "--config", "none", cwd=self.path)
            self.assertEqual(code, 0)
            self.assertIn(words, " ".join(out.split()))

    def test_graphics_in_the_background(self):
        code, rows, _ = self.findings("refused.crash", REFUSED)
        self.assertEqual((code, rows), (1, [("LC004", "error")]))
        self.assertIn("LC004 (graphics/gl-in-background) explains it, and the trace has a finding",
                      self.why("refused.crash")[1])

    def test_blank_lines_inside_of_a_report(self):
        _, rows, traces = self.findings("blank.crash", CRASH % (2, "/private/var/Notes") + WATCHDOG)
        self.assertEqual(rows, [("LM14", "error")])
        arguments = traces[0]["findings"][0]["witness"][0]["args"]
        self.assertEqual((arguments["visibility"], arguments["app_cpu_s"]), ("background", 0.1))

    def test_a_code_alone_is_likely_to_be_the_apps(self):
        # The code is the watchdog's own: that the app didn't answer is told, only not where.
        text = CRASH % (3, "/private/var/Notes") + "Exception Type: EXC_CRASH\nTermination Reason: FRONTBOARD 2343432205\n"
        code, rows, traces = self.findings("code.crash", text)
        self.assertEqual((code, rows), (1, [("LM14", "error")]))
        self.assertEqual(traces[0]["findings"][0]["confidence"], "likely")
        self.assertIn("the code alone doesn't say", " ".join(self.why("code.crash")[1].split()))

    def test_a_report_that_is_cut_off(self):
        header = {"bug_type": "309", "app_name": "Notes", "bundleID": "com.example.notes",
                  "os_version": "iPhone OS 17.4 (21E219)", "timestamp": "2026-06-09 10:00:06.00 +0200"}
        body = json.dumps({"procName": "Notes", "pid": 41, "osVersion": {"train": "iPhone OS 17.4"},
                           "threads": [{"id": n} for n in range(9)]})
        self.file("cut.ips", json.dumps(header) + "\n" + body[:-9])
        code, _, err = run("check", "cut.ips", "--config", "none", cwd=self.path)
        self.assertEqual(code, 3)
        self.assertIn("cut off in front of the exception and the termination; give the whole report", err)
        self.assertNotIn("not a life-cycle capture", err)

    def test_a_level_of_heat(self):
        text = CRASH % (4, "/private/var/Notes") + "Exception Codes: 0x8badf00d\nException Type: 00000020\nThermal Level:  17\n"
        self.file("hot.crash", text)
        _, text, _ = run("convert", "hot.crash", "-o", "-", "--to", "timeline", cwd=self.path)
        self.assertIn(" thermal_level=17\n", text)

    def test_a_report_from_a_simulator(self):
        path = "/Users/me/Library/Developer/CoreSimulator/Devices/4E/data/Notes.app/Notes"
        self.file("simulator.crash", CRASH % (5, path) + WATCHDOG)
        _, text, _ = run("convert", "simulator.crash", "-o", "-", "--to", "timeline", cwd=self.path)
        self.assertIn(" simulator=true", text)

    def test_a_second_end_that_the_log_shows(self):
        code, rows, _ = self.findings("twice.log", TWICE)
        self.assertEqual((code, rows), (1, [("LC001", "error")]))
        alone = "".join(TWICE.splitlines(True)[2:])
        self.assertEqual(self.findings("alone.log", alone)[1], [("LC001", "note")])

    def test_an_end_that_is_refused_though_the_log_shows_the_begin(self):
        line = "Jun  9 10:00:0%d phone Notes[41] <Notice>: %s\n"
        text = line % (2, "Created background task <x: 0x1>: taskID = 6, taskName = b, creationTime = 7 (elapsed = 0).")
        text += line % (5, "Ending background task with UIBackgroundTaskIdentifier: 6")
        text += line % (6, "Can't end BackgroundTask: no background task exists with identifier 6 (0x6), or it"
                           " may have already been ended.")
        _, rows, traces = self.findings("refused.log", text)
        self.assertIn("LC001", [rule for rule, _ in rows])
        messages = [f["message"] for trace in traces for f in trace["findings"]]
        self.assertFalse([text for text in messages if "knows no such task" in text], messages)

    def test_a_simulated_payload_is_no_story(self):
        self.file("simulated.json", SIMULATED)
        self.assertTrue(self.why("simulated.json")[1].startswith(
            "A payload about com.example.notes was simulated by Xcode: nothing"))
        self.assertNotIn("Evidence", self.why("simulated.json")[1])

    def test_binary_logs_are_named_once_with_their_command(self):
        (self.path / "sysdiagnose/crashes").mkdir(parents=True)
        self.file("sysdiagnose/crashes/refused.ips", REFUSED)
        for name in ("Persist/1.tracev3", "Persist/2.tracev3", "Special/3.tracev3"):
            path = self.path / "sysdiagnose/system_logs.logarchive" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"\x00\x10\x00\x00\x11\x00\x00\x00" + bytes(200))
        for command, code in (("check", 1), ("why", 0)):
            result, out, err = run(command, "sysdiagnose", "--config", "none", cwd=self.path)
            self.assertEqual(result, code)
            self.assertIn("LC004", out)
            self.assertEqual(err.count("log show 'sysdiagnose/system_logs.logarchive'"), 1, err)
            self.assertEqual(len(err.splitlines()), 1)
        code, _, err = run("check", "sysdiagnose/system_logs.logarchive", cwd=self.path)
        self.assertEqual(code, 3)
        self.assertIn("log show 'sysdiagnose/system_logs.logarchive' --info --style ndjson", err)
        self.assertEqual(len(err.splitlines()), 1)
        code, _, err = run("check", "sysdiagnose/system_logs.logarchive/Persist", cwd=self.path)
        self.assertEqual((code, len(err.splitlines())), (3, 1), err)
        self.assertIn("log show 'sysdiagnose/system_logs.logarchive' --info --style ndjson", err)
        _, _, err = run("check", "sysdiagnose/system_logs.logarchive/", cwd=self.path)
        self.assertEqual(len(err.splitlines()), 1)
        _, _, err = run("why", "sysdiagnose/system_logs.logarchive", cwd=self.path)
        self.assertEqual(len(err.splitlines()), 1)
        code, _, err = run("check", "sysdiagnose/system_logs.logarchive/Persist/1.tracev3", cwd=self.path)
        self.assertEqual(code, 3)
        self.assertIn("binary file of the unified log", err)
        self.assertIn("log show 'sysdiagnose/system_logs.logarchive' --info", err)

    def test_a_log_without_the_app_is_in_good_order(self):
        line = "Mar  1 10:00:0{} SpringBoard(SplashBoard)[58] <Notice>: nothing of an app\n"
        (self.path / "others").mkdir()
        self.file("others/a.log", "".join(line.format(n) for n in range(9)))
        for arguments in (["others/a.log"], ["others"], ["others", "--shard", "1/2"], ["others", "--together"]):
            code, _, err = run("check", *arguments, "--config", "none", cwd=self.path)
            self.assertEqual(code, 0, err)
            self.assertEqual("no life-cycle lines" in err, "a.log" in arguments[0], err)
            self.assertNotIn("info-level", err)
        code, text, err = run("why", "others/a.log", "--config", "none", cwd=self.path)
        self.assertEqual(code, 0)
        self.assertIn("No end of an app was found", text)
        self.assertIn("no life-cycle lines", err)
        self.file("others/b.txt", "no capture\n")
        self.assertEqual(run("check", "others/a.log", "others/b.txt", "--config", "none", cwd=self.path)[0], 3)

    def test_a_packed_sysdiagnose_is_to_be_unpacked(self):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            for name, text in (("a/README.txt", "x" * 3000), ("a/refused.ips", REFUSED)):
                entry = tarfile.TarInfo(name)
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text.encode()))
        for name, data in (("a.tar", buffer.getvalue()), ("a.tar.gz", gzip.compress(buffer.getvalue()))):
            (self.path / name).write_bytes(data)
            code, _, err = run("check", name, "--config", "none", cwd=self.path)
            self.assertEqual(code, 3)
            self.assertIn("it is a tar archive, as a sysdiagnose is; unpack it with 'tar -xzf FILE'", err)
            self.assertEqual(len(err.splitlines()), 1)

    def test_the_thread_that_tells_of_a_handler_is_not_the_handlers(self):
        prefix = "2026-03-01 10:00:%02d.000000+0100 Notes[412:9001] [BackgroundTask] "
        task = "<_UIBackgroundTaskInfo: 0x1>: taskID = 7, taskName = save, creationTime = 1 (elapsed = %d).\n"
        # A callback is on the main thread, so that any other is another.
        begun = (prefix % 0 + "Created background task " + task % 0 + prefix % 1 + "Deactivation reason added: 10;"
                 " deactivation reasons: 0 -> 1024; animating application lifecycle event: 1\n"
                 + prefix % 4 + "-> applicationDidEnterBackground()\n")
        open_still = (prefix % 38 + "Background task still not ended after expiration handlers were called: "
                      + task % 38)
        self.assertNotIn("LM08", [row[0] for row in self.findings("handler.log", begun + open_still)[1]])

    def test_a_signal_alone_makes_an_expired_task_likely(self):
        prefix = "Jun  9 10:00:%02d.000000 Notes(UIKitCore)[41] <Notice>: "
        task = "<_UIBackgroundTaskInfo: 0x1>: taskID = 7, taskName = save, creationTime = 1 (elapsed = %d).\n"
        text = (prefix % 0 + "Created background task " + task % 0
                + prefix % 40 + "Background task still not ended after expiration handlers were called: "
                + task % 38 + "Jun  9 10:00:41.000000 com.apple.xpc.launchd[1]"
                " (UIKitApplication:com.example.notes[0x1a2b][41]) <Notice>: Service exited due to signal:"
                " Killed: 9\n")
        _, rows, traces = self.findings("signal.log", text)
        self.assertEqual(rows, [("LC102", "error")])
        finding = traces[0]["findings"][0]
        self.assertEqual(finding["confidence"], "likely")
        self.assertIn("nothing says who ended the app", finding["message"])
        self.assertIn("proc.kill", [event["event"] for event in finding["witness"]])
        story = self.why("signal.log")[1]
        self.assertIn("signal 9", story)
        self.assertIn("How sure: likely; nothing says who ended the app", story)

    def test_a_code_that_the_log_speaks_against(self):
        prefix = "Jun  9 10:00:%02d.000000 Notes(UIKitCore)[41] <Notice>: "
        begun = (prefix % 1 + "Created background task <_UIBackgroundTaskInfo: 0x1>: taskID = 7, taskName = save,"
                 " creationTime = 1 (elapsed = 0).\n")
        resumed = ("Jun  9 10:00:00.000000 runningboardd(RunningBoard)[30] <Notice>:"
                   " [app<com.example.notes(AAAA)>:41] Resuming task.\n")
        ended = prefix % 5 + "Ending background task with UIBackgroundTaskIdentifier: 7\n"
        active = (prefix % 5 + "Deactivation reason removed: 5; deactivation reasons: 32 -> 0;"
                  " animating application lifecycle event: 0\n")
        killed = ("Jun  9 10:00:09.000000 runningboardd(RunningBoard)[30] <Notice>:"
                  " [app<com.example.notes(AAAA)>:41] Process exited: <RBSProcessExitContext| specific,"
                  " status:<RBSProcessExitStatus| domain:runningboard(15) code:0x8BADF00D>>.\n")
        for lines, words in ((ended, "each task that the log shows was ended"),
                             (active, "the app was in the foreground")):
            code, rows, traces = self.findings("code.log", resumed + begun + lines + killed)
            self.assertEqual((code, rows), (0, []))
            self.assertTrue(any(words in row["message"] for row in traces[0]["quality"]))
            story = self.why("code.log")[1]
            self.assertIn("RUNNINGBOARD code 0x8badf00d", story)
            self.assertIn("only a code says so", story)
            self.assertNotIn("did not answer", story)
        self.assertEqual(self.findings("code.log", begun + killed)[1], [("LC102", "error")])

    def test_a_fault_of_swift(self):
        prefix = "2026-06-09 10:00:%02d.000000+0200 Notes[41:100] "
        begun = (prefix % 0 + "[BackgroundTask] Created background task <_UIBackgroundTaskInfo: 0x1>: taskID = 7,"
                 " taskName = save, creationTime = 1 (elapsed = 0).\n")
        words = "Notes/Main.swift:12: Fatal error: Index out of range\n"
        for text in (words, prefix % 2 + words, words + prefix % 2 + words):
            code, rows, traces = self.findings("fault.log", begun + text)
            self.assertEqual((code, rows), (0, []))
            self.assertTrue(any("the app crashed" in row["message"] for row in traces[0]["quality"]))
            story = self.why("fault.log")[1]
            self.assertEqual(story.count("crashed"), 1)
            self.assertIn("\u201cIndex out of range\u201d", story)
        code, _, traces = self.findings("own.log", begun + "Fatal error: the server said no\n")
        self.assertFalse(any("crashed" in row["message"] for row in traces[0]["quality"]))

    def test_lines_about_apps_are_known_though_they_tell_no_event(self):
        line = "Jun  9 10:00:0%d.000000 %s <Notice>: %s\n"
        told = [
            ("SpringBoard(FrontBoard)[60]", 'Received trusted open application request for "com.example.notes"'
             " from <FBProcess: 0x1; locationd; pid: 8>."),
            ("SpringBoard(FrontBoard)[60]", "Executing suspended-activation immediately:"
             " OpenApplication(com.example.notes)ForRequester(locationd.8)"),
            ("assertiond[63]", "Submitted job with label: UIKitApplication:com.example.notes[0x966e][63]"),
            ("assertiond[63]", "[Notes:41] setpriority success for resource GPU to PRIO_DARWIN_GPU_DENY"),
            ("SpringBoard(FrontBoard)[60]", "[app<com.example.notes>:41] Setting process visibility to: Background"),
        ]
        text = "".join(line % (n, *row) for n, row in enumerate(told)) + line % (9, "locationd[8]", "nothing")
        self.file("told.log", text)
        code, _, err = run("check", "told.log", "--config", "none", cwd=self.path)
        self.assertEqual(code, 0)
        self.assertIn("no line tells what an app did; 5 of 6 lines of SpringBoard and others told of launches,"
                      " rights or states of apps (idevicesyslog)", err)
        self.assertNotIn("no life-cycle lines", err)

    def test_an_archive_is_to_be_unpacked(self):
        with zipfile.ZipFile(self.path / "feedback.zip", "w") as archive:
            archive.writestr("crashlog.crash", REFUSED)
        (self.path / "a.bz2").write_bytes(bz2.compress(REFUSED.encode()))
        (self.path / "a.xz").write_bytes(lzma.compress(REFUSED.encode()))
        for name, words in (("feedback.zip", "unzip FILE"), ("a.bz2", "bunzip2 -k FILE"), ("a.xz", "unxz -k FILE")):
            code, _, err = run("check", name, "--config", "none", cwd=self.path)
            self.assertEqual(code, 3)
            self.assertIn(f"unpack it with '{words}' and name what comes out", err)

    def test_a_report_is_no_trace_that_was_cut_off(self):
        _, _, traces = self.findings("refused.crash", REFUSED)
        self.assertNotIn("TQ11", [row["id"] for row in traces[0]["quality"]])
        _, _, traces = self.findings("twice.log", TWICE)
        self.assertIn("TQ11", [row["id"] for row in traces[0]["quality"]])


if __name__ == "__main__":
    unittest.main(verbosity=2)
