// Makes the history of one process out of its facts: lines about one thing become one event.
// This file must not know how any system words its lines.

import TraceModel

/// The events of one process, concluded from its facts in the order of the capture's lines.
///
/// A fact is taken when what may still be said about the same thing has had time to come; what has
/// come is held behind it and can be looked at.
struct HistoryPlan: Sendable {
  /// Events that weren't released. Places of events count from the first event of the process.
  private var events: [PlannedEvent] = []
  private var releasedCount = 0

  /// The namespaces of events that patterns made.
  private(set) var mappedNamespaces: Set<String> = []
  /// Lines whose pattern is for other apps, by the pattern's place.
  private(set) var linesOfOtherApps: [Int: Int] = [:]
  /// Whether a pattern of the line at hand has made an event.
  private var isLineMapped = false

  private var tasks = TaskLedger()
  private var activation = ActivationTracker()
  /// Assertions of background tasks that the process holds.
  private var assertionCount = 0
  private var doubt = ExpiryDoubt()
  /// Nil until a line tells.
  private var isSuspended: Bool?
  private var suspendedAtNanoseconds: Int64 = 0
  private var hasEnded = false
  /// An end that only the process itself printed: it counts unless the process goes on.
  private var printedEnd: (fact: Fact, record: ExitRecord)?
  /// The latest time of an event.
  private var toldNanoseconds = Int64.min
  /// How often the clock had been set at the last fact; nil before the first.
  private var clockStepCount: UInt32?
  private(set) var hasClockStep = false
  /// By how much lines show less than the times of their events; see ``TraceOrigin``.
  private(set) var setBacksNanoseconds: [Int64] = []
  private var latestNanoseconds = Int64.min
  /// The place of a held fact that tells of a resumption, and how far was looked for one.
  private var toldResumePlace = -1
  private var scannedPlace = 0

  /// What stands behind a fact, and whose facts count.
  struct Surroundings {
    var held: HeldFacts
    /// For each process the place of the process that it turned out to be.
    var roots: [Int]
    var root: Int
    /// The surest source of lines about suspensions; others aren't believed.
    var source: UInt64
    var resolutionNanoseconds: Int64
    /// The user's patterns, and the app that they may be for, as far as it is known.
    var patterns: CapturePatterns
    var app: String?

    func isOfProcess(_ fact: Fact) -> Bool { roots[Int(fact.process)] == root }
    func isTransition(_ fact: Fact) -> Bool {
      source > 0 && fact.suspensionSource == source
    }
    /// Whether the lines tell of steps, each once, and not of states.
    var areSteps: Bool { source == SuspensionSource.runningBoard.rawValue }
  }

  var waitingCount: Int { events.count }

  /// Whether the process has ended, as far as is known.
  var isOver: Bool { hasEnded || printedEnd != nil }

  /// Hands over the events whose facts came before a point, or all of them.
  mutating func release(upTo progressNanoseconds: Int64) -> [PlannedEvent] {
    var count = 0
    while count < events.count, events[count].progressNanoseconds <= progressNanoseconds {
      count += 1
    }
    guard count > 0 else { return [] }
    releasedCount += count
    if count == events.count {
      var released: [PlannedEvent] = []
      swap(&released, &events)
      released.removeAll { $0.isDropped }
      return released
    }
    let released = events[..<count].filter { !$0.isDropped }
    events.removeFirst(count)
    return released
  }

  /// Takes the next fact of the process.
  mutating func take(_ fact: Fact, progressNanoseconds: Int64, _ around: Surroundings) {
    let before = events.count
    noteGoingOn(fact)
    noteClock(fact)
    let isSuspension = fact.kind == .processState && fact.isSuspension
    // A process that is suspended was in the background before; one that comes back runs first.
    if isSuspension { apply(fact, around) }
    if around.isTransition(fact) { move(fact, around) }
    if !isSuspension { apply(fact, around) }
    for place in before..<max(before, events.count) {
      events[place].progressNanoseconds = progressNanoseconds
      toldNanoseconds = max(toldNanoseconds, events[place].timeNanoseconds)
    }
  }

  /// Sets of a clock that are told of; an input may set its clock in every line.
  private static let setBacksMax = 64

  /// Where the clock was set nobody knows how much time has passed: what spans it can't be judged,
  /// as where events were lost. None was.
  private mutating func noteClock(_ fact: Fact) {
    latestNanoseconds = max(latestNanoseconds, fact.timeNanoseconds)
    defer { clockStepCount = fact.clockStepCount }
    noteSetBack(fact)
    guard let known = clockStepCount, known != fact.clockStepCount else { return }
    hasClockStep = true
    appendOfClock(.traceLost, fact, .nothingLost)
  }

  private mutating func noteSetBack(_ fact: Fact) {
    guard fact.setBackNanoseconds != setBacksNanoseconds.last ?? 0,
      setBacksNanoseconds.count < Self.setBacksMax
    else { return }
    if clockStepCount != nil {
      if setBacksNanoseconds.isEmpty { setBacksNanoseconds.append(0) }
      appendOfClock(.traceClockStep, fact, .plain)
    }
    setBacksNanoseconds.append(fact.setBackNanoseconds)
  }

  /// Appends what is to be told of the clock before a fact.
  private mutating func appendOfClock(
    _ kind: EventKind, _ fact: Fact, _ content: PlannedEvent.Content
  ) {
    var event = PlannedEvent(kind, fact, content)
    event.timeNanoseconds = latestNanoseconds
    event.thread = 0
    event.token = .none
    events.append(event)
  }

  private mutating func apply(_ fact: Fact, _ around: Surroundings) {
    switch fact.kind {
    case .taskAnnounced: tasks.announce(fact)
    case .taskBegun, .taskEndCalled, .taskEndAccepted, .taskEndRefused, .taskHandlerCalled,
      .taskOverdue:
      resumeIfRunning(fact, around)
      if fact.kind == .taskOverdue, !activation.isInForeground { doubt.expire() }
      if fact.kind == .taskBegun { doubt.begin(fact.token) }
      applyTask(fact)
    case .deactivation, .callback, .flutterState:
      resumeIfRunning(fact, around)
      for kind in activation.take(fact) {
        append(kind, fact)
        if kind == .delegateDidBecomeActive { doubt.comeToScreen() }
      }
    case .processState:
      for kind in activation.takeVisibility(fact.to) { append(kind, fact) }
      if fact.to == StateWord.foreground { doubt.comeToScreen() }
    case .exit:
      if !hasEnded, printedEnd == nil, fact.exit.first?.isMetalRefusal == true {
        refuseMetal(fact, around)
      }
      end(fact, around)
    case .metalRefused: refuseMetal(fact, around)
    case .assertionAcquired:
      assertionCount += 1
      appendAssertion(.acquire, fact)
    case .assertionReleased:
      assertionCount -= 1
      appendAssertion(.release, fact)
    case .assertionTimedOut:
      assertionCount -= 1
      doubt.expire()
      appendAssertion(.invalidate, fact)
    case .mapped: applyMapped(fact, around)
    case .suspension, .stateReport, .debugger, .simulator, .sceneWarning, .launchTold,
      .rightsTold:
      break
    }
  }

  /// A line becomes one event: that of the strongest of its patterns which is for the app.
  private mutating func applyMapped(_ fact: Fact, _ around: Surroundings) {
    if fact.to == 0 { isLineMapped = false }
    guard !isLineMapped else { return }
    let index = Int(fact.from)
    let pattern = around.patterns.all[index]
    guard pattern.isFor(app: around.app) else {
      linesOfOtherApps[index, default: 0] += 1
      return
    }
    isLineMapped = true
    if pattern.event.kind != .traceMarker { mappedNamespaces.insert(pattern.event.namespace) }
    if pattern.event.emitter == .app || pattern.event.shape == .span {
      resumeIfRunning(fact, around)
    }
    if pattern.phase != .return { activation.note(pattern.event.kind) }
    events.append(
      PlannedEvent(pattern.event.kind, fact, .mapped(pattern: index, values: fact.values)))
  }

  // MARK: Ends

  /// How long after it printed its end a process may still log.
  private static let farewellNanoseconds: Int64 = 1_000_000_000
  /// How long after that others may tell of the same end.
  private static let confirmationNanoseconds: Int64 = 10_000_000_000

  /// A process that goes on has printed something of another run, or was not ended by it.
  private mutating func noteGoingOn(_ fact: Fact) {
    guard let printed = printedEnd else { return }
    let elapsed = fact.timeNanoseconds.minus(printed.fact.timeNanoseconds)
    switch fact.kind {
    case .exit, .suspension, .stateReport, .processState, .assertionAcquired, .assertionReleased,
      .assertionTimedOut:
      // Others tell of it, and may be late.
      if elapsed > Self.confirmationNanoseconds { printedEnd = nil }
    default: if elapsed > Self.farewellNanoseconds { printedEnd = nil }
    }
  }

  private mutating func end(_ fact: Fact, _ around: Surroundings) {
    guard !hasEnded, let record = bestExit(fact, around) else { return }
    guard let printed = printedEnd else {
      if fact.isPrinted {
        printedEnd = (fact, record)
      } else {
        tell(fact, record, after: .min)
      }
      return
    }
    let joined = printed.record.joined(with: record)
    if fact.isPrinted {
      printedEnd = (printed.fact, joined)
    } else if record.isKill, record.cause != "crash", record.rank >= printed.record.rank {
      // Who ended the process knows why.
      tell(fact, record, after: toldNanoseconds)
    } else {
      tell(printed.fact, joined, after: toldNanoseconds)
    }
  }

  /// Says that nothing more is expected of the process.
  mutating func finish() {
    guard let printed = printedEnd else { return }
    tell(printed.fact, printed.record, after: toldNanoseconds)
  }

  private mutating func tell(_ fact: Fact, _ record: ExitRecord, after nanoseconds: Int64) {
    hasEnded = true
    printedEnd = nil
    var record = record
    if record.isWordlessExpiry {
      record.contradiction = doubt.contradiction(
        at: fact.timeNanoseconds, isInForeground: activation.isInForeground, tasks: tasks,
        assertionCount: assertionCount)
    }
    var event = PlannedEvent(record.isKill ? .procKill : .procExit, fact, .exit([record]))
    event.timeNanoseconds = max(event.timeNanoseconds, nanoseconds)
    events.append(event)
  }

  /// What the lines tell of an end that came soon after a fact.
  private func bestExit(_ fact: Fact, _ around: Surroundings) -> ExitRecord? {
    guard var best = fact.exit.first else { return nil }
    for place in around.held.firstPlace..<around.held.endPlace {
      let other = around.held[place]
      guard other.kind == .exit, around.isOfProcess(other), let record = other.exit.first else {
        continue
      }
      best = best.joined(with: record)
    }
    return best
  }

  // MARK: Other facts

  private mutating func refuseMetal(_ fact: Fact, _ around: Surroundings) {
    resumeIfRunning(fact, around)
    events.append(PlannedEvent(.metalComplete, fact, .metalRefusal))
  }

  private mutating func appendAssertion(_ step: PlannedEvent.AssertionStep, _ fact: Fact) {
    events.append(
      PlannedEvent(
        .procAssertion, fact,
        .assertion(step, identifier: fact.assertion ?? "", name: fact.name)))
  }

  /// Callbacks run on the main thread, whoever logs them.
  private mutating func append(_ kind: EventKind, _ fact: Fact) {
    var event = PlannedEvent(kind, fact)
    event.thread = 1
    events.append(event)
  }

  /// Suspends or resumes the process.
  private mutating func move(_ fact: Fact, _ around: Surroundings) {
    defer { isSuspended = fact.isSuspension }
    guard fact.isSuspension != isSuspended else { return }
    // A state that says "running" first of all is no resumption; a step is.
    if isSuspended == nil, !fact.isSuspension, !around.areSteps { return }
    suspendedAtNanoseconds = fact.timeNanoseconds
    if fact.isSuspension { doubt.suspend() } else { doubt.resume() }
    events.append(
      PlannedEvent(
        fact.isSuspension ? .procSuspend : .procResume, fact, .suspension(isInferred: false)))
  }

  /// A process that logs while it counts as suspended was resumed. If no line soon tells of the
  /// resumption it is lost, and the app is not to blame for running.
  private mutating func resumeIfRunning(_ fact: Fact, _ around: Surroundings) {
    // The tolerance within which a line of a suspended process counts as before or after.
    let tolerance = max(50_000_000, 2 * around.resolutionNanoseconds)
    guard isSuspended == true, fact.timeNanoseconds - suspendedAtNanoseconds > tolerance,
      !isResumeTold(around)
    else { return }
    isSuspended = false
    events.append(PlannedEvent(.procResume, fact, .suspension(isInferred: true)))
    events[events.count - 1].thread = 0
    events[events.count - 1].token = .none
  }

  /// Whether a line that is held tells of a resumption. The daemon says each step once: two
  /// suspensions in a row mean that a line is lost. Lines of states repeat themselves.
  private mutating func isResumeTold(_ around: Surroundings) -> Bool {
    if toldResumePlace >= around.held.firstPlace { return true }
    var place = max(scannedPlace, around.held.firstPlace)
    while place < around.held.endPlace {
      let fact = around.held[place]
      if around.isTransition(fact), around.isOfProcess(fact) {
        if !fact.isSuspension {
          toldResumePlace = place
          return true
        }
        if around.areSteps {
          scannedPlace = place
          return false
        }
      }
      place += 1
    }
    scannedPlace = place
    return false
  }

  private mutating func applyTask(_ fact: Fact) {
    let isFramework = fact.name.map { FrameworkTasks.contains($0) } ?? false
    let place = releasedCount + events.count
    switch tasks.take(fact, isFramework: isFramework, eventCount: place) {
    case .nothing: break
    case .begin(let name, let handler):
      let isFramework = name.map { FrameworkTasks.contains($0) } ?? false
      events.append(
        PlannedEvent(
          .bgtaskBegin, fact,
          .taskBegin(
            name: name, hasHandler: handler, isFramework: isFramework, isOverdue: false)))
    case .end(let isRefused):
      events.append(PlannedEvent(.bgtaskEnd, fact, .taskEnd(isRefused: isRefused)))
    case .refuse(let place): change(place) { $0 = .taskEnd(isRefused: true) }
    case .drop(let place): change(place) { $0 = .dropped }
    case .addHandler(let place):
      change(place) {
        if case .taskBegin(let name, .unknown, let isFramework, let isOverdue) = $0 {
          $0 = .taskBegin(
            name: name, hasHandler: .yes, isFramework: isFramework, isOverdue: isOverdue)
        }
      }
    case .overdue:
      events.append(
        PlannedEvent(
          .bgtaskBegin, fact,
          .taskBegin(
            name: fact.name, hasHandler: .unknown, isFramework: isFramework, isOverdue: true)))
    // UIKit says later, on any thread, that it called the handler.
    case .expire:
      doubt.expire()
      append(.bgtaskExpire, fact)
    }
  }

  /// Changes an event that wasn't released. One that was stays what the lines up to then told.
  private mutating func change(_ place: Int, _ body: (inout PlannedEvent.Content) -> Void) {
    guard place >= releasedCount, place - releasedCount < events.count else { return }
    body(&events[place - releasedCount].content)
  }
}
