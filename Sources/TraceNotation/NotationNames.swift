// Names and values of a batch as bytes of the text forms, without making strings of them.

import TraceModel

enum NotationNames {
  /// Whether the name `id` of such events must be written so that it isn't read as a synonym.
  static func mustBeLiteral(_ template: EventTemplate, in batch: borrowing EventBatch) -> Bool {
    guard let argument = IdentifierSynonym.argument(of: template.kind) else { return false }
    let first = Int(template.firstSlot)
    let slots = batch.slots[first..<first + Int(template.slotCount)]
    return slots.contains { $0.name == .id } && !slots.contains { $0.name == argument }
  }

  /// Appends a value as JSON.
  @inline(__always)
  static func append(
    _ type: ArgumentType, _ bits: UInt64, of batch: borrowing EventBatch, to bytes: inout [UInt8]
  ) {
    switch type {
    case .integer: JSONText.append(Int64(bitPattern: bits), to: &bytes)
    case .unsigned: JSONText.append(bits, to: &bytes)
    case .number: JSONText.append(Double(bitPattern: bits), to: &bytes)
    case .boolean: JSONText.append(bits != 0, to: &bytes)
    case .string:
      let range = batch.strings.range(at: Int(bits))
      JSONText.append(string: batch.strings.bytes.span.extracting(range), to: &bytes)
    case .json:
      let range = batch.strings.range(at: Int(bits))
      HeaderText.append(json: batch.strings.bytes.span.extracting(range), to: &bytes)
    }
  }
}

/// Names as a text form writes them: those of the vocabulary are kept, others are written anew.
struct RenderedNames: Sendable {
  private var bytes: [UInt8] = []
  private var kindEnds: [Int] = [0]
  private var argumentStarts: [Int] = []
  private var argumentEnds: [Int] = []
  private let render: @Sendable (Span<UInt8>, inout [UInt8]) -> Void

  /// - Parameter render: Appends a name in the way of the text form.
  init(_ render: @escaping @Sendable (Span<UInt8>, inout [UInt8]) -> Void) {
    self.render = render
    for description in Vocabulary.kinds {
      render(Array(description.name.utf8).span, &bytes)
      kindEnds.append(bytes.count)
    }
    var number: UInt16 = 1
    while let text = ArgumentName(rawValue: number).knownText {
      argumentStarts.append(bytes.count)
      render(Array(text.utf8).span, &bytes)
      argumentEnds.append(bytes.count)
      number += 1
    }
  }

  @inline(__always)
  func append(_ kind: EventKind, of batch: borrowing EventBatch, to output: inout [UInt8]) {
    let number = Int(kind.rawValue)
    if number >= 1, number < kindEnds.count {
      output.append(contentsOf: bytes[kindEnds[number - 1]..<kindEnds[number]])
    } else {
      render(Array(batch.name(of: kind).utf8).span, &output)
    }
  }

  @inline(__always)
  func append(_ name: ArgumentName, of batch: borrowing EventBatch, to output: inout [UInt8]) {
    let place = Int(name.rawValue) - 1
    if place >= 0, place < argumentEnds.count {
      output.append(contentsOf: bytes[argumentStarts[place]..<argumentEnds[place]])
    } else {
      render(Array(batch.text(of: name).utf8).span, &output)
    }
  }
}
