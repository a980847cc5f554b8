// Pairs of events that open and close one thing, matched by what they name.
// This file must not know which pairs there are.

import TraceModel

/// What a pair has open: the pair's place in the list, and the value that names the thing.
struct LifePairKey: Hashable, Sendable {
  var pair: Int
  var value: ArgumentKey
}

/// Something that is open.
struct LifeOpening: Sendable {
  /// Counts what was opened.
  var number: Int
  var track: Int
  var name: Int
  /// Nil if the track had no row left.
  var span: LifeSpan?
  /// When it was over, if nothing closes it.
  var overNanoseconds: Int64?
}

extension LifeWalk {
  /// Opens or closes what an event speaks of.
  ///
  /// - Returns: Whether it did. If not the event is a mark.
  mutating func pair<Sink: LifeSink>(
    _ event: Event, _ pair: LifePair, _ batch: EventBatch, _ sink: inout Sink
  ) -> Bool {
    if case .submits(let opening, _) = pair.ends {
      return submits(event, pair, opening, batch, &sink)
    }
    guard let key = key(of: event, pair, batch) else { return false }
    switch pair.ends {
    case .kinds(let opening, _):
      if event.kind != opening { return close(key, event, batch, &sink) }
      return event.phase != .return && open(key, pair, event, batch, &sink)
    case .words(_, let argument, let opening, let closing):
      if batch.isText(argument, opening, of: event) {
        return event.phase != .return && open(key, pair, event, batch, &sink)
      }
      guard closing.contains(where: { batch.isText(argument, $0, of: event) }) else {
        return false
      }
      return close(key, event, batch, &sink)
    case .window(let kind, _):
      if event.kind != kind { return close(key, event, batch, &sink) }
      return window(key, pair, event, batch, &sink)
    case .submits: return false
    }
  }

  /// What an event speaks of; nil if it doesn't say.
  private func key(of event: Event, _ pair: LifePair, _ batch: EventBatch) -> LifePairKey? {
    var value = pair.key.map { batch.key($0, of: event) } ?? .boolean(true)
    if value == .absent, let standard = pair.standard { value = .text(standard) }
    if value == LifePair.hidden { return nil }
    // Of windows one without a name can be open, and a return may leave the name out.
    if case .window = pair.ends {} else if value == .absent { return nil }
    return LifePairKey(pair: LifePair.place(of: event.kind), value: value)
  }

  private mutating func window<Sink: LifeSink>(
    _ key: LifePairKey, _ pair: LifePair, _ event: Event, _ batch: EventBatch,
    _ sink: inout Sink
  ) -> Bool {
    if let words = pair.words, event.phase != .return {
      if batch.isText(words.name, words.closing, of: event) {
        return close(key, event, batch, &sink)
      }
      if batch.isText(words.name, words.opening, of: event) {
        return open(key, pair, event, batch, &sink)
      }
    }
    switch event.phase {
    case .enter: return open(key, pair, event, batch, &sink)
    case .return:
      return close(key, event, batch, &sink) || closeOnly(key, event, batch, &sink)
    case .instant: return false
    }
  }

  // MARK: Opening and closing

  private mutating func open<Sink: LifeSink>(
    _ key: LifePairKey, _ pair: LifePair, _ event: Event, _ batch: EventBatch,
    _ sink: inout Sink
  ) -> Bool {
    if let unless = pair.unless, batch.boolean(unless.name, of: event) == unless.value {
      return false
    }
    if let open = openPairs.removeValue(forKey: key) {
      cut(open, pair, at: event.timeNanoseconds, &sink)
    }
    guard openPairs.count < LifeIntervals.openMax else { return false }
    openPairs[key] = opening(pair, event, batch, &sink)
    if pair.patience == .wakeUp { wakeUps.insert(key) }
    return true
  }

  /// Begins a span for what is opened, or makes a mark where there is no row left.
  mutating func opening<Sink: LifeSink>(
    _ pair: LifePair, _ event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) -> LifeOpening {
    let given = pair.name.map { batch.key($0, of: event) } ?? .absent
    // A task without a name isn't called by its token: that is new each time.
    let title =
      given == .absent && !pair.hasNamedTracks ? batch.name(of: event.kind) : given.title
    let trackName = pair.hasNamedTracks ? title : batch.name(of: event.kind)
    let track = lanes.track(pair.group, trackName, &trackCount, &sink)
    openingCount += 1
    var opening = LifeOpening(
      number: openingCount, track: track, name: number(of: title, &sink), span: nil)
    if let row = lanes.takeRow(of: track) {
      opening.span = begin(track, depth: row, name: opening.name, nil, event, batch, &sink)
    } else {
      markRowless(.begin, opening, event, batch, &sink)
    }
    return opening
  }

  private mutating func close<Sink: LifeSink>(
    _ key: LifePairKey, _ event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) -> Bool {
    guard let open = openPairs.removeValue(forKey: key) else { return false }
    if !wakeUps.isEmpty { wakeUps.remove(key) }
    close(open, event, batch, &sink)
    return true
  }

  mutating func close<Sink: LifeSink>(
    _ open: LifeOpening, _ event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) {
    guard let span = open.span else {
      markRowless(.end, open, event, batch, &sink)
      return
    }
    lanes.freeRow(span.depth, of: span.track)
    end(span, with: event, batch, &sink)
  }

  private func markRowless<Sink: LifeSink>(
    _ part: LifeRowless, _ open: LifeOpening, _ event: Event, _ batch: EventBatch,
    _ sink: inout Sink
  ) {
    sink.mark(
      LifeMark(
        track: open.track, name: open.name, timeNanoseconds: event.timeNanoseconds,
        ordinal: event.ordinal, rowless: part),
      with: event, in: batch)
  }

  /// With more open than this nobody looks for the one that a return leaves unnamed.
  private static let searchedMax = 64

  /// Closes the only thing of its pair that is open, for a return that doesn't say which.
  private mutating func closeOnly<Sink: LifeSink>(
    _ key: LifePairKey, _ event: Event, _ batch: EventBatch, _ sink: inout Sink
  ) -> Bool {
    guard openPairs.count <= Self.searchedMax else { return false }
    let open = openPairs.keys.filter { $0.pair == key.pair }
    guard let only = open.first, open.count == 1 else { return false }
    return close(only, event, batch, &sink)
  }

  // MARK: Cutting

  /// How long a wake-up lasts that nobody declares over, as the rules take it.
  private static let wakeUpNanoseconds: Int64 = 30_000_000_000

  private mutating func cut<Sink: LifeSink>(
    _ open: LifeOpening, _ pair: LifePair, at nanoseconds: Int64, _ sink: inout Sink
  ) {
    guard let span = open.span else { return }
    lanes.freeRow(span.depth, of: span.track)
    var end = min(nanoseconds, open.overNanoseconds ?? .max)
    if pair.patience == .wakeUp {
      end = min(end, span.startNanoseconds.plus(Self.wakeUpNanoseconds))
    }
    self.end(span, at: end, isCut: true, &sink)
  }

  /// Cuts what is open of some pairs.
  mutating func endPairs<Sink: LifeSink>(
    at nanoseconds: Int64, _ sink: inout Sink, _ isEnded: (LifePair) -> Bool
  ) {
    let ended = openPairs.filter { isEnded(LifePair.all[$0.key.pair]) }
      .sorted { $0.value.number < $1.value.number }
    for (key, open) in ended {
      openPairs[key] = nil
      wakeUps.remove(key)
      cut(open, LifePair.all[key.pair], at: nanoseconds, &sink)
    }
    for submit in openSubmits { cut(submit.opening, submit.pair, at: nanoseconds, &sink) }
    openSubmits.removeAll()
  }

  /// A suspension or a callback ends the wake-ups that nobody declares over.
  mutating func noteWakeUpsOver(at nanoseconds: Int64) {
    for key in wakeUps { openPairs[key]?.overNanoseconds = nanoseconds }
    wakeUps.removeAll()
  }
}
