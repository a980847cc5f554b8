// Every reason to run, held and gone, with the grace to the nanosecond.

import Testing
import TraceLifecycle
import TraceModel

struct MayRunTests {
  /// A reason that begins at 2 s and ends at 20 s of a stay in the background that began at 1 s.
  struct Reason: CustomTestStringConvertible, Sendable {
    var name: String
    var modes = "[]"
    var begin: String
    var end: String
    /// Whether it needs Background App Refresh.
    var needsRefresh = false
    var testDescription: String { name }
  }

  static let reasons: [Reason] = [
    Reason(name: "task", begin: "bgtask.begin token=7", end: "bgtask.end token=7"),
    Reason(
      name: "task as unsigned and number", begin: "bgtask.begin token=7",
      end: "bgtask.end token=7.0"),
    Reason(
      name: "large token", begin: "bgtask.begin token=18446744073709551615",
      end: "bgtask.end token=18446744073709551615"),
    Reason(
      name: "task of UIKit", begin: "bgtask.begin token=9 by=uikit", end: "bgtask.end token=9"),
    Reason(
      name: "playing", modes: "[audio]", begin: "audio.play op=start stream=1",
      end: "audio.play op=stop stream=1", needsRefresh: true),
    Reason(
      name: "recording", modes: "[audio]", begin: "audio.record op=start stream=1",
      end: "audio.record op=stop", needsRefresh: true),
    Reason(
      name: "location", modes: "[location]", begin: "loc.start", end: "loc.stop service=standard",
      needsRefresh: true),
    Reason(
      name: "expiration", begin: ">bgtask.expire token=1", end: "<bgtask.expire token=1"),
    Reason(name: "keep-alive", begin: ">voip.keepalive", end: "<voip.keepalive"),
    Reason(name: "loc.update", begin: ">loc.update", end: "<loc.update"),
    Reason(name: "ea.data", begin: ">ea.data", end: "<ea.data"),
    Reason(name: "bt.data", begin: ">bt.data", end: "<bt.data"),
    Reason(name: "audio.callback", begin: ">audio.callback", end: "<audio.callback"),
    Reason(name: "note.deliver", begin: ">note.deliver name=a", end: "<note.deliver"),
    Reason(name: "delegate", begin: ">delegate.perform_fetch", end: "<delegate.perform_fetch"),
    Reason(
      name: "completion", begin: "delegate.perform_fetch completion_id=4",
      end: "completion.call completion_id=4 result=new_data", needsRefresh: true),
    Reason(
      name: "wake for fetch", begin: ">wake.window id=1 reason=fetch", end: "<wake.window id=1",
      needsRefresh: true),
    Reason(
      name: "wake by accessory", begin: ">wake.window reason=external_accessory",
      end: "<wake.window"),
    Reason(
      name: "refresh task", begin: ">bgsched.run identifier=a kind=refresh",
      end: "bgsched.complete identifier=a success=true"),
    Reason(
      name: "processing task", begin: "bgsched.run identifier=a kind=processing",
      end: "bgsched.expire identifier=a"),
    Reason(name: "call", begin: ">voip.call id=1", end: "<voip.call id=1"),
    Reason(
      name: "assertion", begin: "proc.assertion op=acquire id=x",
      end: "proc.assertion op=invalidate id=x"),
  ]

  @Test("a reason lets the app run while it holds, and 5 s longer", arguments: reasons)
  func holds(_ reason: Reason) {
    let start = Piece.inBackground.replacing(
      "background_modes=[]", with: "background_modes=\(reason.modes)")
    let held = Walk(start + "2s \(reason.begin)\n19s work.sample label=profiler\n")
    #expect(held.mayRun(19))
    let ended = Walk(start + "2s \(reason.begin)\n20s \(reason.end)\n")
    #expect(ended.mayRun(25))
    #expect(!ended.mayRun(25.000000001))
    #expect(ended.model.graceEndNanoseconds() == 25_000_000_000)
  }

  @Test("with refresh off, services and completions don't count", arguments: reasons)
  func refreshOff(_ reason: Reason) {
    let start = Piece.inBackground.replacing(
      "background_modes=[]", with: "background_modes=\(reason.modes) refresh_status=denied")
    let held = Walk(start + "2s \(reason.begin)\n19s work.sample label=profiler\n")
    // The callback that brings a completion is itself a reason, for as long as it is open.
    #expect(held.mayRun(19) == !reason.needsRefresh)
    let changed = Walk(
      start + "2s \(reason.begin)\n3s sys.refresh_changed status=available\n"
        + "19s work.sample label=profiler\n")
    #expect(changed.mayRun(19))
  }

  @Test("without a reason the app may run for 5 s after entering the background")
  func grace() {
    let walk = Walk(Piece.inBackground)
    #expect(walk.model.state == .background)
    #expect(walk.mayRun(6))
    #expect(!walk.mayRun(6.000000001))
    #expect(walk.model.graceEndNanoseconds() == 6_000_000_000)
  }

  @Test("the length of the grace can be set", arguments: [0, 1, 2_000_000_000, -7, Int64.max])
  func graceLength(_ grace: Int64) {
    let (header, batches) = read(Piece.inBackground)
    var model = LifecycleModel(header: header, profile: .ios8, graceNanoseconds: grace)
    for batch in batches {
      for index in 0..<batch.count { model.apply(batch.event(at: index), in: batch) }
    }
    let (end, overflow) = Int64(1_000_000_000).addingReportingOverflow(max(0, grace))
    #expect(model.graceNanoseconds == max(0, grace))
    #expect(model.graceEndNanoseconds() == (overflow ? .max : end))
    #expect(LifecycleModel(header: header, profile: .ios8).graceNanoseconds == 5_000_000_000)
  }

  @Test("a wake-up that begins before the process is started belongs to the launch")
  func wakeBeforeStart() {
    let start = "1s proc.start into=background\n2s delegate.did_finish_launching\n"
    let walk = Walk(Piece.header + "0s >wake.window id=1 reason=location\n" + start)
    #expect(walk.path == "NR LB BG")
    #expect(walk.model.launchCount == 1)
    #expect(walk.model.launch?.isMidLife == false)
    #expect(walk.model.quality.count(of: .tq09) == 0)
    #expect(walk.model.graceEndNanoseconds() == 35_000_000_000)
    let closed = Walk(
      Piece.header + "0s >wake.window id=1 reason=location\n0.5s <wake.window id=1\n" + start)
    #expect(closed.model.graceEndNanoseconds() == 7_000_000_000)
    let killed = Walk(
      Piece.header + "0s proc.start\n0.1s proc.kill\n0.5s >wake.window id=1\n" + start)
    #expect(killed.model.launchCount == 2)
    #expect(killed.model.graceEndNanoseconds() == 35_500_000_000)
  }

  @Test("a callback closes those open on the main thread, whichever it is")
  func namedMainThread() {
    let walk = Walk(
      "0s trace.thread thread=9 is_main=true\n"
        + Piece.inBackground.replacing("delegate.", with: "@9 delegate.")
        .replacing(">@9 ", with: "@9 >").replacing("<@9 ", with: "@9 <")
        + "2s @9 >loc.update\n3s @9 delegate.perform_fetch for 1s\n")
    #expect(walk.model.mainThread == 9)
    #expect(walk.model.graceEndNanoseconds() == 9_000_000_000)
  }

  @Test("outside the background the app may always run")
  func otherStates() {
    for text in [Piece.launch, Piece.launch + Piece.toInactive, "0s proc.start into=background\n"] {
      let walk = Walk(Piece.header + text)
      #expect(walk.mayRun(1e6))
      #expect(walk.model.graceEndNanoseconds() == nil)
    }
  }

  @Test("modes that the header doesn't declare don't count; unknown modes do")
  func modes() {
    let undeclared = Walk(Piece.inBackground + "2s audio.play op=start stream=1\n2s loc.start\n")
    #expect(!undeclared.mayRun(20))
    let unknown = Walk(
      Piece.inBackground.replacing(" background_modes=[]", with: "")
        + "2s audio.play op=start stream=1\n")
    #expect(unknown.mayRun(20))
  }

  @Test("of two overlapping tasks the last end counts")
  func overlap() {
    let walk = Walk(
      Piece.inBackground
        + "2s bgtask.begin token=1\n3s bgtask.begin token=2\n10s bgtask.end token=1\n")
    #expect(walk.mayRun(100))
    let both = Walk(
      Piece.inBackground
        + "2s bgtask.begin token=1\n3s bgtask.begin token=2\n10s bgtask.end token=1\n"
        + "11s bgtask.end token=2\n")
    #expect(both.model.graceEndNanoseconds() == 16_000_000_000)
  }

  @Test("an invalid begin opens nothing, and hidden tokens stay open")
  func oddTokens() {
    let invalid = Walk(Piece.inBackground + "2s bgtask.begin token=0 is_invalid=true\n")
    #expect(!invalid.mayRun(20))
    for token in ["token=\"<private>\"", "", "token=null", "token={\"a\":1}", "token=true"] {
      let hidden = Walk(
        Piece.inBackground + "2s bgtask.begin \(token)\n3s bgtask.end \(token)\n")
      #expect(hidden.mayRun(1e6), "\(token)")
    }
  }

  @Test("a wake-up that nobody ends lasts 30 s of run time")
  func endlessWindow() {
    for text in [">wake.window reason=fetch", "bgsched.run identifier=a kind=refresh"] {
      let walk = Walk(Piece.inBackground + "2s \(text)\n")
      #expect(walk.model.graceEndNanoseconds() == 37_000_000_000)
      let later = Walk(Piece.inBackground + "2s \(text)\n34s bgsched.complete identifier=b\n")
      #expect(later.model.graceEndNanoseconds() == 37_000_000_000)
      #expect(later.mayRun(37))
      #expect(!later.mayRun(37.000000001))
    }
    let processing = Walk(Piece.inBackground + "2s bgsched.run identifier=a kind=processing\n")
    #expect(processing.mayRun(1_000))
  }

  @Test("a suspension ends wake-ups and scheduled tasks, and a resume begins a grace")
  func suspensionEndsWindows() {
    let walk = Walk(
      Piece.inBackground
        + "2s >wake.window\n2s bgsched.run identifier=a kind=processing\n10s proc.suspend\n"
        + "1000s proc.resume\n")
    #expect(walk.model.origin == .woken)
    #expect(walk.mayRun(1_005))
    #expect(!walk.mayRun(1_005.000000001))
  }

  @Test("a wake-up ends at the next life-cycle callback")
  func callbackEndsWindow() {
    let walk = Walk(
      Piece.inBackground + "2s >wake.window\n" + Piece.comeBack + Piece.toBackground)
    let end = walk.model.graceEndNanoseconds() ?? 0
    #expect(end == walk.model.stateSinceNanoseconds + 5_000_000_000)
  }

  @Test("a momentary callback begins the grace anew")
  func momentary() {
    let walk = Walk(Piece.inBackground + "10s loc.update\n")
    #expect(walk.model.graceEndNanoseconds() == 15_000_000_000)
  }

  @Test("the return of one of two nested callbacks leaves the other open")
  func nestedCallbacks() {
    let walk = Walk(
      Piece.inBackground + "2s @5 >loc.update\n3s @6 >loc.update\n4s @6 <loc.update\n")
    #expect(walk.mayRun(1_000))
    let stray = Walk(Piece.inBackground + "2s @5 >loc.update\n4s @6 <loc.update\n")
    #expect(stray.mayRun(1_000))
  }

  @Test("a lost return on the main thread is proven by the next callback")
  func lostReturn() {
    let walk = Walk(
      Piece.inBackground + "2s >loc.update\n3s delegate.perform_fetch for 1s\n")
    #expect(walk.model.graceEndNanoseconds() == 9_000_000_000)
  }

  @Test("tasks belong to their launch")
  func launches() {
    let walk = Walk(
      Piece.inBackground + "2s bgtask.begin token=1\n3s proc.kill\n4s proc.start into=background\n"
        + "5s delegate.did_finish_launching\n")
    #expect(walk.model.launchCount == 2)
    #expect(!walk.mayRun(10.1))
    #expect(walk.mayRun(10))
  }

  @Test("arguments that are absent or of a wrong type are harmless")
  func wrongTypes() {
    var text = Piece.inBackground
    for kind in [
      "bgtask.begin", "bgtask.end", "bgtask.expire", "audio.play", "audio.record", "loc.start",
      "loc.stop", "wake.window", "voip.call", "bgsched.run", "bgsched.expire", "bgsched.complete",
      "completion.call", "proc.assertion", "proc.suspend", "proc.resume", "proc.cpu",
      "trace.thread", "trace.clock_sync", "trace.lost", "trace.start", "state.application",
      "state.time_remaining", "state.refresh_status", "sys.refresh_changed", "work.sample",
      "scene.will_connect", "delegate.perform_fetch", "sys.interruption", "proc.start",
    ] {
      for mark in ["", ">", "<"] {
        for arguments in [
          "", "token=\"x\" op=7 id=[] stream={} reason=1 kind=2 label=3 value=4",
          "token=-1 op=start id=1.5 thread=\"all\" is_main=1 continuous_ns=x uptime_ns=1",
          "continuous_ns=9223372036854775807 uptime_ns=-9223372036854775808 into=1 pid=x",
          "continuous_ns=-9223372036854775808 uptime_ns=9223372036854775807 launch_id=-1",
          "window_ns=-9223372036854775808 cpu_ns=9223372036854775807 seconds=unlimited",
          "inferred=1 is_invalid=2 completion_id=null identifier=3 scene=4 status=5",
        ] {
          text += "+1ms \(mark)\(kind) \(arguments)\n"
        }
      }
    }
    let walk = Walk(text)
    #expect(walk.model.launchCount > 0)
  }

  @Test("more things than can be told apart let the app run until the launch ends")
  func tooMany() {
    for isTask in [true, false] {
      for (count, isBounded) in [(65_536, false), (65_537, true)] {
        var assembler = BatchAssembler()
        var model = Walk(Piece.inBackground).model
        func play(_ kind: EventKind, _ name: ArgumentName, _ op: String) {
          for number in 0..<count {
            assembler.begin(kind, .instant, thread: 1, timeNanoseconds: 2_000_000_000)
            assembler.add(name, .integer(Int64(number)))
            assembler.add(.op, .string(op))
            assembler.endEvent()
            let batch = assembler.batch
            _ = model.apply(batch.event(at: batch.count - 1), in: batch)
            if assembler.isFull {
              var taken = EventBatch()
              assembler.take(into: &taken)
            }
          }
        }
        play(isTask ? .bgtaskBegin : .procAssertion, isTask ? .token : .id, "acquire")
        #expect(model.mayRun(at: 1_000_000_000_000))
        play(isTask ? .bgtaskEnd : .procAssertion, isTask ? .token : .id, "release")
        #expect(model.mayRun(at: 1_000_000_000_000) == isBounded, "\(count)")
      }
    }
  }

  @Test("identifiers are texts or numbers of any length")
  func longIdentifiers() {
    let long = String(repeating: "x", count: 300)
    let walk = Walk(
      Piece.inBackground + "2s proc.assertion op=acquire id=\(long)\n"
        + "3s proc.assertion op=release id=\(long)\n")
    #expect(walk.model.graceEndNanoseconds() == 8_000_000_000)
  }
}
