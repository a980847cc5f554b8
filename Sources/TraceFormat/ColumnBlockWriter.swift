// The content of a block as columns, each compressed on its own.

import TraceModel

/// Writes blocks as columns. Reused from block to block.
struct ColumnBlockWriter: Sendable {
  private var choice = ColumnTemplateChoice()
  private var plan = ColumnPlan()
  private var times = TimeWriter()
  private var arguments = ArgumentWriter()
  private var dictionary: [UInt8] = []
  private var templates: [UInt8] = []

  init() {}

  /// Appends the columns of a batch, and says how large each is. Nil, and nothing appended, if
  /// they exceed the bounds of columns: the block is written as rows then.
  mutating func append(
    _ batch: EventBatch, ticks: [Int64], from earliest: Int64, codec: inout ChunkCodec,
    to output: inout [UInt8]
  ) -> [ColumnSize]? {
    guard Self.hasArgumentsInOrder(batch) else { return nil }
    choice.choose(batch, ticks: ticks)
    plan.removeAll()
    for template in choice.templates { plan.templates.append(ColumnTemplate(template: template)) }
    times.write(batch, ticks: ticks, from: earliest, choice, &plan)
    arguments.write(batch, choice, &plan)
    writeTemplates()
    dictionary.removeAll(keepingCapacity: true)
    BlockDictionary.append(batch, to: &dictionary)
    plan.append(batch, to: &dictionary)
    let columns = [dictionary, templates, times.groups, times.lowBits.bytes, arguments.bytes]
    return append(columns + times.streams, codec: &codec, to: &output)
  }

  /// Whether each event's arguments follow those of the event before, as readers give them back.
  private static func hasArgumentsInOrder(_ batch: EventBatch) -> Bool {
    var argument = 0
    for event in 0..<batch.count {
      guard Int(batch.argumentStarts[event]) == argument else { return false }
      argument += Int(batch.templates[Int(batch.templateIndices[event])].slotCount)
    }
    return argument == batch.argumentBits.count
  }

  /// One byte for each event. The last byte value says that two more bytes stand behind all events.
  private mutating func writeTemplates() {
    templates.removeAll(keepingCapacity: true)
    let escape = UInt16(ColumnBlockReader.escapeByte)
    for template in choice.assignment {
      templates.append(UInt8(min(template, escape)))
    }
    for template in choice.assignment where template >= escape {
      templates.append(UInt8(truncatingIfNeeded: template - escape))
      templates.append(UInt8(truncatingIfNeeded: (template - escape) >> 8))
    }
  }

  private func append(
    _ columns: [[UInt8]], codec: inout ChunkCodec, to output: inout [UInt8]
  ) -> [ColumnSize]? {
    var total = 0
    for column in columns {
      guard column.count <= FormatLimits.columnRawBytesMax else { return nil }
      total += column.count
    }
    guard total <= FormatLimits.blockRawBytesMax else { return nil }
    var stored = ChunkCodec.stored
    var sizes: [ColumnSize] = []
    for (place, column) in columns.enumerated() {
      let start = output.count
      if place == Column.lowBits {
        output.append(copying: column.span)
      } else {
        codec.compress(column.span, into: &output)
        if output.count - start >= column.count, codec.identifier != stored.identifier {
          output.removeSubrange(start...)
          stored.compress(column.span, into: &output)
        }
      }
      sizes.append(
        ColumnSize(rawByteCount: column.count, storedByteCount: output.count - start))
    }
    return sizes
  }
}
