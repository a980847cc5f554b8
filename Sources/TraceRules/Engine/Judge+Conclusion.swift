// What is decided only when the whole trace is known: evidence anywhere in it, rules that give way
// to more specific ones, and the header.

import TraceLifecycle
import TraceModel

extension Judge {
  /// Whether the caller asked for a rule.
  func isTold(_ ruleIndex: Int) -> Bool { ruleIndex < toldRuleCount }

  /// Takes back findings for which the trace lacks the evidence that their clause asks for.
  func weighEvidence() {
    let hasEvidence = model.hasSuspendOrHeartbeat
    for (place, entry) in findings.entries.enumerated() where !entry.isWithdrawn {
      switch entry.evidence {
      case .none: continue
      case .suspensionOrHeartbeat where !hasEvidence:
        findings.withdraw(place)
        unknown(entry.ruleIndex, "no-suspension-recorded")
      case .noSuspension where hasSuspension: findings.withdraw(place)
      default: continue
      }
    }
  }

  /// Takes back findings of general rules for which a specific one reports the same.
  func giveWay() {
    var specific: [SpecificKey: Bool] = [:]
    let wanted = Set(rules.flatMap { $0.yields.map(\.rule) })
    for entry in findings.entries where !entry.isWithdrawn && isTold(entry.ruleIndex) {
      let id = rules[entry.ruleIndex].id
      guard wanted.contains(id) else { continue }
      for key in SpecificKey.all(of: entry, rule: id) { specific[key] = true }
    }
    guard !specific.isEmpty else { return }
    for (place, entry) in findings.entries.enumerated() where !entry.isWithdrawn {
      for yield in rules[entry.ruleIndex].yields {
        let keys = SpecificKey.all(of: entry, rule: yield.rule)
        if keys.contains(where: { $0.sameness == yield.sameness && specific[$0] == true }) {
          findings.withdraw(place)
        }
      }
    }
  }

  /// Judges the clauses that ask the header only.
  func judgeHeader() {
    for (ruleIndex, rule) in rules.enumerated() where isEvaluated(rule.id) {
      for (clauseIndex, clause) in rule.clauses.enumerated() {
        guard case .header(let test) = clause.pattern else { continue }
        if let applies = clause.applies, applies.holds(for: header, profile) != true { continue }
        switch test.holds(for: header, profile) {
        case false?: continue
        case nil: unknown(ruleIndex, "header-silent")
        case true?:
          let message = clause.message.filled(headerFields)
          _ = findings.add(
            FindingStore.Entry(
              ruleIndex: ruleIndex,
              draft: Draft(
                clause: clauseIndex, message: message, subject: "header", timeNanoseconds: 0,
                thread: 0, lastTimeNanoseconds: 0, witness: []),
              launch: 0, launchStartNanoseconds: nil))
          if !rule.clausesAreIndependent { break }
        }
      }
    }
  }

  /// The fields of the header as messages name them: `{background_modes}`.
  private var headerFields: [(name: String, value: String)] {
    HeaderField.allCases.compactMap { field in
      header[field].map { (field.name, Self.text($0)) }
    }
  }
}

extension Judge {
  private static func text(_ value: HeaderValue) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .string(let text), .json(let text): text
    case .strings(let texts): texts.joined(separator: ", ")
    }
  }
}

/// For what the finding of a specific rule replaces that of a general one.
private struct SpecificKey: Hashable {
  var rule: String
  var sameness: Yield.Sameness
  var launch: Int
  var number: Int
  var key: InstanceKey

  static func all(of entry: FindingStore.Entry, rule: String) -> [SpecificKey] {
    let draft = entry.draft
    func make(_ sameness: Yield.Sameness, _ number: Int, _ key: InstanceKey) -> SpecificKey {
      SpecificKey(
        rule: rule, sameness: sameness, launch: entry.launch, number: number, key: key)
    }
    return [
      make(.launch, 0, .none), make(.background, draft.intervalNumber, .none),
      make(.key, 0, draft.key),
    ] + draft.witness.filter { $0.role != "deadline" }.map { make(.event, $0.ordinal, .none) }
  }
}
