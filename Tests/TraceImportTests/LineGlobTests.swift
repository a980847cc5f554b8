// Patterns of users for their own log lines.

import Testing
import TraceTestSupport

@testable import TraceImport

struct LineGlobTests {
  private func fields(_ pattern: String, _ line: String) throws -> [String]? {
    let bytes = Array(line.utf8)
    var fields: [Range<Int>] = []
    guard try LineGlob(pattern).matches(bytes.span, fields: &fields) else { return nil }
    return fields.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("sync began", "sync began", []),
      ("sync began", "sync began ", nil),
      ("sync <id> of <what>", "sync 12 of all notes", ["12", "all notes"]),
      ("sync <id> of <what>", "sync 12 for all notes", nil),
      ("*began <id>", "[Sync] began 7", ["7"]),
      ("[Sync] <what> done*", "[Sync] photos done in 3 s", ["photos"]),
      ("<a>-<b>", "1-2-3", ["1", "2-3"]),
      ("a<x>aa", "aaaa", ["a"]),
      ("a<x>aa", "aa", nil),
      (#"2 \* 3 \< <n> \\"#, #"2 * 3 < 7 \"#, ["7"]),
      ("größe <n>", "größe 5", ["5"]),
      ("ab*", "ab", []),
    ] as [(String, String, [String]?)])
  func matches(pattern: String, line: String, expected: [String]?) throws {
    #expect(try fields(pattern, line) == expected)
  }

  @Test(arguments: [
    ("*", "fits every line", 0),
    ("<a>", "fits every line", 0),
    ("", "fits every line", 0),
    ("x <a", "has no >", 2),
    ("x <>", "the name of a field", 2),
    ("x <1a>", "the name of a field", 2),
    ("x <a> <a>", "stands twice", 6),
    ("x *<a>", "two wildcards touch", 3),
    (#"x \n"#, "after a backslash", 2),
    (String(repeating: "x", count: LineGlob.bytesMax + 1), "has 513 bytes", 0),
    ((0...16).map { "<f\($0)> " }.joined(), "more than 16 fields", 86),
  ])
  func refusals(pattern: String, message: String, offset: Int) {
    let problem = #expect(throws: LineGlob.Problem.self) { try LineGlob(pattern) }
    #expect(problem?.message.contains(message) == true)
    #expect(problem?.offset == offset)
  }

  @Test func limitsAreReached() throws {
    let text = String(repeating: "x", count: LineGlob.bytesMax)
    #expect(try fields(text, text) == [])
    let most = (0..<LineGlob.fieldsMax).map { "<f\($0)> " }.joined()
    #expect(try LineGlob(most).fields.count == LineGlob.fieldsMax)
  }

  /// What a match says put together again is the line, whatever the line is.
  @Test func fieldsAndLiteralsMakeTheLine() throws {
    var random = SeededGenerator(seed: 11)
    let letters = Array("ab <>")
    for _ in 0..<20_000 {
      let line = String(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        })
      if let found = try fields("a<x>b<y>", line) {
        #expect("a\(found[0])b\(found[1])" == line)
        #expect(!found[0].contains("b"))
      } else {
        #expect(!line.hasPrefix("a") || !line.dropFirst().contains("b"))
      }
    }
  }
}
