// Counts what a block's header promises about its events.

import TraceModel

extension BlockSummary {
  /// Summarises a batch that isn't empty: everything but tag, codec, ordinal and sizes.
  init(of batch: EventBatch) {
    self.init()
    eventCount = batch.count
    threadCount = batch.threads.count
    quality.unknownKindCount = batch.kindNames.count
    quality.isNumbered = !batch.threads.contains { $0.firstSequence == 0 }
    var hasOthers = false
    for template in batch.templates {
      kinds.insert(template.kind)
      if template.kind.rawValue > FormatVocabulary.kindNumberMax { hasOthers = true }
    }
    if hasOthers { kinds.insert(EventKind(rawValue: EventKind.firstUnknownNumber)) }
    // A declared name that readers know becomes their kind, so its own bit must be set.
    for name in 0..<batch.kindNames.count {
      if let kind = Vocabulary.kind(named: batch.kindNames[name]) { kinds.insert(kind) }
    }
    summariseTimes(batch)
    var matches = SpanMatches(batch)
    matches.count(batch)
    quality.unmatchedEnterCount = matches.unmatchedEnterCount
    quality.unmatchedReturnCount = matches.unmatchedReturnCount
  }

  private mutating func summariseTimes(_ batch: EventBatch) {
    let times = batch.timesNanoseconds.span
    var earliest = times[0]
    var latest = times[0]
    var isNonDecreasing = true
    var isSorted = true
    for index in 1..<max(1, times.count) {
      let time = times[index]
      if time < times[index - 1] { isNonDecreasing = false }
      if time == times[index - 1], thread(batch, index) < thread(batch, index - 1) {
        isSorted = false
      }
      earliest = min(earliest, time)
      latest = max(latest, time)
    }
    earliestTicks = earliest
    latestTicks = latest
    quality.isNonDecreasing = isNonDecreasing
    quality.isSorted = isNonDecreasing && isSorted
  }

  private func thread(_ batch: EventBatch, _ index: Int) -> Int64 {
    batch.threads[Int(batch.templates[Int(batch.templateIndices[index])].thread)].id
  }
}

/// Counts enters without return and returns without enter: spans by kind and thread, windows by
/// kind.
private struct SpanMatches {
  private struct Key: Hashable {
    var kind: EventKind
    var thread: UInt16
  }

  /// The counter of each template; -1 for templates of moments.
  private var counters: [Int] = []
  private var isEnter: [Bool] = []
  private var open: [Int] = []
  private(set) var unmatchedReturnCount = 0

  var unmatchedEnterCount: Int { open.reduce(0, +) }

  init(_ batch: EventBatch) {
    var places: [Key: Int] = [:]
    for template in batch.templates {
      isEnter.append(template.phase == .enter)
      guard template.phase != .instant else {
        counters.append(-1)
        continue
      }
      let isWindow = Vocabulary.description(of: template.kind)?.shape == .window
      let key = Key(kind: template.kind, thread: isWindow ? 0 : template.thread)
      let place = places[key] ?? open.count
      if place == open.count {
        places[key] = place
        open.append(0)
      }
      counters.append(place)
    }
  }

  mutating func count(_ batch: EventBatch) {
    for template in batch.templateIndices {
      let counter = counters[Int(template)]
      guard counter >= 0 else { continue }
      if isEnter[Int(template)] {
        open[counter] += 1
      } else if open[counter] > 0 {
        open[counter] -= 1
      } else {
        unmatchedReturnCount += 1
      }
    }
  }
}
