// Writes what a capture says into the tables of the database while it is read.
// This file must not know which captures are read.

import TraceExport
import TraceLifecycle
import TraceModel
import TracePipeline
import TraceQuery
import TraceRules

/// Writes the traces of one capture.
struct QueryVisitor: CaptureVisitor {
  let store: QueryStore
  let parts: QueryParts
  let path: String
  let capture: Int64
  private let terms: TraceTerms.Maker
  private var events: EventWriter?
  /// Nil where no table holds a row for each event.
  private var bulk: QueryBulk?
  private var trace: QueryTrace?
  private var hash = EventHash()
  private var isDamaged = false
  private var earlyRemarks: [CaptureRemark] = []
  /// The capture's format, once it is known.
  let format: RecognisedFormat
  private(set) var firstTrace: Int64?
  private(set) var traceCount = 0
  private var identities = IdentityText()
  private(set) var isWhole = true
  let progress: (Int) -> Void

  init(
    store: QueryStore, parts: QueryParts, path: String, capture: Int64,
    format: RecognisedFormat, terms: @escaping TraceTerms.Maker, progress: @escaping (Int) -> Void
  ) throws {
    self.store = store
    self.parts = parts
    self.path = path
    self.capture = capture
    self.format = format
    self.terms = terms
    self.progress = progress
    if parts.contains(.events) { events = try store.eventWriter() }
    if !parts.isDisjoint(with: [.events, .spans]) { bulk = QueryBulk() }
  }

  /// What the capture has in common with its copies; nil if nothing tells it from others.
  var identity: String? { isWhole ? identities.text : nil }

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) {
    traceCount += 1
    hash = EventHash()
    isDamaged = false
    do throws(QueryError) {
      let number = try store.nextTrace()
      if firstTrace == nil { firstTrace = number }
      trace = try QueryTrace(
        number: number, header: header, terms: terms(header, path), parts: parts, store: store)
    } catch {
      throw CaptureFailure(error)
    }
    for remark in earlyRemarks { trace?.add(remark) }
    earlyRemarks.removeAll()
  }

  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) {
    try bulk?.add(batch)
    hash.add(batch)
    guard var trace = self.trace.take() else { return }
    do throws(QueryError) {
      try trace.consume(batch)
      try events?.write(batch, trace: trace.number, &trace.anchor)
    } catch {
      throw CaptureFailure(error)
    }
    self.trace = trace
    progress(batch.count)
  }

  mutating func endTrace() throws(CaptureFailure) {
    guard var ended = trace.take() else { return }
    identities.add(ended.header, hash)
    if isDamaged { isWhole = false }
    do throws(QueryError) {
      try ended.finish(
        QueryTrace.Place(
          path: path, capture: capture, format: format.name ?? "", traceNumber: traceCount),
        hash: hash, isDamaged: isDamaged)
    } catch {
      throw CaptureFailure(error)
    }
  }

  mutating func note(readByteCount: Int64) { bulk?.readByteCount = readByteCount }

  mutating func problem(_ problem: InputProblem) {
    if problem.consequence != .truncated { isDamaged = true }
  }

  mutating func remark(_ remark: CaptureRemark) {
    if trace == nil { earlyRemarks.append(remark) } else { trace?.add(remark) }
  }
}

/// The format of the capture that is being read.
///
/// A class, because the reader tells it beside the visitor.
final class RecognisedFormat {
  var format: CaptureFormat?
  var name: String? { format?.name }
}

/// What captures of the same traces have in common.
private struct IdentityText {
  private var parts: [String] = []
  private var eventCount = 0
  /// Captures with more traces are never taken for copies.
  private static let tracesMax = 1_000

  var text: String? {
    eventCount > 0 && parts.count <= Self.tracesMax ? parts.joined(separator: " ") : nil
  }

  mutating func add(_ header: TraceHeader, _ hash: EventHash) {
    eventCount += hash.eventCount
    guard parts.count <= Self.tracesMax else { return }
    parts.append("\(hash.text):\(hash.eventCount):\(Self.digest(of: header))")
  }

  /// What the header says of the app and the device: equal events of two versions are two traces.
  private static func digest(of header: TraceHeader) -> String {
    var fields: [String] = []
    for (field, value) in header.presentFields where !TraceHeader.storageFields.contains(field) {
      var json = JSONBuilder()
      json.value(value)
      fields.append(field.name)
      fields.append(String(decoding: json.bytes, as: UTF8.self))
    }
    return QuerySettings.digest(of: fields)
  }
}

extension CaptureFailure {
  /// A database that can't be written ends the reading.
  init(_ error: QueryError) {
    self =
      error.kind == .interrupted
      ? .interrupted : CaptureFailure(error.message, advice: error.advice, .output)
  }
}
