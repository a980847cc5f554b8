// Generated traces in every form that a trace can have: one report, whatever the form, the index,
// the blocks and the number of threads.

import ArgumentParser
import Foundation
import TraceCatalogue
import TraceExport
import TraceImport
import TraceLifecycle
import TraceModel
import TracePipeline
import TraceRules

/// Checks generated traces in all forms and compares the reports byte by byte.
struct Forms: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares the reports of generated traces in every form, on one thread and on two.")

  @Option(help: "How many traces, sessions of simulated phones and senseless lives.")
  var count = 1_000

  @Option(help: "The first seed.")
  var seed: UInt64 = 1

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracedev-forms-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var comparison = FormComparison(folder)
    for number in 0..<count where comparison.failures.count < 20 {
      try comparison.compare(seed &+ UInt64(number))
    }
    try comparison.compareThreads()
    for failure in comparison.failures { print(failure) }
    print(comparison.summary)
    if !comparison.failures.isEmpty || !comparison.hasSeenEverything { throw ExitCode(1) }
  }
}

/// The rules of a comparison, and what was made of them.
private struct FormRules {
  /// Nil for all.
  let families: [String]?
  let plans: RulePlans

  init(_ families: [String]?) {
    self.families = families
    plans = RulePlans(Self.options(families))
  }

  static func options(_ families: [String]?) -> CheckOptions {
    var options = CheckOptions()
    if let families { options.rules = families.flatMap { Catalogue.rules(matching: $0) } }
    return options
  }

  func run(jobs: Int) -> CheckRun {
    let terms = TraceTerms(plans: plans)
    var run = CheckRun { _, _ in terms }
    run.jobs = jobs
    let families = families
    run.makeRunForThread = {
      let terms = TraceTerms(options: Self.options(families))
      return CheckRun { _, _ in terms }
    }
    return run
  }
}

/// Writes traces in every form, checks the files, and compares what is said of them.
private struct FormComparison {
  private(set) var failures: [String] = []
  private let folder: URL
  /// Few rules leave most blocks unheard.
  private let rules = [FormRules(nil), FormRules(Catalogue.essential.map(\.id))]
  private var traceCount = 0
  private var eventCount = 0
  private var reportCount = 0
  private var findingCount = 0
  private var mergedCount = 0
  private var passedCount = 0
  private var texts: [String] = []
  /// The trace before, for concatenations: its bytes, and its judgement by each set of rules.
  private var before: (bytes: [UInt8], judged: [JudgedCapture])?

  /// As many files as are checked on several threads.
  private static let textsMax = 200

  init(_ folder: URL) { self.folder = folder }

  var summary: String {
    "\(traceCount) traces with \(eventCount) events in every form: \(reportCount) reports of"
      + " \(findingCount) findings compared, \(mergedCount) traces merged, \(passedCount) blocks"
      + " passed unopened: \(failures.count) failures"
  }

  /// Whether anything was compared of all that is to be.
  var hasSeenEverything: Bool { findingCount > 0 && mergedCount > 0 && passedCount > 0 }

  mutating func compare(_ seed: UInt64) throws {
    let trace = GeneratedTrace(seed: seed)
    traceCount += 1
    eventCount += trace.blocks.reduce(0) { $0 + $1.count }
    let text = try write(trace.notation, "\(seed).ndjson")
    var expected: [JudgedCapture] = []
    for rules in rules {
      let judged = try check(text, rules.run(jobs: 1))
      findingCount += judged.traces.reduce(0) { $0 + $1.findings.count }
      expected.append(judged)
      var passed = PassedBlocks(trace.header, trace.blocks, rules.plans)
      if let failure = passed.showThatTheyWerePassed(sizes: [13]) {
        failures.append("seed \(seed): \(failure)")
      }
      passedCount += passed.passedCount
    }
    let columns = trace.stored(columnEventsMin: 1)
    let forms = [
      ("rows", trace.stored(columnEventsMin: .max)), ("columns", columns),
      ("compacted", trace.stored(columnEventsMin: 1, level: TraceWriter.archiveLevel)),
    ]
    for (form, bytes) in forms {
      try compare(bytes, "seed \(seed), \(form)", expected)
      if let cut = GeneratedTrace.withoutIndex(bytes) {
        try compare(cut, "seed \(seed), \(form) without index", expected)
      }
    }
    if let before {
      let both = zip(before.judged, expected).map { first, second in
        var joined = first
        joined.traces += second.traces
        return joined
      }
      try compare(before.bytes + columns, "seed \(seed), after another", both)
    }
    if trace.isInOrder { try compareMerged(trace, seed, expected) }
    before = (columns, expected)
    if texts.count < Self.textsMax {
      texts.append(text)
    } else {
      try FileManager.default.removeItem(atPath: text)
    }
  }

  private struct Rewriter: CaptureVisitor {
    let writer: TraceWriter
    mutating func begin(_ header: TraceHeader) throws(CaptureFailure) { try writer.begin(header) }
    mutating func consume(_ batch: EventBatch) throws(CaptureFailure) { try writer.consume(batch) }
    mutating func endTrace() {}
    mutating func problem(_ problem: InputProblem) {}
  }

  private mutating func compareMerged(
    _ trace: GeneratedTrace, _ seed: UInt64, _ expected: [JudgedCapture]
  ) throws {
    let parts = trace.parts
    let paths = [
      try write(parts.first.stored(columnEventsMin: 1), "first.lctrace"),
      try write(parts.second.notation, "second.ndjson"),
    ]
    var merge = try TraceMerge(paths: paths)
    let path = folder.appendingPathComponent("merged.lctrace").path
    var rewriter = Rewriter(writer: try TraceWriter(path: path, format: .lctrace))
    try merge.read(into: &rewriter)
    try rewriter.writer.finish()
    mergedCount += 1
    try compare(path: path, "seed \(seed), merged", expected)
  }

  private mutating func compare(
    _ bytes: [UInt8], _ name: String, _ expected: [JudgedCapture]
  ) throws {
    try compare(path: try write(bytes, "form.lctrace"), name, expected)
  }

  private mutating func compare(
    path: String, _ name: String, _ expected: [JudgedCapture]
  ) throws {
    for (number, rules) in rules.enumerated() {
      for jobs in 1...2 {
        reportCount += 1
        let judged = try check(path, rules.run(jobs: jobs))
        if Self.report([judged]) != Self.report([expected[number]]) {
          failures.append(
            "\(name), \(number == 0 ? "all rules" : "few rules"), \(jobs) jobs: another report")
        }
      }
    }
  }

  /// Many files at once, on one thread and on several.
  mutating func compareThreads() throws {
    for rules in rules {
      let alone = try checkAll(rules.run(jobs: 1))
      for jobs in [2, 5] {
        reportCount += 1
        if try checkAll(rules.run(jobs: jobs)) != alone {
          failures.append("\(texts.count) files on \(jobs) threads: another report")
        }
      }
    }
  }

  private func checkAll(_ run: CheckRun) throws -> [UInt8] {
    var captures: [JudgedCapture] = []
    try run.check(CaptureInputs(paths: texts)) { captures.append($0) }
    return Self.report(captures)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let url = folder.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url.path
  }

  /// What is said of one file, but for its name and form, and for lines, which only texts have.
  private func check(_ path: String, _ run: CheckRun) throws -> JudgedCapture {
    var judged = JudgedCapture(path: path)
    try run.check(CaptureInputs(paths: [path])) { judged = $0 }
    judged.path = ""
    judged.format = ""
    for trace in judged.traces.indices {
      for finding in judged.traces[trace].findings.indices {
        for event in judged.traces[trace].findings[finding].witness.indices {
          judged.traces[trace].findings[finding].witness[event].line = 0
        }
      }
    }
    return judged
  }

  private static func report(_ captures: [JudgedCapture]) -> [UInt8] {
    var writer = ReportFormat.json.makeWriter(ReportContext(toolVersion: ""))
    for capture in captures { writer.capture(capture) }
    writer.end(elapsedNanoseconds: 0)
    return writer.output
  }
}
