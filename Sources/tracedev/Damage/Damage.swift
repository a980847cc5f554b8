// Every damage of a small capture: each byte set to many values, every cut, and blocks in another
// order. What must come out is known from how the capture was made, and not from a reader.

import ArgumentParser
import Foundation

/// Damages three traces and a journal in every place; exits with 1 if a promise is broken.
struct Damage: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Traces and a journal with every byte changed, cut everywhere, in another order.")

  @Option(help: "Captures of this name only: rows, columns, index or journal.")
  var only: String?

  @Option(help: "How many threads. (default: one for each core)")
  var jobs: Int?

  @Option(help: "The seed of the traces.")
  var seed: UInt64 = 1

  @Flag(help: "All values also for those bytes of the journal that nothing is written to.")
  var all = false

  @Option(help: "A folder to write some mutants into, instead of reading all of them here.")
  var samples: String?

  func validate() throws {
    guard (1...256).contains(jobs ?? 1) else { throw ValidationError("--jobs is 1 to 256") }
  }

  func run() throws {
    // Also removed when a signal ends the run; a mutant that ends the run itself stays there.
    let scratch = try BenchFolder.url().path
    defer { BenchFolder.remove() }
    let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    var sum = DamageTally()
    for form in KnownTrace.Form.allCases where only == nil || only == form.rawValue {
      let trace = try KnownTrace(form, seed: seed)
      let sweep = try TraceDamage(trace, scratch: scratch)
      if samples != nil {
        try save(form.rawValue, trace.bytes, sweep.mutations) { trace.damaged($0) }
        continue
      }
      sum.add(
        try report("\(form): \(trace.summary)", sweep.mutations, jobs) { try sweep.judging($0) })
    }
    if only == nil || only == "journal" {
      let journal = try KnownJournal(folder: scratch)
      let sweep = try JournalDamage(journal, sparesNothing: all)
      if samples != nil {
        try save("journal", journal.bytes, sweep.mutations) { journal.damaged($0) }
      } else {
        sum.add(
          try report("journal: \(journal.summary)", sweep.mutations, jobs) { sweep.judging($0) })
      }
    }
    if samples != nil { return }
    guard sum.mutantCount > 0 else { throw ValidationError("there is no capture of that name") }
    print("all together: \(sum.text)")
    if !sum.failures.isEmpty { throw ExitCode(1) }
  }

  /// Judges all damages of a capture, and prints what came out.
  private func report<Judge: DamageJudge>(
    _ what: String, _ mutations: Mutations, _ jobs: Int,
    _ judging: @Sendable (_ worker: Int) throws -> Judge
  ) throws -> DamageTally {
    let start = ContinuousClock.now
    let tally = try DamageWorkers().run(mutations, jobs: jobs, judging)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(what); \(mutations.summary): \(tally.text); \((seconds * 10).rounded() / 10) s")
    for failure in tally.failures { print("FAILED: \(failure)") }
    return tally
  }

  /// Writes the capture and some of its mutants, each with the damage as its name.
  private func save(
    _ name: String, _ bytes: [UInt8], _ mutations: Mutations, _ damaged: (Mutation) -> [UInt8]
  ) throws {
    guard let samples else { return }
    let folder = URL(fileURLWithPath: samples).appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appendingPathComponent("whole"))
    for number in mutations.sample(count: Self.sampleCount) {
      let mutation = mutations[number]
      try Data(damaged(mutation)).write(to: folder.appendingPathComponent(mutation.name))
    }
  }

  private static let sampleCount = 60
}

/// Judges one mutant after the other, on one thread.
protocol DamageJudge: SendableMetatype {
  mutating func judge(_ mutation: Mutation, _ tally: inout DamageTally) throws
}

/// What became of some mutants.
struct DamageTally: Sendable {
  private(set) var mutantCount = 0
  /// Blocks, or events of a journal, that no damage touched and that didn't come out.
  private(set) var lostCount = 0
  /// Blocks, or events of a journal, that came out and never stood at their place.
  private(set) var inventedCount = 0
  /// Mutants of which nothing says that they are damaged.
  private(set) var unnamedCount = 0
  /// What was wrong, of the first few.
  private(set) var failures: [String] = []

  private static let failuresMax = 5

  /// Takes note of a mutant.
  mutating func add(_ mutation: Mutation, lost: Int, invented: Int, isUnnamed: Bool, _ how: String)
  {
    mutantCount += 1
    lostCount += lost
    inventedCount += invented
    unnamedCount += isUnnamed ? 1 : 0
    guard lost > 0 || invented > 0 || isUnnamed, failures.count < Self.failuresMax else { return }
    let unnamed = isUnnamed ? ", and the damage isn't named" : ""
    failures.append("\(mutation.name), \(how): \(lost) lost, \(invented) invented\(unnamed)")
  }

  mutating func add(_ other: DamageTally) {
    mutantCount += other.mutantCount
    lostCount += other.lostCount
    inventedCount += other.inventedCount
    unnamedCount += other.unnamedCount
    failures += other.failures.prefix(Self.failuresMax - min(Self.failuresMax, failures.count))
  }

  var text: String {
    "\(mutantCount) readings, intact lost \(lostCount), invented \(inventedCount), "
      + "unnamed \(unnamedCount)"
  }
}
