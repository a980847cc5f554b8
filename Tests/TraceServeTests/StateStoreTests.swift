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
      path: path, version: version, format: "ndjson", failure: nil, traces: [])
  }

  @Test func recordsComeBack() throws {
    var store: StateStore? = try StateStore(path: folder, served: "/captures")
    let names = ["a", "sub/b", String(repeating: "long/", count: 500), "\u{202E}evil"]
    for name in names { try store?.save(record(name)) }
    #expect(store?.load(counted: []).map(\.path) == names.sorted())
    store?.remove("a")
    store = nil
    #expect(
      try StateStore(path: folder, served: "/captures").load(counted: []).map(\.path)
        == names.dropFirst().sorted())
  }

  @Test func formerIDsComeBack() throws {
    var store: StateStore? = try StateStore(path: folder, served: "/captures")
    let key = "\u{1F41E} \"x\"/" + String(repeating: "long", count: 500)
    try store?.save(["old"], of: key)
    try store?.save(["old", "new"], of: key)
    try store?.save(["other"], of: "b")
    store = nil
    store = try StateStore(path: folder, served: "/captures")
    #expect(store?.formerIDs() == [key: ["old", "new"], "b": ["other"]])
    store = nil
    // An earlier version kept none.
    try FileManager.default.removeItem(atPath: folder + "/state-2/ids")
    #expect(try StateStore(path: folder, served: "/captures").formerIDs().isEmpty)
  }

  @Test func capturesThatWentComeBack() throws {
    var store: StateStore? = try StateStore(path: folder, served: "/captures")
    #expect(store?.vanished().isEmpty == true)
    let version = try #require(FileVersion(path: #filePath))
    let beginning = try #require(FileBeginning(path: #filePath, byteCount: 10))
    let trace = CaptureTrack.Trace(traceID: "new", key: "\u{1F41E} \"x\"", hasGrown: true)
    let track = CaptureTrack(
      version: version, beginning: beginning, format: "ndjson", traces: [trace])
    try store?.saveVanished([track])
    store = nil
    let kept = try StateStore(path: folder, served: "/captures").vanished()
    #expect(kept.map(\.version) == [version])
    #expect(kept.map(\.beginning) == [beginning])
    #expect(kept.first?.traces.map(\.traceID) == ["new"])
    #expect(kept.first?.traces.map(\.key) == [trace.key])
    #expect(kept.first?.traces.map(\.hasGrown) == [true])
  }

  @Test func aRecordOfAnEarlierVersionComesBack() throws {
    let old = try JSONEncoder().encode(record("a"))
    let fields = try #require(String(data: old, encoding: .utf8))
    #expect(!fields.contains("lastRead") && !fields.contains("unreadableName"))
    #expect(try JSONDecoder().decode(CaptureRecord.self, from: old).unreadableKey == "unreadable a")
  }

  @Test func whatIsBrokenIsLeftOut() throws {
    let store = try StateStore(path: folder, served: "/captures")
    for name in ["a", "b", "c"] { try store.save(record(name)) }
    let files = DirectoryListing.files(below: folder).files.filter { $0.hasSuffix(".state") }
    #expect(files.count == 3)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: files[0]))
    // A record under another's name says that somebody moved it.
    try FileManager.default.removeItem(atPath: files[1])
    try FileManager.default.copyItem(atPath: files[2], toPath: files[1])
    #expect(store.load(counted: []).count == 1)
  }

  @Test func aCaptureWhoseCountsAreLostIsCheckedAgain() throws {
    let store = try StateStore(path: folder, served: "/captures")
    var lost = try record("a")
    lost.failure = "\u{1F41E} \"x\""
    lost.terms = "now"
    try store.save(lost)
    #expect(store.load(counted: store.forEachMetrics { _ in }).map(\.terms) == [""])
    try store.save(MetricSet().encoded, as: lost.unreadableKey)
    let records = store.load(counted: store.forEachMetrics { _ in })
    #expect(records.map(\.failure) == [lost.failure])
    #expect(records.map(\.terms) == ["now"])
  }

  @Test func aFileInItsPlaceIsAClearError() throws {
    try Data().write(to: URL(fileURLWithPath: folder))
    #expect(throws: FileError.self) { try StateStore(path: folder, served: "/captures") }
  }

  @Test(arguments: ["captures", "counts", "ids"])
  func whatCannotBeListedIsNotTakenForEmpty(name: String) throws {
    let told = Sentences()
    var store: StateStore? = try StateStore(path: folder, served: "/captures") { told.add($0) }
    let place = folder + "/state-2/" + name
    try FileManager.default.removeItem(atPath: place)
    try Data().write(to: URL(fileURLWithPath: place))
    let names = store?.forEachMetrics { _ in }
    let records = store?.load(counted: [])
    let ids = store?.formerIDs()
    #expect(ids?.isEmpty == true)
    #expect(names?.isEmpty == true)
    #expect(records?.isEmpty == true)
    #expect(told.all.count == 1)
    #expect(told.all.first?.hasPrefix(place + ": can't list") == true)
    store = nil
    // A server that starts like this would show counters that fell.
    #expect(throws: FileError.self) { try StateStore(path: folder, served: "/captures") }
  }

  @Test func aFlippedBitIsNoticedAndTheFileKeptAside() throws {
    let store = try StateStore(path: folder, served: "/captures")
    try store.save(MetricSet(.clean, format: "ndjson").encoded, as: "key")
    let file = try #require(
      DirectoryListing.files(below: folder).files.first { $0.hasSuffix(".state") })
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 1
      // The line's end between check and content says nothing.
      if place == StateDigest.digitCount { continue }
      try bytes.write(to: URL(fileURLWithPath: file))
      #expect(store.metrics("key") == nil, "\(place)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: file + ".damaged")) == bytes)
      #expect(FileVersion(path: file) == nil)
    }
    try whole.write(to: URL(fileURLWithPath: file))
    #expect(store.metrics("key")?.encoded == MetricSet(.clean, format: "ndjson").encoded)
  }

  @Test func aStateIsOneServersAndOneDirectorys() throws {
    var store: StateStore? = try StateStore(path: folder, served: "/captures")
    _ = withExtendedLifetime(store) {
      #expect(throws: FileError.self) { try StateStore(path: folder, served: "/captures") }
    }
    store = nil
    #expect(throws: FileError.self) { try StateStore(path: folder, served: "/others") }
    #expect(throws: Never.self) { try StateStore(path: folder, served: "/captures") }
  }

  @Test func countsThatCannotBeKeptAreKeptInMemory() throws {
    let state = try StateStore(path: folder, served: "/captures")
    var store = MetricStore(state)
    let set = MetricSet(.clean, format: "ndjson")
    try store.count(set, as: "kept")
    try FileManager.default.removeItem(atPath: folder)
    for key in ["kept", "new"] {
      for _ in 0..<3 { #expect(throws: FileError.self) { try store.count(set, as: key) } }
    }
    var expected = set
    expected.add(set)
    #expect(store.sum.encoded == expected.encoded)
    #expect(throws: FileError.self) { try store.addCheck(durationNanoseconds: 1_000) }
    // Once there is room again, nothing is missing after a restart.
    for name in ["", "/state-2", "/state-2/counts"] { try Folder.create(folder + name) }
    try store.writeRest()
    var sum = MetricSet()
    #expect(state.forEachMetrics { sum.add($0) }.count == 2)
    #expect(sum.encoded == expected.encoded)
    var checks = MetricSet()
    checks.addCheck(durationNanoseconds: 1_000)
    #expect(state.checks()?.encoded == checks.encoded)
  }
}

/// What was told.
///
/// A class, because who tells and who reads share it; the lock guards the sentences.
private final class Sentences: @unchecked Sendable {
  private let lock = NSLock()
  private var sentences: [String] = []

  var all: [String] {
    lock.lock()
    defer { lock.unlock() }
    return sentences
  }

  func add(_ sentence: String) {
    lock.lock()
    sentences.append(sentence)
    lock.unlock()
  }
}
