// LC842, the plain way: from each suspension back to the two samples that are compared.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Suspensions with nearly as much memory in use as when the app was last active.
  func keptFootprints() -> [NaiveHit] {
    launches.flatMap { launch in
      let judged = trace.suspensions.filter { launch.places.contains($0.start) }
      if launch.isCutOff { isUnknown = true }
      return judged.compactMap { keptFootprint($0, launch) }
    }
  }

  private func keptFootprint(_ suspension: NaiveSuspension, _ launch: NaiveLaunch) -> NaiveHit? {
    let start = suspension.start
    guard let stay = stays(launch).first(where: { $0.contains(start) }) else { return nil }
    // What is used after a resume in the background is for something new.
    let isFirst = !trace.suspensions.contains {
      stay.contains($0.start) && $0.begin < suspension.begin
    }
    let back = stay.last {
      $0 < start && events[$0].stateAfter == .background && events[$0].footprint != nil
    }
    let front = launch.places.last {
      $0 < start && events[$0].stateAfter == .active && events[$0].footprint != nil
    }
    guard isFirst, let back, let front, let after = events[back].footprint,
      let before = events[front].footprint, after > parameter("floor"),
      Double(after) * 100 > Double(before) * Double(100 - parameter("fall"))
    else { return nil }
    guard !hasGap(after: front, upTo: start), stands(suspension, launch) else {
      isUnknown = true
      return nil
    }
    return NaiveHit(offender: start, time: events[start].time, moment: start)
  }

  /// Whether nothing shows that the suspension was none, when its end is known.
  private func stands(_ suspension: NaiveSuspension, _ launch: NaiveLaunch) -> Bool {
    guard suspension.isInferred else { return true }
    guard let end = suspension.end, end < launch.places.upperBound else { return !launch.isCutOff }
    return !events[end].losesTrack
  }
}
