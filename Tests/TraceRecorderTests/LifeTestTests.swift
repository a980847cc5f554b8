// The helper for an app's own tests: quiet on a healthy life, loud with a timeline on a faulty one.

import Foundation
import Testing
import TraceIO
import TraceModel
import TraceRecorderTesting
import TraceRules

@testable import TraceRecorder

struct LifeTestTests {
  private let files = RecordingFiles()

  /// A short life with a visit to the background under a task.
  private func live(_ recorder: TraceRecorder, endsTask: Bool) {
    recorder.process.start(pid: 1, launchId: 1, into: .foreground, reason: .userIcon)
    recorder.delegate.didFinishLaunching(applicationState: .inactive) {}
    recorder.delegate.didBecomeActive(applicationState: .active) {}
    recorder.delegate.willResignActive(applicationState: .active) {}
    recorder.delegate.didEnterBackground(applicationState: .background) {
      recorder.backgroundTask.begin(
        token: 7, isInvalid: false, name: "save", hasExpirationHandler: true)
    }
    if endsTask {
      recorder.backgroundTask.end(token: 7, isInvalid: false)
      recorder.backgroundTask.end(token: 7, isInvalid: false)
    }
  }

  @Test func aFaultIsThrownWithItsTimeline() throws {
    let test = try LifeTest()
    live(test.recorder, endsTask: true)
    let life = try test.end()
    #expect(life.count(of: .bgtaskEnd) == 2)
    #expect(life.findings(atLeast: .error).map(\.rule) == ["LC001"])
    var attached = ""
    let error = #expect(throws: UnexpectedFindings.self) {
      try life.expectNoFindings { attached = $0 }
    }
    #expect(error?.description.contains("bgtask.begin token=7") == true)
    #expect(attached == life.timeline && !attached.isEmpty)
  }

  @Test func aHealthyLifeIsQuiet() throws {
    let test = try LifeTest()
    live(test.recorder, endsTask: false)
    test.recorder.backgroundTask.end(token: 7, isInvalid: false)
    try test.end().expectNoFindings { _ in Issue.record("there is nothing to attach") }
  }

  @Test func aRecordingInMemoryIsAnOrdinaryTrace() throws {
    var configuration = RecorderConfiguration.inMemory
    configuration.segmentBytes = 4_096
    configuration.segmentCount = 3
    configuration.traceBytesMax = 65_536
    configuration.sealIntervalMilliseconds = 3_600_000
    let recorder = try TraceRecorder.start(configuration)
    #expect(recorder.tracePath.isEmpty && recorder.journalPath.isEmpty)
    for number in 0..<20_000 {
      recorder.work.timerStop(timer: number)
      if number % 100 == 0 { try recorder.flush() }
    }
    try recorder.stop()
    let reading = Reading(trace: try recorder.recordedBytes())
    #expect(reading.problems.isEmpty)
    #expect(reading.own.last == "1 work.timer_stop timer=19999")
    let statistics = recorder.statistics
    #expect(statistics.droppedCount == 0 && statistics.discardedCount > 0)
    #expect(UInt64(reading.own.count) + statistics.discardedCount >= 20_000)
  }

  @Test func aLifeInAFolderIsJudgedWhileItRunsAndAfterIt() throws {
    let test = try LifeTest(folder: files.folder)
    live(test.recorder, endsTask: true)
    #expect(try RecordedLife(folder: files.folder).count(of: .bgtaskEnd) == 2)
    try test.recorder.flush()
    test.recorder.game.pause()
    let running = try RecordedLife(folder: files.folder)
    #expect(running.count(of: .bgtaskEnd) == 2 && running.count(of: .gamePause) == 1)
    #expect(running.findings(atLeast: .error).map(\.rule) == ["LC001"])
    let ended = try test.end()
    #expect(try RecordedLife(folder: files.folder).timeline == ended.timeline)
  }

  @Test func aFolderWithoutRecordingIsRefused() throws {
    try Folder.create(files.folder)
    #expect(throws: FileError.self) { try RecordedLife(folder: files.folder) }
  }
}
