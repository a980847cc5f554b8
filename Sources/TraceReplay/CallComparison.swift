// Compares what an app did with what the recording says that it did.
// This file must not know how a life is replayed, and which calls are the same one.

import TraceModel

/// The calls of one process, compared.
struct CallComparison {
  private(set) var divergences: [Divergence] = []
  private(set) var callCount = 0
  private(set) var rows: [ReplayReport.Row] = []

  private let recorded: [RecordedEvent]
  private let replayed: [RecordedEvent]
  private let stimuli: [RecordedEvent]
  private let launch: Int
  private var found: [(time: Int64, divergence: Divergence)] = []
  /// What stands before the line of a recorded call that differs, by its place.
  private var marks: [Int: String] = [:]

  static func compare(
    recorded: [RecordedEvent], replayed: [RecordedEvent], stimuli: [RecordedEvent], launch: Int,
    toleranceNanoseconds: Int64
  ) -> CallComparison {
    var comparison = CallComparison(recorded, replayed, stimuli, launch)
    let matching = CallMatching(recorded, replayed, toleranceNanoseconds: toleranceNanoseconds)
    comparison.compare(matching, toleranceNanoseconds)
    return comparison
  }

  private init(
    _ recorded: [RecordedEvent], _ replayed: [RecordedEvent], _ stimuli: [RecordedEvent],
    _ launch: Int
  ) {
    (self.recorded, self.replayed, self.stimuli) = (recorded, replayed, stimuli)
    self.launch = launch
    callCount = max(recorded.count, replayed.count)
  }

  private mutating func compare(_ matching: CallMatching, _ toleranceNanoseconds: Int64) {
    let partners = matching.partners
    let reordered = disordered(partners)
    var arguments = ArgumentComparison()
    for (place, event) in recorded.enumerated() {
      guard let partner = partners[place].map({ replayed[$0] }) else {
        report(.missing, event, nil)
        marks[place] = "-"
        continue
      }
      let isElsewhere = (event.thread == 1) != (partner.thread == 1)
      let isChanged = arguments.isChanged(event, partner)
      if isChanged || isElsewhere {
        report(.changed, event, partner)
        marks[place] = "!"
      }
      let shift = partner.timeNanoseconds.minus(event.timeNanoseconds)
      let isInOtherCall = !isElsewhere && partner.enclosing != event.enclosing
      if reordered.contains(place) || isInOtherCall {
        report(.reordered, event, partner)
        marks[place] = "~"
      } else if shift > toleranceNanoseconds {
        report(.later, event, partner)
        marks[place] = ">"
      } else if shift < -toleranceNanoseconds {
        report(.earlier, event, partner)
        marks[place] = "<"
      }
    }
    for (place, event) in replayed.enumerated() where !matching.used.contains(place) {
      report(.new, nil, event)
    }
    // Sorting keeps no order among equals by itself.
    divergences = found.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element.divergence)
    rows = timeline(matching)
  }

  private mutating func report(
    _ kind: Divergence.Kind, _ old: RecordedEvent?, _ new: RecordedEvent?
  ) {
    guard let event = old ?? new else { return }
    let divergence = Divergence(
      kind: kind, call: Self.text(of: event), replayedCall: new.map { Self.text(of: $0) },
      event: event.kind, thread: event.thread, replayedThread: new?.thread, launch: launch,
      recordedNanoseconds: old?.timeNanoseconds, replayedNanoseconds: new?.timeNanoseconds,
      after: lastStimulus(before: event.timeNanoseconds),
      recordedInside: old?.enclosing, replayedInside: new?.enclosing)
    found.append((event.timeNanoseconds, divergence))
  }

  // MARK: Order

  /// Two threads, one of the recording and the one of the replay that does the same.
  private struct ThreadPair: Hashable {
    var recorded: Int64
    var replayed: Int64
  }

  /// The recorded calls that changed places: those outside of a longest run, thread by thread, in
  /// which both orders agree. The order between threads is chance.
  private func disordered(_ partners: [Int: Int]) -> Set<Int> {
    var placesByThread: [ThreadPair: [Int]] = [:]
    for place in recorded.indices {
      guard let partner = partners[place] else { continue }
      let pair = ThreadPair(
        recorded: recorded[place].thread, replayed: replayed[partner].thread)
      placesByThread[pair, default: []].append(place)
    }
    var result = Set<Int>()
    for (_, places) in placesByThread {
      let orders = places.map { partners[$0] ?? 0 }
      let kept = Self.longestAscent(orders)
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
  private func lastStimulus(before time: Int64) -> String {
    var (low, high) = (0, stimuli.count)
    while low < high {
      let middle = (low + high) / 2
      if stimuli[middle].timeNanoseconds <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? Self.name(stimuli[low - 1].kind) : ""
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

  private func timeline(_ matching: CallMatching) -> [ReplayReport.Row] {
    typealias Ordered = (time: Int64, rank: Int, place: Int, row: ReplayReport.Row)
    var rows: [Ordered] = []
    for (place, event) in stimuli.enumerated() {
      let text = "== \(Self.name(event.kind))"
      rows.append((event.timeNanoseconds, 0, place, row(event, text, text, "")))
    }
    for (place, event) in recorded.enumerated() {
      let other = matching.partners[place].map { Self.text(of: replayed[$0]) } ?? ""
      let line = row(event, Self.text(of: event), other, marks[place] ?? "")
      rows.append((event.timeNanoseconds, 1, place, line))
    }
    for (place, event) in replayed.enumerated() where !matching.used.contains(place) {
      rows.append((event.timeNanoseconds, 2, place, row(event, "", Self.text(of: event), "+")))
    }
    return rows.sorted { ($0.time, $0.rank, $0.place) < ($1.time, $1.rank, $1.place) }.map(\.row)
  }

  private func row(
    _ event: RecordedEvent, _ old: String, _ new: String, _ mark: String
  ) -> ReplayReport.Row {
    ReplayReport.Row(
      launch: launch, timeNanoseconds: event.timeNanoseconds, recorded: old, replayed: new,
      mark: mark)
  }
}
