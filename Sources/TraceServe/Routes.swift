// What is served at which path. This file must not know connections, nor how captures are read.

import Foundation
import TraceExport
import TraceIO

/// Answers requests from the catalogue.
struct Routes: Sendable {
  let catalogue: CaptureCatalogue
  let folder: ServedFolder
  let timelines: TimelineMaker
  let metrics: MetricsPage

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let parts = request.pathParts
    switch (parts.first ?? "", parts.count) {
    case ("", 1): return await index(IndexFilter(request))
    case ("healthz", 1): return await health()
    case ("metrics", 1):
      return await metrics.response(catalogue, accept: request.accept)
    case ("api", 2) where parts[1] == "traces":
      return CaptureAPI.captures(await catalogue.records)
    case ("api", 3...) where parts[1] == "traces":
      guard let found = await catalogue.trace(id(parts[2...])) else { return Self.unknownTrace }
      return CaptureAPI.trace(found.record.traces[found.place])
    case ("trace", 2...):
      guard let found = await catalogue.trace(id(parts[1...])) else { return Self.unknownTrace }
      return Self.html(TracePage.page(found.record, found.record.traces[found.place]))
    case ("timeline", 2...):
      guard let found = await catalogue.trace(id(parts[1...])) else { return Self.unknownTrace }
      return await timelines.response(
        folder, name: found.record.path, place: found.place, version: found.record.version)
    default:
      return HTTPResponse(
        .notFound, text: "there is nothing here; the first page is at /\n")
    }
  }

  /// A trace id may hold slashes of its own.
  private func id(_ parts: ArraySlice<Substring>) -> String { parts.joined(separator: "/") }

  private static let unknownTrace = HTTPResponse(
    .notFound, text: "no capture holds that trace; /api/traces lists all\n")

  private func index(_ filter: IndexFilter) async -> HTTPResponse {
    let problem = await catalogue.problem
    let unseen = await catalogue.unseen
    return Self.html(
      IndexPage.page(
        await catalogue.records, filter, directory: folder.path,
        warning: problem ?? unseen.sentence))
  }

  private static func html(_ page: String) -> HTTPResponse {
    var response = HTTPResponse(mediaType: "text/html; charset=utf-8", body: Data(page.utf8))
    response.contentPolicy = HTTPResponse.styledPolicy
    return response
  }

  private func health() async -> HTTPResponse {
    if let problem = await catalogue.problem {
      return HTTPResponse(.unavailable, text: PrintableText.printable(problem) + "\n")
    }
    guard await catalogue.isReady else {
      return HTTPResponse(.unavailable, text: "the captures are still being read\n")
    }
    // A supervisor that starts the server again wouldn't make more of the directory be seen.
    if let sentence = await catalogue.unseen.sentence {
      return HTTPResponse(.ok, text: "ok, but " + PrintableText.printable(sentence) + "\n")
    }
    return HTTPResponse(.ok, text: "ok\n")
  }
}
