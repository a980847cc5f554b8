// One of the traces that are merged: the block at hand, and how far it has been taken.
// This file must not know the other traces.

import TraceExport
import TraceFormat
import TraceIO
import TraceImport
import TraceModel

/// A trace that is read block by block.
///
/// A class, because a source can't be copied, and arrays take only what can.
final class MergeInput {
  let path: String
  private(set) var header = TraceHeader()
  /// What was found wrong so far and nobody took.
  private var problems: [InputProblem] = []
  /// The block at hand, its times on the clock of the merged trace.
  private(set) var batch = EventBatch()
  /// The place of the next event in the block.
  var next = 0
  /// For each thread of the block the number of its next event.
  var numbers: [UInt64] = []
  private var shiftNanoseconds: Int64 = 0
  private var keepsNumbers = true
  /// Nil until it is known whether events stay numbered: the first block waits for that.
  private var losses: LossKeeper?
  /// What follows the word of a loss that is at hand.
  private var waiting: EventBatch?
  private var hasHeader = false
  private var hasEnded = false
  private var source: CaptureSource

  /// Opens a trace and reads its header and first block.
  init(
    path: String, format: CaptureFormat?, overrides: HeaderOverrides
  ) throws(CaptureFailure) {
    self.path = path
    source = try CaptureSource(path: path, format: format, lines: LineOptions())
    guard source.format.isTrace else {
      throw CaptureFailure(
        "it is a log (\(source.format.title)), and only traces are merged",
        advice: "convert it first, or use 'tracecheck convert --together' for logs of one run")
    }
    try advance()
    _ = overrides.apply(to: &header)
  }

  var isEmpty: Bool { next >= batch.count }

  /// The time of the next event.
  var nextNanoseconds: Int64 { batch.timesNanoseconds[next] }

  /// Nanoseconds since 1970 at time 0, by the header; nil if it doesn't say.
  var headerAnchor: Int64? {
    header.origin.wallClock.flatMap { clock in
      clock.hasDate && clock.hasYear && clock.hasZone ? clock.nanosecondsAtZero : nil
    }
  }

  /// The same, or else by the start of the recording in the block at hand.
  var anchor: Int64? {
    if let headerAnchor { return headerAnchor }
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      guard event.kind == .traceStart, let wall = batch.integer(.wallNs, of: event), wall > 0
      else { continue }
      return wall.minus(event.timeNanoseconds)
    }
    return nil
  }

  func takeProblems() -> [InputProblem] {
    defer { problems.removeAll() }
    return problems
  }

  /// Says what is to be added to all times, and whether events stay numbered.
  func adjust(byNanoseconds nanoseconds: Int64, keepsNumbers: Bool) throws(CaptureFailure) {
    shiftNanoseconds = nanoseconds
    self.keepsNumbers = keepsNumbers
    losses = LossKeeper(keepsNumbers: keepsNumbers)
    try takeUp()
  }

  /// Reads the next block; there is none at the end.
  func advance() throws(CaptureFailure) {
    next = 0
    batch.removeAll()
    if let waiting = waiting.take() {
      batch = waiting
      return try prepare()
    }
    while !hasEnded {
      switch source.next(into: &batch) {
      case .decoder(.header(let header)):
        if hasHeader {
          throw CaptureFailure(
            "it holds more than one trace, and merging takes one of each file",
            advice: "name files with one trace each")
        }
        hasHeader = true
        self.header = header
      case .decoder(.batch):
        guard batch.count > 0 else { continue }
        return try takeUp()
      case .decoder(.problem(let problem)):
        if problem.consequence == .refused { throw CaptureFailure(problem) }
        problems.append(problem)
      case .decoder(.end), .decoder(.needsInput):
        hasEnded = true
        batch.removeAll()
        if let problem = source.wrapperProblem { problems.append(problem) }
      case .decoder(.remark), .decoder(.stream), .idle: break
      case .failed(let failure): throw failure
      }
      if Interrupt.isRaised { throw .interrupted }
    }
  }

  /// Puts the word of a loss before the block at hand if events are missing there.
  private func takeUp() throws(CaptureFailure) {
    let parts = losses?.parts(of: batch) ?? []
    if parts.count > 1 { (batch, waiting) = (parts[0], parts[1]) }
    try prepare()
  }

  /// Brings the block at hand onto the clock of the merged trace.
  private func prepare() throws(CaptureFailure) {
    if shiftNanoseconds != 0 {
      for index in batch.timesNanoseconds.indices {
        let (time, overflow) = batch.timesNanoseconds[index].addingReportingOverflow(
          shiftNanoseconds)
        if overflow {
          throw CaptureFailure(
            "a time of it is centuries away from the other traces", advice: "leave it out")
        }
        batch.timesNanoseconds[index] = time
      }
    }
    if !keepsNumbers {
      for place in batch.threads.indices { batch.threads[place].firstSequence = 0 }
    }
    numbers = batch.threads.map(\.firstSequence)
  }
}
