// The first page: what was found by rule, and the captures, newest first, with filters.

import TraceExport
import TraceIO
import TraceModel

/// What the reader of the first page asked for.
struct IndexFilter: Sendable, Equatable {
  /// Part of an app's name, a device, a version or a path.
  var text = ""
  /// `error`, `warning`, `note`, `clean` or `unreadable`; anything else shows all.
  var severity = ""
  var rule = ""
  /// From 0.
  var page = 0

  /// Captures of one page.
  static let rowsMax = 100

  init() {}

  init(_ request: HTTPRequest) {
    text = request.value("q") ?? ""
    severity = request.value("severity") ?? ""
    rule = request.value("rule") ?? ""
    page = max(0, Int(request.value("page") ?? "") ?? 0)
  }

  func matches(_ record: CaptureRecord) -> Bool {
    switch severity {
    case "error": guard record.traces.contains(where: { $0.errorCount > 0 }) else { return false }
    case "warning":
      guard record.traces.contains(where: { $0.warningCount > 0 }) else { return false }
    case "note": guard record.traces.contains(where: { $0.noteCount > 0 }) else { return false }
    case "clean":
      guard record.failure == nil, !record.isDamaged,
        record.traces.allSatisfy({ $0.outcome == .clean })
      else { return false }
    case "unreadable": guard record.isUnreadable else { return false }
    default: break
    }
    if !rule.isEmpty {
      let hasRule = record.traces.contains { trace in
        trace.findings.contains { finding in
          [finding.rule, finding.slug].contains { $0.lowercased() == rule.lowercased() }
        }
      }
      guard hasRule else { return false }
    }
    guard !text.isEmpty else { return true }
    let needle = text.lowercased()
    if record.path.lowercased().contains(needle) { return true }
    return record.traces.contains { trace in
      [trace.app, trace.appVersion, trace.osVersion, trace.deviceModel, trace.traceID].contains {
        $0.lowercased().contains(needle)
      }
    }
  }

  /// The query that asks for the same on another page.
  func query(page: Int) -> String {
    var parts: [String] = []
    if !text.isEmpty { parts.append("q=" + text.asURLPart) }
    if !severity.isEmpty { parts.append("severity=" + severity.asURLPart) }
    if !rule.isEmpty { parts.append("rule=" + rule.asURLPart) }
    if page > 0 { parts.append("page=\(page)") }
    return parts.isEmpty ? "/" : "/?" + parts.joined(separator: "&amp;")
  }
}

enum IndexPage {
  /// - Parameters:
  ///   - records: All captures, in any order.
  ///   - warning: What keeps the page from showing all that is in the directory.
  static func page(
    _ records: [CaptureRecord], _ filter: IndexFilter, directory: String, warning: String?
  ) -> String {
    let shown = records.filter(filter.matches).sorted {
      ($1.version.modifiedNanoseconds, $0.path) < ($0.version.modifiedNanoseconds, $1.path)
    }
    let pageCount = max(1, (shown.count + IndexFilter.rowsMax - 1) / IndexFilter.rowsMax)
    let page = min(filter.page, pageCount - 1)
    let rows = shown.dropFirst(page * IndexFilter.rowsMax).prefix(IndexFilter.rowsMax)
    var body = "<h1>tracecheck</h1>\n<p class=\"soft\">captures in <code>\(directory.asHTML)</code>"
    body +=
      " \u{00B7} <a href=\"/metrics\">metrics</a> \u{00B7} <a href=\"/api/traces\">API</a></p>\n"
    if let warning { body += "<p class=\"warning\">\(warning.asHTML)</p>\n" }
    let copies = TraceCopies(records)
    let traces = records.flatMap { record in
      record.traces.filter { copies.original(of: $0, in: record) == nil }
    }
    body += tiles(records, traces) + rules(traces, filter) + form(filter)
    body += "<h2>\(PageFrame.count(shown.count, "capture"))</h2>\n"
    if records.isEmpty {
      body += "<p>No capture has arrived yet. Put one into the directory; this page shows it.</p>\n"
    } else if rows.isEmpty {
      body += "<p>No capture is like that. <a href=\"/\">Show all</a></p>\n"
    } else {
      body += table(Array(rows), copies)
    }
    return PageFrame.page(title: "tracecheck", body: body + pages(filter, page, pageCount))
  }

  private static func tiles(_ records: [CaptureRecord], _ traces: [TraceRecord]) -> String {
    var text = "<div class=\"tiles\">\n"
    text += PageFrame.tile(records.count, "captures")
    text += PageFrame.tile(traces.count, "traces")
    text += PageFrame.tile(traces.reduce(0) { $0 + $1.errorCount }, "errors", "error")
    text += PageFrame.tile(traces.reduce(0) { $0 + $1.warningCount }, "warnings", "warning")
    text += PageFrame.tile(traces.reduce(0) { $0 + $1.noteCount }, "notes", "note")
    text += PageFrame.tile(records.count { $0.isUnreadable }, "unreadable", "warning")
    return text + "</div>\n"
  }

  private struct RuleCount {
    var slug: String
    var severity: String
    var findings = 0
    var traces = 0
  }

  private static func rules(_ traces: [TraceRecord], _ filter: IndexFilter) -> String {
    var counts: [String: RuleCount] = [:]
    for trace in traces {
      var seen: Set<String> = []
      for finding in trace.findings {
        counts[
          finding.rule, default: RuleCount(slug: finding.slug, severity: finding.severity)
        ].findings += 1
        if seen.insert(finding.rule).inserted { counts[finding.rule]?.traces += 1 }
      }
    }
    guard !counts.isEmpty else { return "" }
    var text = "<h2>Findings by rule</h2>\n<div class=\"wide\"><table>\n"
    text += "<tr><th>rule</th><th>severity</th><th class=\"number\">findings</th>"
    text += "<th class=\"number\">traces</th></tr>\n"
    let sorted = counts.sorted { ($1.value.traces, $0.key) < ($0.value.traces, $1.key) }
    for (rule, count) in sorted.prefix(50) {
      let mark = filter.rule == rule ? " aria-current=\"true\"" : ""
      text += "<tr><td><a\(mark) href=\"/?rule=\(rule.asURLPart)\"><b>\(rule.asHTML)</b>"
      text += " \(count.slug.asHTML)</a></td>"
      text += "<td class=\"\(count.severity.asHTML)\">\(count.severity.asHTML)</td>"
      text += "<td class=\"number\">\(PageFrame.grouped(count.findings))</td>"
      text += "<td class=\"number\">\(PageFrame.grouped(count.traces))</td></tr>\n"
    }
    return text + "</table></div>\n"
  }

  private static func form(_ filter: IndexFilter) -> String {
    var text = "<form action=\"/\" method=\"get\" role=\"search\">\n"
    text += "<input type=\"search\" name=\"q\" aria-label=\"app, device, version or path\""
    text += " placeholder=\"app, device, version or path\" value=\"\(filter.text.asHTML)\">\n"
    text += "<select name=\"severity\" aria-label=\"show\">\n"
    let choices = [
      ("", "all"), ("error", "with errors"), ("warning", "with warnings"), ("note", "with notes"),
      ("clean", "clean"), ("unreadable", "unreadable"),
    ]
    for (value, words) in choices {
      let mark = value == filter.severity ? " selected" : ""
      text += "<option value=\"\(value)\"\(mark)>\(words)</option>\n"
    }
    text += "</select>\n<input name=\"rule\" aria-label=\"rule\" placeholder=\"rule\" size=\"8\""
    return text + " value=\"\(filter.rule.asHTML)\">\n<button>Filter</button>\n</form>\n"
  }

  private static func table(_ records: [CaptureRecord], _ copies: TraceCopies) -> String {
    var text = "<div class=\"wide\"><table>\n<tr><th>capture</th><th>app</th><th>system</th>"
    text += "<th>found</th><th class=\"number\">events</th><th class=\"number\">length</th></tr>\n"
    for record in records { text += rows(record, copies) }
    return text + "</table></div>\n"
  }

  private static func rows(_ record: CaptureRecord, _ copies: TraceCopies) -> String {
    let path = "<code>\(record.path.asHTML)</code>"
    if let failure = record.failure {
      return "<tr><td>\(path)</td><td colspan=\"5\" class=\"warning\">\(failure.asHTML)</td></tr>\n"
    }
    var text = ""
    for trace in record.traces {
      let link = "/trace/" + trace.link.asURLPart
      text += "<tr><td>\(path)<br><span class=\"soft\">\(record.format.asHTML)"
      text += ", \(trace.completeness.asHTML)"
      if let original = copies.original(of: trace, in: record) {
        text += ", the same trace as in <code>\(original.asHTML)</code>"
      }
      text += "</span></td>"
      text +=
        "<td>\(trace.app.asHTML)<br><span class=\"soft\">\(trace.appVersion.asHTML)</span></td>"
      text += "<td>\(trace.osVersion.asHTML)<br>"
      text += "<span class=\"soft\">\(trace.deviceModel.asHTML)</span></td>"
      text += "<td>\(found(trace, record))<br><a href=\"\(link)\">details</a>"
      text += " \u{00B7} <a href=\"/timeline/\(trace.link.asURLPart)\">timeline</a></td>"
      text += "<td class=\"number\">\(PageFrame.grouped(trace.eventCount))</td>"
      text += "<td class=\"number\">\(TimeText.rounded(trace.durationNanoseconds))</td></tr>\n"
    }
    return text
  }

  private static func found(_ trace: TraceRecord, _ record: CaptureRecord) -> String {
    if trace.eventCount == 0 { return "<span class=\"warning\">no event can be read</span>" }
    var text = record.isDamaged ? "<span class=\"tag warning\">damaged</span>" : ""
    if trace.findingCount == 0 {
      return text + (text.isEmpty ? "<span class=\"ok\">clean</span>" : "nothing in the rest")
    }
    for (count, word) in [
      (trace.errorCount, "error"), (trace.warningCount, "warning"), (trace.noteCount, "note"),
    ] where count > 0 {
      text += "<span class=\"tag \(word)\">\(PageFrame.count(count, word))</span>"
    }
    return text
  }

  private static func pages(_ filter: IndexFilter, _ page: Int, _ pageCount: Int) -> String {
    guard pageCount > 1 else { return "" }
    var text = "<p class=\"pages\">"
    if page > 0 { text += "<a rel=\"prev\" href=\"\(filter.query(page: page - 1))\">newer</a>" }
    text += "<span class=\"soft\">page \(page + 1) of \(pageCount)</span>"
    if page + 1 < pageCount {
      text += "<a rel=\"next\" href=\"\(filter.query(page: page + 1))\">older</a>"
    }
    return text + "</p>\n"
  }
}
