// Runs a decoder over bytes in any split, and keeps what it says in a form that can be compared.

public import TraceModel

/// An event on its own, equal to every other that says the same.
public struct DecodedEvent: Hashable, Sendable {
  public struct Argument: Hashable, Sendable {
    public var name: String
    public var value: ArgumentValue

    public init(name: String, value: ArgumentValue) {
      self.name = name
      self.value = value
    }
  }

  public var kind: String
  public var phase: Phase
  public var thread: Int64
  public var timeNanoseconds: Int64
  public var arguments: [Argument]

  public init(
    kind: String, phase: Phase, thread: Int64, timeNanoseconds: Int64, arguments: [Argument]
  ) {
    self.kind = kind
    self.phase = phase
    self.thread = thread
    self.timeNanoseconds = timeNanoseconds
    self.arguments = arguments
  }
}

/// One thing that a decoder said.
public enum DecodedItem: Hashable, Sendable {
  case header(TraceHeader)
  /// A batch: the place of its first event in the trace, its events, and their lines.
  case batch(firstOrdinal: Int, events: [DecodedEvent], lines: [UInt32])
  case problem(InputProblem)
  case remark(CaptureRemark)
}

extension EventBatch {
  /// The events of the batch, each on its own.
  public var decodedEvents: [DecodedEvent] {
    (0..<count).map { index in
      let event = event(at: index)
      return DecodedEvent(
        kind: name(of: event.kind), phase: event.phase, thread: event.thread,
        timeNanoseconds: event.timeNanoseconds,
        arguments: arguments(at: index).map {
          DecodedEvent.Argument(name: $0.name, value: $0.value)
        })
    }
  }
}

/// Feeds a decoder piece by piece.
public enum DripFeeder {
  /// What a decoder says of bytes that are fed in pieces of the given sizes; the sizes are used
  /// in turn, and the last one is used for the rest. Without sizes all bytes are fed at once.
  ///
  /// - Parameter said: Called after each thing that the decoder said, with the decoder as it is.
  public static func items<Decoder: CaptureDecoder>(
    of bytes: [UInt8], by decoder: consuming Decoder, pieces: [Int] = [],
    said: (DecodedItem, Decoder) -> Void = { _, _ in }
  ) -> [DecodedItem] {
    var decoder = decoder
    var items: [DecodedItem] = []
    var batch = EventBatch()
    var position = 0
    var turn = 0
    while position < bytes.count {
      let size = pieces.isEmpty ? bytes.count : max(1, pieces[min(turn, pieces.count - 1)])
      let end = min(bytes.count, position + size)
      decoder.feed(bytes.span.extracting(position..<end))
      drain(&decoder, &batch, into: &items, said: said)
      position = end
      turn += 1
    }
    decoder.finish()
    drain(&decoder, &batch, into: &items, said: said)
    return items
  }

  /// Takes everything that a decoder has to say for now.
  public static func drain<Decoder: CaptureDecoder>(
    _ decoder: inout Decoder, _ batch: inout EventBatch, into items: inout [DecodedItem],
    said: (DecodedItem, Decoder) -> Void = { _, _ in }
  ) {
    while true {
      let item: DecodedItem
      switch decoder.next(into: &batch) {
      case .needsInput, .end: return
      case .header(let header): item = .header(header)
      case .problem(let problem): item = .problem(problem)
      case .remark(let remark): item = .remark(remark)
      case .stream: continue
      case .batch:
        item = .batch(
          firstOrdinal: batch.firstOrdinal, events: batch.decodedEvents, lines: batch.lines)
      }
      items.append(item)
      said(item, decoder)
    }
  }
}

extension [DecodedItem] {
  /// Headers and events without their batches: what two forms of one trace have in common.
  public var traces: [DecodedTrace] {
    var traces: [DecodedTrace] = []
    for item in self {
      switch item {
      case .header(let header): traces.append(DecodedTrace(header: header, events: []))
      case .batch(_, let events, _):
        if traces.isEmpty { traces.append(DecodedTrace(header: TraceHeader(), events: [])) }
        traces[traces.count - 1].events += events
      case .problem, .remark: break
      }
    }
    return traces
  }

  /// The problems alone.
  public var problems: [InputProblem] {
    compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
  }
}

/// A header and all its events.
public struct DecodedTrace: Hashable, Sendable {
  public var header: TraceHeader
  public var events: [DecodedEvent]

  public init(header: TraceHeader, events: [DecodedEvent]) {
    self.header = header
    self.events = events
  }
}
