// Unpacks a zstd stream with the C library: frames after frames, skippable ones too.

internal import CZstd
import TraceFormat
import TraceModel

/// A zstd stream being unpacked. A class, because the context must be freed.
///
/// Sendable in the sense that it may move between threads: ``WrapperDecoder`` must not be copied
/// and used twice.
@safe final class ZstdStream: @unchecked Sendable {
  private var context: OpaquePointer?
  private var offset: UInt64 = 0
  /// Whether a frame was begun and isn't over.
  private var isInFrame = false
  private var failure: CodecError?

  init() {
    unsafe context = ZSTD_createDStream()
    unsafe ZSTD_DCtx_setParameter(
      context, ZSTD_d_windowLogMax, Int32(WrapperDecoder.windowLogMax))
  }

  deinit { unsafe ZSTD_freeDStream(context) }

  func decode(
    _ input: Span<UInt8>, _ consumed: inout Int, into output: inout [UInt8], room: Int
  ) throws(CodecError) {
    if let failure { throw failure }
    guard room > 0 else { return }
    let start = output.count
    output.append(contentsOf: WrapperDecoder.emptyRoom[..<room])
    var written = 0
    var read = consumed
    var code = 0
    // One call of the library stops at the end of a frame, so it takes several.
    repeat {
      let readBefore = read
      let writtenBefore = written
      // Both pointers live inside the closures; positions and sizes stay within their memory.
      unsafe output.withUnsafeMutableBytes { destination in
        unsafe input.withUnsafeBytes { source in
          var into = unsafe ZSTD_outBuffer(
            dst: destination.baseAddress?.advanced(by: start), size: room, pos: written)
          var from = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: read)
          code = unsafe ZSTD_decompressStream(context, &into, &from)
          written = unsafe into.pos
          read = unsafe from.pos
        }
      }
      if ZSTD_isError(code) != 0 { break }
      if read != readBefore || written != writtenBefore { isInFrame = code != 0 }
      if read == readBefore, written == writtenBefore { break }
    } while written < room && read < input.count
    output.removeSubrange((start + written)...)
    offset += UInt64(read - consumed)
    consumed = read
    if ZSTD_isError(code) != 0 {
      let isTooLarge = ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge
      let error = CodecError(
        isTooLarge ? .refused : .damaged, at: offset,
        isTooLarge
          ? Self.tooLargeWindow(input, read)
          : "the zstd stream is damaged: \(ZstdContexts.errorName(code))")
      failure = error
      throw error
    }
  }

  /// The message for a frame that asks for too large a window. Its header is looked for where
  /// reading stopped and shortly before, as the library may have taken it or not.
  private static func tooLargeWindow(_ input: Span<UInt8>, _ place: Int) -> String {
    let limit = "and at most \(1 << (WrapperDecoder.windowLogMax - 20)) MiB are allowed"
    for start in stride(from: place, through: max(0, place - headerBytesMax), by: -1)
    where start + 6 <= input.count {
      guard input[start] == 0x28, input[start + 1] == 0xB5, input[start + 2] == 0x2F,
        input[start + 3] == 0xFD, input[start + 4] & 0x20 == 0
      else { continue }
      // RFC 8878, 3.1.1.1.2: five bits of exponent, three of mantissa.
      let base = UInt64(1) << (10 + UInt64(input[start + 5] >> 3))
      let window = base + base / 8 * UInt64(input[start + 5] & 7)
      return "the zstd stream asks for a window of \(window >> 20) MiB, \(limit)"
    }
    return "the zstd stream asks for too large a window, \(limit)"
  }

  /// The longest header of a zstd frame.
  private static let headerBytesMax = 18

  func finish() throws(CodecError) {
    if let failure { throw failure }
    if isInFrame || offset == 0 {
      throw CodecError(.truncated, at: offset, "the zstd stream ends in the middle of a frame")
    }
  }
}
