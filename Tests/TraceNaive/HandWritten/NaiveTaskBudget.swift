// LC105, the plain way: at every event the time of every open task is counted anew.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  private struct Excess {
    var task: NaiveTask
    var stay: Range<Int>
    var time: Int64
    var place: Int
  }

  /// Tasks that are open in the background for longer than granted, one report for each token and
  /// launch.
  func tasksOverBudget(_ clause: Clause) -> [NaiveHit] {
    launches.flatMap { launch -> [NaiveHit] in
      let stays = stretches(launch) {
        events[$0].stateAfter == .enteringBackground
          || events[$0].stateAfter.isBackgroundOrSuspended
      }
      let tasks = tasks(launch).filter { !$0.isOfSystem }
      let all = stays.flatMap { stay in
        tasks.compactMap { excess(of: $0, in: stay, launch) }
      }
      return Dictionary(grouping: all) { $0.task.token }.values.flatMap { same in
        joined(same.map { hit($0, launch, clause) })
      }
    }
  }

  private func hit(_ excess: Excess, _ launch: NaiveLaunch, _ clause: Clause) -> NaiveHit {
    var hit = NaiveHit(
      offender: excess.task.begin, time: excess.time, moment: excess.place - 1,
      severity: clause.severity)
    // A kill in front isn't for a task of the background.
    if let escalation = clause.escalation, case .process(let kill) = launch.end,
      excess.stay.upperBound == kill,
      isKill(kill, causes: escalation.causes, codes: escalation.codes)
    {
      hit.severity = escalation.severity
    }
    return hit
  }

  /// The first moment in a stay at which a task is open too long.
  private func excess(
    of task: NaiveTask, in stay: Range<Int>, _ launch: NaiveLaunch
  ) -> Excess? {
    guard let entry = stay.first(where: { events[$0].stateAfter == .background }) else {
      return nil
    }
    let start = max(task.begin, entry)
    let last = min(task.end ?? .max, stay.upperBound)
    guard start < last else { return nil }
    let end = launch.places.contains(stay.upperBound) ? stay.upperBound : launch.endPlace ?? -1
    for place in start + 1...last where place < stay.upperBound || place == end {
      if events[place].losesTrack { break }
      guard events[place - 1].stateAfter == .background, !isServed(place - 1, launch),
        events[place].time > events[place - 1].time,
        let (limit, isRead) = limit(task, stay, entry, before: place, launch)
      else { continue }
      let over = counted(stay.lowerBound..<place, before: place, launch).minus(limit)
      guard over > 0 else { continue }
      if isDoubtful(task, isRead, before: place, launch) {
        isUnknown = true
        return nil
      }
      return Excess(
        task: task, stay: stay, time: events[place].time.minus(over), place: place)
    }
    if task.end == nil { isUnknown = true }
    return nil
  }

  /// What the count shows when the task's time is over, and whether the app has read it; nil while
  /// its time is unlimited.
  private func limit(
    _ task: NaiveTask, _ stay: Range<Int>, _ entry: Int, before place: Int, _ launch: NaiveLaunch
  ) -> (count: Int64, isRead: Bool)? {
    let name =
      switch trace.profile {
      case .ios4, .ios5: "budget_ios4"
      case .ios13, .scene: "budget_ios13"
      default: "budget"
      }
    func count(_ moment: Int) -> Int64 {
      counted(stay.lowerBound..<max(moment, stay.lowerBound), before: place, launch)
    }
    let budget = count(max(task.begin, entry)).plus(parameter(name))
    let reading = stay.last { $0 < place && remaining($0) != nil }
    guard let reading, let remaining = remaining(reading) else { return (budget, false) }
    if remaining == .max { return nil }
    let end = count(reading).plus(remaining)
    // A task that was begun later may have got more time, not less.
    return task.begin > reading && budget > end ? (budget, false) : (end, true)
  }

  /// The remaining time that the app reads in the background; the largest number if it's unlimited.
  private func remaining(_ place: Int) -> Int64? {
    let event = events[place]
    guard event.kind == .stateTimeRemaining,
      [.background, .enteringBackground].contains(event.stateAfter)
    else { return nil }
    if event.text("seconds") == "unlimited" { return .max }
    guard let seconds = event.arguments["seconds"]?.double, !seconds.isNaN else { return nil }
    let nanoseconds = (max(0, seconds) * 1e9).rounded()
    return nanoseconds < 9.2e18 ? Int64(nanoseconds) : .max
  }

  private func isDoubtful(
    _ task: NaiveTask, _ isRead: Bool, before place: Int, _ launch: NaiveLaunch
  ) -> Bool {
    // An end that doesn't say of what may have been this one's.
    let hasHiddenEnd = (task.begin..<place).contains {
      isTask($0, .bgtaskEnd) && NaiveToken(events[$0]) == nil
    }
    // A service that nobody saw begin would have stopped the count.
    let mayHideService =
      !isRead && (declares("audio") || declares("location"))
      && events[place].modelBefore.mayHideReasons
    // One that ran when events were lost may still run.
    let mayStillServe = launch.places.contains {
      $0 > launch.places.lowerBound && $0 < place && events[$0].losesTrack
        && isServed($0 - 1, launch)
    }
    return hasHiddenEnd || lacksTaskLines || mayHideService || mayStillServe
      || hasGap(after: task.begin, upTo: place)
  }

  // MARK: The count

  private func declares(_ mode: String) -> Bool {
    trace.header.strings(.backgroundModes)?.contains(mode) ?? true
  }

  /// The run time after each of these places, but for that in which a service runs or only pauses,
  /// as far as is known before a place.
  private func counted(
    _ places: Range<Int>, before place: Int, _ launch: NaiveLaunch
  ) -> Int64 {
    places.reduce(0) { sum, from in
      if isServed(from, launch) || isPause(from, before: place, launch) { return sum }
      // A sample of the clocks may show that less time has passed.
      let end = from + 1 < place ? events[from + 1].runTime : runTime(before: place)
      return sum.plus(end.minus(events[from].runTime))
    }
  }

  /// Whether audio or location is in service after an event.
  private func isServed(_ place: Int, _ launch: NaiveLaunch) -> Bool {
    guard launch.places.contains(place),
      let part = parts(launch).first(where: { $0.contains(place) })
    else { return false }
    let places = part.prefix { $0 <= place }
    let hasAudio = [EventKind.audioPlay, .audioRecord].contains { kind in
      var streams: Set<NaiveKey> = []
      for place in places where events[place].kind == kind {
        let stream = key("stream", at: place)
        switch events[place].text("op") {
        case "start": streams.insert(stream)
        case "stop" where stream == .absent: streams = []
        case "stop": streams.remove(stream)
        default: break
        }
      }
      return !streams.isEmpty
    }
    let location = places.last {
      let service = events[$0].arguments["service"]
      return [.locStart, .locStop].contains(events[$0].kind)
        && (service == nil || service == .string("standard"))
    }
    return (hasAudio && declares("audio"))
      || (location.map { events[$0].kind == .locStart } ?? false) && declares("location")
  }

  /// Whether a service that doesn't run after an event has but paused: it goes on within the grace,
  /// or may still do so.
  private func isPause(_ place: Int, before end: Int, _ launch: NaiveLaunch) -> Bool {
    let earlier = launch.places.last { $0 < place && isServed($0, launch) }
    guard let earlier, !hasGap(after: earlier, upTo: place) else { return false }
    let stop = earlier + 1
    let next = launch.places.first { $0 > place && $0 < end && isServed($0, launch) }
    let run = next.map { events[$0].runTime } ?? runTime(before: end)
    return run.minus(events[stop].runTime) <= events[place].model.graceNanoseconds
  }
}
