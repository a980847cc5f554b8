// The measurements of the whole program beside its references: time, cores, memory, start-up.

import ArgumentParser
import Foundation

/// Runs another program and measures what it takes.
enum BenchProcess {
  struct Cost {
    /// Seconds that its threads ran outside the system's kernel.
    var userSeconds: Double
    var elapsedSeconds: Double
    var peakKibibytes: Double
  }

  /// The user CPU time of a run, in seconds. Its output is thrown away.
  static func run(_ command: [String], allowed: Set<Int32> = [0]) throws -> Double {
    try cost(command, allowed: allowed).userSeconds
  }

  /// What a run takes. Its output is thrown away.
  static func cost(_ command: [String], allowed: Set<Int32> = [0]) throws -> Cost {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["time", "-f", "%U %e %M", "--"] + command
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    let start = Date()
    try process.run()
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let elapsed = Date().timeIntervalSince(start)
    guard allowed.contains(process.terminationStatus) else {
      throw ValidationError("\(command[0]) ended with \(process.terminationStatus)")
    }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    let numbers = (lines.last ?? "").split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 3 else { throw ValidationError("'time' of Debian is missing") }
    return Cost(
      userSeconds: numbers[0], elapsedSeconds: elapsed, peakKibibytes: numbers[2])
  }
}

extension BenchTable {
  private static let own = ["--config", "none", "--fail-on", "never"]

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  mutating func check(_ workload: BenchWorkload, tool: String, runs: Int) throws {
    // On one thread: what else runs ahead would count as user CPU time, too.
    let own = Self.own + ["--jobs", "1", workload.trace.path]
    let fourRules = own + ["--only", "LC001,LC002,LC003,LC004"]
    var times: [[Double]] = [[], [], []]
    for _ in 0..<runs {
      times[0].append(try BenchProcess.run(["zstd", "-dc", workload.compressedText.path]))
      times[1].append(try BenchProcess.run([tool, "check"] + own))
      times[2].append(try BenchProcess.run([tool, "check"] + fourRules))
    }
    let medians = times.map(Self.median)
    let count = Double(workload.eventCount)
    add("zstd -dc of the same as JSON Lines", medians[0] / count * 1e9, "ns/event")
    add("check, all rules", medians[1] / count * 1e9, "ns/event")
    add("check, all rules, against it", atLeast: 4, medians[0] / max(medians[1], 0.001), "x")
    add("check, four rules", medians[2] / count * 1e9, "ns/event")
    add("check, four rules, against it", atLeast: 10, medians[0] / max(medians[2], 0.001), "x")
  }

  /// How much sooner two threads are done than one, of one file and of several.
  mutating func cores(
    _ workload: BenchWorkload, _ folder: URL, tool: String, runs: Int
  ) throws {
    let many = folder.appendingPathComponent("many")
    try FileManager.default.createDirectory(at: many, withIntermediateDirectories: true)
    // Apps of other names, as copies of one trace would be checked once.
    for number in 0..<8 {
      try Data(workload.renamed("com.example.workload\(number)"))
        .write(to: many.appendingPathComponent("\(number).lctrace"))
    }
    for (what, path, limit) in [
      ("two cores, one file", workload.trace, 1.4), ("two cores, eight files", many, 1.8),
    ] {
      var times: [[Double]] = [[], []]
      for _ in 0..<min(5, runs) {
        for jobs in 1...2 {
          times[jobs - 1].append(
            try BenchProcess.cost(
              [tool, "check"] + Self.own + ["--jobs", "\(jobs)", path.path]
            ).elapsedSeconds)
        }
      }
      add(what, atLeast: limit, Self.median(times[0]) / Self.median(times[1]), "x")
    }
  }

  /// The memory of the same trace once and many times over.
  mutating func memory(_ workload: BenchWorkload, _ folder: URL, tool: String) throws {
    let command = [tool, "check"] + Self.own
    let one = try BenchProcess.cost(command + [workload.trace.path]).peakKibibytes
    let copies = folder.appendingPathComponent("copies.lctrace")
    try Data().write(to: copies)
    let file = try FileHandle(forWritingTo: copies)
    for _ in 0..<20 { try file.write(contentsOf: Data(workload.usual)) }
    try file.close()
    let many = try BenchProcess.cost(command + [copies.path]).peakKibibytes
    add("peak memory of check", atMost: 64, one / 1_024, "MiB")
    add("peak memory of check, 20 times the trace", atMost: 64, many / 1_024, "MiB")
  }

  /// The user CPU time of a check of a hundred events, which is mostly that of a start.
  mutating func startUp(_ folder: URL, tool: String, runs: Int) throws {
    let path = folder.appendingPathComponent("small.lctrace").path
    let repeated = 20
    let script = "for i in $(seq \(repeated)); do \"$@\" >/dev/null; done"
    let command = ["sh", "-c", script, "sh", tool, "check"] + Self.own + [path]
    var times: [Double] = []
    for _ in 0..<min(5, runs) { times.append(try BenchProcess.run(command) / Double(repeated)) }
    add("check of 100 events", atMost: 20, Self.median(times) * 1_000, "ms")
  }
}
