// The forms of an answer, byte by byte.

import Testing
import TraceQuery

struct AnswerTests {
  private static let columns = ["a", "b,c", "a"]
  private static let rows: [[QueryValue]] = [
    [.integer(.max), .text(Array("x \"y\", z".utf8)), .null],
    [.real(0.5), .text([]), .blob([0x00, 0xFF])],
    [.real(.infinity), .text(Array("line\nline".utf8)), .integer(-1)],
  ]

  private static func text(
    _ format: AnswerFormat, _ columns: [String] = columns, _ rows: [[QueryValue]] = rows
  ) -> String {
    var writer = format.makeWriter()
    writer.begin(columns)
    for row in rows { writer.row(row) }
    writer.end()
    return String(decoding: writer.output, as: UTF8.self)
  }

  @Test func csvQuotesWhatNeedsIt() {
    let expected = [
      "a,\"b,c\",a", "9223372036854775807,\"x \"\"y\"\", z\",", "0.5,\"\",00ff",
      "inf,\"line\nline\",-1", "",
    ]
    #expect(Self.text(.csv) == expected.joined(separator: "\r\n"))
  }

  @Test func csvHarmsNeitherATerminalNorASpreadsheet() {
    let cells: [(text: String, shown: String)] = [
      ("=HYPERLINK(1)", "'=HYPERLINK(1)"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"),
      ("a=1", "a=1"),
      ("\u{1B}[2Jx", "\\u{1B}[2Jx"), ("a\rb", "a\\u{D}b"), ("\u{202E}x", "\\u{202E}x"),
      ("=\"a\"\nb\tc", "\"'=\"\"a\"\"\nb\tc\""), ("\t=1", "'\t=1"), (" =1", "' =1"),
      ("\n\t+1", "\"'\n\t+1\""), ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠x", "'＠x"),
      ("\t＝1", "'\t＝1"), ("\ta", "'\ta"), ("＜1", "＜1"), ("::error::x", "\\u{3A}:error::x"),
      ("a\n::error::x", "\"a\n\\u{3A}:error::x\""), ("a##[error]x", "a#\\u{23}[error]x"),
    ]
    for cell in cells {
      #expect(Self.text(.csv, ["a"], [[.text(Array(cell.text.utf8))]]) == "a\r\n\(cell.shown)\r\n")
    }
    #expect(Self.text(.csv, ["a"], [[.integer(-1)]]) == "a\r\n-1\r\n")
  }

  @Test func aRowOfNothingIsARow() {
    #expect(Self.text(.csv, ["a"], [[.null], [.integer(1)]]) == "a\r\n\"\"\r\n1\r\n")
  }

  @Test func noBytesAreAnEmptyText() {
    #expect(
      Self.text(.csv, ["a", "b"], [[.blob([]), .null], [.text([]), .blob([0])]])
        == "a,b\r\n\"\",\r\n\"\",00\r\n")
    #expect(Self.text(.csv, ["a"], [[.blob([])]]) == "a\r\n\"\"\r\n")
  }

  @Test func jsonIsExactAndHasNoNameTwice() {
    let expected = """
      [
      {"a":9223372036854775807,"b,c":"x \\"y\\", z","a_2":null},
      {"a":0.5,"b,c":"","a_2":"00ff"},
      {"a":null,"b,c":"line\\nline","a_2":-1}
      ]

      """
    #expect(Self.text(.json) == expected)
    #expect(Self.text(.json, ["a"], []) == "[]\n")
  }

  @Test func jsonGivesNoOrdersAndMeansTheSame() {
    let text = Array("##[error]\u{202E}\u{E0041}".utf8)
    #expect(
      Self.text(.jsonl, ["##[a"], [[.text(text)]])
        == "{\"#\\u0023[a\":\"#\\u0023[error]\\u202e\\udb40\\udc41\"}\n")
  }

  @Test func jsonLinesAreObjects() {
    #expect(Self.text(.jsonl, ["a"], [[.integer(1)], [.null]]) == "{\"a\":1}\n{\"a\":null}\n")
    #expect(Self.text(.jsonl, ["a"], []) == "")
  }

  @Test func aTableIsAlignedAndHarmless() {
    let rows: [[QueryValue]] = [
      [.text(Array("日本".utf8)), .integer(5)], [.text(Array("\u{1B}[2J".utf8)), .null],
      [.text([]), .integer(-12)],
    ]
    let expected = """
      name         n
      ---------  ---
      日本         5
      \\u{1B}[2J
                 -12

      """
    #expect(Self.text(.table, ["name", "n"], rows) == expected)
    #expect(Self.text(.table, ["name"], []) == "name\n----\n")
  }

  @Test func aTableKeepsToTheWidthOfItsFirstRows() {
    var rows = [[QueryValue]](repeating: [.integer(1), .text([0x78])], count: 1_000)
    rows.append([.integer(123_456), .text([0x78])])
    let lines = Self.text(.table, ["n", "t"], rows).split(separator: "\n")
    #expect(lines.count == 1_003)
    #expect(lines[1_001] == "1  x")
    #expect(lines[1_002] == "123456  x")
  }

  @Test func textsAreCutInTables() {
    let long: [[QueryValue]] = [[.text([UInt8](repeating: 0x78, count: 5_000))]]
    let lines = Self.text(.table, ["t"], long).split(separator: "\n")
    #expect(lines[2].count == 401)
    #expect(lines[2].last == "…")
  }
}
