// How much tables hold of a capture beside the capture's own bytes.
// This file must not know what the tables are.

import TraceExport
import TraceModel

/// Refuses a capture that was made to fill a disk: a block repeats events and texts in next to no
/// bytes, and tables have each of them.
struct QueryBulk {
  /// Bytes of the capture's files so far.
  var readByteCount: Int64 = 0
  private var rowByteCount: Int64 = 0

  /// Bytes that rows may take whatever the capture's files do: those of a million events.
  static let anyRatioBytesMax: Int64 = 64 << 20
  /// How many times the bytes of its files may come beyond these: recordings become ten to twenty
  /// times as large, and packed logs a hundred times.
  static let ratioMax: Int64 = 1_000
  /// Bytes of a row beside its texts.
  private static let rowBytes = 64

  /// Counts the rows of some events.
  ///
  /// - Throws: ``CaptureFailure`` if they are too much for the capture.
  mutating func add(_ batch: EventBatch) throws(CaptureFailure) {
    rowByteCount += Int64(batch.count * Self.rowBytes + batch.textBytes)
    let (allowed, overflow) = readByteCount.multipliedReportingOverflow(by: Self.ratioMax)
    guard !overflow, rowByteCount - Self.anyRatioBytesMax > allowed else { return }
    throw CaptureFailure(
      "its events and their texts take more than \(Self.ratioMax) times its bytes in tables",
      advice: "choose some of its events with 'tracecheck filter', or ask about tables other than "
        + "events and spans")
  }
}
