// Inputs that hold the same trace: one of them is checked, the others are listed as copies.
// This file must not know how a capture is read or judged.

import TraceExport
import TraceIO
package import TraceModel
import TraceRules

/// Checks the captures of a call in any order, and each trace once.
///
/// The head of every file is read first. Only captures whose heads agree can be copies of one
/// another; these are read together when the first of them is asked for. What isn't a regular
/// file can be read only once: it is read when its turn comes, and compared with what came before.
struct CopyFinder {
  private let run: CheckRun
  private let entries: [CaptureInputs.Entry]
  private let observer: CheckRun.Observer
  private let hasLiveEntries: Bool
  private var keys: [CaptureKey?]
  private let shard: CaptureInputs.Shard?
  /// Files that are no captures, by their heads.
  private var foreign: Set<Int> = []
  private var groups: [CaptureKey: [Int]] = [:]
  /// Captures that were checked before their turn.
  private var checked: [Int: JudgedCapture] = [:]
  /// What was checked and may have copies among the inputs to come.
  private var originals: [CaptureKey: [Original]] = [:]

  /// Checks what can be read in any order ahead of its turn; nil on one thread.
  private var workers: OrderedWork<CheckedCapture>?
  /// Results that wait for their turn, for each thread: one slow capture keeps none idle.
  private static let aheadMax = 4
  /// The number of each capture that the workers check.
  private var orderNumbers: [Int: Int] = [:]

  private struct Original {
    var path: String
    var traces: [TraceIdentity]
  }

  init(
    run: CheckRun, entries: [CaptureInputs.Entry], shard: CaptureInputs.Shard? = nil,
    observer: CheckRun.Observer
  ) {
    self.run = run
    self.shard = shard
    self.entries = entries
    self.observer = observer
    keys = [CaptureKey?](repeating: nil, count: entries.count)
    hasLiveEntries = entries.contains { $0.isLive }
    guard entries.count > 1 || shard != nil else { return }
    // Heads tell copies and shares; where nobody asks for either, files are opened only once.
    if run.keepsCopies, shard == nil {
      startWorkers()
      return
    }
    for index in entries.indices where !entries[index].isLive {
      if Interrupt.isRaised { return }
      let (key, isForeign) = Self.probe(entries[index].path, run)
      keys[index] = key
      if isForeign { foreign.insert(index) }
      if let key, !run.keepsCopies, isInShare(index) { groups[key, default: []].append(index) }
    }
    startWorkers()
  }

  /// Has captures checked in the order in which ``capture(at:)`` is going to ask for them.
  private mutating func startWorkers() {
    guard run.jobs > 1, let makeRun = run.makeRunForThread else { return }
    var orders: [(path: String, comparesContent: Bool)] = []
    for index in entries.indices
    where !entries[index].isLive && isInShare(index) && orderNumbers[index] == nil {
      let group = keys[index].flatMap { groups[$0] } ?? [index]
      let comparesContent =
        !run.keepsCopies && keys[index] != nil && (group.count > 1 || hasLiveEntries)
      for member in comparesContent ? group : [index] {
        orderNumbers[member] = orders.count
        orders.append((entries[member].path, comparesContent))
      }
    }
    if orders.count < 2 { return }
    let wanted = orders
    workers = OrderedWork(
      count: wanted.count, threads: run.jobs, aheadMax: Self.aheadMax * run.jobs
    ) {
      let run = makeRun()
      return { number in
        run.check(
          path: wanted[number].path, comparesContent: wanted[number].comparesContent,
          observer: CheckRun.Observer())
      }
    }
  }

  /// Has nothing more checked.
  func stop() { workers?.stop() }

  /// Whether the input at a place is to be checked: its trace decides, so that all copies of one
  /// are in one share; of what can't be read, or only once, the path.
  func isInShare(_ index: Int) -> Bool {
    guard let shard else { return true }
    return shard.contains(keys[index]?.text ?? entries[index].path)
  }

  /// Whether the file at a place is no capture, as far as its head tells.
  func isForeign(_ index: Int) -> Bool { foreign.contains(index) }

  /// The capture at a place, checked or known as a copy.
  mutating func capture(at index: Int) -> JudgedCapture {
    if run.keepsCopies { return check(index, comparesContent: false).capture }
    if let capture = checked.removeValue(forKey: index) { return capture }
    if entries[index].isLive {
      let result = check(index, comparesContent: entries.count > 1)
      return result.key.map { known(result, $0) } ?? result.capture
    }
    guard let key = keys[index], let group = groups.removeValue(forKey: key),
      group.count > 1 || hasLiveEntries
    else { return check(index, comparesContent: false).capture }
    var results = group.map { (index: $0, result: check($0, comparesContent: true)) }
    results.sort { ($0.result.copyRank, $0.index) < ($1.result.copyRank, $1.index) }
    for (index, result) in results { checked[index] = known(result, key) }
    if !hasLiveEntries { originals[key] = nil }
    return checked.removeValue(forKey: index) ?? JudgedCapture(path: entries[index].path)
  }

  private func check(_ index: Int, comparesContent: Bool) -> CheckedCapture {
    if let workers, let number = orderNumbers[index] {
      let result = workers.take(number)
      observer.progress(result.capture.eventCount)
      return result
    }
    return run.check(
      path: entries[index].path, comparesContent: comparesContent, observer: observer)
  }

  /// Says of which earlier capture this is a copy, or keeps it as an original.
  private mutating func known(_ result: CheckedCapture, _ key: CaptureKey) -> JudgedCapture {
    var capture = result.capture
    if let original = originals[key]?.first(where: { result.isCopy(of: $0.traces) }) {
      capture.copyOf = original.path
    } else if capture.failure == nil {
      originals[key, default: []].append(
        Original(path: capture.path, traces: result.identities))
    }
    return capture
  }

  /// What a capture's head says: its key, nil if it says nothing, and whether it is no capture.
  private static func probe(_ path: String, _ run: CheckRun) -> (CaptureKey?, isForeign: Bool) {
    var probe = CaptureProbe()
    var isForeign = false
    do throws(CaptureFailure) {
      try CaptureReader.read(
        path: path, format: run.format, overrides: run.overrides, lines: run.lines,
        into: &probe)
    } catch {
      // The check itself meets and reports the same failure.
      isForeign = error.kind == .foreign && JudgedCapture(path: path, failure: error).isPassedOver
    }
    return (probe.builder.key, isForeign)
  }
}

/// What makes a trace the same as another: its id, its events, and what its header says.
struct TraceIdentity: Sendable {
  var header: TraceHeader
  var eventCount: Int
  var contentHash: String
}

extension CheckedCapture {
  /// Whether a capture holds the same traces: the same events, and headers that agree as far as
  /// both say something, since equal events of two apps are two traces. Equal ids alone prove
  /// nothing: one of two recordings may be cut short.
  fileprivate func isCopy(of others: [TraceIdentity]) -> Bool {
    guard capture.failure == nil, !capture.isDamaged, !identities.isEmpty,
      identities.count == others.count
    else { return false }
    return zip(identities, others).allSatisfy { mine, theirs in
      mine.contentHash == theirs.contentHash && mine.eventCount == theirs.eventCount
        && mine.header.agrees(with: theirs.header)
        && (mine.eventCount > 0 || mine.header.string(.traceID) != nil)
    }
  }
}

extension TraceHeader {
  /// Fields that tell how a trace is stored, and not what happened.
  package static let storageFields: Set<HeaderField> = [
    .formatVersion, .endianness, .tickNumer, .tickDenom, .recorderVersion,
    .timestampResolutionNanoseconds,
  ]

  fileprivate func agrees(with other: TraceHeader) -> Bool {
    HeaderField.allCases.allSatisfy { field in
      guard !Self.storageFields.contains(field), let mine = self[field], let theirs = other[field]
      else { return true }
      return mine == theirs
    }
  }
}
