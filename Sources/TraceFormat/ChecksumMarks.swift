// Checksums of any range of a stretch of input, in bounded time each.
// A damaged file may hold a false record at every few bytes, each claiming megabytes: without the
// marks, the search for the next whole record would be quadratic.

import TraceModel

/// Registers of the checksum at regular places of the input.
struct ChecksumMarks: Sendable {
  /// Bytes between two marks: a query reads at most twice as many.
  private static let stepBytes = 512
  /// Marks behind the reader that may pile up before they are dropped.
  private static let marksKept = 4_096

  /// The place in the input of the first mark.
  private var firstOffset: UInt64 = 0
  private var registers: [UInt32] = []

  init() {}

  /// Forgets everything, and starts at a place of the input.
  mutating func restart(at offset: UInt64) {
    firstOffset = offset
    registers.removeAll(keepingCapacity: true)
    registers.append(0)
  }

  /// The checksum of a range of the window, whose first byte stands at `windowOffset` of the
  /// input. The range must begin at or after the place of the restart.
  mutating func checksum(
    of range: Range<Int>, in window: Span<UInt8>, at windowOffset: UInt64
  ) -> UInt32 {
    let from = register(at: range.lowerBound, in: window, at: windowOffset)
    let to = register(at: range.upperBound, in: window, at: windowOffset)
    return ~(to ^ CRC32C.shift(~from, zeroByteCount: range.count))
  }

  /// Prepares for the loss of the bytes before a place of the window, which lies at or after the
  /// place of the restart. Returns the first place that must be kept.
  mutating func keep(
    from place: Int, in window: Span<UInt8>, at windowOffset: UInt64
  ) -> Int {
    _ = register(at: place, in: window, at: windowOffset)
    let distance = Int(windowOffset + UInt64(place) - firstOffset)
    let mark = distance / Self.stepBytes
    if mark > Self.marksKept {
      registers.removeSubrange(0..<mark)
      firstOffset += UInt64(mark * Self.stepBytes)
    }
    return place - distance % Self.stepBytes
  }

  /// The register after all bytes from the restart up to a place, begun with 0.
  private mutating func register(
    at place: Int, in window: Span<UInt8>, at windowOffset: UInt64
  ) -> UInt32 {
    let distance = Int(windowOffset + UInt64(place) - firstOffset)
    let mark = distance / Self.stepBytes
    let shiftToWindow = Int(truncatingIfNeeded: firstOffset &- windowOffset)
    while registers.count <= mark {
      let start = (registers.count - 1) * Self.stepBytes + shiftToWindow
      registers.append(
        CRC32C.register(registers[registers.count - 1], window, start..<start + Self.stepBytes))
    }
    let start = mark * Self.stepBytes + shiftToWindow
    return CRC32C.register(registers[mark], window, start..<place)
  }
}
