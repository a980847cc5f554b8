// Suspensions, run time, the watchdog clock, heartbeats and what refutes or confirms a silence.

import Testing
import TraceLifecycle

struct SuspensionTests {
  @Test("neither clock runs while suspended")
  func clocks() {
    let walk = Walk(Piece.inBackground + "2s proc.suspend\n3602s proc.resume\n3603s ui.touch\n")
    #expect(walk.run(3_603) == 3)
    #expect(walk.watchdog(3_603) == 3)
    let inside = Walk(Piece.inBackground + "2s proc.suspend\n")
    #expect(inside.run(500) == 2)
    #expect(inside.watchdog(500) == 2)
    #expect(inside.model.graceEndNanoseconds() == nil)
    #expect(inside.mayRun(500))
    #expect(inside.model.suspension?.startNanoseconds == 2_000_000_000)
    #expect(inside.model.suspension?.isConfirmed == true)
    #expect(walk.model.suspension == nil)
    #expect(walk.model.lastSuspension?.endNanoseconds == 3_602_000_000_000)
    #expect(walk.model.lastSuspension?.endOrdinal == walk.model.stateSinceOrdinal)
  }

  @Test("effects of suspension and return")
  func effects() {
    let walk = Walk(Piece.inBackground + "2s proc.suspend\n3s proc.resume\n" + Piece.comeBack)
    let all = walk.effects.sorted { $0.key < $1.key }.map(\.value)
    #expect(all.count { $0.contains(.backgroundEntered) } == 1)
    #expect(all.count { $0.contains(.suspended) } == 1)
    #expect(all.count { $0.contains(.resumed) } == 1)
    #expect(all.count { $0.contains(.leftBackground) } == 1)
    #expect(walk.model.origin == nil)
  }

  @Test("a callback without a resume ends the suspension")
  func impliedResume() {
    let walk = Walk(Piece.inBackground + "2s proc.suspend\n100s >delegate.will_enter_foreground\n")
    #expect(walk.model.state == .enteringForeground)
    #expect(walk.run(101) == 3)
    #expect(walk.allEffects.contains(.resumed))
    #expect(walk.model.lastSuspension?.endNanoseconds == 100_000_000_000)
  }

  @Test("a kill ends the suspension")
  func killed() {
    let walk = Walk(Piece.inBackground + "2s proc.suspend\n100s proc.kill cause=jetsam\n")
    #expect(walk.model.state == .notRunning)
    #expect(walk.model.suspension == nil)
    #expect(walk.model.lastSuspension?.endNanoseconds == 100_000_000_000)
    #expect(walk.model.launch?.hasEnded == true)
  }

  @Test("silence in the foreground is no suspension; an observed one is adopted")
  func foreground() {
    let inferred = Walk(
      Piece.header + Piece.launch + "5s proc.suspend inferred=true\n9s proc.resume inferred=true\n")
    #expect(inferred.model.state == .active)
    #expect(inferred.run(10) == 10)
    let observed = Walk(Piece.header + Piece.launch + "5s proc.suspend inferred=false\n")
    #expect(observed.model.state == .suspended)
  }

  @Test("a refuted suspension in force never was")
  func refutedInForce() {
    var walk = Walk(
      Piece.inBackground + "2s >wake.window reason=fetch\n3s proc.suspend inferred=true\n")
    #expect(walk.model.suspension?.isInferred == true)
    #expect(walk.model.suspension?.isConfirmed == false)
    #expect(walk.run(10) == 3)
    walk.model.refuteSuspension()
    #expect(walk.model.state == .background)
    #expect(walk.run(10) == 10)
    #expect(walk.model.origin == .entered)
    #expect(walk.model.suspension == nil)
    // The wake-up goes on as well: 30 s from 2 s on, and the grace.
    #expect(walk.model.mayRun(at: 37_000_000_000))
    #expect(!walk.model.mayRun(at: 37_000_000_001))
  }

  @Test("a suspension refuted after its end gives its run time back")
  func refutedAfterwards() {
    var walk = Walk(
      Piece.inBackground + "2s proc.suspend inferred=true\n12s proc.resume inferred=true\n")
    #expect(walk.run(13) == 3)
    walk.model.refuteSuspension()
    #expect(walk.run(13) == 13)
    #expect(!walk.mayRun(13))
    var later = Walk(
      Piece.inBackground + "2s proc.suspend inferred=true\n12s proc.resume inferred=true\n"
        + "13s loc.update\n")
    later.model.refuteSuspension()
    #expect(later.model.graceEndNanoseconds() == 18_000_000_000)
  }

  @Test("a recorded suspension replaces an inferred one in force")
  func upgraded() {
    let text = Piece.inBackground + "2s proc.suspend inferred=true\n3s proc.suspend\n"
    var walk = Walk(text)
    let last = walk.effects.keys.max() ?? 0
    #expect(walk.effects[last] == [.suspended, .suspensionConfirmed])
    #expect(walk.model.suspension?.isInferred == false)
    #expect(walk.model.suspension?.isConfirmed == true)
    #expect(walk.model.suspension?.startNanoseconds == 3_000_000_000)
    #expect(walk.model.suspension?.startOrdinal == last)
    #expect(walk.run(10) == 2)
    walk.model.refuteSuspension()
    #expect(walk.model.state == .suspended)
    let resumed = Walk(text + "9s proc.resume\n")
    #expect(resumed.run(10) == 3)
    let again = Walk(text + "4s proc.suspend\n5s proc.suspend inferred=true\n")
    #expect(again.model.suspension == walk.model.suspension)
    #expect(again.effects[last + 1] == [])
    #expect(again.effects[last + 2] == [])
  }

  @Test("a prewarmed process that is suspended twice was suspended from the first time on")
  func prewarmedTwice() {
    let walk = Walk(
      "header os_version=16.0\n0s proc.start reason=prewarm\n1s proc.suspend inferred=true\n"
        + "5s proc.suspend\n9s proc.resume\n")
    #expect(walk.run(10) == 2)
  }

  @Test("the resume of a refuted suspension begins no grace")
  func resumeOfRefuted() {
    var walk = Walk(Piece.inBackground + "2s proc.suspend inferred=true\n")
    walk.model.refuteSuspension()
    walk.apply("12s proc.resume inferred=true\n")
    #expect(walk.model.origin == .entered)
    #expect(!walk.mayRun(12.5))
    #expect(walk.run(13) == 13)
    // Only this one resume is none, and no recorded one.
    var second = walk
    second.apply("20s proc.resume inferred=true\n")
    #expect(second.model.origin == .woken)
    #expect(second.mayRun(25))
    for resume in ["12s proc.resume\n", "12s proc.suspend\n13s proc.resume inferred=true\n"] {
      var other = Walk(Piece.inBackground + "2s proc.suspend inferred=true\n")
      other.model.refuteSuspension()
      other.apply(resume)
      #expect(other.model.origin == .woken, "\(resume)")
    }
  }

  @Test("what is heard while an inferred suspension stands counts once it is refuted")
  func heardWhileInferred() {
    var walk = Walk(
      Piece.inBackground + Self.beats + "3s proc.suspend inferred=true\n100s work.dispatch\n"
        + "100.5s work.dispatch\n")
    #expect(walk.model.needsEveryEvent)
    walk.model.refuteSuspension()
    #expect(walk.run(101) == 101)
    let observed = Walk(Piece.inBackground + "3s proc.suspend\n")
    #expect(!observed.model.needsEveryEvent)
  }

  @Test("an observed suspension can't be refuted")
  func notRefutable() {
    var walk = Walk(Piece.inBackground + "2s proc.suspend\n")
    walk.model.refuteSuspension()
    #expect(walk.model.state == .suspended)
    var nothing = Walk(Piece.inBackground)
    nothing.model.refuteSuspension()
    #expect(nothing.model.state == .background)
  }

  @Test("uptime or CPU time that stood still confirms an inferred suspension")
  func confirmation() {
    let silence = "2s proc.suspend inferred=true\n102s proc.resume inferred=true\n"
    let syncs = (
      "1.5s trace.clock_sync continuous_ns=1500000000 uptime_ns=1500000000\n",
      "102.1s trace.clock_sync continuous_ns=102100000000 uptime_ns=3100000000\n"
    )
    let slept = Walk(Piece.inBackground + syncs.0 + silence + syncs.1)
    #expect(slept.model.lastSuspension?.isConfirmed == true)
    #expect(slept.allEffects.contains(.suspensionConfirmed))
    #expect(slept.model.launch?.wasLockedOrSlept == true)
    let awake = Walk(
      Piece.inBackground + syncs.0 + silence
        + "102.1s trace.clock_sync continuous_ns=102100000000 uptime_ns=102100000000\n")
    #expect(awake.model.lastSuspension?.isConfirmed == false)
    #expect(!awake.allEffects.contains(.suspensionConfirmed))
    let idle = Walk(
      Piece.inBackground + silence + "103s proc.cpu cpu_ns=1000 window_ns=102000000000\n")
    #expect(idle.model.lastSuspension?.isConfirmed == true)
    for cpu in [
      "cpu_ns=90000000000 window_ns=102000000000", "cpu_ns=1000 window_ns=50000000000",
      "cpu_ns=1000 window_ns=102000000000 thread=3", "cpu_ns=x window_ns=102000000000", "",
    ] {
      let unknown = Walk(Piece.inBackground + silence + "103s proc.cpu \(cpu)\n")
      #expect(unknown.model.lastSuspension?.isConfirmed == false, "\(cpu)")
    }
  }

  // MARK: Sleep

  static func sync(_ continuous: Int, _ uptime: Int) -> String {
    "\(continuous)s trace.clock_sync continuous_ns=\(continuous)000000000 "
      + "uptime_ns=\(uptime)000000000\n"
  }

  @Test("sleep outside suspensions is no run time, but watchdog time")
  func sleep() {
    let walk = Walk(Piece.inBackground + Self.sync(2, 2) + Self.sync(102, 12))
    #expect(walk.run(103) == 13)
    #expect(walk.watchdog(103) == 103)
  }

  @Test("sleep that fits into a suspension is taken to lie there")
  func sleepInSuspension() {
    let inside = Walk(
      Piece.inBackground + Self.sync(2, 2) + "3s proc.suspend\n93s proc.resume\n"
        + Self.sync(102, 22))
    #expect(inside.run(103) == 13)
    let more = Walk(
      Piece.inBackground + Self.sync(2, 2) + "3s proc.suspend\n93s proc.resume\n"
        + Self.sync(102, 7))
    #expect(more.run(103) == 8)
  }

  @Test("on an uptime clock sleep has no length, and that is said")
  func uptimeClock() {
    var walk = Walk(
      Piece.inBackground.replacing("header", with: "header clock_kind=uptime") + "5s ui.touch\n")
    #expect(walk.run(5) == 5)
    walk.model.endTrace(lastNanoseconds: 5_000_000_000)
    #expect(walk.model.quality.count(of: .tq05) == 1)
    var synced = Walk(
      Piece.inBackground.replacing("header", with: "header clock_kind=uptime") + Self.sync(2, 2)
        + "102s trace.clock_sync continuous_ns=202000000000 uptime_ns=102000000000\n")
    #expect(synced.run(103) == 103)
    synced.model.endTrace(lastNanoseconds: 103_000_000_000)
    #expect(synced.model.quality.count(of: .tq05) == 0)
  }

  // MARK: Heartbeats

  static let beats = (0..<5).map { "\(2 + Double($0) / 4)s work.sample label=heartbeat\n" }
    .joined()

  @Test("silence of more than four heartbeats in the background is no run time")
  func silence() {
    let walk = Walk(Piece.inBackground + Self.beats)
    #expect(walk.model.needsEveryEvent)
    #expect(walk.run(4) == 4)
    #expect(walk.run(4.000000001) == 3)
    let after = Walk(Piece.inBackground + Self.beats + "100s x.anything\n101s work.dispatch\n")
    #expect(after.run(101) == 4)
    #expect(after.watchdog(101) == 101)
    #expect(after.model.state == .background)
  }

  @Test("slow heartbeats allow longer silence")
  func slowBeats() {
    let walk = Walk(
      Piece.inBackground + "2s work.sample label=heartbeat\n12s work.sample label=heartbeat\n")
    #expect(walk.run(52) == 52)
    #expect(walk.run(52.000000001) == 12)
  }

  @Test("one heartbeat, or samples of a profiler, say nothing about silence")
  func fewBeats() {
    let one = Walk(Piece.inBackground + "2s work.sample label=heartbeat\n")
    #expect(one.run(100) == 100)
    #expect(one.model.hasSuspendOrHeartbeat)
    let profiler = Walk(
      Piece.inBackground + "2s work.sample label=profiler\n2.1s work.sample label=profiler\n")
    #expect(profiler.run(100) == 100)
    #expect(!profiler.model.hasSuspendOrHeartbeat)
    #expect(!profiler.model.needsEveryEvent)
  }

  @Test("silence in the foreground is run time")
  func foregroundSilence() {
    let walk = Walk(Piece.inBackground + Self.beats + Piece.comeBack + "100s ui.touch\n")
    #expect(!walk.model.needsEveryEvent)
    #expect(walk.run(100) == 100)
  }

  @Test(
    "the tolerance is 50 ms or twice the resolution",
    arguments: [
      ("", 50_000_000), ("timestamp_resolution_ns=1000000", 50_000_000),
      ("timestamp_resolution_ns=1000000000", 2_000_000_000),
      ("timestamp_resolution_ns=-5", 50_000_000),
      ("timestamp_resolution_ns=9223372036854775807", Int64.max),
    ])
  func tolerance(_ field: String, _ expected: Int64) {
    let walk = Walk("header os_version=8.0 \(field)\n" + Piece.launch)
    #expect(walk.model.suspensionToleranceNanoseconds == expected)
  }
}
