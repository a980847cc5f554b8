// Whether an inactive app draws more slowly.
// Hand-written: the rate measured while inactive is compared with the one measured before.

import TraceLifecycle
import TraceModel

/// Compares the frame rates of an app, asked for and presented, while inactive and before.
final class FrameRateThrottling: Monitor {
  /// How long after applicationWillResignActive: the rate must be low.
  static let allowanceNanoseconds: Int64 = 500_000_000
  /// Calls that are named as evidence.
  private static let witnessesMax = 128

  /// A stretch of inactivity that began with applicationWillResignActive:.
  private struct Stretch {
    var event: PendingWitness
    /// Until when the rate is free.
    var freeUntilNanoseconds: Int64
    /// When the stretch has lasted long enough to be judged.
    var dueNanoseconds: Int64
    var offender: Setting?
    var isDue = false
    /// A finding was made, or none can be.
    var isDone = false
  }

  /// A rate that the app asked for.
  private struct Setting {
    var event: PendingWitness
    var fps: Double
    /// When it was wrong.
    var sinceNanoseconds: Int64
  }

  /// What was presented while active, before the app resigned.
  private enum Baseline {
    case unknown
    /// Frames per second, in millionths.
    case rate(Int64)
    /// Not measured yet: from when to when the app was active.
    case pending(Int64, Int64)
  }

  private let rateMax: Int64
  private let windowNanoseconds: Int64
  private let sharePercent: Int64
  @safe @exclusivity(unchecked) private var setting: Setting?
  @safe @exclusivity(unchecked) private var frames = FrameHistory()
  @safe @exclusivity(unchecked) private var stretch: Stretch?
  @safe @exclusivity(unchecked) private var baseline = Baseline.unknown
  @safe @exclusivity(unchecked) private var activeSinceNanoseconds: Int64?
  private var activation: PendingWitness?
  @safe @exclusivity(unchecked) private var takenOrdinal = -1
  @safe @exclusivity(unchecked) private var isPresent = TextTest(.kind, "present")

  init(ruleIndex: Int, judge: Judge) {
    rateMax = max(0, judge.value(of: .parameter("rate"), ruleIndex))
    windowNanoseconds = max(1, judge.value(of: .parameter("window"), ruleIndex))
    sharePercent = max(0, judge.value(of: .parameter("share"), ruleIndex))
    super.init(ruleIndex: ruleIndex)
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    switch kind {
    case .glFrameRate: true
    case .glCall: phase != .return && !state.isBackgroundOrSuspended
    default: false
    }
  }

  override var followsLifecycle: Bool { true }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    switch event.kind {
    case .glFrameRate: set(event, batch, judge)
    case .glCall: present(event, batch, judge)
    default: follow(event, judge)
    }
  }

  // MARK: Rates

  private func set(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let fps = batch.number(.fps, of: event), fps.isFinite else { return }
    noteOffender(before: event.timeNanoseconds)
    setting = Setting(
      event: PendingWitness(event), fps: fps, sinceNanoseconds: event.timeNanoseconds)
    guard let stretch, stretch.isDue, !stretch.isDone else { return }
    noteOffender(before: .max)
    judgeSetting(event, batch, judge)
  }

  /// Remembers the rate in force if it was too high for a part of the stretch that isn't free.
  private func noteOffender(before time: Int64) {
    guard let stretch, stretch.offender == nil, time > stretch.freeUntilNanoseconds,
      var setting, setting.fps > Double(rateMax)
    else { return }
    setting.sinceNanoseconds = max(setting.sinceNanoseconds, stretch.freeUntilNanoseconds)
    self.stretch?.offender = setting
  }

  private func present(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard takenOrdinal != event.ordinal,
      isPresent.holds(for: event, in: batch, number: judge.batchNumber)
    else { return }
    takenOrdinal = event.ordinal
    var oldest = event.timeNanoseconds
    if let stretch, !stretch.isDue { oldest = min(oldest, stretch.dueNanoseconds) }
    oldest = difference(oldest, windowNanoseconds)
    if case .pending(let start, _) = baseline { oldest = min(oldest, start) }
    frames.add(event, batch, keepingFrom: oldest)
    measureBaseline()
    guard let stretch, stretch.isDue, !stretch.isDone else { return }
    judgeFrames(until: event.timeNanoseconds, event, batch, judge)
  }

  private func measureBaseline() {
    guard case .pending(let start, let end) = baseline else { return }
    baseline = .rate(frames.rate(from: start, to: end))
  }

  // MARK: Life cycle

  private func follow(_ event: Event, _ judge: Judge) {
    let (state, before) = (judge.model.state, judge.model.stateBefore)
    if state != .inactive, stretch != nil { endStretch() }
    if state == .unknown { activeSinceNanoseconds = nil }
    switch event.kind {
    case .delegateDidBecomeActive, .sceneDidBecomeActive:
      guard state == .active, before != .active else { return }
      activeSinceNanoseconds = event.timeNanoseconds
      activation = PendingWitness(event)
    case .delegateWillResignActive, .sceneWillResignActive:
      guard state == .resigning || state == .inactive, state != before else { return }
      if before != .resigning { leaveActive(event, from: before) }
      if state == .inactive && stretch == nil {
        let free = sum(event.timeNanoseconds, Self.allowanceNanoseconds)
        let due = sum(free, windowNanoseconds)
        stretch = Stretch(
          event: PendingWitness(event), freeUntilNanoseconds: free, dueNanoseconds: due)
        deadlineNanoseconds = difference(due, 1)
      }
    default: break
    }
  }

  private func leaveActive(_ event: Event, from state: LifecycleState) {
    let time = event.timeNanoseconds
    if state == .active, let since = activeSinceNanoseconds {
      baseline = .pending(max(since, difference(time, windowNanoseconds)), time)
    } else {
      baseline = state == .active || state == .unknown || state == .notRunning ? .unknown : .rate(0)
    }
    activeSinceNanoseconds = nil
  }

  private func endStretch() {
    stretch = nil
    baseline = .unknown
    deadlineNanoseconds = .max
  }

  // MARK: Judging

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    deadlineNanoseconds = .max
    guard let stretch, !stretch.isDue, event.timeNanoseconds >= stretch.dueNanoseconds else {
      return
    }
    // A call that the life cycle hasn't come to yet stands for frames of the time before it.
    let isCall = event.kind == .glCall && event.phase != .return
    if isCall { present(event, batch, judge) }
    self.stretch?.isDue = true
    noteOffender(before: .max)
    judgeSetting(event, batch, judge)
    if self.stretch?.isDone == false {
      judgeFrames(until: stretch.dueNanoseconds, event, batch, judge)
    }
    if self.stretch?.isDone == false, isCall, takenOrdinal == event.ordinal {
      judgeFrames(until: event.timeNanoseconds, event, batch, judge)
    }
  }

  private func judgeSetting(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard let stretch, let offender = stretch.offender else { return }
    self.stretch?.isDone = true
    let elapsed = readable(
      nanoseconds: difference(
        offender.sinceNanoseconds, stretch.event.event.timeNanoseconds))
    report(
      "the frame rate was set to \(frameRateText(offender.fps)) frames/s \(elapsed) after applicationWillResignActive:, more than \(rateMax)",
      at: offender.sinceNanoseconds, thread: offender.event.event.thread,
      [offender.event.witness(role: "offender", in: batch)], [], certainBy: event, batch, judge)
  }

  private func judgeFrames(
    until end: Int64, _ event: Event, _ batch: EventBatch, _ judge: Judge
  ) {
    measureBaseline()
    guard let stretch else { return }
    let start = difference(end, windowNanoseconds)
    let count = frames.frames(from: start, to: end)
    let low = scaled(rateMax, by: FrameHistory.unit, over: 1)
    var limit = low
    if case .rate(let rate) = baseline {
      limit = max(low, scaled(rate, by: sharePercent, over: 100, up: true))
    }
    let countMax = scaled(limit, by: windowNanoseconds, over: 1_000_000_000, up: true)
    guard count > countMax else { return }
    self.stretch?.isDone = true
    if case .unknown = baseline { return judge.unknown(ruleIndex, judge.doubtReason) }
    let rate = Double(count) * 1_000 / Double(windowNanoseconds)
    report(
      "an inactive app presented \(frameRateText((rate * 10).rounded() / 10)) frames/s in \(readable(nanoseconds: windowNanoseconds)), more than \(frameRateText((Double(limit) / 100_000).rounded() / 10))",
      at: end, thread: stretch.event.event.thread, [],
      frames.evidence(
        from: start, to: end, exceeding: countMax, max: Self.witnessesMax, in: batch),
      certainBy: event, batch, judge)
  }

  private func report(
    _ message: String, at time: Int64, thread: Int64, _ own: [WitnessEvent],
    _ others: [WitnessEvent], certainBy event: Event, _ batch: EventBatch, _ judge: Judge
  ) {
    guard let stretch else { return }
    var context = judge.context(in: batch) + others
    if let activation { context.append(activation.witness(role: "state", in: batch)) }
    judge.report(
      ruleIndex,
      Draft(
        clause: 0, message: message, subject: "frame rate", timeNanoseconds: time,
        thread: thread, lastTimeNanoseconds: time,
        witness: own + [
          stretch.event.witness(role: "state", in: batch),
          batch.witness(event, role: "deadline"),
        ], context: context),
      isSettled: judge.rules[ruleIndex].yields.isEmpty)
  }

  // MARK: Bookkeeping

  /// Whether a stretch that is too short to be judged would be violated if it went on so.
  private func isSuspicious(_ judge: Judge) -> Bool {
    guard let stretch, !stretch.isDue else { return false }
    noteOffender(before: .max)
    if self.stretch?.offender != nil { return true }
    let count = frames.frames(
      from: stretch.freeUntilNanoseconds, to: judge.lastNanoseconds ?? .min)
    return count
      > scaled(
        scaled(rateMax, by: FrameHistory.unit, over: 1), by: windowNanoseconds,
        over: 1_000_000_000)
  }

  override func launchBegan(_ judge: Judge) { forget() }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    if case .process = end {} else if isSuspicious(judge) { judge.unknown(ruleIndex, "truncated") }
    forget()
  }

  override func lost(_ judge: Judge) {
    if isSuspicious(judge) { judge.unknown(ruleIndex, "gap") }
    forget()
  }

  private func forget() {
    setting = nil
    frames.removeAll()
    activeSinceNanoseconds = nil
    activation = nil
    endStretch()
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    frames.batchEnds(batch)
    setting?.event.keep(from: batch)
    activation?.keep(from: batch)
    stretch?.event.keep(from: batch)
    stretch?.offender?.event.keep(from: batch)
  }
}
