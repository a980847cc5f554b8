// What the program makes of a damaged trace, by each of its ways of reading one: from the start as
// `cat`, by the index, and as `doctor`.

import ArgumentParser
import Foundation
import TraceExport
import TraceFormat
import TraceModel
import TracePipeline
import TraceTestSupport

/// A trace, its damages, and what its blocks look like when they are read.
struct TraceDamage: Sendable {
  let trace: KnownTrace
  let mutations: Mutations
  /// The blocks as the reader gives them, which was compared with what is known of them.
  let batches: [EventBatch]
  private let scratch: String

  init(_ trace: KnownTrace, scratch: String) throws {
    self.trace = trace
    self.scratch = scratch
    mutations = Mutations(trace.bytes, blockCount: trace.blocks.count)
    let path = "\(scratch)/\(trace.form).lctrace"
    try Data(trace.bytes).write(to: URL(fileURLWithPath: path))
    var readings: [BatchVisitor] = []
    for skips in [false, true] {
      var visitor = BatchVisitor(skipsBlocks: skips)
      try CaptureReader.read(path: path, into: &visitor)
      readings.append(visitor)
    }
    batches = readings[0].batches.map(\.batch)
    let bytes = trace.bytes
    let hasMap =
      LctraceMap(byteCount: UInt64(bytes.count)) { place, count in
        let end = Int(place) + count
        return end <= bytes.count ? Array(bytes[Int(place)..<end]) : nil
      } != nil
    guard hasMap, readings.allSatisfy({ $0.isWhole(trace) }) else {
      throw ValidationError("the undamaged trace is read otherwise than it was written")
    }
  }

  /// A judge that has a file of its own.
  func judging(_ worker: Int) throws -> TraceJudge {
    try TraceJudge(self, path: "\(scratch)/\(trace.form)-\(worker).lctrace")
  }
}

/// Keeps everything that is read.
private struct BatchVisitor: CaptureVisitor {
  let skipsBlocks: Bool
  private(set) var batches: [(header: TraceHeader, batch: EventBatch)] = []
  private(set) var problems: [InputProblem] = []
  private var header = TraceHeader()

  init(skipsBlocks: Bool) { self.skipsBlocks = skipsBlocks }

  mutating func begin(_ header: TraceHeader) { self.header = header }
  mutating func consume(_ batch: EventBatch) { batches.append((header, batch)) }
  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) { problems.append(problem) }

  /// Whether it is what is known of a trace, and nothing else.
  func isWhole(_ trace: KnownTrace) -> Bool {
    problems.isEmpty && batches.count == trace.blocks.count
      && zip(batches, trace.blocks).allSatisfy { read, known in
        read.header == trace.headers[known.trace]
          && read.batch.firstOrdinal == known.firstOrdinal
          && read.batch.decodedEvents == known.events
      }
  }
}

/// Writes mutants into a file and reads them.
struct TraceJudge: DamageJudge {
  private let sweep: TraceDamage
  private let path: String
  private let file: FileHandle
  private var fileByteCount = 0

  init(_ sweep: TraceDamage, path: String) throws {
    self.sweep = sweep
    self.path = path
    try Data().write(to: URL(fileURLWithPath: path))
    file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
  }

  mutating func judge(_ mutation: Mutation, _ tally: inout DamageTally) throws {
    try write(sweep.trace.damaged(mutation))
    let expected = TraceExpectation(mutation, sweep.trace)
    for (skips, how) in [(false, "from its start"), (true, "by its index")] {
      var visitor = BlockVisitor(sweep, skipsBlocks: skips)
      var failure: CaptureFailure?
      do throws(CaptureFailure) {
        try CaptureReader.read(path: path, into: &visitor)
      } catch {
        failure = error
      }
      let (lost, invented) = expected.compare(visitor)
      tally.add(
        mutation, lost: lost, invented: invented,
        isUnnamed: failure == nil && !expected.isNamed(by: visitor.problems), how)
    }
    do throws(CaptureFailure) {
      let found = try CaptureExamination(path: path)
      let (lost, invented) = expected.compare(eventCount: found.eventCount)
      tally.add(
        mutation, lost: lost, invented: invented, isUnnamed: !expected.isNamed(by: found.problems),
        "by doctor")
    } catch {
      let (lost, invented) = expected.compare(eventCount: 0)
      tally.add(mutation, lost: lost, invented: invented, isUnnamed: false, "by doctor")
    }
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    try file.seek(toOffset: 0)
    try file.write(contentsOf: Data(bytes))
    if bytes.count != fileByteCount { try file.truncate(atOffset: UInt64(bytes.count)) }
    fileByteCount = bytes.count
  }
}

/// Finds out which blocks come out.
struct BlockVisitor: CaptureVisitor {
  let skipsBlocks: Bool
  /// The blocks in the order in which they came, and whether under their own trace's header.
  private(set) var found: [(block: Int, hasOwnHeader: Bool)] = []
  /// Batches that are no block of the trace.
  private(set) var strangeCount = 0
  private(set) var problems: [InputProblem] = []
  private let sweep: TraceDamage
  private var header = TraceHeader()

  init(_ sweep: TraceDamage, skipsBlocks: Bool) {
    self.sweep = sweep
    self.skipsBlocks = skipsBlocks
  }

  mutating func begin(_ header: TraceHeader) { self.header = header }
  mutating func endTrace() {}
  mutating func problem(_ problem: InputProblem) { problems.append(problem) }

  mutating func consume(_ batch: EventBatch) {
    let trace = sweep.trace
    for (number, known) in sweep.batches.enumerated() where known.says(what: batch) {
      let own = trace.headers[trace.blocks[number].trace]
      guard header == own || header == TraceHeader() else { break }
      found.append((number, header == own))
      return
    }
    strangeCount += 1
  }
}

extension EventBatch {
  /// Whether another batch holds the same events at the same place.
  func says(what other: EventBatch) -> Bool {
    firstOrdinal == other.firstOrdinal && timesNanoseconds == other.timesNanoseconds
      && templateIndices == other.templateIndices && argumentBits == other.argumentBits
      && argumentStarts == other.argumentStarts && threads == other.threads
      && slots == other.slots && templates == other.templates && ordinals == other.ordinals
      && strings.bytes == other.strings.bytes && strings.ends == other.strings.ends
      && kindNames.bytes == other.kindNames.bytes && kindNames.ends == other.kindNames.ends
      && argumentNames.bytes == other.argumentNames.bytes
      && argumentNames.ends == other.argumentNames.ends
  }
}
