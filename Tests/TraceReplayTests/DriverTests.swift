// Small recordings, call by call: what the driver answers, and when the app does what.

import Testing
import TraceModel
import TraceNotation
import TraceReplay

struct DriverTests {
  private func begun(isRefused: Bool = false) -> [RecordedEvent.Argument] {
    [
      .init("token", .integer(77)), .init("is_invalid", .boolean(isRefused)),
      .init("name", .string("save")), .init("has_expiration_handler", .boolean(true)),
    ]
  }

  private let ended: [RecordedEvent.Argument] = [
    .init("token", .integer(77)), .init("is_invalid", .boolean(false)),
  ]

  private func entry(isRefused: Bool = false) -> [RecordedEvent] {
    [
      at(0, .procStart),
      at(1_000, .delegateDidEnterBackground, .enter),
      at(1_001, .bgtaskBegin, with: begun(isRefused: isRefused)),
      at(1_010, .delegateDidEnterBackground, .return),
    ]
  }

  private func delegate(endsAfter milliseconds: Int64) -> ClosureDelegate {
    let delegate = ClosureDelegate()
    delegate.background = { application in
      application.wait(1_000_000)
      guard let token = application.beginBackgroundTask(withName: "save", expirationHandler: {})
      else { return }
      application.after(milliseconds * 1_000_000, thread: 4) {
        application.endBackgroundTask(token, thread: 4)
      }
    }
    return delegate
  }

  @Test func tokensAreThoseOfTheRecording() throws {
    let events = entry() + [at(2_001, .bgtaskEnd, thread: 4, with: ended), at(3_000, .procSuspend)]
    let report = Replay(try Recording(of: events)).run { delegate(endsAfter: 1_000) }
    #expect(report.divergences.isEmpty, "\(report)")
    #expect(report.callCount == 2)
  }

  @Test(arguments: [
    (Int64(1_100), ""), (1_101, "later"), (900, ""), (899, "earlier"), (9_000, "missing"),
  ])
  func theToleranceIsExact(_ milliseconds: Int64, _ kind: String) throws {
    let events = entry() + [at(2_001, .bgtaskEnd, thread: 4, with: ended), at(3_000, .procSuspend)]
    let report = Replay(try Recording(of: events)).run { delegate(endsAfter: milliseconds) }
    #expect(report.divergences.map(\.kind.rawValue).joined() == kind, "\(report)")
  }

  @Test func aSuspendedAppDoesNothing() throws {
    let events =
      entry() + [at(1_500, .procSuspend), at(61_500, .procResume), at(70_000, .traceEnd)]
    // What was due at 2.001 s is done half a second after the resume.
    let report = Replay(try Recording(of: events)).run { delegate(endsAfter: 1_000) }
    #expect(report.divergences.map(\.kind) == [.new])
    #expect(report.divergences.first?.replayedNanoseconds == 62_001_000_000)
  }

  @Test func aRefusedTaskIsRefusedAgain() throws {
    let events = entry(isRefused: true) + [at(9_000, .traceEnd)]
    let report = Replay(try Recording(of: events)).run { delegate(endsAfter: 1_000) }
    #expect(report.divergences.isEmpty, "\(report)")
  }

  @Test func anExpiredTaskEndsInItsHandler() throws {
    let token: [RecordedEvent.Argument] = [.init("token", .integer(77))]
    let events = [
      at(0, .procStart),
      at(1_000, .delegateDidEnterBackground, .enter),
      at(1_000, .bgtaskBegin, with: begun()),
      at(1_010, .delegateDidEnterBackground, .return),
      at(170_000, .bgtaskExpire, .enter, with: token),
      at(170_000, .bgtaskEnd, with: ended),
      at(170_001, .bgtaskExpire, .return, with: token),
    ]
    let delegate = ClosureDelegate()
    delegate.background = { application in
      var open: Int64?
      open = application.beginBackgroundTask(withName: "save") {
        if let token = open { application.endBackgroundTask(token) }
      }
    }
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(report.divergences.isEmpty, "\(report)")
  }

  @Test func callsInAnotherOrderAreReordered() throws {
    let store: [RecordedEvent.Argument] = [.init("store", .string("s"))]
    let events = [
      at(0, .procStart),
      at(10, .delegateDidBecomeActive, .enter),
      at(10, .gamePause), at(10, .dataRestore, with: store),
      at(20, .delegateDidBecomeActive, .return),
    ]
    let delegate = ClosureDelegate()
    delegate.active = { application in
      application.perform(.dataRestore, store)
      application.perform(.gamePause)
    }
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(report.divergences.map(\.kind) == [.reordered])
  }

  @Test func eachProcessHasItsOwnClosureDelegate() throws {
    var made = 0
    let events = [at(0, .procStart), at(10, .procKill), at(20, .procStart)]
    _ = Replay(try Recording(of: events)).run {
      made += 1
      return ClosureDelegate()
    }
    #expect(made == 2)
  }

  @Test func anEmptyRecordingHasNothingToCompare() {
    let report = Replay(Recording()).run { ClosureDelegate() }
    #expect(report.callCount == 0)
    #expect("\(report)" == "0 calls as recorded")
  }

  @Test func extremeTimesAreNoTrap() throws {
    let events = [
      RecordedEvent(.procStart, timeNanoseconds: .min),
      RecordedEvent(.delegateDidBecomeActive, .enter, timeNanoseconds: .max - 1),
      RecordedEvent(.gamePause, timeNanoseconds: .max),
    ]
    let delegate = ClosureDelegate()
    delegate.active = { application in
      application.wait(.max)
      application.after(.max) { application.perform(.gamePause) }
    }
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(report.callCount > 0)
    #expect(!report.sideBySide.isEmpty)
  }

  private let header = #"{"header":{"format":"tracecheck-ndjson","version":1}}"#

  @Test func aCaptureIsReadWithItsDecoder() throws {
    let text = header + "\n" + #"{"t_ns":5,"event":"proc.start"}"# + "\n"
    let recording = try Recording(Array(text.utf8), with: NDJSONDecoder())
    #expect(recording.events.map(\.kind) == [.procStart])
    #expect(recording.events.map(\.timeNanoseconds) == [5])
    #expect(throws: Recording.Failure.self) { try Recording([], with: NDJSONDecoder()) }
  }

  @Test func aDamagedCaptureIsRefused() {
    let text = header + "\n" + "nonsense" + "\n"
    #expect {
      try Recording(Array(text.utf8), with: NDJSONDecoder())
    } throws: { error in
      if case Recording.Failure.unreadable(let message) = error { !message.isEmpty } else { false }
    }
  }

  @Test func aSecondTraceIsRefused() throws {
    var recording = Recording()
    try recording.begin(TraceHeader())
    #expect(throws: Recording.Failure.severalTraces) { try recording.begin(TraceHeader()) }
  }
}
