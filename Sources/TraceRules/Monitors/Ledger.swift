// The reports of a rule: what they stand for, which clause wins, and what makes them graver.

import TraceLifecycle
import TraceModel

/// What a report stands for, by its unit.
struct UnitKey: Hashable {
  /// The clause, where clauses report on their own; else -1.
  var clause: Int
  var unit: ReportUnit
  /// The number of the stretch, the launch or the report, as the unit says.
  var number: Int
  /// The launch, for units that end with it.
  var launch = 0
  var key: InstanceKey
  /// What must be in the trace for the report to stand; those with another are joined at the end.
  var evidence = Clause.Evidence.none
}

/// The stretches of time at hand, by number.
struct Stretch: Hashable {
  var background: Int
  var inactive: Int
}

/// The reports that one rule made, so that further violations for the same unit only count.
struct Ledger {
  /// Units remembered at once; beyond it the oldest report takes what comes.
  static let unitsMax = 16_384

  struct Escalating {
    var place: Int
    var launch: Int
    var timeNanoseconds: Int64
    var escalation: Clause.Escalation
    var killWitness: WitnessEvent?
  }

  let sharesUnits: Bool
  /// Offending events that a report remembers, so that none counts twice.
  static let offendersMax = 4_096

  /// A report of a unit: its place among the findings, its clause, and what it counted.
  struct Report {
    var place: Int
    var rank: Int
    var timeNanoseconds: Int64
    /// The places of the events that violate, or that opened what does.
    var offenders: Set<Int> = []

    /// Whether an offender hasn't been counted yet.
    mutating func counts(_ offender: Int?) -> Bool {
      guard let offender, offenders.count < Ledger.offendersMax else { return true }
      return offenders.insert(offender).inserted
    }
  }

  private var reports: [UnitKey: Report] = [:]
  private var doubted: Set<UnitKey> = []
  private var escalating: [Escalating] = []
  var arena = EvidenceArena()

  init(sharesUnits: Bool) { self.sharesUnits = sharesUnits }

  mutating func unit(
    _ unit: ReportUnit, clause: Int, key: InstanceKey, splits: Bool = false,
    evidence: Clause.Evidence = .none, event: Event?, stretch: Stretch? = nil, _ judge: Judge
  ) -> UnitKey {
    let launch = judge.model.launch?.number ?? 0
    let number: Int
    var unitKey = InstanceKey.none
    switch unit {
    case .event: number = event?.ordinal ?? -1
    case .key:
      number = launch
      unitKey = key
    case .background:
      number = stretch?.background ?? judge.interval.number
      if splits { unitKey = key }
    case .inactive:
      number = stretch?.inactive ?? judge.inactiveNumber
      if splits { unitKey = key }
    case .launch: number = launch
    case .trace: number = 0
    }
    let endsWithLaunch = unit == .background || unit == .inactive
    return UnitKey(
      clause: sharesUnits ? -1 : clause, unit: unit, number: number,
      launch: endsWithLaunch ? launch : 0, key: unitKey, evidence: evidence)
  }

  func report(of unit: UnitKey) -> Report? { reports[unit] }

  mutating func remember(_ unit: UnitKey, _ report: Report) {
    if reports.count >= Self.unitsMax { reports.removeAll(keepingCapacity: true) }
    reports[unit] = report
  }

  /// Whether nobody has said yet that the unit is undecided.
  mutating func doubts(_ unit: UnitKey) -> Bool {
    if doubted.count >= Self.unitsMax { doubted.removeAll(keepingCapacity: true) }
    return doubted.insert(unit).inserted
  }

  /// Whether there are findings that the end of the process may make graver.
  var isEscalating: Bool { !escalating.isEmpty }

  mutating func launchBegan() {
    escalating.removeAll(keepingCapacity: true)
  }

  mutating func mayEscalate(_ place: Int, _ escalation: Clause.Escalation, at time: Int64) {
    guard escalating.count < Self.unitsMax else { return }
    escalating.append(
      Escalating(place: place, launch: 0, timeNanoseconds: time, escalation: escalation))
  }

  /// Another case took the place of a finding.
  mutating func replaceEscalation(
    _ place: Int, _ escalation: Clause.Escalation?, at time: Int64
  ) {
    escalating.removeAll { $0.place == place }
    if let escalation { mayEscalate(place, escalation, at: time) }
  }

  /// The process was killed, or exited: findings that foresaw it get graver.
  mutating func escalate(
    at event: Event, _ batch: EventBatch, _ judge: Judge, _ factHolds: (String) -> Bool
  ) {
    guard event.kind == .procKill else { return }
    for entry in escalating {
      let escalation = entry.escalation
      if !escalation.causes.isEmpty || !escalation.codes.isEmpty {
        let cause = batch.text(.cause, of: event)
        let code = batch.integer(.code, of: event).map { UInt32(truncatingIfNeeded: $0) }
        guard
          cause.map({ escalation.causes.contains($0) }) == true
            || code.map({ escalation.codes.contains($0) }) == true
        else { continue }
      }
      if let within = escalation.withinNanoseconds,
        difference(event.timeNanoseconds, entry.timeNanoseconds) > within
      {
        continue
      }
      if let fact = escalation.whileFact, !factHolds(fact) { continue }
      judge.findings.escalate(
        entry.place, to: escalation.severity, batch.witness(event, role: "kill"))
    }
    escalating.removeAll(keepingCapacity: true)
  }
}
