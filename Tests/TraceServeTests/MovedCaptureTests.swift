// Captures that are given other names, as by who rotates logs, stay the traces that they were.

import Foundation
import Testing
import TraceIO

@testable import TraceServe

struct MovedCaptureTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("moved-\(UUID().uuidString)")

  /// The version of a file to which some text is added.
  private func version(_ text: String, _ name: String) throws -> FileVersion {
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

  private func record(_ path: String, _ version: FileVersion, _ id: String) -> CaptureRecord {
    CaptureRecord(
      path: path, version: version, format: "ndjson",
      traces: [
        TraceRecord(
          traceID: id, key: id, app: "", appVersion: "", osVersion: "", deviceModel: "",
          profile: "", eventCount: 1, launchCount: 1, durationNanoseconds: 0,
          completeness: "complete", findings: [], findingsOmittedCount: 0, errorCount: 0,
          warningCount: 0, noteCount: 0)
      ])
  }

  private func update(
    _ shelf: inout CaptureShelf, _ files: [String: FileVersion], unseen: [String] = [],
    begins: Bool = true
  ) -> CaptureShelf.Work {
    shelf.update(files, unseen: unseen, now: 0, sinceEpoch: Int64.max / 2) { _, _ in begins }
  }

  private func names(_ work: CaptureShelf.Work) -> [String] {
    work.moved.map { "\($0.from) -> \($0.record.path)" }
  }

  @Test func aCaptureThatIsRenamedAndGrowsIsTheSameTrace() throws {
    var shelf = CaptureShelf()
    _ = shelf.take(record("current", try version("a", "file"), "first"), continues: false)
    let grown = try version("b", "file")
    let work = update(&shelf, ["old": grown])
    #expect(names(work) == ["current -> old"])
    #expect(work.gone.isEmpty)
    #expect(work.settled.isEmpty)
    #expect(work.due == ["old"])
    #expect(shelf.records.keys.sorted() == ["old"])
    let taken = shelf.take(record("old", grown, "second"), continues: true)
    #expect(taken.traces[0].key == "first")
    let later = update(&shelf, ["old": grown])
    #expect(names(later).isEmpty)
    #expect(later.due.isEmpty)
  }

  @Test func aNewFileInItsPlaceIsAnotherTrace() throws {
    var shelf = CaptureShelf()
    _ = shelf.take(record("current", try version("a", "file"), "first"), continues: false)
    let grown = try version("b", "file")
    let next = try version("c", "next")
    let work = update(&shelf, ["current": next, "old": grown])
    #expect(names(work) == ["current -> old"])
    #expect(work.due == ["old", "current"])
    #expect(shelf.take(record("current", next, "next"), continues: false).traces[0].key == "next")
    #expect(shelf.take(record("old", grown, "second"), continues: true).traces[0].key == "first")
  }

  @Test func aChainOfNamesIsKeptFromItsEnd() throws {
    var shelf = CaptureShelf()
    var files: [String: FileVersion] = ["log": try version("new", "new")]
    for number in 0..<12 {
      let version = try version("a", "\(number)")
      let name = number == 0 ? "log" : "log.\(number)"
      _ = shelf.take(record(name, version, "\(number)"), continues: false)
      files["log.\(number + 1)"] = version
    }
    let work = update(&shelf, files)
    let expected = (0..<12).reversed().map { number in
      (number == 0 ? "log" : "log.\(number)") + " -> log.\(number + 1)"
    }
    #expect(names(work) == expected)
    #expect(work.gone.isEmpty)
    for number in 0..<12 {
      #expect(shelf.records["log.\(number + 1)"]?.traces[0].traceID == "\(number)")
    }
  }

  @Test func namesThatGoRoundInACircleAreAllKept() throws {
    var shelf = CaptureShelf()
    let (a, b) = (try version("a", "a"), try version("b", "b"))
    _ = shelf.take(record("a", a, "a"), continues: false)
    _ = shelf.take(record("b", b, "b"), continues: false)
    let work = update(&shelf, ["a": b, "b": a])
    #expect(names(work).count == 2)
    #expect(shelf.records["a"]?.traces[0].traceID == "b")
    #expect(shelf.records["b"]?.traces[0].traceID == "a")
  }

  @Test func whatItIsMovedOverHasEnded() throws {
    var shelf = CaptureShelf()
    let (a, b) = (try version("a", "a"), try version("b", "b"))
    var old = record("a", a, "first")
    old.isSettled = false
    _ = shelf.take(old, continues: false)
    old = record("a", a, "a")
    old.isSettled = false
    _ = shelf.take(old, continues: true)
    var other = record("b", b, "b")
    other.isSettled = false
    _ = shelf.take(other, continues: false)
    let work = update(&shelf, ["a": b])
    #expect(names(work) == ["b -> a"])
    #expect(work.settled.map { $0.traces[0].traceID } == ["a"])
    #expect(work.formerKeys == ["a": ["first"]])
    #expect(shelf.names.earlierIDs(of: "first") == ["a"])
    #expect(shelf.records["a"]?.traces[0].traceID == "b")
    #expect(shelf.records["a"]?.isSettled == false)
  }

  @Test func anotherFileWithTheNumberOfOneThatIsGoneIsAnotherTrace() throws {
    var shelf = CaptureShelf()
    _ = shelf.take(record("current", try version("a", "file"), "first"), continues: false)
    let work = update(&shelf, ["old": try version("b", "file")], begins: false)
    #expect(names(work).isEmpty)
    #expect(work.gone == ["current"])
  }

  @Test func aNameThatWentWhileTheDirectoryWasListedIsNoOtherCapture() throws {
    var shelf = CaptureShelf()
    _ = shelf.take(record("current", try version("a", "file"), "first"), continues: false)
    let grown = try version("b", "file")
    let early = update(&shelf, [:], unseen: ["current"])
    #expect(early.gone.isEmpty)
    let work = update(&shelf, ["old": grown], unseen: ["current"])
    #expect(names(work) == ["current -> old"])
  }

  @Test func whatCannotBeReadIsCountedUnderItsFirstName() throws {
    var shelf = CaptureShelf()
    let version = try version("a", "file")
    var record = record("bad", version, "first")
    record.failure = "can't open it"
    _ = shelf.take(record, continues: false)
    // How it begins isn't known either.
    let work = update(&shelf, ["new": version], begins: false)
    #expect(names(work) == ["bad -> new"])
    #expect(work.gone.isEmpty)
    #expect(shelf.records["new"]?.unreadableKey == "unreadable bad")
  }

  @Test func whatIsPassedOverIsNotFollowed() throws {
    var shelf = CaptureShelf()
    let version = try version("a", "file")
    var record = CaptureRecord(path: "note", version: version, format: "", traces: [])
    record.isPassedOver = true
    _ = shelf.take(record, continues: false)
    let work = update(&shelf, ["new": version])
    #expect(names(work).isEmpty)
    #expect(work.gone == ["note"])
  }
}
