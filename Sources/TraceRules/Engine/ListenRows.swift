// Who listens to what: one row of list numbers per combination of gating states.

import TraceLifecycle
import TraceModel

/// Rows from a kind and phase to the monitors that listen, made when a gate first occurs.
///
/// List 0 is empty: an event nobody listens to costs one load and one branch.
struct ListenRows {
  /// What a row depends on.
  struct Gate: Hashable {
    var state: LifecycleState
    /// The life cycle wants every event.
    var everyEvent: Bool
  }

  /// Bit of a list number that says that the life cycle wants the event.
  static let lifecycleBit: UInt32 = 1 << 31
  /// Bit of a list number that says that enter and return must be matched.
  static let spanBit: UInt32 = 1 << 30
  /// Bit of a list number that says that the event may prove that a callback has returned.
  static let callbackBit: UInt32 = 1 << 29
  /// The bits of the list itself.
  static let listMask: UInt32 = callbackBit - 1
  /// Rows kept at most; a program has few gates, so that hitting it means churn.
  private static let rowsMax = 256
  /// What a list depends on besides the gate.
  private struct Place: Hashable {
    var kind: UInt16
    var phase: UInt8
    /// Which of ``namesAsked`` an event has, as bits.
    var names: UInt64
  }

  /// Spans in which the system calls into the app. Windows such as an open switcher are none.
  static let callbackKinds = KindSet(
    Vocabulary.kinds.filter { $0.emitter == .system && $0.shape == .span }.map(\.kind))

  /// A monitor that listens, and what must be awake for it.
  private struct Listener: Hashable {
    var monitor: Int
    var needs: [UInt64]
    /// The monitor can do without spans shorter than this.
    var spanNanosecondsUnheard: Int64?
    /// The monitor may be told later.
    var collects = false
  }

  /// What there is to do at an event of a list besides what the life cycle does.
  struct Mode: OptionSet {
    let rawValue: UInt8
    /// Monitors are awake that want to be told at once.
    static let tell = Mode(rawValue: 1)
    /// All that it opens can wait.
    static let defers = Mode(rawValue: 2)
    /// Monitors want to be told later.
    static let collect = Mode(rawValue: 4)
    /// What was collected must be told before.
    static let tellCollected = Mode(rawValue: 8)
  }

  /// What must be awake for a monitor to be told, as plain numbers: every change of what is awake
  /// has lists look again.
  private struct Need {
    var monitor: Int
    /// All of these bits.
    var bits: UInt64
    /// Whether the monitor is told later if short spans are put off.
    var defers: Bool
  }

  /// Who listens, and who of them is awake.
  private struct List {
    /// In the order of the monitors; one with several needs has as many in a row.
    var needs: [Need] = []
    var awake: [Int] = []
    /// Those who can do without short spans, if this is an enter.
    var deferring: [Int] = []
    /// Whether all of them can by now.
    var defers = false
    /// Those who are told later.
    var collecting: [Int] = []
    /// Some of the listeners collect other events.
    var concernsCollectors = false
    /// The length up to which spans are short.
    var spanNanosecondsUnheard = Int64.max
    /// The state of the judge's attention for which ``awake`` was made.
    var attention = -1
  }

  private var lists: [List] = [List()]
  private var listNumbers: [[Listener]: UInt32] = [[]: 0]
  private var rows: [[Place: UInt32]] = []
  private var gates: [Gate: Int] = [:]
  private var gate = Gate(state: .unknown, everyEvent: false)
  private var selected = 0
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
  }

  /// Forgets who is awake: to the next trace rows only tell who listens.
  mutating func forgetAttention() {
    for list in lists.indices { lists[list].attention = -1 }
  }

  /// Chooses the row for the numbers asked for from now on.
  mutating func select(_ gate: Gate) {
    self.gate = gate
    if let row = gates[gate] {
      selected = row
      return
    }
    if rows.count >= Self.rowsMax {
      rows.removeAll()
      gates.removeAll()
    }
    selected = rows.count
    gates[gate] = selected
    rows.append([:])
  }

  /// The list of a template in the row selected, with ``lifecycleBit``; 0: nobody listens.
  mutating func number(
    _ template: EventTemplate, _ batch: EventBatch, _ monitors: [Monitor], _ spans: SpanMemory
  ) -> UInt32 {
    var names: UInt64 = 0
    let first = Int(template.firstSlot)
    for slot in batch.slots[first..<first + Int(template.slotCount)] {
      if let bit = bitOfName[slot.name] { names |= 1 << UInt64(bit) }
    }
    let kind = template.kind.rawValue < 255 ? template.kind.rawValue : 255
    let place = Place(kind: UInt16(kind), phase: template.phase.rawValue, names: names)
    if let number = rows[selected][place] { return number }
    let number = makeNumber(template.kind, template.phase, names, monitors, spans)
    rows[selected][place] = number
    numberCount += 1
    return number
  }

  private mutating func makeNumber(
    _ kind: EventKind, _ phase: Phase, _ names: UInt64, _ monitors: [Monitor],
    _ spans: SpanMemory
  ) -> UInt32 {
    let isSpan = phase != .instant && spans.tracks(kind)
    let canDefer = isSpan && phase == .enter && !LifecycleModel.kinds.contains(kind)
    let listeners = monitors.indices.compactMap { place -> Listener? in
      let needs = monitors[place].needs(kind, phase, in: gate.state) { name in
        bitOfName[name].map { names & 1 << UInt64($0) == 0 } ?? false
      }
      if needs.isEmpty { return nil }
      return Listener(
        monitor: place, needs: needs,
        spanNanosecondsUnheard: canDefer
          ? monitors[place].spanNanosecondsUnheard(kind, in: gate.state) : nil,
        collects: !isSpan && monitors[place].collects(kind, phase))
    }
    let isCallback = phase != .return && CallbackKinds.provesReturn(kind)
    let concernsLifecycle =
      gate.everyEvent || LifecycleModel.kinds.contains(kind) || kind == .workSample
      || (gate.state == .suspended && Self.callbackKinds.contains(kind))
    return listNumber(listeners, monitors) | (concernsLifecycle ? Self.lifecycleBit : 0)
      | (isSpan ? Self.spanBit : 0) | (isCallback ? Self.callbackBit : 0)
  }

  /// The monitors of a list that are awake.
  mutating func awake(_ list: Int, _ attention: Int, _ monitors: [Monitor]) -> [Int] {
    if lists[list].attention != attention { wake(list, attention, monitors) }
    return lists[list].awake
  }

  /// What there is to do at an event of a list.
  mutating func mode(_ list: Int, _ attention: Int, _ monitors: [Monitor]) -> Mode {
    if lists[list].attention != attention { wake(list, attention, monitors) }
    var mode: Mode = []
    if !lists[list].awake.isEmpty { mode.insert(.tell) }
    if lists[list].defers { mode.insert(.defers) }
    if !lists[list].collecting.isEmpty { mode.insert(.collect) }
    if lists[list].concernsCollectors { mode.insert(.tellCollected) }
    return mode
  }

  /// The monitors of a list that are told later.
  func collecting(_ list: UInt32) -> [Int] { lists[Int(list)].collecting }

  /// The monitors of a list that can do without short spans, and how short these are.
  func deferring(_ list: UInt32) -> (monitors: [Int], spanNanosecondsUnheard: Int64) {
    (lists[Int(list)].deferring, lists[Int(list)].spanNanosecondsUnheard)
  }

  private mutating func wake(_ list: Int, _ attention: Int, _ monitors: [Monitor]) {
    lists[list].attention = attention
    lists[list].defers =
      !lists[list].deferring.isEmpty
      && lists[list].deferring.allSatisfy { monitors[$0].canDoWithoutSpans }
    var awake: [Int] = []
    swap(&awake, &lists[list].awake)
    awake.removeAll(keepingCapacity: true)
    let defers = lists[list].defers
    for need in lists[list].needs {
      if defers && need.defers { continue }
      if need.bits & ~monitors[need.monitor].awake == 0, awake.last != need.monitor {
        awake.append(need.monitor)
      }
    }
    swap(&awake, &lists[list].awake)
  }

  private mutating func listNumber(_ listeners: [Listener], _ monitors: [Monitor]) -> UInt32 {
    if let number = listNumbers[listeners] { return number }
    let number = UInt32(lists.count)
    var list = List()
    for listener in listeners where !listener.collects {
      for need in listener.needs {
        list.needs.append(
          Need(
            monitor: listener.monitor, bits: need,
            defers: listener.spanNanosecondsUnheard != nil))
      }
    }
    list.collecting = listeners.filter(\.collects).map(\.monitor)
    list.concernsCollectors = listeners.contains {
      !$0.collects && monitors[$0.monitor].collectsEvents
    }
    for listener in listeners {
      guard let length = listener.spanNanosecondsUnheard else { continue }
      list.deferring.append(listener.monitor)
      list.spanNanosecondsUnheard = min(list.spanNanosecondsUnheard, length)
    }
    lists.append(list)
    listNumbers[listeners] = number
    return number
  }
}
