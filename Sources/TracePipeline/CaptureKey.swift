// What tells cheaply whether two captures can hold the same trace: the head of each is enough.

import TraceExport
import TraceModel

/// A capture's trace id if its header has one, else a hash of its first events.
///
/// Captures with different keys hold different traces; those with the same are compared in full.
enum CaptureKey: Hashable, Sendable {
  case traceID(String)
  case firstEvents(String)

  var text: String {
    switch self {
    case .traceID(let text), .firstEvents(let text): text
    }
  }
}

/// Finds the key of a capture while its first trace is read.
struct CaptureKeyBuilder: Sendable {
  /// Events that tell one trace from another with the time of each to the nanosecond.
  static let eventsMax = 64

  private var hash = EventHash()
  private var traceID: String?
  private var traceCount = 0

  /// The key; nil for a trace without id and events, which resembles every other such trace.
  var key: CaptureKey? {
    if let traceID { return .traceID(traceID) }
    return hash.eventCount > 0 ? .firstEvents(hash.text) : nil
  }

  var isComplete: Bool {
    traceCount > 1 || traceID != nil || hash.eventCount >= Self.eventsMax
  }

  mutating func begin(_ header: TraceHeader) {
    traceCount += 1
    if traceCount == 1 { traceID = header.string(.traceID) }
  }

  mutating func consume(_ batch: EventBatch) {
    if isComplete { return }
    hash.add(batch, eventCountMax: Self.eventsMax - hash.eventCount)
  }
}

/// Reads the head of a capture for its key.
struct CaptureProbe: CaptureVisitor {
  static let takesTracesAtOnce = true
  private(set) var builder = CaptureKeyBuilder()
  /// Of traces that are told at once the key is that of the first.
  private var isOfOtherTrace = false

  mutating func begin(_ header: TraceHeader) {
    if !isOfOtherTrace { builder.begin(header) }
  }
  mutating func consume(_ batch: EventBatch) {
    if !isOfOtherTrace { builder.consume(batch) }
  }
  mutating func stream(_ step: StreamStep) {
    if case .trace(let number) = step { isOfOtherTrace = number > 0 }
  }
  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) {}
  var isSatisfied: Bool { builder.isComplete }
}
