// Spans of threads: an enter opens one inside the last one that is open, a return closes it.
// This file must not know what the spans mean.

import TraceModel

/// A thread and its open spans, innermost last.
struct LifeThread: Sendable {
  var track: LifeTrack
  var stack: [LifeSpan] = []
  /// Whether it stands for all threads beyond the limit.
  var isShared = false
}

extension LifeWalk {
  /// The place of a thread among those that have a track.
  mutating func place<Sink: LifeSink>(ofThread thread: Int64, _ sink: inout Sink) -> Int {
    if let place = threadPlaces[thread] { return place }
    let isShared = threads.count >= LifeIntervals.threadsMax
    if isShared, let last = threads.last, last.isShared { return threads.count - 1 }
    let track = LifeTrack(
      number: trackCount, group: .threads,
      name: isShared ? "Other threads" : title(ofThread: thread, nil), thread: thread)
    trackCount += 1
    sink.track(track)
    threads.append(LifeThread(track: track, isShared: isShared))
    if !isShared { threadPlaces[thread] = threads.count - 1 }
    return threads.count - 1
  }

  /// Opens a span.
  ///
  /// - Returns: Whether there was room for it.
  mutating func enter<Sink: LifeSink>(
    _ event: Event, _ place: Int, name: Int, _ batch: EventBatch, _ sink: inout Sink
  ) -> Bool {
    let depth = threads[place].stack.count
    guard depth < LifeIntervals.depthMax, !threads[place].isShared else { return false }
    let span = begin(
      threads[place].track.number, depth: depth, name: name, nil, event, batch, &sink)
    threads[place].stack.append(span)
    return true
  }

  /// Closes the innermost span of this name, and those inside it, whose returns were lost.
  ///
  /// - Returns: Whether there is such a span.
  mutating func leave<Sink: LifeSink>(
    _ event: Event, _ place: Int, name: Int, _ batch: EventBatch, _ sink: inout Sink
  ) -> Bool {
    guard let match = threads[place].stack.lastIndex(where: { $0.name == name }) else {
      return false
    }
    while threads[place].stack.count > match {
      let span = threads[place].stack.removeLast()
      if threads[place].stack.count > match {
        end(span, at: event.timeNanoseconds, isCut: true, &sink)
      } else {
        end(span, with: event, batch, &sink)
      }
    }
    return true
  }

  /// Cuts the spans in which events were lost: their returns may be among them.
  mutating func lose<Sink: LifeSink>(
    _ event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) {
    isInterrupting = true
    defer { isInterrupting = false }
    let named = batch.text(.thread, of: event).flatMap { Int64($0) }
    if let thread = batch.integer(.thread, of: event) ?? named {
      if let place = threadPlaces[thread] { cutSpans(of: place, at: event.timeNanoseconds, &sink) }
    } else {
      for place in threads.indices { cutSpans(of: place, at: event.timeNanoseconds, &sink) }
    }
  }

  mutating func cutSpans<Sink: LifeSink>(
    of place: Int, at nanoseconds: Int64, _ sink: inout Sink
  ) {
    while let span = threads[place].stack.popLast() {
      end(span, at: nanoseconds, isCut: true, &sink)
    }
  }

  /// Takes the name that a trace gives to a thread.
  mutating func nameThread<Sink: LifeSink>(
    _ event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) {
    guard let thread = batch.integer(.thread, of: event) else { return }
    let given = batch.text(.name, of: event) ?? batch.text(.queue, of: event)
    _ = place(ofThread: thread, &sink)
    renameThread(thread, given.map { String($0.prefix(80)) }, &sink)
  }

  mutating func renameThread<Sink: LifeSink>(
    _ thread: Int64, _ given: String?, _ sink: inout Sink
  ) {
    guard let place = threadPlaces[thread] else { return }
    let name = title(ofThread: thread, given)
    if threads[place].track.name == name { return }
    threads[place].track.name = name
    sink.rename(threads[place].track)
  }

  private func title(ofThread thread: Int64, _ given: String?) -> String {
    let title = thread == model.mainThread ? "Main thread" : "Thread \(thread)"
    return given.map { $0.isEmpty ? title : "\(title) · \($0)" } ?? title
  }
}
