// What the tests of the importers share: a capture as text in, a timeline as text out.

import TraceImport
import TraceModel
import TraceNotation

/// Imports a capture, fed in pieces, and prints what comes out: traces as a timeline, without its
/// first line, and problems and remarks as comments.
func imported(
  _ bytes: [UInt8], as format: CaptureFormat, pieceBytes: Int = .max
) -> String {
  var decoder = format.makeDecoder()
  var encoder = TimelineEncoder()
  var batch = EventBatch()
  var notes = ""
  var start = 0
  while start < bytes.count {
    let end = pieceBytes < bytes.count - start ? start + pieceBytes : bytes.count
    decoder.feed(bytes.span.extracting(start..<end))
    drain(&decoder, &batch, &encoder, &notes)
    start = end
  }
  decoder.finish()
  drain(&decoder, &batch, &encoder, &notes)
  encoder.end()
  return withoutLayout(String(decoding: encoder.output, as: UTF8.self)) + notes
}

/// A timeline with one header line per trace and single blanks, so that tests don't depend on how
/// the encoder lays lines out.
private func withoutLayout(_ text: String) -> String {
  var lines: [String] = []
  for line in text.split(separator: "\n") where line != "timeline 1" {
    let plain = line.split(separator: " ").joined(separator: " ")
    if plain.hasPrefix("header "), lines.last?.hasPrefix("header ") == true {
      lines[lines.count - 1] += plain.dropFirst("header".count)
    } else {
      lines.append(plain)
    }
  }
  return lines.map { $0 + "\n" }.joined()
}

func imported(_ text: String, as format: CaptureFormat, pieceBytes: Int = .max) -> String {
  imported(Array(text.utf8), as: format, pieceBytes: pieceBytes)
}

private func drain(
  _ decoder: inout any CaptureDecoder, _ batch: inout EventBatch,
  _ encoder: inout TimelineEncoder, _ notes: inout String
) {
  while true {
    switch decoder.next(into: &batch) {
    case .needsInput, .end: return
    case .header(let header): encoder.begin(header)
    case .batch: encoder.consume(batch)
    case .problem(let problem): notes += "# \(problem.consequence): \(problem.message)\n"
    case .remark(let remark): notes += "# \(remark.id): \(remark.message)\n"
    }
  }
}

/// The events of an import, without headers.
func importedEvents(_ text: String, as format: CaptureFormat) -> String {
  imported(text, as: format).split(separator: "\n").filter { !$0.hasPrefix("header ") }
    .map { $0 + "\n" }.joined()
}

/// How sure a format is of a text.
func confidence(_ text: String, _ format: CaptureFormat) -> Int {
  format.recognise(Array(text.utf8).span)
}

/// A Console.app line.
func console(_ time: String, _ process: String, _ message: String) -> String {
  "default\t\(time)+0200\t\(process)\t\(message)\n"
}
