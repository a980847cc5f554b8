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
    guard isLarge(batch) else { return try body(batch) }
    var assembler = BatchAssembler()
    var slice = EventBatch()
    var bytes = 0
    for index in 0..<batch.count {
      let size = textBytes(of: index, in: batch)
      if assembler.batch.count > 0,
        assembler.isFull || assembler.batch.count >= eventsMax || bytes + size > textBytesMax
      {
        assembler.take(into: &slice)
        try body(slice)
        bytes = 0
      }
      assembler.copy(index, of: batch)
      bytes += size
    }
    assembler.take(into: &slice)
    if slice.count > 0 { try body(slice) }
  }

  private static func isLarge(_ batch: EventBatch) -> Bool {
    var longest = 0
    for index in 0..<batch.strings.count {
      longest = max(longest, batch.strings.range(at: index).count)
    }
    // Most batches are settled here, without a look at their events. No overflow: a pool is
    // smaller than 4 GiB, and a batch has far fewer than a milliard arguments.
    if longest * batch.argumentBits.count <= textBytesMax { return false }
    var bytes = 0
    for index in 0..<batch.count {
      bytes += textBytes(of: index, in: batch)
      if bytes > textBytesMax { return true }
    }
    return false
  }

  private static func textBytes(of index: Int, in batch: EventBatch) -> Int {
    let template = batch.templates[Int(batch.templateIndices[index])]
    let firstSlot = Int(template.firstSlot)
    let start = Int(batch.argumentStarts[index])
    var bytes = 0
    for offset in 0..<Int(template.slotCount) {
      let type = batch.slots[firstSlot + offset].type
      guard type == .string || type == .json else { continue }
      bytes += batch.strings.range(at: Int(batch.argumentBits[start + offset])).count
    }
    return bytes
  }
}
