// What was asked and what was measured, as a table. This file must not know any measurement.

import Foundation

/// The rows of the measurements.
struct BenchTable {
  private struct Row {
    var what: String
    var asked = ""
    var measured = ""
    var verdict = ""
  }

  private var rows: [Row] = []
  private(set) var shortCount = 0

  /// - Parameter asked: What is asked, if it isn't just the limit.
  mutating func add(
    _ what: String, atMost limit: Double, asked: String? = nil, _ value: Double, _ unit: String
  ) {
    add(
      what, asked: asked ?? Self.asked(atMost: limit, unit), "\(Self.text(value)) \(unit)",
      isMet: value <= limit, shortBy: limit == 0 ? nil : value / limit - 1)
  }

  mutating func add(_ what: String, atLeast limit: Double, _ value: Double, _ unit: String) {
    add(
      what, asked: ">= \(Self.limit(limit)) \(unit)", "\(Self.text(value)) \(unit)",
      isMet: value >= limit, shortBy: 1 - value / limit)
  }

  /// How many times our time goes into that of a reference.
  mutating func add(
    _ what: String, atLeast limit: Double? = nil, reference: Double, against time: Double
  ) {
    let isMeasured = reference > 0 && time > 0
    switch (limit, isMeasured) {
    case (let limit, false):
      add(
        what, asked: limit.map { number in ">= " + Self.limit(number) + " x" } ?? "",
        because: "not measured: \(Self.tooShort)")
    case (let limit?, true): add(what, atLeast: limit, reference / time, "x")
    case (nil, true): add(what, reference / time, "x")
    }
  }

  /// A speed of which so many millions of events a second are asked.
  mutating func add(_ what: String, atLeastMillions limit: Double, count: Int, seconds: Double) {
    let asked = ">= \(Self.limit(limit)) M/s"
    guard seconds > 0 else {
      return add(what, asked: asked, because: "not measured: \(Self.tooShort)")
    }
    let speed = Double(count) / seconds / 1e6
    add(
      what, asked: asked, Self.speed(count, seconds), isMet: speed >= limit,
      shortBy: 1 - speed / limit)
  }

  private mutating func add(
    _ what: String, asked: String, _ measured: String, isMet: Bool, shortBy: Double?
  ) {
    var verdict = "ok"
    if !isMet {
      shortCount += 1
      verdict = "short" + (shortBy.map { ", by " + String(format: "%.1f %%", $0 * 100) } ?? "")
    }
    rows.append(Row(what: what, asked: asked, measured: measured, verdict: verdict))
  }

  /// A number of which nothing is asked.
  mutating func add(_ what: String, _ value: Double, _ unit: String) {
    rows.append(Row(what: what, measured: "\(Self.text(value)) \(unit)"))
  }

  /// A speed of which nothing is asked.
  mutating func add(_ what: String, count: Int, seconds: Double) {
    rows.append(Row(what: what, measured: Self.speed(count, seconds)))
  }

  /// Something that is asked and can't be compared here.
  mutating func add(_ what: String, asked: String, _ measured: String = "", because reason: String)
  {
    rows.append(Row(what: what, asked: asked, measured: measured, verdict: reason))
  }

  private static let tooShort = "too short"

  static func asked(atMost limit: Double, _ unit: String) -> String {
    "<= \(Self.limit(limit)) \(unit)"
  }

  /// A speed, in events a second and time for each.
  static func speed(_ eventCount: Int, _ seconds: Double) -> String {
    let count = Double(eventCount)
    // The system tells user and system time by ticks, so that a short run may have none of one.
    guard seconds > 0 else { return "\(tooShort) to be measured" }
    return "\(text(count / seconds / 1e6)) M events/s, \(text(seconds / count * 1e9)) ns/event"
  }

  static func text(_ value: Double) -> String {
    String(format: value.magnitude < 10 ? "%.3f" : "%.1f", value)
  }

  private static func limit(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }

  /// The median of the measurements of one thing.
  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  var text: String {
    let head = Row(what: "what", asked: "asked", measured: "measured", verdict: "verdict")
    let all = [head] + rows
    func width(_ column: (Row) -> String) -> Int { (all.map { column($0).count }.max() ?? 0) + 2 }
    let widths = [width(\.what), width(\.asked), width(\.measured)]
    return all.map { row in
      var line = ""
      for (text, width) in zip([row.what, row.asked, row.measured], widths) {
        line += text.padding(toLength: width, withPad: " ", startingAt: 0)
      }
      line += row.verdict
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
