// Real captures of other people, where they are at hand; they are not part of the repository.

import Foundation
import Testing
import TraceImport
import TraceModel

/// A sample of the folder `shared/samples` beside the repository; nil, with a reason printed, if it
/// isn't there.
func foreignSample(_ name: String) -> [UInt8]? {
  var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
  for _ in 0..<4 { folder.deleteLastPathComponent() }
  let path = folder.appendingPathComponent("shared/samples/\(name)").path
  guard let data = FileManager.default.contents(atPath: path) else {
    print("skipped \(name): there is no \(path)")
    return nil
  }
  return [UInt8](data)
}

private func lines(_ text: String, _ word: String) -> [Substring] {
  text.split(separator: "\n").filter { $0.contains(word) }
}

@Suite struct ForeignSampleTests {
  @Test(arguments: [
    "console-02-flutter-balanced-tasks.log", "console-03-flutter-uiscene-fault.log",
  ])
  func sevenTasksAreBalanced(_ name: String) {
    guard let bytes = foreignSample(name) else { return }
    let text = imported(bytes, as: .consoleText)
    let begins = lines(text, "bgtask.begin")
    #expect(begins.count == 7)
    for token in 1...7 {
      #expect(lines(text, "bgtask.begin token=\(token) ").count == 1)
      #expect(lines(text, "bgtask.end token=\(token)").count == 1)
    }
    #expect(begins.filter { $0.contains("by=uikit") }.count == 3)
    #expect(lines(text, "delegate.").first?.contains("did_become_active") == true)
    #expect(lines(text, "did_enter_background").isEmpty)
    #expect(lines(text, "header").count == 1)
    #expect(CaptureFormat.consoleText.recognise(bytes.span.extracting(0..<65_536)) > 80)
  }

  @Test func aLockIsAnInactiveInterval() {
    guard let bytes = foreignSample("console-05-device-lock-inactive.log") else { return }
    let text = imported(bytes, as: .consoleText)
    #expect(
      lines(text, "delegate.").map { $0.split(separator: " ")[1] } == [
        "delegate.will_resign_active", "delegate.did_become_active",
      ])
    #expect(lines(text, "s ").count == 3)
  }

  @Test(arguments: [("xcode-01-timer-double-end.log", 1), ("xcode-02-twilio-double-end.log", 3)])
  func oneRefusedEnd(_ name: String, _ token: Int) {
    guard let bytes = foreignSample(name) else { return }
    let text = imported(bytes, as: .xcodeConsole)
    let events = text.split(separator: "\n")
    #expect(events.count == 3)
    #expect(events.last?.hasSuffix("bgtask.end token=\(token) refused=true") == true)
    #expect(text.contains("coverage=[bgtask]") && text.contains("log_levels=[default]"))
    #expect(!text.contains("os_version"))
  }

  @Test func onlyMetal() {
    guard let bytes = foreignSample("xcode-03-metal-background.log") else { return }
    let text = imported(bytes, as: .xcodeConsole)
    #expect(lines(text, "@2050086 metal.complete").count == 4)
    #expect(text.split(separator: "\n").count == 6)
    #expect(text.contains("coverage=[]"))
  }

  @Test(arguments: [
    "idevice-01-ios18-header-and-noise.log", "idevice-04-ios10-location-relaunch.log",
    "idevice-07-appium-wrapped-assertions.log", "idevice-08-ios9-simulator-boot.log",
    "ndjson-01-sysdiagnose-entry.ndjson", "syslogstyle-01-simulator-js-crash.log",
  ])
  func otherFormatsAreNotClaimed(_ name: String) {
    guard let bytes = foreignSample(name) else { return }
    for format in CaptureImporters.all {
      #expect(format.recognise(bytes.span.extracting(0..<min(bytes.count, 65_536))) == 0)
    }
  }
}
