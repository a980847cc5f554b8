// Starts in mid-life, gaps, lost returns, illegal transitions, prewarming and several launches.

import Testing
import TraceLifecycle
import TraceModel

struct LifeTests {
  // MARK: Start of the trace

  @Test("what may come before the first start of a process")
  func beforeStart() {
    let walk = Walk(
      "0s trace.start reason=launch\n0s sys.boot\n0s priv.auth kind=location\n"
        + "0s localnote.fire id=1\n0s exit.import category=x\n0s x.unknown\n"
        + "1s proc.start pid=12\n")
    #expect(walk.path == "NR LF")
    #expect(walk.model.launch?.isMidLife == false)
    #expect(walk.model.launch?.pid == 12)
    #expect(walk.model.launchCount == 1)
    #expect(walk.model.quality.count(of: .tq09) == 0)
  }

  @Test(
    "any other first event begins in mid-life",
    arguments: [
      "work.dispatch", "ui.touch", "bgtask.begin token=1", "proc.footprint bytes=1", "proc.suspend",
      "trace.start reason=attach", "trace.start reason=resume_of_recording",
    ])
  func midLife(_ event: String) {
    let walk = Walk("header background_modes=[audio]\n0s sys.boot\n1s \(event)\n")
    #expect(walk.model.launch?.isMidLife == true)
    #expect(walk.model.launch?.number == 1)
    #expect(walk.model.launch?.startNanoseconds == nil)
    #expect(walk.allEffects.isSuperset(of: [.midLife, .launchBegan]))
    #expect(walk.model.quality.count(of: .tq09) == 1)
    #expect(walk.model.mayHideReasons == (event != "proc.suspend"))
    #expect(walk.model.state == (event == "proc.suspend" ? .suspended : .unknown))
  }

  @Test(
    "a suspension shows that the app had no reason to run, unless one doesn't keep it from it",
    arguments: [
      ("background_modes=[audio]", "proc.suspend", false),
      ("background_modes=[]", "proc.suspend inferred=true", true),
      ("background_modes=[audio,location]", "proc.suspend", true), ("", "proc.suspend", true),
      (
        "background_modes=[audio]",
        "proc.suspend inferred=true\n2s proc.suspend", false
      ),
    ])
  func hiddenReasons(_ field: String, _ event: String, _ mayHide: Bool) {
    let walk = Walk(
      "header os_version=8.0 \(field)\n0s trace.start reason=attach\n1s \(event)\n")
    #expect(walk.model.mayHideReasons == mayHide)
  }

  @Test("attaching first and then seeing a start makes two launches")
  func attachThenStart() {
    let walk = Walk("0s trace.start reason=attach\n1s proc.start\n")
    #expect(walk.path == "NR UN LF")
    #expect(walk.model.launchCount == 2)
    #expect(walk.effects[1]?.isSuperset(of: [.launchEnded, .launchBegan, .stateChanged]) == true)
  }

  @Test(
    "what fixes an unknown state",
    arguments: [
      (">delegate.did_become_active", "AC"), ("<delegate.did_become_active", "UN"),
      ("delegate.did_become_active", "AC"),
      (">delegate.will_resign_active", "UN"), ("<delegate.will_resign_active", "IN"),
      ("delegate.will_resign_active", "IN"),
      (">delegate.did_enter_background", "UN"), ("<delegate.did_enter_background", "BG"),
      ("delegate.did_enter_background", "BG"),
      (">delegate.will_enter_foreground", "EF"), ("<delegate.will_enter_foreground", "UN"),
      ("proc.suspend", "SU"), ("proc.suspend inferred=true", "SU"), ("proc.resume", "BG"),
      ("state.application value=active", "AC"), ("state.application value=inactive", "UN"),
      ("state.application value=background", "BG"), ("state.application value=7", "UN"),
      ("delegate.did_finish_launching", "UN"), (">delegate.will_terminate", "TM"),
      ("ui.touch", "UN"),
    ])
  func resynchronisation(_ event: String, _ state: String) {
    for start in ["0s trace.start reason=attach\n", Piece.launch + "1s trace.lost count=1\n"] {
      let walk = Walk(Piece.header + start + "2s \(event)\n")
      #expect(walk.model.state.symbol == state, "\(start)")
    }
  }

  @Test("an inactive sample fixes the state only where the lock is known")
  func lockedSample() {
    let start = "0s trace.start reason=attach\n"
    let sample = "2s state.application value=inactive\n"
    #expect(Walk(start + "1s sys.unlock\n" + sample).model.state == .inactive)
    #expect(Walk(start + "1s sys.lock\n" + sample).model.state == .unknown)
    #expect(Walk(start + "1s sys.lock\n2s sys.unlock\n").model.isLockKnown)
  }

  @Test("samples don't move a known state")
  func sampleInKnownState() {
    let walk = Walk(Piece.launch + "1s state.application value=background\n")
    #expect(walk.model.state == .active)
  }

  // MARK: Gaps

  @Test("lost events make the state unknown and mark the launch")
  func gap() {
    let walk = Walk(Piece.launch + "1s sys.lock\n2s trace.lost count=5\n")
    #expect(walk.model.state == .unknown)
    #expect(walk.model.launch?.hasGap == true)
    #expect(!walk.model.isLocked)
    #expect(!walk.model.isLockKnown)
    #expect(walk.model.mayHideReasons)
    #expect(walk.allEffects.contains(.gap))
    #expect(walk.model.quality.count(of: .tq08) == 1)
    let resumed = Walk(Piece.launch + "2s trace.start reason=resume_of_recording\n")
    #expect(resumed.path == "NR LF AC UN")
    #expect(resumed.allEffects.isSuperset(of: [.gap, .midLife]))
    #expect(resumed.model.launchCount == 1)
  }

  @Test("a gap that only sequence numbers show")
  func sequenceGap() {
    var walk = Walk(Piece.launch)
    let (_, batches) = read("5s ui.touch\n")
    let effects = walk.model.noteLoss(before: batches[0].event(at: 0))
    #expect(effects == [.gap, .stateChanged])
    #expect(walk.model.state == .unknown)
    #expect(walk.model.quality.count(of: .tq08) == 1)
  }

  @Test(
    "an event outside of callbacks proves that a return was lost",
    arguments: [
      ("ui.touch", "UN"), ("delegate.perform_fetch", "UN"), ("scene.will_connect", "UN"),
      ("@2 ui.touch", "EB"), ("delegate.open_url", "EB"), ("note.deliver", "EB"),
      ("work.span", "EB"), ("bgtask.begin token=1", "EB"), ("proc.suspend", "SU"),
      ("delegate.will_enter_foreground", "IN"), ("delegate.did_become_active", "AC"),
    ])
  func lostReturn(_ event: String, _ state: String) {
    let walk = Walk(
      Piece.header + Piece.launch + Piece.toInactive + "+1ms >delegate.did_enter_background\n"
        + "+1s \(event)\n")
    #expect(walk.model.state.symbol == state)
  }

  // MARK: Illegal transitions

  @Test(
    "after a transition that isn't allowed the model adopts what the event implies",
    arguments: [
      (Piece.enter, "NR LF AC EB BG"),
      ("+1s delegate.will_enter_foreground for 1ms\n", "NR LF AC EF IN"),
      ("+1s delegate.did_become_active for 1ms\n", "NR LF AC"),
      (
        Piece.toInactive + "+1ms >delegate.will_resign_active\n+1ms <delegate.will_resign_active\n",
        "NR LF AC RA IN RA IN"
      ),
      (
        "+1ms >delegate.will_resign_active\n" + Piece.enter + "+1ms <delegate.will_resign_active\n",
        "NR LF AC RA EB BG"
      ),
      ("+1s <delegate.did_enter_background\n", "NR LF AC"),
      ("+1s delegate.will_terminate\n+1s delegate.did_become_active", "NR LF AC TM AC"),
    ])
  func illegal(_ events: String, _ path: String) {
    #expect(Walk(Piece.launch + events).path == path)
  }

  @Test("a line per callback counts as enter and return, and an echo changes nothing")
  func instants() {
    let walk = Walk(
      Piece.launch + "1s delegate.will_resign_active\n2s delegate.did_enter_background\n")
    #expect(walk.path == "NR LF AC IN BG")
    #expect(walk.model.origin == .entered)
    let echoed = Walk(
      Piece.inBackground + "3s delegate.did_enter_background\n4s proc.suspend\n")
    #expect(echoed.model.lastSuspension == nil)
    #expect(echoed.effects.values.count { $0.contains(.backgroundEntered) } == 1)
    let inside = Walk(
      Piece.launch + Piece.toInactive
        + "1s >delegate.did_enter_background\n1.1s delegate.did_enter_background\n")
    #expect(inside.model.state == .enteringBackground)
    #expect(
      Walk(Piece.inBackground + "3s delegate.did_enter_background\n")
        .model.graceEndNanoseconds() == 8_000_000_000)
  }

  @Test("nothing but a start follows a recorded end", arguments: ["proc.kill", "proc.exit"])
  func afterTheEnd(_ end: String) {
    let ended = Piece.launch + "1s \(end)\n"
    for late in [
      ">delegate.did_become_active", "<delegate.did_become_active", "delegate.will_terminate",
      "delegate.did_finish_launching", "delegate.perform_fetch", "work.dispatch", "proc.suspend",
      "proc.resume", "state.application value=active", end,
    ] {
      let walk = Walk(ended + "1.1s \(late)\n")
      #expect(walk.path == "NR LF AC NR", "\(late)")
      #expect(walk.model.launchCount == 1, "\(late)")
      #expect(walk.effects.filter { $0.key > 5 }.allSatisfy { $0.value == [] }, "\(late)")
      let next = Walk(ended + "1.1s \(late)\n2s proc.start\n3s delegate.did_become_active\n")
      #expect(next.path == "NR LF AC NR LF AC", "\(late)")
      #expect(next.model.launchCount == 2, "\(late)")
    }
    let scene = Walk(
      SceneTests.header + SceneTests.launch + "1s \(end)\n1.1s >scene.did_become_active scene=a\n")
    #expect(scene.path == "NR LF AC NR")
  }

  @Test(
    "where the start of the next process may have been missed, a callback shows that it lives",
    arguments: [
      ("1s trace.end\n1.1s trace.start reason=attach", "NR LF AC UN AC", 1),
      ("1s proc.kill\n1.1s trace.start reason=attach", "NR LF AC NR UN AC", 2),
      ("1s proc.kill\n1.1s trace.start reason=resume_of_recording", "NR LF AC NR UN AC", 2),
      ("1s proc.kill\n1.1s trace.lost count=5", "NR LF AC NR UN AC", 2),
    ])
  func afterTheEndUnseen(_ events: String, _ path: String, _ launches: Int) {
    let walk = Walk(Piece.launch + events + "\n2s >delegate.did_become_active\n")
    #expect(walk.path == path)
    #expect(walk.model.launchCount == launches)
    #expect(walk.allEffects.contains(.midLife))
  }

  // MARK: Launches

  @Test("a new start ends the launch under way")
  func implicitEnd() {
    let (header, batches) = read(Piece.launch + "5s proc.start launch_id=2\n")
    var model = LifecycleModel(header: header, profile: .ios8)
    let batch = batches[0]
    for index in 0..<batch.count {
      let event = batch.event(at: index)
      #expect(model.endsLaunch(event, in: batch) == (index == batch.count - 1))
      _ = model.apply(event, in: batch)
    }
    #expect(model.launchCount == 2)
    #expect(model.launch?.startNanoseconds == 5_000_000_000)
    #expect(model.stateSinceNanoseconds == 5_000_000_000)
  }

  @Test("launch numbers that don't rise are counted as overlap, and the later start counts")
  func overlap() {
    let walk = Walk("0s proc.start launch_id=2\n1s proc.start launch_id=2 into=background\n")
    #expect(walk.model.quality.count(of: .tq07) == 1)
    #expect(walk.path == "NR LF LB")
    let rising = Walk("0s proc.start launch_id=1\n1s proc.start launch_id=2\n2s proc.start\n")
    #expect(rising.model.quality.count(of: .tq07) == 0)
    #expect(rising.model.launchCount == 3)
  }

  @Test("a reboot ends the launch and starts the clocks anew")
  func reboot() {
    let walk = Walk(
      "100s proc.start\n101s delegate.did_become_active\n3s proc.start into=background\n"
        + "4s delegate.did_finish_launching\n")
    #expect(walk.model.launchCount == 2)
    #expect(walk.model.launch?.startNanoseconds == 3_000_000_000)
    #expect(walk.mayRun(9))
    #expect(!walk.mayRun(9.000000001))
  }

  // MARK: Flags and expirations

  @Test("the flags beside the state")
  func flags() {
    let walk = Walk(
      Piece.launch
        + "1s sys.lock\n1s >sys.interruption\n2s >sys.interruption\n3s <sys.interruption\n")
    #expect(walk.model.isLocked)
    #expect(walk.model.isInterrupted)
    let over = Walk(
      Piece.launch + "1s >sys.interruption\n2s <sys.interruption\n3s <sys.interruption\n")
    #expect(!over.model.isInterrupted)
    let locked = Walk(Piece.launch + "1s sys.lock\n" + Piece.toBackground + "+1s sys.unlock\n")
    #expect(locked.model.launch?.wasLockedOrSlept == true)
    let before = Walk(Piece.launch + "1s sys.lock\n2s sys.unlock\n" + Piece.toBackground)
    #expect(before.model.launch?.wasLockedOrSlept == false)
  }

  @Test("the main thread is the one the trace names")
  func mainThread() {
    #expect(Walk("0s trace.thread thread=7 is_main=true\n").model.mainThread == 7)
    #expect(Walk("0s @9 trace.thread is_main=true\n").model.mainThread == 9)
    #expect(Walk("0s trace.thread thread=7 is_main=false\n").model.mainThread == 1)
  }

  @Test(
    "or else that of the program's main function, or the first, whoever makes callbacks",
    arguments: [
      ("1s @5 >delegate.did_finish_launching", 1), ("1s @5 >proc.main", 5),
      ("1s @5 proc.main for 1s\n2s trace.thread thread=7 is_main=true", 7),
      ("1s trace.thread thread=7 is_main=true\n2s @5 proc.main for 1s", 7),
      ("1s @5 >proc.main\n2s proc.kill\n3s proc.start", 1),
      ("1s @5 delegate.did_become_active\n2s trace.thread thread=7 is_main=true", 7),
      ("1s trace.thread thread=7 is_main=true\n2s @5 delegate.did_become_active", 7),
    ])
  func unnamedMainThread(_ events: String, _ thread: Int64) {
    #expect(Walk("0s proc.start\n" + events + "\n").model.mainThread == thread)
  }

  @Test(
    "expiration handlers where none can be",
    arguments: [
      (Piece.launch + "1s bgtask.expire token=1\n", 1),
      (Piece.inBackground + "2s bgtask.expire token=1\n", 0),
      (Piece.inBackground + "2s bgtask.end token=1\n2.1s bgtask.expire token=1\n", 0),
      (Piece.inBackground + "2s bgtask.end token=1\n2.100000001s >bgtask.expire token=1\n", 1),
      (
        Piece.inBackground
          + "2s bgtask.end token=1\n2s bgtask.begin token=1\n9s bgtask.expire token=1\n", 0
      ),
      (
        Piece.inBackground
          + "2s state.time_remaining seconds=unlimited\n3s bgtask.expire token=1\n", 1
      ),
      (
        Piece.inBackground + "2s state.time_remaining seconds=170.5\n3s bgtask.expire token=1\n", 0
      ),
    ])
  func expirations(_ text: String, _ count: Int) {
    #expect(Walk(text).model.quality.count(of: .tq06) == count)
  }

  // MARK: Prewarming

  @Test(
    "a prewarmed process is launched when main has run and the user asks",
    arguments: [
      ("1s proc.main\n9s sys.user_launch", 9.0),
      ("5s sys.user_launch\n9s proc.main", 9.0),
      ("1s proc.main\n8s >delegate.open_url\n9s sys.user_launch", 8.0),
      ("7s sys.user_launch\n9s delegate.did_finish_launching", 7.0),
      ("3s scene.will_enter_foreground scene=a", 3.0),
    ])
  func prewarm(_ events: String, _ start: Double) {
    let walk = Walk("header os_version=16.0\n0s proc.start reason=prewarm\n" + events + "\n")
    #expect(walk.path == "NR UN LF")
    #expect(walk.model.launch?.startNanoseconds == Int64(start * 1e9))
    #expect(walk.model.launch?.into == .foreground)
    #expect(walk.model.launch?.isPrewarmed == true)
    #expect(walk.allEffects.contains(.prewarmLaunched))
  }

  @Test("before that it is neither launch nor background")
  func prewarmWaits() {
    let start = "header os_version=16.0\n0s proc.start reason=prewarm into=background\n"
    let walk = Walk(
      start + "1s proc.main\n2s state.application value=background\n3s proc.suspend\n")
    #expect(walk.path == "NR UN")
    #expect(walk.model.launch?.into == nil)
    #expect(walk.model.launch?.startNanoseconds == nil)
    #expect(walk.mayRun(100))
    let unasked = Walk(start + "5s >delegate.did_become_active\n")
    #expect(unasked.path == "NR UN AC")
    #expect(unasked.model.launch?.startNanoseconds == nil)
  }
}

struct KindTests {
  @Test("the kinds that the model must see")
  func kinds() {
    for description in Vocabulary.kinds {
      let isHeard = LifecycleModel.kinds.contains(description.kind)
      // A marker says nothing of the life cycle.
      if description.kind == .traceMarker {
        #expect(!isHeard)
        continue
      }
      switch description.namespace {
      case "trace", "delegate", "bgtask", "scene", "completion": #expect(isHeard)
      case "gl", "metal", "file", "net", "mem", "localnote": #expect(!isHeard)
      default: break
      }
    }
    #expect(!LifecycleModel.kinds.contains(EventKind(rawValue: EventKind.firstUnknownNumber)))
    #expect(!LifecycleModel.kinds.contains(EventKind(rawValue: 254)))
  }
}
