// Durations as people write them.

import Testing
import TraceNotation
import TraceTestSupport

@Suite struct DurationTextTests {
  @Test(
    arguments: [
      ("0s", 0), ("1.5s", 1_500_000_000), ("250ms", 250_000_000), ("-3us", -3_000), ("7ns", 7),
      ("2m", 120_000_000_000), ("0.5h", 1_800_000_000_000),
      ("1.500000000000000000000s", 1_500_000_000),
      ("0.00000000005m", 3), ("9223372036854775807ns", Int64.max),
      ("-9223372036854775808ns", Int64.min), ("00.1us", 100),
    ] as [(String, Int64)])
  func reads(text: String, nanoseconds: Int64) throws {
    #expect(try DurationText.nanoseconds(text) == nanoseconds)
  }

  @Test(
    arguments: [
      ("", .noDigit(at: 0)), ("s", .noDigit(at: 0)), ("-", .noDigit(at: 1)), ("1", .noUnit(at: 1)),
      ("1d", .noUnit(at: 1)), ("1.s", .noDigit(at: 2)), (".5s", .noDigit(at: 0)),
      ("1.5ns", .notWhole(at: 0)), ("0.0000000000000000000001s", .notWhole(at: 0)),
      ("9223372036854775808ns", .outOfRange(at: 0)),
      ("99999999999999999999999h", .outOfRange(at: 0)),
      ("-9223372036854775809ns", .outOfRange(at: 0)), ("1s ", .trailing(at: 2)),
      ("1sec", .noUnit(at: 1)), ("1ss", .noUnit(at: 1)), ("1xs", .noUnit(at: 1)),
      ("1m30s", .trailing(at: 2)), ("+1s", .noDigit(at: 0)),
    ] as [(String, DurationText.Failure)])
  func refuses(text: String, failure: DurationText.Failure) {
    #expect(throws: failure) { try DurationText.nanoseconds(text) }
  }

  @Test func whatIsPrintedIsReadBack() throws {
    #expect(DurationText.text(0) == "0s")
    #expect(DurationText.text(1_500_000_000) == "1.5s")
    #expect(DurationText.text(1_000) == "0.000001s")
    #expect(DurationText.text(.min) == "-9223372036.854775808s")
    var random = SeededGenerator(seed: 7)
    for round in 0..<2_000 {
      let value = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
      #expect(try DurationText.nanoseconds(DurationText.text(value)) == value, "round \(round)")
    }
  }
}
