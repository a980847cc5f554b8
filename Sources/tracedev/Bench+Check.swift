// The measurements of the whole program beside its references: time, cores, memory, start-up.

import Foundation
import TraceCatalogue
import TraceLifecycle
import TraceRules

extension BenchTable {
  private static let own = ["--config", "none", "--fail-on", "never"]

  mutating func check(_ workload: BenchWorkload, tool: String, runs: Int) throws {
    // On one thread: what else runs ahead would count as user CPU time, too.
    let own = Self.own + ["--jobs", "1", workload.trace.path]
    let fourRules = own + ["--only", Catalogue.essential.map(\.id).joined(separator: ",")]
    let missing = BenchPrograms.missing("zstd")
    var times: [[Double]] = [[], [], []]
    for _ in 0..<runs {
      if missing == nil {
        times[0].append(try BenchProcess.run(["zstd", "-dc", workload.compressedText.path]))
      }
      times[1].append(try BenchProcess.run([tool, "check"] + own))
      times[2].append(try BenchProcess.run([tool, "check"] + fourRules))
    }
    let count = workload.eventCount
    let reference = missing == nil ? Self.median(times[0]) : nil
    if let reference {
      add("zstd -dc of the same as JSON Lines", count: count, seconds: reference)
    }
    for (what, limit, values) in [
      ("check, all rules", 4.0, times[1]), ("check, four rules", 10.0, times[2]),
    ] {
      let time = Self.median(values)
      add(what, count: count, seconds: time)
      if let reference {
        add("\(what), against zstd -dc", atLeast: limit, reference: reference, against: time)
      } else {
        add("\(what), against zstd -dc", asked: ">= \(Int(limit)) x", because: missing ?? "")
      }
    }
  }

  /// How much sooner two threads are done than one, of one file and of several.
  mutating func cores(_ workload: BenchWorkload, tool: String, runs: Int) throws {
    let many = workload.folder.appendingPathComponent("many")
    try FileManager.default.createDirectory(at: many, withIntermediateDirectories: true)
    // Apps of other names, as copies of one trace would be checked once.
    for number in 0..<8 {
      try Data(workload.renamed("com.example.workload\(number)"))
        .write(to: many.appendingPathComponent("\(number).lctrace"))
    }
    for (what, path, limit) in [
      ("two cores, one file", workload.trace, 1.4), ("two cores, eight files", many, 1.8),
    ] {
      guard ProcessInfo.processInfo.activeProcessorCount > 1 else {
        add(what, asked: ">= \(limit) x", because: "not measured: one core here")
        continue
      }
      var times: [[Double]] = [[], []]
      for _ in 0..<runs {
        for jobs in 1...2 {
          times[jobs - 1].append(
            try BenchProcess.elapsed(
              [tool, "check"] + Self.own + ["--jobs", "\(jobs)", path.path]))
        }
      }
      add(
        what, atLeast: limit, reference: Self.median(times[0]), against: Self.median(times[1]))
    }
  }

  /// The memory of the same trace once and many times over.
  mutating func memory(_ workload: BenchWorkload, tool: String, times: Int) throws {
    let flatness = "peak memory, \(times) x the events against 1 x"
    if let missing = BenchPrograms.missing("time") {
      add("peak memory of check", asked: "<= 64 MiB", because: missing)
      return add(flatness, asked: "<= 1.25 x", because: missing)
    }
    let command = [tool, "check"] + Self.own
    let copies = workload.folder.appendingPathComponent("copies.lctrace")
    try Data().write(to: copies)
    let file = try FileHandle(forWritingTo: copies)
    for _ in 0..<times { try file.write(contentsOf: Data(workload.usual)) }
    try file.close()
    defer { try? FileManager.default.removeItem(at: copies) }
    var peaks: [Double] = []
    for (path, count) in [
      (workload.trace, workload.eventCount), (copies, workload.eventCount * times),
    ] {
      let peak = try BenchProcess.peakKibibytes(command + [path.path])
      add(
        "peak memory of check, \(Self.text(Double(count) / 1e6)) M events", atMost: 64,
        peak / 1_024, "MiB")
      peaks.append(peak)
    }
    add(flatness, atMost: 1.25, peaks[1] / max(peaks[0], 1), "x")
  }

  /// The CPU time of a check of a hundred events, which is mostly that of a start.
  mutating func startUp(_ workload: BenchWorkload, tool: String, runs: Int) throws {
    let path = try workload.small().binary.path
    let times = try (0..<runs).map { _ in
      try BenchProcess.run([tool, "check"] + Self.own + [path], withKernel: true)
    }
    add("check of 100 events", atMost: 20, Self.median(times) * 1_000, "ms")
  }
}
