// A number for what happened in a trace, the same whichever format and block sizes it is stored in.

import TraceModel

/// Adds up a hash of every event's kind name, phase, thread, time and arguments.
///
/// The sum doesn't depend on the order in which events of equal time are stored, nor on batches.
/// It tells traces apart and is no protection against somebody who makes two look the same.
struct EventHash: Sendable {
  private(set) var eventCount = 0
  private var sum: UInt64 = 0
  private var secondSum: UInt64 = 0
  private var templateHashes: [UInt64] = []
  private var textHashes: [UInt64] = []

  /// Thirty-two hexadecimal digits.
  var text: String {
    Self.digits(sum) + Self.digits(secondSum ^ UInt64(truncatingIfNeeded: eventCount))
  }

  /// Adds the first events of a batch, all if there is no limit.
  mutating func add(_ batch: EventBatch, eventCountMax: Int = .max) {
    let count = min(batch.count, eventCountMax)
    if count == 0 { return }
    hashDictionary(of: batch)
    for index in 0..<count {
      let templateIndex = Int(batch.templateIndices[index])
      let template = batch.templates[templateIndex]
      var hash = Self.mix(
        templateHashes[templateIndex], UInt64(bitPattern: batch.timesNanoseconds[index]))
      let firstSlot = Int(template.firstSlot)
      let start = Int(batch.argumentStarts[index])
      for offset in 0..<Int(template.slotCount) {
        let bits = batch.argumentBits[start + offset]
        switch batch.slots[firstSlot + offset].type {
        case .string, .json: hash = Self.mix(hash, textHashes[Int(bits)])
        default: hash = Self.mix(hash, bits)
        }
      }
      sum &+= hash
      secondSum &+= Self.mix(hash, 0x5851_F42D_4C95_7F2D)
    }
    eventCount += count
  }

  private mutating func hashDictionary(of batch: EventBatch) {
    textHashes.removeAll(keepingCapacity: true)
    for index in 0..<batch.strings.count {
      textHashes.append(Self.hash(batch.strings.bytes[batch.strings.range(at: index)]))
    }
    templateHashes.removeAll(keepingCapacity: true)
    for template in batch.templates {
      var hash = Self.hash(batch.name(of: template.kind).utf8)
      hash = Self.mix(hash, UInt64(template.phase.rawValue))
      hash = Self.mix(hash, UInt64(bitPattern: batch.threads[Int(template.thread)].id))
      for offset in 0..<Int(template.slotCount) {
        let slot = batch.slots[Int(template.firstSlot) + offset]
        hash = Self.mix(hash, Self.hash(batch.text(of: slot.name).utf8))
        hash = Self.mix(hash, UInt64(slot.type.rawValue))
      }
      templateHashes.append(hash)
    }
  }

  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return mix(hash, 0x2545_F491_4F6C_DD1D)
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    var mixed = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 32
    mixed &*= 0xD6E8_FEB8_6659_FD93
    return mixed ^ (mixed >> 29)
  }

  private static func digits(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
