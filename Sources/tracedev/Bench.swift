// The measurements of the format, each beside what was asked. References run in the same call.

import ArgumentParser
import Foundation
import TraceCodecs
import TraceFormat
import TraceModel
import TraceNotation

/// Measures sizes and speeds on the reference workload.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the sizes and speeds of the format beside what was asked.")

  @Option(help: "Drawn events of the reference workload.")
  var events = 1_000_000

  @Option(help: "Runs of each measurement; the median is printed.")
  var runs = 9

  @Option(help: "The tracecheck to measure; the one beside this tool if not given.")
  var tracecheck: String?

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracedev-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var table = BenchTable()
    let workload = try BenchWorkload(events: events, folder: folder)
    table.sizes(workload)
    try table.smallTrace(folder)
    try table.decoding(workload, runs: max(1, runs))
    try table.check(workload, tool: tool, runs: max(1, runs))
    try table.cores(workload, folder, tool: tool, runs: max(1, runs))
    try table.memory(workload, folder, tool: tool)
    try table.startUp(folder, tool: tool, runs: max(1, runs))
    print(table.text)
  }

  private var tool: String {
    tracecheck
      ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("tracecheck").path
  }
}

/// The workload in every form that is measured.
struct BenchWorkload {
  var eventCount = 0
  var usual: [UInt8] = []
  var compact: [UInt8] = []
  var phone: [UInt8] = []
  var phoneCompact: [UInt8] = []
  var rows: [UInt8] = []
  let text: URL
  let compressedText: URL
  let trace: URL
  private(set) var compressedTextBytes = 0

  init(events: Int, folder: URL) throws {
    text = folder.appendingPathComponent("workload.ndjson")
    compressedText = folder.appendingPathComponent("workload.ndjson.zst")
    trace = folder.appendingPathComponent("workload.lctrace")
    try Data().write(to: text)
    let file = try FileHandle(forWritingTo: text)
    var notation = NDJSONEncoder()
    notation.begin(ReferenceWorkload.header)
    var usual = LctraceEncoder(codec: .zstd(level: 3))
    var compact = LctraceEncoder(codec: .zstd(level: 19))
    var rows = LctraceEncoder(codec: .zstd(level: 3), columnEventsMin: .max)
    usual.begin(ReferenceWorkload.header)
    compact.begin(ReferenceWorkload.header)
    rows.begin(ReferenceWorkload.header)
    var count = 0
    try ReferenceWorkload.make(count: events) { batch in
      count += batch.count
      usual.consume(batch)
      compact.consume(batch)
      rows.consume(batch)
      notation.consume(batch)
      try file.write(contentsOf: Data(notation.output))
      notation.output.removeAll(keepingCapacity: true)
    }
    try file.close()
    eventCount = count
    usual.end()
    compact.end()
    rows.end()
    (self.usual, self.compact, self.rows) = (usual.output, compact.output, rows.output)
    var phone = LctraceEncoder(codec: .zstd(level: 3))
    var phoneCompact = LctraceEncoder(codec: .zstd(level: 19))
    phone.begin(ReferenceWorkload.header)
    phoneCompact.begin(ReferenceWorkload.header)
    try ReferenceWorkload.make(count: events, isPhoneClock: true) { batch in
      phone.consume(batch)
      phoneCompact.consume(batch)
    }
    phone.end()
    phoneCompact.end()
    (self.phone, self.phoneCompact) = (phone.output, phoneCompact.output)
    try Data(self.usual).write(to: trace)
    _ = try BenchProcess.run(["zstd", "-q", "-f", "-3", text.path, "-o", compressedText.path])
    compressedTextBytes = try Data(contentsOf: compressedText).count
  }

  /// The same events of another app.
  func renamed(_ app: String) -> [UInt8] {
    var header = ReferenceWorkload.header
    header[.appBundleID] = .string(app)
    var decoder = LctraceDecoder(codec: .zstd())
    var encoder = LctraceEncoder(codec: .zstd(level: 1))
    encoder.begin(header)
    var batch = EventBatch()
    decoder.feed(usual.span)
    decoder.finish()
    while true {
      switch decoder.next(into: &batch) {
      case .batch: encoder.consume(batch)
      case .end:
        encoder.end()
        return encoder.output
      default: break
      }
    }
  }
}

/// What is asked and what was measured.
struct BenchTable {
  private var rows: [(what: String, asked: String, measured: String, isMet: Bool?)] = []

  mutating func add(_ what: String, atMost limit: Double, _ value: Double, _ unit: String) {
    rows.append((what, "<= \(limit) \(unit)", "\(Self.text(value)) \(unit)", value <= limit))
  }

  mutating func add(_ what: String, atLeast limit: Double, _ value: Double, _ unit: String) {
    rows.append((what, ">= \(limit) \(unit)", "\(Self.text(value)) \(unit)", value >= limit))
  }

  mutating func add(_ what: String, _ value: Double, _ unit: String) {
    rows.append((what, "", "\(Self.text(value)) \(unit)", nil))
  }

  private static func text(_ value: Double) -> String {
    String(format: value < 10 ? "%.3f" : "%.1f", value)
  }

  mutating func sizes(_ workload: BenchWorkload) {
    let count = Double(workload.eventCount)
    add("size, zstd -3", atMost: 2.9, Double(workload.usual.count) / count, "bytes/event")
    add("size, compact", atMost: 2.75, Double(workload.compact.count) / count, "bytes/event")
    add("size, 24 MHz, zstd -3", atMost: 2.2, Double(workload.phone.count) / count, "bytes/event")
    add(
      "size, 24 MHz, compact", atMost: 2.2, Double(workload.phoneCompact.count) / count,
      "bytes/event")
    add("size, rows, zstd -3", Double(workload.rows.count) / count, "bytes/event")
    let text = Double(workload.compressedTextBytes)
    add("JSON Lines, zstd -3", text / count, "bytes/event")
    add("JSON Lines, zstd -3, against ours", atLeast: 3.8, text / Double(workload.usual.count), "x")
  }

  mutating func smallTrace(_ folder: URL) throws {
    var notation = NDJSONEncoder()
    var binary = LctraceEncoder(codec: .zstd(level: 3))
    notation.begin(ReferenceWorkload.header)
    binary.begin(ReferenceWorkload.header)
    try ReferenceWorkload.make(count: 98) { batch in
      notation.consume(batch)
      binary.consume(batch)
    }
    notation.end()
    binary.end()
    try Data(binary.output).write(to: folder.appendingPathComponent("small.lctrace"))
    let text = folder.appendingPathComponent("small.ndjson")
    let compressed = folder.appendingPathComponent("small.ndjson.zst")
    try Data(notation.output).write(to: text)
    _ = try BenchProcess.run(["zstd", "-q", "-f", "-3", text.path, "-o", compressed.path])
    let reference = try Data(contentsOf: compressed).count
    add(
      "100 events, zstd -3, against JSON Lines (\(reference) bytes)", atMost: Double(reference),
      Double(binary.output.count), "bytes")
  }

  /// What POSIX sets CLOCKS_PER_SEC to.
  private static let clocksPerSecond = 1_000_000.0

  /// Median of the CPU time of some runs, in seconds.
  private static func seconds(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<runs {
      let start = clock()
      try body()
      times.append(Double(clock() - start) / clocksPerSecond)
    }
    return times.sorted()[runs / 2]
  }

  mutating func decoding(_ workload: BenchWorkload, runs: Int) throws {
    let count = Double(workload.eventCount) / 1e6
    for (what, bytes, limit) in [
      ("decode of every field", workload.usual, 30.0), ("decode, compact", workload.compact, 30.0),
    ] {
      let time = Self.seconds(runs) { Self.decode(bytes) }
      add(what, atLeast: limit, count / time, "million events/s")
    }
    add(
      "decode, rows", count / Self.seconds(runs) { Self.decode(workload.rows) },
      "million events/s")
    let records = try Self.records(workload.usual)
    let scan = try Self.seconds(runs) { _ = try Self.scan(records) }
    add("scan of kinds, threads, phases", atLeast: 200, count / scan, "million events/s")
    let notation = try Data(contentsOf: workload.text)
    let lines = Self.seconds(min(3, runs)) { Self.readLines(Array(notation)) }
    add("NDJSON, read to batches", atLeast: 2, count / lines, "million events/s")
    let encode = try Self.seconds(min(3, runs)) { try Self.encode(workload.usual) }
    add("encode, zstd -3", count / encode, "million events/s")
  }

  private static func decode(_ bytes: [UInt8]) {
    var decoder = LctraceDecoder(codec: .zstd())
    var batch = EventBatch()
    var sum: Int64 = 0
    var offset = 0
    while true {
      switch decoder.next(into: &batch) {
      case .needsInput:
        guard offset < bytes.count else {
          decoder.finish()
          continue
        }
        let end = min(bytes.count, offset + 262_144)
        decoder.feed(bytes.span.extracting(offset..<end))
        offset = end
      case .batch: sum &+= batch.timesNanoseconds.last ?? 0
      case .end:
        precondition(sum != 1)
        return
      default: break
      }
    }
  }

  private static func readLines(_ bytes: [UInt8]) {
    var decoder: any CaptureDecoder = CaptureFormat.ndjson.makeDecoder()
    var batch = EventBatch()
    var offset = 0
    while true {
      switch decoder.next(into: &batch) {
      case .needsInput:
        guard offset < bytes.count else {
          decoder.finish()
          continue
        }
        let end = min(bytes.count, offset + 262_144)
        decoder.feed(bytes.span.extracting(offset..<end))
        offset = end
      case .end: return
      default: break
      }
    }
  }

  /// The block records of a trace, as its index tells them.
  private static func records(_ bytes: [UInt8]) throws -> [[UInt8]] {
    let index = LctraceIndex(byteCount: UInt64(bytes.count)) { offset, count in
      guard offset <= UInt64(bytes.count), count <= bytes.count - Int(offset) else { return nil }
      return Array(bytes[Int(offset)..<Int(offset) + count])
    }
    guard let index else { throw ValidationError("the workload has no index") }
    return index.entries.map { entry in
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

  private static func encode(_ bytes: [UInt8]) throws {
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

  var text: String {
    let wide = rows.map(\.what.count).max() ?? 0
    return rows.map { row in
      let verdict = row.isMet.map { $0 ? "ok" : "short" } ?? ""
      return row.what.padding(toLength: wide + 2, withPad: " ", startingAt: 0)
        + row.asked.padding(toLength: 26, withPad: " ", startingAt: 0)
        + row.measured.padding(toLength: 26, withPad: " ", startingAt: 0) + verdict
    }.joined(separator: "\n")
  }
}
