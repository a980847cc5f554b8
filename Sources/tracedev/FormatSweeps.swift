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
  /// What a reader said, in a form that can be compared.
  private struct Reading: Equatable {
    var items: [DecodedItem] = []
    /// The events of each block, by the block's place in the input.
    var blocks: [(range: Range<Int>, events: [DecodedEvent])] = []
    var problems: [InputProblem] = []

    static func == (a: Reading, b: Reading) -> Bool { a.items == b.items }
  }

  private static func read(_ bytes: [UInt8], chunks: [Int] = []) -> Reading {
    var reading = Reading()
    var decoder = LctraceDecoder(codec: .zstd())
    var batch = EventBatch()
    var offset = 0
    var turn = 0
    while true {
      switch decoder.next(into: &batch) {
      case .needsInput:
        guard offset < bytes.count else {
          decoder.finish()
          continue
        }
        let wanted = chunks.isEmpty ? bytes.count : max(1, chunks[min(turn, chunks.count - 1)])
        let end = min(bytes.count, offset + min(wanted, bytes.count))
        decoder.feed(bytes.span.extracting(offset..<end))
        offset = end
        turn += 1
      case .header(let header): reading.items.append(.header(header))
      case .batch:
        let events = batch.decodedEvents
        reading.items.append(
          .batch(firstOrdinal: batch.firstOrdinal, events: events, lines: batch.lines))
        if let block = decoder.lastBlock {
          let start = Int(block.offset)
          reading.blocks.append((start..<start + block.recordByteCount, events))
        }
      case .problem(let problem):
        reading.items.append(.problem(problem))
        reading.problems.append(problem)
      case .remark(let remark): reading.items.append(.remark(remark))
      case .stream: break
      case .end: return reading
      }
    }
  }

  /// Sets every byte to all 255 other values. Every block that the byte isn't in must come out
  /// unchanged, and something must be said.
  static func flips(_ golden: [UInt8]) -> SweepResult {
    var result = SweepResult()
    let whole = read(golden)
    var bytes = golden
    for place in golden.indices {
      let expected = whole.blocks.filter { !$0.range.contains(place) }.flatMap(\.events)
      for value in UInt8.min...UInt8.max where value != golden[place] {
        bytes[place] = value
        let found = read(bytes)
        let events = found.blocks.flatMap(\.events)
        result.eventCount += events.count
        result.check(
          events == expected && !found.problems.isEmpty,
          "byte \(place) set to \(value): \(events.count) events of \(expected.count), "
            + "\(found.problems.count) problems")
      }
      bytes[place] = golden[place]
    }
    return result
  }

  /// Cuts at every place. Every whole block must come out, and nothing may be called damaged.
  static func truncations(_ golden: [UInt8]) -> SweepResult {
    var result = SweepResult()
    let whole = read(golden)
    for count in 0..<golden.count {
      let found = read(Array(golden[..<count]))
      let expected = whole.blocks.filter { $0.range.upperBound <= count }.flatMap(\.events)
      let events = found.blocks.flatMap(\.events)
      result.eventCount += events.count
      result.check(
        events == expected && found.problems.allSatisfy { $0.consequence == .truncated },
        "cut at \(count): \(events.count) events of \(expected.count)")
    }
    return result
  }

  /// Feeds the trace in two pieces, divided at every place, and byte by byte. The same steps must
  /// come out.
  static func splits(_ golden: [UInt8]) -> SweepResult {
    var result = SweepResult()
    let whole = read(golden)
    for place in 1..<max(2, golden.count) {
      let found = read(golden, chunks: [place, golden.count])
      result.eventCount += found.blocks.reduce(0) { $0 + $1.events.count }
      result.check(found == whole, "split at \(place)")
    }
    result.check(read(golden, chunks: [1]) == whole, "byte by byte")
    return result
  }
}
