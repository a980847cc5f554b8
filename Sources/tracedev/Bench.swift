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

    /// Whether it measures the whole program.
    var needsTool: Bool {
      switch self {
      case .size, .decode, .record: false
      case .check, .cores, .memory, .start, .allocations: true
      }
    }
  }

  @Option(help: "Drawn events of the reference workload (default: 1000000).")
  var events: Int?

  @Option(help: "Runs of each measurement; the median is printed (default: 9).")
  var runs: Int?

  @Option(help: "Measure only this part; may be given several times.")
  var only: [Part] = []

  @Flag(help: "A small workload and three runs: shows that all works, and no true numbers.")
  var quick = false

  @Flag(
    help: "Install what is missing of zstd, babeltrace2, jq, time, gcc and strace, from Debian.")
  var install = false

  @Option(help: "The repository, for the counter of allocations and its limits.")
  var root = "."

  @Option(help: "The path of the tracecheck to measure; the one beside this tool if not given.")
  var tracecheck: String?

  func run() throws {
    let (own, tool) = try programs()
    defer {
      // After a signal the folder is gone, and what fails for that is no error to tell.
      BenchProcess.waitIfStopped()
      BenchFolder.remove()
    }
    let folder = try BenchFolder.url()
    if install { try BenchPrograms.install() } else { BenchPrograms.tellMissing() }
    #if DEBUG
      BenchPrograms.say("a debug build: no true numbers")
    #endif
    let runs = max(1, runs ?? (quick ? 3 : 9))
    let workload = try BenchWorkload(
      events: max(1, events ?? (quick ? 100_000 : 1_000_000)), folder: folder)
    var table = BenchTable()
    for part in parts {
      BenchPrograms.say("measuring: \(part.rawValue)")
      switch part {
      case .size: try table.sizes(workload)
      case .decode: try table.decoding(workload, runs: runs)
      case .check: try table.check(workload, tool: tool, runs: runs)
      case .cores: try table.cores(workload, tool: tool, runs: runs)
      case .memory: try table.memory(workload, tool: tool, times: quick ? 10 : 100)
      case .start: try table.startUp(workload, tool: tool, runs: runs)
      case .record: try table.recording(folder, tracedev: own, runs: runs)
      case .allocations:
        let counter = try AllocationCounter(root: root, folder: folder)
        try table.allocations(counter, tracedev: own, tool: tool)
      }
    }
    print(table.text)
    if table.shortCount > 0 { print("\(table.shortCount) short of what is asked") }
  }

  private var parts: [Part] { Part.allCases.filter { only.isEmpty || only.contains($0) } }

  /// The absolute paths of this program and of the tracecheck to measure, which must be there.
  private func programs() throws -> (own: String, tool: String) {
    guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
      throw ValidationError("this program can't tell where it is")
    }
    let beside = own.deletingLastPathComponent().appendingPathComponent("tracecheck")
    let tool = tracecheck.map { URL(fileURLWithPath: $0).standardizedFileURL } ?? beside
    let isThere = FileManager.default.isExecutableFile(atPath: tool.path)
    if !isThere, parts.contains(where: \.needsTool) {
      throw ValidationError(
        "there is no program \(tool.path): build it, or name another by --tracecheck")
    }
    return (own.path, tool.path)
  }
}
