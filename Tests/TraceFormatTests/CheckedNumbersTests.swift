// Known answers: checksum, tick rates, JSON texts, UTF-8, record numbers.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceFormat

@Suite struct CheckedNumbersTests {
  /// RFC 3720, appendix B.4, and the check value of the CRC catalogue.
  @Test func knownChecksums() {
    #expect(CRC32C.checksum(Array("123456789".utf8).span) == 0xE306_9283)
    #expect(CRC32C.checksum([UInt8]().span) == 0)
    #expect(CRC32C.checksum([UInt8](repeating: 0, count: 32).span) == 0x8A91_36AA)
    #expect(CRC32C.checksum([UInt8](repeating: 0xFF, count: 32).span) == 0x62A8_AB43)
    #expect(CRC32C.checksum(Array(0..<32).span) == 0x46DD_794E)
    #expect(CRC32C.checksum(Array((0..<32).reversed()).span) == 0x113F_DB5C)
  }

  /// By tables and by the instruction, of every length around the words, and around the length from
  /// which on three parts are taken at once, from every place in a word.
  @Test func bothWaysOfChecksums() {
    var random = SeededGenerator(seed: 9)
    let max = CRC32C.threePartBytesMin
    let bytes = (0..<max * 4).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let lengths = Array(0..<80) + Array(max - 30..<max + 60) + [max * 3 - 1, max * 3 + 17]
    for length in lengths {
      let start = Int.random(in: 0..<16, using: &random)
      let range = start..<start + length
      let register = UInt32.random(in: .min ... .max, using: &random)
      let byTables = CRC32C.registerByTables(register, bytes.span, range)
      #expect(CRC32C.register(register, bytes.span, range) == byTables)
      guard CRC32C.hasInstruction else { continue }
      #expect(CRC32C.registerByInstruction(register, bytes.span, range) == byTables)
    }
  }

  /// The tables, whichever way this processor takes.
  @Test func knownChecksumsByTables() {
    let text = Array("123456789".utf8)
    #expect(~CRC32C.registerByTables(~0, text.span, 0..<9) == 0xE306_9283)
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(~CRC32C.registerByTables(~0, zeros.span, 0..<32) == 0x8A91_36AA)
  }

  #if arch(x86_64)
    /// Every such processor since 2008 has it; without this, nothing would be tested above.
    @Test func theInstructionIsThere() { #expect(CRC32C.hasInstruction) }
  #endif

  @Test func checksumsOfRanges() {
    var random = SeededGenerator(seed: 4)
    let bytes = (0..<5_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    var marks = ChecksumMarks()
    marks.restart(at: 1_000)
    for _ in 0..<500 {
      let low = Int.random(in: 0...bytes.count, using: &random)
      let high = Int.random(in: low...bytes.count, using: &random)
      // Bit by bit, as the definition has it.
      var crc: UInt32 = ~0
      for byte in bytes[low..<high] {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
      }
      #expect(CRC32C.checksum(bytes.span, low..<high) == ~crc)
      #expect(marks.checksum(of: low..<high, in: bytes.span, at: 1_000) == ~crc)
    }
  }

  @Test func tickRates() throws {
    let rate = try #require(TickRate(numerator: 125, denominator: 3))
    #expect(rate.nanoseconds(3) == 125)
    #expect(rate.nanoseconds(1) == 41)
    #expect(rate.nanoseconds(-1) == -42)
    #expect(rate.nanoseconds(.max) == .max)
    #expect(rate.nanoseconds(.min) == .min)
    #expect(TickRate.nanoseconds.nanoseconds(.min) == .min)
    let slow = try #require(TickRate(numerator: 1, denominator: 7))
    #expect(slow.nanoseconds(.min) == -1_317_624_576_693_539_402)
    #expect(slow.nanoseconds(.max) == 1_317_624_576_693_539_401)
    #expect(TickRate(numerator: 0, denominator: 1) == nil)
    #expect(TickRate(numerator: 1, denominator: 1 << 32) == nil)
  }

  @Test(arguments: [
    ("null", true), ("[]", true), ("{}", true), ("[1,2]", true), ("{\"a\":1,\"b\":[{}]}", true),
    ("-0.5e+10", true), ("\"\\u00e9\\n\"", true), ("\"é\"", true), ("", false), ("[1,]", false),
    ("{\"a\"}", false), ("{\"a\":1,}", false), ("01", false), ("1.", false), ("+1", false),
    ("nul", false), ("[1 ,2]", false), (" 1", false), ("1 ", false), ("\"\n\"", false),
    ("\"\\x\"", false), ("[}", false), ("[1]]", false), ("{1:2}", false), ("NaN", false),
    ("[", false), ("\"", false), ("{\"a\":", false), ("1 2", false), ("\"\\u12g4\"", false),
  ])
  func jsonTexts(text: String, isJSON: Bool) {
    #expect(JSONText.isCompact(Array(text.utf8).span) == isJSON)
  }

  @Test func deepJSON() {
    let max = FormatLimits.jsonDepthMax
    for (depth, isJSON) in [(max, true), (max + 1, false), (1_000_000, false)] {
      let text = [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
      #expect(JSONText.isCompact(text.span) == isJSON)
    }
  }

  @Test func quotedTextsAreJSON() {
    for text in ["", "\"", "\\", "\u{0}\u{1F}", "é\n", String(repeating: "\u{1}", count: 65_536)] {
      let quoted = JSONText.quoted(Array(text.utf8).span)
      let isJSON = JSONText.isCompact(quoted.span)
      #expect(isJSON)
      #expect(quoted.count <= FormatLimits.stringBytesMax)
    }
  }

  /// Against the standard library, on every pair and on random strings of likely bytes.
  @Test func repairedTexts() {
    var random = SeededGenerator(seed: 8)
    let likely: [UInt8] = [
      0x41, 0x7F, 0x80, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xA0, 0x9F, 0xED, 0xEF, 0xF0, 0x90, 0x8F,
      0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...6, using: &random)
      let text = (0..<count).map { _ in likely[Int.random(in: 0..<likely.count, using: &random)] }
      var repaired = text
      TextRepair.repair(&repaired, 0..<count)
      #expect(String(validating: repaired, as: UTF8.self) != nil, "\(text)")
      #expect(repaired.count == count)
      #expect((repaired == text) == (String(validating: text, as: UTF8.self) != nil), "\(text)")
    }
  }

  @Test func cutTexts() {
    let text = Array("aé日🙂".utf8)
    let cuts = (0...text.count).map { TextRepair.cut(text.span, bytesMax: $0) }
    #expect(cuts == [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10])
  }

  @Test func recordNumbers() {
    var seen = SeenRecords()
    #expect(seen.insert(0, 10) == .next)
    #expect(seen.insert(3, 13) == .afterGap(2))
    #expect(seen.insert(2, 12) == .late)
    #expect(seen.insert(2, 12) == .duplicate)
    #expect(seen.insert(2, 99) == .foreign)
    #expect(seen.insert(4, 14) == .next)
    #expect(seen.insert(.max, 1) == .afterGap(Int(UInt32.max) - 5))
    #expect(seen.insert(4, 14) == .duplicate)
    #expect(seen.insert(5, 15) == .late)
  }
}
