// Numbers as bytes: variable-length integers, zigzag, little-endian words.
// This file must not know what the numbers mean.

import TraceModel

/// Why some bytes of a record whose checksum is right don't follow the format.
struct FormatDamage: Error, Hashable {
  /// What was found and what was expected, as part of a sentence.
  var message: String

  init(_ message: String) { self.message = message }

  static let cut = FormatDamage("it ends in the middle of a value")
  static let longNumber = FormatDamage("a number has more than 64 bits")
}

/// Reads from a span at a moving place. Every load is preceded by its own check.
enum ByteReader {
  @inline(__always)
  static func byte(_ bytes: Span<UInt8>, _ offset: inout Int) throws(FormatDamage) -> UInt8 {
    guard offset < bytes.count else { throw .cut }
    let byte = bytes[offset]
    offset += 1
    return byte
  }

  /// An unsigned integer, seven bits to the byte, lowest first.
  @inline(__always)
  static func varint(_ bytes: Span<UInt8>, _ offset: inout Int) throws(FormatDamage) -> UInt64 {
    guard offset < bytes.count else { throw .cut }
    let first = bytes[offset]
    offset += 1
    if first < 0x80 { return UInt64(first) }
    return try longVarint(bytes, &offset, UInt64(first & 0x7F))
  }

  @inline(__always)
  private static func longVarint(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ first: UInt64
  ) throws(FormatDamage) -> UInt64 {
    var value = first
    var shift: UInt64 = 7
    while true {
      guard offset < bytes.count else { throw .cut }
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        if shift == 63, byte > 1 { throw .longNumber }
        return value
      }
      shift += 7
      if shift > 63 { throw .longNumber }
    }
  }

  /// A signed integer whose sign is in the lowest bit.
  @inline(__always)
  static func zigzag(_ bytes: Span<UInt8>, _ offset: inout Int) throws(FormatDamage) -> Int64 {
    let value = try varint(bytes, &offset)
    return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
  }

  /// A number that must not exceed a bound; what it counts goes into the message.
  @inline(__always)
  static func count(
    _ bytes: Span<UInt8>, _ offset: inout Int, max: Int, _ what: StaticString
  ) throws(FormatDamage) -> Int {
    let value = try varint(bytes, &offset)
    guard value <= UInt64(max) else {
      throw FormatDamage("it declares \(value) \(what), more than \(max)")
    }
    return Int(value)
  }

  /// A place in a list.
  @inline(__always)
  static func index(
    _ bytes: Span<UInt8>, _ offset: inout Int, below count: Int, _ what: StaticString
  ) throws(FormatDamage) -> Int {
    let value = try varint(bytes, &offset)
    guard value < UInt64(count) else {
      throw FormatDamage("it names \(what) \(value) of \(count)")
    }
    return Int(value)
  }

  /// The range of the next bytes, which must be there.
  @inline(__always)
  static func range(
    _ bytes: Span<UInt8>, _ offset: inout Int, count: Int
  ) throws(FormatDamage) -> Range<Int> {
    guard count >= 0, count <= bytes.count - offset else { throw .cut }
    let range = offset..<offset + count
    offset += count
    return range
  }

  static func uint32(_ bytes: Span<UInt8>, _ offset: inout Int) throws(FormatDamage) -> UInt32 {
    guard bytes.count - offset >= 4 else { throw .cut }
    let value =
      UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
      | UInt32(bytes[offset + 3]) << 24
    offset += 4
    return value
  }

  @inline(__always)
  static func uint64(_ bytes: Span<UInt8>, _ offset: inout Int) throws(FormatDamage) -> UInt64 {
    guard bytes.count - offset >= 8 else { throw .cut }
    var value: UInt64 = 0
    for place in 0..<8 { value |= UInt64(bytes[offset + place]) << UInt64(place * 8) }
    offset += 8
    return value
  }
}

extension Array where Element: FixedWidthInteger {
  /// Appends zeros, in pieces: copying them is several times as fast as repeating one.
  mutating func appendZeros(_ count: Int) {
    reserveCapacity(self.count + count)
    let zeros = [Element](repeating: 0, count: Swift.min(count, 4_096))
    var rest = count
    while rest > 0 {
      let part = Swift.min(rest, zeros.count)
      append(contentsOf: zeros[..<part])
      rest -= part
    }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Appends as many elements as the body must write, every one of them; none if it throws.
  @inline(__always)
  mutating func append<Failure: Error>(
    count: Int, written body: (_ elements: inout MutableSpan<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    try append(addingCapacity: count) { (output: inout OutputSpan<Element>) throws(Failure) in
      // The elements are plain words without an end of life, so that writing one begins its life.
      // Only when all have been written do they become elements of the array.
      try unsafe output.withUnsafeMutableBufferPointer { buffer, writtenCount throws(Failure) in
        var elements = unsafe buffer.extracting(..<count).mutableSpan
        try body(&elements)
        writtenCount = count
      }
    }
  }
}

extension ByteReader {
  /// The eight bytes at a place, which must be there: the load checks it.
  @inline(__always)
  static func word(_ bytes: Span<UInt8>, at place: Int) -> UInt64 {
    // Every pattern of bits is a number, so that nothing but the bounds can be wrong.
    let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
    return UInt64(littleEndian: word)
  }
}

extension [UInt8] {
  @inline(__always)
  mutating func appendVarint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(truncatingIfNeeded: value))
  }

  @inline(__always)
  mutating func appendVarint(_ value: Int) { appendVarint(UInt64(value)) }

  @inline(__always)
  mutating func appendZigzag(_ value: Int64) {
    appendVarint(UInt64(bitPattern: value << 1) ^ UInt64(bitPattern: value >> 63))
  }

  mutating func appendLittleEndian(_ value: UInt32) {
    for shift in [0, 8, 16, 24] as [UInt32] { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  @inline(__always)
  mutating func appendLittleEndian(_ value: UInt64) {
    for place in 0..<8 { append(UInt8(truncatingIfNeeded: value >> UInt64(place * 8))) }
  }

  /// Appends the bytes of a text, after their number.
  mutating func appendText(_ text: String) {
    appendVarint(text.utf8.count)
    append(contentsOf: text.utf8)
  }

  /// Appends a copy of some bytes.
  mutating func append(copying bytes: Span<UInt8>) {
    // The pointer lives only inside the closure, and the array copies from it.
    unsafe bytes.withUnsafeBufferPointer { pointer in unsafe append(contentsOf: pointer) }
  }
}
