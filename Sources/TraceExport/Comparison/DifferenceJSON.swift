// The differences of two lives for programs.

import TraceLifecycle
import TraceModel
import TraceRules

extension TimelineFormat {
  /// One JSON object.
  static let differenceJSON = TimelineFormat(
    name: "json", mediaType: "application/json", title: "JSON", tracesMax: 2
  ) {
    DifferenceJSON(
      compared: ComparedLives($0.comparison), toolVersion: $0.toolVersion)
  }
}

private struct DifferenceJSON: DifferenceSink {
  var output: [UInt8] = []
  var compared: ComparedLives
  let toolVersion: String

  init(compared: ComparedLives, toolVersion: String) {
    self.compared = compared
    self.toolVersion = toolVersion
  }

  mutating func tell(_ comparison: LifeComparison) {
    var json = JSONBuilder()
    json.beginObject()
    json.key("schema_version")
    json.integer(1)
    json.key("tool")
    json.beginObject()
    json.key("name")
    json.string("tracecheck")
    json.key("version")
    json.string(toolVersion)
    json.endObject()
    json.key("aligned_at")
    json.string(comparison.alignment.text)
    json.key("tolerance_ns")
    json.integer(comparison.tolerance.nanoseconds)
    json.life("a", comparison.first)
    json.life("b", comparison.second)
    let found = comparison.findings
    json.key("findings")
    json.beginObject()
    json.findings("appeared", found.appeared)
    json.findings("vanished", found.vanished)
    json.findings("common", found.common)
    json.endObject()
    json.key("times")
    json.beginArray()
    for row in comparison.times { json.time(row) }
    json.endArray()
    json.key("differences")
    json.beginArray()
    for difference in comparison.differences { json.difference(difference, comparison) }
    json.endArray()
    json.key("summary")
    json.beginObject()
    for change in LifeDifference.Change.allCases {
      json.key(change.key)
      json.integer(comparison.differences.count { $0.change == change })
    }
    json.key("omitted")
    json.integer(
      comparison.first.omittedCount.addingReportingOverflow(comparison.second.omittedCount)
        .partialValue)
    json.endObject()
    json.endObject()
    output += json.bytes
    output.append(UInt8(ascii: "\n"))
  }
}

extension LifeDifference.Change {
  /// The word in JSON, with no space in it.
  fileprivate var key: String { rawValue.replacing(" ", with: "_") }
}

extension JSONBuilder {
  fileprivate mutating func life(_ name: String, _ life: LifeSketch) {
    key(name)
    beginObject()
    key("path")
    string(life.path)
    for field in [
      HeaderField.traceID, .appBundleID, .appVersion, .osVersion, .deviceModel,
    ] {
      key(field == .appBundleID ? "app" : field.name)
      stringOrNull(life.header.string(field))
    }
    key("events")
    integer(life.eventCount)
    key("aligned_ns")
    integer(life.anchorNanoseconds ?? 0)
    key("first_ns")
    integer(life.firstNanoseconds ?? 0)
    key("last_ns")
    integer(life.lastNanoseconds ?? 0)
    endObject()
  }

  fileprivate mutating func findings(_ name: String, _ findings: [Finding]) {
    key(name)
    beginArray()
    for finding in findings {
      beginObject()
      key("rule")
      string(finding.rule)
      key("slug")
      string(finding.slug)
      key("severity")
      string(finding.severity.rawValue)
      key("message")
      string(finding.message)
      key("time_ns")
      integer(finding.timeNanoseconds)
      key("fingerprint")
      string(finding.fingerprint)
      endObject()
    }
    endArray()
  }

  fileprivate mutating func time(_ row: (name: String, first: Int64?, second: Int64?)) {
    beginObject()
    key("name")
    string(row.name)
    key("a_ns")
    integerOrNull(row.first)
    key("b_ns")
    integerOrNull(row.second)
    endObject()
  }

  fileprivate mutating func difference(
    _ difference: LifeDifference, _ comparison: LifeComparison
  ) {
    beginObject()
    key("change")
    string(difference.change.key)
    key("group")
    string(difference.key.group.title)
    key("track")
    string(difference.track)
    key("name")
    string(difference.name)
    key("count")
    integer(difference.count)
    key("change_ns")
    integerOrNull(difference.changeNanoseconds)
    key("is_mean")
    boolean(difference.measure == .mean)
    key("measure")
    stringOrNull(difference.measure?.rawValue)
    key("a_length_ns")
    integerOrNull(difference.firstNanoseconds)
    key("b_length_ns")
    integerOrNull(difference.secondNanoseconds)
    key("moves_the_rest")
    boolean(difference.movesTheRest)
    item(
      "a", difference.first, difference.firstCount, difference.firstUnendedCount,
      difference.first.map { comparison.aligned(first: $0.startNanoseconds) },
      isMark: difference.key.isMark)
    item(
      "b", difference.second, difference.secondCount, difference.secondUnendedCount,
      difference.second.map { comparison.aligned(second: $0.startNanoseconds) },
      isMark: difference.key.isMark)
    endObject()
  }

  private mutating func item(
    _ name: String, _ item: LifeItem?, _ count: Int, _ unendedCount: Int, _ aligned: Int64?,
    isMark: Bool
  ) {
    key(name)
    guard let item else { return null() }
    beginObject()
    key("time_ns")
    integer(item.startNanoseconds)
    key("aligned_ns")
    integerOrNull(aligned)
    key("duration_ns")
    integerOrNull(isMark ? nil : item.durationNanoseconds)
    key("index")
    integer(item.ordinal)
    key("count")
    integer(count)
    key("unended")
    integer(unendedCount)
    endObject()
  }

  private mutating func integerOrNull(_ value: Int64?) {
    if let value { integer(value) } else { null() }
  }
}
