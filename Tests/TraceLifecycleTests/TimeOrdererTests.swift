// The order of events against a naive oracle, however they are cut into batches.

import Testing
import TraceLifecycle
import TraceModel
import TraceTestSupport

struct TimeOrdererTests {
  struct Input {
    var kind: EventKind = .workDispatch
    var thread: Int64
    var time: Int64
  }

  struct Output: Hashable {
    var ordinal: Int
    var time: Int64
    var thread: Int64
  }

  /// What the rules of the window say, event by event, without any cleverness.
  struct Oracle {
    var emitted: [Output] = []
    var clampCount = 0
    var lateCount = 0
    var breaks: [ClockBreak] = []
    private var pending: [Output] = []
    private var newest: Int64?
    private var lastEmitted = Int64.min
    private var last: [Int64: Int64] = [:]

    private let waitingMax: Int

    init(_ inputs: [Input], waitingMax: Int = TimeOrderer.eventsMax) {
      self.waitingMax = waitingMax
      for (ordinal, input) in inputs.enumerated() { take(input, ordinal) }
      emitted += pending
    }

    private mutating func take(_ input: Input, _ ordinal: Int) {
      var time = input.time
      let isStart = input.kind == .procStart || input.kind == .traceStart
      if isStart, let known = newest, time < known - 200_000_000 {
        emitted += pending
        pending = []
        newest = nil
        lastEmitted = .min
        last = [:]
      }
      if let before = last[input.thread], time < before {
        clampCount += 1
        if before - time > 1_000_000 {
          breaks.append(ClockBreak(thread: input.thread, timeNanoseconds: before, ordinal: ordinal))
        }
        time = before
      }
      last[input.thread] = time
      let newestNow = max(time, newest ?? time)
      if time < newestNow - 200_000_000 || time < lastEmitted {
        lateCount += 1
        return
      }
      newest = newestNow
      // Behind all that are not later: equal times keep the order of arrival.
      var low = 0
      var high = pending.count
      while low < high {
        let middle = (low + high) / 2
        if pending[middle].time <= time { low = middle + 1 } else { high = middle }
      }
      pending.insert(Output(ordinal: ordinal, time: time, thread: input.thread), at: low)
      var count = 0
      while count < pending.count,
        pending[count].time <= newestNow - 200_000_000 || pending.count - count > waitingMax
      {
        count += 1
      }
      if count > 0 { lastEmitted = pending[count - 1].time }
      emitted += pending[..<count]
      pending.removeFirst(count)
    }
  }

  /// Cuts inputs into batches of the sizes that come from a source.
  static func batches(_ inputs: [Input], size: () -> Int) -> [EventBatch] {
    var assembler = BatchAssembler()
    var batches: [EventBatch] = []
    var left = size()
    for (ordinal, input) in inputs.enumerated() {
      assembler.begin(
        input.kind, .instant, thread: input.thread, timeNanoseconds: input.time,
        line: UInt32(ordinal + 1))
      assembler.add(.work, .integer(Int64(ordinal)))
      assembler.add(assembler.argumentName("odd"), .string("text \(ordinal % 7)"))
      assembler.endEvent()
      left -= 1
      if left <= 0 || assembler.isFull {
        var batch = EventBatch()
        assembler.take(into: &batch)
        batches.append(batch)
        left = size()
      }
    }
    var batch = EventBatch()
    assembler.take(into: &batch)
    if batch.count > 0 { batches.append(batch) }
    return batches
  }

  struct Run {
    var outputs: [Output] = []
    var orderer: TimeOrderer
    var breaks: [ClockBreak] = []
    /// Events emitted from the batches that were given, not from copies.
    var inPlaceCount = 0

    init(_ batches: [EventBatch], waitingMax: Int = TimeOrderer.eventsMax) {
      orderer = TimeOrderer(waitingMax: waitingMax)
      for batch in batches {
        var new: [Output] = []
        var inPlace = 0
        orderer.consume(batch) { emitted, range in
          new += Self.outputs(emitted, range)
          let isGiven =
            emitted.count == batch.count && emitted.firstOrdinal == batch.firstOrdinal
            && emitted.timesNanoseconds == batch.timesNanoseconds
          inPlace += isGiven ? range.count : 0
        }
        outputs += new
        inPlaceCount += inPlace
        breaks += orderer.takeClockBreaks()
      }
      var new: [Output] = []
      orderer.finish { new += Self.outputs($0, $1) }
      outputs += new
    }

    static func outputs(_ batch: EventBatch, _ range: Range<Int>) -> [Output] {
      #expect(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= batch.count)
      let isWhole = range.allSatisfy { index in
        let event = batch.event(at: index)
        return batch.integer(.work, of: event) == Int64(event.ordinal)
          && batch.lines[index] == UInt32(event.ordinal + 1)
          && batch.text(of: batch.slots[1].name) == "odd"
          && (index % 64 != 0
            || batch.arguments(at: index)[1].value == .string("text \(event.ordinal % 7)"))
      }
      #expect(isWhole)
      return range.map { index in
        let event = batch.event(at: index)
        return Output(ordinal: event.ordinal, time: event.timeNanoseconds, thread: event.thread)
      }
    }
  }

  static func randomInputs(_ generator: inout SeededGenerator, count: Int) -> [Input] {
    let threads = Int64.random(in: 1...6, using: &generator)
    let jitter: Int64 =
      [0, 500_000, 50_000_000, 210_000_000, 400_000_000]
      .randomElement(using: &generator) ?? 0
    let step = Int64([1_000, 5_000_000, 60_000_000].randomElement(using: &generator) ?? 1)
    var now: Int64 = 1_000_000_000
    var lag: [Int64: Int64] = [:]
    return (0..<count).map { _ in
      now += Int64.random(in: 0...step, using: &generator)
      let thread = Int64.random(in: 1...threads, using: &generator)
      if Int.random(in: 0..<10, using: &generator) == 0 {
        lag[thread] = Int64.random(in: 0...jitter, using: &generator)
      }
      if Int.random(in: 0..<80, using: &generator) == 0 {
        now = max(0, now - Int64.random(in: 0...900_000_000, using: &generator))
        return Input(kind: .procStart, thread: thread, time: now)
      }
      let coarse = Bool.random(using: &generator) ? 10_000_000 : Int64(1)
      return Input(thread: thread, time: (now - lag[thread, default: 0]) / coarse * coarse)
    }
  }

  @Test("the order is that of the oracle, for every cut", arguments: 1...60)
  func random(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let inputs = Self.randomInputs(&generator, count: 120)
    let oracle = Oracle(inputs)
    var cuts = generator
    let sizes: [() -> Int] = [
      { inputs.count }, { 1 }, { 2 }, { 40 }, { Int.random(in: 1...30, using: &cuts) },
    ]
    for size in sizes {
      let run = Run(Self.batches(inputs, size: size))
      #expect(run.outputs == oracle.emitted, "seed \(seed)")
      #expect(run.orderer.quality.count(of: .tq01) == oracle.clampCount, "seed \(seed)")
      #expect(run.orderer.quality.count(of: .tq02) == oracle.lateCount, "seed \(seed)")
      #expect(run.breaks == oracle.breaks, "seed \(seed)")
    }
  }

  @Test("every cut in two gives the same", arguments: [7, 8])
  func everyCut(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let inputs = Self.randomInputs(&generator, count: 80)
    let expected = Oracle(inputs).emitted
    for cut in 1..<inputs.count {
      var sizes = [cut, inputs.count]
      let run = Run(Self.batches(inputs) { sizes.isEmpty ? 1 : sizes.removeFirst() })
      #expect(run.outputs == expected, "seed \(seed), cut at \(cut)")
    }
  }

  @Test("no more than so many events wait", arguments: 1...20)
  func countLimit(_ seed: UInt64) {
    #expect(TimeOrderer.eventsMax == 65_536)
    var generator = SeededGenerator(seed: seed)
    let inputs = (0..<300).map { place in
      Input(
        thread: Int64.random(in: 1...60, using: &generator),
        time: Int64.random(in: 0..<1_500_000, using: &generator) * Int64(1 + place))
    }
    for waitingMax in [1, 5, 40] {
      for sorted in [false, true] {
        let inputs = sorted ? inputs.sorted { $0.time < $1.time } : inputs
        let oracle = Oracle(inputs, waitingMax: waitingMax)
        #expect((oracle.lateCount > 0) == !sorted)
        for size in [300, 1, 64] {
          let run = Run(Self.batches(inputs) { size }, waitingMax: waitingMax)
          #expect(run.outputs == oracle.emitted, "seed \(seed), at most \(waitingMax)")
          #expect(run.orderer.quality.count(of: .tq02) == oracle.lateCount)
        }
      }
    }
  }

  @Test("many events in one moment, in order and against it")
  func packing() {
    // One thread far ahead of many others keeps single events in many chunks.
    let inputs = (0..<12_000).map { place in
      Input(thread: Int64(place % 2), time: place % 2 == 0 ? Int64(place) : 150_000_000)
    }
    let oracle = Oracle(inputs, waitingMax: 64)
    let run = Run(Self.batches(inputs) { 500 }, waitingMax: 64)
    #expect(run.outputs == oracle.emitted)
  }

  @Test("a batch in order is emitted in place but for its tail")
  func inPlace() {
    let inputs = (0..<1_000).map { Input(thread: Int64($0 % 3), time: Int64($0) * 1_000_000) }
    let run = Run(Self.batches(inputs) { 1_000 })
    #expect(run.inPlaceCount == 800)
    #expect(run.outputs.map(\.ordinal) == Array(0..<1_000))
  }

  @Test("times at the ends of the range are harmless")
  func extremes() {
    for times in [
      [Int64.min, .max, .min, 0], [.max, .min, .max], [.min, .min, .max], [0, .min, .max, .min],
    ] {
      let inputs = times.enumerated().map { Input(thread: Int64($0.offset % 2), time: $0.element) }
      for size in [1, 4] {
        let run = Run(Self.batches(inputs) { size })
        #expect(run.outputs.map(\.time) == run.outputs.map(\.time).sorted())
      }
      let starts = times.map { Input(kind: .procStart, thread: 1, time: $0) }
      #expect(Run(Self.batches(starts) { 2 }).outputs.count == times.count)
    }
  }

  // MARK: Sequence numbers

  static func numbered(_ threads: [(id: Int64, first: UInt64, count: Int)], ordinal: Int)
    -> EventBatch
  {
    var assembler = BatchAssembler()
    for thread in threads {
      for _ in 0..<thread.count {
        assembler.begin(.workDispatch, .instant, thread: thread.id, timeNanoseconds: 0)
        assembler.endEvent()
      }
    }
    var batch = assembler.batch
    batch.firstOrdinal = ordinal
    for place in batch.threads.indices { batch.threads[place].firstSequence = threads[place].first }
    return batch
  }

  @Test("missing sequence numbers are gaps")
  func gaps() {
    var orderer = TimeOrderer()
    func feed(_ batch: EventBatch) -> [SequenceGap] {
      orderer.prepare(batch)
      let gaps = orderer.takeGaps()
      orderer.consume(batch) { _, _ in }
      #expect(orderer.takeGaps().isEmpty)
      return gaps
    }
    #expect(feed(Self.numbered([(1, 1, 3), (2, 1, 2)], ordinal: 0)).isEmpty)
    #expect(feed(Self.numbered([(1, 4, 2), (2, 3, 1)], ordinal: 5)).isEmpty)
    #expect(
      feed(Self.numbered([(1, 6, 2), (2, 9, 1)], ordinal: 8))
        == [SequenceGap(thread: 2, missingCount: 5, nextOrdinal: 10)])
    #expect(
      feed(Self.numbered([(3, 4, 2)], ordinal: 11))
        == [SequenceGap(thread: 3, missingCount: 3, nextOrdinal: 11)])
    #expect(feed(Self.numbered([(1, 8, 1), (4, 0, 1)], ordinal: 13)).isEmpty)
    #expect(
      feed(Self.numbered([(1, .max, 3)], ordinal: 14)).map(\.missingCount) == [Int.max - 0])
  }

  @Test("where threads have no numbers, places that are missing are gaps")
  func holes() {
    var orderer = TimeOrderer()
    func feed(_ ordinal: Int, count: Int, first: UInt64 = 0) -> [SequenceGap] {
      let batch = Self.numbered([(1, first, count)], ordinal: ordinal)
      orderer.prepare(batch)
      let gaps = orderer.takeGaps()
      orderer.consume(batch) { _, _ in }
      return gaps
    }
    #expect(feed(7, count: 3) == [SequenceGap(thread: nil, missingCount: 7, nextOrdinal: 7)])
    #expect(feed(10, count: 2).isEmpty)
    #expect(feed(15, count: 2) == [SequenceGap(thread: nil, missingCount: 3, nextOrdinal: 15)])
    #expect(feed(3, count: 2).isEmpty)
    #expect(feed(17, count: 1, first: 1).isEmpty)
    #expect(feed(18, count: 1).isEmpty)
    #expect(
      feed(.max, count: 1)
        == [SequenceGap(thread: nil, missingCount: .max - 19, nextOrdinal: .max)])
    #expect(feed(.max, count: 1).isEmpty)
  }

  @Test("a recording that begins with high numbers has no gap there")
  func rotated() {
    var orderer = TimeOrderer()
    orderer.prepare(Self.numbered([(1, 50, 3), (2, 70, 2)], ordinal: 0))
    #expect(orderer.takeGaps().isEmpty)
  }
}
