// A rule as JSON, for `rules` and `explain`.

import TraceCatalogue
import TraceConfiguration
import TraceExport
import TraceLifecycle
import TraceRules

extension JSONBuilder {
  /// Everything about a rule.
  mutating func rule(_ rule: Rule) {
    beginObject()
    for (name, text) in [
      ("id", rule.id), ("slug", rule.slug), ("family", rule.family),
      ("severity", rule.severity.rawValue), ("summary", rule.summary),
      ("rationale", rule.rationale), ("consequence", rule.consequence), ("advice", rule.advice),
    ] {
      key(name)
      string(text)
    }
    array("sources", rule.sources) { json, source in
      json.texts([("title", source.title), ("section", source.section)])
    }
    array("needs", rule.needs) { $0.string($1) }
    array("profiles", rule.profiles) { $0.string($1.rawValue) }
    array("parameters", rule.parameters) { json, parameter in
      json.beginObject()
      json.key("name")
      json.string(parameter.name)
      json.key("unit")
      json.string(parameter.unit.rawValue)
      json.key("value")
      json.integer(parameter.value)
      json.key("basis")
      json.string(parameter.basis.rawValue)
      json.key("text")
      json.string(LimitText.text(parameter.value, parameter.unit))
      json.endObject()
    }
    array("clauses", rule.clauses) { json, clause in
      json.beginObject()
      json.key("reason")
      json.stringOrNull(clause.reason)
      json.key("severity")
      json.string(clause.severity.rawValue)
      json.array("needs", clause.needs) { $0.string($1) }
      json.endObject()
    }
    key("hand_written")
    stringOrNull(rule.reasonForHand)
    array("yields", rule.yields) { json, yield in
      json.texts([("rule", yield.rule), ("same", yield.sameness.rawValue)])
    }
    array("explains", rule.explains) { $0.string($1) }
    array("tags", rule.tags) { $0.string($1) }
    key("snippet")
    if let snippet = Snippets.of(rule.id) {
      texts([("swift", snippet.swift), ("objective_c", snippet.objectiveC)])
    } else {
      null()
    }
    key("example_count")
    integer(rule.examples.count)
    array("examples", rule.examples) { json, example in
      json.beginObject()
      json.key("expectation")
      switch example.expectation {
      case .holds: json.string("holds")
      case .unknown: json.string("unknown")
      case .violates: json.string("violates")
      }
      json.key("reasons")
      json.beginArray()
      if case .violates(let reasons) = example.expectation {
        for reason in reasons { json.stringOrNull(reason) }
      }
      json.endArray()
      json.key("remark")
      json.string(example.remark)
      json.key("timeline")
      json.string(example.timeline)
      json.endObject()
    }
    endObject()
  }

  mutating func array<Element>(
    _ name: String, _ elements: [Element], _ write: (inout JSONBuilder, Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  private mutating func texts(_ fields: [(String, String)]) {
    beginObject()
    for (name, text) in fields {
      key(name)
      string(text)
    }
    endObject()
  }
}
