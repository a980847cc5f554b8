// Properties of judgements of random lives that hold whatever a rule says: blocks don't matter,
// what was lost can't take a violation back, and evidence shows the violation on its own.

import TraceModel
import TraceNaive
import TraceRules

/// Checks one rule on one random life.
struct LifeProperties {
  let rule: Rule
  let header: TraceHeader
  let batch: EventBatch
  private let options: CheckOptions

  init(_ one: NaiveCase) {
    rule = one.rule
    header = one.life.header
    batch = one.life.batch
    var options = CheckOptions()
    options.rules = [one.rule]
    options.profile = one.life.profile
    self.options = options
  }

  // MARK: Blocks

  /// How a judgement depends on the cut into blocks; nil if it doesn't.
  func dependsOnBlocks() -> String? {
    let whole = judge(Array(0..<batch.count), eventsPerBatch: .max)
    for size in [1, 2, 5] {
      let cut = judge(Array(0..<batch.count), eventsPerBatch: size)
      if cut.findings != whole.findings || cut.verdicts != whole.verdicts {
        return "blocks of \(size) give \(brief(cut)) instead of \(brief(whole))"
      }
    }
    return nil
  }

  // MARK: Gaps

  /// A violation that the trace with a gap shows and the whole trace doesn't; nil if there is none.
  func isRefutedByFilling(from start: Int, count: Int) -> String? {
    guard start < batch.count else { return nil }
    let lost = start..<min(start + count, batch.count)
    let lossy = judge(
      Array(0..<batch.count).filter { !lost.contains($0) }, eventsPerBatch: .max, gapAt: lost)
    guard !lossy.findings.isEmpty else { return nil }
    let whole = judge(Array(0..<batch.count), eventsPerBatch: .max)
    let reasons = Set(whole.findings.map(\.reason))
    if let refuted = lossy.findings.first(where: { !reasons.contains($0.reason) }) {
      return "events \(lost) lost: \(refuted.reason ?? "a violation") at"
        + " \(refuted.timeNanoseconds), which the whole trace refutes: \(brief(whole))"
    }
    return nil
  }

  // MARK: Evidence

  /// A finding whose evidence doesn't show it, or is longer than needed; nil if there is none.
  func lacksEvidence() -> (findings: Int, failure: String?) {
    var options = options
    let judgement = judge(Array(0..<batch.count), eventsPerBatch: .max)
    options.minimisesWitnesses = false
    for finding in judgement.findings where finding.launch > 0 {
      let ordinals = finding.witness.map(\.ordinal)
      if !shows(ordinals, finding, options) {
        return (judgement.findings.count, "the evidence \(ordinals) doesn't show \(line(finding))")
      }
      for ordinal in ordinals where shows(ordinals.filter { $0 != ordinal }, finding, options) {
        return (
          judgement.findings.count, "event \(ordinal) of \(ordinals) is idle for \(line(finding))"
        )
      }
    }
    return (judgement.findings.count, nil)
  }

  private func shows(_ ordinals: [Int], _ finding: Finding, _ options: CheckOptions) -> Bool {
    let places = (0..<batch.count).filter { ordinals.contains(batch.ordinal(at: $0)) }
    return judge(places, eventsPerBatch: .max, options: options).findings.contains {
      $0.reason == finding.reason && $0.severity == finding.severity
        && $0.timeNanoseconds == finding.timeNanoseconds
    }
  }

  // MARK: Judging parts

  private func judge(
    _ places: [Int], eventsPerBatch: Int, gapAt gap: Range<Int>? = nil,
    options: CheckOptions? = nil
  ) -> Judgement {
    var checker = Checker(header: header, options: options ?? self.options)
    var assembler = BatchAssembler()
    var ordinal = 0
    func take() {
      var part = EventBatch()
      assembler.take(into: &part)
      part.ordinals = []
      part.firstOrdinal = ordinal
      ordinal += part.count
      if part.count > 0 { checker.consume(&part) }
    }
    var hasGap = gap == nil
    for place in places {
      if let gap, !hasGap, place >= gap.upperBound {
        hasGap = true
        assembler.begin(
          .traceLost, .instant, thread: 1,
          timeNanoseconds: batch.timesNanoseconds[gap.upperBound - 1])
        assembler.add(.count, .integer(Int64(gap.count)))
        assembler.endEvent()
      }
      assembler.copy(place, of: batch)
      if assembler.batch.count >= eventsPerBatch { take() }
    }
    if let gap, !hasGap {
      assembler.begin(
        .traceLost, .instant, thread: 1,
        timeNanoseconds: batch.timesNanoseconds[gap.upperBound - 1])
      assembler.endEvent()
    }
    take()
    return checker.finish(isDamaged: false)
  }

  private func line(_ finding: Finding) -> String {
    "\(finding.reason ?? "a violation") at \(finding.timeNanoseconds)"
  }

  private func brief(_ judgement: Judgement) -> String {
    let unknown = judgement.verdicts[rule.id]?.unknownReasons ?? [:]
    return "\(judgement.findings.map { "\(line($0)) ×\($0.count)" }) unknown \(unknown)"
  }
}
