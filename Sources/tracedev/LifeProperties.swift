// Properties of judgements of random lives that hold whatever a rule says: blocks don't matter,
// what was lost can't take a violation back, and evidence shows the violation on its own.

import TraceLifecycle
import TraceModel
import TraceNaive
import TraceRules

/// Checks one rule on one random life.
struct LifeProperties {
  let rule: Rule
  let header: TraceHeader
  let batch: EventBatch
  private let options: CheckOptions
  /// The places at which an app in front is suspended or resumed.
  private let suspensionsInFront: [Int]
  /// The places of suspensions in which the app runs nonetheless, each with the last of that.
  private let suspensionsWithEvents: [(suspension: Int, last: Int)]

  init(_ one: NaiveCase) {
    rule = one.rule
    header = one.life.header
    batch = one.life.batch
    var options = CheckOptions()
    options.rules = [one.rule]
    options.profile = one.life.profile
    self.options = options
    let events = one.trace?.events ?? []
    suspensionsInFront = events.indices.filter {
      [.procSuspend, .procResume].contains(events[$0].kind) && events[$0].stateBefore.isForeground
    }
    suspensionsWithEvents = Self.suspensionsWithEvents(events)
  }

  private static func suspensionsWithEvents(
    _ events: [NaiveEvent]
  ) -> [(suspension: Int, last: Int)] {
    var found: [(suspension: Int, last: Int)] = []
    var suspension: Int?
    for (place, event) in events.enumerated() {
      if event.stateAfter != .suspended {
        suspension = nil
      } else if event.stateBefore != .suspended {
        suspension = place
      } else if let suspension,
        !["trace", "sys", "proc"].contains(
          Vocabulary.description(of: event.kind)?.namespace ?? ""),
        event.time - events[suspension].time > tolerance
      {
        if found.last?.suspension == suspension { found.removeLast() }
        found.append((suspension, place))
      }
    }
    return found
  }

  // MARK: Blocks

  /// How a judgement depends on the cut into blocks; nil if it doesn't.
  func dependsOnBlocks() -> String? {
    let whole = judge(Array(0..<batch.count), eventsPerBatch: .max)
    for size in [1, 2, 5] {
      let cut = judge(Array(0..<batch.count), eventsPerBatch: size)
      if cut.findings != whole.findings || cut.verdicts != whole.verdicts {
        return "blocks of \(size) give \(brief(cut)) instead of \(brief(whole))"
      }
    }
    return nil
  }

  // MARK: Gaps

  /// How much later than the observer of an end or a suspension an event may seem to come.
  private static let tolerance: Int64 = 50_000_000

  /// A violation that the trace with a gap shows and the whole trace doesn't; nil if there is none.
  func isRefutedByFilling(from start: Int, count: Int) -> String? {
    guard start < batch.count else { return nil }
    let lost = start..<min(start + count, batch.count)
    guard !isAliveAfterItsEnd(around: lost), !isSuspendedInFront(after: lost.lowerBound),
      !runsWhileSuspended(after: lost)
    else { return nil }
    let lossy = judge(
      Array(0..<batch.count).filter { !lost.contains($0) }, eventsPerBatch: .max, gapAt: lost)
    guard !lossy.findings.isEmpty else { return nil }
    let whole = judge(Array(0..<batch.count), eventsPerBatch: .max)
    let reasons = Set(whole.findings.map(\.reason))
    if let refuted = lossy.findings.first(where: { !reasons.contains($0.reason) }) {
      return "events \(lost) lost: \(refuted.reason ?? "a violation") at"
        + " \(refuted.timeNanoseconds), which the whole trace refutes: \(brief(whole))"
    }
    return nil
  }

  /// Whether a process goes on after its recorded end, and events are lost between the two.
  ///
  /// No app leaves such a trace: what comes later than the observer of the end can be wrong is of
  /// another process, whose start must lie between. A checker that lost events there takes it that
  /// the start was among them, and may judge that process; that the whole life holds no start
  /// refutes the life, not the judgement.
  private func isAliveAfterItsEnd(around lost: Range<Int>) -> Bool {
    var end: Int?
    for place in 0..<batch.count {
      let event = batch.event(at: place)
      let namespace = Vocabulary.description(of: event.kind)?.namespace
      switch event.kind {
      case .procStart: end = nil
      case .procKill where end == nil, .procExit where end == nil: end = place
      default:
        guard let end, namespace != "trace", namespace != "sys",
          event.timeNanoseconds > batch.timesNanoseconds[end] + Self.tolerance
        else { continue }
        if lost.lowerBound <= place && end < lost.upperBound { return true }
      }
    }
    return false
  }

  /// Whether an app in front is suspended or resumed after a place.
  ///
  /// Only an app in the background is, also where a recorder infers it: either that event is wrong,
  /// or the one that put the app in front. A checker that knows both believes the first; one that
  /// lost it has but the other, and no reason to doubt it. The whole life refutes itself.
  private func isSuspendedInFront(after place: Int) -> Bool {
    suspensionsInFront.contains { $0 >= place }
  }

  /// Whether the app runs in a suspension whose beginning is lost.
  ///
  /// No clock of the app goes on in a suspension. A checker that knows of it takes what runs all
  /// the same for what it is; one that lost its beginning sees an app that runs, and measures it.
  private func runsWhileSuspended(after lost: Range<Int>) -> Bool {
    suspensionsWithEvents.contains {
      lost.contains($0.suspension) && $0.last >= lost.upperBound
    }
  }

  // MARK: Evidence

  /// A finding whose evidence doesn't show it, or is longer than needed; nil if there is none.
  func lacksEvidence() -> (findings: Int, failure: String?) {
    var options = options
    let judgement = judge(Array(0..<batch.count), eventsPerBatch: .max)
    options.minimisesWitnesses = false
    for finding in judgement.findings where finding.launch > 0 {
      let ordinals = finding.witness.map(\.ordinal)
      if !shows(ordinals, finding, options) {
        return (judgement.findings.count, "the evidence \(ordinals) doesn't show \(line(finding))")
      }
      for ordinal in ordinals where shows(ordinals.filter { $0 != ordinal }, finding, options) {
        return (
          judgement.findings.count, "event \(ordinal) of \(ordinals) is idle for \(line(finding))"
        )
      }
    }
    return (judgement.findings.count, nil)
  }

  /// The findings of the whole life, each with the places of its evidence.
  var evidence: [String] {
    judge(Array(0..<batch.count), eventsPerBatch: .max).findings.map { finding in
      "evidence of \(line(finding)): \(finding.witness.map { "\($0.ordinal) \($0.role)" })"
    }
  }

  private func shows(_ ordinals: [Int], _ finding: Finding, _ options: CheckOptions) -> Bool {
    let places = (0..<batch.count).filter { ordinals.contains(batch.ordinal(at: $0)) }
    return judge(places, eventsPerBatch: .max, options: options).findings.contains {
      $0.reason == finding.reason && $0.severity == finding.severity
        && $0.timeNanoseconds == finding.timeNanoseconds
    }
  }

  // MARK: Judging parts

  private func judge(
    _ places: [Int], eventsPerBatch: Int, gapAt gap: Range<Int>? = nil,
    options: CheckOptions? = nil
  ) -> Judgement {
    var checker = Checker(header: header, options: options ?? self.options)
    var assembler = BatchAssembler()
    var ordinal = 0
    func take() {
      var part = EventBatch()
      assembler.take(into: &part)
      part.ordinals = []
      part.firstOrdinal = ordinal
      ordinal += part.count
      if part.count > 0 { checker.consume(&part) }
    }
    var hasGap = gap == nil
    for place in places {
      if let gap, !hasGap, place >= gap.upperBound {
        hasGap = true
        assembler.begin(
          .traceLost, .instant, thread: 1,
          timeNanoseconds: batch.timesNanoseconds[gap.upperBound - 1])
        assembler.add(.count, .integer(Int64(gap.count)))
        assembler.endEvent()
      }
      assembler.copy(place, of: batch)
      if assembler.batch.count >= eventsPerBatch { take() }
    }
    if let gap, !hasGap {
      assembler.begin(
        .traceLost, .instant, thread: 1,
        timeNanoseconds: batch.timesNanoseconds[gap.upperBound - 1])
      assembler.endEvent()
    }
    take()
    return checker.finish(isDamaged: false)
  }

  private func line(_ finding: Finding) -> String {
    "\(finding.reason ?? "a violation") at \(finding.timeNanoseconds)"
  }

  private func brief(_ judgement: Judgement) -> String {
    let unknown = judgement.verdicts[rule.id]?.unknownReasons ?? [:]
    return "\(judgement.findings.map { "\(line($0)) ×\($0.count)" }) unknown \(unknown)"
  }
}
