// `capture`: how each kind of capture is made, to the letter.

import ArgumentParser
import TraceExport

struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Prints the commands that make each kind of capture.",
    discussion: """
      For an app on a device, in a simulator, or with files on this computer. What each capture \
      shows, and what it doesn't, stands beside it.

      Examples:
        tracecheck capture
        tracecheck capture simulator
      """)

  @Argument(help: "Only captures made there.")
  var place: CaptureRecipe.Place?

  @Option(help: "The form of the list.")
  var format: PrintFormat = .text

  func run() throws {
    let recipes = CaptureRecipe.all.filter { place == nil || $0.place == place }
    switch format {
    case .text: try printOutput(Self.text(recipes))
    case .json: try printOutput(Self.json(recipes))
    }
  }

  static func text(_ recipes: [CaptureRecipe]) -> String {
    var output = ""
    var last: CaptureRecipe.Place?
    for recipe in recipes {
      if recipe.place != last {
        output += (last == nil ? "" : "\n") + "\(heading(recipe.place))\n"
        last = recipe.place
      }
      output += "\n\(recipe.title)\n"
      for step in recipe.steps { output += "  \(step)\n" }
      for command in recipe.commands { output += "    \(command)\n" }
      output += "  shows: \(recipe.shows)\n"
      output += "  hides: \(recipe.hides)\n"
    }
    return output
  }

  private static func heading(_ place: CaptureRecipe.Place) -> String {
    switch place {
    case .device: "ON A DEVICE"
    case .simulator: "IN A SIMULATOR"
    case .host: "ON THIS COMPUTER"
    }
  }

  static func json(_ recipes: [CaptureRecipe]) -> [UInt8] {
    var json = JSONBuilder()
    json.beginArray()
    for recipe in recipes {
      json.beginObject()
      json.key("place")
      json.string(recipe.place.rawValue)
      json.key("title")
      json.string(recipe.title)
      append("steps", recipe.steps, to: &json)
      append("commands", recipe.commands, to: &json)
      append("formats", recipe.formats, to: &json)
      json.key("shows")
      json.string(recipe.shows)
      json.key("hides")
      json.string(recipe.hides)
      json.endObject()
    }
    json.endArray()
    return json.bytes + [UInt8(ascii: "\n")]
  }

  private static func append(_ name: String, _ texts: [String], to json: inout JSONBuilder) {
    json.key(name)
    json.beginArray()
    for text in texts { json.string(text) }
    json.endArray()
  }
}

extension CaptureRecipe.Place: ExpressibleByArgument {}
