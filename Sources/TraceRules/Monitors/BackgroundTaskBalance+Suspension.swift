// What open background tasks mean when the app is suspended with them.

import TraceLifecycle
import TraceModel

extension BackgroundTaskBalance {
  /// A task that was open when the app was suspended, as long as its end may still excuse it.
  struct Suspended {
    var token: TaskToken
    var task: OpenTask
    var suspension: WitnessEvent
    /// Run time of the resume; nil while suspended.
    var resumeRunNanoseconds: Int64?
    /// When the task was ended while suspended; a resume soon after would excuse it.
    var endNanoseconds: Int64?
  }

  /// The end of a task soon after a suspension or around a resume: it wasn't simply left open.
  func excuse(_ token: TaskToken, at event: Event, _ judge: Judge) {
    // What ends after the task has ended is another one.
    guard let suspended = suspendedTasks[token], suspended.endNanoseconds == nil else { return }
    let isInTime: Bool
    if let resume = suspended.resumeRunNanoseconds {
      isInTime =
        judge.runTimeNanoseconds(at: event.timeNanoseconds) <= sum(resume, Self.excuseNanoseconds)
    } else if event.timeNanoseconds
      > sum(suspended.suspension.timeNanoseconds, judge.toleranceNanoseconds)
    {
      suspendedTasks[token]?.endNanoseconds = event.timeNanoseconds
      return
    } else {
      isInTime = true
    }
    suspendedTasks[token] = nil
    if isInTime {
      judge.unknown(ruleIndex, "ended-at-suspension")
    } else {
      reportSuspended(suspended, judge)
    }
  }

  func reportSuspendedTasks(_ judge: Judge) {
    for suspended in suspendedTasksInOrder { reportSuspended(suspended, judge) }
    suspendedTasks.removeAll()
  }

  var suspendedTasksInOrder: [Suspended] {
    suspendedTasks.values.sorted { $0.task.begin.event.ordinal < $1.task.begin.event.ordinal }
  }

  func reportSuspended(_ suspended: Suspended, _ judge: Judge) {
    // A sync after the resume may have told that the device slept.
    if Profile.ios7Plus.contains(judge.profile) && judge.model.launch?.wasLockedOrSlept == true {
      return judge.unknown(ruleIndex, "locked")
    }
    let begin = suspended.task.begin.event
    let time = suspended.suspension.timeNanoseconds
    let age = readable(nanoseconds: difference(time, begin.timeNanoseconds))
    report(
      .openAtSuspend, name: suspended.task.name, key: suspended.token.key, at: time,
      thread: begin.thread,
      "\(table.describe(suspended.token, name: suspended.task.name)) was still open when the app was suspended, \(age) after it was begun",
      [suspended.task.begin.witness(role: "open", in: EventBatch()), suspended.suspension], judge)
  }
}
