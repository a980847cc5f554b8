// A number for what happened in a trace, the same whichever format and block sizes it is stored in.

package import TraceModel

/// Adds up a hash of every event's kind name, phase, thread, time and arguments.
///
/// The sum doesn't depend on the order in which events of equal time are stored, nor on batches.
/// It tells traces apart and is no protection against somebody who makes two look the same.
package struct EventHash: Sendable {
  package private(set) var eventCount = 0
  private var sum: UInt64 = 0
  private var secondSum: UInt64 = 0
  /// A template of the batch at hand: what all its events share, and where its slots stand.
  private struct Template {
    var hash: UInt64
    var firstSlot: Int
    var slotCount: Int
  }

  private var templates: [Template] = []
  private var slotsAreText: [Bool] = []
  private var textHashes: [UInt64] = []

  package init() {}

  /// Thirty-two hexadecimal digits.
  package var text: String {
    Self.digits(sum) + Self.digits(secondSum ^ UInt64(truncatingIfNeeded: eventCount))
  }

  /// Adds the first events of a batch, all if there is no limit.
  package mutating func add(_ batch: EventBatch, eventCountMax: Int = .max) {
    let count = min(batch.count, eventCountMax)
    if count == 0 { return }
    hashDictionary(of: batch)
    var sums = (first: sum, second: secondSum)
    Self.add(
      batch.templateIndices.span, batch.timesNanoseconds.span, batch.argumentStarts.span,
      batch.argumentBits.span, count: count, templates.span, slotsAreText.span, textHashes.span,
      &sums)
    (sum, secondSum) = sums
    eventCount += count
  }

  /// Adds events column by column. The loop is a hot path; nothing in it allocates.
  private static func add(
    _ templateIndices: Span<UInt16>, _ times: Span<Int64>, _ starts: Span<UInt32>,
    _ bits: Span<UInt64>, count: Int, _ templates: Span<Template>, _ slotsAreText: Span<Bool>,
    _ textHashes: Span<UInt64>, _ sums: inout (first: UInt64, second: UInt64)
  ) {
    for index in 0..<count {
      let template = templates[Int(templateIndices[index])]
      var hash = mix(template.hash, UInt64(bitPattern: times[index]))
      let start = Int(starts[index])
      for offset in 0..<template.slotCount {
        let value = bits[start + offset]
        let isText = slotsAreText[template.firstSlot + offset]
        hash = mix(hash, isText ? textHashes[Int(value)] : value)
      }
      sums.first &+= hash
      sums.second &+= mix(hash, 0x5851_F42D_4C95_7F2D)
    }
  }

  private mutating func hashDictionary(of batch: EventBatch) {
    textHashes.removeAll(keepingCapacity: true)
    for index in 0..<batch.strings.count {
      textHashes.append(Self.hash(batch.strings.bytes[batch.strings.range(at: index)]))
    }
    slotsAreText.removeAll(keepingCapacity: true)
    for slot in batch.slots { slotsAreText.append(slot.type == .string || slot.type == .json) }
    templates.removeAll(keepingCapacity: true)
    for template in batch.templates {
      var hash = Self.hash(batch.name(of: template.kind).utf8)
      hash = Self.mix(hash, UInt64(template.phase.rawValue))
      hash = Self.mix(hash, UInt64(bitPattern: batch.threads[Int(template.thread)].id))
      for offset in 0..<Int(template.slotCount) {
        let slot = batch.slots[Int(template.firstSlot) + offset]
        hash = Self.mix(hash, Self.hash(batch.text(of: slot.name).utf8))
        hash = Self.mix(hash, UInt64(slot.type.rawValue))
      }
      templates.append(
        Template(
          hash: hash, firstSlot: Int(template.firstSlot), slotCount: Int(template.slotCount)))
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
