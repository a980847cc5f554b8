// A trace as a list of plain events: the life cycle runs over it once, before anything is judged.

package import TraceLifecycle
package import TraceModel

/// A whole trace in memory, with the life cycle at each event.
package struct NaiveTrace: Sendable {
  package let header: TraceHeader
  package let profile: Profile
  /// The events as they were recorded.
  package let batches: [EventBatch]
  package private(set) var events: [NaiveEvent] = []
  package private(set) var suspensions: [NaiveSuspension] = []
  /// What became of the span that an enter began, by the place of the enter.
  package private(set) var spanEnds: [Int: NaiveSpanEnd] = [:]
  /// The place of the enter, by that of its return.
  package private(set) var enters: [Int: Int] = [:]
  /// Within this distance of a suspension's ends an event counts as outside it.
  package let tolerance: Int64
  package let isLimitedBySystem: Bool
  package private(set) var hasSuspendOrHeartbeat = false

  /// Nil for traces whose events are not in order of time: those are not followed here.
  package init?(
    header: TraceHeader, profile: Profile, batches: [EventBatch],
    graceNanoseconds: Int64 = LifecycleModel.defaultGraceNanoseconds
  ) {
    self.header = header
    self.profile = profile
    self.batches = batches
    let start = LifecycleModel(
      header: header, profile: profile, graceNanoseconds: graceNanoseconds)
    tolerance = start.suspensionToleranceNanoseconds
    isLimitedBySystem =
      header.boolean(.debuggerAttached) == true || header.boolean(.simulator) == true
    let times = batches.flatMap(\.timesNanoseconds)
    guard zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
    // A suspension that was only inferred never was, if the app ran in it.
    var refuted: Set<Int> = []
    while true {
      live(start, batches, refuted)
      guard let wrong = contradictedSuspension() else { break }
      refuted.insert(wrong)
    }
    matchSpans()
    countStretches()
  }

  // MARK: Life cycle

  private mutating func live(
    _ start: LifecycleModel, _ batches: [EventBatch], _ refuted: Set<Int>
  ) {
    events = []
    suspensions = []
    var model = start
    var isOpen = false
    let void = Self.returnsOfNothing(batches)
    for batch in batches {
      for place in 0..<batch.count {
        let event = batch.event(at: place)
        var naive = NaiveEvent(
          kind: event.kind, name: batch.name(of: event.kind), phase: event.phase,
          thread: event.thread, time: event.timeNanoseconds, modelBefore: model, model: model)
        for (name, value) in batch.arguments(at: place) where naive.arguments[name] == nil {
          naive.arguments[name] = value
        }
        if void.contains(events.count), let last = events.last {
          naive.stand(beside: last)
          events.append(naive)
          continue
        }
        naive.isNewStart = isOpen && model.endsLaunch(event, in: batch)
        if naive.provesRunning { model.noteRunning(at: event.timeNanoseconds) }
        naive.modelBefore = model
        let foreseen = model.awaits(event, in: batch).map { holds($0, after: event, batches) }
        var effects = model.apply(event, in: batch, foreseen: foreseen ?? false)
        naive.stateBefore = model.stateBefore
        if effects.contains(.suspended), refuted.contains(events.count) {
          model.refuteSuspension()
          effects.remove(.suspended)
        }
        naive.stateAfter = model.state
        naive.model = model
        // A sample of the clocks tells of sleep before it.
        if event.kind == .traceClockSync { naive.modelBefore = model }
        naive.runTime = model.runTimeNanoseconds(at: event.timeNanoseconds)
        naive.watchdogTime = model.watchdogTimeNanoseconds(at: event.timeNanoseconds)
        naive.mayRun = model.mayRun(at: event.timeNanoseconds)
        naive.isGap = effects.contains(.gap)
        naive.isMidLife = effects.contains(.midLife)
        naive.resumes = effects.contains(.resumed)
        naive.launch = model.launch?.number ?? 1
        naive.beginsLaunch =
          effects.contains(.launchBegan) || (naive.isMidLife && !isOpen)
        naive.isInLaunch = isOpen || naive.beginsLaunch
        if naive.beginsLaunch { isOpen = true }
        naive.endsProcess = isOpen && [.procKill, .procExit].contains(event.kind)
        // Of a process of which the trace holds nothing but the end no state is known.
        if naive.endsProcess && naive.beginsLaunch { naive.stateBefore = .unknown }
        naive.endsRecording = isOpen && event.kind == .traceEnd
        if naive.endsProcess || naive.endsRecording { isOpen = false }
        events.append(naive)
        follow(effects)
      }
    }
    hasSuspendOrHeartbeat = model.hasSuspendOrHeartbeat
  }

  /// Whether the events after one say what the life cycle asks for.
  private func holds(
    _ foresight: Foresight, after event: Event, _ batches: [EventBatch]
  ) -> Bool {
    var foresight = foresight
    for batch in batches {
      for place in 0..<batch.count {
        let later = batch.event(at: place)
        if later.ordinal <= event.ordinal { continue }
        if let holds = foresight.take(later, in: batch) { return holds }
      }
    }
    return false
  }

  /// The places of returns of spans that a process has not entered, where nothing was missed.
  private static func returnsOfNothing(_ batches: [EventBatch]) -> Set<Int> {
    var open: [Int64: [String]] = [:]
    var mayLackEnters = true
    var void: Set<Int> = []
    var place = 0
    for batch in batches {
      for index in 0..<batch.count {
        let event = batch.event(at: index)
        let name = batch.name(of: event.kind)
        let isSpan = Vocabulary.description(of: event.kind)?.shape != .window
        switch (event.kind, event.phase) {
        case (.procStart, _), (.procKill, _), (.procExit, _):
          open.removeAll()
          mayLackEnters = false
        case (.traceLost, _): mayLackEnters = true
        case (.traceStart, _):
          let reason = batch.text(.reason, of: event)
          if reason == "attach" || reason == "resume_of_recording" { mayLackEnters = true }
        case (_, .enter) where isSpan && event.kind.isKnown:
          open[event.thread, default: []].append(name)
        case (_, .return) where isSpan && event.kind.isKnown:
          if let own = open[event.thread]?.lastIndex(of: name) {
            open[event.thread]?.removeSubrange(own...)
            // Another span crossed this one: nobody knows when it ended.
            if batch.boolean(.crossed, of: event) == true { void.insert(place) }
          } else if !mayLackEnters {
            void.insert(place)
          }
        default: break
        }
        place += 1
      }
    }
    return void
  }

  /// Keeps the list of suspensions while events come in.
  private mutating func follow(_ effects: LifecycleEffects) {
    let place = events.count - 1
    let model = events[place].model
    let last = suspensions.count - 1
    if last >= 0, suspensions[last].end == nil, model.suspension == nil {
      suspensions[last].end = place
    }
    if effects.contains(.suspended), let now = model.suspension {
      if last >= 0, suspensions[last].end == nil {
        suspensions[last].start = place
        suspensions[last].startTime = now.startNanoseconds
        suspensions[last].isInferred = false
      } else {
        suspensions.append(
          NaiveSuspension(
            begin: place, inferredTime: now.startNanoseconds, wasInferred: now.isInferred,
            start: place, startTime: now.startNanoseconds, isInferred: now.isInferred,
            isConfirmed: now.isConfirmed))
      }
    }
    // What comes after the end of a process tells nothing of its suspensions.
    if effects.contains(.suspensionConfirmed), last >= 0,
      events[place].isInLaunch,
      events[suspensions[last].begin].launch == events[place].launch
    {
      suspensions[suspensions.count - 1].isConfirmed = true
    }
  }

  /// The place of the first inferred suspension in whose inside the app certainly ran.
  private func contradictedSuspension() -> Int? {
    suspensions.first { suspension in
      guard suspension.wasInferred else { return false }
      let seen = suspension.isInferred ? nil : suspension.start
      let end = seen ?? suspension.end ?? events.count
      let endTime = end < events.count ? events[end].time : events[events.count - 1].time
      return events.indices.contains { place in
        place > suspension.begin && place < end && events[place].provesRunning
          && events[place].time > suspension.inferredTime.plus(tolerance)
          && events[place].time.plus(tolerance) < endTime
      }
    }?.begin
  }

  /// The suspension in force after an event.
  package func suspension(at place: Int) -> NaiveSuspension? {
    suspensions.first { $0.begin <= place && place < $0.end ?? .max }
  }

  /// The suspension in force before an event.
  package func suspension(before place: Int) -> NaiveSuspension? {
    suspensions.first { $0.begin < place && place <= $0.end ?? .max }
  }

  // MARK: Spans

  /// Matches enters and returns: spans by thread and kind, windows by kind alone.
  private mutating func matchSpans() {
    var open: [Int] = []
    // Spans may be open whose enters nobody recorded.
    var mayLackEnters = true
    func end(_ place: Int, _ how: NaiveSpanEnd) {
      spanEnds[place] = how
      open.removeAll { $0 == place }
    }
    for (place, event) in events.enumerated() {
      if event.losesTrack {
        mayLackEnters = true
        for enter in open where event.mayLose(onThread: events[enter].thread) {
          end(enter, .lost(place))
        }
      }
      if [.procStart, .procKill, .procExit].contains(event.kind) {
        mayLackEnters = false
        for enter in open where events[enter].shape != .window { end(enter, .open) }
      }
      switch event.phase {
      case .instant: continue
      case .enter: open.append(place)
      case .return:
        let isWindow = event.shape == .window
        let own = open.last {
          events[$0].name == event.name && (isWindow || events[$0].thread == event.thread)
        }
        guard let own = own ?? (mayLackEnters && !isWindow ? -1 : nil) else { continue }
        for inner in open where inner > own && !isWindow {
          if events[inner].thread == event.thread && events[inner].shape != .window {
            end(inner, .crossed(place))
          }
        }
        guard own >= 0 else { continue }
        if event.truth("crossed") == true && !isWindow {
          end(own, .crossed(place))
          continue
        }
        end(own, .returned(place))
        enters[place] = own
      }
    }
    for enter in open { spanEnds[enter] = .open }
  }

  // MARK: Stretches

  private mutating func countStretches() {
    var background = 0
    var isInBackground = false
    var inactive = 0
    for place in events.indices {
      let event = events[place]
      if event.beginsLaunch { isInBackground = false }
      switch event.stateAfter {
      case .background, .suspended, .launchingBackground:
        if !isInBackground || event.resumes { background += 1 }
        isInBackground = true
      default: isInBackground = false
      }
      let isCallback = event.phase != .return && isCallbackOfLifecycle(place)
      if isCallback || event.losesTrack { inactive += 1 }
      events[place].background = background
      events[place].inactive = inactive
    }
  }

  private func isCallbackOfLifecycle(_ place: Int) -> Bool {
    let others: [EventKind] = [
      .delegateWillFinishLaunching, .delegateDidFinishLaunching, .delegateWillTerminate,
    ]
    return others.contains(events[place].kind)
      || NaiveScenes.moves.keys.contains { isCallback($0, at: place) == true }
  }
}

extension NaiveEvent {
  /// Whether nothing but a running app can have this event: its work, or a call into it.
  var provesRunning: Bool {
    isAppWork
      || (shape == .span && Vocabulary.description(of: kind)?.emitter == .system)
  }

  /// Whether the event shows code of the app that runs.
  var isAppWork: Bool {
    switch kind {
    case .procExit, .urlTask, .newsDownload: return false
    case .workSample: return text("label") != "heartbeat"
    case .uiAlertDismiss: return text("by") == "app"
    default:
      let emitter = Vocabulary.description(of: kind)?.emitter
      return emitter == .app || emitter == .appOrSystem
    }
  }
}
