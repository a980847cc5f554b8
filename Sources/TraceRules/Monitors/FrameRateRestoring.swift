// Whether a frame rate that was lowered for an interruption is raised after it.
// Hand-written: each rate is compared with the one before it.

import TraceLifecycle
import TraceModel

/// Follows the frame rate that the app asks for through interruptions.
final class FrameRateRestoring: Monitor {
  /// A rate that was lowered while the app was interrupted, and not raised since.
  private struct Lowered {
    var event: PendingWitness
    var fps: Double
    var fpsBefore: Double
    /// What shows that it was lowered, and while the app was interrupted.
    var setBefore: PendingWitness?
    var resign: PendingWitness?
  }

  /// The app is active again and has until then to raise the rate.
  private struct Due {
    var activation: PendingWitness
    var targetNanoseconds: Int64
  }

  private let limitNanoseconds: Int64
  private let isGame: Bool
  @safe @exclusivity(unchecked) private var fps: Double?
  @safe @exclusivity(unchecked) private var setEvent: PendingWitness?
  @safe @exclusivity(unchecked) private var resign: PendingWitness?
  @safe @exclusivity(unchecked) private var isInterrupted = false
  @safe @exclusivity(unchecked) private var lowered: Lowered?
  @safe @exclusivity(unchecked) private var due: Due?
  @safe @exclusivity(unchecked) private var activation = Activation()
  /// Whether the game is paused; nil where that isn't known.
  @safe @exclusivity(unchecked) private var isPaused: Bool? = false
  private var gameEvent: PendingWitness?

  init(ruleIndex: Int, judge: Judge) {
    limitNanoseconds = max(0, judge.threshold(ruleIndex))
    isGame = judge.header.string(.appKind) == "game"
    super.init(ruleIndex: ruleIndex)
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    switch kind {
    case .glFrameRate: true
    case .gamePause, .gameResume: isGame
    default: false
    }
  }

  override var followsLifecycle: Bool { true }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    switch event.kind {
    case .glFrameRate: setRate(event, batch)
    case .gamePause, .gameResume:
      isPaused = event.kind == .gamePause
      gameEvent = PendingWitness(event)
      // Who plays on has the time that a return gives anew.
      if isPaused == false, due != nil {
        due?.targetNanoseconds = sum(event.timeNanoseconds, limitNanoseconds)
      }
    default: follow(event, judge)
    }
    deadlineNanoseconds = due?.targetNanoseconds ?? .max
  }

  private func setRate(_ event: Event, _ batch: EventBatch) {
    guard let new = batch.number(.fps, of: event), new.isFinite else { return }
    if let fps {
      if new > fps {
        lowered = nil
        due = nil
      } else if new < fps, isInterrupted, lowered == nil {
        lowered = Lowered(
          event: PendingWitness(event), fps: new, fpsBefore: fps, setBefore: setEvent,
          resign: resign)
      }
    }
    if lowered != nil { lowered?.fps = new }
    fps = new
    setEvent = PendingWitness(event)
  }

  private func follow(_ event: Event, _ judge: Judge) {
    let state = judge.model.state
    if state != .active { due = nil }
    let isScene = judge.model.isMovedByScenes
    switch event.kind {
    case .delegateWillResignActive where !isScene, .sceneWillResignActive where isScene:
      guard state == .resigning || state == .inactive else { return }
      // A scene may resign in an app that is inactive already.
      guard !isScene || state != judge.model.stateBefore else { return }
      isInterrupted = true
      if event.phase != .return || resign == nil { resign = PendingWitness(event) }
    case .delegateDidBecomeActive where !isScene, .sceneDidBecomeActive where isScene:
      let isEnd = activation.isEnd(event, judge.model)
      guard state == .active else { return }
      isInterrupted = false
      guard isEnd, lowered != nil, due == nil else { return }
      due = Due(
        activation: PendingWitness(event),
        targetNanoseconds: sum(event.timeNanoseconds, limitNanoseconds))
    default: break
    }
  }

  // MARK: Judging

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    deadlineNanoseconds = .max
    guard let due, let lowered, event.timeNanoseconds > due.targetNanoseconds else {
      deadlineNanoseconds = due?.targetNanoseconds ?? .max
      return
    }
    self.due = nil
    self.lowered = nil
    if isGame {
      guard let isPaused else { return judge.unknown(ruleIndex, judge.doubtReason) }
      if isPaused { return }
    }
    let activation = due.activation.event
    var context = judge.context(in: batch)
    for kept in [lowered.setBefore, lowered.resign, gameEvent].compactMap({ $0 }) {
      context.append(kept.witness(role: "state", in: batch))
    }
    judge.report(
      ruleIndex,
      Draft(
        clause: 0,
        message:
          "the frame rate was lowered from \(frameRateText(lowered.fpsBefore)) to \(frameRateText(lowered.fps)) frames/s and not raised within \(readable(nanoseconds: limitNanoseconds)) after the app became active again",
        subject: "gl.frame_rate", timeNanoseconds: due.targetNanoseconds,
        thread: activation.thread, lastTimeNanoseconds: due.targetNanoseconds,
        witness: [
          lowered.event.witness(role: "open", in: batch),
          due.activation.witness(role: "state", in: batch),
          batch.witness(event, role: "deadline"),
        ], context: context),
      isSettled: judge.rules[ruleIndex].yields.isEmpty)
  }

  // MARK: Bookkeeping

  override func launchBegan(_ judge: Judge) {
    forget()
    isPaused = judge.model.launch?.isMidLife == true ? nil : false
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    if case .process = end {} else if due != nil { judge.unknown(ruleIndex, "truncated") }
    forget()
  }

  override func lost(_ judge: Judge) {
    if lowered != nil { judge.unknown(ruleIndex, "gap") }
    forget()
    isPaused = nil
  }

  private func forget() {
    fps = nil
    setEvent = nil
    resign = nil
    isInterrupted = false
    lowered = nil
    due = nil
    activation = Activation()
    gameEvent = nil
    deadlineNanoseconds = .max
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    setEvent?.keep(from: batch)
    resign?.keep(from: batch)
    gameEvent?.keep(from: batch)
    due?.activation.keep(from: batch)
    lowered?.event.keep(from: batch)
    lowered?.setBefore?.keep(from: batch)
    lowered?.resign?.keep(from: batch)
  }
}

/// A number of frames per second for people.
func frameRateText(_ fps: Double) -> String {
  Int64(exactly: fps).map { "\($0)" } ?? "\(fps)"
}
