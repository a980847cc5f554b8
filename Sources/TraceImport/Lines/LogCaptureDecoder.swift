// Reads any format of log lines: splits lines, keeps the clock, joins messages of several lines,
// and hands life-cycle messages to the fact log. This file must not know a grammar or a wording.

import TraceModel

/// A decoder for one grammar. Lines without life-cycle messages cost one scan and no allocation.
///
/// A history can only be told once the whole capture has been seen, because a later line may name
/// the process or show which lines the capture holds: headers and batches come after ``finish()``.
struct LogCaptureDecoder<Grammar: LineGrammar>: CaptureDecoder {
  static var formatName: String { Grammar.formatName }

  private var log = FactLog()
  private var clock = CaptureClock()
  private var levels = LevelWords()
  private var summary = CaptureSummary()

  /// The beginning of a line whose end hasn't been fed.
  private var carry: [UInt8] = []
  private var isTooLong = false
  private var lineNumber: UInt32 = 0

  /// The life-cycle message that following lines may go on with.
  private var pending: [UInt8] = []
  private var origin = FactLog.Origin(
    name: "", pid: nil, thread: nil, timeNanoseconds: 0, line: 0, isBare: true)
  private var hasPending = false

  private var output: CaptureOutput?

  /// Lines joined to a bare message that isn't whole.
  private static var bareJoinsMax: Int { 4 }
  private var bareJoins = 0
  private var lastName = ""
  private var lastPid: Int64?

  init() {}

  mutating func feed(_ bytes: Span<UInt8>) {
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != Byte.newline { end += 1 }
      if end == bytes.count || !carry.isEmpty || isTooLong {
        stash(bytes.extracting(start..<end))
        if end < bytes.count { takeCarry() }
      } else {
        take(line: bytes.extracting(start..<end))
      }
      start = end + 1
    }
  }

  mutating func finish() {
    guard output == nil else { return }
    if !carry.isEmpty { takeCarry() }
    takePending()
    var levelNames: [String] = []
    for word in levels.texts {
      if let name = Grammar.levelName(word), !levelNames.contains(name) { levelNames.append(name) }
    }
    output = CaptureOutput(
      log: log, clock: clock, levelNames: levelNames, summary: summary)
    log = FactLog()
  }

  mutating func next(into batch: inout EventBatch) -> DecoderStep {
    guard output != nil else { return .needsInput }
    return output?.next(into: &batch) ?? .end
  }

  /// Keeps the beginning of a line, and of a longer one only what is looked at.
  private mutating func stash(_ bytes: Span<UInt8>) {
    let room = ImportLimits.lineBytesMax - carry.count
    if bytes.count > room { isTooLong = true }
    for offset in 0..<min(room, bytes.count) { carry.append(bytes[offset]) }
  }

  private mutating func takeCarry() {
    var line: [UInt8] = []
    swap(&line, &carry)
    if isTooLong { summary.noteTooLong(lineNumber &+ 1) }
    isTooLong = false
    take(line: line.span)
    line.removeAll(keepingCapacity: true)
    swap(&line, &carry)
  }

  private mutating func take(line: Span<UInt8>) {
    if lineNumber < .max { lineNumber += 1 }
    var end = line.count
    if end > ImportLimits.lineBytesMax {
      summary.noteTooLong(lineNumber)
      end = ImportLimits.lineBytesMax
    }
    if end > 0, line[end - 1] == Byte.carriageReturn { end -= 1 }
    var first = 0
    if lineNumber == 1, line.has([0xef, 0xbb, 0xbf], at: 0) { first = 3 }
    guard end > first else { return }
    takeContent(line.extracting(first..<end))
  }

  private mutating func takeContent(_ line: Span<UInt8>) {
    var mark = 0
    guard let columns = Grammar.columnsBehindMarks(of: line, start: &mark) else {
      takeUnfitting(line)
      return
    }
    takePending()
    if let time = columns.time { clock.advance(to: time) }
    let process = columns.process.lowerBound + mark..<columns.process.upperBound + mark
    summary.note(line, process: process, line: lineNumber)
    if !columns.level.isEmpty {
      levels.note(line, columns.level.lowerBound + mark..<columns.level.upperBound + mark)
    }
    let message = columns.message + mark
    if Grammar.bareLinesAreMessages { rememberProcess(line, process, columns.pid) }
    guard MessageReader.shared.isCandidate(line, from: message) else { return }
    hold(line.extracting(message..<line.count))
    origin = FactLog.Origin(
      name: Grammar.bareLinesAreMessages ? lastName : line.text(process), pid: columns.pid,
      thread: columns.thread, timeNanoseconds: clock.nowNanoseconds, line: lineNumber,
      isBare: false)
  }

  /// A line may fit once the escapes of publishing are taken out.
  private mutating func takeUnfitting(_ line: Span<UInt8>) {
    if line.first(Byte.backslash, from: 0, to: line.count) != nil {
      var repaired: [UInt8] = []
      TextRepair.append(line, to: &repaired)
      var mark = 0
      if Grammar.columnsBehindMarks(of: repaired.span, start: &mark) != nil {
        takeContent(repaired.span)
        return
      }
    }
    takeBare(line)
  }

  /// Bare messages belong to the process that last had a prefix.
  private mutating func rememberProcess(_ line: Span<UInt8>, _ process: Range<Int>, _ pid: Int64?) {
    guard pid != lastPid || lastName.isEmpty else { return }
    lastName = line.text(process)
    lastPid = pid
    log.directory.nameAnonymous(lastName, pid: pid)
  }

  /// A line without columns: a message of its own, or more of the message before it.
  private mutating func takeBare(_ line: Span<UInt8>) {
    let start = Grammar.markEnd(of: line)
    guard start < line.count else { return }
    guard Grammar.bareLinesAreMessages else {
      if hasPending { join(line) }
      return
    }
    summary.noteBare()
    if MessageReader.shared.isCandidate(line, from: start) {
      takePending()
      hold(line.extracting(start..<line.count))
      origin = FactLog.Origin(
        name: lastName, pid: lastPid, thread: nil, timeNanoseconds: clock.nowNanoseconds,
        line: lineNumber, isBare: true)
    } else if hasPending {
      guard bareJoins < Self.bareJoinsMax, MessageReader.shared.read(pending.span) == nil else {
        takePending()
        return
      }
      bareJoins += 1
      join(line)
    }
  }

  private mutating func hold(_ message: Span<UInt8>) {
    pending.removeAll(keepingCapacity: true)
    TextRepair.append(message, to: &pending)
    hasPending = true
    bareJoins = 0
  }

  /// Adds a line to the message, with one blank in place of the line break.
  private mutating func join(_ line: Span<UInt8>) {
    guard pending.count < ImportLimits.messageBytesMax else { return }
    while let last = pending.last, last == Byte.space || last == Byte.tab { pending.removeLast() }
    pending.append(Byte.space)
    var start = 0
    while start < line.count, line[start] == Byte.space || line[start] == Byte.tab { start += 1 }
    let room = ImportLimits.messageBytesMax - pending.count
    let end = start + min(max(room, 0), line.count - start)
    TextRepair.append(line.extracting(start..<end), to: &pending)
  }

  private mutating func takePending() {
    guard hasPending else { return }
    hasPending = false
    var message: [UInt8] = []
    swap(&message, &pending)
    if let content = MessageReader.shared.read(message.span) {
      log.add(content, of: message.span, from: origin)
    }
    swap(&message, &pending)
  }
}
