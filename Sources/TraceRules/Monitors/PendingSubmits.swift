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
    var isCall = false
    var isSubmit = false
    var numberType = ArgumentType.integer
    var contextType = ArgumentType.integer
    var kind: Int16 = -1
    var number: Int16 = -1
    var context: Int16 = -1
  }

  /// Submits that were left out because too many waited.
  private struct LeftOut {
    var numberMax = Int64.min
    /// The context that they share; nil if they share none.
    var context: ArgumentKey?
    /// The last one's context as it stands in the batch.
    var contextType = ArgumentType.integer
    var contextBits: UInt64 = 0
    var batchNumber = -1
  }

  /// Submits that are followed at once; an app has a few frames in flight.
  static let countMax = 64

  private(set) var all: [Submit] = []
  private var arena = EvidenceArena()
  private var leftOut = LeftOut()
  /// Whether submits were left out.
  private(set) var isOverfull = false
  private var plans: [Plan] = []
  /// Of each text of the batch: 0 if it wasn't compared yet, 1 if it isn't "finish", 2 if it is.
  private var finishes: [UInt8] = []
  private var batchNumber = -1

  var count: Int { all.count }

  /// Takes the calls of a range, up to one that waits for all to be complete: the place of that,
  /// if there is one. The number tells one batch from another.
  mutating func take(
    _ range: Range<Int>, _ batch: EventBatch, _ number: Int, isAfterEntry: Bool = false,
    isDoubtful: Bool
  ) -> Int? {
    if number != batchNumber { forgetBatch(batch, number) }
    var place = range.lowerBound
    while place < range.upperBound {
      if isOverfull && all.count >= Self.countMax {
        place = countLeftOut(place..<range.upperBound, batch)
      }
      guard place < range.upperBound else { return nil }
      let plan = plans[Int(batch.templateIndices[place])]
      if plan.isCall {
        let start = Int(batch.argumentStarts[place])
        if plan.kind >= 0, isFinish(Int(batch.argumentBits[start + Int(plan.kind)]), batch) {
          return place
        }
        if plan.isSubmit { submit(place, start, plan, batch, isAfterEntry, isDoubtful) }
      }
      place += 1
    }
    return nil
  }

  /// Counts the calls of a range of which only the number matters, and says where they end.
  private mutating func countLeftOut(_ range: Range<Int>, _ batch: EventBatch) -> Int {
    guard leftOut.batchNumber == batchNumber else { return range.lowerBound }
    let (plans, finishes, known) = (plans, finishes, leftOut)
    let (templates, starts, bits) = (
      batch.templateIndices, batch.argumentStarts, batch.argumentBits
    )
    var numberMax = known.numberMax
    defer { leftOut.numberMax = numberMax }
    for place in range {
      let plan = plans[Int(templates[place])]
      if !plan.isCall { continue }
      let start = Int(starts[place])
      if plan.kind >= 0, finishes[Int(bits[start + Int(plan.kind)])] != 1 { return place }
      if !plan.isSubmit { continue }
      guard plan.context >= 0, plan.contextType == known.contextType,
        bits[start + Int(plan.context)] == known.contextBits
      else { return place }
      if let number = Self.number(bits[start + Int(plan.number)], plan.numberType) {
        numberMax = max(numberMax, number)
      }
    }
    return range.upperBound
  }

  private mutating func submit(
    _ place: Int, _ start: Int, _ plan: Plan, _ batch: EventBatch, _ isAfterEntry: Bool,
    _ isDoubtful: Bool
  ) {
    guard
      let number = Self.number(batch.argumentBits[start + Int(plan.number)], plan.numberType)
    else { return }
    guard all.count < Self.countMax else { return leaveOut(number, place, plan, batch) }
    let event = batch.event(at: place)
    all.append(
      Submit(
        number: number, context: Self.context(plan, start, batch),
        timeNanoseconds: event.timeNanoseconds, evidence: arena.keep(event),
        isBeforeGap: isDoubtful, isAfterEntry: isAfterEntry))
  }

  /// Of submits that are left out only the highest number and the context are known.
  private mutating func leaveOut(
    _ number: Int64, _ place: Int, _ plan: Plan, _ batch: EventBatch
  ) {
    let start = Int(batch.argumentStarts[place])
    let key = Self.context(plan, start, batch)
    leftOut.numberMax = isOverfull ? max(number, leftOut.numberMax) : number
    leftOut.context = !isOverfull || leftOut.context == key ? key : nil
    isOverfull = true
    leftOut.batchNumber = plan.context < 0 ? -1 : batchNumber
    leftOut.contextType = plan.contextType
    if plan.context >= 0 {
      leftOut.contextBits = batch.argumentBits[start + Int(plan.context)]
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
    for template in batch.templates { plans.append(Self.plan(template, batch)) }
  }

  private static func plan(_ template: EventTemplate, _ batch: EventBatch) -> Plan {
    var plan = Plan()
    plan.isCall = template.kind == .glCall
    for offset in 0..<min(Int(template.slotCount), Int(Int16.max)) where plan.isCall {
      let slot = batch.slots[Int(template.firstSlot) + offset]
      switch slot.name {
      case .kind where plan.kind < 0 && slot.type == .string: plan.kind = Int16(offset)
      case .submitId where plan.number < 0:
        (plan.number, plan.numberType) = (Int16(offset), slot.type)
      case .context where plan.context < 0:
        (plan.context, plan.contextType) = (Int16(offset), slot.type)
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
  mutating func complete(upTo number: Int64) {
    complete { $0.number <= number }
    if leftOut.numberMax <= number { isOverfull = false }
  }

  /// All submits of a context are complete.
  mutating func complete(_ context: ArgumentKey) {
    complete { $0.context == context }
    if leftOut.context == context { isOverfull = false }
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
    isOverfull = false
  }

  func evidence(_ submit: Submit) -> PendingWitness? { arena[submit.evidence] }

  mutating func batchEnds(_ batch: EventBatch) { arena.batchEnds(batch) }
}
