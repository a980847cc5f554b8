// What is written can be asked for, an index is recognised, and files of others stay as they are.

import Foundation
import Testing
import TraceModel
import TraceQuery

struct StoreTests {
  private let folder: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "query-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
  }

  private static func rows(_ sql: String, _ store: QueryStore) throws -> [[QueryValue]] {
    var rows: [[QueryValue]] = []
    try Question(sql).answer(from: store) { _ in
    } row: {
      rows.append($0)
      return true
    }
    return rows
  }

  private static func batch() -> EventBatch {
    var assembler = BatchAssembler()
    assembler.begin(.workSample, .instant, thread: 3, timeNanoseconds: 10)
    assembler.endEvent()
    assembler.begin(.traceStart, .instant, thread: 1, timeNanoseconds: 20)
    assembler.add(.wallNs, .integer(1_000_000))
    assembler.endEvent()
    assembler.begin(.bgtaskBegin, .instant, thread: 1, timeNanoseconds: 30)
    assembler.add(.token, .integer(7))
    assembler.add(.name, .string("a \"b\""))
    assembler.add(.isInvalid, .boolean(false))
    assembler.endEvent()
    var batch = EventBatch()
    assembler.take(into: &batch)
    return batch
  }

  @Test func eventsComeBackAsTheyWere() throws {
    try QueryStore.with(.temporary) { store in
      try store.begin()
      var writer = try store.eventWriter()
      var anchor = EventWriter.Anchor()
      let trace = try store.nextTrace()
      try writer.write(Self.batch(), trace: trace, &anchor)
      try store.finishEvents(trace: trace, anchor)
      try store.commit()
      let rows = try Self.rows(
        "SELECT trace, ordinal, time_ns, wall_ns, event, phase, thread, line, args FROM events"
          + " ORDER BY id", store)
      func text(_ text: String) -> QueryValue { .text(Array(text.utf8)) }
      #expect(
        rows == [
          [
            .integer(1), .integer(0), .integer(10), .integer(999_990), text("work.sample"),
            text("instant"), .integer(3), .null, .null,
          ],
          [
            .integer(1), .integer(1), .integer(20), .integer(1_000_000), text("trace.start"),
            text("instant"), .integer(1), .null, text("{\"wall_ns\":1000000}"),
          ],
          [
            .integer(1), .integer(2), .integer(30), .integer(1_000_010), text("bgtask.begin"),
            text("instant"), .integer(1), .null,
            text("{\"token\":7,\"name\":\"a \\\"b\\\"\",\"is_invalid\":false}"),
          ],
        ])
      #expect(
        try Self.rows("SELECT json_extract(args, '$.token') FROM events WHERE ordinal = 2", store)
          == [[.integer(7)]])
    }
  }

  @Test func timesOnTheWallAreIntegersHoweverLarge() throws {
    var assembler = BatchAssembler()
    assembler.begin(.workSample, .instant, thread: 1, timeNanoseconds: 1_000)
    assembler.endEvent()
    assembler.begin(.traceStart, .instant, thread: 1, timeNanoseconds: 20)
    assembler.add(.wallNs, .integer(.max))
    assembler.endEvent()
    var batch = EventBatch()
    assembler.take(into: &batch)
    let events = batch
    try QueryStore.with(.temporary) { store in
      try store.begin()
      var writer = try store.eventWriter()
      var anchor = EventWriter.Anchor()
      let trace = try store.nextTrace()
      try writer.write(events, trace: trace, &anchor)
      let rows = try store.rows(of: .states)
      for (interval, time) in [Int64(1_000), -1_000].enumerated() {
        rows.add(trace)
        rows.add(interval)
        for _ in 0..<2 { rows.add(Int64?.none) }
        rows.add(time)
        for _ in 0..<3 { rows.add(Int64?.none) }
        try rows.insert()
      }
      try store.finishEvents(trace: trace, anchor)
      try store.finish(trace: trace, parts: .life, offset: .max)
      try store.commit()
      #expect(
        try Self.rows("SELECT wall_ns FROM events ORDER BY id", store)
          == [[.integer(.max)], [.integer(.max)]])
      #expect(
        try Self.rows("SELECT start_wall_ns FROM states ORDER BY interval", store)
          == [[.integer(.max)], [.integer(.max - 1_000)]])
    }
  }

  @Test func whatIsAskedChangesNothing() throws {
    try QueryStore.with(.temporary) { store in
      #expect(try Self.rows("SELECT value FROM json_each('[7]')", store) == [[.integer(7)]])
      // The database can be written again after a question.
      try store.begin()
      try store.set("a", to: "b")
      #expect(try store.setting("a") == "b")
      try store.set("a", to: nil)
      #expect(try store.setting("a") == nil)
      try store.commit()
    }
  }

  @Test func changesOfOthersAreSeen() throws {
    let path = folder + "/shared.db"
    try QueryStore.with(.file(path)) { store in
      try store.begin()
      let changes = try store.othersChanges()
      try store.set("a", to: "b")
      try store.commit()
      try store.beginReading()
      let own = try store.othersChanges()
      #expect(own == changes)
      try store.rollback()
      try QueryStore.with(.file(path)) { other in
        try other.begin()
        try other.set("a", to: "c")
        try other.commit()
      }
      let after = try store.othersChanges()
      #expect(after != changes)
    }
  }

  @Test func aTraceIsForgottenAsAWhole() throws {
    try QueryStore.with(.temporary) { store in
      try store.begin()
      var writer = try store.eventWriter()
      for _ in 0..<3 {
        var anchor = EventWriter.Anchor()
        try writer.write(Self.batch(), trace: try store.nextTrace(), &anchor)
      }
      try store.forget(traces: 2...2)
      try store.commit()
      #expect(
        try Self.rows("SELECT trace, count(*) FROM events GROUP BY 1", store)
          == [[.integer(1), .integer(3)], [.integer(3), .integer(3)]])
    }
  }

  @Test func anIndexIsGoneOnWith() throws {
    let path = folder + "/index.db"
    var capture = KnownCapture(path: "a.lctrace", status: .copy, parts: [.life, .events])
    capture.copyOf = "b.lctrace"
    capture.version = "1:2:3"
    capture.identity = "x"
    capture.rank = 0
    let written = capture
    try QueryStore.with(.file(path)) { store in
      #expect(try !store.hasTables)
      try store.begin()
      try store.write(written)
      try store.set("settings", to: "s")
      try store.commit()
    }
    try QueryStore.with(.file(path), onlyReads: true) { store in
      #expect(try store.hasTables)
      var known = try store.captures()
      known[0].number = nil
      #expect(known == [written])
      #expect(try store.setting("settings") == "s")
    }
    try QueryStore.with(.file(path)) { store in
      try store.begin()
      try store.forget("a.lctrace")
      // What isn't committed didn't happen.
    }
    try QueryStore.with(.file(path)) { store in
      let count = try store.captures().count
      #expect(count == 1)
    }
  }

  @Test func filesOfOthersStayAsTheyAre() throws {
    let path = folder + "/notes.txt"
    let text = Data("not a database, but long enough to look at\n".utf8)
    try text.write(to: URL(fileURLWithPath: path))
    let error = try #require(Self.failure(of: path))
    #expect(error.text.contains("is no index"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
    #expect(
      Self.failure(of: folder + "/missing/index.db")?.text.contains("can't be opened") == true)
  }

  private static func failure(of path: String) -> QueryError? {
    do {
      try QueryStore.with(.file(path)) { try $0.begin() }
      return nil
    } catch {
      return error as? QueryError
    }
  }

  @Test func anIndexThatIsBeingWrittenIsNotTouched() throws {
    let path = folder + "/busy.db"
    try QueryStore.with(.file(path)) { store in
      try store.begin()
      let error = try #require(Self.failure(of: path))
      #expect(error.text.contains("another process is using the index"), "\(error.text)")
      try store.commit()
    }
    #expect(Self.failure(of: path) == nil)
  }
}
