// The helper for an app's own tests: quiet on a healthy life, loud with a timeline on a faulty one.

import Foundation
import Testing
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
    let test = try LifeTest(folder: files.folder)
    live(test.recorder, endsTask: true)
    let life = try test.end()
    #expect(life.count(of: .bgtaskEnd) == 2)
    #expect(life.findings(atLeast: .error).map(\.rule) == ["LC001"])
    let error = #expect(throws: UnexpectedFindings.self) { try life.expectNoFindings() }
    #expect(error?.description.contains("bgtask.begin token=7") == true)
  }

  @Test func aHealthyLifeIsQuiet() throws {
    let test = try LifeTest(folder: files.folder)
    live(test.recorder, endsTask: false)
    test.recorder.backgroundTask.end(token: 7, isInvalid: false)
    try test.end().expectNoFindings()
  }
}
