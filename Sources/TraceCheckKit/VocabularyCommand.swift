// `vocabulary`: lists every kind of event that the rules know.

import ArgumentParser
import TraceExport
import TraceModel

struct VocabularyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vocabulary",
    abstract: "Lists every kind of event with its number, shape, emitter and arguments.",
    discussion: """
      With --ends it lists the ways in which the system ends apps instead: codes, words, cause and \
      counters by which each is known, what it proves and what it leaves open, and the rules whose \
      findings explain it.
      """)

  @Option(help: "The form of the list.")
  var format: PrintFormat = .text

  @Flag(help: "List the ways in which the system ends apps.")
  var ends = false

  func run() throws {
    if ends { return try printOutput(format == .json ? EndsTable.json : EndsTable.text) }
    switch format {
    case .text: try printOutput(Self.text)
    case .json: try printOutput(Self.json)
    }
  }

  private static var text: [UInt8] {
    var output = "kinds of events: number, name, shape, emitter, arguments\n"
    for kind in Vocabulary.kinds {
      output +=
        "\(kind.kind.rawValue)\t\(kind.name)\t\(kind.shape.rawValue)\t\(kind.emitter.rawValue)"
      output += "\t\(kind.arguments.map(text).joined(separator: " "))\n"
    }
    output += "\nnames of notifications, and whether a suspension holds them back\n"
    for name in Vocabulary.notificationNames {
      output += "\(name.text)\t\(name.isQueued ? "queued" : "not queued")\n"
    }
    output += "\nnames of arguments: number, name\n"
    for name in ArgumentName.known { output += "\(name.number)\t\(name.text)\n" }
    output += "\nfields of the header: number, name, type\n"
    for field in HeaderField.allCases {
      output += "\(field.rawValue)\t\(field.name)\t\(field.type.rawValue)\n"
    }
    return Array(output.utf8)
  }

  private static func text(_ argument: ArgumentDescription) -> String {
    let name = argument.name.knownText ?? ""
    return switch argument.shape {
    case .words(let words): "\(name)=\(words.joined(separator: "|"))"
    default: "\(name):\(word(for: argument.shape))"
    }
  }

  private static func word(for shape: ArgumentShape) -> String {
    switch shape {
    case .integer: "integer"
    case .token: "token"
    case .number: "number"
    case .boolean: "boolean"
    case .string: "string"
    case .words: "word"
    }
  }

  private static var json: [UInt8] {
    var json = JSONBuilder()
    json.beginObject()
    json.key("kinds")
    json.beginArray()
    for kind in Vocabulary.kinds { append(kind, to: &json) }
    json.endArray()
    json.key("notifications")
    json.beginArray()
    for name in Vocabulary.notificationNames {
      json.beginObject()
      json.key("name")
      json.string(name.text)
      json.key("queued")
      json.boolean(name.isQueued)
      json.endObject()
    }
    json.endArray()
    json.key("argument_names")
    json.beginArray()
    for name in ArgumentName.known {
      json.beginObject()
      append(Int(name.number), name.text, to: &json)
      json.endObject()
    }
    json.endArray()
    json.key("header_fields")
    json.beginArray()
    for field in HeaderField.allCases {
      json.beginObject()
      append(Int(field.rawValue), field.name, to: &json)
      json.key("type")
      json.string(field.type.rawValue)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// Appends the members by which a number of the format is told.
  private static func append(_ number: Int, _ name: String, to json: inout JSONBuilder) {
    json.key("number")
    json.integer(number)
    json.key("name")
    json.string(name)
  }

  private static func append(_ kind: KindDescription, to json: inout JSONBuilder) {
    json.beginObject()
    append(Int(kind.kind.rawValue), kind.name, to: &json)
    json.key("phase_kind")
    json.string(kind.shape.rawValue)
    json.key("emitter")
    json.string(kind.emitter.rawValue)
    json.key("symbol")
    json.string(kind.symbol)
    json.key("arguments")
    json.beginArray()
    for argument in kind.arguments {
      json.beginObject()
      json.key("name")
      json.string(argument.name.knownText ?? "")
      json.key("type")
      json.string(word(for: argument.shape))
      json.key("words")
      json.beginArray()
      if case .words(let words) = argument.shape { for word in words { json.string(word) } }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}
