// The door to second writings of the monitors that are no combination of patterns, one file each.
// They are written from the specification, and must not share anything with those monitors.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// What a clause with a monitor of its own is violated by.
  func hits(_ written: HandWritten, _ clause: Clause) -> [NaiveHit] {
    switch written {
    case .backgroundTaskBalance: unbalancedTasks(clause.reason ?? "")
    case .backgroundTaskBudget: tasksOverBudget(clause)
    case .backgroundProcessorTime:
      clause.reason == "throttled" ? throttling() : sustainedProcessorTime()
    case .graphicsSubmits: unfinishedSubmits()
    case .frameRateThrottling: unthrottledFrameRates()
    case .frameRateRestoring: unrestoredFrameRates()
    case .transitions: illegalTransitions()
    case .nestedCallbacks: nestedCallbacks()
    case .deadSockets: deadSockets()
    case .footprintFall: keptFootprints()
    case .memoryWarnings: ignoredMemoryWarnings()
    case .restoredState: unrestoredStores()
    case .earliestBegin: earlyRuns()
    case .unexplainedExits: unexplainedExits()
    }
  }

  /// The value of a parameter of the rule.
  func parameter(_ name: String) -> Int64 {
    rule.parameters.first { $0.name == name }?.value ?? 0
  }

  /// The value of an argument, as a key.
  func key(_ name: String, at place: Int) -> NaiveKey { NaiveKey(events[place].arguments[name]) }

  /// One report of several violations: it stands where the first of them does.
  func joined(_ hits: [NaiveHit]) -> [NaiveHit] {
    guard var first = hits.first else { return [] }
    first.weight = hits.reduce(0) { $0 + $1.weight }
    first.severity = hits.compactMap(\.severity).max()
    return [first]
  }
}

/// The events of one launch.
struct NaiveLaunch {
  enum End {
    /// The place of the kill or exit.
    case process(Int)
    /// The place of the start of another process.
    case newStart(Int)
    /// The place of the end of a complete recording.
    case recorded(Int)
    /// Nothing more was recorded; perhaps with the place of an end that says so.
    case truncated(Int?)
  }

  /// The places of its events but for the one that ends it.
  var places: Range<Int>
  var end: End

  /// The place of the event that ends it; nil if there is none, or if it is another's.
  var endPlace: Int? {
    switch end {
    case .process(let place), .recorded(let place): place
    case .truncated(let place): place
    case .newStart: nil
    }
  }

  /// Whether the process may have gone on unrecorded.
  var isCutOff: Bool {
    switch end {
    case .newStart, .truncated: true
    case .process, .recorded: false
    }
  }
}

/// How a wait for something that time brings ends.
enum NaiveWait {
  /// With the first event at which it is known to be over.
  case over(Int)
  /// Events were lost first.
  case gap
  /// The launch ended first.
  case ended
}

extension NaiveInterpreter {
  var launches: [NaiveLaunch] {
    events.indices.filter { events[$0].beginsLaunch }.map { first in
      if events[first].endsProcess {
        return NaiveLaunch(places: first..<first, end: .process(first))
      }
      guard let last = events.indices.first(where: { $0 > first && events[$0].endsLaunch }) else {
        return NaiveLaunch(places: first..<events.count, end: .truncated(nil))
      }
      let event = events[last]
      let end: NaiveLaunch.End =
        if event.endsProcess {
          .process(last)
        } else if event.isNewStart {
          .newStart(last)
        } else {
          event.isClean ? .recorded(last) : .truncated(last)
        }
      return NaiveLaunch(places: first..<last, end: end)
    }
  }

  /// The parts of a launch between which events were lost.
  func parts(_ launch: NaiveLaunch) -> [Range<Int>] {
    parts(launch) { events[$0].losesTrack }
  }

  /// The parts of a launch between which events of the main thread may have been lost.
  func partsOfMainThread(_ launch: NaiveLaunch) -> [Range<Int>] {
    parts(launch) { events[$0].mayLose(onThread: events[$0].model.mainThread) }
  }

  private func parts(_ launch: NaiveLaunch, _ begins: (Int) -> Bool) -> [Range<Int>] {
    var starts = launch.places.filter { $0 > launch.places.lowerBound && begins($0) }
    starts.insert(launch.places.lowerBound, at: 0)
    return zip(starts, starts.dropFirst() + [launch.places.upperBound]).map { $0..<$1 }
  }

  /// Whether events were lost after a place and before another, or just there.
  func hasGap(after place: Int, upTo later: Int) -> Bool {
    place < later && events[place + 1...later].contains { $0.losesTrack }
  }

  /// Waits from a place on until something is over. What is over before an event that another
  /// process starts with, or before which events were lost, nobody knows.
  func wait(_ launch: NaiveLaunch, after place: Int, until isOver: (Int) -> Bool) -> NaiveWait {
    let end = launch.endPlace.map { [$0] } ?? []
    for later in launch.places.filter({ $0 > place }) + end {
      if events[later].losesTrack { return .gap }
      if isOver(later) { return .over(later) }
    }
    return .ended
  }

  /// Run time before an event is taken.
  func runTime(before place: Int) -> Int64 {
    events[place].modelBefore.runTimeNanoseconds(at: events[place].time)
  }

  /// The stretches of places of a launch after which something holds.
  func stretches(_ launch: NaiveLaunch, where holds: (Int) -> Bool) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    for place in launch.places where holds(place) {
      if let last = stretches.last, last.upperBound == place {
        stretches[stretches.count - 1] = last.lowerBound..<place + 1
      } else {
        stretches.append(place..<place + 1)
      }
    }
    return stretches
  }

  /// The stays of a launch in the background, suspensions included.
  func stays(_ launch: NaiveLaunch) -> [Range<Int>] {
    stretches(launch) { events[$0].stateAfter.isBackgroundOrSuspended }
  }
}

/// A callback of the life cycle, from its enter to its return.
struct NaiveCallback {
  var enter: Int
  /// The place of its return, or of that of a callback around it; nil if neither was recorded.
  var end: Int?
  var hasReturned = false

  func isOpen(at place: Int) -> Bool { enter < place && place < end ?? .max }
}

extension NaiveInterpreter {
  /// The seven callbacks of the life cycle.
  static let lifecycleCallbacks: Set<EventKind> = [
    .delegateWillFinishLaunching, .delegateDidFinishLaunching, .delegateDidBecomeActive,
    .delegateWillResignActive, .delegateDidEnterBackground, .delegateWillEnterForeground,
    .delegateWillTerminate,
  ]

  /// The callbacks of the life cycle with their ends, by thread and kind; whatever else is open on
  /// the thread. The return of an outer one ends those inside, unless asked otherwise.
  func callbacks(_ part: Range<Int>, endingInner: Bool = true) -> [NaiveCallback] {
    var all: [NaiveCallback] = []
    for place in part
    where Self.lifecycleCallbacks.contains(events[place].kind) && !events[place].isVoid {
      let event = events[place]
      if event.phase == .enter { all.append(NaiveCallback(enter: place)) }
      guard event.phase == .return,
        let own = all.lastIndex(where: {
          $0.end == nil && events[$0.enter].kind == event.kind
            && events[$0.enter].thread == event.thread
        })
      else { continue }
      all[own].hasReturned = true
      all[own].end = place
      guard endingInner else { continue }
      for index in own..<all.count
      where all[index].end == nil && events[all[index].enter].thread == event.thread {
        all[index].end = place
      }
    }
    return all
  }
}
