// What the tests of the importers share: a capture as text in, a timeline as text out.

import TraceImport
import TraceModel
import TraceNotation
import TraceTestSupport

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

/// A capture with up to twelve bytes changed, taken out or put in, or pieces repeated.
///
/// - Parameter meaningful: Bytes that mean something to a grammar, so that damage hits where it
///   matters.
func damage(_ bytes: [UInt8], with meaningful: [UInt8], seed: UInt64) -> [UInt8] {
  var random = SeededGenerator(seed: seed)
  var damaged = bytes
  for _ in 0..<Int.random(in: 1...12, using: &random) {
    let place = Int.random(in: 0..<damaged.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: damaged[place] = meaningful.randomElement(using: &random) ?? 0
    case 1: damaged.remove(at: place)
    case 2: damaged.insert(meaningful.randomElement(using: &random) ?? 0, at: place)
    default:
      let other = Int.random(in: 0..<damaged.count, using: &random)
      damaged.append(contentsOf: damaged[min(place, other)..<max(place, other)])
    }
  }
  return damaged
}
