// Cuts the texts of a batch for those who show little of them.
// This file must not know what is shown.

import TraceModel
import TraceNotation

/// Batches whose texts are short.
///
/// A block stores a text once, however many of its events name it. Whoever copies event by event
/// looks at the text each time: a capture of some hundred bytes could keep them busy for minutes.
enum ShortTexts {
  /// Bytes of a text that stay: more than is shown of one, and than identifiers differ in.
  static let bytesMax = 1_024

  /// The batch with long texts cut at a character; a long JSON text becomes a string.
  static func cut(_ batch: EventBatch) -> EventBatch {
    let isLong = (0..<batch.strings.count).map { batch.strings.range(at: $0).count > bytesMax }
    guard isLong.contains(true) else { return batch }
    var cut = batch
    cut.strings = StringPool()
    // Numbers stay; what long JSON texts become stands behind them.
    for (index, isLong) in isLong.enumerated() {
      let bytes = batch.strings.bytes[batch.strings.range(at: index)]
      cut.strings.append(Array(isLong ? beginning(of: bytes) : bytes).span)
    }
    var documents: [UInt64: UInt64] = [:]
    for index in 0..<batch.count {
      let template = batch.templates[Int(batch.templateIndices[index])]
      let start = Int(batch.argumentStarts[index])
      for (offset, slot) in batch.slots(of: template).enumerated() where slot.type == .json {
        let bits = batch.argumentBits[start + offset]
        guard isLong[Int(bits)] else { continue }
        if documents[bits] == nil {
          var quoted: [UInt8] = []
          JSONText.append(cut.strings[Int(bits)], to: &quoted)
          documents[bits] = UInt64(cut.strings.count)
          cut.strings.append(quoted.span)
        }
        cut.argumentBits[start + offset] = documents[bits] ?? bits
      }
    }
    return cut
  }

  private static func beginning(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = text.startIndex + bytesMax
    // Behind the cut stands no byte that continues a character.
    while end > text.startIndex, text[end] & 0xC0 == 0x80 { end -= 1 }
    return text[..<end]
  }
}
