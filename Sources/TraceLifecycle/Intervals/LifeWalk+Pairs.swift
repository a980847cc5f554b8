// Pairs of events that open and close one thing, matched by what they name.
// This file must not know which pairs there are.

import TraceModel

/// What a pair has open: the pair's place in the list, and the value that names the thing.
struct LifePairKey: Hashable, Sendable {
  var pair: Int
  var value: ArgumentKey
}

extension LifeWalk {
  /// Opens or closes what an event speaks of.
  ///
  /// - Returns: Whether it did. If not the event is a mark.
  mutating func pair<Sink: LifeSink>(
    _ event: Event, _ pair: LifePair, _ batch: EventBatch, _ sink: inout Sink
  ) -> Bool {
    let value = pair.key.map { batch.key($0, of: event) } ?? .boolean(true)
    // Without its name nobody knows what an event speaks of.
    if value == .absent { return false }
    let key = LifePairKey(pair: LifePair.place(of: event.kind), value: value)
    switch pair.ends {
    case .kinds(let opening, _):
      return event.kind == opening
        ? open(key, pair, event, batch, &sink) : close(key, event, &sink)
    case .words(_, let argument, let opening, let closing):
      if batch.isText(argument, opening, of: event) {
        return open(key, pair, event, batch, &sink)
      }
      guard closing.contains(where: { batch.isText(argument, $0, of: event) }) else {
        return false
      }
      return close(key, event, &sink)
    case .window(let kind, _):
      if event.kind != kind { return close(key, event, &sink) }
      switch event.phase {
      case .enter: return open(key, pair, event, batch, &sink)
      case .return: return close(key, event, &sink) || closeOnly(key, event, &sink)
      case .instant: return false
      }
    }
  }

  private mutating func open<Sink: LifeSink>(
    _ key: LifePairKey, _ pair: LifePair, _ event: Event, _ batch: EventBatch,
    _ sink: inout Sink
  ) -> Bool {
    if let unless = pair.unless, batch.boolean(unless, of: event) == true { return false }
    if let open = openPairs.removeValue(forKey: key) {
      lanes.freeRow(open.depth, of: open.track)
      end(open, at: event.timeNanoseconds, isCut: true, &sink)
    }
    guard openPairs.count < LifeIntervals.openMax else { return false }
    let given = pair.name.map { batch.key($0, of: event) } ?? .absent
    // A task without a name isn't called by its token: that is new each time.
    let title =
      given == .absent && !pair.hasNamedTracks ? batch.name(of: event.kind) : given.title
    let trackName = pair.hasNamedTracks ? title : batch.name(of: event.kind)
    let track = lanes.track(pair.group, trackName, &trackCount, &sink)
    guard let row = lanes.takeRow(of: track) else { return false }
    openPairs[key] = begin(
      track, depth: row, name: number(of: title, &sink), nil, event, batch, &sink)
    return true
  }

  private mutating func close<Sink: LifeSink>(
    _ key: LifePairKey, _ event: Event, _ sink: inout Sink
  ) -> Bool {
    guard let open = openPairs.removeValue(forKey: key) else { return false }
    lanes.freeRow(open.depth, of: open.track)
    end(open, at: event.timeNanoseconds, &sink)
    return true
  }

  /// With more open than this nobody looks for the one that a return leaves unnamed.
  private static let searchedMax = 64

  /// Closes the only thing of its pair that is open, for a return that doesn't say which.
  private mutating func closeOnly<Sink: LifeSink>(
    _ key: LifePairKey, _ event: Event, _ sink: inout Sink
  ) -> Bool {
    guard openPairs.count <= Self.searchedMax else { return false }
    let open = openPairs.keys.filter { $0.pair == key.pair }
    guard let only = open.first, open.count == 1 else { return false }
    return close(only, event, &sink)
  }

  /// Cuts what is open in some groups.
  mutating func endPairs<Sink: LifeSink>(
    at nanoseconds: Int64, _ sink: inout Sink, _ isEnded: (LifeTrackGroup) -> Bool
  ) {
    let ended = openPairs.filter { isEnded(LifePair.all[$0.key.pair].group) }
      .sorted { $0.value.number < $1.value.number }
    for (key, span) in ended {
      openPairs[key] = nil
      lanes.freeRow(span.depth, of: span.track)
      end(span, at: nanoseconds, isCut: true, &sink)
    }
  }
}
