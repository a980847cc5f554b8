// Hostile reports: cut anywhere, damaged, deep, with numbers of all sizes, and too large.

import Testing
import TraceImport
import TraceImportSamples
import TraceModel
import TraceTestSupport

@Suite struct ReportRobustnessTests {
  /// Every place is cut by `tracedev fuzz-import`.
  @Test(arguments: ReportSamples.all) func cutAnywhere(_ sample: ReportSample) {
    let bytes = Array(sample.text.utf8)
    for end in stride(from: 0, to: bytes.count, by: 41) {
      let cut = Array(bytes[0..<end])
      _ = sample.format.recognise(cut.span)
      _ = imported(cut, as: sample.format)
    }
  }

  @Test(arguments: ReportSamples.all) func damaged(_ sample: ReportSample) {
    let bytes = Array(sample.text.utf8)
    let meaningful = Array("\n {}[]\"\\,:<>()0129-+=|xe".utf8) + [0, 0xe2, 0x80, 0xff]
    for seed in UInt64(1)...8 {
      let damaged = damage(bytes, with: meaningful, seed: seed)
      let whole = imported(damaged, as: sample.format)
      #expect(imported(damaged, as: sample.format, pieceBytes: 97) == whole, "seed \(seed)")
      for format in CaptureImporters.all { _ = format.recognise(damaged.span) }
    }
  }

  @Test(arguments: ReportSamples.all) func anyFormatOfAnyReport(_ sample: ReportSample) {
    for format in CaptureImporters.all { _ = imported(sample.text, as: format) }
  }

  @Test func numbersOfAllSizes() {
    let numbers = [
      "0", "-1", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
      "99999999999999999999999", "1e999", "0.5",
    ]
    for number in numbers {
      for sample in ReportSamples.all {
        for digit in ["4", "412", "16384", "2343432205", "81920"] {
          _ = imported(sample.text.replacingEvery(digit, with: number), as: sample.format)
        }
      }
    }
    let text = ReportSamples.jetsam.text.replacingEvery("16384", with: "9223372036854775807")
    #expect(!imported(text, as: .jetsamEvent).contains("proc.footprint"))
  }

  @Test func treesOfAnyDepthArePassedOver() {
    for depth in [10, 64, 65, 100_000] {
      let tree =
        String(repeating: "{\"subFrames\":[", count: depth)
        + String(repeating: "]}", count: depth)
      let text =
        "{\"crashDiagnostics\":[{\"callStackTree\":\(tree),\"diagnosticMetaData\":{\"signal\":11}}]}"
      #expect(imported(text, as: .metricPayload).contains("signal=11 cause=crash"))
      #expect(confidence(text, .metricPayload) >= 80)
    }
  }

  @Test func aCutReportTellsWhatItHas() {
    let text = ReportSamples.crashJSON.text
    let cut = String(text.prefix(text.count - 60))
    let result = imported(cut, as: .crashJSON)
    #expect(result.contains("proc.kill cause=watchdog"))
    #expect(result.contains("# truncated: the report is damaged from here on"))
  }

  @Test func aReportThatIsCutOffBeforeItsEndIsNoOtherKindOfCapture() {
    let cut = "{\"procName\":\"Notes\",\"pid\":412,\"threads\":[{\"id\":1,\"fra"
    let result = imported(cut, as: .crashJSON)
    #expect(result.contains("cut off in front of the exception and the termination"))
    #expect(!result.contains("not a life-cycle capture"))
    #expect(
      imported("{\"procName\":\"Notes\"}", as: .crashJSON).contains("not a life-cycle capture"))
  }

  @Test func aCutListOfProcessesDoesNotSayThatNoneWasEnded() {
    let head = "{\"memoryStatus\":{\"pageSize\":4096},\"processes\":["
    let row = "{\"name\":\"a\",\"pid\":1,\"states\":[\"daemon\"]}"
    #expect(imported(head + row + "]}", as: .jetsamEvent).contains("none of 1 processes was ended"))
    let cut = imported(head + row + ",{\"name\":\"b", as: .jetsamEvent)
    #expect(!cut.contains("was ended\n") && !cut.contains("none of"))
    #expect(
      cut.contains(
        "# capture: the report is cut off behind 2 processes; whether one was ended isn't in it"))
    #expect(imported(head, as: .jetsamEvent).contains("cut off in front of its list of processes"))
  }

  @Test(arguments: [256, 257]) func manyEndsOfProcesses(_ count: Int) {
    let processes = (0..<count).map {
      "{\"name\":\"a\($0)\",\"pid\":\($0),\"reason\":\"highwater\"}"
    }
    let text =
      "{\"memoryStatus\":{\"pageSize\":4096},\"processes\":[\(processes.joined(separator: ","))]}"
    let result = imported(text, as: .jetsamEvent)
    #expect(result.split(separator: "\n").filter { $0.hasPrefix("header") }.count == 256)
    #expect(result.contains("# skipped: the report tells of more than 256") == (count > 256))
  }

  @Test(arguments: [64, 65]) func manyCounters(_ count: Int) {
    let counters = (0..<count).map { "\"cumulativeA\($0)ExitCount\":2" }.joined(separator: ",")
    let text = "{\"applicationExitMetrics\":{\"backgroundExitData\":{\(counters)}}}"
    let events = imported(text, as: .metricPayload).split(separator: "\n")
      .filter { $0.contains("exit.import") }
    #expect(events.count == 64)
  }

  @Test func moreBytesThanAreRead() {
    let bytesMax = 24 << 20
    for (extra, isCut) in [(0, false), (1, true)] {
      var decoder = CaptureFormat.crashText.makeDecoder()
      var bytes = Array(
        "Exception Type:  EXC_CRASH (SIGABRT)\nTermination Reason: SIGNAL 6\n".utf8)
      bytes.append(contentsOf: [UInt8](repeating: 32, count: bytesMax - bytes.count + extra))
      decoder.feed(bytes.span)
      decoder.finish()
      var batch = EventBatch()
      var consequences: [InputProblem.Consequence] = []
      var eventCount = 0
      steps: while true {
        switch decoder.next(into: &batch) {
        case .problem(let problem): consequences.append(problem.consequence)
        case .batch: eventCount += batch.count
        case .end, .needsInput: break steps
        default: break
        }
      }
      #expect(consequences == (isCut ? [.truncated] : []))
      #expect(eventCount == 2)
    }
  }

  @Test func aLongReasonIsBounded() {
    let text =
      "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: FRONTBOARD 0x8badf00d\n"
      + String(repeating: "more of it, more of it\n", count: 20_000)
    #expect(imported(text, as: .crashText).contains("cause=watchdog code=2343432205"))
  }
}
