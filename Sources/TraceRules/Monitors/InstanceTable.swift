// The open instances of a clause, by key or by span.

import TraceModel

/// Instances that are open now.
struct InstanceTable {
  struct Instance {
    var key: InstanceKey
    var ordinal: Int
    var openNanoseconds: Int64
    var thread: Int64
    /// The place of the opening event among the evidence.
    var evidence: Int
    /// The place of the enter, if a return opened the instance; else -1.
    var enterEvidence = -1
    var generation: Int
    /// So many closes end it.
    var closesLeft = 1
    /// The place of the instance with the same key that was opened before it; -1: none.
    var outer = -1
    /// Why a violation couldn't be trusted; nil if it can.
    var doubt: String?
  }

  /// Instances open at once; beyond it the clause is undecided for further ones.
  static let instancesMax = 16_384

  private(set) var slots: [Instance?] = []
  private var free: [Int] = []
  private var slotOfKey = KeyedTable<Int>()
  private var slotOfOrdinal: [Int: Int] = [:]
  private var generation = 0
  private let isSpan: Bool
  /// Slots opened since all were doubted.
  private var undoubted: [Int] = []

  init(isSpan: Bool) { self.isSpan = isSpan }

  private(set) var count = 0
  @inline(__always)
  var isEmpty: Bool { count == 0 }

  /// The places of all open instances, in the order of their opening.
  var openSlots: [Int] {
    openSlotsUnordered.sorted { ordinal($0) < ordinal($1) }
  }

  /// The places of all open instances, in any order.
  var openSlotsUnordered: [Int] { slots.indices.filter { slots[$0] != nil } }

  private func ordinal(_ slot: Int) -> Int { slots[slot]?.ordinal ?? 0 }

  func slot(of key: InstanceKey) -> Int? {
    isSpan ? slots.indices.first { slots[$0]?.key == key } : slotOfKey[key]
  }

  func slot(ofSpan ordinal: Int) -> Int? { slotOfOrdinal[ordinal] }

  /// The place of the instance with a key, where there can be but one.
  func onlySlot(of key: InstanceKey) -> Int? { isSpan ? nil : slotOfKey[key] }

  /// The places of the open instances with a key, the last one first.
  func slots(of key: InstanceKey) -> [Int] {
    if isSpan { return openSlots.reversed().filter { slots[$0]?.key == key } }
    var result: [Int] = []
    var next = slotOfKey[key]
    while let slot = next, slot >= 0 {
      result.append(slot)
      next = slots[slot]?.outer
    }
    return result
  }

  func isOpen(_ slot: Int, _ generation: Int) -> Bool {
    slot < slots.count && slots[slot]?.generation == generation
  }

  subscript(slot: Int) -> Instance? { slot < slots.count ? slots[slot] : nil }

  mutating func change(_ slot: Int, _ body: (inout Instance) -> Void) {
    guard var instance = slots[slot] else { return }
    body(&instance)
    slots[slot] = instance
  }

  /// Doubts all that is open and isn't in doubt yet. What was in doubt before isn't looked at, as
  /// a trace may have a loss at every event.
  mutating func doubtAll(_ reason: String) {
    for slot in undoubted { change(slot) { $0.doubt = $0.doubt ?? reason } }
    undoubted.removeAll(keepingCapacity: true)
  }

  /// Takes note of a slot for ``doubtAll(_:)``.
  private mutating func noteOpened(_ slot: Int) {
    if undoubted.count > 2 * count + 64 {
      undoubted.removeAll(keepingCapacity: true)
      for slot in slots.indices where slots[slot] != nil { undoubted.append(slot) }
    } else {
      undoubted.append(slot)
    }
  }

  /// Opens an instance; ``count`` must be below ``instancesMax``.
  mutating func open(_ event: Event, key: InstanceKey, evidence: Int) -> Int {
    generation += 1
    count += 1
    let instance = Instance(
      key: key, ordinal: event.ordinal, openNanoseconds: event.timeNanoseconds,
      thread: event.thread, evidence: evidence, generation: generation)
    let slot: Int
    if let reused = free.popLast() {
      slot = reused
      slots[slot] = instance
    } else {
      slot = slots.count
      slots.append(instance)
    }
    noteOpened(slot)
    if isSpan {
      slotOfOrdinal[event.ordinal] = slot
    } else {
      slots[slot]?.outer = slotOfKey[key] ?? -1
      slotOfKey.set(key, slot)
    }
    return slot
  }

  @discardableResult
  mutating func close(_ slot: Int) -> Instance? {
    guard let instance = slots[slot] else { return nil }
    if isSpan {
      slotOfOrdinal[instance.ordinal] = nil
    } else if slotOfKey[instance.key] == slot {
      if instance.outer >= 0 {
        slotOfKey.set(instance.key, instance.outer)
      } else {
        slotOfKey.remove(instance.key)
      }
    } else if let inner = slots(of: instance.key).first(where: { slots[$0]?.outer == slot }) {
      slots[inner]?.outer = instance.outer
    }
    slots[slot] = nil
    free.append(slot)
    count -= 1
    return instance
  }

  mutating func removeAll() {
    count = 0
    undoubted.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    free.removeAll(keepingCapacity: true)
    slotOfKey.removeAll()
    slotOfOrdinal.removeAll(keepingCapacity: true)
  }
}
