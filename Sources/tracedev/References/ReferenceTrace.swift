// Events as the writers of other formats need them: all at once, with every shape known before the
// first event. This file must not know any format.

import TraceModel

/// A trace to be written in the formats of others.
struct ReferenceTrace {
  /// One argument of a shape.
  struct Field: Hashable {
    var name: String
    var type: ArgumentType
  }

  /// What events with the same kind, phase and arguments share.
  struct Shape: Hashable {
    var name: String
    var phase: Phase
    var fields: [Field]
  }

  /// One event.
  struct Entry {
    var time: UInt64
    var thread: Int64
    /// The place of its shape in ``ReferenceTrace/shapes``.
    var shape: Int
    /// The place of its first argument in the batch.
    var firstBits: Int
    var batch: EventBatch

    func bits(_ field: Int) -> UInt64 { batch.argumentBits[firstBits + field] }

    /// The bytes of an argument that is a text.
    func text(_ field: Int) -> ArraySlice<UInt8> {
      batch.strings.bytes[batch.strings.range(at: Int(bits(field)))]
    }
  }

  private(set) var shapes: [Shape] = []
  /// Whether all integers of a field fit into 32 bits, by shape and field.
  private(set) var isShort: [[Bool]] = []
  private(set) var eventCount = 0
  private(set) var threads: [Int64] = []
  private var numbers: [Shape: Int] = [:]
  private var parts: [(batch: EventBatch, shapes: [Int])] = []

  /// Adds events, whose times must not be before 0.
  mutating func add(_ batch: EventBatch) {
    let places = batch.templates.map { number(of: $0, in: batch) }
    for entry in batch.threads where !threads.contains(entry.id) { threads.append(entry.id) }
    for event in 0..<batch.count {
      let shape = places[Int(batch.templateIndices[event])]
      let first = Int(batch.argumentStarts[event])
      for (field, argument) in shapes[shape].fields.enumerated() where argument.type == .integer {
        let value = Int64(bitPattern: batch.argumentBits[first + field])
        if Int32(exactly: value) == nil { isShort[shape][field] = false }
      }
    }
    eventCount += batch.count
    parts.append((batch, places))
  }

  private mutating func number(of template: EventTemplate, in batch: EventBatch) -> Int {
    let first = Int(template.firstSlot)
    let fields = batch.slots[first..<first + Int(template.slotCount)].map { slot in
      Field(name: batch.text(of: slot.name), type: slot.type)
    }
    let shape = Shape(name: batch.name(of: template.kind), phase: template.phase, fields: fields)
    if let number = numbers[shape] { return number }
    let number = shapes.count
    numbers[shape] = number
    shapes.append(shape)
    isShort.append(fields.map { _ in true })
    return number
  }

  /// Calls the body with each event, in order.
  func visit(_ body: (Entry) -> Void) {
    for (batch, places) in parts {
      for event in 0..<batch.count {
        let place = Int(batch.templateIndices[event])
        body(
          Entry(
            time: UInt64(max(0, batch.timesNanoseconds[event])),
            thread: batch.threads[Int(batch.templates[place].thread)].id,
            shape: places[place], firstBits: Int(batch.argumentStarts[event]), batch: batch))
      }
    }
  }
}
