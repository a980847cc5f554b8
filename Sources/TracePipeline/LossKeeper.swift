// Keeps in a trace that is written anew what its input lost.
// This file must not know why events are missing.

import TraceLifecycle
public import TraceModel

/// Says in the events themselves where events of the input are missing.
///
///     for part in losses.parts(of: batch) { try writer.consume(part) }
///
/// A trace that is written anew counts its events anew. Without a `trace.lost` in the place of a
/// hole nobody could see it there, and what was undecided would become certain.
public struct LossKeeper: Sendable {
  private let keepsNumbers: Bool
  private var sequences = SequenceChecker()
  private var lastNanoseconds: Int64?

  /// - Parameter keepsNumbers: Whether the events of threads stay numbered in what is written, see
  ///   ``TraceWriter/keepsNumbers``: these numbers tell of a loss by themselves.
  public init(keepsNumbers: Bool) { self.keepsNumbers = keepsNumbers }

  /// Another trace begins.
  public mutating func begin() { self = LossKeeper(keepsNumbers: keepsNumbers) }

  /// The batch as it was read, and before it a `trace.lost` if events are missing there.
  ///
  /// - Parameter isPartial: Whether blocks may have been left out on purpose before the batch.
  public mutating func parts(of batch: EventBatch, isPartial: Bool = false) -> [EventBatch] {
    if isPartial { sequences = SequenceChecker(isWhole: false) }
    sequences.check(batch)
    let gaps = sequences.takeGaps().filter { $0.thread == nil || !keepsNumbers }
    defer { lastNanoseconds = batch.timesNanoseconds.max() ?? lastNanoseconds }
    guard !gaps.isEmpty, let first = batch.timesNanoseconds.min() else { return [batch] }
    let missingCount = gaps.reduce(0) { min($0, .max - $1.missingCount) + $1.missingCount }
    return [loss(of: missingCount, before: first), batch]
  }

  private func loss(of missingCount: Int, before next: Int64) -> EventBatch {
    var assembler = BatchAssembler()
    assembler.begin(.traceLost, .instant, thread: 1, timeNanoseconds: next)
    assembler.add(.count, .integer(Int64(clamping: missingCount)))
    assembler.add(.firstNs, .integer(min(lastNanoseconds ?? next, next)))
    assembler.add(.lastNs, .integer(next))
    assembler.add(.thread, .string("all"))
    assembler.endEvent()
    return assembler.batch
  }
}
