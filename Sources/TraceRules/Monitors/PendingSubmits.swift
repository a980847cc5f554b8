// What was submitted to the graphics processor and isn't known to be complete.
// This file must not know the life cycle, nor what follows from a submit that is pending.

import TraceLifecycle
import TraceModel

/// The submits that wait for their completion.
struct PendingSubmits {
  struct Submit {
    var number: Int64
    var context: ArgumentKey
    var timeNanoseconds: Int64
    var evidence: Int
    var isBeforeGap = false
    /// Made in front again, while news of the last entry may still come.
    var isAfterEntry = false
  }

  /// Where a template has its arguments; -1: it has none.
  private struct Plan {
    var kind = -1
    var number = -1
    var numberType = ArgumentType.integer
    var context = -1
  }

  /// Submits that are followed at once; an app has a few frames in flight.
  static let countMax = 1_024

  private(set) var all: [Submit] = []
  private var arena = EvidenceArena()
  /// Submits were left out because too many waited: their highest number, and their context if
  /// they share one.
  private(set) var overflow: (number: Int64, context: ArgumentKey?)?
  private var plans: [Plan?] = []
  private var finishes: [UInt8] = []
  private var batchNumber = -1

  var count: Int { all.count }

  /// Takes a call, unless it is one that waits for all to be complete, and says whether it did.
  /// The number tells one batch from another.
  mutating func take(
    _ place: Int, _ batch: EventBatch, _ number: Int, isAfterEntry: Bool = false
  ) -> Bool {
    if number != batchNumber { forgetBatch(batch, number) }
    let template = Int(batch.templateIndices[place])
    let plan = plans[template] ?? makePlan(template, batch)
    let start = Int(batch.argumentStarts[place])
    if plan.kind >= 0, isFinish(Int(batch.argumentBits[start + plan.kind]), batch) { return false }
    guard plan.number >= 0, batch.templates[template].phase != .return,
      let submit = Self.number(batch.argumentBits[start + plan.number], plan.numberType)
    else { return true }
    let event = batch.event(at: place)
    let context = plan.context < 0 ? ArgumentKey.absent : batch.key(.context, of: event)
    guard all.count < Self.countMax else {
      let isShared = overflow == nil || overflow?.context == context
      overflow = (max(submit, overflow?.number ?? submit), isShared ? context : nil)
      return true
    }
    all.append(
      Submit(
        number: submit, context: context, timeNanoseconds: event.timeNanoseconds,
        evidence: arena.keep(event), isAfterEntry: isAfterEntry))
    return true
  }

  private mutating func forgetBatch(_ batch: EventBatch, _ number: Int) {
    batchNumber = number
    plans.removeAll(keepingCapacity: true)
    plans.append(contentsOf: repeatElement(nil, count: batch.templates.count))
    finishes.removeAll(keepingCapacity: true)
  }

  private mutating func makePlan(_ place: Int, _ batch: EventBatch) -> Plan {
    let template = batch.templates[place]
    var plan = Plan()
    for offset in 0..<Int(template.slotCount) {
      let slot = batch.slots[Int(template.firstSlot) + offset]
      switch slot.name {
      case .kind where plan.kind < 0 && slot.type == .string: plan.kind = offset
      case .submitId where plan.number < 0: (plan.number, plan.numberType) = (offset, slot.type)
      case .context where plan.context < 0: plan.context = offset
      default: continue
      }
    }
    plans[place] = plan
    return plan
  }

  private mutating func isFinish(_ text: Int, _ batch: EventBatch) -> Bool {
    while finishes.count <= text { finishes.append(0) }
    if finishes[text] == 0 { finishes[text] = batch.strings.equals(text, "finish") ? 2 : 1 }
    return finishes[text] == 2
  }

  /// The number of a submit or a completion.
  static func number(of event: Event, _ batch: EventBatch) -> Int64? {
    batch.bits(.submitId, of: event).flatMap { number($0.1, $0.0) }
  }

  private static func number(_ bits: UInt64, _ type: ArgumentType) -> Int64? {
    switch type {
    case .unsigned: Int64(clamping: bits)
    case .integer: Int64(bitPattern: bits)
    case .number: Int64(exactly: Double(bitPattern: bits))
    default: nil
    }
  }

  /// All submits up to a number are complete.
  mutating func complete(upTo number: Int64) {
    complete { $0.number <= number }
    if let overflow, overflow.number <= number { self.overflow = nil }
  }

  /// All submits of a context are complete.
  mutating func complete(_ context: ArgumentKey) {
    complete { $0.context == context }
    if let overflow, overflow.context == context { self.overflow = nil }
  }

  private mutating func complete(_ covers: (Submit) -> Bool) {
    guard all.contains(where: covers) else { return }
    for submit in all where covers(submit) { arena.release(submit.evidence) }
    all.removeAll(where: covers)
  }

  /// All that is pending was made before the next entry.
  mutating func noteEntry() { all.mark { $0.isAfterEntry = false } }

  /// Events were lost after all that is pending.
  mutating func noteGap() { all.mark { $0.isBeforeGap = true } }

  /// Forgets what was submitted before the entry; what came after it is for the next one.
  mutating func forgetBeforeEntry() {
    for submit in all where !submit.isAfterEntry { arena.release(submit.evidence) }
    all.removeAll { !$0.isAfterEntry }
    noteEntry()
    overflow = nil
  }

  func evidence(_ submit: Submit) -> PendingWitness? { arena[submit.evidence] }

  mutating func batchEnds(_ batch: EventBatch) { arena.batchEnds(batch) }
}
