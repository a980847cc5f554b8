// Which captures there are, which must be checked, and what was found in them. This file must not
// know how captures are read or shown.

import TraceIO
import TraceModel

/// The captures of a directory.
struct CaptureShelf: Sendable {
  /// By path.
  private(set) var records: [String: CaptureRecord]
  /// Under which names traces are counted.
  var names: TraceNames
  /// Captures that are gone: their files may come back, and may have grown.
  var vanished: VanishedCaptures
  /// What the last files held that were cut: who rotates logs may copy one before.
  private(set) var cut: [CaptureTrack] = []
  /// Nil until it is needed, and after captures were moved.
  private var index: ShelfIndex?
  /// Since when captures are missing of which it isn't sure yet that they are gone.
  private var missing: [String: Int64] = [:]
  /// Files that changed, until they are checked.
  private var changes: [String: Change] = [:]
  /// Those of them that were checked before: new files may be copies of what they have become.
  private(set) var changedPaths: Set<String> = []
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

  private struct Change {
    var version: FileVersion
    /// When the file was first seen to change.
    var firstNanoseconds: Int64
    /// When this version was first seen.
    var sinceNanoseconds: Int64
  }

  /// What is to be done.
  struct Work {
    /// The files that are to be checked now: known ones first, then those first that a trace in
    /// several formats is to be counted from.
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
  /// How long a capture may be missing while files are given other names all the time.
  private static let missingNanoseconds: Int64 = 5_000_000_000

  /// Files that were cut of which a new one may be a copy: each costs a look into the file.
  private static let cutMax = 16

  /// - Parameters:
  ///   - formerIDs: What an earlier run knew of captures that are gone, by key.
  ///   - vanished: What it knew of the last ones of them.
  init(
    _ records: [CaptureRecord] = [], formerIDs: [String: [String]] = [:],
    vanished: [CaptureTrack] = [], terms: String = ""
  ) {
    self.terms = terms
    self.vanished = VanishedCaptures(vanished)
    self.records = Dictionary(records.map { ($0.path, $0) }) { first, _ in first }
    names = TraceNames(FormerIDs(formerIDs))
    for record in records {
      for trace in record.traces { names.hold(trace, isNew: true) }
    }
  }

  /// Whether files are waited for to become quiet.
  var isWaiting: Bool { !changes.isEmpty }

  /// Whether every file has been looked at since the start, or is as it was when it was checked on
  /// the terms of now.
  var isComplete: Bool { changes.keys.allSatisfy(fresh.contains) }

  /// Whether there is a capture that can't be read. Of one that may still grow and has no event yet
  /// it is too early to say so.
  var hasUnreadable: Bool {
    records.values.contains {
      $0.isListedUnreadable || !$0.isPassedOver && $0.isSettled && $0.isUnreadable
    }
  }

  /// Compares the files that are there with the records.
  ///
  /// - Parameters:
  ///   - files: All files of the directory by path.
  ///   - unseen: Paths that couldn't be looked at: what was there, and below them, stays as it was.
  ///   - isUnsure: Whether files were given other names meanwhile, so that one that isn't there may
  ///     be there under a name that isn't known yet.
  ///   - now: The time on a clock that never goes back.
  ///   - sinceEpoch: The time since 1970, which says how old a file is.
  ///   - begins: Whether the file at a path begins as a capture did; asked where a file that was
  ///     known has another name.
  mutating func update(
    _ files: [String: FileVersion], unseen: [String] = [], isUnsure: Bool = false, now: Int64,
    sinceEpoch: Int64, begins: (FileBeginning?, String) -> Bool = { _, _ in false }
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
    changedPaths = Set(changes.keys.filter { records[$0] != nil })
    for path in fresh.filter({ files[$0] == nil && !Self.isHidden($0, by: unseen) }) {
      fresh.remove(path)
    }
    if !isUnsure { missing = [:] }
    for (path, record) in records where files[path] == nil && !Self.isHidden(path, by: unseen) {
      if isUnsure, isAwaited(path, now: now) { continue }
      work.gone.append(path)
      if !record.isSettled { work.settled.append(record) }
    }
    // What is known comes first: a copy of what it became is then known too.
    work.due.sort { order($0) < order($1) }
    work.gone.sort()
    work.settled.sort { $0.path < $1.path }
    settle(&work)
    return work
  }

  /// Takes a capture that was checked, and says how it is to be kept.
  ///
  /// - Parameters:
  ///   - earlier: What its file held before.
  ///   - begins: Whether the file at a path begins as a file did.
  mutating func take(
    _ record: CaptureRecord, after earlier: CaptureTrack?,
    begins: (FileBeginning?, String) -> Bool
  ) -> CaptureRecord {
    var record = record
    changes[record.path] = nil
    changedPaths.remove(record.path)
    unsettled[record.path] = nil
    renamed.remove(record.path)
    fresh.insert(record.path)
    keepEarlier(&record, isContinued: earlier != nil)
    let old = records[record.path]?.traces ?? []
    let readings = Self.earlierReadings(of: record.traces, in: earlier?.traces ?? [])
    let oldIDs = Set(old.map(\.traceID))
    for (place, trace) in record.traces.enumerated() {
      name(place, in: &record, after: readings[place], begins: begins)
      names.hold(record.traces[place], isNew: !oldIDs.contains(trace.traceID))
    }
    let ids = Set(record.traces.map(\.traceID))
    let continued = Set(readings.compactMap { $0?.traceID })
    for trace in old where !ids.contains(trace.traceID) {
      if continued.contains(trace.traceID) { names.release(trace) } else { names.remember(trace) }
    }
    records[record.path] = record
    index?.add(record)
    return record
  }

  /// Keeps what a file held before that can't be read now, or that holds something else.
  private mutating func keepEarlier(_ record: inout CaptureRecord, isContinued: Bool) {
    if let old = records[record.path] {
      let isSameFile = old.version.number == record.version.number
      if isSameFile { record.unreadableName = old.unreadableName }
      if isSameFile, record.traces.isEmpty {
        record.lastRead = old.track
      } else if let track = old.track, !isSameFile || !isContinued {
        vanished.add(track)
      }
      let isCut = record.version.byteCount < old.version.byteCount
      if isSameFile, isCut || !isContinued && !record.traces.isEmpty, let track = old.track {
        cut = Array(cut.suffix(Self.cutMax - 1)) + [track]
      }
    }
    guard record.isListedUnreadable, record.unreadableName == nil else { return }
    let key = record.unreadableKey
    let paths = makeIndex().paths(countedAs: key)
    // Another file was moved on with that name.
    if paths.contains(where: { records[$0]?.unreadableName == key }) {
      record.unreadableName = "\(key) \(record.version.modifiedNanoseconds)"
    }
  }

  /// Says under which name a trace is counted. One of which nothing is known yet is no copy of
  /// another such one.
  ///
  /// - Parameter earlier: What it was when its file was read before.
  private mutating func name(
    _ place: Int, in record: inout CaptureRecord, after earlier: CaptureTrack.Trace?,
    begins: (FileBeginning?, String) -> Bool
  ) {
    let trace = record.traces[place]
    record.traces[place].hasGrown = false
    if let earlier {
      let isSame = earlier.traceID == trace.traceID
      if isSame || !hasParted(record, from: earlier, to: trace.traceID, begins: begins) {
        record.traces[place].key = earlier.key
        record.traces[place].hasGrown = !isSame || earlier.hasGrown
        return
      }
    } else if trace.isNameless {
      let version = record.version
      record.traces[place].key =
        "empty \(record.path) \(place) \(version.modifiedNanoseconds) \(version.byteCount)"
      return
    }
    record.traces[place].key = names.key(of: trace.traceID)
  }

  /// Where to look for captures.
  mutating func makeIndex() -> ShelfIndex {
    let made = index ?? ShelfIndex(records.values)
    index = made
    return made
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

  /// Whether it is too early to say that a capture is gone that isn't there.
  private mutating func isAwaited(_ path: String, now: Int64) -> Bool {
    let since = missing[path] ?? now
    missing[path] = since
    return now - since < Self.missingNanoseconds
  }

  private mutating func settle(_ work: inout Work) {
    for record in work.settled {
      // Another capture may have been moved to its place.
      guard records[record.path]?.version.number == record.version.number else { continue }
      unsettled[record.path] = nil
      records[record.path]?.isSettled = true
    }
    if !work.gone.isEmpty { index = nil }
    for path in work.gone {
      renamed.remove(path)
      if let record = records.removeValue(forKey: path) { remember(record, &work) }
    }
  }

  /// Gives captures their new names. What had these names before is gone.
  private mutating func rename(_ work: inout Work) {
    if !work.moved.isEmpty { index = nil }
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

  /// Remembers a capture that is gone.
  private mutating func remember(_ record: CaptureRecord, _ work: inout Work) {
    if let track = record.track { vanished.add(track) }
    for trace in record.traces { names.remember(trace) }
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

  /// In which order files are checked.
  private func order(_ path: String) -> (Int, Int, String) {
    (records[path] == nil ? 1 : 0, Self.rank(path), path)
  }

  /// The first format of a trace that comes in several is the one that it is counted from.
  private static func rank(_ path: String) -> Int {
    FileExtension.of(path).flatMap { ["lctrace", "ndjson", "timeline"].firstIndex(of: $0) } ?? 3
  }
}
