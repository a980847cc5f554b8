// Traces become one in order of time, on one clock and with one header.

import Testing
import TraceExport
import TraceFormat
import TraceModel

@testable import TracePipeline

@Suite struct TraceMergeTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// What a merged trace says.
  private struct Collector: CaptureVisitor {
    var header = TraceHeader()
    var events: [String] = []
    var sequences: [UInt64] = []

    mutating func begin(_ header: TraceHeader) { self.header = header }
    mutating func consume(_ batch: EventBatch) {
      for index in 0..<batch.count {
        let event = batch.event(at: index)
        events.append("\(event.timeNanoseconds) @\(event.thread)")
      }
      sequences += batch.threads.map(\.firstSequence)
    }
    mutating func endTrace() {}
    mutating func problem(_ problem: InputProblem) {}
  }

  /// A trace with events at these times, on a clock that shows a wall time at 0.
  private func trace(
    _ name: String, thread: Int64, _ times: [Int64], wall: Int64?, id: String? = nil,
    from number: UInt64 = 0, _ change: (inout TraceHeader) -> Void = { _ in }
  ) throws -> String {
    var header = TraceHeader()
    header[.traceID] = id.map { .string($0) }
    change(&header)
    var assembler = BatchAssembler()
    for time in times {
      assembler.begin(.traceMarker, .instant, thread: thread, timeNanoseconds: time)
      assembler.endEvent()
    }
    var batch = assembler.batch
    batch.threads[0].firstSequence = number
    var encoder = LctraceEncoder(codec: .stored)
    if let wall {
      encoder.clockAnchors = [
        ClockAnchor(
          continuousNanoseconds: 0, uptimeNanoseconds: 0, wallNanoseconds: wall,
          utcOffsetSeconds: 0)
      ]
    }
    encoder.begin(header)
    encoder.consume(batch)
    encoder.end()
    return try folder.file(name, encoder.output)
  }

  private func merged(_ paths: [String]) throws -> (Collector, notes: [String]) {
    var collector = Collector()
    var merge = try TraceMerge(paths: paths)
    let notes = merge.notes
    try merge.read(into: &collector)
    return (collector, notes)
  }

  @Test func timesAreThoseOfTheFirst() throws {
    let second: Int64 = 1_000_000_000
    let early = try trace("a.lctrace", thread: 1, [10, 20, 40].map { $0 * second }, wall: 1_000)
    let late = try trace(
      "b.lctrace", thread: 2, [5, 15, 45].map { $0 * second }, wall: 1_000 + 10 * second)
    func seconds(_ events: [String]) -> [String] {
      events.map { $0.replacing("000000000 ", with: " ") }
    }
    #expect(
      try seconds(merged([early, late]).0.events)
        == ["10 @1", "15 @2", "20 @1", "25 @2", "40 @1", "55 @2"])
    #expect(
      try seconds(merged([late, early]).0.events)
        == ["0 @1", "5 @2", "10 @1", "15 @2", "30 @1", "45 @2"])
  }

  @Test func aClockThatIsSetRightIsOneClock() throws {
    let first = try trace("a.lctrace", thread: 1, [10, 20], wall: 1_000_000_000)
    let second = try trace("b.lctrace", thread: 2, [10, 15], wall: 1_090_000_000)
    #expect(try merged([first, second]).0.events == ["10 @1", "10 @2", "15 @2", "20 @1"])
  }

  @Test func eventsTellTheTimeOnTheWallToo() throws {
    func notes(_ start: Int64, at wall: Int64?) throws -> String {
      let clock = wall.map { ",\"args\":{\"wall_ns\":\($0)}" } ?? ""
      let text = """
        {"header":{"format":"tracecheck-ndjson","version":1}}
        {"t_ns":\(start),"event":"trace.start"\(clock)}
        {"t_ns":\(start + 5),"event":"trace.marker","thread":2}
        """
      return try folder.file("\(start)-\(wall ?? 0).ndjson", Array((text + "\n").utf8))
    }
    let day: Int64 = 1_700_000_000_000_000_000
    let first = try notes(7, at: day)
    let later = try notes(3, at: day + 3_600_000_000_000)
    #expect(
      try merged([first, later]).0.events
        == ["7 @1", "12 @2", "3600000000007 @1", "3600000000012 @2"])
    // A part of the same trace need not tell it again.
    let part = try notes(9, at: nil)
    let together = try merged([first, part])
    #expect(together.0.events == ["7 @1", "9 @1", "12 @2", "14 @2"])
    #expect(together.notes.count == 1)
  }

  @Test func withoutAnchorsTheClockIsOne() throws {
    let first = try trace("a.lctrace", thread: 1, [10, 20], wall: nil)
    let second = try trace("b.lctrace", thread: 2, [10, 15], wall: nil)
    #expect(try merged([first, second]).0.events == ["10 @1", "10 @2", "15 @2", "20 @1"])
  }

  @Test func anAnchorOfOneAloneIsRefused() throws {
    let first = try trace("a.lctrace", thread: 1, [10], wall: nil)
    let second = try trace("b.lctrace", thread: 2, [10], wall: 7)
    for paths in [[first, second], [second, first]] {
      #expect(throws: TraceMerge.Refusal.self) { try TraceMerge(paths: paths) }
    }
  }

  @Test func timesBeyondTheClockAreRefused() throws {
    let first = try trace("a.lctrace", thread: 1, [10], wall: 0)
    let late = try trace("b.lctrace", thread: 2, [Int64.max - 5], wall: .max / 2)
    let far = try trace("c.lctrace", thread: 2, [1], wall: .min)
    let other = try trace("d.lctrace", thread: 2, [1], wall: .max)
    #expect(throws: TraceMerge.Refusal.self) { try TraceMerge(paths: [first, late]) }
    #expect(throws: TraceMerge.Refusal.self) { try TraceMerge(paths: [far, other]) }
  }

  @Test func onlyOneRecordingStaysNumbered() throws {
    let parts = [
      try trace("a.lctrace", thread: 1, [10, 20], wall: nil, id: "x", from: 1),
      try trace("b.lctrace", thread: 1, [30, 40], wall: nil, id: "x", from: 3),
    ]
    let whole = try merged(parts).0
    #expect(whole.sequences == [1])
    #expect(whole.header.string(.traceID) == "x")
    let other = try trace("c.lctrace", thread: 1, [30, 40], wall: nil, id: "y", from: 3)
    let mixed = try merged([parts[0], other]).0
    #expect(mixed.sequences == [0])
    #expect(mixed.header.string(.traceID) == nil)
  }

  @Test func headersAreJoined() throws {
    let first = try trace("a.lctrace", thread: 1, [1], wall: nil) {
      $0[.osVersion] = .string("8.1")
      $0[.coverage] = .strings(["bgtask", "delegate"])
    }
    let second = try trace("b.lctrace", thread: 1, [2], wall: nil) {
      $0[.osVersion] = .string("8.2")
      $0[.sdkLinked] = .string("8.0")
      $0[.coverage] = .strings(["delegate", "proc"])
    }
    let (whole, notes) = try merged([first, second])
    #expect(whole.header.string(.osVersion) == "8.1")
    #expect(whole.header.string(.sdkLinked) == "8.0")
    #expect(whole.header.strings(.coverage) == ["delegate"])
    #expect(notes.count == 1 && notes[0].contains("os_version"))
  }
}
