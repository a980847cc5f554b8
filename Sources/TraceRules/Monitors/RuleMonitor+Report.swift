// How a violation becomes a finding: what it stands for, what it says, and what shows it.

import TraceLifecycle
import TraceModel

/// A violation of a clause, as its runner sees it.
struct Violation {
  var unit: ReportUnit
  var key = InstanceKey.none
  /// Each key has reports of its own, also within a stretch of time.
  var splitsUnit = false
  /// What was opened and is the matter; nil if the offending event is.
  var opening: PendingWitness?
  /// The event that made the violation certain.
  var certainBy: WitnessEvent?
  var timeNanoseconds: Int64
  var thread: Int64
  var weight = 1
  var durationNanoseconds: Int64?
  var limit = ""
  var others: [PendingWitness] = []
  /// The event that is judged, if it is neither what was opened nor what made it certain.
  var offender: Int?
  /// The stretch that it belongs to; nil: that at hand.
  var stretch: Stretch?
  /// Where the app stood, for the message; nil: as it stands now.
  var since: String?
  var confidence = Confidence.certain
  /// What else made the violation certain.
  var proof: [WitnessEvent] = []
  /// Instead of the clause's message.
  var message: MessageTemplate?
}

extension RuleMonitor {
  /// Reports a violation, or counts it where its unit has a report already.
  func report(
    _ clauseIndex: Int, _ violation: Violation, _ event: Event?, _ batch: EventBatch,
    _ judge: Judge
  ) {
    if doubtfulClauses.contains(clauseIndex) {
      return doubt(
        clauseIndex, violation.unit, key: violation.key,
        event: violation.opening?.event ?? event, "header-silent", judge)
    }
    let clause = clauses[clauseIndex]
    if clause.evidence == .noSuspension && judge.hasSuspension { return }
    if clause.evidence == .kill && !judge.explainsKills(ruleIndex, clause) { return }
    let unit = ledger.unit(
      violation.unit, clause: clauseIndex, key: violation.key, splits: violation.splitsUnit,
      evidence: clause.evidence, event: violation.opening?.event ?? event,
      stretch: violation.stretch, judge)
    let offender =
      violation.offender ?? violation.opening?.event.ordinal ?? violation.certainBy?.ordinal
    if var known = ledger.report(of: unit) {
      // An event that violates several clauses counts once.
      let isCounted = !known.counts(offender)
      // One that waited for its suspension to be confirmed may be older than the report.
      let time = violation.timeNanoseconds
      if (clauseIndex, time) < (known.rank, known.timeNanoseconds) {
        var draft = draft(clauseIndex, violation, batch, judge)
        if isCounted { draft.count = 0 }
        judge.replace(
          known.place, with: draft, remembersOld: remembersInstances && !isCounted)
        known.rank = clauseIndex
        known.timeNanoseconds = time
        ledger.replaceEscalation(known.place, clause.escalation, at: time)
      } else if !isCounted, remembersInstances, judge.findings.remembersMore(known.place) {
        judge.findings.join(known.place, draft(clauseIndex, violation, batch, judge))
      } else if !isCounted {
        judge.findings.extend(
          known.place, by: violation.weight, until: violation.timeNanoseconds)
      }
      return ledger.remember(unit, known)
    }
    let place = judge.report(
      ruleIndex, draft(clauseIndex, violation, batch, judge), evidence: clause.evidence,
      unit: unit,
      isSettled: clause.escalation == nil && rule.yields.isEmpty && clause.sparesInactivity == nil)
    if let spared = clause.sparesInactivity {
      judge.inactivity.verdicts.append((.finding(place), judge.value(of: spared, ruleIndex)))
    }
    var report = Ledger.Report(
      place: place, rank: clauseIndex, timeNanoseconds: violation.timeNanoseconds)
    _ = report.counts(offender)
    ledger.remember(unit, report)
    if let escalation = clause.escalation {
      ledger.mayEscalate(place, escalation, at: violation.timeNanoseconds)
    }
  }

  /// Whether a violation at an event would be told, and not only counted by the unit's report.
  func tells(_ clauseIndex: Int, _ unit: ReportUnit, _ event: Event, _ judge: Judge) -> Bool {
    let unit = ledger.unit(
      unit, clause: clauseIndex, key: .none, evidence: clauses[clauseIndex].evidence,
      event: event, judge)
    guard let known = ledger.report(of: unit) else { return true }
    if clauseIndex < known.rank { return true }
    return remembersInstances && judge.findings.remembersMore(known.place)
  }

  /// Says once for its unit that a clause can't be decided.
  func doubt(
    _ clauseIndex: Int, _ unit: ReportUnit, key: InstanceKey = .none, event: Event?,
    _ reason: String, _ judge: Judge
  ) {
    let unit = ledger.unit(unit, clause: clauseIndex, key: key, event: event, judge)
    guard ledger.report(of: unit) == nil, ledger.doubts(unit) else { return }
    if let spared = clauses[clauseIndex].sparesInactivity {
      judge.inactivity.verdicts.append(
        (.doubt(ruleIndex: ruleIndex, reason: reason), judge.value(of: spared, ruleIndex)))
    } else {
      judge.unknown(ruleIndex, reason)
    }
  }

  private func draft(
    _ clauseIndex: Int, _ violation: Violation, _ batch: EventBatch, _ judge: Judge
  ) -> Draft {
    let opening = violation.opening?.witness(role: "open", in: batch)
    let certain = violation.certainBy
    let matter = opening ?? certain
    let clause = clauses[clauseIndex]
    let thread = judge.name(ofThread: violation.thread)
    let what = matter.map { Self.what($0) } ?? ""
    let key = Self.text(violation.key)
    var fields: [(name: String, value: String)] = [
      ("what", what), ("thread", thread), ("key", key),
      ("since", violation.since ?? judge.since(violation.timeNanoseconds)),
      ("limit", violation.limit),
      ("count", "\(violation.weight)"),
      (
        "duration",
        violation.durationNanoseconds.map { readable(nanoseconds: $0) } ?? ""
      ),
      ("event", certain?.event ?? ""),
      ("callback", matter.flatMap { Vocabulary.symbol(of: $0.event) } ?? what),
    ]
    // What was opened is the matter, whatever else happens to tell that its time is up.
    let enter = judge.currentEnter.flatMap { judge.spans.enter(of: $0) }?
      .witness(role: "open", in: batch)
    for witness in [opening, certain, enter].compactMap({ $0 }) {
      fields += witness.arguments.map { ($0.name, Self.text($0.value)) }
    }
    let kill = clause.evidence == .kill ? ReportedKill(certain) : nil
    if let kill { fields.insert(("weighing", kill.weighing), at: 0) }
    let isMain = violation.thread == judge.model.mainThread
    let others = violation.others.map { $0.witness(role: "state", in: batch) }
    var witness = judge.context(in: batch)
    if let enter { witness.append(enter) }
    let keys = [violation.key]
    witness += facts.evidence(for: keys, at: certain?.ordinal).map {
      $0.event.witness(role: $0.role, in: batch)
    }
    let template = violation.message ?? clause.message
    if template.asksForTask {
      let name = Self.taskName(violation.key, in: [opening, certain].compactMap { $0 } + witness)
      let task = name.map { "“\($0)” (token \(key))" } ?? key
      fields.append(("task", "background task \(task)"))
    }
    let asks = kill == nil && clause.trustsUnknownEnds
    let question = asks ? ReportedKill.openQuestion(certain) : nil
    var confidence = kill?.confidence ?? violation.confidence
    if question != nil, confidence == .certain { confidence = .likely }
    return Draft(
      clause: clauseIndex, message: template.filled(fields) + (question ?? ""),
      subject: "\(what) on \(thread)",
      fingerprintSubject: "\(what) \(isMain ? "main thread" : "other thread")",
      timeNanoseconds: violation.timeNanoseconds, thread: violation.thread,
      count: violation.weight, lastTimeNanoseconds: violation.timeNanoseconds,
      confidence: confidence,
      witness: [opening, certain].compactMap { $0 } + others + violation.proof, context: witness,
      key: violation.key, intervalNumber: violation.stretch?.background ?? judge.interval.number)
  }

  /// An event in words: its name, its class or kind, and its label.
  private static func what(_ witness: WitnessEvent) -> String {
    func text(_ name: String) -> String? {
      guard case .string(let text)? = witness.arguments.first(where: { $0.name == name })?.value
      else { return nil }
      return text
    }
    let word = (text("class") ?? text("kind") ?? text("op")).map { " (\($0))" } ?? ""
    let label = (text("label") ?? text("name")).map { " “\($0)”" } ?? ""
    return witness.event + word + label
  }

  /// The name with which a background task was begun last, if what shows the violation says it.
  private static func taskName(_ key: InstanceKey, in witness: [WitnessEvent]) -> String? {
    let token = text(key)
    var begin: WitnessEvent?
    for event in witness where event.event == "bgtask.begin" {
      let isMeant = event.arguments.contains { $0.name == "token" && text($0.value) == token }
      if isMeant, event.ordinal >= begin?.ordinal ?? event.ordinal { begin = event }
    }
    guard case .string(let name)? = begin?.arguments.first(where: { $0.name == "name" })?.value,
      !name.isEmpty
    else { return nil }
    return name
  }

  private static func text(_ key: InstanceKey) -> String {
    let parts = [key.first, key.second].compactMap { part -> String? in
      switch part {
      case .absent: nil
      case .bits(let bits): "\(Int64(bitPattern: bits))"
      case .fraction(let bits): "\(Double(bitPattern: bits))"
      case .boolean(let value): "\(value)"
      case .text(let text): text
      }
    }
    return parts.isEmpty ? "without a name" : parts.joined(separator: ", ")
  }

  private static func text(_ value: ArgumentValue) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .number(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .string(let text), .json(let text): text
    }
  }
}

extension Vocabulary {
  /// The system's name of a kind, by the kind's name.
  fileprivate static func symbol(of name: String) -> String? {
    guard let kind = kind(named: name), let symbol = description(of: kind)?.symbol,
      !symbol.isEmpty
    else { return nil }
    return symbol
  }
}
