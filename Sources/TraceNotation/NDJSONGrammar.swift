// The lines of the NDJSON form: one JSON object each, an event or a header.

import TraceModel

struct NDJSONGrammar: LineGrammar {
  static let formatWord = "tracecheck-ndjson"
  static let version: Int64 = 1

  var missingBeginning: String? {
    "found no header, expected {\"header\":{\"format\":\"tracecheck-ndjson\",\"version\":1}} first"
  }

  private let keys = NameTable([
    "t_ns", "event", "phase", "thread", "args", "duration_ns", "header",
  ])
  private let kinds = NameTable.kinds
  private let arguments = NameTable.arguments
  private let synonyms = IdentifierSynonym.argumentByKind
  private let usual = NDJSONUsualLine()

  mutating func beginTrace() {}

  func isCut(_ line: Span<UInt8>, _ problem: NotationError) -> Bool {
    var parser = JSONPullParser()
    do throws(JSONError) {
      try parser.skipValue(in: line)
      return false
    } catch { return error.isAtEnd }
  }

  @inline(__always)
  mutating func read(
    _ line: Span<UInt8>, into event: inout ScratchEvent, headers: inout TraceHeaders,
    problem: inout NotationError?
  ) -> LineMeaning {
    if usual.read(line, into: &event, kinds: kinds, arguments: arguments) {
      event.resolveSynonym(synonyms)
      return .event
    }
    return readGenerally(line, into: &event, headers: &headers, problem: &problem)
  }

  /// Reads a line of any shape.
  @inline(never)
  func readGenerally(
    _ line: Span<UInt8>, into event: inout ScratchEvent, headers: inout TraceHeaders,
    problem: inout NotationError?
  ) -> LineMeaning {
    var parser = JSONPullParser(stringBytesMax: BatchLimits.stringBytesMax)
    if parser.peek(in: line) == nil { return .nothing }
    var header = NDJSONHeader()
    do throws(NotationError) {
      if try readObject(line, &parser, into: &event, header: &header, headers: &headers) {
        return .event
      }
    } catch {
      problem = error
    }
    if header.isRefused { return .refused }
    return header.isBegun ? .traceBegins(isAnnounced: true) : .nothing
  }

  /// Reads the line's object; true if it is an event.
  @inline(__always)
  private func readObject(
    _ line: Span<UInt8>, _ parser: inout JSONPullParser, into event: inout ScratchEvent,
    header: inout NDJSONHeader, headers: inout TraceHeaders
  ) throws(NotationError) -> Bool {
    event.reset()
    var seen: UInt16 = 0
    var duration: Int64 = -1
    do throws(JSONError) {
      try parser.beginObject(in: line)
    } catch { throw NotationError(error) }
    while let key = try next(&parser, in: line) {
      let number = number(of: key, in: line)
      if seen & 1 << number != 0, number != 0 { throw repeated(key, in: line) }
      if header.isBegun { throw unexpected(key, in: line, besideHeader: true) }
      seen |= 1 << number
      switch number {
      case 1: event.timeNanoseconds = try integer("\"t_ns\"", &parser, in: line)
      case 2: try readKind(&parser, in: line, into: &event)
      case 3: event.phase = try phase(&parser, in: line)
      case 4: event.thread = try integer("\"thread\"", &parser, in: line)
      case 5: try readArguments(&parser, in: line, into: &event)
      case 6:
        duration = try integer("\"duration_ns\"", &parser, in: line)
        guard duration >= 0, duration <= PendingReturns.nanosecondsMax else {
          throw NotationError(
            at: key.range.lowerBound - 1,
            "found \"duration_ns\" \(duration), expected 0 to \(PendingReturns.nanosecondsMax)")
        }
      case 7 where seen & ~(1 << 7) == 0:
        header.isBegun = true
        try header.read(&parser, in: line, into: &headers.next)
      default: throw unexpected(key, in: line)
      }
    }
    do throws(JSONError) {
      try parser.end(in: line)
    } catch { throw NotationError(error) }
    if header.isBegun { return false }
    guard seen & 0b110 == 0b110 else {
      throw NotationError(
        at: 0,
        "found no \(seen & 0b10 == 0 ? "\"t_ns\"" : "\"event\""), expected it in every event")
    }
    if duration >= 0 { try setDuration(duration, of: &event) }
    event.resolveSynonym(synonyms)
    return true
  }

  /// The number of a line's key, which may be written with escapes like any text of JSON.
  @inline(__always)
  private func number(of key: JSONString, in line: Span<UInt8>) -> UInt16 {
    if !key.hasEscapes { return keys.number(of: line, key.range) }
    guard key.decodedCount <= BatchLimits.nameBytesMax else { return 0 }
    let name = Array(key.string(in: line).utf8)
    return keys.number(of: name.span, name.indices)
  }

  @inline(__always)
  private func next(
    _ parser: inout JSONPullParser, in line: Span<UInt8>
  ) throws(NotationError) -> JSONString? {
    do throws(JSONError) {
      return try parser.nextKey(in: line)
    } catch { throw NotationError(error) }
  }

  @inline(__always)
  private func integer(
    _ name: StaticString, _ parser: inout JSONPullParser, in line: Span<UInt8>
  ) throws(NotationError) -> Int64 {
    let number: JSONNumber
    do throws(JSONError) {
      number = try parser.number(in: line)
    } catch { throw NotationError(error) }
    if case .integer(let value) = number.value { return value }
    throw NotationError(
      at: number.range.lowerBound,
      "found another number, expected \(name) to be an integer of 64 bits")
  }

  @inline(__always)
  private func readKind(
    _ parser: inout JSONPullParser, in line: Span<UInt8>, into event: inout ScratchEvent
  ) throws(NotationError) {
    let name: JSONString
    do throws(JSONError) {
      name = try parser.string(in: line)
    } catch { throw NotationError(error) }
    guard name.decodedCount <= BatchLimits.nameBytesMax else {
      throw tooLong("kind", at: name.range.lowerBound - 1)
    }
    if !name.hasEscapes { event.kind = kinds.number(of: line, name.range) }
    if event.kind == 0 {
      let start = event.texts.count
      name.append(to: &event.texts, in: line)
      event.setKind(textFrom: start, in: kinds)
    }
  }

  @inline(__always)
  private func phase(
    _ parser: inout JSONPullParser, in line: Span<UInt8>
  ) throws(NotationError) -> Phase {
    let word: JSONString
    do throws(JSONError) {
      word = try parser.string(in: line)
    } catch { throw NotationError(error) }
    if word.equals("enter", in: line) { return .enter }
    if word.equals("return", in: line) { return .return }
    if word.equals("instant", in: line) { return .instant }
    throw NotationError(
      at: word.range.lowerBound - 1,
      "found the phase \(NotationError.quote(word.string(in: line))), expected enter, return or "
        + "instant")
  }

  private func setDuration(
    _ duration: Int64, of event: inout ScratchEvent
  ) throws(NotationError) {
    guard event.phase == .instant else {
      throw NotationError(
        at: 0, "found \"duration_ns\" beside the phase \(event.phase.word), expected one of the two"
      )
    }
    let (time, overflow) = event.timeNanoseconds.addingReportingOverflow(duration)
    guard !overflow else {
      throw NotationError(
        at: 0, "found a span that ends after the last nanosecond of the clock, expected it earlier")
    }
    event.returnNanoseconds = time
  }

  @inline(__always)
  private func readArguments(
    _ parser: inout JSONPullParser, in line: Span<UInt8>, into event: inout ScratchEvent
  ) throws(NotationError) {
    do throws(JSONError) {
      try parser.beginObject(in: line)
    } catch { throw NotationError(error) }
    while let key = try next(&parser, in: line) {
      guard event.canAddArgument else {
        throw NotationError(
          at: key.range.lowerBound - 1,
          "found one more argument, expected at most \(BatchLimits.argumentsPerEventMax)")
      }
      guard key.decodedCount <= BatchLimits.nameBytesMax else {
        throw tooLong("argument", at: key.range.lowerBound - 1)
      }
      var name: UInt16 = 0
      var nameText = 0..<0
      if !key.hasEscapes { name = arguments.number(of: line, key.range) }
      if name == 0 {
        let start = event.texts.count
        key.append(to: &event.texts, in: line)
        nameText = start..<event.texts.count
        if key.hasEscapes { name = arguments.number(of: event.texts.span, nameText) }
      }
      if event.hasArgument(name, text: nameText) { throw repeated(key, in: line) }
      var argument = ScratchEvent.Argument(
        name: name, isLiteral: key.hasEscapes, nameText: nameText, type: .json, bits: 0,
        valueText: 0..<0)
      do throws(JSONError) {
        try parser.readArgument(in: line, into: &argument, texts: &event.texts)
      } catch { throw NotationError(error) }
      guard argument.valueText.count <= BatchLimits.stringBytesMax else {
        throw NotationError(
          at: key.range.lowerBound - 1,
          "found a value of more than \(BatchLimits.stringBytesMax) bytes, expected a shorter one")
      }
      event.add(argument)
    }
  }

  private func repeated(_ key: JSONString, in line: Span<UInt8>) -> NotationError {
    NotationError(
      at: key.range.lowerBound - 1,
      "found the key \(NotationError.quote(key.string(in: line))) again, expected it once")
  }

  private func unexpected(
    _ key: JSONString, in line: Span<UInt8>, besideHeader: Bool = false
  ) -> NotationError {
    NotationError(
      at: key.range.lowerBound - 1,
      "found the key \(NotationError.quote(key.string(in: line))), expected "
        + (besideHeader
          ? "nothing beside header" : "one of t_ns, event, phase, thread, args, duration_ns"))
  }

  private func tooLong(_ what: StaticString, at offset: Int) -> NotationError {
    NotationError(
      at: offset,
      "found a name of more than \(BatchLimits.nameBytesMax) bytes, expected a shorter \(what)")
  }
}

extension JSONPullParser {
  /// Reads the value of an argument; texts go to `texts`.
  @inline(__always)
  mutating func readArgument(
    in line: Span<UInt8>, into argument: inout ScratchEvent.Argument, texts: inout [UInt8]
  ) throws(JSONError) {
    let first = peek(in: line)
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      let start = texts.count
      try copyValue(in: line, to: &texts)
      argument.valueText = start..<texts.count
      return
    }
    switch try next(in: line) {
    case .number(let number):
      switch number.value {
      case .integer(let value):
        argument.type = .integer
        argument.bits = UInt64(bitPattern: value)
      case .unsigned(let value):
        argument.type = .unsigned
        argument.bits = value
      case .double(let value):
        argument.type = .number
        argument.bits = value.bitPattern
      case .other:
        let start = texts.count
        for index in number.range { texts.append(line[index]) }
        argument.valueText = start..<texts.count
      }
    case .boolean(let value):
      argument.type = .boolean
      argument.bits = value ? 1 : 0
    case .string(let string):
      argument.type = .string
      let start = texts.count
      string.append(to: &texts, in: line)
      argument.valueText = start..<texts.count
    default:
      let start = texts.count
      texts.append(contentsOf: "null".utf8)
      argument.valueText = start..<texts.count
    }
  }
}
