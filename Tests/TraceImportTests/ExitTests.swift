// How lines about the end of a process become kills and exits.

import Testing
import TraceImport
import TraceImportSamples

private func end(_ messages: String...) -> Substring {
  let text = messages.enumerated().map {
    console("10:00:0\($0.offset).000000", "runningboardd", $0.element)
  }.joined()
  let lines = importedEvents(text, as: .consoleText).split(separator: "\n")
  return lines.count == 2 ? lines[1] : "\(lines)"
}

private let target = "[app<com.example.notes(11AA)>:412]"

private func exited(_ context: String) -> String {
  "\(target) Process exited: <RBSProcessExitContext| \(context)>."
}

private func specific(_ domain: String, _ code: String) -> String {
  exited("specific, status:<RBSProcessExitStatus| domain:\(domain) code:\(code)>")
}

@Suite struct ExitTests {
  @Test func signals() {
    #expect(
      end(specific("signal(2)", "SIGSEGV(11)"))
        == "0s @0 proc.kill signal=11 cause=crash namespace=SIGNAL")
    #expect(
      end(specific("signal(2)", "SIGKILL(9)"))
        == "0s @0 proc.kill signal=9 cause=unknown namespace=SIGNAL")
    #expect(
      end(specific("signal(2)", "SIGTERM(15)"))
        == "0s @0 proc.kill signal=15 cause=unknown namespace=SIGNAL")
  }

  @Test func codes() {
    #expect(
      end(specific("frontboard(10)", "0x8BADF00D"))
        == "0s @0 proc.kill cause=watchdog code=2343432205 namespace=FRONTBOARD")
    #expect(
      end(specific("runningboard(15)", "0xdead10cc"))
        == "0s @0 proc.kill cause=file_lock code=3735883980 namespace=RUNNINGBOARD")
    #expect(
      end(specific("runningboard(15)", "0x8BADF00D"))
        == "0s @0 proc.kill cause=bgtask_expired code=2343432205 namespace=RUNNINGBOARD")
    #expect(
      end(specific("frontboard(10)", "0xDEADFA11"))
        == "0s @0 proc.kill cause=user_force_quit code=3735943697 namespace=FRONTBOARD")
    #expect(
      end(specific("frontboard(10)", "0x12345"))
        == "0s @0 proc.kill cause=unknown code=74565 namespace=FRONTBOARD")
    #expect(
      end(specific("jetsam(1)", "IDLE-EXIT(9)"))
        == "0s @0 proc.kill cause=jetsam namespace=JETSAM description=idle-exit")
    #expect(
      end(specific("jetsam(1)", "per-process-limit(7)"))
        == "0s @0 proc.kill cause=jetsam namespace=JETSAM description=per-process-limit")
    #expect(
      end(specific("jetsam(1)", "7")) == "0s @0 proc.kill cause=jetsam namespace=JETSAM")
  }

  @Test func leavingByItself() {
    #expect(end(exited("voluntary")) == "0s @0 proc.exit")
    #expect(
      end("\(target) termination reported by launchd (0, 0, 0)") == "0s @0 proc.exit code=0")
    #expect(
      end("\(target) termination reported by launchd (0, 0, 65280)") == "0s @0 proc.exit code=255")
    #expect(
      end("\(target) termination reported by launchd (2, 15, 15)")
        == "0s @0 proc.kill signal=15 cause=unknown")
    #expect(end("Application 'com.example.notes' exited voluntarily.") == "0s @0 proc.exit")
    #expect(
      end("Application 'UIKitApplication:com.example.notes[0x12]' exited abnormally via signal.")
        == "0s @0 proc.kill cause=unknown")
    #expect(
      end("Calculated state for app<com.example.notes(11AA)>:412: none (role: None)")
        == "0s @0 proc.kill cause=unknown")
  }

  @Test func terminationRequests() {
    let request =
      "Received termination request from [osservice<com.apple.SpringBoard>:34] on <RBSProcessPredicate app<com.example.notes(11AA)>:412> with context <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: exhausted real (wall clock) time allowance of 10.00 seconds\nProcessVisibility: Background\nProcessState: Running\nWatchdogEvent: scene-update\nWatchdogCPUStatistics: (\n\"Elapsed total CPU time (seconds): 3.250 (user 2.000, system 1.250), 16% CPU\",\n\"Elapsed application CPU time (seconds): 0.125, 1% CPU\"\n)\nThermalInfo: (\n\"Thermal Level: 0\",\n\"Thermal State: nominal\"\n) reportType:CrashLog maxTerminationResistance:Interactive>"
    #expect(
      end(request)
        == "0s @0 proc.kill cause=watchdog code=2343432205 namespace=FRONTBOARD description=\"scene-update watchdog transgression: exhausted real (wall clock) time allowance of 10.00 seconds\" allowance_s=10.0 app_cpu_s=0.125 total_cpu_percent=16.0 thermal_state=nominal visibility=background thermal_level=0"
    )
  }

  @Test func oldSystems() {
    #expect(
      end(
        "Forcing crash report of <FBApplicationProcess: 0x15; notes; pid: 412> (reason: 1, description: com.example.notes failed to launch after 20.00s (launch took 20.00s of total time limit 20.00s))"
      )
        == "0s @0 proc.kill cause=watchdog code=2343432205 description=\"com.example.notes failed to launch after 20.00s (launch took 20.00s of total time limit 20.00s)\" allowance_s=20.0"
    )
    #expect(
      end(
        "Forcing crash report of <FBApplicationProcess: 0x15; notes; pid: 412> (reason: 4, description: com.example.notes was suspended with locked system files: /var/mobile/a)"
      )
        == "0s @0 proc.kill cause=file_lock code=3735883980 description=\"com.example.notes was suspended with locked system files: /var/mobile/a\""
    )
    #expect(
      end("\(target) was suspended with locked system files: /var/mobile/a")
        == "0s @0 proc.kill cause=file_lock code=3735883980 description=\"was suspended with locked system files: /var/mobile/a\""
    )
  }

  @Test func contextsWithoutADomain() {
    let request =
      "Received termination request from [osservice<com.apple.SpringBoard>:34] on [app<com.example.notes(11AA)>:412] with context <RBSTerminateContext| code:0x8BADF00D explanation:scene-update watchdog transgression: x ProcessVisibility: Background>"
    #expect(
      end(request)
        == "0s @0 proc.kill cause=watchdog code=2343432205 description=\"scene-update watchdog transgression: x\" visibility=background"
    )
  }

  @Test func severalLinesOfOneEndAreOneEvent() {
    #expect(
      end(
        "Calculated state for app<com.example.notes(11AA)>:412: none (role: None)",
        specific("frontboard(10)", "0x8BADF00D"), specific("signal(2)", "SIGKILL(9)"))
        == "0s @0 proc.kill cause=watchdog code=2343432205 namespace=FRONTBOARD")
  }

  @Test func theDeveloperStoppedIt() {
    for text in ["killed", "Terminated due to signal 9"] {
      let lines = imported(
        "2026-03-04 10:00:00.500000+0100 Notes[700:9001] x\nMessage from debugger: \(text)\n",
        as: .xcodeConsole)
      #expect(lines.contains("no life-cycle lines"))
    }
    #expect(
      imported("Message from debugger: Terminated due to memory issue\n", as: .xcodeConsole)
        == """
        header coverage=[] debugger_attached=true log_levels=[default]
        0s trace.start reason=attach
        0s proc.kill cause=jetsam description="Terminated due to memory issue"
        # capture: the system ended the app: it used more memory than one process may; this alone says nothing of how the app follows the life cycle

        """)
  }

  @Test func exceptionsThatNobodyCaught() {
    let reason = "uncaught exception 'RCTFatalException: x', reason: 'y (z)'"
    for (message, words) in [
      ("*** Terminating app due to \(reason)", "'RCTFatalException: x', reason: 'y (z)'"),
      (
        "libc++abi: terminating due to uncaught exception of type NSException",
        "due to uncaught exception of type NSException"
      ),
      (
        "libc++abi.dylib: terminating with uncaught exception of type E",
        "with uncaught exception of type E"
      ),
    ] {
      // From Xcode 15 on, the console shows messages without their prefixes.
      for prefix in ["2026-06-09 10:00:05.000000+0200 Notes[41:100] ", ""] {
        let text = imported("\(prefix)\(message)\n", as: .xcodeConsole)
        #expect(text.contains("proc.kill cause=crash description=\"\(words)\"\n"), "\(text)")
        #expect(text.contains("# capture: the app crashed"))
      }
    }
    let harmless = "2026-06-09 10:00:05.000000+0200 Notes[41:100] libc++abi: terminating the wait\n"
    #expect(!imported(harmless, as: .xcodeConsole).contains("proc.kill"))
  }

  private static func print(_ second: Int, _ message: String) -> String {
    "2026-06-09 10:00:0\(second).000000+0200 Notes[41:100] \(message)\n"
  }

  private static let exception = "*** Terminating app due to uncaught exception 'E', reason: 'r'"

  @Test func aProcessThatGoesOnHasNotEnded() {
    let begun =
      "Created background task <a>: taskID = 8, taskName = a, creationTime = 7 (elapsed = 0)."
    let going = Self.print(1, Self.exception) + Self.print(3, begun)
    #expect(!imported(going, as: .xcodeConsole).contains("proc.kill"))
    let quoted = "Terminating app due to uncaught exception 'E' was found in the last run"
    let other = Self.print(1, quoted) + Self.print(1, begun)
    #expect(!imported(other, as: .xcodeConsole).contains("proc.kill"))
    // Other threads may log until the process is gone.
    let gone = Self.print(0, begun) + Self.print(1, Self.exception) + Self.print(2, begun)
    let events = imported(gone, as: .xcodeConsole)
    #expect(events.contains("2s @100 proc.kill cause=crash"), "\(events)")
  }

  @Test func anEndThatTheSystemConfirmsIsOne() {
    let printed =
      "Jun  9 10:00:01.000000 Notes(CoreFoundation)[412] <Notice>: \(Self.exception)\n"
    let daemon = "runningboardd(RunningBoard)[30] <Notice>:"
    func told(atSecond second: Int) -> [Substring] {
      let exit = specific("signal(2)", "SIGABRT(6)")
      let system = "Jun  9 10:00:\(second).000000 \(daemon) \(exit)\n"
      return imported(printed + system, as: .deviceSyslog).split(separator: "\n")
        .filter { $0.contains("proc.kill") }
    }
    let suspended = "Jun  9 10:00:20.000000 \(daemon) \(target) Suspending task.\n"
    #expect(!imported(printed + suspended, as: .deviceSyslog).contains("proc.kill"))
    for second in [10, 14] {
      let ends = told(atSecond: second)
      #expect(ends.count == 1)
      #expect(ends.first?.contains("signal=6 cause=crash") == true)
      let isOfPrint = second == 10
      #expect(ends.first?.hasPrefix(isOfPrint ? "0s " : "13s ") == true, "\(ends)")
    }
  }

  @Test func theKernelSaysWhyAfterLaunchd() {
    let lines = [
      (
        "05", "com.apple.xpc.launchd[1] (UIKitApplication:com.example.notes[0x1a2b][41])",
        "Service exited due to signal: Killed: 9"
      ),
      ("06", "kernel[0]", "memorystatus: killing_specific_process pid 41 [Notes] (highwater 10)"),
      ("30", "kernel[0]", "nothing"),
    ]
    let text = lines.map { "Jun  9 10:00:\($0.0).000000 \($0.1) <Notice>: \($0.2)\n" }.joined()
    let ends = imported(text, as: .deviceSyslog).split(separator: "\n")
      .filter { $0.contains("proc.kill") }
    #expect(ends.count == 1)
    #expect(ends.first?.contains("cause=jetsam") == true, "\(ends)")
  }

  @Test func aRemarkTellsOfTheKillOfEachApp() {
    let others = specific("jetsam(1)", "9").replacingEvery("notes", with: "mail")
      .replacingEvery("412", with: "413")
    let messages = [
      specific("frontboard(10)", "0x8BADF00D"), others, specific("signal(2)", "SIGKILL(9)"),
      exited("voluntary").replacingEvery("notes", with: "maps").replacingEvery("412", with: "414"),
    ]
    let text = messages.map { console("10:00:00.000000", "runningboardd", $0) }.joined()
    let remarks = imported(text, as: .consoleText).split(separator: "\n")
      .filter { $0.hasPrefix("# ") }
    #expect(remarks.count == 2)
    let watchdog = "# capture: the system ended the app: it did not answer the system in time"
    #expect(remarks.first?.hasPrefix(watchdog) == true)
    #expect(
      remarks.last?.hasPrefix("# capture: the system ended the app: it had to give its memory")
        == true)
  }
}
