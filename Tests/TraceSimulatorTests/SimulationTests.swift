// What a simulation promises: the same seed gives the same life, and a life follows its profile.

import Testing
import TraceModel
import TraceSimulator

struct SimulationTests {
  /// The kinds and phases of a session, without the rest.
  private func calls(_ script: String, on profile: SystemProfile) throws -> [String] {
    let scenario = try ScenarioText.parse(script)
    var sink = CollectingSink()
    Simulation(seed: 1, profile: profile, parts: [], scenario: scenario).run(into: &sink)
    return sink.lines.filter {
      $0.hasPrefix("delegate.") || $0.hasPrefix("scene.") || $0.hasPrefix("proc.")
    }
    .filter { !$0.hasSuffix("<") }
  }

  private let launch = [
    "proc.start", "proc.main", "delegate.will_finish_launching", "delegate.did_finish_launching",
  ]

  @Test func leavingSuspendsAnAppWhereAppsAreKept() throws {
    #expect(
      try calls("0s open\n2s home\n10s open", on: .ios8)
        == launch + [
          "delegate.did_become_active", "delegate.will_resign_active",
          "delegate.did_enter_background", "proc.suspend", "proc.resume",
          "delegate.will_enter_foreground", "delegate.did_become_active",
        ])
  }

  @Test(arguments: [
    (SystemProfile.os3, ["delegate.will_resign_active", "delegate.will_terminate"]),
    (
      .sdk3,
      ["delegate.will_resign_active", "delegate.did_enter_background", "delegate.will_terminate"]
    ),
    (.nomt, ["delegate.did_enter_background", "delegate.will_terminate"]),
    (.optout, ["delegate.will_terminate"]),
  ])
  func leavingEndsAnAppWhereNoneAreKept(_ profile: SystemProfile, _ leaving: [String]) throws {
    #expect(
      try calls("0s open\n2s home", on: profile)
        == launch + ["delegate.did_become_active"] + leaving + ["proc.exit"])
  }

  @Test func aLockedScreenLeavesAnOldAppInactive() throws {
    #expect(
      try calls("0s open\n2s lock\n10s unlock", on: .ios4).dropFirst(4) == [
        "delegate.did_become_active", "delegate.will_resign_active", "delegate.did_become_active",
      ])
    #expect(
      try calls("0s open\n2s lock\n1s wait", on: .ios5).dropFirst(4).prefix(3) == [
        "delegate.did_become_active", "delegate.will_resign_active",
        "delegate.did_enter_background",
      ])
  }

  @Test func scenesAreToldInsteadOfTheDelegate() throws {
    #expect(
      try calls("0s open\n2s home", on: .scene).dropFirst(4) == [
        "scene.will_connect", "scene.will_enter_foreground", "scene.did_become_active",
        "scene.will_resign_active", "scene.did_enter_background", "proc.suspend",
      ])
  }

  @Test func aSuspendedAppIsNotToldOfItsEnd() throws {
    let found = try calls("0s open\n2s home\n20s force-quit", on: .ios8)
    #expect(found.suffix(2) == ["proc.suspend", "proc.kill"])
    #expect(!found.contains("delegate.will_terminate"))
  }

  @Test(arguments: SystemProfile.allCases) func theSameSeedGivesTheSameLife(
    _ profile: SystemProfile
  ) throws {
    for seed in UInt64(1)...20 {
      var first = CollectingSink()
      var second = CollectingSink()
      Simulation(seed: seed, profile: profile).run(into: &first)
      Simulation(seed: seed, profile: profile).run(into: &second)
      #expect(first == second, "seed \(seed)")
      #expect(zip(first.times, first.times.dropFirst()).allSatisfy(<=), "seed \(seed)")
    }
  }

  @Test func aSessionPrintedAsAScenarioHappensAgain() throws {
    for seed in UInt64(1)...100 {
      let simulation = Simulation(seed: seed)
      let text = ScenarioText.text(of: simulation.scenario)
      let again = Simulation(seed: seed, scenario: try ScenarioText.parse(text))
      var first = CollectingSink()
      var second = CollectingSink()
      simulation.run(into: &first)
      again.run(into: &second)
      #expect(first == second, "seed \(seed):\n\(text)")
    }
  }

  @Test func otherSeedsGiveOtherLives() {
    var lives: Set<[String]> = []
    for seed in UInt64(1)...50 {
      var sink = CollectingSink()
      Simulation(seed: seed, profile: .ios8).run(into: &sink)
      lives.insert(sink.lines)
    }
    #expect(lives.count == 50)
  }

  /// A session on every machine: the number is the hash of its events, computed once.
  @Test func aSeedGivesTheSameEventsOnEveryMachine() {
    var sink = CollectingSink()
    Simulation(seed: 42, profile: .ios8).run(into: &sink)
    #expect(sink.hash == Self.hashOfSeed42, "\(sink.hash)")
  }

  private static let hashOfSeed42: UInt64 = 14_296_284_345_861_790_877
}

/// Keeps what a simulation says.
struct CollectingSink: TraceSink, Equatable {
  var header = TraceHeader()
  var lines: [String] = []
  var times: [Int64] = []
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func begin(_ header: TraceHeader) { self.header = header }

  mutating func consume(_ batch: EventBatch) {
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      let suffix = event.phase == .return ? "<" : ""
      lines.append(batch.name(of: event.kind) + suffix)
      times.append(event.timeNanoseconds)
      let text = "\(lines[lines.count - 1]) \(event.timeNanoseconds) \(event.thread)"
      for byte in (text + "\(batch.arguments(at: index))").utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
  }

  mutating func end() {}
}
