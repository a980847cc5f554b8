// Captures whose lines come late, twice, damaged or not at all, and what isn't concluded from it.

import Testing
import TraceImportSamples
import TraceModel

@testable import TraceImport

private func created(_ token: Int) -> String {
  "Created background task <a>: taskID = \(token), taskName = a, creationTime = 7 (elapsed = 0)."
}

private func ended(_ token: Int) -> String {
  "Ending background task with UIBackgroundTaskIdentifier: \(token)"
}

private func line(_ date: String, _ process: String, _ message: String) -> String {
  "\(date) \(process) <Notice>: \(message)\n"
}

/// Seconds from the first of the dates, in the order of the lines.
private func seconds(_ dates: [String]) -> [Int64] {
  var clock = CaptureClock()
  return dates.compactMap { date in
    var offset = 0
    guard let time = LogTime.monthAndTime(Array(date.utf8).span, at: &offset) else { return nil }
    clock.advance(to: time)
    return clock.nowNanoseconds / 1_000_000_000
  }
}

@Suite struct LateLineTests {
  @Test func anEndThatIsAcceptedLateIsOneEnd() {
    let accepted =
      "Ending task with identifier 7 and description: <a>: taskID = 7, taskName = a,"
      + " creationTime = 100 (elapsed = 1), _expireHandler: <__NSMallocBlock__: 0x1>"
    let text =
      console("10:00:01.000000", "Notes", created(7))
      + console("10:00:02.000000", "Notes", ended(7))
      + console("10:00:12.000000", "Notes", accepted)
    let events = importedEvents(text, as: .consoleText)
    #expect(events.split(separator: "\n").filter { $0.contains("bgtask.end") }.count == 1)
  }

  @Test func datesWithoutAYearGoRoundTheYear() {
    let day: Int64 = 86_400
    #expect(seconds(["Dec 31 23:59:58", "Jan  1 00:00:01", "Dec 31 23:59:59"]) == [0, 3, 1])
    #expect(seconds(["Jan  1 00:00:01", "Dec 31 23:59:59", "Jan  1 00:00:02"]) == [0, -2, 1])
    #expect(
      seconds(["Jan  5 00:00:00", "Apr 15 00:00:00", "Jul 24 00:00:00"]) == [
        0, 100 * day, 200 * day,
      ])
    #expect(seconds(["Feb 28 23:59:59", "Mar  1 00:00:01"]) == [0, 2])
  }

  @Test func aLeapDayIsOneThatTheCaptureShows() {
    let day: Int64 = 86_400
    #expect(seconds(["Feb 29 23:59:59", "Mar  1 00:00:01", "Feb 29 23:59:59"]) == [0, 2, 0])
    #expect(seconds(["Mar  1 00:00:01", "Feb 29 23:59:59"]) == [0, -2])
    #expect(
      seconds(["Feb 28 00:00:00", "Feb 29 00:00:00", "Mar  1 00:00:00"]) == [0, day, 2 * day])
    #expect(
      seconds(["Dec 31 00:00:00", "Feb 29 00:00:00", "Mar  1 00:00:00"])
        == [0, 60 * day, 61 * day])
  }

  @Test func theHourInWhichSummerTimeEndsComesTwice() {
    #expect(seconds(["Oct 25 02:59:55", "Oct 25 02:00:01", "Oct 25 03:00:00"]) == [0, 6, 3605])
    #expect(seconds(["Oct 25 01:58:00", "Oct 25 02:59:58", "Oct 25 02:00:00"]) == [0, 3718, 3720])
    // A line from before the end of summer time comes late.
    #expect(
      seconds([
        "Oct 25 02:58:59", "Oct 25 02:59:59", "Oct 25 02:00:00", "Oct 25 02:59:59",
        "Oct 25 02:00:01",
      ]) == [0, 60, 61, 60, 62])
    #expect(
      seconds(["Oct 25 01:50:00", "Oct 25 02:59:59", "Oct 25 02:00:01", "Oct 25 01:50:00"])
        == [0, 4199, 4201, 0])
    // Another copy of the same lines.
    #expect(seconds(["Oct 25 02:00:01", "Oct 25 02:59:55", "Oct 25 02:00:01"]) == [0, 3594, 0])
  }

  @Test func aClockThatIsSetBackGoesOn() {
    #expect(seconds(["Oct 25 02:59:55", "Oct 25 02:10:01"]) == [0, 0])
    #expect(seconds(["Oct 25 02:59:55", "Oct 25 01:00:01"]) == [0, 0])
    #expect(
      seconds([
        "Jun  9 01:50:00", "Jun  9 01:59:58", "Jun  9 01:55:00", "Jun  9 01:58:20",
        "Jun  9 02:00:10",
      ]) == [0, 598, 598, 798, 908])
    // The end of summer time, of which the lines around the full hour are missing.
    #expect(
      seconds([
        "Oct 25 01:50:20", "Oct 25 02:57:55", "Oct 25 02:20:00", "Oct 25 02:20:01",
        "Oct 25 02:20:02", "Oct 25 03:10:00",
      ]) == [0, 4055, 4055, 4056, 4057, 7055])
    // A line that is late, and one of another day.
    #expect(
      seconds(["Jun  9 02:50:00", "Jun  9 02:57:55", "Jun  9 02:52:00", "Jun  9 02:57:56"])
        == [0, 475, 475, 476])
    #expect(seconds(["Jun  9 02:50:00", "Jun  7 02:50:00"]) == [0, -172_800])
  }

  @Test func tasksAreToldWhereAClockIsSetBack() {
    let text =
      line("Jun  9 01:50:00", "Notes(UIKitCore)[41]", created(7))
      + line("Jun  9 01:59:58", "Notes(UIKitCore)[41]", ended(7))
      + line("Jun  9 01:55:00", "Notes(UIKitCore)[41]", created(8))
      + line("Jun  9 01:55:02", "Notes(UIKitCore)[41]", ended(8))
    let events = imported(text, as: .deviceSyslog)
    #expect(events.contains("598s bgtask.begin token=8"))
    #expect(events.contains("600s bgtask.end token=8"))
    #expect(events.contains("598s @0 trace.clock_step\n598s @0 trace.lost count=0\n"))
    #expect(events.split(separator: "\n").filter { $0.contains("trace.lost") }.count == 1)
    #expect(events.contains("# capture: the clock of the log"))
    let headers = importReading(Array(text.utf8), as: .deviceSyslog).headers
    #expect(headers.map(\.origin.setBacksNanoseconds) == [[0, 298_000_000_000]])
  }

  @Test func aPartThatStandsTwiceAndTellsNothingSetsNoClock() {
    let minutes = [0, 60, 180, 240, 60, 180, 240, 300] as [Int64]
    let fine = minutes.map { "Jun  9 10:0\($0 / 60):00.00000\($0 / 60)" }
    #expect(seconds(fine) == minutes)
    // Whole seconds come twice by chance.
    let coarse = minutes.map { "Jun  9 10:0\($0 / 60):00" }
    #expect(seconds(coarse) == [0, 60, 180, 240, 240, 360, 420, 480])
  }

  @Test func linesThatComeLateAndTellNothingSetNoClock() {
    let noise = (0..<4).map { line("Jun  9 01:58:0\($0)", "backboardd[31]", "a line") }
    let text = { (late: [String]) in
      line("Jun  9 01:50:00", "Notes(UIKitCore)[41]", created(7))
        + line("Jun  9 01:59:58", "backboardd[31]", "on time") + late.joined()
        + line("Jun  9 01:59:59", "Notes(UIKitCore)[41]", ended(7))
    }
    for count in 1...4 {
      let late = Array(noise.prefix(count))
      #expect(imported(text(late), as: .deviceSyslog) == imported(text([]), as: .deviceSyslog))
    }
  }

  @Test func aPartThatStandsInALogTwiceSetsNoClock() {
    let first = line("Jun  9 10:00:00", "Notes(UIKitCore)[41]", created(7))
    let rest =
      line("Jun  9 10:10:00", "Notes(UIKitCore)[41]", ended(7))
      + line("Jun  9 10:20:00", "Notes(UIKitCore)[41]", created(8))
    #expect(
      imported(first + rest + rest, as: .deviceSyslog)
        == imported(first + rest, as: .deviceSyslog))
  }

  @Test func nobodyKnowsWhatPassedWhereSummerTimeMayBegin() {
    func events(until time: String) -> String {
      imported(
        line("Mar 29 01:59:50", "Notes(UIKitCore)[41]", created(7))
          + line("Mar 29 \(time)", "Notes(UIKitCore)[41]", ended(7)), as: .deviceSyslog)
    }
    #expect(events(until: "03:00:05").contains("trace.lost"))
    #expect(events(until: "02:30:05").contains("trace.lost"))
    for time in ["02:00:05", "02:05:00", "03:10:05", "04:00:05"] {
      #expect(!events(until: time).contains("trace.lost"))
    }
    // A line that names its zone tells.
    let zoned =
      console("01:59:50.000000", "Notes", created(7))
      + console("03:00:05.000000", "Notes", ended(7))
    #expect(!imported(zoned, as: .consoleText).contains("trace.lost"))
  }

  @Test func aTaskThatIsOpenThroughTheEndOfSummerTimeIsEnded() {
    let text =
      line("Oct 25 01:58:21", "Notes(UIKitCore)[41]", created(7))
      + line("Oct 25 02:59:55", "Notes(UIKitCore)[41]", created(8))
      + line("Oct 25 02:00:01", "Notes(UIKitCore)[41]", ended(8))
    let events = imported(text, as: .deviceSyslog)
    #expect(events.contains("3694s bgtask.begin token=8"))
    #expect(events.contains("3700s bgtask.end token=8"))
  }

  @Test func aLongSilenceIsNoStepBack() {
    let text =
      console("01:00:00.000000", "Notes", created(5))
      + console("15:00:00.000000", "Notes", created(6))
    #expect(importedEvents(text, as: .consoleText).contains("50400s bgtask.begin token=6"))
  }

  @Test func aZeroMakesALineUnreadableAndNotTheLog() {
    var text = ""
    for token in 1...9 {
      text += line("Mar  1 10:00:0\(token)", "Notes(UIKitCore)[41]", created(token))
    }
    let damaged = text + "lost \0\0\0 block\n"
    #expect(confidence(damaged, .deviceSyslog) >= 60)
    let binary = text + String(repeating: "a\0b\n", count: 5)
    #expect(confidence(binary, .deviceSyslog) == 0)
    #expect(confidence("\0\0\0" + text, .deviceSyslog) >= 60)
    #expect(imported("\0\0\0" + text, as: .deviceSyslog).contains("bgtask.begin token=9"))
    #expect(confidence("PK\u{3}\u{4}\0\0" + text, .deviceSyslog) == 0)
    let name = "notes.log"
    let archive = name + String(repeating: "\0", count: 257 - name.utf8.count) + "ustar\0"
    #expect(confidence(archive + text, .deviceSyslog) == 0)
  }

  @Test func aProcessKeepsItsPlaceOnceItsNameIsKnownInFull() {
    // A kernel's line shows that the first word of the others isn't the device's name.
    let text =
      line("Mar  1 10:00:01", "My App[41]", created(5))
      + line("Mar  1 10:00:02", "My App[41]", ended(5))
      + line("Mar  1 10:00:03", "My App[41]", created(6))
      + line("Mar  1 10:00:04", "kernel[0]", "x")
      + line("Mar  1 10:00:05", "My App[41]", ended(6))
    let lines = imported(text, as: .deviceSyslog).split(separator: "\n")
    #expect(lines.filter { $0.contains("trace.start") }.count == 1)
    #expect(lines.filter { $0.contains("bgtask.end token=") }.count == 2)
  }

  @Test func aPageIsReadAsItsText() {
    let page = line("Mar  1 10:00:01", "Notes(UIKitCore)[41]", created(7))
      .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    #expect(imported(Array(page.utf8), as: .deviceSyslog).contains("bgtask.begin token=7"))
  }

  @Test func frameworksBeginTasksOfTheirOwn() {
    for name in ["Called by CFNetwork, from x", "Called by WebKit, from y", "Called by SwiftUI, z"]
    {
      #expect(FrameworkTasks.contains(name))
    }
    #expect(!FrameworkTasks.contains("Called by Notes, from x"))
    #expect(!FrameworkTasks.contains("Called by WebKitten, from x"))
  }

  @Test func aProcessThatEndedIsAnotherOneWhenItLogsAgain() {
    let exit = line(
      "Mar  1 10:00:03", "runningboardd(RunningBoard)[30]",
      "[app<com.example.notes(A)>:41] termination reported by launchd (2, 9, 9)")
    let text =
      line("Mar  1 10:00:01", "Notes(UIKitCore)[41]", created(5)) + exit
      + line("Mar  1 10:00:12", "Notes(UIKitCore)[41]", ended(5))
      + line("Mar  1 10:50:00", "Notes(UIKitCore)[41]", created(1))
    let headers = imported(text, as: .deviceSyslog).split(separator: "\n")
      .filter { $0.hasPrefix("header app_bundle_id=com.example.notes ") }
    #expect(headers.count == 2)
  }

  @Test func aPasteOfTwoLivesThatIsRepeatedTellsNothingNew() {
    var lives = ""
    for minute in 0...1 {
      lives += console("10:0\(minute):00.000000", "Notes", created(1))
      lives += console("10:0\(minute):01.000000", "Notes", ended(1))
    }
    func tasks(_ text: String) -> [Substring] {
      imported(text, as: .consoleText).split(separator: "\n").filter { $0.contains(" bgtask.") }
    }
    #expect(tasks(lives).count == 4)
    #expect(tasks(lives + lives) == tasks(lives))
  }

  @Test func applesOwnAppsAreNotJudged() {
    let lines = [
      line(
        "Mar  1 10:00:00", "runningboardd(RunningBoard)[30]",
        "[app<com.apple.Weather(A)>:77] Resuming task."),
      line("Mar  1 10:00:01", "Weather(UIKitCore)[77]", created(7)),
      line("Mar  1 10:00:02", "MobileSafari(UIKitCore)[78]", created(7)),
    ]
    for text in [lines.joined(), lines[1] + lines[0] + lines[2]] {
      #expect(!imported(Array(text.utf8), as: .deviceSyslog).contains("bgtask.begin"))
    }
  }

  @Test func aContextThatIsCutOffIsAwaited() {
    let request =
      "Mar  1 10:00:20 runningboardd(RunningBoard)[30] <Notice>: Received termination request from"
      + " [osservice<com.apple.frontboard>:60] on [app<com.example.notes(AAAA)>:41] with context"
      + " <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog\n"
    let rest = "ThermalInfo: (\n\"Thermal State: serious\"\n) reportType:CrashLog>\n"
    var decoder = CaptureFormat.deviceSyslog.makeDecoder()
    var reading = ImportReading()
    for (text, silence) in [(request, Int64(2_000_000_000)), (rest, 2_000_000_000)] {
      decoder.feed(Array(text.utf8).span)
      decoder.flush(silentNanoseconds: silence)
      reading.drain(&decoder)
    }
    decoder.finish()
    reading.drain(&decoder)
    #expect(reading.text.contains("thermal_state=serious"))
  }
}
