// What a live trace says by saying nothing: the limit of a callback that doesn't return is over.

import TraceLifecycle
import TraceModel

extension Engine {
  /// States in which the system suspends no app, so that silence is the app's own.
  private static let awakeStates: Set<LifecycleState> = [
    .launchingForeground, .active, .resigning, .inactive, .enteringForeground, .enteringBackground,
  ]

  /// Whether silence is the app's own. A trace that began in the middle of a life doesn't tell its
  /// state; inside of a callback no app is suspended whichever it is.
  private var isAwake: Bool {
    let state = judge.model.state
    return Self.awakeStates.contains(state) || state == .unknown && judge.model.isInMainCallback
  }

  /// Judges what is due some time after the last event, though no event has come since.
  func passSilence(_ nanoseconds: Int64) {
    guard launchIsOpen, lookahead == nil, isAwake,
      !judge.model.isPrewarmed, let last = judge.lastNanoseconds
    else { return }
    let batch = silence(at: sum(last, nanoseconds))
    judge.beginBatch()
    beginPart(0..<1)
    judge.findings.isByWallClock = true
    passDeadlines(upTo: 0, batch)
    for monitor in monitors { monitor.fallsSilent(until: batch.event(at: 0), batch, judge) }
    judge.findings.isByWallClock = false
    endPart(batch)
  }

  /// An event that stands for there being none; it has the place of the one that comes next.
  private func silence(at time: Int64) -> EventBatch {
    var assembler = BatchAssembler()
    let kind = assembler.kind(named: "silence")
    assembler.begin(kind, .instant, thread: 0, timeNanoseconds: time)
    assembler.endEvent()
    var batch = assembler.batch
    batch.firstOrdinal = eventCount
    return batch
  }
}
