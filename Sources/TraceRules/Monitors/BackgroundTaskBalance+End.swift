// What open background tasks mean when the launch ends.

import TraceModel

extension BackgroundTaskBalance {
  /// Judges the tasks that are open at the end of a launch: only evidence of a kill, an exit or
  /// a complete recording makes them leaks.
  func judgeOpenTasks(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    for (token, task) in table.openInOrder {
      if task.isBeforeGap {
        judge.unknown(ruleIndex, "gap")
        continue
      }
      switch end {
      case .process(let event):
        judgeOpen(token, task, atProcessEnd: event, batch, judge)
      case .recordingEnded(let event):
        judgeOpen(token, task, atRecordingEnd: event, batch, judge)
      case .newStart, .truncated:
        judge.unknown(ruleIndex, "truncated")
      }
    }
  }

  private func judgeOpen(
    _ token: TaskToken, _ task: OpenTask, atProcessEnd event: Event, _ batch: EventBatch,
    _ judge: Judge
  ) {
    let what: String
    switch event.kind {
    case .procKill where Self.isExpiredTask(event, batch):
      what = "was never ended, and the system killed the app for a task that ran out of time"
    case .procExit where batch.isText(.by, "app", of: event) && !willTerminateSeen:
      // Whether the system asked it to end may be among what was lost.
      if isAfterGap { return judge.unknown(ruleIndex, "gap") }
      what = "was still open when the app called exit"
    default:
      return judge.unknown(ruleIndex, "ended-by-system")
    }
    let begin = task.begin.event
    let open = task.begin.witness(role: "open", in: batch)
    let age = readable(nanoseconds: difference(event.timeNanoseconds, begin.timeNanoseconds))
    let isWarning = open.arguments.contains { $0.name == "elapsed_s" }
    let since = isWarning ? "\(age) after UIKit warned of it" : "\(age) after it was begun"
    report(
      .leaked, name: task.name, key: token.key, at: event.timeNanoseconds, thread: begin.thread,
      "\(table.describe(token, name: task.name)) \(what), \(since)",
      [open, batch.witness(event, role: "offender")],
      context: judge.context(in: batch), judge)
  }

  /// Whether the system says that a task ran out of time. The code of the watchdog, from those who
  /// keep tasks, makes that likely and doesn't say it.
  private static func isExpiredTask(_ kill: Event, _ batch: EventBatch) -> Bool {
    let code = batch.integer(.code, of: kill)
    if code == 0x8bad_f00d, batch.text(.description, of: kill) == nil { return false }
    return batch.isText(.cause, "bgtask_expired", of: kill) || code == 0x2182_bad2
  }

  private func judgeOpen(
    _ token: TaskToken, _ task: OpenTask, atRecordingEnd event: Event, _ batch: EventBatch,
    _ judge: Judge
  ) {
    let time = event.timeNanoseconds
    let begin = task.begin.witness(role: "open", in: batch)
    let end = batch.witness(event, role: "deadline")
    let name = table.describe(token, name: task.name)
    if let expiry = task.expiry {
      report(
        .openAtEnd, name: task.name, key: token.key, at: time, thread: begin.thread,
        "\(name) had expired and was still open when the recording ended",
        [begin, expiry.witness(role: "expired", in: batch), end],
        context: judge.context(in: batch), judge)
      return
    }
    let now = backgroundNanoseconds(task, at: time, judge)
    let longest = max(now, task.longestBackgroundNanoseconds)
    guard longest > leakNanoseconds else { return judge.unknown(ruleIndex, "recording-ended") }
    let stay =
      now >= task.longestBackgroundNanoseconds
      ? judge.stay.witness.map { $0.witness(role: "state", in: batch) }
      : task.longestBackgroundWitness
    report(
      .openAtEnd, name: task.name, key: token.key, at: time, thread: begin.thread,
      "\(name) was open for \(readable(nanoseconds: longest)) in the background and never ended",
      ([begin] + stay + [end]).sorted { $0.ordinal < $1.ordinal },
      context: judge.context(in: batch), judge)
  }
}
