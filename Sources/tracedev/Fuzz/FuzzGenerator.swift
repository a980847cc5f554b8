// Makes executions: a command, some of its options, values for them, and inputs. The same number
// makes the same execution. This file must not know how they are run or judged.

import TraceTestSupport

/// Makes executions from numbers.
struct FuzzGenerator: Sendable {
  var commands: [FuzzCommand]
  var seeds: FuzzSeeds
  var seed: UInt64

  func execution(_ number: UInt64) -> FuzzCase {
    let random = SeededGenerator(seed: seed &* 0x1_0000_0000 &+ number)
    var making = FuzzMaking(seeds: seeds, random: random)
    return making.execution(commands)
  }
}

/// One execution while it is made.
private struct FuzzMaking {
  let seeds: FuzzSeeds
  var random: SeededGenerator
  private var execution = FuzzCase(command: [])
  /// How often, of eight times, a value is none that a person would give. Where much is odd, the
  /// first odd thing is refused, and nothing else is looked at.
  private var oddity = 0

  init(seeds: FuzzSeeds, random: SeededGenerator) {
    self.seeds = seeds
    self.random = random
  }

  private mutating func chance(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &random) < one
  }

  mutating func execution(_ commands: [FuzzCommand]) -> FuzzCase {
    guard let command = chosen(commands) else { return execution }
    execution.command = command.path
    execution.extensionDecides = command.extensionDecides
    oddity = [0, 0, 1, 4].randomElement(using: &random) ?? 0
    let always = FuzzGrammar.always(command)
    if !always.isEmpty { execution.groups.append(always.map { Array($0.utf8) }) }
    // Few options leave each of them in force; many meet each other.
    let wanted = [0, 1, 2, 5].randomElement(using: &random) ?? 1
    for option in command.options {
      let isNeeded = !option.isOptional || (isOutput(option) && chance(7, in: 8))
      if isNeeded || chance(wanted, in: max(wanted, command.options.count)) { add(option, command) }
    }
    let options = execution.groups
    execution.groups = []
    for positional in command.positionals { add(positional: positional, command) }
    // Options stand anywhere; what has no name keeps its order.
    for option in options {
      let places = 0...execution.groups.count
      execution.groups.insert(option, at: Int.random(in: places, using: &random))
    }
    if chance(1, in: 10) {
      let bytes = input(.configuration, isSubject: false).bytes
      execution.files.append(FuzzFile(path: ".tracecheck.yml", bytes: bytes))
    }
    if execution.groups.contains(where: { $0.contains([UInt8(ascii: "-")]) }) {
      execution.input = file(.capture)
    }
    return execution
  }

  /// A command, the more often the more it takes.
  private mutating func chosen(_ commands: [FuzzCommand]) -> FuzzCommand? {
    let sum = commands.reduce(0) { $0 + $1.arguments.count + 1 }
    guard sum > 0 else { return nil }
    var rest = Int.random(in: 0..<sum, using: &random)
    return commands.first { command in
      rest -= command.arguments.count + 1
      return rest < 0
    }
  }

  // MARK: Options

  private func isOutput(_ option: FuzzArgument) -> Bool { option.name == "output" }

  private mutating func add(_ option: FuzzArgument, _ command: FuzzCommand) {
    guard let name = option.preferredName?.text else { return }
    let written = Array(name.utf8)
    if option.kind == "flag" {
      execution.groups.append([written])
      return
    }
    for _ in 0..<(option.isRepeating && chance(1, in: 4) ? 2 : 1) {
      var value = value(of: option, command)
      value.removeAll { $0 == 0 }
      execution.groups.append([written, Self.inside(value)])
    }
  }

  /// Paths stay in the folder of the execution, whatever they are taken for.
  private static func inside(_ value: [UInt8]) -> [UInt8] {
    let text = String(decoding: value, as: UTF8.self)
    guard text.hasPrefix("/") || text.contains("=/") || text.contains("..") else { return value }
    return value.filter { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
  }

  private mutating func value(of option: FuzzArgument, _ command: FuzzCommand) -> [UInt8] {
    if chance(oddity, in: 16) { return FuzzValues.odd(option, &random) }
    return Array(usualValue(of: option, command).utf8)
  }

  private mutating func usualValue(of option: FuzzArgument, _ command: FuzzCommand) -> String {
    let words = option.words
    switch option.value {
    case "format[=file]":
      let end = chance(1, in: 2) ? "=out\(Int.random(in: 0..<3, using: &random))" : ""
      return (words.randomElement(using: &random) ?? "") + end
    case "file", "dir", "out", "path": return path(of: option, command)
    default: break
    }
    if !option.examples.isEmpty, chance(1, in: 3) {
      return option.examples.randomElement(using: &random) ?? ""
    }
    if option.allValues == nil,
      let value = FuzzValues.fitting(option, oddity: oddity + 1, &random)
    {
      return value
    }
    return words.randomElement(using: &random) ?? "json"
  }

  /// Names of options that don't say by themselves what they take.
  private static let kinds: [String: FuzzInputKind] = [
    "rules": .rules, "config": .configuration, "baseline": .baseline, "scenario": .scenario,
    "key-file": .key, "files-from": .names, "file": .question, "compare": .capture, "db": .database,
  ]

  /// The name of a file to write, with an end that this command knows.
  private mutating func output(_ command: FuzzCommand) -> String {
    if chance(1, in: 6) { return "-" }
    let forms = command.options.filter { ["to", "format"].contains($0.name) }.flatMap(\.words)
    return "out." + (forms.randomElement(using: &random) ?? "lctrace")
  }

  private mutating func path(of option: FuzzArgument, _ command: FuzzCommand) -> String {
    if option.name == "config", chance(1, in: 4) { return "none" }
    if chance(oddity, in: 16) {
      return [".", "nowhere/out", "nothing", "-", "input0.timeline"].randomElement(using: &random)
        ?? ""
    }
    if let kind = Self.kinds[option.name] { return file(kind, isSubject: false) }
    if option.value == "dir", option.name != "into" { return folder() }
    if isOutput(option) { return output(command) }
    return "out." + option.name
  }

  // MARK: Arguments without names

  private mutating func add(positional: FuzzArgument, _ command: FuzzCommand) {
    if positional.isOptional, chance(1, in: 8) { return }
    let counts = positional.isRepeating ? [1, 1, 1, 2, 3] : [1]
    for _ in 0..<(counts.randomElement(using: &random) ?? 1) {
      execution.groups.append([
        Self.inside(value(ofPositional: positional, command).filter { $0 != 0 })
      ])
    }
  }

  private mutating func value(ofPositional positional: FuzzArgument, _ command: FuzzCommand)
    -> [UInt8]
  {
    if chance(oddity, in: 24) { return FuzzValues.odd(positional, &random) }
    if let word = positional.allValues?.randomElement(using: &random) { return Array(word.utf8) }
    if let text = FuzzValues.fitting(positional, oddity: oddity, &random) {
      return Array(text.utf8)
    }
    if chance(1, in: 12) { return Array(chance(1, in: 2) ? "-".utf8 : ".".utf8) }
    if chance(1, in: 10) { return Array(folder().utf8) }
    let kind: FuzzInputKind =
      switch command.path[0] {
      case "rules": .rules
      case "merge-reports": .report
      default: .capture
      }
    let isOther = chance(oddity, in: 24)
    let other = FuzzInputKind.allCases.randomElement(using: &random) ?? kind
    return Array(file(isOther ? other : kind).utf8)
  }

  // MARK: Inputs

  /// - Parameter isSubject: Whether the command is about this input. Others are seldom damaged: a
  ///   command that refuses its configuration does nothing else.
  private mutating func input(_ kind: FuzzInputKind, isSubject: Bool) -> FuzzSeed {
    let seed = seeds.byKind[kind]?.randomElement(using: &random) ?? FuzzSeed(ending: "", bytes: [])
    guard isSubject || chance(1 + oddity, in: 6) else { return seed }
    return FuzzDamage(others: seeds.allBytes).damaged(seed, &random)
  }

  private mutating func file(
    _ kind: FuzzInputKind, in folder: String = "", isSubject: Bool = true
  ) -> String {
    let input = input(kind, isSubject: isSubject)
    let path = folder + "input\(execution.files.count)" + input.ending
    execution.files.append(FuzzFile(path: path, bytes: input.bytes))
    return path
  }

  private mutating func folder() -> String {
    let folder = "folder\(execution.files.count)"
    if chance(1, in: 4) {
      for part in seeds.recording {
        let damaged = FuzzDamage(others: seeds.allBytes).damaged(part, &random)
        execution.files.append(
          FuzzFile(path: "\(folder)/killed\(part.ending)", bytes: damaged.bytes))
      }
      return folder
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) { _ = file(.capture, in: folder + "/") }
    return folder
  }
}
