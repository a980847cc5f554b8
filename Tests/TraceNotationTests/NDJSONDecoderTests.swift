// The NDJSON form, from the outside: lines in, headers, events and problems out.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceNotation

@Suite struct NDJSONDecoderTests {
  static let header = #"{"header":{"format":"tracecheck-ndjson","version":1}}"# + "\n"

  static func items(_ text: String) -> [DecodedItem] {
    DripFeeder.items(of: Array(text.utf8), by: NDJSONDecoder())
  }

  /// The events of lines below a header.
  static func events(_ lines: String) -> [DecodedEvent] {
    items(header + lines).traces.flatMap(\.events)
  }

  @Test func readsTheExampleOfTheContract() throws {
    let text = """
      {"header":{"format":"tracecheck-ndjson","version":1,"os_version":"8.1.0","coverage":["*"]}}
      {"t_ns":1500000000,"event":"bgtask.begin","thread":1,"args":{"token":7,"name":"save"}}
      {"t_ns":2500000000,"event":"delegate.did_enter_background","phase":"enter","thread":1}
      {"t_ns":2700000000,"event":"delegate.did_enter_background","phase":"return"}

      """
    let items = Self.items(text)
    #expect(items.problems == [])
    let trace = try #require(items.traces.first)
    #expect(trace.header.string(.osVersion) == "8.1.0")
    #expect(trace.header.strings(.coverage) == ["*"])
    #expect(
      trace.events.map(\.kind) == [
        "bgtask.begin", "delegate.did_enter_background", "delegate.did_enter_background",
      ])
    #expect(trace.events.map(\.phase) == [.instant, .enter, .return])
    #expect(trace.events.map(\.thread) == [1, 1, 1])
    #expect(trace.events[0].arguments.map(\.value) == [.integer(7), .string("save")])
  }

  @Test func keepsEveryTypeOfValue() {
    let events = Self.events(
      #"{"t_ns":0,"event":"x.y","args":{"a":-1,"b":18446744073709551615,"c":1.0,"d":true,"e":"é\n\ud834\udd1e\ud834","f":null,"g":[ 1 , {"x" : "\u000a"} ],"h":1e999,"i":-0}}"#
    )
    #expect(
      events.first?.arguments.map(\.value) == [
        .integer(-1), .unsigned(.max), .number(1), .boolean(true), .string("é\n𝄞\u{FFFD}"),
        .json("null"), .json(#"[1,{"x":"\n"}]"#), .json("1e999"), .number(-0.0),
      ])
  }

  @Test func keysMayStandInAnyOrderAndBeWrittenWithEscapes() {
    let events = Self.events(
      #"{"args":{"to\u006ben":7},"thr\u0065ad":-3,"event":"bgtask\u002ebegin","phase":"instant","\u0074_ns":-5}"#
    )
    let token = DecodedEvent.Argument(name: "token", value: .integer(7))
    #expect(
      events == [
        DecodedEvent(
          kind: "bgtask.begin", phase: .instant, thread: -3, timeNanoseconds: -5,
          arguments: [token])
      ])
  }

  @Test func idIsASynonymForTheIdentifierOfAKind() {
    func names(_ line: String) -> [String] { Self.events(line).flatMap(\.arguments).map(\.name) }
    #expect(names(#"{"t_ns":0,"event":"work.timer_fire","args":{"id":1}}"#) == ["timer"])
    #expect(names(#"{"args":{"id":1},"t_ns":0,"event":"work.query_stop"}"#) == ["query"])
    #expect(
      names(#"{"t_ns":0,"event":"net.connect","args":{"op":"open","id":1}}"#) == ["op", "socket"])
    #expect(names(#"{"t_ns":0,"event":"note.observe","args":{"id":"N"}}"#) == ["name"])
    #expect(names(#"{"t_ns":0,"event":"work.span","args":{"id":1}}"#) == ["id"])
    #expect(names(#"{"t_ns":0,"event":"bgtask.begin","args":{"id":1}}"#) == ["id"])
    #expect(
      names(#"{"t_ns":0,"event":"work.timer_fire","args":{"id":1,"timer":2}}"#) == ["id", "timer"])
    #expect(names(#"{"t_ns":0,"event":"work.timer_fire","args":{"\u0069d":1}}"#) == ["id"])
  }

  @Test func aDurationIsAnEnterAndAReturn() {
    let events = Self.events(
      """
      {"t_ns":0,"event":"a","duration_ns":10,"args":{"x":1}}
      {"t_ns":0,"event":"b","duration_ns":10}
      {"t_ns":0,"event":"c","duration_ns":5,"thread":2}
      {"t_ns":4,"event":"d"}
      {"t_ns":5,"event":"e"}
      {"t_ns":3,"event":"f"}
      """)
    #expect(
      events.map { "\($0.timeNanoseconds)\($0.phase == .return ? "<" : "")\($0.kind)" } == [
        "0a", "0b", "0c", "4d", "5<c", "5e", "3f", "10<b", "10<a",
      ])
    #expect(events.map(\.arguments.count) == [1, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(events.map(\.thread) == [1, 1, 2, 1, 2, 1, 1, 1, 1])
  }

  /// A line knows where its span ends; spans of the kind and thread in between are crossed.
  @Test(arguments: [
    // The other begins inside and ends after it.
    (
      """
      {"t_ns":0,"event":"work.span","duration_ns":10}
      {"t_ns":5,"event":"work.span","phase":"enter"}
      {"t_ns":20,"event":"work.span","phase":"return"}
      """, ["0>", "5>", "10< crossed", "10<", "20<"]
    ),
    // The other begins before it and ends inside.
    (
      """
      {"t_ns":0,"event":"work.span","phase":"enter"}
      {"t_ns":5,"event":"work.span","duration_ns":10}
      {"t_ns":10,"event":"work.span","phase":"return"}
      {"t_ns":20,"event":"work.span","phase":"enter"}
      """, ["0>", "5>", "10< crossed", "10<", "20>"]
    ),
    // Both have lines of their own; a third nests.
    (
      """
      {"t_ns":0,"event":"work.span","duration_ns":10}
      {"t_ns":2,"event":"work.span","duration_ns":3}
      {"t_ns":6,"event":"work.span","duration_ns":10}
      """, ["0>", "2>", "5<", "6>", "10< crossed", "10<"]
    ),
    // Other threads, other kinds and windows have nothing to do with it.
    (
      """
      {"t_ns":0,"event":"work.span","duration_ns":10}
      {"t_ns":1,"event":"work.span","phase":"enter","thread":2}
      {"t_ns":2,"event":"data.save","phase":"enter"}
      {"t_ns":3,"event":"voip.call","duration_ns":4}
      {"t_ns":4,"event":"voip.call","phase":"enter"}
      """, ["0>", "1>", "2>", "3>", "4>", "7<", "10<"]
    ),
  ])
  func aWholeSpanIsItself(_ lines: String, _ expected: [String]) {
    let events = Self.events(lines)
    #expect(
      events.map { event in
        let crossed = event.arguments.isEmpty ? "" : " \(event.arguments[0].name)"
        return "\(event.timeNanoseconds)\(event.phase == .return ? "<" : ">")\(crossed)"
      } == expected)
  }

  @Test func atMost4096SpansAreOpen() {
    let span = #"{"t_ns":0,"event":"a","duration_ns":9}"# + "\n"
    let full = Self.items(Self.header + String(repeating: span, count: 4_096))
    #expect(full.problems == [])
    #expect(full.traces.first?.events.count == 8_192)
    let over = Self.items(Self.header + String(repeating: span, count: 4_097))
    #expect(over.problems.map(\.location) == [.line(4_098, column: 1)])
    #expect(over.traces.first?.events.count == 8_192)
  }

  @Test func aHeaderBeginsANewTrace() {
    let event = #"{"t_ns":0,"event":"a","duration_ns":9}"# + "\n"
    let items = Self.items(Self.header + event + Self.header + Self.header + event)
    #expect(items.traces.map(\.events.count) == [2, 0, 2])
    #expect(items.problems == [])
    for case .batch(let firstOrdinal, _, _) in items { #expect(firstOrdinal == 0) }
    #expect(items.count == 5)
  }

  @Test func acceptsByteOrderMarkBlankLinesCarriageReturnsAndAMissingLastLineEnd() {
    let text =
      "\u{FEFF}" + Self.header.dropLast() + "\r\n" + "\r\n \t\n"
      + #"{"t_ns":0,"event":"a"}"#
    let items = Self.items(text)
    #expect(items.problems == [])
    guard case .batch(_, let events, let lines) = items.last else {
      Issue.record("no batch")
      return
    }
    #expect(events.map(\.kind) == ["a"])
    #expect(lines == [4])
  }

  @Test func unknownHeaderFieldsAndWrongTypesAreKept() throws {
    let items = Self.items(
      #"{"header":{"version":1,"os_version":8,"simulator":"yes","x":[1, 2],"coverage":["a",1],"format":"tracecheck-ndjson"}}"#
    )
    let header = try #require(items.traces.first?.header)
    #expect(header.contradictoryFields == [.osVersion, .coverage, .simulator])
    #expect(header[.osVersion] == .json("8"))
    #expect(header.unknownFields == [TraceHeader.UnknownField(name: "x", json: "[1,2]")])
  }

  @Test func flushHandsOutWhatIsCompleteAndKeepsTheRest() {
    var decoder = NDJSONDecoder()
    var batch = EventBatch()
    var items: [DecodedItem] = []
    let text = Self.header + #"{"t_ns":0,"event":"a"}"# + "\n" + #"{"t_ns":1,"ev"#
    decoder.feed(Array(text.utf8).span)
    DripFeeder.drain(&decoder, &batch, into: &items)
    #expect(items.count == 1)
    decoder.flush(silentNanoseconds: 0)
    DripFeeder.drain(&decoder, &batch, into: &items)
    #expect(items.traces.first?.events.map(\.kind) == ["a"])
    decoder.feed(Array(#"ent":"b"}"#.utf8).span)
    decoder.finish()
    DripFeeder.drain(&decoder, &batch, into: &items)
    #expect(items.traces.first?.events.map(\.kind) == ["a", "b"])
    #expect(batch.firstOrdinal == 1)
    #expect(items.problems == [])
  }

  @Test func whatComesOutDoesNotDependOnTheSplits() {
    let text =
      "\u{FEFF}" + Self.header + """
        {"t_ns":1,"event":"bgtask.begin","args":{"token":7,"name":"é\\n🙂"}}\r
        {"t_ns":2,"event":"work.timer_fire","duration_ns":5,"args":{"id":1}}
        no JSON

        {"header":{"format":"tracecheck-ndjson","version":1,"app_kind":"game"}}
        {"t_ns":3,"event":"x.y","phase":"enter","thread":9}
        {"t_ns":3,"event":"x.
        """
    let bytes = Array(text.utf8)
    let whole = DripFeeder.items(of: bytes, by: NDJSONDecoder())
    #expect(whole.problems.count == 2)
    for split in 0...bytes.count {
      let parts = DripFeeder.items(of: bytes, by: NDJSONDecoder(), pieces: [split, bytes.count])
      #expect(parts == whole, "split at \(split)")
    }
    #expect(DripFeeder.items(of: bytes, by: NDJSONDecoder(), pieces: [1]) == whole)
  }

  @Test func batchesAreFullUnlessTheTraceEnds() {
    // The returns of the spans come due when the batch has room for one of them only.
    let instant = #"{"t_ns":0,"event":"a"}"# + "\n"
    let span = #"{"t_ns":0,"event":"b","duration_ns":9}"# + "\n"
    let text =
      Self.header + String(repeating: instant, count: 65_532) + span + span + span
      + #"{"t_ns":9,"event":"c"}"#
    let bytes = Array(text.utf8)
    let whole = DripFeeder.items(of: bytes, by: NDJSONDecoder())
    #expect(whole.problems == [])
    let sizes = whole.compactMap { item -> [Int]? in
      guard case .batch(let firstOrdinal, let events, _) = item else { return nil }
      return [firstOrdinal, events.count]
    }
    #expect(sizes == [[0, 65_536], [65_536, 3]])
    #expect(whole.traces.first?.events.suffix(4).map(\.kind) == ["b", "b", "b", "c"])
    #expect(DripFeeder.items(of: bytes, by: NDJSONDecoder(), pieces: [100_003]) == whole)
  }

  @Test func aLineWithoutEndTakesNoMemory() {
    var decoder = NDJSONDecoder()
    var batch = EventBatch()
    var items: [DecodedItem] = []
    decoder.feed(Array(Self.header.utf8).span)
    DripFeeder.drain(&decoder, &batch, into: &items)
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<100 {
      decoder.feed(chunk.span)
      DripFeeder.drain(&decoder, &batch, into: &items)
      #expect(decoder.heldBytes <= 2 << 20)
    }
    decoder.feed(Array(("\n" + #"{"t_ns":0,"event":"a"}"#).utf8).span)
    decoder.finish()
    DripFeeder.drain(&decoder, &batch, into: &items)
    #expect(
      items.problems == [
        InputProblem(
          .skipped, at: .line(2, column: 1),
          "found a line of more than 1048576 bytes, expected a shorter one")
      ])
    #expect(items.traces.first?.events.map(\.kind) == ["a"])
  }

  @Test func theLongestLineIsRead() {
    let start = #"{"t_ns":0,"event":"a","args":{"x":["#
    for (length, count) in [(1 << 20, 0), ((1 << 20) + 1, 1)] {
      let padding = String(repeating: " ", count: length - start.utf8.count - 4)
      let items = Self.items(Self.header + start + padding + "]}}" + " \n")
      #expect(items.problems.count == count)
      #expect(items.traces.first?.events.count == 1 - count)
    }
  }
}
