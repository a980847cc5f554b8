// Sound inputs of every kind, from which damaged ones are made. What the program can write, it
// writes itself. This file must not know how inputs are damaged.

import Foundation
import TraceCatalogue
import TraceCodecs
import TraceExport
import TraceFormat
import TraceIO
import TraceImportSamples
import TraceModel
import TraceNotation
import TraceRecorder
import TraceRules
import TraceTestSupport

/// What an input is for.
enum FuzzInputKind: CaseIterable, Sendable {
  case capture, rules, configuration, baseline, report, scenario, key, question, names, database
}

/// A sound input.
struct FuzzSeed: Sendable {
  /// The end of its name, with its dot.
  var ending: String
  var bytes: [UInt8]
  /// Text with events, which can be stored as a binary trace, too.
  var isNotation = false
}

/// All sound inputs.
struct FuzzSeeds: Sendable {
  private(set) var byKind: [FuzzInputKind: [FuzzSeed]] = [:]
  /// Everything, from which pieces are taken.
  private(set) var allBytes: [[UInt8]] = []
  /// The journal of an app that was killed, and the trace beside it.
  let recording: [FuzzSeed]

  /// What a mistake in one of them shouldn't hide in: they are small.
  private static let bytesMax = 150_000

  /// - Parameter program: Writes what it can write by itself.
  init(_ program: FuzzAnswers) throws {
    recording = try Self.killedRecording()
    byKind[.capture] = Self.captures() + Self.logs() + recording
    byKind[.configuration] = [Self.text(Self.configuration, ".yml")]
    byKind[.rules] = try Self.rules(program)
    let sessions = try (1...3).map { seed in
      let life = ["simulate", "--seed", "\(seed)", "--to", "ndjson", "-o", "-"]
      return FuzzFile(path: "\(seed).ndjson", bytes: try program.answer(life))
    }
    let faulty = (byKind[.capture] ?? []).prefix(60).enumerated().map { number, seed in
      FuzzFile(path: "fault\(number)\(seed.ending)", bytes: seed.bytes)
    }
    let judged = faulty + sessions
    let paths = judged.map(\.path)
    byKind[.capture]? += sessions.map {
      FuzzSeed(ending: ".ndjson", bytes: $0.bytes, isNotation: true)
    }
    byKind[.report] = try [
      ["jsonl"], ["jsonl", "--measures"], ["json"],
    ].map { options in
      let arguments = ["check"] + paths.prefix(20) + ["--report"] + options
      return FuzzSeed(ending: ".jsonl", bytes: try program.answer(arguments, judged))
    }
    let file = "known.jsonl"
    byKind[.baseline] = [
      FuzzSeed(
        ending: ".jsonl",
        bytes: try program.answer(
          ["gate"] + paths + ["--write-baseline", file], judged, writtenTo: file))
    ]
    byKind[.scenario] = try (1...4).map {
      let arguments = ["simulate", "--show-scenario", "--seed", "\($0)"]
      return FuzzSeed(ending: ".txt", bytes: try program.answer(arguments))
    }
    let database = "index.db"
    byKind[.database] = [
      FuzzSeed(
        ending: ".db",
        bytes: try program.answer(
          ["query", "select 1"] + paths.prefix(2) + ["--db", database], judged,
          writtenTo: database))
    ]
    byKind[.key] = [Self.text("00112233445566778899aabbccddeeff\n", ".key")]
    byKind[.question] = [Self.text("select * from findings", ".sql")]
    byKind[.names] = [Self.text("input1.ndjson\ninput0.timeline\n.\n", ".list")]
    for kind in FuzzInputKind.allCases {
      byKind[kind]?.removeAll { $0.bytes.count > Self.bytesMax }
      guard let seeds = byKind[kind], !seeds.isEmpty, seeds.allSatisfy({ !$0.bytes.isEmpty }) else {
        throw FuzzSeedFailure(kind: kind)
      }
      allBytes += seeds.map(\.bytes)
    }
  }

  private static func text(_ text: String, _ ending: String) -> FuzzSeed {
    FuzzSeed(ending: ending, bytes: Array(text.utf8))
  }

  /// Examples of rules, sessions, and lives without any sense.
  private static func captures() -> [FuzzSeed] {
    let examples = Catalogue.all.flatMap { rule in
      rule.examples.prefix(4).map { Array($0.document.utf8) }
    }
    var seeds = examples.map { FuzzSeed(ending: ".timeline", bytes: $0, isNotation: true) }
    for number in 0..<40 {
      let trace = GeneratedTrace(seed: UInt64(number))
      seeds.append(FuzzSeed(ending: ".ndjson", bytes: trace.notation, isNotation: true))
    }
    for seed in 0..<20 {
      var random = RandomTraces(seed: UInt64(seed))
      let trace = random.next()
      var encoder = NDJSONEncoder()
      encoder.begin(trace.header)
      for batch in trace.batches { encoder.consume(batch) }
      encoder.end()
      seeds.append(FuzzSeed(ending: ".ndjson", bytes: encoder.output, isNotation: true))
    }
    return seeds
  }

  private static func logs() -> [FuzzSeed] {
    (LogSample.all.map(\.text) + ReportSamples.all.map(\.text)).map { text($0, ".log") }
  }

  /// A journal, and the trace beside it, of an app that is killed.
  private static func killedRecording() throws -> [FuzzSeed] {
    let folder = NSTemporaryDirectory() + "tracedev-fuzz-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var configuration = RecorderConfiguration(directory: folder)
    configuration.name = "killed"
    configuration.segmentBytes = 4_096
    configuration.segmentCount = 3
    let recorder = try TraceRecorder.start(configuration)
    for _ in 0..<200 { recorder.game.pause() }
    let seeds = ["lcjournal", "lctrace"].map { end in
      FuzzSeed(
        ending: "." + end, bytes: FuzzFolder.read("\(folder)/killed.\(end)", bytesMax: bytesMax))
    }
    try recorder.stop()
    return seeds.filter { !$0.bytes.isEmpty }
  }

  /// The built-in rules as if somebody had written them, a few in each file.
  private static func rules(_ program: FuzzAnswers) throws -> [FuzzSeed] {
    let list = try program.answer(["rules", "list", "--format", "yaml"])
    let text = String(decoding: list, as: UTF8.self)
    let start = "\n  - id: "
    let rules = text.components(separatedBy: start).dropFirst().map {
      (start + "own-" + $0).replacing(#/slug: [a-z-]+\//#, with: "slug: own/")
    }
    let files = stride(from: 0, to: rules.count, by: 2).map { rules[$0..<min($0 + 2, rules.count)] }
    return files.map { Self.text("tracecheck: 1\nrules:" + $0.joined() + "\n", ".yaml") }
  }

  /// Everything that can be set.
  private static let configuration = """
    tracecheck: 1
    fail_on: warning
    profile: ios8
    severities: {\(rule(0)): warning, \(rule(1)): error}
    rules: {graphics: off, background-task: on}
    skip: [\(rule(2))]
    capture_patterns:
      - message: "sync <id> began*"
        event: work.span
        phase: enter
        args: {id: <id>, class: download}
      - message: "* took <took> ms"
        event: data.save
        args: {store: <took>}
    suppressions:
      - rule: background-task
        subject: "sync*"
        reason: known since 1.2
        expires: 2026-12-31
    apps:
      "com.example.*":
        severities: {\(rule(3)): note}
        rules: {graphics: off}

    """

  private static func rule(_ place: Int) -> String { Catalogue.all[place].id }
}

/// An input that the program should have written isn't there.
struct FuzzSeedFailure: Error, CustomStringConvertible {
  var kind: FuzzInputKind
  var description: String { "there is no sound input of the kind '\(kind)' to start with" }
}
