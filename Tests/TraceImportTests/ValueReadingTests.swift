// Texts of logs as values of arguments.

import Testing
import TraceModel

@testable import TraceImport

struct ValueReadingTests {
  private static let seconds = ValueReading.duration(unitNanoseconds: 1_000_000_000, isWhole: false)
  private static let nanoseconds = ValueReading.duration(unitNanoseconds: 1, isWhole: true)

  @Test(
    arguments: [
      (.integer, "42", .integer(42)), (.integer, " -7 ", .integer(-7)),
      (.integer, "+3", .integer(3)),
      (.integer, "0x1F", .integer(31)), (.integer, "18446744073709551615", .unsigned(.max)),
      (.integer, "-9223372036854775808", .integer(.min)), (.integer, "-9223372036854775809", nil),
      (.integer, "18446744073709551616", nil), (.integer, "4 x", nil), (.integer, "", nil),
      (.integer, "0x", nil), (.integer, "-", nil), (.integer, "1.5", nil),
      (.token, "<private>", .string("<private>")), (.token, "12", .integer(12)), (.token, "a", nil),
      (.number, "1.5", .number(1.5)), (.number, "-2e3", .number(-2000)), (.number, "inf", nil),
      (.number, "1e999", nil), (.number, "0x1p4", nil), (.number, "", nil),
      (.boolean, "YES", .boolean(true)), (.boolean, "false", .boolean(false)),
      (.boolean, "0", .boolean(false)), (.boolean, "maybe", nil), (.boolean, "", nil),
      (.string, " all ", .string(" all ")), (.string, "", .string("")),
      (.words(["draw", "clear"]), "Draw", .string("draw")), (.words(["draw"]), "drew", nil),
      (seconds, "2.5", .number(2.5)), (seconds, "250 ms", .number(0.25)),
      (seconds, "2m", .number(120)),
      (seconds, "2 parsecs", nil), (nanoseconds, "17", .integer(17)),
      (nanoseconds, "9007199254740993", .integer(9_007_199_254_740_993)),
      (nanoseconds, "1.5us", .integer(1_500)), (nanoseconds, "1.5", nil), (nanoseconds, "", nil),
    ] as [(ValueReading, String, ArgumentValue?)])
  func values(reading: ValueReading, text: String, expected: ArgumentValue?) {
    #expect(reading.value(text) == expected)
  }

  /// The names of the vocabulary say which arguments are times.
  @Test func theVocabularyDecides() throws {
    func reading(_ event: EventKind, _ name: ArgumentName) throws -> ValueReading {
      let arguments = try #require(Vocabulary.description(of: event)).arguments
      return ValueReading(try #require(arguments.first { $0.name == name }))
    }
    #expect(try reading(.workTimerStart, .intervalS) == Self.seconds)
    #expect(try reading(.procResume, .gapNs) == Self.nanoseconds)
    #expect(try reading(.glCall, .count) == .integer)
    #expect(try reading(.bgtaskBegin, .token) == .token)
    #expect(try reading(.traceClockStep, .newWallNs) == .integer)
  }

  @Test func templates() throws {
    func text(_ template: String, _ values: [String]) throws -> String {
      var message: [UInt8] = []
      let ranges = values.map { value -> Range<Int> in
        message.append(contentsOf: value.utf8)
        return message.count - value.utf8.count..<message.count
      }
      var output: [UInt8] = []
      try ValueTemplate(template, fields: ["a", "b"]).append(message.span, ranges, to: &output)
      return String(decoding: output, as: UTF8.self)
    }
    #expect(try text("<a>", ["1", "2"]) == "1")
    #expect(try text(#"<b>ms of \<a> <a>\\"#, ["1", "2"]) == #"2ms of <a> 1\"#)
    #expect(try ValueTemplate("x<a>", fields: ["a"]).constant == nil)
    #expect(try ValueTemplate(#"\<x>"#, fields: []).constant == "<x>")
    #expect(throws: ValueTemplate.Problem.self) { try ValueTemplate("<a", fields: ["a"]) }
    let problem = #expect(throws: ValueTemplate.Problem.self) {
      try ValueTemplate("ü <c>", fields: ["a"])
    }
    #expect(problem?.unknownField == "c" && problem?.offset == 3)
  }
}
