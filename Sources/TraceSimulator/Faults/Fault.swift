// A fault that is planted in a simulation, and the rule that must see it.
// Faults are written from the specification of the rules, never from the code that checks them.

import TraceModel

/// Something that goes wrong in an otherwise healthy session.
package struct Fault: Sendable {
  package let name: String
  /// The rule that must be violated.
  package let rule: String
  /// Rules that the specification has violated by the same events, which nothing suppresses.
  package let alongside: [String]
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

  /// - Parameter script: Steps, separated by semicolons.
  init(
    _ name: String, _ rule: String, _ summary: String, on profile: SystemProfile = .ios8,
    app parts: [AppPartName] = [], failing lapses: Set<Lapse> = [], _ script: String,
    alongside: [String] = [], endsAtOnce: Bool = false,
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
    self.alongside = alongside
    self.endsAtOnce = endsAtOnce
    self.declare = declare
    self.actions = actions
  }

  /// Every fault, family by family.
  package static var all: [Fault] {
    taskFaults + suspensionFaults + timeFaults + graphicsFaults + orderFaults + inactiveFaults
      + modeFaults + resourceFaults + noticeFaults + screenFaults + modernFaults
  }

  /// Rules of severity error or warning that no simulated session can violate, with the reason.
  package static let notInjected: [String: String] = [
    "LM18": "where it would be violated, LC613 is, too, and replaces it"
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
