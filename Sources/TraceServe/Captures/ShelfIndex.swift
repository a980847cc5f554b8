// Finds captures by their files on the disk and by the names under which their traces are counted.

import TraceIO

/// Where to look for captures. What it names may have changed since, and is to be checked.
struct ShelfIndex: Sendable {
  private var pathsByNumber: [FileVersion.Number: Set<String>] = [:]
  private var pathsByKey: [String: Set<String>] = [:]

  init(_ records: some Sequence<CaptureRecord>) {
    for record in records { add(record) }
  }

  mutating func add(_ record: CaptureRecord) {
    pathsByNumber[record.version.number, default: []].insert(record.path)
    for key in record.keys { pathsByKey[key, default: []].insert(record.path) }
    for trace in record.track?.traces ?? [] {
      pathsByKey[trace.key, default: []].insert(record.path)
    }
    if let name = record.unreadableName { pathsByKey[name, default: []].insert(record.path) }
  }

  /// The names of a file, sorted.
  func paths(of number: FileVersion.Number) -> [String] { pathsByNumber[number]?.sorted() ?? [] }

  /// The captures of which something is counted under a name, sorted.
  func paths(countedAs key: String) -> [String] { pathsByKey[key]?.sorted() ?? [] }
}
