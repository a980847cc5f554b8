// The hash that names a trace: it must depend on what happened and on nothing else.

import Testing
import TraceModel
import TraceTestSupport

@testable import TracePipeline

struct EventHashTests {
  private static func batches(seed: UInt64, sizes: () -> Int) -> [EventBatch] {
    var generator = SeededGenerator(seed: seed)
    var assembler = BatchAssembler()
    var batches: [EventBatch] = []
    var room = sizes()
    for time in 0..<200 as Range<Int64> {
      let kind = assembler.kind(named: ["bgtask.begin", "x.odd", "gl.call"][Int(time % 3)])
      assembler.begin(
        kind, .instant, thread: .random(in: 1...3, using: &generator), timeNanoseconds: time)
      assembler.add(.token, .integer(.random(in: 0...9, using: &generator)))
      let name = assembler.argumentName("odd")
      assembler.add(name, .string("text \(Int.random(in: 0...9, using: &generator))"))
      assembler.endEvent()
      room -= 1
      if room == 0 {
        var batch = EventBatch()
        assembler.take(into: &batch)
        batches.append(batch)
        room = sizes()
      }
    }
    batches.append(assembler.batch)
    return batches
  }

  private static func text(_ batches: [EventBatch]) -> String {
    var hash = EventHash()
    for batch in batches { hash.add(batch) }
    return hash.text
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func batchesDontMatter(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 1_000)
    let whole = Self.text(Self.batches(seed: seed) { 1_000 })
    let parts = Self.text(Self.batches(seed: seed) { .random(in: 1...50, using: &generator) })
    #expect(whole == parts)
    #expect(whole != Self.text(Self.batches(seed: seed &+ 1) { 1_000 }))
  }

  @Test func everyPartOfAnEventMatters() {
    func hash(
      _ kind: EventKind = .bgtaskBegin, _ phase: Phase = .instant, thread: Int64 = 1,
      time: Int64 = 5, _ name: ArgumentName = .token, _ value: ArgumentValue = .integer(1)
    ) -> String {
      var assembler = BatchAssembler()
      assembler.begin(kind, phase, thread: thread, timeNanoseconds: time)
      assembler.add(name, value)
      assembler.endEvent()
      return Self.text([assembler.batch])
    }
    let hashes = [
      hash(), hash(.bgtaskEnd), hash(.bgtaskBegin, .enter), hash(thread: 2), hash(time: 6),
      hash(.bgtaskBegin, .instant, .name), hash(.bgtaskBegin, .instant, .token, .integer(2)),
      hash(.bgtaskBegin, .instant, .token, .boolean(true)),
      hash(.bgtaskBegin, .instant, .token, .string("1")), Self.text([]),
    ]
    #expect(Set(hashes).count == hashes.count)
  }
}
