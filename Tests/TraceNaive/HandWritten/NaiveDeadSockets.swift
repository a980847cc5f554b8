// LC704, the plain way: each failure is followed until its time in front is over.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  /// Sockets that failed after a stay in the background and weren't replaced, one report for each
  /// socket and launch.
  func deadSockets() -> [NaiveHit] {
    launches.flatMap { launch in
      let hits = parts(launch).flatMap { deadSockets($0, launch) }
      return Dictionary(grouping: hits) { $0.key }.values.flatMap {
        joined($0.sorted { $0.time < $1.time })
      }
    }
  }

  private func deadSockets(_ part: Range<Int>, _ launch: NaiveLaunch) -> [NaiveHit] {
    var hits: [NaiveHit] = []
    // While a failure waits, others of its socket add nothing.
    var waitsUntil: [NaiveKey: Int] = [:]
    for failure in part where events[failure].kind == .netError {
      let socket = key("socket", at: failure)
      guard socket != .absent, failure >= waitsUntil[socket] ?? 0 else { continue }
      guard let opening = opening(of: socket, before: failure, part) else {
        if events[part.lowerBound].losesTrack { isUnknown = true }
        continue
      }
      // A socket of this stretch fails for reasons of the network.
      guard events[failure].background > events[opening].background else { continue }
      // Where the app was at the opening isn't known: perhaps in this stretch already.
      if events[opening].stateAfter == .unknown,
        events[failure].background == events[opening].background + 1
      {
        isUnknown = true
        continue
      }
      let peer = key("peer", at: opening)
      let replacement = part.first {
        $0 > failure && isConnect($0, "open") && isSame(key("peer", at: $0), peer)
      }
      let wait = wait(launch, after: failure) {
        $0 == replacement || deadline($0, failure) != nil
      }
      guard case .over(let due) = wait else {
        isUnknown = true
        waitsUntil[socket] = .max
        continue
      }
      waitsUntil[socket] = due
      guard let time = deadline(due, failure) else { continue }
      switch isGivenUp(socket, peer, failure..<due, part) {
      case true?:
        hits.append(NaiveHit(offender: failure, key: [socket], time: time, moment: due - 1))
      case false?: break
      case nil: isUnknown = true
      }
    }
    return hits
  }

  private func deadline(_ place: Int, _ failure: Int) -> Int64? {
    deadline(
      Time(.parameter("limit"), on: .run, in: [.active]), from: failure, passedAt: place,
      opening: failure)
  }

  private func isConnect(_ place: Int, _ operation: String) -> Bool {
    events[place].kind == .netConnect && events[place].text("op") == operation
  }

  /// Where a socket that is open before a place was opened.
  private func opening(of socket: NaiveKey, before place: Int, _ part: Range<Int>) -> Int? {
    let last = part.last {
      $0 < place && key("socket", at: $0) == socket
        && (isConnect($0, "open") || isConnect($0, "close"))
    }
    return last.flatMap { isConnect($0, "open") ? $0 : nil }
  }

  /// Whether the app goes on with a dead socket, or with none at all to that peer. Traffic over a
  /// connection that nobody knows may be traffic with the peer.
  private func isGivenUp(
    _ socket: NaiveKey, _ peer: NaiveKey, _ places: Range<Int>, _ part: Range<Int>
  ) -> Bool? {
    let failure = places.lowerBound
    let traffic = places.filter { events[$0].kind == .netIo }
    let usesDead = traffic.contains { place in
      // A socket that is opened to another peer is a new one, whatever its number.
      let isAnew = (failure..<place).contains {
        isConnect($0, "open") && key("socket", at: $0) == socket
      }
      return key("socket", at: place) == socket && !isAnew
    }
    if usesDead { return true }
    let others = traffic.filter { key("socket", at: $0) != socket }
    let openings = others.map { place in
      let other = key("socket", at: place)
      return other == .absent ? nil : opening(of: other, before: place, part)
    }
    if openings.contains(where: { $0.map { isSame(key("peer", at: $0), peer) } ?? false }) {
      return false
    }
    return openings.contains(nil) ? nil : true
  }
}
