// A fault that is planted in a simulation, and the rule that must see it.
// Faults are written from the specification of the rules, never from the code that checks them.

import TraceModel

/// Something that goes wrong in an otherwise healthy session.
package struct Fault: Sendable {
  package let name: String
  /// The rule that must be violated.
  package let rule: String
  /// Every report that must come: the rule's own, and those of rules that the specification has
  /// violated by the same events, which nothing suppresses.
  package let expected: [ExpectedFinding]
  /// What goes wrong, in a few words.
  package let summary: String
  package let profile: SystemProfile
  package let parts: [AppPartName]
  package let lapses: Set<Lapse>
  /// The session as a scenario.
  package let script: String
  /// Whether the recording ends with the script, whatever the app has open.
  let endsAtOnce: Bool
  let declare: @Sendable (inout AppDeclaration) -> Void
  /// What the app does besides when it is called.
  let actions: [EventKind: @Sendable (any AppSystem) -> Void]

  /// - Parameters:
  ///   - severity: How severe the report is; nil for the severity that the rule has in general.
  ///   - reason: Which case of the rule it is.
  ///   - count: How many violations the report counts.
  ///   - script: Steps, separated by semicolons.
  ///   - alongside: Further reports.
  init(
    _ name: String, _ rule: String, _ summary: String, on profile: SystemProfile = .ios8,
    app parts: [AppPartName] = [], failing lapses: Set<Lapse> = [], _ script: String,
    severity: ExpectedFinding.Severity? = nil, reason: String? = nil, count: Int = 1,
    alongside: [ExpectedFinding] = [], endsAtOnce: Bool = false,
    declare: @escaping @Sendable (inout AppDeclaration) -> Void = { _ in },
    at actions: [EventKind: @Sendable (any AppSystem) -> Void] = [:]
  ) {
    self.name = name
    self.rule = rule
    self.summary = summary
    self.profile = profile
    self.parts = parts
    self.lapses = lapses
    self.script = script.split(separator: ";").joined(separator: "\n")
    expected = [ExpectedFinding(rule, severity, reason: reason, count: count)] + alongside
    self.endsAtOnce = endsAtOnce
    self.declare = declare
    self.actions = actions
  }

  /// Every fault, family by family.
  package static var all: [Fault] {
    taskFaults + balanceFaults + suspensionFaults + timeFaults + graphicsFaults + orderFaults
      + inactiveFaults + modeFaults + resourceFaults + noticeFaults + screenFaults + modernFaults
  }

  /// Rules of severity error or warning that no simulated session can violate, with the reason.
  package static let notInjected: [String: String] = [
    "LM18": "devices don't sleep here, and without sleep LC613 is violated, too, and replaces it"
  ]
}

/// An app that does something besides.
final class FaultyApp: AppModel {
  private let base: any AppModel
  private let actions: [EventKind: @Sendable (any AppSystem) -> Void]

  init(_ base: any AppModel, _ actions: [EventKind: @Sendable (any AppSystem) -> Void]) {
    self.base = base
    self.actions = actions
  }

  func handle(_ call: SystemCall, _ system: any AppSystem) {
    base.handle(call, system)
    actions[call.kind]?(system)
  }
}
