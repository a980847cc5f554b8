// Finding several texts at once, against looking at every place.

import Testing
import TraceTestSupport

@testable import TraceImport

@Suite struct LiteralScannerTests {
  @Test(arguments: 1...40) func findsWhatAPlainSearchFinds(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    // Few letters, so that texts overlap and almost match.
    func text(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: 97...99, using: &random) }
    }
    let texts = (0..<6).map { _ in text(Int.random(in: 4...20, using: &random)) }
    let scanner = try #require(LiteralScanner(texts))
    let bytes = text(3_000)
    for start in stride(from: 0, to: bytes.count, by: 211) {
      let end = Int.random(in: start...bytes.count, using: &random)
      let plain = (start..<max(start, end)).first { place in
        texts.contains { place + $0.count <= end && bytes[place...].starts(with: $0) }
      }
      #expect(
        scanner.first(in: bytes.span, from: start, to: end) == plain, "from \(start) to \(end)")
    }
  }

  @Test func tooShortTextsAreNotLookedFor() {
    #expect(LiteralScanner([Array("abc".utf8), Array("abcdef".utf8)]) == nil)
    #expect(LiteralScanner([]) == nil)
  }

  /// Otherwise long logs would be read line by line.
  @Test func everyPatternHasATextToLookFor() {
    for pattern in MessagePattern.all {
      #expect(pattern.literal.count >= 8, "\(String(decoding: pattern.start, as: UTF8.self))")
    }
    #expect(MessageReader.shared.scanner != nil)
  }

  @Test func lineFeedsAreCounted() {
    for count in [0, 1, 254, 255, 256, 600, 5_000] {
      let bytes = (0..<count).map { $0 % 7 == 3 ? UInt8(10) : 65 }
      #expect(bytes.span.lineFeeds(from: 0, to: count) == bytes.count { $0 == 10 })
    }
  }
}
