// Faults of drawing, of the order of calls, and of the inactive state.

import TraceModel

extension Fault {
  static let graphicsFaults: [Fault] = [
    Fault(
      "draws-in-background", "LC004", "a frame is drawn after the app went to the background",
      "0s open; 2s home; 20s wait",
      at: [
        .delegateDidEnterBackground: { system in
          system.after(.milliseconds(100), thread: 1) {
            system.note(.glCall, [.context: 1, .kind: "draw"])
          }
        }
      ]),
    Fault(
      "frame-unfinished", "LC401", "a frame is submitted last and not waited for",
      app: [.drawing], failing: [.keepsDrawing], "0s open; 5s home; 20s wait"),
    Fault(
      "draws-on-entry", "LC403", "a frame is shown while the app goes to the background",
      "0s open; 2s home; 20s wait",
      at: [
        .delegateDidEnterBackground: { $0.note(.glCall, [.context: 1, .kind: "present"]) }
      ]),
    Fault(
      "draws-at-launch", "LC404", "a frame is drawn before the app is active",
      "0s open; 5s wait",
      at: [.delegateDidFinishLaunching: { $0.note(.glCall, [.context: 1, .kind: "draw"]) }]),
    Fault(
      "frame-rate-kept", "LC405", "the animation goes on behind an alert",
      app: [.drawing], failing: [.keepsFrameRate],
      "0s open; 5s interruption system_alert dismissed 8s; 5s wait"),
    Fault(
      "draws-while-locked", "LC406", "a frame is drawn on a locked screen", on: .ios4,
      "0s open; 5s lock; 10s unlock; 2s wait",
      at: [
        .delegateWillResignActive: { system in
          system.after(.seconds(3), thread: 1) {
            system.note(.glCall, [.context: 1, .kind: "draw"])
          }
        }
      ]),
  ]

  static let orderFaults: [Fault] = [
    Fault(
      "active-twice", "LC501", "an active app is told that it becomes active",
      "0s open; 2s call delegate.did_become_active; 2s wait"),
    Fault(
      "never-active", "LC502", "a launched app isn't told that it is active",
      "0s leave-out delegate.did_become_active; 0s open;"
        + " 2s call delegate.will_resign_active; 1s call delegate.did_become_active; 2s wait"),
    Fault(
      "no-resign", "LC503", "an app enters the background without becoming inactive",
      "0s open; 0s leave-out delegate.will_resign_active; 2s home; 20s wait"),
    Fault(
      "foreground-twice", "LC504", "an app that never left comes to the foreground",
      "0s open; 2s call delegate.will_resign_active;"
        + " 1s call delegate.will_enter_foreground; 0s call delegate.did_become_active; 2s wait"),
    Fault(
      "foreground-not-active", "LC505", "an app in the foreground becomes active too late",
      "0s open; 2s home; 100ms call delegate.will_enter_foreground;"
        + " 3s call delegate.did_become_active; 2s wait"),
    Fault(
      "call-off-main", "LC506", "the app delegate is called on another thread",
      "0s open; 2s touch; 2s wait",
      at: [
        .uiTouch: {
          ($0 as? SimulatedPhone)?.callAgainstOrder(.delegateDidReceiveMemoryWarning, thread: 6)
        }
      ]),
    Fault(
      "call-while-suspended", "LC507", "a suspended app is called",
      "0s open; 2s home; 20s call delegate.did_receive_memory_warning; 2s wait"),
    Fault(
      "launch-state-wrong", "LC508", "the state reads active during the launch",
      "0s open; 2s wait",
      at: [.delegateDidFinishLaunching: { $0.note(.stateApplication, [.value: "active"]) }]),
    Fault(
      "touch-while-inactive", "LC509", "a touch reaches an inactive app",
      "0s open; 2s call delegate.will_resign_active; 1s call ui.touch;"
        + " 1s call delegate.did_become_active; 2s wait"),
    Fault(
      "opt-out-suspended", "LC511", "an app that opted out is suspended", on: .optout,
      "0s open; 2s call proc.suspend"),
    Fault(
      "end-while-suspended", "LC514", "a suspended app is told that it ends",
      "0s open; 2s home; 20s call delegate.will_terminate"),
    Fault(
      "exits-itself", "LC516", "the app ends itself", "0s open; 2s touch; 2s wait",
      at: [.uiTouch: { $0.note(.procExit, [.code: 0, .by: "app"]) }]),
    Fault(
      "kept-without-multitasking", "LC519", "an app of an old SDK is suspended", on: .sdk3,
      "0s open; 2s call proc.suspend"),
    Fault(
      "calls-nested", "LC520", "the background is entered inside the call before it",
      "0s open; 2s call delegate.will_resign_active; 300ms wait",
      at: [
        .delegateWillResignActive: {
          ($0 as? SimulatedPhone)?.callAgainstOrder(.delegateDidEnterBackground)
        }
      ]),
  ]

  private static let alert = "interruption system_alert dismissed 8s"

  static let inactiveFaults: [Fault] = [
    Fault(
      "timer-kept", "LC541", "a timer fires behind an alert",
      app: [.timers], failing: [.keepsTimers],
      // It fires every ten seconds.
      "0s open; 3s interruption system_alert dismissed 25s; 2s wait", count: 2),
    Fault(
      "query-kept", "LC542", "a metadata query runs behind an alert",
      "0s open; 1s touch; 2s \(alert); 2s wait",
      at: [.uiTouch: { $0.note(.workQueryStart, [.query: 1]) }]),
    Fault(
      "work-when-inactive", "LC543", "work that can wait is begun behind an alert",
      "0s open; 2s \(alert); 2s wait",
      at: [
        .delegateWillResignActive: {
          $0.note(.workDispatch, [.queue: "index", .critical: false, .work: 1])
        }
      ]),
    Fault(
      "movie-kept", "LC544", "a film plays on behind an alert",
      "0s open; 1s touch; 2s \(alert); 2s wait",
      at: [.uiTouch: { $0.note(.moviePlay, [.id: 1, .route: "local"]) }]),
    Fault(
      "game-kept", "LC545", "a game goes on behind an alert",
      app: [.game], failing: [.keepsGameRunning], "0s open; 2s \(alert); 2s wait"),
    Fault(
      "queue-kept", "LC546", "a queue of work that can wait runs on a locked phone", on: .ios4,
      "0s open; 2s lock; 8s unlock; 2s wait",
      at: [
        .delegateWillResignActive: { system in
          system.after(.seconds(2), thread: 5) {
            system.work(
              .workSpan, .milliseconds(50), thread: 5,
              [.id: 1, .class: "noncritical", .queue: "index"])
          }
        }
      ]),
    Fault(
      "game-resumes", "LC548", "a game goes on before its player does",
      app: [.game], failing: [.resumesGame], "0s open; 2s \(alert); 2s wait"),
  ]
}
