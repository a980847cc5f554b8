// RunningBoard's code without words, where the log speaks against what it mostly stands for.

import Testing
import TraceImport

private func line(_ second: Int, _ process: String, _ message: String) -> String {
  "Mar  4 10:00:\(second < 10 ? "0" : "")\(second) phone \(process) <Notice>: \(message)\n"
}

private func app(_ second: Int, _ message: String) -> String {
  line(second, "Notes(UIKitCore)[412]", message)
}

private let target = "[app<com.example.notes(0A)>:412]"

@Suite struct ContradictedExpiryTests {
  private func begun(_ second: Int, _ token: Int) -> String {
    app(
      second,
      "Created background task <_UIBackgroundTaskInfo: 0x1>: taskID = \(token), taskName = save,"
        + " creationTime = 7 (elapsed = 0).")
  }

  private func ended(_ second: Int, _ token: Int) -> String {
    app(second, "Ending background task with UIBackgroundTaskIdentifier: \(token)")
  }

  private func called(_ second: Int, _ token: Int) -> String {
    app(
      second,
      "Background task still not ended after expiration handlers were called:"
        + " <_UIBackgroundTaskInfo: 0x1>: taskID = \(token), taskName = save, creationTime = 7"
        + " (elapsed = 30).")
  }

  private func overdue(_ second: Int, _ token: Int) -> String {
    app(
      second,
      "Background Task \(token) (\"save\"), was created over 30 seconds ago. In applications running"
        + " in the background, this creates a risk of termination.")
  }

  private func deactivation(_ second: Int, _ step: String) -> String {
    app(second, "Deactivation reason \(step); animating application lifecycle event: 0")
  }

  private func acquired(_ second: Int) -> String {
    line(
      second, "runningboardd(RunningBoard)[31]",
      "Acquiring assertion targeting \(target) from originator \(target) with description"
        + " <RBSAssertionDescriptor| \"save\" ID:31-412-7 target:412 attributes:["
        + " <RBSLegacyAttribute| requestedReason:FinishTask reason:FinishTask flags:( A )> ]>")
  }

  private let killed = line(
    50, "runningboardd(RunningBoard)[31]",
    "\(target) Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus|"
      + " domain:runningboard(15) code:0x8BADF00D>>.")

  /// The cause of the kill, and the remark on it.
  private func kill(_ text: String) -> (cause: String, remark: String) {
    let lines = imported(text + killed, as: .deviceSyslog).split(separator: "\n")
    let kill = lines.first { $0.contains(" proc.kill ") } ?? ""
    let words = kill.split(separator: " ").first { $0.hasPrefix("cause=") } ?? ""
    let remark = lines.first { $0.hasPrefix("# capture: the system ended the app") } ?? ""
    return (String(words.dropFirst("cause=".count)), String(remark))
  }

  private func step(_ second: Int, _ words: String) -> String {
    line(second, "runningboardd(RunningBoard)[31]", "\(target) \(words) task.")
  }

  private var resumed: String { step(0, "Resuming") }

  @Test func everyTaskWasEnded() {
    let (cause, remark) = kill(resumed + begun(0, 1) + ended(1, 1) + begun(2, 7) + ended(5, 7))
    #expect(cause == "unknown")
    #expect(remark.contains("why is not known"))
    #expect(remark.contains("but each task that the log shows was ended"))
    #expect(remark.contains("(RUNNINGBOARD 0x8badf00d)"))
    #expect(!remark.contains("LC102"))
  }

  @Test func noTaskCanHaveBeenOpen() {
    let lives = [
      // The first task of the process, a short one just before, and one that UIKit refused.
      begun(0, 1) + ended(1, 1), resumed + begun(49, 3) + ended(50, 3),
      resumed + begun(1, 3) + ended(2, 3) + ended(49, 3),
      // The resumption that a line shows.
      step(0, "Suspending") + begun(5, 4) + ended(6, 4),
      // What UIKit says on the screen isn't said of the background.
      resumed + deactivation(1, "removed: 5; deactivation reasons: 32 -> 0") + begun(2, 3)
        + overdue(33, 3) + ended(34, 3),
    ]
    for (place, life) in lives.enumerated() {
      #expect(kill(life).cause == "unknown", "life \(place)")
    }
  }

  @Test func theAppWasInTheForeground() {
    let active = deactivation(5, "removed: 5; deactivation reasons: 32 -> 0")
    let (cause, remark) = kill(begun(0, 1) + active + begun(8, 7))
    #expect(cause == "unknown")
    #expect(remark.contains("but the app was in the foreground"))
    let left = deactivation(9, "added: 5; deactivation reasons: 0 -> 32")
    #expect(kill(begun(0, 1) + active + left).cause == "bgtask_expired")
  }

  /// That it left the screen is lost.
  @Test func theAppWasSuspendedSince() {
    let active = deactivation(5, "removed: 5; deactivation reasons: 32 -> 0")
    let left = active + step(20, "Suspending") + step(30, "Resuming")
    #expect(kill(begun(0, 1) + left).cause == "bgtask_expired")
    #expect(kill(begun(0, 1) + left + ended(31, 1)).cause == "unknown")
  }

  @Test func visibilityOfSpringBoard() {
    func state(_ visibility: String) -> String {
      line(
        1, "SpringBoard(FrontBoard)[60]",
        "Application process state changed for com.example.notes: <SBApplicationProcessState: 0x5;"
          + " pid: 412; taskState: Running; visibility: \(visibility)>")
    }
    #expect(kill(state("Foreground")).cause == "unknown")
    #expect(kill(state("Background")).cause == "bgtask_expired")
    #expect(kill(state("Foreground") + state("Background")).cause == "bgtask_expired")
  }

  @Test func nothingSpeaksAgainstIt() {
    let lives = [
      "", begun(0, 1), begun(0, 1) + ended(1, 1) + begun(2, 7),
      // An end alone doesn't show what was begun before it.
      ended(1, 1),
      // What was begun before the log isn't shown.
      begun(0, 4) + ended(1, 4),
      // Time was over, says UIKit.
      resumed + begun(0, 1) + overdue(31, 1) + ended(45, 1),
      // A task that was open for long was ended just before.
      resumed + begun(0, 1) + ended(46, 1),
      // Time was over before the end came.
      resumed + begun(0, 1) + called(30, 1) + ended(31, 1),
      // The kill was under way.
      resumed + begun(0, 1) + ended(49, 1) + ended(50, 1),
      resumed + begun(0, 1) + ended(1, 1) + acquired(2),
    ]
    for (place, life) in lives.enumerated() {
      #expect(kill(life).cause == "bgtask_expired", "life \(place)")
    }
    // Back on the screen its time begins anew.
    let back = deactivation(35, "removed: 5; deactivation reasons: 32 -> 0")
    #expect(kill(begun(0, 1) + called(30, 1) + back).cause == "unknown")
  }

  @Test func hiddenNumbersTellOfNoEnd() {
    let begin = app(0, "Created background task <private>.")
    #expect(kill(begin + ended(1, 1)).cause == "bgtask_expired")
  }

  @Test func wordsAreBelieved() {
    let words =
      line(
        40, "runningboardd(RunningBoard)[31]",
        "Received termination request from [osservice<com.apple.SpringBoard>:60] on \(target) with"
          + " context <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update"
          + " watchdog transgression: app<com.example.notes>:412 exhausted real (wall clock) time"
          + " allowance of 10.00 seconds reportType:CrashLog>")
    #expect(kill(begun(0, 1) + ended(1, 1) + words).cause == "watchdog")
  }
}
