// Which files are checked when: what arrives, what grows, what is replaced, what is a copy.

import Foundation
import Testing
import TraceIO

@testable import TraceServe

struct CaptureShelfTests {
  private static let second: Int64 = 1_000_000_000
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("shelf-\(UUID().uuidString)")

  private func version(_ text: String, _ name: String = "file") throws -> FileVersion {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent(name)
    if let handle = try? FileHandle(forWritingTo: url) {
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    } else {
      try Data(text.utf8).write(to: url)
    }
    return try #require(FileVersion(path: url.path))
  }

  private func record(
    _ path: String, _ version: FileVersion, _ traces: String...
  ) -> CaptureRecord {
    CaptureRecord(
      path: path, version: version, format: "ndjson", traces: traces.map(trace),
      checkedSeconds: 0)
  }

  private func trace(_ id: String) -> TraceRecord {
    TraceRecord(
      traceID: id, key: id, app: "", appVersion: "", osVersion: "", deviceModel: "", profile: "",
      eventCount: 1, launchCount: 1, durationNanoseconds: 0, completeness: "complete",
      findings: [], findingsOmittedCount: 0, errorCount: 0, warningCount: 0, noteCount: 0)
  }

  /// A moment at which a file was changed just now.
  private func wall(_ version: FileVersion) -> Int64 { version.modifiedNanoseconds }

  @Test func aNewFileIsCheckedOnceItIsQuiet() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    let files = ["file": version]
    #expect(shelf.update(files, now: 0, sinceEpoch: wall(version)).due.isEmpty)
    #expect(shelf.isWaiting)
    #expect(
      shelf.update(files, now: Self.second / 2, sinceEpoch: wall(version)).due.isEmpty)
    #expect(shelf.update(files, now: Self.second, sinceEpoch: wall(version)).due == ["file"])
    _ = shelf.take(record("file", version, "t"))
    #expect(!shelf.isWaiting)
    #expect(shelf.update(files, now: 9 * Self.second, sinceEpoch: wall(version)).due.isEmpty)
  }

  @Test func anOldFileIsCheckedAtOnce() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    let later = wall(version) + 4 * Self.second
    #expect(shelf.update(["file": version], now: 0, sinceEpoch: later).due == ["file"])
  }

  @Test func aFileThatNeverRestsIsCheckedNowAndThen() throws {
    var shelf = CaptureShelf()
    var dueAt: [Int64] = []
    for step in 0..<40 {
      let version = try version("a")
      let now = Int64(step) * Self.second / 2
      if !shelf.update(["file": version], now: now, sinceEpoch: wall(version)).due.isEmpty {
        dueAt.append(now / Self.second)
        _ = shelf.take(record("file", version, "t\(step)"))
      }
    }
    #expect(dueAt == [10])
  }

  @Test func aReadingOfAFileThatGrewCountsAsTheSameTrace() throws {
    var shelf = CaptureShelf()
    #expect(shelf.take(record("file", try version("a"), "first")).traces[0].key == "first")
    let grown = try version("b")
    #expect(
      shelf.take(record("file", grown, "second", "third")).traces.map(\.key) == [
        "first", "third",
      ])
    // A copy of what it became is the same trace too, under any name.
    let copy = try version("ab", "copy")
    #expect(shelf.take(record("copy", copy, "second")).traces[0].key == "first")
  }

  @Test func aFileInTheOthersPlaceIsAnotherTrace() throws {
    var shelf = CaptureShelf()
    _ = shelf.take(record("file", try version("a"), "first"))
    try FileManager.default.removeItem(at: folder.appendingPathComponent("file"))
    _ = try version("keeps the number of the file taken", "other")
    let replaced = try version("abc")
    #expect(shelf.take(record("file", replaced, "second")).traces[0].key == "second")
  }

  @Test func filesThatAreGoneAreNamed() throws {
    var shelf = CaptureShelf()
    let version = try version("a")
    for name in ["b", "a"] { _ = shelf.take(record(name, version, name)) }
    #expect(shelf.update([:], now: 0, sinceEpoch: 0).gone == ["a", "b"])
    #expect(shelf.update([:], now: 0, sinceEpoch: 0).gone.isEmpty)
  }
}
