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
    let first = try trace("a.lctrace", thread: 1, [10, 20, 40], wall: 1_000)
    let second = try trace("b.lctrace", thread: 2, [5, 15, 45], wall: 1_010)
    #expect(
      try merged([first, second]).0.events
        == ["10 @1", "15 @2", "20 @1", "25 @2", "40 @1", "55 @2"])
    #expect(
      try merged([second, first]).0.events
        == ["0 @1", "5 @2", "10 @1", "15 @2", "30 @1", "45 @2"])
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
    let late = try trace("b.lctrace", thread: 2, [Int64.max - 5], wall: 10)
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
