// Spans that are open now, shared by all monitors: a return finds its enter and what that said.

import TraceLifecycle
import TraceModel

/// The open spans of the kinds that some rule measures, or asks at the return what the enter said.
///
/// A class, because the engine changes it at every span while monitors read it.
final class SpanTable {
  /// A span that is open: plain numbers, as every span of a trace goes through here.
  struct Open {
    let kind: EventKind
    /// The kind in every batch: the number of one of the app's own differs from batch to batch.
    fileprivate let number: UInt16
    let thread: Int64
    let ordinal: Int
    let timeNanoseconds: Int64
    /// The place in the batch; -1 if that is gone.
    fileprivate(set) var index: Int32
    /// The state into which the enter brought the app; nil if it left it where it was.
    let newState: LifecycleState?
    /// The place of the enter among the evidence once its batch is gone; else -1.
    fileprivate var evidence: Int32 = -1
    /// The place of what the enter said that may be asked for, once its batch is gone; else -1.
    fileprivate var arguments: Int32 = -1
    /// The list of the monitors that haven't heard of it yet; 0: none.
    fileprivate(set) var deferred = 0

    fileprivate var event: Event {
      Event(
        kind: kind, phase: .enter, thread: thread, timeNanoseconds: timeNanoseconds,
        ordinal: ordinal, index: Int(index))
    }
  }

  /// Which spans are followed.
  struct Following {
    var kinds = KindSet()
    /// The app's own kinds that some rule names.
    var names: Set<String> = []
    /// What enters say that may be asked for at their returns, by kind.
    var remembered: [EventKind: Set<ArgumentName>] = [:]
  }

  /// Spans open at once over all threads; beyond it spans are not followed.
  static let openMax = 16_384
  /// Threads remembered; past it those without an open span are forgotten.
  private static let threadsMax = 4_096
  /// With so many stacks idle ones are forgotten: twice as many as were left the last time.
  @safe @exclusivity(unchecked) private var stacksMax = SpanTable.threadsMax

  private let tracked: KindSet
  private let windows: KindSet
  private let remembered: [EventKind: Set<ArgumentName>]
  @safe @exclusivity(unchecked) private var stacks: [[Open]] = []
  @safe @exclusivity(unchecked) private var stackOfThread: [Int64: Int] = [:]
  /// The stacks of the threads of the batch at hand, by their places; -1: not asked for.
  @safe @exclusivity(unchecked) private var stackOfPlace: [Int] = []
  @safe @exclusivity(unchecked) private var openWindows: [Open] = []
  @safe @exclusivity(unchecked) private(set) var count = 0
  /// Open spans of which not all monitors have heard.
  @safe @exclusivity(unchecked) private(set) var deferredCount = 0
  @safe @exclusivity(unchecked) private var arena = EvidenceArena()
  @safe @exclusivity(unchecked) private var arguments: [RememberedArguments] = []
  @safe @exclusivity(unchecked) private var freeArguments: [Int] = []
  @safe @exclusivity(unchecked) private var ownKinds: OwnKinds

  /// Spans that are matched by kind alone, and may cross any other.
  static let windowKinds = KindSet(
    Vocabulary.kinds.filter { $0.shape == .window }.map(\.kind))

  init(following: Following) {
    tracked = following.kinds
    remembered = following.remembered
    ownKinds = OwnKinds(following.names)
    windows = Self.windowKinds
  }

  /// Whether enters and returns of a kind must be told.
  func tracks(_ kind: EventKind) -> Bool { tracked.contains(kind) }

  /// The kind under which names are listed: that of all the app's own is one.
  static func listed(_ kind: EventKind) -> EventKind { kind.isKnown ? kind : ownKind }

  /// Stands for all kinds outside the vocabulary.
  static let ownKind = EventKind(rawValue: EventKind.firstUnknownNumber)

  /// Begins a batch: its threads stand at other places.
  func begin(_ batch: EventBatch) {
    stackOfPlace.removeAll(keepingCapacity: true)
    stackOfPlace.append(contentsOf: repeatElement(-1, count: batch.threads.count))
  }

  // MARK: Enters and returns

  /// Whether a span that is entered now would be followed.
  func canFollow(_ event: Event, _ batch: EventBatch) -> Bool {
    count < Self.openMax && ownKinds.number(of: event.kind, batch) != nil
  }

  /// Takes note of a span that is entered, if it can be followed. One of a list other than 0 is
  /// deferred.
  func enter(
    _ event: Event, _ batch: EventBatch, newState: LifecycleState?, deferring list: Int
  ) {
    guard count < Self.openMax, let number = ownKinds.number(of: event.kind, batch) else { return }
    count += 1
    var open = Open(
      kind: event.kind, number: number, thread: event.thread, ordinal: event.ordinal,
      timeNanoseconds: event.timeNanoseconds, index: Int32(clamping: event.index),
      newState: newState)
    if windows.contains(event.kind) { return openWindows.append(open) }
    open.deferred = list
    if list != 0 { deferredCount += 1 }
    stacks[stack(of: event, batch)].append(open)
  }

  private func keep(_ said: RememberedArguments) -> Int {
    if let place = freeArguments.popLast() {
      arguments[place] = said
      return place
    }
    arguments.append(said)
    return arguments.count - 1
  }

  /// What the enter of a span says that may be asked for at the return; nil if nothing.
  private func remember(
    _ event: Event, _ batch: EventBatch, _ judge: Judge
  ) -> RememberedArguments? {
    guard let names = remembered[Self.listed(event.kind)] else { return nil }
    let template = batch.templates[Int(batch.templateIndices[event.index])]
    var result: RememberedArguments?
    for offset in 0..<Int(template.slotCount) {
      let name = batch.slots[Int(template.firstSlot) + offset].name
      guard names.contains(name) else { continue }
      if result == nil { result = RememberedArguments() }
      result?.add(name, judge.key(name, of: event, batch))
    }
    return result
  }

  /// Where an open span stands: its stack, or -1 among the windows; and where in it.
  typealias Place = (stack: Int, place: Int)

  /// Where the innermost span stands that an event returns from; nil if none is open.
  func place(of event: Event, _ batch: EventBatch) -> Place? {
    if windows.contains(event.kind) { return placeOfWindow(event.kind) }
    guard count > 0, let number = ownKinds.number(of: event.kind, batch),
      let stack = knownStack(of: event, batch)
    else { return nil }
    return place(of: number, inStack: stack)
  }

  private func placeOfWindow(_ kind: EventKind) -> Place? {
    openWindows.lastIndex { $0.kind == kind }.map { (-1, $0) }
  }

  private func place(of number: UInt16, inStack stack: Int) -> Place? {
    var place = stacks[stack].count - 1
    while place >= 0, stacks[stack][place].number != number { place -= 1 }
    return place < 0 ? nil : (stack, place)
  }

  subscript(place: Place) -> Open {
    place.stack < 0 ? openWindows[place.place] : stacks[place.stack][place.place]
  }

  /// Closes a span.
  func close(_ place: Place) -> Open {
    count -= 1
    if place.stack < 0 { return openWindows.remove(at: place.place) }
    let open = stacks[place.stack].remove(at: place.place)
    if open.deferred != 0 { deferredCount -= 1 }
    return open
  }

  /// Closes a span and forgets its enter.
  func drop(_ place: Place) { forget(close(place)) }

  /// Closes the innermost span of a kind; nil if none is open.
  func close(_ kind: EventKind, onThread thread: Int64, _ batch: EventBatch) -> Open? {
    if windows.contains(kind) { return placeOfWindow(kind).map { close($0) } }
    guard let stack = stackOfThread[thread], let number = ownKinds.number(of: kind, batch) else {
      return nil
    }
    return place(of: number, inStack: stack).map { close($0) }
  }

  /// The events of the spans of which not all monitors have heard, with the lists of these.
  func takeDeferred(from batch: EventBatch) -> [(event: Event, list: Int)] {
    guard deferredCount > 0 else { return [] }
    deferredCount = 0
    var all: [(event: Event, list: Int)] = []
    for stack in stacks.indices {
      for place in stacks[stack].indices where stacks[stack][place].deferred != 0 {
        all.append((stacks[stack][place].event, stacks[stack][place].deferred))
        stacks[stack][place].deferred = 0
      }
    }
    return all.sorted { $0.event.ordinal < $1.event.ordinal }
  }

  // MARK: What is known of a span

  /// What the enter of a span said that tests and keys may ask for at its return: in the batch at
  /// hand, or what was remembered of one that is gone.
  func argument(
    _ name: ArgumentName, of open: Open, _ batch: EventBatch, _ judge: Judge
  ) -> ArgumentKey? {
    let names = remembered[Self.listed(open.kind)]
    guard names?.contains(name) == true else { return nil }
    guard open.index >= 0 else {
      return open.arguments < 0 ? nil : arguments[Int(open.arguments)].value(name)
    }
    let key = judge.key(name, of: open.event, batch)
    return key == .absent ? nil : key
  }

  /// The enter of a span that is open or was closed by the event at hand.
  func enter(of open: Open) -> PendingWitness? {
    open.index >= 0 ? PendingWitness(open.event) : arena[Int(open.evidence)]
  }

  /// Forgets the enter of a span that was closed.
  func forget(_ open: Open) {
    if open.evidence >= 0 { arena.release(Int(open.evidence)) }
    if open.arguments >= 0 { freeArguments.append(Int(open.arguments)) }
  }

  func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    for stack in stacks.indices where !stacks[stack].isEmpty { keep(&stacks[stack], batch, judge) }
    keep(&openWindows, batch, judge)
    arena.batchEnds(batch)
    ownKinds.forgetBatch()
  }

  private func keep(_ spans: inout [Open], _ batch: EventBatch, _ judge: Judge) {
    spans.mark {
      guard $0.index >= 0 else { return }
      if let said = remember($0.event, batch, judge) {
        $0.arguments = Int32(clamping: keep(said))
      }
      $0.evidence = Int32(clamping: arena.keep($0.event))
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
    guard let place = stackOfThread[thread] else { return }
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

  /// The stack of an event's thread, if it has one.
  private func knownStack(of event: Event, _ batch: EventBatch) -> Int? {
    let place = Int(batch.templates[Int(batch.templateIndices[event.index])].thread)
    if stackOfPlace[place] >= 0 { return stackOfPlace[place] }
    guard let known = stackOfThread[event.thread] else { return nil }
    stackOfPlace[place] = known
    return known
  }

  /// The stack of an event's thread.
  private func stack(of event: Event, _ batch: EventBatch) -> Int {
    let place = Int(batch.templates[Int(batch.templateIndices[event.index])].thread)
    if stackOfPlace[place] >= 0 { return stackOfPlace[place] }
    let stack = stack(of: event.thread)
    stackOfPlace[place] = stack
    return stack
  }

  private func stack(of thread: Int64) -> Int {
    if let known = stackOfThread[thread] { return known }
    if stacks.count >= stacksMax { forgetIdleThreads() }
    stackOfThread[thread] = stacks.count
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
    stacksMax = max(Self.threadsMax, 2 * stacks.count)
    for place in stackOfPlace.indices { stackOfPlace[place] = -1 }
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
