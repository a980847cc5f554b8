// LC501, the plain way: the table of transitions as one list of states for each event.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Callbacks and turns of the process that the table of transitions doesn't have.
  func illegalTransitions() -> [NaiveHit] {
    launches.flatMap { launch in
      let turns = parts(launch).flatMap { part -> [Int] in
        // One that lies in another may still be open when that has returned.
        let callbacks = callbacks(part, endingInner: false)
        return part.filter { isIllegal($0, part, callbacks) }
      }
      var places = turns
      if case .process(let end) = launch.end {
        if isIllegalExit(end) { places.append(end) }
        if let late = firstAfterLife(end) { places.append(late) }
      }
      return places.map { NaiveHit(offender: $0, time: events[$0].time, moment: $0) }
    }
  }

  /// Whether an app of the profile lives on in the background.
  private var hasBackground: Bool { Profile.ios4Plus.contains(trace.profile) }

  /// The states in which the rows have an event.
  private func states(_ kind: EventKind) -> Set<LifecycleState> {
    switch kind {
    case .procMain, .delegateWillFinishLaunching, .delegateDidFinishLaunching:
      [.launchingForeground, .launchingBackground]  // T01, T04
    case .delegateDidBecomeActive: [.launchingForeground, .inactive]  // T02, T03, T10
    case .delegateWillResignActive: [.launchingForeground, .active]  // T03, T09, T25
    case .delegateDidEnterBackground:
      switch trace.profile {
      case .os3: []
      // T26, T28, T29: they needn't resign.
      case .sdk3, .nomt, .optout: [.launchingForeground, .active, .inactive]
      default: [.launchingForeground, .inactive]  // T03, T11
      }
    case .delegateWillEnterForeground: hasBackground ? [.background] : []  // T08, T21
    case .delegateWillTerminate:
      [.launchingForeground, .active, .inactive, .background]  // T23, T25 to T29
    case .procSuspend: hasBackground ? [.background] : []  // T06
    case .procResume: hasBackground ? [.suspended] : []  // T07
    default: []
    }
  }

  /// Whether the table says anything of a state. Not inside callbacks: there the return was lost,
  /// or callbacks lie in each other, which another rule tells. Nor of a state that only a violation
  /// leads to.
  private func isTold(_ state: LifecycleState) -> Bool {
    switch state {
    case .unknown, .notRunning, .resigning, .enteringBackground, .enteringForeground: false
    case .launchingBackground, .suspended: hasBackground
    default: true
    }
  }

  private func isIllegal(_ place: Int, _ part: Range<Int>, _ callbacks: [NaiveCallback]) -> Bool {
    let event = events[place]
    let state = at(place).stateBefore
    switch event.kind {
    case .procStart: return event.model.launch?.into == .background && !hasBackground
    case .procMain: return event.phase != .return && isForbidden(event.kind, state)
    case .procSuspend, .procResume:
      guard event.truth("inferred") != true else { return false }
      // Who observes the process may tell it a little later than the app.
      if event.kind == .procResume && (state == .background || isJustResumed(place)) {
        return false
      }
      return isForbidden(event.kind, state)
    default: break
    }
    guard Self.lifecycleCallbacks.contains(event.kind), event.phase != .return else { return false }
    // With scenes the delegate's callbacks are echoes, and after a loss nobody knows whether the
    // app has scenes. So is one line inside the span of the call.
    let mayHaveScenes = event.model.isMovedByScenes || event.model.isMoverHidden
    if NaiveScenes.moves[event.kind] != nil && mayHaveScenes { return false }
    let same = callbacks.filter { events[$0.enter].kind == event.kind }
    let around = same.filter { outer in
      // The return of one was lost if a later one is over.
      outer.isOpen(at: place)
        && !same.contains { $0.enter > outer.enter && $0.end ?? .max <= place }
    }
    if event.phase == .instant && !around.isEmpty { return false }
    let finishes: [EventKind] = [.delegateWillFinishLaunching, .delegateDidFinishLaunching]
    if finishes.contains(event.kind), state == .launchingForeground {
      return (part.lowerBound..<place).contains {
        events[$0].kind == .delegateDidFinishLaunching && events[$0].phase != .enter
      }
    }
    return isForbidden(event.kind, state)
  }

  private func isForbidden(_ kind: EventKind, _ state: LifecycleState) -> Bool {
    isTold(state) && !states(kind).contains(state)
  }

  private func isJustResumed(_ place: Int) -> Bool {
    trace.suspensions.contains { suspension in
      guard let end = suspension.end, end < place else { return false }
      return events[place].time.minus(events[end].time) <= trace.tolerance
    }
  }

  /// The first sign of life of a process whose end was recorded. No row but those that start a
  /// process leaves its state; who observes the end may tell it a little early.
  private func firstAfterLife(_ end: Int) -> Int? {
    let later = events.indices.dropFirst(end + 1)
    let dead = later.prefix { !events[$0].beginsLaunch && !events[$0].losesTrack }
    return dead.first { place in
      let event = events[place]
      let turns: [EventKind] = [.procMain, .procSuspend, .procResume]
      guard Self.lifecycleCallbacks.contains(event.kind) || turns.contains(event.kind),
        event.phase != .return
      else { return false }
      // Silence that was inferred to be a suspension is what the end of a process sounds like.
      if event.kind != .procMain && event.truth("inferred") == true { return false }
      return event.time.minus(events[end].time) > trace.tolerance
    }
  }

  /// Whether a process that says who ended it does so in a state that no row leads from to an exit.
  private func isIllegalExit(_ place: Int) -> Bool {
    guard events[place].kind == .procExit, events[place].arguments["by"] != nil else {
      return false
    }
    return ![.unknown, .notRunning, .terminating].contains(events[place].stateBefore)
  }
}
