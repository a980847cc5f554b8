// Which events of a trace are wanted, by time, kind and thread.

import TraceConfiguration
import TraceModel

/// Picks events. Times count from the trace's first event.
struct EventFilter {
  var afterNanoseconds: Int64?
  var beforeNanoseconds: Int64?
  /// Any of these; all kinds if there are none.
  var kinds: [Glob]
  /// Any of these; all threads if there are none.
  var threads: Set<Int64>

  private var startNanoseconds: Int64?

  init(
    afterNanoseconds: Int64? = nil, beforeNanoseconds: Int64? = nil, kinds: [Glob] = [],
    threads: Set<Int64> = []
  ) {
    self.afterNanoseconds = afterNanoseconds
    self.beforeNanoseconds = beforeNanoseconds
    self.kinds = kinds
    self.threads = threads
  }

  var passesAll: Bool {
    afterNanoseconds == nil && beforeNanoseconds == nil && kinds.isEmpty && threads.isEmpty
  }

  /// Forgets the trace before; another begins.
  mutating func begin() { startNanoseconds = nil }

  /// The wanted events of a batch, in batches.
  mutating func parts(of batch: EventBatch) -> [EventBatch] {
    guard batch.count > 0 else { return [] }
    let start = startNanoseconds ?? batch.timesNanoseconds[0]
    startNanoseconds = start
    let isTemplateWanted = batch.templates.map { template in
      (kinds.isEmpty || kinds.contains { $0.matches(batch.name(of: template.kind)) })
        && (threads.isEmpty || threads.contains(batch.threads[Int(template.thread)].id))
    }
    var parts: [EventBatch] = []
    var assembler = BatchAssembler()
    for index in 0..<batch.count where isTemplateWanted[Int(batch.templateIndices[index])] {
      // Times may be anything: a difference that doesn't fit 64 bits is cut to their range.
      let (difference, overflow) = batch.timesNanoseconds[index].subtractingReportingOverflow(start)
      let time = overflow ? (start < 0 ? Int64.max : Int64.min) : difference
      if let afterNanoseconds, time < afterNanoseconds { continue }
      if let beforeNanoseconds, time >= beforeNanoseconds { continue }
      if assembler.isFull { parts.append(Self.take(&assembler)) }
      assembler.copy(index, of: batch)
    }
    if assembler.batch.count > 0 { parts.append(Self.take(&assembler)) }
    return parts
  }

  private static func take(_ assembler: inout BatchAssembler) -> EventBatch {
    var part = EventBatch()
    assembler.take(into: &part)
    return part
  }
}
