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
    /// A fact that nests was set when it wasn't known whether it held, so that it may be deeper.
    var mayBeDeeper = false
    var setNanoseconds: Int64 = 0
    var setReading: Int64 = 0
    var evidence = -1
    /// The enter, where a return set the fact.
    var enterEvidence = -1
    /// The event that first set the fact since it was clear, if another one set it again.
    var firstEvidence = -1
    /// The event that set a fact of limited time before the last one did.
    var earlierEvidence = -1
  }

  fileprivate struct State {
    let key: [KeyField]
    let nests: Bool
    let isOfLaunch: Bool
    let initially: Bool?
    let after: ClockReading?
    let afterNanoseconds: Int64
    let lasts: ClockReading?
    let lastsNanoseconds: Int64
    var cells = KeyedTable<Cell>()
    /// The value of keys that have no cell.
    var baseline: Bool?
    var isOverfull = false
    /// The event that cleared a key last that has no cell any more.
    var clearedEvidence = -1
    /// The event that cleared all keys last.
    var allClearedEvidence = -1
  }

  private var states: [State]
  private(set) var arena = EvidenceArena()
  /// What the event at hand has cleared: it may have asked for it before.
  private var justCleared: [Int] = []
  private var justClearedOrdinal = -1

  init(_ facts: [Fact], _ judge: Judge, _ ruleIndex: Int) {
    states = facts.map { fact in
      State(
        key: fact.key, nests: fact.nests, isOfLaunch: fact.life == .launch,
        initially: fact.initially, after: fact.after.map { ClockReading($0) },
        afterNanoseconds: fact.after.map { judge.value(of: $0.amount, ruleIndex) } ?? 0,
        lasts: fact.lasts.map { ClockReading($0) },
        lastsNanoseconds: fact.lasts.map { judge.value(of: $0.amount, ruleIndex) } ?? 0,
        baseline: fact.initially)
    }
  }

  func key(_ fact: Int) -> [KeyField] { states[fact].key }

  private func mayHold(_ fact: Int) -> Bool {
    states[fact].baseline != false || !states[fact].cells.isEmpty || states[fact].isOverfull
  }

  /// The bits of the facts that may hold for some key.
  var awake: UInt64 {
    var bits: UInt64 = 0
    for fact in states.indices where mayHold(fact) { bits |= RuleMonitor.bit(ofFact: fact) }
    return bits
  }

  // MARK: Changes

  mutating func set(_ fact: Int, _ key: InstanceKey, _ event: Event, _ judge: Judge) {
    let enter =
      event.phase == .return ? judge.currentEnter.flatMap { judge.spans.enter(of: $0) } : nil
    let nests = states[fact].nests
    let clock = states[fact].after ?? states[fact].lasts
    let reading = clock?.value(at: event.timeNanoseconds, judge) ?? 0
    change(fact, key) { cell, arena in
      if cell.value == true && cell.firstEvidence < 0 {
        cell.firstEvidence = cell.evidence
      } else if cell.value == true && clock != nil {
        arena.release(cell.earlierEvidence)
        cell.earlierEvidence = cell.evidence
      } else {
        arena.release(cell.evidence)
      }
      arena.release(cell.enterEvidence)
      cell.evidence = arena.keep(event)
      cell.enterEvidence = enter.map { arena.keep($0) } ?? -1
      cell.mayBeDeeper = cell.value == nil || (cell.value == true && cell.mayBeDeeper)
      cell.count = nests && cell.value == true ? min(cell.count + 1, 1 << 40) : 1
      cell.value = true
      cell.setNanoseconds = event.timeNanoseconds
      cell.setReading = reading
    }
  }

  mutating func clear(_ fact: Int, _ key: InstanceKey, _ event: Event) {
    if key.isAbsent && !states[fact].key.isEmpty { return clearAll(fact, event) }
    guard let place = placeToClear(fact, key) else { return }
    forgetCleared(before: event)
    var cell = states[fact].cells.values[place]
    if states[fact].nests && cell.value != false && (cell.value == nil || cell.count > 1) {
      // How deep a fact is that isn't known, isn't known either.
      if cell.value == true { cell.count -= 1 }
    } else {
      if cell.value == true {
        justCleared.append(cell.firstEvidence)
        justCleared.append(cell.evidence)
        cell.firstEvidence = -1
        cell.evidence = -1
      }
      cell.value = states[fact].nests && cell.mayBeDeeper ? nil : false
      cell.count = 0
      arena.release(cell)
      cell.evidence = arena.keep(event)
      cell.enterEvidence = -1
      cell.firstEvidence = -1
      cell.earlierEvidence = -1
    }
    if cell.value == false && states[fact].baseline == false {
      forget(fact, place, cell)
    } else {
      states[fact].cells.change(place) { $0 = cell }
    }
  }

  /// The place of the key's cell, made if need be; nil if there is no room, or the fact is clear
  /// for the key: it is so since the event that cleared it first.
  private mutating func placeToClear(_ fact: Int, _ key: InstanceKey) -> Int? {
    if let place = states[fact].cells.place(of: key) {
      return states[fact].cells.values[place].value == false ? nil : place
    }
    if states[fact].baseline == false { return nil }
    guard states[fact].cells.count < Self.keysMax else {
      states[fact].isOverfull = true
      return nil
    }
    states[fact].cells.add(key, Cell(value: states[fact].baseline))
    return states[fact].cells.count - 1
  }

  mutating func clearAll(_ fact: Int, _ event: Event) {
    let isClear = states[fact].baseline == false && states[fact].cells.isEmpty
    if isClear && !states[fact].isOverfull { return }
    for cell in states[fact].cells.values { arena.release(cell) }
    states[fact].cells.removeAll()
    states[fact].baseline = false
    states[fact].isOverfull = false
    arena.release(states[fact].allClearedEvidence)
    states[fact].allClearedEvidence = arena.keep(event)
  }

  /// An event may have set a fact. One that holds holds on, if it doesn't matter how often and
  /// when it was set.
  mutating func maybeSet(_ fact: Int, _ key: InstanceKey) {
    let countsSettings =
      states[fact].nests || states[fact].after != nil || states[fact].lasts != nil
    change(fact, key) { cell, _ in
      if cell.value != true || countsSettings { cell.value = nil }
    }
  }

  /// An event may have cleared a fact.
  mutating func maybeClear(_ fact: Int, _ key: InstanceKey) {
    if key.isAbsent && !states[fact].key.isEmpty { return maybeClearAll(fact) }
    change(fact, key) { cell, _ in
      if cell.value != false { cell.value = nil }
    }
    forgetIfFalse(fact, key)
  }

  /// An event may have cleared a fact for every key.
  mutating func maybeClearAll(_ fact: Int) {
    states[fact].cells.changeAll { if $0.value == true { $0.value = nil } }
    if states[fact].baseline == true { states[fact].baseline = nil }
  }

  private mutating func change(
    _ fact: Int, _ key: InstanceKey, _ body: (inout Cell, inout EvidenceArena) -> Void
  ) {
    if let place = states[fact].cells.place(of: key) {
      return states[fact].cells.change(place) { body(&$0, &arena) }
    }
    guard states[fact].cells.count < Self.keysMax else {
      states[fact].isOverfull = true
      return
    }
    var cell = Cell(value: states[fact].baseline)
    body(&cell, &arena)
    states[fact].cells.add(key, cell)
  }

  /// What an earlier event has cleared is no evidence any more.
  private mutating func forgetCleared(before event: Event) {
    guard event.ordinal != justClearedOrdinal else { return }
    justClearedOrdinal = event.ordinal
    if justCleared.isEmpty { return }
    for place in justCleared { arena.release(place) }
    justCleared.removeAll(keepingCapacity: true)
  }

  private mutating func forgetIfFalse(_ fact: Int, _ key: InstanceKey) {
    guard states[fact].baseline == false, let place = states[fact].cells.place(of: key) else {
      return
    }
    let cell = states[fact].cells.values[place]
    if cell.value == false { forget(fact, place, cell) }
  }

  /// Keeps of a cell what cleared it.
  private mutating func forget(_ fact: Int, _ place: Int, _ cell: Cell) {
    arena.release(states[fact].clearedEvidence)
    states[fact].clearedEvidence = cell.evidence
    arena.release(cell.enterEvidence)
    arena.release(cell.firstEvidence)
    arena.release(cell.earlierEvidence)
    states[fact].cells.remove(at: place)
  }

  /// A launch begins: facts of a launch have their first value, or none in mid-life. What the
  /// system said before the first sign of a process goes on, if it was all that could be known.
  mutating func launchBegan(isMidLife: Bool, isFirstSign: Bool) {
    for index in states.indices {
      let isOfLaunch = states[index].isOfLaunch
      if !isOfLaunch && (!isMidLife || (isFirstSign && states[index].initially == nil)) { continue }
      reset(index, to: isMidLife ? nil : states[index].initially)
    }
  }

  /// Events were lost: nothing is known any more.
  mutating func lose() {
    for index in states.indices { reset(index, to: nil) }
  }

  private mutating func reset(_ fact: Int, to baseline: Bool?) {
    for cell in states[fact].cells.values { arena.release(cell) }
    arena.release(states[fact].clearedEvidence)
    states[fact].clearedEvidence = -1
    arena.release(states[fact].allClearedEvidence)
    states[fact].allClearedEvidence = -1
    states[fact].cells.removeAll()
    states[fact].baseline = baseline
    states[fact].isOverfull = false
  }

  mutating func batchEnds(_ batch: EventBatch) { arena.batchEnds(batch) }

  // MARK: Questions

  /// Whether a fact holds for a key at a time; nil where that isn't known.
  func value(_ fact: Int, _ key: InstanceKey, at time: Int64, _ judge: Judge) -> Bool? {
    if states[fact].cells.isEmpty { return isOverfull(fact) ? nil : states[fact].baseline }
    guard let cell = states[fact].cells[key] else {
      return isOverfull(fact) ? nil : states[fact].baseline
    }
    return value(cell, fact, at: time, judge)
  }

  private func isOverfull(_ fact: Int) -> Bool { states[fact].isOverfull }

  private func value(_ cell: Cell, _ fact: Int, at time: Int64, _ judge: Judge) -> Bool? {
    guard cell.value == true else { return cell.value }
    if let after = states[fact].after,
      difference(after.value(at: time, judge), cell.setReading) <= states[fact].afterNanoseconds
    {
      return false
    }
    if let lasts = states[fact].lasts,
      difference(lasts.value(at: time, judge), cell.setReading) >= states[fact].lastsNanoseconds
    {
      return false
    }
    return true
  }

  /// Whether a fact holds for some key.
  func any(_ fact: Int, at time: Int64, _ judge: Judge) -> Bool? {
    if states[fact].key.isEmpty { return value(fact, .none, at: time, judge) }
    var isKnown = states[fact].baseline != nil && !isOverfull(fact)
    for cell in states[fact].cells.values {
      switch value(cell, fact, at: time, judge) {
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
      for place in [state.clearedEvidence, state.allClearedEvidence] {
        if let cleared = arena[place] { result.append(("cleared", cleared)) }
      }
      var cells = Array(state.cells.values.prefix(8))
      if state.cells.count > 8 { cells += keys.compactMap { state.cells[$0] } }
      for cell in cells {
        let last = [cell.evidence, cell.enterEvidence].compactMap { arena[$0] }
        result += last.map { ("fact", $0) }
        let earlier = [cell.firstEvidence, cell.earlierEvidence].compactMap { arena[$0] }
        result += earlier.map { ("earlier", $0) }
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
    release(cell.earlierEvidence)
  }
}
