// Reads any format of log lines: splits lines and has their columns found.
// This file must not know a grammar or a wording.

import TraceModel

/// A decoder for one grammar. Lines without life-cycle messages cost one scan and no allocation.
///
/// All lines of the beginning are read. Of what follows, only those that hold a text of a pattern
/// are, what goes on with them, and one now and then for its time.
struct LogCaptureDecoder<Grammar: LineGrammar>: CaptureDecoder {
  static var formatName: String { Grammar.formatName }

  var intake = MessageIntake(
    isOfSimulator: Grammar.isOfSimulator, hasProcessIDs: Grammar.hasProcessIDs
  ) { Grammar.levelName($0) }
  private var sieve = LineSieve()

  /// The beginning of a line whose end hasn't been fed.
  private var carry: [UInt8] = []
  private var isTooLong = false
  private var lineNumber: UInt32 = 0
  /// A line once it is repaired.
  private var scratch: [UInt8] = []
  /// The line that was passed over last and behind which none has been read. Its time is that of
  /// the capture's end, which only those who merge captures ask for.
  private var lastPassed: [UInt8] = []

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
      if carry.isEmpty, !isTooLong {
        sieve.lineStart = sieve.fedCount + start
        if isSifting {
          start = sift(bytes, from: start)
          continue
        }
      }
      let end = bytes.first(Byte.newline, from: start, to: bytes.count) ?? bytes.count
      if end == bytes.count || !carry.isEmpty || isTooLong {
        stash(bytes.extracting(start..<end))
        if end < bytes.count { takeCarry() }
      } else {
        take(line: bytes.extracting(start..<end))
      }
      start = end + 1
    }
    sieve.fedCount += bytes.count
  }

  mutating func finish() {
    if !carry.isEmpty { takeCarry() }
    if !lastPassed.isEmpty {
      var line: [UInt8] = []
      swap(&line, &lastPassed)
      if line.last == Byte.carriageReturn { line.removeLast() }
      takeContent(line.span)
    }
    intake.finish()
  }

  mutating func flush(silentNanoseconds: Int64) {
    intake.flush(silentNanoseconds: silentNanoseconds)
  }

  mutating func next(into batch: inout EventBatch) -> DecoderStep { intake.next(into: &batch) }

  /// Whether lines that say nothing are passed over unread. A message of several lines is read to
  /// its end, bare messages are those of the process before them, and any line may be one of a
  /// user's pattern.
  private var isSifting: Bool {
    sieve.isOpen && !Grammar.bareLinesAreMessages && !intake.hasPending && !intake.readsEveryLine
  }

  /// Reads the lines that are worth it, and passes over the others.
  ///
  /// - Returns: Where the next line begins.
  private mutating func sift(_ bytes: Span<UInt8>, from start: Int) -> Int {
    guard let end = bytes.last(Byte.newline, from: start, before: bytes.count) else {
      stash(bytes.extracting(start..<bytes.count))
      return bytes.count
    }
    var place = start
    while place <= end, isSifting {
      let found = sieve.nextLine(in: bytes, from: place, to: end + 1)
      lineNumber = UInt32(clamping: Int(lineNumber) + found.skippedCount)
      intake.summary.noteSifted(found.skippedCount)
      guard let lineStart = found.start else {
        let last = bytes.last(Byte.newline, from: place, before: end).map { $0 + 1 } ?? place
        pass(bytes.extracting(last..<end))
        return end + 1
      }
      sieve.lineStart = sieve.fedCount + lineStart
      let stop = bytes.first(Byte.newline, from: lineStart, to: end + 1) ?? end
      take(line: bytes.extracting(lineStart..<stop))
      place = stop + 1
    }
    return place
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
    defer {
      line.removeAll(keepingCapacity: true)
      swap(&line, &carry)
    }
    if isSifting, !sieve.isWorthReading(line.span) {
      isTooLong = false
      if lineNumber < .max { lineNumber += 1 }
      intake.summary.noteSifted(1)
      pass(line.span)
      return
    }
    let wasCut = isTooLong
    isTooLong = false
    take(line: line.span, wasCut: wasCut)
  }

  /// Keeps a line that is passed over if its time may be asked for.
  private mutating func pass(_ line: Span<UInt8>) {
    guard intake.collector != nil else { return }
    lastPassed.removeAll(keepingCapacity: true)
    for offset in 0..<min(line.count, ImportLimits.lineBytesMax) { lastPassed.append(line[offset]) }
  }

  private mutating func take(line: Span<UInt8>, wasCut: Bool = false) {
    if lineNumber < .max { lineNumber += 1 }
    if !lastPassed.isEmpty { lastPassed.removeAll(keepingCapacity: true) }
    let isCut = wasCut || line.count > ImportLimits.lineBytesMax
    var end = min(line.count, ImportLimits.lineBytesMax)
    if end > 0, line[end - 1] == Byte.carriageReturn { end -= 1 }
    var first = 0
    if lineNumber == 1, line.has([0xef, 0xbb, 0xbf], at: 0) { first = 3 }
    guard end > first else { return }
    intake.noteLine()
    takeContent(line.extracting(first..<end))
    guard isCut else { return }
    // A line that tells nothing of an app loses nothing.
    if intake.hasPending {
      intake.summary.noteTooLong(lineNumber)
    } else {
      intake.summary.noteCut(lineNumber)
    }
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
    guard !columns.process.isEmpty else {
      // A stamp without a process is of the one that last had a prefix, and its clock may be
      // another.
      if !lastName.isEmpty { columns.time = nil }
      columns.pid = lastPid
      intake.take(line, columns, shift: mark, line: lineNumber, name: lastName)
      return
    }
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
    intake.nameAnonymous(lastName, pid: pid)
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
