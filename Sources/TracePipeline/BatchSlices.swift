// Cuts a batch whose printed text would be much larger than the batch itself.
// This file must not know how events are printed.

public import TraceExport
public import TraceModel

/// Slices of a batch for encoders that print texts.
///
/// A block stores a text once, however many of its events name it: a few megabytes of a capture may
/// print to thousands of times as many.
public enum BatchSlices {
  /// Bytes of texts that are printed at once: as many as any ordinary block holds.
  static let textBytesMax = 4 << 20
  /// Events of one slice: each slice repeats names and templates.
  static let eventsMax = 1024

  /// Hands over a batch, or slices of it if its texts print to more than can be held at once.
  public static func forEach(
    of batch: EventBatch, _ body: (EventBatch) throws(CaptureFailure) -> Void
  ) throws(CaptureFailure) {
    if batch.textsTake(atMost: textBytesMax) { return try body(batch) }
    var assembler = BatchAssembler()
    var slice = EventBatch()
    var bytes = 0
    var texts = CopiedTexts(of: batch)
    for index in 0..<batch.count {
      let size = batch.textBytes(at: index)
      if assembler.batch.count > 0,
        assembler.isFull || assembler.batch.count >= eventsMax || bytes + size > textBytesMax
      {
        assembler.take(into: &slice)
        try body(slice)
        bytes = 0
      }
      assembler.copy(index, of: batch, texts: &texts)
      bytes += size
    }
    assembler.take(into: &slice)
    if slice.count > 0 { try body(slice) }
  }
}
