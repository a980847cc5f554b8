// Matches enters and returns of spans and tells what doesn't fit.
// This file must not know what a span means, nor what follows from a misfit.

public import TraceModel

/// A return that fits no open span, or that closes others with it.
public struct SpanAnomaly: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// TQ03: the span had been closed before.
    case returnOfClosedSpan
    /// TQ04: no such span was entered.
    case returnWithoutEnter
    /// The return of an outer span closed an inner one, whose verdict is unknown: the inner
    /// span's kind and thread.
    case crossing(EventKind, thread: Int64)
  }

  /// The place of the return in its batch.
  public var index: Int
  public var kind: Kind
  /// Whether it is a return of nothing: its enter can't have been missed. Then it says nothing of
  /// the app.
  public var isVoid = false

  public init(index: Int, kind: Kind, isVoid: Bool = false) {
    self.index = index
    self.kind = kind
    self.isVoid = isVoid
  }
}

/// Matches enters and returns: spans on a stack per thread, windows by kind alone.
public struct SpanAuditor: Sendable {
  /// Spans open on one thread. Callbacks nest a few deep and recursion of spans a few dozen;
  /// deeper ones are not followed until the thread has returned from all.
  public static let depthMax = 4_096
  /// Threads followed at once, far more than the system allows an app.
  public static let threadsMax = 65_536

  private enum Action: Sendable {
    case nothing, enter, leave, cross, enterWindow, leaveWindow
    case endOfProcess, loss, startOfRecording
  }

  /// What is to be done at an event of a template, made at its first event in a range.
  private struct Plan {
    var generation = 0
    var action = Action.nothing
    var kind = EventKind(rawValue: 0)
    /// The place of the thread's stack.
    var thread = 0
  }

  private var plans: [Plan] = []
  private var generation = 0
  private var places: [Int64: Int] = [:]
  private var stacks: [SpanStack] = []
  private var windowCounts = [Int](repeating: 0, count: 256)
  private var enteredWindows = KindSet()
  private var epochs = SpanStack.Epochs()

  private let isExcerpt: Bool

  /// - Parameter isExcerpt: Whether the events are an excerpt of a trace, so that a return whose
  ///   enter is missing isn't one of nothing.
  public init(isExcerpt: Bool = false) { self.isExcerpt = isExcerpt }

  /// Follows the spans of a range and appends what doesn't fit, in order of place.
  public mutating func audit(
    _ batch: EventBatch, _ range: Range<Int>, into anomalies: inout [SpanAnomaly]
  ) {
    beginRange(batch)
    for index in range {
      let template = Int(batch.templateIndices[index])
      if plans[template].generation != generation { plan(template, batch) }
      let plan = plans[template]
      switch plan.action {
      case .nothing: continue
      case .enter:
        stacks[plan.thread].update(to: epochs)
        stacks[plan.thread].push(plan.kind, depthMax: Self.depthMax)
      case .leave: leave(plan, index, &anomalies)
      case .cross: cross(plan, index, batch, &anomalies)
      case .enterWindow:
        windowCounts[Int(plan.kind.rawValue)] += 1
        enteredWindows.insert(plan.kind)
      case .leaveWindow: leaveWindow(plan.kind, index, &anomalies)
      // Spans end with their process. Windows may well be closed by the system later.
      case .endOfProcess:
        epochs.process += 1
        epochs.mayLackEnters = isExcerpt
      case .loss: lose(batch.event(at: index), batch)
      case .startOfRecording: resume(batch.event(at: index), batch)
      }
    }
  }

  private mutating func beginRange(_ batch: EventBatch) {
    generation += 1
    while plans.count < batch.templates.count { plans.append(Plan()) }
    if stacks.count > Self.threadsMax { dropIdleThreads() }
  }

  private mutating func plan(_ place: Int, _ batch: EventBatch) {
    let template = batch.templates[place]
    var plan = Plan()
    plan.generation = generation
    plan.kind = template.kind
    plan.action = Self.action(template)
    if plan.action == .leave, batch.slots(of: template).contains(where: { $0.name == .crossed }) {
      plan.action = .cross
    }
    if [.enter, .leave, .cross].contains(plan.action) {
      plan.thread = stack(of: batch.threads[Int(template.thread)].id)
    }
    plans[place] = plan
  }

  private static func action(_ template: EventTemplate) -> Action {
    switch template.kind {
    case .procStart, .procKill, .procExit: return .endOfProcess
    case .traceLost: return .loss
    case .traceStart: return .startOfRecording
    default: break
    }
    guard template.phase != .instant, template.kind.rawValue < KindSet.otherBit,
      let description = Vocabulary.description(of: template.kind)
    else { return .nothing }
    if description.shape == .window {
      return template.phase == .enter ? .enterWindow : .leaveWindow
    }
    return template.phase == .enter ? .enter : .leave
  }

  private mutating func stack(of thread: Int64) -> Int {
    if let place = places[thread] { return place }
    places[thread] = stacks.count
    stacks.append(SpanStack(thread: thread, epochs: epochs))
    return stacks.count - 1
  }

  // MARK: Returns

  private mutating func leave(_ plan: Plan, _ index: Int, _ anomalies: inout [SpanAnomaly]) {
    let place = plan.thread
    stacks[place].update(to: epochs)
    if stacks[place].popTop(plan.kind) { return }
    if stacks[place].isOpen(plan.kind) {
      let thread = stacks[place].thread
      while let crossed = stacks[place].pop(), crossed != plan.kind {
        anomalies.append(SpanAnomaly(index: index, kind: .crossing(crossed, thread: thread)))
      }
      return
    }
    if let kind = stacks[place].judgeStrayReturn(plan.kind) {
      anomalies.append(
        SpanAnomaly(index: index, kind: kind, isVoid: !epochs.mayLackEnters))
    }
    // Its enter may have come before all that is open, and nobody recorded it.
    guard stacks[place].mayLieInAnother else { return }
    let thread = stacks[place].thread
    while let crossed = stacks[place].pop() {
      anomalies.append(SpanAnomaly(index: index, kind: .crossing(crossed, thread: thread)))
    }
  }

  /// A return that says that another span crossed this one. It is no return: nobody knows when the
  /// span ended.
  private mutating func cross(
    _ plan: Plan, _ index: Int, _ batch: EventBatch, _ anomalies: inout [SpanAnomaly]
  ) {
    let place = plan.thread
    stacks[place].update(to: epochs)
    guard batch.boolean(.crossed, of: batch.event(at: index)) == true,
      stacks[place].isOpen(plan.kind)
    else { return leave(plan, index, &anomalies) }
    let thread = stacks[place].thread
    while let crossed = stacks[place].pop() {
      anomalies.append(
        SpanAnomaly(index: index, kind: .crossing(crossed, thread: thread), isVoid: true))
      if crossed == plan.kind { return }
    }
  }

  private mutating func leaveWindow(
    _ kind: EventKind, _ index: Int, _ anomalies: inout [SpanAnomaly]
  ) {
    if windowCounts[Int(kind.rawValue)] > 0 {
      windowCounts[Int(kind.rawValue)] -= 1
    } else {
      let wasEntered = enteredWindows.contains(kind)
      anomalies.append(
        SpanAnomaly(index: index, kind: wasEntered ? .returnOfClosedSpan : .returnWithoutEnter))
    }
  }

  // MARK: Losses

  /// Spans that were open where events were lost may have returned or not.
  private mutating func lose(_ event: Event, _ batch: EventBatch) {
    epochs.mayLackEnters = true
    if let thread = batch.lostThread(event) {
      guard let place = places[thread] else { return }
      stacks[place].update(to: epochs)
      stacks[place].lose()
    } else {
      epochs.loss += 1
    }
  }

  /// A recording that begins in the middle of a process has missed what came before.
  private mutating func resume(_ event: Event, _ batch: EventBatch) {
    if batch.isText(.reason, "attach", of: event)
      || batch.isText(.reason, "resume_of_recording", of: event)
    {
      noteLoss()
    }
  }

  /// Says that events were lost before the next one.
  public mutating func noteLoss() {
    epochs.mayLackEnters = true
    epochs.loss += 1
  }

  private mutating func dropIdleThreads() {
    var kept = stacks.filter { !$0.isEmpty }
    if kept.count > Self.threadsMax / 2 {
      kept.removeAll()
      epochs.mayLackEnters = true
    }
    stacks = kept
    places.removeAll(keepingCapacity: true)
    for (place, stack) in stacks.enumerated() { places[stack.thread] = place }
  }
}

extension EventBatch {
  /// The only thread of which a `trace.lost` says that it lost events; nil: any may have.
  public func lostThread(_ event: Event) -> Int64? {
    guard event.kind == .traceLost else { return nil }
    return integer(.thread, of: event) ?? text(.thread, of: event).flatMap { Int64($0) }
  }
}
