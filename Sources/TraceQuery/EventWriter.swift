// Writes events into their table, block by block. The loop is a hot path: nothing in it allocates.

public import TraceModel
import TraceNotation

/// Writes the events of one trace after the other.
public struct EventWriter {
  private let rows: RowWriter
  /// The texts of the block at hand, end to end: names of kinds and phases, and keys of arguments.
  private var texts: [UInt8] = []
  private var templates: [Template] = []
  private var keys: [Range<Int>] = []
  private var arguments: [UInt8] = []

  private struct Template {
    var name: Range<Int>
    var phase: Range<Int>
    var thread: Int64
    var firstSlot: Int
    var slotCount: Int
    /// Whether its events may say what the clock on the wall showed.
    var tellsTime: Bool
  }

  init(_ rows: RowWriter) { self.rows = rows }

  /// The anchor of a trace: what is added to its times for those of the wall.
  public struct Anchor: Sendable {
    private(set) var offsetNanoseconds: Int64?
    private(set) var firstOffsetNanoseconds: Int64?
    /// Events that were written before the first anchor was known.
    public private(set) var eventsBefore = 0

    public init() {}

    mutating func set(wallNanoseconds: Int64, at nanoseconds: Int64) {
      offsetNanoseconds = wallNanoseconds.minus(nanoseconds)
      if firstOffsetNanoseconds == nil { firstOffsetNanoseconds = offsetNanoseconds }
    }

    mutating func note() { if offsetNanoseconds == nil { eventsBefore += 1 } }
  }

  /// Writes the events of a block.
  ///
  /// - Parameters:
  ///   - trace: The trace's number in the database.
  ///   - anchor: The trace's anchor so far.
  public mutating func write(
    _ batch: EventBatch, trace: Int64, _ anchor: inout Anchor
  ) throws(QueryError) {
    prepare(batch)
    var failure: QueryError?
    var arguments = self.arguments
    unsafe texts.withUnsafeBytes { texts in
      do throws(QueryError) {
        for index in 0..<batch.count {
          let template = templates[Int(batch.templateIndices[index])]
          let ordinal = Int64(batch.ordinal(at: index))
          let time = batch.timesNanoseconds[index]
          if template.tellsTime { Self.follow(batch, index, &anchor) }
          anchor.note()
          rows.add(trace << 32 | (ordinal & 0xFFFF_FFFF))
          rows.add(trace)
          rows.add(ordinal)
          rows.add(time)
          rows.add(anchor.offsetNanoseconds.map { time.plus($0) })
          // The texts of the block stand where they are while the closure runs.
          unsafe rows.add(standing: UnsafeRawBufferPointer(rebasing: texts[template.name]))
          unsafe rows.add(standing: UnsafeRawBufferPointer(rebasing: texts[template.phase]))
          rows.add(template.thread)
          let line = index < batch.lines.count ? batch.lines[index] : 0
          rows.add(line > 0 ? Int64(line) : nil)
          if template.slotCount == 0 {
            rows.add(Int64?.none)
            try rows.insert()
          } else {
            arguments.removeAll(keepingCapacity: true)
            unsafe write(batch, index, template, texts, to: &arguments)
            try insert(arguments)
          }
        }
      } catch {
        failure = error
      }
    }
    self.arguments = arguments
    if let failure { throw failure }
  }

  private func insert(_ arguments: [UInt8]) throws(QueryError) {
    var failure: QueryError?
    unsafe arguments.withUnsafeBytes { bytes in
      // The row is inserted before the bytes may move.
      unsafe rows.add(standing: bytes)
      do throws(QueryError) { try rows.insert() } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Writes the arguments of an event as a JSON object.
  private func write(
    _ batch: EventBatch, _ index: Int, _ template: Template, _ texts: UnsafeRawBufferPointer,
    to output: inout [UInt8]
  ) {
    let start = Int(batch.argumentStarts[index])
    for offset in 0..<template.slotCount {
      output.append(UInt8(ascii: offset == 0 ? "{" : ","))
      unsafe output.append(contentsOf: texts[keys[template.firstSlot + offset]])
      let bits = batch.argumentBits[start + offset]
      switch batch.slots[template.firstSlot + offset].type {
      case .integer: JSONText.append(Int64(bitPattern: bits), to: &output)
      case .unsigned: JSONText.append(bits, to: &output)
      case .number: JSONText.append(Double(bitPattern: bits), to: &output)
      case .boolean: JSONText.append(bits != 0, to: &output)
      case .string:
        let range = batch.strings.range(at: Int(bits))
        JSONText.append(string: batch.strings.bytes.span.extracting(range), to: &output)
      case .json:
        output.append(contentsOf: batch.strings.bytes[batch.strings.range(at: Int(bits))])
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  private static func follow(_ batch: EventBatch, _ index: Int, _ anchor: inout Anchor) {
    let event = batch.event(at: index)
    let name: ArgumentName = event.kind == .traceClockStep ? .newWallNs : .wallNs
    if let wall = batch.integer(name, of: event) {
      anchor.set(wallNanoseconds: wall, at: event.timeNanoseconds)
    }
  }

  /// Puts together what the events of a block share.
  private mutating func prepare(_ batch: EventBatch) {
    texts.removeAll(keepingCapacity: true)
    templates.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    for slot in batch.slots {
      let start = texts.count
      JSONText.append(batch.text(of: slot.name), to: &texts)
      texts.append(UInt8(ascii: ":"))
      keys.append(start..<texts.count)
    }
    for template in batch.templates {
      let name = append(batch.name(of: template.kind))
      templates.append(
        Template(
          name: name, phase: append(template.phase.word),
          thread: batch.threads[Int(template.thread)].id, firstSlot: Int(template.firstSlot),
          slotCount: Int(template.slotCount),
          tellsTime: [.traceStart, .traceClockSync, .traceClockStep].contains(template.kind)))
    }
  }

  private mutating func append(_ text: String) -> Range<Int> {
    let start = texts.count
    texts.append(contentsOf: text.utf8)
    return start..<texts.count
  }
}
