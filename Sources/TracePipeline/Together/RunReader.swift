// Reads the traces of one run side by side and gives out one trace in order of time.
// This file must not know how it was decided what belongs together.

import TraceExport
import TraceModel

/// One trace of a run being read.
///
/// A class, because it holds an open input, and a merge keeps several in a list.
final class RunStream {
  let plan: RunPlan.Member
  private let source: any OpenSource
  /// The trace that the source tells of.
  private var trace = -1
  /// Whether the source tells of several traces at once.
  private var isStreamed = false
  private var hasEnded = false
  fileprivate var batch = EventBatch()
  /// The texts of the batch that were taken over.
  fileprivate var texts = CopiedTexts()
  fileprivate var place = 0
  /// The time of the next event on the clock of the run; nil at the end of the trace.
  fileprivate private(set) var timeNanoseconds: Int64?
  /// No event counts as earlier than the one before it in its trace, so that they keep their order.
  fileprivate private(set) var keyNanoseconds = Int64.min

  init(_ plan: RunPlan.Member, _ source: any OpenSource) throws(CaptureFailure) {
    self.plan = plan
    self.source = source
    place = -1
    try advance()
  }

  /// Goes on to the next event that is taken over.
  fileprivate func advance() throws(CaptureFailure) {
    place += 1
    while true {
      while place < batch.count {
        if isTaken {
          let time = batch.timesNanoseconds[place].plus(plan.shiftNanoseconds)
          let bounded = min(max(time, plan.earliestNanoseconds), plan.latestNanoseconds)
          timeNanoseconds = bounded
          keyNanoseconds = max(keyNanoseconds, bounded)
          return
        }
        place += 1
      }
      guard try readBatch() else {
        timeNanoseconds = nil
        batch.removeAll()
        return
      }
      texts = CopiedTexts(of: batch)
      place = 0
    }
  }

  /// Reads on to the next events of the trace; whether there are any.
  private func readBatch() throws(CaptureFailure) -> Bool {
    while !hasEnded {
      switch try source.next(into: &batch) {
      case .batch where trace == plan.index: return true
      case .batch, .problem, .remark, .stream(.amended): break
      case .header:
        if isStreamed { break }
        trace += 1
        hasEnded = trace > plan.index
      case .stream(.trace(let number)):
        isStreamed = true
        trace = number
      case .stream(.ended): hasEnded = trace == plan.index
      case .end: hasEnded = true
      }
    }
    return false
  }

  private var isTaken: Bool {
    if !plan.dropped.isEmpty, plan.dropped.contains(batch.ordinal(at: place)) { return false }
    switch batch.templates[Int(batch.templateIndices[place])].kind {
    case .traceStart: return plan.isRecorded
    case .traceEnd: return plan.isRecorded && plan.keepsEnd
    default: return true
    }
  }

  /// The line of the next event among those of all files; 0 if it has none.
  fileprivate var line: UInt32 {
    if !plan.lines.isEmpty, let line = plan.lines[batch.ordinal(at: place)] { return line }
    let own = place < batch.lines.count ? batch.lines[place] : 0
    if own == 0 { return 0 }
    let (line, overflow) = own.addingReportingOverflow(plan.linesBefore)
    return overflow ? 0 : line
  }

  /// Whether another recording of the run tells the same next event.
  fileprivate func isTwin(of other: RunStream) -> Bool {
    guard plan.isRecorded, other.plan.isRecorded, let timeNanoseconds,
      timeNanoseconds == other.timeNanoseconds
    else { return false }
    let mine = batch.event(at: place)
    let theirs = other.batch.event(at: other.place)
    guard mine.phase == theirs.phase, mine.thread == theirs.thread,
      batch.name(of: mine.kind) == other.batch.name(of: theirs.kind)
    else { return false }
    let arguments = batch.arguments(at: place)
    let others = other.batch.arguments(at: other.place)
    return arguments.count == others.count
      && zip(arguments, others).allSatisfy { $0.name == $1.name && $0.value == $1.value }
  }
}

/// Merges the traces of one run.
struct RunReader {
  private let streams: [RunStream]
  private let added: [AddedEvent]
  private var nextAdded = 0
  private var assembler = BatchAssembler()
  private var batch = EventBatch()

  init(_ streams: [RunStream], added: [AddedEvent]) {
    self.streams = streams
    self.added = added
  }

  /// Hands over all events, a batch at a time.
  mutating func read<Visitor: CaptureVisitor>(
    into visitor: inout Visitor
  ) throws(CaptureFailure) {
    while !visitor.isSatisfied, let stream = earliest, let time = stream.timeNanoseconds {
      while nextAdded < added.count, isBefore(added[nextAdded], stream.keyNanoseconds) {
        try add(added[nextAdded], into: &visitor)
        nextAdded += 1
      }
      try makeRoom(into: &visitor)
      assembler.append(
        stream.place, of: stream.batch, timeNanoseconds: time, line: stream.line,
        texts: &stream.texts)
      for other in streams where other !== stream && other.isTwin(of: stream) {
        try other.advance()
      }
      try stream.advance()
    }
    while nextAdded < added.count {
      try add(added[nextAdded], into: &visitor)
      nextAdded += 1
    }
    try flush(into: &visitor)
  }

  private func isBefore(_ event: AddedEvent, _ time: Int64) -> Bool {
    event.isFirst ? event.timeNanoseconds <= time : event.timeNanoseconds < time
  }

  /// The trace whose next event is the earliest; of equal ones the first.
  private var earliest: RunStream? {
    var best: RunStream?
    for stream in streams where stream.timeNanoseconds != nil {
      if best == nil || stream.keyNanoseconds < best?.keyNanoseconds ?? .max { best = stream }
    }
    return best
  }

  private mutating func makeRoom<Visitor: CaptureVisitor>(
    into visitor: inout Visitor
  ) throws(CaptureFailure) {
    if assembler.isFull { try flush(into: &visitor) }
  }

  private mutating func flush<Visitor: CaptureVisitor>(
    into visitor: inout Visitor
  ) throws(CaptureFailure) {
    guard assembler.batch.count > 0 else { return }
    assembler.take(into: &batch)
    try visitor.consume(batch)
  }

  private mutating func add<Visitor: CaptureVisitor>(
    _ event: AddedEvent, into visitor: inout Visitor
  ) throws(CaptureFailure) {
    try makeRoom(into: &visitor)
    let kind: EventKind =
      switch event.content {
      case .attach: .traceStart
      case .lost: .traceLost
      case .end(let isKill, _): isKill ? .procKill : .procExit
      }
    assembler.begin(
      kind, .instant, thread: 0, timeNanoseconds: event.timeNanoseconds, line: event.line)
    switch event.content {
    case .attach: assembler.add(.reason, .string("attach"))
    case .lost(let first, let last):
      assembler.add(.firstNs, .integer(first))
      assembler.add(.lastNs, .integer(last))
    case .end(_, let arguments):
      for argument in arguments where assembler.canAddArgument {
        assembler.add(assembler.argumentName(argument.name), argument.value)
      }
    }
    assembler.endEvent()
  }
}
