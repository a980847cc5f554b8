// Properties of large blocks: the same events as rows, as columns and in any blocks read alike, and
// no damage inside them is a trap.

import TraceCodecs
import TraceFormat
import TraceModel
import TraceTestSupport

/// Properties that need blocks of thousands of events.
enum FormatProperties {
  /// Everything that one batch of events says, however it was stored.
  private static func read(_ bytes: [UInt8]) -> (events: [DecodedEvent], problems: Int) {
    var decoder = LctraceDecoder(codec: .zstd())
    var batch = EventBatch()
    var result: (events: [DecodedEvent], problems: Int) = ([], 0)
    decoder.feed(bytes.span)
    decoder.finish()
    while true {
      switch decoder.next(into: &batch) {
      case .batch: result.events += batch.decodedEvents
      case .problem: result.problems += 1
      case .end: return result
      default: break
      }
    }
  }

  /// A batch of a workload with some odd events among it.
  private static func batch(_ seed: UInt64, count: Int) -> EventBatch {
    var random = SeededGenerator(seed: seed)
    var workload = WorkloadGenerator(seed: seed)
    workload.session(until: count)
    var assembler = BatchAssembler()
    let events = workload.assembler.batch
    for event in 0..<events.count where !assembler.isFull {
      if UInt64.random(in: 0..<200, using: &random) == 0 {
        var odd = RandomTraces(seed: random.next(), eventsMax: 4)
        for batch in odd.next().batches {
          for place in 0..<batch.count where !assembler.isFull { assembler.copy(place, of: batch) }
        }
      }
      if assembler.isFull { break }
      assembler.copy(event, of: events)
    }
    return assembler.batch
  }

  private static func encode(_ batch: EventBatch, columnEventsMin: Int, pieces: Int) -> [UInt8] {
    var encoder = LctraceEncoder(codec: .zstd(), columnEventsMin: columnEventsMin)
    encoder.begin(TraceHeader())
    var assembler = BatchAssembler()
    var piece = EventBatch()
    for event in 0..<batch.count {
      assembler.copy(event, of: batch)
      if assembler.batch.count == max(1, batch.count / pieces) || assembler.isFull {
        assembler.take(into: &piece)
        encoder.consume(piece)
      }
    }
    assembler.take(into: &piece)
    encoder.consume(piece)
    encoder.end()
    return encoder.output
  }

  /// Rows, columns, and columns in pieces hold the same events.
  static func forms(seeds: Range<UInt64>) -> SweepResult {
    var result = SweepResult()
    for seed in seeds {
      let batch = batch(seed, count: 3_000 + Int(seed % 5) * 9_000)
      let expected = batch.decodedEvents
      for (least, pieces) in [(Int.max, 1), (1, 1), (1, 7), (2_048, 3)] {
        let found = read(encode(batch, columnEventsMin: least, pieces: pieces))
        result.eventCount += found.events.count
        result.check(
          found.events == expected && found.problems == 0,
          "seed \(seed): columns from \(least) events in \(pieces) pieces read otherwise")
      }
    }
    return result
  }

  /// Columns damaged at random: blocks before and after come out whole, or their damage is told.
  static func damage(seed: UInt64, caseCount: Int) -> SweepResult {
    var result = SweepResult()
    var random = SeededGenerator(seed: seed)
    let golden = encode(batch(seed, count: 9_000), columnEventsMin: 1, pieces: 4)
    let expected = Set(read(golden).events)
    for number in 0..<caseCount {
      var bytes = golden
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let length = min(bytes.count - place, Int.random(in: 1...20, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.removeSubrange(place..<place + length)
        default:
          for index in place..<place + length { bytes[index] = random.next() & 1 == 0 ? 0 : 255 }
        }
      }
      let found = read(bytes)
      result.eventCount += found.events.count
      result.check(
        (found.problems > 0 || bytes == golden) && found.events.allSatisfy(expected.contains),
        "seed \(seed), case \(number): \(found.events.count) events, \(found.problems) problems")
    }
    return result
  }
}
