// Logs while they are read: what comes out when, and what is learned on the way.

import Testing
import TraceImport
import TraceImportSamples
import TraceModel

/// A line of a device's log.
func device(_ second: Int, _ process: String, _ pid: Int, _ message: String) -> String {
  let rest = second < 10 ? "0\(second)" : "\(second)"
  return "Mar  4 10:00:\(rest) \(process)(UIKitCore)[\(pid)] <Notice>: \(message)\n"
}

private func created(_ token: Int) -> String {
  "Created background task <a>: taskID = \(token), taskName = sync, creationTime = 7 (elapsed = 0)."
}

private func ended(_ token: Int) -> String {
  "Ending background task with UIBackgroundTaskIdentifier: \(token)"
}

private let refused =
  "Can't end BackgroundTask: no background task exists with identifier 1 (0x1), or it may"

/// A decoder of a device's log that is fed piece by piece.
private struct Stream {
  var decoder = CaptureFormat.deviceSyslog.makeDecoder()
  var reading = ImportReading()

  mutating func feed(_ text: String, silentNanoseconds: Int64? = 0) -> Int {
    decoder.feed(Array(text.utf8).span)
    if let silentNanoseconds { decoder.flush(silentNanoseconds: silentNanoseconds) }
    reading.drain(&decoder)
    return reading.eventCount
  }

  mutating func finish() {
    decoder.finish()
    reading.drain(&decoder)
  }
}

@Suite struct StreamingTests {
  @Test func anEventComesWhenTheLogHasGoneOn() {
    var stream = Stream()
    var counts: [Int] = []
    counts.append(stream.feed(device(0, "Notes", 412, created(1))))
    counts.append(stream.feed(device(1, "other", 9, "x")))
    counts.append(stream.feed(device(2, "other", 9, "x")))
    counts.append(stream.feed(device(3, "Notes", 412, ended(1))))
    counts.append(stream.feed("", silentNanoseconds: 900_000_000))
    counts.append(stream.feed("", silentNanoseconds: 1_000_000_000))
    // The start and the task come with the third line, the end when nothing more is to come.
    #expect(counts == [0, 0, 2, 2, 2, 3])
  }

  @Test func aRefusalThatFollowsMakesTheEndARefusedOne() {
    var stream = Stream()
    _ = stream.feed(device(0, "Notes", 412, created(2)))
    _ = stream.feed(device(2, "Notes", 412, ended(1)))
    _ = stream.feed(device(2, "Notes", 412, refused))
    _ = stream.feed(device(9, "other", 9, "x"))
    #expect(stream.reading.text.hasSuffix("2s bgtask.end token=1 refused=true\n"))
  }

  @Test func whatIsCoveredIsLearned() throws {
    var stream = Stream()
    _ = stream.feed(
      device(0, "Notes", 412, created(1)) + device(3, "other", 9, "x") + device(6, "other", 9, "x"))
    let header = try #require(stream.reading.headers.first)
    #expect(header.strings(.coverage) == ["bgtask"])
    #expect(header.string(.appBundleID) == "Notes")
    #expect(header.strings(.logLevels) == ["default"])
    #expect(header.opened.covers("proc") && !header.covers("proc"))
    _ = stream.feed(
      device(7, "runningboardd", 31, "[app<com.example.notes>:412] Suspending task.")
        + device(8, "Notes", 412, ended(1)) + device(20, "other", 9, "x"))
    let amended = try #require(stream.reading.headers.first)
    #expect(amended.strings(.coverage) == ["bgtask", "proc"])
    #expect(amended.string(.appBundleID) == "com.example.notes")
    #expect(amended.strings(.logLevels) == ["default", "info"])
  }

  @Test func processesAreToldAtOnce() {
    var stream = Stream()
    var text = ""
    for second in 0..<8 {
      text += device(second, "Notes", 412, created(second + 1))
      text += device(second, "Mail", 500, created(second + 1))
    }
    let count = stream.feed(text)
    #expect(count > 8)
    #expect(stream.reading.batches.count == 2)
    #expect(stream.reading.batches.allSatisfy { !$0.isEmpty })
    stream.finish()
    let counts = stream.reading.batches.map { $0.reduce(0) { $0 + $1.count } }
    #expect(counts == [9, 9])
  }

  @Test func anEndedProcessMakesRoom() {
    var stream = Stream()
    for number in 0..<64 {
      _ = stream.feed(
        device(
          1, "runningboardd", 31,
          "[app<com.example.a\(number)>:\(number + 100)] Process exited: <a| voluntary>."))
    }
    _ = stream.feed(device(5, "Notes", 412, created(1)))
    #expect(stream.reading.headers.count == 64)
    _ = stream.feed(device(40, "Mail", 500, created(1)) + device(50, "other", 9, "x"))
    #expect(stream.reading.headers.count == 65)
    stream.finish()
    #expect(stream.reading.problems.map(\.consequence) == [.skipped], "the one that found none")
    #expect(stream.reading.headers.last?.string(.appBundleID) == "Mail")
  }

  @Test(arguments: [1, 2]) func aTaskOfALongLogIsFoundWithItsLine(_ variant: Int) {
    // Beyond the beginning, of which every line is read.
    var text = ""
    var lines: [UInt32] = []
    var line: UInt32 = 0
    var token = 0
    for number in 0..<30_000 {
      line += 1
      if number % 997 == 996 {
        token += 1
        lines.append(line)
        text += device(number / 1_000, "Notes", 412, created(token))
      } else if variant == 2, number % 1_000 == 7 {
        text += device(number / 1_000, "wifid", 48, "two lines {\n  a = 1;\n}")
        line += 2
      } else {
        text += device(number / 1_000, "wifid", 48, "link quality sample \(number)")
      }
    }
    let bytes = Array(text.utf8)
    #expect(bytes.count > 3 << 19)
    let whole = importReading(bytes, as: .deviceSyslog)
    #expect(whole.batches.joined().flatMap(\.lines) == [1] + lines)
    for pieceBytes in [777, 65_536, 100_003] {
      #expect(imported(bytes, as: .deviceSyslog, pieceBytes: pieceBytes) == whole.text)
    }
  }
}
