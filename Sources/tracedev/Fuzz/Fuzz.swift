// Runs every command of the program over damaged inputs and extreme values: none may trap, stand
// still, take memory without bound, or end with an exit code that isn't documented.

import ArgumentParser
import Foundation

/// Runs executions for some minutes; exits with 1 if one fails.
///
/// The commands and options are those that the program tells itself. Executions are numbered: the
/// same seed makes the same ones in the same order, and time decides how many of them are run.
struct Fuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Every command of tracecheck over damaged inputs and extreme values.")

  @Option(help: "How long to go on.")
  var minutes = 2.0

  @Option(help: "The seed of all executions.")
  var seed: UInt64 = 1

  @Option(help: "The program to run. (default: tracecheck beside this program)")
  var tool: String?

  @Option(help: "A folder for failures, each with its files and a script that runs it again.")
  var keep: String?

  @Option(help: "Run only the execution of this number, and keep it as it is.")
  var execution: UInt64?

  @Option(help: "How many run at once. (default: one for each core)")
  var jobs: Int?

  func validate() throws {
    // A week; more is a slip.
    guard minutes >= 0, minutes <= 10_080 else { throw ValidationError("--minutes is 0 to 10080") }
    guard (1...256).contains(jobs ?? 1) else { throw ValidationError("--jobs is 1 to 256") }
  }

  func run() throws {
    let process = FuzzProcess(program: try program())
    // Also removed when a signal ends the run.
    let scratch = try BenchFolder.url().path
    defer { BenchFolder.remove() }
    let answers = FuzzAnswers(process: process, folder: scratch + "/answers")
    let commands = try FuzzGrammar.withWords(
      FuzzGrammar.commands(toldBy: answers.answer(["--experimental-dump-help"])), answers)
    let generator = FuzzGenerator(commands: commands, seeds: try FuzzSeeds(answers), seed: seed)
    let workers = FuzzWorkers(
      generator, process, scratch: scratch, keep: keep.map(Self.wholePath), seconds: minutes * 60)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let result = try execution.map(workers.run(only:)) ?? workers.run(jobs: jobs ?? cores)
    print(result.text)
    if !result.failures.isEmpty || !result.mistakes.isEmpty { throw ExitCode(1) }
  }

  private func program() throws -> String {
    let beside = Bundle.main.executableURL?.deletingLastPathComponent()
      .appendingPathComponent("tracecheck").path
    let path = Self.wholePath(tool ?? beside ?? "tracecheck")
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw ValidationError("there is no program at \(path); --tool names it")
    }
    return path
  }

  private static func wholePath(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
