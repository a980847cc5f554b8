// The table of ends as `vocabulary --ends` prints it, with the rules that explain each.

import TraceCatalogue
import TraceExport
import TraceModel
import TraceRules

/// The ways in which the system ends apps, for people and for machines.
enum EndsTable {
  private static func rules(_ end: Termination) -> [String] {
    Catalogue.all.explaining([end]).map(\.id)
  }

  /// One paragraph for each row.
  static var text: [UInt8] {
    var output = ""
    for end in Terminations.all {
      output += "\(end.id)\n  The app \(end.meaning).\n"
      func add(_ name: String, _ values: [String]) {
        if !values.isEmpty { output += "  \(name): \(values.joined(separator: ", "))\n" }
      }
      add("cause", end.cause.map { [$0] } ?? [])
      add("code", end.codes.map { "\(Terminations.hexadecimal($0)) (\($0))" })
      add("namespace", end.namespaces)
      add("words", end.words.map { "“\($0)”" })
      add("where", end.visibility.map { [$0] } ?? [])
      add("counter", end.counters)
      add("proves", [end.proves])
      add("leaves open", end.leavesOpen.isEmpty ? [] : [end.leavesOpen])
      add("rules", rules(end))
      add("no rule", end.withoutRule.map { [$0] } ?? [])
      add("releases", [end.releases])
      add("source", [end.source])
      output += "\n"
    }
    return Array(output.utf8)
  }

  static var json: [UInt8] {
    var json = JSONBuilder()
    json.beginObject()
    json.array("ends", Terminations.all) { json, end in
      json.beginObject()
      json.key("id")
      json.string(end.id)
      json.key("cause")
      json.stringOrNull(end.cause)
      json.key("cause_is_enough")
      json.boolean(end.isOfCause)
      json.array("codes", end.codes) { json, code in
        json.beginObject()
        json.key("hexadecimal")
        json.string(Terminations.hexadecimal(code))
        json.key("decimal")
        json.integer(code)
        json.endObject()
      }
      json.array("namespaces", end.namespaces) { $0.string($1) }
      json.array("words", end.words) { $0.string($1) }
      json.key("words_are_enough")
      json.boolean(end.wordsAreEnough)
      json.key("visibility")
      json.stringOrNull(end.visibility)
      json.array("counters", end.counters) { $0.string($1) }
      for (key, text) in [
        ("meaning", end.meaning), ("proves", end.proves), ("leaves_open", end.leavesOpen),
      ] {
        json.key(key)
        json.string(text)
      }
      json.key("proves_fault")
      json.boolean(end.provesFault)
      json.array("rules", rules(end)) { $0.string($1) }
      json.key("without_rule")
      json.stringOrNull(end.withoutRule)
      json.key("releases")
      json.string(end.releases)
      json.key("source")
      json.string(end.source)
      json.endObject()
    }
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }
}
