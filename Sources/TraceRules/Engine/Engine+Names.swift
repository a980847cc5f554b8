// Kinds and arguments that the vocabulary doesn't know.

import TraceLifecycle
import TraceModel

extension Engine {
  /// Counts the names of a range of a batch that nobody here knows.
  func countUnknownNames(_ batch: EventBatch, _ range: Range<Int>) {
    let hasUnknownNames =
      batch.kindNames.count > 0 || batch.argumentNames.count > 0
      || batch.templates.contains { $0.kind.isKnown && Vocabulary.description(of: $0.kind) == nil }
    guard hasUnknownNames else { return }
    templateCounts.removeAll(keepingCapacity: true)
    for _ in batch.templates { templateCounts.append(0) }
    for index in range { templateCounts[Int(batch.templateIndices[index])] += 1 }
    for (place, template) in batch.templates.enumerated() where templateCounts[place] > 0 {
      let slots = batch.slots[
        Int(template.firstSlot)..<Int(template.firstSlot) + Int(template.slotCount)]
      let unknown =
        (Vocabulary.description(of: template.kind) == nil ? 1 : 0)
        + slots.count { !$0.name.isKnown }
      if unknown > 0 { quality.add(.tq10, count: unknown * templateCounts[place]) }
    }
  }
}
