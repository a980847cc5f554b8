// Counts the events of each kind, thread and phase from templates alone, block by block.
// This file must not know where the blocks come from.

import TraceModel

/// How many events there are of each kind, thread and phase.
struct BenchScan {
  /// Of the kinds of the vocabulary, by their numbers.
  private(set) var kinds = [Int](repeating: 0, count: Int(EventKind.firstUnknownNumber))
  /// Of other kinds, whose numbers mean something in their block only.
  private(set) var otherKinds: [String: Int] = [:]
  private(set) var threads: [Int64: Int] = [:]
  private(set) var phases = [Int](repeating: 0, count: Phase.allCases.count)
  /// Events of each template of the block at hand. Kept for its memory.
  private var counts: [Int] = []

  init() {}

  /// The events that all three ways of counting have found; nil if they differ.
  var eventCount: Int? {
    let sums = [
      kinds.reduce(0, +) + otherKinds.values.reduce(0, +), threads.values.reduce(0, +),
      phases.reduce(0, +),
    ]
    return Set(sums).count == 1 ? sums[0] : nil
  }

  /// Counts the events of a block: its templates, and then what these stand for.
  mutating func add(_ batch: EventBatch) {
    counts.removeAll(keepingCapacity: true)
    counts.append(contentsOf: repeatElement(0, count: batch.templates.count))
    countTemplates(batch.templateIndices)
    for (place, template) in batch.templates.enumerated() where counts[place] > 0 {
      let count = counts[place]
      if template.kind.isKnown {
        kinds[Int(template.kind.rawValue)] += count
      } else {
        otherKinds[batch.name(of: template.kind), default: 0] += count
      }
      threads[batch.threads[Int(template.thread)].id, default: 0] += count
      phases[Int(template.phase.rawValue)] += count
    }
  }

  private mutating func countTemplates(_ indices: [UInt16]) {
    var counts = self.counts.mutableSpan
    let templates = indices.span
    for event in templates.indices { counts[Int(templates[event])] += 1 }
  }
}
