// Finds the pattern of a message and reads its parts. This file must not know any pattern.

import TraceModel

/// The compiled table of patterns.
///
/// A message is looked at in two steps: ``isCandidate(_:from:)`` sees the bytes of every line and
/// compares the starts of the few patterns that begin with the message's first byte, without
/// allocating; ``read(_:)`` sees the whole message of the few lines that passed.
struct MessageReader: Sendable {
  static let shared = MessageReader(MessagePattern.all)

  private let patterns: [MessagePattern]
  /// The patterns whose messages start with a byte; index: the byte.
  private let patternsByFirstByte: [[Int]]
  private let targetPatterns: [Int]
  private let locationPatterns: [Int]
  /// Bytes of the longest start, target not counted.
  private let startBytesMax: Int
  /// Finds lines that may mean something; nil if a pattern has no text to look for.
  let scanner: LiteralScanner?

  private static let hiddenValue = bytes("<private>")
  private static let nothing = bytes("(null)")
  private static let wrappedTarget = bytes("app<")
  private static let applicationJob = bytes("UIKitApplication:")

  init(_ patterns: [MessagePattern]) {
    self.patterns = patterns
    var byFirstByte = [[Int]](repeating: [], count: 256)
    var targets: [Int] = []
    var locations: [Int] = []
    for (index, pattern) in patterns.enumerated() {
      if pattern.subject == .leadingTarget {
        targets.append(index)
      } else if pattern.isBehindLocation {
        locations.append(index)
      } else if let first = pattern.start.first {
        byFirstByte[Int(first)].append(index)
      }
    }
    patternsByFirstByte = byFirstByte
    targetPatterns = targets
    locationPatterns = locations
    scanner = LiteralScanner(patterns.map(\.literal))
    startBytesMax = patterns.reduce(0) { max($0, $1.start.count) }
  }

  /// Whether the message that begins at an offset of a line may mean something.
  @inline(__always)
  func isCandidate(_ line: Span<UInt8>, from offset: Int) -> Bool {
    guard offset < line.count else { return false }
    let first = line[offset]
    if first == Byte.openBracket || first == 97 || first == Byte.backslash
      || first == TextRepair.escape
    {
      return isUnusualCandidate(line, from: offset)
    }
    let candidates = patternsByFirstByte[Int(first)]
    for index in candidates where line.has(patterns[index].start, at: offset) { return true }
    if located(line, from: offset) != nil { return true }
    return !candidates.isEmpty && isDamagedCandidate(line, from: offset)
  }

  /// Targets, and messages whose first byte is escaped.
  private func isUnusualCandidate(_ line: Span<UInt8>, from offset: Int) -> Bool {
    for index in patternsByFirstByte[Int(line[offset])]
    where line.has(patterns[index].start, at: offset) {
      return true
    }
    var place = offset
    if AppTarget.read(line, at: &place) != nil {
      for index in targetPatterns where line.has(patterns[index].start, at: place) { return true }
    }
    return located(line, from: offset) != nil || isDamagedCandidate(line, from: offset)
  }

  /// The pattern that fits behind the place in the source with which a message begins, and where
  /// that place ends.
  private func located(_ line: Span<UInt8>, from offset: Int) -> (pattern: Int, end: Int)? {
    guard let end = SourceLocation.end(in: line, from: offset) else { return nil }
    for index in locationPatterns where line.has(patterns[index].start, at: end) {
      // The runtime says no more, or goes on with a colon; other words are an app's own.
      let place = end + patterns[index].start.count
      if place == line.count || line[place] == Byte.colon { return (index, end) }
    }
    return nil
  }

  /// Whether the start of a message fits once publishing's escapes are taken out.
  private func isDamagedCandidate(_ line: Span<UInt8>, from offset: Int) -> Bool {
    let end = min(line.count, offset + startBytesMax)
    var isDamaged = false
    for place in offset..<end where TextRepair.isMark(line[place]) {
      isDamaged = true
      break
    }
    guard isDamaged else { return false }
    // A start and a target, each with an escape before every second byte.
    let window = min(line.count, offset + 2 * startBytesMax + ImportLimits.nameBytesMax)
    var repaired: [UInt8] = []
    TextRepair.append(line.extracting(offset..<window), to: &repaired)
    return hasPattern(repaired.span)
  }

  private func hasPattern(_ message: Span<UInt8>) -> Bool {
    guard !message.isEmpty else { return false }
    for index in patternsByFirstByte[Int(message[0])]
    where message.has(patterns[index].start, at: 0) {
      return true
    }
    var place = 0
    guard AppTarget.read(message, at: &place) != nil else { return false }
    return targetPatterns.contains { message.has(patterns[$0].start, at: place) }
  }

  /// What a whole, repaired message says; nil if it says nothing.
  func read(_ message: Span<UInt8>) -> MessageContent? {
    guard !message.isEmpty else { return nil }
    for index in patternsByFirstByte[Int(message[0])] {
      let pattern = patterns[index]
      guard message.has(pattern.start, at: 0) else { continue }
      if let content = read(message, pattern, behind: pattern.start.count, nil) { return content }
    }
    if let (index, end) = located(message, from: 0) {
      return read(message, patterns[index], behind: end, nil)
    }
    var place = 0
    guard let target = AppTarget.read(message, at: &place) else { return nil }
    for index in targetPatterns where message.has(patterns[index].start, at: place) {
      // Parts of such patterns name the start again, so that a row reads as one sentence.
      if let content = read(message, patterns[index], behind: place, target) { return content }
    }
    return nil
  }

  private func read(
    _ message: Span<UInt8>, _ pattern: MessagePattern, behind start: Int, _ target: AppTarget?
  ) -> MessageContent? {
    var content = MessageContent(
      kind: pattern.kind, subject: pattern.subject, number: pattern.number, exit: pattern.exit)
    content.from = pattern.from
    if let target { content.setTarget(target) }
    var offset = start
    for part in pattern.parts {
      let isRead = read(part, message, at: &offset, into: &content)
      if !isRead && part.isRequired { return nil }
    }
    return content
  }

  /// Reads one part and moves the offset behind it; leaves it where the part isn't there.
  private func read(
    _ part: MessagePattern.Part, _ message: Span<UInt8>, at offset: inout Int,
    into content: inout MessageContent
  ) -> Bool {
    guard let place = message.find(part.after, from: offset) else {
      // "Created background task <private>.": the object is hidden, and the number with it.
      guard part.slot == .token, message.has(Self.hiddenValue, at: offset) else { return false }
      content.token = .hidden
      return true
    }
    var end = place + part.after.count
    switch part.slot {
    case .presence: break
    case .token:
      if message.has(Self.hiddenValue, at: end) {
        content.token = .hidden
        end += Self.hiddenValue.count
      } else {
        guard let number = message.decimal(at: &end) else { return false }
        guard part.upTo.isEmpty || message.has(part.upTo, at: end) else { return false }
        content.token = .number(number)
      }
    case .name:
      guard let stop = message.find(part.upTo, from: end) else { return false }
      guard !message.has(Self.hiddenValue, at: end) else { break }
      content.name = end..<stop
      end = stop
    case .handler:
      if message.has(Self.nothing, at: end) {
        content.hasHandler = .no
      } else if end < message.count, !message.has(Self.hiddenValue, at: end) {
        content.hasHandler = .yes
      }
    case .reason:
      guard let number = message.decimal(at: &end) else { return false }
      content.number = number
    case .fromMask:
      guard let number = message.decimal(at: &end) else { return false }
      content.from = number
    case .toMask:
      guard let number = message.decimal(at: &end) else { return false }
      content.to = number
    case .target:
      // Observers print the target without its process id, and requests print other things first.
      guard let target = target(message, at: &end) else { return false }
      content.setTarget(target)
    case .directTarget:
      guard let target = AppTarget.read(message, at: &end) else { return false }
      content.setTarget(target)
    case .process:
      guard let stop = message.find(part.upTo, from: end), stop > end,
        stop - end <= ImportLimits.nameBytesMax
      else { return false }
      content.process = end..<stop
      end = stop
    case .assertion:
      let start = end
      while end < message.count, message[end] &- 48 < 10 || message[end] == Byte.minus { end += 1 }
      guard end > start, end - start <= ImportLimits.nameBytesMax else { return false }
      content.assertion = start..<end
    case .pid:
      guard let number = message.decimal(at: &end), let number = Int64(exactly: number) else {
        return false
      }
      content.pid = number
    case .bundle:
      guard let stop = message.find(part.upTo, from: end), stop > end,
        stop - end <= ImportLimits.nameBytesMax
      else { return false }
      content.bundle = bundle(message, end..<stop)
      end = stop
    case .taskState, .visibility, .suspension, .termination, .launchdStatus, .launchdSignal,
      .printedSignal, .allowance, .reactState, .explanation:
      return readWord(part, message, at: &offset, end, into: &content)
    }
    offset = end
    return true
  }

  private func readWord(
    _ part: MessagePattern.Part, _ message: Span<UInt8>, at offset: inout Int, _ start: Int,
    into content: inout MessageContent
  ) -> Bool {
    if part.slot == .explanation {
      content.exit?.explanation = explanation(part, message, from: start)
      // What stands in the words is read by the parts that follow.
      return true
    }
    offset = start
    switch part.slot {
    case .reactState:
      guard let state = ReactState.read(message, from: start) else { return false }
      content.number = state.rawValue
    case .taskState:
      content.from = word(message, start, Words.running, Words.suspended)
    case .visibility:
      content.to = word(message, start, Words.foreground, Words.background)
    case .suspension:
      content.from = word(message, start, Words.active, Words.suspendedState)
      if content.from == 0 {
        content.from = word(message, start, Words.runningActive, Words.runningSuspended)
      }
    case .termination:
      if var exit = content.exit {
        TerminationText.read(message, from: start, into: &exit)
        content.exit = exit
      }
    case .launchdStatus:
      guard var exit = content.exit,
        TerminationText.readLaunchdStatus(message, from: start, into: &exit)
      else { return false }
      content.exit = exit
    case .launchdSignal:
      // `Killed: 9`: a name and the number.
      guard let colon = message.first(Byte.colon, from: start, to: start + 64) else { return false }
      var place = colon + 1
      message.skip(Byte.space, at: &place)
      guard let number = message.decimal(at: &place), let number = Int64(exactly: number) else {
        return false
      }
      content.exit?.setSignal(number)
    case .printedSignal:
      // By a handler of the app's: the system itself says nothing.
      var place = start
      guard let number = message.decimal(at: &place) else { return false }
      content.exit?.signal = Int64(exactly: number)
    case .allowance:
      content.exit?.allowanceSeconds = TerminationText.decimalNumber(message, from: start)
    default: return false
    }
    return true
  }

  /// The system's words: up to a mark, or to where such words end.
  private func explanation(
    _ part: MessagePattern.Part, _ message: Span<UInt8>, from start: Int
  ) -> String? {
    guard !part.upTo.isEmpty else {
      return TerminationText.explanation(message, from: start).map {
        TerminationText.withoutLastBracket($0)
      }
    }
    guard let end = message.find(part.upTo, from: start), end > start else { return nil }
    return message.text(start..<end)
  }

  private enum Words {
    static let running = bytes("Running")
    static let suspended = bytes("Suspended")
    static let foreground = bytes("Foreground")
    static let background = bytes("Background")
    static let active = bytes("active")
    static let suspendedState = bytes("suspended")
    static let runningActive = bytes("running-active")
    static let runningSuspended = bytes("running-suspended")
  }

  private func word(
    _ message: Span<UInt8>, _ place: Int, _ one: [UInt8], _ two: [UInt8]
  ) -> UInt64 {
    message.has(one, at: place) ? 1 : message.has(two, at: place) ? 2 : 0
  }

  private func target(_ message: Span<UInt8>, at offset: inout Int) -> AppTarget? {
    if let target = AppTarget.read(message, at: &offset) { return target }
    // A predicate may wrap the target.
    guard let place = message.find(Self.wrappedTarget, from: offset),
      place - offset < ImportLimits.nameBytesMax
    else { return nil }
    // In parentheses stands who hosts a service, as in `xpcservice<name([app<bundle>:41])>:50`.
    let before = place > 0 && message[place - 1] == Byte.openBracket ? place - 2 : place - 1
    if before >= 0, message[before] == Byte.openParenthesis { return nil }
    offset = place
    return AppTarget.read(message, at: &offset)
  }

  /// The bundle inside `UIKitApplication:bundle[0x1a2b]`, or the text itself.
  private func bundle(_ message: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    if message.has(Self.applicationJob, at: start) { start += Self.applicationJob.count }
    let end = message.first(Byte.openBracket, from: start, to: range.upperBound)
    return start..<max(start, end ?? range.upperBound)
  }
}
