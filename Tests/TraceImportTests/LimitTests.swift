// The bounds of the line formats, at and above each.

import Testing
import TraceImport

private let end = "Ending background task with UIBackgroundTaskIdentifier: 4"

private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

@Suite struct LimitTests {
  /// What stands before a row of Appium, with the row's own mark.
  @Test(arguments: [160, 161]) func longWrappers(_ count: Int) {
    let mark = "[IOS_SYSLOG_ROW] "
    let line =
      text(count - mark.utf8.count) + mark + "Mar  4 10:00:00 phone Notes[412] <Notice>: \(end)\n"
    #expect((confidence(line, .deviceSyslog) > 0) == (count == 160))
    #expect(imported(line, as: .deviceSyslog).contains("bgtask.end") == (count == 160))
  }

  /// Host, process and library, up to the bracket of the process id.
  @Test(arguments: [511, 512]) func longColumns(_ count: Int) {
    let name = text(count - "phone ".utf8.count)
    let device = "Mar  4 10:00:00 phone \(name)[412] <Notice>: \(end)\n"
    #expect(imported(device, as: .deviceSyslog).contains("bgtask.end") == (count == 511))
    let simulator = "Mar  4 10:00:00 phone \(name)[412]: \(end)\n"
    #expect(imported(simulator, as: .syslog).contains("bgtask.end") == (count == 511))
    let mobile = "2026-03-04 10:00:00.000000 \(text(count - 2)){a}[412] <NOTICE>: \(end)\n"
    #expect(imported(mobile, as: .pymobile).contains("bgtask.end") == (count == 511))
  }

  @Test(arguments: [255, 256]) func longProcessNames(_ count: Int) {
    let line =
      "2026-03-04 10:00:00.000000+0100 0x1a2b     Default     0x0                  412    0    \(text(count)): \(end)\n"
    #expect(imported(line, as: .logDefault).contains("bgtask.end") == (count == 255))
  }

  @Test(arguments: [39, 40, 41]) func longLevels(_ count: Int) {
    let device = "Mar  4 10:00:00 phone Notes[412] <\(text(count))>: \(end)\n"
    #expect(imported(device, as: .deviceSyslog).contains("bgtask.end") == (count <= 40))
  }

  /// Objects of others before the first of the format.
  @Test(arguments: [7, 8]) func foreignObjects(_ count: Int) {
    let object =
      "{\"timestamp\":\"2026-03-04 10:00:00.000000+0100\",\"processImagePath\":\"/a/Notes\",\"processID\":412,\"eventMessage\":\"\(end)\"}\n"
    let foreign = String(repeating: "{\"a\":[{},null,1e3]}\n", count: count)
    #expect(confidence(foreign + object, .logJSON) == (count == 7 ? 80 : 0))
    #expect(imported(foreign + object, as: .logJSON).contains("bgtask.end"))
  }

  @Test func unendingInputs() {
    let inputs = [
      "Mar  4 10:00:00 ", "Mar  4 10:00:00 phone ", "Mar " + text(3), "[", "(", "\u{1b}[",
      "\\M-", "\\134", "{\"", "{\"a\":{", "[{", "2026-03-04 10:00:00.0+0100 ",
    ]
    for format in CaptureImporters.all {
      for input in inputs {
        let repeated = String(repeating: input, count: 8_000)
        _ = confidence(repeated, format)
        #expect(!imported(repeated, as: format).contains("bgtask"))
      }
    }
  }
}
