// Makes traces at random: every kind, every type of value, odd names, odd times.
// The same seed makes the same traces on every machine.

public import TraceModel

/// A header and the batches that follow it.
public struct GeneratedTrace: Sendable {
  public var header: TraceHeader
  public var batches: [EventBatch]

  /// All events, each on its own.
  public var decoded: DecodedTrace {
    DecodedTrace(header: header, events: batches.flatMap(\.decodedEvents))
  }
}

/// Makes traces from a seed.
public struct RandomTraces: Sendable {
  private var random: SeededGenerator
  /// The largest number of events of a trace.
  private let eventsMax: Int

  /// - Parameter eventsMax: The largest number of events of a trace; most have far fewer.
  public init(seed: UInt64, eventsMax: Int = 60) {
    random = SeededGenerator(seed: seed)
    self.eventsMax = eventsMax
  }

  /// The next trace.
  public mutating func next() -> GeneratedTrace {
    let header = header()
    var batches: [EventBatch] = []
    var assembler = BatchAssembler()
    var time = chance(10) ? extremeInteger() : Int64(below(1_000_000_000))
    let isSorted = !chance(4)
    let eventCount = chance(10) ? 0 : chance(5) ? below(eventsMax + 1) : below(12)
    var spans: [DecodedEvent] = []
    var longTexts = chance(50) ? 1 : 0
    for _ in 0..<eventCount {
      if assembler.isFull || chance(15) { take(&assembler, &batches) }
      var event = event(longTexts: &longTexts)
      if let span = spans.last, chance(2) {
        event = DecodedEvent(
          kind: span.kind, phase: .return, thread: span.thread, timeNanoseconds: 0,
          arguments: chance(6) ? event.arguments : [])
        spans.removeLast()
      } else if event.phase == .enter {
        spans.append(event)
      }
      time = isSorted ? later(time) : chance(3) ? extremeInteger() : earlierOrLater(time)
      event.timeNanoseconds = time
      assembler.append(event)
    }
    take(&assembler, &batches)
    return GeneratedTrace(header: header, batches: batches)
  }

  private func take(_ assembler: inout BatchAssembler, _ batches: inout [EventBatch]) {
    guard assembler.batch.count > 0 else { return }
    var batch = EventBatch()
    assembler.take(into: &batch)
    batches.append(batch)
  }

  private mutating func event(longTexts: inout Int) -> DecodedEvent {
    let description = Vocabulary.kinds[below(Vocabulary.kinds.count)]
    let isKnown = !chance(4)
    let phases: [Phase] =
      isKnown && description.shape == .instant && !chance(10)
      ? [.instant] : [.instant, .enter, .enter, .return]
    var event = DecodedEvent(
      kind: isKnown ? description.name : name(), phase: phases[below(phases.count)],
      thread: chance(3) ? Int64(below(9)) : chance(40) ? extremeInteger() : 1, timeNanoseconds: 0,
      arguments: [])
    var names: [String] = []
    if isKnown {
      for argument in description.arguments where chance(2) {
        if let text = argument.name.knownText { names.append(text) }
      }
    }
    while chance(4), names.count < 64 { names.append(chance(3) ? "id" : name()) }
    var seen: Set<String> = []
    for name in names where seen.insert(name).inserted {
      event.arguments.append(
        DecodedEvent.Argument(name: name, value: value(longTexts: &longTexts)))
    }
    return event
  }

  private mutating func value(longTexts: inout Int) -> ArgumentValue {
    switch below(12) {
    case 0...3: return .integer(Int64(below(1_000)))
    case 4: return .integer(extremeInteger())
    case 5: return .unsigned(UInt64(Int64.max) + 1 + random.next() % 1_000)
    case 6: return .number(double())
    case 7: return .boolean(chance(2))
    case 8: return .json(json())
    default:
      if longTexts > 0, chance(8) {
        longTexts -= 1
        return .string(String(repeating: "\"\n𝄞a", count: 65_536 / 7) + "é")
      }
      return .string(text())
    }
  }

  private mutating func double() -> Double {
    let doubles: [Double] = [
      0, -0.0, 1, -1, 0.1, 1.5, 1e22, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      .leastNormalMagnitude,
      9_007_199_254_740_992, 123_456.789,
    ]
    if chance(2) { return doubles[below(doubles.count)] }
    let value = Double(bitPattern: random.next())
    return value.isFinite ? value : 0.5
  }

  private mutating func json() -> String {
    let texts = [
      "null", "[]", "{}", "[1,2.50,\"a b\",null,true]", "{\"a\":{\"b\":[{}]},\"\":-1E+5}",
      "18446744073709551616", "-9223372036854775809", "1e999", "[[[[[[\"\\u2028\\u0000\"]]]]]]",
    ]
    return texts[below(texts.count)]
  }

  private mutating func text() -> String {
    let texts = [
      "", "save draft", "word", "true", "false", "null", "for", "12", "-1", "1.5s", "+5", "a=b",
      "#x", " # x", "\"", "\\", "\u{0}\u{1F}\u{7F}\u{85}", "\u{2028}\u{2029}", "é", "日本", "🙂",
      "a\tb\r\nc", ">x", "@5", "x.y:z/w+v-u", "[a]", "{}", "\u{FEFF}", "\u{FFFD}", "header",
    ]
    if chance(3) { return "text \(random.next() % 500)" }
    return texts[below(texts.count)]
  }

  private mutating func name() -> String {
    let names = [
      "x.custom", "x.other_kind", "odd name", "for", "é", "名前", "", "a=b", "a:", "\"", "#", "-1",
      "1s", ">", "<x", "@1", "true", "null", "\n", "event", "t_ns", "timeline", "header", "a:=b",
      String(repeating: "n", count: 256),
    ]
    return chance(3) ? "x.k\(random.next() % 50)" : names[below(names.count)]
  }

  private mutating func header() -> TraceHeader {
    var header = TraceHeader()
    guard !chance(6) else { return header }
    for field in HeaderField.allCases where chance(4) {
      if chance(12) {
        header[field] = .json(contradiction(of: field.type))
        continue
      }
      switch field.type {
      case .integer: header[field] = .integer(chance(3) ? extremeInteger() : Int64(below(1_000)))
      case .boolean: header[field] = .boolean(chance(2))
      case .string: header[field] = .string(chance(2) ? "8.1.0" : text())
      case .strings: header[field] = .strings((0..<below(4)).map { _ in chance(4) ? "*" : text() })
      }
    }
    var seen: Set<String> = []
    while chance(3) {
      let name = name()
      guard name != "format", HeaderField.named(name) == nil, seen.insert(name).inserted else {
        continue
      }
      header.unknownFields.append(
        TraceHeader.UnknownField(name: name, json: chance(2) ? json() : "\"a b\""))
    }
    return header
  }

  private mutating func contradiction(of type: HeaderType) -> String {
    let texts = ["null", "{\"a\":1}", "1.5", "[1,\"a\"]", "[[]]"]
    return type != .string && chance(2) ? "\"text\"" : texts[below(texts.count)]
  }

  private mutating func later(_ time: Int64) -> Int64 {
    let steps: [Int64] = [0, 1, 999, 250_000_000, 1_000_000_000, 60_000_000_000, 61_000_000_000]
    let (sum, overflow) = time.addingReportingOverflow(
      chance(2) ? steps[below(steps.count)] : Int64(below(5_000_000_000)))
    return overflow ? time : sum
  }

  private mutating func earlierOrLater(_ time: Int64) -> Int64 {
    time.addingReportingOverflow(Int64(below(3_000)) - 1_500).partialValue
  }

  private mutating func extremeInteger() -> Int64 {
    let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max, 1 << 53, -1_000_000_001]
    return chance(2) ? extremes[below(extremes.count)] : Int64(bitPattern: random.next())
  }

  private mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

  private mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: random.next() % UInt64(max(1, bound)))
  }
}

extension BatchAssembler {
  /// Adds an event that stands on its own. ``isFull`` must be false.
  public mutating func append(_ event: DecodedEvent) {
    begin(
      kind(named: event.kind), event.phase, thread: event.thread,
      timeNanoseconds: event.timeNanoseconds)
    for argument in event.arguments { add(argumentName(argument.name), argument.value) }
    endEvent()
  }
}
