// The measurements of reading: every field, single columns, and text.

import Foundation
import TraceCodecs
import TraceFormat
import TraceModel

extension BenchTable {
  private static let noReader = "not measured: no C++ reader of MCAP here"

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
      times[0].append(Self.seconds { _ = Decode.events(workload.usual) })
      times[1].append(Self.seconds { _ = Decode.events(compact[0]) })
      times[2].append(Self.seconds { _ = Decode.events(compact[1]) })
      times[3].append(try Self.seconds { _ = try Self.scan(records ?? []) })
      times[4].append(Self.seconds { Self.encode(workload.usual) })
    }
    let medians = times.map(Self.median)
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
      add("scan against decode", medians[0] / medians[3], "x")
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
    ) { Self.seconds { _ = Decode.events(workload.usual) } }
  }

  private mutating func againstJQ(_ workload: BenchWorkload, runs: Int) throws {
    let name = "NDJSON, read to batches"
    let text = [UInt8](try Data(contentsOf: workload.text))
    let read = { Self.seconds { _ = Decode.lines(text) } }
    guard BenchPrograms.missing("jq") == nil else {
      let times = (0..<runs).map { _ in read() }
      return add(name, count: workload.eventCount, seconds: Self.median(times))
    }
    try pair(
      "\(name), against jq", atLeast: nil, workload.eventCount, runs: runs,
      reference: ("jq, one field of NDJSON", ["jq", ".t_ns", workload.text.path]), ours: name,
      body: read)
  }

  /// CPU time of a program and of ours that read the same events, by turns.
  private mutating func pair(
    _ what: String, atLeast limit: Double?, _ count: Int, runs: Int,
    reference: (name: String, command: [String]), ours: String, body: () -> Double
  ) throws {
    var times: [[Double]] = [[], []]
    for _ in 0..<runs {
      times[0].append(try BenchProcess.run(reference.command))
      times[1].append(body())
    }
    let medians = times.map(Self.median)
    for (name, time) in zip([reference.name, ours], medians) {
      add(name, count: count, seconds: time)
    }
    let ratio = medians[0] / max(medians[1], 1e-6)
    if let limit { add(what, atLeast: limit, ratio, "x") } else { add(what, ratio, "x") }
  }

  /// What POSIX sets CLOCKS_PER_SEC to.
  private static let clocksPerSecond = 1_000_000.0

  /// The CPU time of a call, in seconds.
  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return max(1, Double(clock() - start)) / clocksPerSecond
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

  /// Counts the events of each kind, thread and phase.
  private static func scan(_ records: [[UInt8]]) throws -> Int {
    var reader = LctraceBlockReader(codec: .zstd())
    var batch = EventBatch()
    var counts = [Int](repeating: 0, count: 4_096)
    for record in records {
      _ = try reader.read(record.span, at: 0, parts: .templates, into: &batch)
      var span = counts.mutableSpan
      let templates = batch.templateIndices.span
      for event in templates.indices { span[Int(templates[event]) & 4_095] += 1 }
    }
    return counts.reduce(0, +)
  }

  private static func encode(_ bytes: [UInt8]) {
    var decoder = LctraceDecoder(codec: .zstd())
    var encoder = LctraceEncoder(codec: .zstd(level: 3))
    var batch = EventBatch()
    decoder.feed(bytes.span)
    decoder.finish()
    while true {
      switch decoder.next(into: &batch) {
      case .batch:
        encoder.consume(batch)
        encoder.output.removeAll(keepingCapacity: true)
      case .end: return
      default: break
      }
    }
  }
}
