// Takes lines that have been cut into columns: keeps the clock, joins messages of several lines,
// and hands life-cycle messages to the fact log. This file must not know a format or a wording.

import TraceModel

/// What every decoder of logs does with the lines that its grammar understood.
struct MessageIntake: Sendable {
  var log = FactLog()
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

  private var output: CaptureOutput?

  /// Whether the message that waits says something already.
  var isPendingWhole: Bool { MessageReader.shared.read(pending.span) != nil }

  /// Takes a line with columns, which stand at `shift` of it. `name` is what the process is called
  /// if the line doesn't say it.
  @inline(__always)
  mutating func take(
    _ line: Span<UInt8>, _ columns: LogLine, shift: Int, line number: UInt32, name: String? = nil
  ) {
    takePending()
    if let time = columns.time { clock.advance(to: time) }
    let process = columns.process.lowerBound + shift..<columns.process.upperBound + shift
    summary.note(line, process: process, line: number)
    if columns.level.isEmpty {
      hasUnmarkedLevel = true
    } else {
      levels.note(line, columns.level.lowerBound + shift..<columns.level.upperBound + shift)
    }
    let message = columns.message + shift
    guard MessageReader.shared.isCandidate(line, from: message) else { return }
    hold(line.extracting(message..<line.count))
    origin = FactLog.Origin(
      name: name ?? TextRepair.name(line, process), pid: columns.pid, thread: columns.thread,
      timeNanoseconds: clock.nowNanoseconds, line: number, isBare: false)
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
    if let time = columns.time { clock.advance(to: time) }
    summary.note(line, process: columns.process, line: number)
    if !columns.level.isEmpty { levels.note(line, columns.level) }
    guard MessageReader.shared.isCandidate(message, from: 0) else { return }
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
    if let content = MessageReader.shared.read(message.span) {
      log.add(content, of: message.span, from: origin)
    }
    swap(&message, &pending)
  }

  /// Ends the input; `levelName` says what the format's word for a level means.
  mutating func finish(isOfSimulator: Bool = false, levelName: (String) -> String?) {
    guard output == nil else { return }
    takePending()
    var levelNames = hasUnmarkedLevel ? ["default"] : []
    for word in levels.texts {
      if let name = levelName(word), !levelNames.contains(name) { levelNames.append(name) }
    }
    output = CaptureOutput(
      log: log, clock: clock, levelNames: levelNames, summary: summary,
      isOfSimulator: isOfSimulator)
    log = FactLog()
  }

  /// The next step of the capture; `needsInput` until the input has ended.
  mutating func next(into batch: inout EventBatch) -> DecoderStep {
    guard output != nil else { return .needsInput }
    return output?.next(into: &batch) ?? .end
  }
}
