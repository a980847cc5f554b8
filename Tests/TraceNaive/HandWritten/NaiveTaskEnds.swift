// LC001, the plain way: the ends of tasks that were ended before, or that were never begun.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// What is known of a token between two of its events.
  private struct Token {
    var task: NaiveTask?
    var wasEnded = false
    /// Something else was told of its task, or may be.
    var wasTold = false
    /// Its begin and an end that UIKit didn't refuse were there.
    var isShown = false
    /// The wrong ends so far, which make one report.
    var wrong: [NaiveHit] = []
  }

  /// Wrong ends of this kind; one report for each task.
  func wrongEnds(_ wanted: String, _ launch: NaiveLaunch) -> [NaiveHit] {
    let places = launch.places.filter {
      (isTask($0, .bgtaskEnd) || isTask($0, .bgtaskBegin)) && NaiveToken(events[$0]) != nil
    }
    let tasks = tasks(launch)
    return Dictionary(grouping: places, by: { NaiveToken(events[$0]) }).values.flatMap { same in
      var hits: [NaiveHit] = []
      var reason = ""
      var token = Token()
      func close() {
        if reason == wanted { hits += joined(token.wrong) }
        token.wrong = []
      }
      for (number, place) in same.enumerated() {
        if number > 0, hasGap(after: same[number - 1], upTo: place) {
          // It may have been begun again meanwhile.
          close()
          token.wasEnded = false
          token.isShown = false
          if token.task == nil { token.wasTold = false }
        }
        if events[place].kind == .bgtaskBegin {
          close()
          token = Token(task: tasks.first { $0.begin == place })
          continue
        }
        let open = token.task
        token.task = nil
        if let open {
          token.wasTold = !open.isOfSystem && isTold(open, launch)
          token.wasEnded = token.wasEnded || !isRefused(place)
          token.isShown = !token.wasTold && !isRefused(place)
        }
        guard open == nil || isRefused(place), !token.wasTold else { continue }
        if token.wrong.isEmpty { reason = token.wasEnded ? "double-end" : "unknown-token" }
        defer { token.wasEnded = true }
        guard isProven(place, token.wasEnded, launch) else { continue }
        var hit = NaiveHit(offender: place, time: events[place].time, moment: place)
        hit.severity =
          token.wrong.first?.severity
          ?? (token.isShown ? .error : severity(ofEnd: place, wasEnded: token.wasEnded))
        token.wrong.append(hit)
      }
      close()
      return hits
    }
  }

  private func isTold(_ task: NaiveTask, _ launch: NaiveLaunch) -> Bool {
    // Of a task that was open at a suspension nobody tells where the capture lacks lines.
    if lacksTaskLines, suspension(with: task, launch) != nil { return false }
    return if case .none = fault(task, launch) { false } else { true }
  }

  /// UIKit's own line is evidence in any capture.
  private func isRefused(_ end: Int) -> Bool { events[end].truth("refused") == true }

  /// Whether a wrong end is certainly one. What was ended before in this launch needn't have been
  /// begun in it.
  private func isProven(_ end: Int, _ wasEnded: Bool, _ launch: NaiveLaunch) -> Bool {
    if isRefused(end) { return true }
    if isHidden(launch) {
      isUnknown = true
      return false
    }
    if wasEnded { return true }
    // After a gap nobody knows what was begun in it.
    if hasGap(after: launch.places.lowerBound, upTo: end) {
      isUnknown = true
      return false
    }
    guard events[end].model.launch?.isMidLife != false else { return true }
    // A begin that only UIKit's warning tells of may be from before the recording, too.
    let begins = launch.places.filter {
      $0 < end && isTask($0, .bgtaskBegin) && events[$0].arguments["elapsed_s"] == nil
    }
    let begun = begins.compactMap { place in
      if case .bits(let bits)? = NaiveToken(events[place]) { bits } else { nil }
    }
    // Tokens rise: one from before the recording is below all that are begun in it.
    if case .bits(let bits)? = NaiveToken(events[end]), let lowest = begun.min(), bits >= lowest {
      return true
    }
    isUnknown = true
    return false
  }

  private func severity(ofEnd end: Int, wasEnded: Bool) -> Severity {
    if isRefused(end) {
      let system = trace.header.version(.osVersion)
      // Those systems refuse ends without a reason.
      let isFalseAlarm = system.map { $0 >= SystemVersion(13) && $0 < SystemVersion(13, 4) }
      return isFalseAlarm ?? true ? .note : .error
    }
    return !wasEnded && events[end].model.launch?.isMidLife == true ? .note : .error
  }
}
