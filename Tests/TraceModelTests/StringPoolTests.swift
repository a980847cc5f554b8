// Texts of a block: each is stored once, however long it is and whatever it looks like.

import Testing
import TraceModel
import TraceTestSupport

@Suite struct StringPoolTests {
  /// Texts of every length around words, and those that differ from them in one byte.
  static let texts: [[UInt8]] = {
    var texts: [[UInt8]] = []
    for count in 0...26 {
      let text = [UInt8]((0..<UInt8(count)).map { place in UInt8(ascii: "a") + place })
      texts.append(text)
      for place in text.indices {
        for byte: UInt8 in [0x00, 0x41, 0xC3] {
          var other = text
          other[place] = byte
          texts.append(other)
        }
      }
    }
    return texts
  }()

  @Test func equalTextsHaveOneNumberAndOthersHaveTheirOwn() {
    var pool = StringPool()
    for (number, text) in Self.texts.enumerated() {
      let found = pool.intern(text.span)
      #expect(found == number)
    }
    #expect(pool.count == Self.texts.count)
    // Read from another place, where other bytes stand beside.
    for (number, text) in Self.texts.enumerated() {
      let around: [UInt8] = [0x2D] + text + [0x2D]
      let found = pool.intern(around.span.extracting(1..<text.count + 1))
      #expect(found == number)
      #expect(Array(pool.bytes[pool.range(at: number)]) == text)
    }
    #expect(pool.count == Self.texts.count)
  }

  @Test func numbersFollowTheOrderAfterRemoval() {
    var pool = StringPool()
    for text in Self.texts { _ = pool.intern(text.span) }
    pool.removeAll()
    #expect(pool.count == 0)
    for (number, text) in Self.texts.reversed().enumerated() {
      let found = pool.intern(text.span)
      #expect(found == number)
    }
  }

  @Test func zerosAtTheEndCount() {
    var pool = StringPool()
    for count in 0...40 {
      let zeros = [UInt8](repeating: 0, count: count)
      let found = pool.intern(zeros.span)
      #expect(found == count)
    }
  }

  @Test(arguments: 0..<2 as Range<UInt64>) func manyTextsAreFound(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pool = StringPool()
    var numbers: [String: Int] = [:]
    for _ in 0..<4_000 {
      let text = "sync.\(random.next() % 1_500).\(random.next() % 2)"
      let number = pool.intern(text)
      #expect(numbers[text] ?? numbers.count == number)
      numbers[text] = number
    }
    #expect(pool.count == numbers.count)
  }
}
