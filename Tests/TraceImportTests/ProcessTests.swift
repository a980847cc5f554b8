// Which process a line is about, and what daemons' lines say of it.

import Testing
import TraceImport
import TraceImportSamples

private let target = "app<com.example.notes(11AA-22BB)>:412"

private func daemon(_ time: String, _ message: String) -> String {
  console(time, "runningboardd", message)
}

private func springBoard(_ time: String, _ state: String) -> String {
  console(
    time, "SpringBoard", "Application process state changed for com.example.notes: \(state)")
}

private func state(_ task: String, _ visibility: String) -> String {
  "<SBApplicationProcessState: 0x1a; pid: 412; taskState: \(task); visibility: \(visibility)>"
}

private func events(_ text: String) -> String { importedEvents(text, as: .consoleText) }

private let selfReport = console(
  "10:00:00.000000", "Notes",
  "Received state update for 412 (app<com.example.notes(11AA-22BB)>, running-active-Visible\n)")
private let begin = console(
  "10:00:01.000000", "Notes",
  "Created background task <_UIBackgroundTaskInfo: 0x10a>: taskID = 5, taskName = a, creationTime = 7 (elapsed = 0)."
)
private func end(_ time: String) -> String {
  console(time, "Notes", "Ending background task with UIBackgroundTaskIdentifier: 5")
}

@Suite struct ProcessTests {
  @Test func daemonsAndTheAppAreTiedByProcessId() {
    let text =
      selfReport + begin + daemon("10:00:03.000000", "[\(target)] Suspending task.")
      + daemon("10:00:09.000000", "[\(target)] Resuming task.") + end("10:00:09.500000")
    #expect(
      imported(text, as: .consoleText) == """
        header app_bundle_id=com.example.notes coverage=[bgtask,proc] timestamp_resolution_ns=1000 log_levels=[default,info]
        0s trace.start reason=attach
        1s bgtask.begin token=5 name=a
        3s @0 proc.suspend inferred=false evidence=os_log
        9s @0 proc.resume inferred=false
        9.5s bgtask.end token=5

        """)
  }

  /// A name and a process id tell no two captures of the same running app apart.
  @Test func aRequestWithoutAnIdIsAboutTheOnlyProcessOfItsBundle() {
    let request = daemon(
      "10:00:03.000000",
      "Received termination request from [osservice<com.apple.SpringBoard>:34] on"
        + " <RBSProcessPredicate| app<com.example.notes(11AA-22BB)>> with context"
        + " <RBSTerminateContext| domain:15 code:0xDEAD10CC explanation:locks reportType:CrashLog>")
    let status = daemon("10:00:03.500000", "[\(target)] termination reported by launchd (2, 9, 9)")
    let text = imported(selfReport + begin + request + status, as: .consoleText)
    #expect(text.split(separator: "\n").count { $0.contains(" proc.kill ") } == 1)
    #expect(text.contains("cause=file_lock"))
  }

  /// The kernel keeps sixteen bytes of a name, and libraries that ask it print no more.
  @Test(arguments: [
    ["NotesForIPadAndP", "NotesForIPadAndPhone"], ["NotesForIPadAndPhone", "NotesForIPadAndP"],
  ])
  func aNameThatIsCutOffIsThatOfTheProcess(_ names: [String]) {
    let lines = [
      "Created background task <x: 0x1>: taskID = 5, taskName = a, creationTime = 7 (elapsed = 0).",
      "Ending background task with UIBackgroundTaskIdentifier: 5",
      "Ending background task with UIBackgroundTaskIdentifier: 6",
    ]
    let text = lines.enumerated().map { number, message in
      let name = names[number % 2]
      return "Mar  4 10:00:0\(number).000000 \(name)(UIKitCore)[41] <Notice>: \(message)\n"
    }.joined()
    let result = imported(text, as: .deviceSyslog).split(separator: "\n")
    #expect(result.filter { $0.hasPrefix("header ") }.count == 1)
    #expect(result.first?.contains("app_bundle_id=NotesForIPadAndPhone ") == true)
    // Another name with the same beginning is another process that got the id.
    let other = text.replacingEvery("NotesForIPadAndP(", with: "NotesForIPadAnd(")
    let headers = imported(other, as: .deviceSyslog).split(separator: "\n")
      .filter { $0.hasPrefix("header ") }
    #expect(headers.count > 1)
  }

  @Test func noTraceIdIsMadeUp() {
    let suspension = daemon("10:00:03.000000", "[\(target)] Suspending task.")
    for text in [selfReport + begin, begin, suspension] {
      let header = imported(text, as: .consoleText).split(separator: "\n").first ?? ""
      #expect(header.hasPrefix("header app_bundle_id="), "\(header)")
    }
  }

  @Test func withoutATieTheyStayApart() {
    let text = begin + daemon("10:00:03.000000", "[\(target)] Suspending task.")
    let headers = imported(text, as: .consoleText).split(separator: "\n")
      .filter { $0.hasPrefix("header") }
    #expect(headers.count == 2)
    #expect(headers.first?.contains("app_bundle_id=Notes") == true)
    #expect(headers.last?.contains("app_bundle_id=com.example.notes") == true)
  }

  @Test func whoReportsSeveralAppsIsNoneOfThem() {
    let other = console(
      "10:00:00.100000", "Notes",
      "Received state update for 413 (app<com.example.mail(11AA-22BB)>, running-active-Visible")
    let text =
      selfReport + other + begin + daemon("10:00:03.000000", "[\(target)] Suspending task.")
    #expect(imported(text, as: .consoleText).contains("app_bundle_id=Notes"))
  }

  @Test func eachAppHasItsTraceInOrderOfItsFirstEvent() {
    let text =
      daemon("10:00:00.000000", "[app<com.example.b>:2] Suspending task.")
      + daemon("10:00:01.000000", "[app<com.example.a>:1] Suspending task.")
      + daemon("10:00:02.000000", "[app<com.example.b>:2] Resuming task.")
    #expect(
      events(text) == """
        0s trace.start reason=attach
        0s @0 proc.suspend inferred=false evidence=os_log
        2s @0 proc.resume inferred=false
        0s trace.start reason=attach
        1s @0 proc.suspend inferred=false evidence=os_log

        """)
  }

  @Test(arguments: [
    "[osservice<com.example.sync>:9] Suspending task.",
    "[xpcservice<com.example.sync>:9] Suspending task.",
    "[app<com.apple.mobilesafari>:9] Suspending task.",
    "[daemon<com.example.syncd>:9] Resuming task.",
  ])
  func servicesAreNoApps(_ message: String) {
    #expect(events(daemon("10:00:00.000000", message)).contains("no life-cycle lines"))
  }

  @Test func daemonsOwnTasksAreNotTraced() {
    #expect(
      events(begin.replacingEvery("Notes", with: "SpringBoard")).contains("no life-cycle lines"))
  }

  @Test func theSurestLinesOfSuspensionsAreBelievedAlone() {
    let text =
      daemon("10:00:03.000000", "[\(target)] Suspending task.")
      + springBoard("10:00:03.100000", state("Suspended", "Background"))
      + daemon(
        "10:00:03.150000",
        "Calculated state for app<com.example.notes(11AA)>:412: running-suspended (role: None)")
      + daemon("10:00:09.000000", "[\(target)] Resuming task.")
      + springBoard("10:00:09.100000", state("Running", "Background"))
    #expect(
      events(text) == """
        0s trace.start reason=attach
        0s @0 proc.suspend inferred=false evidence=os_log
        6s @0 proc.resume inferred=false

        """)
  }

  @Test func springBoardAloneTellsSuspensionAndVisibility() {
    let text =
      selfReport
      + console(
        "10:00:00.500000", "Notes",
        "Deactivation reason removed: 5; deactivation reasons: 32 -> 0; animating application lifecycle event: 1"
      )
      + springBoard("10:00:01.000000", state("Running", "Foreground"))
      + springBoard("10:00:02.000000", state("Running", "Background"))
      + springBoard("10:00:03.000000", state("Suspended", "Background"))
      + springBoard("10:00:04.000000", state("Running", "Background"))
      + springBoard("10:00:05.000000", state("Running", "Foreground"))
      + springBoard("10:00:06.000000", "(null)")
    #expect(
      events(text) == """
        0s trace.start reason=attach
        0.5s delegate.did_become_active
        2s delegate.did_enter_background
        3s @0 proc.suspend inferred=false evidence=os_log
        4s @0 proc.resume inferred=false
        5s delegate.will_enter_foreground
        6s @0 proc.kill cause=unknown

        """)
  }

  @Test func oneLineMayTellBackgroundAndSuspension() {
    let text =
      selfReport
      + console(
        "10:00:00.500000", "Notes",
        "Deactivation reason removed: 5; deactivation reasons: 32 -> 0; animating")
      + springBoard("10:00:03.000000", state("Suspended", "Background"))
      + springBoard("10:00:05.000000", state("Running", "Foreground"))
    #expect(
      events(text).hasSuffix(
        """
        3s delegate.did_enter_background
        3s @0 proc.suspend inferred=false evidence=os_log
        5s @0 proc.resume inferred=false
        5s delegate.will_enter_foreground

        """))
  }

  @Test func aLostResumptionIsNotTheAppsFault() {
    let text = selfReport + begin + daemon("10:00:03.000000", "[\(target)] Suspending task.")
    #expect(
      events(text + end("10:00:08.000000")).hasSuffix(
        """
        3s @0 proc.suspend inferred=false evidence=os_log
        8s @0 proc.resume inferred=true
        8s bgtask.end token=5

        """))
    // Within the tolerance the line may be late.
    #expect(!events(text + end("10:00:03.020000")).contains("resume"))
    // A resumption that is told leaves the order as it is logged.
    let told =
      text + end("10:00:08.000000") + daemon("10:00:09.000000", "[\(target)] Resuming task.")
    #expect(
      events(told).hasSuffix(
        """
        8s bgtask.end token=5
        9s @0 proc.resume inferred=false

        """))
  }

  @Test func aResumptionMayBeTheFirstThingSeen() {
    #expect(
      events(daemon("10:00:00.000000", "[\(target)] Resuming task.")).hasSuffix(
        "0s @0 proc.resume inferred=false\n"))
    #expect(
      events(springBoard("10:00:00.000000", state("Running", "Foreground"))).contains(
        "told of launches, rights or states of apps"))
  }

  @Test func handlersThatRanWithoutAnEnd() {
    let text =
      begin
      + console(
        "10:00:28.000000", "Notes",
        "Background task still not ended after expiration handlers were called: <_UIBackgroundTaskInfo: 0x10a>: taskID = 5, taskName = a, creationTime = 7 (elapsed = 26). This app will likely be terminated by the system. Call UIApplication.endBackgroundTask(_:) to avoid this."
      )
    #expect(events(text).contains("\n27s bgtask.expire token=5\n"))
  }

  /// UIKit's line says that the handler was called, and not on which thread.
  @Test func theThreadOfTheLineIsNotTheHandlers() {
    let text =
      "2026-03-04 10:00:00.000000+0100 Notes[412:9001] [BackgroundTask] Background task still not"
      + " ended after expiration handlers were called: <_UIBackgroundTaskInfo: 0x1>: taskID = 5,"
      + " taskName = save, creationTime = 1 (elapsed = 38).\n"
    #expect(imported(text, as: .xcodeConsole).contains("\n0s bgtask.expire token=5\n"))
  }

  @Test func warningsAreRemarks() {
    let text =
      "Background Task 12 (\"sync all\"), was created over 30 seconds ago. In applications running in the background, this creates a risk of termination.\n"
    #expect(
      imported(text, as: .xcodeConsole)
        == """
        header coverage=[bgtask] log_levels=[default]
        0s trace.start reason=attach
        0s bgtask.begin token=12 name="sync all" elapsed_s=30.0
        # capture: UIKit warned in line 1 that background task 12 "sync all" had been open for over 30 s

        """
    )
    // A task whose begin the capture shows isn't begun again; one that was ended is.
    let begun =
      "Created background task <x>: taskID = 12, taskName = a, creationTime = 7 (elapsed = 0).\n"
    let end = "Ending background task with UIBackgroundTaskIdentifier: 12\n"
    #expect(importedEvents(begun + text, as: .xcodeConsole).contains("elapsed_s") == false)
    #expect(importedEvents(begun + end + text, as: .xcodeConsole).contains("elapsed_s=30.0"))
  }

  @Test(
    arguments: [
      ("AppState active", "did_become_active"), ("'AppState', 'active'", "did_become_active"),
      ("AppState changed to background", "did_enter_background"),
      (" LOG  AppState background", "did_enter_background"),
      ("App state: background", "did_enter_background"),
      ("'appState:', 'active'", "did_become_active"), ("AppState inactive", nil),
      ("AppStateManager active", nil), ("AppState of screen 3 active", nil),
      ("AppState activate", nil), ("AppState", nil),
      ("AppState " + String(repeating: "is ", count: 30) + "active", nil),
    ] as [(String, String?)])
  func statesOfReactNative(_ message: String, _ callback: String?) {
    let events = importedEvents(message + "\n", as: .xcodeConsole)
    if let callback {
      #expect(events.hasSuffix("0s delegate.\(callback)\n"))
    } else {
      #expect(!events.contains("delegate."))
    }
  }

  @Test func reactNativesOwnStampNamesNoProcess() {
    let line = "2026-03-01 10:00:0"
    let stamp = " [info][tid:com.facebook.react.JavaScript] "
    let text =
      line + "0.000\(stamp)'AppState', 'active'\n" + line + "2.500 [warn][tid:main][RCTLog.m:1] x\n"
      + line + "4.000\(stamp)'AppState', 'background'\n"
    #expect(
      importedEvents(text, as: .xcodeConsole) == """
        0s trace.start reason=attach
        0s delegate.did_become_active
        4s delegate.did_enter_background

        """)
    #expect(confidence(text, .xcodeConsole) > 60)
    // Behind lines with a process the stamp's clock may be another.
    let prefixed = "2026-03-01 09:00:00.000000+0000 Notes[41:7] AppState active\n" + text
    #expect(
      importedEvents(prefixed, as: .xcodeConsole).hasSuffix("0s delegate.did_enter_background\n"))
  }

  @Test func masksTellActivation() {
    func change(_ time: String, _ word: String, _ reason: Int, _ from: Int, _ to: Int) -> String {
      console(
        time, "Notes",
        "Deactivation reason \(word): \(reason); deactivation reasons: \(from) -> \(to); animating application lifecycle event: 0"
      )
    }
    // An interruption of an app that the capture first sees active.
    #expect(
      events(
        change("10:00:00.000000", "added", 15, 0, 32768)
          + change("10:00:00.001000", "added", 12, 32768, 36864)
          + change("10:00:05.000000", "removed", 12, 36864, 32768)
          + change("10:00:05.001000", "removed", 15, 32768, 0)) == """
          0s trace.start reason=attach
          0s delegate.will_resign_active
          5.001s delegate.did_become_active

          """)
    // A launch: the app was not active before.
    #expect(
      events(
        change("10:00:00.000000", "added", 10, 0, 1024)
          + change("10:00:01.000000", "removed", 10, 1024, 0)) == """
          0s trace.start reason=attach
          1s delegate.did_become_active

          """)
    // The line of the first change is lost.
    #expect(
      events(
        change("10:00:00.000000", "removed", 5, 32, 0)
          + change("10:00:01.000000", "removed", 12, 36864, 32768)
          + change("10:00:02.000000", "removed", 15, 32768, 0)) == """
          0s trace.start reason=attach
          0s delegate.did_become_active
          1s delegate.will_resign_active
          2s delegate.did_become_active

          """)
  }

  @Test func printsOfEnginesAreCallbacks() {
    let text = """
      -> applicationDidBecomeActive()
      -> applicationWillResignActive()
      -> applicationDidEnterBackground()
      -> applicationWillEnterForeground()
      -> applicationDidBecomeActive()
      -> applicationWillTerminate()

      """
    #expect(
      imported(text, as: .xcodeConsole) == """
        header coverage=[] log_levels=[default]
        0s trace.start reason=attach
        0s delegate.did_become_active
        0s delegate.will_resign_active
        0s delegate.did_enter_background
        0s delegate.will_enter_foreground
        0s delegate.did_become_active
        0s delegate.will_terminate

        """)
  }
}
