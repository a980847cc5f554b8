// Tries the user's patterns on messages that aren't known, and keeps the account of the lines.
// This file must not know line formats.

import TraceModel

/// What a reader of lines does beside reading known messages.
struct LineMapping: Sendable {
  private let patterns: CapturePatterns
  private var events: MappedEvents
  /// Nil if no account is kept.
  var ledger: LineLedger?

  /// Where the first line of each pattern stands whose text is no value of an argument, and how
  /// many there are.
  private var unreadable: [Int: (argument: Int, place: String, count: Int)] = [:]
  private var candidates: [Int] = []
  private var fields: [Range<Int>] = []
  /// The sections of the configuration that had a pattern for the line.
  private var sections: [String] = []
  private var repaired: [UInt8] = []

  /// Nil if there is nothing to do.
  init?(_ options: LineOptions) {
    guard !options.patterns.isEmpty || options.keepsLedger else { return nil }
    patterns = options.patterns
    events = MappedEvents(options.patterns)
    if options.keepsLedger { ledger = LineLedger() }
  }

  // MARK: Known messages

  /// Notes what became of a message that is known.
  mutating func note(
    _ kind: FactKind, _ outcome: FactLog.Outcome, _ message: Span<UInt8>, line: UInt32
  ) {
    guard ledger != nil else { return }
    switch outcome {
    case .fact, .noted: ledger?.note(kind, message, line: line)
    case .ignored(let reason): ledger?.noteIgnored(reason, message, line: line)
    }
  }

  /// Takes a message that begins like a known one and isn't one.
  mutating func takeNotUnderstood(
    _ message: Span<UInt8>, from origin: FactLog.Origin, clock: CaptureClock,
    into history: inout CaptureHistory
  ) {
    if fits(message, processName: origin.name) {
      _ = take(message, from: origin, clock: clock, into: &history)
    } else {
      ledger?.noteIgnored(.notUnderstood, message, line: origin.line)
    }
  }

  // MARK: Patterns

  /// Whether a pattern is for a message.
  mutating func fits(_ message: Span<UInt8>, processName: String) -> Bool {
    guard !patterns.isEmpty else { return false }
    if TextRepair.isDamaged(message) {
      var text: [UInt8] = []
      TextRepair.append(message, to: &text)
      if fitsExactly(text.span, processName) { return true }
    }
    return fitsExactly(message, processName)
  }

  private mutating func fitsExactly(_ message: Span<UInt8>, _ processName: String) -> Bool {
    patterns.candidates(message, into: &candidates)
    return candidates.contains { isFor($0, message, processName) }
  }

  private mutating func isFor(
    _ index: Int, _ message: Span<UInt8>, _ processName: String
  ) -> Bool {
    patterns.all[index].message.matches(message, fields: &fields)
      && (patterns.all[index].process?.matches(processName) ?? true)
  }

  /// Takes a message that isn't known; whether a pattern is for it.
  mutating func take(
    _ message: Span<UInt8>, from origin: FactLog.Origin, clock: CaptureClock,
    into history: inout CaptureHistory
  ) -> Bool {
    if !patterns.isEmpty {
      // What publishing adds is no part of a field.
      if TextRepair.isDamaged(message), takeRepaired(message, origin, clock, &history) {
        return true
      }
      if takeExactly(message, from: origin, clock: clock, into: &history) { return true }
    }
    ledger?.noteIgnored(.noPattern, message, line: origin.line)
    return false
  }

  /// The same with the escapes of publishing and the colours of terminals taken out.
  private mutating func takeRepaired(
    _ message: Span<UInt8>, _ origin: FactLog.Origin, _ clock: CaptureClock,
    _ history: inout CaptureHistory
  ) -> Bool {
    var text: [UInt8] = []
    swap(&text, &repaired)
    defer { swap(&text, &repaired) }
    text.removeAll(keepingCapacity: true)
    TextRepair.append(message, to: &text)
    return takeExactly(text.span, from: origin, clock: clock, into: &history)
  }

  /// Has the strongest pattern for each section of the configuration take the message: which
  /// section is for the app may only be known later.
  private mutating func takeExactly(
    _ message: Span<UInt8>, from origin: FactLog.Origin, clock: CaptureClock,
    into history: inout CaptureHistory
  ) -> Bool {
    patterns.candidates(message, into: &candidates)
    guard !candidates.isEmpty else { return false }
    sections.removeAll(keepingCapacity: true)
    var alternative = 0
    var isMapped = false
    for place in candidates.indices {
      let index = candidates[place]
      let section = patterns.all[index].apps?.pattern
      if let section, sections.contains(section) { continue }
      guard isFor(index, message, origin.name) else { continue }
      isMapped = true
      if add(index, message, alternative, origin, clock, &history) { alternative += 1 }
      guard let section else { break }
      sections.append(section)
    }
    return isMapped
  }

  /// Makes an event of a line that fits; whether there is one.
  private mutating func add(
    _ index: Int, _ message: Span<UInt8>, _ alternative: Int, _ origin: FactLog.Origin,
    _ clock: CaptureClock, _ history: inout CaptureHistory
  ) -> Bool {
    let outcome: FactLog.Outcome
    do throws(MappedEvents.Refusal) {
      let (values, thread) = try events.values(index, message, fields)
      outcome = history.add(
        mapped: values, pattern: index, alternative: alternative, thread: thread,
        identity: clock.isFine ? Self.hash(message) : nil, from: origin,
        progressNanoseconds: clock.progressNanoseconds)
    } catch {
      unreadable[index, default: (error.argument, origin.words, 0)].count += 1
      ledger?.noteUnreadable(index, argument: error.argument, message, line: origin.line)
      return false
    }
    switch outcome {
    case .fact, .noted:
      ledger?.noteFitting(index, message, line: origin.line)
      return true
    case .ignored(let reason):
      ledger?.noteIgnored(reason, message, line: origin.line)
      return false
    }
  }

  private static func hash(_ message: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for offset in message.indices {
      hash = (hash ^ UInt64(message[offset])) &* 0x0000_0100_0000_01B3
    }
    return hash
  }

  // MARK: Remarks

  /// A sentence for each pattern of which some lines couldn't be used.
  var remarks: [String] {
    unreadable.sorted { $0.key < $1.key }.map { index, row in
      let pattern = patterns.all[index]
      let lines = row.count == 1 ? "1 line fits" : "\(row.count) lines fit"
      return "\(lines) the pattern at \(pattern.origin), but \(pattern.need(row.argument)); the "
        + "first is \(row.place)"
    }
  }
}

extension CapturePattern {
  /// What an argument, or the thread for -1, needs and doesn't get.
  public func need(_ argument: Int) -> String {
    guard arguments.indices.contains(argument) else { return "thread is no whole number" }
    let name = arguments[argument].name.knownText ?? ""
    return "\(name) isn't \(arguments[argument].reading.expectation)"
  }
}

extension CaptureClock {
  /// Whether times tell lines of one millisecond apart.
  fileprivate var isFine: Bool { resolutionNanoseconds.map { $0 <= 1_000_000 } ?? false }
}
