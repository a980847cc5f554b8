// Runs `order` clauses: a state machine for each key.

import TraceLifecycle
import TraceModel

/// Follows the machines of one clause.
final class OrderRunner: ClauseRunner {
  private struct Machine {
    /// The states it may be in; empty: any.
    var states: [Int]
    /// It was put where its last event leads elsewhere, as that had no edge.
    var isRestarted = false
    var evidence = -1
  }

  private let order: Order
  private let states: [String]
  private let start: Int
  private let edges: [(from: Int, to: Int)]
  private var machines: [InstanceKey: Machine] = [:]
  private var isStartKnown = true
  private var matches: [(edge: Int, key: InstanceKey)] = []
  private var doubted: [InstanceKey] = []
  /// Why keys can't be decided that have one report each: one may still come.
  private var pendingDoubts: [InstanceKey: String] = [:]

  init(_ monitor: RuleMonitor, _ clauseIndex: Int, _ order: Order, _ judge: Judge) {
    self.order = order
    var states = [order.start]
    var numbers = [order.start: 0]
    for name in order.edges.flatMap({ [$0.from, $0.to] }) where numbers[name] == nil {
      numbers[name] = states.count
      states.append(name)
    }
    self.states = states
    start = 0
    edges = order.edges.map { (numbers[$0.from] ?? 0, numbers[$0.to] ?? 0) }
    super.init(monitor, clauseIndex)
  }

  override var listenings: [Listening] {
    order.edges.enumerated().map { ($0.offset, $0.element.event, order.key) }
  }

  override var resolvesMatches: Bool { true }

  override func perform(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    matches.append(
      (
        role,
        hearing.instanceKey(pattern.keyFields)
      ))
  }

  override func doubt(_ role: Int, _ pattern: CompiledPattern, _ hearing: Hearing) {
    doubted.append(
      hearing.instanceKey(pattern.keyFields))
  }

  override func afterEvent(_ hearing: Hearing) {
    defer {
      matches.removeAll(keepingCapacity: true)
      doubted.removeAll(keepingCapacity: true)
    }
    let event = hearing.event
    guard doubted.isEmpty else {
      // Whether the event has an edge isn't known, nor where it leads.
      for key in doubted where machines[key] != nil || machines.count < FactTable.keysMax {
        if let known = machines[key] { monitor.ledger.arena.release(known.evidence) }
        machines[key] = Machine(states: [])
      }
      return monitor.doubt(
        clauseIndex, .launch, event: event, monitor.doubtReason(hearing.judge), hearing.judge)
    }
    guard let first = matches.first else { return }
    let key = first.key
    guard machines[key] != nil || machines.count < FactTable.keysMax else {
      return monitor.doubt(clauseIndex, .launch, event: event, "key-limit", hearing.judge)
    }
    let machine = machines[key] ?? Machine(states: isStartKnown ? [start] : [])
    let before = monitor.ledger.arena[machine.evidence]
    monitor.ledger.arena.release(machine.evidence)
    var next = Machine(states: [], evidence: monitor.ledger.arena.keep(event))
    let (reached, isCertain) = step(from: machine.states)
    if reached.isEmpty {
      next.states = step(from: []).reached
      next.isRestarted = true
    } else {
      next.states = reached
      next.isRestarted = machine.isRestarted && reached.count > 1
    }
    machines[key] = next
    if reached.isEmpty {
      monitor.report(
        clauseIndex,
        Violation(
          unit: order.unit, key: key, certainBy: hearing.batch.witness(event, role: "offender"),
          timeNanoseconds: event.timeNanoseconds, thread: event.thread,
          others: [before].compactMap { $0 },
          message: MessageTemplate(
            monitor.clauses[clauseIndex].message.text.replacing(
              "{state}", with: name(machine.states)))),
        event, hearing.batch, hearing.judge)
    } else if !isCertain && !machine.isRestarted {
      // In some of the states it may be in the event is none that may come.
      let reason = monitor.doubtReason(hearing.judge)
      if order.unit == .key, pendingDoubts.count < FactTable.keysMax {
        if pendingDoubts[key] == nil { pendingDoubts[key] = reason }
      } else {
        monitor.doubt(clauseIndex, order.unit, key: key, event: event, reason, hearing.judge)
      }
    }
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    // A key that was reported is decided.
    for (key, reason) in pendingDoubts {
      monitor.doubt(clauseIndex, order.unit, key: key, event: nil, reason, judge)
    }
    pendingDoubts.removeAll(keepingCapacity: true)
  }

  /// States for people; of many the first few.
  private func name(_ places: [Int]) -> String {
    places.prefix(4).map { states[$0] }.joined(separator: " or ")
      + (places.count > 4 ? " or …" : "")
  }

  /// The states to which the event at hand leads from some states, none standing for all; and
  /// whether it may come in each of them. Of several edges from a state the first counts.
  private func step(from states: [Int]) -> (reached: [Int], isCertain: Bool) {
    if states.count == 1 {
      let match = matches.first { edges[$0.edge].from == states[0] }
      return match.map { ([edges[$0.edge].to], true) } ?? ([], true)
    }
    var targets: [Int: Int] = [:]
    for match in matches where targets[edges[match.edge].from] == nil {
      targets[edges[match.edge].from] = edges[match.edge].to
    }
    if states.isEmpty {
      return (Set(targets.values).sorted(), targets.count == self.states.count)
    }
    let reached = states.compactMap { targets[$0] }
    return (Set(reached).sorted(), reached.count == states.count)
  }

  override func launchBegan(_ judge: Judge) {
    forget()
    isStartKnown = judge.model.launch?.isMidLife != true
  }

  override func lost(_ judge: Judge) {
    forget()
    isStartKnown = false
  }

  private func forget() {
    for machine in machines.values { monitor.ledger.arena.release(machine.evidence) }
    machines.removeAll(keepingCapacity: true)
  }
}
