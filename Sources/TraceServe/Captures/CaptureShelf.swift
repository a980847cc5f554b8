// Which captures there are, which must be checked, and what was found in them. This file must not
// know how captures are read or shown.

import TraceIO

/// The captures of a directory.
struct CaptureShelf: Sendable {
  /// By path.
  private(set) var records: [String: CaptureRecord]
  /// By the id of a trace, where it is counted under another key.
  private var aliases: [String: Alias] = [:]
  /// Ids of traces whose captures are gone: they may come back under other names.
  private var formerIDs: FormerIDs
  /// Files that changed, until they are checked.
  private var changes: [String: Change] = [:]
  /// Since when captures are waited for that may still grow.
  private var unsettled: [String: Int64] = [:]
  /// Captures that were looked at since the start.
  private var fresh: Set<String> = []
  /// Captures that were given their names after they were checked.
  private var renamed: Set<String> = []
  /// Until when captures aren't checked again whose check took long.
  private var rests: [String: Int64] = [:]
  /// The terms on which captures are judged now.
  private let terms: String

  private struct Alias {
    var key: String
    /// Traces of captures that go by this id, and one more while it is a former id.
    var holderCount = 0
  }

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
    /// Captures that are there under another name, in the order in which they are to be kept.
    var moved: [MovedCapture] = []
    /// The captures whose files are gone, sorted.
    var gone: [String] = []
    /// By path, the keys of traces whose former ids only the records say that were kept until now.
    var formerKeys: [String: [String]] = [:]
    /// Captures that are taken to have ended, gone ones too, so that their outcomes count.
    var settled: [CaptureRecord] = []
  }

  /// How long a file must stay as it is before it is read: who copies a file pauses less.
  private static let quietNanoseconds: Int64 = 700_000_000
  /// What was changed this long ago is quiet already.
  private static let oldNanoseconds: Int64 = 3_000_000_000
  /// A file that doesn't stop changing is read this often.
  private static let growingNanoseconds: Int64 = 10_000_000_000
  /// The part of the time that checking one capture again and again may take, as one in so many.
  private static let checkShare: Int64 = 4
  /// A trace without an end is taken to have ended after this: recorders write more often.
  static let settlingNanoseconds: Int64 = 60_000_000_000

  /// - Parameter formerIDs: What an earlier run knew of captures that are gone, by key.
  init(
    _ records: [CaptureRecord] = [], formerIDs: [String: [String]] = [:], terms: String = ""
  ) {
    self.terms = terms
    self.records = Dictionary(records.map { ($0.path, $0) }) { first, _ in first }
    self.formerIDs = FormerIDs(formerIDs)
    for (key, ids) in self.formerIDs.idsByKey.sorted(by: { $0.key < $1.key }) {
      for id in ids { hold(id, as: key, isNew: true) }
    }
    for record in records {
      for trace in record.traces { hold(trace.traceID, as: trace.key, isNew: true) }
    }
  }

  /// The keys whose former ids aren't kept for the next start yet, sorted.
  var unsavedKeys: [String] { formerIDs.unsaved.sorted() }

  /// By which ids the trace of a key went.
  func earlierIDs(of key: String) -> [String] { formerIDs.idsByKey[key] ?? [] }

  /// Those of some keys whose former ids aren't kept for the next start yet.
  func unsaved(among keys: some Sequence<String>) -> [String] {
    keys.filter { formerIDs.unsaved.contains($0) }
  }

  mutating func markSaved(_ key: String) { formerIDs.markSaved(key) }

  /// Whether files are waited for to become quiet.
  var isWaiting: Bool { !changes.isEmpty }

  /// Whether every file has been looked at since the start, or is as it was when it was checked on
  /// the terms of now.
  var isComplete: Bool { changes.keys.allSatisfy(fresh.contains) }

  /// Whether there is a capture that can't be read.
  var hasUnreadable: Bool {
    records.values.contains { $0.failure != nil && !$0.isPassedOver }
  }

  /// Compares the files that are there with the records.
  ///
  /// - Parameters:
  ///   - files: All files of the directory by path.
  ///   - unseen: Paths that couldn't be looked at: what was there, and below them, stays as it was.
  ///   - now: The time on a clock that never goes back.
  ///   - sinceEpoch: The time since 1970, which says how old a file is.
  ///   - begins: Whether the file at a path begins with what a capture held; asked where a file
  ///     that was known has another name.
  mutating func update(
    _ files: [String: FileVersion], unseen: [String] = [], now: Int64, sinceEpoch: Int64,
    begins: (CaptureRecord, String) -> Bool = { _, _ in false }
  ) -> Work {
    let unseen = Set(unseen)
    var work = Work()
    work.moved = MovedCapture.find(among: records, in: files, begins: begins)
    rename(&work)
    rests = rests.filter { $0.value > now }
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
      guard let change = changes[path], rests[path] == nil else { continue }
      if age > Self.oldNanoseconds || now - change.sinceNanoseconds >= Self.quietNanoseconds
        || now - change.firstNanoseconds >= Self.growingNanoseconds
      {
        work.due.append(path)
      }
    }
    for path in changes.keys where files[path] == nil { changes[path] = nil }
    for path in fresh.filter({ files[$0] == nil && !Self.isHidden($0, by: unseen) }) {
      fresh.remove(path)
    }
    for (path, record) in records where files[path] == nil && !Self.isHidden(path, by: unseen) {
      work.gone.append(path)
      if !record.isSettled { work.settled.append(record) }
    }
    work.due.sort { (Self.rank($0), $0) < (Self.rank($1), $1) }
    work.gone.sort()
    work.settled.sort { $0.path < $1.path }
    settle(&work)
    return work
  }

  /// Takes a capture that was checked, and says how it is to be kept.
  ///
  /// - Parameter continues: Whether it begins with what the capture of that path held before.
  mutating func take(_ record: CaptureRecord, continues: Bool) -> CaptureRecord {
    var record = record
    changes[record.path] = nil
    unsettled[record.path] = nil
    renamed.remove(record.path)
    fresh.insert(record.path)
    let old = records[record.path]?.traces ?? []
    let earlier = Self.earlierReadings(of: record.traces, in: continues ? old : [])
    let oldIDs = Set(old.map(\.traceID))
    for (place, trace) in record.traces.enumerated() {
      let key = earlier[place]?.key ?? aliases[trace.traceID]?.key ?? trace.traceID
      record.traces[place].key = key
      hold(trace.traceID, as: key, isNew: !oldIDs.contains(trace.traceID))
    }
    let ids = Set(record.traces.map(\.traceID))
    let continued = Set(earlier.compactMap { $0?.traceID })
    for trace in old where !ids.contains(trace.traceID) {
      if continued.contains(trace.traceID) { release(trace) } else { remember(trace) }
    }
    records[record.path] = record
    return record
  }

  /// What each trace of a file that grew was when it was read before; nil for those that are new.
  ///
  /// Traces that have ended keep their ids, and show between which of them the others are.
  private static func earlierReadings(
    of traces: [TraceRecord], in old: [TraceRecord]
  ) -> [TraceRecord?] {
    let ids = Set(traces.map(\.traceID))
    let places = Dictionary(
      old.enumerated().map { ($0.element.traceID, $0.offset) }, uniquingKeysWith: { $1 })
    var next = 0
    var earlier: [TraceRecord?] = []
    for trace in traces {
      if let place = places[trace.traceID] {
        earlier.append(old[place])
        next = place + 1
      } else if next < old.count, !ids.contains(old[next].traceID) {
        earlier.append(old[next])
        next += 1
      } else {
        earlier.append(nil)
      }
    }
    return earlier
  }

  private mutating func hold(_ id: String, as key: String, isNew: Bool) {
    guard id != key else { return }
    var alias = aliases[id] ?? Alias(key: key)
    alias.key = key
    if isNew || alias.holderCount == 0 { alias.holderCount += 1 }
    aliases[id] = alias
  }

  /// Forgets the id that a trace had before its file grew, once no capture goes by it: else the ids
  /// of all readings in between would be kept.
  private mutating func release(_ trace: TraceRecord) {
    if trace.traceID != trace.key { release(trace.traceID) }
  }

  /// Remembers the id of a trace whose capture is gone.
  private mutating func remember(_ trace: TraceRecord) {
    guard trace.traceID != trace.key else { return }
    if let id = formerIDs.add(trace.traceID, of: trace.key) { release(id) }
  }

  private mutating func release(_ id: String) {
    guard var alias = aliases[id] else { return }
    alias.holderCount -= 1
    aliases[id] = alias.holderCount > 0 ? alias : nil
  }

  /// Says how long a check took, so that a large capture that grows for hours doesn't keep the
  /// others waiting all the time.
  ///
  /// - Parameters:
  ///   - took: What the check took, in nanoseconds.
  ///   - now: When it ended, on a clock that never goes back.
  mutating func rest(_ path: String, took: Int64, now: Int64) {
    let pause = took * (Self.checkShare - 1)
    // A file is waited for so long in any case.
    if pause > Self.quietNanoseconds { rests[path] = now + pause }
  }

  /// Leaves a capture that was replaced while it was checked: what it is now is another change. It
  /// was looked at all the same: a file that is replaced all the time would else keep the server
  /// from ever being ready.
  mutating func leave(_ path: String) {
    changes[path] = nil
    fresh.insert(path)
  }

  /// Whether a file is as it was when it was checked. What couldn't be read may be readable once
  /// somebody allows it, and what a name says of the format has changed with the name.
  private func isCurrent(_ record: CaptureRecord, _ version: FileVersion) -> Bool {
    record.version == version && record.terms == terms && !renamed.contains(record.path)
      && (record.failure == nil || version.isUntouched(since: record.version))
  }

  private mutating func isQuiet(_ path: String, age: Int64, now: Int64) -> Bool {
    if age >= Self.settlingNanoseconds { return true }
    // Files may bear a time of another clock.
    let since = unsettled[path] ?? now
    unsettled[path] = since
    return now - since >= Self.settlingNanoseconds
  }

  private mutating func settle(_ work: inout Work) {
    for record in work.settled {
      // Another capture may have been moved to its place.
      guard records[record.path]?.version.number == record.version.number else { continue }
      unsettled[record.path] = nil
      records[record.path]?.isSettled = true
    }
    for path in work.gone {
      renamed.remove(path)
      if let record = records.removeValue(forKey: path) { remember(record, &work) }
    }
  }

  /// Gives captures their new names. What had these names before is gone.
  private mutating func rename(_ work: inout Work) {
    for move in work.moved {
      records[move.from] = nil
      unsettled[move.from] = nil
      renamed.remove(move.from)
    }
    for move in work.moved {
      let path = move.record.path
      if let old = records[path] {
        if !old.isSettled { work.settled.append(old) }
        remember(old, &work)
      }
      records[path] = move.record
      unsettled[path] = nil
      renamed.insert(path)
      if fresh.contains(move.from) { fresh.insert(path) }
    }
  }

  /// Remembers the ids of a capture that is gone.
  private mutating func remember(_ record: CaptureRecord, _ work: inout Work) {
    for trace in record.traces { remember(trace) }
    let keys = record.formerKeys
    if !keys.isEmpty { work.formerKeys[record.path] = keys }
  }

  /// Whether a path, or a directory that it is in, couldn't be looked at.
  private static func isHidden(_ path: String, by unseen: Set<String>) -> Bool {
    if unseen.isEmpty { return false }
    let slash = UInt8(ascii: "/")
    return unseen.contains(path)
      || path.utf8.indices.contains {
        path.utf8[$0] == slash && unseen.contains(String(path[..<$0]))
      }
  }

  /// The first format of a trace that comes in several is the one that it is counted from.
  private static func rank(_ path: String) -> Int {
    [".lctrace", ".ndjson", ".timeline"].firstIndex { path.hasSuffix($0) } ?? 3
  }
}
