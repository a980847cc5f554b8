// Whether a trace tells anything of the app, or of nothing but its own recording.
// This file must not know any rule.

import TraceModel

/// Looks for the first event that tells something of an app.
struct AppSigns {
  /// What recorders say of themselves and of the device. What apps mark isn't among it, nor are
  /// kinds that the vocabulary doesn't know: rules may name them.
  private static let otherKinds = KindSet(
    Vocabulary.kinds
      .filter { ["trace", "sys"].contains($0.namespace) && $0.emitter != .app }.map(\.kind))

  /// Whether there was one.
  private(set) var areSeen = false

  /// Looks at the events of a part of a batch.
  mutating func look(in batch: EventBatch, _ range: Range<Int>) {
    if areSeen { return }
    for index in range {
      let template = batch.templates[Int(batch.templateIndices[index])]
      if Self.otherKinds.contains(template.kind) { continue }
      areSeen = true
      return
    }
  }
}
