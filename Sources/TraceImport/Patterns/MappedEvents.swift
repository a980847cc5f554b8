// Reads the arguments of events that patterns make of lines. This file must not know line formats.

import TraceModel

/// Makes values of the fields of lines that fit patterns.
struct MappedEvents: Sendable {
  /// The argument at this place, -1 for the thread, has a text that is none.
  struct Refusal: Error {
    var argument: Int
  }

  private let patterns: CapturePatterns
  private var scratch: [UInt8] = []

  init(_ patterns: CapturePatterns) { self.patterns = patterns }

  /// Reads the arguments of a line that fits a pattern.
  ///
  /// - Returns: The values in the order of the pattern's arguments, and the thread if the pattern
  ///   says it.
  mutating func values(
    _ index: Int, _ message: Span<UInt8>, _ fields: [Range<Int>]
  ) throws(Refusal) -> (values: [ArgumentValue], thread: Int64?) {
    let pattern = patterns.all[index]
    var values: [ArgumentValue] = []
    for (place, argument) in pattern.arguments.enumerated() {
      guard let value = read(argument.template, argument.reading, message, fields) else {
        throw Refusal(argument: place)
      }
      values.append(value)
    }
    guard let template = pattern.thread else { return (values, nil) }
    guard case .integer(let thread)? = read(template, .integer, message, fields) else {
      throw Refusal(argument: -1)
    }
    return (values, thread)
  }

  private mutating func read(
    _ template: ValueTemplate, _ reading: ValueReading, _ message: Span<UInt8>,
    _ fields: [Range<Int>]
  ) -> ArgumentValue? {
    scratch.removeAll(keepingCapacity: true)
    template.append(message, fields, to: &scratch)
    return reading.value(scratch.span)
  }
}
