// Runs `order` clauses: a state machine for each key.

import TraceLifecycle
import TraceModel

/// Follows the machines of one clause.
final class OrderRunner: ClauseRunner {
  private struct Machine {
    /// Nil: not known.
    var state: Int?
    var evidence = -1
  }

  private let order: Order
  private let states: [String]
  private let start: Int
  private let edges: [(from: Int, to: Int)]
  private var machines: [InstanceKey: Machine] = [:]
  private var isStartKnown = true
  private var matches: [(edge: Int, key: InstanceKey)] = []

  init(_ monitor: RuleMonitor, _ clauseIndex: Int, _ order: Order, _ judge: Judge) {
    self.order = order
    var states = [order.start]
    for edge in order.edges {
      for name in [edge.from, edge.to] where !states.contains(name) { states.append(name) }
    }
    self.states = states
    start = 0
    edges = order.edges.map {
      (states.firstIndex(of: $0.from) ?? 0, states.firstIndex(of: $0.to) ?? 0)
    }
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
        hearing.judge.instanceKey(
          pattern.keyFields, of: hearing.event, hearing.batch, hearing.enter)
      ))
  }

  override func afterEvent(_ hearing: Hearing) {
    guard let first = matches.first else { return }
    defer { matches.removeAll(keepingCapacity: true) }
    let event = hearing.event
    let key = first.key
    guard machines[key] != nil || machines.count < FactTable.keysMax else {
      return monitor.doubt(clauseIndex, .launch, event: event, "key-limit", hearing.judge)
    }
    let machine = machines[key] ?? Machine(state: isStartKnown ? start : nil)
    let step = machine.state.flatMap { state in
      matches.first { edges[$0.edge].from == state }
    }
    if machine.state != nil && step == nil {
      monitor.report(
        clauseIndex,
        Violation(
          unit: order.unit, key: key, certainBy: hearing.batch.witness(event, role: "offender"),
          timeNanoseconds: event.timeNanoseconds, thread: event.thread,
          others: [monitor.ledger.arena[machine.evidence]].compactMap { $0 },
          message: MessageTemplate(
            monitor.clauses[clauseIndex].message.text.replacing(
              "{state}", with: states[machine.state ?? start]))),
        event, hearing.batch, hearing.judge)
    }
    monitor.ledger.arena.release(machine.evidence)
    machines[key] = Machine(
      state: edges[(step ?? first).edge].to, evidence: monitor.ledger.arena.keep(event))
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
