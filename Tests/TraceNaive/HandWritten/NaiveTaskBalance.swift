// LC001, the plain way: each task and each end is asked on its own what is wrong with it.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// How long after a resume the end of a task excuses that it was open at suspension.
  private static let excuseNanoseconds: Int64 = 1_000_000_000

  /// What is wrong with a task.
  enum NaiveTaskFault {
    case none
    case unknown
    case told(reason: String, time: Int64, moment: Int)
  }

  /// What begins and ends of background tasks are wrong in this way.
  func unbalancedTasks(_ reason: String) -> [NaiveHit] {
    launches.flatMap { launch -> [NaiveHit] in
      switch reason {
      case "end-invalid":
        let invalid = launch.places.filter {
          events[$0].kind == .bgtaskEnd && events[$0].truth("is_invalid") == true
        }
        return joined(invalid.map { hit($0, events[$0].time, $0) })
      case "double-end", "unknown-token": return wrongEnds(reason, launch)
      default: return openTasks(reason, launch)
      }
    }
  }

  private func hit(_ offender: Int, _ time: Int64, _ moment: Int) -> NaiveHit {
    NaiveHit(offender: offender, time: time, moment: moment)
  }

  /// Whether a log hides which tasks were begun and ended in the launch; one that lost lines may.
  func isHidden(_ launch: NaiveLaunch) -> Bool {
    let (first, last) = (launch.places.lowerBound, launch.places.upperBound - 1)
    let isLossyLog = trace.header.strings(.logLevels) != nil && hasGap(after: first, upTo: last)
    return lacksTaskLines || isLossyLog
      || launch.places.contains {
        (isTask($0, .bgtaskBegin) || isTask($0, .bgtaskEnd)) && NaiveToken(events[$0]) == nil
      }
  }

  // MARK: Tasks that stay open

  private func openTasks(_ wanted: String, _ launch: NaiveLaunch) -> [NaiveHit] {
    tasks(launch).filter { !$0.isOfSystem }.compactMap { task in
      switch fault(task, launch) {
      case .none: return nil
      case .unknown: isUnknown = true
      case .told(let reason, let time, let moment) where reason == wanted:
        if reason == "leaked" || !isHidden(launch) { return hit(task.begin, time, moment) }
        isUnknown = true
      case .told: break
      }
      return nil
    }
  }

  /// The first thing that is wrong with a task: nobody can tell of what comes after it.
  func fault(_ task: NaiveTask, _ launch: NaiveLaunch) -> NaiveTaskFault {
    if let suspension = suspension(with: task, launch) { return fault(task, suspension, launch) }
    if let late = late(task, launch) {
      return hasGap(after: task.begin, upTo: late.place)
        ? .unknown : .told(reason: "leaked", time: late.time, moment: late.place - 1)
    }
    if let end = task.end {
      // UIKit knows no such task: that end is told, and nothing is open any more.
      return task.isBegunAgain && end < launch.places.upperBound ? .unknown : .none
    }
    if hasGap(after: task.begin, upTo: launch.places.upperBound - 1) { return .unknown }
    return faultAtEnd(task, hasExpired: !expiries(task, launch).isEmpty, launch)
  }

  /// The suspension at which a task was open, unless its time was over before.
  func suspension(with task: NaiveTask, _ launch: NaiveLaunch) -> NaiveSuspension? {
    let end = task.end ?? launch.places.upperBound
    let suspension = trace.suspensions.first { (suspension: NaiveSuspension) -> Bool in
      let start = suspension.start
      return start > task.begin && start < end && !suspension.isInferred
        && launch.places.contains(start)
    }
    guard let suspension, late(task, launch).map({ suspension.start < $0.place }) ?? true else {
      return nil
    }
    return suspension
  }

  private func expiries(_ task: NaiveTask, _ launch: NaiveLaunch) -> [Int] {
    launch.places.filter {
      task.isOpen(at: $0) && events[$0].kind == .bgtaskExpire && events[$0].phase != .return
        && NaiveToken(events[$0]) == task.token
    }
  }

  /// The event with which the time after the call of a task's handler is over, and the moment.
  private func late(_ task: NaiveTask, _ launch: NaiveLaunch) -> (place: Int, time: Int64)? {
    let expiries = expiries(task, launch)
    let lastPlace = task.end ?? launch.endPlace ?? launch.places.upperBound - 1
    // A handler that is called once more has its time anew.
    return zip(expiries, expiries.dropFirst() + [lastPlace]).lazy.compactMap {
      (expiry: Int, next: Int) -> (place: Int, time: Int64)? in self.late(expiry, upTo: next)
    }.first
  }

  /// The event with which so much run time has passed since the call of an expiration handler, and
  /// the moment at which it had.
  private func late(_ expiry: Int, upTo end: Int) -> (place: Int, time: Int64)? {
    guard expiry < end else { return nil }
    for place in expiry + 1...end {
      let over = runTime(before: place).minus(events[expiry].runTime).minus(parameter("leak"))
      if over > 0 && !events[place].losesTrack && !events[place].isNewStart {
        return (place, events[place].time.minus(over))
      }
    }
    return nil
  }

  // MARK: Suspensions

  private func fault(
    _ task: NaiveTask, _ suspension: NaiveSuspension, _ launch: NaiveLaunch
  ) -> NaiveTaskFault {
    let start = suspension.start
    func isAsleep(_ model: LifecycleModel) -> Bool {
      Profile.ios7Plus.contains(trace.profile) && model.launch?.wasLockedOrSlept == true
    }
    if hasGap(after: task.begin, upTo: start) || isAsleep(events[start].model) { return .unknown }
    func judge(_ model: LifecycleModel) -> NaiveTaskFault {
      isAsleep(model)
        ? .unknown : .told(reason: "open-at-suspend", time: events[start].time, moment: start)
    }
    let last = launch.endPlace.map { [$0] } ?? []
    let later = launch.places.filter { $0 > start } + last
    let resume = later.first { events[$0].resumes }
    for place in later {
      if events[place].losesTrack { return .unknown }
      if let resume, resume < place,
        runTime(before: place).minus(events[resume].runTime) > Self.excuseNanoseconds
      {
        return judge(events[place].modelBefore)
      }
      guard place == task.end else { continue }
      // The end follows at once, or within a second of the resume; or nobody saw it.
      let isAtOnce = events[place].time <= events[start].time.plus(trace.tolerance)
      guard let resume, resume > place else {
        if isAtOnce || task.isBegunAgain || resume != nil { return .unknown }
        return hasGap(after: place, upTo: launch.places.upperBound - 1)
          ? .unknown : judge(lastModel(launch))
      }
      let isBeforeResume = events[place].time >= events[resume].time.minus(trace.tolerance)
      return isAtOnce || task.isBegunAgain || isBeforeResume || hasGap(after: place, upTo: resume)
        ? .unknown : judge(events[resume].model)
    }
    return judge(lastModel(launch))
  }

  /// The life cycle before the launch ends.
  private func lastModel(_ launch: NaiveLaunch) -> LifecycleModel {
    let end = launch.places.upperBound
    return end < events.count ? events[end].modelBefore : events[end - 1].model
  }

  // MARK: The end of the launch

  private func faultAtEnd(
    _ task: NaiveTask, hasExpired: Bool, _ launch: NaiveLaunch
  ) -> NaiveTaskFault {
    switch launch.end {
    case .newStart, .truncated: return .unknown
    case .process(let place):
      let told = NaiveTaskFault.told(reason: "leaked", time: events[place].time, moment: place)
      let isBareCode =
        events[place].arguments["code"]?.int64 == 0x8bad_f00d
        && events[place].text("description") == nil
      let wasExpired =
        isKill(place, causes: ["bgtask_expired"], codes: [0x2182_bad2]) && !isBareCode
      // After a gap nobody knows whether it was.
      let mayBeTerminated =
        launch.places.contains { events[$0].kind == .delegateWillTerminate }
        || hasGap(after: launch.places.lowerBound, upTo: place)
      let hasLeft = events[place].kind == .procExit && events[place].text("by") == "app"
      return wasExpired || (hasLeft && !mayBeTerminated) ? told : .unknown
    case .recorded(let place):
      let isLong = stays(launch).contains { stay in
        let end = stay.upperBound
        let start = max(events[stay.lowerBound].runTime, events[task.begin].runTime)
        let run = end == place ? runTime(before: end) : events[end].runTime
        return task.begin < end && run.minus(start) > parameter("leak")
      }
      return hasExpired || isLong
        ? .told(reason: "open-at-end", time: events[place].time, moment: place) : .unknown
    }
  }
}
