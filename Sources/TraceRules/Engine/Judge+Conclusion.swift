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
    forgetExplainedKills()
    joinUnits()
  }

  /// Makes one finding of those for one unit that were kept apart until their evidence was weighed:
  /// that of the clause that stands first.
  private func joinUnits() {
    struct Place: Hashable {
      var rule: Int
      var unit: UnitKey
    }
    var first: [Place: Int] = [:]
    for (place, entry) in findings.entries.enumerated() where !entry.isWithdrawn {
      guard var unit = entry.unit else { continue }
      unit.evidence = .none
      let key = Place(rule: entry.ruleIndex, unit: unit)
      guard let other = first[key] else {
        first[key] = place
        continue
      }
      let isGraver = entry.draft.clause < findings.entries[other].draft.clause
      let (kept, dropped) = isGraver ? (place, other) : (other, place)
      let draft = findings.entries[dropped].draft
      findings.extend(kept, by: draft.count, until: draft.lastTimeNanoseconds)
      findings.withdraw(dropped)
      first[key] = kept
    }
  }

  /// Whether each violation of a rule must be known, as a rule gives way to another for some.
  func remembersInstances(_ rule: Rule) -> Bool {
    !rule.yields.isEmpty || rulesYieldedTo.contains(rule.id)
  }

  /// Takes back what general rules report of violations that a specific one reports, too.
  func giveWay() {
    let specific = specificSeverities(from: 0)
    guard !specific.isEmpty else { return }
    for (place, entry) in findings.entries.enumerated() where !entry.isWithdrawn {
      if rules[entry.ruleIndex].yields.isEmpty { continue }
      let instances = entry.instances
      let kept = remaining(instances, of: entry, beside: specific)
      if kept.count < instances.count { findings.keep(place, only: kept) }
    }
  }

  /// Settles findings of the launch that has ended which give way to none of its others. A finding
  /// gives way only to those of its own launch, and only the end of a process makes one graver.
  func settleLaunch() {
    let first = findingCountAtLaunchEnd
    findingCountAtLaunchEnd = findings.entries.count
    let specific = specificSeverities(from: first)
    for place in first..<findings.entries.count {
      let entry = findings.entries[place]
      guard entry.settlesAtLaunchEnd, !entry.isSettled, !entry.isWithdrawn else { continue }
      let instances = entry.instances
      if remaining(instances, of: entry, beside: specific).count == instances.count {
        findings.settle(place)
      }
    }
  }

  /// Settles what was said of kills whose launches are over, where no other finding says the same:
  /// none of those launches comes any more.
  func settleKills() {
    let over = waitingKills.filter {
      !isLaunchOpen || findings.entries[$0].launch != model.launch?.number
    }
    guard !over.isEmpty else { return }
    waitingKills.subtract(over)
    let explained = explainedKills()
    let specific = specificSeverities(from: 0)
    for place in over where !explained.contains(place) {
      let entry = findings.entries[place]
      guard !entry.isWithdrawn else { continue }
      let instances = entry.instances
      if remaining(instances, of: entry, beside: specific).count == instances.count {
        findings.settle(place)
      }
    }
  }

  /// The gravest severity with which each violation is reported that others give way for, of the
  /// findings from a place on.
  private func specificSeverities(from first: Int) -> [SpecificKey: Severity] {
    var specific: [SpecificKey: Severity] = [:]
    let wanted = rulesYieldedTo
    for entry in findings.entries[first...] where !entry.isWithdrawn && isTold(entry.ruleIndex) {
      let id = rules[entry.ruleIndex].id
      guard wanted.contains(id) else { continue }
      for draft in entry.instances {
        let severity = ownSeverity(draft, entry)
        // A kill names no instance: what others say without one is no less than it.
        let isNameless = entry.evidence == .kill && draft.key == .none
        for key in SpecificKey.all(of: draft, entry.launch, rule: id)
        where !(isNameless && key.sameness == .key) {
          specific[key] = max(specific[key] ?? severity, severity)
        }
      }
    }
    return specific
  }

  /// The violations of a finding that it doesn't leave to a more specific rule.
  private func remaining(
    _ instances: [Draft], of entry: FindingStore.Entry, beside specific: [SpecificKey: Severity]
  ) -> [Draft] {
    let yields = rules[entry.ruleIndex].yields
    return instances.filter { draft in
      !yields.contains { yield in
        SpecificKey.all(of: draft, entry.launch, rule: yield.rule).contains { key in
          guard key.sameness == yield.sameness, let severity = specific[key] else { return false }
          return !yield.unlessMilder || severity >= ownSeverity(draft, entry)
        }
      }
    }
  }

  /// The severity of a violation by its rule, whatever the caller makes of it.
  func ownSeverity(_ draft: Draft, _ entry: FindingStore.Entry) -> Severity {
    draft.severity ?? rules[entry.ruleIndex].clauses[draft.clause].severity
  }

  /// Judges the clauses that ask the header only.
  func judgeHeader() {
    for ruleIndex in rules.indices where isEvaluated(rules[ruleIndex].id) {
      for clauseIndex in rules[ruleIndex].clauses.indices {
        // A clause is large, and few ask the header: by their places the others aren't copied.
        guard case .header(let test) = rules[ruleIndex].clauses[clauseIndex].pattern
        else { continue }
        let clause = rules[ruleIndex].clauses[clauseIndex]
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
          if !rules[ruleIndex].clausesAreIndependent { break }
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

  static func all(of draft: Draft, _ launch: Int, rule: String) -> [SpecificKey] {
    func make(_ sameness: Yield.Sameness, _ number: Int, _ key: InstanceKey) -> SpecificKey {
      SpecificKey(rule: rule, sameness: sameness, launch: launch, number: number, key: key)
    }
    return [
      make(.launch, 0, .none), make(.background, draft.intervalNumber, .none),
      make(.key, 0, draft.key),
    ] + draft.witness.filter { $0.role != "deadline" }.map { make(.event, $0.ordinal, .none) }
  }
}
