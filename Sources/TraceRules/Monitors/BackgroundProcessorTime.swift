// Whether the app keeps the processor busy in the background, or is throttled there.
// Hand-written: samples of several threads are added up over a window of run time that slides.

import TraceLifecycle
import TraceModel

/// Adds up the samples of processor time of a stay in the background.
///
/// A sample counts from where its own window begins; one that begins before the stay isn't
/// counted, as the foreground is free to work. Inside a sample the load is taken to be even.
final class BackgroundProcessorTime: Monitor {
  /// The reasons, in the order of the rule's clauses.
  private enum Reason: Int {
    case sustained, throttled
  }

  private struct Sample {
    var start: Int64
    var end: Int64
    var processorNanoseconds: Int64
    var evidence: Int

    /// The part of the sample's processor time from a time on.
    func nanoseconds(from time: Int64) -> Int64 {
      guard start < time else { return processorNanoseconds }
      guard end > time, end > start else { return 0 }
      let inside = UInt64(clamping: difference(end, time))
      let whole = UInt64(clamping: difference(end, start))
      let used = UInt64(clamping: processorNanoseconds)
      let (part, _) = whole.dividingFullWidth(used.multipliedFullWidth(by: min(inside, whole - 1)))
      return Int64(clamping: part)
    }
  }

  /// The samples of the process as a whole, or those of its threads. A recorder makes one sort or
  /// the other; where both are there each is a sum of its own.
  private struct Account {
    var samples: [Sample] = []
    var head = 0
    /// Of all samples from the head on, whole.
    var total: Int64 = 0
  }

  /// Samples of one window: a recorder that looks at ten threads each second makes 600.
  private static let samplesMax = 1_024
  /// Samples that are told as evidence.
  private static let evidenceMax = 96

  private let share: Int64
  private let windowNanoseconds: Int64
  /// Which of the two the recorder looks at.
  private var hearsSamples = false
  private var hearsThrottling = false
  private var accounts = [Account(), Account()]
  private var arena = EvidenceArena()
  /// Where the window may begin at the earliest: at the entry, or where the last report ended.
  private var floor: Int64 = 0
  private var isOverfull = false
  private var sustainedPlace: Int?
  private var throttledPlace: Int?
  private var hasDoubtedThrottle = false

  init(ruleIndex: Int, judge: Judge) {
    share = max(0, judge.value(of: .parameter("share"), ruleIndex))
    windowNanoseconds = max(1, judge.value(of: .parameter("window"), ruleIndex))
    super.init(ruleIndex: ruleIndex)
    hearsSamples = judge.header.covers("proc")
    hearsThrottling = judge.header.covers("sys")
    if !hearsSamples && !hearsThrottling { judge.verdicts[ruleIndex].notEvaluated = true }
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    (hearsSamples && kind == .procCpu) || (hearsThrottling && kind == .sysThrottle)
  }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    if event.kind == .sysThrottle { return throttle(event, batch, judge) }
    guard judge.model.state == .background, judge.stay.isOpen else { return }
    take(event, batch, judge)
  }

  // MARK: Samples

  private func take(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard var used = batch.integer(.cpuNs, of: event), used >= 0,
      let length = batch.integer(.windowNs, of: event), length > 0
    else { return }
    let now = difference(
      judge.runTimeNanoseconds(at: event.timeNanoseconds), judge.stay.startRunNanoseconds)
    let start = difference(now, length)
    guard start >= floor else { return }
    let isOfThread = batch.bits(.thread, of: event) != nil
    // A thread can't use more than there is.
    if isOfThread { used = min(used, length) }
    let place = isOfThread ? 1 : 0
    let windowStart = difference(now, windowNanoseconds)
    dropOld(place, before: windowStart)
    if accounts[place].samples.count - accounts[place].head >= Self.samplesMax {
      if !isOverfull { judge.unknown(ruleIndex, "key-limit") }
      isOverfull = true
      dropFirst(place)
    }
    accounts[place].samples.append(
      Sample(start: start, end: now, processorNanoseconds: used, evidence: arena.keep(event)))
    accounts[place].total = sum(accounts[place].total, used)
    guard windowStart >= floor, isOverShare(accounts[place].total) else { return }
    let inWindow = accounts[place].samples[accounts[place].head...].reduce(Int64(0)) {
      sum($0, $1.nanoseconds(from: windowStart))
    }
    guard isOverShare(inWindow) else { return }
    reportSustained(place, inWindow, event, batch, judge)
    floor = now
    for account in accounts.indices { forgetSamples(account) }
  }

  /// Whether so much processor time in a full window is more than the share allows.
  private func isOverShare(_ nanoseconds: Int64) -> Bool {
    let used = UInt64(clamping: nanoseconds).multipliedFullWidth(by: 100)
    let allowed = UInt64(clamping: share).multipliedFullWidth(by: UInt64(windowNanoseconds))
    return (used.high, used.low) > (allowed.high, allowed.low)
  }

  private func dropOld(_ place: Int, before windowStart: Int64) {
    while accounts[place].head < accounts[place].samples.count,
      accounts[place].samples[accounts[place].head].end <= windowStart
    {
      dropFirst(place)
    }
    if accounts[place].head > Self.samplesMax {
      accounts[place].samples.removeFirst(accounts[place].head)
      accounts[place].head = 0
    }
  }

  private func dropFirst(_ place: Int) {
    let sample = accounts[place].samples[accounts[place].head]
    arena.release(sample.evidence)
    accounts[place].total = difference(accounts[place].total, sample.processorNanoseconds)
    accounts[place].head += 1
  }

  private func forgetSamples(_ place: Int) {
    for sample in accounts[place].samples[accounts[place].head...] {
      arena.release(sample.evidence)
    }
    accounts[place].samples.removeAll(keepingCapacity: true)
    accounts[place].head = 0
    accounts[place].total = 0
  }

  // MARK: Reports

  private func reportSustained(
    _ place: Int, _ used: Int64, _ event: Event, _ batch: EventBatch, _ judge: Judge
  ) {
    let time = event.timeNanoseconds
    if let sustainedPlace { return judge.findings.extend(sustainedPlace, by: 1, until: time) }
    let account = accounts[place]
    // The last sample is named already.
    let others = account.samples[account.head...].dropLast().suffix(Self.evidenceMax)
    let context = others.compactMap { arena[$0.evidence]?.witness(role: "sample", in: batch) }
    sustainedPlace = report(
      .sustained, event, batch, context,
      [
        ("duration", readable(nanoseconds: used)),
        ("limit", readable(nanoseconds: windowNanoseconds)),
      ], judge)
  }

  private func throttle(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let time = event.timeNanoseconds
    if judge.model.state == .unknown && !hasDoubtedThrottle {
      hasDoubtedThrottle = true
      judge.unknown(ruleIndex, judge.doubtReason)
    }
    guard judge.model.state == .background else { return }
    if let throttledPlace { return judge.findings.extend(throttledPlace, by: 1, until: time) }
    throttledPlace = report(
      .throttled, event, batch, [], [("since", judge.since(time))], judge)
  }

  private func report(
    _ reason: Reason, _ event: Event, _ batch: EventBatch, _ further: [WitnessEvent],
    _ fields: [(name: String, value: String)], _ judge: Judge
  ) -> Int {
    let clause = judge.rules[ruleIndex].clauses[reason.rawValue]
    return judge.report(
      ruleIndex,
      Draft(
        clause: reason.rawValue, message: clause.message.filled(fields),
        subject: reason == .sustained ? "processor time" : "throttling",
        timeNanoseconds: event.timeNanoseconds, thread: event.thread,
        lastTimeNanoseconds: event.timeNanoseconds,
        witness: [batch.witness(event, role: "offender")],
        context: judge.context(in: batch) + further, intervalNumber: judge.interval.number),
      evidence: clause.evidence, isSettled: judge.rules[ruleIndex].yields.isEmpty)
  }

  // MARK: Life cycle

  private func leaveStay() {
    for place in accounts.indices { forgetSamples(place) }
    floor = 0
    isOverfull = false
    sustainedPlace = nil
  }

  override func launchBegan(_ judge: Judge) {
    leaveStay()
    throttledPlace = nil
    hasDoubtedThrottle = false
  }

  override var followsSuspensions: Bool { true }

  override func backgroundStayEnds(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    leaveStay()
  }

  override func lost(_ judge: Judge) { leaveStay() }

  override func traceEnds(_ judge: Judge) {
    if !judge.header.covers("proc") && !judge.header.covers("sys") {
      judge.verdicts[ruleIndex].notEvaluated = true
    }
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) { arena.batchEnds(batch) }
}
