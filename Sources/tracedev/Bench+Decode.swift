// The measurements of reading: every field, single columns, and text.

import ArgumentParser
import Foundation
import TraceCodecs
import TraceFormat
import TraceModel

extension BenchTable {
  private static let noReader = "not measured: no C++ reader of MCAP here"
  /// Millions of events a second that are asked of reading NDJSON.
  private static let lineMillionsMin = 2.0

  mutating func decoding(_ workload: BenchWorkload, runs: Int) throws {
    let count = workload.eventCount
    let compact = try workload.encoded([
      LctraceEncoder(codec: .zstd(level: 19)),
      LctraceEncoder(codec: .zstd(level: 3), columnEventsMin: .max),
    ])
    // A small workload has no index, and few blocks of columns.
    let records = Self.records(workload.usual)
    // In turn, so that what else the machine does hits all of them.
    var times: [[Double]] = Array(repeating: [], count: 5)
    for _ in 0..<runs {
      times[0].append(try Self.seconds(of: count) { try Decode.events(workload.usual) })
      times[1].append(try Self.seconds(of: count) { try Decode.events(compact[0]) })
      times[2].append(try Self.seconds(of: count) { try Decode.events(compact[1]) })
      if let records { times[3].append(try Self.seconds(of: count) { try Self.scan(records) }) }
      times[4].append(try Self.seconds(of: count) { try Self.encode(workload.usual) })
    }
    let medians = times.map { $0.isEmpty ? 0 : Self.median($0) }
    add(
      "decode of every field", asked: ">= 8 x MCAP's reader", Self.speed(count, medians[0]),
      because: Self.noReader)
    let scan = "scan of kinds, threads, phases"
    if records == nil {
      add(scan, asked: ">= 100 x MCAP's reader", because: "not measured: few events")
    } else {
      add(
        scan, asked: ">= 100 x MCAP's reader", Self.speed(count, medians[3]),
        because: Self.noReader)
      add("scan against decode", reference: medians[0], against: medians[3])
    }
    for (what, time) in zip(
      ["decode, compact", "decode, rows", "encode, zstd -3"], [medians[1], medians[2], medians[4]])
    {
      add(what, count: count, seconds: time)
    }
    try againstBabeltrace(workload, runs: runs)
    try againstJQ(workload, runs: runs)
  }

  private mutating func againstBabeltrace(_ workload: BenchWorkload, runs: Int) throws {
    let what = "decode against babeltrace2 -o dummy"
    if let missing = BenchPrograms.missing("babeltrace2") {
      return add(what, asked: ">= 15 x", because: missing)
    }
    let folder = workload.folder.appendingPathComponent("babeltrace")
    var trace = ReferenceTrace()
    try ReferenceWorkload.make(count: workload.drawnCount) { batch in trace.add(batch) }
    _ = try ReferenceFormat.ctf.write(trace, to: folder)
    let capture = folder.appendingPathComponent("ctf")
    // Ours in this process: its start is no part of reading, and that of babeltrace2 takes a
    // hundredth of its time.
    try pair(
      what, atLeast: 15, workload.eventCount, runs: runs,
      reference: ("babeltrace2 -o dummy", ["babeltrace2", capture.path, "-o", "dummy"]),
      ours: "decode, beside babeltrace2"
    ) { try Self.seconds(of: workload.eventCount) { try Decode.events(workload.usual) } }
  }

  private mutating func againstJQ(_ workload: BenchWorkload, runs: Int) throws {
    let name = "NDJSON, read to batches"
    let text = [UInt8](try Data(contentsOf: workload.text))
    let count = workload.eventCount
    let read = { try Self.seconds(of: count) { try Decode.lines(text) } }
    guard BenchPrograms.missing("jq") == nil else {
      let times = try (0..<runs).map { _ in try read() }
      return add(
        name, atLeastMillions: Self.lineMillionsMin, count: count, seconds: Self.median(times))
    }
    try pair(
      "\(name), against jq", atLeast: nil, count, runs: runs,
      reference: ("jq, one field of NDJSON", ["jq", ".t_ns", workload.text.path]), ours: name,
      oursAtLeastMillions: Self.lineMillionsMin, body: read)
  }

  /// CPU time of a program and of ours that read the same events, by turns.
  private mutating func pair(
    _ what: String, atLeast limit: Double?, _ count: Int, runs: Int,
    reference: (name: String, command: [String]), ours: String,
    oursAtLeastMillions oursLimit: Double? = nil, body: () throws -> Double
  ) throws {
    var times: [[Double]] = [[], []]
    for _ in 0..<runs {
      times[0].append(try BenchProcess.run(reference.command))
      times[1].append(try body())
    }
    let medians = times.map(Self.median)
    add(reference.name, count: count, seconds: medians[0])
    if let oursLimit {
      add(ours, atLeastMillions: oursLimit, count: count, seconds: medians[1])
    } else {
      add(ours, count: count, seconds: medians[1])
    }
    add(what, atLeast: limit, reference: medians[0], against: medians[1])
  }

  /// What POSIX sets CLOCKS_PER_SEC to.
  private static let clocksPerSecond = 1_000_000.0

  /// The CPU time of a call, in seconds.
  ///
  /// - Parameter count: The events that it must tell to have read.
  private static func seconds(of count: Int, _ body: () throws -> Int) throws -> Double {
    let start = clock()
    let found = try body()
    let time = clock() - start
    guard found == count else {
      throw ValidationError("\(found) events were read of \(count): no numbers of such a reading")
    }
    return max(1, Double(time)) / clocksPerSecond
  }

  /// The block records of a trace, as its index tells them; nil if it has none.
  private static func records(_ bytes: [UInt8]) -> [[UInt8]]? {
    let index = LctraceIndex(byteCount: UInt64(bytes.count)) { offset, count in
      guard offset <= UInt64(bytes.count), count <= bytes.count - Int(offset) else { return nil }
      return Array(bytes[Int(offset)..<Int(offset) + count])
    }
    return index?.entries.map { entry in
      Array(bytes[Int(entry.offset)..<Int(entry.offset) + entry.recordByteCount])
    }
  }

  /// Counts the events of each kind, thread and phase, and tells how many that are.
  private static func scan(_ records: [[UInt8]]) throws -> Int {
    var reader = LctraceBlockReader(codec: .zstd())
    var batch = EventBatch()
    var scan = BenchScan()
    for record in records {
      _ = try reader.read(record.span, at: 0, parts: .templates, into: &batch)
      scan.add(batch)
    }
    guard let count = scan.eventCount else {
      throw ValidationError("the scan finds other numbers of kinds, threads and phases")
    }
    return count
  }

  /// Encodes a trace anew, and tells how many events it has.
  private static func encode(_ bytes: [UInt8]) throws -> Int {
    var decoder = LctraceDecoder(codec: .zstd())
    var encoder = LctraceEncoder(codec: .zstd(level: 3))
    var batch = EventBatch()
    var count = 0
    decoder.feed(bytes.span)
    decoder.finish()
    while true {
      switch decoder.next(into: &batch) {
      case .batch:
        count += batch.count
        encoder.consume(batch)
        encoder.output.removeAll(keepingCapacity: true)
      case .problem(let problem): throw DecodeFailure(problem: problem)
      case .end: return count
      default: break
      }
    }
  }
}
