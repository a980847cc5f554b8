// Looks after the directory: finds captures that arrive, grow or are replaced, has each checked
// once, and keeps what was found before anybody is told. Runs on a thread of its own, because it
// reads and computes all the time. This file must not know HTTP.

import TraceExport
import TraceIO
import TracePipeline

/// What the worker tells.
enum FolderNews: Sendable {
  /// Everything that was kept from earlier runs.
  case loaded([CaptureRecord], MetricSet)
  case checked(CaptureRecord, MetricSet)
  case gone([String])
  /// The directory was looked at: whether all files in it have been checked, and why it can't be
  /// listed.
  case scanned(isComplete: Bool, problem: String?)
  /// What a person should read on the terminal.
  case warning(String)
}

/// Watches and checks one directory.
struct FolderWorker: ~Copyable {
  private let directory: String
  private let makeRun: () -> CheckRun
  private let tell: (FolderNews) -> Void
  private let isStopped: () -> Bool
  private var store: MetricStore
  private let state: StateStore?
  private var shelf = CaptureShelf()
  private var total = MetricSet()
  private var checks = MetricSet()
  private var hasFailedToSave = false

  /// The longest time between two looks where the system gives no hints.
  private static let pollNanoseconds: Int64 = 2_000_000_000
  /// The same where it gives them, in case one was lost.
  private static let patientNanoseconds: Int64 = 30_000_000_000
  private static let waitMilliseconds: Int32 = 250
  /// The part of the time that looking may take, as one in so many.
  private static let scanShare: Int64 = 10

  init(
    directory: String, state: StateStore?, makeRun: @escaping () -> CheckRun,
    isStopped: @escaping () -> Bool, tell: @escaping (FolderNews) -> Void
  ) {
    self.directory = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    self.state = state
    store = MetricStore(state)
    self.makeRun = makeRun
    self.isStopped = isStopped
    self.tell = tell
  }

  /// Works until it is stopped.
  mutating func run() {
    load()
    var watch = DirectoryWatch(path: directory)
    var next = Int64.min
    while !isStopped() {
      let start = ProcessEnvironment.monotonicNanoseconds()
      if start >= next {
        scan()
        watch.refresh(path: directory)
        let took = ProcessEnvironment.monotonicNanoseconds() - start
        let usual =
          shelf.isWaiting
          ? 0 : watch.isComplete ? Self.patientNanoseconds : Self.pollNanoseconds
        next = start + max(took * Self.scanShare, usual, Int64(Self.waitMilliseconds) * 1_000_000)
        lastScanNanoseconds = took
      }
      if watch.wait(milliseconds: Self.waitMilliseconds) {
        let soonest = start + max(lastScanNanoseconds * Self.scanShare, 0)
        next = min(next, soonest)
      }
    }
  }

  private var lastScanNanoseconds: Int64 = 0

  private mutating func load() {
    let records: [CaptureRecord]
    (records, total, checks) = store.load()
    shelf = CaptureShelf(records)
    tell(.loaded(records, sum))
  }

  private var sum: MetricSet {
    var sum = total
    sum.add(checks)
    return sum
  }

  private mutating func scan() {
    guard DirectoryListing.kind(of: directory) == .directory else {
      return tell(.scanned(isComplete: false, problem: "the directory isn't there"))
    }
    let listing = DirectoryListing.files(below: directory)
    var files: [String: FileVersion] = [:]
    for file in listing.files {
      let path = String(file.dropFirst(directory.count + 1))
      if let version = FileVersion(path: file) { files[path] = version }
    }
    let (due, gone) = shelf.update(
      files, now: ProcessEnvironment.monotonicNanoseconds(),
      sinceEpoch: ProcessEnvironment.nanosecondsSince1970())
    if !gone.isEmpty {
      for path in gone { state?.remove(path) }
      tell(.gone(gone))
    }
    for path in due where !isStopped() {
      if let version = files[path] { check(path, version) }
    }
    tell(
      .scanned(
        isComplete: !shelf.isWaiting,
        problem: listing.errors.first.map { "\($0.path): \($0.message)" }))
  }

  private mutating func check(_ path: String, _ version: FileVersion) {
    let start = ProcessEnvironment.monotonicNanoseconds()
    var checked: JudgedCapture?
    do {
      let inputs = CaptureInputs(paths: [directory + "/" + path])
      try makeRun().check(inputs) { checked = $0 }
    } catch {
      // Only an interrupt ends a check like this, and the server with it.
      return
    }
    // It may have changed while it was read: then it is looked at again, and this doesn't count.
    guard let capture = checked, FileVersion(path: directory + "/" + path) == version else {
      return
    }
    var record = CaptureRecord(
      capture, path: path, version: version,
      checkedSeconds: ProcessEnvironment.secondsSince1970())
    record.isPassedOver = capture.isPassedOver
    record = shelf.take(record)
    keep(record, capture, took: ProcessEnvironment.monotonicNanoseconds() - start)
    tell(.checked(record, sum))
  }

  /// Counts a capture and keeps that, so that no counter falls after a restart.
  private mutating func keep(_ record: CaptureRecord, _ capture: JudgedCapture, took: Int64) {
    guard !record.isPassedOver else { return save(record) }
    checks.addCheck(durationNanoseconds: took)
    do throws(FileError) {
      if capture.failure != nil {
        try count(MetricSet(capture), as: record.unreadableKey)
      }
      for (place, trace) in record.traces.enumerated() {
        try count(MetricSet(capture.only(place)), as: trace.key)
      }
      try store.saveChecks(checks)
    } catch {
      warn(error)
    }
    save(record)
  }

  private mutating func count(_ set: MetricSet, as key: String) throws(FileError) {
    let old = store.metrics(key)
    var new = old ?? MetricSet()
    new.raise(toRereading: set)
    total.add(new.growth(since: old ?? MetricSet()))
    try store.save(new, as: key)
  }

  private mutating func save(_ record: CaptureRecord) {
    do throws(FileError) {
      try state?.save(record)
    } catch {
      warn(error)
    }
  }

  private mutating func warn(_ error: FileError) {
    guard !hasFailedToSave else { return }
    hasFailedToSave = true
    tell(
      .warning(
        "\(error.path): \(error.message); what is found now will be found again after a restart"))
  }
}

extension JudgedCapture {
  /// The capture as if it held one of its traces only.
  fileprivate func only(_ place: Int) -> JudgedCapture {
    var capture = self
    capture.traces = [traces[place]]
    capture.measures = place < measures.count ? [measures[place]] : []
    capture.failure = nil
    return capture
  }
}
