// Events that wait for later ones, which decide what they mean.

import TraceLifecycle
import TraceModel

/// What later events decide of an event.
struct Lookahead {
  enum Question {
    /// Whether an inferred suspension was one.
    case suspension(SuspensionScout)
    /// What the life cycle asks for.
    case life(Foresight)
  }

  /// What was decided of the event at a place of the trace.
  struct Decision {
    var ordinal: Int
    var isTrue: Bool
    var question: Question

    /// Whether the event is nested in a callback.
    var isNested: Bool {
      if case .life(.callbackReturns) = question { isTrue } else { false }
    }

    /// Whether it says nothing of an event, nor of those after it.
    func isOver(at event: Event) -> Bool {
      if case .life(let found) = question { found.isOver(at: event) } else { true }
    }

    /// The events that show that an inferred suspension was none, or the one that answered what the
    /// life cycle asked.
    var proof: [WitnessEvent]
  }

  /// The place of the event in the trace.
  let ordinal: Int
  private(set) var question: Question
  private var answer: [WitnessEvent] = []

  init(_ event: Event, _ question: Question) {
    ordinal = event.ordinal
    self.question = question
  }

  /// Takes the next event, and says what it decides; nil: nothing.
  mutating func take(_ event: Event, in batch: EventBatch) -> Bool? {
    switch question {
    case .suspension(var scout):
      let isTrue = scout.take(event, in: batch)
      question = .suspension(scout)
      return isTrue
    case .life(var foresight):
      let isTrue = foresight.take(event, in: batch)
      question = .life(foresight)
      if isTrue == true { answer = [batch.witness(event, role: "close")] }
      return isTrue
    }
  }

  /// What holds if nothing that came until a time has decided it, and nothing comes any more.
  func end(at time: Int64) -> Bool {
    switch question {
    case .suspension(let scout): scout.end(at: time)
    case .life: false
    }
  }

  /// What is taken to hold if too many events would have to wait.
  var answerWhenFull: Bool {
    switch question {
    case .suspension: true
    case .life: false
    }
  }

  func decided(_ isTrue: Bool) -> Decision {
    var proof = answer
    if case .suspension(let scout) = question { proof = scout.proof }
    return Decision(ordinal: ordinal, isTrue: isTrue, question: question, proof: proof)
  }

  /// Whether what was decided of an earlier event says that this holds, too.
  func follows(from earlier: Decision, for event: Event) -> Bool {
    guard earlier.isTrue, case .life(let found) = earlier.question,
      case .life(let asked) = question
    else { return false }
    return found.holds(for: event, asking: asked)
  }
}

extension Engine {
  /// Events held at most while something isn't decided.
  private static let heldMax = 65_536

  /// Hands events on to be judged, but for those that wait for a decision.
  func sift(_ batch: EventBatch, _ range: Range<Int>, _ anomalies: [SpanAnomaly]) {
    var start = range.lowerBound
    while start < range.upperBound {
      if lookahead == nil {
        guard let stop = judgeEvents(batch, start..<range.upperBound, anomalies) else { return }
        for index in stop..<range.upperBound { hold(index, batch, anomalies) }
        return
      }
      hold(start, batch, anomalies)
      let event = batch.event(at: start)
      start += 1
      if let isTrue = lookahead?.take(event, in: batch) {
        release(isTrue)
      } else if held.isFull || held.batch.count >= Self.heldMax {
        release(lookahead?.answerWhenFull ?? true)
      }
    }
  }

  private func hold(_ index: Int, _ batch: EventBatch, _ anomalies: [SpanAnomaly]) {
    // They are in order: halving finds the first of an event.
    var (place, end) = (0, anomalies.count)
    while place < end {
      let middle = place + (end - place) / 2
      if anomalies[middle].index < index { place = middle + 1 } else { end = middle }
    }
    while place < anomalies.count, anomalies[place].index == index {
      var anomaly = anomalies[place]
      anomaly.index = held.batch.count
      heldAnomalies.append(anomaly)
      place += 1
    }
    held.copy(index, of: batch)
  }

  /// Has the events that were held judged.
  private func release(_ isTrue: Bool) {
    guard let decided = lookahead else { return }
    lookahead = nil
    take(decided.decided(isTrue))
    var batch = EventBatch()
    held.take(into: &batch)
    let anomalies = heldAnomalies
    heldAnomalies.removeAll()
    sift(batch, 0..<batch.count, anomalies)
  }

  /// Has the events that were held judged, as nothing that comes later can decide: at the end, or
  /// before events that were lost.
  func releaseAll(endingAt time: Int64) {
    while let lookahead { release(lookahead.end(at: time)) }
  }

  /// Whether it is decided what an event means; looks ahead in the part at hand.
  func isDecided(_ event: Event, _ batch: EventBatch, upTo end: Int) -> Bool {
    guard decision?.ordinal != event.ordinal, var ahead = question(about: event, batch) else {
      return true
    }
    returns.removeAll { $0.isOver(at: event) }
    if let known = returns.last(where: { ahead.follows(from: $0, for: event) }) {
      decision = known
      decision?.ordinal = event.ordinal
      return true
    }
    for index in event.index + 1..<max(end, event.index + 1) {
      if let isTrue = ahead.take(batch.event(at: index), in: batch) {
        take(ahead.decided(isTrue))
        return true
      }
    }
    lookahead = ahead
    return false
  }

  private func take(_ decision: Lookahead.Decision) {
    self.decision = decision
    if decision.isNested { returns.append(decision) }
  }

  /// What later events must decide of an event; nil if its meaning is clear.
  private func question(about event: Event, _ batch: EventBatch) -> Lookahead? {
    if event.kind == .procSuspend {
      guard batch.boolean(.inferred, of: event) == true else { return nil }
      return SuspensionScout(event, in: batch, judge).map {
        Lookahead(event, .suspension($0))
      }
    }
    return judge.withModel { $0.awaits(event, in: batch) }.map { Lookahead(event, .life($0)) }
  }
}
