// Follows the facts of a rule: what events made true and false, for each key.

import TraceLifecycle
import TraceModel

/// The facts of one rule in one trace.
struct FactTable {
  /// Keys of one fact that are followed; beyond it the fact is unknown for others.
  static let keysMax = 16_384

  fileprivate struct Cell {
    /// Nil: not known.
    var value: Bool?
    var count = 0
    var setNanoseconds: Int64 = 0
    var setReading: Int64 = 0
    var evidence = -1
    /// The enter, where a return set the fact.
    var enterEvidence = -1
    /// The event that first set the fact since it was clear, if another one set it again.
    var firstEvidence = -1
  }

  fileprivate struct State {
    let fact: Fact
    let after: ClockReading?
    let afterNanoseconds: Int64
    let lasts: ClockReading?
    let lastsNanoseconds: Int64
    var cells: [InstanceKey: Cell] = [:]
    /// The value of keys that have no cell.
    var baseline: Bool?
    var isOverfull = false
  }

  private var states: [State]
  private(set) var arena = EvidenceArena()
  /// What the event at hand has cleared: it may have asked for it before.
  private var justCleared: [Int] = []
  private var justClearedOrdinal = -1

  init(_ facts: [Fact], _ judge: Judge, _ ruleIndex: Int) {
    states = facts.map { fact in
      State(
        fact: fact, after: fact.after.map { ClockReading($0) },
        afterNanoseconds: fact.after.map { judge.value(of: $0.amount, ruleIndex) } ?? 0,
        lasts: fact.lasts.map { ClockReading($0) },
        lastsNanoseconds: fact.lasts.map { judge.value(of: $0.amount, ruleIndex) } ?? 0,
        baseline: fact.initially)
    }
  }

  func key(_ fact: Int) -> [KeyField] { states[fact].fact.key }

  // MARK: Changes

  mutating func set(_ fact: Int, _ key: InstanceKey, _ event: Event, _ judge: Judge) {
    let enter = judge.enter(of: event).flatMap { judge.spans.enter(of: $0) }
    change(fact, key) { cell, state, arena in
      if cell.value == true && cell.firstEvidence < 0 {
        cell.firstEvidence = cell.evidence
      } else {
        arena.release(cell.evidence)
      }
      arena.release(cell.enterEvidence)
      cell.evidence = arena.keep(event)
      cell.enterEvidence = enter.map { arena.keep($0) } ?? -1
      cell.count = state.fact.nests && cell.value == true ? min(cell.count + 1, 1 << 40) : 1
      cell.value = true
      cell.setNanoseconds = event.timeNanoseconds
      cell.setReading =
        (state.after ?? state.lasts)?.value(at: event.timeNanoseconds, judge) ?? 0
    }
  }

  mutating func clear(_ fact: Int, _ key: InstanceKey, _ event: Event) {
    if key.isAbsent && !states[fact].fact.key.isEmpty { return clearAll(fact, event) }
    if states[fact].baseline == false && states[fact].cells[key] == nil { return }
    forgetCleared(before: event)
    let place = justCleared.count
    justCleared.append(-1)
    justCleared.append(-1)
    var wasTrue = (first: -1, last: -1)
    change(fact, key) { cell, state, arena in
      if state.fact.nests && cell.value == true && cell.count > 1 {
        cell.count -= 1
        return
      }
      if cell.value == true {
        wasTrue = (cell.firstEvidence, cell.evidence)
        cell.firstEvidence = -1
        cell.evidence = -1
      }
      cell.value = false
      cell.count = 0
      arena.release(cell)
      cell.evidence = arena.keep(event)
      cell.enterEvidence = -1
      cell.firstEvidence = -1
    }
    justCleared[place] = wasTrue.first
    justCleared[place + 1] = wasTrue.last
    forgetIfFalse(fact, key)
  }

  mutating func clearAll(_ fact: Int, _ event: Event) {
    for cell in states[fact].cells.values { arena.release(cell) }
    states[fact].cells.removeAll(keepingCapacity: true)
    states[fact].baseline = false
    states[fact].isOverfull = false
  }

  /// An event may have set or cleared a fact.
  mutating func blur(_ fact: Int, _ key: InstanceKey) {
    change(fact, key) { cell, _, _ in cell.value = nil }
  }

  private mutating func change(
    _ fact: Int, _ key: InstanceKey, _ body: (inout Cell, State, inout EvidenceArena) -> Void
  ) {
    if states[fact].cells[key] == nil {
      guard states[fact].cells.count < Self.keysMax else {
        states[fact].isOverfull = true
        return
      }
      states[fact].cells[key] = Cell(value: states[fact].baseline)
    }
    guard var cell = states[fact].cells[key] else { return }
    states[fact].cells[key] = nil
    body(&cell, states[fact], &arena)
    states[fact].cells[key] = cell
  }

  /// What an earlier event has cleared is no evidence any more.
  private mutating func forgetCleared(before event: Event) {
    guard event.ordinal != justClearedOrdinal else { return }
    justClearedOrdinal = event.ordinal
    for place in justCleared { arena.release(place) }
    justCleared.removeAll(keepingCapacity: true)
  }

  private mutating func forgetIfFalse(_ fact: Int, _ key: InstanceKey) {
    guard states[fact].baseline == false, let cell = states[fact].cells[key], cell.value == false
    else { return }
    arena.release(cell)
    states[fact].cells[key] = nil
  }

  /// A launch begins: facts of a launch have their first value, or none in mid-life.
  mutating func launchBegan(isMidLife: Bool, isFirst: Bool) {
    for index in states.indices {
      let isOfLaunch = states[index].fact.life == .launch
      guard isOfLaunch || (isFirst && isMidLife) else { continue }
      reset(index, to: isMidLife ? nil : states[index].fact.initially)
    }
  }

  /// Events were lost: nothing is known any more.
  mutating func lose() {
    for index in states.indices { reset(index, to: nil) }
  }

  private mutating func reset(_ fact: Int, to baseline: Bool?) {
    for cell in states[fact].cells.values { arena.release(cell) }
    states[fact].cells.removeAll(keepingCapacity: true)
    states[fact].baseline = baseline
    states[fact].isOverfull = false
  }

  mutating func batchEnds(_ batch: EventBatch) { arena.batchEnds(batch) }

  // MARK: Questions

  /// Whether a fact holds for a key at a time; nil where that isn't known.
  func value(_ fact: Int, _ key: InstanceKey, at time: Int64, _ judge: Judge) -> Bool? {
    let state = states[fact]
    guard let cell = state.cells[key] else {
      return state.isOverfull ? nil : state.baseline
    }
    return value(cell, state, at: time, judge)
  }

  private func value(_ cell: Cell, _ state: State, at time: Int64, _ judge: Judge) -> Bool? {
    guard cell.value == true else { return cell.value }
    if let after = state.after,
      difference(after.value(at: time, judge), cell.setReading) <= state.afterNanoseconds
    {
      return false
    }
    if let lasts = state.lasts,
      difference(lasts.value(at: time, judge), cell.setReading) >= state.lastsNanoseconds
    {
      return false
    }
    return true
  }

  /// Whether a fact holds for some key.
  func any(_ fact: Int, at time: Int64, _ judge: Judge) -> Bool? {
    let state = states[fact]
    var isKnown = state.baseline != nil && !state.isOverfull
    for cell in state.cells.values {
      switch value(cell, state, at: time, judge) {
      case true?: return true
      case nil: isKnown = false
      case false?: continue
      }
    }
    return isKnown ? false : nil
  }

  /// The events that made the facts what they are: for the keys given, and some of the others.
  func evidence(
    for keys: [InstanceKey], at ordinal: Int?
  ) -> [(role: String, event: PendingWitness)] {
    var result: [(role: String, event: PendingWitness)] = []
    for state in states {
      var cells = Array(state.cells.values.prefix(8))
      if state.cells.count > 8 { cells += keys.compactMap { state.cells[$0] } }
      for cell in cells {
        let last = [cell.evidence, cell.enterEvidence].compactMap { arena[$0] }
        result += last.map { ("fact", $0) }
        if let first = arena[cell.firstEvidence] { result.append(("earlier", first)) }
      }
    }
    if justClearedOrdinal == ordinal {
      result += justCleared.compactMap { arena[$0] }.map { ("fact", $0) }
    }
    return result.sorted { $0.event.event.ordinal < $1.event.event.ordinal }
  }
}

extension EvidenceArena {
  fileprivate mutating func release(_ cell: FactTable.Cell) {
    release(cell.evidence)
    release(cell.enterEvidence)
    release(cell.firstEvidence)
  }
}
