// A recorded trace in memory, as a replay needs it: every event with its arguments.
// This file must not know what is delivered and what is compared.

public import TraceModel

/// One event of a recording.
public struct RecordedEvent: Hashable, Sendable {
  public var kind: EventKind
  public var phase: Phase
  /// 1 is the main thread, unless the recording has a `trace.thread` that names another one.
  public var thread: Int64
  /// Nanoseconds on the clock of the recording.
  public var timeNanoseconds: Int64
  public var arguments: [Argument]
  /// The call of the system that the main thread is inside of; nil outside of all, and on other
  /// threads.
  var enclosing: EventKind?
  /// The place of that call's enter among the events of the process.
  var enclosingPlace: Int?
  /// Whether code of the system made a call that apps make, too.
  var isMadeBySystem = false

  /// A named value of an event.
  public struct Argument: Hashable, Sendable {
    public var name: String
    public var value: ArgumentValue

    public init(_ name: String, _ value: ArgumentValue) {
      self.name = name
      self.value = value
    }
  }

  public init(
    _ kind: EventKind, _ phase: Phase = .instant, thread: Int64 = 1, timeNanoseconds: Int64,
    _ arguments: [Argument] = []
  ) {
    self.kind = kind
    self.phase = phase
    self.thread = thread
    self.timeNanoseconds = timeNanoseconds
    self.arguments = arguments
  }

  /// The value of an argument; nil if there is none of that name.
  public func value(_ name: ArgumentName) -> ArgumentValue? {
    guard let text = name.knownText else { return nil }
    return arguments.first { $0.name == text }?.value
  }

  func integer(_ name: ArgumentName) -> Int64? {
    switch value(name) {
    case .integer(let number): number
    case .unsigned(let bits): Int64(bitPattern: bits)
    default: nil
    }
  }

  func number(_ name: ArgumentName) -> Double? {
    switch value(name) {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  func boolean(_ name: ArgumentName) -> Bool? {
    if case .boolean(let isTrue) = value(name) { isTrue } else { nil }
  }

  func text(_ name: ArgumentName) -> String? {
    if case .string(let text) = value(name) { text } else { nil }
  }
}

/// A trace that can be replayed. It takes the events of any source as a `TraceSink`, and the bytes
/// of a capture with the decoder of its format. The whole trace is kept in memory.
public struct Recording: TraceSink, Sendable {
  /// What a replay takes at most. An hour of a busy app is some hundred thousand events.
  public static let eventsMax = 5_000_000

  /// Why a trace can't be recorded for a replay.
  public enum Failure: Error, Hashable, CustomStringConvertible {
    case tooManyEvents
    case severalTraces
    /// A part of the capture can't be read; the message says what is wrong where.
    case unreadable(String)

    public var description: String {
      switch self {
      case .tooManyEvents:
        "the trace has more than \(Recording.eventsMax) events; cut out a part of it first"
      case .severalTraces:
        "the capture holds several traces, and one is replayed at a time"
      case .unreadable(let message): message
      }
    }
  }

  public private(set) var header = TraceHeader()
  /// Every event, in the order of time.
  public private(set) var events: [RecordedEvent] = []
  private var hasBegun = false

  public init() {}

  /// - Throws: ``Failure/severalTraces`` for a second trace.
  public mutating func begin(_ header: TraceHeader) throws(Failure) {
    if hasBegun { throw .severalTraces }
    hasBegun = true
    self.header = header
  }

  /// - Throws: ``Failure/tooManyEvents``.
  public mutating func consume(_ batch: EventBatch) throws(Failure) {
    guard events.count + batch.count <= Self.eventsMax else { throw .tooManyEvents }
    events.reserveCapacity(events.count + batch.count)
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      // Kinds outside of the vocabulary are nobody's call.
      guard event.kind.isKnown else { continue }
      let arguments = batch.arguments(at: index).map {
        RecordedEvent.Argument($0.name, $0.value)
      }
      append(
        RecordedEvent(
          event.kind, event.phase, thread: event.thread, timeNanoseconds: event.timeNanoseconds,
          arguments))
    }
  }

  /// Adds an event. A clock that goes back is held: a replay only goes forward.
  private mutating func append(_ event: RecordedEvent) {
    var event = event
    if let last = events.last?.timeNanoseconds {
      event.timeNanoseconds = max(event.timeNanoseconds, last)
    }
    events.append(event)
  }

  public mutating func end() {}
}
