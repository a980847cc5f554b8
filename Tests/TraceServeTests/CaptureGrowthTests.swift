// A file that goes on with what was read before is the trace that it was, whatever happened in
// between; one that only began like another is a trace of its own.

import Foundation
import Testing
import TraceIO

@testable import TraceServe

struct CaptureGrowthTests {
  private static let late = Int64.max / 2
  private static let second: Int64 = 1_000_000_000

  @Test(arguments: [false, true])
  func aFileThatWasAwayAndGrewIsTheSameTrace(isRestarted: Bool) throws {
    let bench = Bench()
    try bench.append("h1", to: "a")
    #expect(try bench.read("a").keys == ["h1"])
    let gone = bench.shelf.update([:], now: 0, sinceEpoch: Self.late).gone
    #expect(gone == ["a"])
    #expect(!bench.shelf.vanished.isSaved)
    if isRestarted { bench.shelf = CaptureShelf(vanished: bench.shelf.vanished.tracks) }
    #expect(bench.shelf.vanished.isSaved == isRestarted)
    try FileManager.default.moveItem(atPath: bench.path("a"), toPath: bench.path("b"))
    try bench.append("2", to: "b")
    #expect(try bench.read("b").keys == ["h1"])
  }

  @Test func anotherFileWithTheNumberOfOneThatWentIsAnotherTrace() throws {
    let bench = Bench()
    try bench.append("h1", to: "a")
    #expect(try bench.read("a").keys == ["h1"])
    let gone = bench.shelf.update([:], now: 0, sinceEpoch: Self.late).gone
    #expect(gone == ["a"])
    let handle = try #require(FileHandle(forWritingAtPath: bench.path("a")))
    try handle.write(contentsOf: Data("other".utf8))
    try handle.close()
    #expect(try bench.read("a").keys == ["other"])
  }

  @Test(arguments: [false, true])
  func aFileThatCouldNotBeReadForAWhileIsTheSameTrace(isRenamed: Bool) throws {
    let bench = Bench()
    try bench.append("h1", to: "a")
    #expect(try bench.read("a").keys == ["h1"])
    try bench.append("2", to: "a")
    let unreadable = try bench.read("a", isReadable: false)
    #expect(unreadable.keys == ["unreadable a"])
    // It is kept over a restart.
    let kept = try JSONDecoder().decode(
      CaptureRecord.self, from: JSONEncoder().encode(unreadable))
    bench.shelf = CaptureShelf([kept])
    var name = "a"
    if isRenamed {
      name = "b"
      try FileManager.default.moveItem(atPath: bench.path("a"), toPath: bench.path(name))
      try bench.append("3", to: name)
      let files = try bench.files(name)
      let work = bench.shelf.update(files, now: 0, sinceEpoch: Self.late, begins: bench.begins)
      #expect(work.moved.map(\.record.path) == [name])
      #expect(try bench.read(name, isReadable: false).keys == ["unreadable a"])
    }
    try bench.append("4", to: name)
    let again = try bench.read(name)
    #expect(again.keys == ["h1"])
    #expect(again.lastRead == nil)
  }

  @Test(arguments: [false, true])
  func filesThatAreAlikeAtFirstAndThenDifferAreTwoTraces(isFirstGone: Bool) throws {
    let bench = Bench()
    for name in ["a", "b"] {
      try bench.append("h1", to: name)
      #expect(try bench.read(name).keys == ["h1"])
    }
    try bench.append("2", to: "a")
    #expect(try bench.read("a").keys == ["h1"])
    if isFirstGone {
      let files = try bench.files("b")
      let gone = bench.shelf.update(files, now: 0, sinceEpoch: Self.late, begins: bench.begins).gone
      #expect(gone == ["a"])
    }
    try bench.append("3", to: "b")
    #expect(try bench.read("b").keys == ["h13"])
    try bench.append("4", to: "a")
    #expect(try bench.read("a").keys == ["h1"])
    try bench.append("5", to: "b")
    #expect(try bench.read("b").keys == ["h13"])
  }

  @Test func whoGrowsFirstKeepsTheNameThatWasShared() throws {
    let bench = Bench()
    try bench.append("h1", to: "a")
    #expect(try bench.read("a").keys == ["h1"])
    try bench.append("2", to: "a")
    #expect(try bench.read("a").keys == ["h1"])
    try bench.append("h12", to: "b")
    #expect(try bench.read("b").keys == ["h1"])
    try bench.append("3", to: "b")
    #expect(try bench.read("b").keys == ["h1"])
    try bench.append("4", to: "a")
    #expect(try bench.read("a").keys == ["h124"])
  }

  @Test func copiesThatGrowOneAfterTheOtherAreOneTrace() throws {
    let bench = Bench()
    for name in ["a", "b"] {
      try bench.append("h1", to: name)
      #expect(try bench.read(name).keys == ["h1"])
    }
    for (name, text) in [("a", "2"), ("b", "234"), ("a", "3"), ("a", "456"), ("b", "5")] {
      try bench.append(text, to: name)
      #expect(try bench.read(name).keys == ["h1"])
    }
  }

  @Test func headersWithoutEventsAreTracesOfTheirOwn() throws {
    let bench = Bench()
    var keys: [String] = []
    for name in ["a", "b"] {
      try bench.append("h", to: name)
      keys.append(try bench.key(name))
      #expect(try bench.key(name) == keys.last)
    }
    #expect(Set(keys).count == 2)
    for (place, name) in ["a", "b"].enumerated() {
      try bench.append("1", to: name)
      #expect(try bench.key(name) == keys[place])
    }
    try bench.append("2", to: "b")
    // Both were alike with their first event: that is no reason either.
    #expect(try bench.key("b") == keys[1])
  }

  @Test func aSecondNameOfAFileThatGrewIsTheSameTrace() throws {
    let bench = Bench()
    try bench.append("h1", to: "b")
    #expect(try bench.key("b") == "h1")
    try bench.append("2", to: "b")
    try FileManager.default.linkItem(atPath: bench.path("b"), toPath: bench.path("a"))
    #expect(try bench.key("a") == "h1")
    #expect(try bench.key("b") == "h1")
  }

  @Test func aCopyOfAFileThatGrewAndWasNotReadYetIsTheSameTrace() throws {
    let bench = Bench()
    try bench.append("h1", to: "b")
    #expect(try bench.key("b") == "h1")
    try bench.append("2", to: "b")
    try FileManager.default.copyItem(atPath: bench.path("b"), toPath: bench.path("a"))
    let files = try bench.files("a", "b")
    // What is known comes first.
    let due = bench.shelf.update(files, now: 0, sinceEpoch: Self.late, begins: bench.begins).due
    #expect(due == ["b", "a"])
    try bench.append("3", to: "b")
    #expect(try bench.key("a") == "h1")
    #expect(try bench.key("b") == "h1")
  }

  @Test(arguments: [false, true])
  func aCopyOfAFileThatIsCutThenIsTheSameTrace(isCopyFirst: Bool) throws {
    let bench = Bench()
    try bench.append("h1", to: "b")
    #expect(try bench.key("b") == "h1")
    try bench.append("2", to: "b")
    try FileManager.default.copyItem(atPath: bench.path("b"), toPath: bench.path("a"))
    let handle = try #require(FileHandle(forWritingAtPath: bench.path("b")))
    try handle.truncate(atOffset: 0)
    try handle.close()
    let files = try bench.files("a", "b")
    _ = bench.shelf.update(files, now: 0, sinceEpoch: Self.late, begins: bench.begins)
    if isCopyFirst { #expect(try bench.key("a") == "h1") }
    #expect(try bench.read("b", isReadable: false).keys == ["unreadable b"])
    #expect(try bench.key("a") == "h1")
    try bench.append("h3", to: "b")
    #expect(try bench.key("b") == "h3")
  }

  @Test func nothingIsGoneWhileNamesChange() throws {
    let bench = Bench()
    try bench.append("h1", to: "a")
    #expect(try bench.read("a").keys == ["h1"])
    func gone(_ now: Int64) -> [String] {
      bench.shelf.update([:], isUnsure: true, now: now, sinceEpoch: Self.late).gone
    }
    let early = gone(0)
    #expect(early.isEmpty)
    let stillEarly = gone(4 * Self.second)
    #expect(stillEarly.isEmpty)
    // A directory in which names change for ever isn't waited for.
    let late = gone(6 * Self.second)
    #expect(late == ["a"])
  }

  @Test func anUnreadableFileThatIsRenamedCountsOnce() throws {
    let bench = Bench()
    try bench.append("garbage", to: "a")
    #expect(try bench.read("a", isReadable: false).keys == ["unreadable a"])
    for (from, to) in [("a", "b"), ("b", "a"), ("a", "c")] {
      try FileManager.default.moveItem(atPath: bench.path(from), toPath: bench.path(to))
      let files = try bench.files(to)
      let work = bench.shelf.update(files, now: 0, sinceEpoch: Self.late, begins: bench.begins)
      #expect(work.moved.map(\.record.path) == [to])
      #expect(try bench.read(to, isReadable: false).keys == ["unreadable a"])
    }
    // Another one in its place is another one.
    try bench.append("garbage", to: "a")
    let other = try bench.read("a", isReadable: false)
    #expect(other.keys != ["unreadable a"])
    #expect(try bench.read("a", isReadable: false).keys == other.keys)
  }

  @Test func aHeaderAloneIsUnreadableOnceNobodyWritesIt() throws {
    let bench = Bench()
    try bench.append("h", to: "a")
    let version = try #require(FileVersion(path: bench.path("a")))
    let record = CaptureRecord(
      path: "a", version: version, format: "ndjson", traces: [bench.trace("h")], isSettled: false)
    _ = bench.shelf.take(record, continues: false)
    #expect(!bench.shelf.hasUnreadable)
    let settled = bench.shelf.update(["a": version], now: 0, sinceEpoch: Self.late).settled
    #expect(settled.map(\.path) == ["a"])
    #expect(bench.shelf.hasUnreadable)
  }

  @Test func ofCapturesThatWentSoMuchIsRememberedAsThereIsRoomFor() throws {
    let bench = Bench()
    var vanished = VanishedCaptures()
    let long = String(repeating: "x", count: VanishedCaptures.bytesMax / 3)
    for name in ["a", "b", "c"] {
      try bench.append("h" + name, to: name)
      let version = try #require(FileVersion(path: bench.path(name)))
      let trace = CaptureTrack.Trace(traceID: long, key: name, hasGrown: false)
      for _ in 0..<2 {
        vanished.add(CaptureTrack(version: version, format: "ndjson", traces: [trace]))
      }
    }
    #expect(vanished.tracks.map(\.traces[0].key) == ["b", "c"])
    let version = try #require(FileVersion(path: bench.path("a")))
    let large = CaptureTrack.Trace(traceID: long + long + long, key: "large", hasGrown: false)
    vanished.add(CaptureTrack(version: version, format: "ndjson", traces: [large]))
    #expect(vanished.tracks.map(\.traces[0].key) == ["b", "c"])
  }
}

/// Files and the captures that were read from them.
///
/// A class, so that what is expected can be read in one expression.
private final class Bench {
  var shelf = CaptureShelf()
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("growth-\(UUID().uuidString)")

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func append(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let handle = FileHandle(forWritingAtPath: path(name)) {
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    } else {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }
  }

  func begins(_ beginning: FileBeginning?, _ name: String) -> Bool {
    guard let beginning else { return false }
    return beginning == FileBeginning(path: path(name), byteCount: beginning.byteCount)
  }

  func files(_ names: String...) throws -> [String: FileVersion] {
    var files: [String: FileVersion] = [:]
    for name in names {
      let version = try #require(FileVersion(path: path(name)))
      files[name] = version
    }
    return files
  }

  /// Reads a file, whose content is the id of the trace in it. "h" alone is a header.
  func read(_ name: String, isReadable: Bool = true) throws -> CaptureRecord {
    let version = try #require(FileVersion(path: path(name)))
    let text = try String(contentsOfFile: path(name), encoding: .utf8)
    let record = CaptureRecord(
      path: name, version: version, format: "ndjson",
      failure: isReadable ? nil : "can't open it", traces: isReadable ? [trace(text)] : [],
      beginning: isReadable
        ? FileBeginning(path: path(name), byteCount: version.byteCount) : nil)
    let earlier = shelf.earlierReading(of: record, begins: begins)
    return shelf.take(record, after: earlier, begins: begins)
  }

  func trace(_ text: String) -> TraceRecord {
    let isEmpty = text == "h"
    let id = isEmpty ? String(repeating: "0", count: 32) : text
    return TraceRecord(
      traceID: id, key: id, app: "", appVersion: "", osVersion: "", deviceModel: "", profile: "",
      eventCount: isEmpty ? 0 : text.utf8.count - 1, launchCount: 1, durationNanoseconds: 0,
      completeness: "truncated", findings: [], findingsOmittedCount: 0, errorCount: 0,
      warningCount: 0, noteCount: 0)
  }

  func key(_ name: String) throws -> String { try read(name).traces[0].key }
}
