// Blocks that nobody hears: what they change without being opened, and when they may stay closed.

import TraceLifecycle
import TraceModel

extension Engine {
  /// What opens or closes a recording is read by those who match spans.
  private static let recordingKinds: [EventKind] = [.traceStart, .traceLost]

  /// Whether no event of a block concerns the life cycle or a monitor, as long as nothing else
  /// happens before it ends. Only its dictionary is looked at, for each template once.
  ///
  /// A block with a suspension that isn't decided, with losses, or in which a deadline passes
  /// isn't quiet.
  func isQuiet(_ batch: EventBatch, until latestNanoseconds: Int64) -> Bool {
    guard lookahead == nil, defects.isEmpty, meter == nil,
      latestNanoseconds <= deadlineNanoseconds, gate.state != .suspended,
      judge.settler.isEmpty, judge.spans.deferredCount == 0
    else { return false }
    return batch.templates.allSatisfy {
      !Self.recordingKinds.contains($0.kind) && isIgnored($0, batch)
    }
  }

  /// Takes note of a block without hearing its events, and says whether that is the same as
  /// hearing them. If it isn't, nothing has changed.
  func pass(_ batch: EventBatch, _ outline: BlockOutline) -> Bool {
    guard isQuiet(batch, until: outline.latestNanoseconds) else { return false }
    var auditor = auditor
    var anomalies: [SpanAnomaly] = []
    auditor.audit(batch, 0..<batch.count, into: &anomalies)
    guard anomalies.isEmpty else { return false }
    self.auditor = auditor
    noteEvents(
      batch, 0..<batch.count, first: outline.earliestNanoseconds, last: outline.latestNanoseconds)
    judge.lastIndex = nil
    judge.lastNanoseconds = outline.latestNanoseconds
    judge.keptLastWitness = nil
    let readWhole = outline.readWhole
    judge.readLastWitness = {
      readWhole().flatMap { batch in
        batch.count > 0 ? batch.witness(batch.event(at: batch.count - 1), role: "") : nil
      }
    }
    return true
  }
}
