// Words of eight bytes beside a look at each byte.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceNotation

@Suite struct ByteWordTests {
  /// The bytes that a word's tests must tell apart, and their neighbours.
  static let interesting: [UInt8] = [
    0x00, 0x01, 0x09, 0x0A, 0x0B, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x2F, 0x30, 0x39, 0x3A, 0x5B, 0x5C,
    0x5D, 0x7F, 0x80, 0x81, 0x8A, 0xA2, 0xB0, 0xB9, 0xDC, 0xFE, 0xFF,
  ]

  static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<8).map { _ in
      let draw = random.next()
      switch draw % 4 {
      case 0: return interesting[Int(draw >> 8) % interesting.count]
      case 1: return UInt8(ascii: "0") + UInt8(draw >> 8 & 7)
      case 2: return UInt8(ascii: "a") + UInt8(draw >> 8 & 15)
      default: return UInt8(truncatingIfNeeded: draw >> 8)
      }
    }
  }

  static func count(_ bytes: [UInt8], while isWanted: (UInt8) -> Bool) -> Int {
    bytes.firstIndex { byte in !isWanted(byte) } ?? bytes.count
  }

  static func expectRight(_ bytes: [UInt8]) {
    let word = ByteWord.load(bytes.span, at: 0)
    #expect(
      ByteWord.plainCount(word)
        == count(bytes) { $0 >= 0x20 && $0 < 0x80 && $0 != 0x22 && $0 != 0x5C }, "\(bytes)")
    #expect(
      ByteWord.count(before: 0x0A, in: word) == count(bytes) { $0 != 0x0A }, "\(bytes)")
    let digits = count(bytes) { $0 >= 0x30 && $0 <= 0x39 }
    #expect(ByteWord.digitCount(word) == digits, "\(bytes)")
    if digits > 0 {
      let number = bytes[..<digits].reduce(0) { sum, byte in sum * 10 + UInt64(byte - 0x30) }
      #expect(ByteWord.number(word, digits: digits) == number, "\(bytes)")
    }
  }

  @Test func everyPairOfBytesIsTold() {
    for first in Self.interesting {
      for second in Self.interesting {
        for place in 0..<7 {
          var bytes = [UInt8](repeating: UInt8(ascii: "5"), count: 8)
          bytes[place] = first
          bytes[place + 1] = second
          Self.expectRight(bytes)
        }
      }
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func wordsAreReadAsTheirBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 { Self.expectRight(Self.bytes(&random)) }
  }

  @Test func rangesAreReadAtEveryPlace() {
    let bytes = (1...20 as ClosedRange<UInt8>).map { $0 }
    for total in 0...20 {
      for start in 0...total {
        for end in start...min(total, start + 8) {
          let part = Array(bytes[..<total])
          let word = ByteWord.load(part.span, start..<end)
          let expected = part[start..<end].reversed().reduce(0 as UInt64) { word, byte in
            word << 8 | UInt64(byte)
          }
          #expect(word == expected)
        }
      }
    }
    #expect(ByteWord.of("\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{9}") == 0x0807_0605_0403_0201)
  }

  @Test func namesOfEveryLengthAreFound() {
    let names = (1...60).flatMap { count in
      ["a", "b"].map { end in String(repeating: "n", count: count - 1) + end }
    }
    let table = NameTable(names)
    for (index, name) in names.enumerated() {
      for (before, behind) in [("", ""), ("x", ""), ("", "y"), ("12345678", "12345678")] {
        let text = Array((before + name + behind).utf8)
        let range = before.utf8.count..<before.utf8.count + name.utf8.count
        #expect(table.number(of: text.span, range) == UInt16(index + 1), "\(name)")
        #expect(table.number(of: text.span, range.lowerBound..<range.lowerBound) == 0)
        for place in range {
          var other = text
          other[place] ^= 0x20
          #expect(table.number(of: other.span, range) == 0, "\(name) at \(place)")
        }
      }
    }
  }
}
