// Damages inputs: as captures are damaged, and by extreme numbers, texts and whole lines, which
// leave more of an input in force. This file must not know what the inputs are for.

import TraceCodecs
import TraceExport
import TraceFormat
import TraceModel
import TraceNotation
import TraceTestSupport

/// Makes damaged inputs out of sound ones.
struct FuzzDamage {
  /// Pieces of other inputs are put into captures.
  var others: [[UInt8]]

  func damaged(_ seed: FuzzSeed, _ random: inout SeededGenerator) -> FuzzSeed {
    var result = seed
    if Int.random(in: 0..<25, using: &random) == 0 {
      result.bytes = Self.multiplied(result.bytes, &random)
    }
    let way = Int.random(in: 0..<10, using: &random)
    if way >= 2, way < 8 { result.bytes = extreme(result.bytes, &random) }
    if way >= 7 {
      var damage = CaptureDamage(
        result.bytes, others: others, random: SeededGenerator(seed: random.next()))
      result.bytes = damage.damaged()
    }
    guard seed.isNotation, Int.random(in: 0..<3, using: &random) == 0 else {
      if Int.random(in: 0..<20, using: &random) == 0 { Self.wrap(&result) }
      return result
    }
    // Damage inside a binary trace is found by its checks: what is odd must be in it before.
    let columnEventsMin = [1, 2_048, .max].randomElement(using: &random) ?? 1
    result.bytes = Self.stored(result, columnEventsMin: columnEventsMin)
    result.ending = ".lctrace"
    if !result.bytes.isEmpty, Int.random(in: 0..<6, using: &random) == 0 {
      result.bytes[Int.random(in: 0..<result.bytes.count, using: &random)] ^= 0x10
    }
    return result
  }

  /// Replaces one to six numbers, words or lines.
  private func extreme(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4: Self.replace(&bytes, from: place, Self.isOfNumber, Self.number(&random))
      case 4: Self.replace(&bytes, from: place, Self.isOfWord, Self.text(&random))
      case 5: Self.replace(&bytes, from: place, Self.isOfWord, Self.word(of: bytes, &random))
      case 6: bytes.removeSubrange(Self.line(of: bytes, at: place))
      default:
        let line = Array(bytes[Self.line(of: bytes, at: place)])
        let target = Self.line(of: bytes, at: Int.random(in: 0..<bytes.count, using: &random))
        bytes.insert(contentsOf: line, at: target.lowerBound)
      }
    }
    return bytes
  }

  /// A trace of its own header alone takes a hundred bytes and four milliseconds: thousands of
  /// them stay below the limit on a busy machine, too.
  private static let multipliedBytesMax = 250_000

  /// Repeats a few lines some ten thousand times, often with another number in each copy: what
  /// takes time with the square of something shows.
  private static func multiplied(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    let first = line(of: bytes, at: Int.random(in: 0..<bytes.count, using: &random))
    var end = first.upperBound
    for _ in 0..<Int.random(in: 0..<3, using: &random) where end < bytes.count {
      end = line(of: bytes, at: end).upperBound
    }
    let lines = Array(bytes[first.lowerBound..<end])
    let start = Int.random(in: 0..<lines.count, using: &random)
    let isCounted = Int.random(in: 0..<4, using: &random) > 0
    let number = isCounted ? run(in: lines, from: start, isOfNumber) : nil
    let count = [300, 5_000, 20_000].randomElement(using: &random) ?? 300
    var copies: [UInt8] = []
    for copy in 1...count where copies.count < multipliedBytesMax {
      guard let number else {
        copies += lines
        continue
      }
      copies += lines[..<number.lowerBound] + Array("\(copy)".utf8) + lines[number.upperBound...]
    }
    var result = bytes
    result.insert(contentsOf: copies, at: end)
    return result
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool { (48...57).contains(byte) || byte == 46 }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    (97...122).contains(byte | 32) || byte == 95 || byte == 45
  }

  private static func number(_ random: inout SeededGenerator) -> [UInt8] {
    let hasUnit = Int.random(in: 0..<4, using: &random) == 0
    let texts = hasUnit ? FuzzValues.durations : FuzzValues.numbers
    return Array((texts.randomElement(using: &random) ?? "0").utf8)
  }

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    FuzzValues.texts.randomElement(using: &random) ?? []
  }

  /// Another word of the same input.
  private static func word(of bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    let start = Int.random(in: 0..<bytes.count, using: &random)
    guard let range = run(in: bytes, from: start, isOfWord) else { return [] }
    return Array(bytes[range])
  }

  private static func run(in bytes: [UInt8], from place: Int, _ isPart: (UInt8) -> Bool)
    -> Range<Int>?
  {
    guard let start = bytes[place...].firstIndex(where: isPart) else { return nil }
    return start..<(bytes[start...].firstIndex { !isPart($0) } ?? bytes.count)
  }

  private static func replace(
    _ bytes: inout [UInt8], from place: Int, _ isPart: (UInt8) -> Bool, _ other: [UInt8]
  ) {
    if let range = run(in: bytes, from: place, isPart) { bytes.replaceSubrange(range, with: other) }
  }

  private static func line(of bytes: [UInt8], at place: Int) -> Range<Int> {
    let start = bytes[..<place].lastIndex(of: 10).map { $0 + 1 } ?? 0
    return start..<(bytes[place...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.count)
  }

  /// Puts an input into a zstd frame.
  private static func wrap(_ seed: inout FuzzSeed) {
    var codec = ChunkCodec.zstd()
    var frame: [UInt8] = []
    codec.compress(seed.bytes.span, into: &frame)
    seed = FuzzSeed(ending: seed.ending + ".zst", bytes: frame)
  }

  /// A notation as a binary trace: what can be read of it.
  private static func stored(_ seed: FuzzSeed, columnEventsMin: Int) -> [UInt8] {
    var encoder = LctraceEncoder(codec: .zstd(), columnEventsMin: columnEventsMin)
    if seed.ending == ".ndjson" {
      write(NDJSONDecoder(), seed.bytes, &encoder)
    } else {
      write(TimelineDecoder(requiresFirstLine: false), seed.bytes, &encoder)
    }
    return encoder.output
  }

  private static func write(
    _ decoder: some CaptureDecoder, _ bytes: [UInt8], _ encoder: inout LctraceEncoder
  ) {
    var decoder = decoder
    var batch = EventBatch()
    var hasBegun = false
    decoder.feed(bytes.span)
    decoder.finish()
    while true {
      switch decoder.next(into: &batch) {
      case .header(let header):
        if !hasBegun { encoder.begin(header) }
        hasBegun = true
      case .batch:
        if !hasBegun { encoder.begin(TraceHeader()) }
        hasBegun = true
        encoder.consume(batch)
      case .problem, .remark, .stream: break
      case .needsInput, .end:
        if hasBegun { encoder.end() }
        return
      }
    }
  }
}
