// Whether each planted fault is reported, by its rule alone, as severe as it is, and as often.

import ArgumentParser
import TraceCatalogue
import TraceModel
import TraceRules
import TraceSimulator

struct FaultMatrix: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults",
    abstract: "Plants faults, and prints which reports come: found, missed, extra.",
    discussion: """
      A report is a rule, its severity, its case where the fault names one, and how many \
      violations it counts. Only reports of severity warning and error are looked at.
      """)

  @Argument(help: "Only faults with these names.")
  var names: [String] = []

  func run() throws {
    var options = CheckOptions()
    options.minimisesWitnesses = false
    let plans = RulePlans(options)
    var wrong = 0
    let chosen = Fault.all.filter { names.isEmpty || names.contains($0.name) }
    print("fault                      rule   found / missed / extra")
    for fault in chosen {
      let simulation = try Simulation(fault: fault)
      var sink = JudgingSink(plans)
      simulation.run(into: &sink)
      let reports = FaultReports(fault.expected, sink.serious)
      print(
        "\(Self.column(fault.name, 26)) \(Self.column(fault.rule, 6)) \(Self.list(reports.found))"
          + " / \(Self.list(reports.missed)) / \(Self.list(reports.extra))")
      if !reports.isRight {
        wrong += 1
        print("  tracecheck simulate --fault \(fault.name) -o - | tracecheck check -")
      }
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

  private static func list(_ reports: [String]) -> String {
    reports.isEmpty ? "-" : reports.sorted().joined(separator: " ")
  }

  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// What was reported of a fault, beside what had to be.
private struct FaultReports {
  private(set) var found: [String] = []
  private(set) var missed: [String] = []
  private(set) var extra: [String] = []

  var isRight: Bool { missed.isEmpty && extra.isEmpty }

  init(_ expected: [ExpectedFinding], _ findings: [Finding]) {
    var open = expected
    for finding in findings {
      if let place = open.firstIndex(where: { Self.agree($0, finding) }) {
        open.remove(at: place)
        found.append(Self.text(of: finding))
      } else {
        extra.append(Self.text(of: finding))
      }
    }
    missed = open.map(\.description)
  }

  private static func agree(_ expected: ExpectedFinding, _ finding: Finding) -> Bool {
    expected.rule == finding.rule && expected.severity.rawValue == finding.severity.rawValue
      && expected.count == finding.count
      && (expected.reason == nil || expected.reason == finding.reason)
  }

  private static func text(of finding: Finding) -> String {
    ExpectedFinding.text(
      finding.rule, finding.severity.rawValue, finding.reason, finding.count)
  }
}
