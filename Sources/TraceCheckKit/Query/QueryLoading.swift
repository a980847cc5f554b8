// Brings the database up to date with the captures of a call: what is new is read, what has changed
// is read again, what is gone is forgotten.

import TraceExport
import TraceIO
import TraceModel
import TracePipeline
import TraceQuery

/// Loads captures into a database.
struct QueryLoading {
  let store: QueryStore
  let run: CheckRun
  /// What the rows depend on beside the captures: with other settings everything is read again.
  let settings: String
  /// The tables that are needed.
  let parts: QueryParts
  let progress: Progress

  private static let settingsName = "settings"
  /// Why the index doesn't hold all that a call named; nothing if it does.
  static let unfinishedName = "unfinished"
  /// How often the captures are loaded in vain, because other calls load theirs.
  private static let attemptsMax = 5

  /// An input, and what the file system says of it.
  private struct Entry {
    var path: String
    var isFromDirectory: Bool
    /// Nil if it isn't there, or can be read only once.
    var version: String?
    /// Nil for the same reason, and if a later change might not show.
    var lastingVersion: String?
    /// Its place among the inputs.
    var place: Int
  }

  /// What is to be done.
  private struct Plan {
    var gone: [String] = []
    var reads: [Entry] = []
    /// What each is read into: the needed tables, and those that the index has for others.
    var parts: QueryParts
    var settingsChanged = false
    var wasUnfinished = false

    var isEmpty: Bool { gone.isEmpty && reads.isEmpty && !settingsChanged && !wasUnfinished }
  }

  /// Brings the database up to date, and leaves a transaction open in which the question is
  /// answered: nobody else can load other captures in between.
  ///
  /// What was read until the user asked for the end is kept, and the next call goes on from there,
  /// unless something else had to be forgotten for it.
  func load(_ inputs: CaptureInputs) throws {
    var entries: [Entry] = []
    var seen: Set<String> = []
    for file in inputs.files where seen.insert(file.path).inserted && !isIndex(file.path) {
      entries.append(
        Self.entry(file.path, isFromDirectory: file.isFromDirectory, place: entries.count))
    }
    // What couldn't be listed may hold what seems to be gone, and so may an empty list of names.
    let isNothing = inputs.files.isEmpty && inputs.directories.isEmpty
    let kept = isNothing ? nil : inputs.unlisted
    for _ in 0..<Self.attemptsMax {
      // First without the right to write, which nobody needs where nothing has changed.
      try store.beginReading()
      if try store.hasTables, try plan(entries, keeping: kept).isEmpty { return }
      try store.rollback()
      let changes = try update(entries, keeping: kept)
      try store.beginReading()
      if try store.othersChanges() == changes { return }
      try store.rollback()
    }
    throw QueryError(
      .database, "other calls put their own captures into the index all the time",
      advice: "use an index for each set of captures")
  }

  /// Reads what has to be read.
  ///
  /// - Returns: What the store says of changes by others as long as there are none after this one.
  private func update(_ entries: [Entry], keeping kept: [String]?) throws -> Int64 {
    try store.begin()
    let changes = try store.othersChanges()
    let work = try plan(entries, keeping: kept)
    let known = Set(try store.captures().map(\.path))
    // Also what is read again: nothing may be taken for a copy of what it was before.
    let forgotten =
      work.settingsChanged
      ? try store.captures().map(\.path) : work.gone + work.reads.map(\.path)
    let forgetsKnown = forgotten.contains(where: known.contains)
    for path in forgotten { try store.forget(path) }
    try store.set(Self.settingsName, to: settings)
    let places = Self.places(of: entries)
    do {
      for entry in work.reads {
        if Interrupt.isRaised { throw CaptureFailure.interrupted }
        try read(entry, work.parts, places)
      }
    } catch let failure as CaptureFailure where failure.kind == .interrupted {
      // What was there before is worth more than a part of what takes its place.
      if forgetsKnown {
        try store.rollback()
      } else {
        try store.set(Self.unfinishedName, to: "a call was ended before it had read all captures")
        try store.commit()
      }
      throw failure
    }
    try store.set(Self.unfinishedName, to: nil)
    try store.commit()
    return changes
  }

  /// Whether a file is the index itself, or what the library keeps beside it while it writes.
  private func isIndex(_ path: String) -> Bool {
    guard case .file(let index) = store.place,
      let name = index.split(separator: "/").last
    else { return false }
    for ending in ["", "-journal"]
    where path == name + ending || path.hasSuffix("/\(name)\(ending)") {
      if FileIdentity(path: path) == FileIdentity(path: index + ending) { return true }
    }
    return false
  }

  private static func entry(_ path: String, isFromDirectory: Bool, place: Int) -> Entry {
    var entry = Entry(path: path, isFromDirectory: isFromDirectory, place: place)
    guard path != CaptureInputs.standardInput else { return entry }
    let now = ProcessEnvironment.nanosecondsSince1970()
    let files = [path] + (Recording.companion(of: path).map { [$0] } ?? [])
    let versions = files.compactMap { FileVersion(path: $0) }
    guard versions.count == files.count else { return entry }
    entry.version = versions.map(\.text).joined(separator: " ")
    if !versions.contains(where: { $0.isFresh(at: now) }) { entry.lastingVersion = entry.version }
    return entry
  }

  /// - Parameter kept: Paths at and below which nothing is forgotten; nil for everywhere.
  private func plan(_ entries: [Entry], keeping kept: [String]?) throws -> Plan {
    let known = try store.captures()
    let byPath = Dictionary(known.map { ($0.path, $0) }) { first, _ in first }
    var plan = Plan(parts: known.reduce(parts) { $0.union($1.parts) })
    plan.settingsChanged = try store.setting(Self.settingsName) != settings
    let paths = Set(entries.map(\.path))
    plan.wasUnfinished = try store.setting(Self.unfinishedName) != nil
    if let kept {
      plan.gone = known.map(\.path).filter { path in
        !paths.contains(path) && !kept.contains { Self.isAtOrBelow($0, path) }
      }
    }
    var changed = Set(plan.gone)
    for entry in entries {
      if let capture = byPath[entry.path], !plan.settingsChanged, isCurrent(capture, entry) {
        continue
      }
      changed.insert(entry.path)
    }
    // A copy is read itself where the capture that it is a copy of may be no more, or comes after
    // it in this call.
    let places = Self.places(of: entries)
    for capture in known {
      guard let path = capture.copyOf, paths.contains(capture.path) else { continue }
      guard let original = byPath[path], original.status == .read,
        original.identity == capture.identity, !changed.contains(path),
        !paths.contains(path) || !Self.isBetter(capture, than: original, places)
      else {
        changed.insert(capture.path)
        continue
      }
    }
    plan.reads = entries.filter { changed.contains($0.path) }
    return plan
  }

  /// Where captures stand in this call.
  private static func places(of entries: [Entry]) -> [String: Int] {
    Dictionary(entries.map { ($0.path, $0.place) }) { first, _ in first }
  }

  /// Whether this one of two captures with the same traces is kept: that of the best format, then
  /// the first.
  private static func isBetter(
    _ capture: KnownCapture, than other: KnownCapture, _ places: [String: Int]
  ) -> Bool {
    func order(_ capture: KnownCapture) -> (Int, Int) {
      (capture.rank, places[capture.path] ?? .max)
    }
    return order(capture) < order(other)
  }

  private static func isAtOrBelow(_ folder: String, _ path: String) -> Bool {
    path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  private func isCurrent(_ capture: KnownCapture, _ entry: Entry) -> Bool {
    guard let version = entry.version, capture.version == version else { return false }
    switch capture.status {
    case .read, .damaged: return parts.isSubset(of: capture.parts)
    case .copy, .unreadable: return true
    // A file is passed over in a directory only.
    case .passedOver: return entry.isFromDirectory
    }
  }

  // MARK: Reading

  private func read(
    _ entry: Entry, _ parts: QueryParts, _ places: [String: Int]
  ) throws {
    var capture = KnownCapture(path: entry.path, status: .read, parts: parts)
    capture.number = try store.write(capture)
    var judged = JudgedCapture(path: entry.path)
    let recognised = RecognisedFormat()
    var visitor = QueryProblems(
      base: try QueryVisitor(
        store: store, parts: parts, path: entry.path, capture: capture.number ?? 0,
        format: recognised, terms: run.terms, progress: { progress.add(events: $0) }),
      capture: judged)
    do throws(CaptureFailure) {
      try CaptureReader.read(
        path: entry.path, format: run.format, overrides: run.overrides, lines: run.lines,
        into: &visitor, opened: { recognised.format = $0 })
    } catch {
      if let first = visitor.base.firstTrace {
        try store.forget(traces: first...store.lastTraceNumber)
      }
      if error.kind == .output || error.kind == .interrupted {
        try store.forget(entry.path)
        throw error
      }
      visitor.capture.fail(error)
    }
    judged = visitor.capture
    progress.addCapture()
    capture.format = recognised.name
    capture.rank = recognised.format?.copyRank ?? .max
    capture.version = entry.lastingVersion
    capture.status = Self.status(of: judged, entry)
    // A log of others that somebody names is told of; in a directory it is nothing to mention.
    if capture.status != .passedOver || !entry.isFromDirectory {
      let lines = ProblemText.lines(of: judged)
      capture.problems = lines.isEmpty ? nil : String(decoding: lines, as: UTF8.self)
    }
    if capture.status == .read { capture.identity = visitor.base.identity }
    try store.write(capture)
    try settleCopies(of: capture, places)
  }

  private static func status(of judged: JudgedCapture, _ entry: Entry) -> KnownCapture.Status {
    if judged.notice != nil || (entry.isFromDirectory && judged.isPassedOver) {
      return .passedOver
    }
    if judged.failure != nil { return .unreadable }
    return judged.isDamaged ? .damaged : .read
  }

  /// Of captures with the same traces one is kept.
  private func settleCopies(of capture: KnownCapture, _ places: [String: Int]) throws {
    guard let identity = capture.identity else { return }
    let others = try store.captures(identity: identity, otherThan: capture.path)
    guard let original = others.first(where: { $0.status == .read }) else { return }
    let isBetter = Self.isBetter(capture, than: original, places)
    let (kept, copy) = isBetter ? (capture, original) : (original, capture)
    for var known in [copy] + others.filter({ $0.copyOf == copy.path }) {
      try store.forgetTraces(of: known.path)
      known.status = .copy
      known.copyOf = kept.path
      try store.write(known)
    }
  }
}

/// Hands on what a capture says, and keeps its problems.
private struct QueryProblems: CaptureVisitor {
  var base: QueryVisitor
  var capture: JudgedCapture

  mutating func begin(_ header: TraceHeader) throws(CaptureFailure) { try base.begin(header) }
  mutating func consume(_ batch: EventBatch) throws(CaptureFailure) { try base.consume(batch) }
  mutating func endTrace() throws(CaptureFailure) { try base.endTrace() }
  mutating func remark(_ remark: CaptureRemark) { base.remark(remark) }
  mutating func note(readByteCount: Int64) { base.note(readByteCount: readByteCount) }

  mutating func problem(_ problem: InputProblem) {
    capture.add(problem)
    base.problem(problem)
  }
}
