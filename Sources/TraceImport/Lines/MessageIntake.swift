// Takes lines that have been cut into columns: keeps the clock, joins messages of several lines,
// and hands life-cycle messages to the fact log. This file must not know a format or a wording.

import TraceModel

/// What every decoder of logs does with the lines that its grammar understood.
struct MessageIntake: Sendable {
  var history = CaptureHistory()
  var summary = CaptureSummary()
  private(set) var clock = CaptureClock()
  private var levels = LevelWords()
  /// Whether a line has no level: formats that print some leave out the default one.
  private var hasUnmarkedLevel = false

  /// The life-cycle message that following lines may go on with.
  private var pending: [UInt8] = []
  private var origin = FactLog.Origin(
    name: "", pid: nil, thread: nil, timeNanoseconds: 0, line: 0, isBare: true)
  private(set) var hasPending = false
  private var notedLevelCount = 0

  /// Where messages go instead, if they are to be merged with those of other logs.
  var collector: MessageCollector?
  /// What the format's word for a level means; nil if it is no level.
  private let levelName: @Sendable (String) -> String?
  /// Tries the user's patterns, and keeps the account of the lines; nil if neither was asked for.
  private var mapping: LineMapping?
  private var ending: CaptureEnding?

  /// - Parameters:
  ///   - isOfSimulator: Whether only simulators print the format.
  ///   - hasProcessIDs: Whether its lines say the number of the process that logs them.
  init(
    isOfSimulator: Bool = false, hasProcessIDs: Bool = true,
    levelName: @escaping @Sendable (String) -> String?
  ) {
    self.levelName = levelName
    history.circumstances.isOfSimulator = isOfSimulator
    history.circumstances.hasProcessIDs = hasProcessIDs
  }

  /// Whether the message that waits says something already.
  var isPendingWhole: Bool { MessageReader.shared.read(pending.span) != nil }

  /// Takes a line with columns, which stand at `shift` of it. `name` is what the process is called
  /// if the line doesn't say it.
  @inline(__always)
  mutating func take(
    _ line: Span<UInt8>, _ columns: LogLine, shift: Int, line number: UInt32, name: String? = nil
  ) {
    takePending()
    if let time = columns.time { advance(to: time) }
    let process = columns.process.lowerBound + shift..<columns.process.upperBound + shift
    summary.note(line, process: process, line: number)
    if columns.level.isEmpty {
      hasUnmarkedLevel = true
    } else {
      levels.note(line, columns.level.lowerBound + shift..<columns.level.upperBound + shift)
    }
    let message = columns.message + shift
    guard MessageReader.shared.isCandidate(line, from: message) else {
      guard mapping != nil, message <= line.count else { return }
      let origin = FactLog.Origin(
        name: name ?? TextRepair.name(line, process), pid: columns.pid, thread: columns.thread,
        timeNanoseconds: clock.nowNanoseconds, line: number, isBare: false)
      let whole = columns.wholeMessage + shift
      if columns.wholeMessage > 0,
        mapping?.fits(line.extracting(whole..<line.count), processName: origin.name) == true
      {
        _ = map(line.extracting(whole..<line.count), from: origin)
      } else {
        _ = map(line.extracting(message..<line.count), from: origin)
      }
      return
    }
    hold(line.extracting(message..<line.count))
    origin = FactLog.Origin(
      name: name ?? TextRepair.name(line, process), pid: columns.pid, thread: columns.thread,
      timeNanoseconds: clock.nowNanoseconds, line: number, isBare: false)
  }

  // MARK: Patterns of the user

  /// Sets how lines are read, before the first of them.
  mutating func prepare(_ options: LineOptions) {
    history.log.patterns = options.patterns
    mapping = LineMapping(options)
  }

  /// Whether no line may be passed over unread: any may be one of a pattern, or is counted.
  var readsEveryLine: Bool { mapping != nil }

  /// What became of the lines so far; nil if no account is kept.
  var ledger: LineLedger? {
    guard var ledger = mapping?.ledger else { return nil }
    ledger.ofOtherApps = history.linesOfOtherApps
    return ledger
  }

  /// Counts a line of the input.
  @inline(__always)
  mutating func noteLine() {
    if mapping != nil { mapping?.ledger?.lineCount += 1 }
  }

  /// Notes a line that no format fits and that is part of no message.
  mutating func noteUnfitting(_ line: Span<UInt8>, line number: UInt32) {
    mapping?.ledger?.noteIgnored(.notOfFormat, line, line: number)
  }

  /// Notes a message without columns that is neither known nor one of a pattern.
  mutating func noteUnmapped(_ message: Span<UInt8>, line number: UInt32) {
    mapping?.ledger?.noteIgnored(.noPattern, message, line: number)
  }

  /// Takes a message that isn't one of those that are known; whether a pattern is for it.
  private mutating func map(_ message: Span<UInt8>, from origin: FactLog.Origin) -> Bool {
    if collector != nil { return collect(message, from: origin) }
    noteCircumstances()
    return mapping?.take(message, from: origin, clock: clock, into: &history) ?? false
  }

  /// Takes a message without columns if a pattern of the user is for it.
  mutating func mapsBare(
    _ message: Span<UInt8>, name: String, pid: Int64?, line number: UInt32
  ) -> Bool {
    guard mapping?.fits(message, processName: name) == true else { return false }
    takePending()
    let origin = FactLog.Origin(
      name: name, pid: pid, thread: nil, timeNanoseconds: clock.nowNanoseconds, line: number,
      isBare: true)
    return map(message, from: origin)
  }

  /// Takes a message without columns that is one of its own.
  mutating func takeBare(_ message: Span<UInt8>, name: String, pid: Int64?, line number: UInt32) {
    takePending()
    hold(message)
    origin = FactLog.Origin(
      name: name, pid: pid, thread: nil, timeNanoseconds: clock.nowNanoseconds, line: number,
      isBare: true)
  }

  /// Takes a message whose text isn't part of a line; what the columns say of it stands in `line`.
  mutating func take(
    message: Span<UInt8>, _ columns: LogLine, of line: Span<UInt8>, line number: UInt32
  ) {
    takePending()
    if let time = columns.time { advance(to: time) }
    summary.note(line, process: columns.process, line: number)
    if !columns.level.isEmpty { levels.note(line, columns.level) }
    guard MessageReader.shared.isCandidate(message, from: 0) else {
      guard mapping != nil else { return }
      let origin = FactLog.Origin(
        name: TextRepair.name(line, columns.process), pid: columns.pid, thread: columns.thread,
        timeNanoseconds: clock.nowNanoseconds, line: number, isBare: false)
      _ = map(message, from: origin)
      return
    }
    hold(message)
    origin = FactLog.Origin(
      name: TextRepair.name(line, columns.process), pid: columns.pid, thread: columns.thread,
      timeNanoseconds: clock.nowNanoseconds, line: number, isBare: false)
  }

  private mutating func hold(_ message: Span<UInt8>) {
    pending.removeAll(keepingCapacity: true)
    let end = min(message.count, ImportLimits.messageBytesMax)
    TextRepair.append(message.extracting(0..<end), to: &pending)
    hasPending = true
  }

  /// Adds a line to the message, with one blank in place of the line break.
  mutating func join(_ line: Span<UInt8>) {
    mapping?.ledger?.noteJoined()
    guard pending.count < ImportLimits.messageBytesMax else { return }
    while let last = pending.last, last == Byte.space || last == Byte.tab { pending.removeLast() }
    pending.append(Byte.space)
    var start = 0
    while start < line.count, line[start] == Byte.space || line[start] == Byte.tab { start += 1 }
    let room = ImportLimits.messageBytesMax - pending.count
    let end = start + min(max(room, 0), line.count - start)
    TextRepair.append(line.extracting(start..<end), to: &pending)
  }

  /// Reads the message that waits, as nothing can follow it any more.
  mutating func takePending() {
    guard hasPending else { return }
    hasPending = false
    var message: [UInt8] = []
    swap(&message, &pending)
    if collector != nil {
      collect(message.span, from: origin)
    } else if let content = MessageReader.shared.read(message.span),
      !content.kind.isOnlyTold || mapping?.fits(message.span, processName: origin.name) != true
    {
      noteCircumstances()
      let outcome = history.add(
        content, of: message.span, from: origin,
        progressNanoseconds: clock.progressNanoseconds)
      noteOutcome(outcome)
      mapping?.note(content.kind, outcome, message.span, line: origin.line)
    } else if mapping != nil {
      noteCircumstances()
      mapping?.takeNotUnderstood(message.span, from: origin, clock: clock, into: &history)
    }
    swap(&message, &pending)
  }

  /// Tells the clock whether the capture holds a message twice.
  private mutating func noteOutcome(_ outcome: FactLog.Outcome) {
    switch outcome {
    case .fact: clock.noteMessage(isRepeated: false)
    case .ignored(.repeated): clock.noteMessage(isRepeated: true)
    case .noted, .ignored: return
    }
    takeOverSteps()
  }

  @inline(__always)
  private mutating func advance(to time: LogTime) {
    clock.advance(to: time)
    takeOverSteps()
    history.settle(at: clock.progressNanoseconds)
  }

  /// Tells the history where the clock was set.
  @inline(__always)
  private mutating func takeOverSteps() {
    history.clockStepCount = clock.steps.count
    history.log.setBackNanoseconds = clock.steps.setBackNanoseconds
  }

  /// Tells the history what the columns of lines show.
  private mutating func noteCircumstances() {
    let levelCount = levels.count + (hasUnmarkedLevel ? 1 : 0)
    guard
      levelCount != notedLevelCount
        || history.circumstances.resolutionNanoseconds != clock.resolutionNanoseconds
    else { return }
    notedLevelCount = levelCount
    var names = hasUnmarkedLevel ? ["default"] : []
    for word in levels.texts {
      if let name = levelName(word), !names.contains(name) { names.append(name) }
    }
    history.circumstances.levelNames = names
    history.circumstances.resolutionNanoseconds = clock.resolutionNanoseconds
    history.circumstances.wallClock = clock.wallClock
    history.circumstances.firstLine = summary.firstLine
    history.circumstances.version += 1
  }

  // MARK: Several logs

  /// The process that bare lines turned out to be of.
  mutating func nameAnonymous(_ name: String, pid: Int64?) {
    if collector == nil {
      history.log.directory.nameAnonymous(name, pid: pid)
    } else {
      collector?.nameAnonymous(name)
    }
  }

  /// Keeps a message for those who merge logs; whether it says anything.
  @discardableResult
  private mutating func collect(_ message: Span<UInt8>, from origin: FactLog.Origin) -> Bool {
    let kind = MessageReader.shared.read(message)?.kind
    guard
      kind?.isOnlyTold == false || mapping?.fits(message, processName: origin.name) == true
    else { return false }
    collector?.take(message, origin, clock.steps)
    return true
  }

  /// Says before its first message what is known of several logs that are read as one.
  mutating func begin(
    _ clock: CaptureClock, levelNames: [String], firstLine: UInt32, lineCount: Int
  ) {
    self.clock = clock
    history.circumstances.levelNames = levelNames
    history.circumstances.resolutionNanoseconds = clock.resolutionNanoseconds
    history.circumstances.wallClock = clock.wallClock
    history.circumstances.firstLine = firstLine
    summary.noteSifted(lineCount)
  }

  /// Takes a message that was collected from one of several logs.
  ///
  /// - Returns: The process if the message tells of its end.
  mutating func take(_ message: LogMessage) -> UInt16? {
    clock.advance(toShared: message.timeNanoseconds)
    history.settle(at: clock.progressNanoseconds)
    if let name = message.namedProcess { nameAnonymous(name, pid: message.pid) }
    if message.isAfterClockStep { history.clockStepCount &+= 1 }
    history.log.setBackNanoseconds = message.setBackNanoseconds
    let text = message.bytes.span
    guard let content = MessageReader.shared.read(text), !content.kind.isOnlyTold else {
      mapping?.takeNotUnderstood(text, from: message.origin, clock: clock, into: &history)
      return nil
    }
    let outcome = history.add(
      content, of: text, from: message.origin, progressNanoseconds: clock.progressNanoseconds)
    guard case .fact(let fact) = outcome, fact.kind == .exit else { return nil }
    return fact.process
  }

  /// Gives out what is settled, for a live input.
  mutating func flush(silentNanoseconds: Int64) {
    guard ending == nil else { return }
    let isSilent = silentNanoseconds >= CaptureHistory.silentNanosecondsMin
    if isSilent, silentNanoseconds >= Self.openNanosecondsMax || !isPendingOpen { takePending() }
    noteCircumstances()
    history.flush(
      silentNanoseconds: silentNanoseconds, progressNanoseconds: clock.progressNanoseconds)
  }

  /// How long the rest of a message may be awaited whose end is missing for certain.
  private static let openNanosecondsMax: Int64 = 5_000_000_000
  private static let context = bytes("<RBSTerminateContext|")

  /// Whether the message that waits is cut off inside the context of a termination, which is most
  /// of what it says.
  private var isPendingOpen: Bool {
    guard hasPending, let start = pending.span.find(Self.context, from: 0) else { return false }
    var depth = 0
    for byte in pending[start...] {
      if byte == Byte.openAngle { depth += 1 } else if byte == Byte.closeAngle { depth -= 1 }
      if depth == 0 { return false }
    }
    return true
  }

  private static let clockWarning =
    "the clock of the log, which names no time zone, was set while it was written, or some lines "
    + "are very late; deadlines across these places are not judged"

  /// Ends the input.
  mutating func finish() {
    guard ending == nil else { return }
    takePending()
    for remark in mapping?.remarks ?? [] { history.log.warn(remark) }
    noteCircumstances()
    history.finish()
    if history.hasClockStep { history.log.warn(Self.clockWarning) }
    ending = CaptureEnding(history, summary)
  }

  /// The next step of the capture; `needsInput` where nothing is settled.
  mutating func next(into batch: inout EventBatch) -> DecoderStep {
    if let step = history.next(into: &batch) { return step }
    return ending?.next() ?? .needsInput
  }
}
