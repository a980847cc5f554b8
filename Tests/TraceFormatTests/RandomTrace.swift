// Random batches and headers that go to the edges of the model: every kind, unknown kinds and
// names, extreme numbers and times, long and non-ASCII texts. This file must not know any format.

import TraceModel
import TraceTestSupport

/// Makes random traces. The same generator state gives the same trace.
enum RandomTrace {
  /// A batch of `count` events.
  static func batch(
    count: Int, using random: inout SeededGenerator, longTexts: Bool = false
  ) -> EventBatch {
    var assembler = BatchAssembler()
    var time = Int64(truncatingIfNeeded: random.next() >> UInt64.random(in: 0...63, using: &random))
    for _ in 0..<count where !assembler.isFull {
      let kind =
        Int.random(in: 0..<8, using: &random) == 0
        ? assembler.kind(named: "x.unknown_\(Int.random(in: 0..<5, using: &random))é")
        : Vocabulary.kinds[Int.random(in: 0..<Vocabulary.kinds.count, using: &random)].kind
      time =
        switch Int.random(in: 0..<20, using: &random) {
        case 0: extremes[Int.random(in: 0..<extremes.count, using: &random)]
        case 1: time &- Int64.random(in: 0..<1_000_000, using: &random)
        default: time &+ Int64.random(in: 0..<10_000_000, using: &random)
        }
      assembler.begin(
        kind, Phase.allCases[Int.random(in: 0..<3, using: &random)],
        thread: [1, 2, 7, -5, .max][Int.random(in: 0..<5, using: &random)],
        timeNanoseconds: time)
      for _ in 0..<argumentCount(&random) {
        let name =
          Int.random(in: 0..<6, using: &random) == 0
          ? assembler.argumentName("extra_\(Int.random(in: 0..<4, using: &random))ü")
          : ArgumentName(rawValue: UInt16.random(in: 1...145, using: &random))
        assembler.add(name, value(&random, longTexts: longTexts))
      }
      assembler.endEvent()
    }
    var batch = EventBatch()
    assembler.take(into: &batch)
    if Bool.random(using: &random) {
      for index in batch.threads.indices {
        batch.threads[index].firstSequence = UInt64.random(
          in: 1...UInt64(Int64.max), using: &random)
      }
    }
    return batch
  }

  /// A header with about half of all fields, some of a wrong type, and some unknown ones.
  static func header(using random: inout SeededGenerator) -> TraceHeader {
    var header = TraceHeader()
    for field in HeaderField.allCases where Bool.random(using: &random) {
      header[field] =
        switch field.type {
        case .integer: .integer(integer(&random))
        case .boolean: .boolean(Bool.random(using: &random))
        case .string: .string(text(&random, longTexts: false))
        case .strings:
          .strings(
            (0..<Int.random(in: 0..<4, using: &random)).map { _ in text(&random, longTexts: false) }
          )
        }
      if Int.random(in: 0..<12, using: &random) == 0 { header[field] = .json("{\"odd\":[1,null]}") }
    }
    for number in 0..<Int.random(in: 0..<3, using: &random) {
      header.unknownFields.append(
        .init(name: "later_\(number)", json: jsons[Int.random(in: 0..<jsons.count, using: &random)])
      )
    }
    return header
  }

  private static func argumentCount(_ random: inout SeededGenerator) -> Int {
    switch Int.random(in: 0..<100, using: &random) {
    case 0: BatchLimits.argumentsPerEventMax
    case 1..<40: 0
    default: Int.random(in: 1...4, using: &random)
    }
  }

  private static func value(
    _ random: inout SeededGenerator, longTexts: Bool
  ) -> ArgumentValue {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .unsigned(random.next() | 1 << 63)
    case 1: .number(numbers[Int.random(in: 0..<numbers.count, using: &random)])
    case 2: .boolean(Bool.random(using: &random))
    case 3, 4: .string(text(&random, longTexts: longTexts))
    case 5: .json(jsons[Int.random(in: 0..<jsons.count, using: &random)])
    default: .integer(integer(&random))
    }
  }

  private static func integer(_ random: inout SeededGenerator) -> Int64 {
    if Int.random(in: 0..<6, using: &random) == 0 {
      return extremes[Int.random(in: 0..<extremes.count, using: &random)]
    }
    let shift = UInt64.random(in: 0...63, using: &random)
    return Int64(bitPattern: random.next()) >> Int64(shift)
  }

  private static func text(_ random: inout SeededGenerator, longTexts: Bool) -> String {
    switch Int.random(in: 0..<200, using: &random) {
    case 0 where longTexts: String(repeating: "x", count: BatchLimits.stringBytesMax)
    case 1 where longTexts: String(repeating: "é", count: BatchLimits.stringBytesMax / 2)
    case 2..<40: texts[Int.random(in: 0..<texts.count, using: &random)]
    default: "text \(random.next() >> 50)"
    }
  }

  private static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
  private static let numbers: [Double] = [
    0, -0.0, 0.1, -1.5, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, 1e300,
  ]
  private static let texts = [
    "", " ", "main", "näïve", "日本語", "🙂", "\u{0}", "line\nbreak", "\u{FFFD}", "\"quoted\\\"",
    "\u{202E}reversed", "e\u{301}",
  ]
  private static let jsons = [
    "null", "[]", "{}", "{\"a\":[1,2,{\"b\":null}]}", "123456789012345678901234567890", "1e999",
    "[\"\\u00e9\\n\",true,false,-0.5E+3]", "\"text\"",
  ]
}
