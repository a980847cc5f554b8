// What the rules say of real captures of other people, where they are at hand; they are not part
// of the repository.

import Foundation
import Testing
import TraceExport
import TraceModel
import TracePipeline
import TraceRules

/// A capture of the folder `shared/samples` beside the repository, and what is right to say of it.
struct ForeignCapture: Sendable, CustomTestStringConvertible {
  var name: String
  var format: String
  var traceCount: Int
  /// `rule×count`, in the order of the report.
  var findings: [String] = []

  var testDescription: String { name }

  init(_ name: String, _ format: String, traces: Int, _ findings: String...) {
    self.name = name
    self.format = format
    traceCount = traces
    self.findings = findings
  }

  static let all = [
    ForeignCapture("console-02-flutter-balanced-tasks.log", "console", traces: 1),
    ForeignCapture("console-03-flutter-uiscene-fault.log", "console", traces: 1),
    ForeignCapture("console-05-device-lock-inactive.log", "console", traces: 1),
    ForeignCapture("idevice-01-ios18-header-and-noise.log", "idevicesyslog", traces: 0),
    ForeignCapture("idevice-02-ios18-resume-inputui.log", "idevicesyslog", traces: 1),
    ForeignCapture("idevice-04-ios10-location-relaunch.log", "idevicesyslog", traces: 0),
    ForeignCapture("idevice-07-appium-wrapped-assertions.log", "idevicesyslog", traces: 0),
    ForeignCapture("idevice-08-ios9-simulator-boot.log", "syslog", traces: 0),
    ForeignCapture("syslogstyle-01-simulator-js-crash.log", "log-syslog", traces: 1),
    ForeignCapture("ndjson-01-sysdiagnose-entry.ndjson", "log-json", traces: 0),
    ForeignCapture("xcode-01-timer-double-end.log", "xcode", traces: 1, "LC001×1"),
    ForeignCapture("xcode-02-twilio-double-end.log", "xcode", traces: 1, "LC001×1"),
    ForeignCapture("xcode-03-metal-background.log", "xcode", traces: 1, "LM09×4"),
  ]
}

struct ForeignCaptureTests {
  @Test(arguments: ForeignCapture.all) func findings(_ foreign: ForeignCapture) throws {
    var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let path = folder.appendingPathComponent("shared/samples/\(foreign.name)").path
    guard FileManager.default.fileExists(atPath: path) else {
      print("skipped \(foreign.name): there is no \(path)")
      return
    }
    let capture = try #require(try Folder.check([path]).first)
    #expect(capture.format == foreign.format)
    #expect(capture.traces.count == foreign.traceCount)
    let findings = capture.traces.flatMap(\.findings)
    #expect(findings.map { "\($0.rule)×\($0.count)" } == foreign.findings)
    // A refused end alone is a note while the system's version is unknown.
    #expect(findings.allSatisfy { $0.rule != "LC001" || $0.severity == .note })
    #expect(capture.problems.isEmpty && !capture.isDamaged)
  }

  /// Logs of an app that does everything right, in two formats.
  @Test(arguments: [
    """
    Mar  4 10:00:00 phone Game[412] <Notice>: -> applicationDidFinishLaunching()
    Mar  4 10:00:01 phone Game[412] <Notice>: -> applicationDidBecomeActive()
    Mar  4 10:00:09 phone Game[412] <Notice>: -> applicationWillResignActive()
    Mar  4 10:00:10 phone Game[412] <Notice>: -> applicationDidEnterBackground()
    Mar  4 10:00:11 phone runningboardd[31] <Notice>: [app<com.example.game(0A)>:412] Suspending task.
    Mar  4 10:03:00 phone runningboardd[31] <Notice>: [app<com.example.game(0A)>:412] Resuming task.
    Mar  4 10:03:00 phone Game[412] <Notice>: -> applicationWillEnterForeground()
    Mar  4 10:03:01 phone Game[412] <Notice>: -> applicationDidBecomeActive()
    Mar  4 10:05:00 phone runningboardd[31] <Notice>: [app<com.example.game(0A)>:412] Suspending task.
    Mar  4 11:00:00 phone kernel[0] <Notice>: memorystatus: killing_specific_process pid 412 [Game] (idle)

    """,
    """
    2026-03-04 10:00:00.000000+0100  localhost Notes[412]: (UIKitCore) [com.apple.UIKit:BackgroundTask] Created background task <_UIBackgroundTaskInfo: 0x6>: taskID = 4, taskName = sync, creationTime = 90 (elapsed = 0).
    2026-03-04 10:00:02.000000+0100  localhost runningboardd[31]: (RunningBoard) [com.apple.runningboard:assertion] Acquiring assertion targeting [app<com.example.notes(0A)>:412] from originator [app<com.example.notes(0A)>:412] with description <RBSAssertionDescriptor| "sync" ID:31-412-7 target:412 attributes:[ <RBSLegacyAttribute| reason:FinishTask>]>
    2026-03-04 10:00:04.000000+0100  localhost Notes[412]: (UIKitCore) [com.apple.UIKit:BackgroundTask] Ending background task with UIBackgroundTaskIdentifier: 4
    2026-03-04 10:00:04.100000+0100  localhost runningboardd[31]: (RunningBoard) [com.apple.runningboard:assertion] Invalidating assertion 31-412-7 (target:[app<com.example.notes(0A)>:412]) from originator [app<com.example.notes(0A)>:412]
    2026-03-04 10:00:05.000000+0100  localhost runningboardd[31]: (RunningBoard) [com.apple.runningboard:ttl] [app<com.example.notes(0A)>:412] Suspending task.

    """,
  ])
  func innocentLogsGiveNoFindings(_ text: String) throws {
    let folder = try Folder()
    let capture = try #require(try Folder.check([try folder.file("a.log", text)]).first)
    #expect(capture.traces.count == 1)
    #expect(capture.traces.flatMap(\.findings).isEmpty, "\(capture.traces.flatMap(\.findings))")
  }
}
