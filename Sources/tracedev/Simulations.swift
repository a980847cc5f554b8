// Whether the rules agree with the simulated phone, which describes the life cycle by itself.

import ArgumentParser
import TraceCatalogue
import TraceIO
import TraceModel
import TraceRules
import TraceSimulator

struct Simulations: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judges and replays simulated sessions.",
    subcommands: [HealthySessions.self, FaultMatrix.self, ReplayedSessions.self])
}

/// Judges a simulated trace while it is made.
struct JudgingSink: TraceSink {
  private var checker: Checker?
  private(set) var judgement: Judgement?
  private(set) var eventCount = 0
  /// What happened at all.
  private(set) var kinds = KindSet()
  let plans: RulePlans

  init(_ plans: RulePlans) { self.plans = plans }

  mutating func begin(_ header: TraceHeader) { checker = Checker(header: header, plans: plans) }

  mutating func consume(_ batch: EventBatch) {
    eventCount += batch.count
    for index in 0..<batch.count { kinds.insert(batch.event(at: index).kind) }
    var source = batch
    checker?.consume(&source)
  }

  mutating func end() {
    if var ended = checker.take() { judgement = ended.finish(isDamaged: false) }
  }

  /// What was found of severity warning or error.
  var serious: [Finding] { (judgement?.findings ?? []).filter { $0.severity >= .warning } }
}

struct HealthySessions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "healthy", abstract: "Judges healthy sessions of every profile.")

  @Option(help: "How many sessions, spread over all profiles.")
  var count = 10_000

  @Option(help: "The first seed.")
  var seed: UInt64 = 1

  /// How many findings of a session are printed.
  private static let shownMax = 5

  /// What happens rarely, and says something of healthy lives only if it happens at all.
  private static let rareKinds: [EventKind] = [
    .bgtaskExpire, .bgschedExpire, .pushkitReceive, .callkitReport, .voipCall, .voipKeepalive,
    .audioInterruption, .stateApplication, .stateTimeRemaining, .sysShutdown, .sysBoot,
    .localnoteFire, .delegateDidReceiveLocalNotification, .delegateOpenUrl, .eaData, .btData,
    .newsDownload, .delegateHandleUrlSession, .procExit, .procKill,
  ]

  /// From so many sessions on everything must have happened.
  private static let fullCount = 10_000

  func run() throws {
    var options = CheckOptions()
    options.minimisesWitnesses = false
    let plans = RulePlans(options)
    var failures = 0
    var events = 0
    var simulated: Int64 = 0
    let start = ProcessClocks.continuousNanoseconds()
    var notes: [String: Int] = [:]
    var kinds = KindSet()
    for number in 0..<count {
      let profile = SystemProfile.allCases[number % SystemProfile.allCases.count]
      let simulation = Simulation(seed: seed &+ UInt64(number), profile: profile)
      var sink = JudgingSink(plans)
      simulated += simulation.run(into: &sink)
      events += sink.eventCount
      kinds.formUnion(sink.kinds)
      for finding in sink.judgement?.findings ?? [] where finding.severity == .note {
        notes[finding.rule, default: 0] += 1
      }
      failures += sink.serious.count
      for finding in sink.serious.prefix(Self.shownMax) {
        print("\(finding.rule) \(finding.reason ?? ""): \(finding.message)")
      }
      if !sink.serious.isEmpty {
        print(
          "  tracecheck simulate --seed \(simulation.seed) --profile \(profile.rawValue) -o - |"
            + " tracecheck check -")
      }
    }
    let seconds = Double(ProcessClocks.continuousNanoseconds() - start) / 1e9
    let speed = Double(simulated) / 1e9 / max(seconds, 0.001)
    print("notes: \(notes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
    print(
      "\(count) healthy sessions from seed \(seed): \(events) events, \(failures) errors and"
        + " warnings; \(simulated / 1_000_000_000) s simulated and judged in \(Int(seconds)) s,"
        + " \(Int(speed)) times as fast as they happen")
    let absent = Self.rareKinds.filter { !kinds.contains($0) }
      .compactMap { Vocabulary.description(of: $0)?.name }
    if !absent.isEmpty { print("never happened: \(absent.joined(separator: ", "))") }
    if failures > 0 || (count >= Self.fullCount && !absent.isEmpty) { throw ExitCode(1) }
  }
}
