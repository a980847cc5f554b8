// A trace in as little memory as a picture of it needs: rows of stretches, merged where there are
// too many of them. What documents and terminals show.
// This file must not know how it is drawn.

import TraceLifecycle
import TraceModel
import TraceRules

/// A stretch of time on a row: one span, or several that lie close together.
struct PictureStretch: Hashable, Sendable {
  var startNanoseconds: Int64
  var endNanoseconds: Int64
  /// The name of the longest span.
  var name: Int
  var state: LifecycleState?
  /// The spans or marks in it.
  var count = 1
  /// The length of the span that gave the name.
  var longestNanoseconds: Int64
  /// Whether nobody saw the end of the span that ends last.
  var isCut = false

  var durationNanoseconds: Int64 { endNanoseconds.minus(startNanoseconds) }

  fileprivate mutating func join(_ other: PictureStretch) {
    if other.endNanoseconds >= endNanoseconds { isCut = other.isCut }
    endNanoseconds = max(endNanoseconds, other.endNanoseconds)
    startNanoseconds = min(startNanoseconds, other.startNanoseconds)
    count += other.count
    if other.longestNanoseconds > longestNanoseconds {
      longestNanoseconds = other.longestNanoseconds
      name = other.name
      state = other.state
    }
  }
}

/// A row with a bounded number of stretches, in order of time.
struct PictureRow: Sendable {
  /// More stretches than a line of a picture has room for.
  static let stretchesMax = 400

  private(set) var stretches: [PictureStretch] = []

  mutating func add(_ stretch: PictureStretch) {
    stretches.append(stretch)
    // Only now and then, so that a span costs little.
    if stretches.count >= 4 * Self.stretchesMax { merge() }
  }

  /// Merges neighbours until few enough are left, the closest and shortest first.
  mutating func merge() {
    stretches.sort {
      ($0.startNanoseconds, $0.endNanoseconds) < ($1.startNanoseconds, $1.endNanoseconds)
    }
    guard let first = stretches.first, let last = stretches.last else { return }
    let whole = UInt64(clamping: last.endNanoseconds.minus(first.startNanoseconds))
    var quantum = max(1, whole >> 20)
    while stretches.count > Self.stretchesMax {
      var merged: [PictureStretch] = [stretches[0]]
      for stretch in stretches.dropFirst() {
        let end = merged.count - 1
        let gap = UInt64(clamping: stretch.startNanoseconds.minus(merged[end].endNanoseconds))
        let shorter = UInt64(
          clamping: min(merged[end].durationNanoseconds, stretch.durationNanoseconds))
        if gap <= quantum, shorter <= quantum {
          merged[end].join(stretch)
        } else {
          merged.append(stretch)
        }
      }
      stretches = merged
      if quantum > UInt64(Int64.max) { break }
      quantum <<= 1
    }
  }
}

/// A track of a picture with its first rows.
struct PictureTrack: Sendable {
  var track: LifeTrack
  var rows: [PictureRow] = []
  var marks = PictureRow()
  /// Spans on deeper rows than are kept, and what had no row at all.
  var deeperCount = 0
  fileprivate var standing = Standing.empty

  /// Whether the track is among those that are shown.
  fileprivate enum Standing: Sendable {
    case empty, kept, omitted
  }

  fileprivate mutating func omit() {
    rows = []
    marks = PictureRow()
    deeperCount = 0
    standing = .omitted
  }
}

/// The tracks and findings of a trace.
struct TimelinePicture: Sendable {
  /// Rows of one track: what is inside tells little in a picture.
  static let rowsMax = 3
  static let tracksMax = 40
  static let findingsMax = 200

  private(set) var tracks: [PictureTrack] = []
  /// Tracks with content that aren't shown.
  private(set) var tracksOmittedCount = 0
  /// The numbers of the tracks that are shown, from top to bottom.
  private var kept: [Int] = []
  private(set) var names: [String] = []
  private(set) var findings: [Finding] = []
  private(set) var findingCount = 0
  private(set) var firstNanoseconds: Int64?
  private(set) var lastNanoseconds: Int64?

  /// The time from the first event to the last.
  var durationNanoseconds: Int64 { (lastNanoseconds ?? 0).minus(firstNanoseconds ?? 0) }

  func relative(_ nanoseconds: Int64) -> Int64 { nanoseconds.minus(firstNanoseconds ?? 0) }

  /// The tracks from top to bottom, those without content left out.
  var sortedTracks: [PictureTrack] { kept.map { tracks[$0] } }

  private static func order(_ track: LifeTrack) -> (UInt8, Int) {
    (track.group.rawValue, track.number)
  }

  mutating func name(_ text: String) {
    names.append(PrintableText.printable(text, scalarsMax: 80))
  }

  mutating func track(_ track: LifeTrack) { tracks.append(PictureTrack(track: track)) }

  mutating func rename(_ track: LifeTrack) { tracks[track.number].track = track }

  /// Whether the content of a track is kept: of many tracks only the first ones from the top are.
  private mutating func keeps(_ track: Int) -> Bool {
    switch tracks[track].standing {
    case .kept: return true
    case .omitted: return false
    case .empty: break
    }
    let order = Self.order(tracks[track].track)
    let place = kept.firstIndex { Self.order(tracks[$0].track) > order } ?? kept.count
    guard place < Self.tracksMax else {
      tracks[track].omit()
      tracksOmittedCount += 1
      return false
    }
    tracks[track].standing = .kept
    kept.insert(track, at: place)
    if kept.count > Self.tracksMax {
      tracks[kept.removeLast()].omit()
      tracksOmittedCount += 1
    }
    return true
  }

  mutating func add(_ span: LifeSpan) {
    note(span.startNanoseconds)
    note(span.endNanoseconds)
    guard keeps(span.track) else { return }
    guard span.depth < Self.rowsMax else {
      tracks[span.track].deeperCount += 1
      return
    }
    while tracks[span.track].rows.count <= span.depth {
      tracks[span.track].rows.append(PictureRow())
    }
    tracks[span.track].rows[span.depth].add(
      PictureStretch(
        startNanoseconds: span.startNanoseconds, endNanoseconds: span.endNanoseconds,
        name: span.name, state: span.state, longestNanoseconds: span.durationNanoseconds,
        isCut: span.isCut))
  }

  mutating func add(_ mark: LifeMark) {
    note(mark.timeNanoseconds)
    guard keeps(mark.track) else { return }
    if mark.rowless == .begin { tracks[mark.track].deeperCount += 1 }
    tracks[mark.track].marks.add(
      PictureStretch(
        startNanoseconds: mark.timeNanoseconds, endNanoseconds: mark.timeNanoseconds,
        name: mark.name, state: nil, longestNanoseconds: 0))
  }

  mutating func add(_ finding: Finding) {
    findingCount += 1
    if findings.count < Self.findingsMax { findings.append(finding) }
  }

  /// Merges what is too much for a picture.
  mutating func finish() {
    for track in tracks.indices {
      for row in tracks[track].rows.indices { tracks[track].rows[row].merge() }
      tracks[track].marks.merge()
    }
  }

  private mutating func note(_ nanoseconds: Int64) {
    firstNanoseconds = min(firstNanoseconds ?? nanoseconds, nanoseconds)
    lastNanoseconds = max(lastNanoseconds ?? nanoseconds, nanoseconds)
  }

  /// A step for the ticks of an axis: the smallest round one that gives at most so many.
  func tickNanoseconds(countMax: Int) -> Int64 {
    let steps: [Int64] =
      [1, 2, 5, 10, 20, 50, 100, 200, 500].flatMap { step in
        [1_000, 1_000_000].map { step * $0 }
      }.sorted() + [1, 2, 5, 10, 15, 30].map { $0 * 1_000_000_000 }
      + [1, 2, 5, 10, 15, 30].map { $0 * 60_000_000_000 }
      + [1, 2, 6, 12, 24, 168, 720, 8_760].map { $0 * 3_600_000_000_000 }
    let count = Int64(max(1, countMax))
    return steps.first { durationNanoseconds / $0 <= count }
      ?? max(1, durationNanoseconds / count)
  }
}

/// A sink that collects a picture of a trace and draws it at the end.
protocol PictureSink: TimelineSink {
  var trace: TimelineTrace? { get set }
  var picture: TimelinePicture { get set }
  /// Draws the picture, which is complete.
  mutating func draw(_ judgement: Judgement)
}

extension PictureSink {
  mutating func begin(_ trace: TimelineTrace) {
    self.trace = trace
    picture = TimelinePicture()
  }

  mutating func name(_ number: Int, _ text: String) { picture.name(text) }
  mutating func track(_ track: LifeTrack) { picture.track(track) }
  mutating func rename(_ track: LifeTrack) { picture.rename(track) }
  mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch) {}
  mutating func end(_ span: LifeSpan) { picture.add(span) }
  mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    picture.add(span)
  }
  mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch) {
    picture.add(mark)
  }
  mutating func finding(_ finding: Finding) { picture.add(finding) }

  mutating func endTrace(_ judgement: Judgement) {
    picture.finish()
    draw(judgement)
  }

  mutating func end() {}
}
