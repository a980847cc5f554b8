// The reports of a rule: what they stand for, which clause wins, and what makes them graver.

import TraceLifecycle
import TraceModel

/// What a report stands for, by its unit.
struct UnitKey: Hashable {
  /// The clause, where clauses report on their own; else -1.
  var clause: Int
  /// The number of the stretch, the launch or the report, as the unit says.
  var number: Int
  var key: InstanceKey
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
  /// A report of a unit: its place among the findings, its clause, and what it counted last.
  struct Report {
    var place: Int
    var rank: Int
    var lastOpening: Int?
    var lastCertain: Int?
  }

  private var reports: [UnitKey: Report] = [:]
  private var doubted: Set<UnitKey> = []
  private var escalating: [Escalating] = []
  private var eventNumber = 0
  var arena = EvidenceArena()

  init(sharesUnits: Bool) { self.sharesUnits = sharesUnits }

  mutating func unit(
    _ unit: ReportUnit, clause: Int, key: InstanceKey, splits: Bool = false, event: Event?,
    _ judge: Judge
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
      number = judge.interval.number
      if splits { unitKey = key }
    case .inactive:
      number = judge.inactiveNumber
      if splits { unitKey = key }
    case .launch: number = launch
    case .trace: number = 0
    }
    return UnitKey(clause: sharesUnits ? -1 : clause, number: number, key: unitKey)
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

  mutating func launchBegan() {
    escalating.removeAll(keepingCapacity: true)
  }

  mutating func mayEscalate(_ place: Int, _ escalation: Clause.Escalation, at time: Int64) {
    guard escalating.count < Self.unitsMax else { return }
    escalating.append(
      Escalating(place: place, launch: 0, timeNanoseconds: time, escalation: escalation))
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
