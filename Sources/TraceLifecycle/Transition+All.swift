// The table of transitions, T01 to T32.

import TraceModel

extension Transition {
  /// Every transition of every profile, by id. No transition but T01, T04 and T31 leaves NR.
  public static let all: [Transition] = (launching + leaving + returning + ending)
    .sorted { $0.id < $1.id }

  private typealias State = LifecycleState
  private static let everywhere = Profile.allCases
  private static let programmingGuide = "App Programming Guide for iOS, App States and Multitasking"
  private static let codeGuide =
    "iOS Application Programming Guide, Executing Code in the Background"
  private static let xamarin = "Introduction to Backgrounding in iOS"
  private static let cocoanetics = "Understanding iOS 4 Backgrounding and Delegate Messaging"

  private static func row(
    _ id: String, _ from: [State], _ to: [State], _ stimulus: String, _ calls: [Call],
    via: [State] = [], _ profiles: [Profile] = Profile.ios4Plus, remark: String = "",
    source: String
  ) -> Transition {
    Transition(
      id: id, from: from, via: via, to: to, stimulus: stimulus, calls: calls, remark: remark,
      profiles: profiles, sourceTitle: source)
  }

  private static let finishing: [Call] = [
    .must(.procStart), .must(.procMain), .may(.delegateWillFinishLaunching),
    .must(.delegateDidFinishLaunching),
  ]
  private static let resign = Call.must(.delegateWillResignActive)
  private static let mayResign = Call.may(.delegateWillResignActive)
  private static let activate = Call.must(.delegateDidBecomeActive)
  private static let mayActivate = Call.may(.delegateDidBecomeActive)
  private static let enter = Call.must(.delegateDidEnterBackground)
  private static let mayEnter = Call.may(.delegateDidEnterBackground)
  private static let comeBack = Call.must(.delegateWillEnterForeground)
  private static let terminate = Call.must(.delegateWillTerminate)

  private static let launching: [Transition] = [
    row(
      "T01", [.notRunning], [.launchingForeground], "the user opens the app", finishing,
      everywhere, remark: "the process is started into the foreground", source: programmingGuide),
    row(
      "T02", [.launchingForeground], [.active], "launching is finished",
      [.may(.delegateOpenUrl), activate], everywhere, source: programmingGuide),
    row(
      "T03", [.launchingForeground], [.inactive, .background],
      "an interruption, the lock or the Home button during launch",
      [mayActivate, mayResign, mayEnter], everywhere, source: programmingGuide),
    row(
      "T04", [.notRunning], [.launchingBackground], "an event that the system launches apps for",
      finishing, remark: "the process is started into the background; no window is shown",
      source: programmingGuide),
    row(
      "T05", [.launchingBackground], [.background], "launching is finished", [],
      remark: "no call of its own; the handler of the event follows", source: programmingGuide),
    row(
      "T31", [.notRunning], [.launchingBackground],
      "a VoIP app exited with an error code, or the device was started", finishing,
      Profile.ios4ToIOS8, remark: "only with the mode voip", source: codeGuide),
  ]

  private static let leaving: [Transition] = [
    row(
      "T06", [.background], [.suspended], "no reason to run is left", [.must(.procSuspend)],
      remark: "the app is not told", source: programmingGuide),
    row(
      "T09", [.active], [.inactive], "an interruption begins", [resign], via: [.resigning],
      everywhere, source: programmingGuide),
    row(
      "T11", [.inactive], [.background], "the interruption is accepted, or another app is opened",
      [enter], via: [.enteringBackground], source: programmingGuide),
    row(
      "T14", [.active], [.active, .background], "Notification Center is pulled down",
      [resign, mayActivate, mayEnter], via: [.resigning, .inactive], Profile.ios5Plus,
      source: programmingGuide),
    row(
      "T16", [.active], [.background], "the Home button, or a switch to another app",
      [resign, enter], via: [.resigning, .inactive, .enteringBackground],
      source: programmingGuide),
    row(
      "T17", [.active], [.active], "the device is locked and unlocked", [resign, activate],
      via: [.resigning, .inactive], [.ios4], source: cocoanetics),
    row(
      "T18", [.active], [.background], "the device is locked", [resign, enter],
      via: [.resigning, .inactive, .enteringBackground], Profile.ios5Plus,
      remark: "the app may read its state as inactive", source: programmingGuide),
    row(
      "T19", [.active], [.active, .background], "the App Switcher is opened",
      [resign, mayActivate, mayEnter], via: [.resigning, .inactive], source: xamarin),
    row(
      "T20", [.background], [.suspended], "Background App Refresh is off", [.must(.procSuspend)],
      Profile.ios7Plus, remark: "at once, unless a background task is open", source: xamarin),
  ]

  private static let returning: [Transition] = [
    row(
      "T07", [.suspended], [.background], "the system wakes the app",
      [.must(.procResume), .may(.noteDeliver)],
      remark: "no call of the life cycle; the handler of the event follows",
      source: programmingGuide),
    row(
      "T08", [.background, .suspended], [.active],
      "the user opens an app that was launched into the background",
      [.may(.procResume), comeBack, activate], via: [.enteringForeground, .inactive],
      source: xamarin),
    row(
      "T10", [.inactive], [.active], "the interruption is dismissed", [activate], everywhere,
      source: programmingGuide),
    row(
      "T12", [.active], [.active], "a notification is shown as an alert", [resign, activate],
      via: [.resigning, .inactive], everywhere, source: programmingGuide),
    row(
      "T13", [.active], [.active], "a notification is shown as a banner", [], Profile.ios5Plus,
      remark: "the app stays active and gets its touches", source: programmingGuide),
    row(
      "T15", [.active], [.active], "dialogs of a purchase, one to three", [resign, activate],
      via: [.resigning, .inactive], Profile.ios4ToIOS8, remark: "once for each dialog",
      source: cocoanetics),
    row(
      "T21", [.suspended, .background], [.active], "the user comes back",
      [.may(.procResume), .may(.noteDeliver), comeBack, activate],
      via: [.enteringForeground, .inactive], source: programmingGuide),
  ]

  private static let ending: [Transition] = [
    row(
      "T22", [.suspended], [.notRunning], "low memory, a force quit or another purge",
      [.must(.procKill)], remark: "the app is not told", source: programmingGuide),
    row(
      "T23", [.background], [.notRunning],
      "low memory while the app runs, or its force quit from iOS 7 on",
      [terminate, .may(.procExit), .may(.procKill)], via: [.terminating],
      source: programmingGuide),
    row(
      "T24", [.suspended], [.notRunning], "the system resumes the app in order to end it",
      [.must(.procResume), terminate], via: [.background, .terminating],
      source: "observed in recordings"),
    row(
      "T25", [.active, .inactive, .launchingForeground], [.notRunning],
      "the app is ended in the foreground", [mayResign, mayEnter, terminate],
      via: [.terminating], everywhere, remark: "will_resign_active only from AC and LF",
      source: programmingGuide),
    row(
      "T26", [.active], [.notRunning], "Home, the lock, another app, or an accepted call",
      [mayResign, mayEnter, terminate, .must(.procExit)], via: [.terminating], [.optout],
      source: programmingGuide),
    row(
      "T27", [.active, .inactive], [.notRunning], "Home or an accepted call",
      [mayResign, terminate, .must(.procExit)], via: [.terminating], [.os3], source: codeGuide),
    row(
      "T28", [.active], [.notRunning], "Home or an accepted call",
      [mayResign, enter, terminate, .must(.procExit)],
      via: [.enteringBackground, .background, .terminating], [.sdk3], source: cocoanetics),
    row(
      "T29", [.active], [.notRunning], "Home or an accepted call",
      [mayResign, enter, terminate, .must(.procExit)],
      via: [.enteringBackground, .background, .terminating], [.nomt], source: cocoanetics),
    row(
      "T30", State.allCases.filter { $0 != .notRunning }, [.notRunning],
      "the system kills the app, or it crashes", [.must(.procKill)], everywhere,
      remark: "the app is not told", source: programmingGuide),
    row(
      "T32", State.allCases.filter { $0 != .unknown }, [.unknown],
      "events were lost, or the recording begins in mid-life",
      [.may(.traceLost), .may(.traceStart)], everywhere,
      remark: "the next event of the life cycle fixes the state",
      source: "property of the recording"),
  ]
}
