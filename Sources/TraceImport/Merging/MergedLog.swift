// Makes one log of several: messages in order of time on one clock, each told once, and the
// histories that they tell together. This file must not know line formats or wordings.

package import TraceModel

/// How the messages of a log take their place among those of others.
package struct MergedPart: Sendable {
  /// For people.
  package var path: String
  /// The log as it was when all of it had been read.
  package var log: CollectedLog
  /// What is added to the log's times.
  package var offsetNanoseconds: Int64
  /// How far the log's clock may be off after that: the system stamps a message once, and tools
  /// that stamp it themselves do it a little later.
  package var uncertaintyNanoseconds: Int64
  /// What is added to the log's line numbers, so that each line of all logs has its own.
  package var lineOffset: UInt32

  package init(
    path: String, log: CollectedLog, offsetNanoseconds: Int64, uncertaintyNanoseconds: Int64,
    lineOffset: UInt32
  ) {
    self.path = path
    self.log = log
    self.offsetNanoseconds = offsetNanoseconds
    self.uncertaintyNanoseconds = uncertaintyNanoseconds
    self.lineOffset = lineOffset
  }

  /// The number of a line among the lines of all logs; 0 if it has none.
  func line(_ line: UInt32) -> UInt32 {
    let (sum, overflow) = line.addingReportingOverflow(lineOffset)
    return overflow || line == 0 ? 0 : sum
  }
}

/// Several logs as one. Memory follows what is fed at once: a log is fed only when its next
/// message is needed.
package struct MergedLog: Sendable {
  private struct Part: Sendable {
    var about: MergedPart
    var waiting: [LogMessage] = []
    var next = 0
    var lastNanoseconds = Int64.min
    /// Messages that were taken since its time went on.
    var sameTimeCount = 0
    var hasEnded = false

    var head: LogMessage? { next < waiting.count ? waiting[next] : nil }
  }

  /// A message that may still be told by another log too.
  private struct Held: Sendable {
    var message: LogMessage
    var hash: UInt64
    var resolutionNanoseconds: Int64
    var uncertaintyNanoseconds: Int64
    /// The logs that tell it.
    var parts: Set<Int>
    var otherLines: [UInt32] = []
  }

  private var parts: [Part]
  /// Lines of several logs that tell of one end of a process.
  private struct ToldEnd: Sendable {
    var line: UInt32
    var lastNanoseconds: Int64
    /// The logs that tell it.
    var parts: Set<Int>
  }

  /// Messages in order of time, behind those that were released.
  private var held: [Held] = []
  private var releasedCount = 0
  /// How many of those that wait have the same hash: most messages have none of their like.
  private var waitingHashes: [UInt64: Int] = [:]
  private var intake: MessageIntake
  /// The last end of each process.
  private var ends: [UInt16: ToldEnd] = [:]
  private let toleranceNanoseconds: Int64
  private let processIDs: ProcessIDs
  /// The lines of other logs that tell what a line tells, by that line.
  package private(set) var otherLines: [UInt32: [UInt32]] = [:]

  /// Messages that wait for their like; as many come in a second of the busiest app.
  private static let heldMax = 4_096
  /// Released messages that stand before those that wait.
  private static let releasedMax = 1_024
  /// Lines of other logs that are remembered; beyond it events name one source.
  private static let otherLinesMax = 65_536
  /// Lines that are further apart tell of two ends: a process that has ended isn't followed for
  /// longer, and its number may go to another one.
  private static let endNanosecondsMax: Int64 = 10_000_000_000

  /// - Parameters:
  ///   - wallClock: The clock that all logs were put on.
  ///   - lines: How log lines are read.
  package init(
    _ parts: [MergedPart], processIDs: ProcessIDs, wallClock: WallAnchor?, lines: LineOptions
  ) {
    self.parts = parts.map { Part(about: $0) }
    self.processIDs = processIDs
    let resolution = parts.map(\.log.resolutionNanoseconds).max() ?? 1
    toleranceNanoseconds = resolution.plus(parts.map(\.uncertaintyNanoseconds).max() ?? 0)
    // Lines without process ids are understood by later ones: so are those that stand among them.
    intake = MessageIntake(
      isOfSimulator: parts.contains { $0.log.isOfSimulator },
      hasProcessIDs: parts.allSatisfy(\.log.hasProcessIDs)
    ) { _ in nil }
    intake.prepare(lines)
    let first = parts.min { $0.offsetNanoseconds < $1.offsetNanoseconds }
    intake.begin(
      CaptureClock(wallClock: wallClock, resolutionNanoseconds: resolution),
      levelNames: Set(parts.flatMap(\.log.levelNames)).sorted(),
      firstLine: first.map { $0.line($0.log.firstLine) } ?? 0,
      lineCount: parts.reduce(0) { $0 + $1.log.lineCount })
  }

  /// The log whose next messages are needed; nil if none is.
  package var neededPart: Int? { parts.firstIndex { $0.head == nil && !$0.hasEnded } }

  /// Takes the next messages of a log.
  package mutating func take(_ messages: [LogMessage], of index: Int) {
    guard !messages.isEmpty else { return }
    if parts[index].head == nil {
      parts[index].waiting.removeAll(keepingCapacity: true)
      parts[index].next = 0
    }
    for var message in messages {
      let about = parts[index].about
      message.timeNanoseconds = message.timeNanoseconds.plus(about.offsetNanoseconds)
      message.place = "\(about.path):\(message.line)"
      message.line = about.line(message.line)
      if message.pid == nil {
        message.pid = processIDs.id(of: message.process, at: message.timeNanoseconds)
      }
      parts[index].waiting.append(message)
    }
  }

  /// Says that a log has ended.
  package mutating func finish(part index: Int) { parts[index].hasEnded = true }

  /// Reads on until a log must be fed, or all have ended.
  package mutating func advance() {
    while neededPart == nil, let index = earliestPart {
      guard let message = parts[index].head else { return }
      parts[index].next += 1
      let isLater = message.timeNanoseconds > parts[index].lastNanoseconds
      parts[index].sameTimeCount = isLater ? 1 : parts[index].sameTimeCount + 1
      parts[index].lastNanoseconds = max(parts[index].lastNanoseconds, message.timeNanoseconds)
      hold(message, of: index)
    }
  }

  /// Ends the input.
  package mutating func finish() {
    while waitingCount > 0 { release() }
    intake.finish()
  }

  /// The next step; `needsInput` where nothing is settled.
  package mutating func next(into batch: inout EventBatch) -> DecoderStep {
    intake.next(into: &batch)
  }

  /// The log with the earliest message. A time that goes back within a log is as late as the one
  /// before it, so that its lines keep their order. Of one moment logs tell by turns.
  private var earliestPart: Int? {
    var best: (key: (time: Int64, count: Int), index: Int)?
    for (index, part) in parts.enumerated() {
      guard let head = part.head else { continue }
      let isLater = head.timeNanoseconds > part.lastNanoseconds
      let key = isLater ? (head.timeNanoseconds, 0) : (part.lastNanoseconds, part.sameTimeCount)
      if best.map({ key < $0.key }) ?? true { best = (key, index) }
    }
    return best?.index
  }

  // MARK: Messages told twice

  private mutating func hold(_ message: LogMessage, of part: Int) {
    guard parts.count > 1 else {
      tell(message)
      return
    }
    let entry = Held(
      message: message, hash: message.textHash,
      resolutionNanoseconds: parts[part].about.log.resolutionNanoseconds,
      uncertaintyNanoseconds: parts[part].about.uncertaintyNanoseconds, parts: [part])
    if waitingHashes[entry.hash] != nil,
      let place = held[releasedCount...].firstIndex(where: { isSame($0, entry, part) })
    {
      join(entry, part, at: place)
    } else {
      held.append(entry)
      waitingHashes[entry.hash, default: 0] += 1
    }
    let limit = message.timeNanoseconds.minus(toleranceNanoseconds)
    while waitingCount > 0,
      held[releasedCount].message.timeNanoseconds < limit || waitingCount > Self.heldMax
    {
      release()
    }
  }

  private var waitingCount: Int { held.count - releasedCount }

  private func isSame(_ old: Held, _ new: Held, _ part: Int) -> Bool {
    guard old.hash == new.hash, !old.parts.contains(part),
      old.message.isBare == new.message.isBare
    else { return false }
    let resolution = max(old.resolutionNanoseconds, new.resolutionNanoseconds)
    let distance = new.message.timeNanoseconds.minus(old.message.timeNanoseconds).magnitude
    let uncertainty = max(old.uncertaintyNanoseconds, new.uncertaintyNanoseconds)
    guard distance <= resolution.plus(uncertainty).magnitude else { return false }
    if let a = old.message.pid, let b = new.message.pid, a != b { return false }
    // Some tools cut names off.
    let (a, b) = (old.message.process, new.message.process)
    return (a.hasPrefix(b) || b.hasPrefix(a)) && old.message.bytes == new.message.bytes
  }

  /// Makes one message of two: the finer time counts, and what either knows.
  private mutating func join(_ new: Held, _ part: Int, at place: Int) {
    var joined = held[place]
    joined.parts.insert(part)
    joined.message.pid = joined.message.pid ?? new.message.pid
    if new.message.isAfterClockStep { joined.message.isAfterClockStep = true }
    joined.message.thread = joined.message.thread ?? new.message.thread
    if new.message.process.utf8.count > joined.message.process.utf8.count {
      joined.message.process = new.message.process
    }
    guard new.resolutionNanoseconds < joined.resolutionNanoseconds else {
      joined.otherLines.append(new.message.line)
      held[place] = joined
      return
    }
    joined.otherLines.append(joined.message.line)
    joined.message.line = new.message.line
    joined.message.place = new.message.place
    joined.message.timeNanoseconds = new.message.timeNanoseconds
    joined.resolutionNanoseconds = new.resolutionNanoseconds
    // It goes behind those that are as early: what came first is told first.
    held.remove(at: place)
    let later = held[releasedCount...].firstIndex {
      $0.message.timeNanoseconds > joined.message.timeNanoseconds
    }
    held.insert(joined, at: later ?? held.count)
  }

  private mutating func tell(_ message: LogMessage) {
    if let process = intake.take(message), parts.count > 1 { noteEnd(message, of: process) }
  }

  /// Of the lines that tell of one end, the first of each log tells it for the log.
  private mutating func noteEnd(_ message: LogMessage, of process: UInt16) {
    let part = part(ofLine: message.line)
    guard var end = ends[process],
      message.timeNanoseconds.minus(end.lastNanoseconds) <= Self.endNanosecondsMax
    else {
      ends[process] = ToldEnd(
        line: message.line, lastNanoseconds: message.timeNanoseconds, parts: [part])
      return
    }
    end.lastNanoseconds = message.timeNanoseconds
    if end.parts.insert(part).inserted, otherLines.count < Self.otherLinesMax {
      otherLines[end.line, default: []].append(message.line)
    }
    ends[process] = end
  }

  /// Lines are counted on from log to log, in the order of the logs.
  private func part(ofLine line: UInt32) -> Int {
    parts.lastIndex { $0.about.lineOffset < line } ?? 0
  }

  private mutating func release() {
    let first = held[releasedCount]
    releasedCount += 1
    let count = waitingHashes[first.hash] ?? 1
    waitingHashes[first.hash] = count > 1 ? count - 1 : nil
    if releasedCount == held.count || releasedCount >= Self.releasedMax {
      held.removeFirst(releasedCount)
      releasedCount = 0
    }
    if !first.otherLines.isEmpty, otherLines.count < Self.otherLinesMax {
      otherLines[first.message.line, default: []] += first.otherLines
    }
    tell(first.message)
  }
}

/// Which process had which name when, for the lines of logs that give no process ids.
package struct ProcessIDs: Sendable {
  private struct Span: Sendable {
    var pid: Int64
    var firstNanoseconds: Int64
    var lastNanoseconds: Int64
  }

  private var spans: [String: [Span]] = [:]

  package init() {}

  /// Notes that a process printed a line, on the clock that all logs share.
  package mutating func note(_ name: String, pid: Int64, at time: Int64) {
    guard !name.isEmpty, spans[name] != nil || spans.count < ImportLimits.reportersMax else {
      return
    }
    var known = spans[name] ?? []
    if let place = known.firstIndex(where: { $0.pid == pid }) {
      known[place].firstNanoseconds = min(known[place].firstNanoseconds, time)
      known[place].lastNanoseconds = max(known[place].lastNanoseconds, time)
    } else if known.count < ImportLimits.processesMax {
      known.append(Span(pid: pid, firstNanoseconds: time, lastNanoseconds: time))
    }
    spans[name] = known
  }

  /// The process of this name whose lines are nearest; nil if none has any.
  func id(of name: String, at time: Int64) -> Int64? {
    spans[name]?.min { Self.distance($0, time) < Self.distance($1, time) }?.pid
  }

  private static func distance(_ span: Span, _ time: Int64) -> Int64 {
    max(0, span.firstNanoseconds.minus(time), time.minus(span.lastNanoseconds))
  }
}
