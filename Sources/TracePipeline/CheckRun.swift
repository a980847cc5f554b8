// Checks all inputs of a call, one by one, and finds those that hold the same trace.
// This file must not know how reports look.

public import TraceExport
import TraceIO
public import TraceImport
public import TraceModel
public import TraceRules

/// A check of several captures.
public struct CheckRun {
  /// Makes the terms on which a trace is judged.
  public var terms: TraceTerms.Maker
  /// The format that all inputs have; nil to recognise each.
  public var format: CaptureFormat?
  public var overrides = HeaderOverrides()
  /// How log lines are read.
  public var lines = LineOptions()
  /// Whether pipes and devices are refused, for who must not wait for their writers.
  public var onlyRegularFiles = false
  /// Keeps the events of standard input; nil to keep nothing.
  public var recorder: TraceWriter?
  public var measuring = Measuring.nothing
  /// Whether traces come with a hash of their events.
  public var tellsContent = false
  /// Whether inputs that hold the same trace as another are judged like any other.
  public var keepsCopies = false
  /// Threads: captures are checked at once, and blocks of a single one read ahead. Reports don't
  /// depend on it.
  public var jobs = 1
  /// Makes a run like this one for another thread: what is made of rules is for one thread. Without
  /// it everything is done on the caller's.
  public var makeRunForThread: (@Sendable () -> CheckRun)?

  /// - Parameter terms: Makes the terms on which a trace is judged, from its header and path.
  public init(terms: @escaping TraceTerms.Maker) { self.terms = terms }

  /// What is measured beside the judging.
  public enum Measuring: Sendable {
    case nothing
    /// Durations and counts, added up.
    case totals
    /// Also when each was measured.
    case timed
  }

  /// Who wants to know what before a capture has been read to its end.
  public struct Observer {
    /// Takes findings of a live input that are certain.
    public var liveFindings: ([Finding], _ path: String) -> Void
    /// Told now and then how many events were read.
    public var progress: (_ events: Int) -> Void
    /// Told why the events of standard input couldn't be kept.
    public var recordFailed: (CaptureFailure) -> Void

    public init(
      liveFindings: @escaping ([Finding], _ path: String) -> Void = { _, _ in },
      progress: @escaping (_ events: Int) -> Void = { _ in },
      recordFailed: @escaping (CaptureFailure) -> Void = { _ in }
    ) {
      self.liveFindings = liveFindings
      self.progress = progress
      self.recordFailed = recordFailed
    }
  }

  /// Checks the inputs and hands over each capture as it is done, in the order of the inputs.
  ///
  /// Files of directories that are no captures are passed over. A directory without any is
  /// handed over as unreadable.
  public func check(
    _ inputs: CaptureInputs, observer: Observer = Observer(),
    report: (JudgedCapture) throws -> Void
  ) throws {
    for failure in inputs.failures { try report(failure) }
    var hits = [Int](repeating: 0, count: inputs.directories.count)
    var copies = CopyFinder(
      run: self, entries: inputs.entries, shard: inputs.shard, observer: observer)
    defer { copies.stop() }
    for index in inputs.entries.indices {
      let entry = inputs.entries[index]
      // An interrupt ends a live input, and what follows isn't read. Without one there is no end
      // to sum up: the call itself was interrupted.
      if Interrupt.isRaised {
        if inputs.hasLiveEntries { return }
        throw CaptureFailure.interrupted
      }
      if !copies.isInShare(index) {
        if let directory = entry.directory, !copies.isForeign(index) { hits[directory] += 1 }
        continue
      }
      let capture = copies.capture(at: index)
      if Interrupt.isRaised, !inputs.hasLiveEntries { throw CaptureFailure.interrupted }
      if let directory = entry.directory {
        if capture.isPassedOver {
          // A log of others is nothing to mention, and still a capture.
          if capture.notice != nil { hits[directory] += 1 }
          continue
        }
        hits[directory] += 1
      }
      try report(capture)
    }
    for (directory, count) in hits.enumerated() where count == 0 {
      try report(
        JudgedCapture(
          path: inputs.directories[directory],
          failure: inputs.failure(ofEmpty: inputs.directories[directory])))
    }
  }

  /// Checks the inputs as captures of one run, and hands over each run, and what is of none.
  ///
  /// - Throws: ``CaptureFailure`` if the user ended it, and what `report` throws.
  public func checkTogether(
    _ inputs: CaptureInputs, observer: Observer = Observer(),
    report: (JudgedCapture) throws -> Void
  ) throws {
    let together = try Together(inputs, format: format, overrides: overrides, lines: lines)
    for failure in together.failures { try report(failure) }
    for capture in together.captures {
      var judge = CaptureJudge(
        path: capture.path, terms: terms, comparesContent: tellsContent, measuring: measuring,
        liveFindings: { _ in }, progress: observer.progress)
      do throws(CaptureFailure) {
        try together.read(capture, into: &judge)
      } catch {
        if error.kind == .interrupted { throw error }
        judge.fail(error)
      }
      var judged = judge.result(format: nil).capture
      judged.format = capture.format
      judged.sources = capture.sources
      try report(judged)
    }
  }

  /// Checks one capture.
  func check(path: String, comparesContent: Bool, observer: Observer) -> CheckedCapture {
    var judge = CaptureJudge(
      path: path, terms: terms,
      recorder: path == CaptureInputs.standardInput ? recorder : nil,
      comparesContent: comparesContent || tellsContent, measuring: measuring,
      liveFindings: { observer.liveFindings($0, path) }, progress: observer.progress)
    var format: CaptureFormat?
    do throws(CaptureFailure) {
      try CaptureReader.read(
        path: path, format: self.format, overrides: overrides, lines: lines,
        onlyRegular: onlyRegularFiles, jobs: jobs, into: &judge, opened: { format = $0 })
      judge.finishRecord()
    } catch {
      // Ended before it said anything: nothing is wrong with it.
      if error.kind != .interrupted { judge.fail(error) }
    }
    let result = judge.result(format: format)
    if let failure = result.recordFailure { observer.recordFailed(failure) }
    return result
  }
}

extension JudgedCapture {
  /// Whether a file found in a directory is no capture, or one without events, so that nobody meant
  /// it. A file that is called ours and isn't has lost its beginning, which must not go unnoticed.
  public var isPassedOver: Bool {
    if notice != nil { return true }
    guard let failure, failure.kind == .foreign else { return false }
    return !FileExtension.of(path, isAmong: ["lctrace", "timeline"])
  }
}

extension CaptureFailure {
  /// The failure of a directory in which nothing could be read.
  public static let noCaptures = CaptureFailure(
    "the directory holds no captures", advice: "name a directory that does, or a file",
    .captureless)

  /// The failure of a list of names that is empty.
  static let emptyList = CaptureFailure(
    "the list names no captures", advice: "name captures or directories in it", .captureless)
}
