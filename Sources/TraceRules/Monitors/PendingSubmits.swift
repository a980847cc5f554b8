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
    /// Events were lost since, or before, so that it may have been made in the background.
    var isBeforeGap = false
    /// Made in front again, while news of the last entry may still come.
    var isAfterEntry = false

    /// Whether it was surely made before the entry at hand.
    var isCertain: Bool { !isBeforeGap && !isAfterEntry }
  }

  /// Where a template has its arguments; -1: it has none.
  private struct Plan {
    var isSubmit = false
    var numberType = ArgumentType.integer
    var contextType = ArgumentType.integer
    var kind: Int16 = -1
    var number: Int16 = -1
    var context: Int16 = -1
  }

  /// Submits that are followed one by one: of those that come while so many wait, only the highest
  /// of each context is known.
  static let countMax = 64
  /// Contexts of which that is known; an app has one or two.
  static let contextsMax = 8

  private var all: [Submit] = []
  /// The highest submit of each context that was left out.
  private var highest: [Submit] = []
  /// Whether there may be submits of which not even that is known.
  private var isVague = false
  private var arena = EvidenceArena()
  private var plans: [Plan] = []
  /// Of each text of the batch: 0 if it wasn't compared yet, 1 if it isn't "finish", 2 if it is.
  private var finishes: [UInt8] = []
  private var batchNumber = -1

  /// The submits that wait, as far as they are known one by one.
  var waiting: [Submit] { highest.isEmpty ? all : all + highest }

  /// Whether more may wait than ``waiting`` tells.
  var isOverfull: Bool { isVague || !highest.isEmpty }

  /// Takes a call, and says whether it waits for all to be complete. The number tells one batch
  /// from another.
  mutating func take(
    _ event: Event, _ batch: EventBatch, _ number: Int, isAfterEntry: Bool = false,
    isDoubtful: Bool
  ) -> Bool {
    if number != batchNumber { forgetBatch(batch, number) }
    let plan = plans[Int(batch.templateIndices[event.index])]
    let start = Int(batch.argumentStarts[event.index])
    if plan.kind >= 0, isFinish(Int(batch.argumentBits[start + Int(plan.kind)]), batch) {
      return true
    }
    if plan.isSubmit { submit(event, start, plan, batch, isAfterEntry, isDoubtful) }
    return false
  }

  private mutating func raise(_ place: Int, to number: Int64, _ event: Event, _ isDoubtful: Bool) {
    arena.release(highest[place].evidence)
    highest[place].number = number
    highest[place].timeNanoseconds = event.timeNanoseconds
    highest[place].evidence = arena.keep(event)
    highest[place].isBeforeGap = isDoubtful
  }

  private mutating func submit(
    _ event: Event, _ start: Int, _ plan: Plan, _ batch: EventBatch, _ isAfterEntry: Bool,
    _ isDoubtful: Bool
  ) {
    guard
      let number = Self.number(batch.argumentBits[start + Int(plan.number)], plan.numberType)
    else { return }
    let submit = Submit(
      number: number, context: Self.context(plan, start, batch),
      timeNanoseconds: event.timeNanoseconds, evidence: -1, isBeforeGap: isDoubtful,
      isAfterEntry: isAfterEntry)
    guard all.count < Self.countMax else { return leaveOut(submit, event) }
    all.append(submit)
    all[all.count - 1].evidence = arena.keep(event)
  }

  /// Of submits that are left out only the highest of each context is known.
  private mutating func leaveOut(_ submit: Submit, _ event: Event) {
    let known = highest.firstIndex {
      $0.context == submit.context && $0.isAfterEntry == submit.isAfterEntry
    }
    if let known, submit.number > highest[known].number {
      raise(known, to: submit.number, event, submit.isBeforeGap)
    } else if known == nil {
      guard highest.count < Self.contextsMax else { return isVague = true }
      highest.append(submit)
      highest[highest.count - 1].evidence = arena.keep(event)
    }
  }

  private static func context(_ plan: Plan, _ start: Int, _ batch: EventBatch) -> ArgumentKey {
    plan.context < 0
      ? .absent : batch.key(batch.argumentBits[start + Int(plan.context)], as: plan.contextType)
  }

  private mutating func forgetBatch(_ batch: EventBatch, _ number: Int) {
    batchNumber = number
    finishes.removeAll(keepingCapacity: true)
    finishes.append(contentsOf: repeatElement(0, count: batch.strings.count))
    plans.removeAll(keepingCapacity: true)
    for template in batch.templates {
      plans.append(template.kind == .glCall ? Self.plan(template, batch) : Plan())
    }
  }

  private static func plan(_ template: EventTemplate, _ batch: EventBatch) -> Plan {
    var plan = Plan()
    for offset in 0..<min(Int(template.slotCount), Int(Int16.max)) {
      let slot = batch.slots[Int(template.firstSlot) + offset]
      switch slot.name {
      case .kind where plan.kind < 0 && slot.type == .string: plan.kind = Int16(clamping: offset)
      case .submitId where plan.number < 0:
        (plan.number, plan.numberType) = (Int16(clamping: offset), slot.type)
      case .context where plan.context < 0:
        (plan.context, plan.contextType) = (Int16(clamping: offset), slot.type)
      default: continue
      }
    }
    plan.isSubmit = plan.number >= 0 && template.phase != .return
    return plan
  }

  private mutating func isFinish(_ text: Int, _ batch: EventBatch) -> Bool {
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
  mutating func complete(upTo number: Int64) { complete { $0.number <= number } }

  /// All submits of a context are complete.
  mutating func complete(_ context: ArgumentKey) { complete { $0.context == context } }

  private mutating func complete(_ covers: (Submit) -> Bool) {
    guard all.contains(where: covers) || highest.contains(where: covers) else { return }
    for submit in all where covers(submit) { arena.release(submit.evidence) }
    for submit in highest where covers(submit) { arena.release(submit.evidence) }
    all.removeAll(where: covers)
    highest.removeAll(where: covers)
  }

  /// All that is pending was made before the next entry.
  mutating func noteEntry() {
    all.mark { $0.isAfterEntry = false }
    highest.mark { $0.isAfterEntry = false }
  }

  /// Events were lost after all that is pending.
  mutating func noteGap() {
    all.mark { $0.isBeforeGap = true }
    highest.mark { $0.isBeforeGap = true }
  }

  /// Forgets what was submitted before the entry; what came after it is for the next one.
  mutating func forgetBeforeEntry() {
    complete { !$0.isAfterEntry }
    noteEntry()
    isVague = false
  }

  func evidence(_ submit: Submit) -> PendingWitness? { arena[submit.evidence] }

  mutating func batchEnds(_ batch: EventBatch) { arena.batchEnds(batch) }
}
