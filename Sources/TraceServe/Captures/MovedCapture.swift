// Which captures go by another name than before. Who rotates logs renames a file and goes on
// writing to it: then neither its name nor, without an id of its own, the trace in it is the one
// that was known.

import TraceIO

/// A capture that was given another name.
struct MovedCapture: Sendable {
  /// The path that it had.
  var from: String
  /// What is known of it, under its new path.
  var record: CaptureRecord
}

extension MovedCapture {
  /// The captures that are there under another name, and may have grown since. Those come first
  /// whose new name no other one had: in this order a record is only written over one that was
  /// written elsewhere before, unless names went round in a circle.
  ///
  /// - Parameters:
  ///   - records: All captures by path.
  ///   - files: All files of the directory by path.
  ///   - begins: Whether the file at a path begins as a capture did: the disk gives the number of
  ///     a file that is gone to another one.
  static func find(
    among records: [String: CaptureRecord], in files: [String: FileVersion],
    begins: (FileBeginning?, String) -> Bool
  ) -> [MovedCapture] {
    let missing = records.values.filter { files[$0.path]?.number != $0.version.number }
    if missing.isEmpty { return [] }
    let free = Set(missing.map(\.path))
    var arrivals: [FileVersion.Number: String] = [:]
    for (path, version) in files where records[path] == nil || free.contains(path) {
      // Of several names of one file the first one.
      if let other = arrivals[version.number], other < path { continue }
      arrivals[version.number] = path
    }
    var moved: [String: MovedCapture] = [:]
    for record in missing.sorted(by: { $0.path < $1.path }) where record.canMove {
      guard let path = arrivals[record.version.number], let version = files[path],
        version.mayContinue(record.version),
        record.isClosed || begins(record.beginning, path)
      else { continue }
      arrivals[record.version.number] = nil
      var renamed = record
      if record.isListedUnreadable { renamed.unreadableName = record.unreadableKey }
      renamed.path = path
      moved[record.path] = MovedCapture(from: record.path, record: renamed)
    }
    return inOrder(moved)
  }

  /// - Parameter moved: By the paths that they had.
  private static func inOrder(_ moved: [String: MovedCapture]) -> [MovedCapture] {
    var rest = moved
    var ordered: [MovedCapture] = []
    for from in moved.keys.sorted() {
      var chain: [MovedCapture] = []
      var path = from
      while let move = rest.removeValue(forKey: path) {
        chain.append(move)
        path = move.record.path
      }
      ordered += chain.reversed()
    }
    return ordered
  }
}

extension CaptureRecord {
  /// Whether it is or was counted, so that it must be known again.
  fileprivate var canMove: Bool {
    !isPassedOver || lastRead != nil || unreadableName != nil
  }
}
