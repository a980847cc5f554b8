// A run of many executions on several threads: takes numbers in turn, judges, makes failures
// smaller and keeps them. This file must not know how executions are made.

import Foundation
import TraceIO

/// What several threads do together.
///
/// A class, as its threads share the counts.
final class FuzzWorkers: @unchecked Sendable {
  private let generator: FuzzGenerator
  private let process: FuzzProcess
  private let scratch: String
  private let keep: String?
  private let deadline: ContinuousClock.Instant
  private let lock = SystemLock()
  private var nextNumber: UInt64 = 0
  private var result = FuzzResult()

  /// As many failures of one kind are kept; the others are counted.
  private static let keptOfKindMax = 3
  private static let shrinkingSecondsMax = 90

  init(
    _ generator: FuzzGenerator, _ process: FuzzProcess, scratch: String, keep: String?,
    seconds: Double
  ) {
    self.generator = generator
    self.process = process
    self.scratch = scratch
    self.keep = keep
    deadline = .now + .seconds(seconds)
  }

  /// Runs until the time is over.
  func run(jobs: Int) -> FuzzResult {
    let group = DispatchGroup()
    for job in 0..<jobs {
      group.enter()
      let thread = Thread {
        self.work(in: "\(self.scratch)/\(job)")
        group.leave()
      }
      // JSON is checked by calls that nest as deep as it does.
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
    return lock.withLock { result }
  }

  /// Runs one execution, and keeps it whatever comes out.
  func run(only number: UInt64) throws -> FuzzResult {
    let execution = generator.execution(number)
    let (outcome, failure) = try judge(execution, in: scratch + "/0")
    if let keep {
      let kept = failure ?? FuzzFailure(kind: "no failure")
      try FuzzKeeping(folder: keep).keep(execution, number, kept, process.program)
    }
    return lock.withLock {
      result.add(execution, number, outcome)
      if let failure { result.failures[failure.kind] = 1 }
      return result
    }
  }

  private func work(in folder: String) {
    while ContinuousClock.now < deadline {
      let number = lock.withLock {
        nextNumber += 1
        return nextNumber
      }
      let execution = generator.execution(number)
      do {
        let (outcome, failure) = try judge(execution, in: folder)
        lock.withLock { result.add(execution, number, outcome) }
        if let failure { try found(failure, execution, number, in: folder) }
      } catch {
        lock.withLock { result.mistakes.append("execution \(number) can't be made: \(error)") }
        return
      }
    }
  }

  private func judge(_ execution: FuzzCase, in folder: String) throws -> (FuzzOutcome, FuzzFailure?)
  {
    try FuzzFolder.write(execution, to: folder)
    let outcome = process.run(execution, in: folder)
    return (outcome, FuzzVerdict.failure(execution, outcome, in: folder))
  }

  private func found(
    _ failure: FuzzFailure, _ execution: FuzzCase, _ number: UInt64, in folder: String
  ) throws {
    let name = "\(execution.command.joined(separator: " ")): \(failure.kind)"
    let isKept = lock.withLock {
      result.failures[name, default: 0] += 1
      return result.failures[name, default: 0] <= Self.keptOfKindMax
    }
    guard isKept else { return }
    let end = ContinuousClock.now + .seconds(Self.shrinkingSecondsMax)
    var shrinking = FuzzShrinking(
      fails: { try self.judge($0, in: folder).1?.kind == failure.kind },
      isOver: { ContinuousClock.now > end })
    let smallest = try shrinking.smallest(execution)
    let text =
      "FAILED: execution \(number), \(failure.kind) \(failure.detail): \(smallest.shortText())"
    lock.withLock { print(text) }
    if let keep { try FuzzKeeping(folder: keep).keep(smallest, number, failure, process.program) }
  }
}

/// What came out of a run.
struct FuzzResult: Sendable {
  /// How often each failure was found, by command and kind.
  var failures: [String: Int] = [:]
  /// What stopped a thread.
  var mistakes: [String] = []
  private(set) var executionCount = 0
  private(set) var exitCodes: [String: Int] = [:]
  private(set) var commands: Set<[String]> = []
  private var slowest = (seconds: 0.0, text: "")
  private var largest = (bytes: 0, text: "")

  mutating func add(_ execution: FuzzCase, _ number: UInt64, _ outcome: FuzzOutcome) {
    executionCount += 1
    commands.insert(execution.command)
    let end = outcome.exitCode.map { "\($0)" } ?? "signal \(outcome.signal)"
    exitCodes[end, default: 0] += 1
    if outcome.seconds > slowest.seconds {
      slowest = (outcome.seconds, "execution \(number): \(execution.shortText())")
    }
    if outcome.peakBytes > largest.bytes {
      largest = (outcome.peakBytes, "execution \(number): \(execution.shortText())")
    }
  }

  var text: String {
    var lines = [
      "\(executionCount) executions of \(commands.count) commands, by exit code: "
        + exitCodes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        .joined(separator: ", "),
      "slowest: \((slowest.seconds * 1_000).rounded() / 1_000) s, \(slowest.text)",
      "largest: \(largest.bytes >> 20) MiB, \(largest.text)",
    ]
    lines += failures.sorted { $0.key < $1.key }.map { "failed \($0.value) times: \($0.key)" }
    lines += mistakes
    lines.append("\(failures.values.reduce(0, +)) failures")
    return lines.joined(separator: "\n")
  }
}

/// The folder with failures.
struct FuzzKeeping {
  var folder: String

  /// Keeps an execution: its files, and a script that runs it again.
  func keep(
    _ execution: FuzzCase, _ number: UInt64, _ failure: FuzzFailure, _ program: String
  ) throws {
    let place = "\(folder)/\(execution.command.joined(separator: "-"))-\(number)"
    try FuzzFolder.write(execution, to: place)
    let script = """
      #!/usr/bin/env bash
      # \(failure.kind) \(failure.detail.filter { !$0.isNewline })
      # Runs in a copy of the files; TRACECHECK names another program.
      folder=$(mktemp -d)
      cp -r "$(dirname "$0")/files/." "$folder" && cd "$folder" || exit 125
      \(execution.shellText("\"${TRACECHECK:-\(program)}\""))
      status=$?
      rm -r "$folder"
      exit $status

      """
    let path = place + "/command"
    try Data(script.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }
}
