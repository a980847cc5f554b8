// A live pipe: findings are printed while the app still runs, and an interrupt ends the input.

import Foundation
import Testing

@Suite(.enabled(if: Executable.isExpected, "the program isn't built beside these tests"))
struct LiveInputTests {
  private static let begun = """
    {"header":{"format":"tracecheck-ndjson","version":1,"os_version":"8.1.0","coverage":["*"]}}
    {"t_ns":0,"event":"proc.start","args":{"into":"foreground","reason":"user_icon"}}
    {"t_ns":2000000000,"event":"delegate.will_resign_active","duration_ns":1000000}
    {"t_ns":2500000000,"event":"delegate.did_enter_background","phase":"enter"}
    {"t_ns":8700000000,"event":"delegate.did_enter_background","phase":"return"}
    {"t_ns":9700000000,"event":"trace.marker","args":{"text":"still alive"}}

    """

  /// Ends a process that doesn't end by itself, so that a failure is a failure and no hang.
  private static func endLater(_ process: Process) {
    let number = process.processIdentifier
    DispatchQueue.global().asyncAfter(deadline: .now() + 20) {
      if process.isRunning { kill(number, SIGKILL) }
    }
  }

  @Test func findingsComeBeforeTheEndAndAnInterruptEndsTheInput() throws {
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try #require(Executable.path, "tracecheck isn't built"))
    process.arguments = ["check", "-", "--only", "LC003"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    Self.endLater(process)
    try input.fileHandleForWriting.write(contentsOf: Data(Self.begun.utf8))

    // The pipe stays open: what can be read now was printed while the program waits for more.
    var text = ""
    while !text.contains("\n\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    #expect(text.hasPrefix("error LC003"))
    #expect(process.isRunning)

    process.interrupt()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    text = String(decoding: rest, as: UTF8.self)
    #expect(!text.contains("error LC003"))
    #expect(text.contains("1 error, 0 warnings, 0 notes; 1 trace, 6 events"))
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 1)
  }

  /// A life that ends with a task open, and the beginning of the next.
  private static let leaked = """
    {"header":{"format":"tracecheck-ndjson","version":1,"os_version":"9.0","sdk_linked":"9.0"}}
    {"t_ns":0,"event":"proc.start","args":{"into":"foreground","reason":"user_icon"}}
    {"t_ns":10000000,"event":"delegate.did_finish_launching","duration_ns":100000000}
    {"t_ns":300000000,"event":"delegate.did_become_active","duration_ns":1000000}
    {"t_ns":1000000000,"event":"bgtask.begin","args":{"token":7,"name":"upload"}}
    {"t_ns":2000000000,"event":"delegate.will_resign_active","duration_ns":1000000}
    {"t_ns":3000000000,"event":"delegate.did_enter_background","duration_ns":1000000}
    {"t_ns":183000000000,"event":"proc.kill","args":{"cause":"bgtask_expired","code":562215634}}
    {"t_ns":190000000000,"event":"proc.start","args":{"into":"foreground","reason":"user_icon"}}

    """

  @Test func whatGivesWayToOtherFindingsIsToldWhenItsLaunchIsOver() throws {
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try #require(Executable.path, "tracecheck isn't built"))
    process.arguments = ["check", "-", "--only", "LC001,LC102", "--config", "none"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    Self.endLater(process)
    try input.fileHandleForWriting.write(contentsOf: Data(Self.leaked.utf8))
    var text = ""
    while !text.contains("\n\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    #expect(text.hasPrefix("error LC001"))
    #expect(process.isRunning)
    try input.fileHandleForWriting.close()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(!String(decoding: rest, as: UTF8.self).contains("error LC001"))
  }

  /// A capture that begins in the middle of a life: nothing tells the state.
  private static let joined = """
    {"header":{"format":"tracecheck-ndjson","version":1,"os_version":"8.1.0","coverage":["*"]}}
    {"t_ns":2500000000,"event":"delegate.did_enter_background","phase":"enter","thread":1}

    """

  @Test(arguments: [
    begun.split(separator: "\n").prefix(4).joined(separator: "\n") + "\n", joined,
  ])
  func aPipeThatFallsSilentInsideACallbackIsJudgedByTheWallClock(_ lines: String) throws {
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try #require(Executable.path, "tracecheck isn't built"))
    process.arguments = [
      "check", "-", "--only", "LC003,LC102", "--threshold", "LC003=1s", "--config", "none",
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    Self.endLater(process)
    let start = ContinuousClock.now
    try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
    var text = ""
    while !text.contains("\n\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    let elapsed = ContinuousClock.now - start
    #expect(text.hasPrefix("error LC003"))
    #expect(text.contains("likely"))
    #expect(text.contains("silence"))
    // How soon it comes is measured where nothing else runs beside it.
    #expect(elapsed > .seconds(1))
    try input.fileHandleForWriting.close()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: rest, as: UTF8.self).contains("1 error, 0 warnings, 0 notes"))
    #expect(process.terminationStatus == 1)
  }

  @Test func aStreamMayWaitAfterItsHeading() throws {
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try #require(Executable.path, "tracecheck isn't built"))
    process.arguments = ["check", "-", "--config", "none", "--report", "json"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    Self.endLater(process)
    let heading = "Filtering the log data using \"process == \"Notes\"\"\n"
    try input.fileHandleForWriting.write(contentsOf: Data(heading.utf8))
    Thread.sleep(forTimeInterval: 0.6)
    let line =
      #"{"timestamp":"2026-03-04 10:00:00.000000+0000","eventMessage":"Created background task"#
      + #" <_UIBackgroundTaskInfo: 0x1>: taskID = 5, taskName = a, creationTime = 7 (elapsed = 0).","#
      + #""processID":412,"processImagePath":"/Notes.app/Notes","messageType":"Info"}"# + "\n"
    try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
    try input.fileHandleForWriting.close()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.contains(#""format":"log-json""#))
  }

  @Test func aReaderWhoLeavesEndsTheProgramQuietly() throws {
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try #require(Executable.path, "tracecheck isn't built"))
    process.arguments = ["vocabulary"]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try output.fileHandleForReading.close()
    try process.run()
    Self.endLater(process)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try errors.fileHandleForReading.readToEnd() ?? Data() == Data())
  }
}
