// Whether replays of simulated sessions diverge where the app was changed, and nowhere else.

import ArgumentParser
import TraceModel
import TraceReplay
import TraceReplaySupport
import TraceSimulator

struct ReplayedSessions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replays",
    abstract: "Replays sessions against the app that lived them, which must not diverge.")

  @Option(help: "How many sessions, spread over all profiles.")
  var count = 1_000

  @Option(help: "The first seed.")
  var seed: UInt64 = 1

  @Option(help: "The profile of all sessions, instead of each in turn.")
  var profile: String?

  @Flag(help: "Also replay against apps in which one thing was changed, which must be named.")
  var planted = false

  /// The profiles that take turns.
  private func profiles() throws -> [SystemProfile] {
    guard let profile else { return SystemProfile.allCases }
    guard let only = SystemProfile(rawValue: profile) else {
      let names = SystemProfile.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--profile takes one of \(names)")
    }
    return [only]
  }

  func run() throws {
    guard count > 0 else { throw ValidationError("--count takes a number from 1 on") }
    let profiles = try profiles()
    var failures = 0
    var calls = 0
    var changes: [PlantedChange: (planted: Int, named: Int)] = [:]
    for number in 0..<count {
      let session = try ReplayedSession(
        Simulation(seed: seed &+ UInt64(number), profile: profiles[number % profiles.count]))
      let report = session.replay()
      calls += report.callCount
      if !report.divergences.isEmpty {
        failures += 1
        printRepeat(session)
        for divergence in report.divergences.prefix(5) { print("  \(divergence)") }
      }
      for change in PlantedChange.allCases where planted {
        let (isPlanted, isNamed) = session.plant(change)
        guard isPlanted else { continue }
        changes[change, default: (0, 0)].planted += 1
        if isNamed {
          changes[change, default: (0, 0)].named += 1
        } else {
          printRepeat(session)
          print("  \(change.rawValue) isn't named")
        }
      }
    }
    print(
      "\(count) sessions from seed \(seed) replayed: \(calls) calls compared, \(failures)"
        + " sessions diverge")
    for change in PlantedChange.allCases where planted {
      let (all, named) = changes[change] ?? (0, 0)
      print("\(change.rawValue): in \(all) sessions, named in \(named)")
      failures += all - named
    }
    if failures > 0 { throw ExitCode(1) }
  }

  private func printRepeat(_ session: ReplayedSession) {
    print(
      "tracedev simulations replays --seed \(session.simulation.seed) --profile"
        + " \(session.simulation.profile.rawValue) --count 1" + (planted ? " --planted" : ""))
  }
}

/// One thing that an app does otherwise than the one that was recorded.
enum PlantedChange: String, CaseIterable {
  case droppedEnds = "end calls dropped"
  case lateSave = "saves moved after the return"
  case addedDraw = "GL calls added"
}

/// A session, and what was recorded of it.
struct ReplayedSession {
  let simulation: Simulation
  private var recording = Recording()

  init(_ simulation: Simulation) throws {
    self.simulation = simulation
    try simulation.run(into: &recording)
  }

  func replay(
    lapses: Set<Lapse> = [], besides: [EventKind: (any AppSystem) -> Void] = [:]
  ) -> ReplayReport {
    let traits = SystemTraits(profile: simulation.profile)
    return Replay(recording).run {
      ModelDelegate(simulation.makeApp(lapses: lapses), traits, besides: besides)
    }
  }

  /// Replays against an app with a change.
  ///
  /// - Returns: Whether the session comes to what was changed, and whether the report names it.
  func plant(_ change: PlantedChange) -> (isPlanted: Bool, isNamed: Bool) {
    switch change {
    case .droppedEnds:
      guard endCount > 0 else { return (false, false) }
      let report = replay(lapses: [.dropsEnds])
      return (true, report.has(.missing, .bgtaskEnd))
    case .lateSave:
      guard savesOnEntry else { return (false, false) }
      let report = replay(lapses: [.savesLate])
      return (true, report.has(.reordered, .dataSave) || report.has(.missing, .dataSave))
    case .addedDraw:
      var drawn = 0
      let draw: (any AppSystem) -> Void = { system in
        drawn += 1
        system.note(.glCall, [.context: 1, .kind: "draw"])
      }
      let report = replay(
        besides: [.delegateDidEnterBackground: draw, .sceneDidEnterBackground: draw])
      let found = report.divergences.filter { $0.kind == .new && $0.event == .glCall }
      return (drawn > 0, found.count == drawn)
    }
  }

  /// How many tasks the app ended when their work was done, which it does on other threads.
  private var endCount: Int {
    recording.events.filter { $0.kind == .bgtaskEnd && $0.thread != 1 }.count
  }

  /// Whether documents are saved before the app says that it is in the background.
  private var savesOnEntry: Bool {
    var isEntering = false
    for event in recording.events where event.thread == 1 {
      switch event.kind {
      case .delegateDidEnterBackground, .sceneDidEnterBackground:
        isEntering = event.phase == .enter
      case .dataSave where isEntering: return true
      default: break
      }
    }
    return false
  }
}

extension ReplayReport {
  fileprivate func has(_ kind: Divergence.Kind, _ event: EventKind) -> Bool {
    divergences.contains { $0.kind == kind && $0.event == event }
  }
}
