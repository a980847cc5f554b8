// How long values are as JSON. A text of a block is measured once: thousands of its events may name
// it, and together they may stand for thousands of times the bytes of the capture.

import TraceModel

/// The sizes of values as JSON, in bytes.
struct ValueSizes: Sendable {
  /// Of each text as a string and as JSON; 0 if nobody has asked yet.
  private var strings: [Int64] = []
  private var documents: [Int64] = []
  private var scratch: [UInt8] = []

  mutating func forget(textCount: Int) {
    strings = [Int64](repeating: 0, count: textCount)
    documents = strings
  }

  mutating func size(of time: Int64) -> Int64 {
    scratch.removeAll(keepingCapacity: true)
    JSONText.append(time, to: &scratch)
    return Int64(scratch.count)
  }

  mutating func size(of type: ArgumentType, _ bits: UInt64, in batch: EventBatch) -> Int64 {
    let known: Int64 =
      switch type {
      case .string: strings[Int(bits)]
      case .json: documents[Int(bits)]
      case .integer, .unsigned, .number, .boolean: 0
      }
    if known > 0 { return known }
    scratch.removeAll(keepingCapacity: true)
    NotationNames.append(type, bits, of: batch, to: &scratch)
    let size = Int64(scratch.count)
    switch type {
    case .string: strings[Int(bits)] = size
    case .json: documents[Int(bits)] = size
    case .integer, .unsigned, .number, .boolean: break
    }
    return size
  }
}
