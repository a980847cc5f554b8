// A message of one of several logs that says something, before anything is concluded from it, and
// who collects such messages. This file must not know any wording.

package import TraceModel

/// A message with the columns of its line.
package struct LogMessage: Sendable {
  package var bytes: [UInt8]
  /// Nanoseconds on the clock of its log.
  package var timeNanoseconds: Int64
  package var line: UInt32
  package var process: String
  package var pid: Int64?
  var thread: Int64?
  var isBare: Bool
  /// The name that the process of earlier bare lines turned out to have.
  var namedProcess: String?
  /// Whether the clock of the log was set between the message before and this one.
  package var isAfterClockStep = false
  /// By how much the line shows less than the time above, as the clock was set back before it.
  var setBackNanoseconds: Int64 = 0
  /// Where the line stands, for people.
  package var place: String?

  var origin: FactLog.Origin {
    FactLog.Origin(
      name: process, pid: pid, thread: thread, timeNanoseconds: timeNanoseconds, line: line,
      isBare: isBare, place: place)
  }

  /// What tells the text of one message from that of another; the same in every run.
  package var textHash: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash ^ (hash >> 32)
  }
}

/// Collects the messages of one log.
struct MessageCollector: Sendable {
  private(set) var messages: [LogMessage] = []
  private var newName: String?
  private var lastStepCount: UInt32 = 0
  /// Whether the clock had been set back before one of the messages.
  private(set) var hasSetBack = false

  mutating func take(_ bytes: Span<UInt8>, _ origin: FactLog.Origin, _ clock: ClockSteps) {
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    for index in bytes.indices { copy.append(bytes[index]) }
    messages.append(
      LogMessage(
        bytes: copy, timeNanoseconds: origin.timeNanoseconds, line: origin.line,
        process: origin.name, pid: origin.pid, thread: origin.thread, isBare: origin.isBare,
        namedProcess: newName, isAfterClockStep: clock.count != lastStepCount,
        setBackNanoseconds: clock.setBackNanoseconds))
    newName = nil
    lastStepCount = clock.count
    if clock.setBackNanoseconds != 0 { hasSetBack = true }
  }

  mutating func nameAnonymous(_ name: String) { newName = name }

  /// Hands over the messages; none stay.
  mutating func takeMessages() -> [LogMessage] {
    var taken: [LogMessage] = []
    swap(&taken, &messages)
    return taken
  }
}

/// A decoder of a log whose messages can be taken as they are.
package protocol MessageSource: CaptureDecoder {
  /// Has messages collected. To be called before the first bytes are fed; no events come then.
  mutating func collectMessages(_ options: LineOptions)
  /// The messages since the last call, in the order of their lines.
  mutating func takeMessages() -> [LogMessage]
  var log: CollectedLog { get }
}

/// What is known of a log whose messages are collected, as far as it has been read.
package struct CollectedLog: Sendable {
  /// The clock's time 0 is that of the log's first line with a time.
  package var wallClock: WallAnchor?
  package var resolutionNanoseconds: Int64
  /// The time of the last line.
  package var endNanoseconds: Int64
  package var lineCount: Int
  /// The first line that the format fits; 0 if there is none.
  package var firstLine: UInt32
  /// Known when the log has ended.
  package var levelNames: [String]
  package var isOfSimulator: Bool
  /// Whether lines say the number of the process that logs them.
  package var hasProcessIDs: Bool
  /// Whether the clock was set back before a message: later times are not those that lines show.
  package var hasSetBack = false
}

extension MessageIntake {
  mutating func collectMessages(_ options: LineOptions) {
    collector = MessageCollector()
    prepare(options)
  }

  mutating func takeMessages() -> [LogMessage] { collector?.takeMessages() ?? [] }

  var collected: CollectedLog {
    CollectedLog(
      wallClock: clock.wallClock, resolutionNanoseconds: clock.resolutionNanoseconds ?? 1,
      endNanoseconds: clock.nowNanoseconds, lineCount: summary.lineCount,
      firstLine: summary.firstLine, levelNames: history.circumstances.levelNames,
      isOfSimulator: history.circumstances.isOfSimulator,
      hasProcessIDs: history.circumstances.hasProcessIDs,
      hasSetBack: collector?.hasSetBack ?? false)
  }
}

extension LogCaptureDecoder: MessageSource {
  mutating func collectMessages(_ options: LineOptions) { intake.collectMessages(options) }
  mutating func takeMessages() -> [LogMessage] { intake.takeMessages() }
  var log: CollectedLog { intake.collected }
}

extension ObjectCaptureDecoder: MessageSource {
  mutating func collectMessages(_ options: LineOptions) { intake.collectMessages(options) }
  mutating func takeMessages() -> [LogMessage] { intake.takeMessages() }
  var log: CollectedLog { intake.collected }
}
