// What the tests of the format share: reading a whole input, and what is compared.

import TraceModel
import TraceTestSupport

@testable import TraceFormat

/// An event with everything that a trace keeps of it, for comparison.
struct PlainEvent: Hashable {
  var kind: String
  var phase: Phase
  var thread: Int64
  var timeNanoseconds: Int64
  var ordinal: Int
  var arguments: [PlainArgument]

  init(_ batch: EventBatch, _ index: Int, ordinal: Int) {
    let template = batch.templates[Int(batch.templateIndices[index])]
    kind = batch.name(of: template.kind)
    phase = template.phase
    thread = batch.threads[Int(template.thread)].id
    timeNanoseconds = batch.timesNanoseconds[index]
    self.ordinal = ordinal
    arguments = batch.arguments(at: index).map { PlainArgument(name: $0.name, value: $0.value) }
  }
}

struct PlainArgument: Hashable {
  var name: String
  var value: ArgumentValue
}

/// What a decoder said, with batches as events.
enum Step: Hashable {
  case header(TraceHeader)
  case events([PlainEvent], threads: [ThreadEntry])
  case problem(InputProblem)
  case remark(CaptureRemark)

  var isProblem: Bool { if case .problem = self { true } else { false } }
}

extension [Step] {
  var problems: [InputProblem] {
    compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
  }
  var events: [PlainEvent] {
    flatMap { if case .events(let events, _) = $0 { events } else { [] as [PlainEvent] } }
  }
  var headers: [TraceHeader] {
    compactMap { if case .header(let header) = $0 { header } else { nil } }
  }
}

/// Reads an input that arrives in chunks of these sizes, the last one again and again.
func steps(
  _ input: [UInt8], chunks: [Int] = [.max], codec: ChunkCodec = .stored
) -> [Step] {
  var decoder = LctraceDecoder(codec: codec)
  return steps(input, chunks: chunks, decoder: &decoder)
}

func steps(
  _ input: [UInt8], chunks: [Int] = [.max], decoder: inout LctraceDecoder
) -> [Step] {
  var steps: [Step] = []
  var batch = EventBatch()
  var offset = 0
  var chunk = 0
  while true {
    switch decoder.next(into: &batch) {
    case .needsInput:
      guard offset < input.count else {
        decoder.finish()
        continue
      }
      let size = Swift.min(chunks[Swift.min(chunk, chunks.count - 1)], input.count - offset)
      decoder.feed(input.span.extracting(offset..<offset + size))
      offset += size
      chunk += 1
    case .header(let header): steps.append(.header(header))
    case .batch:
      steps.append(
        .events(
          (0..<batch.count).map { PlainEvent(batch, $0, ordinal: batch.ordinal(at: $0)) },
          threads: batch.threads))
    case .problem(let problem): steps.append(.problem(problem))
    case .remark(let remark): steps.append(.remark(remark))
    case .stream: break
    case .end: return steps
    }
  }
}

/// A trace as bytes, and what must come out of it.
struct Golden {
  var bytes: [UInt8]
  var steps: [Step]
  /// Where each record or signature begins, in order, and the end.
  var boundaries: [Int]

  init(
    header: TraceHeader, batches: [EventBatch], codec: ChunkCodec = .stored,
    columnEventsMin: Int = FormatLimits.columnEventsMin
  ) {
    var encoder = LctraceEncoder(codec: codec, columnEventsMin: columnEventsMin)
    encoder.begin(header)
    steps = [.header(header)]
    var ordinal = 0
    for batch in batches where batch.count > 0 {
      encoder.consume(batch)
      let events = (0..<batch.count).map { PlainEvent(batch, $0, ordinal: ordinal + $0) }
      steps.append(.events(events, threads: batch.threads))
      ordinal += batch.count
    }
    encoder.end()
    bytes = encoder.output
    boundaries = [0, FileSignature.byteCount]
    while let last = boundaries.last, last < bytes.count,
      case .present(let frame) = RecordFrame.probe(bytes.span, at: last)
    {
      boundaries.append(frame.end)
    }
  }

  /// A small trace of several blocks.
  static func small(
    seed: UInt64 = 1, blocks: Int = 5, codec: ChunkCodec = .stored,
    columnEventsMin: Int = FormatLimits.columnEventsMin
  ) -> Golden {
    var random = SeededGenerator(seed: seed)
    var header = TraceHeader()
    header[.osVersion] = .string("8.1")
    header[.backgroundModes] = .strings(["audio", "fetch"])
    return Golden(
      header: header,
      batches: (0..<blocks).map { _ in RandomTrace.batch(count: 6, using: &random) }, codec: codec,
      columnEventsMin: columnEventsMin)
  }

  var records: [Range<Int>] {
    zip(boundaries, boundaries.dropFirst()).map { $0..<$1 }
  }
}
