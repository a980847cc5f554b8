// Real captures of other people, where they are at hand; they are not part of the repository.

import Foundation
import Testing
import TraceImport
import TraceImportSamples
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
    #expect(text.contains("coverage=[metal]"))
  }

  @Test func aCrashOfAScript() {
    guard let bytes = foreignSample("syslogstyle-01-simulator-js-crash.log") else { return }
    let text = imported(bytes, as: .logSyslog)
    #expect(lines(text, "proc.kill").count == 1)
    #expect(
      text.contains("proc.kill signal=11 cause=crash description=\"Fatal JavaScript exception\""))
  }

  @Test(arguments: [
    ("idevice-01-ios18-header-and-noise.log", "idevicesyslog"),
    ("idevice-02-ios18-resume-inputui.log", "idevicesyslog"),
    ("idevice-04-ios10-location-relaunch.log", "idevicesyslog"),
    ("idevice-07-appium-wrapped-assertions.log", "idevicesyslog"),
    ("idevice-08-ios9-simulator-boot.log", "syslog"),
    ("ndjson-01-sysdiagnose-entry.ndjson", "log-json"),
  ])
  func othersHaveNoLifeCycleToJudge(_ name: String, _ format: String) {
    guard let bytes = foreignSample(name) else { return }
    for sample in LogSample.all {
      let sureness = sample.format.recognise(bytes.span.extracting(first: 65_536))
      if sample.format.name == format {
        #expect(sureness >= 80, "\(sample.testDescription)")
        let text = imported(bytes, as: sample.format)
        #expect(!text.contains("proc.kill") && !text.contains("proc.suspend"))
        #expect(!text.contains("bgtask.") && !text.contains("delegate."))
      } else {
        #expect(sureness == 0, "\(sample.testDescription)")
      }
    }
  }

  @Test(arguments: [
    "crash-01-8badf00d-scene-update-ios11.crash", "crash-16-testflight-sigabrt-ios26.crash",
    "crash-12-tcc-kill-ios15.ips", "jetsam-01-event-ios14.ips", "metrickit-01-real_report.json",
    "metrickit-03-xcode_simulated.json",
  ])
  func reportsAreNotClaimed(_ name: String) {
    guard let bytes = foreignSample(name) else { return }
    for format in LogSample.all.map(\.format) {
      #expect(format.recognise(bytes.span.extracting(first: 65_536)) == 0, "\(format.name)")
    }
  }
}
