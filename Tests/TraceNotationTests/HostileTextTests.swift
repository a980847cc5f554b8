// Texts that are damaged at random: nothing traps, and splits change nothing.

import Testing
import TraceModel
import TraceNotation
import TraceTestSupport

@Suite struct HostileTextTests {
  /// A text with a few bytes changed, removed, doubled or moved.
  static func damaged(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = text
    func below(_ bound: Int) -> Int {
      Int(truncatingIfNeeded: random.next() % UInt64(max(1, bound)))
    }
    let interesting = Array("\"\\{}[],:=@<>#+-.0 \n\r\te".utf8)
    for _ in 0...below(4) where !bytes.isEmpty {
      let place = below(bytes.count)
      switch below(5) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[place] = interesting[below(interesting.count)]
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(interesting[below(interesting.count)], at: place)
      default:
        let end = min(bytes.count, place + below(40))
        bytes.insert(contentsOf: bytes[place..<end], at: below(bytes.count))
      }
    }
    if below(4) == 0 { bytes.removeLast(below(bytes.count)) }
    return bytes
  }

  @Test(arguments: 0..<6 as Range<UInt64>) func damagedNDJSON(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var traces = RandomTraces(seed: seed, eventsMax: 20)
    for round in 0..<80 {
      let trace = traces.next()
      var encoder = NDJSONEncoder()
      encoder.begin(trace.header)
      for batch in trace.batches { encoder.consume(batch) }
      if encoder.output.count > 4_000 { continue }
      let bytes = Self.damaged(encoder.output, &random)
      let whole = DripFeeder.items(of: bytes, by: NDJSONDecoder())
      #expect(
        DripFeeder.items(of: bytes, by: NDJSONDecoder(), pieces: [1]) == whole,
        "seed \(seed), round \(round)")
      Self.expectFixedPoint(whole, "seed \(seed), round \(round)")
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>) func damagedTimeline(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var traces = RandomTraces(seed: seed, eventsMax: 20)
    for round in 0..<80 {
      let trace = traces.next()
      var encoder = TimelineEncoder()
      encoder.begin(trace.header)
      for batch in trace.batches { encoder.consume(batch) }
      encoder.end()
      if encoder.output.count > 4_000 { continue }
      let bytes = Self.damaged(encoder.output, &random)
      let whole = DripFeeder.items(of: bytes, by: TimelineDecoder())
      #expect(
        DripFeeder.items(of: bytes, by: TimelineDecoder(), pieces: [1]) == whole,
        "seed \(seed), round \(round)")
      Self.expectFixedPoint(whole, "seed \(seed), round \(round)")
    }
  }

  /// What was read can be written and read again, in both forms.
  static func expectFixedPoint(_ items: [DecodedItem], _ comment: Comment) {
    var ndjson = NDJSONEncoder()
    var timeline = TimelineEncoder()
    for trace in items.traces {
      var assembler = BatchAssembler()
      for event in trace.events { assembler.append(event) }
      ndjson.begin(trace.header)
      ndjson.consume(assembler.batch)
      timeline.begin(trace.header)
      timeline.consume(assembler.batch)
    }
    timeline.end()
    let fromNDJSON = DripFeeder.items(of: ndjson.output, by: NDJSONDecoder())
    let fromTimeline = DripFeeder.items(of: timeline.output, by: TimelineDecoder())
    if items.traces.isEmpty { return }
    #expect(fromNDJSON.traces == items.traces, comment)
    #expect(fromTimeline.traces == items.traces, comment)
    #expect(fromNDJSON.problems == [], comment)
    #expect(fromTimeline.problems == [], comment)
  }
}
