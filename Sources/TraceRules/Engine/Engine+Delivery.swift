// The loop over events: most concern nobody just now and cost a comparison, the others are
// delivered to the life cycle and to the monitors that are awake.

import TraceLifecycle
import TraceModel

/// The lists of a batch's templates, asked for once for each gate.
struct BatchLists {
  /// A template whose list hasn't been asked for.
  private static let unasked = UInt32.max

  /// By gate, then by template.
  private var numbers: [[UInt32]] = []
  private var templateCount = 0

  mutating func begin(_ batch: EventBatch) {
    templateCount = batch.templates.count
    for place in numbers.indices { numbers[place].removeAll(keepingCapacity: true) }
  }

  /// The list of a template if it is known.
  @inline(__always)
  func number(_ gate: Int, _ template: Int) -> UInt32? {
    guard gate < numbers.count, template < numbers[gate].count else { return nil }
    let number = numbers[gate][template]
    return number == Self.unasked ? nil : number
  }

  mutating func note(_ number: UInt32, _ gate: Int, _ template: Int) {
    while numbers.count <= gate { numbers.append([]) }
    if numbers[gate].isEmpty {
      numbers[gate].append(contentsOf: repeatElement(Self.unasked, count: templateCount))
    }
    numbers[gate][template] = number
  }
}

extension Engine {
  /// Judges the events of a range, up to one on which later events decide.
  ///
  /// - Returns: The place of that event; nil if all events were judged.
  func judgeEvents(
    _ batch: EventBatch, _ range: Range<Int>, _ anomalies: [SpanAnomaly]
  ) -> Int? {
    judge.beginBatch()
    judge.spans.begin(batch)
    lists.begin(batch)
    textCountMax = max(textCountMax, batch.strings.count)
    beginPart(range)
    var anomaly = anomalies.firstIndex { $0.index >= range.lowerBound } ?? anomalies.count
    var stop: Int?
    for index in range {
      let hasAnomaly = anomaly < anomalies.count && anomalies[anomaly].index == index
      if !(hasAnomaly && anomalies[anomaly].isVoid),
        !take(batch, index, isFirst: index == range.lowerBound, end: range.upperBound)
      {
        stop = index
        break
      }
      while anomaly < anomalies.count, anomalies[anomaly].index <= index {
        deliverDeferred(batch)
        note(anomalies[anomaly], batch)
        anomaly += 1
      }
    }
    endEvents(batch, range.lowerBound..<(stop ?? range.upperBound))
    return stop
  }

  /// Takes an event, unless later ones decide what it is; says whether it did.
  @inline(__always)
  private func take(_ batch: EventBatch, _ index: Int, isFirst: Bool, end: Int) -> Bool {
    let number = listNumber(Int(batch.templateIndices[index]), batch)
    if number == 0 || isIgnored(number, batch, index) { return true }
    return deliver(batch, index, number, isFirst: isFirst, end: end)
  }

  /// The list of a template, with its bits.
  @inline(__always)
  private func listNumber(_ template: Int, _ batch: EventBatch) -> UInt32 {
    lists.number(judge.deliveries.selected, template) ?? findList(template, batch)
  }

  @inline(never)
  private func findList(_ template: Int, _ batch: EventBatch) -> UInt32 {
    let number = judge.deliveries.number(batch.templates[template], batch, monitors, judge.spans)
    lists.note(number, judge.deliveries.selected, template)
    return number
  }

  /// Deals with an event that neither the life cycle nor a monitor wants just now, and says whether
  /// it is such a one.
  @inline(__always)
  private func isIgnored(_ number: UInt32, _ batch: EventBatch, _ index: Int) -> Bool {
    guard number & (DeliveryTable.lifecycleBit | DeliveryTable.callbackBit) == 0,
      gate.state != .suspended
    else { return false }
    let list = Int(number & DeliveryTable.listMask)
    guard number & DeliveryTable.spanBit != 0 else {
      return judge.deliveries.lists[list].awakeCount == 0
    }
    return followIgnoredSpan(list, batch, index)
  }

  /// Whether a template's events are of no interest to anybody just now, spans included.
  func isIgnored(_ template: EventTemplate, _ batch: EventBatch) -> Bool {
    let number = judge.deliveries.number(template, batch, monitors, judge.spans)
    let bits = DeliveryTable.lifecycleBit | DeliveryTable.callbackBit | DeliveryTable.spanBit
    return number & bits == 0 && judge.deliveries.lists[Int(number)].awakeCount == 0
  }

  // MARK: Spans

  /// Follows the begin or end of a span of which nobody wants to hear now, and says whether it is
  /// such a one.
  private func followIgnoredSpan(_ list: Int, _ batch: EventBatch, _ index: Int) -> Bool {
    guard batch.timesNanoseconds[index] <= deadlineNanoseconds else { return false }
    let spans = judge.spans
    let event = batch.event(at: index)
    if event.phase == .enter {
      let defers = judge.deliveries.lists[list].defersSpans
      let listening = judge.deliveries.lists[list]
      guard (defers ? listening.promptCount : listening.awakeCount) == 0,
        !defers || launchIsOpen && spans.canFollow(event, batch)
      else { return false }
      spans.enter(event, batch, newState: nil, deferring: defers ? list : 0)
      return true
    }
    guard judge.deliveries.lists[list].awakeCount == 0 else { return false }
    guard let place = spans.place(of: event, batch) else { return true }
    if isLongAndDeferred(spans[place], at: event.timeNanoseconds) { return false }
    spans.drop(place)
    return true
  }

  /// Whether a span that ends at a time was deferred and isn't short.
  private func isLongAndDeferred(_ open: SpanTable.Open, at time: Int64) -> Bool {
    guard open.deferred != 0 else { return false }
    let short = judge.deliveries.lists[open.deferred].shortNanoseconds ?? .max
    return difference(time, open.timeNanoseconds) > short
  }

  /// Follows the begin or end of a span that is delivered.
  ///
  /// - Returns: Whether those who can do without short spans are told of it later.
  private func followSpan(_ event: Event, _ number: UInt32, _ batch: EventBatch) -> Bool {
    let spans = judge.spans
    let list = Int(number & DeliveryTable.listMask)
    switch event.phase {
    case .instant: return false
    case .enter:
      let defers =
        launchIsOpen && judge.deliveries.lists[list].defersSpans && spans.canFollow(event, batch)
      let isNewState =
        number & DeliveryTable.lifecycleBit != 0 && judge.model.state != judge.model.stateBefore
      spans.enter(
        event, batch, newState: isNewState ? judge.model.state : nil, deferring: defers ? list : 0)
      return defers
    case .return:
      if let place = spans.place(of: event, batch),
        isLongAndDeferred(spans[place], at: event.timeNanoseconds)
      {
        deliverDeferred(batch)
      }
      judge.currentEnter = spans.place(of: event, batch).map { spans.close($0) }
      return false
    }
  }

  func forgetEnter() {
    guard let enter = judge.currentEnter else { return }
    judge.spans.forget(enter)
    judge.currentEnter = nil
  }

  /// Tells of open spans those monitors that could do without them for a while.
  func deliverDeferred(_ batch: EventBatch) {
    if judge.spans.deferredCount == 0 { return }
    for (event, list) in judge.spans.takeDeferred(from: batch) {
      for place in judge.deliveries.lists[list].start..<judge.deliveries.lists[list].end {
        let interest = judge.deliveries.listeners[place].interest
        if interest.defersSpans { deliver(event, batch, to: Int(interest.monitor)) }
      }
    }
  }

  // MARK: Delivery

  /// Has the life cycle and the monitors take an event, unless later ones decide what it is; says
  /// whether they did.
  private func deliver(
    _ batch: EventBatch, _ index: Int, _ number: UInt32, isFirst: Bool, end: Int
  ) -> Bool {
    let event = batch.event(at: index)
    forgetEnter()
    if !isFirst {
      judge.lastIndex = index - 1
      judge.lastNanoseconds = batch.timesNanoseconds[index - 1]
    }
    // What passes with a sample of the clocks is measured with what it tells of sleep.
    let isSync = event.kind == .traceClockSync
    if isSync { passDeadlines(before: index, batch) } else { passDeadlines(at: index, batch) }
    if !judge.settler.isEmpty { settleOldCalls(upTo: index, batch) }
    if number & (DeliveryTable.lifecycleBit | DeliveryTable.callbackBit) != 0 {
      deliverDeferred(batch)
    }
    var isNewGate = false
    if number & DeliveryTable.lifecycleBit != 0 {
      guard isDecided(event, batch, upTo: end) else { return false }
      live(event, batch)
      if isSync { passDeadlines(at: index, batch) }
      let now = judge.gate
      isNewGate = now.state != gate.state || now.everyEvent != gate.everyEvent
    }
    let list = Int(number & DeliveryTable.listMask)
    let defers = number & DeliveryTable.spanBit != 0 && followSpan(event, number, batch)
    if judge.deliveries.lists[list].awakeCount > 0 {
      deliver(event, batch, list, defers: defers)
    }
    // Those who follow the life cycle listen to all of these.
    if LifecycleModel.stateKinds.contains(event.kind) { hasNews = false }
    if isNewGate { refreshGate() }
    return true
  }

  /// Delivers an event to the monitors of a list that are awake.
  private func deliver(
    _ event: Event, _ batch: EventBatch, _ list: Int, defers: Bool
  ) {
    var last: Int32 = -1
    for place in judge.deliveries.lists[list].start..<judge.deliveries.lists[list].end {
      guard judge.deliveries.listeners[place].isAwake else { continue }
      let interest = judge.deliveries.listeners[place].interest
      if interest.monitor == last || (defers && interest.defersSpans)
        || (interest.isFollower && !hasNews)
      {
        continue
      }
      last = interest.monitor
      deliver(event, batch, to: Int(last))
    }
  }

  private func deliver(_ event: Event, _ batch: EventBatch, to place: Int) {
    let monitor = monitors[place]
    guard launchIsOpen || monitor.hearsBetweenLaunches else { return }
    monitor.hear(event, batch, judge)
    deadlineNanoseconds = min(deadlineNanoseconds, monitor.deadlineNanoseconds)
  }
}
