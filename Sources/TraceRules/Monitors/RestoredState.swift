// Whether what was saved in the background is read back by the next launch.
// Hand-written: what one launch saved and how it ended is compared with what the next one reads.

import TraceLifecycle
import TraceModel

/// Follows the stores that an app saves on its way to the background into its next launch.
final class RestoredState: Monitor {
  private struct Saved {
    var store: ArgumentKey
    /// The enter of the save, if it was a span, and its end.
    var evidence: [PendingWitness]
    var ordinal: Int
  }

  private struct OpenSave {
    var thread: Int64
    var store: ArgumentKey
    var failed: Bool
    var event: PendingWitness
  }

  /// A store that the launch before saved and nobody has read yet.
  private struct Awaited {
    var store: ArgumentKey
    var evidence: [WitnessEvent]
  }

  /// Stores followed at once.
  private static let storesMax = 1_024
  /// Saves under way at once, over all threads.
  private static let openMax = 256

  private var saving: [OpenSave] = []
  private var saved: [ArgumentKey: Saved] = [:]
  /// Stores saved since the last batch went.
  private var fresh: [ArgumentKey] = []
  /// Why what was saved may not be all that counts; nil if it is.
  private var doubt: String?
  /// What the launch that has ended left to the next one.
  private var left: [Awaited] = []
  private var leftContext: [WitnessEvent] = []
  private var awaited: [Awaited] = []
  private var awaitedContext: [WitnessEvent] = []
  private var awaitedDoubt: String?
  private var activation = Activation()

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    switch kind {
    case .dataSave, .dataRestore: true
    default: false
    }
  }

  override var followsLifecycle: Bool { true }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    switch event.kind {
    case .dataSave: save(event, batch, judge)
    case .dataRestore:
      let store = batch.key(.store, of: event)
      awaited.removeAll { $0.store == store || $0.store == .absent || store == .absent }
    default:
      // Back in front nothing is waiting.
      if judge.model.state.isForeground {
        saved.removeAll(keepingCapacity: true)
        doubt = nil
      }
      if judge.withModel({ activation.isEnd(event, $0) }) { judgeAwaited(event, batch, judge) }
    }
  }

  // MARK: Saving

  private func save(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let store = batch.key(.store, of: event)
    let failed = batch.boolean(.ok, of: event) == false
    if event.phase == .enter {
      if saving.count >= Self.openMax { saving.removeFirst() }
      saving.append(
        OpenSave(
          thread: event.thread, store: store, failed: failed, event: PendingWitness(event)))
      return
    }
    var enter: OpenSave?
    if event.phase == .return,
      let place = saving.lastIndex(where: {
        $0.thread == event.thread
          && ($0.store == store || $0.store == .absent || store == .absent)
      })
    {
      enter = saving.remove(at: place)
    }
    let state = judge.model.state
    guard state == .enteringBackground || state == .background, !failed, enter?.failed != true
    else { return }
    let key = store == .absent ? enter?.store ?? .absent : store
    guard saved[key] != nil || saved.count < Self.storesMax else {
      doubt = doubt ?? "key-limit"
      return
    }
    saved[key] = Saved(
      store: key, evidence: [enter?.event, PendingWitness(event)].compactMap { $0 },
      ordinal: event.ordinal)
    fresh.append(key)
  }

  // MARK: The end of a launch, and the next one

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    left = []
    leftContext = []
    if end.isCutOff { doubtAwaited("truncated", judge) }
    awaited = []
    guard judge.model.state.isBackgroundOrSuspended, !saved.isEmpty else { return }
    var last: WitnessEvent?
    switch end {
    case .process(let event): last = batch.witness(event, role: "close")
    case .newStart: break
    // Launches may follow that are not recorded.
    case .recordingEnded, .truncated: return
    }
    left = saved.values.sorted { $0.ordinal < $1.ordinal }.map { saved in
      Awaited(
        store: saved.store,
        evidence: saved.evidence.map { $0.witness(role: "open", in: batch) })
    }
    leftContext = judge.context(in: batch) + [last].compactMap { $0 }
  }

  override func launchBegan(_ judge: Judge) {
    awaited = []
    awaitedContext = []
    if let launch = judge.model.launch, !launch.isMidLife, launch.into != .background {
      awaited = left
      awaitedContext = leftContext
      awaitedDoubt = doubt
    }
    left = []
    leftContext = []
    saved.removeAll(keepingCapacity: true)
    saving.removeAll(keepingCapacity: true)
    activation = Activation()
    doubt = nil
  }

  private func judgeAwaited(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    guard !awaited.isEmpty else { return }
    defer {
      awaited = []
      awaitedContext = []
    }
    // A prewarmed process may have gone elsewhere.
    guard judge.model.launch?.into == .foreground else { return }
    if let awaitedDoubt {
      return judge.unknown(ruleIndex, awaitedDoubt, count: awaited.count)
    }
    let rule = judge.rules[ruleIndex]
    let certain = batch.witness(event, role: "deadline")
    let context = awaitedContext + judge.context(in: batch)
    for store in awaited {
      judge.report(
        ruleIndex,
        Draft(
          clause: 0,
          message: rule.clauses[0].message.filled([("key", store.store.inWords)]),
          subject: "store \(store.store.inWords)", timeNanoseconds: event.timeNanoseconds,
          thread: event.thread, lastTimeNanoseconds: event.timeNanoseconds,
          witness: store.evidence.suffix(1) + [certain], context: store.evidence + context,
          key: InstanceKey(first: store.store, second: .absent)),
        evidence: rule.clauses[0].evidence, isSettled: rule.yields.isEmpty)
    }
  }

  private func doubtAwaited(_ reason: String, _ judge: Judge) {
    if !awaited.isEmpty { judge.unknown(ruleIndex, reason, count: awaited.count) }
  }

  override func lost(_ judge: Judge) {
    doubtAwaited("gap", judge)
    awaited = []
    // Between launches a whole one may be lost.
    left = []
    leftContext = []
    saving.removeAll(keepingCapacity: true)
    if !saved.isEmpty { doubt = "gap" }
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    for place in saving.indices { saving[place].event.keep(from: batch) }
    for store in fresh {
      for place in saved[store]?.evidence.indices ?? 0..<0 {
        saved[store]?.evidence[place].keep(from: batch)
      }
    }
    fresh.removeAll(keepingCapacity: true)
  }
}
