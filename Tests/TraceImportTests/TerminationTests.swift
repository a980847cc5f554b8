// Codes and texts of terminations, in every form in which reports print them.

import Testing
import TraceImport
import TraceImportSamples

/// The arguments of the one kill of a report with this termination reason.
private func kill(_ reason: String, more: String = "", type: String = "EXC_CRASH (SIGKILL)")
  -> String
{
  let text = """
    OS Version:          iPhone OS 16.1 (20B82)
    Exception Type:  \(type)
    Termination Reason: \(reason)
    \(more)
    Triggered by Thread:  0

    """
  let lines = imported(text, as: .crashText).split(separator: "\n")
  let line = lines.first { $0.contains("proc.kill ") }
  return line.map { String($0.dropFirst("0s @0 proc.kill ".count)) } ?? "none"
}

private func explanation(_ reason: String, more: String = "") -> String {
  let text = "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: \(reason)\n\(more)\n"
  return imported(text + "OS Version: iPhone OS 16.1 (20B82)\n", as: .crashText)
    .split(separator: "\n").first { $0.hasPrefix("# capture: ") }
    .map { String($0.dropFirst("# capture: ".count)) } ?? "none"
}

@Suite struct TerminationTests {
  @Test func regionsWriteACommaBeforeTheDecimals() {
    let text = kill(
      "FRONTBOARD 0x8badf00d",
      more:
        "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: x exhausted real (wall clock) time allowance of 10,50 seconds\n\"Elapsed total CPU time (seconds): 19,300 (user 12,100, system 7,200), 96,5% CPU\"\n\"Elapsed application CPU time (seconds): 0,200, 1% CPU\"\nreportType:CrashLog>"
    )
    #expect(text.contains("allowance_s=10.5 app_cpu_s=0.2 total_cpu_percent=96.5"), "\(text)")
  }

  /// Rows of the specification's table: hexadecimal, decimal, cause.
  static let codes: [(String, String, String)] = [
    ("0x8badf00d", "2343432205", "watchdog"), ("0x2182bad2", "562215634", "bgtask_expired"),
    ("0x2182bad3", "562215635", "watchdog"), ("0x2182bad4", "562215636", "watchdog"),
    ("0xdead10cc", "3735883980", "file_lock"), ("0xc00010ff", "3221229823", "thermal"),
    ("0xbaadca11", "3131951633", "watchdog"), ("0xbad22222", "3134333474", "watchdog"),
    ("0xbaddd15c", "3135099228", "disk_space"), ("0xc51bad01", "3306925313", "cpu_limit"),
    ("0xc51bad02", "3306925314", "watchdog"), ("0xc51bad03", "3306925315", "watchdog"),
    ("0xdeadfa11", "3735943697", "user_force_quit"), ("0x2bad45ec", "732775916", "unknown"),
  ]

  @Test(arguments: codes) func codesInAnyNotation(_ row: (String, String, String)) {
    let (hexadecimal, decimal, plainCause) = row
    // RunningBoard watches over assertions, and gives the watchdog's code for them, too.
    let cause = hexadecimal == "0x8badf00d" ? "bgtask_expired" : plainCause
    let expected = "cause=\(cause) code=\(decimal) namespace=RUNNINGBOARD"
    #expect(kill("Namespace RUNNINGBOARD, Code \(hexadecimal)") == expected)
    #expect(kill("RUNNINGBOARD \(hexadecimal)") == expected)
    #expect(kill("RUNNINGBOARD \(decimal)") == expected)
    #expect(kill("RUNNINGBOARD, code \(hexadecimal)") == expected)
    #expect(
      kill("RUNNINGBOARD, code \(hexadecimal.uppercased().replacingEvery("0X", with: "0x"))")
        == expected)
    #expect(kill("Namespace <0xF>, Code \(hexadecimal)") == expected)
    #expect(
      explanation("RUNNINGBOARD \(decimal)").contains("(RUNNINGBOARD \(hexadecimal))"))
    if let value = Int64(decimal), value > Int64(Int32.max) {
      #expect(kill("RUNNINGBOARD \(value - (1 << 32))") == expected)
    }
  }

  @Test(arguments: codes) func oldSystemsPutTheCodeBesideTheException(
    _ row: (String, String, String)
  ) {
    let text = "Exception Type:  00000020\nException Codes: 0x00000000\(row.0.dropFirst(2)), 0x1\n"
    #expect(imported(text, as: .crashText).contains("cause=\(row.2) code=\(row.1)\n"))
  }

  @Test(arguments: codes) func aCodeAloneProvesFewFaults(_ row: (String, String, String)) {
    let rules = [
      "0xdead10cc": "LM11", "0xbaadca11": "LM12", "0xbad22222": "LM13", "0x2182bad2": "LC102",
      "0x2182bad3": "LM19", "0x2182bad4": "LC613", "0x8badf00d": "LC102",
    ]
    for system in ["9.0 (13A1)", "16.1 (20B82)"] {
      let text =
        "OS Version: iPhone OS \(system)\nException Type:  EXC_CRASH (SIGKILL)\n"
        + "Termination Reason: RUNNINGBOARD \(row.0)\n"
      let found = foundRules(Array(text.utf8), .crashText)
      #expect(found == (rules[row.0].map { [$0] } ?? []), "iOS \(system)")
    }
  }

  @Test(arguments: ReportSamples.all) func reportsRaiseNoFalseFindings(_ sample: ReportSample) {
    let rules = [
      "cause=file_lock": "LM11", "description=\"scene-update": "LM14",
      "description=\"process-launch": "LM14", "cause=cpu_limit": "LC207",
    ]
    let expected = rules.filter { sample.timeline.contains($0.key) }.map(\.value)
    #expect(foundRules(Array(sample.text.utf8), sample.format) == expected)
  }

  @Test(arguments: [
    ("RUNNINGBOARD", "LC102"), ("ASSERTIOND", "LC102"), ("FRONTBOARD", "LM14"),
    ("SPRINGBOARD", "LM14"),
  ])
  func theWatchdogsCodeMeansWhatItsWriterWatches(_ namespace: String, _ rule: String) {
    let text =
      "OS Version: iPhone OS 16.1 (20B82)\nException Type:  EXC_CRASH (SIGKILL)\n"
      + "Termination Reason: \(namespace) 0x8badf00d\n"
    #expect(foundRules(Array(text.utf8), .crashText) == [rule])
    #expect(
      explanation("\(namespace) 0x8badf00d").contains("most likely a background task")
        == (rule == "LC102"))
    let words = "Termination Description: Failed to terminate gracefully after 5.0s"
    #expect(kill("\(namespace) 0x8badf00d", more: words).hasPrefix("cause=watchdog "))
  }

  @Test func otherNamespaces() {
    #expect(
      kill("SIGNAL 11 Segmentation fault: 11")
        == "signal=11 cause=crash namespace=SIGNAL description=\"Segmentation fault: 11\"")
    #expect(kill("Namespace SIGNAL, Code 0xb") == "signal=11 cause=crash namespace=SIGNAL")
    #expect(kill("Namespace SIGNAL, Code 0x9") == "signal=9 cause=unknown namespace=SIGNAL")
    #expect(
      kill("DYLD 1 Library missing", type: "EXC_CRASH (SIGABRT)")
        == "signal=6 cause=crash code=1 namespace=DYLD description=\"Library missing\"")
    #expect(kill("TCC, code 0", type: "EXC_CRASH (SIGABRT)").contains("cause=crash code=0"))
    #expect(kill("Namespace JETSAM, Code 0x2") == "cause=jetsam code=2 namespace=JETSAM")
    #expect(kill("CODESIGNING 2 Invalid Page").contains("cause=crash code=2"))
    // A fault's text may say anything.
    #expect(
      kill("DYLD 1 Library missing", more: "failed to launch in time").contains("cause=crash"))
    #expect(kill("", type: "EXC_CRASH (SIGKILL)") == "signal=9 cause=unknown")
    #expect(kill("", type: "EXC_BREAKPOINT (SIGTRAP)") == "signal=5 cause=crash")
    #expect(kill("", type: "EXC_GUARD") == "cause=crash")
    #expect(kill("MADEUP 18446744073709551616").hasPrefix("signal=9 cause=unknown namespace"))
  }

  @Test func prose() {
    #expect(
      kill(
        "Namespace ASSERTIOND, Code 0x8badf00d",
        more:
          "Termination Description: ASSERTIOND, notes:412 has active assertions beyond permitted time: | <Assertion: 0x1>"
      ).hasPrefix("cause=bgtask_expired code=2343432205 namespace=ASSERTIOND description="))
    #expect(
      kill(
        "com.example.notes failed to launch after 20.00s (launch took 20.01s of total time limit 20.00s)"
      )
      .contains("cause=watchdog code=2343432205"))
    #expect(
      kill(
        "com.example.notes failed to scene-create after 19.56s (launch took 0.44s of total time limit 20.00s)"
      )
      .hasSuffix("allowance_s=20.0 elapsed_s=19.56"))
    #expect(
      kill("RUNNINGBOARD, Failed to terminate gracefully after 5.0s")
        == "cause=watchdog code=2343432205 namespace=RUNNINGBOARD description=\"Failed to terminate gracefully after 5.0s\" allowance_s=5.0"
    )
    #expect(
      kill("SPRINGBOARD, com.example.notes was suspended with locked system files: | /var/x")
        .hasPrefix("cause=file_lock code=3735883980 namespace=SPRINGBOARD"))
    #expect(kill("exhausted CPU time allowance of 2.32 seconds").contains("allowance_s=2.32"))
  }

  @Test func oneLineFormsWithEscapes() {
    let line =
      #"SPRINGBOARD, scene-create watchdog transgression:\ com.example.notes exhausted real (wall clock) time allowance of 19.62 seconds\nProcessVisibility:\ Background\nWatchdogEvent:\ scene-create\nThermalInfo: (\n"Thermal Level: 20",\n"Thermal State: serious"\n)"#
    #expect(
      kill("Namespace SPRINGBOARD, Code 0x8badf00d", more: "Termination Description: \(line)")
        == "cause=watchdog code=2343432205 namespace=SPRINGBOARD description=\"scene-create watchdog transgression: com.example.notes exhausted real (wall clock) time allowance of 19.62 seconds\" allowance_s=19.62 thermal_state=serious visibility=background thermal_level=20"
    )
  }

  @Test(arguments: [
    ("9.500", "nominal", "busy computing (certainty of blame: high)"),
    ("9.500", "critical", "busy computing (certainty of blame: high)"),
    ("0.100", "nominal", "main thread waited (certainty of blame: high)"),
    ("0.100", "fair", "main thread waited (certainty of blame: high)"),
    ("0.100", "serious", "left it little time to run (certainty of blame: low)"),
    ("1.500", "serious", "left it little time to run (certainty of blame: low)"),
    ("1.501", "serious", "waited for the rest (certainty of blame: medium)"),
    ("4.999", "nominal", "waited for the rest (certainty of blame: medium)"),
    ("5.000", "nominal", "busy computing (certainty of blame: high)"),
  ])
  func blameIsWeighed(_ seconds: String, _ state: String, _ verdict: String) {
    let text = explanation(
      "FRONTBOARD 0x8badf00d",
      more:
        "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: x exhausted real (wall clock) time allowance of 10.00 seconds\n\"Elapsed application CPU time (seconds): \(seconds), 1% CPU\"\n\"Thermal State: \(state)\"\nreportType:CrashLog>"
    )
    #expect(text.contains(verdict), "\(text)")
  }

  @Test(
    arguments: [
      (
        "Elapsed total CPU time (seconds): 26.630 (user 26.630, system 0.000), 74% CPU",
        " total_cpu_percent=74.0 "
      ),
      ("Elapsed total CPU time (seconds): 26.630, 80.5% CPU", " total_cpu_percent=80.5 "),
      ("Elapsed total CPU time (seconds): 26.630", nil),
      (
        "Elapsed total CPU time (seconds): 26.630 Elapsed application CPU time (seconds): 1, 9% CPU",
        nil
      ),
      ("Elapsed total CPU time (seconds): 26.630, % CPU", nil),
    ] as [(String, String?)])
  func whatAllProcessesUsed(_ words: String, _ argument: String?) {
    let text = kill(
      "FRONTBOARD 0x8badf00d",
      more: "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog "
        + "\(words)\n\"Thermal State: nominal\"\nreportType:CrashLog>")
    #expect(text.contains(argument ?? " thermal_state=nominal"), "\(text)")
    #expect(text.contains("total_cpu_percent") == (argument != nil), "\(text)")
  }

  @Test(arguments: [
    ("100", "nominal", "other processes left it little time to run (certainty of blame: low)"),
    ("80", "nominal", "other processes left it little time to run (certainty of blame: low)"),
    ("79", "nominal", "main thread waited (certainty of blame: high)"),
    ("100", "serious", "the hot device left it little time to run (certainty of blame: low)"),
    ("79", "unheard-of", "main thread waited (certainty of blame: medium)"),
  ])
  func othersAreWeighed(_ percent: String, _ state: String, _ verdict: String) {
    let text = explanation(
      "FRONTBOARD 0x8badf00d",
      more: "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog "
        + "transgression: x exhausted real (wall clock) time allowance of 10.00 seconds\n"
        + "\"Elapsed total CPU time (seconds): 20.000 (user 20.000, system 0.000), \(percent)% CPU\"\n"
        + "\"Elapsed application CPU time (seconds): 0.100, 1% CPU\"\n"
        + "\"Thermal State: \(state)\"\nreportType:CrashLog>")
    #expect(text.contains(verdict), "\(text)")
  }

  @Test func theEventSaysWhatItMeans() {
    for (event, meaning) in [
      ("process-launch", "took too long to launch"), ("scene-create", "took too long to launch"),
      ("scene-update", "did not update its scene in time"),
      ("process-exit", "did not come to an end in time"),
    ] {
      #expect(
        explanation("FRONTBOARD 0x8badf00d", more: "WatchdogEvent: \(event)")
          .contains("the system ended the app: it \(meaning)"))
    }
  }

  @Test func oldWatchdog() {
    let text = """
      Exception Type:  00000020
      Exception Codes: 0x000000008badf00d

      Application Specific Information:
      com.example.notes failed to launch in time

      """
    #expect(
      imported(text, as: .crashText).contains(
        "cause=watchdog code=2343432205 description=\"com.example.notes failed to launch in time\"")
    )
    let more =
      text + """
        Elapsed total CPU time (seconds): 20.020 (user 20.020, system 0.000), 100% CPU
        Elapsed application CPU time (seconds): 18.500, 92% CPU

        """
    let result = imported(more, as: .crashText)
    #expect(result.contains("failed to launch in time\" app_cpu_s=18.5 total_cpu_percent=100.0\n"))
    #expect(result.contains("process-launch was too slow, the app used 18.5 s of processor time"))
    #expect(result.contains("it took too long to launch"))
  }

  @Test func processorTimeThatWasAllowed() {
    let text = explanation("exhausted CPU time allowance of 2.32 seconds watchdog transgression")
    #expect(text.contains("it used up the 2.32 s of processor time that were allowed"), "\(text)")
  }

  @Test(arguments: ["1e309", "1E9", "1.5e+3", "1e-3"])
  func aNumberWithAnExponentIsNoAllowance(_ number: String) {
    let text = kill(
      "FRONTBOARD 0x8badf00d",
      more: "Termination Description: scene-update watchdog transgression: time allowance of "
        + "\(number) seconds")
    #expect(text.hasPrefix("cause=watchdog code=2343432205 namespace=FRONTBOARD"), "\(text)")
    #expect(!text.contains("allowance_s="), "\(text)")
  }

  @Test func endsThatNeedNoFaultSayNothingAlone() {
    let forced = explanation("FRONTBOARD 0xdeadfa11")
    #expect(
      forced.hasSuffix("; this alone says nothing of how the app follows the life cycle"))
    let freed = explanation("RUNNINGBOARD 0xbaddd15c")
    #expect(freed.hasSuffix("; this says nothing of how the app follows the life cycle"))
  }

  @Test func oldWatchdogWithLittleTimeLeft() {
    let text = """
      OS Version: iOS 6.1.3 (10B329)
      Exception Type:  00000020
      Exception Codes: 0x000000008badf00d

      Application Specific Information:
      com.example.notes failed to resume in time

      Elapsed total CPU time (seconds): 18.500 (user 18.500, system 0.000), 92% CPU
      Elapsed application CPU time (seconds): 0.050, 0% CPU

      """
    let result = imported(text, as: .crashText)
    #expect(result.contains("; resume was too slow, the app used 0.05 s of processor time"))
    #expect(result.contains("other processes left it little time to run (certainty of blame: low)"))
    #expect(result.contains("it did not resume in time"))
  }

  @Test func codesOfJSONInQuotes() {
    for code in ["3735883980", "\"3735883980\"", "\"0xdead10cc\"", "\"0xDEAD10CC\""] {
      let text =
        "{\"procName\":\"Notes\",\"exception\":{\"type\":\"EXC_CRASH\"},"
        + "\"termination\":{\"code\":\(code),\"namespace\":\"RUNNINGBOARD\"}}"
      #expect(imported(text, as: .crashJSON).contains("cause=file_lock code=3735883980"), "\(code)")
    }
  }

  @Test func signalsOfJSON() {
    let text =
      "{\"procName\":\"Notes\",\"exception\":{\"type\":\"EXC_CRASH\",\"signal\":\"SIGABRT\"},"
      + "\"termination\":{\"code\":6,\"namespace\":\"SIGNAL\",\"indicator\":\"Abort trap: 6\"}}"
    #expect(
      imported(text, as: .crashJSON).contains(
        "signal=6 cause=crash namespace=SIGNAL description=\"Abort trap: 6\""))
  }

  @Test func whatTheAppWroteIsNoCode() {
    let text =
      "Exception Type:  EXC_CRASH (SIGABRT)\nTermination Reason: SIGNAL 6 Abort trap: 6\n\n"
      + "Application Specific Information:\nfailed to launch, 0x8badf00d, watchdog transgression\n"
    #expect(imported(text, as: .crashText).contains("signal=6 cause=crash namespace=SIGNAL "))
  }
}
