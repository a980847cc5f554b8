// The naive interpreter: judges one rule over a whole trace, obvious and slow.
// It must not share anything with the production monitors but the rule itself.

import TraceLifecycle
import TraceModel
package import TraceRules

/// One report of a rule, as far as it is compared.
package struct NaiveViolation: Hashable, Sendable {
  package var reason: String?
  package var severity: Severity
  package var time: Int64
  package var launch: Int
  package var count: Int
}

/// What the interpreter says of a rule and a trace.
package struct NaiveJudgement: Sendable {
  /// Sorted by time.
  package var violations: [NaiveViolation] = []
  /// Whether something of the trace can't be decided.
  package var mayBeUnknown = false
}

/// One violation before reports are made of it.
struct NaiveHit {
  /// What is violated once: the place of the offending event, or of the one that opened.
  var offender: Int
  var key: [NaiveKey] = []
  var time: Int64
  /// The place of the last event at this time or before it.
  var moment: Int
  var weight = 1
  /// The launch, where it isn't that of the moment.
  var launch: Int?
  /// The severity, where it isn't that of the clause.
  var severity: Severity?
  /// The event with whose report it counts, where events are reported on their own.
  var reportedWith: Int?
}

/// Judges one rule over one trace.
///
/// A class, because it remembers the facts it has looked up.
package final class NaiveInterpreter {
  let rule: Rule
  let trace: NaiveTrace
  var isUnknown = false
  var factMemo: [FactQuestion: FactState] = [:]

  package init(_ rule: Rule, _ trace: NaiveTrace) {
    self.rule = rule
    self.trace = trace
  }

  var events: [NaiveEvent] { trace.events }

  /// What the rule says of the trace.
  package func judgement() -> NaiveJudgement {
    isUnknown = false
    let isCovered = rule.needs.allSatisfy { self.isCovered($0) }
    let isEvaluated =
      isCovered && rule.profiles.contains(trace.profile)
      && !(rule.measuresSuspensions && trace.header.string(.clockKind) == "uptime")
    var hits: [(clause: Int, hit: NaiveHit)] = []
    for (place, clause) in rule.clauses.enumerated() where isEvaluated && clause.evidence != .kill {
      hits += self.hits(clause, place).map { (place, $0) }
    }
    let told = hits.map(\.hit)
    for (place, clause) in rule.clauses.enumerated() where clause.evidence == .kill {
      hits += self.hits(clause, place).filter { hit in
        let isExplained = told.contains {
          launch(of: $0) == launch(of: hit) && (!clause.hasKeyedEvent || $0.key == hit.key)
        }
        let counts = clause.hasKeyedEvent || !isCovered || isMidLife(launch(of: hit))
        return counts && !isExplained
      }.map { (place, $0) }
    }
    var violations: [NaiveViolation] = []
    if rule.clausesAreIndependent {
      for place in rule.clauses.indices {
        violations += reports(hits.filter { $0.clause == place })
      }
    } else {
      violations = reports(hits)
    }
    return NaiveJudgement(
      violations: violations.sorted { ($0.time, $0.launch) < ($1.time, $1.launch) },
      mayBeUnknown: isUnknown)
  }

  /// Whether the recording of a launch begins in the middle of its life.
  private func isMidLife(_ launch: Int) -> Bool {
    events.contains {
      $0.launch == launch && ($0.isMidLife || $0.model.launch?.isMidLife == true)
    }
  }

  /// Whether the stretch of inactivity of a hit isn't so short that it is spared.
  private func isJudged(_ hit: NaiveHit, _ spared: Amount) -> Bool {
    let stretch = events[hit.moment].inactive
    for place in events.indices where place > hit.moment {
      let event = events[place]
      if event.endsLaunch { return true }
      guard event.inactive > stretch else { continue }
      let state = event.stateBefore
      let length = event.time.minus(event.modelBefore.stateSinceNanoseconds)
      if state == .inactive && length >= number(spared, at: place) ?? 0 { return true }
      if event.losesTrack || (state != .inactive && state != .resigning) { isUnknown = true }
      return false
    }
    return true
  }

  /// The violations of a clause that count.
  private func hits(_ clause: Clause, _ place: Int) -> [NaiveHit] {
    let applies = clause.applies.map { $0.holds(for: trace.header, trace.profile) } ?? true
    if applies == false { return [] }
    if clause.evidence == .noSuspension, events.contains(where: { $0.kind == .procSuspend }) {
      return []
    }
    var hits = hits(clause.pattern, clause)
    if let spared = clause.sparesInactivity { hits = hits.filter { isJudged($0, spared) } }
    let isDecided =
      applies == true && clause.needs.allSatisfy { isCovered($0, orNotDeclared: true) }
      && (clause.evidence != .suspensionOrHeartbeat || trace.hasSuspendOrHeartbeat)
    if !isDecided && !hits.isEmpty { isUnknown = true }
    return isDecided ? hits : []
  }

  private func hits(_ pattern: Pattern, _ clause: Clause) -> [NaiveHit] {
    switch pattern {
    case .never(let never): return hits(never)
    case .expect(let expect): return hits(expect)
    case .lasts(let lasts): return hits(lasts)
    case .sums(let sums): return hits(sums)
    case .openAtMost(let most): return hits(most)
    case .limit(let limit): return hits(limit)
    case .order(let order): return hits(order)
    case .header(let test):
      let holds = test.holds(for: trace.header, trace.profile)
      if holds == nil { isUnknown = true }
      return holds == true ? [NaiveHit(offender: -1, time: 0, moment: -1, launch: 0)] : []
    case .handWritten(let written, because: _): return self.hits(written, clause)
    }
  }

  // MARK: Reports

  /// For what one report is made.
  private enum Unit: Hashable {
    case event(Int)
    case key(launch: Int, [NaiveKey])
    case background(launch: Int, Int, [NaiveKey])
    case inactive(Int, [NaiveKey])
    case launch(Int)
    case trace
  }

  private func unit(_ hit: NaiveHit, _ unit: ReportUnit, splitsByKey: Bool) -> Unit {
    let launch = launch(of: hit)
    let key = splitsByKey ? hit.key : []
    switch unit {
    case .event: return .event(hit.reportedWith ?? hit.offender)
    case .key: return .key(launch: launch, hit.key)
    case .background:
      let number = hit.moment < 0 ? 0 : events[hit.moment].background
      return .background(launch: launch, number, key)
    case .inactive: return .inactive(hit.moment < 0 ? 0 : events[hit.moment].inactive, key)
    case .launch: return .launch(launch)
    case .trace: return .trace
    }
  }

  private func launch(of hit: NaiveHit) -> Int {
    hit.launch ?? (hit.moment < 0 ? 0 : events[hit.moment].launch)
  }

  /// The place of a hit's unit among all of its kind; for limits that count for each unit.
  func group(
    _ hits: [NaiveHit], per unit: ReportUnit, splitsByKey: Bool = false
  ) -> [[NaiveHit]] {
    Array(Dictionary(grouping: hits) { self.unit($0, unit, splitsByKey: splitsByKey) }.values)
  }

  private func reports(_ hits: [(clause: Int, hit: NaiveHit)]) -> [NaiveViolation] {
    let units = Dictionary(grouping: hits) { clause, hit in
      let pattern = rule.clauses[clause].pattern
      let splitsByKey = if case .never = pattern { true } else { false }
      return unit(hit, reportUnit(pattern), splitsByKey: splitsByKey)
    }
    return units.values.map(report)
  }

  /// One report of hits that belong together: the clause that stands first in the rule wins, and
  /// each offender counts once.
  private func report(_ hits: [(clause: Int, hit: NaiveHit)]) -> NaiveViolation {
    let winner = hits.map(\.clause).min() ?? 0
    let first = hits.filter { $0.clause == winner }.map(\.hit).min {
      ($0.time, $0.moment, $0.offender) < ($1.time, $1.moment, $1.offender)
    }
    let clause = rule.clauses[winner]
    guard let first else { preconditionFailure("a group is never empty") }
    let count = Dictionary(grouping: hits, by: \.hit.offender).values.reduce(0) { sum, same in
      let clause = same.map(\.clause).min()
      return sum + (same.filter { $0.clause == clause }.map(\.hit.weight).max() ?? 0)
    }
    return NaiveViolation(
      reason: clause.reason, severity: first.severity ?? severity(clause, first), time: first.time,
      launch: launch(of: first), count: count)
  }

  private func reportUnit(_ pattern: Pattern) -> ReportUnit {
    switch pattern {
    case .never(let never): never.unit
    case .expect(let expect): expect.unit
    case .lasts(let lasts): lasts.unit
    case .sums(let sums): sums.unit
    case .openAtMost(let most): most.unit
    case .limit(let limit): limit.unit
    case .order(let order): order.unit
    case .header: .trace
    case .handWritten: .event
    }
  }

  private func severity(_ clause: Clause, _ hit: NaiveHit) -> Severity {
    if rule.isLoweredUnderDebugger && trace.isLimitedBySystem { return .note }
    guard let escalation = clause.escalation, hit.moment >= 0 else { return clause.severity }
    let launch = launch(of: hit)
    let isGraver = events.indices.contains { place in
      let event = events[place]
      guard event.kind == .procKill, event.endsProcess, event.launch == launch,
        event.time >= hit.time, place >= hit.moment
      else { return false }
      if let within = escalation.withinNanoseconds, event.time.minus(hit.time) > within {
        return false
      }
      if let fact = escalation.whileFact, anyFactHolds(fact, before(place)) != true {
        return false
      }
      return isKill(place, causes: escalation.causes, codes: escalation.codes)
        || (escalation.causes.isEmpty && escalation.codes.isEmpty)
    }
    return isGraver ? escalation.severity : clause.severity
  }

  /// Whether a kill has one of these causes or codes.
  func isKill(_ place: Int, causes: [String], codes: [UInt32]) -> Bool {
    let event = events[place]
    guard event.kind == .procKill else { return false }
    if let cause = event.text("cause"), causes.contains(cause) { return true }
    guard let code = event.arguments["code"]?.int64 else { return false }
    return codes.contains(UInt32(truncatingIfNeeded: code))
  }

  // MARK: Coverage

  /// Whether the recorder instruments a namespace. Clauses need those of background modes only of
  /// apps that declare one of the modes.
  private func isCovered(_ need: String, orNotDeclared: Bool = false) -> Bool {
    let header = trace.header
    if need == "delegate", trace.profile == .scene, header.covers("scene") { return true }
    let modes: [String: [String]] = [
      "audio": ["audio"], "loc": ["location"], "voip": ["voip"], "ea": ["external-accessory"],
      "bt": ["bluetooth-central", "bluetooth-peripheral"],
      "completion": ["fetch", "remote-notification"], "bgsched": ["fetch", "processing"],
      "wake": [
        "location", "voip", "external-accessory", "bluetooth-central", "bluetooth-peripheral",
        "fetch", "remote-notification", "newsstand-content",
      ],
    ]
    let declared = header.strings(.backgroundModes) ?? []
    if orNotDeclared, let needing = modes[need], !declared.contains(where: needing.contains) {
      return true
    }
    return header.covers(need)
  }
}
