// The timeline page of one trace, read from its capture.

import Foundation
import TraceExport
import TraceModel
import TracePipeline

enum TimelineAnswer {
  /// Bytes of a page: four million calls with their arguments take less.
  private static let bytesMax = 256 << 20
  /// How long one page may keep others waiting.
  private static let secondsMax: Int64 = 15

  private static let gone = HTTPResponse(
    .notFound, text: "the capture doesn't hold that trace any more\n")

  /// - Parameters:
  ///   - folder: Where the capture lies; pages don't show it.
  ///   - name: The capture's name in it.
  ///   - place: The place of the trace in the capture.
  static func make(
    _ folder: ServedFolder, _ name: String, place: Int, _ run: CheckRun, _ toolVersion: String
  ) -> HTTPResponse {
    guard folder.holds(name) else { return gone }
    let file = TimelineFile(bytesMax: bytesMax, secondsMax: secondsMax)
    var visitor = TimelineVisitor(
      path: name, number: place + 1,
      writer: TimelineFormat.html.makeWriter(TimelineContext(toolVersion: toolVersion)),
      file: file, terms: run.terms)
    do throws(CaptureFailure) {
      try CaptureReader.read(
        path: folder.path(of: name), format: run.format, overrides: run.overrides,
        lines: run.lines, onlyRegular: true, into: &visitor)
      var writer = visitor.writer
      writer.end()
      try file.write(&writer.output)
    } catch {
      let text = PrintableText.printable("\(name): \(error.message)")
      return HTTPResponse(.unavailable, text: text + "\n")
    }
    guard visitor.traceCount > place else { return gone }
    var response = HTTPResponse(
      mediaType: TimelineFormat.html.mediaType, body: Data(file.bytes))
    response.contentPolicy = HTTPResponse.programPolicy
    return response
  }
}
