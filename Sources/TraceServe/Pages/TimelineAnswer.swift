// The timeline page of one trace, read from its capture.

import Foundation
import TraceExport
import TracePipeline

enum TimelineAnswer {
  /// Bytes of a page: four million calls with their arguments take less.
  private static let bytesMax = 256 << 20

  /// - Parameters:
  ///   - path: The capture.
  ///   - shownAs: What the page calls it.
  ///   - place: The place of the trace in the capture.
  static func make(
    _ path: String, shownAs: String, place: Int, _ run: CheckRun, _ toolVersion: String
  ) -> HTTPResponse {
    let file = TimelineFile(bytesMax: bytesMax)
    var visitor = TimelineVisitor(
      path: shownAs, number: place + 1,
      writer: TimelineFormat.html.makeWriter(TimelineContext(toolVersion: toolVersion)),
      file: file, terms: run.terms)
    do throws(CaptureFailure) {
      try CaptureReader.read(
        path: path, format: run.format, overrides: run.overrides, lines: run.lines,
        into: &visitor)
      var writer = visitor.writer
      writer.end()
      try file.write(&writer.output)
    } catch {
      let text = PrintableText.printable("\(shownAs): \(error.message)")
      return HTTPResponse(.unavailable, text: text + "\n")
    }
    guard visitor.traceCount > place else {
      return HTTPResponse(.notFound, text: "the capture doesn't hold that trace any more\n")
    }
    var response = HTTPResponse(
      mediaType: TimelineFormat.html.mediaType, body: Data(file.bytes))
    response.contentPolicy = HTTPResponse.programPolicy
    return response
  }
}
