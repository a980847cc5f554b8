// What a replayed app is answered when it asks the system.

import Testing
import TraceModel
import TraceReplay

struct AnswerTests {
  private func read(_ milliseconds: Int64, _ state: String) -> RecordedEvent {
    at(milliseconds, .stateApplication, with: [text("value", state)])
  }

  /// Leaves the app at 1 s, and returns what it reads at some times of the recording.
  private func replay(
    readingAt times: [Int64], in events: [RecordedEvent]
  ) throws -> (states: [String], report: ReplayReport) {
    let delegate = ClosureDelegate()
    var states: [String] = []
    delegate.background = { application in
      for time in times {
        application.after(time * 1_000_000 - application.nowNanoseconds) {
          states.append(application.readApplicationState())
        }
      }
    }
    let report = Replay(try Recording(of: events)).run { delegate }
    return (states, report)
  }

  private func leaving(_ inside: [RecordedEvent] = []) -> [RecordedEvent] {
    joined(
      [at(0, .procStart)], call(500, .delegateDidBecomeActive),
      call(1_000, .delegateDidEnterBackground, inside))
  }

  @Test func recordedReadsAreAnswers() throws {
    // A locked phone reads inactive in the background.
    let events =
      leaving() + [read(2_000, "inactive"), read(3_000, "background"), at(9_000, .traceEnd)]
    let (states, report) = try replay(readingAt: [2_000, 3_000], in: events)
    #expect(states == ["inactive", "background"])
    #expect(report.divergences.isEmpty, "\(report)")
  }

  @Test func oneMoreReadChangesNoOther() throws {
    let events =
      leaving() + [read(2_000, "inactive"), read(3_000, "background"), at(9_000, .traceEnd)]
    let (states, report) = try replay(readingAt: [1_500, 2_000, 3_000, 3_400], in: events)
    #expect(states == ["inactive", "inactive", "background", "background"])
    #expect(report.divergences.map(\.kind) == [.new, .new])
    #expect(
      report.divergences.map(\.replayedNanoseconds) == [1_500_000_000, 3_400_000_000])
  }

  @Test func readsBeforeATurnOfLifeSayNothing() throws {
    let events = joined(
      leaving(), [read(2_000, "inactive")], call(3_000, .delegateWillEnterForeground),
      call(4_000, .delegateDidBecomeActive), [at(9_000, .traceEnd)])
    let (states, _) = try replay(readingAt: [2_000, 3_500, 5_000], in: events)
    #expect(states == ["inactive", "inactive", "active"])
  }

  @Test func theLifeCycleAnswersWhereNothingWasRead() throws {
    let events = joined(
      leaving(), call(3_000, .delegateWillEnterForeground), call(4_000, .delegateDidBecomeActive),
      call(5_000, .delegateWillResignActive), [at(9_000, .traceEnd)])
    let (states, _) = try replay(readingAt: [2_000, 3_500, 4_500, 6_000], in: events)
    #expect(states == ["background", "inactive", "active", "inactive"])
  }

  @Test func anAppIsInTheStateOfItsMostActiveScene() throws {
    var header = TraceHeader()
    header[.sceneManifest] = .boolean(true)
    let (first, second) = ([text("scene", "a")], text("scene", "b"))
    let events = joined(
      [at(0, .procStart)], call(100, .delegateDidFinishLaunching),
      call(200, .sceneWillConnect, with: first + [text("role", "application")]),
      call(300, .sceneWillEnterForeground, with: first),
      call(400, .sceneDidBecomeActive, with: first),
      call(500, .sceneWillConnect, with: [second, text("role", "external")]),
      call(600, .sceneWillResignActive, with: first),
      call(700, .sceneDidEnterBackground, with: first), [at(900, .traceEnd)])
    let delegate = ClosureDelegate()
    var states: [String] = []
    delegate.launched = { application in
      for time in Int64(1)...7 {
        application.after((time * 100 - 50) * 1_000_000) {
          states.append(application.applicationState)
        }
      }
      return true
    }
    _ = Replay(try Recording(of: events, header: header)).run { delegate }
    #expect(
      states == [
        "background", "background", "inactive", "active", "active", "inactive", "background",
      ])
    #expect(
      delegate.told == [
        "launched ", "connect a application unattached", "a foregroundActive",
        "connect b external unattached", "a background",
      ])
  }

  @Test func timeRemainingIsCountedOn() throws {
    let recorded = at(2_000, .stateTimeRemaining, with: [number("seconds", 170)])
    let delegate = ClosureDelegate()
    var seconds: [Double] = []
    delegate.active = { application in
      seconds.append(application.readBackgroundTimeRemaining())
    }
    delegate.background = { application in
      for time in [Int64(500), 1_000, 11_000] {
        application.after(time * 1_000_000) {
          seconds.append(application.readBackgroundTimeRemaining())
        }
      }
    }
    let events = leaving() + [recorded, at(20_000, .traceEnd)]
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(seconds == [.infinity, 170.5, 170, 160])
    #expect(report.divergences.map(\.kind) == [.new, .new, .new])
  }

  @Test func aTaskMoreTakesNobodysToken() throws {
    func begun(_ token: Int64, _ isRefused: Bool) -> [RecordedEvent.Argument] {
      [
        number("token", token), .init("is_invalid", .boolean(isRefused)), text("name", "save"),
        .init("has_expiration_handler", .boolean(false)),
      ]
    }
    let events =
      leaving() + [
        at(3_000, .bgtaskBegin, with: begun(7, false)),
        at(4_000, .bgtaskBegin, with: begun(0, true)), at(9_000, .traceEnd),
      ]
    let delegate = ClosureDelegate()
    var tokens: [Int64?] = []
    delegate.background = { application in
      for time in [Int64(1_000), 2_000, 3_000] {
        application.after(time * 1_000_000) {
          tokens.append(application.beginBackgroundTask(withName: "save"))
        }
      }
    }
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(tokens.map { $0 == nil } == [false, false, true])
    #expect(tokens.compactMap { $0 }.map { $0 == 7 } == [false, true])
    #expect(report.divergences.map(\.kind) == [.new])
    #expect(report.divergences.first?.replayedNanoseconds == 2_000_000_000)
  }
}
