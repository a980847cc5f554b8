// The metrics page: the format that the scraper asks for, made once per change.

import Foundation
import TraceExport
import TraceIO
import TraceModel

/// Writes `/metrics`.
///
/// An actor, because scrapes share the text that was made last, and which series they have seen.
actor MetricsPage {
  private let toolVersion: String
  private var pages: [MetricFormat: Page] = [:]

  /// What the readers of a format know. A person who looks at the plain text is no scraper that
  /// reads OpenMetrics, and takes nothing away from it.
  private struct Page {
    var seen: SeenSeries
    var last: (number: Int, sent: RemoteWriteCounts?, response: HTTPResponse)?
  }

  /// What is sent to a receiver; nil if nothing is.
  private let remoteWrite: (@Sendable () -> RemoteWriteCounts)?

  init(toolVersion: String, remoteWrite: (@Sendable () -> RemoteWriteCounts)? = nil) {
    self.toolVersion = toolVersion
    self.remoteWrite = remoteWrite
  }

  /// The page in the format that fits an Accept field best.
  func response(_ catalogue: CaptureCatalogue, accept: String) async -> HTTPResponse {
    let format = Self.format(accept)
    let numbers = await catalogue.numbers
    // Counters that begin at nothing and jump would be taken for a reset.
    guard let shown = numbers.shown else {
      return HTTPResponse(.unavailable, text: "the counts of earlier runs are still being read\n")
    }
    let sent = remoteWrite?()
    let run = numbers.run(version: toolVersion, remoteWrite: sent)
    var page = pages[format] ?? Page(seen: shown)
    if let last = page.last, last.number == numbers.number, last.sent == sent {
      return last.response
    }
    let text = numbers.metrics.text(format, run: run, seen: &page.seen)
    let response = Self.response(text, format)
    page.last = page.seen.hasNew ? nil : (numbers.number, sent, response)
    pages[format] = page
    return response
  }

  private static func response(_ text: [UInt8], _ format: MetricFormat) -> HTTPResponse {
    HTTPResponse(mediaType: format.mediaType, body: Data(text))
  }

  /// The format that an Accept field prefers: OpenMetrics if it is named with at least the weight
  /// of plain text.
  static func format(_ accept: String) -> MetricFormat {
    var openMetrics = 0.0
    var plain = 0.0
    for range in accept.split(separator: ",") {
      let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let type = parts.first?.lowercased() else { continue }
      var weight = 1.0
      for part in parts.dropFirst() where part.lowercased().hasPrefix("q=") {
        weight = Double(part.dropFirst(2)) ?? 0
      }
      switch type {
      case "application/openmetrics-text": openMetrics = max(openMetrics, weight)
      case "text/plain", "text/*", "*/*": plain = max(plain, weight)
      default: break
      }
    }
    return openMetrics > 0 && openMetrics >= plain ? .openMetrics : .text
  }
}
