// What is measured of a life, on small timelines with round numbers.

import Testing
import TraceLifecycle
import TraceModel

struct LifeMeterTests {
  /// The measures of a timeline, without states and what tells of launches.
  private static func measures(_ text: String) -> [LifeMeasure] {
    all(text).filter {
      switch $0.subject {
      case .state, .launched, .foreground: false
      default: true
      }
    }
  }

  private static func all(_ text: String) -> [LifeMeasure] {
    let (header, batches) = read(text)
    var model = LifecycleModel(
      header: header, profile: ProfileSelection(header: header).profile)
    var meter = LifeMeter()
    var last: Int64 = 0
    for batch in batches {
      for index in 0..<batch.count {
        let event = batch.event(at: index)
        last = event.timeNanoseconds
        guard LifecycleModel.kinds.contains(event.kind) || model.needsEveryEvent else { continue }
        let effects = model.apply(event, in: batch)
        meter.note(event, in: batch, model, effects)
      }
    }
    meter.finish(lastNanoseconds: last)
    return meter.takeMeasures()
  }

  private static func durations(_ text: String) -> [String] {
    measures(text).compactMap { measure in
      guard case .duration(let duration) = measure.subject else { return nil }
      return "\(duration.rawValue) \(Double(measure.durationNanoseconds) / 1e9)"
    }
  }

  private static func causes(_ text: String) -> [TerminationCause] {
    measures(text).compactMap { measure in
      if case .termination(let cause, _, _) = measure.subject { cause } else { nil }
    }
  }

  private static let header = "header os_version=8.0 sdk_linked=8.0 background_modes=[]\n"
  private static let launch = """
    \(header)0s proc.start into=foreground
    +100ms delegate.did_finish_launching for 300ms
    +400ms delegate.did_become_active for 1ms

    """
  private static let away =
    launch + """
      +1s delegate.will_resign_active for 1ms
      +1s >delegate.did_enter_background
      +500ms <delegate.did_enter_background

      """

  @Test func whatIsMeasuredBelongsToALaunch() {
    let text =
      Self.away + """
        +1s proc.kill cause=jetsam
        +5s proc.start into=foreground
        +100ms delegate.did_finish_launching for 300ms
        +400ms delegate.did_become_active for 1ms
        +1s proc.kill cause=crash

        """
    let found = Self.measures(text).map { measure -> String in
      switch measure.subject {
      case .duration(let duration): "\(duration.word) \(measure.launch)"
      case .termination(let cause, _, _): "\(cause.rawValue) \(measure.launch)"
      default: "other"
      }
    }
    #expect(found == ["launch 1", "enter_background 1", "jetsam 1", "launch 2", "crash 2"])
    let states = Self.all(text).compactMap { measure -> String? in
      guard case .state(let state) = measure.subject else { return nil }
      return "\(state.word) \(measure.launch)"
    }
    #expect(states.first == "launching_foreground 1")
    #expect(states.contains("background 1") && states.contains("not_running 1"))
    #expect(states.last == "active 2")
  }

  @Test func aLaunchLastsUntilTheAppIsActive() {
    #expect(Self.durations(Self.launch) == ["launch 0.5"])
  }

  @Test func everythingIsOfItsLaunch() {
    let text = """
      \(Self.away)+9s proc.start into=background reason=fetch
      +100ms delegate.did_finish_launching for 300ms
      +2s proc.kill cause=jetsam
      +1s proc.start into=foreground reason=user_icon
      +100ms delegate.did_finish_launching for 300ms
      +1s delegate.did_become_active for 1ms
      """
    let told = Self.all(text).compactMap { measure -> String? in
      let milliseconds = measure.timeNanoseconds / 1_000_000
      switch measure.subject {
      case .launched(let reason, let start):
        let begin = start.map { String($0 / 1_000_000) } ?? "before"
        return "\(measure.launch) launched \(reason.rawValue) \(begin)"
      case .foreground: return "\(measure.launch) foreground \(milliseconds)"
      case .duration(let duration): return "\(measure.launch) \(duration.word)"
      case .termination(let cause, _, _): return "\(measure.launch) \(cause.rawValue)"
      default: return nil
      }
    }
    for wanted in [
      "1 launched unknown 0", "1 launch", "1 foreground 500", "1 enter_background",
      "1 unrecorded", "2 launched fetch 12000", "2 launch", "2 jetsam",
      "3 launched user_icon 15100", "3 launch", "3 foreground 16200",
    ] {
      #expect(told.filter { $0 == wanted }.count == 1, "\(wanted): \(told)")
    }
    #expect(!told.contains { $0.hasPrefix("2 foreground") })
  }

  @Test func anInterruptedLaunchLastsUntilItsMethodReturned() {
    let text = """
      \(Self.header)0s proc.start into=foreground
      +100ms >delegate.did_finish_launching
      +100ms @9 >sys.interruption kind=phone_call
      +200ms <delegate.did_finish_launching
      +9s @9 <sys.interruption
      +100ms delegate.did_become_active for 1ms
      """
    #expect(Self.durations(text) == ["launch 0.4"])
  }

  @Test func aLaunchIntoTheBackground() {
    let text = """
      \(Self.header)0s proc.start into=background reason=fetch
      +100ms delegate.did_finish_launching for 300ms
      +2.3s proc.suspend inferred=false
      """
    #expect(Self.durations(text) == ["launch 0.4", "backgroundRun 2.0", "suspendLatency 2.0"])
  }

  @Test func aLaunchThatTheWatchdogEnds() {
    let text = Self.header + "0s proc.start into=foreground\n+20s proc.kill cause="
    #expect(Self.durations(text + "watchdog") == ["launch 20.0"])
    #expect(Self.durations(text + "jetsam").isEmpty)
  }

  @Test func aStayInTheBackgroundWithATask() {
    let text =
      Self.away + """
        +0s bgtask.begin token=1
        +3s bgtask.end token=1
        +1s proc.suspend inferred=false
        +60s proc.resume inferred=false
        +2s proc.suspend inferred=false
        +1s proc.kill cause=jetsam
        """
    #expect(
      Self.durations(text) == [
        "launch 0.5", "enterBackground 0.5", "backgroundTask 3.0", "backgroundRun 4.0",
        "suspendLatency 1.0", "backgroundRun 2.0", "suspendLatency 2.0",
      ])
    #expect(Self.causes(text) == [.jetsam])
  }

  @Test func timeSuspendedIsNoTimeOfATask() {
    let text =
      Self.away + """
        +0s bgtask.begin token=1
        +1s proc.suspend inferred=false
        +60s proc.resume inferred=false
        +1s bgtask.end token=1
        """
    #expect(Self.durations(text).contains("backgroundTask 2.0"))
  }

  @Test func timeInTheForegroundIsNoTimeOfATask() {
    let entry = """
      +1s >delegate.did_enter_background
      +500ms <delegate.did_enter_background

      """
    let begun = Self.launch + "+1s bgtask.begin token=1\n+400s trace.marker text=a\n"
    #expect(!Self.durations(begun + "+1s bgtask.end token=1").contains { $0.hasPrefix("back") })
    // The count runs from the return of the callback, as the rule's does.
    #expect(
      Self.durations(begun + entry + "+3s bgtask.end token=1").contains("backgroundTask 3.0"))
  }

  @Test func everyStayCountsAnew() {
    let back = """
      +100s delegate.will_enter_foreground for 1ms
      +10ms delegate.did_become_active for 1ms
      +50s >delegate.did_enter_background
      +1s <delegate.did_enter_background
      +20s bgtask.end token=1
      """
    let tasks = { (text: String) in
      Self.durations(text).filter { $0.hasPrefix("backgroundTask") }
    }
    // Without a suspension nobody knows whether the app ran until it was back.
    #expect(tasks(Self.away + "+0s bgtask.begin token=1\n" + back) == ["backgroundTask 20.0"])
    let slept = """
      +0s bgtask.begin token=1
      +2s proc.suspend inferred=false
      +9s proc.resume inferred=false

      """
    #expect(tasks(Self.away + slept + back) == ["backgroundTask 102.0", "backgroundTask 20.0"])
  }

  @Test func timeInServiceIsNoTimeOfATask() {
    let text = """
      header os_version=8.0 sdk_linked=8.0 background_modes=[audio]
      0s proc.start into=foreground
      +100ms delegate.did_finish_launching for 300ms
      +400ms delegate.did_become_active for 1ms
      +1s bgtask.begin token=1
      +1s >delegate.did_enter_background
      +500ms <delegate.did_enter_background
      +2s audio.play op=start stream=1
      +300s audio.play op=stop stream=1
      +10s bgtask.end token=1
      """
    #expect(Self.durations(text).contains("backgroundTask 12.0"))
    let undeclared = text.replacing("[audio]", with: "[]")
    #expect(Self.durations(undeclared).contains("backgroundTask 312.0"))
  }

  @Test func aTaskForWhichTheProcessWasKilled() {
    let text = Self.away + "+0s bgtask.begin token=1\n+180s proc.kill cause="
    #expect(Self.durations(text + "bgtask_expired").contains("backgroundTask 180.0"))
    #expect(!Self.durations(text + "jetsam").contains { $0.hasPrefix("backgroundTask") })
  }

  @Test func runsAreNotMeasuredWhereSuspensionsAreNotRecorded() {
    let text = Self.away + "+900s delegate.will_enter_foreground for 1ms\n"
    #expect(Self.durations(text) == ["launch 0.5", "enterBackground 0.5"])
  }

  @Test func nothingIsMeasuredAcrossAGap() {
    let text =
      Self.launch + """
        +1s bgtask.begin token=1
        +1s >delegate.did_enter_background
        +1s trace.lost count=5
        +1s <delegate.did_enter_background
        +1s bgtask.end token=1
        """
    #expect(Self.durations(text) == ["launch 0.5"])
    #expect(Self.measures(text).contains { $0.subject == .lostEvents(count: 5) })
    let set = text.replacing("count=5", with: "count=0")
    #expect(Self.durations(set) == ["launch 0.5"])
    #expect(!Self.measures(set).contains { $0.subject == .lostEvents(count: 1) })
  }

  @Test func terminationsCountOnce() {
    let kill = Self.launch + "+1s proc.kill cause=crash\n"
    #expect(Self.causes(kill) == [.crash])
    #expect(Self.causes(kill + "+0s proc.kill cause=jetsam\n") == [.crash])
    #expect(Self.causes(kill + "+1s proc.start into=foreground\n") == [.crash])
    let exit = Self.launch + "+1s proc.exit by=app\n"
    #expect(Self.causes(exit) == [.exit])
    #expect(Self.causes(exit + "+0s proc.kill cause=crash\n") == [.crash])
    #expect(Self.causes(Self.launch + "+9s proc.start into=foreground\n") == [.unrecorded])
    #expect(Self.causes(Self.launch + "+1s proc.kill code=2343432205\n") == [.watchdog])
    #expect(Self.causes(Self.launch).isEmpty)
  }

  @Test func aTerminationLastsUntilItsReturn() {
    let text =
      Self.launch + """
        +1s delegate.will_terminate for 700ms
        +1s proc.exit by=uikit_after_will_terminate
        """
    #expect(Self.durations(text) == ["launch 0.5", "terminate 0.7"])
    #expect(Self.causes(text) == [.exitAfterWillTerminate])
  }

  @Test func statesAddUpToTheTrace() {
    let text = Self.away + "+2s proc.suspend inferred=false\n+60s proc.kill cause=jetsam\n"
    let states = Self.all(text).compactMap { measure -> String? in
      guard case .state(let state) = measure.subject else { return nil }
      return "\(state.word) \(Double(measure.durationNanoseconds) / 1e9)"
    }
    #expect(
      states == [
        "launching_foreground 0.5", "active 1.0", "resigning 0.001", "inactive 0.999",
        "entering_background 0.5", "background 2.0", "suspended 60.0",
      ])
  }

  @Test func theWallClockIsToldWhereItIsRead() {
    let text =
      Self.header + """
        0s trace.start reason=launch wall_ns=1400000000000000000
        +1s trace.clock_step old_wall_ns=1400000001000000000 new_wall_ns=1500000000000000000
        """
    #expect(
      Self.measures(text).map(\.subject) == [
        .wallClock(nanoseconds: 1_400_000_000_000_000_000),
        .wallClock(nanoseconds: 1_500_000_000_000_000_000),
      ])
  }
}
