// Spans that are open now, shared by all monitors: a return finds its enter and what that said.

import TraceLifecycle
import TraceModel

/// The open spans of the kinds that some rule measures, or asks at the return what the enter said.
///
/// A class, because the engine changes it at every span while monitors read it.
final class SpanMemory {
  /// A span that is open: plain numbers, as every span of a trace goes through here.
  struct Open {
    let kind: EventKind
    /// The kind in every batch: the number of one of the app's own differs from batch to batch.
    fileprivate let number: UInt16
    let thread: Int64
    let ordinal: Int
    let timeNanoseconds: Int64
    /// The place in the batch; -1 if that is gone.
    fileprivate(set) var index: Int
    /// The state into which the enter brought the app; nil if it left it where it was.
    let newState: LifecycleState?
    /// The place of the enter among the evidence once its batch is gone; else -1.
    fileprivate var evidence = -1
    /// The place of the arguments; -1: none.
    fileprivate(set) var arguments = -1
    /// The list of the monitors that haven't heard of it yet; 0: none.
    var deferred: UInt32 = 0

    fileprivate var event: Event {
      Event(
        kind: kind, phase: .enter, thread: thread, timeNanoseconds: timeNanoseconds,
        ordinal: ordinal, index: index)
    }
  }

  /// Spans open at once over all threads; beyond it spans are not followed.
  static let openMax = 16_384
  /// Threads remembered; past it those without an open span are forgotten.
  private static let threadsMax = 4_096

  private let tracked: KindSet
  private let windows: KindSet
  private let remembered: [EventKind: Set<ArgumentName>]
  @safe @exclusivity(unchecked) private var stacks: [[Open]] = []
  @safe @exclusivity(unchecked) private var stackOfThread: [Int64: Int] = [:]
  @safe @exclusivity(unchecked) private var lastStack: (thread: Int64, place: Int) = (0, -1)
  @safe @exclusivity(unchecked) private var openWindows: [Open] = []
  @safe @exclusivity(unchecked) private(set) var count = 0
  /// Open spans of which not all monitors have heard.
  @safe @exclusivity(unchecked) private(set) var deferredCount = 0
  @safe @exclusivity(unchecked) private var arena = EvidenceArena()
  @safe @exclusivity(unchecked) private var arguments: [RememberedArguments] = []
  @safe @exclusivity(unchecked) private var freeArguments: [Int] = []
  @safe @exclusivity(unchecked) private var ownKinds = OwnKinds()

  /// Spans that are matched by kind alone, and may cross any other.
  static let windowKinds = KindSet(
    Vocabulary.kinds.filter { $0.shape == .window }.map(\.kind))

  init(tracking kinds: KindSet, remembering names: [EventKind: Set<ArgumentName>]) {
    tracked = kinds
    remembered = names
    windows = Self.windowKinds
  }

  /// Whether enters and returns of a kind must be told.
  func tracks(_ kind: EventKind) -> Bool { tracked.contains(kind) }

  /// Whether the enters of a template say what may be asked for at the return.
  func remembers(_ template: EventTemplate, _ batch: EventBatch) -> Bool {
    guard let names = remembered[Self.listed(template.kind)] else { return false }
    let first = Int(template.firstSlot)
    return batch.slots[first..<first + Int(template.slotCount)].contains {
      names.contains($0.name)
    }
  }

  /// The kind under which names are listed: that of all the app's own is one.
  static func listed(_ kind: EventKind) -> EventKind { kind.isKnown ? kind : ownKind }

  /// Stands for all kinds outside the vocabulary.
  static let ownKind = EventKind(rawValue: EventKind.firstUnknownNumber)

  /// Whether so many more spans can be followed.
  func hasRoom(for more: Int) -> Bool { count + more < Self.openMax }

  // MARK: Enters and returns

  /// Takes note of a span that is entered; one of a list other than 0 is deferred.
  func enter(
    _ event: Event, _ batch: EventBatch, newState: LifecycleState?, deferring list: UInt32,
    _ said: RememberedArguments?
  ) -> Bool {
    guard count < Self.openMax, let number = ownKinds.number(of: event.kind, batch) else {
      return false
    }
    count += 1
    var open = Open(
      kind: event.kind, number: number, thread: event.thread, ordinal: event.ordinal,
      timeNanoseconds: event.timeNanoseconds, index: event.index, newState: newState)
    if let said { open.arguments = keep(said) }
    if windows.contains(event.kind) {
      openWindows.append(open)
      return false
    }
    open.deferred = list
    if list != 0 { deferredCount += 1 }
    stacks[stack(of: event.thread)].append(open)
    return list != 0
  }

  private func keep(_ said: RememberedArguments) -> Int {
    if let place = freeArguments.popLast() {
      arguments[place] = said
      return place
    }
    arguments.append(said)
    return arguments.count - 1
  }

  /// The arguments that may be asked for at the return.
  func arguments(_ event: Event, _ batch: EventBatch, _ judge: Judge) -> RememberedArguments {
    let template = batch.templates[Int(batch.templateIndices[event.index])]
    var result = RememberedArguments()
    guard let names = remembered[Self.listed(event.kind)] else { return result }
    for offset in 0..<Int(template.slotCount) {
      let name = batch.slots[Int(template.firstSlot) + offset].name
      if names.contains(name) { result.add(name, judge.key(name, of: event, batch)) }
    }
    return result
  }

  /// The innermost span of a kind on a thread of which not all monitors have heard.
  func deferred(_ kind: EventKind, onThread thread: Int64, _ batch: EventBatch) -> Open? {
    guard deferredCount > 0, let stack = knownStack(of: thread),
      let number = ownKinds.number(of: kind, batch),
      let open = stacks[stack].last(where: { $0.number == number }), open.deferred != 0
    else { return nil }
    return open
  }

  /// Closes the innermost span of a kind; nil if none is open.
  func close(_ kind: EventKind, onThread thread: Int64, _ batch: EventBatch) -> Open? {
    if windows.contains(kind) {
      guard let place = openWindows.lastIndex(where: { $0.kind == kind }) else { return nil }
      count -= 1
      return openWindows.remove(at: place)
    }
    guard let stack = knownStack(of: thread), let number = ownKinds.number(of: kind, batch),
      let place = stacks[stack].lastIndex(where: { $0.number == number })
    else { return nil }
    count -= 1
    let open = stacks[stack].remove(at: place)
    if open.deferred != 0 { deferredCount -= 1 }
    return open
  }

  /// The events of the spans of which not all monitors have heard, with the lists of these.
  func takeDeferred(from batch: EventBatch) -> [(event: Event, list: UInt32)] {
    guard deferredCount > 0 else { return [] }
    deferredCount = 0
    var all: [(event: Event, list: UInt32)] = []
    for stack in stacks.indices {
      for place in stacks[stack].indices where stacks[stack][place].deferred != 0 {
        all.append((stacks[stack][place].event, stacks[stack][place].deferred))
        stacks[stack][place].deferred = 0
      }
    }
    return all.sorted { $0.event.ordinal < $1.event.ordinal }
  }

  // MARK: What is known of a span

  /// What the enter of a span said that tests and keys may ask for at its return.
  func argument(_ name: ArgumentName, of open: Open) -> ArgumentKey? {
    open.arguments < 0 ? nil : arguments[open.arguments].value(name)
  }

  /// The enter of a span that is open or was closed by the event at hand.
  func enter(of open: Open) -> PendingWitness? {
    open.index >= 0 ? PendingWitness(open.event) : arena[open.evidence]
  }

  /// Forgets the enter of a span that was closed.
  func forget(_ open: Open) {
    if open.evidence >= 0 { arena.release(open.evidence) }
    if open.arguments >= 0 { freeArguments.append(open.arguments) }
  }

  func batchEnds(_ batch: EventBatch) {
    ownKinds.forgetBatch()
    for stack in stacks.indices { keep(&stacks[stack], batch) }
    keep(&openWindows, batch)
    arena.batchEnds(batch)
  }

  private func keep(_ spans: inout [Open], _ batch: EventBatch) {
    spans.mark {
      guard $0.index >= 0 else { return }
      $0.evidence = arena.keep($0.event)
      $0.index = -1
    }
  }

  /// Forgets the spans of a process; windows go on.
  func endProcess() {
    for stack in stacks.indices {
      for open in stacks[stack] { forget(open) }
      count -= stacks[stack].count
      stacks[stack].removeAll(keepingCapacity: true)
    }
    deferredCount = 0
  }

  /// Forgets the spans of a thread; nil: all spans, and the windows.
  func removeAll(ofThread thread: Int64?) {
    guard let thread else { return removeAll() }
    guard let place = knownStack(of: thread) else { return }
    for open in stacks[place] {
      forget(open)
      if open.deferred != 0 { deferredCount -= 1 }
    }
    count -= stacks[place].count
    stacks[place].removeAll(keepingCapacity: true)
  }

  func removeAll() {
    arena.removeAll()
    arguments.removeAll(keepingCapacity: true)
    freeArguments.removeAll(keepingCapacity: true)
    for stack in stacks.indices { stacks[stack].removeAll(keepingCapacity: true) }
    openWindows.removeAll(keepingCapacity: true)
    count = 0
    deferredCount = 0
  }

  // MARK: Threads

  private func knownStack(of thread: Int64) -> Int? {
    if lastStack.thread == thread, lastStack.place >= 0 { return lastStack.place }
    guard let place = stackOfThread[thread] else { return nil }
    lastStack = (thread, place)
    return place
  }

  private func stack(of thread: Int64) -> Int {
    if let place = knownStack(of: thread) { return place }
    if stacks.count >= Self.threadsMax { forgetIdleThreads() }
    stackOfThread[thread] = stacks.count
    lastStack = (thread, stacks.count)
    stacks.append([])
    return stacks.count - 1
  }

  private func forgetIdleThreads() {
    var kept: [[Open]] = []
    var places: [Int64: Int] = [:]
    for (thread, stack) in stackOfThread where !stacks[stack].isEmpty {
      places[thread] = kept.count
      kept.append(stacks[stack])
    }
    stacks = kept
    stackOfThread = places
    lastStack = (0, -1)
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
