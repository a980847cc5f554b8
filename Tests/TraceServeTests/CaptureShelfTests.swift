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
      path: path, version: version, format: "ndjson", traces: traces.map(trace))
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
    _ = shelf.take(record("file", version, "t"), continues: false)
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
        _ = shelf.take(record("file", version, "t\(step)"), continues: true)
      }
    }
    #expect(dueAt == [10])
  }

  @Test func aFileWhoseCheckTakesLongIsCheckedAQuarterOfTheTime() throws {
    var shelf = CaptureShelf()
    var dueAt: [Int64] = []
    for step in 0..<400 {
      let version = try version("a")
      let now = Int64(step) * Self.second / 2
      if !shelf.update(["file": version], now: now, sinceEpoch: wall(version)).due.isEmpty {
        dueAt.append(now / Self.second)
        _ = shelf.take(record("file", version, "t\(step)"), continues: true)
        shelf.rest("file", took: 20 * Self.second, now: now)
      }
    }
    #expect(dueAt == [10, 70, 130, 190])
  }

  @Test func aFileThatGrowsInStepsRestsAfterALongCheckToo() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    for (name, took) in [("large", Self.second), ("small", Self.second / 10)] {
      _ = shelf.take(record(name, version, name), continues: false)
      shelf.rest(name, took: took, now: 0)
    }
    let grown = try self.version("b")
    let files = ["large": grown, "small": grown, "new": grown]
    func due(_ now: Int64) -> [String] {
      shelf.update(files, now: now, sinceEpoch: wall(grown) + 4 * Self.second).due
    }
    #expect(due(1) == ["small", "new"])
    #expect(due(3 * Self.second - 1) == ["small", "new"])
    #expect(due(3 * Self.second) == ["large", "small", "new"])
    #expect(shelf.isWaiting)
  }

  @Test func aReadingOfAFileThatGrewCountsAsTheSameTrace() throws {
    var shelf = CaptureShelf()
    func keys(_ record: CaptureRecord, continues: Bool) -> [String] {
      shelf.take(record, continues: continues).traces.map(\.key)
    }
    #expect(keys(record("file", try version("a"), "first"), continues: false) == ["first"])
    let grown = try version("b")
    #expect(keys(record("file", grown, "second", "third"), continues: true) == ["first", "third"])
    // A copy of what it became is the same trace too, under any name.
    let copy = try version("ab", "copy")
    #expect(keys(record("copy", copy, "second"), continues: false) == ["first"])
    // A copy remembers what it was in between.
    #expect(keys(record("file", grown, "fourth"), continues: true) == ["first"])
    #expect(keys(record("late", copy, "second"), continues: false) == ["first"])
    #expect(keys(record("copy", copy, "fourth"), continues: false) == ["first"])
    // Else nobody does.
    #expect(keys(record("file", grown, "fifth"), continues: true) == ["first"])
    #expect(keys(record("file", grown, "sixth"), continues: true) == ["first"])
    #expect(keys(record("other", copy, "fifth"), continues: false) == ["fifth"])
  }

  @Test(arguments: [false, true], [false, true])
  func aCopyThatGetsAnotherNameIsTheSameTrace(growsFirst: Bool, isRestarted: Bool) throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    func key(_ path: String, _ id: String, continues: Bool = false) -> String {
      shelf.take(record(path, version, id), continues: continues).traces[0].key
    }
    #expect(key("file", "first") == "first")
    #expect(key("file", "second", continues: true) == "first")
    #expect(key("copy", "second") == "first")
    if isRestarted { shelf = CaptureShelf(Array(shelf.records.values)) }
    if growsFirst { #expect(key("file", "third", continues: true) == "first") }
    let gone = shelf.update(["file": version], now: 0, sinceEpoch: wall(version)).gone
    #expect(gone == ["copy"])
    if !growsFirst { #expect(key("file", "third", continues: true) == "first") }
    #expect(key("renamed", "second") == "first")
  }

  @Test func aTraceThatGrewAndWentIsKnownAgainAfterARestart() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    _ = shelf.take(record("file", version, "first"), continues: false)
    _ = shelf.take(record("file", version, "second"), continues: true)
    #expect(shelf.names.unsavedKeys.isEmpty)
    let gone = shelf.update([:], now: 0, sinceEpoch: wall(version)).gone
    #expect(gone == ["file"])
    #expect(shelf.names.unsavedKeys == ["first"])
    let ids = shelf.names.earlierIDs(of: "first")
    shelf.names.markSaved("first")
    #expect(shelf.names.unsavedKeys.isEmpty)
    shelf = CaptureShelf([], formerIDs: ["first": ids])
    let back = shelf.take(record("other", version, "second"), continues: false)
    #expect(back.traces[0].key == "first")
  }

  @Test func aFileInTheOthersPlaceTakesNothingFromTheOneThatWasMoved() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    _ = shelf.take(record("current", version, "first"), continues: false)
    _ = shelf.take(record("current", version, "second"), continues: true)
    let next = shelf.take(record("current", version, "next"), continues: false)
    #expect(next.traces[0].key == "next")
    #expect(shelf.names.earlierIDs(of: "first") == ["second"])
    let moved = shelf.take(record("old", version, "second"), continues: false)
    #expect(moved.traces[0].key == "first")
  }

  @Test func ofATraceThatComesAndGoesOnlyTheLastIdsAreKept() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    func key(_ path: String, _ id: String, continues: Bool) -> String {
      shelf.take(record(path, version, id), continues: continues).traces[0].key
    }
    #expect(key("file", "first", continues: false) == "first")
    for number in 1...FormerIDs.idsMax + 1 {
      #expect(key("file", "\(number)", continues: true) == "first")
      let gone = shelf.update([:], now: 0, sinceEpoch: wall(version)).gone
      #expect(gone == ["file"])
      #expect(key("file", "\(number)", continues: false) == "first")
    }
    #expect(shelf.names.earlierIDs(of: "first") == (2...FormerIDs.idsMax + 1).map { "\($0)" })
    #expect(key("copy", "1", continues: false) == "1")
    #expect(key("copy", "2", continues: false) == "first")
  }

  @Test func twoNamesOfAFileThatGrowsKeepNothingOfWhatItWas() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    func key(_ path: String, _ id: String, continues: Bool = true) -> String {
      shelf.take(record(path, version, id), continues: continues).traces[0].key
    }
    for id in ["first", "second", "third"] {
      for path in ["file", "link"] { #expect(key(path, id) == "first") }
    }
    #expect(key("other", "second", continues: false) == "second")
    #expect(key("copy", "third", continues: false) == "first")
  }

  @Test func aTraceThatComesBeforeOthersTakesNobodysPlace() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    _ = shelf.take(record("file", version, "a", "b"), continues: false)
    let grown = shelf.take(
      record("file", version, "new", "a", "longer b", "last"), continues: true)
    #expect(grown.traces.map(\.key) == ["new", "a", "b", "last"])
  }

  @Test func aFileInTheOthersPlaceIsAnotherTrace() throws {
    var shelf = CaptureShelf()
    _ = shelf.take(record("file", try version("a"), "first"), continues: false)
    try FileManager.default.removeItem(at: folder.appendingPathComponent("file"))
    _ = try version("keeps the number of the file taken", "other")
    let replaced = try version("abc")
    let record = shelf.take(record("file", replaced, "second"), continues: false)
    #expect(record.traces[0].key == "second")
  }

  @Test func filesThatAreGoneAreNamed() throws {
    var shelf = CaptureShelf()
    let version = try version("a")
    for name in ["b", "a"] { _ = shelf.take(record(name, version, name), continues: false) }
    #expect(shelf.update([:], now: 0, sinceEpoch: 0).gone == ["a", "b"])
    #expect(shelf.update([:], now: 0, sinceEpoch: 0).gone.isEmpty)
  }

  @Test func whatCannotBeLookedAtForAMomentIsNotGone() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    for name in ["sub/deep/a", "sub2/b", "c"] {
      var record = record(name, version, name)
      record.isSettled = false
      _ = shelf.take(record, continues: false)
    }
    let hidden = shelf.update([:], unseen: ["sub", "c"], now: 0, sinceEpoch: wall(version))
    #expect(hidden.gone == ["sub2/b"])
    #expect(hidden.settled.map(\.path) == ["sub2/b"])
    #expect(shelf.records.keys.sorted() == ["c", "sub/deep/a"])
    let gone = shelf.update([:], now: 0, sinceEpoch: wall(version)).gone
    #expect(gone == ["c", "sub/deep/a"])
  }

  @Test func aFileThatWasReplacedWhileItWasReadIsForgottenWithItsName() throws {
    let version = try version("a")
    let files = ["file": version]
    var shelf = CaptureShelf()
    _ = shelf.update(files, now: 0, sinceEpoch: wall(version))
    #expect(!shelf.isComplete)
    shelf.leave("file")
    _ = shelf.update(files, now: 1, sinceEpoch: wall(version))
    #expect(shelf.isComplete)
    _ = shelf.update([:], now: 2, sinceEpoch: wall(version))
    _ = shelf.update(files, now: 3, sinceEpoch: wall(version))
    #expect(!shelf.isComplete)
  }

  @Test func aCaptureIsSettledOnceItIsQuietOrGone() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    func settled(_ files: [String: FileVersion], now: Int64, age: Int64) -> [String] {
      shelf.update(files, now: now, sinceEpoch: wall(version) + age).settled.map(\.path)
    }
    for name in ["a", "b", "c"] {
      var record = record(name, version, name)
      record.isSettled = false
      _ = shelf.take(record, continues: false)
    }
    let minute = CaptureShelf.settlingNanoseconds
    // Times of another clock are no reason to wait for ever.
    #expect(settled(["a": version, "b": version, "c": version], now: 0, age: -minute).isEmpty)
    #expect(settled(["a": version, "b": version], now: 1, age: minute - 1) == ["c"])
    #expect(settled(["a": version, "b": version], now: minute - 1, age: -1).isEmpty)
    #expect(settled(["a": version, "b": version], now: minute, age: -1) == ["a", "b"])
    #expect(settled(["a": version, "b": version], now: 2 * minute, age: minute).isEmpty)
    #expect(shelf.records.values.allSatisfy { $0.isSettled })
  }

  @Test func whatCouldNotBeReadIsTriedAgainWhenItsPermissionsChange() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    let later = wall(version) + 4 * Self.second
    for name in ["good", "bad"] {
      var record = record(name, version)
      record.failure = name == "bad" ? "can't open it" : nil
      _ = shelf.take(record, continues: false)
    }
    #expect(shelf.update(["good": version, "bad": version], now: 0, sinceEpoch: later).due.isEmpty)
    let path = folder.appendingPathComponent("file").path
    // The clock of the file system ticks every few milliseconds.
    var changed = version
    while changed.isUntouched(since: version) {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      changed = try #require(FileVersion(path: path))
    }
    #expect(changed == version)
    #expect(
      shelf.update(["good": changed, "bad": changed], now: 0, sinceEpoch: later).due == ["bad"])
  }

  @Test func anUnreadableCaptureIsKnownUntilItIsGone() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    for (name, failure, isPassedOver) in [
      ("good", nil, false), ("note", "no capture", true), ("bad", "can't open it", false),
    ] as [(String, String?, Bool)] {
      #expect(!shelf.hasUnreadable)
      var record = record(name, version)
      record.failure = failure
      record.isPassedOver = isPassedOver
      _ = shelf.take(record, continues: false)
    }
    let later = wall(version) + 4 * Self.second
    let files = ["good": version, "note": version, "bad": version]
    #expect(shelf.update(files, now: 0, sinceEpoch: later).due.isEmpty)
    #expect(shelf.hasUnreadable)
    let gone = shelf.update(["good": version, "note": version], now: 0, sinceEpoch: later).gone
    #expect(gone == ["bad"])
    #expect(!shelf.hasUnreadable)
  }

  @Test func whatWasCheckedOnOtherTermsIsCheckedAgain() throws {
    let version = try version("a")
    var record = record("file", version, "t")
    record.terms = "old"
    let later = wall(version) + 4 * Self.second
    for (terms, due) in [("old", []), ("new", ["file"])] as [(String, [String])] {
      var shelf = CaptureShelf([record], terms: terms)
      #expect(shelf.update(["file": version], now: 0, sinceEpoch: later).due == due)
      #expect(shelf.isComplete == due.isEmpty)
    }
  }

  @Test func formatsAreCheckedInTheOrderInWhichTheyCount() throws {
    let version = try version("a")
    var shelf = CaptureShelf()
    let names = ["a.ips", "b.timeline", "c.ndjson", "d.lctrace", "e.lctrace"]
    let files = Dictionary(uniqueKeysWithValues: names.map { ($0, version) })
    #expect(
      shelf.update(files, now: 0, sinceEpoch: wall(version) + 4 * Self.second).due
        == ["d.lctrace", "e.lctrace", "c.ndjson", "b.timeline", "a.ips"])
  }
}
