// The lines of the timeline notation: events, headers, and the line that begins a file.

import TraceModel

struct TimelineGrammar: LineGrammar {
  static let version: Int64 = 1

  let requiresFirstLine: Bool
  /// The time of the line before, from which `+` counts.
  private var lastNanoseconds: Int64 = 0
  /// Bytes of the header lines of the trace.
  private var headerBytes = 0
  private let kinds = NameTable.kinds
  private let arguments = NameTable.arguments
  private let synonyms = IdentifierSynonym.argumentByKind

  /// Bytes of all header lines of a trace: as much as one line may have.
  private static let headerBytesMax = LineBuffer.lineBytesMax

  init(requiresFirstLine: Bool) { self.requiresFirstLine = requiresFirstLine }

  var missingBeginning: String? {
    requiresFirstLine ? "found no version, expected the first line \"timeline 1\"" : nil
  }

  mutating func beginTrace() { lastNanoseconds = 0 }

  func isCut(_ line: Span<UInt8>, _ problem: NotationError) -> Bool { problem.isAtEnd }

  mutating func read(
    _ line: Span<UInt8>, into event: inout ScratchEvent, headers: inout TraceHeaders,
    problem: inout NotationError?
  ) -> LineMeaning {
    var scanner = TimelineScanner()
    if scanner.isAtEnd(in: line) { return .nothing }
    var meaning = LineMeaning.nothing
    do throws(NotationError) {
      let start = scanner.position
      guard let word = scanner.word(in: line) else {
        try readEvent(line, &scanner, into: &event)
        return .event
      }
      if TimelineScanner.isWord(word, "timeline", in: line) {
        return try readVersion(line, &scanner, headers: &headers, meaning: &meaning)
      }
      guard TimelineScanner.isWord(word, "header", in: line) else {
        throw NotationError(
          at: start, in: line,
          expected: "a time such as 1.5s, or one of the words header and timeline")
      }
      if headers.isOpen {
        try readHeader(line, &scanner, into: &headers.current)
      } else {
        headers.next = TraceHeader()
        headerBytes = 0
        meaning = .traceBegins(isAnnounced: false)
        try readHeader(line, &scanner, into: &headers.next)
      }
    } catch {
      if case .refused = meaning {
        problem = error
      } else if problem == nil {
        problem = error
      }
    }
    return meaning
  }

  private mutating func readVersion(
    _ line: Span<UInt8>, _ scanner: inout TimelineScanner, headers: inout TraceHeaders,
    meaning: inout LineMeaning
  ) throws(NotationError) -> LineMeaning {
    scanner.skipSpace(in: line)
    let start = scanner.position
    let version = try scanner.integer(in: line)
    guard version == Self.version else {
      meaning = .refused
      throw NotationError(
        at: start,
        "found version \(version) of the timeline notation, expected version \(Self.version)")
    }
    headers.next = TraceHeader()
    headerBytes = 0
    meaning = .traceBegins(isAnnounced: true)
    guard scanner.isAtEnd(in: line) else {
      throw NotationError(at: scanner.position, in: line, expected: "the end of the line")
    }
    return meaning
  }

  private mutating func readEvent(
    _ line: Span<UInt8>, _ scanner: inout TimelineScanner, into event: inout ScratchEvent
  ) throws(NotationError) {
    event.reset()
    event.timeNanoseconds = try time(line, &scanner)
    lastNanoseconds = event.timeNanoseconds
    try scanner.endPiece(in: line)
    scanner.skipSpace(in: line)
    if scanner.byte(in: line) == UInt8(ascii: "@") {
      scanner.position += 1
      event.thread = try scanner.integer(in: line)
      try scanner.endPiece(in: line)
      scanner.skipSpace(in: line)
    }
    switch scanner.byte(in: line) {
    case UInt8(ascii: ">"): event.phase = .enter
    case UInt8(ascii: "<"): event.phase = .return
    default: break
    }
    if event.phase != .instant { scanner.position += 1 }
    _ = try scanner.name(in: line, to: &event.texts, "the kind of an event", isField: false)
    event.setKind(textFrom: 0, in: kinds)
    try scanner.endPiece(in: line)
    try readSpan(line, &scanner, into: &event)
    while !scanner.isAtEnd(in: line) { try readArgument(line, &scanner, into: &event) }
    event.resolveSynonym(synonyms)
  }

  private func time(
    _ line: Span<UInt8>, _ scanner: inout TimelineScanner
  ) throws(NotationError) -> Int64 {
    let start = scanner.position
    guard scanner.byte(in: line) == UInt8(ascii: "+") else {
      return try scanner.duration(in: line)
    }
    scanner.position += 1
    guard scanner.byte(in: line) != UInt8(ascii: "-") else {
      throw NotationError(at: scanner.position, in: line, expected: "a duration from 0 up")
    }
    let (time, overflow) = lastNanoseconds.addingReportingOverflow(
      try scanner.duration(in: line))
    guard !overflow else {
      throw NotationError(
        at: start, "found a time after the last nanosecond of the clock, expected it earlier")
    }
    return time
  }

  /// Reads `for` and its duration, if they come next.
  private func readSpan(
    _ line: Span<UInt8>, _ scanner: inout TimelineScanner, into event: inout ScratchEvent
  ) throws(NotationError) {
    scanner.skipSpace(in: line)
    var ahead = scanner
    guard let word = ahead.word(in: line), TimelineScanner.isWord(word, "for", in: line),
      ahead.byte(in: line) != UInt8(ascii: "=")
    else { return }
    guard event.phase == .instant else {
      throw NotationError(
        at: scanner.position, "found a duration beside > or <, expected one of the two")
    }
    ahead.skipSpace(in: line)
    let start = ahead.position
    let duration = try ahead.duration(in: line)
    try ahead.endPiece(in: line)
    guard duration >= 0, duration <= PendingReturns.nanosecondsMax else {
      throw NotationError(
        at: start,
        "found the duration \(DurationText.text(duration)), expected 0s to "
          + DurationText.text(PendingReturns.nanosecondsMax))
    }
    let (time, overflow) = event.timeNanoseconds.addingReportingOverflow(duration)
    guard !overflow else {
      throw NotationError(
        at: start,
        "found a span that ends after the last nanosecond of the clock, expected it earlier"
      )
    }
    event.returnNanoseconds = time
    scanner = ahead
  }

  private func readArgument(
    _ line: Span<UInt8>, _ scanner: inout TimelineScanner, into event: inout ScratchEvent
  ) throws(NotationError) {
    let start = scanner.position
    guard event.canAddArgument else {
      throw NotationError(
        at: start, "found one more argument, expected at most \(BatchLimits.argumentsPerEventMax)")
    }
    let textStart = event.texts.count
    let isQuoted = try scanner.name(
      in: line, to: &event.texts, "an argument such as token=7", isField: false)
    let text = textStart..<event.texts.count
    let name = arguments.number(of: event.texts.span, text)
    if event.hasArgument(name, text: text) {
      throw NotationError(
        at: start,
        "found the argument "
          + NotationError.quote(String(decoding: event.texts[text], as: UTF8.self))
          + " again, expected it once")
    }
    guard scanner.byte(in: line) == UInt8(ascii: "=") else {
      throw NotationError(at: scanner.position, in: line, expected: "'=' and a value")
    }
    scanner.position += 1
    var argument = ScratchEvent.Argument(
      name: name, isLiteral: isQuoted, nameText: text, type: .json, bits: 0, valueText: 0..<0)
    try readValue(line, &scanner, into: &argument, texts: &event.texts)
    guard argument.valueText.count <= BatchLimits.stringBytesMax else {
      throw NotationError(
        at: start,
        "found a value of more than \(BatchLimits.stringBytesMax) bytes, expected a shorter one")
    }
    try scanner.endPiece(
      in: line, expected: "a space; texts that are no plain words need quotes")
    event.add(argument)
  }

  private func readValue(
    _ line: Span<UInt8>, _ scanner: inout TimelineScanner,
    into argument: inout ScratchEvent.Argument, texts: inout [UInt8]
  ) throws(NotationError) {
    if let word = scanner.word(in: line) {
      let isTrue = TimelineScanner.isWord(word, "true", in: line)
      if isTrue || TimelineScanner.isWord(word, "false", in: line) {
        argument.type = .boolean
        argument.bits = isTrue ? 1 : 0
        return
      }
      let start = texts.count
      for index in word { texts.append(line[index]) }
      argument.type = TimelineScanner.isWord(word, "null", in: line) ? .json : .string
      argument.valueText = start..<texts.count
      return
    }
    guard let first = scanner.byte(in: line), !TimelineScanner.isSpace(first) else {
      throw NotationError(at: scanner.position, in: line, expected: "a value")
    }
    do throws(JSONError) {
      var parser = JSONPullParser(
        at: scanner.position, stringBytesMax: BatchLimits.stringBytesMax,
        depthMax: HeaderText.valueDepthMax)
      try parser.readArgument(in: line, into: &argument, texts: &texts)
      scanner.position = parser.position
    } catch { throw NotationError(error) }
  }

  private mutating func readHeader(
    _ line: Span<UInt8>, _ scanner: inout TimelineScanner, into header: inout TraceHeader
  ) throws(NotationError) {
    headerBytes += line.count
    guard headerBytes <= Self.headerBytesMax else {
      throw NotationError(
        at: 0, "found a header of more than \(Self.headerBytesMax) bytes, expected a shorter one")
    }
    try scanner.endPiece(in: line)
    while !scanner.isAtEnd(in: line) {
      try TimelineHeaderField.read(line, &scanner, into: &header)
    }
  }
}
