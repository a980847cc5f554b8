// Faults of what is on the screen and in memory, and of systems since iOS 13.

import TraceModel

extension Fault {
  static let screenFaults: [Fault] = [
    Fault(
      "view-updated-in-background", "LC821", "a view is updated after the app left the screen",
      "0s open; 2s home; 20s wait",
      at: [
        .delegateDidEnterBackground: { system in
          system.after(.milliseconds(200), thread: 1) {
            system.note(.uiUpdate, [.what: "view", .forSnapshot: false])
          }
        }
      ]),
    Fault(
      "alert-kept", "LC822", "an alert is open when the app goes to the background",
      "0s open; 1s touch; 2s home; 20s wait",
      at: [.uiTouch: { $0.note(.uiAlertShow, [.id: 1, .type: "alert"]) }]),
    Fault(
      "secret-shown", "LC823", "private text is on the picture of the app",
      app: [.privacy], failing: [.showsSecrets], "0s open; 1s touch; 2s home; 20s wait"),
    Fault(
      "cache-kept", "LC841", "pictures are kept in memory in the background",
      app: [.memory], failing: [.keepsCaches], "0s open; 1s touch; 2s home; 20s wait"),
    Fault(
      "memory-warning-ignored", "LC843", "no memory is given back, and the system takes it",
      "0s open; 2s memory-warning; 40s kill jetsam"),
    Fault(
      "data-unsaved", "LC851", "changes aren't saved when the user leaves",
      app: [.documents], failing: [.savesNever], "0s open; 1s touch 9; 2s home; 20s wait",
      reason: "at-entry", alongside: [ExpectedFinding("LC851", reason: "at-suspension")]),
    Fault(
      "saved-at-end-only", "LC852", "changes are saved when the app ends, and not before",
      app: [.documents], failing: [.savesOnlyAtEnd],
      "0s open; 1s touch 9; 2s home; 500ms force-quit",
      at: [
        .delegateDidEnterBackground: { system in
          guard let token = system.beginTask("export", thread: 1, expiration: {}) else { return }
          system.after(.seconds(20), thread: 4) { system.endTask(token, thread: 4) }
        }
      ]),
    Fault(
      "two-interfaces", "LC863", "the app has a storyboard and a nib to start with",
      "0s open; 2s wait",
      declare: {
        $0.otherFields[.mainStoryboard] = .string("Main")
        $0.otherFields[.mainNib] = .string("MainWindow")
      }),
  ]

  static let modernFaults: [Fault] = [
    Fault(
      "opt-out-without-effect", "LC862", "an app opts out of what can't be opted out of",
      on: .ios13, "0s open; 2s wait",
      declare: { $0.otherFields[.exitsOnSuspend] = .boolean(true) }),
    Fault(
      "registered-late", "LM01", "the handlers of scheduled tasks are registered after the launch",
      on: .ios13, app: [.scheduler], failing: [.registersLate], "0s open; 5s wait",
      // There are two tasks.
      alongside: [ExpectedFinding("LM01")]),
    Fault(
      "task-not-completed", "LM02", "a scheduled task never says that it is done",
      on: .ios13, app: [.scheduler], failing: [.completesNoTask],
      "0s open; 2s home; 30s wake bg_scheduler; 60s wait"),
    Fault(
      "run-without-handler", "LM03", "a scheduled task has no expiration handler",
      on: .ios13, app: [.scheduler], failing: [.completesNoTask],
      "0s open; 0s leave-out bgsched.expire; 2s home; 30s wake bg_scheduler; 60s wait",
      at: [
        .bgschedRun: { system in
          system.after(.seconds(5), thread: 8) {
            system.note(
              .bgschedComplete, [.identifier: "com.example.refresh", .success: true], thread: 8)
          }
        }
      ]),
    Fault(
      "too-many-requests", "LM04", "two tasks of the same kind are asked for",
      on: .ios13, app: [.scheduler], failing: [.submitsTwice], "0s open; 2s home; 20s wait"),
    Fault(
      "identifier-unknown", "LM05", "a task is asked for that the app didn't announce",
      on: .ios13, app: [.scheduler], "0s open; 2s touch; 2s wait",
      at: [
        .uiTouch: {
          $0.note(.bgschedSubmit, [.identifier: "com.example.other", .kind: "refresh"])
        }
      ]),
    Fault(
      "commits-in-background", "LM09", "the graphics processor is used in the background",
      on: .ios13, app: [.metal], failing: [.commitsInBackground], "0s open; 2s home; 20s wait"),
    Fault(
      "commits-unfinished", "LM10", "graphics work is left open on entering the background",
      on: .ios13, app: [.metal], failing: [.leavesCommits], "0s open; 2s home; 20s wait"),
    Fault(
      "killed-for-lock", "LM11", "the system ends a suspended app for a lock nobody recorded",
      on: .ios13, "0s open; 2s home; 20s kill file_lock"),
    Fault(
      "call-not-reported", "LM12", "a call that was pushed isn't shown to the user",
      // The callback returns, and the system ends the app: both say it.
      on: .ios13, "0s open; 2s home; 20s wake pushkit; 20s wait", count: 2,
      declare: { $0.modes = ["voip", "audio"] }),
    Fault(
      "woken-too-often", "LM13", "an app for calls is woken again and again",
      on: .ios13, "0s open; 2s home" + String(repeating: "; 10s wake pushkit", count: 18),
      // Three wakes too many, each with a resume and a window.
      count: 6,
      declare: { $0.modes = ["voip", "audio"] },
      at: [.pushkitReceive: { $0.note(.callkitReport, [.uuid: "call"]) }]),
    Fault(
      "entry-over-allowance", "LM14", "going to the background takes longer than was ever seen",
      on: .ios13, "0s open; 2s home; 20s wait",
      // Ten seconds are more than the five of the guides.
      alongside: [ExpectedFinding("LC003")],
      at: [.delegateDidEnterBackground: { $0.spend(.seconds(11)) }]),
    Fault(
      "scene-active-twice", "LM15", "an active scene is told that it becomes active", on: .scene,
      "0s open; 2s call scene.did_become_active; 2s wait"),
    Fault(
      "session-overdue", "LM19", "the events of a background session aren't handled in time",
      on: .ios13, app: [.transfers], failing: [.completesNever],
      "0s open; 2s touch; 2s home; 20s wake url_session; 60s wait",
      // The process ends before the completion handler was called.
      alongside: [ExpectedFinding("LC613", .warning)]),
  ]
}
