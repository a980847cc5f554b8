// Who is told of an event, and what can be told later: most events concern nobody just now.

import TraceLifecycle
import TraceModel

extension Engine {
  /// Tells all monitors of a list that are awake.
  func tell(_ list: UInt32, _ event: Event, _ batch: EventBatch) {
    let mode = rows.mode(Int(list), judge.attention, monitors)
    if mode.contains(.tellCollected) { tellCollected(batch) }
    for place in rows.awake(Int(list), judge.attention, monitors) { tell(place, event, batch) }
    if mode.contains(.collect) { collect(event.index, list, batch) }
  }

  func tell(_ place: Int, _ event: Event, _ batch: EventBatch) {
    let monitor = monitors[place]
    guard launchIsOpen || monitor.hearsBetweenLaunches else { return }
    monitor.hear(event, batch, judge)
    deadlineNanoseconds = min(deadlineNanoseconds, monitor.deadlineNanoseconds)
  }

  func forgetEnter() {
    guard let enter = judge.currentEnter else { return }
    judge.spans.forget(enter)
    judge.currentEnter = nil
  }

  func followSpan(
    _ event: Event, _ number: UInt32, _ mode: ListenRows.Mode, _ batch: EventBatch
  ) {
    let spans = judge.spans
    if event.phase == .enter {
      var state: LifecycleState?
      if number & ListenRows.lifecycleBit != 0, judge.model.state != judge.model.stateBefore {
        state = judge.model.state
      }
      let list = number & ListenRows.listMask
      let defers = mode.contains(.defers)
      let said = remembers(event, batch) ? spans.arguments(event, batch, judge) : nil
      let isDeferred = spans.enter(
        event, newState: state, deferring: defers && launchIsOpen ? list : 0, said)
      if defers && !isDeferred {
        for place in rows.deferring(list).monitors { tell(place, event, batch) }
      }
    } else if event.phase == .return {
      if spans.deferredCount > 0,
        let open = spans.deferred(event.kind, onThread: event.thread),
        difference(event.timeNanoseconds, open.timeNanoseconds)
          > rows.deferring(open.deferred).spanNanosecondsUnheard
      {
        tellDeferred(batch)
      }
      judge.currentEnter = spans.close(event.kind, onThread: event.thread)
    }
  }

  func remembers(_ event: Event, _ batch: EventBatch) -> Bool {
    let place = Int(batch.templateIndices[event.index])
    if let known = remembering[place] { return known }
    let new = judge.spans.remembers(batch.templates[place], batch)
    remembering[place] = new
    return new
  }

  // MARK: What is told later

  /// What the loop over a part remembers, so that most events cost a look at it.
  struct Seen {
    /// The list of each template, once it was asked for.
    var row: [UInt32]
    /// The mode of each list, once it was asked for.
    var modes: [UInt8]
    var gateNumber = 0
    var attention = -1

    init(row: [UInt32], modes: [UInt8]) { (self.row, self.modes) = (row, modes) }

    mutating func forgetRow(_ gateNumber: Int, _ batch: EventBatch) {
      self.gateNumber = gateNumber
      row.removeAll(keepingCapacity: true)
      row.append(contentsOf: repeatElement(Engine.unasked, count: batch.templates.count))
    }

    mutating func forgetModes(_ attention: Int, _ count: Int) {
      self.attention = attention
      modes.removeAll(keepingCapacity: true)
      modes.append(contentsOf: repeatElement(.max, count: count))
    }
  }

  func listNumber(_ index: Int, _ batch: EventBatch, _ seen: inout Seen) -> UInt32 {
    let template = Int(batch.templateIndices[index])
    let number = seen.row[template]
    if number != Self.unasked { return number }
    let new = rows.number(batch.templates[template], batch, monitors, judge.spans)
    seen.row[template] = new
    // There may be a new list.
    seen.attention = -1
    return new
  }

  /// Deals with an event of which nobody need be told now, and says whether it is such a one.
  func hearInPassing(
    _ batch: EventBatch, _ index: Int, _ number: UInt32, _ seen: inout Seen
  ) -> Bool {
    guard number & ListenRows.lifecycleBit == 0, gate.state != .suspended,
      batch.timesNanoseconds[index] <= deadlineNanoseconds,
      number & ListenRows.callbackBit == 0 || judge.spans.deferredCount == 0
    else { return false }
    if seen.attention != judge.attention { seen.forgetModes(judge.attention, rows.count) }
    let list = Int(number & ListenRows.listMask)
    if seen.modes[list] == .max {
      seen.modes[list] = rows.mode(list, judge.attention, monitors).rawValue
    }
    let mode = ListenRows.Mode(rawValue: seen.modes[list])
    if !mode.isDisjoint(with: [.tell, .tellCollected]) { return false }
    if number & ListenRows.spanBit != 0 {
      let event = batch.event(at: index)
      if judge.currentEnter != nil { forgetEnter() }
      followSpan(event, number, mode, batch)
      // A long span was told, and now its return is of interest.
      if seen.attention != judge.attention, list != 0 { tell(UInt32(list), event, batch) }
    }
    if mode.contains(.collect) { collect(index, UInt32(list), batch) }
    return true
  }

  func collect(_ index: Int, _ list: UInt32, _ batch: EventBatch) {
    if list != collectedList {
      tellCollected(batch)
      collectedList = list
    }
    collected.append(index)
  }

  func tellHeldBack(_ batch: EventBatch) {
    tellDeferred(batch)
    tellCollected(batch)
  }

  /// Tells monitors of the events that they collect.
  func tellCollected(_ batch: EventBatch) {
    if collected.isEmpty { return }
    var events: [Int] = []
    swap(&events, &collected)
    defer {
      events.removeAll(keepingCapacity: true)
      swap(&events, &collected)
    }
    for place in rows.collecting(collectedList) {
      let monitor = monitors[place]
      guard launchIsOpen || monitor.hearsBetweenLaunches else { continue }
      monitor.hear(events, batch, judge)
      deadlineNanoseconds = min(deadlineNanoseconds, monitor.deadlineNanoseconds)
    }
  }

  /// Tells those monitors of open spans that could do without them for a while.
  func tellDeferred(_ batch: EventBatch) {
    if judge.spans.deferredCount == 0 { return }
    for (event, list) in judge.spans.takeDeferred(from: batch) {
      for place in rows.deferring(list).monitors { tell(place, event, batch) }
    }
  }
}
