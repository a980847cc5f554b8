// The differences of two lives in a page: both timelines, and a list that leads to the places.
// `Timelines/Page/compare.js` shows what is written here.

import TraceLifecycle
import TraceModel
import TraceRules

extension TimelineFormat {
  /// The page of both timelines, with the differences.
  static let differencePage = TimelineFormat(
    name: "html", mediaType: "text/html; charset=utf-8", title: "page", tracesMax: 2
  ) { DifferencePage(compared: ComparedLives($0.comparison)) }
}

private struct DifferencePage: TimelineSink {
  private var page = HTMLTimeline()
  private var compared: ComparedLives

  init(compared: ComparedLives) { self.compared = compared }

  var output: [UInt8] {
    get { page.output }
    _modify { yield &page.output }
  }

  var anchorNanoseconds: Int64? { compared.lives.last?.anchorNanoseconds }

  mutating func begin(_ trace: TimelineTrace) {
    compared.begin(trace)
    page.begin(trace)
  }

  mutating func look(in batch: EventBatch) { compared.change { $0.look(in: batch) } }

  mutating func name(_ number: Int, _ text: String) {
    compared.change { $0.name(number, text) }
    page.name(number, text)
  }

  mutating func track(_ track: LifeTrack) {
    compared.change { $0.track(track) }
    page.track(track)
  }

  mutating func rename(_ track: LifeTrack) {
    compared.change { $0.rename(track) }
    page.rename(track)
  }

  mutating func begin(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    compared.change { $0.begin(span, with: event, in: batch) }
    page.begin(span, with: event, in: batch)
  }

  mutating func end(_ span: LifeSpan) {
    compared.change { $0.end(span) }
    page.end(span)
  }

  mutating func end(_ span: LifeSpan, with event: Event, in batch: EventBatch) {
    compared.change { $0.end(span) }
    page.end(span, with: event, in: batch)
  }

  mutating func mark(_ mark: LifeMark, with event: Event, in batch: EventBatch) {
    compared.change { $0.mark(mark, with: event, in: batch) }
    page.mark(mark, with: event, in: batch)
  }

  mutating func finding(_ finding: Finding) { page.finding(finding) }

  mutating func endTrace(_ judgement: Judgement) {
    compared.end(judgement)
    page.endTrace(judgement)
  }

  mutating func end() {
    if let comparison = compared.comparison {
      page.differences(comparison.differences.map { row(of: $0, comparison) }, comparison)
    }
    page.end()
  }

  private func row(
    of difference: LifeDifference, _ comparison: LifeComparison
  ) -> HTMLTimeline.Difference {
    HTMLTimeline.Difference(
      change: difference.change.rawValue, name: difference.name,
      place: DifferenceWords.place(difference),
      details: DifferenceWords.details(difference, comparison),
      first: difference.first.map { range(of: $0, in: comparison.first) },
      second: difference.second.map { range(of: $0, in: comparison.second) })
  }

  private func range(of item: LifeItem, in life: LifeSketch) -> (start: Int64, end: Int64) {
    let start = item.startNanoseconds.minus(life.firstNanoseconds ?? 0)
    return (start, start.plus(item.durationNanoseconds))
  }
}
