// The header of a zstd frame (RFC 8878, section 3.1.1.1), as far as its bounds go.
// Both codecs check it before they decode anything.

import TraceModel

/// What a zstd frame declares of itself.
package struct ZstdFrameHeader {
  /// The first bytes of every zstd frame.
  package static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  /// Bytes of the header, with the magic number.
  package var byteCount: Int
  /// The content's size; nil if the frame doesn't say.
  package var contentByteCount: UInt64?
  /// Bytes that a decoder must keep; nil if the content is one segment.
  package var windowByteCount: UInt64?
  package var hasChecksum: Bool
  package var dictionaryIdentifier: UInt32

  package init(_ bytes: Span<UInt8>) throws(CodecError) {
    guard bytes.count >= 5 else {
      throw CodecError(.truncated, at: UInt64(bytes.count), "the zstd frame ends in its header")
    }
    for place in 0..<4 where bytes[place] != Self.magic[place] {
      throw CodecError(.damaged, at: UInt64(place), "the chunk isn't a zstd frame")
    }
    let descriptor = bytes[4]
    let isSingleSegment = descriptor & 0x20 != 0
    let dictionaryBytes = [0, 1, 2, 4][Int(descriptor & 3)]
    var contentBytes = [0, 2, 4, 8][Int(descriptor >> 6)]
    if contentBytes == 0, isSingleSegment { contentBytes = 1 }
    let total = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + contentBytes
    guard descriptor & 0x08 == 0 else {
      throw CodecError(.refused, at: 4, "the zstd frame uses a reserved bit")
    }
    guard bytes.count >= total else {
      throw CodecError(.truncated, at: UInt64(bytes.count), "the zstd frame ends in its header")
    }
    var offset = 5
    if !isSingleSegment {
      let base: UInt64 = 1 << (10 + UInt64(bytes[offset] >> 3))
      windowByteCount = base + (base / 8) * UInt64(bytes[offset] & 7)
      offset += 1
    }
    dictionaryIdentifier = 0
    for place in 0..<dictionaryBytes {
      dictionaryIdentifier |= UInt32(bytes[offset + place]) << UInt32(place * 8)
    }
    offset += dictionaryBytes
    if contentBytes > 0 {
      var size: UInt64 = 0
      for place in 0..<contentBytes { size |= UInt64(bytes[offset + place]) << UInt64(place * 8) }
      contentByteCount = contentBytes == 2 ? size + 256 : size
    }
    byteCount = total
    hasChecksum = descriptor & 0x04 != 0
  }

  /// Compares the frame with what the block declares, and with the bounds of the format.
  package func check(rawByteCount: Int) throws(CodecError) {
    guard dictionaryIdentifier == 0 else {
      throw CodecError(.refused, at: 4, "the zstd frame needs a dictionary")
    }
    if let windowByteCount, windowByteCount > 1 << UInt64(FormatLimits.chunkWindowLogMax) {
      throw CodecError(
        .refused, at: 5, "the zstd frame asks for a window of \(windowByteCount) bytes")
    }
    if let contentByteCount, contentByteCount != UInt64(rawByteCount) {
      throw CodecError(
        .damaged, at: 4,
        "the zstd frame declares \(contentByteCount) bytes, its block declares \(rawByteCount)")
    }
  }

  /// Appends the header of a frame whose content is one segment, without checksum.
  static func append(contentByteCount count: Int, to output: inout [UInt8]) {
    output.append(contentsOf: magic)
    if count < 256 {
      output.append(0x20)
      output.append(UInt8(count))
    } else {
      output.append(0xA0)
      output.appendLittleEndian(UInt32(count))
    }
  }
}
