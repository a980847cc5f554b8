// The last event of a launch, as evidence for what was still open when it ended.

import TraceModel

extension Judge {
  /// The last event of the launch as evidence; nil if there was none.
  func lastWitness(in batch: EventBatch, role: String) -> WitnessEvent? {
    var witness = lastIndex.map { batch.witness(batch.event(at: $0), role: role) }
    if witness == nil {
      if let readLastWitness { keptLastWitness = readLastWitness() }
      witness = keptLastWitness
    }
    witness?.role = role
    return witness
  }
}
