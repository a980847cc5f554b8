// Puts the events of a trace in order of time, across threads and blocks, within a window.
// This file must not know what the events mean, but for the starts that show a reboot.

public import TraceModel

/// A place where the clock of a thread went back by more than a reading error.
public struct ClockBreak: Hashable, Sendable {
  public var thread: Int64
  /// The time at which the thread's clock was held, in nanoseconds on the header's clock.
  public var timeNanoseconds: Int64
  /// The place in the trace of the event whose time went back.
  public var ordinal: Int

  public init(thread: Int64, timeNanoseconds: Int64, ordinal: Int) {
    self.thread = thread
    self.timeNanoseconds = timeNanoseconds
    self.ordinal = ordinal
  }
}

/// A place where the sequence numbers of a thread show that events are missing.
public struct SequenceGap: Hashable, Sendable {
  /// Nil if nobody knows whose events are missing.
  public var thread: Int64?
  public var missingCount: Int
  /// The place in the trace of the thread's first event after the gap.
  public var nextOrdinal: Int

  public init(thread: Int64?, missingCount: Int, nextOrdinal: Int) {
    self.thread = thread
    self.missingCount = missingCount
    self.nextOrdinal = nextOrdinal
  }
}

/// Puts events in order of time.
///
/// Within a thread a time that goes back is held at the last value. Across threads an event is
/// held back as long as an earlier one may still come: until the newest time is 200 ms on, or
/// 65,536 events wait. What comes later than that is counted and left out. Equal times keep the
/// order of arrival. What comes out doesn't depend on how the events were cut into batches.
///
/// A batch whose times rise and that follows what waits is handed on in place; only its last
/// 200 ms are copied.
public struct TimeOrderer: Sendable {
  /// Recorders flush per-thread buffers within this time.
  public static let windowNanoseconds: Int64 = 200_000_000
  /// Bounds the memory of a window in which everything happens at once.
  public static let eventsMax = 65_536
  /// A thread reads the clock before it takes its place in the buffer; that race is this short.
  public static let harmlessNanoseconds: Int64 = 1_000_000
  /// Reports kept between two calls that take them. Beyond it the first ones speak for all.
  public static let reportsMax = 4_096

  /// The doubts TQ01 and TQ02.
  public private(set) var quality = QualityTally()

  /// An event of a piece at the time it gets.
  private struct PieceEvent {
    var timeNanoseconds: Int64
    var index: Int
  }

  /// Events that are sorted at once; small enough to stay in the cache.
  private static let pieceEventsMax = 8_192
  /// With less room than this, events are taken one by one.
  private static let pieceEventsMin = 64

  private let waitingMax: Int
  private var held = HeldEvents()
  private var newestNanoseconds: Int64?
  private var lastEmittedNanoseconds = Int64.min
  private var clocks = ThreadClocks()
  private var sequences = SequenceChecker()
  private var breaks: [ClockBreak] = []
  private var isPrepared = false
  /// Whether the batch that was prepared is in order and follows what came before.
  private var isInOrder = true
  private var places: [Int] = []
  private var piece: [PieceEvent] = []

  public init() { waitingMax = Self.eventsMax }

  /// With a smaller number of waiting events, so that tests reach it.
  package init(waitingMax: Int) { self.waitingMax = waitingMax }

  /// The gaps found since the last call. They are known once ``prepare(_:)`` or
  /// ``consume(_:_:)`` has seen the batch.
  public mutating func takeGaps() -> [SequenceGap] { sequences.takeGaps() }

  /// The clock breaks found since the last call. They are known once ``prepare(_:)`` or
  /// ``consume(_:_:)`` has seen the batch.
  public mutating func takeClockBreaks() -> [ClockBreak] {
    defer { breaks.removeAll() }
    return breaks
  }

  /// Looks at the sequence numbers and clocks of the next batch, so that ``takeGaps()`` and
  /// ``takeClockBreaks()`` tell of it before its events are emitted. ``consume(_:_:)`` does it
  /// where nobody did.
  public mutating func prepare(_ batch: EventBatch) {
    sequences.check(batch)
    clocks.resolve(batch.threads, into: &places)
    isInOrder = followsInOrder(batch)
    if !isInOrder { findClockBreaks(batch) }
    isPrepared = true
  }

  private mutating func findClockBreaks(_ batch: EventBatch) {
    var newest = newestNanoseconds
    var lasts = places.map { clocks.last($0) ?? .min }
    for index in 0..<batch.count {
      let template = batch.templates[Int(batch.templateIndices[index])]
      let thread = Int(template.thread)
      let time = batch.timesNanoseconds[index]
      if Self.isReboot(template.kind, at: time, newest: newest) {
        newest = nil
        for place in lasts.indices { lasts[place] = .min }
      }
      let last = lasts[thread]
      if time < last, last.minus(time) > Self.harmlessNanoseconds, breaks.count < Self.reportsMax {
        breaks.append(
          ClockBreak(
            thread: batch.threads[thread].id, timeNanoseconds: last,
            ordinal: batch.ordinal(at: index)))
      }
      lasts[thread] = max(last, time)
      newest = max(newest ?? .min, lasts[thread])
    }
  }

  /// Takes the next batch and emits what is in order now.
  public mutating func consume(_ batch: EventBatch, _ emit: (EventBatch, Range<Int>) -> Void) {
    if !isPrepared { prepare(batch) }
    isPrepared = false
    guard batch.count > 0 else { return }
    if isInOrder {
      append(batch, emit)
    } else {
      merge(batch, emit)
    }
  }

  /// Emits what still waits.
  public mutating func finish(_ emit: (EventBatch, Range<Int>) -> Void) {
    held.emitAll(emit)
    held.removeAll()
  }

  /// Emits what still waits, as nothing earlier comes any more; others may follow.
  public mutating func settle(_ emit: (EventBatch, Range<Int>) -> Void) {
    held.emitAll(emit)
    held.removeAll()
    if let newestNanoseconds { lastEmittedNanoseconds = newestNanoseconds }
  }

  // MARK: Blocks that stay closed

  /// Whether a block may be passed by its templates: it follows what came before, and no numbers
  /// of events are missing before it.
  public func canPass(_ batch: EventBatch, _ outline: BlockOutline) -> Bool {
    guard outline.earliestNanoseconds >= newestNanoseconds ?? .min else { return false }
    var sequences = sequences
    sequences.check(batch)
    return sequences.takeGaps().isEmpty
  }

  /// Takes note of a block that is passed. Nothing waits, and all that comes is later.
  public mutating func pass(_ batch: EventBatch, _ outline: BlockOutline) {
    sequences.check(batch)
    newestNanoseconds = outline.latestNanoseconds
    lastEmittedNanoseconds = outline.latestNanoseconds
  }

  // MARK: In order

  private func followsInOrder(_ batch: EventBatch) -> Bool {
    var last = newestNanoseconds ?? .min
    for time in batch.timesNanoseconds {
      if time < last { return false }
      last = time
    }
    return true
  }

  private mutating func append(_ batch: EventBatch, _ emit: (EventBatch, Range<Int>) -> Void) {
    let times = batch.timesNanoseconds
    for index in times.indices {
      let thread = Int(batch.templates[Int(batch.templateIndices[index])].thread)
      clocks.set(places[thread], times[index])
    }
    let newest = times[times.count - 1]
    newestNanoseconds = newest
    let limit = newest.minus(Self.windowNanoseconds)
    // As many as leave no more than the maximum waiting, or more if time allows it.
    let excess = max(0, held.count + times.count - waitingMax)
    var count = min(times.count, max(0, excess - held.count))
    while count < times.count && times[count] <= limit { count += 1 }
    if count > 0 {
      held.emitAll(emit)
      held.removeAll()
      emit(batch, 0..<count)
      lastEmittedNanoseconds = times[count - 1]
    } else {
      release(emit, atLeast: excess)
      held.flush(emit)
    }
    for index in count..<times.count {
      held.append(index, of: batch, timeNanoseconds: times[index])
    }
  }

  // MARK: Out of order

  /// Takes a batch piece by piece: few enough events that their number alone lets none go on.
  private mutating func merge(_ batch: EventBatch, _ emit: (EventBatch, Range<Int>) -> Void) {
    var next = 0
    while next < batch.count {
      let room = min(waitingMax - held.count, batch.count - next, Self.pieceEventsMax)
      if room < min(Self.pieceEventsMin, batch.count - next) {
        insert(next, of: batch, emit)
        next += 1
      } else {
        piece.removeAll(keepingCapacity: true)
        for index in next..<next + room {
          if isReboot(index, of: batch) {
            mergePiece(batch, emit)
            restart(emit)
          }
          if let time = admit(index, of: batch) {
            piece.append(PieceEvent(timeNanoseconds: time, index: index))
          }
        }
        mergePiece(batch, emit)
        next += room
      }
    }
    release(emit)
    held.flush(emit)
  }

  /// Sorts the events of a piece and merges them with those that wait.
  private mutating func mergePiece(_ batch: EventBatch, _ emit: (EventBatch, Range<Int>) -> Void) {
    guard !piece.isEmpty, let newest = newestNanoseconds else { return }
    piece.sort { ($0.timeNanoseconds, $0.index) < ($1.timeNanoseconds, $1.index) }
    let sorted = Self.view(of: batch, piece)
    let times = sorted.timesNanoseconds
    let limit = newest.minus(Self.windowNanoseconds)
    var next = 0
    while true {
      let first = next < times.count && times[next] <= limit ? times[next] : limit
      if let last = held.emit(upTo: first, atLeast: 0, emit) { lastEmittedNanoseconds = last }
      let waiting = held.oldestNanoseconds ?? .max
      let start = next
      while next < times.count && times[next] <= limit && times[next] < waiting { next += 1 }
      if next == start { break }
      held.pass(start..<next, of: sorted, emit)
      lastEmittedNanoseconds = times[next - 1]
    }
    for index in next..<times.count {
      held.append(index, of: sorted, timeNanoseconds: times[index])
    }
    held.straighten(copyingAtMost: piece.count)
    piece.removeAll(keepingCapacity: true)
  }

  /// Some events of a batch in another order and at other times, over the same dictionary.
  private static func view(of batch: EventBatch, _ piece: [PieceEvent]) -> EventBatch {
    var view = batch
    view.templateIndices = piece.map { batch.templateIndices[$0.index] }
    view.timesNanoseconds = piece.map(\.timeNanoseconds)
    view.argumentStarts = piece.map { batch.argumentStarts[$0.index] }
    view.ordinals = piece.map { batch.ordinal(at: $0.index) }
    view.firstOrdinal = view.ordinals.first ?? 0
    if !batch.lines.isEmpty { view.lines = piece.map { batch.lines[$0.index] } }
    return view
  }

  private mutating func insert(
    _ index: Int, of batch: EventBatch, _ emit: (EventBatch, Range<Int>) -> Void
  ) {
    if isReboot(index, of: batch) { restart(emit) }
    guard let time = admit(index, of: batch) else { return }
    held.append(index, of: batch, timeNanoseconds: time)
    if held.count > waitingMax {
      release(emit)
      if held.count > waitingMax { release(emit, atLeast: held.count - waitingMax) }
    }
  }

  private func isReboot(_ index: Int, of batch: EventBatch) -> Bool {
    Self.isReboot(
      batch.templates[Int(batch.templateIndices[index])].kind, at: batch.timesNanoseconds[index],
      newest: newestNanoseconds)
  }

  private static func isReboot(_ kind: EventKind, at time: Int64, newest: Int64?) -> Bool {
    guard kind == .procStart || kind == .traceStart, let newest else { return false }
    return time < newest.minus(windowNanoseconds)
  }

  /// The time of an event, held at the last one of its thread; nil if it comes too late.
  private mutating func admit(_ index: Int, of batch: EventBatch) -> Int64? {
    let thread = Int(batch.templates[Int(batch.templateIndices[index])].thread)
    var time = batch.timesNanoseconds[index]
    if let last = clocks.last(places[thread]), time < last {
      quality.add(.tq01)
      time = last
    }
    clocks.set(places[thread], time)
    let newest = max(time, newestNanoseconds ?? time)
    if time < max(newest.minus(Self.windowNanoseconds), lastEmittedNanoseconds) {
      quality.add(.tq02)
      return nil
    }
    newestNanoseconds = newest
    return time
  }

  /// Emits what can't be overtaken any more, and at least so many.
  private mutating func release(
    _ emit: (EventBatch, Range<Int>) -> Void, atLeast count: Int = 0
  ) {
    guard let newest = newestNanoseconds else { return }
    let limit = newest.minus(Self.windowNanoseconds)
    if let last = held.emit(upTo: limit, atLeast: count, emit) { lastEmittedNanoseconds = last }
  }

  /// The device was restarted and its clock set back: what waits is as complete as it will be.
  private mutating func restart(_ emit: (EventBatch, Range<Int>) -> Void) {
    held.emitAll(emit)
    held.removeAll()
    newestNanoseconds = nil
    lastEmittedNanoseconds = .min
    clocks.forgetTimes()
    sequences.restart()
  }
}
