// Feeds damaged captures to every importer, by the way that `check` takes: recognised, read and
// judged. A release executable, as it takes millions of executions to say something.

import ArgumentParser
import Foundation
import TraceCatalogue
import TraceExport
import TraceImport
import TraceImportSamples
import TraceModel
import TracePipeline
import TraceRules
import TraceTestSupport

/// Runs damaged captures and every cut of the samples; exits with 1 if one fails.
///
/// Each importer has a process of its own, so that one that traps is found and its seed told.
struct FuzzImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz-import",
    abstract: "Damaged captures and cuts of captures, for each importer.")

  @Option(help: "Damaged captures for each importer.")
  var executions: UInt64 = 20_000

  @Option(help: "The seed of the first one; each further one has the next number.")
  var seed: UInt64 = 1

  @Option(help: "The one importer to run.")
  var importer: String?

  @Flag(help: "Leave out the cuts of the samples.")
  var noCuts = false

  @Option(help: .hidden)
  var place: String?

  func run() throws {
    if let importer, let place { return try runInProcess(importer, place) }
    let names = FuzzSample.all.map(\.importer)
    if let importer, !names.contains(importer) {
      throw ValidationError("there is no importer '\(importer)', but \(names)")
    }
    var failures = 0
    for name in importer.map({ [$0] }) ?? names where try !passes(name) { failures += 1 }
    if failures > 0 { throw ExitCode(1) }
  }

  /// Runs one importer in a process of its own.
  private func passes(_ name: String) throws -> Bool {
    let place = NSTemporaryDirectory() + "tracedev-fuzz-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: place) }
    try Data().write(to: URL(fileURLWithPath: place))
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments =
      [
        "fuzz-import", "--importer", name, "--place", place, "--seed", "\(seed)",
        "--executions", "\(executions)",
      ] + (noCuts ? ["--no-cuts"] : [])
    try process.run()
    process.waitUntilExit()
    if process.terminationReason == .exit, process.terminationStatus == 0 { return true }
    let last = String(decoding: try Data(contentsOf: URL(fileURLWithPath: place)), as: UTF8.self)
    print(
      "FAILED: \(name), status \(process.terminationStatus), at \(last.prefix { $0 != "\n" });"
        + " a seed runs again with: tracedev fuzz-import --importer \(name) --no-cuts"
        + " --executions 1 --seed SEED")
    return false
  }

  private func runInProcess(_ name: String, _ place: String) throws {
    guard let sample = FuzzSample.all.first(where: { $0.importer == name }) else {
      throw ExitCode(2)
    }
    guard !sample.texts.isEmpty else {
      print("\(name) has no sample that could be damaged")
      throw ExitCode(1)
    }
    var run = try FuzzRun(sample, place: place)
    let start = ContinuousClock.now
    if !noCuts { try run.cuts() }
    let cutCount = run.executionCount
    for number in 0..<executions { try run.damaged(seed: seed &+ number) }
    let elapsed = ContinuousClock.now - start
    print(
      "\(name): \(cutCount) cuts and \(executions) damaged captures from seed \(seed) on:",
      "\(run.recognisedCount) taken for its own, \(run.eventCount) events,",
      "\(run.findingCount) findings, slowest \(run.slowest), \(elapsed.formatted(.units()))")
  }
}

/// The samples of one importer.
struct FuzzSample {
  var importer: String
  var format: CaptureFormat
  var texts: [[UInt8]]

  static let all: [FuzzSample] = CaptureImporters.all.map { format in
    let logs = LogSample.all.filter { $0.format.name == format.name }.map(\.text)
    let reports = ReportSamples.all.filter { $0.format.name == format.name }.map(\.text)
    return FuzzSample(
      importer: format.name, format: format, texts: (logs + reports).map { Array($0.utf8) })
  }
}

/// The executions of one importer.
struct FuzzRun {
  private let sample: FuzzSample
  private let others: [[UInt8]]
  private let path: String
  private let marker: FileHandle
  /// What is made of rules is kept from one execution to the next, as `check` keeps it from trace
  /// to trace: made anew it would take a third of the time. A failure that doesn't come again
  /// alone is one of what is kept.
  private let plans = RulePlans(FuzzRun.options)
  private let allPlans = RulePlans(CheckOptions())
  private(set) var executionCount = 0
  private(set) var recognisedCount = 0
  private(set) var eventCount = 0
  private(set) var findingCount = 0
  private(set) var slowest = Duration.zero

  /// What this process has computed for: waiting for a busy machine doesn't count.
  private static var processorTime: Duration {
    // The standard counts it in millionths of a second everywhere.
    .microseconds(Int(clock()))
  }

  /// No input of some hundred kilobytes takes longer.
  private static let longest = Duration.seconds(2)

  /// The rules that events of importers reach.
  private static let options: CheckOptions = {
    var options = CheckOptions()
    let reached: Set = ["bgtask", "proc", "metal"]
    options.rules.removeAll { rule in
      !reached.isSuperset(of: rule.needs) && !rule.clauses.contains { $0.evidence == .kill }
    }
    return options
  }()

  init(_ sample: FuzzSample, place: String) throws {
    self.sample = sample
    others = FuzzSample.all.flatMap(\.texts)
    // A folder in memory where there is one: millions of files are written.
    let name = (place as NSString).lastPathComponent + ".capture"
    let memory = "/dev/shm"
    path =
      FileManager.default.isWritableFile(atPath: memory) ? "\(memory)/\(name)" : place + ".capture"
    guard let marker = FileHandle(forWritingAtPath: place) else { throw ExitCode(2) }
    self.marker = marker
  }

  mutating func cuts() throws {
    for (number, text) in sample.texts.enumerated() {
      for count in 0...text.count {
        try execute(Array(text[..<count]), "cut \(count) of sample \(number)", forced: true)
      }
    }
  }

  mutating func damaged(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    guard let text = sample.texts.randomElement(using: &random) else { return }
    var damage = CaptureDamage(text, others: others, random: random)
    // The recogniser decides for every second one; the others are read by the importer anyway.
    try execute(damage.damaged(), "seed \(seed)", forced: seed.isMultiple(of: 2))
    if seed.isMultiple(of: 16) { try compareSplits(damage.bytes, seed) }
  }

  private mutating func execute(_ bytes: [UInt8], _ what: String, forced: Bool) throws {
    executionCount += 1
    try marker.seek(toOffset: 0)
    try marker.write(contentsOf: Data((what + "\n").utf8))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    // Every rule takes part now and then; the others can't say anything of a log or a report.
    let plans = executionCount.isMultiple(of: 16) ? allPlans : self.plans
    var run = CheckRun { _, _ in TraceTerms(plans: plans) }
    if forced { run.format = sample.format }
    let start = Self.processorTime
    try run.check(CaptureInputs(paths: [path])) { capture in
      if capture.format == sample.importer { recognisedCount += 1 }
      eventCount += capture.eventCount
      for trace in capture.traces { findingCount += trace.findings.count }
      guard capture.eventCount <= bytes.count + 64, capture.traces.count <= 4_096 else {
        throw failure("\(capture.eventCount) events in \(capture.traces.count) traces", what)
      }
    }
    let elapsed = Self.processorTime - start
    slowest = max(slowest, elapsed)
    if elapsed > Self.longest { throw failure("takes \(elapsed)", what) }
  }

  /// What comes out doesn't depend on how the bytes were fed.
  private func compareSplits(_ bytes: [UInt8], _ seed: UInt64) throws {
    var random = SeededGenerator(seed: ~seed)
    let whole = reading(bytes, pieceBytes: { bytes.count })
    let pieces = reading(bytes, pieceBytes: { Int.random(in: 1...700, using: &random) })
    if whole != pieces { throw failure("is read differently in pieces", "seed \(seed)") }
  }

  private func reading(_ bytes: [UInt8], pieceBytes: () -> Int) -> [Int: [DecodedEvent]] {
    var decoder = sample.format.makeDecoder()
    var events: [Int: [DecodedEvent]] = [:]
    var current = 0
    var offset = 0
    func drain() {
      var batch = EventBatch()
      while true {
        switch decoder.next(into: &batch) {
        case .needsInput, .end: return
        case .stream(.trace(let number)): current = number
        case .batch: events[current, default: []] += batch.decodedEvents
        case .header, .problem, .remark, .stream: break
        }
      }
    }
    while offset < bytes.count {
      let end = min(bytes.count, offset + pieceBytes())
      decoder.feed(bytes.span.extracting(offset..<end))
      drain()
      offset = end
    }
    decoder.finish()
    drain()
    return events
  }

  private func failure(_ what: String, _ place: String) -> ExitCode {
    print("FAILED: \(sample.importer), \(place): \(what)")
    return ExitCode(1)
  }
}
