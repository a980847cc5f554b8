// Whatever is written is read back as the same events, by both text forms.

import Testing
import TraceModel
import TraceNotation
import TraceTestSupport

@Suite struct RoundTripTests {
  private static func text<Encoder: TraceEncoder>(
    of traces: [GeneratedTrace], by encoder: consuming Encoder
  ) -> [UInt8] where Encoder.Failure == Never {
    var encoder = encoder
    for trace in traces {
      encoder.begin(trace.header)
      for batch in trace.batches { encoder.consume(batch) }
    }
    encoder.end()
    return encoder.output
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func everyTraceIsReadBackFromBothForms(seed: UInt64) {
    var random = RandomTraces(seed: seed)
    for round in 0..<60 {
      let traces = (0..<1 + round % 3).map { _ in random.next() }
      let expected = traces.map(\.decoded)
      let ndjson = Self.text(of: traces, by: NDJSONEncoder())
      let fromNDJSON = DripFeeder.items(of: ndjson, by: NDJSONDecoder())
      #expect(fromNDJSON.problems == [], "seed \(seed), round \(round)")
      let isSame = fromNDJSON.traces == expected
      #expect(isSame, "seed \(seed), round \(round)")
      let timeline = Self.text(of: traces, by: TimelineEncoder())
      let fromTimeline = DripFeeder.items(of: timeline, by: TimelineDecoder())
      #expect(fromTimeline.problems == [], "seed \(seed), round \(round)")
      let isSameTimeline = fromTimeline.traces == expected
      #expect(isSameTimeline, "seed \(seed), round \(round)")
      guard isSame, isSameTimeline else { return }
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func sizesAreKnownWithoutWriting(seed: UInt64) {
    var random = RandomTraces(seed: seed)
    var encoder = NDJSONEncoder()
    for _ in 0..<100 {
      for batch in random.next().batches {
        let byteCount = encoder.byteCount(of: batch)
        encoder.consume(batch)
        #expect(byteCount == Int64(encoder.output.count))
        encoder.output.removeAll(keepingCapacity: true)
      }
    }
  }

  /// The sweep is worth something only if the traces are: every kind, joined spans, every type.
  @Test func theTracesAreOfEverySort() {
    var random = RandomTraces(seed: 1)
    var kinds: Set<String> = []
    var joined = 0
    var unsorted = 0
    var empty = 0
    for _ in 0..<1_500 {
      let trace = random.next()
      let events = trace.decoded.events
      if events.isEmpty { empty += 1 }
      kinds.formUnion(events.map(\.kind))
      if zip(events, events.dropFirst()).contains(where: { $0.timeNanoseconds > $1.timeNanoseconds }
      ) {
        unsorted += 1
      }
      var encoder = TimelineEncoder()
      for batch in trace.batches { encoder.consume(batch) }
      encoder.end()
      joined += String(decoding: encoder.output, as: UTF8.self).split(separator: " for ").count - 1
    }
    #expect(kinds.isSuperset(of: Vocabulary.kinds.map(\.name)))
    #expect(kinds.count > Vocabulary.kinds.count + 50)
    #expect(joined > 500)
    #expect(unsorted > 100)
    #expect(empty > 50)
  }
}
