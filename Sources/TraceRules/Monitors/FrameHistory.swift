// How many frames were presented in a stretch of time, from calls that may stand for many frames.
// This file must not know the life cycle.

import TraceModel

/// The frames that an app presented in the last seconds.
///
/// A call may stand for all frames since the one before it, so that its frames are spread over
/// the time between the two. To count a call where it stands would find too many in a window that
/// begins just before one batch and ends just after another.
struct FrameHistory {
  /// Frames are counted in millionths.
  static let unit: Int64 = 1_000_000
  /// Frames that one call may stand for; more are a mistake.
  private static let framesMax: Int64 = 1_000_000
  /// Calls that count, the last ones: an app that makes more in a window is far beyond any limit,
  /// and what is found mustn't depend on when the others were forgotten.
  static let callsMax = 1_024

  private struct Call {
    /// When the call before was made.
    var startNanoseconds: Int64
    var endNanoseconds: Int64
    var frames: Int64
    var evidence: Int
  }

  private var calls: [Call] = []
  private var lastNanoseconds: Int64?
  /// From when on calls are needed.
  private var oldestNanoseconds = Int64.min
  private var arena = EvidenceArena()

  mutating func add(_ event: Event, _ batch: EventBatch, keepingFrom oldest: Int64) {
    oldestNanoseconds = oldest
    if calls.count >= 2 * Self.callsMax { drop(before: oldest) }
    if calls.count >= 2 * Self.callsMax { drop(calls.count - Self.callsMax) }
    let time = event.timeNanoseconds
    let frames = batch.integer(.count, of: event) ?? 1
    // Of the first call it isn't known since when its frames were presented.
    calls.append(
      Call(
        startNanoseconds: lastNanoseconds ?? time, endNanoseconds: time,
        frames: lastNanoseconds == nil ? 0 : min(max(frames, 0), Self.framesMax),
        evidence: arena.keep(event)))
    lastNanoseconds = time
  }

  /// The frames from one time to another, in millionths; a part of a millionth is left out.
  func frames(from start: Int64, to end: Int64) -> Int64 {
    var total: Int64 = 0
    for call in calls.suffix(Self.callsMax).reversed() {
      if call.endNanoseconds <= start { break }
      total = sum(total, Self.share(of: call, from: start, to: end))
    }
    return total
  }

  /// The frames per second from one time to another, in millionths and rounded up. A few
  /// nanoseconds hold less than a millionth of a frame: the rate isn't reckoned from whole ones.
  func rate(from start: Int64, to end: Int64) -> Int64 {
    let length = difference(end, start)
    guard length > 0 else { return 0 }
    var total = 0.0
    for call in calls.suffix(Self.callsMax).reversed() {
      if call.endNanoseconds <= start { break }
      let whole = difference(call.endNanoseconds, call.startNanoseconds)
      let overlap = difference(min(call.endNanoseconds, end), max(call.startNanoseconds, start))
      if whole <= 0 {
        if call.endNanoseconds <= end { total += Double(call.frames) }
      } else if overlap > 0 {
        total += Double(call.frames) * Double(overlap) / Double(whole)
      }
    }
    let rate = (total / Double(length) * 1e9 * Double(Self.unit)).rounded(.up)
    return rate < 9.2e18 ? Int64(rate) : .max
  }

  /// The calls from a time on that are enough to exceed a number of frames, as evidence.
  func evidence(
    from start: Int64, to end: Int64, exceeding limit: Int64, max: Int, in batch: EventBatch
  ) -> [WitnessEvent] {
    var total: Int64 = 0
    var places: [Int] = []
    let first = Swift.max(0, calls.count - Self.callsMax)
    for place in first..<calls.count where calls[place].endNanoseconds > start {
      let call = calls[place]
      // The call before says since when the frames of this one count.
      if places.isEmpty && place > first { places.append(place - 1) }
      places.append(place)
      total = sum(total, Self.share(of: call, from: start, to: end))
      if total > limit || places.count >= max { break }
    }
    return places.compactMap { arena[calls[$0].evidence]?.witness(role: "work", in: batch) }
  }

  private static func share(of call: Call, from start: Int64, to end: Int64) -> Int64 {
    let frames = scaled(call.frames, by: unit, over: 1)
    let length = difference(call.endNanoseconds, call.startNanoseconds)
    guard length > 0 else { return call.endNanoseconds <= end ? frames : 0 }
    let overlap = difference(min(call.endNanoseconds, end), max(call.startNanoseconds, start))
    guard overlap > 0 else { return 0 }
    return overlap >= length ? frames : scaled(frames, by: overlap, over: length)
  }

  private mutating func drop(before oldest: Int64) {
    // One call more is kept: it says when the next one's frames began.
    guard calls.count > 1, calls[1].endNanoseconds < oldest else { return }
    drop((calls.firstIndex { $0.endNanoseconds >= oldest } ?? calls.count) - 1)
  }

  private mutating func drop(_ gone: Int) {
    guard gone > 0 else { return }
    for call in calls.prefix(gone) { arena.release(call.evidence) }
    calls.removeFirst(gone)
  }

  mutating func removeAll() {
    calls.removeAll(keepingCapacity: true)
    lastNanoseconds = nil
    oldestNanoseconds = .min
    arena.removeAll()
  }

  mutating func batchEnds(_ batch: EventBatch) {
    drop(before: oldestNanoseconds)
    arena.batchEnds(batch)
  }
}

/// A number times another one over a third, all at least 0; the largest number where that is too
/// large or the third is 0.
func scaled(_ value: Int64, by factor: Int64, over divisor: Int64, up: Bool = false) -> Int64 {
  guard divisor > 0 else { return .max }
  let (high, low) = UInt64(max(0, value)).multipliedFullWidth(by: UInt64(max(0, factor)))
  guard high < UInt64(divisor) else { return .max }
  let (quotient, remainder) = UInt64(divisor).dividingFullWidth((high, low))
  let rounded = up && remainder > 0 ? quotient.addingReportingOverflow(1).partialValue : quotient
  return Int64(clamping: rounded)
}
