// The timeline notation, from the outside: its grammar, its problems, its canonical print.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceNotation

@Suite struct TimelineTests {
  static func items(_ text: String) -> [DecodedItem] {
    DripFeeder.items(of: Array(text.utf8), by: TimelineDecoder())
  }

  /// The events of a snippet as short texts.
  static func events(_ snippet: String) -> [DecodedEvent] {
    let items = DripFeeder.items(
      of: Array(snippet.utf8), by: TimelineDecoder(requiresFirstLine: false))
    #expect(items.problems == [])
    return items.traces.flatMap(\.events)
  }

  static func printed(_ items: [DecodedItem]) -> String {
    var encoder = TimelineEncoder()
    for trace in items.traces {
      encoder.begin(trace.header)
      var assembler = BatchAssembler()
      for event in trace.events { assembler.append(event) }
      encoder.consume(assembler.batch)
    }
    encoder.end()
    return String(decoding: encoder.output, as: UTF8.self)
  }

  static let sample = """
    timeline 1
    header os_version=8.1.0 sdk_linked=8.1 background_modes=[audio,fetch] multitasking_supported=true
    # a comment line
    0s        proc.start into=foreground reason=user_icon
    1.5s      bgtask.begin token=7 name="save draft" has_expiration_handler=true
    +250ms    >delegate.did_enter_background
    +200ms    <delegate.did_enter_background  # a comment
    3s @5     work.timer_fire for 20ms timer=1
    4s        x.unknown_kind note="any text" deep={"a":[1,2]} nothing=null ratio=0.5

    """

  @Test func readsAndPrintsTheSample() throws {
    let items = Self.items(Self.sample)
    #expect(items.problems == [])
    let header = try #require(items.traces.first?.header)
    #expect(header.string(.osVersion) == "8.1.0")
    #expect(header.string(.sdkLinked) == "8.1")
    #expect(header.strings(.backgroundModes) == ["audio", "fetch"])
    #expect(header.boolean(.multitaskingSupported) == true)
    #expect(
      Self.printed(items) == """
        timeline 1
        header os_version=8.1.0 sdk_linked=8.1 multitasking_supported=true
        header background_modes=[audio,fetch]

        0s            proc.start into=foreground reason=user_icon
        1.5s          bgtask.begin token=7 name="save draft" has_expiration_handler=true
        1.75s         delegate.did_enter_background for 0.2s
        3s @5         work.timer_fire for 0.02s timer=1
        4s            x.unknown_kind note="any text" deep={"a":[1,2]} nothing=null ratio=0.5

        """)
  }

  @Test func timesAreAbsoluteOrFollowTheLineBefore() {
    let events = Self.events(
      """
      +5ns a
      -1.5ms b
      +1us c for 1s
      +0s d
      0.5m e
      2h f
      -9223372036.854775808s g
      9223372036.854775807s h
      """)
    let sorted = events.filter { $0.phase != .return }.map(\.timeNanoseconds)
    #expect(
      sorted == [
        5, -1_500_000, -1_499_000, -1_499_000, 30_000_000_000, 7_200_000_000_000, .min, .max,
      ])
  }

  @Test func quotedNamesAndValuesAreTakenLiterally() throws {
    let event = try #require(
      Self.events(#"0s @-5 >"odd kind" "a b"=1 for="true" id="12" t=a:b/c.d u=true"#).first)
    #expect(event.kind == "odd kind")
    #expect(event.phase == .enter)
    #expect(event.thread == -5)
    #expect(event.arguments.map(\.name) == ["a b", "for", "id", "t", "u"])
    #expect(
      event.arguments.map(\.value) == [
        .integer(1), .string("true"), .string("12"), .string("a:b/c.d"), .boolean(true),
      ])
  }

  @Test func idIsASynonymUnlessItIsQuoted() {
    let events = Self.events("0s work.timer_stop id=1\n0s work.timer_stop \"id\"=1")
    #expect(events.flatMap(\.arguments).map(\.name) == ["timer", "id"])
    let items = Self.items("timeline 1\n0s work.timer_stop \"id\"=1\n")
    #expect(Self.printed(items) == "timeline 1\n\n0s            work.timer_stop \"id\"=1\n")
  }

  @Test func aSpanIsJoinedOnlyIfItIsReadBackInTheSameOrder() {
    func printedLines(_ snippet: String) -> [String] {
      let items = DripFeeder.items(
        of: Array(snippet.utf8), by: TimelineDecoder(requiresFirstLine: false))
      let text = Self.printed(items)
      let again = Self.items(text)
      #expect(again.traces == items.traces)
      return text.split(separator: "\n").dropFirst().map { line in
        line.split(separator: " ").joined(separator: " ")
      }
    }
    #expect(printedLines("0s >a\n5s <a\n5s b") == ["0s a for 5s", "5s b"])
    #expect(printedLines("0s >a\n5s <a\n4s b") == ["0s >a", "5s <a", "4s b"])
    #expect(printedLines("0s >a x=1\n60s <a") == ["0s a for 60s x=1"])
    #expect(printedLines("0s >a\n60.000000001s <a") == ["0s >a", "60.000000001s <a"])
    #expect(printedLines("0s >a\n1s <a x=1") == ["0s >a", "1s <a x=1"])
    #expect(printedLines("0s >a\n1s @2 <a") == ["0s >a", "1s @2 <a"])
    #expect(printedLines("0s >a\n1s <b") == ["0s >a", "1s <b"])
    #expect(printedLines("1s >a\n0s <a") == ["1s >a", "0s <a"])
    #expect(printedLines("0s >a\n0s >a\n0s <a\n0s <a") == ["0s >a", "0s a for 0s", "0s <a"])
    #expect(
      printedLines("-9223372036.854775808s >a\n9223372036.854775807s <a")
        == ["-9223372036.854775808s >a", "9223372036.854775807s <a"])
    #expect(
      printedLines("0s a for 5s\n1s b for 5s\n2s c") == [
        "0s >a", "1s >b", "2s c", "5s <a", "6s <b",
      ])
  }

  @Test func headersMayTakeSeveralLinesAndBeginTraces() {
    let text = """
      timeline 1
      header os_version=8.1
      header app_kind=game  # still the same header

      0s a
      header os_version="9 beta"
      0s b
      timeline 1
      timeline 1
      0s c

      """
    let items = Self.items(text)
    #expect(items.problems == [])
    #expect(items.traces.map { $0.events.map(\.kind) } == [["a"], ["b"], [], ["c"]])
    #expect(items.traces.map { $0.header.string(.osVersion) } == ["8.1", "9 beta", nil, nil])
    #expect(items.traces.first?.header.string(.appKind) == "game")
  }

  @Test func headerValuesOfOtherTypesAreKept() throws {
    let text = """
      timeline 1
      header os_version:=8 app_kind=true coverage=[*] log_levels:=["a",1] simulator="yes"
      header tick_numer=1.5 x_word=plain x_list=[1,2] "odd field"=null background_modes=[]

      """
    let items = Self.items(text)
    #expect(items.problems == [])
    let header = try #require(items.traces.first?.header)
    #expect(header[.osVersion] == .json("8"))
    #expect(header[.appKind] == .string("true"))
    #expect(header[.coverage] == .strings(["*"]))
    #expect(header[.logLevels] == .json(#"["a",1]"#))
    #expect(header[.simulator] == .json(#""yes""#))
    #expect(header[.tickNumer] == .json("1.5"))
    #expect(header[.backgroundModes] == .strings([]))
    #expect(header.unknownFields.map(\.json) == [#""plain""#, "[1,2]", "null"])
    #expect(Self.items(Self.printed(items)).traces == items.traces)
  }

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

  static let lines = [
    Malformed(
      "soon a", 1,
      "found 's', expected a time such as 1.5s, or one of the words header and timeline"),
    Malformed("?", 1, "found '?', expected a duration such as 1.5s or 250ms"),
    Malformed("1 a", 2, "found a space, expected one of the units ns, us, ms, s, m, h"),
    Malformed("1min a", 2, "found 'm', expected one of the units ns, us, ms, s, m, h"),
    Malformed("1.s a", 3, "found 's', expected a duration such as 1.5s or 250ms"),
    Malformed("0.5ns a", 1, "found '0', expected a whole number of nanoseconds"),
    Malformed("9223372036.854775808s a", 1, "found '9', expected a duration of at most 292 years"),
    Malformed("+-1s a", 2, "found '-', expected a duration from 0 up"),
    Malformed("1s", 3, "found the end of the line, expected the kind of an event"),
    Malformed("1s,a", 3, "found ',', expected a space"),
    Malformed("1s @x a", 5, "found 'x', expected a number"),
    Malformed(
      "1s @9223372036854775808 a", 5, "found another number, expected an integer of 64 bits"),
    Malformed("1s a=1", 5, "found '=', expected a space"),
    Malformed("1s é", 4, "found byte 0xc3, expected the kind of an event"),
    Malformed("1s a x", 7, "found the end of the line, expected '=' and a value"),
    Malformed("1s a x=", 8, "found the end of the line, expected a value"),
    Malformed("1s a x= 1", 8, "found a space, expected a value"),
    Malformed("1s a x=1 x=2", 10, "found the argument \"x\" again, expected it once"),
    Malformed(
      "1s a v=8.1.0", 11, "found '.', expected a space; texts that are no plain words need quotes"),
    Malformed("1s a x=[1", 10, "found the end of the line, expected ',' or ']'"),
    Malformed(
      "1s a x=" + String(repeating: "[", count: 63), 70,
      "found a value inside 62 others, expected at most that depth"),
    Malformed(
      "1s a for", 9, "found the end of the line, expected a duration such as 1.5s or 250ms"),
    Malformed("1s a for -1s", 10, "found the duration -1s, expected 0s to 60s"),
    Malformed("1s a for 61s", 10, "found the duration 61s, expected 0s to 60s"),
    Malformed("1s >a for 1s", 7, "found a duration beside > or <, expected one of the two"),
    Malformed("1s a x=1 for 1s", 13, "found a space, expected '=' and a value"),
    Malformed("header os_version", 18, "found the end of the line, expected '=' and a value"),
    Malformed("timeline 1 x", 12, "found 'x', expected the end of the line"),
  ]

  @Test(arguments: lines) func aMalformedLineIsOneProblem(malformed: Malformed) {
    let items = Self.items("timeline 1\n" + malformed.line + "\n5s good\n")
    #expect(
      items.problems == [
        InputProblem(.skipped, at: .line(2, column: malformed.column), malformed.message)
      ])
    #expect(items.traces.flatMap(\.events).map(\.kind) == ["good"])
  }

  @Test func theFirstLineIsRequiredInFiles() {
    let items = Self.items("0s a\n")
    #expect(
      items.problems == [
        InputProblem(
          .skipped, at: .line(1, column: 1),
          "found no version, expected the first line \"timeline 1\"")
      ])
    #expect(items.traces.map(\.events.count) == [1])
  }

  @Test func anotherVersionIsRefusedByName() {
    #expect(
      Self.items("timeline 2\n0s a\n") == [
        .problem(
          InputProblem(
            .refused, at: .line(1, column: 10),
            "found version 2 of the timeline notation, expected version 1"))
      ])
  }

  @Test func whatComesOutDoesNotDependOnTheSplits() {
    let bytes = Array(("\u{FEFF}" + Self.sample + "oops\r\n5s é\n6s b x=[").utf8)
    let whole = DripFeeder.items(of: bytes, by: TimelineDecoder())
    #expect(whole.problems.map(\.consequence) == [.skipped, .skipped, .truncated])
    for split in 0...bytes.count {
      let parts = DripFeeder.items(of: bytes, by: TimelineDecoder(), pieces: [split, bytes.count])
      #expect(parts == whole, "split at \(split)")
    }
    #expect(DripFeeder.items(of: bytes, by: TimelineDecoder(), pieces: [1]) == whole)
  }
}
