// Each format of reports as a whole: what comes out, at any split, and how it is recognised.

import Testing
import TraceImport
import TraceImportSamples
import TraceModel
import TraceTestSupport

@Suite struct ReportFormatTests {
  @Test(arguments: ReportSamples.all) func reportBecomesTimeline(_ sample: ReportSample) {
    #expect(imported(sample.text, as: sample.format) == sample.timeline)
  }

  @Test(arguments: ReportSamples.all) func everySplitGivesTheSame(_ sample: ReportSample) {
    for pieceBytes in [1, 7, 64, 4096] {
      #expect(imported(sample.text, as: sample.format, pieceBytes: pieceBytes) == sample.timeline)
    }
  }

  @Test(arguments: ReportSamples.all) func lineEndsOfOtherSystems(_ sample: ReportSample) {
    let lines = sample.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(imported(lines.joined(separator: "\r\n"), as: sample.format) == sample.timeline)
    #expect(imported("\u{feff}" + sample.text, as: sample.format) == sample.timeline)
    #expect(confidence("\u{feff}" + sample.text, sample.format) >= 80)
  }

  @Test(arguments: ReportSamples.all) func noFormatStealsAnothers(_ sample: ReportSample) {
    for format in CaptureImporters.all {
      let sureness = confidence(sample.text, format)
      if format.name == sample.format.name {
        #expect(sureness >= 80)
      } else {
        #expect(sureness <= 20, "\(format.name)")
      }
    }
  }

  @Test func theHeaderLineIsOptional() {
    for sample in [ReportSamples.crashJSON, ReportSamples.jetsam] {
      let body = String(sample.text.drop { $0 != "\n" }.dropFirst())
      #expect(confidence(body, sample.format) == 80)
      #expect(imported(body, as: sample.format).contains("proc.kill cause="))
    }
  }

  @Test(arguments: [
    "{\"timestamp\":\"2026-03-04 10:00:00.000000+0100\",\"eventMessage\":\"Suspending task.\"}\n",
    "{\"name\":\"notes\",\"version\":\"1.0.0\"}\n", "{", "[]", "{}", "{}\n{}\n",
    "a text that says Termination Reason: nothing\n", "Exception Type: alone\n",
  ])
  func otherFilesAreNotClaimed(_ text: String) {
    for format in CaptureImporters.all { #expect(confidence(text, format) == 0, "\(format.name)") }
  }

  @Test func whatIsNoPayloadIsSaid() {
    let tree = "{\"callStacks\":[{\"threadAttributed\":true}],\"callStackPerThread\":true}"
    #expect(confidence(tree, .metricPayload) == 80)
    #expect(
      imported(tree, as: .metricPayload)
        == "# foreign: not a payload: a call-stack tree without the payload that held it\n")
    #expect(
      imported("{\"name\":\"notes\",\"version\":\"1\"}", as: .metricPayload)
        == "# foreign: not a life-cycle capture: JSON with the keys name, version\n")
    let panic = "{\"bug_type\":\"210\",\"os_version\":\"iPhone OS 16.1 (20B82)\"}\n{\"a\":1}\n"
    #expect(confidence(panic, .crashJSON) == 47)
    #expect(
      imported(panic, as: .crashJSON)
        == "# foreign: not a life-cycle capture: a report of type 210\n")
  }

  @Test func reportsOfOtherSystemsAreRefused() {
    let text = ReportSamples.watchdogText.text.replacingEvery("iPhone OS 16.1", with: "macOS 13.0")
    #expect(
      imported(text, as: .crashText)
        == "# foreign: not a life-cycle capture: a report of macOS 13.0 (20B82)\n")
  }

  @Test func eventsKnowTheirLines() {
    for (sample, lines) in [
      (ReportSamples.watchdogText, [1, 15]), (ReportSamples.crashJSON, [2, 12]),
      (ReportSamples.processorTime, [2, 10]),
    ] as [(ReportSample, [UInt32])] {
      var decoder = sample.format.makeDecoder()
      decoder.feed(Array(sample.text.utf8).span)
      decoder.finish()
      var batch = EventBatch()
      while case .header = decoder.next(into: &batch) {}
      #expect(batch.lines == lines, "\(sample.name)")
    }
  }

  @Test func aReportPastedIntoMarkdown() {
    let quoted = ReportSamples.headerAndText.text.split(separator: "\n").dropFirst()
      .map { "> \($0)\n" }.joined()
    #expect(confidence(quoted, .crashText) == 80)
    #expect(imported(quoted, as: .crashText).contains("cause=file_lock code=3735883980"))
  }

  @Test func graphicsInTheBackground() {
    let frame = "0   libGPUSupportMercury.dylib  0x01 gpus_ReturnNotPermittedKillClient + 10"
    let text = ReportSamples.organizerText.text
      .replacingEvery("Termination Reason: SIGNAL 6 Abort trap: 6", with: "")
      .replacingEvery("EXC_CRASH (SIGABRT)", with: "EXC_BAD_ACCESS (SIGSEGV)")
      .replacingEvery(
        "0   libsystem_kernel.dylib  0x00000001 __pthread_kill + 8", with: frame)
    #expect(imported(text, as: .crashText).contains("cause=gpu_in_background"))
    // Further down the stack it is another fault.
    let below = text.replacingEvery(frame, with: "0   a  0x01 b + 1\n1" + frame.dropFirst())
    #expect(imported(below, as: .crashText).contains("cause=crash"))
    let json = ReportSamples.crashJSON.text
      .replacingEvery("mach_msg2_trap", with: "gpus_ReturnNotPermittedKillClient")
      .replacingEvery("\"termination\"", with: "\"other\"")
      .replacingEvery("SIGKILL", with: "SIGSEGV")
    #expect(imported(json, as: .crashJSON).contains("cause=gpu_in_background"))
  }

  @Test func resourceReportsOfOtherKinds() {
    func report(_ event: String, _ action: String) -> String {
      imported(
        "OS Version: iPhone OS 16.1\nCommand: Notes\nEvent: \(event)\nAction taken: \(action)\n"
          + "Wakeups: 45001 wakeups over the last 100 seconds\n", as: .resourceReport)
    }
    #expect(!report("wakeups", "none").contains("proc.kill"))
    #expect(report("wakeups", "none").contains("wakeups: 45001 wakeups over the last 100 seconds"))
    #expect(report("wakeups", "Process killed").contains("proc.kill cause=unknown"))
    #expect(report("cpu usage (fatal)", "Process killed").contains("proc.kill cause=cpu_limit"))
    #expect(report("memory limit", "Process killed").contains("proc.kill cause=jetsam"))
  }

  @Test func aReportThatEndedNothing() {
    let text = ReportSamples.headerAndText.text
      .replacingEvery("EXC_CORPSE_NOTIFY", with: "NON-FATAL CONDITION (this is no crash)")
    #expect(!imported(text, as: .crashText).contains("proc.kill"))
    let stackshot = ReportSamples.headerAndText.text
      .replacingEvery("0xdead10cc", with: "0xbaaaaaad")
    #expect(!imported(stackshot, as: .crashText).contains("proc.kill"))
  }
}
