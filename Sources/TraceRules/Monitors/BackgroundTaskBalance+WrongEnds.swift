// Ends of background tasks: of open ones, of those that were ended before, and of unknown ones.

import TraceLifecycle
import TraceModel

extension BackgroundTaskBalance {
  /// The wrong ends of one task, which make one finding.
  struct WrongEnds {
    let token: TaskToken
    let name: Int
    /// The first of them.
    let first: EndedTask
    /// The finding; nil once it is withdrawn.
    var place: Int?
    /// Whether the finding stands on UIKit's own line.
    var isCertain: Bool
    /// The begin of a task whose first end was right, so that UIKit's line doesn't stand alone.
    let begin: TaskMoment?
    /// How many of the ends UIKit refused, and the first and the last of those.
    var refusedCount = 0
    var firstRefused: WitnessEvent?
    var lastRefusedNanoseconds: Int64 = 0
    /// How many others there were.
    var otherCount = 0

    mutating func add(_ event: Event, isRefused: Bool, _ batch: EventBatch) {
      guard isRefused else {
        otherCount += 1
        return
      }
      refusedCount += 1
      firstRefused = firstRefused ?? batch.witness(event, role: "offender")
      lastRefusedNanoseconds = event.timeNanoseconds
    }
  }

  /// Tasks of a launch whose wrong ends are counted; those of further ones are told once.
  private static let wrongEndsMax = 16_384

  func end(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    if batch.boolean(.isInvalid, of: event) == true { return endInvalid(event, batch, judge) }
    guard let token = TaskToken(event, in: batch) else { return hide(judge) }
    let isRefused = batch.boolean(.refused, of: event) == true
    if let task = table.close(token) {
      excuse(token, at: event, judge)
      // UIKit knows no such task, whatever the trace says.
      if isRefused && !task.wasTold {
        return endUnknown(token, event, true, batch, judge, isOpen: true)
      }
      table.remember(
        token,
        EndedTask(
          event, in: batch, begin: task.wasTold ? nil : task.moment, name: task.name,
          verdict: task.wasTold ? .told : .balanced))
    } else if let earlier = table.ended[token] {
      endAgain(token, earlier, event, isRefused, batch, judge)
    } else {
      endUnknown(token, event, isRefused, batch, judge)
    }
  }

  private func endAgain(
    _ token: TaskToken, _ earlier: EndedTask, _ event: Event, _ isRefused: Bool,
    _ batch: EventBatch, _ judge: Judge
  ) {
    switch earlier.verdict {
    case .reported(let place): return endOnceMore(place, event, isRefused, batch, judge)
    case .told: return
    case .balanced, .unproven: break
    }
    let place = reportAgain(
      token, earlier, begun: earlier.begin, at: event.timeNanoseconds, thread: event.thread,
      batch.witness(event, role: "offender"), isRefused, judge)
    if let place {
      table.ended[token]?.verdict = count(
        token, earlier.name, event, place, isRefused, begun: earlier.begin, batch)
    }
  }

  /// UIKit's line stands alone where it refuses ends without a reason, unless the task's begin and
  /// an end before it are there, which then are evidence, too.
  private func reportAgain(
    _ token: TaskToken, _ earlier: EndedTask, begun begin: TaskMoment?, at time: Int64,
    thread: Int64, _ offender: WitnessEvent, _ isRefused: Bool, _ judge: Judge
  ) -> Int? {
    let since = difference(time, earlier.end.timeNanoseconds)
    // Lines without times don't tell how long.
    let words =
      since == 0 ? "" : ", the second time \(readable(nanoseconds: since)) after the first"
    let needsBegin = isRefused && refusalIsDoubtful
    let shown =
      needsBegin ? begin.map { [$0.witness("bgtask.begin", token, role: "open")] } ?? [] : []
    return report(
      .doubleEnd, name: earlier.name, at: time, thread: thread,
      "\(table.describe(token, name: earlier.name)) was ended twice\(words)",
      shown + [earlier.witness(token), offender],
      severity: needsBegin && begin == nil ? .note : nil, isCertain: isRefused, judge)
  }

  /// A further wrong end of a task that was told of.
  private func endOnceMore(
    _ number: Int, _ event: Event, _ isRefused: Bool, _ batch: EventBatch, _ judge: Judge
  ) {
    if !isRefused && isLimited(judge) { return judge.unknown(ruleIndex, limitReason(judge)) }
    wrongEnds[number].add(event, isRefused: isRefused, batch)
    if let place = wrongEnds[number].place {
      judge.findings.extend(place, by: 1, until: event.timeNanoseconds)
    } else {
      tellRefused(number, judge)
    }
  }

  /// - Parameter isOpen: Whether the trace shows the task's begin and no end of it.
  private func endUnknown(
    _ token: TaskToken, _ event: Event, _ isRefused: Bool, _ batch: EventBatch, _ judge: Judge,
    isOpen: Bool = false
  ) {
    var end = EndedTask(event, in: batch, name: -1, verdict: .unproven)
    defer { table.remember(token, end) }
    var severity: Severity?
    var witness = [batch.witness(event, role: "offender")]
    if isRefused {
      if refusalIsDoubtful { severity = .note }
    } else if table.hasForgotten {
      return judge.unknown(ruleIndex, "key-limit")
    } else if isAfterGap {
      return
    } else if judge.model.launch?.isMidLife ?? true {
      guard case .bits(let bits) = token, let lowestBegun, bits >= lowestBegun.bits else {
        return judge.unknown(ruleIndex, "mid-life")
      }
      severity = .note
      witness.insert(lowestBegun.begin.witness(role: "begun", in: batch), at: 0)
    } else if let launch = judge.launchWitness {
      witness.insert(launch.witness(role: "launch", in: batch), at: 0)
    }
    let place = report(
      .unknownToken, name: -1, at: event.timeNanoseconds, thread: event.thread,
      isRefused
        ? "UIKit refused to end background task \(token.text), because "
          + (isOpen ? "it isn't open there, though it is by the trace" : "it knows no such task")
        : "background task \(token.text) was ended but never begun in this launch",
      witness, severity: severity, isCertain: isRefused, judge)
    if let place {
      end.verdict = count(token, -1, event, place, isRefused, begun: nil, batch)
    }
  }

  /// Counts further wrong ends of a task that was told of.
  private func count(
    _ token: TaskToken, _ name: Int, _ event: Event, _ place: Int, _ isRefused: Bool,
    begun begin: TaskMoment?, _ batch: EventBatch
  ) -> EndedTask.Verdict {
    guard wrongEnds.count < Self.wrongEndsMax else { return .told }
    var ends = WrongEnds(
      token: token, name: name,
      first: EndedTask(event, in: batch, name: name, verdict: .told), place: place,
      isCertain: isRefused, begin: begin)
    ends.add(event, isRefused: isRefused, batch)
    wrongEnds.append(ends)
    return .reported(wrongEnds.count - 1)
  }

  // MARK: Hidden tokens

  /// The log hides tokens: of wrong ends only what UIKit itself refused counts in this launch.
  func hide(_ judge: Judge) {
    let wasLimited = isLimited(judge)
    hidesTokens = true
    if !wasLimited { withdrawUncertain(judge) }
  }

  /// Takes back the wrong ends of this launch that UIKit didn't refuse.
  func withdrawUncertain(_ judge: Judge) {
    for number in wrongEnds.indices {
      let ends = wrongEnds[number]
      guard let place = ends.place else { continue }
      if ends.isCertain {
        judge.findings.extend(place, by: -ends.otherCount, until: ends.lastRefusedNanoseconds)
      } else {
        judge.findings.withdraw(place)
        withdrawable.removeAll { $0 == place }
        judge.unknown(ruleIndex, limitReason(judge))
        wrongEnds[number].place = nil
        if ends.firstRefused != nil { tellRefused(number, judge) }
      }
    }
  }

  /// Makes a finding of the ends that UIKit refused.
  private func tellRefused(_ number: Int, _ judge: Judge) {
    let ends = wrongEnds[number]
    guard let refused = ends.firstRefused,
      let place = reportAgain(
        ends.token, ends.first, begun: ends.begin, at: refused.timeNanoseconds,
        thread: refused.thread, refused, true, judge)
    else { return }
    judge.findings.extend(place, by: ends.refusedCount - 1, until: ends.lastRefusedNanoseconds)
    wrongEnds[number].place = place
    wrongEnds[number].isCertain = true
  }
}
