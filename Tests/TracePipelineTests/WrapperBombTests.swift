// Compressed streams that stand for far more than a capture does.

import Testing
import TraceExport
import TraceIO

@testable import TracePipeline

struct WrapperBombTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func unpackedByteCount(_ path: String) throws -> (Int, hasProblem: Bool) {
    var source = try ByteSource(path: path)
    var count = try source.readHead().count
    var bytes: [UInt8] = []
    while true {
      bytes.removeAll(keepingCapacity: true)
      let outcome = try source.read(into: &bytes, limit: 262_144, timeoutMilliseconds: nil)
      guard case .bytes(let more) = outcome else { return (count, source.problem != nil) }
      count += more
    }
  }

  @Test func whatStandsForTooMuchIsGivenUp() throws {
    let most = Int(ByteSource.anyRatioBytesMax)
    let small = [UInt8](repeating: 10, count: most)
    let (all, hasProblem) = try Self.unpackedByteCount(
      try folder.file("small.zst", Folder.zstd(small)))
    #expect(all == most && !hasProblem)
    let packed = Folder.zstd(small + small)
    #expect(packed.count < 20_000)
    let (part, isGivenUp) = try Self.unpackedByteCount(try folder.file("large.zst", packed))
    #expect(isGivenUp)
    #expect((most..<most + 30_000_000).contains(part))
  }
}
