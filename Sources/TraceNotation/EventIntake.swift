// Puts events that were read from text into batches. This file must not know any text form.

import TraceModel

/// A batch under construction and the returns that are still to come.
struct EventIntake: Sendable {
  private var assembler = BatchAssembler()
  private var pending = PendingReturns()
  // Names of the batch that the vocabulary doesn't know, by place, so that a name is made a
  // string once in a batch.
  private var kindNames = StringPool()
  private var kinds: [EventKind] = []
  private var argumentTexts = StringPool()
  private var argumentNames: [ArgumentName] = []

  @inline(__always)
  var isFull: Bool { assembler.isFull }
  var hasEvents: Bool { assembler.batch.count > 0 }
  var hasPendingReturns: Bool { !pending.isEmpty }
  var canOpenSpan: Bool { !pending.isFull }

  @inline(__always)
  func hasReturnDue(at timeNanoseconds: Int64) -> Bool { pending.isDue(at: timeNanoseconds) }

  /// Hands over the events so far.
  mutating func take(into batch: inout EventBatch) {
    assembler.take(into: &batch)
    kindNames.removeAll()
    kinds.removeAll(keepingCapacity: true)
    argumentTexts.removeAll()
    argumentNames.removeAll(keepingCapacity: true)
  }

  /// Begins to count events from 0 again. Nothing may be left in the batch or pending.
  mutating func beginTrace() {
    if assembler.eventCount > 0 { assembler = BatchAssembler() }
  }

  /// Adds the return that comes next, or that of a span which it crosses. The batch must not be
  /// full.
  mutating func addPendingReturn() {
    if pending.firstCrosses, let item = pending.first {
      addCrossed(item.kind, item.thread, item.timeNanoseconds, line: item.line)
      return
    }
    guard let item = pending.pop() else { return }
    let kind = item.kind != 0 ? EventKind(rawValue: item.kind) : kind(named: item.kindName.span)
    assembler.begin(
      kind, .return, thread: item.thread, timeNanoseconds: item.timeNanoseconds, line: item.line)
    assembler.endEvent()
  }

  /// Whether an event returns from a span around a whole one that is still open.
  @inline(__always)
  func crossesWholeSpan(_ event: borrowing ScratchEvent) -> Bool {
    event.phase == .return && pending.isCrossed(byReturnOf: event.kind, thread: event.thread)
  }

  /// Adds the return of a whole span that an event crosses. The batch must not be full.
  mutating func addCrossedSpan(by event: borrowing ScratchEvent, line: UInt32) {
    addCrossed(event.kind, event.thread, event.timeNanoseconds, line: line)
  }

  private mutating func addCrossed(
    _ kind: UInt16, _ thread: Int64, _ timeNanoseconds: Int64, line: UInt32
  ) {
    pending.close(kind, thread: thread)
    assembler.begin(
      EventKind(rawValue: kind), .return, thread: thread, timeNanoseconds: timeNanoseconds,
      line: line)
    assembler.add(.crossed, .boolean, 1)
    assembler.endEvent()
  }

  /// Adds an event. The batch must not be full.
  @inline(__always)
  mutating func add(_ event: borrowing ScratchEvent, line: UInt32) {
    let kind =
      event.kind != 0
      ? EventKind(rawValue: event.kind)
      : kind(named: event.texts.span.extracting(event.kindText))
    let isWholeSpan = event.returnNanoseconds != nil
    assembler.begin(
      kind, isWholeSpan ? .enter : event.phase, thread: event.thread,
      timeNanoseconds: event.timeNanoseconds, line: line)
    var index = 0
    while index < event.arguments.count {
      add(event.arguments[index], texts: event.texts.span)
      index += 1
    }
    assembler.endEvent()
    guard let time = event.returnNanoseconds else {
      pending.follow(event.phase, event.kind, thread: event.thread)
      return
    }
    pending.push(
      PendingReturns.Return(
        timeNanoseconds: time, thread: event.thread, line: line, kind: event.kind,
        kindName: event.kind == 0 ? Array(event.texts[event.kindText]) : []))
  }

  @inline(__always)
  private mutating func add(_ argument: ScratchEvent.Argument, texts: Span<UInt8>) {
    let name =
      argument.name != 0
      ? ArgumentName(rawValue: argument.name)
      : argumentName(texts.extracting(argument.nameText))
    if argument.type == .string || argument.type == .json {
      assembler.add(name, argument.type, text: texts.extracting(argument.valueText))
    } else {
      assembler.add(name, argument.type, argument.bits)
    }
  }

  private mutating func kind(named name: Span<UInt8>) -> EventKind {
    let place = kindNames.intern(name)
    if place == kinds.count { kinds.append(assembler.kind(named: kindNames[place])) }
    return kinds[place]
  }

  private mutating func argumentName(_ text: Span<UInt8>) -> ArgumentName {
    let place = argumentTexts.intern(text)
    if place == argumentNames.count {
      argumentNames.append(assembler.argumentName(argumentTexts[place]))
    }
    return argumentNames[place]
  }
}
