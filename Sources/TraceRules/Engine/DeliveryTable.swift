// Who is delivered which events: a list of listeners per kind, phase and arguments in each state.

import TraceLifecycle
import TraceModel

/// Lists of listeners for the events of a template, made when a state of the app first meets them.
///
/// What a list says doesn't change while events pass: a listener whose monitor sleeps is skipped by
/// a comparison of bits. List 0 is empty: such an event costs one load and one branch.
struct DeliveryTable {
  /// What a list depends on besides the template.
  struct Gate: Hashable {
    var state: LifecycleState
    /// The life cycle wants every event.
    var everyEvent: Bool
  }

  /// A monitor that wants the events of a list while all these bits are awake in it.
  struct Interest: Hashable {
    var needs: UInt64
    var monitor: Int32
    /// It follows the life cycle, and wants the event only if that has changed.
    var isFollower = false
    /// It can do without spans that are short: it is told of an enter when it must be.
    var defersSpans = false
  }

  /// An interest in one list, and what it comes to just now.
  struct Listener {
    let interest: Interest
    let list: Int32
    var isAwake = false
    /// It must hear of short spans, too.
    var hearsShortSpans = false
  }

  /// Bit of a list number that says that the life cycle wants the event.
  static let lifecycleBit: UInt32 = 1 << 31
  /// Bit of a list number that says that enter and return must be matched.
  static let spanBit: UInt32 = 1 << 30
  /// Bit of a list number that says that the event may prove that a callback has returned.
  static let callbackBit: UInt32 = 1 << 29
  /// The bits of the list itself.
  static let listMask: UInt32 = callbackBit - 1

  /// What a list depends on besides the gate.
  private struct Place: Hashable {
    var kind: UInt16
    var phase: UInt8
    /// Which of the names asked for an event has, as bits.
    var names: UInt64
  }

  private struct ListKey: Hashable {
    var interests: [Interest]
    var shortNanoseconds: Int64?
  }

  struct List {
    var start = 0
    var end = 0
    /// Spans up to this length are short to all who defer them; nil: nobody does.
    var shortNanoseconds: Int64?
    /// How many of its listeners are awake, and how many of these don't defer spans.
    var awakeCount = 0
    var promptCount = 0
    /// How many of those who defer spans must hear of short ones, too.
    var hearsShortCount = 0

    /// Whether enters are told later: all who can do without short spans do so by now.
    var defersSpans: Bool { shortNanoseconds != nil && hearsShortCount == 0 }
  }

  /// Spans in which the system calls into the app. Windows such as an open switcher are none.
  static let callbackKinds = KindSet(
    Vocabulary.kinds.filter { $0.emitter == .system && $0.shape == .span }.map(\.kind))

  private(set) var lists: [List] = [List()]
  /// The listeners of all lists, each list in the order of the monitors; one with several needs
  /// has as many in a row.
  private(set) var listeners: [Listener] = []
  /// The places of each monitor's listeners.
  private var placesOfMonitor: [[Int]]
  /// What is awake in each monitor.
  private var awake: [UInt64]
  private var listNumbers = [ListKey(interests: []): UInt32(0)]
  private var numbers: [[Place: UInt32]] = []
  private var gates: [Gate: Int] = [:]
  private var gate = Gate(state: .unknown, everyEvent: false)
  /// The place of the gate at hand.
  private(set) var selected = 0
  private var numberCount = 0
  /// The size of what is remembered: a list of monitors is as large as many numbers.
  var size: Int { numberCount + 32 * lists.count }
  /// The bits of the arguments that monitors ask for; none for those that no bit is left for.
  private let bitOfName: [ArgumentName: Int]

  init(_ monitors: [Monitor]) {
    let names = monitors.reduce(into: Set<ArgumentName>()) { $0.formUnion($1.namesAsked) }
      .sorted { $0.rawValue < $1.rawValue }
    bitOfName = Dictionary(
      uniqueKeysWithValues: names.prefix(64).enumerated().map { ($0.element, $0.offset) })
    placesOfMonitor = [[Int]](repeating: [], count: monitors.count)
    awake = [UInt64](repeating: 0, count: monitors.count)
  }

  /// Chooses the gate for the numbers asked for from now on.
  mutating func select(_ gate: Gate) {
    self.gate = gate
    if let known = gates[gate] {
      selected = known
      return
    }
    selected = numbers.count
    gates[gate] = selected
    numbers.append([:])
  }

  // MARK: Lists

  /// The list of a template at the gate at hand, with its bits; 0: nobody wants its events.
  mutating func number(
    _ template: EventTemplate, _ batch: EventBatch, _ monitors: [Monitor], _ spans: SpanTable
  ) -> UInt32 {
    var names: UInt64 = 0
    let first = Int(template.firstSlot)
    for slot in batch.slots[first..<first + Int(template.slotCount)] {
      if let bit = bitOfName[slot.name] { names |= 1 << UInt64(bit) }
    }
    let kind = template.kind.rawValue < 255 ? template.kind.rawValue : 255
    let place = Place(kind: UInt16(kind), phase: template.phase.rawValue, names: names)
    if let number = numbers[selected][place] { return number }
    let number = makeNumber(template.kind, template.phase, names, monitors, spans)
    numbers[selected][place] = number
    numberCount += 1
    return number
  }

  private mutating func makeNumber(
    _ kind: EventKind, _ phase: Phase, _ names: UInt64, _ monitors: [Monitor],
    _ spans: SpanTable
  ) -> UInt32 {
    let isSpan = phase != .instant && spans.tracks(kind)
    let canDefer =
      isSpan && phase == .enter && !LifecycleModel.kinds.contains(kind)
      && !SpanTable.windowKinds.contains(kind)
    var new: [Interest] = []
    var short: Int64?
    for (place, monitor) in monitors.enumerated() {
      let needs = monitor.needs(kind, phase, in: gate.state) { name in
        bitOfName[name].map { names & 1 << UInt64($0) == 0 } ?? false
      }
      if needs.isEmpty { continue }
      let length = canDefer ? monitor.spanNanosecondsUnheard(kind, in: gate.state) : nil
      if let length { short = min(short ?? .max, length) }
      for need in needs {
        new.append(
          Interest(
            needs: need.bits, monitor: Int32(place), isFollower: need.isOfFollower,
            defersSpans: length != nil))
      }
    }
    let isCallback = phase != .return && CallbackKinds.provesReturn(kind)
    let concernsLifecycle =
      gate.everyEvent || LifecycleModel.kinds.contains(kind) || kind == .workSample
      || (gate.state == .suspended && Self.callbackKinds.contains(kind))
    return listNumber(new, short) | (concernsLifecycle ? Self.lifecycleBit : 0)
      | (isSpan ? Self.spanBit : 0) | (isCallback ? Self.callbackBit : 0)
  }

  private mutating func listNumber(_ new: [Interest], _ short: Int64?) -> UInt32 {
    let key = ListKey(interests: new, shortNanoseconds: short)
    if let number = listNumbers[key] { return number }
    let number = UInt32(lists.count)
    let start = listeners.count
    lists.append(List(start: start, end: start + new.count, shortNanoseconds: short))
    for interest in new {
      placesOfMonitor[Int(interest.monitor)].append(listeners.count)
      listeners.append(Listener(interest: interest, list: Int32(number)))
      refresh(listeners.count - 1, awake[Int(interest.monitor)])
    }
    listNumbers[key] = number
    return number
  }

  // MARK: Who is awake

  /// Takes note of what is awake in a monitor. Few events change it, and many ask.
  mutating func note(_ bits: UInt64, of monitor: Int) {
    if awake[monitor] == bits { return }
    awake[monitor] = bits
    for place in placesOfMonitor[monitor] { refresh(place, bits) }
  }

  private mutating func refresh(_ place: Int, _ bits: UInt64) {
    let listener = listeners[place]
    let list = Int(listener.list)
    let isAwake = listener.interest.needs & ~bits == 0
    if isAwake != listener.isAwake {
      listeners[place].isAwake = isAwake
      lists[list].awakeCount += isAwake ? 1 : -1
      if !listener.interest.defersSpans {
        lists[list].promptCount += isAwake ? 1 : -1
      }
    }
    guard listener.interest.defersSpans else { return }
    let hearsShortSpans = bits & Monitor.spansBit != 0
    if hearsShortSpans != listener.hearsShortSpans {
      listeners[place].hearsShortSpans = hearsShortSpans
      lists[list].hearsShortCount += hearsShortSpans ? 1 : -1
    }
  }
}
