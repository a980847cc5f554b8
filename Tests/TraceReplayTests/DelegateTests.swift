// What is handed to an app, and on which thread it answers.

import Testing
import TraceModel
import TraceReplay

struct DelegateTests {
  private func completed(
    _ milliseconds: Int64, thread: Int64, _ result: String
  ) -> RecordedEvent {
    at(
      milliseconds, .completionCall, thread: thread,
      with: [number("completion_id", 31), text("result", result)])
  }

  @Test(arguments: [Int64(1), 6])
  func aCompletionIsCalledOnItsThread(_ thread: Int64) throws {
    let events = joined(
      [at(0, .procStart)],
      call(10, .delegatePerformFetch, with: [number("completion_id", 31)]),
      [completed(510, thread: thread, "new_data"), at(900, .traceEnd)])
    let delegate = ClosureDelegate()
    delegate.fetch = { application, completion in
      application.after(500_000_000, thread: thread) { completion(.newData) }
    }
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(report.divergences.isEmpty, "\(report)")
    #expect(report.callCount == 1)
  }

  @Test func anotherThreadOrResultOfACompletionIsAChange() throws {
    let events = joined(
      [at(0, .procStart)],
      call(10, .delegatePerformFetch, with: [number("completion_id", 31)]),
      [completed(510, thread: 6, "new_data"), at(900, .traceEnd)])
    let cases: [(Int64, FetchResult)] = [(1, .newData), (6, .failed)]
    for (thread, result) in cases {
      let delegate = ClosureDelegate()
      delegate.fetch = { application, completion in
        application.after(500_000_000, thread: thread) { completion(result) }
      }
      let report = Replay(try Recording(of: events)).run { delegate }
      #expect(report.divergences.map(\.kind) == [.changed], "\(report)")
    }
  }

  @Test func everythingIsHandedOver() throws {
    let keys = [
      "UIApplicationLaunchOptionsURLKey", "UIApplicationLaunchOptionsUserActivityDictionaryKey",
    ]
    let remote = [number("content_available", 1), number("completion_id", 31)]
    let events = joined(
      [at(0, .procStart)],
      call(
        10, .delegateDidFinishLaunching,
        with: [text("option_keys", keys.joined(separator: ","))]),
      call(100, .delegateOpenUrl, with: [text("scheme", "notes"), text("source_app", "mail")]),
      call(200, .delegateDidReceiveLocalNotification, with: [text("id", "n1")]),
      call(
        300, .delegateDidReceiveRemoteNotification, with: remote,
        [completed(300, thread: 1, "new_data")]),
      call(
        400, .delegateHandleUrlSession,
        with: [text("session", "sync"), number("completion_id", 32)]),
      [at(900, .traceEnd)])
    let delegate = ClosureDelegate()
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(
      delegate.told == [
        "launched " + keys.joined(separator: "+"), "activity", "open notes mail", "local n1",
        "remote 1", "session sync",
      ])
    // The recorded app didn't call the completion of its session.
    #expect(report.divergences.map(\.kind) == [.new])
    #expect(report.divergences.first?.event == .completionCall)
  }

  @Test(arguments: [true, false])
  func whatTheAppAnsweredIsCompared(_ answer: Bool) throws {
    let events = [
      at(0, .procStart), at(10, .delegateDidFinishLaunching, .enter),
      at(
        20, .delegateDidFinishLaunching, .return, with: [.init("result", .boolean(true))]),
      at(900, .traceEnd),
    ]
    let delegate = ClosureDelegate()
    delegate.launched = { _ in answer }
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(report.callCount == 1)
    let expected: [Divergence.Kind] = answer ? [] : [.changed]
    #expect(report.divergences.map(\.kind) == expected, "\(report)")
  }

  @Test func workOfTheMainThreadWaitsForTheReturn() throws {
    // Nothing runs beside a call, also while something else reaches the app in it.
    let events = [
      at(0, .procStart), at(10, .delegateDidBecomeActive, .enter),
      at(500, .noteDeliver, .enter, with: [text("name", "n")]), at(510, .noteDeliver, .return),
      at(1_000, .delegateDidBecomeActive, .return), at(1_000, .gamePause),
      at(2_000, .traceEnd),
    ]
    let delegate = ClosureDelegate()
    delegate.active = { application in
      application.after(100_000_000) { application.perform(.gamePause) }
    }
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(report.divergences.isEmpty, "\(report)")
  }
}
