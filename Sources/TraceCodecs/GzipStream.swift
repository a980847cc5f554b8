// Unpacks a gzip stream with the C library: members after members (RFC 1952).

internal import CZlib
import TraceFormat
import TraceModel

/// A gzip stream being unpacked. A class, because zlib's state must be freed and never moved.
///
/// Sendable in the sense that it may move between threads: ``WrapperDecoder`` must not be copied
/// and used twice.
@safe final class GzipStream: @unchecked Sendable {
  /// Window of 32 KiB, the greatest there is, and gzip headers only.
  private static let windowBits: Int32 = 15 + 16

  private let state: UnsafeMutablePointer<z_stream>
  private var offset: UInt64 = 0
  private var isReady = false
  /// Whether a member was begun and isn't over.
  private var isInMember = false
  private var hasMember = false
  /// Whether only zero bytes, as tape and block devices add them, may follow.
  private var isInPadding = false
  private var failure: CodecError?

  init() {
    unsafe state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe state.initialize(to: z_stream())
    unsafe isReady =
      inflateInit2_(
        state, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit {
    if isReady { unsafe _ = inflateEnd(state) }
    unsafe state.deallocate()
  }

  func decode(
    _ input: Span<UInt8>, _ consumed: inout Int, into output: inout [UInt8], room: Int
  ) throws(CodecError) {
    if let failure { throw failure }
    guard isReady else { throw fail(.refused, "zlib has no memory") }
    guard room > 0 else { return }
    let start = output.count
    output.append(contentsOf: WrapperDecoder.emptyRoom[..<room])
    var written = 0
    var code = Z_OK
    let first = consumed
    while written < room {
      if !isInMember {
        skipPadding(input, &consumed)
        guard consumed < input.count else { break }
        if isInPadding {
          code = Z_DATA_ERROR
          break
        }
        isInMember = true
        hasMember = true
      }
      let before = (consumed, written)
      code = inflateOnce(input, &consumed, &output, at: start, &written, room: room)
      if code == Z_STREAM_END {
        isInMember = false
        code = unsafe inflateReset(state)
        continue
      }
      guard code == Z_OK, before != (consumed, written) else { break }
    }
    output.removeSubrange((start + written)...)
    offset += UInt64(consumed - first)
    // A full or empty buffer is no error: there is more to come.
    if code != Z_OK, code != Z_BUF_ERROR {
      throw fail(code == Z_MEM_ERROR ? .refused : .damaged, message(code))
    }
  }

  func finish() throws(CodecError) {
    if let failure { throw failure }
    if isInMember || !hasMember {
      throw fail(.truncated, "the gzip stream ends in the middle of a member")
    }
  }

  private func inflateOnce(
    _ input: Span<UInt8>, _ consumed: inout Int, _ output: inout [UInt8], at start: Int,
    _ written: inout Int, room: Int
  ) -> Int32 {
    // zlib counts in 32 bits; a longer input is read in several calls.
    let available = min(input.count - consumed, 1 << 30)
    var code = Z_OK
    // Both pointers live inside the closures, and zlib keeps neither of them past this call.
    unsafe output.withUnsafeMutableBytes { destination in
      unsafe input.withUnsafeBytes { source in
        unsafe state.pointee.next_in = UnsafeMutablePointer(
          mutating: source.baseAddress?.advanced(by: consumed).assumingMemoryBound(to: UInt8.self))
        unsafe state.pointee.avail_in = UInt32(available)
        unsafe state.pointee.next_out = destination.baseAddress?.advanced(by: start + written)
          .assumingMemoryBound(to: UInt8.self)
        unsafe state.pointee.avail_out = UInt32(room - written)
        unsafe code = inflate(state, Z_NO_FLUSH)
        unsafe consumed += available - Int(state.pointee.avail_in)
        unsafe written = room - Int(state.pointee.avail_out)
        unsafe state.pointee.next_in = nil
        unsafe state.pointee.next_out = nil
      }
    }
    return code
  }

  /// Zero bytes after a member end the stream, as `gzip -d` has it.
  private func skipPadding(_ input: Span<UInt8>, _ consumed: inout Int) {
    guard hasMember else { return }
    while consumed < input.count, input[consumed] == 0 {
      isInPadding = true
      consumed += 1
    }
  }

  private func message(_ code: Int32) -> String {
    if isInPadding || (hasMember && !isInMember) {
      return "bytes that are no gzip member follow the end of the gzip stream"
    }
    if let text = unsafe state.pointee.msg {
      return unsafe "the gzip stream is damaged: \(String(cString: text))"
    }
    return "the gzip stream is damaged (zlib error \(code))"
  }

  private func fail(_ reason: CodecError.Reason, _ message: String) -> CodecError {
    let error = CodecError(reason, at: offset, message)
    failure = error
    return error
  }
}
