// Writes the timeline notation, always in the same way.

public import TraceModel

/// Writes traces in the timeline notation.
///
/// An enter that is followed by its own return becomes one line with `for`, if that line is read
/// back as the same two events: both are neighbours, the return has no arguments, and the event
/// after them doesn't come before the return.
public struct TimelineEncoder: TraceEncoder {
  public typealias Failure = Never

  public var output: [UInt8] = []

  private let names = RenderedNames { name, bytes in TimelineEncoder.append(name: name, to: &bytes)
  }
  private var held = HeldEnter()
  private var hasBegun = false
  /// The name of a return's kind, while it is compared.
  private var scratch: [UInt8] = []

  /// Columns of a header line, after which another begins.
  private static let headerColumnsMax = 90
  /// Columns of time and thread, after which the kind follows.
  private static let timeColumns = 14

  public init() {}

  public mutating func begin(_ header: TraceHeader) {
    writeHeld()
    if hasBegun { append("\n") }
    hasBegun = true
    append("timeline \(TimelineGrammar.version)\n")
    var fields: [[UInt8]] = []
    for (field, value) in header.presentFields {
      var text: [UInt8] = []
      TimelineHeaderField.append(field, value, to: &text)
      fields.append(text)
    }
    for field in header.unknownFields {
      var text: [UInt8] = []
      TimelineHeaderField.append(field, to: &text)
      fields.append(text)
    }
    var columns = 0
    for field in fields {
      if columns > 0, columns + field.count + 1 > Self.headerColumnsMax {
        append("\n")
        columns = 0
      }
      if columns == 0 {
        append("header")
        columns = 6
      }
      append(" ")
      output.append(contentsOf: field)
      columns += field.count + 1
    }
    append(columns > 0 ? "\n\n" : "\n")
  }

  public mutating func consume(_ batch: EventBatch) {
    for index in 0..<batch.count { consume(index, of: batch) }
  }

  public mutating func end() { writeHeld() }

  private mutating func consume(_ index: Int, of batch: EventBatch) {
    let template = batch.templates[Int(batch.templateIndices[index])]
    let thread = batch.threads[Int(template.thread)].id
    let time = batch.timesNanoseconds[index]
    if held.isHeld {
      if held.returnNanoseconds == nil, template.phase == .return, template.slotCount == 0,
        held.thread == thread, held.canReturn(at: time)
      {
        scratch.removeAll(keepingCapacity: true)
        names.append(template.kind, of: batch, to: &scratch)
        if scratch == held.kind {
          held.returnNanoseconds = time
          return
        }
      }
      writeHeld(before: time)
    }
    if template.phase == .enter {
      held.timeNanoseconds = time
      held.thread = thread
      names.append(template.kind, of: batch, to: &held.kind)
      Self.appendArguments(index, template, of: batch, names: names, to: &held.arguments)
      held.isHeld = true
    } else {
      appendTime(time, thread: thread)
      if template.phase == .return { append("<") }
      names.append(template.kind, of: batch, to: &output)
      Self.appendArguments(index, template, of: batch, names: names, to: &output)
      append("\n")
    }
  }

  /// Writes the enter that waits, and its return.
  ///
  /// - Parameter time: The time of the event that follows; nil if none does.
  private mutating func writeHeld(before time: Int64? = nil) {
    guard held.isHeld else { return }
    appendTime(held.timeNanoseconds, thread: held.thread)
    // A return on the same line waits for its time, and would come after an event before it.
    if let end = held.returnNanoseconds, time.map({ $0 >= end }) ?? true {
      output.append(contentsOf: held.kind)
      append(" for ")
      DurationText.append(end - held.timeNanoseconds, to: &output)
      output.append(contentsOf: held.arguments)
    } else {
      append(">")
      output.append(contentsOf: held.kind)
      output.append(contentsOf: held.arguments)
      if let end = held.returnNanoseconds {
        append("\n")
        appendTime(end, thread: held.thread)
        append("<")
        output.append(contentsOf: held.kind)
      }
    }
    append("\n")
    held.clear()
  }

  private mutating func appendTime(_ time: Int64, thread: Int64) {
    let start = output.count
    DurationText.append(time, to: &output)
    if thread != 1 {
      append(" @")
      JSONText.append(thread, to: &output)
    }
    repeat {
      append(" ")
    } while output.count - start < Self.timeColumns
  }

  private static func appendArguments(
    _ index: Int, _ template: EventTemplate, of batch: EventBatch, names: RenderedNames,
    to bytes: inout [UInt8]
  ) {
    guard template.slotCount > 0 else { return }
    let isLiteral = NotationNames.mustBeLiteral(template, in: batch)
    for offset in 0..<Int(template.slotCount) {
      bytes.append(UInt8(ascii: " "))
      let slot = batch.slots[Int(template.firstSlot) + offset]
      if isLiteral, slot.name == .id {
        bytes.append(contentsOf: "\"id\"".utf8)
      } else {
        names.append(slot.name, of: batch, to: &bytes)
      }
      bytes.append(UInt8(ascii: "="))
      let bits = batch.argumentBits[Int(batch.argumentStarts[index]) + offset]
      if slot.type == .string {
        let range = batch.strings.range(at: Int(bits))
        append(text: batch.strings.bytes.span.extracting(range), to: &bytes)
      } else {
        NotationNames.append(slot.type, bits, of: batch, to: &bytes)
      }
    }
  }

  /// Appends a name, in quotes if it is no word.
  private static func append(name: Span<UInt8>, to bytes: inout [UInt8]) {
    guard TimelineScanner.isWord(name) else { return JSONText.append(string: name, to: &bytes) }
    for index in name.indices { bytes.append(name[index]) }
  }

  /// Appends a text value, in quotes if it is no word or would be read as another value.
  private static func append(text: Span<UInt8>, to bytes: inout [UInt8]) {
    let whole = 0..<text.count
    if TimelineScanner.isWord(whole, "true", in: text)
      || TimelineScanner.isWord(whole, "false", in: text)
      || TimelineScanner.isWord(whole, "null", in: text)
    {
      JSONText.append(string: text, to: &bytes)
    } else {
      append(name: text, to: &bytes)
    }
  }

  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }
}

/// An enter that waits for the event after it, and then perhaps for the one after its return.
private struct HeldEnter {
  var isHeld = false
  var timeNanoseconds: Int64 = 0
  var thread: Int64 = 0
  var returnNanoseconds: Int64?
  var kind: [UInt8] = []
  var arguments: [UInt8] = []

  func canReturn(at time: Int64) -> Bool {
    let (duration, overflow) = time.subtractingReportingOverflow(timeNanoseconds)
    return !overflow && duration >= 0 && duration <= PendingReturns.nanosecondsMax
  }

  mutating func clear() {
    isHeld = false
    returnNanoseconds = nil
    kind.removeAll(keepingCapacity: true)
    arguments.removeAll(keepingCapacity: true)
  }
}
