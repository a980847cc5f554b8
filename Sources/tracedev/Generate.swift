// Everything in the repository that follows from something else in it, with a check mode.

import ArgumentParser
import Foundation
import TraceCodecs
import TraceFormat
import TraceModel
import TraceNotation

/// Makes the list of rules from the folder of rules, the recorder's calls and the format's numbers
/// from the vocabulary, the binary traces from their texts, and dashboards, alerts and runbooks
/// from metrics and rules.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes derived files; with --check says which are out of date.")

  @Flag(help: "Change nothing; exit with 1 if a file is out of date.")
  var check = false

  @Option(help: "The top folder of the repository.")
  var root = "."

  func run() throws {
    var stale: [String] = []
    try update("Sources/TraceCatalogue/Catalogue+Folder.swift", catalogue(), &stale)
    for file in RecorderCalls.files() {
      try update("Sources/TraceRecorder/Calls/\(file.name)", file.text, &stale)
    }
    try update(FormatNumbers.path, FormatNumbers.text, &stale)
    for name in try names(in: "traces", ending: ".timeline") {
      try updateTrace(String(name.dropLast(".timeline".count)), &stale)
    }
    for file in GrafanaFiles.all { try update(file.path, file.text, &stale) }
    stale += try leftovers()
    guard stale.isEmpty else {
      print("out of date: \(stale.joined(separator: ", "))")
      print("run: swift run tracedev generate")
      throw ExitCode(1)
    }
  }

  private func names(in folder: String, ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
      .filter { $0.hasSuffix(ending) }.sorted()
  }

  /// Dashboards and runbooks that nothing makes any more; they are removed.
  private func leftovers() throws -> [String] {
    let made = Set(GrafanaFiles.all.map(\.path))
    var left: [String] = []
    for (folder, ending) in [("Grafana/dashboards", ".json"), ("Grafana/runbooks", ".md")] {
      for name in try names(in: folder, ending: ending) where !made.contains("\(folder)/\(name)") {
        left.append("\(folder)/\(name)")
        if !check { try FileManager.default.removeItem(atPath: "\(root)/\(folder)/\(name)") }
      }
    }
    return check ? left : []
  }

  private func update(_ path: String, _ text: String, _ stale: inout [String]) throws {
    let url = URL(fileURLWithPath: "\(root)/\(path)")
    if (try? String(contentsOf: url, encoding: .utf8)) == text { return }
    if check { return stale.append(path) }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func catalogue() throws -> String {
    let rules = try names(in: "Sources/TraceCatalogue/Rules", ending: ".swift")
      .filter { $0.hasPrefix("LC") || $0.hasPrefix("LM") }
      .map { "    \($0.dropLast(".swift".count)).rule,\n" }
    return """
      // Every file of `Rules/`. Made by `tracedev generate`; a test compares it with the folder.

      import TraceRules

      extension Catalogue {
        static let rulesOfFolder: [Rule] = [
      \(rules.joined())  ]
      }

      """
  }

  /// Binary traces of released versions are kept for ever: an existing one is only made anew if
  /// its events or its header differ from the text's.
  private func updateTrace(_ name: String, _ stale: inout [String]) throws {
    let text = try read("traces/\(name).timeline")
    var timeline = TimelineDecoder()
    let expected = try canonical(&timeline, text, "\(name).timeline")
    let path = "traces/\(name).lctrace"
    if let old = try? read(path) {
      var decoder = LctraceDecoder(codec: .zstd())
      if try canonical(&decoder, old, path) == expected { return }
    }
    if check { return stale.append(path) }
    // Blocks of short traces are rows, unless the trace is there to keep columns readable.
    var encoder =
      name.hasPrefix("columns-")
      ? LctraceEncoder(codec: .zstd(level: 19), columnEventsMin: 1)
      : LctraceEncoder(codec: .zstd(level: 19))
    var decoder = TimelineDecoder()
    try pass(&decoder, text, into: &encoder, "\(name).timeline")
    try Data(encoder.output).write(to: URL(fileURLWithPath: "\(root)/\(path)"))
  }

  private func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)")))
  }

  private func canonical(
    _ decoder: inout some CaptureDecoder, _ bytes: [UInt8], _ name: String
  ) throws -> [UInt8] {
    var encoder = NDJSONEncoder()
    try pass(&decoder, bytes, into: &encoder, name)
    return encoder.output
  }

  private func pass(
    _ decoder: inout some CaptureDecoder, _ bytes: [UInt8], into encoder: inout some TraceEncoder,
    _ name: String
  ) throws {
    decoder.feed(bytes.span)
    decoder.finish()
    var batch = EventBatch()
    while true {
      switch decoder.next(into: &batch) {
      case .header(let header): try encoder.begin(header)
      case .batch: try encoder.consume(batch)
      case .problem(let problem):
        throw ValidationError("\(name): \(problem.location): \(problem.message)")
      case .remark, .stream: break
      case .needsInput, .end:
        try encoder.end()
        return
      }
    }
  }
}
