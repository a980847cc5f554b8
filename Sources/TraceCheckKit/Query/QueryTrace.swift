// Writes the rows of one trace: the judgement, the measures and the life, as far as they are asked
// for. This file must not know other traces.

import TraceExport
import TraceLifecycle
import TraceModel
import TracePipeline
import TraceQuery
import TraceRules

/// A trace that is being read.
struct QueryTrace {
  let number: Int64
  let header: TraceHeader
  /// The anchor of its events on the calendar.
  var anchor = EventWriter.Anchor()
  private let store: QueryStore
  private let parts: QueryParts
  private let terms: TraceTerms
  private var life: QueryLife?
  private var spans: QuerySpans?

  /// Where the trace was read.
  struct Place {
    var path: String
    var capture: Int64
    var format: String
    /// Its number in the capture, from 1.
    var traceNumber: Int
  }

  init(
    number: Int64, header: TraceHeader, terms: TraceTerms, parts: QueryParts, store: QueryStore
  ) throws(QueryError) {
    self.number = number
    self.header = header
    self.terms = terms
    self.parts = parts
    self.store = store
    if parts.contains(.life) {
      life = try QueryLife(trace: number, header: header, terms: terms, store: store)
    }
    if parts.contains(.spans) {
      spans = QuerySpans(
        trace: number, header: header, profile: terms.options.profile,
        rows: try store.rows(of: .spans))
    }
  }

  mutating func add(_ remark: CaptureRemark) { life?.add(remark) }

  mutating func consume(_ batch: EventBatch) throws(QueryError) {
    if var life = life.take() {
      try life.consume(batch)
      self.life = life
    }
    if var spans = spans.take() {
      try spans.consume(batch)
      self.spans = spans
    }
  }

  /// Writes what is known only now.
  mutating func finish(_ place: Place, hash: EventHash, isDamaged: Bool) throws(QueryError) {
    var clock = QueryClock()
    if var life = life.take() {
      let traceID = header.string(.traceID) ?? hash.text
      let judgement = try life.finish(
        traceID: traceID, path: place.path, traceNumber: place.traceNumber, isDamaged: isDamaged)
      clock = life.clock
      try write(judgement, place, clock)
    } else {
      try writeNumber(place)
    }
    if var spans = spans.take() {
      try spans.finish()
      if !parts.contains(.life) { clock = spans.clock }
    }
    try store.finish(trace: number, parts: parts, offset: clock.firstOffset)
    if parts.contains(.events) { try store.finishEvents(trace: number, anchor) }
  }

  private func write(
    _ judgement: Judgement, _ place: Place, _ clock: QueryClock
  ) throws(QueryError) {
    let row = try store.rows(of: .traces)
    func count(_ severity: Severity) -> Int {
      judgement.findings.count { $0.severity == severity }
    }
    row.add(number)
    row.add(place.capture)
    row.add(place.path)
    row.add(place.traceNumber)
    row.add(judgement.traceID)
    row.add(place.format)
    for field in [HeaderField.appBundleID, .appVersion, .osVersion, .deviceModel] {
      row.add(judgement.header.string(field))
    }
    row.add(judgement.profile)
    row.add(judgement.eventCount)
    row.add(judgement.launchCount)
    row.add(judgement.firstNanoseconds)
    row.add(judgement.lastNanoseconds)
    row.add(clock.wall(at: judgement.firstNanoseconds))
    row.add(clock.wall(at: judgement.lastNanoseconds))
    row.add(judgement.completeness.rawValue)
    row.add(count(.error))
    row.add(count(.warning))
    row.add(count(.note))
    row.add(judgement.suppressed.count)
    row.add(Self.json(of: judgement.header))
    try row.insert()
    try writeFindings(judgement, clock)
  }

  /// A row that only says whose the trace is, where nobody asks for more.
  private func writeNumber(_ place: Place) throws(QueryError) {
    let row = try store.rows(of: .traces)
    row.add(number)
    row.add(place.capture)
    for _ in 2..<QueryTable.traces.columns.count { row.add(Int64?.none) }
    try row.insert()
  }

  private func writeFindings(
    _ judgement: Judgement, _ clock: QueryClock
  ) throws(QueryError) {
    let row = try store.rows(of: .findings)
    for (index, finding) in judgement.findings.enumerated() {
      row.add(number)
      row.add(index + 1)
      row.add(judgement.traceID)
      row.add(finding.rule)
      row.add(finding.slug)
      row.add(finding.severity.rawValue)
      row.add(finding.reason)
      row.add(finding.message)
      row.add(finding.timeNanoseconds)
      row.add(finding.launch == 0 ? nil : clock.wall(at: finding.timeNanoseconds))
      row.add(finding.lastTimeNanoseconds)
      row.add(finding.thread)
      row.add(finding.launch)
      row.add(finding.count)
      row.add(finding.subject)
      row.add(finding.fingerprint)
      row.add(finding.confidence.rawValue)
      row.add("[" + finding.witness.map { "\($0.ordinal)" }.joined(separator: ",") + "]")
      try row.insert()
    }
  }

  private static func json(of header: TraceHeader) -> String {
    var json = JSONBuilder()
    json.beginObject()
    for (field, value) in header.presentFields {
      json.key(field.name)
      json.value(value)
    }
    for field in header.unknownFields {
      json.key(field.name)
      json.json(field.json)
    }
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// What is known of a trace's clock on the wall.
struct QueryClock {
  /// Anchors of one trace; more aren't kept.
  private static let anchorsMax = 65_536

  private var anchors: [(time: Int64, offset: Int64)] = []

  /// What is added to times before the first anchor.
  var firstOffset: Int64? { anchors.first?.offset }

  mutating func add(_ wall: Int64, at time: Int64) {
    if anchors.count < Self.anchorsMax { anchors.append((time, wall.minus(time))) }
  }

  /// Nanoseconds since 1970 at a time of the trace: by the last anchor before it, or the first.
  func wall(at time: Int64) -> Int64? {
    var low = 0
    var high = anchors.count
    while low < high {
      let middle = (low + high) / 2
      if anchors[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    guard let first = firstOffset else { return nil }
    return time.plus(low == 0 ? first : anchors[low - 1].offset)
  }
}
