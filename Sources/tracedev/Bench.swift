// `bench`: everything that is asked of sizes and speeds, measured beside the references in one run.

import ArgumentParser
import Foundation

/// Measures sizes, speeds and allocations on the reference workload.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints sizes, speeds and allocations beside what is asked of them.",
    discussion: """
      Makes the reference workload, runs each measurement in turn with what it is compared with, \
      and prints the median. Call it from the repository's folder, with a release build.
      """)

  /// A part of the measurements.
  enum Part: String, ExpressibleByArgument, CaseIterable {
    case size, decode, check, cores, memory, start, record, allocations
  }

  @Option(help: "Drawn events of the reference workload (default: 1000000).")
  var events: Int?

  @Option(help: "Runs of each measurement; the median is printed (default: 9).")
  var runs: Int?

  @Option(help: "Measure only this part; may be given several times.")
  var only: [Part] = []

  @Flag(help: "A small workload and three runs: shows that all works, and no true numbers.")
  var quick = false

  @Flag(help: "Install what Debian has of the references, if it is missing.")
  var install = false

  @Option(help: "The repository, for the counter of allocations and its limits.")
  var root = "."

  @Option(help: "The tracecheck to measure; the one beside this tool if not given.")
  var tracecheck: String?

  func run() throws {
    if install { try BenchPrograms.install() } else { BenchPrograms.tellMissing() }
    #if DEBUG
      BenchPrograms.say("a debug build: no true numbers")
    #endif
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracedev-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL
    let tool =
      tracecheck ?? own.deletingLastPathComponent().appendingPathComponent("tracecheck").path
    let runs = max(1, runs ?? (quick ? 3 : 9))
    let workload = try BenchWorkload(
      events: max(1, events ?? (quick ? 100_000 : 1_000_000)), folder: folder)
    var table = BenchTable()
    for part in Part.allCases where only.isEmpty || only.contains(part) {
      BenchPrograms.say("measuring: \(part.rawValue)")
      switch part {
      case .size: try table.sizes(workload)
      case .decode: try table.decoding(workload, runs: runs)
      case .check: try table.check(workload, tool: tool, runs: runs)
      case .cores: try table.cores(workload, tool: tool, runs: runs)
      case .memory: try table.memory(workload, tool: tool, times: quick ? 10 : 100)
      case .start: try table.startUp(workload, tool: tool, runs: runs)
      case .record: try table.recording(folder, tracedev: own.path, runs: runs)
      case .allocations:
        let counter = try AllocationCounter(root: root, folder: folder)
        try table.allocations(counter, tracedev: own.path, tool: tool)
      }
    }
    print(table.text)
    if table.shortCount > 0 { print("\(table.shortCount) short of what is asked") }
  }
}
