// The traps of real captures, one test each.

import Testing
import TraceImport
import TraceImportSamples

private func created(_ token: String, _ name: String) -> String {
  "Created background task <_UIBackgroundTaskInfo: 0x10a>: taskID = \(token), taskName = \(name), creationTime = 7 (elapsed = 0)."
}

private func events(_ text: String) -> String { importedEvents(text, as: .consoleText) }

@Suite struct TrapTests {
  @Test func midnightPasses() {
    let text =
      console("23:59:59.500000", "Notes", created("5", "sync"))
      + console(
        "00:00:00.250000", "Notes", "Ending background task with UIBackgroundTaskIdentifier: 5")
    #expect(
      events(text) == """
        0s trace.start reason=attach
        0s bgtask.begin token=5 name=sync
        0.75s bgtask.end token=5

        """)
  }

  @Test func aLateLineBeforeMidnightDoesNotAddADay() {
    let text =
      console("23:59:59.900000", "Notes", created("5", "sync"))
      + console("00:00:00.100000", "Notes", created("6", "a"))
      + console("23:59:59.950000", "Notes", created("7", "b"))
      + console("00:00:00.300000", "Notes", created("8", "c"))
    #expect(
      events(text) == """
        0s trace.start reason=attach
        0s bgtask.begin token=5 name=sync
        0.2s bgtask.begin token=6 name=a
        0.05s bgtask.begin token=7 name=b
        0.4s bgtask.begin token=8 name=c

        """)
  }

  @Test func zonesAreOffsets() {
    let text =
      "default\t10:00:00.000000+0530\tNotes\t\(created("5", "a"))\n"
      + "default\t05:30:01.000000+0100\tNotes\t\(created("6", "b"))\n"
      + "default\t23:30:02.000000-0500\tNotes\t\(created("7", "c"))\n"
    #expect(
      events(text) == """
        0s trace.start reason=attach
        0s bgtask.begin token=5 name=a
        1s bgtask.begin token=6 name=b
        2s bgtask.begin token=7 name=c

        """)
  }

  @Test func levelWordsOfAnyLanguage() {
    let text =
      "Standard\t10:00:00.000000+0100\tNotes\t\(created("5", "a"))\n"
      + "по умолчанию\t10:00:00.000000+0100\tNotes\tx\n"
      + "Fehler\t10:00:01.000000+0100\tNotes\tEnding background task with UIBackgroundTaskIdentifier: 5\n"
    let result = imported(text, as: .consoleText)
    #expect(result.contains("log_levels=[standard,\"по умолчанию\",fehler,info]"))
    #expect(result.hasSuffix("1s bgtask.end token=5\n"))
    #expect(confidence(text, .consoleText) > 60)
  }

  @Test func onlyBeginsOrOnlyEndsDoNotShowWhatIsLogged() {
    let begins = console("10:00:00.000000", "Notes", created("5", "a"))
    #expect(imported(begins, as: .consoleText).contains("log_levels=[default]\n"))
    let info = begins.replacingFirst("default", with: "info")
    #expect(imported(info, as: .consoleText).contains("log_levels=[]\n"))
  }

  @Test func pastesOfOneStreamCountOnce() {
    let line = Samples.consoleLaunch.split(separator: "\n").map { $0 + "\n" }
    let triple = line.map { $0 + $0 + $0 }.joined()
    #expect(imported(triple, as: .consoleText) == Samples.consoleLaunchTimeline)
    #expect(
      imported(Samples.consoleLaunch + Samples.consoleLaunch, as: .consoleText)
        == Samples.consoleLaunchTimeline)
    let shifted = Samples.consoleLaunch.replacingEvery("00+0200", with: "03+0200")
    let interleaved = zip(line, shifted.split(separator: "\n")).map { $0 + $1 + "\n" }.joined()
    #expect(imported(interleaved, as: .consoleText) == Samples.consoleLaunchTimeline)
  }

  @Test func twoEndsOfOneTaskStayTwo() {
    let text =
      console("10:00:00.000000", "Notes", created("5", "a"))
      + console(
        "10:00:01.000000", "Notes", "Ending background task with UIBackgroundTaskIdentifier: 5")
      + console(
        "10:00:01.000100", "Notes",
        "Ending task with identifier 5 and description: <_UIBackgroundTaskInfo: 0x10a>: taskID = 5, taskName = a, creationTime = 7 (elapsed = 1), _expireHandler: <__NSMallocBlock__: 0x10b>"
      )
      + console(
        "10:00:01.500000", "Notes", "Ending background task with UIBackgroundTaskIdentifier: 5")
      + console(
        "10:00:01.500100", "Notes",
        "Can't end BackgroundTask: no background task exists with identifier 5 (0x5), or it may have already been ended."
      )
    #expect(
      events(text) == """
        0s trace.start reason=attach
        0s bgtask.begin token=5 name=a has_expiration_handler=true
        1s bgtask.end token=5
        1.5s bgtask.end token=5 refused=true

        """)
  }

  @Test func hiddenNamesAndNumbers() {
    let text =
      console(
        "10:00:00.000000", "Notes",
        "Will add backgroundTask with taskName: <private>, expirationHandler: <private>")
      + console("10:00:00.000100", "Notes", "Created background task <private>.")
      + console(
        "10:00:01.000000", "Notes", "Ending background task with UIBackgroundTaskIdentifier: 9")
      + console(
        "10:00:01.000100", "Notes",
        "Ending task with identifier 9 and description: <private>, _expireHandler: (null)")
    #expect(
      events(text) == """
        0s trace.start reason=attach
        0.0001s bgtask.begin token="<private>"
        1s bgtask.end token=9

        """)
  }

  @Test(arguments: [
    "Launch Background Task for Coalescing", "Persistent SceneSession Map Update",
    "_UIRemoteKeyboard XPC disconnection", "com.apple.uikit.applicationSnapshot",
    "com.apple.UIKit.CABackingStoreCollect", "com.apple.asset_manager.cache_resource_cleanup",
    "Called by UIKitCore, from $s5UIKit",
  ])
  func tasksOfFrameworksAreMarked(_ name: String) {
    let begin = console("10:00:00.000000", "Notes", created("4", name))
    #expect(events(begin).contains("by=uikit"))
    let end =
      console(
        "10:00:00.000000", "Notes", "Ending background task with UIBackgroundTaskIdentifier: 4")
      + console(
        "10:00:00.000100", "Notes",
        "Ending task with identifier 4 and description: <_UIBackgroundTaskInfo: 0x10a>: taskID = 4, taskName = \(name), creationTime = 7 (elapsed = 1), _expireHandler: (null)"
      )
    #expect(events(end).contains("no life-cycle lines"), "begun before the capture")
  }

  @Test func tasksOfTheAppAreNotMarked() {
    let text = console(
      "10:00:00.000000", "Notes", created("4", "Called by Notes, from $s5Notes"))
    #expect(!events(text).contains("by="))
  }

  @Test func aSecondLaunchIsATraceOfItsOwn() {
    let second = Samples.consoleLaunch.replacingEvery("\t09:15", with: "\t09:25")
    let result = imported(Samples.consoleLaunch + second, as: .consoleText)
    #expect(result.split(separator: "\n").filter { $0.hasPrefix("header") }.count == 2)
    #expect(result.contains("600.0099s bgtask.begin token=1"))
  }

  @Test func aCutLineSaysNothingThatItDoesNotHold() {
    let text = console("10:00:00.000000", "Notes", created("5", "a"))
    for cut in ["taskID = 12", "<_UIBackgroundTaskInfo: 0x1", "Created background ta"] {
      let full = console("10:00:01.000000", "Notes", created("123", "b"))
      guard let end = full.range(ofText: cut) else {
        Issue.record("no \(cut)")
        continue
      }
      let lines = events(text + full[..<end.upperBound])
      #expect(lines == "0s trace.start reason=attach\n0s bgtask.begin token=5 name=a\n", "\(cut)")
    }
  }

  @Test func damageOfPublishing() {
    let plain = events(Samples.consoleLaunch)
    let lines = Samples.consoleLaunch.split(separator: "\n")
    let fenced = "Here is my log:\n\n```\n" + Samples.consoleLaunch + "```\nThanks!\n"
    #expect(events(fenced) == plain)
    for mark in ["> ", "// ", "    ", "* ", "# "] {
      #expect(events(lines.map { mark + $0 + "\n" }.joined()) == plain, "\(mark)")
    }
    var escaped = Samples.consoleLaunch
    for character in ["<", ">", "_", "(", ")"] {
      escaped = escaped.replacingEvery(character, with: "\\" + character)
    }
    #expect(events(escaped) == plain)
    let blanks = Samples.consoleLaunch.replacingEvery("\t", with: " ")
    #expect(events(blanks) == plain)
    let wrapped = Samples.consoleLaunch.replacingEvery(": taskID = ", with: ":\ntaskID = ")
      .replacingEvery("; deactivation reasons", with: ";\n deactivation reasons")
    #expect(events(wrapped) == plain)
    let compact = Samples.compact.replacingEvery("[", with: "\\[").replacingEvery("]", with: "\\]")
      .replacingEvery("_", with: "\\_").replacingEvery("<", with: "\\<")
    #expect(imported(compact, as: .logCompact) == Samples.compactTimeline)
    let html = Samples.compact.replacingEvery("<", with: "&lt;").replacingEvery(">", with: "&gt;")
    #expect(imported(html, as: .logCompact) == Samples.compactTimeline)
    let quote = Samples.xcode.replacingEvery("Can't", with: "Can\u{2019}t")
    #expect(imported(quote, as: .xcodeConsole) == Samples.xcodeTimeline)
  }

  @Test func illFormedTextIsRepaired() {
    var bytes = Array("default\t10:00:00.000000+0100\tNotes\t".utf8)
    bytes += Array("Created background task <x>: taskID = 5, taskName = a".utf8) + [0xff, 0xc3]
    bytes += Array(", creationTime = 7 (elapsed = 0).\n".utf8)
    #expect(imported(bytes, as: .consoleText).hasSuffix("token=5 name=\"a\u{fffd}\u{fffd}\"\n"))
  }

  @Test func numbersThatDoNotFitSayNothing() {
    for number in ["18446744073709551616", "99999999999999999999999999", "-1", ""] {
      let text = console("10:00:00.000000", "Notes", created(number, "a"))
      #expect(events(text).contains("no life-cycle lines"), "\(number)")
    }
    let largest = console("10:00:00.000000", "Notes", created("18446744073709551615", "a"))
    #expect(events(largest).contains("token=18446744073709551615"))
  }
}

extension String {
  /// The range of a text, found from the start.
  func range(ofText text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }

  func replacingFirst(_ text: String, with other: String) -> String {
    guard let range = range(ofText: text) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }

  func replacingEvery(_ text: String, with other: String) -> String {
    var result: [UInt8] = []
    let (bytes, wanted) = (Array(utf8), Array(text.utf8))
    var place = 0
    while place < bytes.count {
      if bytes[place...].starts(with: wanted) {
        result += Array(other.utf8)
        place += wanted.count
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
