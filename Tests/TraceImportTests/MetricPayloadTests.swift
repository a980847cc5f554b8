// MetricKit's payloads: units and separators of all regions, and what Xcode makes up.

import Testing
import TraceImport

private func hang(_ printed: String, region: String? = nil) -> String {
  let region = region.map { "\"regionFormat\":\"\($0)\"," } ?? ""
  let text =
    "{\"hangDiagnostics\":[{\"diagnosticMetaData\":{\(region)\"hangDuration\":\"\(printed)\"}}]}"
  let line = imported(text, as: .metricPayload).split(separator: "\n").last ?? ""
  return String(line.dropFirst("# capture: hang of ".count).prefix { $0 != ":" })
}

@Suite struct MetricPayloadTests {
  @Test(arguments: [
    ("20 secs.", "20 s"), ("20 sec", "20 s"), ("2,717秒", "2717 s"), ("2717 ms", "2.717 s"),
    ("1.5 min", "90 s"), ("2 hr", "7200 s"), ("1,106,818千字节", "1106818000 bytes"),
    ("2,000 byte", "2000 bytes"), ("12 kB", "12000 bytes"), ("3\u{a0}500 s", "3500 s"),
    ("\u{664}\u{665} \u{62b}", "45 s"), ("1,234.5 s", "1234.5 s"), ("1.234,5 s", "1234.5 s"),
    ("7", "7"), ("5 parsecs", "5 parsecs"), ("no number", "no number"),
    ("1234567890123456789 s", "1234567890123456789 s"), ("-3 s", "-3 s"), ("0.25 s", "0.25 s"),
  ])
  func numbersOfAllRegions(_ printed: String, _ read: String) {
    #expect(hang(printed) == read)
  }

  @Test func theRegionDecidesWhatIsUnclear() {
    #expect(hang("2.717 Sek.", region: "DE") == "2717 s")
    #expect(hang("2.717 sec", region: "US") == "2.717 s")
    #expect(hang("2,717 s", region: "FR") == "2.717 s")
    #expect(hang("2,717 sec", region: "US") == "2717 s")
    #expect(hang("2,71 s", region: "US") == "2.71 s")
  }

  @Test func whatXcodeSimulatesIsMarked() {
    let mark = "# capture: simulated by Xcode"
    let counters = ["NormalApp", "Abnormal", "AppWatchdog", "BadAccess"]
      .map { "\"cumulative\($0)ExitCount\":1" }.joined(separator: ",")
    let ones =
      "{\"applicationExitMetrics\":{\"foregroundExitData\":{\(counters)},\"backgroundExitData\":{\(counters)}}}"
    #expect(imported(ones, as: .metricPayload).contains(mark))
    #expect(!imported(ones.replacingOne("Exit", ":1"), as: .metricPayload).contains(mark))
    for (begin, end, isSimulated) in [
      ("2026-03-04 10:00:00 +0000", "2026-03-04 10:00:00 +0000", true),
      ("2026-03-03 10:00:00", "2026-03-04 10:00:00", true),
      ("2026-03-03 10:00:00 +0000", "2026-03-04 10:00:00 +0000", false),
    ] {
      let text = "{\"timeStampBegin\":\"\(begin)\",\"timeStampEnd\":\"\(end)\"}"
      #expect(imported(text, as: .metricPayload).contains(mark) == isSimulated, "\(begin)")
    }
  }

  @Test(arguments: [
    "Namespace RUNNINGBOARD, Code 0xdead10cc", "Namespace SIGNAL, Code 0xb",
  ])
  func nothingThatXcodeSimulatesIsAnEvent(_ reason: String) {
    let text =
      #"{"timeStampBegin":"2026-03-04 10:00:00","timeStampEnd":"2026-03-04 10:00:00","#
      + #""applicationExitMetrics":{"backgroundExitData":{"cumulativeAbnormalExitCount":1}},"#
      + #""crashDiagnostics":[{"diagnosticMetaData":{"bundleIdentifier":"com.example.notes","#
      + #""terminationReason":"\#(reason)"}}]}"#
    let told = imported(text, as: .metricPayload)
    #expect(told.contains("# capture: simulated by Xcode"))
    #expect(!told.contains("proc.kill") && !told.contains("exit.import"), "\(told)")
    #expect(told.contains("exits that the payload counted: background Abnormal 1"))
  }

  @Test func omittedCountersAreZeros() {
    let text = "{\"applicationExitMetrics\":{\"backgroundExitData\":{}}}"
    #expect(
      imported(text, as: .metricPayload).contains(
        "exits that the system counted: none (zeros are left out)"))
  }

  @Test func aCrashWithRunningBoardsContext() {
    let text =
      #"{"crashDiagnostics":[{"diagnosticMetaData":{"signal":9,"exceptionType":10,"terminationReason":"FRONTBOARD 2343432205 \n<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-create watchdog transgression: x exhausted real (wall clock) time allowance of 19.56 seconds\nProcessVisibility: Unknown\nWatchdogEvent: scene-create\n\"Elapsed application CPU time (seconds): 0.036, 0% CPU\"\nreportType:CrashLog>"}}]}"#
    let result = imported(text, as: .metricPayload)
    #expect(
      result.contains(
        "cause=watchdog code=2343432205 namespace=FRONTBOARD description=\"scene-create watchdog transgression: x exhausted real (wall clock) time allowance of 19.56 seconds\" allowance_s=19.56 app_cpu_s=0.036 visibility=unknown"
      ))
    #expect(result.contains("its main thread waited (certainty of blame: medium)"))
  }

  @Test func aDiagnosticAlone() {
    let text =
      "{\"version\":\"1.0.0\",\"diagnosticMetaData\":{\"exceptionType\":1,\"osVersion\":\"iPhone OS 16.1 (20B82)\"},\"callStackTree\":{}}"
    #expect(confidence(text, .metricPayload) == 80)
    #expect(imported(text, as: .metricPayload).contains("proc.kill cause=crash"))
  }
}

extension String {
  /// The text with the count of the first counter doubled.
  fileprivate func replacingOne(_ name: String, _ count: String) -> String {
    let parts = split(separator: "Count\"" + count, maxSplits: 1)
    return parts.count == 2 ? parts[0] + "Count\":2" + parts[1] : self
  }
}
