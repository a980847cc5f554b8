// The page of one trace: its findings in words, each with a way into the timeline.

import TraceExport
import TraceModel

enum TracePage {
  static func page(_ record: CaptureRecord, _ trace: TraceRecord) -> String {
    let timeline = "/timeline/" + trace.link.asURLPart
    var body = "<p><a href=\"/\">all captures</a></p>\n"
    body += "<h1>\((trace.app.isEmpty ? record.path : trace.app).asHTML)"
    body += " \(trace.appVersion.asHTML)</h1>\n<p class=\"soft\">"
    let facts = [
      record.path, record.format, trace.deviceModel,
      trace.osVersion.isEmpty ? "" : "iOS " + trace.osVersion, "profile " + trace.profile,
      PageFrame.count(trace.eventCount, "event"),
      "\(trace.launchCount) launch\(trace.launchCount == 1 ? "" : "es")",
      TimeText.rounded(trace.durationNanoseconds), trace.completeness,
    ]
    body += facts.filter { !$0.isEmpty }.map(\.asHTML).joined(separator: " \u{00B7} ")
    body += "</p>\n<p><a href=\"\(timeline)\">Open the timeline</a></p>\n"
    body += "<h2>\(PageFrame.count(trace.findingCount, "finding"))</h2>\n"
    if record.isDamaged {
      body += "<p class=\"warning\">A part of the capture is damaged and was left out.</p>\n"
    }
    if trace.eventCount == 0 {
      body += "<p class=\"warning\">No event of it can be read.</p>\n"
    } else if trace.findings.isEmpty {
      let style = record.isDamaged ? "" : " class=\"ok\""
      body += "<p\(style)>No rule that could be evaluated was broken.</p>\n"
    } else {
      body += findings(trace, timeline)
    }
    if trace.findingsOmittedCount > 0 {
      body += "<p class=\"soft\">\(PageFrame.count(trace.findingsOmittedCount, "more finding"))"
      body += " aren't listed; <code>tracecheck check</code> prints them all.</p>\n"
    }
    return PageFrame.page(title: trace.app.isEmpty ? record.path : trace.app, body: body)
  }

  private static func findings(_ trace: TraceRecord, _ timeline: String) -> String {
    var text = "<div class=\"wide\"><table>\n"
    text += "<tr><th>time</th><th>rule</th><th>what was found</th><th></th></tr>\n"
    for finding in trace.findings {
      text += "<tr><td class=\"number\">\(TimeText.exact(finding.timeNanoseconds))</td>"
      text += "<td><b class=\"\(finding.severity.asHTML)\">\(finding.rule.asHTML)</b><br>"
      text += "<span class=\"soft\">\(finding.slug.asHTML)</span></td>"
      text += "<td>\(finding.message.asHTML)"
      if finding.count > 1 { text += " <span class=\"soft\">(\(finding.count) times)</span>" }
      if finding.confidence != "certain" {
        text += " <span class=\"soft\">(\(finding.confidence.asHTML))</span>"
      }
      text +=
        "</td><td><a href=\"\(timeline)#f=\(finding.fingerprint.asHTML)\">show</a></td></tr>\n"
    }
    return text + "</table></div>\n"
  }
}
