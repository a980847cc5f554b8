// Files, listings and their errors, on a directory of the test's own.

import Foundation
import Testing

@testable import TraceIO

struct FileTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "traceio-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try readAll(path), as: UTF8.self)
  }

  private func readAll(_ path: String) throws -> [UInt8] {
    var file = try InputFile(path: path)
    var bytes: [UInt8] = []
    while case .bytes = try file.read(into: &bytes, limit: 5) {}
    return bytes
  }

  @Test func writtenFilesAreReadBack() throws {
    let path = folder + "/a.txt"
    var file = try OutputFile(path: path)
    try file.write(Array("one ".utf8))
    try file.write(Array("two".utf8))
    #expect(DirectoryListing.kind(of: path) == .missing)
    try file.commit()
    #expect(try text(path) == "one two")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.txt"])
  }

  @Test func anUncommittedFileLeavesTheOldOne() throws {
    let path = folder + "/a.txt"
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    do {
      var file = try OutputFile(path: path)
      try file.write(Array("new".utf8))
    }
    #expect(try text(path) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.txt"])
  }

  @Test func aLinkIsReplacedAndNotFollowed() throws {
    let target = folder + "/target.txt"
    let link = folder + "/link.txt"
    try "old".write(toFile: target, atomically: false, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    var file = try OutputFile(path: link)
    try file.write(Array("new".utf8))
    try file.commit()
    #expect(try text(target) == "old")
    #expect(try text(link) == "new")
  }

  @Test func devicesAreWrittenDirectly() throws {
    var file = try OutputFile(path: "/dev/null")
    try file.write([1, 2, 3])
    try file.commit()
    #expect(DirectoryListing.kind(of: "/dev/null") == .other)
  }

  @Test(.enabled(if: DirectoryListing.kind(of: "/dev/shm") == .directory))
  func aFolderOfMemoryIsAFolder() throws {
    let path = "/dev/shm/traceio-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    for content in ["much longer", "short"] {
      var file = try OutputFile(path: path)
      try file.write(Array(content.utf8))
      try file.commit()
      #expect(try text(path) == content)
    }
  }

  @Test func aFileThatIsOpenAlreadyIsWrittenOn() throws {
    let path = folder + "/log.txt"
    try "first ".write(toFile: path, atomically: false, encoding: .utf8)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    var file = try OutputFile(path: "/dev/fd/\(handle.fileDescriptor)")
    try file.write(Array("second ".utf8))
    try file.commit()
    try handle.write(contentsOf: Data("third".utf8))
    try handle.close()
    #expect(try text(path) == "first second third")
  }

  @Test func privateFilesAreForTheOwner() throws {
    let path = folder + "/private"
    let file = try OutputFile(path: path, privacy: .ownerOnly)
    try file.commit()
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func errorsNameThePathAndWhatToDo() {
    #expect {
      _ = try InputFile(path: folder + "/none")
    } throws: { error in
      let error = error as? FileError
      return error?.reason == .missing && "\(error!)".contains(folder + "/none: can't open it")
        && "\(error!)".hasSuffix("check the spelling of the path")
    }
    #expect {
      _ = try InputFile(path: folder)
    } throws: { ($0 as? FileError)?.reason == .isDirectory }
    #expect {
      _ = try OutputFile(path: folder)
    } throws: { ($0 as? FileError)?.reason == .isDirectory }
    #expect {
      _ = try OutputFile(path: folder + "/none/a")
    } throws: { ($0 as? FileError)?.reason == .missing }
  }

  @Test func aListingIsSortedAndSkipsHiddenFilesAndLoops() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder + "/b/c", withIntermediateDirectories: true)
    for name in ["b/z", "b/c/y", "a", ".hidden", "B"] {
      try "x".write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }
    try manager.createSymbolicLink(atPath: folder + "/b/loop", withDestinationPath: folder)
    try manager.createSymbolicLink(
      atPath: folder + "/dangling", withDestinationPath: "/none/at/all")
    let listing = DirectoryListing.files(below: folder)
    #expect(listing.files.map { $0.dropFirst(folder.count) } == ["/B", "/a", "/b/c/y", "/b/z"])
    #expect(listing.errors.map(\.path) == [folder + "/dangling"])
  }

  @Test func sameFilesAreKnownUnderOtherNames() throws {
    let manager = FileManager.default
    try "x".write(toFile: folder + "/a", atomically: false, encoding: .utf8)
    try manager.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/a")
    try manager.linkItem(atPath: folder + "/a", toPath: folder + "/hard")
    let a = FileIdentity(path: folder + "/a")
    #expect(a != nil)
    for name in ["/link", "/hard", "/./a", "//a"] {
      #expect(FileIdentity(path: folder + name) == a, "\(name)")
    }
    #expect(FileIdentity(path: folder + "/none") == FileIdentity(path: folder + "/./none"))
    #expect(FileIdentity(path: folder + "/none") != FileIdentity(path: folder + "/other"))
    for name in ["-", "", "/dev/null", folder, folder + "/none/a"] {
      #expect(FileIdentity(path: name) == nil, "\(name)")
    }
  }

  @Test func anEmptyFileEndsAtOnce() throws {
    try "".write(toFile: folder + "/empty", atomically: false, encoding: .utf8)
    var file = try InputFile(path: folder + "/empty")
    var bytes: [UInt8] = []
    let outcome = try file.read(into: &bytes, limit: 10)
    #expect(outcome == .end)
    let (byteCount, isLive) = (file.byteCount, file.isLive)
    #expect(byteCount == 0)
    #expect(!isLive)
  }

  @Test func whatIsAppendedAfterOpeningIsRead() throws {
    let path = folder + "/grows"
    try "0123456789".write(toFile: path, atomically: false, encoding: .utf8)
    var file = try InputFile(path: path)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    _ = try handle.seekToEnd()
    try handle.write(contentsOf: Data(repeating: 0x62, count: 9_000))
    try handle.close()
    var bytes: [UInt8] = []
    while case .bytes = try file.read(into: &bytes, limit: 65_536) {}
    #expect(bytes.count == 9_010)
  }

  @Test func linksOutOfADirectoryAreNotFollowed() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder + "/in/sub", withIntermediateDirectories: true)
    try manager.createDirectory(atPath: folder + "/in2", withIntermediateDirectories: true)
    for name in ["in/sub/a", "in2/b"] {
      try "x".write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }
    for (link, target) in [
      ("file", "../in2/b"), ("folder", folder + "/in2"), ("root", "/"), ("inner", "sub/a"),
    ] {
      try manager.createSymbolicLink(
        atPath: folder + "/in/" + link, withDestinationPath: target)
    }
    let listing = DirectoryListing.files(below: folder + "/in", links: .inside)
    let start = folder.count + 4
    #expect(listing.files.map { $0.dropFirst(start) } == ["inner", "sub/a"])
    #expect(listing.errors.map { $0.path.dropFirst(start) } == ["file", "folder", "root"])
    #expect(!DirectoryListing.isInside(folder + "/in2/b", directory: folder + "/in"))
    #expect(DirectoryListing.isInside(folder + "/in/inner", directory: folder + "/in"))
  }

  @Test func aFileThatGrewBeginsAsItDid() throws {
    let path = folder + "/a"
    let long = String(repeating: "0123456789", count: 20_000)
    for before in ["", "abc", long] {
      try before.write(toFile: path, atomically: false, encoding: .utf8)
      let byteCount = Int64(before.utf8.count)
      let beginning = try #require(FileBeginning(path: path, byteCount: byteCount))
      try (before + "more").write(toFile: path, atomically: false, encoding: .utf8)
      #expect(FileBeginning(path: path, byteCount: byteCount) == beginning)
      for place in [0, before.utf8.count - 1] where place >= 0 && !before.isEmpty {
        var bytes = Array((before + "more").utf8)
        bytes[place] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(FileBeginning(path: path, byteCount: byteCount) != beginning)
      }
      #expect(FileBeginning(path: path, byteCount: byteCount + 100) == nil)
    }
    #expect(FileBeginning(path: folder, byteCount: 0) == nil)
  }

  @Test func whoWantsAFileGetsNoPipe() throws {
    let path = folder + "/pipe"
    let result = unsafe mkfifo(path, 0o600)
    #expect(result == 0)
    for path in [path, "/dev/null"] {
      #expect(throws: FileError.noRegularFile(path)) {
        _ = try InputFile(path: path, onlyRegular: true)
      }
    }
  }
}
