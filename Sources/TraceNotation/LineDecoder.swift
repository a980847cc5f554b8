// What the text forms share: lines to headers, batches and problems, at any split of the input.
// This file must not know how a line is written.

import TraceModel

/// What a line means.
enum LineMeaning {
  /// Nothing, or something that is wrong.
  case nothing
  /// The event that was read.
  case event
  /// A trace begins with the header that was read. `isAnnounced` is false if the line that a
  /// file must begin with is missing before it.
  case traceBegins(isAnnounced: Bool)
  /// The input is of a version that can't be read.
  case refused
}

/// Reads the lines of one text form.
protocol LineGrammar: Sendable {
  /// What is said of an input that doesn't begin as it must; nil if any beginning is right.
  var missingBeginning: String? { get }
  /// Called when a trace begins.
  mutating func beginTrace()
  /// Reads a line into the event or a header, and says what is wrong with it.
  mutating func read(
    _ line: Span<UInt8>, into event: inout ScratchEvent, headers: inout TraceHeaders,
    problem: inout NotationError?
  ) -> LineMeaning
  /// Whether a last line that has no end and is wrong may be the beginning of a right one.
  func isCut(_ line: Span<UInt8>, _ problem: NotationError) -> Bool
}

/// The headers that a line may add to.
struct TraceHeaders: Sendable {
  /// The header of the trace that has begun.
  var current = TraceHeader()
  /// Whether the current header has not been handed out.
  var isOpen = false
  /// The header of the trace that the line begins.
  var next = TraceHeader()
}

/// A decoder of a text form.
struct LineDecoder<Grammar: LineGrammar>: Sendable {
  private var grammar: Grammar
  private(set) var lines = LineBuffer()
  private var intake = EventIntake()
  private var problems = ProblemList()

  private var event = ScratchEvent()
  /// The event has been read and waits for its place.
  private var hasEvent = false
  /// A trace has begun.
  private var hasTrace = false
  private var headers = TraceHeaders()
  private var isFlushRequested = false
  private var stage = Stage.reading
  /// What comes once the trace is closed.
  private var continuation = Continuation.end

  private enum Stage {
    case reading
    /// The trace ends: what is left of it is handed out, then the next begins.
    case closing
    case ended
  }

  private enum Continuation {
    case nextTrace
    case refusal(InputProblem)
    case end
  }

  init(_ grammar: Grammar) { self.grammar = grammar }

  mutating func feed(_ bytes: Span<UInt8>) { lines.feed(bytes) }
  mutating func finish() { lines.finish() }
  mutating func flush(silentNanoseconds: Int64) { isFlushRequested = true }

  mutating func next(into batch: inout EventBatch) -> DecoderStep {
    while true {
      if !problems.isEmpty, let problem = problems.take() { return .problem(problem) }
      if intake.isFull {
        intake.take(into: &batch)
        return .batch
      }
      switch stage {
      case .reading:
        if hasEvent {
          if let step = place() { return step }
        } else if let step = readLine(into: &batch) {
          return step
        }
      case .closing:
        if let step = close(into: &batch) { return step }
      case .ended: return .end
      }
    }
  }

  /// Puts the event where it belongs, or what comes before it.
  @inline(__always)
  private mutating func place() -> DecoderStep? {
    if headers.isOpen {
      headers.isOpen = false
      return .header(headers.current)
    }
    if intake.hasReturnDue(at: event.timeNanoseconds) {
      intake.addPendingReturn()
      return nil
    }
    let line = UInt32(clamping: lines.lineNumber)
    if intake.crossesWholeSpan(event) {
      intake.addCrossedSpan(by: event, line: line)
      return nil
    }
    hasEvent = false
    if event.returnNanoseconds != nil, !intake.canOpenSpan {
      report(
        NotationError(
          at: 0,
          "found one more span with a duration than the \(PendingReturns.countMax) that may be "
            + "open at once, expected an enter and a return on lines of their own"))
      return nil
    }
    intake.add(event, line: line)
    return nil
  }

  @inline(__always)
  private mutating func readLine(into batch: inout EventBatch) -> DecoderStep? {
    switch lines.next() {
    case .line(let range, let isTerminated): read(range, isTerminated: isTerminated)
    case .tooLong:
      report(
        NotationError(
          at: 0,
          "found a line of more than \(LineBuffer.lineBytesMax) bytes, expected a shorter one"
        ))
    case .needsInput: return waitForInput(into: &batch)
    case .end:
      if !hasTrace {
        beginUnannouncedTrace()
      } else {
        close(before: .end)
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func read(_ range: Range<Int>, isTerminated: Bool) {
    var problem: NotationError?
    let meaning = Self.read(
      range, of: lines.bytes, by: &grammar, into: &event, headers: &headers, problem: &problem)
    switch meaning {
    case .nothing: break
    case .event:
      hasEvent = true
      if !hasTrace { beginUnannouncedTrace() }
    case .traceBegins(let isAnnounced):
      if !isAnnounced, !hasTrace, problem == nil { problem = missingBeginning }
      if hasTrace {
        close(before: .nextTrace)
      } else {
        beginTrace(headers.next)
      }
    case .refused:
      guard let found = problem else { return }
      problem = nil
      close(
        before: .refusal(InputProblem(.refused, at: location(of: found), found.message)))
    }
    if let problem {
      let isCut =
        !isTerminated && grammar.isCut(lines.bytes.span.extracting(range), problem)
      report(problem, isCut: isCut)
    }
  }

  /// Reads a line of the buffer; the parts of the decoder are passed one by one, so that the
  /// bytes stay where they are.
  @inline(__always)
  private static func read(
    _ range: Range<Int>, of bytes: [UInt8], by grammar: inout Grammar,
    into event: inout ScratchEvent, headers: inout TraceHeaders, problem: inout NotationError?
  ) -> LineMeaning {
    grammar.read(
      bytes.span.extracting(range), into: &event, headers: &headers, problem: &problem)
  }

  private mutating func waitForInput(into batch: inout EventBatch) -> DecoderStep {
    if isFlushRequested {
      if headers.isOpen {
        headers.isOpen = false
        return .header(headers.current)
      }
      if intake.hasEvents {
        intake.take(into: &batch)
        return .batch
      }
      isFlushRequested = false
    }
    return .needsInput
  }

  private mutating func close(before continuation: Continuation) {
    stage = .closing
    self.continuation = continuation
  }

  private mutating func close(into batch: inout EventBatch) -> DecoderStep? {
    if headers.isOpen {
      headers.isOpen = false
      return .header(headers.current)
    }
    if intake.hasPendingReturns {
      intake.addPendingReturn()
      return nil
    }
    if intake.hasEvents {
      intake.take(into: &batch)
      return .batch
    }
    switch continuation {
    case .nextTrace:
      stage = .reading
      beginTrace(headers.next)
      return nil
    case .refusal(let problem):
      if let summary = problems.takeSummary() { return .problem(summary) }
      stage = .ended
      return .problem(problem)
    case .end:
      if let summary = problems.takeSummary() { return .problem(summary) }
      stage = .ended
      return .end
    }
  }

  private mutating func beginTrace(_ header: TraceHeader) {
    headers.current = header
    hasTrace = true
    headers.isOpen = true
    intake.beginTrace()
    grammar.beginTrace()
  }

  /// Begins a trace whose first line is missing.
  private mutating func beginUnannouncedTrace() {
    beginTrace(TraceHeader())
    if let problem = missingBeginning { report(problem) }
  }

  private var missingBeginning: NotationError? {
    grammar.missingBeginning.map { NotationError(at: -1, $0) }
  }

  private mutating func report(_ problem: NotationError, isCut: Bool = false) {
    problems.add(
      InputProblem(isCut ? .truncated : .skipped, at: location(of: problem), problem.message))
  }

  private func location(of problem: NotationError) -> InputProblem.Location {
    problem.offset < 0
      ? .line(1, column: 1) : .line(lines.lineNumber, column: problem.offset + 1)
  }
}
