// Every damage of a small binary trace: flipped bytes, cuts and splits. What must come out is known
// from the undamaged trace.

import TraceCodecs
import TraceFormat
import TraceModel
import TraceTestSupport

/// What a sweep did.
struct SweepResult: Sendable {
  /// Inputs that were read.
  var caseCount = 0
  /// Cases that broke a promise.
  var failureCount = 0
  /// What was wrong with the first of them; nil if there is none.
  var firstFailure: String?
  /// Events that came out of all cases together.
  var eventCount = 0

  mutating func check(_ isRight: Bool, _ failure: @autoclosure () -> String) {
    caseCount += 1
    if isRight { return }
    failureCount += 1
    if firstFailure == nil { firstFailure = failure() }
  }
}

/// Sweeps over damaged and divided binary traces.
enum FormatSweeps {
  /// What a reader said of a trace, fed in pieces of these sizes.
  private struct Reading {
    let items: [DecodedItem]
    /// The events of each block, by the block's place in the input.
    let blocks: [(range: Range<Int>, events: [DecodedEvent])]

    init(_ bytes: [UInt8], pieces: [Int] = []) {
      var blocks: [(range: Range<Int>, events: [DecodedEvent])] = []
      items = DripFeeder.items(
        of: bytes, by: LctraceDecoder(codec: .zstd()), pieces: pieces
      ) { item, decoder in
        guard case .batch(_, let events, _) = item, let block = decoder.lastBlock else { return }
        let start = Int(block.offset)
        blocks.append((start..<start + block.recordByteCount, events))
      }
      self.blocks = blocks
    }
  }

  /// Sets every byte to all 255 other values. Every block that the byte isn't in must come out
  /// unchanged, and something must be said.
  static func flips(_ golden: [UInt8]) -> SweepResult {
    var result = SweepResult()
    let whole = Reading(golden)
    var bytes = golden
    for place in golden.indices {
      let expected = whole.blocks.filter { !$0.range.contains(place) }.flatMap(\.events)
      for value in UInt8.min...UInt8.max where value != golden[place] {
        bytes[place] = value
        let found = Reading(bytes)
        let events = found.blocks.flatMap(\.events)
        result.eventCount += events.count
        result.check(
          events == expected && !found.items.problems.isEmpty,
          "byte \(place) set to \(value): \(events.count) events of \(expected.count), "
            + "\(found.items.problems.count) problems")
      }
      bytes[place] = golden[place]
    }
    return result
  }

  /// Cuts at every place. Every whole block must come out, and nothing may be called damaged.
  static func truncations(_ golden: [UInt8]) -> SweepResult {
    var result = SweepResult()
    let whole = Reading(golden)
    for count in 0..<golden.count {
      let found = Reading(Array(golden[..<count]))
      let expected = whole.blocks.filter { $0.range.upperBound <= count }.flatMap(\.events)
      let events = found.blocks.flatMap(\.events)
      result.eventCount += events.count
      result.check(
        events == expected && found.items.problems.allSatisfy { $0.consequence == .truncated },
        "cut at \(count): \(events.count) events of \(expected.count)")
    }
    return result
  }

  /// Feeds the trace in two pieces, divided at every place, and byte by byte. The same steps must
  /// come out.
  static func splits(_ golden: [UInt8]) -> SweepResult {
    var result = SweepResult()
    let whole = Reading(golden)
    for place in 1..<max(2, golden.count) {
      let found = Reading(golden, pieces: [place, golden.count])
      result.eventCount += found.blocks.reduce(0) { $0 + $1.events.count }
      result.check(found.items == whole.items, "split at \(place)")
    }
    let found = Reading(golden, pieces: [1])
    result.check(found.items == whole.items, "byte by byte")
    return result
  }
}
