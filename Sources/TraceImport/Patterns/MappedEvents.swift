// The arguments of events that patterns made of lines, until the events are written.
// This file must not know line formats.

import TraceModel

/// Events of patterns: which pattern, and the values of its arguments.
struct MappedEvents: Sendable {
  private struct Value {
    var type: ArgumentType
    /// For texts the number in the pool.
    var bits: UInt64
  }

  /// Why a line became no event.
  enum Refusal: Error {
    /// The argument at this place, -1 for the thread, has a text that is none.
    case unreadable(argument: Int)
    case noRoom
  }

  private(set) var patterns = CapturePatterns()
  private var values: [Value] = []
  private var texts = StringPool()
  private var scratch: [UInt8] = []

  init(_ patterns: CapturePatterns = CapturePatterns()) { self.patterns = patterns }

  /// Reads the arguments of a line that fits a pattern.
  ///
  /// - Returns: The place of the first value, and the thread if the pattern says it.
  mutating func add(
    _ index: Int, _ message: Span<UInt8>, _ fields: [Range<Int>]
  ) throws(Refusal) -> (first: Int, thread: Int64?) {
    let pattern = patterns.all[index]
    guard values.count < ImportLimits.mappedValuesMax,
      texts.bytes.count < ImportLimits.textBytesMax
    else { throw .noRoom }
    let first = values.count
    for (place, argument) in pattern.arguments.enumerated() {
      guard let value = read(argument.template, argument.reading, message, fields) else {
        values.removeLast(values.count - first)
        throw .unreadable(argument: place)
      }
      append(value)
    }
    guard let template = pattern.thread else { return (first, nil) }
    guard case .integer(let thread)? = read(template, .integer, message, fields) else {
      values.removeLast(values.count - first)
      throw .unreadable(argument: -1)
    }
    return (first, thread)
  }

  private mutating func read(
    _ template: ValueTemplate, _ reading: ValueReading, _ message: Span<UInt8>,
    _ fields: [Range<Int>]
  ) -> ArgumentValue? {
    scratch.removeAll(keepingCapacity: true)
    template.append(message, fields, to: &scratch)
    return reading.value(scratch.span)
  }

  private mutating func append(_ value: ArgumentValue) {
    switch value {
    case .integer(let number):
      values.append(Value(type: .integer, bits: UInt64(bitPattern: number)))
    case .unsigned(let number): values.append(Value(type: .unsigned, bits: number))
    case .number(let number): values.append(Value(type: .number, bits: number.bitPattern))
    case .boolean(let flag): values.append(Value(type: .boolean, bits: flag ? 1 : 0))
    case .string(let text), .json(let text):
      values.append(Value(type: .string, bits: UInt64(texts.intern(text))))
    }
  }

  /// Adds the arguments of an event. The assembler has one begun.
  func append(_ index: Int, first: Int, to assembler: inout BatchAssembler) {
    for (place, argument) in patterns.all[index].arguments.enumerated() {
      let value = values[first + place]
      if value.type == .string {
        assembler.add(argument.name, .string(texts[Int(value.bits)]))
      } else {
        assembler.add(argument.name, value.type, value.bits)
      }
    }
  }
}
