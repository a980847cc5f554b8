// `rules check`: what is wrong with users' rule files, and how much memory their rules may take.

import ArgumentParser
import TraceExport
import TracePipeline
import TraceRuleFile
import TraceRules

struct RulesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks files with rules of your own.",
    discussion: """
      Prints every mistake with its place, and for each rule the most memory that it takes, \
      whatever the trace. Exit status 2 if there are errors; warnings are none.
      """)

  @Argument(
    help: ArgumentHelp("Files with rules, or - for standard input.", valueName: "file"))
  var paths: [String]

  func run() throws {
    let loader = try RuleFileLoader(reading: paths)
    var text = ""
    var count = 0
    for file in loader.files {
      for rule in file.rules {
        text += "\(file.name): \(rule.id): \(MemoryBound.of(rule).text)\n"
        count += 1
      }
    }
    text += Counted.text(count, "rule") + ", "
    text += Counted.text(loader.problems.errorCount, "error") + ", "
    text += Counted.text(loader.problems.warningCount, "warning") + "\n"
    printProblems(Array(loader.problems.lines.utf8))
    try printOutput(text)
    if loader.problems.hasErrors { throw CommandExit(code: .usage) }
  }
}

struct RulesTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs the examples of rules of your own.",
    discussion: """
      Each example is judged by its own rule alone. Exit status 1 if one isn't judged as it says, \
      2 if a file has errors.
      """)

  @Argument(
    help: ArgumentHelp("Files with rules, or - for standard input.", valueName: "file"))
  var paths: [String]

  func run() throws {
    let loader = try RuleFileLoader(reading: paths)
    printProblems(Array(loader.problems.lines.utf8))
    if loader.problems.hasErrors { throw CommandExit(code: .usage) }
    var text = ""
    var failureCount = 0
    for file in loader.files {
      for rule in file.rules {
        let start = "\(file.name): \(rule.id)"
        if rule.examples.isEmpty { text += "\(start): no examples\n" }
        for (index, example) in rule.examples.enumerated() {
          guard let failure = ExampleRun(of: example, rule).failure else { continue }
          failureCount += 1
          let remark = RulePage.oneLine(example.remark)
          text += "\(start): example \(index + 1) fails"
          text += remark.isEmpty ? "\n" : ": \(remark)\n"
          text += failure.lines.map { "    \($0)\n" }.joined()
        }
      }
    }
    let rules = loader.rules
    text += Counted.text(rules.count, "rule") + ", "
    text += Counted.text(rules.reduce(0) { $0 + $1.examples.count }, "example") + ", "
    text += Counted.text(failureCount, "failure") + "\n"
    try printOutput(text)
    if failureCount > 0 { throw CommandExit(code: .findings) }
  }
}

extension RuleFileLoader {
  /// Reads the files that a command names.
  fileprivate init(reading paths: [String]) throws(UsageError) {
    self.init()
    if paths.contains("") { throw UsageError("the name of a file is empty; name files with rules") }
    if paths.filter({ $0 == "-" }).count > 1 {
      throw UsageError("standard input can be read only once, and - is given twice")
    }
    for path in paths { load(path, origin: "tracecheck") }
  }
}

/// Numbers with nouns.
enum Counted {
  static func text(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
