// Properties of judgements of random lives that hold whatever a rule says: blocks don't matter,
// what was lost can't take a violation back, and evidence shows the violation on its own.

import TraceCatalogue
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
  private let events: [NaiveEvent]
  /// The places at which an app that isn't in the background is suspended or resumed.
  private let suspensionsElsewhere: [Int]
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
    suspensionsElsewhere = events.indices.filter {
      [.procSuspend, .procResume].contains(events[$0].kind)
        && (events[$0].stateBefore.isForeground || events[$0].stateBefore == .terminating)
    }
    self.events = events
    suspensionsWithEvents = Self.suspensionsWithEvents(events)
  }

  /// Whether the app is suspended after each event: also one that the system started ahead.
  private static func isSuspended(_ events: [NaiveEvent]) -> [Bool] {
    var isStopped = false
    return events.map { event in
      switch event.kind {
      case .procSuspend where event.model.isPrewarmed: isStopped = true
      case .procResume: isStopped = false
      default: if !event.model.isPrewarmed { isStopped = false }
      }
      return isStopped || event.stateAfter == .suspended
    }
  }

  private static func suspensionsWithEvents(
    _ events: [NaiveEvent]
  ) -> [(suspension: Int, last: Int)] {
    var found: [(suspension: Int, last: Int)] = []
    var suspension: Int?
    let isSuspended = isSuspended(events)
    for (place, event) in events.enumerated() {
      if !isSuspended[place] {
        suspension = nil
      } else if place == 0 || !isSuspended[place - 1] {
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
    guard !isAliveAfterItsEnd(around: lost), !isSuspendedElsewhere(after: lost.lowerBound),
      !runsWhileSuspended(after: lost), !hidesMainThread(lost), !returnsFromNothing(after: lost),
      !hidesEarlyStart(lost), !hidesHiddenToken(lost)
    else { return nil }
    let lossy = judge(
      Array(0..<batch.count).filter { !lost.contains($0) }, eventsPerBatch: .max,
      inserting: .loss, at: lost)
    guard !lossy.findings.isEmpty else { return nil }
    let whole = judge(Array(0..<batch.count), eventsPerBatch: .max)
    var reasons = Set(whole.findings.map(\.reason))
    if runsWhileSuspended(around: lost) {
      let resumed = judge(
        Array(0..<batch.count), eventsPerBatch: .max, inserting: .resume, at: lost)
      reasons.formUnion(resumed.findings.map(\.reason))
    }
    let samples = lost.filter { batch.event(at: $0).kind == .traceClockSync }
    if !samples.isEmpty {
      // Sleep is known as far as two samples of the clocks bound it: without one the whole life,
      // too, takes it for time in which the app ran.
      let others = (0..<batch.count).filter { !samples.contains($0) }
      let unsampled = judge(others, eventsPerBatch: .max)
      reasons.formUnion(unsampled.findings.map(\.reason))
    }
    let refuted = lossy.findings.first { finding in
      // What a kill says of the app counts where the life before it isn't known.
      !reasons.contains(finding.reason) && !finding.witness.allSatisfy { $0.event == "proc.kill" }
        && !whole.findings.contains { isAboutTheSameTask(finding, $0) }
    }
    if let refuted {
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

  /// Whether an app that isn't in the background is suspended or resumed after a place.
  ///
  /// Only an app in the background is, also where a recorder infers it: either that event is wrong,
  /// or the one that put the app in front or had it end. A checker that knows both believes the
  /// first; one that lost it has but the other, and no reason to doubt it. The whole life refutes
  /// itself.
  private func isSuspendedElsewhere(after place: Int) -> Bool {
    suspensionsElsewhere.contains { $0 >= place }
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

  /// Whether the app runs in a suspension in which events are lost.
  ///
  /// No app leaves such a trace: its resume must lie between. A checker that lost events there
  /// takes it that the resume was among them, and measures what runs. What it finds must show in
  /// the whole life with that resume.
  private func runsWhileSuspended(around lost: Range<Int>) -> Bool {
    suspensionsWithEvents.contains {
      $0.suspension < lost.lowerBound && $0.last >= lost.upperBound
    }
  }

  /// Whether a process returns after a gap from what it never entered.
  ///
  /// No app does. A checker that lost events takes it that the enter was among them.
  private func returnsFromNothing(after lost: Range<Int>) -> Bool {
    events.indices.contains { $0 >= lost.upperBound && events[$0].isVoid }
  }

  /// Whether the first callback of the delegate in a launch is lost, and the next is on another
  /// thread.
  ///
  /// All are on the main thread, and the first tells which that is. A life with callbacks on
  /// several threads refutes itself; which of them are wrong depends on which is the first.
  private func hidesMainThread(_ lost: Range<Int>) -> Bool {
    let callbacks = events.indices.filter { events[$0].name.hasPrefix("delegate.") }
    return lost.contains { place in
      let own = callbacks.filter { events[$0].launch == events[place].launch }
      guard own.first == place, let next = own.first(where: { $0 >= lost.upperBound }) else {
        return false
      }
      return events[next].thread != events[place].thread
    }
  }

  /// Whether the start of a process that the system started ahead is lost, on a system that starts
  /// none: that began with iOS 15.
  ///
  /// Where a process waits to be launched, what suspends and resumes it says nothing of the app. A
  /// checker that doesn't know of the start needn't reckon with one there.
  private func hidesEarlyStart(_ lost: Range<Int>) -> Bool {
    guard let system = header.version(.osVersion), system < SystemVersion(15) else { return false }
    return lost.contains {
      let event = batch.event(at: $0)
      return event.kind == .procStart && batch.isText(.reason, "prewarm", of: event)
    }
  }

  /// Whether a line that hides the token of a task is lost from what is no log.
  ///
  /// Only logs hide tokens, and they name their levels: a checker that lost lines of one reckons
  /// with tokens that these hid. A life that hides one and names no level is no log's, and a
  /// checker that lost that event has no reason to doubt what else it was told.
  private func hidesHiddenToken(_ lost: Range<Int>) -> Bool {
    header.strings(.logLevels) == nil
      && lost.contains { batch.isText(.token, "<private>", of: batch.event(at: $0)) }
  }

  /// Whether two findings tell of the same background task.
  ///
  /// Of the reasons that hold for a task only the first is told. One that is lost, or that an event
  /// shows that is lost, leaves the next to be told, which is as right: an end of a task that was
  /// never begun is its second end, too.
  private func isAboutTheSameTask(_ one: Finding, _ other: Finding) -> Bool {
    let tokens = tokens(one).intersection(tokens(other))
    guard !tokens.isEmpty else { return false }
    let first = min(one.timeNanoseconds, other.timeNanoseconds)
    let last = max(one.timeNanoseconds, other.timeNanoseconds)
    return !(0..<batch.count).contains { place in
      let event = batch.event(at: place)
      guard event.timeNanoseconds > first, event.timeNanoseconds < last else { return false }
      switch event.kind {
      case .procStart, .procExit, .procKill: return true
      case .bgtaskBegin:
        return batch.boolean(.isInvalid, of: event) != true
          && batch.arguments(at: place).contains { $0.0 == "token" && tokens.contains($0.1) }
      default: return false
      }
    }
  }

  private func tokens(_ finding: Finding) -> Set<ArgumentValue> {
    let isOfTokens = rule.clauses.contains {
      if case .handWritten(.backgroundTaskBalance, because: _) = $0.pattern { true } else { false }
    }
    guard isOfTokens else { return [] }
    return Set(finding.witness.flatMap(\.arguments).filter { $0.name == "token" }.map(\.value))
  }

  // MARK: Evidence

  /// A finding whose evidence doesn't show it, or is longer than needed; nil if there is none.
  func lacksEvidence() -> (findings: Int, failure: String?) {
    var options = options
    let judgement = judge(Array(0..<batch.count), eventsPerBatch: .max)
    options.minimisesWitnesses = false
    options.isExcerpt = true
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

  /// What is put into a life after a range of its events.
  private enum Inserted {
    case loss, resume
  }

  private func judge(
    _ places: [Int], eventsPerBatch: Int, inserting inserted: Inserted? = nil,
    at gap: Range<Int>? = nil, options: CheckOptions? = nil
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
    var isInserted = gap == nil
    func insert(after gap: Range<Int>) {
      isInserted = true
      assembler.begin(
        inserted == .resume ? .procResume : .traceLost, .instant, thread: 1,
        timeNanoseconds: batch.timesNanoseconds[gap.upperBound - 1])
      assembler.endEvent()
    }
    for place in places {
      if let gap, !isInserted, place >= gap.upperBound { insert(after: gap) }
      assembler.copy(place, of: batch)
      if assembler.batch.count >= eventsPerBatch { take() }
    }
    if let gap, !isInserted { insert(after: gap) }
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
