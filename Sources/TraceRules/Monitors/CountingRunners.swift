// Runs the clauses that count: durations in sum, things open at once, and rates.

import TraceLifecycle
import TraceModel

/// Adds up the durations of spans for each unit.
final class SumsRunner: ClauseRunner {
  /// Spans of one sum that are kept as evidence.
  private static let evidenceMax = 128
  private static let openMax = 4_096

  private let sums: Sums
  private var reading: ClockReading
  private let max: Int64
  private var open: [(ordinal: Int, value: Int64, evidence: Int, doubt: String?)] = []
  /// What certainly counts.
  private var total: Int64 = 0
  /// What may count besides.
  private var doubtful: Int64 = 0
  private var unit: UnitKey?
  private var evidence: [Int] = []

  init(_ monitor: RuleMonitor, _ clauseIndex: Int, _ sums: Sums, _ judge: Judge) {
    self.sums = sums
    reading = ClockReading(sums.max)
    max = judge.value(of: sums.max.amount, monitor.ruleIndex)
    super.init(monitor, clauseIndex)
  }

  override var listenings: [Listening] {
    sums.resets.map { (2, $0, []) } + sums.spans.map { (0, $0, []) }
      + sums.spans.map { (1, EventPattern($0.kinds, edge: .end), []) }
  }

  override var spanKinds: [EventKind] {
    sums.spans.flatMap(\.spanKinds)
  }

  override var followsState: Bool { reading.dependsOnState }
  override var isIdle: Bool {
    open.isEmpty && evidence.isEmpty && total == 0 && doubtful == 0 && !reading.dependsOnState
  }
  override func needsOpen(_ role: Int) -> Bool { role != 0 }

  override func afterEvent(_ hearing: Hearing) {
    reading.follow(hearing.event.timeNanoseconds, hearing.judge)
  }

  override func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    let event = hearing.event
    switch role {
    case 0:
      guard event.phase == .enter, open.count < Self.openMax else { return }
      open.append(
        (
          event.ordinal, reading.value(at: event.timeNanoseconds, hearing.judge),
          monitor.ledger.arena.keep(event), nil
        ))
    case 1: leave(hearing)
    default: reset()
    }
  }

  override func doubt(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    if role == 2 {
      doubtful = sum(doubtful, total)
      total = 0
    }
    guard role == 0, hearing.event.phase == .enter, open.count < Self.openMax else { return }
    perform(role, pattern, hearing)
    open[open.count - 1].doubt = monitor.doubtReason(hearing.judge)
  }

  private func leave(_ hearing: Hearing) {
    let (event, judge) = (hearing.event, hearing.judge)
    guard event.phase == .return, let ordinal = hearing.enter?.ordinal,
      let place = open.lastIndex(where: { $0.ordinal == ordinal })
    else { return }
    let span = open.remove(at: place)
    let unit = monitor.ledger.unit(
      sums.unit, clause: clauseIndex, key: .none, event: nil, judge)
    if unit != self.unit { reset() }
    self.unit = unit
    let length = difference(reading.value(at: event.timeNanoseconds, judge), span.value)
    if span.doubt == nil { total = sum(total, length) } else { doubtful = sum(doubtful, length) }
    if evidence.count < Self.evidenceMax {
      evidence += [span.evidence, monitor.ledger.arena.keep(event)]
    } else {
      monitor.ledger.arena.release(span.evidence)
    }
    guard total > max, span.doubt == nil else {
      if sum(total, doubtful) > max {
        monitor.doubt(clauseIndex, sums.unit, event: event, monitor.doubtReason(judge), judge)
      }
      return
    }
    monitor.report(
      clauseIndex,
      Violation(
        unit: sums.unit, certainBy: hearing.batch.witness(event, role: "close"),
        timeNanoseconds: event.timeNanoseconds, thread: event.thread,
        durationNanoseconds: total, limit: limitText(sums.max.amount, hearing.judge),
        others: evidence.compactMap { monitor.ledger.arena[$0] }, offender: span.ordinal),
      event, hearing.batch, judge)
  }

  private func reset() {
    total = 0
    doubtful = 0
    for place in evidence { monitor.ledger.arena.release(place) }
    evidence.removeAll(keepingCapacity: true)
  }

  private func forgetOpen() {
    for span in open { monitor.ledger.arena.release(span.evidence) }
    open.removeAll(keepingCapacity: true)
  }

  override func launchBegan(_ judge: Judge) {
    reset()
    forgetOpen()
    reading = ClockReading(sums.max)
  }

  override func lost(_ judge: Judge) {
    if total > 0 || !open.isEmpty { judge.unknown(monitor.ruleIndex, "gap") }
    reset()
    forgetOpen()
  }

  override func spanLost(_ ordinal: Int, _ judge: Judge) {
    guard let place = open.lastIndex(where: { $0.ordinal == ordinal }) else { return }
    monitor.ledger.arena.release(open.remove(at: place).evidence)
  }
}

/// Counts what is open at once, or adds up what it weighs.
final class OpenAtMostRunner: ClauseRunner {
  private let most: OpenAtMost
  private let max: Int64
  /// What one key may weigh: as many as can be open don't exceed 64 bits, and no device has
  /// 256 TiB.
  private static let weightMax: Int64 = 1 << 48

  private var open: [InstanceKey: Entry] = [:]
  /// Keys that were opened since all were doubted.
  private var undoubted: [InstanceKey] = []
  /// Of those that were opened without a key, where in the trace, oldest first; the ones before
  /// ``firstKeyless`` were closed.
  private var keyless: [Int] = []
  private var firstKeyless = 0
  /// What everything weighs that is open or may be.
  private var total: Int64 = 0
  /// What weighs of it that may be closed, or may never have been opened.
  private var doubtful: Int64 = 0

  private struct Entry {
    var weight: Int64
    var evidence: Int
    var isDoubtful: Bool
  }

  init(_ monitor: RuleMonitor, _ clauseIndex: Int, _ most: OpenAtMost, _ judge: Judge) {
    self.most = most
    max = judge.value(of: most.max, monitor.ruleIndex)
    super.init(monitor, clauseIndex)
  }

  override var outlivesLaunch: Bool { most.outlivesLaunch }
  override var isIdle: Bool { open.isEmpty }
  override func needsOpen(_ role: Int) -> Bool { role != 0 }

  override var listenings: [Listening] {
    most.at.map { (3, $0, []) } + most.closes.map { (1, $0, most.key) }
      + most.closesAll.map { (2, $0, []) } + most.opens.map { (0, $0, most.key) }
  }

  override func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    let key = hearing.instanceKey(pattern.keyFields)
    switch role {
    case 0: opens(own(key, pattern, hearing), isDoubtful: false, hearing)
    case 1 where key.isAbsent: closeOneWithoutKey()
    case 1: close(key)
    case 2: closeAll()
    default: compare(isCertain: true, hearing)
    }
  }

  override func doubt(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    var key = hearing.instanceKey(pattern.keyFields)
    if role == 0 { key = own(key, pattern, hearing) }
    switch role {
    case 0: if open[key]?.isDoubtful != false { opens(key, isDoubtful: true, hearing) }
    case 1 where !key.isAbsent: blur(key)
    case 1, 2: blurAll()
    default: compare(isCertain: false, hearing)
    }
  }

  /// The key of what an event opens: without one it is one more, whatever else is open.
  private func own(
    _ key: InstanceKey, _ pattern: CompiledPattern, _ hearing: Hearing
  ) -> InstanceKey {
    guard key.isAbsent, !pattern.keyFields.isEmpty else { return key }
    if open.count < InstanceTable.instancesMax { keyless.append(hearing.event.ordinal) }
    return Self.key(ofKeyless: hearing.event.ordinal)
  }

  private static func key(ofKeyless ordinal: Int) -> InstanceKey {
    InstanceKey(first: .absent, second: .bits(UInt64(truncatingIfNeeded: ordinal)))
  }

  /// A close without a key is one of those that were opened without one; if there is none, nobody
  /// knows which it is, and nothing counts as open.
  private func closeOneWithoutKey() {
    guard firstKeyless < keyless.count else { return closeAll() }
    close(Self.key(ofKeyless: keyless[firstKeyless]))
    firstKeyless += 1
    if firstKeyless > keyless.count / 2 {
      keyless.removeFirst(firstKeyless)
      firstKeyless = 0
    }
  }

  private func opens(_ key: InstanceKey, isDoubtful: Bool, _ hearing: Hearing) {
    close(key)
    guard open.count < InstanceTable.instancesMax else {
      return monitor.doubt(
        clauseIndex, .launch, event: hearing.event, "key-limit", hearing.judge)
    }
    var weight: Int64 = 1
    if let name = most.weight {
      let told = hearing.batch.integer(name, of: hearing.event) ?? 0
      weight = min(Swift.max(0, told), Self.weightMax)
    }
    open[key] = Entry(
      weight: weight, evidence: monitor.ledger.arena.keep(hearing.event), isDoubtful: isDoubtful)
    total = sum(total, weight)
    if isDoubtful { doubtful = sum(doubtful, weight) } else { noteOpened(key) }
    if most.at.isEmpty { compare(isCertain: !isDoubtful, hearing) }
  }

  private func close(_ key: InstanceKey) {
    guard let entry = open.removeValue(forKey: key) else { return }
    monitor.ledger.arena.release(entry.evidence)
    total = open.isEmpty ? 0 : difference(total, entry.weight)
    if entry.isDoubtful { doubtful = difference(doubtful, entry.weight) }
  }

  private func closeAll() {
    for entry in open.values { monitor.ledger.arena.release(entry.evidence) }
    open.removeAll(keepingCapacity: true)
    undoubted.removeAll(keepingCapacity: true)
    keyless.removeAll(keepingCapacity: true)
    firstKeyless = 0
    total = 0
    doubtful = 0
  }

  /// Takes note of a key for ``blurAll()``.
  private func noteOpened(_ key: InstanceKey) {
    if undoubted.count > 2 * open.count + 64 {
      undoubted = open.filter { !$0.value.isDoubtful }.map(\.key)
    } else {
      undoubted.append(key)
    }
  }

  /// A key may have been closed.
  private func blur(_ key: InstanceKey) {
    guard let entry = open[key], !entry.isDoubtful else { return }
    open[key]?.isDoubtful = true
    doubtful = sum(doubtful, entry.weight)
  }

  /// What was doubted before isn't looked at: a trace may have a loss at every event.
  private func blurAll() {
    for key in undoubted { blur(key) }
    undoubted.removeAll(keepingCapacity: true)
  }

  private func compare(isCertain: Bool, _ hearing: Hearing) {
    guard total > max else { return }
    let (event, judge) = (hearing.event, hearing.judge)
    if !isCertain || difference(total, doubtful) <= max {
      return monitor.doubt(clauseIndex, most.unit, event: event, monitor.doubtReason(judge), judge)
    }
    // Making evidence takes as long as there are keys, and most violations are only counted.
    let needsEvidence = monitor.tells(clauseIndex, most.unit, event, judge)
    let others =
      needsEvidence ? open.values.compactMap { monitor.ledger.arena[$0.evidence] } : []
    monitor.report(
      clauseIndex,
      Violation(
        unit: most.unit, certainBy: hearing.batch.witness(event, role: "offender"),
        timeNanoseconds: event.timeNanoseconds, thread: event.thread,
        limit: limitText(most.max, judge, in: .count),
        others: others.sorted { $0.event.ordinal < $1.event.ordinal },
        message: MessageTemplate(
          monitor.clauses[clauseIndex].message.text.replacing("{total}", with: "\(total)"))),
      event, hearing.batch, judge)
  }

  override func launchBegan(_ judge: Judge) {
    if !most.outlivesLaunch { closeAll() }
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    // What was open before the recording isn't known.
    if judge.model.launch?.isMidLife == true, total > 0, most.at.isEmpty {
      monitor.doubt(clauseIndex, most.unit, event: nil, "mid-life", judge)
    }
  }

  /// Something may have been closed unseen.
  override func lost(_ judge: Judge) { blurAll() }
}

/// Watches the rate of events.
final class LimitRunner: ClauseRunner {
  /// Times that are kept of a key; a rate of more events isn't decided.
  private static let ringMax = 65_536

  private let limit: Limit
  private let max: Int
  private let window: Int64
  private let sustained: Int64?
  /// Since when every event was one too many, by key.
  private var exceededSince: [InstanceKey: Int64] = [:]
  private var rings: [InstanceKey: [(time: Int64, evidence: Int)]] = [:]

  init(_ monitor: RuleMonitor, _ clauseIndex: Int, _ limit: Limit, _ judge: Judge) {
    self.limit = limit
    max = Int(clamping: judge.value(of: limit.max, monitor.ruleIndex))
    window = judge.value(of: limit.window, monitor.ruleIndex)
    sustained = limit.sustained.map { judge.value(of: $0, monitor.ruleIndex) }
    super.init(monitor, clauseIndex)
  }

  override var listenings: [Listening] { [(0, limit.event, limit.key)] }

  override func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    let event = hearing.event
    let key = hearing.instanceKey(pattern.keyFields)
    guard rings[key] != nil || rings.count < FactTable.keysMax else {
      return monitor.doubt(clauseIndex, .launch, event: event, "key-limit", hearing.judge)
    }
    var ring = rings[key] ?? []
    rings[key] = nil
    let gone = ring.prefix { difference(event.timeNanoseconds, $0.time) > window }.count
    for entry in ring.prefix(gone) { monitor.ledger.arena.release(entry.evidence) }
    ring.removeFirst(gone)
    if ring.count >= max {
      let since = exceededSince[key] ?? event.timeNanoseconds
      exceededSince[key] = since
      if difference(event.timeNanoseconds, since) >= sustained ?? 0 { report(ring, key, hearing) }
    } else {
      exceededSince[key] = nil
    }
    if ring.count >= max, !ring.isEmpty {
      monitor.ledger.arena.release(ring.removeFirst().evidence)
    }
    if ring.count == Self.ringMax {
      monitor.doubt(clauseIndex, .launch, event: event, "key-limit", hearing.judge)
      monitor.ledger.arena.release(ring.removeFirst().evidence)
    }
    if max > 0 { ring.append((event.timeNanoseconds, monitor.ledger.arena.keep(event))) }
    rings[key] = ring
  }

  private func report(
    _ ring: [(time: Int64, evidence: Int)], _ key: InstanceKey, _ hearing: Hearing
  ) {
    let event = hearing.event
    monitor.report(
      clauseIndex,
      Violation(
        unit: limit.unit, key: key, certainBy: hearing.batch.witness(event, role: "offender"),
        timeNanoseconds: event.timeNanoseconds, thread: event.thread,
        limit: limitText(limit.window, hearing.judge),
        others: ring.prefix(256).compactMap { monitor.ledger.arena[$0.evidence] }),
      event, hearing.batch, hearing.judge)
  }

}
