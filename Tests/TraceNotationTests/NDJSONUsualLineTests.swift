// The reader of our own lines beside the general one: the same events, the same problems.

import Testing
import TraceModel
import TraceTestSupport

@testable import TraceNotation

@Suite struct NDJSONUsualLineTests {
  /// What a reader made of a line.
  struct Reading: Equatable {
    var meaning: String
    var problem: String?
    var event: [String] = []
  }

  static func reading(
    _ meaning: LineMeaning, _ problem: NotationError?, _ event: borrowing ScratchEvent
  ) -> Reading {
    var reading = Reading(
      meaning: "\(meaning)",
      problem: problem.map { error in "\(error.offset) \(error.isAtEnd) \(error.message)" })
    guard case .event = meaning else { return reading }
    let texts = event.texts
    reading.event = [
      "\(event.kind)", "\(texts[event.kindText])", event.phase.word, "\(event.thread)",
      "\(event.timeNanoseconds)", event.returnNanoseconds.map { time in "\(time)" } ?? "-",
    ]
    for argument in event.arguments {
      reading.event.append(
        "\(argument.name) \(argument.isLiteral) \(texts[argument.nameText]) \(argument.type) "
          + "\(argument.bits) \(texts[argument.valueText])")
    }
    return reading
  }

  /// What the readers make of a line: ours first, then the general one.
  static func readings(_ line: [UInt8]) -> (any: Reading, general: Reading) {
    var grammar = NDJSONGrammar()
    var event = ScratchEvent()
    // What another line left behind must not show.
    event.thread = 99
    event.phase = .return
    event.returnNanoseconds = 5
    var other = event
    var headers = TraceHeaders()
    var problem: NotationError?
    let meaning = grammar.read(line.span, into: &event, headers: &headers, problem: &problem)
    let first = reading(meaning, problem, event)
    problem = nil
    let general = grammar.readGenerally(
      line.span, into: &other, headers: &headers, problem: &problem)
    return (first, reading(general, problem, other))
  }

  static func expectSame(_ line: [UInt8], _ comment: Comment? = nil) {
    let readings = readings(line)
    #expect(readings.any == readings.general, comment ?? "\(String(decoding: line, as: UTF8.self))")
  }

  /// Whether the line is read without the general reader.
  static func isUsual(_ line: String) -> Bool {
    var event = ScratchEvent()
    let kinds = NameTable.kinds
    let arguments = NameTable.arguments
    let bytes = Array(line.utf8)
    return NDJSONUsualLine().read(
      bytes.span, into: &event, kinds: kinds, arguments: arguments)
  }

  /// The lines of a text.
  static func lines(_ text: [UInt8]) -> [[UInt8]] {
    text.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
  }

  static func encoded(_ trace: GeneratedTrace) -> [UInt8] {
    var encoder = NDJSONEncoder()
    encoder.begin(trace.header)
    for batch in trace.batches { encoder.consume(batch) }
    return encoder.output
  }

  @Test func ourLinesAreRead() {
    let usual = [
      #"{"t_ns":0,"event":"a","thread":1}"#,
      #"{"t_ns":-1,"event":"","thread":-5}"#,
      #"{"t_ns":999999999999999999,"event":"bgtask.begin","phase":"enter","thread":1}"#,
      #"{"t_ns":12345678,"event":"bgtask.begin","phase":"return","thread":12345678}"#,
      #"{"t_ns":1,"event":"x.y","thread":1,"args":{"a":1,"token":-2,"name":"save","b":true}}"#,
      #"{"t_ns":1,"event":"x.y","thread":1,"args":{"a":1.5,"b":null,"c":"é\n","d":""}}"#,
      #"{"t_ns":1,"event":"x.y","thread":1,"args":{"a":18446744073709551615,"b":1e999}}"#,
    ]
    for line in usual {
      #expect(Self.isUsual(line), "\(line)")
      Self.expectSame(Array(line.utf8))
    }
  }

  @Test func otherLinesAreLeftToTheGeneralReader() {
    let others = [
      "", " ", "{}", "{", #"{"t_ns":"#, #"{"t_ns":0"#, #"{"t_ns":0,"event":"a"}"#,
      #" {"t_ns":0,"event":"a","thread":1}"#, #"{"t_ns":0,"event":"a","thread":1} "#,
      #"{"t_ns":0,"event":"a","thread":1}}"#, #"{"t_ns":0,"event":"a","thread":1"#,
      #"{"t_ns":00,"event":"a","thread":1}"#, #"{"t_ns":-0,"event":"a","thread":1}"#,
      #"{"t_ns":-,"event":"a","thread":1}"#, #"{"t_ns":1.0,"event":"a","thread":1}"#,
      #"{"t_ns":1,"event":"a","thread":1e3}"#, #"{"t_ns":1,"event":"a","thread":1x}"#,
      #"{"t_ns":9223372036854775807,"event":"a","thread":1}"#,
      #"{"t_ns":9223372036854775808,"event":"a","thread":1}"#,
      #"{"t_ns":0,"event":"a\u0062","thread":1}"#, #"{"t_ns":0,"event":"é","thread":1}"#,
      #"{"t_ns":0,"event":"a","phase":"instant","thread":1}"#,
      #"{"t_ns":0,"event":"a","phase":"enterx","thread":1}"#,
      #"{"t_ns":0,"event":"a","phase":"returx","thread":1}"#,
      #"{"t_ns":0,"event":"a","phase":"return,"thread":1}"#,
      #"{"t_ns":0,"event":"a","thread":1,"thread":1}"#,
      #"{"t_ns":0,"event":"a","thread":1,"duration_ns":5}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":[1]}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a":1,}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a":1,"a":1}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"token":1,"token":1}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a":01}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a":truex}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a":tru}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a":}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a":"x}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a":"\q"}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a":{"b":1}}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"a": [ 1 ]}}"#,
      #"{"t_ns":0,"event":"a","thread":1,"args":{"\u0061":1}}"#,
      "{\"t_ns\":0,\"event\":\"a\u{1}\",\"thread\":1}",
      "{\"t_ns\":0,\"event\":\"a\",\"thread\":1,\"args\":{\"a\":\"b\u{7}\"}}",
    ]
    for line in others {
      #expect(!Self.isUsual(line), "\(line)")
      Self.expectSame(Array(line.utf8))
    }
  }

  @Test func aLineThatIsCutAnywhereIsTheSame() {
    let line = Array(
      #"{"t_ns":1234567890123,"event":"bgtask.begin","phase":"enter","thread":12,"args":{"token":7,"name":"save","x":false,"y":1.25}}"#
        .utf8)
    for count in 0...line.count {
      Self.expectSame(Array(line[..<count]))
      Self.expectSame(Array(line[..<count] + line[min(count + 1, line.count)...]))
      Self.expectSame(Array(line[..<count] + [0x20] + line[count...]))
    }
  }

  @Test func boundsAreTheSame() {
    func line(kind: Int = 1, name: Int = 1, value: Int = 1, arguments: Int = 1) -> [UInt8] {
      func text(_ count: Int) -> String { String(repeating: "k", count: count) }
      let more = (1..<arguments).map { number in ",\"a\(number)\":1" }.joined()
      let first = "\"\(text(name))\":\"\(text(value))\""
      return Array(
        "{\"t_ns\":1,\"event\":\"\(text(kind))\",\"thread\":1,\"args\":{\(first)\(more)}}".utf8)
    }
    for offset in -1...1 {
      Self.expectSame(line(kind: BatchLimits.nameBytesMax + offset), "kind \(offset)")
      Self.expectSame(line(name: BatchLimits.nameBytesMax + offset), "name \(offset)")
      Self.expectSame(line(value: BatchLimits.stringBytesMax + offset), "value \(offset)")
      Self.expectSame(
        line(arguments: BatchLimits.argumentsPerEventMax + offset), "arguments \(offset)")
    }
    for count in 1...40 { Self.expectSame(line(kind: count, name: count, value: count)) }
  }

  @Test func numbersOfEveryLengthAreTheSame() {
    for count in 1...24 {
      for digits in [
        String(repeating: "9", count: count), "1" + String(repeating: "0", count: count - 1),
        String(repeating: "0", count: count),
      ] {
        for sign in ["", "-"] {
          for end in ["", ".5", "e2", " ", "x"] {
            let number = sign + digits + end
            Self.expectSame(Array("{\"t_ns\":\(number),\"event\":\"a\",\"thread\":1}".utf8))
            Self.expectSame(Array("{\"t_ns\":1,\"event\":\"a\",\"thread\":\(number)}".utf8))
            Self.expectSame(
              Array("{\"t_ns\":1,\"event\":\"a\",\"thread\":1,\"args\":{\"a\":\(number)}}".utf8))
          }
        }
      }
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func generatedAndDamagedLinesAreTheSame(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var traces = RandomTraces(seed: seed, eventsMax: 30)
    var usualCount = 0
    for _ in 0..<60 {
      let text = Self.encoded(traces.next())
      if text.count > 20_000 { continue }
      for line in Self.lines(text) {
        if Self.isUsual(String(decoding: line, as: UTF8.self)) { usualCount += 1 }
        Self.expectSame(line)
        for _ in 0..<3 {
          for part in Self.lines(HostileTextTests.damaged(line, &random)) { Self.expectSame(part) }
        }
      }
    }
    #expect(usualCount > 50)
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func shuffledLinesAreTheSame(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let members = [
      #""t_ns":1234567890123"#, #""t_ns":-7"#, #""event":"bgtask.begin""#, #""event":"x.other""#,
      #""phase":"enter""#, #""phase":"return""#, #""thread":7"#, #""thread":-12345678901"#,
      #""args":{"token":7,"name":"save"}"#, #""args":{"id":7,"é":"\u00e9"}"#, #""args":{}"#,
      #""duration_ns":5"#, #""header":{"format":"tracecheck-ndjson","version":1}"#, #""other":1"#,
    ]
    let inOrder = [0, 2, 4, 6, 8]
    for _ in 0..<2_000 {
      var chosen = inOrder.map { place in place + Int(random.next() % 2) }
      for _ in 0..<Int(random.next() % 4) {
        let place = Int(random.next() % UInt64(chosen.count))
        switch random.next() % 4 {
        case 0: chosen.swapAt(place, Int(random.next() % UInt64(chosen.count)))
        case 1: if chosen.count > 1 { chosen.remove(at: place) }
        default: chosen.insert(Int(random.next() % UInt64(members.count)), at: place)
        }
      }
      let comma = random.next() % 8 == 0 ? " , " : ","
      let line = "{" + chosen.map { place in members[place] }.joined(separator: comma) + "}"
      Self.expectSame(Array(line.utf8))
    }
  }
}
