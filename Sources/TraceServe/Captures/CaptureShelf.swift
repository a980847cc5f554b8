// Which captures there are, which must be checked, and what was found in them. This file must not
// know how captures are read or shown.

import TraceIO

/// The captures of a directory.
struct CaptureShelf: Sendable {
  /// By path.
  private(set) var records: [String: CaptureRecord]
  /// Under which key a trace is counted, by its id, where that isn't the id itself.
  private var keys: [String: String] = [:]
  /// Files that changed, until they are checked.
  private var changes: [String: Change] = [:]
  /// Since when captures are waited for that may still grow.
  private var unsettled: [String: Int64] = [:]
  /// Captures that were checked since the start.
  private var fresh: Set<String> = []
  /// The terms on which captures are judged now.
  private let terms: String

  private struct Change {
    var version: FileVersion
    /// When the file was first seen to change.
    var firstNanoseconds: Int64
    /// When this version was first seen.
    var sinceNanoseconds: Int64
  }

  /// What is to be done.
  struct Work {
    /// The files that are to be checked now, those first that a trace in several formats is to be
    /// counted from.
    var due: [String] = []
    /// The captures whose files are gone, sorted.
    var gone: [String] = []
    /// Captures that are taken to have ended, gone ones too, so that their outcomes count.
    var settled: [CaptureRecord] = []
  }

  /// How long a file must stay as it is before it is read: who copies a file pauses less.
  private static let quietNanoseconds: Int64 = 700_000_000
  /// What was changed this long ago is quiet already.
  private static let oldNanoseconds: Int64 = 3_000_000_000
  /// A file that doesn't stop changing is read this often.
  private static let growingNanoseconds: Int64 = 10_000_000_000
  /// A trace without an end is taken to have ended after this: recorders write more often.
  static let settlingNanoseconds: Int64 = 60_000_000_000

  init(_ records: [CaptureRecord] = [], terms: String = "") {
    self.terms = terms
    self.records = Dictionary(records.map { ($0.path, $0) }) { first, _ in first }
    for record in records {
      for trace in record.traces where trace.key != trace.traceID {
        keys[trace.traceID] = trace.key
      }
    }
  }

  /// Whether files are waited for to become quiet.
  var isWaiting: Bool { !changes.isEmpty }

  /// Whether every file has been checked at least once, on the terms of now.
  var isComplete: Bool { changes.keys.allSatisfy(fresh.contains) }

  /// Compares the files that are there with the records.
  ///
  /// - Parameters:
  ///   - files: All files of the directory by path.
  ///   - now: The time on a clock that never goes back.
  ///   - sinceEpoch: The time since 1970, which says how old a file is.
  mutating func update(
    _ files: [String: FileVersion], now: Int64, sinceEpoch: Int64
  ) -> Work {
    var work = Work()
    for (path, version) in files {
      let age = sinceEpoch.subtractingReportingOverflow(version.modifiedNanoseconds).partialValue
      if let record = records[path], isCurrent(record, version) {
        changes[path] = nil
        if !record.isSettled, isQuiet(path, age: age, now: now) { work.settled.append(record) }
        continue
      }
      let old = changes[path]
      if old.map({ $0.version.isUntouched(since: version) }) != true {
        changes[path] = Change(
          version: version, firstNanoseconds: old?.firstNanoseconds ?? now, sinceNanoseconds: now)
      }
      guard let change = changes[path] else { continue }
      if age > Self.oldNanoseconds || now - change.sinceNanoseconds >= Self.quietNanoseconds
        || now - change.firstNanoseconds >= Self.growingNanoseconds
      {
        work.due.append(path)
      }
    }
    for path in changes.keys where files[path] == nil { changes[path] = nil }
    for (path, record) in records where files[path] == nil {
      work.gone.append(path)
      if !record.isSettled { work.settled.append(record) }
    }
    settle(work)
    work.due.sort { (Self.rank($0), $0) < (Self.rank($1), $1) }
    work.gone.sort()
    work.settled.sort { $0.path < $1.path }
    return work
  }

  /// Takes a capture that was checked, and says how it is to be kept.
  ///
  /// - Parameter continues: Whether it begins with what the capture of that path held before.
  mutating func take(_ record: CaptureRecord, continues: Bool) -> CaptureRecord {
    var record = record
    changes[record.path] = nil
    unsettled[record.path] = nil
    fresh.insert(record.path)
    let old = continues ? records[record.path] : nil
    for (place, trace) in record.traces.enumerated() {
      var key = keys[trace.traceID] ?? trace.traceID
      if let old, old.traces.indices.contains(place) {
        key = old.traces[place].key
        // Nobody asks again for the id that a reading in between had.
        keys[old.traces[place].traceID] = nil
      }
      record.traces[place].key = key
      keys[trace.traceID] = key == trace.traceID ? nil : key
    }
    records[record.path] = record
    return record
  }

  /// Leaves a capture that was replaced while it was checked: what it is now is another change.
  mutating func leave(_ path: String) {
    changes[path] = nil
    fresh.insert(path)
  }

  /// Whether a file is as it was when it was checked. What couldn't be read may be readable once
  /// somebody allows it.
  private func isCurrent(_ record: CaptureRecord, _ version: FileVersion) -> Bool {
    record.version == version && record.terms == terms
      && (record.failure == nil || version.isUntouched(since: record.version))
  }

  private mutating func isQuiet(_ path: String, age: Int64, now: Int64) -> Bool {
    if age >= Self.settlingNanoseconds { return true }
    // Files may bear a time of another clock.
    let since = unsettled[path] ?? now
    unsettled[path] = since
    return now - since >= Self.settlingNanoseconds
  }

  private mutating func settle(_ work: Work) {
    for record in work.settled {
      unsettled[record.path] = nil
      records[record.path]?.isSettled = true
    }
    for path in work.gone {
      records[path] = nil
      fresh.remove(path)
    }
  }

  /// The first format of a trace that comes in several is the one that it is counted from.
  private static func rank(_ path: String) -> Int {
    [".lctrace", ".ndjson", ".timeline"].firstIndex { path.hasSuffix($0) } ?? 3
  }
}
