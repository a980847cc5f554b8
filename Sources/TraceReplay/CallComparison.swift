// Compares what an app did with what the recording says that it did.
// This file must not know how a life is replayed.

import TraceModel

/// The calls of one process, compared.
///
/// Calls are matched thread by thread, since the order between threads is chance: each call with
/// the one of the same kind, phase and arguments that is nearest in time and order. It costs time
/// in proportion to n log n.
struct CallComparison {
  private(set) var divergences: [Divergence] = []
  private(set) var callCount = 0
  private(set) var rows: [ReplayReport.Row] = []

  /// What makes two calls the same.
  private struct Identity: Hashable {
    var kind: EventKind
    var phase: Phase
    var thread: Int64
    var arguments: [RecordedEvent.Argument]

    init(_ event: RecordedEvent) {
      (kind, phase, thread) = (event.kind, event.phase, CallComparison.thread(of: event))
      arguments = event.arguments
    }
  }

  /// The thread that a call belongs to; a completion handler may be called on any.
  private static func thread(of event: RecordedEvent) -> Int64 {
    event.kind == .completionCall ? 1 : event.thread
  }

  static func compare(
    recorded: [RecordedEvent], replayed: [RecordedEvent], stimuli: [RecordedEvent], launch: Int,
    toleranceNanoseconds: Int64
  ) -> CallComparison {
    var comparison = CallComparison()
    comparison.callCount = max(recorded.count, replayed.count)
    let partners = match(recorded, replayed, toleranceNanoseconds)
    let reordered = disordered(partners, recorded)
    var found: [(time: Int64, divergence: Divergence)] = []
    var marks: [Int: String] = [:]
    var used = Set<Int>()

    func report(_ kind: Divergence.Kind, _ old: RecordedEvent?, _ new: RecordedEvent?) {
      guard let event = old ?? new else { return }
      found.append(
        (
          event.timeNanoseconds,
          Divergence(
            kind: kind, call: text(of: event), event: event.kind, thread: event.thread,
            launch: launch, recordedNanoseconds: old?.timeNanoseconds,
            replayedNanoseconds: new?.timeNanoseconds,
            after: lastStimulus(before: event.timeNanoseconds, stimuli),
            recordedInside: old?.enclosing, replayedInside: new?.enclosing)
        ))
    }

    for (place, event) in recorded.enumerated() {
      guard let partner = partners[place] else {
        report(.missing, event, nil)
        marks[place] = "-"
        continue
      }
      used.insert(partner)
      let (shift, isOver) = replayed[partner].timeNanoseconds.subtractingReportingOverflow(
        event.timeNanoseconds)
      if reordered.contains(place) || replayed[partner].enclosing != event.enclosing {
        report(.reordered, event, replayed[partner])
        marks[place] = "~"
      } else if isOver || abs(shift) > toleranceNanoseconds {
        report(shift > 0 ? .later : .earlier, event, replayed[partner])
        marks[place] = shift > 0 ? ">" : "<"
      }
    }
    for (place, event) in replayed.enumerated() where !used.contains(place) {
      report(.new, nil, event)
    }
    comparison.divergences = found.sorted { $0.time < $1.time }.map(\.divergence)
    comparison.rows = rows(
      recorded, replayed, stimuli, partners, used, marks, launch)
    return comparison
  }

  // MARK: Matching

  /// For each recorded call the place of the replayed one; calls without are missing.
  private static func match(
    _ recorded: [RecordedEvent], _ replayed: [RecordedEvent], _ tolerance: Int64
  ) -> [Int: Int] {
    var offers: [Identity: [Int]] = [:]
    for (place, event) in replayed.enumerated() {
      offers[Identity(event), default: []].append(place)
    }
    var demands: [Identity: [Int]] = [:]
    for (place, event) in recorded.enumerated() {
      demands[Identity(event), default: []].append(place)
    }
    var partners: [Int: Int] = [:]
    for (identity, old) in demands {
      let new = offers[identity] ?? []
      var (left, right) = (0, 0)
      while left < old.count, right < new.count {
        let time = recorded[old[left]].timeNanoseconds
        let other = replayed[new[right]].timeNanoseconds
        let distance = time.distanceSaturating(to: other)
        // As many are left on both sides: none of them can be left out for a better match.
        let (oldRest, newRest) = (old.count - left, new.count - right)
        if oldRest > newRest, distance > tolerance, left + 1 < old.count,
          recorded[old[left + 1]].timeNanoseconds.distanceSaturating(to: other) < distance
        {
          left += 1
        } else if newRest > oldRest, distance > tolerance, right + 1 < new.count,
          time.distanceSaturating(to: replayed[new[right + 1]].timeNanoseconds) < distance
        {
          right += 1
        } else {
          partners[old[left]] = new[right]
          left += 1
          right += 1
        }
      }
    }
    return partners
  }

  /// The recorded calls that changed places: those outside of a longest run, thread by thread, in
  /// which both orders agree.
  private static func disordered(_ partners: [Int: Int], _ recorded: [RecordedEvent]) -> Set<Int> {
    var byThread: [Int64: [Int]] = [:]
    for place in recorded.indices where partners[place] != nil {
      byThread[thread(of: recorded[place]), default: []].append(place)
    }
    var result = Set<Int>()
    for (_, places) in byThread {
      let orders = places.map { partners[$0] ?? 0 }
      let kept = longestAscent(orders)
      for (number, place) in places.enumerated() where !kept.contains(number) {
        result.insert(place)
      }
    }
    return result
  }

  /// The places of a longest ascending subsequence, by patience sorting.
  private static func longestAscent(_ values: [Int]) -> Set<Int> {
    var tops: [Int] = []
    var before = [Int](repeating: -1, count: values.count)
    for (place, value) in values.enumerated() {
      var (low, high) = (0, tops.count)
      while low < high {
        let middle = (low + high) / 2
        if values[tops[middle]] < value { low = middle + 1 } else { high = middle }
      }
      before[place] = low > 0 ? tops[low - 1] : -1
      if low == tops.count { tops.append(place) } else { tops[low] = place }
    }
    var kept = Set<Int>()
    var place = tops.last ?? -1
    while place >= 0 {
      kept.insert(place)
      place = before[place]
    }
    return kept
  }

  // MARK: Text

  /// The last stimulus at or before a time. Stimuli are in the order of time.
  private static func lastStimulus(before time: Int64, _ stimuli: [RecordedEvent]) -> String {
    var (low, high) = (0, stimuli.count)
    while low < high {
      let middle = (low + high) / 2
      if stimuli[middle].timeNanoseconds <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? name(stimuli[low - 1].kind) : ""
  }

  private static func name(_ kind: EventKind) -> String {
    Vocabulary.description(of: kind)?.name ?? ""
  }

  private static func text(of event: RecordedEvent) -> String {
    let mark =
      switch event.phase {
      case .enter: ">"
      case .return: "<"
      case .instant: ""
      }
    let arguments = event.arguments.map { argument in
      switch argument.value {
      case .integer(let number): " \(argument.name)=\(number)"
      case .unsigned(let number): " \(argument.name)=\(number)"
      case .number(let number): " \(argument.name)=\(number)"
      case .boolean(let isTrue): " \(argument.name)=\(isTrue)"
      case .string(let text), .json(let text): " \(argument.name)=\(printable(text))"
      }
    }
    return mark + name(event.kind) + arguments.joined()
  }

  /// A text that a recording may have brought from anywhere: short, and harmless for a terminal.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(80).map { scalar in
        scalar.properties.generalCategory == .control
          || scalar.properties.generalCategory == .format
          ? "?" : Character(scalar)
      })
  }

  private static func rows(
    _ recorded: [RecordedEvent], _ replayed: [RecordedEvent], _ stimuli: [RecordedEvent],
    _ partners: [Int: Int], _ used: Set<Int>, _ marks: [Int: String], _ launch: Int
  ) -> [ReplayReport.Row] {
    typealias Ordered = (time: Int64, rank: Int, place: Int, row: ReplayReport.Row)
    var rows: [Ordered] = []
    for (place, event) in stimuli.enumerated() {
      let text = "== \(name(event.kind))"
      rows.append((event.timeNanoseconds, 0, place, row(event, text, text, "")))
    }
    for (place, event) in recorded.enumerated() {
      let other = partners[place].map { text(of: replayed[$0]) } ?? ""
      rows.append(
        (event.timeNanoseconds, 1, place, row(event, text(of: event), other, marks[place] ?? "")))
    }
    for (place, event) in replayed.enumerated() where !used.contains(place) {
      rows.append((event.timeNanoseconds, 2, place, row(event, "", text(of: event), "+")))
    }

    func row(
      _ event: RecordedEvent, _ old: String, _ new: String, _ mark: String
    ) -> ReplayReport.Row {
      ReplayReport.Row(
        launch: launch, timeNanoseconds: event.timeNanoseconds, recorded: old, replayed: new,
        mark: mark)
    }
    return rows.sorted { ($0.time, $0.rank, $0.place) < ($1.time, $1.rank, $1.place) }.map(\.row)
  }
}

extension Int64 {
  /// How far apart two times are; the largest number if it can't be said.
  fileprivate func distanceSaturating(to other: Int64) -> Int64 {
    let (distance, isOver) = other.subtractingReportingOverflow(self)
    return isOver || distance == .min ? .max : abs(distance)
  }
}
