// What the tests of the importers share: a capture as text in, a timeline as text out.

import TraceImport
import TraceModel
import TraceNotation
import TraceTestSupport

/// Imports a capture, fed in pieces, and prints what comes out: traces as a timeline, without its
/// first line and with what is known of each app in the end, and problems and remarks as comments.
func imported(
  _ bytes: [UInt8], as format: CaptureFormat, pieceBytes: Int = .max
) -> String {
  var decoder = format.makeDecoder()
  var reading = ImportReading()
  var start = 0
  while start < bytes.count {
    let end = pieceBytes < bytes.count - start ? start + pieceBytes : bytes.count
    decoder.feed(bytes.span.extracting(start..<end))
    reading.drain(&decoder)
    start = end
  }
  decoder.finish()
  reading.drain(&decoder)
  return reading.text
}

/// What a decoder has said so far, trace by trace.
struct ImportReading {
  private(set) var headers: [TraceHeader] = []
  private(set) var batches: [[EventBatch]] = []
  private(set) var problems: [InputProblem] = []
  private(set) var remarks: [CaptureRemark] = []
  private var current = 0
  private var isStreamed = false

  var eventCount: Int { batches.joined().reduce(0) { $0 + $1.count } }

  mutating func drain(_ decoder: inout any CaptureDecoder) {
    var batch = EventBatch()
    while true {
      switch decoder.next(into: &batch) {
      case .needsInput, .end: return
      case .header(let header):
        if !isStreamed { current = headers.count }
        headers.append(header)
        batches.append([])
      case .batch: batches[current].append(batch)
      case .stream(.trace(let number)):
        isStreamed = true
        current = number
      case .stream(.amended(let header)): headers[current] = header
      case .stream(.ended): break
      case .problem(let problem): problems.append(problem)
      case .remark(let remark): remarks.append(remark)
      }
    }
  }

  /// The traces as a timeline, then problems and remarks.
  var text: String {
    var encoder = TimelineEncoder()
    for (header, batches) in zip(headers, batches) {
      encoder.begin(header)
      for batch in batches { encoder.consume(batch) }
    }
    encoder.end()
    var text = withoutLayout(String(decoding: encoder.output, as: UTF8.self))
    for problem in problems { text += "# \(problem.consequence): \(problem.message)\n" }
    for remark in remarks { text += "# \(remark.id): \(remark.message)\n" }
    return text
  }
}

/// What a decoder says of a whole capture.
func importReading(_ bytes: [UInt8], as format: CaptureFormat) -> ImportReading {
  var decoder = format.makeDecoder()
  decoder.feed(bytes.span)
  decoder.finish()
  var reading = ImportReading()
  reading.drain(&decoder)
  return reading
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

/// The events of an import, without headers, and without remarks on kills, which the events tell.
func importedEvents(_ text: String, as format: CaptureFormat) -> String {
  let others = ["header ", "# capture: the system ended the app", "# capture: the app crashed"]
  return imported(text, as: format).split(separator: "\n")
    .filter { line in !others.contains { line.hasPrefix($0) } }
    .map { $0 + "\n" }.joined()
}

/// How sure a format is of a text.
func confidence(_ text: String, _ format: CaptureFormat) -> Int {
  format.recognise(Array(text.utf8).span)
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
