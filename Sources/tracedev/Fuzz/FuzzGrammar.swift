// Commands and options of the program, as it tells them itself: what is new there is tried without
// anybody adding it here. This file must not know which values are tried.

import ArgumentParser
import Foundation

/// A command that has no commands below it, and all that it takes.
struct FuzzCommand: Sendable {
  /// Its words, for example `rules`, `check`.
  var path: [String]
  var arguments: [FuzzArgument]

  /// Whether the end of the output's name says what is written.
  var extensionDecides: Bool { arguments.contains { $0.abstract?.contains("extension") == true } }

  var options: [FuzzArgument] { arguments.filter { $0.kind != "positional" } }
  var positionals: [FuzzArgument] { arguments.filter { $0.kind == "positional" } }
}

/// An option, a flag or a positional argument.
struct FuzzArgument: Decodable, Sendable {
  struct Name: Decodable, Sendable {
    var kind: String
    var name: String

    /// As it is written in a command line.
    var text: String { (kind == "long" ? "--" : "-") + name }
  }

  var kind: String
  var isOptional: Bool
  var isRepeating: Bool
  var names: [Name]?
  var preferredName: Name?
  var valueName: String?
  var allValues: [String]?
  var abstract: String?
  /// What the program says it takes instead of nonsense.
  var toldWords: [String]?

  /// The name without hyphens; empty for a positional argument.
  var name: String { preferredName?.name ?? "" }
  var value: String { valueName ?? "" }

  /// The words that it takes, as far as they are known: `text, json, jsonl or html` are four.
  var words: [String] {
    if let allValues { return allValues }
    if let toldWords { return toldWords }
    // What stands in parentheses explains the word before.
    let text = (abstract ?? "").replacing(#/ \([^)]*\)/#, with: "")
    let words =
      text.matches(of: #/(\w+)(?:,| or )/#).map { String($0.1) }
      + text.matches(of: #/(?: or |, )(\w+)/#).map { String($0.1) }
    return words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The values that its help has as examples.
  var examples: [String] {
    let text = abstract ?? ""
    let pairs = text.matches(of: #/(?:for example|as in) (\S+?)(?: or (\S+?))?[.,;]?(?: |$)/#)
    return pairs.flatMap { [String($0.1)] + ($0.2.map { [String($0)] } ?? []) }
  }
}

/// Reads what the program says of itself.
enum FuzzGrammar {
  private struct Document: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var commandName: String
    var arguments: [FuzzArgument]?
    var subcommands: [Command]?
  }

  /// Commands that aren't tried: one that runs until it is told to end and opens a port, and the
  /// help, which every command has anyway.
  private static let skippedCommands: Set = ["serve", "help"]

  /// Options that aren't tried, by what their help calls the value: they send over a network.
  private static let skippedValues: Set = ["url", "host:port"]

  /// What commands get in addition, so that they end by themselves and do something.
  private static let required = ["replay": ["--speed", "max"], "config": ["--show"]]

  /// How often something is done is nothing to complain of when it takes long.
  private static let skippedOptions: Set = ["count", "speed"]

  static func commands(toldBy text: [UInt8]) throws -> [FuzzCommand] {
    let document = try JSONDecoder().decode(Document.self, from: Data(text))
    var commands: [FuzzCommand] = []
    collect(document.command, [], &commands)
    guard !commands.isEmpty else { throw ValidationError("the program tells no commands") }
    return commands
  }

  /// Lets the program tell which words options take: it lists them when it gets another.
  static func withWords(_ commands: [FuzzCommand], _ program: FuzzAnswers) throws -> [FuzzCommand] {
    var known: [String: [String]] = [:]
    var commands = commands
    for place in commands.indices {
      let command = commands[place]
      for (number, option) in command.arguments.enumerated() {
        guard option.kind == "option", option.allValues == nil,
          let name = option.preferredName?.text
        else { continue }
        // Options of one name and with one help are the same.
        let key = name + " " + (option.abstract ?? "")
        let words = try known[key] ?? words(of: option, name, command, program)
        guard !words.isEmpty else { continue }
        known[key] = words
        commands[place].arguments[number].toldWords = words
      }
    }
    return commands
  }

  private static func words(
    of option: FuzzArgument, _ name: String, _ command: FuzzCommand, _ program: FuzzAnswers
  ) throws -> [String] {
    let needed = command.options.filter { $0.name == "output" && $0.name != option.name }
    let places = command.positionals.filter { $0.allValues == nil }
    for nonsense in ["zz-zz", "zz=zz"] {
      let arguments =
        command.path + [name, nonsense] + needed.flatMap { [$0.preferredName?.text ?? "", "out"] }
        + places.map { _ in "nothing" }
      let text = try program.errors(arguments)
      guard let list = text.split(separator: "; there are ", maxSplits: 1).dropFirst().first
      else { continue }
      let words = list.prefix { !$0.isNewline }.split(separator: ", ")
      return words.map { String($0.prefix { $0 != ";" && $0 != "." }) }
    }
    return []
  }

  private static func collect(_ command: Command, _ path: [String], _ all: inout [FuzzCommand]) {
    for below in command.subcommands ?? [] where !skippedCommands.contains(below.commandName) {
      collect(below, path + [below.commandName], &all)
    }
    guard !path.isEmpty, command.subcommands?.isEmpty ?? true else { return }
    let arguments = (command.arguments ?? []).filter { argument in
      !skippedValues.contains(argument.value) && !skippedOptions.contains(argument.name)
        && !["help", "version"].contains(argument.name)
    }
    all.append(FuzzCommand(path: path, arguments: arguments))
  }

  /// What a command line of this command always has.
  static func always(_ command: FuzzCommand) -> [String] { required[command.path[0]] ?? [] }
}
