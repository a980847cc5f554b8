// Traces that several captures hold: each is shown in all of them and counted in one.

import TraceIO
import TraceModel

struct TraceCopies {
  /// The path of the capture that counts, by the trace's key: the oldest one.
  private var holders: [String: String] = [:]

  init(_ records: [CaptureRecord]) {
    let sorted = records.sorted {
      ($0.version.modifiedNanoseconds, $0.path) < ($1.version.modifiedNanoseconds, $1.path)
    }
    for record in sorted {
      for trace in record.traces where holders[trace.key] == nil {
        holders[trace.key] = record.path
      }
    }
  }

  /// The path of the capture that counts for a trace; nil if it is this one.
  func original(of trace: TraceRecord, in record: CaptureRecord) -> String? {
    guard let holder = holders[trace.key], holder != record.path else { return nil }
    return holder
  }
}
