// Chunks: both codecs, each other's frames, the zstd command, and frames that lie.

import Testing
import TraceFormat
import TraceTestSupport

@testable import TraceCodecs

@Suite struct ChunkCodecTests {
  static let sizes = [0, 1, 255, 256, 1_000, 131_071, 131_072, 131_073, 400_000]

  static func content(_ size: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(size))
    return (0..<size).map { $0 % 7 == 0 ? .random(in: .min ... .max, using: &random) : 65 }
  }

  static func compress(_ content: [UInt8], _ codec: ChunkCodec) -> [UInt8] {
    var codec = codec
    var output: [UInt8] = [9]
    codec.compress(content.span, into: &output)
    return Array(output.dropFirst())
  }

  static func decompress(
    _ chunk: [UInt8], _ size: Int, _ codec: ChunkCodec
  ) throws(CodecError) -> [UInt8] {
    var codec = codec
    var output: [UInt8] = [9]
    do throws(CodecError) {
      try codec.decompress(chunk.span, rawByteCount: size, into: &output)
    } catch {
      #expect(output == [9])
      throw error
    }
    return Array(output.dropFirst())
  }

  @Test(arguments: sizes)
  func roundTrips(size: Int) throws {
    let content = Self.content(size)
    for codec in [ChunkCodec.stored, .zstd(level: 1), .zstd(), .zstd(level: 19)] {
      let chunk = Self.compress(content, codec)
      #expect(try Self.decompress(chunk, size, codec) == content)
      // The zstd codec reads what the stored codec writes.
      #expect(try Self.decompress(chunk, size, .zstd()) == content)
      for lie in [size - 1, size + 1] where lie >= 0 {
        #expect(throws: CodecError.self) { try Self.decompress(chunk, lie, codec) }
      }
    }
  }

  @Test(.enabled("needs /usr/bin/zstd") { try run("zstd", ["-V"], []) != nil }, arguments: sizes)
  func theZstdCommandReadsBoth(size: Int) throws {
    let content = Self.content(size)
    for codec in [ChunkCodec.stored, .zstd()] {
      #expect(try run("zstd", ["-dc"], Self.compress(content, codec)) == content)
    }
  }

  @Test func storedRefusesCompressedBlocksByName() {
    let chunk = Self.compress([UInt8](repeating: 1, count: 5_000) + Self.content(3_000), .zstd())
    #expect {
      try Self.decompress(chunk, 8_000, .stored)
    } throws: { error in
      (error as? CodecError)?.reason == .refused
        && (error as? CodecError)?.message.contains("zstd codec") == true
    }
  }

  @Test func storedReadsRepeatedBytes() throws {
    // A single segment of 300 bytes: one block of a repeated byte, and a checksum.
    let frame: [UInt8] = [
      0x28, 0xB5, 0x2F, 0xFD, 0x64, 0x2C, 0x00, 0x63, 0x09, 0x00, 0x41, 1, 2, 3, 4,
    ]
    #expect(try Self.decompress(frame, 300, .stored) == [UInt8](repeating: 0x41, count: 300))
  }

  @Test func everyCutAndFlipIsRefusedOrRightInSize() {
    let content = Self.content(700)
    for codec in [ChunkCodec.stored, .zstd()] {
      let chunk = Self.compress(content, codec)
      for count in 0..<chunk.count {
        #expect(throws: CodecError.self) {
          try Self.decompress(Array(chunk[..<count]), 700, codec)
        }
      }
      for place in 0..<chunk.count {
        for bit in 0..<8 {
          var changed = chunk
          changed[place] ^= 1 << UInt8(bit)
          if let output = try? Self.decompress(changed, 700, codec) {
            #expect(output.count == 700)
          }
        }
      }
    }
  }

  @Test func moreThanOneFrameIsRefused() {
    let chunk = Self.compress(Self.content(300), .zstd())
    let empty = Self.compress([], .zstd())
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 7]
    for codec in [ChunkCodec.stored, .zstd()] {
      for frames in [
        chunk + chunk, chunk + empty, skippable + chunk, chunk + skippable, chunk + [0],
      ] {
        #expect(throws: CodecError.self) { try Self.decompress(frames, 300, codec) }
        #expect(throws: CodecError.self) { try Self.decompress(frames, 600, codec) }
      }
    }
  }

  @Test func greedyFramesAreRefused() {
    // A window of 8 MiB, a dictionary, a content of 10 GiB, and a reserved bit.
    let greedy: [[UInt8]] = [
      [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x68, 0x01, 0x00, 0x00],
      [0x28, 0xB5, 0x2F, 0xFD, 0x21, 0x07, 0x00, 0x01, 0x00, 0x00],
      [0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0x80, 2, 0, 0, 0, 1, 0, 0],
      [0x28, 0xB5, 0x2F, 0xFD, 0x28, 0x00, 0x01, 0x00, 0x00],
    ]
    for frame in greedy {
      for codec in [ChunkCodec.stored, .zstd()] {
        #expect(throws: CodecError.self) { try Self.decompress(frame, 100, codec) }
      }
    }
  }

  @Test func highestLevelKeepsToTheWindow() throws {
    var content = Self.content(50_000)
    while content.count < 9 << 20 { content += content }
    let chunk = Self.compress(content, .zstd(level: 99))
    #expect(try Self.decompress(chunk, content.count, .zstd()) == content)
  }

  @Test func copiesHaveContextsOfTheirOwn() async throws {
    var codec = ChunkCodec.zstd()
    var chunk: [UInt8] = []
    let content = Self.content(50_000)
    codec.compress(content.span, into: &chunk)
    let (shared, bytes) = (codec, chunk)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var mine = shared
          for _ in 0..<20 {
            var output: [UInt8] = []
            try mine.decompress(bytes.span, rawByteCount: 50_000, into: &output)
            if output != content { return false }
          }
          return true
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
