// The arguments of an event as one line for people, and as JSON.

import TraceModel
import TraceNotation

/// Appends arguments of events to a caller's bytes. Texts that are plain ASCII are only copied.
enum ArgumentText {
  /// Bytes of one text that are shown.
  static let textBytesMax = 160

  /// Appends `token=7 name="save"`.
  static func append(_ event: Event, in batch: EventBatch, to bytes: inout [UInt8]) {
    forEach(event, in: batch) { name, bits, type, isFirst in
      if !isFirst { bytes.append(UInt8(ascii: " ")) }
      append(name, bits, type, of: batch, to: &bytes)
    }
  }

  /// Appends ` → ok=false` to the arguments of the event that began a span: what the event that
  /// ended it adds, and not what was said before.
  ///
  /// - Parameter count: The bytes that the first event has written.
  static func append(
    _ event: Event, in batch: EventBatch, behind count: Int, of bytes: inout [UInt8]
  ) {
    var isFirst = true
    forEach(event, in: batch) { name, bits, type, _ in
      let start = bytes.count
      bytes.append(contentsOf: isFirst ? " → ".utf8 : " ".utf8)
      let word = bytes.count
      append(name, bits, type, of: batch, to: &bytes)
      if contains(bytes[word...], in: bytes[..<count]) {
        bytes.removeSubrange(start...)
      } else {
        isFirst = false
      }
    }
    if count == 0, bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
  }

  /// Whether a word stands between blanks in a text.
  private static func contains(_ word: ArraySlice<UInt8>, in text: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, word.count <= text.count else { return false }
    let blank = UInt8(ascii: " ")
    return (0...(text.count - word.count)).contains { start in
      guard text[start] == first, start == 0 || text[start - 1] == blank else { return false }
      let end = start + word.count
      return (end == text.count || text[end] == blank)
        && text[start..<end].elementsEqual(word)
    }
  }

  private static func append(
    _ name: String, _ bits: UInt64, _ type: ArgumentType, of batch: EventBatch,
    to bytes: inout [UInt8]
  ) {
    PrintableText.append(name, to: &bytes, scalarsMax: 60)
    bytes.append(UInt8(ascii: "="))
    switch type {
    case .string:
      bytes.append(UInt8(ascii: "\""))
      appendText(Int(bits), of: batch, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .json: appendText(Int(bits), of: batch, to: &bytes)
    default: appendNumber(bits, type, to: &bytes)
    }
  }

  /// Appends `{"token":7,"name":"save"}`.
  static func appendJSON(_ event: Event, in batch: EventBatch, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    forEach(event, in: batch) { name, bits, type, isFirst in
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      PrintableText.appendJSON(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      switch type {
      case .string: appendJSON(batch.strings.range(at: Int(bits)), of: batch, to: &bytes)
      case .json: PrintableText.appendEscaped(Array(batch.strings[Int(bits)].utf8), to: &bytes)
      default: appendNumber(bits, type, to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  static func forEach(
    _ event: Event, in batch: EventBatch,
    _ body: (_ name: String, _ bits: UInt64, _ type: ArgumentType, _ isFirst: Bool) -> Void
  ) {
    let template = batch.templates[Int(batch.templateIndices[event.index])]
    let start = Int(batch.argumentStarts[event.index])
    for offset in 0..<Int(template.slotCount) {
      let slot = batch.slots[Int(template.firstSlot) + offset]
      body(
        batch.text(of: slot.name), batch.argumentBits[start + offset], slot.type, offset == 0)
    }
  }

  private static func appendNumber(
    _ bits: UInt64, _ type: ArgumentType, to bytes: inout [UInt8]
  ) {
    switch type {
    case .integer: JSONText.append(Int64(bitPattern: bits), to: &bytes)
    case .unsigned: JSONText.append(bits, to: &bytes)
    case .boolean: JSONText.append(bits != 0, to: &bytes)
    case .number:
      let number = Double(bitPattern: bits)
      bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
    case .string, .json: break
    }
  }

  private static func appendText(_ index: Int, of batch: EventBatch, to bytes: inout [UInt8]) {
    let range = batch.strings.range(at: index)
    let shown = batch.strings.bytes[range].prefix(textBytesMax)
    if shown.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      bytes.append(contentsOf: shown)
      if range.count > textBytesMax { bytes.append(contentsOf: "…".utf8) }
    } else {
      PrintableText.append(batch.strings[index], to: &bytes, scalarsMax: textBytesMax)
    }
  }

  private static func appendJSON(
    _ range: Range<Int>, of batch: EventBatch, to bytes: inout [UInt8]
  ) {
    if batch.strings.bytes[range].allSatisfy({ $0 < 0x7F }) {
      JSONText.append(string: batch.strings.bytes.span.extracting(range), to: &bytes)
    } else {
      PrintableText.appendJSON(
        String(decoding: batch.strings.bytes[range], as: UTF8.self), to: &bytes)
    }
  }
}
