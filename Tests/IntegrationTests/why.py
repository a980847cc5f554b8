"""`tracecheck why` from outside: one paragraph for each end, and one sentence where there is none.

Usage: why.py [PATH-OF-TRACECHECK]; without a path the release build is used.
"""

import pathlib
import subprocess
import tempfile
import unittest

from executable import ROOT, TOOL

# A report of a watchdog's kill on a hot device.
STARVED = """Incident Identifier: 11111111-2222-3333-4444-555555555555
Process:             Notes [412]
Identifier:          com.example.notes
Version:             2.1
Date/Time:           2024-05-04 10:00:30.250 +0000
Launch Time:         2024-05-04 10:00:00.000 +0000
OS Version:          iPhone OS 16.1 (20B82)
Exception Type:  EXC_CRASH (SIGKILL)
Termination Reason: FRONTBOARD 2343432205
<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: \
app<com.example.notes>:412 exhausted real (wall clock) time allowance of 10.00 seconds
ProcessVisibility: Background
ProcessState: Running
WatchdogEvent: scene-update
WatchdogCPUStatistics: (
"Elapsed total CPU time (seconds): 19.000 (user 12.000, system 7.000), 95% CPU",
"Elapsed application CPU time (seconds): 0.310, 2% CPU"
)
ThermalInfo: (
"Thermal Level:      20",
"Thermal State:      serious"
) reportType:CrashLog maxTerminationResistance:Interactive>
"""

STARVED_STORY = """\
com.example.notes 2.1 was ended by the system: it did not update its scene in time, which includes
moving to the background. Evidence: starved.crash:9, FRONTBOARD code 0x8badf00d, “scene-update
watchdog transgression: app<com.example.notes>:412 exhausted real (wall clock) time allowance of
10.00 seconds”. LM14 (watchdog/real-allowance) explains it, and the trace has a finding of that
rule: the watchdog killed the app: its scene was not updated in time; 10 s were allowed, the app
used 0.31 s of processor time, the thermal state was serious, the hot device left it little time to
run. By the report the app was in the background. How sure: likely; the device may have had its
share in it. Next time capture the system log over USB or Wi-Fi, with idevicesyslog ('tracecheck
capture device'), which shows what the app and the system did before the end.
"""

HEADER = (
    'timeline 1\n'
    'header os_version=9.0 sdk_linked=9.0 app_bundle_id=com.example.notes background_modes=[]\n')
LAUNCH = """+0s     proc.start into=foreground reason=user_icon
+10ms   delegate.did_finish_launching for 100ms
+200ms  delegate.did_become_active for 1ms
"""
BACKGROUND = """+1s     delegate.will_resign_active for 1ms
+1s     delegate.did_enter_background for 1ms
"""

LEAKED = HEADER + LAUNCH + """+1s     bgtask.begin token=7 name=upload has_expiration_handler=true
""" + BACKGROUND + """+180s   proc.kill cause=bgtask_expired code=562215634
"""

LEAKED_STORY = """\
com.example.notes was ended by the system, 3 min 3 s after launch 1 began: it did not end a
background task in time. Evidence: leaked.timeline:9, code 0x2182bad2. LC001
(background-task/unbalanced) explains it, and the trace has a finding of that rule: background task
“upload” (token 7) was never ended, and the system killed the app for a task that ran out of time, 3
min 2 s after it was begun. Then the app ran in the background; still open: background task
“upload”. How sure: certain, by what the finding rests on.
"""

SILENT = HEADER + LAUNCH + BACKGROUND + """+9s     proc.kill signal=9 cause=unknown
"""

NOTHING = """\
No end of an app was found: either it was still running when the capture stopped, or the capture
doesn't hold the line or the report that tells of its end.
"""


class Why(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        (pathlib.Path(self.folder.name) / name).write_text(text)
        return name

    def why(self, *arguments, stdin=""):
        result = subprocess.run(
            [TOOL, "why", *arguments], input=stdin.encode(), capture_output=True,
            cwd=self.folder.name, timeout=120)
        self.assertTrue(
            all(len(line) <= 100 for line in result.stdout.decode().splitlines()), result.stdout)
        return result.returncode, result.stdout.decode(), result.stderr.decode()

    def test_a_report_with_its_numbers(self):
        self.assertEqual(self.why(self.file("starved.crash", STARVED)), (0, STARVED_STORY, ""))

    def test_a_trace_with_what_was_open(self):
        self.assertEqual(self.why(self.file("leaked.timeline", LEAKED)), (0, LEAKED_STORY, ""))

    def test_a_signal_alone_explains_nothing(self):
        code, text, _ = self.why("-", stdin=SILENT)
        text = " ".join(text.split())
        self.assertEqual(code, 0)
        self.assertIn("why, the capture doesn't say. Evidence: standard input:8, signal 9.", text)
        self.assertIn("How sure: not at all", text)
        self.assertIn("Next time capture reports of crashes", text)

    def test_the_app_ended_itself_and_exits_that_were_counted(self):
        text = HEADER + LAUNCH + BACKGROUND + "+1s proc.exit by=app code=3\n"
        text += "+1s exit.import category=cumulativeSuspendedWithLockedFileExitCount count=2\n"
        code, text, _ = self.why(self.file("exits.timeline", text))
        self.assertEqual(code, 0)
        first, second = (" ".join(part.split()) for part in text.split("\n\n"))
        self.assertIn("ended itself with code 3", first)
        self.assertIn("the system counted 2 exits", second)
        self.assertIn("LM11 (suspension/locked-file)", second)

    def test_an_exit_in_good_order_and_no_end_at_all(self):
        order = HEADER + LAUNCH + "+1s delegate.will_terminate for 1ms\n"
        order += "+1ms proc.exit by=uikit_after_will_terminate\n"
        for text in (order, HEADER + LAUNCH):
            self.assertEqual(self.why(self.file("a.timeline", text)), (0, NOTHING, ""))

    def test_several_inputs_and_unreadable_ones(self):
        leaked = self.file("leaked.timeline", LEAKED)
        starved = self.file("starved.crash", STARVED)
        code, text, err = self.why(leaked, "missing.ips", starved)
        self.assertEqual((code, text), (3, LEAKED_STORY + "\n" + STARVED_STORY))
        self.assertIn("missing.ips", err)
        self.assertEqual(self.why(leaked, "missing.ips", "--allow-damaged")[0], 0)
        self.assertEqual(self.why("missing.ips")[0], 3)
        self.assertEqual(self.why()[0], 2)
        self.assertEqual(self.why("-", "-")[0], 2)

    def test_memory_of_its_own_and_of_others(self):
        kill = '+1s proc.kill cause=jetsam namespace=JETSAM description="{}"\n'
        for words, meaning in (("per-process-limit", "used more memory than one process may"),
                               ("highwater", "used more memory than it may keep"),
                               ("idle-exit", "had nothing to do"),
                               ('vm-pageshortage" visibility="foreground', "no memory left at all"),
                               ('vm-pageshortage" visibility="background', "usual for an app in the"),
                               ("vm-pageshortage", "had to give its memory to others")):
            path = self.file("jetsam.timeline", HEADER + LAUNCH + kill.format(words))
            story = " ".join(self.why(path)[1].split())
            self.assertIn(meaning, story)
            self.assertNotIn("it was ended", story)
            self.assertNotIn(") explains it", story)

    def test_memory_by_the_words_of_logs(self):
        app = ("Jun  9 10:00:00.000000 Notes(UIKitCore)[41] <Notice>: Created background task <x: 0x2>:"
               " taskID = 7, taskName = s, creationTime = 100.0 (elapsed = 0).\n")
        for process, words, quoted in (
                ("kernel[0]", "memorystatus: Notes [41] exceeded mem limit: ActiveHard 1400 MB (fatal)",
                 "exceeded mem limit: ActiveHard 1400 MB"),
                ("kernel[0]", "memorystatus: killing_specific_process pid 41 [Notes] (per-process-limit 10)"
                 " 1400000KB - memorystatus_available_pages: 10000", "per-process-limit 10"),
                ("ReportSystemMemory[99]", "Process Notes [41] killed by jetsam reason per-process-limit",
                 "per-process-limit"),
                ("runningboardd(RunningBoard)[30]", "[app<com.example.notes(AAAA)>:41] Process exited:"
                 " <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:jetsam(1)"
                 " code:per-process-limit(7)>>.", "per-process-limit")):
            line = f"Jun  9 10:00:04.000000 {process} <Notice>: {words}\n"
            story = " ".join(self.why(self.file("memory.log", app + line))[1].split())
            self.assertIn("it used more memory than one process may", story)
            self.assertIn(f"\u201c{quoted}", story)
            self.assertIn("LC843", story)
        xcode = ("2026-06-09 10:00:00.000000+0200 Notes[41:100] [BackgroundTask] Created background task"
                 " <x: 0x2>: taskID = 7, taskName = s, creationTime = 100.0 (elapsed = 0).\n"
                 "Message from debugger: Terminated due to memory issue\n")
        story = " ".join(self.why(self.file("xcode.log", xcode))[1].split())
        self.assertIn("it used more memory than one process may", story)
        self.assertIn("\u201cTerminated due to memory issue\u201d", story)

    def test_a_crash_that_a_rule_explains(self):
        text = """\
Incident Identifier: A
Process:             Notes [412]
Identifier:          com.example.notes
Role:                Background
Date/Time:           2026-03-04 10:00:25.000 +0100
OS Version:          iPhone OS 17.0 (21A1)
Exception Type:  EXC_CRASH (SIGABRT)
Termination Reason: SIGNAL 6 Abort trap: 6

Application Specific Information:
libc++abi: terminating due to uncaught exception of type std::runtime_error: [METAL] Command buffer \
execution failed: Insufficient Permission (to submit GPU work from background)

Thread 0 Crashed:
0   libsystem_kernel.dylib  0x00000001 __pthread_kill + 8
"""
        story = " ".join(self.why(self.file("metal.crash", text))[1].split())
        self.assertIn("ended: it crashed. Evidence", story)
        self.assertIn("LM09 (graphics/metal-in-background) explains it, and the trace has a finding",
                      story)

    def test_an_app_that_printed_its_crash(self):
        line = "Jun  9 10:00:0{} phone Notes(NativeScript)[41] <Notice>: {}\n"
        text = line.format(1, "***** Fatal JavaScript exception - application has been terminated. *****")
        text += line.format(1, "NativeScript caught signal 11.")
        story = " ".join(self.why(self.file("script.log", text))[1].split())
        self.assertIn("Evidence: script.log:1, signal 11, \u201cFatal JavaScript exception\u201d.", story)
        self.assertIn("How sure: certain, by what the app printed itself.", story)

    def test_a_daemon_is_no_app(self):
        kill = '+1s proc.kill cause=jetsam namespace=JETSAM description=highwater role="daemon,idle"\n'
        header = "timeline 1\nheader app_bundle_id=photoanalysisd\n+0s trace.start reason=attach\n"
        story = " ".join(self.why(self.file("daemon.timeline", header + kill))[1].split())
        self.assertIn("By the report its state was daemon, idle.", story)
        self.assertIn("No rule of the life cycle was broken by that.", story)
        self.assertNotIn("LC843", story)
        self.assertNotIn("Next time", story)
        kill = "+1s proc.kill cause=jetsam namespace=JETSAM description=highwater\n"
        for name, isApp in (("SpringBoard", False), ("Notes", True)):
            text = header.replace("photoanalysisd", name) + kill
            story = " ".join(self.why(self.file("shell.timeline", text))[1].split())
            self.assertEqual("LC843" in story, isApp, story)

    def test_an_exception_that_nobody_caught(self):
        text = ("2026-06-09 10:00:00.000000+0200 Notes[41:100] [javascript] Running \"Notes\"\n"
                "2026-06-09 10:00:05.000000+0200 Notes[41:100] *** Terminating app due to uncaught exception"
                " 'RCTFatalException: x', reason: 'y'\n*** First throw call stack:\n(0x1 0x2)\n"
                "libc++abi: terminating due to uncaught exception of type NSException\n")
        story = " ".join(self.why(self.file("native.log", text))[1].split())
        self.assertEqual(story.count("crashed"), 1)
        self.assertIn("Evidence: native.log:2, \u201c'RCTFatalException: x', reason: 'y'\u201d.", story)

    def test_a_limit_may_have_other_reasons_than_a_rule(self):
        kill = '+1s proc.kill cause=jetsam description="per-process-limit"\n'
        path = self.file("limit.timeline", HEADER + LAUNCH + kill)
        story = " ".join(self.why(path)[1].split())
        self.assertRegex(story, r"A finding of LC843 \([^)]+\) would say what made it likelier; the trace has none")

    def test_a_code_alone_is_likely_to_be_the_apps(self):
        text = STARVED.split("<RBS")[0]
        story = " ".join(self.why(self.file("code.crash", text))[1].split())
        self.assertIn("the watchdog killed the app: it did not answer in time.", story)
        self.assertIn("How sure: likely; the code alone doesn't say what took too long.", story)

    def test_texts_of_strangers_are_harmless(self):
        text = HEADER + LAUNCH + '+1s proc.kill cause=watchdog description="\\u001b[31mred\\u202e"\n'
        _, out, _ = self.why(self.file("evil.timeline", text))
        self.assertNotIn("\x1b", out)
        self.assertNotIn("\u202e", out)


if __name__ == "__main__":
    unittest.main()
