// Who is told of an event, and what can be told later: most events concern nobody just now.

import TraceLifecycle
import TraceModel

extension Engine {
  /// Tells all monitors of a list that are awake.
  func tell(_ list: UInt32, _ event: Event, _ batch: EventBatch) {
    let mode = rows.mode(Int(list), judge.attention, monitors)
    if mode.contains(.tellCollected) { tellCollected(batch, before: event.index) }
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
        event, batch, newState: state, deferring: defers && launchIsOpen ? list : 0, said)
      if defers && !isDeferred {
        for place in rows.deferring(list).monitors { tell(place, event, batch) }
      }
    } else if event.phase == .return {
      if spans.deferredCount > 0,
        let open = spans.deferred(event.kind, onThread: event.thread, batch),
        difference(event.timeNanoseconds, open.timeNanoseconds)
          > rows.deferring(open.deferred).spanNanosecondsUnheard
      {
        tellDeferred(batch)
      }
      judge.currentEnter = spans.close(event.kind, onThread: event.thread, batch)
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

  /// Deals with an event of which nobody need be told now, and says whether it is such a one.
  func hearInPassing(_ batch: EventBatch, _ index: Int, _ number: UInt32) -> Bool {
    guard number & ListenRows.lifecycleBit == 0, gate.state != .suspended,
      batch.timesNanoseconds[index] <= deadlineNanoseconds,
      number & ListenRows.callbackBit == 0 || judge.spans.deferredCount == 0
    else { return false }
    let list = Int(number & ListenRows.listMask)
    let mode = rows.mode(list, judge.attention, monitors)
    if !mode.isDisjoint(with: [.tell, .tellCollected]) { return false }
    if number & ListenRows.spanBit != 0 {
      let attention = judge.attention
      let event = batch.event(at: index)
      if judge.currentEnter != nil { forgetEnter() }
      followSpan(event, number, mode, batch)
      // A long span was told, and now its return is of interest.
      if attention != judge.attention, list != 0 { tell(UInt32(list), event, batch) }
    }
    if mode.contains(.collect) { collect(index, UInt32(list), batch) }
    return true
  }

  // MARK: What is collected

  /// Takes note of an event that the monitors of a list collect. Those that follow it and are of
  /// the same list are collected with it, until ``tellCollected(_:before:)``.
  func collect(_ index: Int, _ list: UInt32, _ batch: EventBatch) {
    if collectedFrom != nil {
      if list == collectedList { return }
      tellCollected(batch, before: index)
    }
    collectedList = list
    collectedFrom = index
  }

  /// Whether those who collect must be told before an event is heard. Of most events that only
  /// give the app reasons to run they learn nothing.
  func mustTellCollected(_ event: Event, _ number: UInt32) -> Bool {
    if number & ListenRows.lifecycleBit != 0 {
      let isOrdinary = launchIsOpen && gate.state == .active && !gate.everyEvent
      if !isOrdinary || LifecycleModel.stateKinds.contains(event.kind) { return true }
    }
    return rows.collecting(collectedList).contains {
      monitors[$0].deadlineNanoseconds < event.timeNanoseconds
    }
  }

  /// Tells of all that was held back, up to a place of the batch.
  func tellHeldBack(_ batch: EventBatch, before end: Int) {
    tellDeferred(batch)
    tellCollected(batch, before: end)
  }

  /// Tells monitors of the events that they collect, up to a place of the batch.
  func tellCollected(_ batch: EventBatch, before end: Int) {
    guard let start = collectedFrom else { return }
    collectedFrom = nil
    for place in rows.collecting(collectedList) {
      let monitor = monitors[place]
      guard launchIsOpen || monitor.hearsBetweenLaunches else { continue }
      monitor.hear(start..<end, batch, judge)
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
