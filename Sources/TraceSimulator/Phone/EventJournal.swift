// Collects what happens in a simulation into blocks.
// This file must not know what the events mean.

import TraceModel

/// Takes single events and makes blocks of them.
///
/// A class, because the phone and the app of a simulation write into the same journal.
final class EventJournal {
  private var assembler = BatchAssembler()
  /// The blocks that are full and wait for the sink.
  private var blocks: [EventBatch] = []

  init() {}

  func append(
    _ kind: EventKind, _ phase: Phase, thread: Int64, at timeNanoseconds: Int64,
    _ arguments: EventArguments
  ) {
    if assembler.isFull { endBlock() }
    assembler.begin(kind, phase, thread: thread, timeNanoseconds: timeNanoseconds)
    for (name, value) in arguments { assembler.add(name, value.value) }
    assembler.endEvent()
  }

  private func endBlock() {
    guard assembler.batch.count > 0 else { return }
    var block = EventBatch()
    assembler.take(into: &block)
    blocks.append(block)
  }

  /// Hands over what is full, or at the end everything.
  func take(isEnd: Bool) -> [EventBatch] {
    if isEnd { endBlock() }
    defer { blocks.removeAll(keepingCapacity: true) }
    return blocks
  }
}
