// Work of the graphics processor: submits with numbers that grow, completed many at a time.
// This file must not know which pair they are.

import TraceModel

/// A submit that isn't known to be complete.
struct LifeSubmit: Sendable {
  var number: Int64
  var context: ArgumentKey
  var pair: LifePair
  var opening: LifeOpening
}

extension LifeWalk {
  /// Opens a submit, or closes those that an event says are complete.
  ///
  /// - Returns: Whether it did. If not the event is a mark.
  mutating func submits<Sink: LifeSink>(
    _ event: Event, _ pair: LifePair, _ opening: EventKind, _ batch: EventBatch,
    _ sink: inout Sink
  ) -> Bool {
    let number = pair.key.flatMap { batch.integer($0, of: event) }
    let context = batch.key(.context, of: event)
    if event.kind != opening {
      guard let number else { return false }
      return complete(event, batch, &sink) {
        $0.number <= number && (context == .absent || $0.context == context)
      }
    }
    if batch.isText(.kind, "finish", of: event) {
      // The call has waited for all that came before; it stays a mark of its own.
      if event.phase != .enter { complete(event, batch, &sink) { $0.context == context } }
      return false
    }
    guard let number, event.phase != .return else { return false }
    let submit = LifeSubmit(
      number: number, context: context, pair: pair,
      opening: self.opening(pair, event, batch, &sink))
    // Of those without a row there is nothing to end.
    if submit.opening.span != nil { openSubmits.append(submit) }
    return true
  }

  @discardableResult
  private mutating func complete<Sink: LifeSink>(
    _ event: Event, _ batch: EventBatch, _ sink: inout Sink, _ covers: (LifeSubmit) -> Bool
  ) -> Bool {
    // There are at most as many as rows of a track.
    guard openSubmits.contains(where: covers) else { return false }
    for submit in openSubmits where covers(submit) {
      close(submit.opening, event, batch, &sink)
    }
    openSubmits.removeAll(where: covers)
    return true
  }
}
