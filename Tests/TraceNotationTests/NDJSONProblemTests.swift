// Every kind of malformed NDJSON line: where the problem is, and what is said of it.

import Testing
import TraceModel
import TraceNotation
import TraceTestSupport

@Suite struct NDJSONProblemTests {
  struct Malformed: Sendable, CustomTestStringConvertible {
    var line: String
    var column: Int
    var message: String
    var testDescription: String { String(line.prefix(60)) }

    init(_ line: String, _ column: Int, _ message: String) {
      self.line = line
      self.column = column
      self.message = message
    }
  }

  static let long = String(repeating: "n", count: 257)
  static let many = (0..<65).map { "\"a\($0)\":\($0)" }.joined(separator: ",")

  static let lines = [
    Malformed("no", 1, "found 'n', expected '{'"),
    Malformed("[1]", 1, "found '[', expected '{'"),
    Malformed("{", 2, "found the end of the line, expected a key in quotes or '}'"),
    Malformed("{}", 1, "found no \"t_ns\", expected it in every event"),
    Malformed(#"{"t_ns":1}"#, 1, "found no \"event\", expected it in every event"),
    Malformed(#"{"t_ns":1,}"#, 11, "found '}', expected a key in quotes"),
    Malformed(#"{"t_ns" 1}"#, 9, "found '1', expected ':'"),
    Malformed(#"{"t_ns":"1","event":"a"}"#, 9, "found '\"', expected a number"),
    Malformed(
      #"{"t_ns":1.5,"event":"a"}"#, 9,
      "found another number, expected \"t_ns\" to be an integer of 64 bits"),
    Malformed(
      #"{"t_ns":9223372036854775808,"event":"a"}"#, 9,
      "found another number, expected \"t_ns\" to be an integer of 64 bits"),
    Malformed(#"{"t_ns":01,"event":"a"}"#, 10, "found '1', expected ',' or '}'"),
    Malformed(#"{"t_ns":-,"event":"a"}"#, 10, "found ',', expected a digit"),
    Malformed(#"{"t_ns":1,"event":7}"#, 19, "found '7', expected a string in quotes"),
    Malformed(
      #"{"t_ns":1,"event":"\#(long)"}"#, 19,
      "found a name of more than 256 bytes, expected a shorter kind"),
    Malformed(
      #"{"t_ns":1,"event":"a","phase":"begin"}"#, 31,
      #"found the phase "begin", expected enter, return or instant"#),
    Malformed(
      #"{"t_ns":1,"event":"a","thread":1e3}"#, 32,
      "found another number, expected \"thread\" to be an integer of 64 bits"),
    Malformed(#"{"t_ns":1,"event":"a","args":[]}"#, 30, "found '[', expected '{'"),
    Malformed(
      #"{"t_ns":1,"t_ns":2,"event":"a"}"#, 11, #"found the key "t_ns" again, expected it once"#),
    Malformed(
      #"{"t_ns":1,"event":"a","args":{"x":1,"\u0078":2}}"#, 37,
      #"found the key "x" again, expected it once"#),
    Malformed(
      #"{"t_ns":1,"event":"a","name":1}"#, 23,
      #"found the key "name", expected one of t_ns, event, phase, thread, args, duration_ns"#),
    Malformed(
      #"{"t_ns":1,"event":"a","args":{"\#(long)":1}}"#, 31,
      "found a name of more than 256 bytes, expected a shorter argument"),
    Malformed(
      #"{"t_ns":1,"event":"a","args":{\#(many)}}"#, 587,
      "found one more argument, expected at most 64"),
    Malformed(
      #"{"t_ns":1,"event":"a","args":{"x":"\#(String(repeating: "y", count: 65_537))"}}"#, 35,
      "found a string of more than 65536 bytes"),
    Malformed(
      #"{"t_ns":1,"event":"a","args":{"x":[\#(String(repeating: "1,", count: 32_768))1]}}"#, 31,
      "found a value of more than 65536 bytes, expected a shorter one"),
    Malformed(
      #"{"t_ns":1,"event":"a","args":{"x":\#(String(repeating: "[", count: 65))"#, 97,
      "found a value inside 64 others, expected at most that depth"),
    Malformed(
      #"{"t_ns":1,"event":"a\q"}"#, 22,
      #"found 'q', expected one of the escapes \" \\ \/ \b \f \n \r \t \u"#),
    Malformed(#"{"t_ns":1,"event":"\u00g0"}"#, 24, "found 'g', expected four hexadecimal digits"),
    Malformed(
      "{\"t_ns\":1,\"event\":\"a\tb\"}", 21,
      "found byte 0x09, expected an escape in place of a control character"),
    Malformed(
      #"{"t_ns":1,"event":"a","args":{"x":tru}}"#, 38, "found '}', expected true, false or null"),
    Malformed(#"{"t_ns":1,"event":"a"} {"#, 24, "found '{', expected the end of the text"),
    Malformed(
      #"{"t_ns":1,"event":"a","duration_ns":-1}"#, 23,
      "found \"duration_ns\" -1, expected 0 to 60000000000"),
    Malformed(
      #"{"t_ns":1,"event":"a","duration_ns":60000000001}"#, 23,
      "found \"duration_ns\" 60000000001, expected 0 to 60000000000"),
    Malformed(
      #"{"t_ns":1,"event":"a","phase":"enter","duration_ns":1}"#, 1,
      "found \"duration_ns\" beside the phase enter, expected one of the two"),
    Malformed(
      #"{"t_ns":9223372036854775807,"event":"a","duration_ns":1}"#, 1,
      "found a span that ends after the last nanosecond of the clock, expected it earlier"),
  ]

  @Test(arguments: lines) func aMalformedLineIsOneProblem(malformed: Malformed) {
    let good = #"{"t_ns":5,"event":"good"}"#
    let items = NDJSONDecoderTests.items(
      NDJSONDecoderTests.header + malformed.line + "\n" + good + "\n")
    #expect(
      items.problems == [
        InputProblem(.skipped, at: .line(2, column: malformed.column), malformed.message)
      ])
    #expect(items.traces.flatMap(\.events).map(\.kind) == ["good"])
  }

  @Test func illFormedUTF8IsNamed() {
    var bytes = Array((NDJSONDecoderTests.header + #"{"t_ns":1,"event":"a"#).utf8)
    bytes += [0xC0, 0xAF] + Array("\"}\n".utf8)
    #expect(
      DripFeeder.items(of: bytes, by: NDJSONDecoder()).problems == [
        InputProblem(
          .skipped, at: .line(2, column: 21), "found byte 0xc0, expected well-formed UTF-8")
      ])
  }

  @Test func aMissingHeaderIsAProblemOfTheFirstLine() {
    let missing = InputProblem(
      .skipped, at: .line(1, column: 1),
      #"found no header, expected {"header":{"format":"tracecheck-ndjson","version":1}} first"#)
    let items = NDJSONDecoderTests.items("\n" + #"{"t_ns":0,"event":"a"}"#)
    #expect(items.problems == [missing])
    #expect(items.traces.map(\.events.count) == [1])
    #expect(NDJSONDecoderTests.items("") == [.problem(missing), .header(TraceHeader())])
  }

  @Test func anotherVersionIsRefusedByName() {
    let text = #"{"header":{"format":"tracecheck-ndjson","version":2}}"# + "\n"
    let refused = InputProblem(
      .refused, at: .line(1, column: 41),
      "found version 2 of the NDJSON form, expected version 1")
    #expect(NDJSONDecoderTests.items(text + #"{"t_ns":0,"event":"a"}"#) == [.problem(refused)])
    let later = NDJSONDecoderTests.items(
      NDJSONDecoderTests.header + #"{"t_ns":0,"event":"a"}"# + "\n" + text)
    #expect(later.traces.map(\.events.count) == [1])
    #expect(later.problems.map(\.consequence) == [.refused])
  }

  @Test func nothingStandsBesideTheHeader() {
    let header = #"{"header":{"format":"tracecheck-ndjson","version":1},"t_ns":0,"event":"a"}"#
    let items = NDJSONDecoderTests.items(header)
    #expect(
      items.problems == [
        InputProblem(
          .skipped, at: .line(1, column: 54),
          #"found the key "t_ns", expected nothing beside header"#)
      ])
    #expect(items.traces == [DecodedTrace(header: TraceHeader(), events: [])])
    let behind = NDJSONDecoderTests.items(
      NDJSONDecoderTests.header + #"{"t_ns":0,"header":{"format":"tracecheck-ndjson"}}"# + "\n")
    #expect(behind.problems.map(\.location) == [.line(2, column: 11)])
    #expect(behind.traces.count == 1)
  }

  @Test(arguments: [
    (#"{"header":{"format":"other","version":1}}"#, InputProblem.Consequence.refused, 12),
    (#"{"header":{"format":"tracecheck-ndjson","version":"1"}}"#, .refused, 41),
    (#"{"header":{"format":"tracecheck-ndjson"}}"#, .skipped, 11),
    (#"{"header":{"version":1}}"#, .skipped, 11),
    (#"{"header":[]}"#, .skipped, 11),
    (#"{"header":{"format":"tracecheck-ndjson","version":1,"x":1,"x":2}}"#, .skipped, 59),
  ])
  func aWrongHeader(line: String, consequence: InputProblem.Consequence, column: Int) {
    let items = NDJSONDecoderTests.items(line + "\n")
    #expect(items.problems.map(\.consequence) == [consequence])
    #expect(items.problems.map(\.location) == [.line(1, column: column)])
    #expect(items.traces.count == (consequence == .refused ? 0 : 1))
  }

  @Test func aDamagedHeaderStillBeginsATrace() {
    let text =
      NDJSONDecoderTests.header + #"{"t_ns":0,"event":"a"}"# + "\n"
      + #"{"header":{"format":"tracecheck-ndjson","version":1,"app_kind":"game","app_kind":1}}"#
      + "\n" + #"{"t_ns":0,"event":"b"}"#
    let items = NDJSONDecoderTests.items(text)
    #expect(items.traces.map { $0.events.map(\.kind) } == [["a"], ["b"]])
    #expect(items.traces.last?.header.string(.appKind) == "game")
    #expect(
      items.problems == [
        InputProblem(
          .skipped, at: .line(3, column: 71), "found the field app_kind again, expected it once")
      ])
  }

  @Test func aLastLineThatIsCutIsTruncationAtEveryByte() {
    let line = Array(
      #"{"t_ns":-12.5e+3,"event":"é\u00e9","args":{"a":[true,null,{"b":-1}]}}"#.utf8)
    for end in 1..<line.count {
      let bytes = Array(NDJSONDecoderTests.header.utf8) + line[..<end]
      let problems = DripFeeder.items(of: bytes, by: NDJSONDecoder()).problems
      #expect(problems.count == 1)
      #expect(problems.first?.consequence == .truncated, "cut at \(end)")
    }
  }

  @Test func afterAThousandProblemsOnlyTheirNumberIsSaid() {
    let exact = NDJSONDecoderTests.items(
      NDJSONDecoderTests.header + String(repeating: "x\n", count: 1_000))
    #expect(exact.problems.count == 1_000)
    let more = NDJSONDecoderTests.items(
      NDJSONDecoderTests.header + String(repeating: "x\n", count: 1_500))
    #expect(more.problems.count == 1_001)
    #expect(more.problems.last?.location == .input)
    #expect(more.problems.last?.message == "found 500 further problems after the first 1000")
  }
}
