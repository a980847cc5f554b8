// How formats are recognised, and what a capture without life-cycle lines gives.

import Testing
import TraceImport
import TraceImportSamples
import TraceModel
import TraceTestSupport

@Suite struct FormatTests {
  @Test func importersHaveDistinctNames() {
    let names = CaptureImporters.all.map(\.name)
    #expect(Set(names).count == names.count)
    for format in CaptureImporters.all {
      #expect(type(of: format.makeDecoder()).formatName == format.name)
    }
  }

  @Test func eventsKnowTheirLines() {
    let batches = importReading(Array(Samples.consoleLaunch.utf8), as: .consoleText).batches
      .joined()
    #expect(batches.flatMap(\.lines) == [1, 2, 5, 10, 12, 14, 15])
  }

  @Test(arguments: [
    "{\"timestamp\":\"2026-03-04 10:00:00.000000+0100\",\"eventMessage\":\"Suspending task.\"}\n",
    "\u{0}\u{1}\u{2}default\t10:00:00.000000+0100\tNotes\tx\n",
    "{\"t_ns\":0,\"event\":\"trace.start\",\"args\":{\"reason\":\"attach\"}}\n",
    "{\"header\":{\"format\":\"tracecheck\",\"version\":1}}\n",
    "{\"timestamp\":\"a\",\"level\":\"ALL\",\"message\":\"x\",\"more\":1}\n",
    "{\"app_name\":\"Notes\",\"timestamp\":\"2026-03-04 10:00:00.00 +0100\",\"bug_type\":\"309\"}\n{\"pid\":7}\n",
    "Incident Identifier: 1\nHardware Model: iPhone1,1\nDate/Time: 2026-03-04 10:00:00.000 +0100\n",
    "import UIKit\n// begins a task\nfunc a() { print(\"Ending background task\") }\n",
    "", "\n\n\n",
  ])
  func othersAreNotClaimed(_ text: String) {
    for format in LogSample.all.map(\.format) {
      #expect(confidence(text, format) == 0, "\(format.name)")
    }
  }

  @Test func aQuotedLineInSourceCodeIsNoCapture() {
    let code = (0..<60).map { "let value\($0) = \($0)\n" }.joined()
    let text = code + "/// 2026-03-04 10:00:00.500000+0100 Notes[700:9001] connected\n" + code
    let sureness = confidence(text, .xcodeConsole)
    #expect(sureness > 0 && sureness < 30)
  }

  @Test func printsMayOutnumberPrefixes() {
    let prints = String(repeating: "state is fine\n", count: 20)
    let line = "2026-03-04 10:00:00.500000+0100 Notes[700:9001] connected\n"
    #expect(confidence(prints + line + line + line + prints, .xcodeConsole) == 50)
    #expect(confidence(prints, .xcodeConsole) == 0)
    #expect(confidence("flutter: AppLifecycleState.paused\n", .xcodeConsole) == 40)
  }

  @Test func theHeadingOfTheLogToolIsEnough() {
    let heading = "Timestamp               Ty Process[PID:TID]\n"
    #expect(confidence(heading, .logCompact) > 60)
    #expect(confidence(heading, .xcodeConsole) == 0)
  }

  @Test func capturesWithoutLifeCycleSaySo() {
    let text = console("10:00:00.000000", "Notes", "a") + console("10:00:01.000000", "Notes", "b")
    #expect(
      imported(text, as: .consoleText) == "# capture: no life-cycle lines among 2 lines of Notes\n")
    #expect(
      imported(text + console("10:00:01.000000", "Mail", "c"), as: .consoleText)
        == "# capture: no life-cycle lines among 3 lines of Notes and others\n")
    #expect(
      imported("", as: .xcodeConsole) == "# capture: no life-cycle lines among 0 lines\n")
  }
}
