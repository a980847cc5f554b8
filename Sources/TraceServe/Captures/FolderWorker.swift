// Looks after the directory: finds captures that arrive, grow or are replaced, has each checked
// once, and keeps what was found before anybody is told. Runs on a thread of its own, because it
// reads and computes all the time. This file must not know HTTP.

import TraceExport
import TraceIO
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
  /// Captures whose records couldn't be kept yet.
  private var unsaved: Set<String> = []
  /// Whether it was told that something can't be kept, and something still can't.
  private var hasFailedToSave = false
  private var warnings: Set<String> = []
  /// Which directory was looked at last; nil if there was none.
  private var identity: FileIdentity?
  /// What it took at last to find out what there is.
  private var listingNanoseconds: Int64 = 0

  /// Warnings about files of the directory; more help nobody.
  private static let warningsMax = 100

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

  /// Works until it is stopped.
  mutating func run() {
    let records = store.load()
    shelf = CaptureShelf(records, formerIDs: state?.formerIDs() ?? [:], terms: terms)
    tell(.loaded(records, store.sum))
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
          at: now, cost: listingNanoseconds + (now - start), isWaiting: shelf.isWaiting,
          hasHints: watch.isComplete)
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
    for error in listing.errors { warn("\(error)") }
    look.unseen = UnseenPaths(listing)
    var files: [String: FileVersion] = [:]
    for file in listing.files {
      if let version = FileVersion(path: file) { files[folder.name(of: file)] = version }
    }
    let work = shelf.update(
      files, unseen: listing.unseen.map(folder.name(of:)),
      now: ProcessEnvironment.monotonicNanoseconds(),
      sinceEpoch: ProcessEnvironment.nanosecondsSince1970())
    listingNanoseconds = ProcessEnvironment.monotonicNanoseconds() - start
    for record in work.settled { settle(record) }
    if !work.gone.isEmpty {
      let isKept = saveFormerIDs()
      for path in work.gone {
        // Else the next start learns from the record that the capture is gone, and its ids with it.
        if isKept { state?.remove(path) }
        unsaved.remove(path)
      }
      tell(.gone(work.gone, store.sum))
    }
    for path in work.due where !isStopped() {
      if let version = files[path] { check(path, version) }
    }
    look.hasUnreadable = shelf.hasUnreadable
    keepRest()
    return nil
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
  private mutating func take(
    _ record: CaptureRecord, _ capture: JudgedCapture, took: Int64
  ) {
    let old = shelf.records[record.path]
    var continues = false
    if let old {
      continues = isContinued(old, by: record)
      // What couldn't be read and now can be was never to stay unreadable.
      if !continues, !old.isSettled, old.failure == nil { settle(old) }
    }
    let record = shelf.take(record, continues: continues)
    let isKept = saveFormerIDs()
    if !record.isPassedOver { count(record, capture, took: took) }
    if isKept { save(record) } else { unsaved.insert(record.path) }
    tell(.checked(record, store.sum))
  }

  /// Whether a file holds what it held before and maybe more.
  private func isContinued(_ old: CaptureRecord, by new: CaptureRecord) -> Bool {
    guard new.version.mayContinue(old.version), let beginning = old.beginning else { return false }
    return beginning
      == FileBeginning(path: folder.path(of: new.path), byteCount: beginning.byteCount)
  }

  // MARK: Counting

  private mutating func count(_ record: CaptureRecord, _ capture: JudgedCapture, took: Int64) {
    let isSettled = record.isSettled
    keep { store throws(FileError) in try store.addCheck(durationNanoseconds: took) }
    if capture.failure != nil {
      count(MetricSet(capture.only(nil), countsOutcomes: isSettled), as: record.unreadableKey)
    }
    for (place, trace) in record.traces.enumerated() {
      count(MetricSet(capture.only(place), countsOutcomes: isSettled), as: trace.key)
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

  private mutating func save(_ record: CaptureRecord) {
    guard let state else { return }
    unsaved.insert(record.path)
    if keep({ _ throws(FileError) in try state.save(record) }) { unsaved.remove(record.path) }
  }

  /// Keeps by which ids traces went whose captures are gone, before the records go that say it.
  ///
  /// - Returns: Whether all are kept.
  private mutating func saveFormerIDs() -> Bool {
    for key in shelf.unsavedKeys {
      let ids = shelf.earlierIDs(of: key)
      if let state, !keep({ _ throws(FileError) in try state.save(ids, of: key) }) { return false }
      shelf.markSaved(key)
    }
    return true
  }

  /// Tries again to keep what couldn't be kept. Once all of it is, another failure is news.
  private mutating func keepRest() {
    guard keep({ store throws(FileError) in try store.writeRest() }), saveFormerIDs() else {
      return
    }
    for path in unsaved.sorted() {
      guard let record = shelf.records[path] else {
        unsaved.remove(path)
        continue
      }
      save(record)
      // Where one can't be written, the others can't either.
      if unsaved.contains(path) { return }
    }
    hasFailedToSave = false
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

  private mutating func warn(_ text: String) {
    guard warnings.count < Self.warningsMax, warnings.insert(text).inserted else { return }
    tell(.warning(text))
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
