// No file makes the reader trap, hang or grow.

import Testing
import TraceConfiguration
import TraceTestSupport

struct HostileFileTests {
  private func codes(_ text: String) -> [ConfigurationProblem.Code] {
    ConfigurationFile.parse(text, name: "c.yml").problems.map(\.code)
  }

  @Test func aliasesCanNotGrow() {
    var bomb = "tracecheck: 1\na0: &a0 [x, x]\n"
    for level in 1...60 { bomb += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    #expect(codes(bomb).contains(.noAliases))
    #expect(codes("tracecheck: 1\nskip: &a LC001\nonly: *a\n").contains(.noAliases))
    #expect(codes("tracecheck: 1\n<<: {fail_on: error}\n") == [.unknownKey])
  }

  @Test func bytesAreBounded() {
    let start = "tracecheck: 1\n#"
    let filler = String(
      repeating: "x", count: ConfigurationLimits.bytesMax - start.utf8.count)
    #expect(codes(start + filler) == [])
    #expect(codes(start + filler + "x") == [.tooLarge])
    #expect(
      ConfigurationFile.parse(Array((start + filler + "x").utf8), name: "c.yml").problems
        .map(\.code) == [.tooLarge])
  }

  @Test(arguments: [10, 63, 64, 65, 1_000, 100_000])
  func depthIsBounded(depth: Int) {
    let text =
      "tracecheck: 1\nx: " + String(repeating: "[", count: depth)
      + String(repeating: "]", count: depth)
    #expect(codes(text).contains(.tooDeep) == (depth > 63))
  }

  @Test func listsAreBounded() {
    let apps = (0...ConfigurationLimits.appsMax).map { "  a\($0): {}\n" }.joined()
    #expect(codes("tracecheck: 1\napps:\n" + apps) == [.tooMany])
    let files = (0...ConfigurationLimits.ruleFilesMax).map { "  - f\($0)\n" }.joined()
    #expect(codes("tracecheck: 1\nrule_files:\n" + files) == [.tooMany])
    let one = "  - {rule: LC001, subject: a, reason: b}\n"
    let most = String(repeating: one, count: ConfigurationLimits.suppressionsMax)
    #expect(codes("tracecheck: 1\nsuppressions:\n" + most) == [])
    #expect(codes("tracecheck: 1\nsuppressions:\n" + most + one) == [.tooMany])
    let pattern = String(repeating: "*", count: ConfigurationLimits.patternScalarsMax)
    #expect(codes("tracecheck: 1\napps: {\"\(pattern)\": {}}\n") == [])
    #expect(codes("tracecheck: 1\napps: {\"\(pattern)*\": {}}\n") == [.badPattern])
  }

  @Test func problemsAreBounded() {
    let keys = (0..<20_000).map { "LC\($0)x: on" }.joined(separator: ", ")
    let codes = codes("tracecheck: 1\nrules: {\(keys)}\n")
    #expect(codes.count == ConfigurationLimits.problemsMax)
    #expect(codes.contains(.tooMany))
  }

  @Test func bytesThatAreNoTextAreToldAtTheirPlace() {
    let bytes = Array("tracecheck: 1\nskip: [ä".utf8) + [0xFF, 0x5D]
    let problems = ConfigurationFile.parse(bytes, name: "c.yml").problems
    #expect(problems.map(\.code) == [.notYAML])
    #expect(problems.first?.line == 2 && problems.first?.column == 9)
    #expect(codes("tracecheck: 1\nx: \u{0}") == [.notYAML])
    #expect(codes("tracecheck: 1\nx: a\u{1B}[31m") == [.notYAML])
  }

  private static let sample = """
    tracecheck: 1
    fail_on: warning
    profile: ios8
    severities: {LC003: note}
    thresholds:
      LC003: 8s
      LC002.grace: 250ms
    rules: {graphics: off, LC004: on}
    only: [LC001, 'watchdog']
    rule_files: ["a.yaml"]
    suppressions:
      - rule: LC001
        subject: "sy*"
        fingerprint: v1:0123456789abcdef
        reason: >-
          known
        expires: 2026-03-01
    apps:
      com.example.*: {thresholds: {LC003: 4s}, profile: ios7}
      "*": {suppressions: [{rule: LC002, trace: "a*", reason: b}]}

    """

  @Test(arguments: 0..<8)
  func editedBytesDoNoHarm(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let sample = Array(Self.sample.utf8)
    let special = Array("\"'&*!?[]{}:,-#|> \n\t\0%@`<=~".utf8) + [0x80, 0xC2, 0xFF, 0xEF]
    for _ in 0..<250 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] = special.randomElement(using: &generator) ?? 0
        case 2: bytes.insert(special.randomElement(using: &generator) ?? 0, at: place)
        case 3:
          let end = min(bytes.count, place + Int.random(in: 1...30, using: &generator))
          bytes.removeSubrange(place..<end)
        default:
          let end = min(bytes.count, place + Int.random(in: 1...60, using: &generator))
          bytes.insert(contentsOf: bytes[place..<end], at: place)
        }
      }
      let (_, problems) = ConfigurationFile.parse(bytes, name: "c.yml")
      #expect(problems.count <= ConfigurationLimits.problemsMax + 200, "seed \(seed)")
      for problem in problems {
        #expect(problem.line >= 1 && problem.column >= 1, "seed \(seed)")
        #expect(!problem.text.isEmpty)
      }
    }
  }

  @Test func everyBeginningDoesNoHarm() {
    let sample = Array(Self.sample.utf8)
    #expect(ConfigurationFile.parse(sample, name: "c.yml").problems.map(\.text) == [])
    for count in 0..<sample.count {
      _ = ConfigurationFile.parse(Array(sample[..<count]), name: "c.yml")
    }
  }
}
