// Traces for tests: read from the timeline notation, changed in harmless ways, and judged.

import Testing
import TraceModel
import TraceNotation

@testable import TraceCatalogue
@testable import TraceRules

/// A trace in memory.
struct TraceFixture {
  var header = TraceHeader()
  var batches: [EventBatch] = []

  init(header: TraceHeader, batches: [EventBatch]) {
    self.header = header
    self.batches = batches
  }

  /// Reads a text in the timeline notation; a mistake in it fails the test.
  init(_ text: String) {
    var decoder = TimelineDecoder(requiresFirstLine: false)
    self.init(decoding: &decoder, Array(text.utf8))
  }

  init(decoding decoder: inout some CaptureDecoder, _ bytes: [UInt8]) {
    decoder.feed(bytes.span)
    decoder.finish()
    var batch = EventBatch()
    reading: while true {
      switch decoder.next(into: &batch) {
      case .header(let header): self.header = header
      case .batch: batches.append(batch)
      case .problem(let problem):
        if problem.consequence != .truncated { Issue.record("\(problem)") }
      case .remark, .stream: break
      case .needsInput:
        Issue.record("asks for more after the end")
        break reading
      case .end: break reading
      }
    }
  }

  var eventCount: Int { batches.reduce(0) { $0 + $1.count } }

  /// Judges the trace; by the four headline rules unless other options are given.
  func judge(_ options: CheckOptions = .headline) -> Judgement {
    var checker = Checker(header: header, options: options)
    for var batch in batches { checker.consume(&batch) }
    return checker.finish(isDamaged: false)
  }

  /// The trace with every event passed through a change; returning false drops the event.
  func rebuilt(
    eventsPerBatch: Int = .max, _ change: (inout BatchAssembler, EventBatch, Int) -> Void
  ) -> TraceFixture {
    var result = TraceFixture(header: header, batches: [])
    var assembler = BatchAssembler()
    var ordinal = 0
    func take() {
      var batch = EventBatch()
      assembler.take(into: &batch)
      // Copies keep the places of the original; a rebuilt trace has its own.
      batch.ordinals = []
      batch.firstOrdinal = ordinal
      ordinal += batch.count
      if batch.count > 0 { result.batches.append(batch) }
    }
    for batch in batches {
      for index in 0..<batch.count {
        change(&assembler, batch, index)
        if assembler.batch.count >= eventsPerBatch { take() }
      }
    }
    take()
    return result
  }
}

extension CheckOptions {
  /// The four rules that most traces are checked for.
  static var headline: CheckOptions {
    var options = CheckOptions()
    options.rules = ["LC001", "LC002", "LC003", "LC004"].flatMap { Catalogue.rules(matching: $0) }
    return options
  }
}
