// How a block's content is compressed: a value that reader and writer are given.
// This file must not know any compressor.

import TraceModel

/// Why a compressed chunk or stream can't be read.
public struct CodecError: Error, Hashable, Sendable {
  public enum Reason: String, Hashable, Sendable {
    /// The bytes don't follow the compressed format.
    case damaged
    /// The bytes stop before their end.
    case truncated
    /// The bytes ask for more than the bounds allow, or for what this codec can't do.
    case refused
  }

  public var reason: Reason
  /// The place in the compressed bytes at or before which it was noticed, from 0.
  public var byteOffset: UInt64
  /// One sentence without a final dot.
  public var message: String

  public init(_ reason: Reason, at byteOffset: UInt64, _ message: String) {
    self.reason = reason
    self.byteOffset = byteOffset
    self.message = message
  }
}

/// Compresses and decompresses chunks. A conforming value keeps its working memory between calls
/// and never shares it between copies.
public protocol ChunkCoder: Sendable {
  /// The codec's number in the format's registry, which its compressed chunks carry.
  var identifier: UInt8 { get }
  /// Appends the compressed form of the input.
  mutating func compress(_ input: Span<UInt8>, into output: inout [UInt8])
  /// Appends exactly `rawByteCount` bytes, or throws and leaves the output as it was.
  mutating func decompress(
    _ input: Span<UInt8>, rawByteCount: Int, into output: inout [UInt8]
  ) throws(CodecError)
}

/// A codec for the chunks of a trace, for example ``stored``.
public struct ChunkCodec: Sendable {
  /// The codec's number in the format's registry: 1 stored, 2 zstd.
  public let identifier: UInt8
  private var coder: any ChunkCoder

  public init(_ coder: some ChunkCoder) {
    identifier = coder.identifier
    self.coder = coder
  }

  /// Appends the compressed form of the input.
  public mutating func compress(_ input: Span<UInt8>, into output: inout [UInt8]) {
    coder.compress(input, into: &output)
  }

  /// Appends exactly `rawByteCount` bytes, or throws and leaves the output as it was.
  ///
  /// `rawByteCount` must already have been compared with a bound: as much memory is reserved.
  public mutating func decompress(
    _ input: Span<UInt8>, rawByteCount: Int, into output: inout [UInt8]
  ) throws(CodecError) {
    try coder.decompress(input, rawByteCount: rawByteCount, into: &output)
  }

  /// No compression: a valid zstd frame of raw blocks. Needs no library.
  public static let stored = ChunkCodec(StoredCoder())
}
