// A recorded life replayed against the app that lived it, and against one that was changed.

import Testing
import TraceModel
import TraceReplay
import TraceReplaySupport
import TraceSimulator

struct ReplayTests {
  private func replay(
    _ simulation: Simulation, lapses: Set<Lapse> = [],
    besides: [EventKind: (any AppSystem) -> Void] = [:]
  ) throws -> ReplayReport {
    var recording = Recording()
    try simulation.run(into: &recording)
    let traits = SystemTraits(profile: simulation.profile)
    return Replay(recording).run {
      ModelDelegate(simulation.makeApp(lapses: lapses), traits, besides: besides)
    }
  }

  /// Somebody writes, and leaves several times: saves happen in both ways that the app has.
  private func writing(seed: UInt64) throws -> Simulation {
    let visit = "1s touch 9\n2s home\n30s open\n"
    return Simulation(
      seed: seed, profile: .ios8, parts: [.documents],
      scenario: try ScenarioText.parse("0s open\n" + String(repeating: visit, count: 6)))
  }

  @Test(arguments: SystemProfile.allCases)
  func theSameAppDivergesNowhere(_ profile: SystemProfile) throws {
    var callCount = 0
    for seed in UInt64(1)...15 {
      let report = try replay(Simulation(seed: seed, profile: profile))
      #expect(report.divergences.isEmpty, "seed \(seed): \(report)")
      callCount += report.callCount
    }
    #expect(callCount > 50)
  }

  @Test func aDroppedEndIsMissing() throws {
    let report = try replay(writing(seed: 3), lapses: [.dropsEnds])
    #expect(!report.divergences.isEmpty)
    for divergence in report.divergences {
      #expect(divergence.kind == .missing && divergence.event == .bgtaskEnd, "\(divergence)")
    }
  }

  @Test func aSaveAfterTheReturnIsReordered() throws {
    let report = try replay(writing(seed: 3), lapses: [.savesLate])
    #expect(!report.divergences.isEmpty)
    for divergence in report.divergences {
      #expect(divergence.kind == .reordered && divergence.event == .dataSave, "\(divergence)")
      #expect(divergence.recordedInside == .delegateDidEnterBackground)
      #expect(divergence.replayedInside == nil)
    }
  }

  @Test func anAddedCallIsNew() throws {
    let report = try replay(
      writing(seed: 3),
      besides: [
        .delegateDidEnterBackground: { $0.note(.glCall, [.context: 1, .kind: "draw"]) }
      ])
    #expect(report.divergences.count == 6)
    for divergence in report.divergences {
      #expect(divergence.kind == .new && divergence.event == .glCall, "\(divergence)")
      #expect(divergence.replayedInside == .delegateDidEnterBackground)
    }
    #expect(report.sideBySide.contains("| gl.call context=1 kind=draw"))
  }
}
