// Streams around captures: gzip and zstd, in any split, damaged, cut and hostile.

import Testing
import TraceFormat
import TraceTestSupport

@testable import TraceCodecs

@Suite struct WrapperTests {
  static let content = ChunkCodecTests.content(9_000)

  /// The content as the command line tools wrap it; nil without them.
  static func wrapped(_ wrapper: StreamWrapper, _ content: [UInt8] = content) throws -> [UInt8]? {
    switch wrapper {
    case .gzip: try run("gzip", ["-c"], content)
    case .zstd: try run("zstd", ["-c"], content)
    }
  }

  @Test(arguments: StreamWrapper.allCases)
  func everyChunkSize(wrapper: StreamWrapper) throws {
    let packed = try #require(try Self.wrapped(wrapper))
    #expect(StreamWrapper.recognise(packed.span) == wrapper)
    for (chunk, room) in [(1, 100), (7, 1), (1_000, 3_000), (.max, .max)] {
      let result = unpack(wrapper, packed, chunk: chunk, room: room)
      #expect(result.error == nil)
      #expect(result.output == Self.content)
    }
  }

  @Test(arguments: StreamWrapper.allCases)
  func severalMembers(wrapper: StreamWrapper) throws {
    let packed = try #require(try Self.wrapped(wrapper))
    let empty = try #require(try Self.wrapped(wrapper, []))
    for chunk in [1, 4_096, .max] {
      let result = unpack(wrapper, packed + empty + packed, chunk: chunk)
      #expect(result.error == nil)
      #expect(result.output == Self.content + Self.content)
    }
    #expect(unpack(wrapper, empty).output == [])
    #expect(unpack(wrapper, empty).error == nil)
  }

  @Test(arguments: StreamWrapper.allCases)
  func everyCutIsTruncated(wrapper: StreamWrapper) throws {
    let packed = try #require(try Self.wrapped(wrapper, Array(Self.content[..<2_000])))
    for count in 0..<packed.count {
      let result = unpack(wrapper, Array(packed[..<count]))
      #expect(result.error?.reason == .truncated, "cut at \(count)")
      #expect(result.output.count <= 2_000)
      #expect(result.output == Array(Self.content[..<result.output.count]))
    }
  }

  @Test(arguments: StreamWrapper.allCases)
  func flipsNeverCrash(wrapper: StreamWrapper) throws {
    let packed = try #require(try Self.wrapped(wrapper, Array(Self.content[..<2_000])))
    var failures = 0
    for place in 0..<packed.count {
      for bit in 0..<8 {
        var changed = packed
        changed[place] ^= 1 << UInt8(bit)
        let result = unpack(wrapper, changed)
        if let error = result.error {
          failures += 1
          #expect(error.byteOffset <= UInt64(packed.count))
        }
      }
    }
    #expect(failures > packed.count * 6)
  }

  @Test(arguments: StreamWrapper.allCases)
  func garbageBehindTheEndIsDamage(wrapper: StreamWrapper) throws {
    let packed = try #require(try Self.wrapped(wrapper))
    let result = unpack(wrapper, packed + Array("garbage".utf8))
    #expect(result.output == Self.content)
    #expect(result.error?.reason == .damaged)
    #expect((result.error?.byteOffset ?? 0) >= UInt64(packed.count))
  }

  @Test func zeroBytesBehindGzipArePadding() throws {
    let packed = try #require(try Self.wrapped(.gzip))
    for chunk in [1, .max] {
      let result = unpack(.gzip, packed + [UInt8](repeating: 0, count: 600), chunk: chunk)
      #expect(result.output == Self.content)
      #expect(result.error == nil)
    }
  }

  /// Bytes that become thousands of times as many: one call never appends more than it may.
  @Test(arguments: StreamWrapper.allCases)
  func bombsComeOutInPieces(wrapper: StreamWrapper) throws {
    let bomb = try #require(
      try Self.wrapped(wrapper, [UInt8](repeating: 0, count: 2 << 20)))
    var decoder = WrapperDecoder(wrapper)
    var consumed = 0
    var total = 0
    var output: [UInt8] = []
    repeat {
      output.removeAll(keepingCapacity: true)
      try decoder.decode(
        input: bomb.span, consumed: &consumed, into: &output, outputBytesMax: .max)
      #expect(output.count <= WrapperDecoder.outputBytesPerCallMax)
      total += output.count
    } while !output.isEmpty || consumed < bomb.count
    try decoder.finish()
    #expect(total == 2 << 20)
  }

  @Test func hugeWindowsAreRefused() {
    // A window of 256 MiB and the beginning of a raw block.
    let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x90, 0x09, 0x00, 0x00, 0x41]
    let result = unpack(.zstd, frame)
    #expect(result.error?.reason == .refused)
    // A lie about the content needs no memory: the stream is simply cut.
    let lie: [UInt8] = [
      0x28, 0xB5, 0x2F, 0xFD, 0xC0, 0x00, 0, 0, 0, 0x80, 2, 0, 0, 0, 9, 0, 0, 0x41,
    ]
    #expect(unpack(.zstd, lie).error != nil)
  }

  @Test func errorsStay() throws {
    var decoder = WrapperDecoder(.gzip)
    var output: [UInt8] = []
    let garbage = [UInt8](repeating: 0xEE, count: 100)
    for _ in 0..<2 {
      var consumed = 0
      #expect(throws: CodecError.self) {
        try decoder.decode(
          input: garbage.span, consumed: &consumed, into: &output, outputBytesMax: 100)
      }
      #expect(throws: CodecError.self) { try decoder.finish() }
    }
  }

  @Test func otherBytesAreNoWrapper() {
    for head in ["", "{", "\u{89}LCT", "PK\u{3}\u{4}", "\u{1F}"] {
      let bytes = Array(head.utf8)
      let wrapper = StreamWrapper.recognise(bytes.span)
      #expect(wrapper == nil)
    }
  }
}
