// LC520, the plain way: each callback is asked which others are open around it.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Callbacks that begin while another one is open on the main thread whose return comes later.
  func nestedCallbacks() -> [NaiveHit] {
    launches.flatMap(partsOfMainThread).flatMap(nestedCallbacks)
  }

  private func nestedCallbacks(_ part: Range<Int>) -> [NaiveHit] {
    let callbacks = callbacks(part).filter { isOnMain($0.enter) }
    return part.compactMap { place in
      let event = events[place]
      guard Self.lifecycleCallbacks.contains(event.kind), event.phase != .return, isOnMain(place)
      else { return nil }
      let around = callbacks.filter { $0.isOpen(at: place) }
      // One line inside the span of the same call is its echo.
      let isEcho = event.phase == .instant && around.contains { events[$0.enter].kind == event.kind }
      guard !around.isEmpty, !isEcho else { return nil }
      guard around.contains(where: { $0.hasReturned }) else {
        // The outer return may have been lost.
        isUnknown = true
        return nil
      }
      return NaiveHit(offender: place, time: event.time, moment: place)
    }
  }

  private func isOnMain(_ place: Int) -> Bool {
    events[place].thread == events[place].model.mainThread
  }
}
