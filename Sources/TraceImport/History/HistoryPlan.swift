// Makes the history of one process out of its facts: lines about one thing become one event.
// This file must not know how any system words its lines.

import TraceModel

/// The events of one process, concluded from its facts in the order of the capture's lines.
struct HistoryPlan: Sendable {
  private var events: [PlannedEvent] = []
  /// Whether UIKit's lines about background tasks are among the facts.
  private(set) var hasTasks = false
  /// Whether suspensions are told by the system, so that silence means there was none.
  private(set) var hasSuspensions = false
  /// Whether Metal's refusals are among the facts.
  private(set) var hasRefusals = false

  /// The app that patterns may be for.
  var app: String?
  /// The namespaces of events that patterns made.
  private(set) var mappedNamespaces: Set<String> = []
  /// Lines whose pattern is for other apps, by the pattern's place.
  private(set) var linesOfOtherApps: [Int: Int] = [:]
  /// Whether a pattern of the line at hand has made an event.
  private var isLineMapped = false

  private var tasks = TaskLedger()
  private var activation = ActivationTracker()
  /// Nil until a line tells.
  private var isSuspended: Bool?
  private var suspendedAtNanoseconds: Int64 = 0
  private var isResumeTold = false
  private var isOver = false

  /// The tolerance within which a line of a suspended process counts as before or after.
  private let toleranceNanoseconds: Int64

  init(resolutionNanoseconds: Int64) {
    toleranceNanoseconds = max(50_000_000, 2 * resolutionNanoseconds)
  }

  /// Hands over the events; none stay.
  mutating func releaseEvents() -> [PlannedEvent] {
    var released: [PlannedEvent] = []
    swap(&released, &events)
    released.removeAll { $0.isDropped }
    return released
  }

  /// Plans a process, given the places of its facts.
  mutating func plan(_ places: [Int], of log: FactLog) {
    let suspensions = SuspensionEvidence(places, of: log)
    hasSuspensions = !suspensions.transitions.isEmpty
    var nextTransition = 0
    for place in places {
      let fact = log.facts[place]
      // A process that is suspended was in the background before; one that comes back runs first.
      if fact.kind == .processState, suspensions.isSuspension(fact) { apply(fact, places, log) }
      if nextTransition < suspensions.transitions.count,
        suspensions.transitions[nextTransition].place == place
      {
        nextTransition += 1
        apply(fact, isSuspension: suspensions.isSuspension(fact), suspensions.areSteps)
        isResumeTold = suspensions.tellsResume(after: nextTransition)
      }
      if fact.kind == .processState, suspensions.isSuspension(fact) { continue }
      apply(fact, places, log)
    }
  }

  private mutating func apply(_ fact: Fact, _ places: [Int], _ log: FactLog) {
    switch fact.kind {
    case .taskAnnounced: tasks.announce(fact)
    case .taskBegun, .taskEndCalled, .taskEndAccepted, .taskEndRefused, .taskHandlerCalled:
      hasTasks = true
      resumeIfRunning(fact)
      applyTask(fact, log)
    case .deactivation, .callback, .flutterState:
      resumeIfRunning(fact)
      for kind in activation.take(fact) { append(kind, fact) }
    case .processState:
      for kind in activation.takeVisibility(fact.to) { append(kind, fact) }
    case .exit:
      guard !isOver else { return }
      isOver = true
      let best = bestExit(places, log) ?? Int(fact.number)
      events.append(
        PlannedEvent(log.exits[best].isKill ? .procKill : .procExit, fact, .exit(best)))
    case .metalRefused:
      hasRefusals = true
      resumeIfRunning(fact)
      events.append(PlannedEvent(.metalComplete, fact, .metalRefusal))
    case .assertionAcquired: appendAssertion(.acquire, fact)
    case .assertionReleased: appendAssertion(.release, fact)
    case .assertionTimedOut: appendAssertion(.invalidate, fact)
    case .mapped: applyMapped(fact, log)
    case .suspension, .stateReport, .debugger, .simulator, .taskOverdue, .sceneWarning: break
    }
  }

  /// A line becomes one event: that of the strongest of its patterns which is for the app.
  private mutating func applyMapped(_ fact: Fact, _ log: FactLog) {
    if fact.to == 0 { isLineMapped = false }
    guard !isLineMapped else { return }
    let index = Int(fact.from)
    let pattern = log.mapped.patterns.all[index]
    guard pattern.isFor(app: app) else {
      linesOfOtherApps[index, default: 0] += 1
      return
    }
    isLineMapped = true
    if pattern.event.kind != .traceMarker { mappedNamespaces.insert(pattern.event.namespace) }
    if pattern.event.emitter == .app || pattern.event.shape == .span { resumeIfRunning(fact) }
    if pattern.phase != .return { activation.note(pattern.event.kind) }
    events.append(
      PlannedEvent(
        pattern.event.kind, fact, .mapped(pattern: index, first: Int(fact.number))))
  }

  /// The record that explains most; among equals the first.
  private func bestExit(_ places: [Int], _ log: FactLog) -> Int? {
    var best: Int?
    for place in places where log.facts[place].kind == .exit {
      let record = Int(log.facts[place].number)
      if best.map({ log.exits[record].rank > log.exits[$0].rank }) ?? true { best = record }
    }
    return best
  }

  private mutating func appendAssertion(_ step: PlannedEvent.AssertionStep, _ fact: Fact) {
    events.append(
      PlannedEvent(
        .procAssertion, fact,
        .assertion(step, identifier: Int(fact.number), name: fact.name)))
  }

  /// Callbacks run on the main thread, whoever logs them.
  private mutating func append(_ kind: EventKind, _ fact: Fact) {
    var event = PlannedEvent(kind, fact)
    event.thread = 1
    events.append(event)
  }

  private mutating func apply(_ fact: Fact, isSuspension: Bool, _ isStep: Bool) {
    defer { isSuspended = isSuspension }
    guard isSuspension != isSuspended else { return }
    // A state that says "running" first of all is no resumption; a step is.
    if isSuspended == nil, !isSuspension, !isStep { return }
    suspendedAtNanoseconds = fact.timeNanoseconds
    events.append(
      PlannedEvent(
        isSuspension ? .procSuspend : .procResume, fact, .suspension(isInferred: false)))
  }

  /// A process that logs while it counts as suspended was resumed. If the log never tells of the
  /// resumption the line is lost, and the app is not to blame for running.
  private mutating func resumeIfRunning(_ fact: Fact) {
    guard isSuspended == true, !isResumeTold,
      fact.timeNanoseconds - suspendedAtNanoseconds > toleranceNanoseconds
    else { return }
    isSuspended = false
    events.append(PlannedEvent(.procResume, fact, .suspension(isInferred: true)))
    events[events.count - 1].thread = 0
    events[events.count - 1].token = .none
  }

  private mutating func applyTask(_ fact: Fact, _ log: FactLog) {
    let isFramework = fact.name >= 0 && FrameworkTasks.contains(log.texts[Int(fact.name)])
    switch tasks.take(fact, isFramework: isFramework, eventCount: events.count) {
    case .nothing: break
    case .begin(let name, let handler):
      let isFramework = name >= 0 && FrameworkTasks.contains(log.texts[Int(name)])
      events.append(
        PlannedEvent(
          .bgtaskBegin, fact,
          .taskBegin(name: name, hasHandler: handler, isFramework: isFramework)))
    case .end(let isRefused):
      events.append(PlannedEvent(.bgtaskEnd, fact, .taskEnd(isRefused: isRefused)))
    case .refuse(let index): events[index].content = .taskEnd(isRefused: true)
    case .drop(let index): events[index].content = .dropped
    case .addHandler(let index):
      if case .taskBegin(let name, .unknown, let isFramework) = events[index].content {
        events[index].content = .taskBegin(name: name, hasHandler: .yes, isFramework: isFramework)
      }
    case .expire: events.append(PlannedEvent(.bgtaskExpire, fact))
    }
  }
}

/// The surest lines about the suspensions of one process.
struct SuspensionEvidence {
  private(set) var transitions: [(place: Int, isSuspension: Bool)] = []
  private var source: UInt64 = 0
  private var lastRunning = -1

  /// Whether the lines tell of steps, each once, and not of states.
  var areSteps: Bool { source == SuspensionSource.runningBoard.rawValue }

  init(_ places: [Int], of log: FactLog) {
    for place in places {
      source = max(source, Self.source(log.facts[place]))
    }
    guard source > 0 else { return }
    for place in places where Self.source(log.facts[place]) == source {
      transitions.append((place, isSuspension(log.facts[place])))
    }
    // Lines of states that say "running" from beginning to end tell of no suspension.
    if !transitions.contains(where: \.isSuspension),
      source != SuspensionSource.runningBoard.rawValue
    {
      transitions = []
    }
    lastRunning = transitions.lastIndex { !$0.isSuspension } ?? -1
  }

  func isSuspension(_ fact: Fact) -> Bool { fact.from == StateWord.suspended }

  /// Whether the log tells of a resumption after the suspension before this place in the list.
  func tellsResume(after index: Int) -> Bool {
    // The daemon says each step once: two suspensions in a row mean that a line is lost. Lines of
    // states repeat themselves.
    if areSteps {
      return index < transitions.count && !transitions[index].isSuspension
    }
    return lastRunning >= index
  }

  private static func source(_ fact: Fact) -> UInt64 {
    switch fact.kind {
    case .suspension: fact.number
    case .processState where fact.from != 0: SuspensionSource.springBoard.rawValue
    default: 0
    }
  }
}
