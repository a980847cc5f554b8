// Cuts evidence down to what shows a violation on its own: no event is left out without which it
// would not be seen, and none is kept that is idle.

import TraceModel

/// Finds the smallest evidence of a finding by judging parts of it anew.
///
/// A monitor names more events than needed: where the app stands, and what its facts rest on. What
/// each is worth is tried out. The cost follows the number of events, some tens; findings beyond
/// ``findingsMax`` keep what the monitor named as theirs.
struct WitnessMinimiser {
  /// Findings of one rule whose evidence is cut down.
  static let findingsMax = 256
  /// Events that are tried one by one; more are kept as they are.
  static let eventsMax = 400

  private let judge: Judge
  private let entry: FindingStore.Entry
  private let plans: RulePlans

  /// - Parameter plans: Judge by the finding's rule alone.
  init(_ judge: Judge, _ entry: FindingStore.Entry, plans: RulePlans) {
    self.judge = judge
    self.entry = entry
    self.plans = plans
  }

  /// The evidence without idle events.
  func minimal(_ own: [WitnessEvent]) -> [WitnessEvent] {
    let sorted = Self.ordered(own)
    guard let context = entry.draft.context,
      judge.minimisedCounts[entry.ruleIndex] < Self.findingsMax
    else { return sorted }
    judge.minimisedCounts[entry.ruleIndex] += 1
    // More isn't always better: an event of the context may be another violation of its own. What
    // the monitor names comes first, as of two roles of an event the first counts.
    let first = own.map(\.ordinal).min() ?? 0
    let leftOut: [Set<String>] = [
      ["reason", "earlier", "cleared", "void"], ["reason", "cleared", "void"],
      ["cleared", "void"], ["reason", "void"], ["void"], ["reason", "earlier", "cleared"], [],
      ["state", "reason", "earlier", "cleared", "void"], ["state", "reason", "cleared", "void"],
    ]
    let attempts =
      [sorted, Self.ordered(own + context.filter { $0.role == "launch" })]
      + (leftOut + leftOut.map { $0.union(["heartbeat"]) }).map { roles in
        Self.ordered(own + context.filter { !roles.contains($0.role) })
      }
      // What the facts are now may also come from events that answer other violations.
      + [Self.ordered(own + context.filter { $0.role != "fact" || $0.ordinal <= first })]
    let shown = attempts.first { $0.count <= Self.eventsMax && shows($0) }
    guard var kept = shown ?? latest(own, context) ?? withoutOneFact(own, context) else {
      return sorted
    }
    dropHalves(&kept)
    var place = 0
    while place < kept.count {
      var without = kept
      without.remove(at: place)
      if shows(without) {
        kept = without
      } else {
        place += 1
      }
    }
    return isMinimal(kept) ? kept : minimalAgain(kept)
  }

  /// The evidence with the latest events of the context, as few as show the violation: one from
  /// before may begin what an event ended that the context doesn't hold.
  private func latest(_ own: [WitnessEvent], _ context: [WitnessEvent]) -> [WitnessEvent]? {
    for always in [["launch"], ["launch", "fact"]] {
      let base = own + context.filter { always.contains($0.role) }
      let others = Self.ordered(context.filter { $0.role != "void" })
      var count = 1
      while count < others.count {
        let events = Self.ordered(base + others.suffix(count))
        if events.count <= Self.eventsMax && shows(events) { return events }
        count += 1 + count / 16
      }
    }
    return nil
  }

  /// The evidence without one of the events that the facts rest on: it may begin what an event
  /// ended that the context doesn't hold, while an earlier one does as well.
  private func withoutOneFact(
    _ own: [WitnessEvent], _ context: [WitnessEvent]
  ) -> [WitnessEvent]? {
    for fact in context where fact.role == "fact" {
      let events = Self.ordered(
        own + context.filter { $0.ordinal != fact.ordinal && $0.role != "void" })
      if events.count <= Self.eventsMax && shows(events) { return events }
    }
    return nil
  }

  /// Drops large parts first where the evidence is long.
  private func dropHalves(_ kept: inout [WitnessEvent]) {
    var size = kept.count / 2
    while size >= 4 {
      var start = 0
      while start < kept.count {
        var without = kept
        without.removeSubrange(start..<min(start + size, kept.count))
        if shows(without) { kept = without } else { start += size }
      }
      size /= 2
    }
  }

  private func isMinimal(_ events: [WitnessEvent]) -> Bool {
    !events.indices.contains { place in
      var without = events
      without.remove(at: place)
      return shows(without)
    }
  }

  /// Dropping one event can make another idle; a second pass finds it.
  private func minimalAgain(_ events: [WitnessEvent]) -> [WitnessEvent] {
    var kept = events
    for _ in 0..<4 {
      let before = kept.count
      var place = 0
      while place < kept.count {
        var without = kept
        without.remove(at: place)
        if shows(without) { kept = without } else { place += 1 }
      }
      if kept.count == before { break }
    }
    return kept
  }

  /// Each event once, in the order of the trace.
  static func ordered(_ events: [WitnessEvent]) -> [WitnessEvent] {
    var seen: Set<Int> = []
    return events.filter { seen.insert($0.ordinal).inserted }.sorted { $0.ordinal < $1.ordinal }
  }

  /// Whether these events alone are judged to be the same violation.
  private func shows(_ events: [WitnessEvent]) -> Bool {
    var assembler = BatchAssembler()
    for event in events {
      // More names than a batch holds: no part that small is tried.
      if assembler.isFull { return false }
      assembler.begin(
        assembler.kind(named: event.event), event.phase, thread: event.thread,
        timeNanoseconds: event.timeNanoseconds)
      for argument in event.arguments where assembler.canAddArgument {
        assembler.add(assembler.argumentName(argument.name), argument.value)
      }
      assembler.endEvent()
    }
    var batch = EventBatch()
    assembler.take(into: &batch)
    var checker = Checker(header: judge.header, plans: plans)
    checker.consume(&batch)
    let wanted = judge.severity(entry)
    let rule = judge.rules[entry.ruleIndex]
    let reason = rule.clauses[entry.draft.clause].reason
    return checker.finish(isDamaged: false).findings.contains {
      $0.reason == reason && $0.severity == wanted
        && $0.timeNanoseconds == entry.draft.timeNanoseconds
    }
  }
}
