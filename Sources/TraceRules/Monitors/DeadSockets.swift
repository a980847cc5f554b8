// Whether a socket that broke after a stay in the background is connected again.
// Hand-written: a failure is judged by when its socket was opened and by what other sockets of the
// same peer do.

import TraceLifecycle
import TraceModel

/// Follows stream sockets, and what becomes of their peers once one has failed.
final class DeadSockets: Monitor {
  private struct Socket {
    var peer: ArgumentKey
    var evidence: Int
    /// The number of the last stretch in the background when it was opened.
    var interval: Int
    /// It isn't known where the app was then: perhaps in the next stretch already.
    var mayBeOfNext: Bool
  }

  /// A failure of a socket from before the last stretch in the background.
  private struct Failure {
    var socket: ArgumentKey
    var peer: ArgumentKey
    var open: WitnessEvent?
    var error: PendingWitness
    /// What the clock showed at the failure.
    var activeNanoseconds: Int64
    /// The first use of the dead socket after its failure.
    var use: PendingWitness?
    /// The socket's number belongs to another connection now.
    var wasReopened = false
    /// Another socket of the peer that was open already is used.
    var hasOther = false
    /// Something was sent over a connection that isn't known: perhaps one to the peer.
    var hasUnknown = false
    /// Where the app stood at the failure.
    var context: [WitnessEvent]
  }

  /// Sockets followed at once, and those of a launch whose report is remembered.
  private static let socketsMax = 4_096
  /// Failures that wait for a new connection at once.
  private static let failuresMax = 256
  /// Events that moved the app since the oldest failure, kept as evidence.
  private static let movesMax = 48

  private let limitNanoseconds: Int64
  @safe @exclusivity(unchecked) private var clock: ClockReading
  @safe @exclusivity(unchecked) private var sockets: [ArgumentKey: Socket] = [:]
  @safe @exclusivity(unchecked) private var failures: [Failure] = []
  @safe @exclusivity(unchecked) private var reports: [ArgumentKey: Int] = [:]
  @safe @exclusivity(unchecked) private var moves: [Int] = []
  @safe @exclusivity(unchecked) private var arena = EvidenceArena()
  /// Why a socket may be unknown; nil if all are known.
  @safe @exclusivity(unchecked) private var doubt: String?
  @safe @exclusivity(unchecked) private var hasDoubted = false

  init(ruleIndex: Int, judge: Judge) {
    limitNanoseconds = judge.value(of: .parameter("limit"), ruleIndex)
    clock = Self.makeClock()
    super.init(ruleIndex: ruleIndex)
  }

  /// Only time in front counts.
  private static func makeClock() -> ClockReading {
    ClockReading(Time(.parameter("limit"), on: .run, in: [.active]))
  }

  override func listens(to kind: EventKind, _ phase: Phase, in state: LifecycleState) -> Bool {
    switch kind {
    case .netConnect, .netError, .netIo: true
    default: false
    }
  }

  override var followsLifecycle: Bool { true }

  override func hear(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let now = event.timeNanoseconds
    clock.follow(now, judge)
    switch event.kind {
    case .netConnect: connect(event, batch, judge)
    case .netError: fail(event, batch, judge)
    case .netIo: use(event, batch)
    default:
      let model = judge.model
      if !failures.isEmpty, model.state != model.stateBefore, moves.count < Self.movesMax {
        moves.append(arena.keep(event))
      }
    }
    refreshDeadline(now, judge)
  }

  // MARK: Sockets

  private func connect(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let socket = batch.key(.socket, of: event)
    if batch.isText(.op, "close", of: event) { return close(socket) }
    guard batch.isText(.op, "open", of: event) else { return }
    let peer = batch.key(.peer, of: event)
    failures.removeAll { Self.isSame($0.peer, peer) }
    forgetMovesIfIdle()
    guard socket != .absent else { return }
    for place in failures.indices where failures[place].socket == socket {
      failures[place].wasReopened = true
    }
    close(socket)
    guard sockets.count < Self.socketsMax else {
      doubt = doubt ?? "key-limit"
      return
    }
    sockets[socket] = Socket(
      peer: peer, evidence: arena.keep(event), interval: judge.interval.number,
      mayBeOfNext: judge.model.state == .unknown)
  }

  private func close(_ socket: ArgumentKey) {
    if let known = sockets.removeValue(forKey: socket) { arena.release(known.evidence) }
  }

  /// Peers may be the same where one isn't named.
  private static func isSame(_ peer: ArgumentKey, _ other: ArgumentKey) -> Bool {
    peer == other || peer == .absent || other == .absent
  }

  private func fail(_ event: Event, _ batch: EventBatch, _ judge: Judge) {
    let key = batch.key(.socket, of: event)
    guard key != .absent else { return }
    guard let socket = sockets[key] else {
      if let doubt, !hasDoubted {
        hasDoubted = true
        judge.unknown(ruleIndex, doubt)
      }
      return
    }
    // A socket of this stretch fails for reasons of the network.
    guard judge.interval.number > socket.interval,
      !failures.contains(where: { $0.socket == key })
    else { return }
    if socket.mayBeOfNext && judge.interval.number == socket.interval + 1 {
      return judge.unknown(ruleIndex, judge.doubtReason)
    }
    guard failures.count < Self.failuresMax else {
      return judge.unknown(ruleIndex, "key-limit")
    }
    failures.append(
      Failure(
        socket: key, peer: socket.peer,
        open: arena[socket.evidence]?.witness(role: "open", in: batch),
        error: PendingWitness(event),
        activeNanoseconds: clock.value(at: event.timeNanoseconds, judge),
        context: judge.context(in: batch)))
  }

  private func use(_ event: Event, _ batch: EventBatch) {
    guard !failures.isEmpty else { return }
    let key = batch.key(.socket, of: event)
    let peer = sockets[key]?.peer
    for place in failures.indices {
      if failures[place].socket == key {
        guard failures[place].use == nil, !failures[place].wasReopened else { continue }
        failures[place].use = PendingWitness(event)
      } else if let peer {
        if Self.isSame(failures[place].peer, peer) { failures[place].hasOther = true }
      } else {
        failures[place].hasUnknown = true
      }
    }
  }

  private func forgetMovesIfIdle() {
    guard failures.isEmpty, !moves.isEmpty else { return }
    for move in moves { arena.release(move) }
    moves.removeAll(keepingCapacity: true)
  }

  // MARK: Deadlines

  private func refreshDeadline(_ now: Int64, _ judge: Judge) {
    deadlineNanoseconds = .max
    // The first failure is the first to be judged.
    guard let first = failures.first else { return }
    deadlineNanoseconds = clock.time(
      of: sum(first.activeNanoseconds, limitNanoseconds), now: now, judge)
  }

  override func advance(to event: Event, _ batch: EventBatch, _ judge: Judge) {
    let now = event.timeNanoseconds
    let active = clock.value(at: now, judge)
    while let first = failures.first {
      let since = difference(active, sum(first.activeNanoseconds, limitNanoseconds))
      guard since > 0 else { break }
      failures.removeFirst()
      if first.use != nil || !(first.hasOther || first.hasUnknown) {
        report(first, at: difference(now, since), certainBy: event, batch, judge)
      } else if !first.hasOther {
        judge.unknown(ruleIndex, "other-socket")
      }
    }
    forgetMovesIfIdle()
    refreshDeadline(now, judge)
  }

  private func report(
    _ failure: Failure, at time: Int64, certainBy event: Event, _ batch: EventBatch,
    _ judge: Judge
  ) {
    if let place = reports[failure.socket] {
      return judge.findings.extend(place, by: 1, until: time)
    }
    let error = failure.error.witness(role: "offender", in: batch)
    let use = failure.use?.witness(role: "state", in: batch)
    let witness = [failure.open, error, use, batch.witness(event, role: "deadline")]
    let rule = judge.rules[ruleIndex]
    let further = moves.compactMap { arena[$0]?.witness(role: "state", in: batch) }
    let place = judge.report(
      ruleIndex,
      Draft(
        clause: 0,
        message: rule.clauses[0].message.filled([
          ("socket", failure.socket.inWords), ("limit", readable(nanoseconds: limitNanoseconds)),
        ]),
        subject: "socket of peer \(failure.peer.inWords)", timeNanoseconds: time,
        thread: error.thread, lastTimeNanoseconds: time, witness: witness.compactMap { $0 },
        context: failure.context + further + judge.context(in: batch),
        key: InstanceKey(first: failure.socket, second: .absent),
        intervalNumber: judge.interval.number),
      evidence: rule.clauses[0].evidence, isSettled: rule.yields.isEmpty)
    if reports.count >= Self.socketsMax { reports.removeAll(keepingCapacity: true) }
    reports[failure.socket] = place
  }

  // MARK: Launches and gaps

  override func launchBegan(_ judge: Judge) {
    sockets.removeAll(keepingCapacity: true)
    failures.removeAll(keepingCapacity: true)
    reports.removeAll(keepingCapacity: true)
    moves.removeAll(keepingCapacity: true)
    arena.removeAll()
    clock = Self.makeClock()
    doubt = judge.model.launch?.isMidLife == true ? "mid-life" : nil
    hasDoubted = false
    deadlineNanoseconds = .max
  }

  override func launchEnds(_ end: LaunchEnd, _ batch: EventBatch, _ judge: Judge) {
    if end.isCutOff && !failures.isEmpty {
      judge.unknown(ruleIndex, "truncated", count: failures.count)
    }
    failures.removeAll(keepingCapacity: true)
    deadlineNanoseconds = .max
  }

  override func lost(_ judge: Judge) {
    if !failures.isEmpty { judge.unknown(ruleIndex, "gap", count: failures.count) }
    failures.removeAll(keepingCapacity: true)
    sockets.removeAll(keepingCapacity: true)
    moves.removeAll(keepingCapacity: true)
    arena.removeAll()
    clock = Self.makeClock()
    doubt = "gap"
    hasDoubted = false
    deadlineNanoseconds = .max
  }

  override func batchEnds(_ batch: EventBatch, _ judge: Judge) {
    arena.batchEnds(batch)
    for place in failures.indices {
      failures[place].error.keep(from: batch)
      failures[place].use?.keep(from: batch)
    }
  }
}
