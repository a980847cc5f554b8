// The stored codec: a zstd frame (RFC 8878) that holds its content as it is.
// It lets a recorder without a compression library write traces that every reader understands.

import TraceModel

/// Writes frames of raw blocks; reads frames of raw and repeated-byte blocks.
struct StoredCoder: ChunkCoder {
  static let identifier: UInt8 = 1

  /// Content of one zstd block at most (RFC 8878, section 3.1.1.2.4).
  private static let blockBytesMax = 128 << 10

  var identifier: UInt8 { Self.identifier }

  mutating func compress(_ input: Span<UInt8>, into output: inout [UInt8]) {
    ZstdFrameHeader.append(contentByteCount: input.count, to: &output)
    var offset = 0
    repeat {
      let size = min(Self.blockBytesMax, input.count - offset)
      let isLast = offset + size == input.count
      let header = UInt32(size) << 3 | (isLast ? 1 : 0)
      for shift in [0, 8, 16] as [UInt32] {
        output.append(UInt8(truncatingIfNeeded: header >> shift))
      }
      output.append(copying: input.extracting(offset..<offset + size))
      offset += size
    } while offset < input.count
  }

  mutating func decompress(
    _ input: Span<UInt8>, rawByteCount: Int, into output: inout [UInt8]
  ) throws(CodecError) {
    let start = output.count
    do throws(CodecError) {
      try appendContent(of: input, rawByteCount: rawByteCount, to: &output)
    } catch {
      output.removeSubrange(start...)
      throw error
    }
  }

  private func appendContent(
    of input: Span<UInt8>, rawByteCount: Int, to output: inout [UInt8]
  ) throws(CodecError) {
    let header = try ZstdFrameHeader(input)
    try header.check(rawByteCount: rawByteCount)
    var offset = header.byteCount
    let start = output.count
    var isLast = false
    while !isLast {
      guard input.count - offset >= 3 else {
        throw CodecError(.truncated, at: UInt64(offset), "the stored frame ends early")
      }
      let word =
        Int(input[offset]) | Int(input[offset + 1]) << 8 | Int(input[offset + 2]) << 16
      isLast = word & 1 != 0
      let size = word >> 3
      let room = rawByteCount - (output.count - start)
      guard size <= room, size <= Self.blockBytesMax else {
        throw CodecError(
          .damaged, at: UInt64(offset), "the stored frame holds more than its block declares")
      }
      offset += 3
      switch word >> 1 & 3 {
      case 0:
        guard input.count - offset >= size else {
          throw CodecError(.truncated, at: UInt64(offset), "the stored frame ends early")
        }
        output.append(copying: input.extracting(offset..<offset + size))
        offset += size
      case 1:
        guard offset < input.count else {
          throw CodecError(.truncated, at: UInt64(offset), "the stored frame ends early")
        }
        output.append(contentsOf: repeatElement(input[offset], count: size))
        offset += 1
      case 2:
        throw CodecError(
          .refused, at: UInt64(offset - 3),
          "the chunk is compressed and needs the zstd codec, which this reader doesn't have")
      default:
        throw CodecError(.damaged, at: UInt64(offset - 3), "the block type 3 isn't defined")
      }
    }
    if header.hasChecksum { offset += 4 }
    guard offset == input.count else {
      throw CodecError(.damaged, at: UInt64(offset), "bytes follow the end of the stored frame")
    }
    guard output.count - start == rawByteCount else {
      throw CodecError(
        .damaged, at: UInt64(offset),
        "the stored frame holds \(output.count - start) bytes, its block declares \(rawByteCount)")
    }
  }
}
