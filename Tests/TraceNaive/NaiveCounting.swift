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
        if events[place].losesTrack { return true }
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

  /// A key that is open, or of which it isn't known whether it still is.
  private struct OpenKey {
    var weight: Int64
    var isCertain: Bool
  }

  func hits(_ most: OpenAtMost) -> [NaiveHit] {
    var open: [[NaiveKey]: OpenKey] = [:]
    var hits: [NaiveHit] = []
    for (place, event) in events.enumerated() {
      if event.beginsLaunch && !most.outlivesLaunch { open = [:] }
      if event.losesTrack { for key in open.keys { open[key]?.isCertain = false } }
      guard event.isInLaunch || most.outlivesLaunch else { continue }
      if !most.at.isEmpty { judge(most, open, at: place, opened: nil, &hits) }
      close(most, &open, at: place)
      var opened: (key: [NaiveKey], isCertain: Bool)?
      for pattern in most.opens where opened == nil {
        let value = matches(pattern, keyedBy: most.key, at(place))
        guard value != false else { continue }
        let isKeyless = isWithoutKey(pattern.key ?? most.key, at: place)
        let key = isKeyless ? [.unnamed(place)] : self.key(pattern, most.key, at: place)
        if value == nil && open[key]?.isCertain == true { continue }
        let weight = most.weight.map { max(0, argument($0, at: place)?.int64 ?? 0) } ?? 1
        open[key] = OpenKey(weight: weight, isCertain: value == true)
        opened = (key, value == true)
      }
      if most.at.isEmpty, let opened { judge(most, open, at: place, opened: opened, &hits) }
    }
    return hits
  }

  private func close(_ most: OpenAtMost, _ open: inout [[NaiveKey]: OpenKey], at place: Int) {
    let firstUnnamed = open.keys.filter { $0.first?.place != nil }
      .min { ($0.first?.place ?? 0) < ($1.first?.place ?? 0) }
    for key in Array(open.keys) {
      let values = most.closes.map { pattern -> Bool? in
        if isWithoutKey(pattern.key ?? most.key, at: place) {
          let value = matches(pattern, keyedBy: most.key, at(place))
          return value == true && firstUnnamed != nil ? key == firstUnnamed : value
        }
        return self.key(pattern, most.key, at: place) == key
          ? matches(pattern, keyedBy: most.key, at(place)) : false
      }
      let all = matchesAny(most.closesAll, keyedBy: most.key, at(place))
      switch Kleene.any(values + [all], { $0 }) {
      case true?: open[key] = nil
      case nil: open[key]?.isCertain = false
      case false?: continue
      }
    }
  }

  private func judge(
    _ most: OpenAtMost, _ open: [[NaiveKey]: OpenKey], at place: Int,
    opened: (key: [NaiveKey], isCertain: Bool)?, _ hits: inout [NaiveHit]
  ) {
    let isJudged =
      if let opened { opened.isCertain ? true : nil as Bool? } else {
        matchesAny(most.at, keyedBy: most.key, at(place))
      }
    guard isJudged != false, let max = number(most.max, at: place) else { return }
    let certain = open.values.filter(\.isCertain).map(\.weight).reduce(Int64(0)) { $0.plus($1) }
    let all = open.values.map(\.weight).reduce(Int64(0)) { $0.plus($1) }
    if certain > max && isJudged == true {
      hits.append(
        NaiveHit(
          offender: place, key: opened?.key ?? self.key(most.key, at: place),
          time: events[place].time,
          moment: place))
    } else if all > max {
      isUnknown = true
    } else {
      noteLosses(before: place)
    }
  }

  // MARK: Limit

  func hits(_ limit: Limit) -> [NaiveHit] {
    let heard = events.indices.filter { place in
      guard events[place].isInLaunch else { return false }
      let value = matches(limit.event, keyedBy: limit.key, at(place))
      if value == nil { isUnknown = true }
      return value == true
    }
    return heard.filter { isTooMuch(limit, heard, $0) }.map { place in
      NaiveHit(
        offender: place, key: key(limit.event, limit.key, at: place), time: events[place].time,
        moment: place)
    }
  }

  /// Whether an event is one too many, and all before it have been for long enough.
  private func isTooMuch(_ limit: Limit, _ heard: [Int], _ place: Int) -> Bool {
    let own = key(limit.event, limit.key, at: place)
    let alike = heard.filter { $0 <= place && key(limit.event, limit.key, at: $0) == own }
    guard let max = number(limit.max, at: place), let window = number(limit.window, at: place)
    else { return false }
    func exceeds(_ place: Int) -> Bool {
      let count = alike.count {
        $0 <= place && events[place].time.minus(events[$0].time) <= window
      }
      return Int64(count) > max
    }
    guard exceeds(place) else {
      noteLosses(before: place)
      return false
    }
    guard let sustained = limit.sustained else { return true }
    guard let length = number(sustained, at: place) else { return false }
    let first = alike.reversed().prefix { exceeds($0) }.last ?? place
    return events[place].time.minus(events[first].time) >= length
  }

  // MARK: Order

  func hits(_ order: Order) -> [NaiveHit] {
    let all = Set(order.edges.flatMap { [$0.from, $0.to] } + [order.start])
    /// The states in which each key may be that was seen.
    var states: [[NaiveKey]: Set<String>] = [:]
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
          states[self.key(edge.event, order.key, at: place)] = all
        }
        continue
      }
      let fitting = zip(order.edges, values).filter { $0.1 == true }.map(\.0)
      guard let first = fitting.first else { continue }
      let key = self.key(first.event, order.key, at: place)
      func next(_ state: String) -> String? { fitting.first { $0.from == state }?.to }
      let before = states[key] ?? (isFresh ? [order.start] : all)
      let after = Set(before.compactMap { next($0) })
      if after.isEmpty {
        hits.append(NaiveHit(offender: place, key: key, time: event.time, moment: place))
      } else if before.contains(where: { next($0) == nil }) {
        isUnknown = true
      }
      states[key] = after.isEmpty ? Set(all.compactMap { next($0) }) : after
    }
    return hits
  }
}
