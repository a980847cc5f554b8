// Messages of daemons, of the kernel and of frameworks, in the format of idevicesyslog.

import Testing
import TraceImport

private func line(_ second: Int, _ process: String, _ message: String) -> String {
  "Mar  4 10:00:\(second < 10 ? "0" : "")\(second) phone \(process) <Notice>: \(message)\n"
}

private func app(_ second: Int, _ message: String) -> String {
  line(second, "Notes(UIKitCore)[412]", message)
}

private func daemon(_ second: Int, _ message: String) -> String {
  line(second, "assertiond[65]", message)
}

private func events(_ text: String) -> [Substring] {
  importedEvents(text, as: .deviceSyslog).split(separator: "\n").dropFirst().map { $0 }
}

/// A line by which the app is known.
private let known = app(0, "Ending background task with UIBackgroundTaskIdentifier: 4")
private let target = "[app<com.example.notes(0A)>:412]"

@Suite struct MessageTests {
  private func acquire(_ second: Int, _ identifier: String, reason: String) -> String {
    line(
      second, "runningboardd(RunningBoard)[31]",
      "Acquiring assertion targeting \(target) from originator \(target) with description <RBSAssertionDescriptor| \"save\" ID:\(identifier) target:412 attributes:[\n\t<RBSLegacyAttribute| requestedReason:\(reason) reason:\(reason) flags:( A )>,\n\t]>"
    )
  }

  /// A web view runs in processes of its own, whose names hold the app that shows it.
  @Test(arguments: [
    "Calculated state for xpcservice<com.apple.WebKit.WebContent([app<com.example.notes((null))>:412])>{vt hash: 7}[uuid:73F7]: running-suspended (role: None)",
    "Calculated state for xpcservice<com.apple.WebKit.GPU(app<com.example.notes(0A)>:412)>: none (role: None)",
    "[xpcservice<com.apple.WebKit.WebContent([app<com.example.notes(0A)>:412])>:500] Suspending task.",
  ])
  func aProcessOfAWebViewIsNotTheApp(message: String) {
    #expect(events(known + line(3, "runningboardd(RunningBoard)[31]", message)) == events(known))
  }

  @Test func assertionsOfBackgroundTasks() {
    let text =
      acquire(0, "31-412-7", reason: "FinishTask")
      + acquire(1, "31-412-8", reason: "FinishTask") + acquire(2, "31-412-9", reason: "ViewService")
      + line(
        3, "runningboardd[31]", "Invalidating assertion 31-412-7 (target:\(target)) from \(target)")
      + line(
        4, "runningboardd[31]", "Invalidating assertion 31-412-9 (target:\(target)) from \(target)")
      + line(5, "runningboardd[31]", "Assertion did invalidate due to timeout: 31-412-8")
      + line(6, "runningboardd[31]", "Assertion did invalidate due to timeout: 31-412-8")
    #expect(
      events(text) == [
        "0s @0 proc.assertion op=acquire id=\"31-412-7\" name=save reason=FinishTask",
        "1s @0 proc.assertion op=acquire id=\"31-412-8\" name=save reason=FinishTask",
        "3s @0 proc.assertion op=release id=\"31-412-7\"",
        "5s @0 proc.assertion op=invalidate id=\"31-412-8\"",
      ])
  }

  /// The older half is forgotten where there are more: the lines that end them are lost.
  @Test(arguments: [4_096, 4_097]) func manyAssertions(_ count: Int) {
    let text = (0..<count).map { acquire(0, "31-412-\($0)", reason: "FinishTask") }.joined()
    let first = line(
      1, "runningboardd[31]", "Invalidating assertion 31-412-0 (target:\(target)) from \(target)")
    #expect(events(text + first).count == count + (count > 4_096 ? 0 : 1))
  }

  @Test func expiredTasksOfOldSystems() {
    let past =
      "Forcing crash report with description: Notes:412 has active assertions beyond permitted time: {(\n\t<BKProcessAssertion: 0x1; \"save\" "
    #expect(
      events(known + daemon(1, past + "(finishTask:180s); id:9>\n)}")).dropFirst()
        == [
          "1s @0 proc.kill cause=bgtask_expired description=\"Notes:412 has active assertions beyond permitted time: {( <BKProcessAssertion: 0x1; \\\"save\\\" (finishTask:180s); id:9> )}\" allowance_s=180.0"
        ])
    #expect(
      events(
        known
          + daemon(
            1,
            past
              + "(permittedBackgroundDuration: 40.000000 reason: finishTaskAfterBackgroundContentFetching)>"
          )
      ).dropFirst().first?.hasSuffix(
        "(permittedBackgroundDuration: 40.000000 reason: finishTaskAfterBackgroundContentFetching)>\" allowance_s=40.0"
      ) == true)
    #expect(
      events(known + daemon(1, past + "(backgroundDownload:30s)>")).dropFirst()
        == ["1s @0 proc.kill cause=unknown"])
  }

  @Test func namesInBracketsAreNoBundles() {
    #expect(
      events(known + daemon(1, "[Notes:412] Port death watcher fired.")).dropFirst()
        == ["1s @0 proc.kill cause=unknown"])
    #expect(events(known + daemon(1, "[Mail:413] Port death watcher fired.")).count == 1)
    #expect(
      events(known + daemon(1, "[com.example.notes:412] Port death watcher fired.")).count == 2)
  }

  @Test(arguments: [
    (
      "memorystatus: killing_specific_process pid 412 [Notes] (per-process-limit 10) 1400000KB",
      " description=\"per-process-limit 10\""
    ),
    ("4711.125 memorystatus: killing_idle_process pid 412 [Notes]", ""),
    (
      "memorystatus: Notes [412] exceeded mem limit: ActiveHard 50 MB (fatal)",
      " description=\"exceeded mem limit: ActiveHard 50 MB (fatal)\""
    ),
    (
      "Process Notes [412] killed by jetsam reason per-process-limit",
      " description=per-process-limit"
    ),
  ])
  func memoryKillsOfKnownApps(_ message: String, _ words: String) {
    let kernel = line(1, "kernel[0]", message)
    #expect(events(known + kernel).dropFirst() == ["1s @0 proc.kill cause=jetsam\(words)"])
    // Daemons are ended for memory all the time.
    #expect(imported(kernel, as: .deviceSyslog).contains("no life-cycle lines"))
    let other = app(0, "Ending background task with UIBackgroundTaskIdentifier: 4")
      .replacingFirst("Notes(", with: "Mail(")
    #expect(events(other + kernel).count == 1)
  }

  @Test func printsOfACrashAreToldWithTheSystemsSignal() {
    let print = app(1, "***** Fatal JavaScript exception - application has been terminated. *****")
    let words = " description=\"Fatal JavaScript exception\""
    #expect(events(known + print).dropFirst() == ["1s proc.kill cause=crash\(words)"])
    let caught = app(1, "NativeScript caught signal 11.")
    #expect(
      events(known + print + caught).dropFirst()
        == ["1s proc.kill signal=11 cause=crash\(words)"])
    let exited = line(
      1, "runningboardd[31]",
      "\(target) Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:signal(2) code:SIGABRT(6)>>."
    )
    #expect(
      events(known + print + exited).dropFirst()
        == ["1s proc.kill signal=6 cause=crash namespace=SIGNAL\(words)"])
  }

  @Test(arguments: [
    ("Abort trap: 6", "signal=6 cause=crash namespace=SIGNAL"),
    ("Trace/BPT trap: 5", "signal=5 cause=crash namespace=SIGNAL"),
    ("Killed: 9", "signal=9 cause=unknown namespace=SIGNAL"),
  ])
  func launchd(_ status: String, _ arguments: String) {
    #expect(
      events(
        line(
          0, "com.apple.xpc.launchd[1] (UIKitApplication:com.example.notes[0x1a][65])",
          "Service exited due to signal: \(status)")) == ["0s @0 proc.kill \(arguments)"])
    #expect(
      events(
        line(
          0, "com.apple.xpc.launchd[1] (com.example.daemon)",
          "Service exited due to signal: \(status)")
      ).isEmpty)
  }

  /// Whichever of the two lines about one end comes first, the process is one.
  @Test func launchdNamesTheProcessId() {
    let launchd = line(
      1, "com.apple.xpc.launchd[1] (UIKitApplication:com.example.notes[0x1a2b][412])",
      "Service exited due to signal: Killed: 9")
    let kernel = line(
      1, "kernel[0]",
      "memorystatus: killing_specific_process pid 412 [Notes] (per-process-limit 10) 1400000KB")
    let end: [Substring] = ["1s @0 proc.kill cause=jetsam description=\"per-process-limit 10\""]
    for text in [known + launchd + kernel, known + kernel + launchd] {
      #expect(events(text).dropFirst() == end[...])
      #expect(imported(text, as: .deviceSyslog).contains("app_bundle_id=com.example.notes "))
    }
    // A process that no other line shows.
    let first = line(0, "Notes(UIKitCore)[412]", "nothing")
    #expect(events(first + launchd + kernel).count == 1)
    #expect(events(first + launchd + kernel).first?.contains("cause=jetsam") == true)
  }

  @Test func sharedFileLocks() {
    #expect(
      events(
        line(
          0, "runningboardd[31]",
          "BUG IN CLIENT OF RunningBoard: RunningBoard terminated \(target) because it was suspended while holding a shared file lock /a/b"
        )) == [
          "0s @0 proc.kill cause=file_lock code=3735883980 description=\"RunningBoard terminated [app<com.example.notes(0A)>:412] because it was suspended while holding a shared file lock /a/b\""
        ])
  }

  @Test func taskStatesOfFrontBoard() {
    let text =
      line(0, "SpringBoard(FrontBoard)[50]", "\(target) Setting process task state to: Suspended")
      + line(9, "SpringBoard(FrontBoard)[50]", "\(target) Setting process task state to: Running")
    #expect(
      events(text) == [
        "0s @0 proc.suspend inferred=false evidence=os_log", "9s @0 proc.resume inferred=false",
      ])
  }

  @Test func printsOfUnity() {
    let text =
      app(0, "-> applicationDidFinishLaunching()") + app(1, "-> applicationDidBecomeActive()")
      + app(2, "-> applicationDidReceiveMemoryWarning()")
    #expect(
      events(text) == [
        "0s delegate.did_finish_launching", "1s delegate.did_become_active",
        "2s delegate.did_receive_memory_warning",
      ])
  }

  /// With a module, with folders, without words, and as old systems and programs for release say.
  @Test(arguments: [
    ("Notes/Main.swift:12: Fatal error: Index out of range", "Index out of range"),
    ("/Users/a/Notes/Main.swift:1: Fatal error", "Fatal error"),
    ("app/Main.swift:7: Precondition failed: no notes", "no notes"),
    ("Main.swift:7: Assertion failed", "Assertion failed"),
    (
      "Fatal error: Index out of range: file Notes/Main.swift, line 12",
      "Index out of range: file Notes/Main.swift, line 12"
    ),
    (
      "Fatal error: Unexpectedly found nil while unwrapping an Optional value",
      "Unexpectedly found nil"
    ),
  ])
  func faultsOfSwift(_ message: String, _ words: String) {
    let kill = events(known + app(1, message)).last.map { String($0) } ?? ""
    #expect(kill.hasPrefix("1s proc.kill cause=crash description="), "\(kill)")
    #expect(kill.contains(words))
    let bare = imported(message + "\n", as: .xcodeConsole)
    #expect(bare.contains("proc.kill cause=crash"), "\(bare)")
    #expect(bare.contains("the app crashed; a crash is no violation"))
  }

  @Test func scenesAreWarnedOfOnce() {
    let warning = "`UIScene` lifecycle will soon be required. More of it."
    #expect(
      imported(app(0, warning) + app(1, warning), as: .deviceSyslog)
        == "# capture: UIKit warned in line 1 that it will require the life cycle of scenes, which the app doesn't use\n"
    )
    #expect(imported(warning, as: .xcodeConsole).contains("UIKit warned in line 1"))
  }

  @Test func whatIsNoEventStaysOut() {
    let text =
      daemon(0, "[Notes:412] setpriority success for resource GPU to PRIO_DARWIN_GPU_DENY")
      + daemon(1, "Sending background permission expiration warning!")
      + line(2, "runningboardd[31]", "\(target) Set Darwin GPU to \"deny\"")
      + line(3, "runningboardd[31]", "Assertions for process will expire soon: \(target)")
      + line(
        4, "SpringBoard[50]",
        "Received trusted open application request for \"com.example.notes\" from <FBProcess: 0x1; locationd; pid: 8>."
      )
      + line(
        5, "SpringBoard[50]",
        "Executing suspended-activation immediately: OpenApplication(com.example.notes)ForRequester(locationd.8)"
      )
      + app(6, "'Sync changed', 'background'")
    #expect(
      imported(text, as: .deviceSyslog)
        == "# eventless: no line tells what an app did; 6 of 7 lines of assertiond and others told of launches, rights or states of apps\n"
    )
  }
}

@Suite struct DeviceLineTests {
  private func header(_ text: String) -> Substring {
    imported(text, as: .deviceSyslog).split(separator: "\n")[0]
  }

  private let end = "Ending background task with UIBackgroundTaskIdentifier: 4"

  @Test(arguments: [
    ("Mar  4 10:00:00 phone Notes[412] <Notice>: ", "Notes"),
    ("Mar  4 10:00:00 phone My Notes(UIKit)[412] <Notice>: ", "\"My Notes\""),
    ("Mar  4 10:00:00.123456 My Notes(UIKit)[412] <Notice>: ", "\"My Notes\""),
    ("Mar  4 10:00:00.123456 notes (R14)(UIKit)[412] <Debug>: ", "\"notes (R14)\""),
    ("Mar  4 10:00:00 notes (R14)(UIKit)[412] <Debug>: ", "\"notes (R14)\""),
    ("Mar  4 10:00:00 phone notes (R14)[412] <Debug>: ", "\"notes (R14)\""),
    ("Mar 14 10:00:00 phone Notes[412] <User Action>: ", "Notes"),
    ("Mar 14 10:00:00 phone B\\M-C\\M-<cher[412] <Notice>: ", "\"Bücher\""),
    (
      "Mar 14 10:00:00 phone Notes[412] <Notice>: 2026-03-14 10:00:00 -0400 Notes[412]: ", "Notes"
    ),
    (
      "Mar 14 10:00:00 phone Notes[412] <Notice>: 2026-03-14 10:00:00.125 Notes[412:1a2b] ", "Notes"
    ),
  ])
  func columns(_ prefix: String, _ name: String) {
    let text = prefix + end + "\n"
    #expect(confidence(text, .deviceSyslog) > 60)
    #expect(header(text).contains("app_bundle_id=\(name) "), "\(header(text))")
    #expect(imported(text, as: .deviceSyslog).contains("bgtask.end token=4"))
  }

  @Test func oneLineWithoutHostShowsThatThereIsNone() {
    let text =
      "Mar  4 10:00:00 Mail[7] <Notice>: x\nMar  4 10:00:00 My Notes[412] <Notice>: \(end)\n"
    #expect(header(text).contains("app_bundle_id=\"My Notes\""))
  }

  @Test func encodedApostrophes() {
    let text =
      "Mar  4 10:00:00 phone Notes[412] <Error>: Can\\M-b\\M^@\\M^Yt end BackgroundTask: no background task exists with identifier 5 (0x5)\n"
    #expect(imported(text, as: .deviceSyslog).contains("bgtask.end token=5 refused=true"))
  }

  @Test func newYear() {
    let text =
      "Dec 31 23:59:59.500000 Notes[412] <Notice>: Created background task <x>: taskID = 4, taskName = a, creationTime = 1\n"
      + "Jan  1 00:00:00.500000 Notes[412] <Notice>: \(end)\n"
    #expect(imported(text, as: .deviceSyslog).hasSuffix("1s bgtask.end token=4\n"))
  }

  @Test func linesOfOtherToolsDontJoinMessages() {
    let text =
      "[iOSLog] [IOS_SYSLOG_ROW] Mar  4 10:00:00 phone Notes[412] <Notice>: Created background task <x>: taskID = 4,\n12 iOSLog creationTime = 1\n[iOSLog] [IOS_SYSLOG_ROW] taskName = a, creationTime = 1\n"
    #expect(imported(text, as: .deviceSyslog).hasSuffix("bgtask.begin token=4 name=a\n"))
  }
}

@Suite struct ObjectTests {
  private func object(_ message: String) -> String {
    "{\"timestamp\":\"2026-03-04 10:00:00.000000+0100\",\"processImagePath\":\"\\/a\\/Notes\",\"processID\":412,\"eventMessage\":\"\(message)\"}"
  }

  private let end = "Ending background task with UIBackgroundTaskIdentifier: 4"

  @Test func brokenObjectsTakeNoOthersWithThem() {
    let cut = String(object("a \\\"").dropLast(20))
    let text = cut + "\n" + object(end) + "\n{\"a\":}\n[1,2}\n}}\n" + object("x") + "\n"
    #expect(imported(text, as: .logJSON).hasSuffix("0s bgtask.end token=4\n"))
    #expect(imported(text, as: .logJSON, pieceBytes: 3).hasSuffix("0s bgtask.end token=4\n"))
  }

  @Test(arguments: [131_072, 131_073]) func longObjects(_ count: Int) {
    let padding = String(repeating: "x", count: count - object(end + " ").utf8.count)
    let text = object(end + " " + padding) + "\n" + object(end) + "\n"
    #expect(text.utf8.firstIndex(of: 10)?.utf16Offset(in: text) == count)
    for pieceBytes in [Int.max, 1000] {
      let result = imported(text, as: .logJSON, pieceBytes: pieceBytes)
      #expect(result.contains("0s bgtask.end token=4\n"))
      #expect(result.contains("# skipped: a line is longer") == (count > 131_072))
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 86_400_000, Int64.max]) func millisecondsOfAllSizes(
    _ value: Int64
  ) {
    let text =
      "{\"timestamp\":\(value),\"level\":\"ALL\",\"message\":\"Mar  4 10:00:00 phone Notes[412] <Notice>: \(end)\"}"
    #expect(imported(text, as: .appium).hasSuffix("0s bgtask.end token=4\n"))
  }

  @Test func otherEventsAreNoMessages() {
    let text = object(end).replacingFirst("{", with: "{\"eventType\":\"activityCreateEvent\",")
    #expect(imported(text, as: .logJSON).contains("no life-cycle lines"))
    let typed = object(end).replacingFirst("{", with: "{\"eventType\":\"logEvent\",")
    #expect(imported(typed, as: .logJSON).contains("bgtask.end"))
  }

  @Test func deepNestingIsSkipped() {
    let deep = String(repeating: "[", count: 100_000)
    let text = "{\"a\":\(deep)\n" + object(end) + "\n"
    #expect(imported(text, as: .logJSON).contains("bgtask.end token=4"))
  }
}
