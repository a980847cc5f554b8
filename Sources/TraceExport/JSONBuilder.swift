// Writes JSON into bytes, with keys in the order in which they are given.
// This file must not know what reports hold.

import TraceModel

/// Appends JSON values and takes care of commas.
public struct JSONBuilder: Sendable {
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  public init() {}

  public mutating func beginObject() { open("{") }
  public mutating func endObject() { close("}") }
  public mutating func beginArray() { open("[") }
  public mutating func endArray() { close("]") }

  /// Writes a key; its value must follow.
  public mutating func key(_ name: String) {
    separate()
    PrintableText.appendJSON(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func string(_ text: String) {
    separate()
    PrintableText.appendJSON(text, to: &bytes)
  }

  public mutating func stringOrNull(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  public mutating func integer(_ value: some BinaryInteger) { literal("\(value)") }
  public mutating func boolean(_ value: Bool) { literal(value ? "true" : "false") }
  public mutating func null() { literal("null") }

  /// Writes a number, or null for what JSON can't say.
  public mutating func number(_ value: Double) { literal(value.isFinite ? "\(value)" : "null") }

  /// Writes a JSON text as it stands. It must be one: every decoder checks those it lets through.
  public mutating func json(_ text: String) {
    separate()
    PrintableText.appendEscaped(Array(text.utf8), to: &bytes)
  }

  /// Writes a number or a word of JSON as it stands.
  mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: String) {
    separate()
    bytes.append(contentsOf: bracket.utf8)
    needsComma = false
  }

  private mutating func close(_ bracket: String) {
    bytes.append(contentsOf: bracket.utf8)
    needsComma = true
  }
}
