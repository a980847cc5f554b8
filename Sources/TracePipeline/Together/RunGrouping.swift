// Which traces are of one run of one app: by process id, app and time.
// This file must not know how traces are joined.

import TraceImport
import TraceModel

/// Traces of one run, on the clock of the first.
struct Run: Sendable {
  struct Member: Sendable {
    var survey: TraceSurvey
    /// Nil for a report without a time, which belongs to the end of its process.
    var offset: ClockOffset?

    var shift: Int64 { offset?.nanoseconds ?? 0 }
  }

  var members: [Member]
}

enum RunGrouping {
  /// How much later than anything else a report of an end may be stamped.
  private static let reportNanosecondsMax: Int64 = 10_000_000_000
  /// How far apart captures of one process id may lie: ids are used again, but not that soon.
  private static let pauseNanosecondsMax: Int64 = 86_400_000_000_000
  /// How far apart captures may lie of which one names no process id.
  private static let namelessPauseNanosecondsMax: Int64 = 60_000_000_000

  private struct Refusal: Error {
    var reason: String
  }

  /// Groups traces, and says why a trace is in no group with others.
  ///
  /// - Parameter names: What the sources of the traces are called, which gives them an order.
  static func runs(
    of surveys: [TraceSurvey], names: [String]
  ) -> (runs: [Run], reasons: [String]) {
    var runs: [Run] = []
    var reasons: [String] = []
    let order = surveys.sorted {
      (rank($0), names[$0.source], $0.index) < (rank($1), names[$1.source], $1.index)
    }
    for survey in order {
      var accepted: [(run: Int, offset: ClockOffset?, isSure: Bool)] = []
      var reason = ""
      for (index, run) in runs.enumerated() {
        do throws(Refusal) {
          let (offset, isSure) = try join(survey, run)
          accepted.append((index, offset, isSure))
        } catch {
          if reason.isEmpty { reason = "\(error.reason) (\(run.members[0].survey.name))" }
        }
      }
      if accepted.contains(where: \.isSure) { accepted.removeAll { !$0.isSure } }
      if accepted.count == 1, let only = accepted.first {
        runs[only.run].members.append(Run.Member(survey: survey, offset: only.offset))
      } else {
        if accepted.count > 1 { reason = "it may be of \(accepted.count) of the runs" }
        runs.append(Run(members: [Run.Member(survey: survey, offset: ClockOffset())]))
        reasons.append(reason)
      }
    }
    return (runs, reasons)
  }

  /// What shows most of a run goes first, and gives it its clock.
  private static func rank(_ survey: TraceSurvey) -> Int {
    if survey.isRecorded { return survey.wallClock == nil ? 1 : 0 }
    return survey.header.origin.isReport ? 3 : 2
  }

  /// The clock's offset, and whether a process id shows that it is the same process.
  private static func join(
    _ survey: TraceSurvey, _ run: Run
  ) throws(Refusal) -> (ClockOffset?, isSure: Bool) {
    if let refusal = survey.refusal ?? run.members[0].survey.refusal {
      throw Refusal(reason: refusal)
    }
    if survey.remarks.contains(where: { $0.message == CaptureRemark.simulatedMessage }) {
      throw Refusal(reason: "it was simulated by Xcode, and nothing of it happened")
    }
    if survey.hasCounts { throw Refusal(reason: "its counts are of many runs") }
    if survey.hasReboot || run.members[0].survey.hasReboot {
      throw Refusal(reason: "the device was restarted in its middle")
    }
    if survey.eventCount == 0 { throw Refusal(reason: "it tells of no event") }
    let pids = run.members.reduce(into: Set<Int64>()) { $0.formUnion($1.survey.pids) }
    let isSamePid = !pids.isDisjoint(with: survey.pids)
    if !isSamePid, !pids.isEmpty, !survey.pids.isEmpty {
      throw Refusal(
        reason: "it is of process \(list(survey.pids)), and the other of process \(list(pids))")
    }
    var isSameApp = false
    for member in run.members {
      switch AppName(survey.header).agrees(with: AppName(member.survey.header)) {
      case true?: isSameApp = true
      case false?: throw Refusal(reason: "it is of another app")
      case nil: break
      }
    }
    let reference = run.members[0].survey
    let traceID = survey.header.string(.traceID)
    if survey.isRecorded, reference.isRecorded, let traceID,
      traceID == reference.header.string(.traceID)
    {
      return (ClockOffset(), true)
    }
    guard isSameApp || isSamePid else {
      throw Refusal(reason: "nothing in it says that it is of the same process")
    }
    if survey.header.origin.isReport, survey.wallClock == nil {
      guard isSamePid else { throw Refusal(reason: "it names neither a time nor the process") }
      return (nil, true)
    }
    let offset: ClockOffset
    do throws(ClockRefusal) {
      offset = try ClockAlignment.offset(
        of: survey.view, to: reference.view, named: reference.name)
    } catch {
      throw Refusal(reason: error.reason)
    }
    try checkTimes(survey, offset, run, isSamePid: isSamePid)
    return (offset, isSamePid)
  }

  /// Refuses what can't have been at the time of the run.
  private static func checkTimes(
    _ survey: TraceSurvey, _ offset: ClockOffset, _ run: Run, isSamePid: Bool
  ) throws(Refusal) {
    let first = (survey.firstNanoseconds ?? 0).plus(offset.nanoseconds)
    let last = survey.lastNanoseconds.plus(offset.nanoseconds)
    var start = Int64.max
    var end = Int64.min
    for member in run.members where member.offset != nil {
      start = min(start, (member.survey.firstNanoseconds ?? 0).plus(member.shift))
      end = max(end, member.survey.lastNanoseconds.plus(member.shift))
    }
    // What happened when is only asked of one life: a trace of several is checked as a whole.
    let lives = run.members.map(\.survey.lives.count).max() ?? 0
    let limit = isSamePid ? pauseNanosecondsMax : namelessPauseNanosecondsMax
    let gap = max(first.minus(end), start.minus(last))
    if gap > limit {
      throw Refusal(reason: "its times lie \(gap / 1_000_000_000) s away")
    }
    guard lives <= 1, survey.lives.count <= 1 else { return }
    for member in run.members where member.offset != nil {
      for known in member.survey.ends {
        let time = known.shownNanoseconds.plus(member.shift)
        if first.minus(time) > reportNanosecondsMax {
          throw Refusal(reason: "its process began after the other had ended")
        }
        for mine in survey.ends
        where mine.shownNanoseconds.plus(offset.nanoseconds).minus(time).magnitude
          > reportNanosecondsMax.magnitude
        {
          throw Refusal(reason: "it tells of an end at another time")
        }
      }
      let others = member.survey.lives.map { $0.lastShownNanoseconds.plus(member.shift) }.max()
      for mine in survey.ends {
        let time = mine.shownNanoseconds.plus(offset.nanoseconds)
        if let others, others.minus(time) > reportNanosecondsMax {
          throw Refusal(reason: "it tells of an end after which the other goes on")
        }
      }
    }
  }

  private static func list(_ pids: Set<Int64>) -> String {
    let shown = pids.sorted().prefix(3).map(String.init).joined(separator: ", ")
    return pids.count > 3 ? shown + ", …" : shown
  }
}

/// What a capture calls an app.
struct AppName {
  private var bundle: String?
  private var process: String?

  init(_ header: TraceHeader) {
    process = header.origin.processName.map { $0.lowercased() }
    let name = header.string(.appBundleID).map { $0.lowercased() }
    // Logs that show no bundle give the process's name in its place.
    if let name, name.contains(".") { bundle = name } else { process = process ?? name }
    if process?.isEmpty == true { process = nil }
  }

  /// Whether two captures are of one app; nil if they don't say.
  func agrees(with other: AppName) -> Bool? {
    if let bundle, let theirs = other.bundle { return bundle == theirs }
    if let process, let theirs = other.process {
      // Some tools cut names off.
      return process.hasPrefix(theirs) || theirs.hasPrefix(process)
    }
    // The name that one gives, and the bundle that the other gives.
    let short = other.bundle == nil ? other.process : process
    let long = other.bundle ?? bundle
    guard let short, let component = long?.split(separator: ".").last else { return nil }
    let letters = String(short.filter { $0.isLetter || $0.isNumber })
    let ofBundle = String(component.filter { $0.isLetter || $0.isNumber })
    return letters == ofBundle && !letters.isEmpty ? true : nil
  }
}
