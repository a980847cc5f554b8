// Judges one trace: batches in, a judgement out. The door to everything in this target.

public import TraceLifecycle
public import TraceModel

/// Judges one trace.
///
///     var checker = Checker(header: header, options: CheckOptions())
///     checker.consume(&batch)
///     let judgement = checker.finish(isDamaged: false)
///
/// Memory follows the block and what is open, not the trace.
public struct Checker {
  private var header: TraceHeader
  private let engine: Engine
  private var orderer = TimeOrderer()
  private var remarks: [CaptureRemark] = []

  /// - Parameter measures: Whether ``takeMeasures()`` is going to be asked.
  public init(header: TraceHeader, options: CheckOptions, measures: Bool = false) {
    self.init(header: header, plans: RulePlans(options), measures: measures)
  }

  /// A checker for one of many traces.
  ///
  /// - Parameters:
  ///   - plans: What was made of the rules for the traces before.
  ///   - measures: Whether ``takeMeasures()`` is going to be asked.
  public init(header: TraceHeader, plans: RulePlans, measures: Bool = false) {
    self.header = header
    engine = plans.engine(for: header)
    if measures { engine.meter = LifeMeter() }
  }

  /// Takes the next block of the trace.
  ///
  /// A block that stands in order and that nobody hears is taken note of by its templates alone.
  /// Otherwise times decide the order of events, and an event that waits for its turn keeps its
  /// arguments: both columns are loaded before the block is judged.
  ///
  /// - Throws: What the source throws when a column of it is damaged. Nothing of the block has
  ///   been judged then.
  public mutating func consume<Source: ColumnSource>(
    _ source: inout Source
  ) throws(Source.Failure) {
    if let outline = source.outline, pass(source.batch, outline) { return }
    try source.loadTimes()
    try source.loadArguments()
    take(source.batch)
  }

  /// Passes a block without its times and arguments if nobody hears it. What waits comes before it
  /// as nothing that is still to come does.
  private mutating func pass(_ batch: EventBatch, _ outline: BlockOutline) -> Bool {
    let engine = engine
    guard batch.count > 0, engine.isQuiet(batch, until: outline.latestNanoseconds),
      orderer.canPass(batch, outline)
    else { return false }
    orderer.settle { engine.consume($0, $1) }
    guard engine.pass(batch, outline) else { return false }
    orderer.pass(batch, outline)
    return true
  }

  private mutating func take(_ batch: EventBatch) {
    let engine = engine
    orderer.prepare(batch)
    for gap in orderer.takeGaps() { engine.loseEvents(gap.missingCount, before: gap.nextOrdinal) }
    for clockBreak in orderer.takeClockBreaks() {
      engine.breakThread(clockBreak.thread, before: clockBreak.ordinal)
    }
    orderer.consume(batch) { engine.consume($0, $1) }
  }

  /// Takes note that nothing has come for a while, and judges what is due by then, as far as the
  /// silence can't be that of a suspended app. Findings that rest on it are likely, not certain.
  ///
  /// - Parameter nanoseconds: Time since the last event came.
  public mutating func noteSilence(_ nanoseconds: Int64) {
    guard nanoseconds > TimeOrderer.windowNanoseconds else { return }
    let engine = engine
    orderer.settle { engine.consume($0, $1) }
    engine.passSilence(nanoseconds)
  }

  /// Takes note of what an importer said about the capture.
  public mutating func add(_ remark: CaptureRemark) {
    var remark = remark
    if let end = remark.end?.termination.flatMap(Terminations.named) {
      let rules = engine.judge.options.explainers.explaining([end]).map(\.id)
      if !rules.isEmpty {
        remark.message += "; a trace shows more: \(rules.joined(separator: ", "))"
      }
    }
    remarks.append(remark)
  }

  /// Takes the header as it is known by now: a log says what it holds line by line.
  public mutating func amend(_ header: TraceHeader) {
    self.header = header
    engine.judge.amend(header)
  }

  /// Findings that became certain since the last call; for output while a trace is still coming.
  public mutating func takeFindings() -> [Finding] {
    let judge = engine.judge
    judge.settleKills()
    var findings: [Finding] = []
    for (place, entry) in judge.findings.entries.enumerated()
    where entry.isSettled && !entry.isWithdrawn && !entry.wasTaken
      && judge.isTold(entry.ruleIndex) && judge.isCovered(entry, by: header)
    {
      judge.findings.markTaken(place)
      findings.append(finding(entry, ordinal: 0))
    }
    return findings
  }

  /// What was measured of the life since the last call, and after ``finish(isDamaged:)`` the rest.
  public func takeMeasures() -> [LifeMeasure] { engine.meter?.takeMeasures() ?? [] }

  /// Ends the trace and says everything. Nothing may follow but ``takeMeasures()``.
  public mutating func finish(isDamaged: Bool) -> Judgement {
    let engine = engine
    orderer.finish { engine.consume($0, $1) }
    engine.end()
    let judge = engine.judge
    judge.close(header)
    let completeness: Completeness =
      isDamaged ? .damaged : engine.endedClean ? .complete : .truncated
    var judgement = Judgement(
      header: header, traceID: header.string(.traceID) ?? "", profile: judge.profile.rawValue,
      eventCount: engine.eventCount, launchCount: judge.model.launchCount,
      firstNanoseconds: engine.firstNanoseconds ?? 0,
      lastNanoseconds: judge.lastNanoseconds ?? 0, completeness: completeness,
      findings: findings(judge), quality: quality(judge, completeness),
      verdicts: verdicts(judge))
    // Where nothing is told of the app, no rule looked at anything but the header.
    let isSilent = !engine.signs.areSeen
    judgement.evaluatedRules = judge.rules.indices
      .filter { place in
        let rule = judge.rules[place]
        guard judge.isTold(place), judge.isEvaluated(rule.id) else { return false }
        return !isSilent || rule.isOfHeader || judge.verdicts[place].violated > 0
      }
      .map { judge.rules[$0].id }
    return judgement
  }

  // MARK: Results

  private func findings(_ judge: Judge) -> [Finding] {
    judge.weighEvidence()
    judge.giveWay()
    for monitor in engine.monitors { monitor.traceEnds(judge) }
    judge.judgeHeader()
    let told = judge.findings.entries.filter { !$0.isWithdrawn && judge.isTold($0.ruleIndex) }
      .sorted { sortKey($0) < sortKey($1) }
    var ordinals: [[String]: Int] = [:]
    return told.map { entry in
      let rule = judge.rules[entry.ruleIndex]
      let key = [
        "\(entry.launch)", rule.id, rule.clauses[entry.draft.clause].reason ?? "",
        Fingerprint.normalised(entry.draft.fingerprintSubject ?? entry.draft.subject),
      ]
      defer { ordinals[key, default: 0] += 1 }
      judge.verdicts[entry.ruleIndex].violated += 1
      return finding(entry, ordinal: ordinals[key, default: 0])
    }
  }

  private func sortKey(_ entry: FindingStore.Entry) -> (Int64, String, Int, String) {
    (
      entry.draft.timeNanoseconds, engine.judge.rules[entry.ruleIndex].id,
      entry.draft.witness.first?.ordinal ?? 0, entry.draft.message
    )
  }

  private func finding(_ entry: FindingStore.Entry, ordinal: Int) -> Finding {
    let judge = engine.judge
    let rule = judge.rules[entry.ruleIndex]
    let draft = entry.draft
    let reason = rule.clauses[draft.clause].reason
    var witness = draft.witness
    if entry.evidence == .suspensionOrHeartbeat { witness += judge.suspensionEvidence }
    witness = minimal(witness, of: entry)
    return Finding(
      rule: rule.id, slug: rule.slug, severity: judge.severity(entry), reason: reason,
      message: draft.message, timeNanoseconds: draft.timeNanoseconds, thread: draft.thread,
      launch: entry.launch, launchStartNanoseconds: entry.launchStartNanoseconds,
      count: draft.count, lastTimeNanoseconds: draft.lastTimeNanoseconds, subject: draft.subject,
      fingerprint: Fingerprint.make(
        app: header.string(.appBundleID) ?? "", rule: rule.id, reason: reason,
        subject: draft.fingerprintSubject ?? draft.subject, ordinal: ordinal),
      confidence: draft.confidence, witness: witness)
  }

  private func minimal(
    _ witness: [WitnessEvent], of entry: FindingStore.Entry
  ) -> [WitnessEvent] {
    let options = engine.judge.options
    guard options.minimisesWitnesses else { return WitnessMinimiser.ordered(witness) }
    let plans = engine.plan.plans(ofRule: entry.ruleIndex, options)
    return WitnessMinimiser(engine.judge, entry, plans: plans).minimal(witness)
  }

  private func quality(_ judge: Judge, _ completeness: Completeness) -> [QualityNote] {
    var tally = engine.quality
    tally.merge(judge.model.quality)
    tally.merge(orderer.quality)
    // A report is whole without an end of a recording.
    if completeness == .truncated, !header.origin.isReport { tally.add(.tq11) }
    for contradiction in HeaderAudit.contradictions(header) {
      tally.add(.tq12, detail: contradiction)
    }
    var notes = tally.notes.map {
      QualityNote(id: $0.id.rawValue, count: $0.count, message: $0.message)
    }
    // Captures that are read as one may say the same.
    var told: Set<CaptureRemark> = []
    for remark in remarks where told.insert(remark).inserted {
      notes.append(QualityNote(id: remark.id, count: remark.count, message: remark.message))
    }
    return notes.sorted { ($0.id, $0.message) < ($1.id, $1.message) }
  }

  private func verdicts(_ judge: Judge) -> [String: VerdictCounts] {
    var verdicts: [String: VerdictCounts] = [:]
    for index in judge.rules.indices
    where judge.isTold(index) && !judge.verdicts[index].isOK {
      verdicts[judge.rules[index].id] = judge.verdicts[index]
    }
    return verdicts
  }
}
