// Takes captures whose files aren't looked into: whether they begin as before is said by the test.

import TraceIO

@testable import TraceServe

extension CaptureShelf {
  /// - Parameter continues: Whether the file begins with what it held before.
  mutating func take(_ record: CaptureRecord, continues: Bool) -> CaptureRecord {
    let earlier = earlierReading(of: record) { _, _ in continues }
    return take(record, after: earlier) { _, _ in continues }
  }
}
