// What compares two lives: takes both as a timeline does, and tells the differences at the end.
// This file must not know any form in which they are told.

import TraceLifecycle
import TraceModel
import TraceRules

extension TimelineFormat {
  /// The forms in which differences of two traces are told, in the order in which help lists them.
  public static let differences: [TimelineFormat] = [
    .differenceText, .differenceJSON, .differencePage,
  ]
}

/// How two lives are compared.
public struct ComparisonTerms: Hashable, Sendable {
  public var alignment: LifeAlignment
  /// Changes of times and lengths that mean nothing, in nanoseconds, unless a twentieth of the
  /// length is more.
  public var toleranceNanoseconds: Int64

  public init(alignment: LifeAlignment = .launch, toleranceNanoseconds: Int64 = 20_000_000) {
    self.alignment = alignment
    self.toleranceNanoseconds = toleranceNanoseconds
  }
}

/// The lives that are compared, as far as they have been told.
struct ComparedLives: Sendable {
  private let terms: ComparisonTerms
  private(set) var lives: [LifeSketch] = []

  init(_ terms: ComparisonTerms) { self.terms = terms }

  mutating func begin(_ trace: TimelineTrace) { lives.append(LifeSketch(trace, terms.alignment)) }

  /// Changes the life that is being told.
  mutating func change(_ body: (inout LifeSketch) -> Void) {
    if !lives.isEmpty { body(&lives[lives.count - 1]) }
  }

  mutating func end(_ judgement: Judgement) {
    change {
      $0.findings = judgement.findings
      $0.eventCount = judgement.eventCount
    }
  }

  /// The comparison; nil unless there are two lives.
  var comparison: LifeComparison? {
    guard lives.count == 2 else { return nil }
    return LifeComparison(
      lives[0], lives[1], terms.alignment,
      LifeComparison.Tolerance(nanoseconds: terms.toleranceNanoseconds))
  }
}

/// A sink that only needs the comparison.
protocol DifferenceSink: TimelineSink {
  var compared: ComparedLives { get set }
  mutating func tell(_ comparison: LifeComparison)
}

extension DifferenceSink {
  var anchorNanoseconds: Int64? { compared.lives.last?.anchorNanoseconds }

  mutating func begin(_ trace: TimelineTrace) { compared.begin(trace) }
  mutating func look(in batch: EventBatch) { compared.change { $0.look(in: batch) } }
  mutating func name(_ number: Int, _ text: String) { compared.change { $0.name(number, text) } }
  mutating func track(_ track: LifeTrack) { compared.change { $0.track(track) } }
  mutating func rename(_ track: LifeTrack) { compared.change { $0.rename(track) } }
  mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    compared.change { $0.begin(span, with: event, in: batch) }
  }
  mutating func end(_ span: LifeSpan) { compared.change { $0.end(span) } }
  mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    compared.change { $0.end(span) }
  }
  mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch) {
    compared.change { $0.mark(mark, with: event, in: batch) }
  }
  mutating func finding(_ finding: Finding) {}
  mutating func endTrace(_ judgement: Judgement) { compared.end(judgement) }
  mutating func end() {
    if let comparison = compared.comparison { tell(comparison) }
  }
}
