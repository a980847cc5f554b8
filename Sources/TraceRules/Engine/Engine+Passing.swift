// The loop over events, and what it does itself with the many of which nobody need be told.

import TraceLifecycle
import TraceModel

/// What is to be done at the events of a template, until who listens changes.
struct PassingPlan {
  enum Way {
    /// Nothing.
    case pass
    /// Monitors collect it; nothing if they are collecting already.
    case collect
    /// A span begins of which monitors needn't hear if it is short.
    case enter
    /// A span ends of which monitors needn't hear if it was short.
    case leave
    /// The engine looks at the event.
    case look
  }

  var way = Way.look
  /// The number of the plan's making; see ``Passing/generation``.
  var generation: UInt32 = 0
  /// The list, with its bits.
  var number: UInt32 = 0
  var kind = EventKind(rawValue: 0)
  var thread: Int64 = 0
  /// How long a span may last to count as short.
  var spanNanosecondsUnheard = Int64.max
  /// The list of those who must hear of the enter if the span isn't short; 0: nobody.
  var deferredList: UInt32 = 0
}

/// What the loop over a part remembers, so that most events cost a look at it.
struct Passing {
  /// A span that was entered and not told, nor remembered by the ``SpanMemory``.
  struct Enter {
    var index: Int
    var timeNanoseconds: Int64
    var template: Int
  }

  /// Spans that are followed here at once; a trace of healthy spans needs a few.
  static let entersMax = 64

  var plans: [PassingPlan] = []
  /// Grows with every change of who listens.
  var generation: UInt32 = 0
  /// The lists of the templates are those of this gate.
  var gateNumber = -1
  var attention = -1
  var launchIsOpen = false
  var deadlineNanoseconds = Int64.max
  /// The list whose events are being collected; 0: none are.
  var collectedList: UInt32 = 0
  var enters: [Enter] = []

  /// The place of the innermost span of a plan's kind and thread.
  func place(of plan: PassingPlan) -> Int? {
    enters.lastIndex {
      let enter = plans[$0.template]
      return enter.kind == plan.kind && enter.thread == plan.thread
    }
  }
}

extension Engine {
  /// Judges the events of a range, up to a suspension on which later events decide.
  ///
  /// - Returns: The place of that suspension; nil if all events were judged.
  func judgeEvents(
    _ batch: EventBatch, _ range: Range<Int>, _ anomalies: [SpanAnomaly]
  ) -> Int? {
    judge.beginBatch()
    textCountMax = max(textCountMax, batch.strings.count)
    beginPart(range)
    var anomaly = anomalies.firstIndex { $0.index >= range.lowerBound } ?? anomalies.count
    var stop: Int?
    remembering.removeAll(keepingCapacity: true)
    remembering.append(contentsOf: repeatElement(nil, count: batch.templates.count))
    var passing = takePassing(batch)
    defer { self.passing = passing }
    for index in range {
      let isVoid =
        anomaly < anomalies.count && anomalies[anomaly].index == index
        && anomalies[anomaly].isVoid
      if !isVoid, !pass(batch, index, &passing),
        !look(batch, index, isFirst: index == range.lowerBound, end: range.upperBound, &passing)
      {
        stop = index
        break
      }
      while anomaly < anomalies.count, anomalies[anomaly].index <= index {
        rememberEnters(batch, &passing)
        tellHeldBack(batch, before: index + 1)
        note(anomalies[anomaly], batch)
        refresh(&passing, batch)
        anomaly += 1
      }
    }
    rememberEnters(batch, &passing)
    endEvents(batch, range.lowerBound..<(stop ?? range.upperBound))
    return stop
  }

  private func takePassing(_ batch: EventBatch) -> Passing {
    var taken = Passing()
    swap(&taken, &passing)
    taken.plans.removeAll(keepingCapacity: true)
    taken.plans.append(contentsOf: repeatElement(PassingPlan(), count: batch.templates.count))
    taken.gateNumber = -1
    refresh(&taken, batch)
    return taken
  }

  /// Makes the plans anew if who listens has changed.
  private func refresh(_ passing: inout Passing, _ batch: EventBatch) {
    passing.deadlineNanoseconds = deadlineNanoseconds
    passing.collectedList = collectedFrom == nil ? 0 : collectedList
    if passing.attention == judge.attention, passing.gateNumber == gateNumber,
      passing.launchIsOpen == launchIsOpen
    {
      return
    }
    rememberEnters(batch, &passing)
    passing.attention = judge.attention
    passing.launchIsOpen = launchIsOpen
    if passing.gateNumber != gateNumber {
      passing.gateNumber = gateNumber
      for place in passing.plans.indices { passing.plans[place].number = Self.unasked }
    }
    passing.generation &+= 1
  }

  /// Deals with an event that the loop needn't look at, and says whether it is such a one.
  @inline(__always)
  private func pass(_ batch: EventBatch, _ index: Int, _ passing: inout Passing) -> Bool {
    let template = Int(batch.templateIndices[index])
    if passing.plans[template].generation != passing.generation {
      makePlan(template, batch, &passing)
    }
    switch passing.plans[template].way {
    case .pass: return true
    case .look: return false
    case .collect:
      return passing.collectedList == passing.plans[template].number & ListenRows.listMask
        && batch.timesNanoseconds[index] <= passing.deadlineNanoseconds
    case .enter:
      let time = batch.timesNanoseconds[index]
      guard time <= passing.deadlineNanoseconds, passing.enters.count < Passing.entersMax,
        judge.spans.hasRoom(for: Passing.entersMax)
      else { return false }
      passing.enters.append(
        Passing.Enter(index: index, timeNanoseconds: time, template: template))
      return true
    case .leave:
      let time = batch.timesNanoseconds[index]
      guard time <= passing.deadlineNanoseconds,
        let place = passing.place(of: passing.plans[template])
      else { return false }
      let enter = passing.enters[place]
      guard
        difference(time, enter.timeNanoseconds)
          <= passing.plans[enter.template].spanNanosecondsUnheard
      else { return false }
      passing.enters.remove(at: place)
      return true
    }
  }

  /// Looks at an event, and has the life cycle and the monitors hear it if they want to, unless
  /// later ones decide what it is.
  private func look(
    _ batch: EventBatch, _ index: Int, isFirst: Bool, end: Int, _ passing: inout Passing
  ) -> Bool {
    let number = passing.plans[Int(batch.templateIndices[index])].number
    if number == 0 { return true }
    let mayTellDeferred =
      ListenRows.lifecycleBit | ListenRows.callbackBit | ListenRows.spanBit
    if number & mayTellDeferred != 0 { rememberEnters(batch, &passing) }
    if !hearInPassing(batch, index, number) {
      guard hear(batch, index, number, isFirst: isFirst, end: end) else { return false }
    }
    refresh(&passing, batch)
    return true
  }

  /// Has the memory of spans follow those that were entered and not told.
  private func rememberEnters(_ batch: EventBatch, _ passing: inout Passing) {
    if passing.enters.isEmpty { return }
    for enter in passing.enters {
      _ = judge.spans.enter(
        batch.event(at: enter.index), batch, newState: nil,
        deferring: passing.plans[enter.template].deferredList, nil)
    }
    passing.enters.removeAll(keepingCapacity: true)
  }

  // MARK: Plans

  private func makePlan(_ template: Int, _ batch: EventBatch, _ passing: inout Passing) {
    let described = batch.templates[template]
    var plan = passing.plans[template]
    if plan.number == Self.unasked {
      plan.number = rows.number(described, batch, monitors, judge.spans)
    }
    plan.generation = passing.generation
    plan.kind = described.kind
    plan.thread = batch.threads[Int(described.thread)].id
    (plan.way, plan.deferredList, plan.spanNanosecondsUnheard) = way(
      plan.number, described, batch)
    passing.plans[template] = plan
  }

  /// Whether events of a template are of no interest to anybody just now.
  func isPassed(_ number: UInt32, _ described: EventTemplate, _ batch: EventBatch) -> Bool {
    if case .pass = way(number, described, batch).way { true } else { false }
  }

  private func way(
    _ number: UInt32, _ described: EventTemplate, _ batch: EventBatch
  ) -> (way: PassingPlan.Way, deferredList: UInt32, spanNanosecondsUnheard: Int64) {
    if number == 0 { return (.pass, 0, .max) }
    guard number & (ListenRows.lifecycleBit | ListenRows.callbackBit) == 0,
      gate.state != .suspended
    else { return (.look, 0, .max) }
    let list = number & ListenRows.listMask
    let mode = rows.mode(Int(list), judge.attention, monitors)
    if !mode.isDisjoint(with: [.tell, .tellCollected]) { return (.look, 0, .max) }
    guard number & ListenRows.spanBit != 0 else {
      return (mode.contains(.collect) ? .collect : .pass, 0, .max)
    }
    if mode.contains(.collect) || SpanMemory.windowKinds.contains(described.kind) {
      return (.look, 0, .max)
    }
    if described.phase == .return { return (.leave, 0, .max) }
    if judge.spans.remembers(described, batch) { return (.look, 0, .max) }
    guard mode.contains(.defers) else { return (.enter, 0, .max) }
    guard launchIsOpen else { return (.look, 0, .max) }
    return (.enter, list, rows.deferring(list).spanNanosecondsUnheard)
  }
}
