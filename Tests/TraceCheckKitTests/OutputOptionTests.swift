// Commands that write a trace: they say in the same words where it goes and in which format.

import Testing

@Suite(.enabled(if: Executable.isExpected, "the program isn't built beside these tests"))
struct OutputOptionTests {
  private static let output =
    "  -o, --output <out>      The file to write, or - for standard output."
  private static let format =
    "  --to <format>           The format to write: lctrace, ndjson or timeline; the extension of"
    + " the output decides if not given."

  /// The help of a command, each option on a line.
  private func help(_ command: String) throws -> [Substring] {
    let outcome = try Executable.run([command, "--help"], environment: ["COLUMNS": "200"])
    #expect(outcome.status == 0)
    return outcome.output.split(separator: "\n")
  }

  @Test(arguments: ["convert", "filter", "merge", "redact", "bundle"])
  func theyShareTheirWords(command: String) throws {
    let lines = try help(command)
    let place = try #require(lines.firstIndex { $0 == Self.output })
    #expect(lines.count > place + 1 && lines[place + 1] == Self.format)
  }

  @Test func simulateHasItsOwnWordsForThePlace() throws {
    let lines = try help("simulate")
    let own = "\(Self.output.dropLast()); with --count a directory, in which each trace appears"
    let place = try #require(lines.firstIndex { $0.hasPrefix(own) })
    #expect(lines.count > place + 1 && lines[place + 1] == Self.format)
  }

  /// Those that can do something else too ask for the file themselves.
  @Test(
    arguments: [
      (["convert", "x"], "convert needs a file to write: name it with -o, or use --dry-run"),
      (["simulate"], "simulate needs a file to write: name it with -o, - for standard output"),
      (["bundle", "x", "--finding", "1"], "bundle needs a file to write: name it with -o"),
      (["filter", "x"], "Missing expected argument '--output <out>'"),
      (["merge", "x"], "Missing expected argument '--output <out>'"),
      (["redact", "x"], "Missing expected argument '--output <out>'"),
    ])
  func withoutAPlaceNothingIsWritten(arguments: [String], message: String) throws {
    let outcome = try Executable.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output == "")
  }
}
