// The zstd codec for the chunks of a trace. One of the few places that call the C library.

internal import CZstd
public import TraceFormat

extension ChunkCodec {
  /// Compression by zstd.
  ///
  /// - Parameter level: 1 (fast) to 19 (small); others are clamped.
  public static func zstd(level: Int = 3) -> ChunkCodec {
    ChunkCodec(ZstdCoder(level: min(19, max(1, level))))
  }
}

/// Compresses chunks to one zstd frame each, and back. Copies never share a context.
struct ZstdCoder: ChunkCoder {
  static let identifier: UInt8 = 2

  let level: Int
  private var contexts: ZstdContexts?

  var identifier: UInt8 { Self.identifier }

  init(level: Int) { self.level = level }

  mutating func compress(_ input: Span<UInt8>, into output: inout [UInt8]) {
    let contexts = ownContexts()
    let context = unsafe contexts.compressor(level: level)
    let start = output.count
    // The bound is a little more than the input, so that no call can fail for want of room.
    let bound = ZSTD_compressBound(input.count)
    Self.appendRoom(bound, to: &output)
    // Both pointers live inside the closures, and the lengths are those of their memory.
    let written = unsafe output.withUnsafeMutableBytes { destination in
      unsafe input.withUnsafeBytes { source in
        unsafe ZSTD_compress2(
          context, destination.baseAddress?.advanced(by: start), bound, source.baseAddress,
          source.count)
      }
    }
    // Only memory can fail here, and then nothing can go on.
    precondition(ZSTD_isError(written) == 0, "zstd can't compress a chunk")
    output.removeSubrange((start + written)...)
  }

  mutating func decompress(
    _ input: Span<UInt8>, rawByteCount: Int, into output: inout [UInt8]
  ) throws(CodecError) {
    try ZstdFrameHeader(input).check(rawByteCount: rawByteCount)
    let frameBytes = unsafe input.withUnsafeBytes { source in
      unsafe ZSTD_findFrameCompressedSize(source.baseAddress, source.count)
    }
    guard ZSTD_isError(frameBytes) == 0, frameBytes == input.count else {
      throw CodecError(.damaged, at: 0, "the chunk isn't exactly one zstd frame")
    }
    let contexts = ownContexts()
    let context = unsafe contexts.decompressor()
    let start = output.count
    Self.appendRoom(rawByteCount, to: &output)
    let written = unsafe output.withUnsafeMutableBytes { destination in
      unsafe input.withUnsafeBytes { source in
        unsafe ZSTD_decompressDCtx(
          context, destination.baseAddress?.advanced(by: start), rawByteCount, source.baseAddress,
          source.count)
      }
    }
    guard ZSTD_isError(written) == 0, written == rawByteCount else {
      output.removeSubrange(start...)
      throw CodecError(
        .damaged, at: 0,
        ZSTD_isError(written) == 0
          ? "the zstd frame holds \(written) bytes, its block declares \(rawByteCount)"
          : "zstd says: \(ZstdContexts.errorName(written))")
    }
  }

  /// Room for the library to write to: copied in pieces, several times as fast as repeating a byte.
  private static func appendRoom(_ count: Int, to output: inout [UInt8]) {
    let room = WrapperDecoder.emptyRoom
    output.reserveCapacity(output.count + count)
    var rest = count
    while rest > 0 {
      output.append(contentsOf: room[..<min(rest, room.count)])
      rest -= min(rest, room.count)
    }
  }

  /// The contexts of this value alone: a copy of the value makes its own when it is first used.
  private mutating func ownContexts() -> ZstdContexts {
    if !isKnownUniquelyReferenced(&contexts) { contexts = nil }
    let own = contexts ?? ZstdContexts()
    contexts = own
    return own
  }
}

/// Owns one compressor and one decompressor of the C library. A class, because they must be freed.
///
/// Sendable, because ``ZstdCoder`` uses it only while it holds the sole reference.
@safe final class ZstdContexts: @unchecked Sendable {
  private var compression: OpaquePointer?
  private var decompression: OpaquePointer?

  init() {}

  deinit {
    unsafe ZSTD_freeCCtx(compression)
    unsafe ZSTD_freeDCtx(decompression)
  }

  func compressor(level: Int) -> OpaquePointer? {
    if let context = unsafe compression { return unsafe context }
    let context = unsafe ZSTD_createCCtx()
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(level))
    if level > 16 {
      // The highest levels would ask for more than readers grant.
      unsafe ZSTD_CCtx_setParameter(
        context, ZSTD_c_windowLog, Int32(FormatLimits.chunkWindowLogMax))
    }
    unsafe compression = context
    return unsafe context
  }

  func decompressor() -> OpaquePointer? {
    if unsafe decompression == nil { unsafe decompression = ZSTD_createDCtx() }
    return unsafe decompression
  }

  static func errorName(_ code: Int) -> String {
    unsafe String(cString: ZSTD_getErrorName(code))
  }
}
