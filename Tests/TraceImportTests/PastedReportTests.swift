// Reports as people paste and store them: quoted, fenced, several in a file, or only the words of
// the end.

import Testing
import TraceImport
import TraceModel
import TraceTestSupport

@Suite struct PastedReportTests {
  /// A report of an app that answered too late, of an incident.
  private func report(_ incident: String = "A", pid: Int = 412) -> (header: String, body: String) {
    let header =
      #"{"app_name":"Notes","bug_type":"309","os_version":"iPhone OS 17.0 (21A1)","#
      + #""incident_id":"\#(incident)","bundleID":"com.example.notes","app_version":"2.4"}"#
    let body = """
      {
        "procName": "Notes", "pid": \(pid), "procRole": "Foreground",
        "captureTime": "2026-03-04 10:00:25.0000 +0100",
        "exception": {"type": "EXC_CRASH", "signal": "SIGKILL"},
        "termination": {"namespace": "FRONTBOARD", "code": 2343432205,
          "reasons": ["scene-update watchdog transgression: app<com.example.notes>:\(pid) \
      exhausted real (wall clock) time allowance of 10.00 seconds"]}
      }
      """
    return (header, body)
  }

  private func text(_ incident: String, pid: Int) -> String {
    """
    Incident Identifier: \(incident)
    Process:             Notes [\(pid)]
    Identifier:          com.example.notes
    Date/Time:           2026-03-04 10:00:25.000 +0100
    OS Version:          iPhone OS 12.0 (16A1)
    Exception Type:  EXC_CRASH (SIGKILL)
    Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d

    Thread 0 Crashed:
    0   libsystem_kernel.dylib  0x00000001 mach_msg + 8

    """
  }

  private func kills(_ text: String, _ format: CaptureFormat) -> Int {
    imported(text, as: format).components("proc.kill")
  }

  @Test func wordsAndMarksAroundAReport() {
    let (header, body) = report()
    let plain = header + "\n" + body + "\n"
    let quoted = plain.split(separator: "\n").map { "> \($0)\n" }.joined()
    let printed = header.replacing(",", with: ",\n  ")
    let forms: [String] = [
      "My app was killed, here is why:\n\n\(plain)", "```json\n\(plain)```\nThanks!\n", quoted,
      "> ```\n\(quoted)", "\(header) \(body)", "\(printed)\n\(body)",
    ]
    for pasted in forms {
      #expect(confidence(pasted, .crashJSON) > 0, "\(pasted)")
      #expect(confidence(pasted, .crashText) == 0)
      #expect(kills(pasted, .crashJSON) == 1, "\(pasted)")
    }
    #expect(confidence("Notes\n" + String(repeating: "prose\n", count: 20), .crashJSON) == 0)
  }

  @Test func linesKeepTheirNumbers() {
    let (header, body) = report()
    let pasted = importReading(
      Array(("Look:\n\n```\n" + header + "\n" + body + "\n```\n").utf8), as: .crashJSON)
    #expect(pasted.batches.joined().flatMap(\.lines) == [5, 9])
  }

  @Test func everyReportOfAFileIsRead() {
    let (one, other) = (report("A"), report("B", pid: 500))
    let first = one.header + "\n" + one.body + "\n"
    let both = first + other.header + "\n" + other.body + "\n"
    #expect(kills(both, .crashJSON) == 2)
    #expect(kills(first + first, .crashJSON) == 1)
    #expect(kills(text("A", pid: 1) + text("B", pid: 2), .crashText) == 2)
    #expect(kills(text("A", pid: 1) + text("A", pid: 1), .crashText) == 1)
    let reading = importReading(Array(both.utf8), as: .crashJSON)
    #expect(reading.batches.joined().flatMap(\.lines) == [2, 6, 10, 14])
  }

  @Test func reportsOfSeveralKindsAreRead() {
    let (header, body) = report()
    let json = header + "\n" + body + "\n"
    #expect(kills(json + text("B", pid: 2), .crashJSON) == 2)
    #expect(kills("```\n\(json)```\nand\n```\n\(text("B", pid: 2))```\n", .crashJSON) == 2)
    let told = imported(json + "{\"a\": 1}\n", as: .crashJSON)
    #expect(told.contains("what begins here is no whole report"))
    #expect(told.components("proc.kill") == 1)
    let sentence = imported(json + "See also\nException Type: EXC_CRASH\n", as: .crashJSON)
    #expect(!sentence.contains("skipped") && sentence.components("proc.kill") == 1, "\(sentence)")
  }

  /// From iOS 15 on a body has a type of its own, and is found without its header line.
  @Test func bodiesWithoutHeaders() {
    func line(_ pid: Int) -> String {
      report(pid: pid).body.split(separator: "\n").joined()
        .replacing("{  \"procName\"", with: "{\"bug_type\":\"309\",\"procName\"")
    }
    #expect(kills(line(1), .crashJSON) == 1)
    #expect(kills(line(1) + "\n" + line(2) + "\n", .crashJSON) == 2)
    #expect(kills("[\(line(1)),\n\(line(2))]", .crashJSON) == 2)
    for pasted in ["\(line(1))", "[\(line(1))]", "I saw\n\n```\n\(line(1))\n```\n"] {
      #expect(confidence(pasted, .crashJSON) > 0, "\(pasted)")
      #expect(kills(pasted, .crashJSON) == 1, "\(pasted)")
    }
  }

  @Test(arguments: ["```", "~~~"]) func allFencesOfATextAreRead(_ fence: String) {
    let (one, other) = (report("A"), report("B", pid: 500))
    let pasted = """
      First:
      \(fence)
      \(one.header)
      \(one.body)
      \(fence)
      and then, with { and Process: in it,
      \(fence)
      \(other.header)
      \(other.body)
      \(fence)
      """
    #expect(kills(pasted, .crashJSON) == 2)
  }

  @Test(arguments: ["> ", "> > ", "    "]) func mailsThatAnswer(_ mark: String) {
    let (header, body) = report()
    let quoted = (header + "\n" + body).split(separator: "\n").map { "\(mark)\($0)\n" }.joined()
    let pasted = "On Monday someone wrote:\n\n\(quoted)\nThanks\n"
    #expect(confidence(pasted, .crashJSON) > 0)
    #expect(kills(pasted, .crashJSON) == 1)
  }

  /// Nobody is left to believe that a log above a report was judged.
  @Test func linesAboveAReportAreCounted() {
    let (header, body) = report()
    let log = "2026-03-04 10:00:00.1 Notes[412:9] one\n2026-03-04 10:00:00.2 Notes[412:9] two\n"
    let words = "not read: 2 lines above the report"
    #expect(imported(log + header + "\n" + body, as: .crashJSON).contains(words))
    #expect(imported(log + text("A", pid: 1), as: .crashText).contains(words))
    #expect(!imported(text("A", pid: 1), as: .crashText).contains("not read"))
    #expect(!imported(header + "\n" + body, as: .crashJSON).contains("not read"))
  }

  /// Console shows a report of JSON as text above it, and not always with its incident.
  @Test(arguments: [true, false]) func aReportAndItsTranslation(_ namesIncident: Bool) {
    let (header, body) = report("B", pid: 7)
    let lines = text("B", pid: 7).split(separator: "\n", omittingEmptySubsequences: false)
    let translated = lines.dropFirst(namesIncident ? 0 : 1).joined(separator: "\n")
    let both = """
      -------------------------------------
      Translated Report (Full Report Below)
      -------------------------------------

      \(translated)

      -----------
      Full Report
      -----------

      \(header)
      \(body)
      """
    #expect(kills(both, .crashText) == 1)
    #expect(!imported(both, as: .crashText).contains("not read"))
  }

  /// What an app prints into its log doesn't make a report of the log.
  @Test func aPayloadInALogIsNoReport() {
    let log = "2026-03-04 10:00:00.123456+0100 Notes[412:99] got a payload\n"
    let payload = #"{"timeStampBegin":"2026-03-04","timeStampEnd":"2026-03-05"}"# + "\n"
    #expect(confidence(log + payload, .metricPayload) < confidence(log + payload, .xcodeConsole))
    #expect(confidence(log + report().body, .crashJSON) < confidence(log, .xcodeConsole))
  }

  @Test func excerptsOneBehindTheOther() {
    func excerpt(_ code: String) -> String {
      "Exception Type:  EXC_CRASH (SIGKILL)\n"
        + "Termination Reason: Namespace RUNNINGBOARD, Code \(code)\n"
    }
    #expect(kills(excerpt("0x8badf00d") + "\n" + excerpt("0xdead10cc"), .crashText) == 2)
    #expect(kills(text("A", pid: 1) + excerpt("0xdead10cc"), .crashText) == 2)
    // What is quoted of a report says nothing new.
    #expect(kills(text("A", pid: 1) + excerpt("0x8badf00d"), .crashText) == 1)
    #expect(kills(excerpt("0x8badf00d") + text("A", pid: 1), .crashText) == 1)
    // Another end of the same kind is one.
    let crash = text("A", pid: 1).replacing("(SIGKILL)", with: "(SIGSEGV)")
      .replacing("Namespace SPRINGBOARD, Code 0x8badf00d", with: "SIGNAL 11 Segmentation fault")
    let other = "Exception Type:  EXC_CRASH (SIGABRT)\nTermination Reason: SIGNAL 6 Abort trap: 6\n"
    #expect(kills(crash + other, .crashText) == 2)
    let dead = "And another:\nTermination Reason: Namespace RUNNINGBOARD, Code 0xdead10cc\n"
    let plain = crash.replacing("Termination Reason: SIGNAL 11 Segmentation fault\n", with: "")
    #expect(kills(plain + dead, .crashText) == 2)
    // Another app, or another day, with the same number of the process is another end.
    let lines = text("A", pid: 1).split(separator: "\n", omittingEmptySubsequences: false)
    let unnamed = lines.dropFirst().joined(separator: "\n")
    for (old, new) in [("Notes [", "Maps ["), ("2026-03-04", "2026-05-04")] {
      #expect(kills(text("B", pid: 1) + unnamed.replacing(old, with: new), .crashText) == 2)
    }
    // An app may write of exceptions in its report.
    let words =
      "Application Specific Information:\nThread 0 handled\nException Type: NSException\n"
      + "Termination Reason: RUNNINGBOARD 0xdead10cc\n\nThread 0"
    #expect(kills(text("A", pid: 1).replacing("Thread 0", with: words), .crashText) == 1)
    let sentence = "I think it is\nException Type: EXC_BAD_ACCESS, but see:\n"
    #expect(kills(sentence + text("A", pid: 1), .crashText) == 1)
  }

  @Test(arguments: ["[%,\n%]", "%\n%\n"]) func severalPayloads(_ form: String) {
    func payload(_ day: Int, _ count: Int) -> String {
      #"{"timeStampBegin":"2026-03-0\#(day) 00:00:00 +0000","#
        + #""timeStampEnd":"2026-03-0\#(day) 23:59:00 +0000","appVersion":"2.4","#
        + #""applicationExitMetrics":{"backgroundExitData":{"#
        + #""cumulativeAppWatchdogExitCount":\#(count)}}}"#
    }
    let pieces = form.split(separator: "%", omittingEmptySubsequences: false)
    let text = pieces[0] + payload(1, 3) + pieces[1] + payload(2, 4) + pieces[2]
    #expect(confidence(String(text), .metricPayload) > 0)
    let told = imported(String(text), as: .metricPayload)
    #expect(told.components("exit.import") == 2 && told.components("skipped") == 0, "\(told)")
  }

  /// A report that is cut off must neither hide the next one nor be read again and again.
  @Test func reportsBehindOneThatIsCutOff() {
    let (one, other) = (report("A"), report("B", pid: 500))
    let cut = one.header + "\n" + one.body.prefix(120)
    #expect(kills(cut + "\n" + other.header + "\n" + other.body, .crashJSON) == 1)
    let clock = ContinuousClock()
    for piece in ["{\"a\":[\n", "{\"a\":[", "{\"bug_type\":\"309\"}\n{\"a\":[\n", "[{\n", "{{\n"] {
      let many = first(piece) + String(repeating: piece, count: 40_000)
      let time = clock.measure { _ = imported(many, as: .crashJSON) }
      #expect(time < .seconds(20), "\(piece)")
    }
  }

  @Test func moreReportsThanAreRead() {
    let many = (0..<400).map { text("\($0)", pid: $0) }.joined()
    let told = imported(many, as: .crashText)
    #expect(told.components("proc.kill") == 256)
    #expect(told.contains("the file holds more than 256 reports"))
  }

  private func first(_ piece: String) -> String { report().header + "\n" + piece }

  @Test func onlyTheWordsOfTheEnd() {
    let context = """
      <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog \
      transgression: [app<com.example.notes>:412] exhausted real (wall clock) time allowance of \
      10.00 seconds
      ProcessVisibility: Background
      ProcessState: Running
      reportType:CrashLog maxTerminationResistance:Interactive>
      """
    for text in [context, "Termination Reason: FRONTBOARD 2343432205\n" + context] {
      #expect(confidence(text, .crashText) > 0)
      let told = imported(text, as: .crashText)
      #expect(told.contains("cause=watchdog") && told.contains("allowance_s=10"), "\(told)")
    }
  }

  @Test func anExceptionOfRefusedMetalWork() {
    let words =
      "terminating due to uncaught exception of type std::runtime_error: [METAL] Command buffer "
      + "execution failed: Insufficient Permission (to submit GPU work from background)"
    let crash = text("A", pid: 1).replacing(
      "Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d",
      with: "Termination Reason: SIGNAL 6 Abort trap: 6\n"
        + "Application Specific Information:\nabort() called\n\(words)")
    let (header, body) = report()
    let asi = #""asi": {"libc++abi.dylib": ["\#(words)"]}, "procName""#
    let json =
      header + "\n"
      + body.replacing(#""procName""#, with: asi)
      .replacing(
        #"{"namespace": "FRONTBOARD", "code": 2343432205,"#,
        with: #"{"namespace": "SIGNAL", "code": 6,"#
      )
      .replacing("scene-update watchdog transgression", with: "Abort trap")
      .replacing(#""Foreground""#, with: #""Background""#)
    for (told, place) in [
      (imported(crash, as: .crashText), "text"), (imported(json, as: .crashJSON), "JSON"),
      (imported("libc++abi: \(words)\n", as: .xcodeConsole), "console"),
    ] {
      #expect(told.contains("metal.complete"), "\(place): \(told)")
      #expect(told.contains("refused its Metal work"), "\(place): \(told)")
    }
    #expect(!imported(text("A", pid: 1), as: .crashText).contains("metal"))
    // An app in the foreground is refused nothing.
    let inFront = json.replacing(#""Background""#, with: #""Foreground""#)
    #expect(!imported(inFront, as: .crashJSON).contains("metal"))
    let payload =
      #"{"timeStampBegin":"2026-03-04 00:00:00 +0000","timeStampEnd":"2026-03-04 23:59:00 +0000","#
      + #""crashDiagnostics":[{"diagnosticMetaData":{"signal":6,"terminationReason":"#
      + #""Namespace SIGNAL, Code 6","objectiveCexceptionReason":"#
      + #"{"composedMessage":"\#(words)"}}}]}"#
    #expect(imported(payload, as: .metricPayload).contains("metal.complete"))
  }

  /// The second code of a fault is an address, which may be any number.
  @Test func anAddressIsNoCodeOfATermination() {
    let crash = text("A", pid: 1)
      .replacing("EXC_CRASH (SIGKILL)", with: "EXC_BAD_ACCESS (SIGSEGV)")
      .replacing(
        "Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d",
        with: "Exception Codes: 0x1, 0xdead10cc\nTermination Reason: SIGNAL 11 Segmentation fault")
    #expect(imported(crash, as: .crashText).contains("cause=crash"))
    let old = text("A", pid: 1)
      .replacing("EXC_CRASH (SIGKILL)", with: "00000020")
      .replacing(
        "Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d",
        with: "Exception Codes: 0xdead10cc")
    #expect(imported(old, as: .crashText).contains("cause=file_lock"))
  }

  /// Words of people behind those of the system must not add numbers to them.
  @Test func onlyTheSystemsWordsCount() {
    let context = """
      <RBSTerminateContext| domain:15 code:0x8BADF00D explanation:none
      reportType:CrashLog maxTerminationResistance:Interactive>
      Another app was killed by process-launch watchdog transgression: allowance of 99.00 seconds
      """
    #expect(!imported(context, as: .crashText).contains("allowance_s"))
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
