// The doubts about a trace, counted per id.
// This file must not know how a doubt is found.

/// The id of a doubt about the trace itself.
public enum QualityID: String, CaseIterable, Hashable, Sendable {
  case tq01 = "TQ01"
  case tq02 = "TQ02"
  case tq03 = "TQ03"
  case tq04 = "TQ04"
  case tq05 = "TQ05"
  case tq06 = "TQ06"
  case tq07 = "TQ07"
  case tq08 = "TQ08"
  case tq09 = "TQ09"
  case tq10 = "TQ10"
  case tq11 = "TQ11"
  case tq12 = "TQ12"

  /// What the id means, in one sentence without a final dot.
  public var summary: String {
    switch self {
    case .tq01: "the clock of a thread went backwards; the times were held at the last value"
    case .tq02: "events arrived later than the reorder window allows and were left out"
    case .tq03: "a span that was closed already returned again"
    case .tq04: "a span returned without having been entered"
    case .tq05: "the clock stops while the device sleeps and nothing relates it to another clock"
    case .tq06: "an expiration handler was called where none can be"
    case .tq07: "launches overlap, or the trace mixes several processes"
    case .tq08: "events were lost while recording"
    case .tq09: "the recording begins while the app is running already"
    case .tq10:
      "kinds of events or arguments are unknown to this version; they were kept, and only rules that name them hear them"
    case .tq11: "the trace stops without an end: it was cut off, rotated, or the app was killed"
    case .tq12: "the header contradicts itself or lacks what it must say"
    }
  }

  fileprivate var place: Int {
    switch self {
    case .tq01: 0
    case .tq02: 1
    case .tq03: 2
    case .tq04: 3
    case .tq05: 4
    case .tq06: 5
    case .tq07: 6
    case .tq08: 7
    case .tq09: 8
    case .tq10: 9
    case .tq11: 10
    case .tq12: 11
    }
  }
}

/// How often each doubt arose, with the first detail of each.
public struct QualityTally: Hashable, Sendable {
  private var counts = [Int](repeating: 0, count: QualityID.allCases.count)
  private var details = [String](repeating: "", count: QualityID.allCases.count)

  public init() {}

  /// Counts a doubt. The first detail that isn't empty is kept. A count that isn't positive
  /// changes nothing, and sums stop at the largest integer.
  public mutating func add(_ id: QualityID, count: Int = 1, detail: String = "") {
    guard count > 0 else { return }
    let (sum, overflow) = counts[id.place].addingReportingOverflow(count)
    counts[id.place] = overflow ? .max : sum
    if details[id.place].isEmpty { details[id.place] = detail }
  }

  /// Adds what another tally counted.
  public mutating func merge(_ other: QualityTally) {
    for id in QualityID.allCases {
      add(id, count: other.counts[id.place], detail: other.details[id.place])
    }
  }

  public func count(of id: QualityID) -> Int { counts[id.place] }

  /// The doubts that arose, sorted by id, each with a sentence without a final dot.
  public var notes: [(id: QualityID, count: Int, message: String)] {
    QualityID.allCases.filter { counts[$0.place] > 0 }.map { id in
      let detail = details[id.place]
      let message = detail.isEmpty ? id.summary : "\(id.summary) (\(detail))"
      return (id, counts[id.place], message)
    }
  }
}
