// Looks after the directory: finds captures that arrive, grow or are replaced, has each checked
// once, and keeps what was found before anybody is told. Runs on a thread of its own, because it
// reads and computes all the time. This file must not know HTTP.

import TraceExport
import TraceIO
import TraceModel
import TracePipeline

/// Watches and checks one directory.
struct FolderWorker: ~Copyable {
  private let folder: ServedFolder
  /// One for all captures: they share what is made of the rules.
  private let checkRun: CheckRun
  private let tell: (FolderNews) -> Void
  private let isStopped: () -> Bool
  private let terms: String
  private let state: StateStore?
  private var store: MetricStore
  private var shelf: CaptureShelf
  /// Captures whose records couldn't be kept yet, or forgotten if the captures are gone, with the
  /// keys of traces whose former ids must be kept before: only the older record says them.
  private var unsaved: [String: Set<String>] = [:]
  /// Whether it was told that something can't be kept, and something still can't.
  private var hasFailedToSave = false
  private var warnings = FolderWarnings()
  /// Which directory was looked at last; nil if there was none.
  private var identity: FileIdentity?
  /// What it took at last to find out what there is.
  private var listingNanoseconds: Int64 = 0
  /// Whether something that was listed at last wasn't there a moment later.
  private var isUnsure = false

  /// - Parameter terms: Changes with everything that decides what is found in a capture.
  init(
    folder: ServedFolder, state: StateStore?, terms: String,
    makeRun: () -> CheckRun, isStopped: @escaping () -> Bool,
    tell: @escaping (FolderNews) -> Void
  ) {
    self.folder = folder
    self.state = state
    self.terms = terms
    store = MetricStore(state)
    shelf = CaptureShelf(terms: terms)
    var checkRun = makeRun()
    checkRun.onlyRegularFiles = true
    self.checkRun = checkRun
    self.isStopped = isStopped
    self.tell = tell
  }

  /// Everything that was counted.
  var metrics: MetricSet { store.sum }

  /// Works until it is stopped.
  mutating func run() {
    let records = store.load()
    shelf = CaptureShelf(
      records, formerIDs: state?.formerIDs() ?? [:], vanished: state?.vanished() ?? [],
      terms: terms)
    tell(.loaded(records.filter(\.isCounted), store.sum))
    var watch = DirectoryWatch(path: folder.path)
    var pace = LookPace()
    while !isStopped() {
      // A directory that is moved away gives no hint of it.
      if FileIdentity(folder: folder.path) != identity { pace.lookAtOnce() }
      if ProcessEnvironment.monotonicNanoseconds() >= pace.nextNanoseconds {
        look()
        let start = ProcessEnvironment.monotonicNanoseconds()
        watch.refresh(path: folder.path)
        let now = ProcessEnvironment.monotonicNanoseconds()
        pace.looked(
          at: now, cost: listingNanoseconds + (now - start),
          isWaiting: shelf.isWaiting || isUnsure, hasHints: watch.isComplete)
      }
      if watch.wait(milliseconds: LookPace.waitMilliseconds) { pace.takeHint() }
    }
  }

  // MARK: Looking

  private mutating func look() {
    var look = FolderLook()
    identity = FileIdentity(folder: folder.path)
    listingNanoseconds = 0
    look.problem = work(&look)
    look.isComplete = look.problem == nil && shelf.isComplete && !isStopped()
    look.endSeconds = ProcessEnvironment.secondsSince1970()
    tell(.looked(look))
  }

  /// Does what a look brings up, and returns why the directory can't be listed.
  private mutating func work(_ look: inout FolderLook) -> String? {
    guard DirectoryListing.kind(of: folder.path) == .directory else {
      return "the directory isn't there"
    }
    let start = ProcessEnvironment.monotonicNanoseconds()
    let listing = DirectoryListing.files(below: folder.path, links: .inside)
    if listing.files.isEmpty,
      let error = listing.errors.first(where: { $0.path == folder.path })
    {
      return "\(error.path): \(error.message)"
    }
    for text in warnings.news(listing.errors.map { "\($0)" }, now: start) { tell(.warning(text)) }
    look.unseen = UnseenPaths(listing)
    let (files, vanished) = Self.versions(of: listing.files, in: folder)
    isUnsure = !vanished.isEmpty || listing.unseen.count > look.unseen.count
    let served = folder
    let work = shelf.update(
      files, unseen: listing.unseen.map(folder.name(of:)) + vanished, isUnsure: isUnsure,
      now: ProcessEnvironment.monotonicNanoseconds(),
      sinceEpoch: ProcessEnvironment.nanosecondsSince1970(),
      begins: { Self.begins(served.path(of: $1), $0) })
    listingNanoseconds = ProcessEnvironment.monotonicNanoseconds() - start
    saveVanished()
    if !work.formerKeys.isEmpty { saveFormerIDs() }
    for (path, keys) in work.formerKeys { holdBack(path, until: keys) }
    for record in work.settled { settle(record) }
    move(work.moved)
    if !work.gone.isEmpty {
      for path in work.gone { forget(path) }
      tell(.gone(work.gone, store.sum))
    }
    for path in work.due where !isStopped() {
      guard let version = files[path] else { continue }
      let start = ProcessEnvironment.monotonicNanoseconds()
      check(path, version)
      let now = ProcessEnvironment.monotonicNanoseconds()
      shelf.rest(path, took: now - start, now: now)
    }
    look.hasUnreadable = shelf.hasUnreadable
    keepRest()
    return nil
  }

  /// The files that are there, by name, and names of files that were there a moment before: they
  /// may have been given other names, so that it is too early to say that they are gone.
  private static func versions(
    of paths: [String], in folder: ServedFolder
  ) -> (files: [String: FileVersion], vanished: [String]) {
    var files: [String: FileVersion] = [:]
    var vanished: [String] = []
    for path in paths {
      let name = folder.name(of: path)
      if let version = FileVersion(path: path) {
        files[name] = version
      } else {
        vanished.append(name)
      }
    }
    return (files, vanished)
  }

  /// Keeps captures under their new names, and tells of them.
  private mutating func move(_ moved: [MovedCapture]) {
    if moved.isEmpty { return }
    for move in moved { save(move.record) }
    var gone: [String] = []
    for move in moved where shelf.records[move.from] == nil {
      gone.append(move.from)
      // What isn't kept under the new name yet stays kept under the old one.
      if unsaved[move.record.path] == nil {
        forget(move.from)
      } else if unsaved[move.from] == nil {
        unsaved[move.from] = []
      }
    }
    let sum = store.sum
    tell(.gone(gone, sum))
    for move in moved where move.record.isCounted { tell(.checked(move.record, sum)) }
  }

  // MARK: Checking

  private mutating func check(_ name: String, _ version: FileVersion) {
    let path = folder.path(of: name)
    // It may have become a pipe, or a link to somewhere else, while others were read.
    guard FileVersion(path: path) != nil, folder.holds(name) else { return }
    let start = ProcessEnvironment.monotonicNanoseconds()
    let beginning = FileBeginning(path: path, byteCount: version.byteCount)
    var checked: JudgedCapture?
    do {
      try checkRun.check(CaptureInputs(paths: [path])) { checked = $0 }
    } catch {
      // Only an interrupt ends a check like this, and the server with it.
      return
    }
    // It may have been replaced while it was read: then it is looked at again, and this doesn't
    // count.
    guard let capture = checked, isSame(path, version, beginning) else {
      shelf.leave(name)
      return
    }
    let record = CaptureRecord(
      capture, path: name, version: version, beginning: beginning, terms: terms,
      nowNanoseconds: ProcessEnvironment.nanosecondsSince1970())
    take(record, capture, took: ProcessEnvironment.monotonicNanoseconds() - start)
  }

  /// Whether a file is the one that was read, or that one with something appended to it: a file
  /// that is written all the time would else never be taken.
  private func isSame(_ path: String, _ version: FileVersion, _ beginning: FileBeginning?) -> Bool {
    guard let now = FileVersion(path: path) else { return false }
    return now == version
      || now.mayContinue(version) && beginning != nil
        && beginning == FileBeginning(path: path, byteCount: version.byteCount)
  }

  /// Takes a capture that was checked, and keeps that before anybody is told.
  private mutating func take(_ record: CaptureRecord, _ capture: JudgedCapture, took: Int64) {
    let old = shelf.records[record.path]
    let served = folder
    let begins = { (beginning: FileBeginning?, name: String) -> Bool in
      Self.begins(served.path(of: name), beginning)
    }
    let earlier = shelf.earlierReading(of: record, begins: begins)
    if let old {
      // What is in a file that can't be opened may go on.
      let continues =
        old.version.number == record.version.number && (earlier != nil || record.isClosed)
      // What couldn't be read and now can be was never to stay unreadable.
      if !continues, !old.isSettled, old.failure == nil { settle(old) }
    }
    let record = shelf.take(record, after: earlier, begins: begins)
    saveVanished()
    saveFormerIDs()
    if let old { holdBack(old.path, until: old.formerKeys) }
    let newKeys = store.uncounted(record.keys)
    // Killed between record and counts, the next run must know the trace again although its file
    // grew, or find out that it has to count it: so the last thing that is written is a count if it
    // is a new one, and the record if all were counted before.
    if !newKeys.isEmpty { save(record) }
    if !record.isPassedOver { count(record, capture, newKeys: newKeys, took: took) }
    if newKeys.isEmpty { save(record) }
    tell(.checked(record, store.sum))
  }

  /// Whether a file begins as one did.
  private static func begins(_ path: String, _ beginning: FileBeginning?) -> Bool {
    guard let beginning else { return false }
    return beginning == FileBeginning(path: path, byteCount: beginning.byteCount)
  }

  // MARK: Counting

  /// - Parameter newKeys: Those under which nothing was counted before; they come last.
  private mutating func count(
    _ record: CaptureRecord, _ capture: JudgedCapture, newKeys: Set<String>, took: Int64
  ) {
    let isSettled = record.isSettled
    keep { store throws(FileError) in try store.addCheck(durationNanoseconds: took) }
    for isNew in [false, true] {
      if capture.failure != nil, newKeys.contains(record.unreadableKey) == isNew {
        count(MetricSet(capture.only(nil), countsOutcomes: isSettled), as: record.unreadableKey)
      }
      for (place, trace) in record.traces.enumerated() where newKeys.contains(trace.key) == isNew {
        count(MetricSet(capture.only(place), countsOutcomes: isSettled), as: trace.key)
      }
    }
  }

  /// Counts the outcomes of a capture that is taken to have ended.
  private mutating func settle(_ record: CaptureRecord) {
    if record.failure != nil, !record.isPassedOver {
      count(MetricSet(.unreadable, format: record.format), as: record.unreadableKey)
    }
    for trace in record.traces {
      count(MetricSet(trace.outcome, format: record.format), as: trace.key)
    }
    guard let record = shelf.records[record.path], record.isSettled else { return }
    save(record)
    tell(.checked(record, store.sum))
  }

  private mutating func count(_ set: MetricSet, as key: String) {
    keep { store throws(FileError) in try store.count(set, as: key) }
  }

  // MARK: Keeping

  private mutating func save(_ record: CaptureRecord) {
    guard let state, !isHeldBack(record.path) else { return }
    unsaved[record.path] = []
    if keep({ _ throws(FileError) in try state.save(record) }) { unsaved[record.path] = nil }
  }

  /// Forgets the record of a capture that is gone.
  private mutating func forget(_ path: String) {
    if isHeldBack(path) { return }
    state?.remove(path)
    unsaved[path] = nil
  }

  /// Leaves the record that is kept of a capture as it is until former ids are kept that only it
  /// says: else the next start wouldn't learn them.
  private mutating func holdBack(_ path: String, until keys: [String]) {
    let keys = shelf.names.unsaved(among: keys)
    if !keys.isEmpty { unsaved[path, default: []].formUnion(keys) }
  }

  private func isHeldBack(_ path: String) -> Bool {
    guard let keys = unsaved[path] else { return false }
    return !shelf.names.unsaved(among: keys).isEmpty
  }

  /// Keeps by which ids traces went whose captures are gone.
  private mutating func saveFormerIDs() {
    for key in shelf.names.unsavedKeys {
      let ids = shelf.names.earlierIDs(of: key)
      // Where those of one can't be written, those of the others can't either.
      if let state, !keep({ _ throws(FileError) in try state.save(ids, of: key) }) { return }
      shelf.names.markSaved(key)
    }
  }

  /// Keeps by what captures are known again that are gone.
  private mutating func saveVanished() {
    if shelf.vanished.isSaved { return }
    let tracks = shelf.vanished.tracks
    if let state, !keep({ _ throws(FileError) in try state.saveVanished(tracks) }) { return }
    shelf.vanished.markSaved()
  }

  /// Tries again to keep what couldn't be kept. Once all of it is, another failure is news.
  private mutating func keepRest() {
    guard keep({ store throws(FileError) in try store.writeRest() }) else { return }
    saveVanished()
    saveFormerIDs()
    var gone: [String] = []
    for path in unsaved.keys.sorted() {
      guard let record = shelf.records[path] else {
        gone.append(path)
        continue
      }
      if isHeldBack(path) { continue }
      save(record)
      // Where one can't be written, the others can't either.
      if unsaved[path] != nil { return }
    }
    // Not before: a capture that was moved may be kept under its old name alone.
    for path in gone { forget(path) }
    if unsaved.isEmpty, shelf.names.unsavedKeys.isEmpty, shelf.vanished.isSaved {
      hasFailedToSave = false
    }
  }

  /// Keeps something for the next start, and tells once if that isn't possible.
  ///
  /// - Returns: Whether it is kept.
  @discardableResult
  private mutating func keep(_ body: (inout MetricStore) throws(FileError) -> Void) -> Bool {
    do throws(FileError) {
      try body(&store)
      return true
    } catch {
      guard !hasFailedToSave else { return false }
      hasFailedToSave = true
      tell(
        .warning(
          "\(error.path): \(error.message); what is found now will be found again after a restart")
      )
      return false
    }
  }
}

extension JudgedCapture {
  /// The capture as if it held one of its traces only, or as if it held none.
  fileprivate func only(_ place: Int?) -> JudgedCapture {
    var capture = self
    capture.traces = place.map { [traces[$0]] } ?? []
    capture.measures = place.flatMap { $0 < measures.count ? [measures[$0]] : nil } ?? []
    if place != nil { capture.failure = nil }
    return capture
  }
}
