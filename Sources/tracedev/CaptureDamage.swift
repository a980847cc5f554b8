// Damages captures where it matters: lines, numbers, encodings, nesting.

import TraceTestSupport

/// Makes a damaged capture out of a sound one.
struct CaptureDamage {
  private(set) var bytes: [UInt8]
  private let others: [[UInt8]]
  private var random: SeededGenerator

  private static let bytesMax = 400_000
  private static let meaningful: [UInt8] =
    Array("\t\n\r :.<>[](){}0129-+=,;\\\"&aM^|".utf8) + [0, 27, 0xe2, 0x80, 0xff]
  private static let numbers = [
    "0", "-1", "1", "65536", "4294967296", "9223372036854775807", "9223372036854775808",
    "18446744073709551615", "99999999999999999999999999", "1e999", "0.5", "0x8badf00d",
  ].map { Array($0.utf8) }
  private static let sequences: [[UInt8]] = [
    [0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xef, 0xbb, 0xbf],
    Array("\u{1b}[31m".utf8), Array("\\M-b\\M^@\\M^Y".utf8), Array("&lt;".utf8),
    Array("<private>".utf8), Array("\r\n".utf8),
  ]

  init(_ bytes: [UInt8], others: [[UInt8]], random: SeededGenerator) {
    self.bytes = bytes
    self.others = others
    self.random = random
  }

  /// The capture with one to eight damages.
  mutating func damaged() -> [UInt8] {
    for _ in 0..<Int.random(in: 1...8, using: &random) where bytes.count < Self.bytesMax {
      if bytes.isEmpty { bytes = [Self.meaningful[place(in: Self.meaningful.count)]] }
      damageOnce()
    }
    return bytes
  }

  private mutating func damageOnce() {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: bytes[place()] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place()] = Self.meaningful[place(in: Self.meaningful.count)]
    case 2: bytes.insert(Self.meaningful[place(in: Self.meaningful.count)], at: place())
    case 3: bytes.removeSubrange(range(upTo: 200))
    case 4: bytes.insert(contentsOf: bytes[range(upTo: 2_000)], at: place())
    case 5: bytes.removeSubrange(place()...)
    case 6: repeatLine()
    case 7: swapLines()
    case 8, 9: changeNumber()
    case 10: bytes.insert(contentsOf: Self.sequences[place(in: Self.sequences.count)], at: place())
    case 11: splice()
    case 12: lengthen()
    default: nest()
    }
  }

  private mutating func place() -> Int { place(in: bytes.count) }
  private mutating func place(in count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func range(upTo count: Int) -> Range<Int> {
    let start = place()
    return start..<min(bytes.count, start + 1 + place(in: count))
  }

  /// The line around a place, with its end.
  private func line(at place: Int) -> Range<Int> {
    let start = bytes[..<place].lastIndex(of: 10).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.count
    return start..<end
  }

  private mutating func repeatLine() {
    let line = Array(bytes[line(at: place())])
    let count = Int.random(in: 1...20, using: &random)
    let target = self.line(at: place()).lowerBound
    for _ in 0..<count where bytes.count < Self.bytesMax {
      bytes.insert(contentsOf: line, at: target)
    }
  }

  private mutating func swapLines() {
    let range = line(at: place())
    let line = Array(bytes[range])
    bytes.removeSubrange(range)
    bytes.insert(contentsOf: line, at: bytes.isEmpty ? 0 : self.line(at: place()).lowerBound)
  }

  private mutating func changeNumber() {
    let start = place()
    guard let first = bytes[start...].firstIndex(where: { $0 &- 48 < 10 }) else { return }
    let end = bytes[first...].firstIndex { $0 &- 48 >= 10 } ?? bytes.count
    bytes.replaceSubrange(first..<end, with: Self.numbers[place(in: Self.numbers.count)])
  }

  private mutating func splice() {
    let other = others[place(in: others.count)]
    guard !other.isEmpty else { return }
    let start = place(in: other.count)
    let end = min(other.count, start + 1 + place(in: 1_500))
    bytes.insert(contentsOf: other[start..<end], at: place())
  }

  /// Makes one line longer than any that is looked at.
  private mutating func lengthen() {
    let byte = Self.meaningful[place(in: Self.meaningful.count)]
    let count = [100, 300, 600, 5_000, 70_000, 140_000][place(in: 6)]
    bytes.insert(contentsOf: repeatElement(byte, count: count), at: place())
  }

  private mutating func nest() {
    let opening = ["{\"a\":", "[", "[{\"b\":[", "{"][place(in: 4)]
    let count = [3, 63, 64, 65, 1_000, 20_000][place(in: 6)]
    var text: [UInt8] = []
    for _ in 0..<count where text.count < 100_000 { text += Array(opening.utf8) }
    bytes.insert(contentsOf: text, at: place())
  }
}
