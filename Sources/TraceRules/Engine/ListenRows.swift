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
  /// The bits of the list itself.
  static let listMask: UInt32 = spanBit - 1
  /// Rows kept at most; a program has few gates, so that hitting it means churn.
  private static let rowsMax = 256
  /// Known kinds, and one place for all others; three phases each.
  private static let places = 256 * 3
  /// A place whose list hasn't been asked for.
  private static let unasked = UInt32.max

  /// Spans in which the system calls into the app. Windows such as an open switcher are none.
  static let callbackKinds = KindSet(
    Vocabulary.kinds.filter { $0.emitter == .system && $0.shape == .span }.map(\.kind))

  /// The monitors of each list.
  private(set) var lists: [[Int]] = [[]]
  private var listNumbers: [[Int]: UInt32] = [[]: 0]
  private var rows: [[UInt32]] = []
  private var gates: [Gate: Int] = [:]
  private var gate = Gate(state: .unknown, everyEvent: false)
  private var selected = 0

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
    rows.append([UInt32](repeating: Self.unasked, count: Self.places))
  }

  /// The list of a kind and phase in the row selected, with ``lifecycleBit``; 0: nobody listens.
  mutating func number(
    _ kind: EventKind, _ phase: Phase, _ monitors: [Monitor], _ spans: SpanMemory
  ) -> UInt32 {
    let place = (kind.rawValue < 255 ? Int(kind.rawValue) : 255) * 3 + Int(phase.rawValue)
    if rows[selected][place] == Self.unasked {
      rows[selected][place] = makeNumber(kind, phase, monitors, spans)
    }
    return rows[selected][place]
  }

  private mutating func makeNumber(
    _ kind: EventKind, _ phase: Phase, _ monitors: [Monitor], _ spans: SpanMemory
  ) -> UInt32 {
    let listeners = monitors.indices.filter {
      monitors[$0].listens(to: kind, phase, in: gate.state)
    }
    let concernsLifecycle =
      gate.everyEvent || LifecycleModel.kinds.contains(kind) || kind == .workSample
      || (gate.state == .suspended && Self.callbackKinds.contains(kind))
    let isSpan = phase != .instant && spans.tracks(kind)
    return listNumber(listeners) | (concernsLifecycle ? Self.lifecycleBit : 0)
      | (isSpan ? Self.spanBit : 0)
  }

  private mutating func listNumber(_ listeners: [Int]) -> UInt32 {
    if let number = listNumbers[listeners] { return number }
    let number = UInt32(lists.count)
    lists.append(listeners)
    listNumbers[listeners] = number
    return number
  }
}
