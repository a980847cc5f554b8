// What recording costs beside a bare look at the clock, and what further events allocate.

import ArgumentParser
import Foundation

extension BenchTable {
  /// An event beside a look at the clock, each time in the same run, and the calls of the system.
  mutating func recording(_ folder: URL, tracedev: String, runs: Int) throws {
    let place = folder.appendingPathComponent("recording").path
    func measure(_ arguments: [String], under: [String] = []) throws -> String {
      defer { try? FileManager.default.removeItem(atPath: place) }
      return try BenchProcess.output(under + [tracedev, "recorder", "measure", place] + arguments)
    }
    var ratios: [Double] = []
    for _ in 0..<runs {
      let text = try measure([])
      let words = text.split { " ,\n".contains($0) }
      guard let label = words.lastIndex(of: "ratio"), let ratio = Double(words[label + 1]) else {
        throw ValidationError("tracedev recorder measure says: \(text)")
      }
      ratios.append(ratio)
    }
    add("recording an event, against clock_gettime", atMost: 1.5, Self.median(ratios), "x")
    let what = "system calls of 400,000 further recorded events"
    let asked = "0, 2 of other threads"
    if let missing = BenchPrograms.missing("strace") {
      return add(what, asked: asked, because: missing)
    }
    let report = folder.appendingPathComponent("calls").path
    let counts = try [1_000, 401_000].map { events in
      _ = try measure(
        ["--bare", "--events", "\(events)"],
        under: ["strace", "-f", "-c", "-U", "calls,name", "-o", report])
      return Self.calls(try String(contentsOfFile: report, encoding: .utf8))
    }
    // The threads beside the app are woken by time alone, and may end a call sooner or later.
    let extra = counts[1].values.reduce(0, +) - counts[0].values.reduce(0, +)
    add(what, atMost: 2, asked: asked, Double(max(0, extra)), "calls")
  }

  /// What strace counted, without the calls that sleep.
  private static func calls(_ text: String) -> [String: Int] {
    let sleeping: Set = ["poll", "ppoll", "total", "clock_nanosleep", "restart_syscall"]
    var calls: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 2, let count = Int(words[0]), !sleeping.contains(words[1]) else {
        continue
      }
      calls[words[1]] = count
    }
    return calls
  }

  /// Allocations of further events, as `Tests/IntegrationTests/resources.py` counts them.
  mutating func allocations(_ counter: AllocationCounter, tracedev: String, tool: String) throws {
    let traces = try AllocationCounter.eventCounts.map {
      try counter.workload(of: $0, tracedev: tracedev, tool: tool)
    }
    let place = counter.folder.appendingPathComponent("counted").path
    let parts: [(name: String, what: String, commands: [[String]], further: Int)] = [
      (
        "decode", "allocations of decode",
        traces.map { [tracedev, "decode", $0.path] }, AllocationCounter.furtherCount
      ),
      (
        "check", "allocations of check",
        traces.map {
          [tool, "check", "--config", "none", "--jobs", "1", "--fail-on", "never", $0.path]
        },
        AllocationCounter.furtherCount
      ),
      (
        "record", "allocations of recording",
        [1_000, 401_000].map {
          [tracedev, "recorder", "measure", place, "--bare", "--exits", "--events", "\($0)"]
        }, 400_000
      ),
    ]
    for (name, what, commands, further) in parts {
      if let reason = counter.reason {
        add(what, asked: counter.limit(name)?.text ?? "", because: reason)
        continue
      }
      let counts = try commands.map { command in
        defer { try? FileManager.default.removeItem(atPath: place) }
        return try counter.count(command)
      }
      let perMillion = Double(counts[1] - counts[0]) / Double(further) * 1e6
      if let limit = counter.limit(name) {
        add(what, atMost: limit.perMillion, perMillion, "per M events")
      } else {
        add(what, perMillion, "per M events")
      }
    }
  }
}

/// Counts allocations by a library that stands before malloc.
struct AllocationCounter {
  static let eventCounts = [100_000, 1_000_000]
  static let furtherCount = eventCounts[1] - eventCounts[0]

  let folder: URL
  /// Why nothing can be counted.
  let reason: String?
  private let library: String
  /// Allocations per million further events, by what is counted, of this version of Swift.
  private let limits: [String: Double]
  private let version: String

  /// - Parameter root: The repository, which has the library's source and the limits.
  init(root: String, folder: URL) throws {
    self.folder = folder
    library = folder.appendingPathComponent("allocations.so").path
    let tests = "\(root)/Tests/IntegrationTests"
    let source = "\(tests)/allocations.c"
    if !FileManager.default.fileExists(atPath: source) {
      reason = "not measured: no \(source) (--root)"
    } else if let missing = BenchPrograms.missing("gcc") {
      reason = missing
    } else {
      reason = nil
      _ = try BenchProcess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", library, source])
    }
    version = Self.swiftVersion()
    let limits = try? Data(contentsOf: URL(fileURLWithPath: "\(tests)/allocations.json"))
    let all = try limits.map { try JSONDecoder().decode([String: [String: Double]].self, from: $0) }
    self.limits = all?[version] ?? [:]
  }

  /// For example `6.3`; empty if no compiler is here.
  private static func swiftVersion() -> String {
    guard let text = try? BenchProcess.output(["swift", "--version"]) else { return "" }
    let words = text.split { " \n".contains($0) }
    guard let place = words.firstIndex(of: "version"), place + 1 < words.count else { return "" }
    return words[place + 1].split(separator: ".").prefix(2).joined(separator: ".")
  }

  func limit(_ name: String) -> (perMillion: Double, text: String)? {
    limits[name].map { ($0, BenchTable.asked(atMost: $0, "per M events")) }
  }

  /// A trace of about so many events, made as `resources.py` makes it.
  func workload(of events: Int, tracedev: String, tool: String) throws -> URL {
    let text = folder.appendingPathComponent("allocations.ndjson")
    let binary = folder.appendingPathComponent("allocations-\(events).lctrace")
    let script =
      "\"$1\" workload \"$2\" > \"$3\" && \"$4\" convert --config none \"$3\" -o \"$5\""
    _ = try BenchProcess.run([
      "sh", "-c", script, "sh", tracedev, "\(events)", text.path, tool, binary.path,
    ])
    return binary
  }

  func count(_ command: [String]) throws -> Int {
    let report = folder.appendingPathComponent("count").path
    _ = try BenchProcess.output(
      command, environment: ["LD_PRELOAD": library, "ALLOCATIONS_FILE": report])
    guard let text = try? String(contentsOfFile: report, encoding: .utf8),
      let number = Int(text.prefix { $0.isNumber })
    else { throw ValidationError("the counter of allocations says nothing") }
    return number
  }
}
