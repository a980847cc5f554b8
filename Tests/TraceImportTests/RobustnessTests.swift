// Hostile captures: damaged bytes, long lines, too many processes, no time.

import Testing
import TraceImport
import TraceImportSamples
import TraceModel
import TraceTestSupport

/// Bytes that mean something to a grammar or a pattern, so that damage hits where it matters.
private let meaningful: [UInt8] =
  Array("\t\n\r :.<>[](){}0129-+=,;\\\"&aM^".utf8) + [0, 0xe2, 0x80, 0xff]

@Suite struct RobustnessTests {
  @Test(arguments: LogSample.all) func damagedCapturesNeverTrap(_ sample: LogSample) {
    let format = sample.format
    let bytes = Array(sample.text.utf8)
    for seed in UInt64(1)...8 {
      let damaged = damage(bytes, with: meaningful, seed: seed)
      _ = format.recognise(damaged.span)
      let whole = imported(damaged, as: format)
      var random = SeededGenerator(seed: seed)
      let pieceBytes = Int.random(in: 1...300, using: &random)
      #expect(imported(damaged, as: format, pieceBytes: pieceBytes) == whole, "seed \(seed)")
    }
  }

  @Test func numbersOfAllSizes() {
    for number in ["0", "9223372036854775807", "9223372036854775808", "99999999999999999999"] {
      for sample in LogSample.all {
        _ = imported(sample.text.replacingEvery("412", with: number), as: sample.format)
        _ = imported(sample.text.replacingEvery("4", with: number), as: sample.format)
      }
      for text in [Samples.consoleLaunch, Samples.compact, Samples.xcode] {
        for digit in ["1", "2", "4", "5", "10", "412", "700", "1024"] {
          let damaged = text.replacingEvery(digit, with: number)
          for format in CaptureImporters.all { _ = imported(damaged, as: format) }
        }
      }
    }
  }

  @Test func datesFarApartStayInOrder() {
    func line(_ date: String, _ token: Int) -> String {
      "\(date) 10:00:00.000 Df Notes[4:1] [com.apple.UIKit:BackgroundTask] Ending background task with UIBackgroundTaskIdentifier: \(token)\n"
    }
    let text =
      line("2026-01-01", 1) + line("2026-01-02", 2) + line("9999-12-31", 3) + line("0000-01-01", 4)
    let lines = importedEvents(text, as: .logCompact).split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.dropFirst(2).first == "86400s bgtask.end token=2")
    // A century is as far as a capture reaches.
    #expect(lines.contains("3155760000s bgtask.end token=3"))
    #expect(lines.contains("-3155760000s bgtask.end token=4"))
  }

  @Test(arguments: [65_535, 65_536, 65_537, 200_000]) func longLines(_ lineBytes: Int) {
    let prefix =
      "default\t10:00:00.000000+0200\tNotes\tCreated background task <x>: taskID = 5, taskName = a, creationTime = 7"
    let padding = String(repeating: "x", count: lineBytes - prefix.utf8.count)
    let text =
      prefix + padding + "\n"
      + console(
        "10:00:01.000000", "Notes", "Ending background task with UIBackgroundTaskIdentifier: 5")
    for pieceBytes in [Int.max, 1000, 65_536] {
      let result = imported(text, as: .consoleText, pieceBytes: pieceBytes)
      #expect(result.contains("bgtask.begin token=5 name=a\n1s bgtask.end token=5\n"))
      #expect(result.contains("# skipped: a line is longer") == (lineBytes > 65_536))
    }
  }

  @Test(arguments: [65_536, 65_537, 200_000]) func longLinesThatTellNothing(_ lineBytes: Int) {
    let prefix = "default\t10:00:00.000000+0200\tNotes\t"
    let noise = prefix + String(repeating: "x", count: lineBytes - prefix.utf8.count) + "\n"
    let end = console(
      "10:00:01.000000", "Notes", "Ending background task with UIBackgroundTaskIdentifier: 5")
    for pieceBytes in [Int.max, 1000, 65_536] {
      let result = imported(noise + end, as: .consoleText, pieceBytes: pieceBytes)
      #expect(result.contains("1s bgtask.end token=5\n"))
      #expect(!result.contains("# skipped"))
      #expect(result.contains("# capture: line 1 is longer") == (lineBytes > 65_536))
    }
  }

  @Test(arguments: [64, 65]) func manyProcesses(_ count: Int) {
    let text = (0..<count).map {
      console("10:00:00.000000", "daemon", "[app<com.example.a\($0)>:\($0 + 10)] Suspending task.")
    }.joined()
    let result = imported(text, as: .consoleText)
    #expect(result.split(separator: "\n").filter { $0.hasPrefix("header") }.count == 64)
    #expect(result.contains("# skipped: more than 64 processes") == (count > 64))
  }

  @Test func deepRepetitionIsNotSlow() {
    // Each would take minutes if any step were quadratic in the number or length of lines.
    let suspensions = String(
      repeating: console("10:00:00.000000", "a", "x"), count: 2000)
    let states = (0..<5_000).map {
      "default\t10:\(10 + $0 / 60 % 50):\(10 + $0 % 50).000\($0 % 10)00+0200\tSpringBoard\tApplication process state changed for com.example.notes: <S; pid: 4; taskState: Suspended; visibility: Unknown>\n"
    }.joined()
    let open =
      "default\t10:00:00.000000+0200\tNotes\tCreated background task "
      + String(repeating: "taskID = <private", count: 3000) + "\n"
    #expect(imported(suspensions + states + open, as: .consoleText).contains("proc.suspend"))
  }

  @Test func anUnendingMessageIsBounded() {
    let text =
      "default\t10:00:00.000000+0200\tNotes\tCreated background task <x>: taskID = 5,\n"
      + String(repeating: "more of it, more of it\n", count: 2_000)
    #expect(imported(text, as: .consoleText).hasSuffix("0s bgtask.begin token=5\n"))
  }

  @Test func manyEventsFillSeveralBatches() {
    var text = ""
    for index in 0..<70_000 {
      let second = index / 100
      let (minute, rest) = (second / 60, second % 60)
      let time =
        "10:\(minute < 10 ? "0" : "")\(minute):\(rest < 10 ? "0" : "")\(rest).\(10 + index % 90)0000"
      text +=
        "default\t\(time)+0200\tNotes\tEnding background task with UIBackgroundTaskIdentifier: \(index)\n"
    }
    let reading = importReading(Array(text.utf8), as: .consoleText)
    let batches = reading.batches.joined()
    #expect(batches.count > 1)
    #expect(reading.eventCount == 70_001)
    var ordinal = 0
    for batch in batches {
      #expect(batch.firstOrdinal == ordinal)
      ordinal += batch.count
    }
  }

  /// More facts than are held at once, and more than memory was once there for.
  @Test func noFactIsLeftOut() {
    let text = String(
      repeating: "-> applicationDidBecomeActive()\n-> applicationWillResignActive()\n",
      count: 15_000)
    let reading = importReading(Array(text.utf8), as: .xcodeConsole)
    #expect(reading.eventCount == 30_001, "the start and an event for each line")
    #expect(reading.problems == [])
  }

  @Test(arguments: [16, 17]) func manyWarnings(_ count: Int) {
    let text = (0..<count).map {
      "Background Task \($0) (\"a\"), was created over 30 seconds ago.\n"
    }
    #expect(
      imported(text.joined(), as: .xcodeConsole).split(separator: "\n")
        .count { $0.contains("UIKit warned") } == 16)
  }

  @Test(arguments: [8, 9]) func manyLevelWords(_ count: Int) {
    let text = (0..<count).map { index in
      "l\(String(repeating: "x", count: index))\t10:00:00.000000+0200\tNotes\t-> applicationDidBecomeActive()\n"
    }
    let header = imported(text.joined(), as: .consoleText).split(separator: "\n")[0]
    #expect(header.split(separator: ",").count == 8)
  }

  @Test(arguments: [256, 257]) func longNames(_ nameBytes: Int) {
    let name = String(repeating: "n", count: nameBytes)
    let text = console(
      "10:00:00.000000", "Notes",
      "Created background task <x>: taskID = 5, taskName = \(name), creationTime = 7")
    let kept = String(repeating: "n", count: 256)
    #expect(imported(text, as: .consoleText).hasSuffix("name=\(kept)\n"))
  }
}
