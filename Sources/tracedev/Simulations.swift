// Whether the rules agree with the simulated phone, which describes the life cycle by itself.

import ArgumentParser
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
  let plans: RulePlans

  init(_ plans: RulePlans) { self.plans = plans }

  mutating func begin(_ header: TraceHeader) { checker = Checker(header: header, plans: plans) }

  mutating func consume(_ batch: EventBatch) {
    eventCount += batch.count
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

  func run() throws {
    var options = CheckOptions()
    options.minimisesWitnesses = false
    let plans = RulePlans(options)
    var failures = 0
    var events = 0
    var simulated: Int64 = 0
    let start = ProcessClocks.continuousNanoseconds()
    var notes: [String: Int] = [:]
    for number in 0..<count {
      let profile = SystemProfile.allCases[number % SystemProfile.allCases.count]
      let simulation = Simulation(seed: seed &+ UInt64(number), profile: profile)
      var sink = JudgingSink(plans)
      simulated += simulation.run(into: &sink)
      events += sink.eventCount
      for finding in sink.judgement?.findings ?? [] where finding.severity == .note {
        notes[finding.rule, default: 0] += 1
      }
      for finding in sink.serious {
        failures += 1
        if failures > 50 { continue }
        print("\(finding.rule) \(finding.reason ?? ""): \(finding.message)")
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
    if failures > 0 { throw ExitCode(1) }
  }
}

struct FaultMatrix: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults",
    abstract: "Plants faults, and prints which rules see them: found, missed, extra.")

  @Argument(help: "Only faults with these names.")
  var names: [String] = []

  func run() throws {
    var options = CheckOptions()
    options.minimisesWitnesses = false
    let plans = RulePlans(options)
    var wrong = 0
    let chosen = Fault.all.filter { names.isEmpty || names.contains($0.name) }
    print("fault                      rule   found        missed       extra")
    for fault in chosen {
      let simulation = try Simulation(fault: fault)
      var sink = JudgingSink(plans)
      simulation.run(into: &sink)
      let found = Set(sink.serious.map(\.rule))
      let expected = Set([fault.rule] + fault.alongside)
      let missed = expected.subtracting(found)
      let extra = found.subtracting(expected)
      if !missed.isEmpty || !extra.isEmpty { wrong += 1 }
      let row = [
        Self.column(fault.name, 26), Self.column(fault.rule, 6),
        Self.column(Self.list(found.intersection(expected)), 12),
        Self.column(Self.list(missed), 12), Self.list(extra),
      ]
      print(row.joined(separator: " "))
      if !names.isEmpty {
        for finding in sink.judgement?.findings ?? [] {
          print("  \(finding.severity.rawValue) \(finding.rule): \(finding.message)")
        }
      }
    }
    if names.isEmpty { wrong += printUncovered(chosen) }
    print("\(chosen.count) faults, \(wrong) wrong")
    if wrong > 0 { throw ExitCode(1) }
  }

  /// Prints which rules no fault violates, and why; gives how many lack a reason.
  private func printUncovered(_ faults: [Fault]) -> Int {
    let covered = Set(faults.map(\.rule))
    var count = 0
    for rule in Catalogue.all where rule.severity >= .warning && !covered.contains(rule.id) {
      let reason = Fault.notInjected[rule.id]
      print("\(rule.id) not injected: \(reason ?? "WITHOUT A REASON")")
      if reason == nil { count += 1 }
    }
    return count
  }

  private static func list(_ rules: Set<String>) -> String {
    rules.isEmpty ? "-" : rules.sorted().joined(separator: ",")
  }

  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
