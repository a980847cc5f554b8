// A folder whose owner can't be read isn't taken for one that has none.

import Foundation
import Testing

@testable import TraceIO

struct OwnerFileTests {
  /// A file of the kernel that says it is longer than what can be read of it.
  private static let cutShort = "/sys/devices/system/cpu/online"

  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "owner-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: OwnerFileTests.cutShort)))
  func whatCannotBeReadIsNotTakenForNothing() throws {
    #expect(throws: FileError.self) { try OwnerFile.content(of: Self.cutShort) }
  }

  @Test func aFileThatIsTooLongIsLeftAsItIs() throws {
    let path = folder + "/owner"
    let longest = Int(OwnerFile.nameBytesMax)
    for (byteCount, isRefused) in [(longest + 1, true), (longest, false)] {
      let bytes = [UInt8](repeating: 0x61, count: byteCount)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let owner = try? OwnerFile(path: path, owner: "me")
      let now = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect((owner == nil) == isRefused)
      // A line without its end is one whose writer was killed.
      #expect(Array(now) == (isRefused ? bytes : Array("me\n".utf8)))
    }
  }

  @Test func anotherOwnerIsNamed() throws {
    let path = folder + "/owner"
    _ = try OwnerFile(path: path, owner: "one")
    _ = try OwnerFile(path: path, owner: "one")
    #expect {
      _ = try OwnerFile(path: path, owner: "two")
    } throws: { ($0 as? FileError)?.message == "the folder belongs to one" }
  }
}
