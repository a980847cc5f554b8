// What is kept over restarts comes back as it was, and what was broken isn't believed.

import Foundation
import Testing
import TraceExport
import TraceIO

@testable import TraceServe

struct StateStoreTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("state-\(UUID().uuidString)").path

  private func record(_ path: String) throws -> CaptureRecord {
    let version = try #require(FileVersion(path: #filePath))
    return CaptureRecord(
      path: path, version: version, format: "ndjson", failure: nil, traces: [],
      checkedSeconds: 12)
  }

  @Test func recordsComeBack() throws {
    let store = try StateStore(path: folder)
    let names = ["a", "sub/b", String(repeating: "long/", count: 500), "\u{202E}evil"]
    for name in names { try store.save(record(name)) }
    #expect(store.load(counted: []).map(\.path) == names.sorted())
    store.remove("a")
    #expect(
      try StateStore(path: folder).load(counted: []).map(\.path) == names.dropFirst().sorted())
  }

  @Test func whatIsBrokenIsLeftOut() throws {
    let store = try StateStore(path: folder)
    for name in ["a", "b", "c"] { try store.save(record(name)) }
    let files = DirectoryListing.files(below: folder).files
    #expect(files.count == 3)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: files[0]))
    // A record under another's name says that somebody moved it.
    try FileManager.default.removeItem(atPath: files[1])
    try FileManager.default.copyItem(atPath: files[2], toPath: files[1])
    #expect(store.load(counted: []).count == 1)
  }

  @Test func aCaptureWhoseCountsAreLostIsCheckedAgain() throws {
    let store = try StateStore(path: folder)
    var lost = try record("a")
    lost.failure = "\u{1F41E} \"x\""
    try store.save(lost)
    #expect(store.load(counted: store.forEachMetrics { _ in }).isEmpty)
    try store.save(MetricSet(), as: lost.unreadableKey)
    #expect(store.load(counted: store.forEachMetrics { _ in }).map(\.failure) == [lost.failure])
  }

  @Test func aFileInItsPlaceIsAClearError() throws {
    try Data().write(to: URL(fileURLWithPath: folder))
    #expect(throws: FileError.self) { try StateStore(path: folder) }
  }
}
