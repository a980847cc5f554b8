// The moment of a life that is laid beside one of another life.

import TraceLifecycle
import TraceModel

/// What two lives have in common in time.
public enum LifeAlignment: Hashable, Sendable {
  /// The beginning of the first launch, or the first event of a capture that begins in mid-life.
  case launch
  /// The event of a kind that occurs so many times, from 1.
  case event(kind: String, number: Int)

  /// Occurrences that are counted: further on a capture is no life that anybody looks at.
  static let numbersMax = 1_000_000

  /// - Parameter text: `launch`, a kind of events, or a kind with a number as in `proc.start#2`.
  ///   Nil if it is neither.
  public init?(_ text: String) {
    if text == "launch" {
      self = .launch
      return
    }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = parts.first, !kind.isEmpty else { return nil }
    guard parts.count == 2 else {
      self = .event(kind: String(kind), number: 1)
      return
    }
    guard let number = Int(parts[1]), (1...Self.numbersMax).contains(number) else { return nil }
    self = .event(kind: String(kind), number: number)
  }

  /// The moment in words, behind "aligned at".
  var words: String {
    switch self {
    case .launch: "the first launch"
    case .event(let kind, 1): "the first \(kind)"
    case .event(let kind, let number): "\(kind) number \(number)"
    }
  }

  /// The moment as it is given in an option.
  var text: String {
    switch self {
    case .launch: "launch"
    case .event(let kind, 1): kind
    case .event(let kind, let number): "\(kind)#\(number)"
    }
  }
}

/// Looks for the moment of an alignment in one life.
struct LifeAnchor: Sendable {
  private let kind: String?
  private var left: Int
  /// The moment; nil as long as it wasn't found.
  private(set) var nanoseconds: Int64?

  init(_ alignment: LifeAlignment) {
    switch alignment {
    case .launch:
      kind = nil
      left = 0
    case .event(let name, let number):
      kind = name
      left = number
    }
  }

  /// Whether the moment is the beginning of a launch.
  var isLaunch: Bool { kind == nil }

  /// Takes note of a launch.
  mutating func launchBegins(at nanoseconds: Int64) {
    if isLaunch, self.nanoseconds == nil { self.nanoseconds = nanoseconds }
  }

  /// Looks for the event in the next block. Of a span its enter counts.
  mutating func look(in batch: EventBatch) {
    guard let kind, nanoseconds == nil else { return }
    var templates: Set<Int> = []
    for (place, template) in batch.templates.enumerated()
    where template.phase != .return && batch.name(of: template.kind) == kind {
      templates.insert(place)
    }
    if templates.isEmpty { return }
    for index in 0..<batch.count where templates.contains(Int(batch.templateIndices[index])) {
      left -= 1
      if left == 0 {
        nanoseconds = batch.timesNanoseconds[index]
        return
      }
    }
  }
}
