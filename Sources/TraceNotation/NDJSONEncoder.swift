// Writes the NDJSON form, always in the same way.

public import TraceModel

/// Writes traces in the NDJSON interchange form.
///
/// Keys stand in the order `t_ns`, `event`, `phase`, `thread`, `args`; `phase` is left out of
/// instants and `args` where there are none.
public struct NDJSONEncoder: TraceEncoder {
  public typealias Failure = Never

  public var output: [UInt8] = []
  private let names = RenderedNames { name, bytes in JSONText.append(string: name, to: &bytes) }

  private var pieces = LinePieces()
  private var sizes = ValueSizes()

  public init() {}

  public mutating func begin(_ header: TraceHeader) {
    append("{\"header\":{\"format\":\"\(NDJSONGrammar.formatWord)\"")
    append(",\"version\":\(NDJSONGrammar.version)")
    for (field, value) in header.presentFields {
      append(",\"\(field.name)\":")
      HeaderText.append(value, to: &output)
    }
    for field in header.unknownFields where field.name != "format" && field.name != "version" {
      append(",")
      JSONText.append(field.name, to: &output)
      append(":")
      HeaderText.append(json: Array(field.json.utf8).span, to: &output)
    }
    append("}}\n")
  }

  public mutating func consume(_ batch: EventBatch) {
    pieces.render(batch, names: names)
    for index in 0..<batch.count { append(index, of: batch) }
  }

  public mutating func end() {}

  private mutating func append(_ index: Int, of batch: EventBatch) {
    let place = Int(batch.templateIndices[index])
    let slotCount = Int(batch.templates[place].slotCount)
    let firstSlot = Int(batch.templates[place].firstSlot)
    let firstBits = Int(batch.argumentStarts[index])
    append(LinePieces.beginning)
    JSONText.append(batch.timesNanoseconds[index], to: &output)
    var piece = pieces.firstPieces[place]
    for offset in 0..<slotCount {
      pieces.append(piece, to: &output)
      piece += 1
      NotationNames.append(
        batch.slots[firstSlot + offset].type, batch.argumentBits[firstBits + offset], of: batch,
        to: &output)
    }
    pieces.append(piece, to: &output)
  }

  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

  // MARK: Size

  /// The bytes that ``consume(_:)`` would append for a batch. A text costs its length once, however
  /// many events name it.
  public mutating func byteCount(of batch: EventBatch) -> Int64 {
    pieces.render(batch, names: names)
    sizes.forget(textCount: batch.strings.count)
    var sum: Int64 = 0
    for index in 0..<batch.count {
      let place = Int(batch.templateIndices[index])
      let firstBits = Int(batch.argumentStarts[index])
      sum += pieces.byteCounts[place] + sizes.size(of: batch.timesNanoseconds[index])
      for (offset, slot) in batch.slots(of: batch.templates[place]).enumerated() {
        sum += sizes.size(of: slot.type, batch.argumentBits[firstBits + offset], in: batch)
      }
    }
    return sum
  }
}

/// What lines of one template have in common: the pieces before, between and behind the values of
/// the arguments.
private struct LinePieces: Sendable {
  /// The first piece of each template, which has one more than arguments.
  private(set) var firstPieces: [Int] = []
  /// The bytes of a line of each template, without its time and its values.
  private(set) var byteCounts: [Int64] = []
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// What stands before the time.
  static let beginning = "{\"t_ns\":"

  mutating func render(_ batch: EventBatch, names: RenderedNames) {
    firstPieces.removeAll(keepingCapacity: true)
    byteCounts.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    for template in batch.templates {
      let start = bytes.count
      firstPieces.append(ends.count)
      append(",\"event\":")
      names.append(template.kind, of: batch, to: &bytes)
      switch template.phase {
      case .instant: break
      case .enter: append(",\"phase\":\"enter\"")
      case .return: append(",\"phase\":\"return\"")
      }
      append(",\"thread\":")
      JSONText.append(batch.threads[Int(template.thread)].id, to: &bytes)
      let isLiteral = NotationNames.mustBeLiteral(template, in: batch)
      for offset in 0..<Int(template.slotCount) {
        append(offset == 0 ? ",\"args\":{" : ",")
        let name = batch.slots[Int(template.firstSlot) + offset].name
        if isLiteral, name == .id {
          append("\"\\u0069d\"")
        } else {
          names.append(name, of: batch, to: &bytes)
        }
        append(":")
        ends.append(bytes.count)
      }
      append(template.slotCount == 0 ? "}\n" : "}}\n")
      ends.append(bytes.count)
      byteCounts.append(Int64(Self.beginning.utf8.count + bytes.count - start))
    }
  }

  @inline(__always)
  func append(_ piece: Int, to output: inout [UInt8]) {
    let start = piece == 0 ? 0 : ends[piece - 1]
    output.append(contentsOf: bytes[start..<ends[piece]])
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
