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
}

/// Runs another program and measures its time.
enum BenchProcess {
  /// The user CPU time of a run, in seconds. Its output is thrown away.
  static func run(_ command: [String], allowed: Set<Int32> = [0]) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["time", "-f", "%U", "--"] + command
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard allowed.contains(process.terminationStatus) else {
      throw ValidationError("\(command[0]) ended with \(process.terminationStatus)")
    }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    return lines.last.flatMap { Double($0) } ?? 0
  }
}

/// What is asked and what was measured.
struct BenchTable {
  private var rows: [(what: String, asked: String, measured: String, isMet: Bool?)] = []

  private mutating func add(_ what: String, atMost limit: Double, _ value: Double, _ unit: String) {
    rows.append((what, "<= \(limit) \(unit)", "\(Self.text(value)) \(unit)", value <= limit))
  }

  private mutating func add(_ what: String, atLeast limit: Double, _ value: Double, _ unit: String)
  {
    rows.append((what, ">= \(limit) \(unit)", "\(Self.text(value)) \(unit)", value >= limit))
  }

  private mutating func add(_ what: String, _ value: Double, _ unit: String) {
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

  mutating func check(_ workload: BenchWorkload, tool: String, runs: Int) throws {
    let own = ["--config", "none", "--fail-on", "never", workload.trace.path]
    let fourRules = own + ["--only", "LC001,LC002,LC003,LC004"]
    var times: [[Double]] = [[], [], []]
    for _ in 0..<runs {
      times[0].append(try BenchProcess.run(["zstd", "-dc", workload.compressedText.path]))
      times[1].append(try BenchProcess.run([tool, "check"] + own))
      times[2].append(try BenchProcess.run([tool, "check"] + fourRules))
    }
    let medians = times.map { $0.sorted()[runs / 2] }
    let count = Double(workload.eventCount)
    add("zstd -dc of the same as JSON Lines", medians[0] / count * 1e9, "ns/event")
    add("check, all rules, against it", atLeast: 4, medians[0] / max(medians[1], 0.001), "x")
    add("check, four rules, against it", atLeast: 10, medians[0] / max(medians[2], 0.001), "x")
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
