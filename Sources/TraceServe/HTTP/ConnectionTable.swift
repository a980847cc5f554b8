// Who is connected, and until when: every phase of a connection has a deadline as a whole, since a
// client that sends a byte now and then would outlive any limit on silence.

import TraceModel

/// The connections of a server.
struct ConnectionTable {
  /// Connections at one time. With the descriptors of files this stays below the usual 1,024.
  static let connectionsMax = 512
  /// Requests on one connection.
  static let requestsMax = 10_000
  /// Bytes of all answers on their way.
  static let bytesInFlightMax = 256 << 20
  /// Bytes that a refused client may still send.
  static let drainedBytesMax = 65_536
  /// How long answers may go on when the server stops.
  static let stopNanosecondsMax: Int64 = 2 * second

  /// From the first byte of a request to the end of its head.
  private static let headNanosecondsMax = 5 * second
  /// Between two requests: longer than the usual minute between scrapes.
  private static let idleNanosecondsMax = 90 * second
  /// What making an answer may take.
  private static let answerNanosecondsMax = 120 * second
  private static let drainNanosecondsMax = second
  /// The slowest reader that is served.
  private static let bytesPerSecondMin = 65_536
  private static let second: Int64 = 1_000_000_000

  enum Phase {
    /// Connected, and nothing sent yet; or between two requests.
    case idle
    case head
    case answering
    case writing(SharedBody, byteCount: Int)
    case draining

    /// Whether the client is the one who is waited for.
    var isWaiting: Bool {
      switch self {
      case .idle, .head: true
      case .answering, .writing, .draining: false
      }
    }
  }

  private struct Connection {
    var task: Task<Void, Never>
    var phase: Phase
    var deadlineNanoseconds: Int64
    /// When its phase began.
    var sinceNanoseconds: Int64
    /// Whether it was told to end.
    var isEnding = false
  }

  private var connections: [Int: Connection] = [:]
  private var lastID = 0
  /// How many connections send each body.
  private var readers: [ObjectIdentifier: Int] = [:]
  /// Bytes of all bodies on their way, each counted once.
  private var bytesInFlight = 0

  var isFull: Bool { connections.count >= Self.connectionsMax }

  /// Whether an answer is being made or sent.
  var hasAnswers: Bool {
    connections.values.contains {
      switch $0.phase {
      case .answering, .writing: true
      case .idle, .head, .draining: false
      }
    }
  }

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Adds a connection. It has as long for its first request as for the rest of it.
  mutating func insert(_ id: Int, _ task: Task<Void, Never>, now: Int64) {
    connections[id] = Connection(
      task: task, phase: .head, deadlineNanoseconds: now + Self.headNanosecondsMax,
      sinceNanoseconds: now)
  }

  mutating func remove(_ id: Int) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    leave(connection.phase)
  }

  mutating func enter(_ phase: Phase, _ id: Int, now: Int64) {
    guard let old = connections[id] else { return }
    leave(old.phase)
    if case .writing(let body, let byteCount) = phase {
      let count = readers[ObjectIdentifier(body), default: 0]
      readers[ObjectIdentifier(body)] = count + 1
      if count == 0 { bytesInFlight += byteCount }
    }
    connections[id]?.phase = phase
    connections[id]?.deadlineNanoseconds = now + Self.nanosecondsMax(phase)
    connections[id]?.sinceNanoseconds = now
  }

  /// Whether a body may be sent: many may read one that is in memory anyway.
  func hasRoom(for body: SharedBody, byteCount: Int) -> Bool {
    readers[ObjectIdentifier(body)] != nil || bytesInFlight + byteCount <= Self.bytesInFlightMax
  }

  func end(expiredAt now: Int64) {
    for connection in connections.values where connection.deadlineNanoseconds < now {
      connection.task.cancel()
    }
  }

  func endAll() { for connection in connections.values { connection.task.cancel() } }

  /// Ends the connection that has waited longest without asking for anything.
  ///
  /// - Returns: False if all that are connected are being answered.
  @discardableResult
  mutating func endOldestWaiting() -> Bool {
    let waiting = connections.filter { !$0.value.isEnding && $0.value.phase.isWaiting }
    let oldest = waiting.min {
      ($0.value.sinceNanoseconds, $0.key) < ($1.value.sinceNanoseconds, $1.key)
    }
    guard let oldest else { return false }
    connections[oldest.key]?.isEnding = true
    oldest.value.task.cancel()
    return true
  }

  private mutating func leave(_ phase: Phase) {
    guard case .writing(let body, let byteCount) = phase else { return }
    let count = readers[ObjectIdentifier(body), default: 1] - 1
    readers[ObjectIdentifier(body)] = count > 0 ? count : nil
    if count == 0 { bytesInFlight -= byteCount }
  }

  private static func nanosecondsMax(_ phase: Phase) -> Int64 {
    switch phase {
    case .idle: idleNanosecondsMax
    case .head: headNanosecondsMax
    case .answering: answerNanosecondsMax
    case .writing(_, let byteCount): (10 + Int64(byteCount / bytesPerSecondMin)) * second
    case .draining: drainNanosecondsMax
    }
  }
}
