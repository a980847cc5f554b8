// Which captures there are, which must be checked, and what was found in them. This file must not
// know how captures are read or shown.

import TraceIO

/// The captures of a directory.
struct CaptureShelf: Sendable {
  /// By path.
  private(set) var records: [String: CaptureRecord]
  /// Under which key each trace is counted, by its id.
  private var keys: [String: String] = [:]
  /// Files that changed, until they are checked.
  private var changes: [String: Change] = [:]

  private struct Change {
    var version: FileVersion
    /// When the file was first seen to change.
    var firstNanoseconds: Int64
    /// When this version was first seen.
    var sinceNanoseconds: Int64
  }

  /// How long a file must stay as it is before it is read: who copies a file pauses less.
  private static let quietNanoseconds: Int64 = 700_000_000
  /// What was changed this long ago is quiet already.
  private static let oldNanoseconds: Int64 = 3_000_000_000
  /// A file that doesn't stop changing is read this often.
  private static let growingNanoseconds: Int64 = 10_000_000_000

  init(_ records: [CaptureRecord] = []) {
    self.records = Dictionary(records.map { ($0.path, $0) }) { first, _ in first }
    for record in records {
      for trace in record.traces { keys[trace.traceID] = trace.key }
    }
  }

  /// Whether files are waited for to become quiet.
  var isWaiting: Bool { !changes.isEmpty }

  /// Compares the files that are there with the records.
  ///
  /// - Parameters:
  ///   - files: All files of the directory by path.
  ///   - now: The time on a clock that never goes back.
  ///   - sinceEpoch: The time since 1970, which says how old a file is.
  /// - Returns: The files that are to be checked now, and those that are gone, each sorted.
  mutating func update(
    _ files: [String: FileVersion], now: Int64, sinceEpoch: Int64
  ) -> (due: [String], gone: [String]) {
    var due: [String] = []
    for (path, version) in files {
      if records[path]?.version == version {
        changes[path] = nil
        continue
      }
      let old = changes[path]
      if old?.version != version {
        changes[path] = Change(
          version: version, firstNanoseconds: old?.firstNanoseconds ?? now, sinceNanoseconds: now)
      }
      guard let change = changes[path] else { continue }
      let age = sinceEpoch.subtractingReportingOverflow(version.modifiedNanoseconds).partialValue
      if age > Self.oldNanoseconds || now - change.sinceNanoseconds >= Self.quietNanoseconds
        || now - change.firstNanoseconds >= Self.growingNanoseconds
      {
        due.append(path)
      }
    }
    for path in changes.keys where files[path] == nil { changes[path] = nil }
    let gone = records.keys.filter { files[$0] == nil }
    for path in gone { records[path] = nil }
    return (due.sorted(), gone.sorted())
  }

  /// Takes a capture that was checked, and says how it is to be kept.
  mutating func take(_ record: CaptureRecord) -> CaptureRecord {
    var record = record
    changes[record.path] = nil
    let old = records[record.path]
    let continues = old.map { record.version.mayContinue($0.version) } ?? false
    for (place, trace) in record.traces.enumerated() {
      if continues, let old, old.traces.indices.contains(place) {
        record.traces[place].key = old.traces[place].key
      } else if let known = keys[trace.traceID] {
        record.traces[place].key = known
      }
      keys[trace.traceID] = record.traces[place].key
    }
    records[record.path] = record
    return record
  }
}
