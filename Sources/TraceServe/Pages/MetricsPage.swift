// The metrics page: the format that the scraper asks for, made once per change.

import Foundation
import TraceExport
import TraceIO

/// Writes `/metrics`.
///
/// An actor, because scrapes share the text that was made last.
actor MetricsPage {
  private let toolVersion: String
  private var last: (number: Int, format: MetricFormat, response: HTTPResponse)?

  init(toolVersion: String) { self.toolVersion = toolVersion }

  /// The page in the format that fits an Accept field best.
  func response(_ catalogue: CaptureCatalogue, accept: String) async -> HTTPResponse {
    let format = Self.format(accept)
    let number = await catalogue.number
    if let last, last.number == number, last.format == format { return last.response }
    let times = await catalogue.times
    let run = MetricRun(
      version: toolVersion, endSeconds: times.lastRunSeconds,
      lastSuccessSeconds: times.lastSuccessSeconds)
    let text = await catalogue.metrics.text(format, run: run)
    let response = HTTPResponse(mediaType: format.mediaType, body: Data(text))
    last = (number, format, response)
    return response
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
