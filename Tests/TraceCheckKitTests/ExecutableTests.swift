// The program from the outside: for every bad input its message, its exit status, and the good
// inputs of the same call.

import Foundation
import Testing

@Suite(.enabled(if: Executable.isExpected, "the program isn't built beside these tests"))
struct ExecutableTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "tracecheck-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private static let header = """
    {"header":{"format":"tracecheck-ndjson","version":1,"app_bundle_id":"com.example.notes",\
    "os_version":"8.1.0","sdk_linked":"8.1","background_modes":[],"coverage":["*"]}}

    """

  /// A trace whose background entry takes 6.2 s.
  private static let slow =
    header + """
      {"t_ns":0,"event":"proc.start","args":{"into":"foreground","reason":"user_icon"}}
      {"t_ns":100000000,"event":"delegate.did_become_active","duration_ns":1000000}
      {"t_ns":2000000000,"event":"delegate.will_resign_active","duration_ns":1000000}
      {"t_ns":2500000000,"event":"delegate.did_enter_background","phase":"enter"}
      {"t_ns":8700000000,"event":"delegate.did_enter_background","phase":"return"}
      {"t_ns":8800000000,"event":"trace.end","args":{"reason":"clean"}}

      """

  private static let clean =
    header + """
      {"t_ns":0,"event":"proc.start","args":{"into":"foreground","reason":"user_icon"}}
      {"t_ns":900000000,"event":"trace.end","args":{"reason":"clean"}}

      """

  private func file(_ name: String, _ text: String) throws -> String {
    try file(name, Array(text.utf8))
  }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = folder + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// CRC-32C, bit by bit: a file of another version has a valid signature.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var value: UInt32 = .max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    return ~value
  }

  @Test func findingsDecideTheStatus() throws {
    let slow = try file("slow.ndjson", Self.slow)
    let only = ["--only", "LC003"]
    let outcome = try Executable.run(["check", slow] + only)
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("error LC003 watchdog/did-enter-background-over-5s  \(slow)"))
    #expect(outcome.errors == "")
    #expect(try Executable.run(["check", slow, "--fail-on", "never"] + only).status == 0)
    #expect(try Executable.run(["check", slow, "--threshold", "LC003=8s"] + only).status == 0)
    #expect(try Executable.run(["check", slow, "--severity", "LC003=warning"] + only).status == 0)
    #expect(try Executable.run(["check", slow, "--skip", "watchdog"]).status == 0)
    #expect(try Executable.run(["check", slow, "--skip", "watchdog"] + only).status == 2)
    let clean = try Executable.run(["check", try file("clean.ndjson", Self.clean)])
    #expect(clean.status == 0)
    #expect(clean.output.contains("check: no findings\n"))
  }

  @Test func badInputsAreNamedAndTheOthersStillChecked() throws {
    let slow = try file("slow.ndjson", Self.slow)
    try FileManager.default.createDirectory(
      atPath: folder + "/nothing", withIntermediateDirectories: true)
    let lctrace = folder + "/good.lctrace"
    #expect(try Executable.run(["convert", slow, "-o", lctrace]).status == 0)
    var future = try bytes(lctrace)
    future[8] = 9
    let check = Self.checksum(future.prefix(10))
    future[10] = UInt8(truncatingIfNeeded: check)
    future[11] = UInt8(truncatingIfNeeded: check >> 8)
    let cases: [(path: String, message: String)] = [
      (folder + "/missing.ndjson", "can't open it"),
      (folder + "/nothing", "the directory holds no captures"),
      (try file("empty.ndjson", ""), "it is empty"),
      (try file("x.png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]), "a PNG image"),
      (try file("future.lctrace", future), "version 9"),
      (
        try file("future.ndjson", #"{"header":{"format":"tracecheck-ndjson","version":2}}"# + "\n"),
        "version"
      ),
      (try file("bad.ndjson", Self.clean + "{\"t_ns\":1,]\n"), ":4:"),
    ]
    for (path, message) in cases {
      let outcome = try Executable.run(["check", path, slow, "--only", "LC003"])
      #expect(outcome.status == 3, "\(path)")
      #expect(outcome.errors.hasPrefix(path + ":") && outcome.errors.contains(message), "\(path)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      #expect(outcome.output.contains("error LC003"), "\(path)")
      let allowed = try Executable.run(
        ["check", path, slow, "--only", "LC003", "--allow-damaged"])
      #expect(allowed.status == 1, "\(path)")
    }
  }

  @Test func aCutTraceIsNormalLife() throws {
    let slow = try file("slow.ndjson", Self.slow)
    #expect(try Executable.run(["convert", slow, "-o", folder + "/a.lctrace"]).status == 0)
    let whole = try bytes(folder + "/a.lctrace")
    let cut = try file("cut.lctrace", Array(whole.prefix(whole.count * 2 / 3)))
    #expect(try Executable.run(["check", cut]).status == 0)
  }

  @Test(arguments: [
    (["check", "--bogus", "x"], "--bogus"),
    (["chekc"], "did you mean 'check'?"),
    (["check"], "nothing to check"),
    (["check", "x", "--only", "LC03"], "did you mean 'LC003'?"),
    (["check", "x", "--report", "jsno"], "did you mean 'json'?"),
    (["check", "x", "--report", "pdf"], "there are text, json, jsonl, sarif, junit, github"),
    (["check", "x", "--sarif-anchor", ""], "--sarif-anchor names no file"),
    (["check", "x", "--report", "json", "--report", "text"], "can't both go to standard output"),
    (["check", "x", "--profile", "ios99"], "profile"),
    (["check", "x", "--from", "ndjsn"], "did you mean 'ndjson'?"),
    (["check", "x", "--header", "os_versoin=8"], "did you mean 'os_version'?"),
    (["check", "x", "--header", "simulator=maybe"], "true or false"),
    (["check", "x", "--threshold", "LC003=quick"], "a duration such as"),
    (["check", "x", "--severity", "LC003=fatal"], "severity"),
    (["check", "x", "--fail-on", "fatal"], "fatal"),
    (["check", "x", "--record", "r.lctrace"], "standard input"),
    (["check", "-", "-"], "read only once"),
    (["check", "x", "--jobs", "0"], "--jobs"),
    (["check", "x", "--measures", "--report", "text"], "--report jsonl=FILE"),
    (["check", "x", "--keep-copies", "--together"], "leave out --keep-copies"),
    (["explain", "LC999"], "'tracecheck rules' lists them all"),
    (["convert", "x", "-o", "y.txt"], "--to"),
    (["cat", "x", "--after", "soon"], "a duration such as"),
  ])
  func mistakesInTheCommandLineExitWith2(arguments: [String], message: String) throws {
    let outcome = try Executable.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output == "")
  }

  @Test func everyFormatReportsTheSame() throws {
    let slow = try file("slow.ndjson", Self.slow)
    let inputs = [slow, folder + "/a.lctrace", folder + "/b.timeline"]
    for path in inputs.dropFirst() {
      #expect(try Executable.run(["convert", slow, "-o", path]).status == 0)
    }
    var reports: [String] = []
    for path in inputs {
      let outcome = try Executable.run(["check", path, "--report", "jsonl", "--only", "LC003"])
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      let findings = try #require(report["findings"] as? [[String: Any]])
      reports.append("\(report["trace_id"] ?? "") \(findings.map { $0["fingerprint"] ?? "" })")
    }
    #expect(Set(reports).count == 1)
    let together = try Executable.run(["check"] + inputs + ["--only", "LC003"])
    #expect(together.output.contains("1 error, 0 warnings, 0 notes; 1 trace, 8 events; 2 copies"))
  }

  @Test func standardInputIsReadAndRecorded() throws {
    let kept = folder + "/kept.lctrace"
    let outcome = try Executable.run(
      ["check", "-", "--record", kept, "--only", "LC003"], input: Self.slow)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("  -  8.7s into launch 1\n"))
    #expect(try Executable.run(["check", kept, "--only", "LC003"]).status == 1)
    let names = try file("names", "\(kept)\n\n")
    #expect(try Executable.run(["check", "--files-from", names, "--only", "LC003"]).status == 1)
    let nul = try Executable.run(
      ["check", "--files-from", "-", "-0", "--only", "LC003"], input: "\(kept)\0")
    #expect(nul.status == 1)
  }

  @Test func reportsGoToFiles() throws {
    let slow = try file("slow.ndjson", Self.slow)
    let report = folder + "/report.json"
    let arguments = ["check", slow, "--only", "LC003", "--report", "json=\(report)"]
    let outcome = try Executable.run(arguments)
    #expect(outcome.output == "")
    let first = try bytes(report)
    #expect(first.starts(with: Array("{\"schema_version\":1,".utf8)))
    #expect(try Executable.run(arguments).status == 1)
    #expect(try bytes(report) == first)
    let refused = try Executable.run(
      ["check", slow, "--report", "json=\(folder)/none/report.json"])
    #expect(refused.status == 2)
  }

  @Test func coloursFollowTheOptionAndTheEnvironment() throws {
    let slow = try file("slow.ndjson", Self.slow)
    let always = try Executable.run(["check", slow, "--color", "always"])
    #expect(always.output.contains("\u{1B}[31m"))
    #expect(!(try Executable.run(["check", slow])).output.contains("\u{1B}"))
  }

  @Test func informationalCommandsWork() throws {
    let slow = try file("slow.ndjson", Self.slow)
    #expect(try Executable.run(["--version"]).output.hasPrefix("0."))
    #expect(try Executable.run(["check", "--help"]).status == 0)
    let cat = try Executable.run(["cat", slow, "--kind", "delegate.did_enter*", "--before", "3s"])
    #expect(cat.output.contains("2.5s") && !cat.output.contains("8.7s"))
    let info = try Executable.run(["info", slow, "--format", "json"])
    #expect(info.output.contains("\"events\":8,"))
    #expect(info.output.contains("\"completeness\":\"complete\""))
    let vocabulary = try Executable.run(["vocabulary", "--format", "json"])
    #expect(try JSONSerialization.jsonObject(with: Data(vocabulary.output.utf8)) is [String: Any])
    #expect(try Executable.run(["vocabulary"]).output.contains("\tbgtask.begin\t"))
    #expect(try Executable.run(["explain", "lc003"]).output.hasPrefix("LC003  "))
    let rules = try Executable.run(["rules", "--format", "json"])
    #expect(try JSONSerialization.jsonObject(with: Data(rules.output.utf8)) is [Any])
    #expect(try Executable.run(["rules"]).output.contains("LC003  error"))
  }
}
