// What happens to an app at once, for which reasons it runs, and for what the phone kills it.

import Testing
import TraceModel
import TraceSimulator

struct OverlapTests {
  private func life(
    _ script: String, on profile: SystemProfile, parts: [AppPartName] = [], seed: UInt64 = 1
  ) throws -> LifeSink {
    var sink = LifeSink()
    let scenario = try ScenarioText.parse(script)
    Simulation(seed: seed, profile: profile, parts: parts, scenario: scenario).run(into: &sink)
    return sink
  }

  private func delegateCalls(_ sink: LifeSink) -> [String] {
    sink.lines.filter { $0.hasPrefix("delegate.") && !$0.hasSuffix("<") }
  }

  private let launch = ["delegate.will_finish_launching", "delegate.did_finish_launching"]

  @Test func aLockDuringAnInterruptionIsNoSecondResigning() throws {
    let found = try life(
      "0s open\n2s interruption phone_call begins\n1s lock\n10s unlock", on: .ios8)
    #expect(
      delegateCalls(found)
        == launch + [
          "delegate.did_become_active", "delegate.will_resign_active",
          "delegate.did_enter_background", "delegate.will_enter_foreground",
          "delegate.did_become_active",
        ])
    // The interruption ends when the screen is unlocked, before the app comes back.
    let end = try #require(found.lines.firstIndex(of: "sys.interruption<"))
    let back = try #require(found.lines.firstIndex(of: "delegate.will_enter_foreground"))
    #expect(end < back)
  }

  @Test func anInterruptionOfTheSwitcherLeavesTheAppInactive() throws {
    let found = try life(
      "0s open\n2s switcher open\n1s interruption siri begins\n1s switcher close\n"
        + "1s touch\n1s interruption ends dismissed\n1s touch", on: .ios8)
    #expect(
      delegateCalls(found)
        == launch + [
          "delegate.did_become_active", "delegate.will_resign_active",
          "delegate.did_become_active",
        ])
    #expect(found.lines.filter { $0 == "ui.touch" }.count == 1)
  }

  @Test func anAppThatIsLeftUnderAnInterruptionStaysInTheBackground() throws {
    let found = try life(
      "0s open\n2s interruption system_alert begins\n1s home\n1s interruption ends dismissed",
      on: .ios8)
    #expect(delegateCalls(found).last == "delegate.did_enter_background")
  }

  @Test func aPushReachesAnAppUnderAnInterruption() throws {
    let found = try life(
      "0s open\n2s interruption system_alert begins\n1s wake remote_notification\n20s wait",
      on: .ios8, parts: [.push])
    #expect(delegateCalls(found).last == "delegate.did_receive_remote_notification")
    #expect(found.lines.contains("completion.call"))
    #expect(found.states == ["inactive", "inactive"])
  }

  @Test func aPushComesDuringAFetch() throws {
    let found = try life(
      "0s open\n2s home\n30s wake fetch\n120ms wake remote_notification\n60s wait",
      on: .ios8, parts: [.fetch, .push])
    #expect(found.lines.filter { $0 == "wake.window" }.count == 1)
    #expect(found.lines.filter { $0 == "completion.call" }.count == 2)
    #expect(found.states == ["inactive", "background"])
  }

  @Test(arguments: [
    ("audio", SystemProfile.ios8, AppPartName.player, "1s touch 30\n1s home\n20min reclaim"),
    ("voip_socket", .ios8, .calls, "2s home\n20s reclaim"),
    ("keepalive", .ios8, .calls, "2s home\n20s reclaim"),
    ("external_accessory", .ios8, .accessory, "2s home\n20s reclaim"),
    ("bluetooth_central", .ios8, .bluetooth, "2s home\n20s reclaim"),
    ("bluetooth_peripheral", .ios8, .peripheral, "2s home\n20s reclaim"),
    ("pushkit", .ios13, .calls, "2s home\n20s reclaim"),
    ("bg_scheduler", .scene, .scheduler, "2s home\n20s reclaim"),
    ("location", .ios8, .navigator, "2s home\n20s reclaim"),
  ])
  func anEventLaunchesTheAppAgain(
    _ reason: String, _ profile: SystemProfile, _ part: AppPartName, _ script: String
  ) throws {
    let found = try life(
      "0s open\n\(script)\n1s wake \(reason)\n1s wait", on: profile, parts: [part])
    #expect(found.starts == ["user_icon", reason])
  }

  @Test func aPrewarmedAppIsLaunchedByItsUser() throws {
    let found = try life("0s prewarm\n500s memory-warning\n9s open\n1s wait", on: .scene)
    #expect(found.starts == ["prewarm"])
    let opened = try #require(found.lines.firstIndex(of: "sys.user_launch"))
    let main = try #require(found.lines.firstIndex(of: "proc.main"))
    #expect(opened < main)
    #expect(!found.lines.contains("delegate.did_receive_memory_warning"))
    #expect(try life("0s prewarm\n9s open", on: .ios8).starts == ["user_icon"])
  }

  @Test func aURLComesBeforeTheAppIsActiveAgain() throws {
    let found = try life("0s open\n2s home\n20s open open_url", on: .ios8)
    #expect(
      delegateCalls(found).suffix(3) == [
        "delegate.will_enter_foreground", "delegate.open_url", "delegate.did_become_active",
      ])
    let scene = try life("0s open\n2s home\n20s open open_url", on: .scene)
    #expect(!scene.lines.contains("delegate.open_url"))
  }

  @Test func aReminderIsShownAndOpened() throws {
    let found = try life(
      "0s open\n2s home\n2min open local_notification", on: .ios8, parts: [.reminders])
    let fired = try #require(found.lines.firstIndex(of: "localnote.fire"))
    let told = try #require(
      found.lines.firstIndex(of: "delegate.did_receive_local_notification"))
    #expect(fired < told)
    let soon = try life("0s open\n5s home\n2s wait", on: .ios8, parts: [.reminders])
    #expect(!soon.lines.contains("localnote.fire"))
  }

  @Test func aTurnedOffDeviceStartsAnew() throws {
    let found = try life("0s open\n2s shutdown\n60s open", on: .ios8)
    #expect(found.starts == ["user_icon", "user_icon"])
    let exit = try #require(found.lines.firstIndex(of: "proc.exit"))
    let boot = try #require(found.lines.firstIndex(of: "sys.boot"))
    #expect(exit < boot)
    #expect(found.lines.contains("sys.first_unlock"))
  }

  @Test func aDownloadThatIsTooLongEndsInItsHandler() throws {
    let handler = [
      "bgtask.expire", "state.time_remaining", "work.span<", "bgtask.end", "bgtask.expire<",
    ]
    var count = 0
    for seed in UInt64(1)...40 {
      let lines = try life(
        "0s open\n1s touch 30\n1s home\n120s wait", on: .ios13, parts: [.downloads], seed: seed
      ).lines
      for place in lines.indices where lines[place] == "bgtask.expire" {
        count += 1
        #expect(Array(lines[place...].prefix(handler.count)) == handler, "seed \(seed)")
      }
    }
    #expect(count > 0)
  }

  @Test func musicStopsForACallAndGoesOn() throws {
    var count = 0
    for seed in UInt64(1)...20 {
      let lines = try life(
        "0s open\n1s touch 30\n100ms interruption phone_call dismissed 5s\n100ms wait",
        on: .ios8, parts: [.player], seed: seed
      ).lines
      let calls = lines.indices.filter { lines[$0] == "audio.interruption" }
      guard !calls.isEmpty else { continue }
      count += 1
      // A stop and the end of the session inside the first one, a start inside the second.
      #expect(calls.map { lines[$0 + 1] } == ["audio.play", "audio.session"], "seed \(seed)")
    }
    #expect(count > 0)
  }

  @Test(arguments: [
    ("fetch-not-completed", "watchdog", Int64(0x2182_bad4)),
    ("session-overdue", "watchdog", 0x2182_bad3),
    ("call-not-reported", "watchdog", 0xbaad_ca11),
    ("lock-held", "file_lock", 0xdead_10cc),
    ("expiration-ignored", "bgtask_expired", 0x8bad_f00d),
    ("entry-slow", "watchdog", 0x8bad_f00d),
    ("launch-slow", "watchdog", 0x8bad_f00d),
    ("end-slow", "watchdog", 0x8bad_f00d),
    ("database-held", "shared_resource", 0),
    ("draws-in-background", "gpu_in_background", 0),
    ("busy-in-background", "cpu_limit", 0),
  ])
  func thePhoneKillsForWhatItForbids(_ name: String, _ cause: String, _ code: Int64) throws {
    let fault = try #require(Fault.all.first { $0.name == name })
    var sink = LifeSink()
    try Simulation(fault: fault).run(into: &sink)
    #expect(sink.kills == ["\(cause) \(code)"])
  }

  @Test func everyFaultExpectsItsOwnRuleAndHasANameOfItsOwn() {
    #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
    for fault in Fault.all { #expect(fault.expected.first?.rule == fault.rule) }
  }
}

/// Keeps the names of events, and some of what they say.
private struct LifeSink: TraceSink {
  var lines: [String] = []
  /// Why each process was started.
  var starts: [String] = []
  /// What each process was killed for, with the code.
  var kills: [String] = []
  /// What the app read as its state.
  var states: [String] = []

  mutating func begin(_ header: TraceHeader) {}

  mutating func consume(_ batch: EventBatch) {
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      lines.append(batch.name(of: event.kind) + (event.phase == .return ? "<" : ""))
      switch event.kind {
      case .procStart: starts.append(batch.text(.reason, of: event) ?? "")
      case .procKill:
        let cause = batch.text(.cause, of: event) ?? ""
        kills.append("\(cause) \(batch.integer(.code, of: event) ?? 0)")
      case .stateApplication: states.append(batch.text(.value, of: event) ?? "")
      default: break
      }
    }
  }

  mutating func end() {}
}
