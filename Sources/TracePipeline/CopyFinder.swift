// Inputs that hold the same trace: one of them is checked, the others are listed as copies.
// This file must not know how a capture is read or judged.

import TraceExport
import TraceModel
import TraceRules

/// Checks the captures of a call in any order, and each trace once.
///
/// The head of every capture is read first. Only captures whose heads agree can be copies of one
/// another; these are read together when the first of them is asked for.
struct CopyFinder {
  private let run: CheckRun
  private let entries: [CaptureInputs.Entry]
  private let observer: CheckRun.Observer
  private var keys: [CaptureKey?]
  private var groups: [CaptureKey: [Int]] = [:]
  /// Captures that were checked before their turn.
  private var checked: [Int: JudgedCapture] = [:]

  init(run: CheckRun, entries: [CaptureInputs.Entry], observer: CheckRun.Observer) {
    self.run = run
    self.entries = entries
    self.observer = observer
    keys = [CaptureKey?](repeating: nil, count: entries.count)
    guard entries.count > 1 else { return }
    for index in entries.indices {
      if entries[index].path == CaptureInputs.standardInput {
        // It can be read only once; a second mention has nothing left to read.
        let result = run.check(path: entries[index].path, observer: observer)
        checked[index] = result.capture
        keys[index] = result.key
        standardInput[index] = result
      } else {
        keys[index] = Self.key(of: entries[index].path, run)
      }
      if let key = keys[index] { groups[key, default: []].append(index) }
    }
  }

  /// The capture at a place, checked or known as a copy.
  mutating func capture(at index: Int) -> JudgedCapture {
    if let key = keys[index], let group = groups[key], group.count > 1 {
      groups[key] = nil
      check(group)
    }
    if let capture = checked.removeValue(forKey: index) { return capture }
    return run.check(path: entries[index].path, observer: observer).capture
  }

  private var standardInput: [Int: CheckedCapture] = [:]

  private mutating func check(_ group: [Int]) {
    var results: [(index: Int, result: CheckedCapture)] = group.map { index in
      (index, standardInput[index] ?? run.check(path: entries[index].path, observer: observer))
    }
    results.sort { ($0.result.copyRank, $0.index) < ($1.result.copyRank, $1.index) }
    var originals: [JudgedCapture] = []
    for (index, result) in results {
      var capture = result.capture
      if let original = originals.first(where: { capture.isCopy(of: $0) }) {
        capture.copyOf = original.path
      } else {
        originals.append(capture)
      }
      checked[index] = capture
    }
  }

  /// What a capture's head says; nil if it says nothing, as that of a file that is no capture.
  private static func key(of path: String, _ run: CheckRun) -> CaptureKey? {
    var probe = CaptureProbe()
    do throws(CaptureFailure) {
      try CaptureReader.read(
        path: path, format: run.format, overrides: run.overrides, into: &probe)
    } catch {
      // The check itself meets and reports the same failure.
    }
    return probe.builder.key
  }
}

extension JudgedCapture {
  /// Whether two captures hold the same traces. Captures without a trace id of their own must
  /// also agree in their headers, as far as both say something: equal events of two apps are two
  /// traces.
  fileprivate func isCopy(of other: JudgedCapture) -> Bool {
    guard failure == nil, other.failure == nil, !isDamaged, !traces.isEmpty,
      traces.count == other.traces.count
    else { return false }
    return zip(traces, other.traces).allSatisfy { mine, theirs in
      mine.traceID == theirs.traceID
        && (mine.header.string(.traceID) != nil
          || (mine.eventCount > 0 && mine.header.agrees(with: theirs.header)))
    }
  }
}

extension TraceHeader {
  /// Fields that tell how a trace is stored, and not what happened.
  private static let storageFields: Set<HeaderField> = [
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
