// Spans that are open now, shared by all monitors: a return finds its enter and what that said.

import TraceLifecycle
import TraceModel

/// The open spans of the kinds that some rule measures, or asks at the return what the enter said.
struct SpanMemory {
  /// A span that was entered.
  struct Record {
    var kind: EventKind
    var ordinal: Int
    var timeNanoseconds: Int64
    /// The place of the enter among the evidence.
    var evidence: Int
    /// The arguments of the enter that tests and keys may ask for at the return.
    var arguments = RememberedArguments()

    func value(_ name: ArgumentName) -> ArgumentKey? { arguments.value(name) }
  }

  /// Spans open at once over all threads; beyond it spans are not followed.
  static let openMax = 16_384
  /// Threads remembered; past it those without an open span are forgotten.
  private static let threadsMax = 4_096

  private let tracked: KindSet
  private let windows: KindSet
  private let remembered: Set<ArgumentName>
  private var stacks: [[Record]] = []
  private var stackOfThread: [Int64: Int] = [:]
  private var openWindows: [Record] = []
  private(set) var count = 0
  private var arena = EvidenceArena()

  /// Spans that are matched by kind alone, and may cross any other.
  static let windowKinds = KindSet(
    Vocabulary.kinds.filter { $0.shape == .window }.map(\.kind))

  init(tracking kinds: KindSet, remembering names: Set<ArgumentName>) {
    tracked = kinds
    remembered = names
    windows = Self.windowKinds
  }

  /// Whether enters and returns of a kind must be told.
  func tracks(_ kind: EventKind) -> Bool { tracked.contains(kind) }

  mutating func enter(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard count < Self.openMax else { return }
    count += 1
    let record = Record(
      kind: event.kind, ordinal: event.ordinal, timeNanoseconds: event.timeNanoseconds,
      evidence: arena.keep(event), arguments: arguments(event, batch, judge))
    if windows.contains(event.kind) {
      openWindows.append(record)
    } else {
      stacks[stack(of: event.thread)].append(record)
    }
  }

  /// Closes the innermost span of the event's kind; nil if none is open.
  mutating func leave(_ event: Event) -> Record? { close(event.kind, onThread: event.thread) }

  mutating func close(_ kind: EventKind, onThread thread: Int64) -> Record? {
    if windows.contains(kind) {
      guard let place = openWindows.lastIndex(where: { $0.kind == kind }) else { return nil }
      count -= 1
      return openWindows.remove(at: place)
    }
    guard let stack = stackOfThread[thread],
      let place = stacks[stack].lastIndex(where: { $0.kind == kind })
    else { return nil }
    count -= 1
    return stacks[stack].remove(at: place)
  }

  /// The enter of a span that is open or was closed by the event at hand.
  func enter(of record: Record) -> PendingWitness? { arena[record.evidence] }

  /// Forgets the enter of a span that was closed.
  mutating func forget(_ record: Record) { arena.release(record.evidence) }

  mutating func batchEnds(_ batch: EventBatch) { arena.batchEnds(batch) }

  mutating func removeAll() {
    arena.removeAll()
    for stack in stacks.indices { stacks[stack].removeAll(keepingCapacity: true) }
    openWindows.removeAll(keepingCapacity: true)
    count = 0
  }

  private func arguments(
    _ event: Event, _ batch: EventBatch, _ judge: Judge
  ) -> RememberedArguments {
    let template = batch.templates[Int(batch.templateIndices[event.index])]
    var result = RememberedArguments()
    for offset in 0..<Int(template.slotCount) {
      let name = batch.slots[Int(template.firstSlot) + offset].name
      if remembered.contains(name) { result.add(name, judge.key(name, of: event, batch)) }
    }
    return result
  }

  private mutating func stack(of thread: Int64) -> Int {
    if let stack = stackOfThread[thread] { return stack }
    if stacks.count >= Self.threadsMax { forgetIdleThreads() }
    stackOfThread[thread] = stacks.count
    stacks.append([])
    return stacks.count - 1
  }

  private mutating func forgetIdleThreads() {
    var kept: [[Record]] = []
    var places: [Int64: Int] = [:]
    for (thread, stack) in stackOfThread where !stacks[stack].isEmpty {
      places[thread] = kept.count
      kept.append(stacks[stack])
    }
    stacks = kept
    stackOfThread = places
  }
}

/// The arguments that tests and keys may ask for at a return; the first few need no heap.
struct RememberedArguments {
  private typealias Slot = (name: ArgumentName, key: ArgumentKey)

  private var first: Slot?
  private var second: Slot?
  private var third: Slot?
  private var others: [Slot] = []

  mutating func add(_ name: ArgumentName, _ key: ArgumentKey) {
    if first == nil {
      first = (name, key)
    } else if second == nil {
      second = (name, key)
    } else if third == nil {
      third = (name, key)
    } else {
      others.append((name, key))
    }
  }

  func value(_ name: ArgumentName) -> ArgumentKey? {
    if let first, first.name == name { return first.key }
    if let second, second.name == name { return second.key }
    if let third, third.name == name { return third.key }
    return others.first { $0.name == name }?.key
  }
}
