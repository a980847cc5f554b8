// Cuts a batch that is too large for one block into several, in order. Not on the usual path:
// producers close their batches in time.

import TraceModel

/// The pieces of a batch, each a batch of its own.
///
/// A piece that is still too large is asked for again at half its size. One event always fits.
struct BatchPieces {
  private let batch: EventBatch
  private var assembler = BatchAssembler()
  /// The next event to hand out.
  private var start = 0
  /// The events of the piece handed out last.
  private var last = 0..<0
  private var eventsMax: Int
  /// The number that each thread's next event has; 0 where threads aren't numbered.
  private var sequences: [UInt64]
  private var texts: CopiedTexts

  init(_ batch: EventBatch) {
    self.batch = batch
    eventsMax = FormatLimits.eventsMax
    texts = CopiedTexts(of: batch)
    sequences = batch.threads.map { $0.firstSequence }
  }

  /// The next piece; false if there is none.
  mutating func next(into piece: inout EventBatch) -> Bool {
    advanceSequences()
    guard start < batch.count else { return false }
    piece.removeAll()
    var end = start
    while end < batch.count, end - start < eventsMax, !assembler.isFull {
      assembler.copy(end, of: batch, timeNanoseconds: nil, texts: &texts)
      end += 1
    }
    last = start..<end
    start = end
    assembler.take(into: &piece)
    for index in piece.threads.indices {
      if let place = batch.threads.firstIndex(where: { $0.id == piece.threads[index].id }) {
        piece.threads[index].firstSequence = sequences[place]
      }
    }
    return true
  }

  /// Takes back the last piece, which was too large, and makes the next ones half as large.
  mutating func halve() {
    start = last.lowerBound
    eventsMax = max(1, last.count / 2)
    // One event has bounded arguments and texts, and fits: without progress there is a bug above.
    precondition(last.count > 1, "an event exceeds the limits of a batch")
    last = start..<start
  }

  private mutating func advanceSequences() {
    for event in last {
      let thread = Int(batch.templates[Int(batch.templateIndices[event])].thread)
      if sequences[thread] != 0 { sequences[thread] &+= 1 }
    }
    last = start..<start
  }
}
