// `merge-reports`: joins the JSON Lines reports of shards.

import ArgumentParser
import TraceExport
import TraceIO
import TracePipeline

struct MergeReportsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-reports",
    abstract: "Joins JSON Lines reports of several calls into one.",
    discussion: """
      The order of the files doesn't matter, merged reports can be merged again, and a line that \
      occurs twice is kept once: four shards of a directory merged are the report of one call. \
      Lines are sorted by path. The exit status is that of the one call.

      Example:
        tracecheck check captures/ --shard 1/4 --report jsonl=1.jsonl
        tracecheck merge-reports *.jsonl -o all.jsonl
      """)

  @Argument(help: ArgumentHelp("Reports, or - for standard input.", valueName: "file"))
  var paths: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, instead of standard output.", valueName: "file"))
  var output: String?

  @Option(help: "The lowest severity that makes the exit status 1.")
  var failOn: FailureLevel = .error

  @Flag(help: "Exit with 0 or 1 although an input was unreadable or damaged.")
  var allowDamaged = false

  func run() throws {
    if paths.contains("") { throw UsageError("the name of a report is empty") }
    if paths.filter({ $0 == CaptureInputs.standardInput }).count > 1 {
      throw UsageError("standard input can be read only once, and - is given twice")
    }
    var places = OutputPlaces(inputs: paths)
    if let output { try places.add(output) }
    var merge = ReportMerge()
    var isDamaged = false
    for path in paths {
      let isWhole = try read(path, into: &merge)
      isDamaged = isDamaged || !isWhole
    }
    try write(merge.sortedLines())
    let status = CommandStatus.ofCheck(
      merge.summary, failOn: failOn, allowsDamaged: allowDamaged)
    throw CommandExit(code: isDamaged && !allowDamaged ? .damagedInput : status)
  }

  private func write(_ lines: [[UInt8]]) throws {
    // A report may be a stranger's, who escapes nothing that JSON lets through.
    func shown(_ line: [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = []
      PrintableText.appendEscaped(line, to: &bytes)
      return bytes + [UInt8(ascii: "\n")]
    }
    guard let output else {
      var stream = OutputStream.standardOutput
      for line in lines { try stream.write(shown(line)) }
      return
    }
    var file = try OutputFile(path: output)
    for line in lines { try file.write(shown(line)) }
    try file.commit()
  }

  private static let problemsMax = 20

  /// Reads a report line by line. Returns whether every line was one.
  private func read(_ path: String, into merge: inout ReportMerge) throws -> Bool {
    var file = try InputFile(path: path)
    var lines = ReportLines()
    var problemCount = 0
    var isOpen = true
    while isOpen {
      var bytes: [UInt8] = []
      switch try file.read(into: &bytes, limit: 262_144) {
      case .end: isOpen = false
      case .bytes: break
      case .timeout, .interrupted: continue
      }
      do throws(ReportLines.Failure) {
        try lines.take(bytes, isLast: !isOpen) { (number, line) throws(ReportLines.Failure) in
          do throws(ReportMerge.Problem) {
            try merge.add(line)
          } catch {
            problemCount += 1
            if problemCount <= Self.problemsMax {
              tell(path, "\(number):\(max(1, error.column)): \(error.message)")
            }
          }
        }
      } catch {
        tell(path, "\(error.line):1: the line is longer than \(ReportMerge.lineBytesMax) bytes")
        return false
      }
    }
    if problemCount > Self.problemsMax {
      tell(path, " \(problemCount - Self.problemsMax) more lines can't be used")
    }
    return problemCount == 0
  }

  private func tell(_ path: String, _ text: String) {
    printProblems(Array("\(PrintableText.printable(path)):\(text)\n".utf8))
  }
}

/// Cuts bytes into lines.
private struct ReportLines {
  struct Failure: Error {
    var line: Int
  }

  private var rest: [UInt8] = []
  private var number = 0

  /// Takes the next bytes, and hands out what is complete; empty lines are passed over.
  mutating func take(
    _ bytes: [UInt8], isLast: Bool, _ body: (Int, [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      rest.append(contentsOf: bytes[start..<end])
      try handOut(body)
      start = end + 1
    }
    rest.append(contentsOf: bytes[start...])
    if rest.count > ReportMerge.lineBytesMax { throw Failure(line: number + 1) }
    if isLast { try handOut(body) }
  }

  private mutating func handOut(_ body: (Int, [UInt8]) throws(Failure) -> Void) throws(Failure) {
    number += 1
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    if !rest.isEmpty { try body(number, rest) }
    rest.removeAll(keepingCapacity: true)
  }
}
