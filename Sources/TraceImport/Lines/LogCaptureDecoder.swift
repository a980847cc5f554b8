// Reads any format of log lines: splits lines and has their columns found.
// This file must not know a grammar or a wording.

import TraceModel

/// A decoder for one grammar. Lines without life-cycle messages cost one scan and no allocation.
///
/// A history can only be told once the whole capture has been seen, because a later line may name
/// the process or show which lines the capture holds: headers and batches come after ``finish()``.
struct LogCaptureDecoder<Grammar: LineGrammar>: CaptureDecoder {
  static var formatName: String { Grammar.formatName }

  private var intake = MessageIntake()

  /// The beginning of a line whose end hasn't been fed.
  private var carry: [UInt8] = []
  private var isTooLong = false
  private var lineNumber: UInt32 = 0
  /// A line once it is repaired.
  private var scratch: [UInt8] = []

  /// Lines joined to a bare message that isn't whole.
  private static var bareJoinsMax: Int { 4 }
  private var bareJoins = 0
  private var lastName = ""
  private var lastPid: Int64?
  /// Whether lines stand in those of another tool; other lines are that tool's own.
  private var isWrapped = false
  /// Whether the first word of a line may be the name of the device: one line without it shows
  /// that it isn't.
  private var mayHaveHost = true

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
    if !carry.isEmpty { takeCarry() }
    intake.finish(isOfSimulator: Grammar.isOfSimulator) { Grammar.levelName($0) }
  }

  mutating func next(into batch: inout EventBatch) -> DecoderStep { intake.next(into: &batch) }

  /// Keeps the beginning of a line, and of a longer one only what is looked at.
  private mutating func stash(_ bytes: Span<UInt8>) {
    let room = ImportLimits.lineBytesMax - carry.count
    if bytes.count > room { isTooLong = true }
    for offset in 0..<min(room, bytes.count) { carry.append(bytes[offset]) }
  }

  private mutating func takeCarry() {
    var line: [UInt8] = []
    swap(&line, &carry)
    if isTooLong { intake.summary.noteTooLong(lineNumber &+ 1) }
    isTooLong = false
    take(line: line.span)
    line.removeAll(keepingCapacity: true)
    swap(&line, &carry)
  }

  private mutating func take(line: Span<UInt8>) {
    if lineNumber < .max { lineNumber += 1 }
    var end = line.count
    if end > ImportLimits.lineBytesMax {
      intake.summary.noteTooLong(lineNumber)
      end = ImportLimits.lineBytesMax
    }
    if end > 0, line[end - 1] == Byte.carriageReturn { end -= 1 }
    var first = 0
    if lineNumber == 1, line.has([0xef, 0xbb, 0xbf], at: 0) { first = 3 }
    guard end > first else { return }
    intake.noteLine()
    takeContent(line.extracting(first..<end))
  }

  private mutating func takeContent(_ line: Span<UInt8>) {
    var mark = 0
    guard var columns = Grammar.columnsBehindMarks(of: line, start: &mark) else {
      takeUnfitting(line)
      return
    }
    if mayHaveHost {
      if columns.hostEnd > columns.process.lowerBound {
        columns.process = columns.hostEnd..<columns.process.upperBound
      } else {
        mayHaveHost = false
      }
    }
    bareJoins = 0
    guard Grammar.bareLinesAreMessages else {
      intake.take(line, columns, shift: mark, line: lineNumber)
      return
    }
    intake.takePending()
    let process = columns.process.lowerBound + mark..<columns.process.upperBound + mark
    rememberProcess(line, process, columns.pid)
    intake.take(line, columns, shift: mark, line: lineNumber, name: lastName)
  }

  /// A line may fit once the escapes of publishing and the colours of a terminal are taken out.
  private mutating func takeUnfitting(_ line: Span<UInt8>) {
    guard TextRepair.isDamaged(line) else {
      takeBare(line)
      return
    }
    var repaired: [UInt8] = []
    swap(&repaired, &scratch)
    repaired.removeAll(keepingCapacity: true)
    TextRepair.append(line, to: &repaired)
    var mark = 0
    if Grammar.columnsBehindMarks(of: repaired.span, start: &mark) != nil {
      takeContent(repaired.span)
    } else {
      takeBare(line)
    }
    swap(&repaired, &scratch)
  }

  /// Bare messages belong to the process that last had a prefix.
  private mutating func rememberProcess(_ line: Span<UInt8>, _ process: Range<Int>, _ pid: Int64?) {
    guard pid != lastPid || lastName.isEmpty else { return }
    lastName = TextRepair.name(line, process)
    lastPid = pid
    intake.log.directory.nameAnonymous(lastName, pid: pid)
  }

  /// A line without columns: a message of its own, or more of the message before it.
  private mutating func takeBare(_ line: Span<UInt8>) {
    let start = Grammar.markEnd(of: line)
    guard start < line.count else { return }
    guard Grammar.bareLinesAreMessages else {
      let wrapper = Grammar.wrapperEnd(of: line)
      if wrapper > 0 { isWrapped = true }
      if Grammar.isHeading(line) { intake.takePending() }
      guard intake.hasPending, !isWrapped || wrapper > 0 else {
        intake.noteUnfitting(line, line: lineNumber)
        return
      }
      intake.join(line.extracting(wrapper..<line.count))
      return
    }
    intake.summary.noteBare()
    if MessageReader.shared.isCandidate(line, from: start) {
      intake.takeBare(
        line.extracting(start..<line.count), name: lastName, pid: lastPid, line: lineNumber)
      bareJoins = 0
    } else if maps(line, from: start) {
      bareJoins = 0
    } else if intake.hasPending, bareJoins < Self.bareJoinsMax, !intake.isPendingWhole {
      bareJoins += 1
      intake.join(line)
    } else {
      intake.takePending()
      intake.noteUnmapped(line, line: lineNumber)
    }
  }

  /// Whether a pattern of the user is for a bare line, as it is or behind the marks of publishing.
  private mutating func maps(_ line: Span<UInt8>, from start: Int) -> Bool {
    if intake.mapsBare(line, name: lastName, pid: lastPid, line: lineNumber) { return true }
    guard start > 0 else { return false }
    return intake.mapsBare(
      line.extracting(start..<line.count), name: lastName, pid: lastPid, line: lineNumber)
  }
}

extension LogCaptureDecoder: LineDecoder {
  mutating func prepare(_ options: LineOptions) { intake.prepare(options) }

  var ledger: LineLedger? { intake.ledger }
}
