// The checksum of the format: CRC-32C (Castagnoli), by the processor's instruction if it has one,
// else sixteen bytes at a time by tables. This file must not know what is checked.

import CTraceChecksum

/// CRC-32C as used by iSCSI, ext4 and Btrfs: reflected polynomial 0x82F63B78.
public enum CRC32C {
  static let polynomial: UInt32 = 0x82F6_3B78

  /// The checksum of some bytes. "123456789" gives 0xE3069283. O(n), above 1 GB/s, and ten
  /// times that with the instruction.
  public static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    ~register(~0, bytes, 0..<bytes.count)
  }

  /// The checksum of a part of some bytes. The range must lie inside them.
  public static func checksum(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
    ~register(~0, bytes, range)
  }

  /// The shift register after some more bytes; neither inverted before nor after.
  static func register(_ start: UInt32, _ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    return hasInstruction
      ? registerByInstruction(start, bytes, range) : registerByTables(start, bytes, range)
  }

  /// Whether the processor has the instruction.
  static let hasInstruction = lct_crc32c_is_there() != 0

  /// Bytes from which on three parts are taken at once: below, putting their registers together
  /// takes longer than is won.
  static let threePartBytesMin = 8_192

  /// The same by the instruction, which must be there.
  static func registerByInstruction(
    _ start: UInt32, _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> UInt32 {
    precondition(hasInstruction && range.lowerBound >= 0 && range.upperBound <= bytes.count)
    var crc = start
    var rest = bytes.extracting(range)
    if rest.count >= threePartBytesMin {
      let wordCount = rest.count / 24
      var registers: [UInt32] = [start, 0, 0]
      // Reads three times as many words of eight bytes, no more than there are.
      unsafe rest.withUnsafeBufferPointer { bytes in
        unsafe registers.withUnsafeMutableBufferPointer { registers in
          if let base = bytes.baseAddress, let registers = registers.baseAddress {
            unsafe lct_crc32c_of_three(registers, base, wordCount)
          }
        }
      }
      // Zero bytes behind a part stand for the parts behind it.
      crc =
        shift(registers[0], zeroByteCount: wordCount * 16)
        ^ shift(registers[1], zeroByteCount: wordCount * 8) ^ registers[2]
      rest = rest.extracting(wordCount * 24..<rest.count)
    }
    // Reads as many bytes as there are.
    return unsafe rest.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return crc }
      return unsafe lct_crc32c(crc, base, bytes.count)
    }
  }

  /// The same by tables.
  static func registerByTables(
    _ start: UInt32, _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> UInt32 {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    var crc = start
    var offset = range.lowerBound
    let table = tables.span
    precondition(table.count == 4_096)
    while range.upperBound - offset >= 16 {
      var next: UInt32 = 0
      let a =
        UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8
        | UInt32(bytes[offset + 2]) << 16 | UInt32(bytes[offset + 3]) << 24
      let b = a ^ crc
      next ^= table[3840 | Int(b & 255)] ^ table[3584 | Int((b >> 8) & 255)]
      next ^= table[3328 | Int((b >> 16) & 255)] ^ table[3072 | Int(b >> 24)]
      next ^= table[2816 | Int(bytes[offset + 4])] ^ table[2560 | Int(bytes[offset + 5])]
      next ^= table[2304 | Int(bytes[offset + 6])] ^ table[2048 | Int(bytes[offset + 7])]
      next ^= table[1792 | Int(bytes[offset + 8])] ^ table[1536 | Int(bytes[offset + 9])]
      next ^= table[1280 | Int(bytes[offset + 10])] ^ table[1024 | Int(bytes[offset + 11])]
      next ^= table[768 | Int(bytes[offset + 12])] ^ table[512 | Int(bytes[offset + 13])]
      next ^= table[256 | Int(bytes[offset + 14])] ^ table[Int(bytes[offset + 15])]
      crc = next
      offset += 16
    }
    while offset < range.upperBound {
      crc = table[Int((crc ^ UInt32(bytes[offset])) & 255)] ^ (crc >> 8)
      offset += 1
    }
    return crc
  }

  /// The register after as many zero bytes. The checksum of a range follows from the registers at
  /// its two ends, which bounds the cost of looking for a record at every byte. O(log count).
  static func shift(_ register: UInt32, zeroByteCount count: Int) -> UInt32 {
    var result = register
    var remaining = count
    var power = 0
    while remaining != 0, power < powers.count {
      if remaining & 1 != 0 { result = multiply(powers[power], result) }
      remaining >>= 1
      power += 1
    }
    return result
  }

  /// The product of two polynomials, modulo the polynomial of the checksum.
  private static func multiply(_ a: UInt32, _ b: UInt32) -> UInt32 {
    var product: UInt32 = 0
    var factor = b
    var bits = a
    while bits != 0 {
      if bits & 0x8000_0000 != 0 { product ^= factor }
      bits <<= 1
      factor = factor & 1 != 0 ? (factor >> 1) ^ polynomial : factor >> 1
    }
    return product
  }

  /// x to the power of 8, 16, 32 and so on: one zero byte, two, four.
  private static let powers: [UInt32] = {
    var powers: [UInt32] = [0x0080_0000]
    while powers.count < 32 {
      powers.append(multiply(powers[powers.count - 1], powers[powers.count - 1]))
    }
    return powers
  }()

  /// Sixteen tables of 256, one after the other; table n is table 0 moved on by n zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 4_096)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 != 0 ? (crc >> 1) ^ polynomial : crc >> 1 }
      tables[byte] = crc
    }
    for index in 256..<4_096 {
      let before = tables[index - 256]
      tables[index] = (before >> 8) ^ tables[Int(before & 255)]
    }
    return tables
  }()
}
