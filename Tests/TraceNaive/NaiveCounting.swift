// The patterns that count, the plain way: sums, things open at once, rates, and orders.

import TraceLifecycle
import TraceModel
import TraceRules

extension NaiveInterpreter {
  // MARK: Sums

  func hits(_ sums: Sums) -> [NaiveHit] {
    var ended: [NaiveHit] = []
    for (place, event) in events.enumerated() where event.isInLaunch && event.phase == .enter {
      switch matchesAny(sums.spans, at(place)) {
      case false?: continue
      case nil: isUnknown = true
      case true?:
        guard case .returned(let end)? = trace.spanEnds[place] else {
          isUnknown = true
          continue
        }
        guard events[end].isInLaunch else { continue }
        ended.append(
          NaiveHit(
            offender: place, time: events[end].time, moment: end, launch: events[place].launch))
      }
    }
    return group(ended, per: sums.unit).flatMap { tooLong($0, sums) }
  }

  /// The returns of a unit's spans at which their sum is too long.
  private func tooLong(_ spans: [NaiveHit], _ sums: Sums) -> [NaiveHit] {
    var sum: Int64 = 0
    var before = -1
    return spans.sorted { $0.moment < $1.moment }.filter { span in
      let resets = (before + 1...span.moment).contains { place in
        guard events[place].isInLaunch else { return false }
        let value = matchesAny(sums.resets, at(place))
        if value == nil { isUnknown = true }
        return value != false
      }
      if resets { sum = 0 }
      before = span.moment
      sum = sum.plus(elapsed(sums.max, from: span.offender, to: span.moment, isTaken: true))
      return number(sums.max.amount, at: span.offender).map { sum > $0 } ?? false
    }
  }

  // MARK: Open at most

  func hits(_ most: OpenAtMost) -> [NaiveHit] {
    var open: [[NaiveKey]: Double] = [:]
    var hits: [NaiveHit] = []
    for (place, event) in events.enumerated() {
      if event.losesTrack || (event.beginsLaunch && !most.outlivesLaunch) { open = [:] }
      guard event.isInLaunch || most.outlivesLaunch else { continue }
      let all = matchesAny(most.closesAll, keyedBy: most.key, at(place))
      if all == nil { isUnknown = true }
      if all != false { open = [:] }
      for pattern in most.closes {
        let key = self.key(pattern, most.key, at: place)
        let value = matches(pattern, keyedBy: most.key, at(place))
        if value == nil { isUnknown = true }
        if value != false { open[key] = nil }
      }
      var opened: [NaiveKey]?
      for pattern in most.opens where opened == nil {
        let value = matches(pattern, keyedBy: most.key, at(place))
        if value == nil { isUnknown = true }
        guard value == true else { continue }
        let key = self.key(pattern, most.key, at: place)
        let weight = most.weight.map { argument($0, at: place)?.double ?? 0 } ?? 1
        open[key] = weight
        opened = key
      }
      let isJudged =
        most.at.isEmpty ? opened != nil : matchesAny(most.at, keyedBy: most.key, at(place))
      if isJudged == nil { isUnknown = true }
      guard isJudged == true, let max = number(most.max, at: place) else {
        continue
      }
      if open.values.reduce(0, +) > Double(max) {
        let key = opened ?? self.key(most.key, at: place)
        hits.append(NaiveHit(offender: place, key: key, time: event.time, moment: place))
      } else {
        noteLosses(before: place)
      }
    }
    return hits
  }

  // MARK: Limit

  func hits(_ limit: Limit) -> [NaiveHit] {
    let heard = events.indices.filter { place in
      guard events[place].isInLaunch else { return false }
      let value = matches(limit.event, keyedBy: limit.key, at(place))
      if value == nil { isUnknown = true }
      return value == true
    }
    return heard.compactMap { place in
      let key = self.key(limit.event, limit.key, at: place)
      guard let max = number(limit.max, at: place), let window = number(limit.window, at: place)
      else { return nil }
      let count = heard.count {
        $0 <= place && self.key(limit.event, limit.key, at: $0) == key
          && events[place].time.minus(events[$0].time) <= window
      }
      guard Int64(count) > max else {
        noteLosses(before: place)
        return nil
      }
      return NaiveHit(offender: place, key: key, time: events[place].time, moment: place)
    }
  }

  // MARK: Order

  func hits(_ order: Order) -> [NaiveHit] {
    /// The state of each key that was seen; nil: not known.
    var states: [[NaiveKey]: String?] = [:]
    var isFresh = true
    var hits: [NaiveHit] = []
    for (place, event) in events.enumerated() {
      if event.beginsLaunch {
        states = [:]
        isFresh = true
      }
      if event.losesTrack {
        states = [:]
        isFresh = false
      }
      guard event.isInLaunch else { continue }
      let values = order.edges.map { edge in
        matches(edge.event, keyedBy: order.key, at(place))
      }
      if values.contains(nil) {
        isUnknown = true
        for (edge, value) in zip(order.edges, values) where value == nil {
          states[self.key(edge.event, order.key, at: place)] = .some(nil)
        }
        continue
      }
      let fitting = zip(order.edges, values).filter { $0.1 == true }.map(\.0)
      guard let first = fitting.first else { continue }
      let key = self.key(first.event, order.key, at: place)
      let state: String? = states[key] ?? (isFresh ? order.start : nil)
      if let state {
        let edge = fitting.first { $0.from == state }
        if edge == nil {
          hits.append(NaiveHit(offender: place, key: key, time: event.time, moment: place))
        }
        states[key] = (edge ?? first).to
      } else {
        states[key] = first.to
      }
    }
    return hits
  }
}
