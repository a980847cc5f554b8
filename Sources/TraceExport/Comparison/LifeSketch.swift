// What of a life can be found again in another one: its stretches and moments by what they are
// called, in order of time.
// This file must not know how two lives are compared.

import TraceLifecycle
import TraceModel
import TraceRules

/// What stretches or moments of two lives have in common if they are the same thing: no numbers,
/// which change from run to run.
struct LifeItemKey: Hashable, Comparable, Sendable {
  var group: LifeTrackGroup
  var track: String
  var name: String
  var isMark: Bool

  /// Whether it takes time, which is slower or faster; else something is open.
  var isWork: Bool { group == .threads || group == .graphics || group == .network }

  /// Whether its length is compared. Times in states and of whole launches have a table of their
  /// own.
  var hasLength: Bool { !isMark && group != .state && group != .launches }

  static func < (first: LifeItemKey, second: LifeItemKey) -> Bool {
    (first.group.rawValue, first.track, first.name, first.isMark ? 1 : 0)
      < (second.group.rawValue, second.track, second.name, second.isMark ? 1 : 0)
  }
}

/// A stretch of a life, or a moment, which has no length.
struct LifeItem: Hashable, Sendable {
  var startNanoseconds: Int64
  var durationNanoseconds: Int64 = 0
  /// The place in the trace of the event that began it.
  var ordinal: Int
  /// The numbers in its life of its track, and of its name.
  var track: Int
  var name: Int
  /// Nothing says when it ended.
  var isCut = false
  /// It was cut by something else, and might have ended soon after.
  var isUndecided = false
}

/// All stretches or moments of a life that are called the same.
struct LifeItems: Sendable {
  /// Those told apart. What occurs more often is compared as a whole.
  static let toldApartMax = 64

  /// The first of them, in order of time.
  var items: [LifeItem] = []
  var count = 0
  /// The sum of those whose end is known, and how many these are.
  var totalNanoseconds: Int64 = 0
  var measuredCount = 0
  /// Those that something else cut, and that might have ended soon after.
  private(set) var undecidedCount = 0
  /// How long these were open: of the first of them.
  private var undecidedNanoseconds: [Int64] = []
  /// Of those whose end is known; of equal ones the first.
  private(set) var longest: LifeItem?
  private(set) var shortest: LifeItem?

  /// Those that never ended, as far as is known.
  var unendedCount: Int { count - measuredCount - undecidedCount }
  var areToldApart: Bool { count <= Self.toldApartMax }
  var meanNanoseconds: Int64 { measuredCount == 0 ? 0 : totalNanoseconds / Int64(measuredCount) }

  mutating func add(_ item: LifeItem) {
    count += 1
    if items.count < Self.toldApartMax { items.append(item) }
    if item.isUndecided {
      undecidedCount += 1
      if undecidedNanoseconds.count < Self.toldApartMax {
        undecidedNanoseconds.append(item.durationNanoseconds)
      }
    }
    if item.isCut { return }
    measuredCount += 1
    totalNanoseconds = totalNanoseconds.plus(item.durationNanoseconds)
    compare(item)
  }

  private mutating func compare(_ item: LifeItem) {
    let length = item.durationNanoseconds
    let isFirst = { (known: LifeItem) in
      (item.startNanoseconds, item.ordinal) < (known.startNanoseconds, known.ordinal)
    }
    if let known = longest {
      let difference = length.minus(known.durationNanoseconds)
      if difference > 0 || difference == 0 && isFirst(known) { longest = item }
    } else {
      longest = item
    }
    if let known = shortest {
      let difference = length.minus(known.durationNanoseconds)
      if difference < 0 || difference == 0 && isFirst(known) { shortest = item }
    } else {
      shortest = item
    }
  }

  mutating func add(_ other: LifeItems) {
    items += other.items
    sort()
    items.removeLast(max(0, items.count - Self.toldApartMax))
    count += other.count
    measuredCount += other.measuredCount
    undecidedCount += other.undecidedCount
    undecidedNanoseconds += other.undecidedNanoseconds
    totalNanoseconds = totalNanoseconds.plus(other.totalNanoseconds)
    for item in [other.longest, other.shortest].compactMap({ $0 }) { compare(item) }
  }

  /// Takes those that were open for longer than that for never ended, whatever cut them.
  mutating func decide(longerThan nanoseconds: Int64) {
    undecidedCount -= undecidedNanoseconds.count { $0 > nanoseconds }
    undecidedNanoseconds.removeAll { $0 > nanoseconds }
    for place in items.indices where items[place].durationNanoseconds > nanoseconds {
      items[place].isUndecided = false
    }
  }

  mutating func sort() {
    items.sort { ($0.startNanoseconds, $0.ordinal) < ($1.startNanoseconds, $1.ordinal) }
  }
}

/// One life, as far as it is compared. Memory follows the number of names, not of events.
struct LifeSketch: LifeSink, Sendable {
  /// Names on tracks that are kept. What is called otherwise is counted.
  static let placesMax = 65_536

  /// A name on a track.
  private struct Place: Hashable {
    var track: Int
    var name: Int
    var isMark: Bool
  }

  let path: String
  let header: TraceHeader
  private(set) var anchor: LifeAnchor
  private(set) var firstNanoseconds: Int64?
  private(set) var lastNanoseconds: Int64?
  /// When the app was first active.
  private(set) var activeNanoseconds: Int64?
  private(set) var stateNanoseconds: [LifecycleState: Int64] = [:]
  /// Stretches and moments that were not kept.
  private(set) var omittedCount = 0
  var findings: [Finding] = []
  var eventCount = 0
  private var names: [String] = []
  private var tracks: [LifeTrack] = []
  private var places: [Place: LifeItems] = [:]

  init(_ trace: TimelineTrace, _ alignment: LifeAlignment) {
    path = trace.path
    header = trace.header
    anchor = LifeAnchor(alignment)
  }

  /// The moment that is laid beside the other life's; nil if there is none. A capture of mid-life
  /// shows no launch, and begins where it begins.
  var anchorNanoseconds: Int64? {
    anchor.nanoseconds ?? (anchor.isLaunch ? firstNanoseconds ?? 0 : nil)
  }

  mutating func look(in batch: EventBatch) { anchor.look(in: batch) }

  mutating func name(_ number: Int, _ text: String) { names.append(text) }
  mutating func track(_ track: LifeTrack) { tracks.append(track) }
  mutating func rename(_ track: LifeTrack) { tracks[track.number] = track }

  mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    note(span.startNanoseconds)
    switch tracks[span.track].group {
    case .launches: anchor.launchBegins(at: span.startNanoseconds)
    case .state where span.state == .active && activeNanoseconds == nil:
      activeNanoseconds = span.startNanoseconds
    default: break
    }
  }

  mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch) { end(span) }

  mutating func end(_ span: LifeSpan) {
    note(span.endNanoseconds)
    if tracks[span.track].group == .state, let state = span.state {
      let sum = stateNanoseconds[state] ?? 0
      stateNanoseconds[state] = sum.plus(span.durationNanoseconds)
    }
    add(
      LifeItem(
        startNanoseconds: span.startNanoseconds, durationNanoseconds: span.durationNanoseconds,
        ordinal: span.startOrdinal, track: span.track, name: span.name, isCut: span.isCut,
        isUndecided: span.isInterrupted),
      isMark: false)
  }

  mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch) {
    note(mark.timeNanoseconds)
    add(
      LifeItem(
        startNanoseconds: mark.timeNanoseconds, ordinal: mark.ordinal, track: mark.track,
        name: mark.name),
      isMark: true)
  }

  private mutating func note(_ nanoseconds: Int64) {
    if firstNanoseconds == nil { firstNanoseconds = nanoseconds }
    lastNanoseconds = max(lastNanoseconds ?? nanoseconds, nanoseconds)
  }

  private mutating func add(_ item: LifeItem, isMark: Bool) {
    let place = Place(track: item.track, name: item.name, isMark: isMark)
    guard places[place] != nil || places.count < Self.placesMax else {
      omittedCount += 1
      return
    }
    places[place, default: LifeItems()].add(item)
  }

  /// What a stretch or moment is called, with its numbers.
  func name(of item: LifeItem) -> String { names[item.name] }

  /// What the track of a stretch or moment is called.
  func trackName(of item: LifeItem) -> String { tracks[item.track].name }

  /// All stretches and moments by what they are.
  func items() -> [LifeItemKey: LifeItems] {
    var all: [LifeItemKey: LifeItems] = [:]
    for (place, found) in places {
      var found = found
      found.sort()
      let track = tracks[place.track]
      let key = LifeItemKey(
        group: track.group, track: Fingerprint.normalised(track.name),
        name: Fingerprint.normalised(names[place.name]), isMark: place.isMark)
      all[key, default: LifeItems()].add(found)
    }
    return all
  }
}
