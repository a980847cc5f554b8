// Compression around a whole capture: how it is recognised and unpacked, piece by piece.
// What is inside is nobody's business here, and may itself be wrapped.

public import TraceFormat

/// A compressed format that may wrap any capture.
public enum StreamWrapper: String, Hashable, Sendable, CaseIterable {
  case gzip
  case zstd

  /// The wrapper that begins with these bytes; nil if it is none. Four bytes are enough.
  public static func recognise(_ head: Span<UInt8>) -> StreamWrapper? {
    if head.count >= 3, head[0] == 0x1F, head[1] == 0x8B, head[2] == 0x08 { return .gzip }
    guard head.count >= 4 else { return nil }
    if head[0] == 0x28, head[1] == 0xB5, head[2] == 0x2F, head[3] == 0xFD { return .zstd }
    // A skippable frame may stand first.
    if head[0] & 0xF0 == 0x50, head[1] == 0x2A, head[2] == 0x4D, head[3] == 0x18 { return .zstd }
    return nil
  }
}

/// Unpacks a gzip or zstd stream: several members or frames follow each other as one.
///
///     var decoder = WrapperDecoder(.gzip)
///     var consumed = 0
///     try decoder.decode(
///       input: bytes.span, consumed: &consumed, into: &output, outputBytesMax: 65_536)
///
/// Memory is bounded by the window (32 KiB or 8 MiB at most) and by what the caller allows per
/// call; how much comes out in all is the caller's business.
public struct WrapperDecoder: Sendable {
  /// Bytes that one call appends at most, whatever the caller allows.
  public static let outputBytesPerCallMax = 256 << 10
  /// Room for one call: copied to the end of the output, then overwritten.
  static let emptyRoom = [UInt8](repeating: 0, count: outputBytesPerCallMax)
  /// Binary logarithm of the largest window that a zstd stream may ask for: 8 MiB is all that every
  /// decoder must offer (RFC 8878), and what level 19 writes.
  public static let windowLogMax = 23

  public let wrapper: StreamWrapper
  private enum Stream: Sendable {
    case gzip(GzipStream)
    case zstd(ZstdStream)
  }
  private var stream: Stream

  public init(_ wrapper: StreamWrapper) {
    self.wrapper = wrapper
    stream =
      switch wrapper {
      case .gzip: .gzip(GzipStream())
      case .zstd: .zstd(ZstdStream())
      }
  }

  /// Reads from the input at `consumed`, which is moved on, and appends what comes out.
  ///
  /// Call it again with the same input until all of it is consumed and nothing more came out.
  ///
  /// - Parameters:
  ///   - input: The bytes at hand.
  ///   - consumed: The place in the input where reading goes on.
  ///   - output: The caller's buffer.
  ///   - outputBytesMax: How many bytes may be appended; at most ``outputBytesPerCallMax`` are.
  /// - Throws: Why the stream can't be read, with the place in the whole stream. Nothing more can
  ///   be read then; what was appended before stands.
  public mutating func decode(
    input: Span<UInt8>, consumed: inout Int, into output: inout [UInt8], outputBytesMax: Int
  ) throws(CodecError) {
    precondition(consumed >= 0 && consumed <= input.count)
    let room = min(max(0, outputBytesMax), Self.outputBytesPerCallMax)
    switch stream {
    case .gzip(let stream):
      try stream.decode(input, &consumed, into: &output, room: room)
    case .zstd(let stream):
      try stream.decode(input, &consumed, into: &output, room: room)
    }
  }

  /// Says that no input follows. Throws if the stream stops in its middle.
  public mutating func finish() throws(CodecError) {
    switch stream {
    case .gzip(let stream): try stream.finish()
    case .zstd(let stream): try stream.finish()
    }
  }
}
