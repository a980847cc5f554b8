// Which calls are the same one, and what is said of those that aren't.

import Testing
import TraceModel
import TraceReplay

struct ComparisonTests {
  /// Replays an app that does something when it is active, from 10 ms on.
  private func replay(
    _ recorded: [RecordedEvent], _ active: @escaping (ReplayedApplication) -> Void
  ) throws -> ReplayReport {
    let delegate = ClosureDelegate()
    delegate.active = active
    let events = joined(
      [at(0, .procStart)], call(10, .delegateDidBecomeActive), recorded,
      [at(60_000, .traceEnd)])
    return Replay(try Recording(of: events)).run { delegate }
  }

  private func save(_ store: String, isGood: Bool = true) -> [RecordedEvent.Argument] {
    [text("store", store), text("kind", "user_data"), .init("ok", .boolean(isGood))]
  }

  @Test func anotherArgumentIsAChange() throws {
    let recorded = [at(1_010, .dataSave, with: save("notes"))]
    let report = try replay(recorded) { [self] application in
      application.after(1_000_000_000) {
        application.perform(.dataSave, save("notes", isGood: false))
      }
    }
    #expect(report.divergences.map(\.kind) == [.changed])
    let divergence = try #require(report.divergences.first)
    #expect(divergence.call == "data.save store=notes kind=user_data ok=true")
    #expect(divergence.replayedCall == "data.save store=notes kind=user_data ok=false")
    #expect("\(divergence)".hasPrefix("changed: data.save"))
    #expect(report.sideBySide.contains("!  1.010s"))
  }

  @Test func anArgumentMoreOrLessIsAChange() throws {
    let recorded = [at(1_010, .glCall, with: [text("kind", "draw"), number("count", 3)])]
    let report = try replay(recorded) { application in
      application.after(1_000_000_000) {
        application.perform(.glCall, [text("kind", "draw")])
      }
    }
    #expect(report.divergences.map(\.kind) == [.changed])
  }

  @Test func anotherNameIsAnotherCall() throws {
    let recorded = [at(1_010, .dataSave, with: save("notes"))]
    let report = try replay(recorded) { [self] application in
      application.after(1_000_000_000) { application.perform(.dataSave, save("drafts")) }
    }
    #expect(Set(report.divergences.map(\.kind)) == [.missing, .new])
  }

  @Test func numbersMayBeOthersIfTheyMeanTheSame() throws {
    func file(_ time: Int64, _ kind: EventKind, _ handle: Int64) -> RecordedEvent {
      at(time, kind, with: [number("handle", handle)])
    }
    let recorded = [
      file(1_010, .fileOpen, 5), file(2_010, .fileOpen, 6), file(3_010, .fileClose, 6),
      file(4_010, .fileClose, 5),
    ]
    func divergences(_ closed: [Int64]) throws -> [Divergence.Kind] {
      let report = try replay(recorded) { application in
        let calls: [(EventKind, Int64)] = [
          (.fileOpen, 8), (.fileOpen, 9), (.fileClose, closed[0]), (.fileClose, closed[1]),
        ]
        for (second, call) in calls.enumerated() {
          application.after((Int64(second) + 1) * 1_000_000_000) {
            application.perform(call.0, [number("handle", call.1)])
          }
        }
      }
      return report.divergences.map(\.kind)
    }
    let asRecorded = try divergences([9, 8])
    #expect(asRecorded == [])
    let wrongFirst = try divergences([8, 9])
    #expect(wrongFirst == [.changed, .changed])
  }

  @Test func theDroppedOneOfSeveralIsNamed() throws {
    let recorded = (Int64(1)...5).map { at(1_010, .memCache, with: [number("bytes", $0)]) }
    let report = try replay(recorded) { application in
      application.after(1_000_000_000) {
        for bytes in [Int64(1), 2, 4, 5] {
          application.perform(.memCache, [number("bytes", bytes)])
        }
      }
    }
    #expect(report.divergences.map(\.call) == ["mem.cache bytes=3"])
    #expect(report.divergences.map(\.kind) == [.missing])
  }

  @Test func theNumberOfAThreadIsChance() throws {
    let recorded = [at(1_010, .dataSave, thread: 4, with: save("notes"))]
    let cases: [(Int64, [Divergence.Kind])] = [(9, []), (1, [.changed])]
    for (thread, kinds) in cases {
      let report = try replay(recorded) { [self] application in
        application.after(1_000_000_000, thread: thread) {
          application.perform(.dataSave, save("notes"))
        }
      }
      #expect(report.divergences.map(\.kind) == kinds, "thread \(thread): \(report)")
    }
  }

  @Test func theMainThreadIsTheOneThatIsNamed() throws {
    let delegate = ClosureDelegate()
    delegate.active = { [self] application in
      #expect(application.currentThread == 1)
      application.perform(.dataSave, save("notes"))
    }
    let named: [RecordedEvent.Argument] = [number("thread", 259), .init("is_main", .boolean(true))]
    let events = [
      at(0, .procStart, thread: 259), at(0, .traceThread, thread: 259, with: named),
      at(10, .delegateDidBecomeActive, .enter, thread: 259),
      at(10, .dataSave, thread: 259, with: save("notes")),
      at(20, .delegateDidBecomeActive, .return, thread: 259),
      // Here 1 is any other thread.
      at(30, .gamePause, thread: 1), at(40, .traceEnd),
    ]
    let report = Replay(try Recording(of: events)).run { delegate }
    #expect(report.divergences.map(\.event) == [.gamePause], "\(report)")
    #expect(report.divergences.first?.thread != 1)
  }

  @Test func whatTheSystemDidIsNotExpected() throws {
    let recorded = [
      at(1_000, .urlTask, with: [text("op", "finish"), number("task", 1)]),
      at(2_000, .uiAlertDismiss, with: [number("id", 1), text("by", "system")]),
      at(3_000, .newsDownload, with: [text("op", "error"), text("issue", "i")]),
    ]
    let bySystem = try replay(recorded) { _ in }
    #expect(bySystem.divergences.isEmpty, "\(bySystem)")
    let byApp = [
      at(1_000, .urlTask, with: [text("op", "cancel"), number("task", 1)]),
      at(2_000, .uiAlertDismiss, with: [number("id", 1), text("by", "app")]),
      at(3_000, .newsDownload, with: [text("op", "start"), text("issue", "i")]),
    ]
    let report = try replay(byApp) { _ in }
    #expect(report.divergences.map(\.kind) == [.missing, .missing, .missing])
  }

  @Test func tasksOfTheSystemAreNotExpected() throws {
    func task(_ by: String) -> [RecordedEvent] {
      let begun: [RecordedEvent.Argument] = [
        number("token", 7), .init("is_invalid", .boolean(false)), text("name", "t"),
        text("by", by),
      ]
      return [
        at(1_000, .bgtaskBegin, with: begun), at(2_000, .bgtaskEnd, with: [number("token", 7)]),
      ]
    }
    let ofSystem = try replay(task("uikit")) { _ in }
    #expect(ofSystem.divergences.isEmpty, "\(ofSystem)")
    let ofApp = try replay(task("app")) { _ in }
    #expect(ofApp.divergences.map(\.event) == [.bgtaskBegin, .bgtaskEnd])
  }

  @Test func whatTheSystemDidReachesTheApp() throws {
    let delegate = ClosureDelegate()
    var received: [EventKind] = []
    delegate.received = { _, event in received.append(event.kind) }
    let events = [
      at(0, .procStart), at(10, .urlTask, with: [text("op", "finish"), number("task", 1)]),
      at(20, .traceEnd),
    ]
    _ = Replay(try Recording(of: events)).run { delegate }
    #expect(received == [.procStart, .urlTask])
  }

  @Test func anExitOfTheAppIsCompared() throws {
    let exit = at(
      1_010, .procExit, with: [number("code", 3), text("by", "app")])
    let cases: [(milliseconds: Int64?, code: Int64, kinds: [Divergence.Kind])] = [
      (1_000, 3, []), (1_100, 3, []), (nil, 3, [.missing]), (1_000, 4, [.changed]),
      (500, 3, [.earlier]),
    ]
    for (milliseconds, code, kinds) in cases {
      let report = try replay([exit]) { application in
        guard let milliseconds else { return }
        application.after(milliseconds * 1_000_000) {
          application.exit(code)
          application.perform(.gamePause)
        }
      }
      #expect(report.divergences.map(\.kind) == kinds, "\(report)")
    }
  }

  @Test func theSystemsExitIsNotExpected() throws {
    let exit = at(
      1_010, .procExit, with: [number("code", 0), text("by", "uikit_after_will_terminate")])
    let report = try replay([exit]) { _ in }
    #expect(report.divergences.isEmpty, "\(report)")
  }
}
