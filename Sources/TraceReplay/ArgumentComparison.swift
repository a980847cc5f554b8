// Whether two calls that are the same one were made with the same arguments.
// This file must not know how calls are paired.

import TraceModel

/// Compares the arguments of pairs of calls, in the order of the recording.
///
/// Numbers that count what was made before (handles, tokens, identifiers) may all be others: what
/// counts is that calls which were about one thing still are.
struct ArgumentComparison {
  private struct Thing: Hashable {
    var sort: String
    var number: ArgumentValue
  }

  /// What the things of the recording are called in the replay.
  private var replayedNumbers: [Thing: ArgumentValue] = [:]

  /// Whether the arguments differ in what the app decides.
  mutating func isChanged(_ old: RecordedEvent, _ new: RecordedEvent) -> Bool {
    var isChanged = false
    for argument in old.arguments where Self.isCompared(argument.name, old) {
      guard let other = new.arguments.first(where: { $0.name == argument.name }) else {
        isChanged = isChanged || Self.needsAll(old)
        continue
      }
      if Self.countingArguments.contains(argument.name) {
        if isOtherThing(argument, other.value, old) { isChanged = true }
      } else if !Self.isEqual(argument.value, other.value) {
        isChanged = true
      }
    }
    guard Self.needsAll(old) else { return isChanged }
    let isMore = new.arguments.contains { argument in
      Self.isCompared(argument.name, new) && !old.arguments.contains { $0.name == argument.name }
    }
    return isChanged || isMore
  }

  private mutating func isOtherThing(
    _ argument: RecordedEvent.Argument, _ other: ArgumentValue, _ call: RecordedEvent
  ) -> Bool {
    let thing = Thing(sort: Self.sort(argument.name, call), number: argument.value)
    // A number may be given again to something new.
    if Self.introduces(call) {
      replayedNumbers[thing] = other
      return false
    }
    let known = replayedNumbers[thing]
    if known == nil { replayedNumbers[thing] = other }
    return known.map { $0 != other } ?? false
  }

  /// Alerts and movies have numbers of their own.
  private static func sort(_ name: String, _ call: RecordedEvent) -> String {
    switch name {
    case "id": (Vocabulary.description(of: call.kind)?.namespace ?? "") + ".id"
    case "protects_token": "token"
    default: name
    }
  }

  /// Whether a call makes what it names.
  private static func introduces(_ call: RecordedEvent) -> Bool {
    switch call.kind {
    case .bgtaskBegin, .fileOpen, .uiAlertShow, .uiSensitiveShow, .workTimerStart,
      .workQueryStart, .workDispatch, .glContextCreate, .localnoteSchedule, .moviePlay,
      .metalCommit, .glCall:
      return true
    default: break
    }
    switch call.text(.op) ?? "" {
    case "open", "start", "acquire", "hold": return true
    default: return call.phase == .enter
    }
  }

  // MARK: Which arguments count

  /// Numbers that count what the app or the system made before.
  private static let countingArguments: Set<String> = [
    "buffer", "cache", "context", "handle", "id", "issue", "lock", "protects_token", "query",
    "request", "socket", "stream", "submit_id", "task", "timer", "token", "uuid", "work",
  ]

  /// What the system answered, or what its clocks said.
  private static let answers: Set<String> = [
    "accepted", "earliest_begin_wall_ns", "elapsed_s", "errno", "error_code", "fire_wall_ns",
    "is_invalid", "refused",
  ]

  private static func isCompared(_ name: String, _ call: RecordedEvent) -> Bool {
    if answers.contains(name) { return false }
    guard let description = Vocabulary.description(of: call.kind) else { return true }
    // A call of the system counts by what the app answered.
    if description.emitter == .system { return name == "result" }
    switch (description.namespace, name) {
    case ("state", "value"), ("state", "seconds"), ("bgsched", "result"), ("net", "bytes"),
      ("url", "bytes"):
      return false
    default: return true
    }
  }

  /// Whether an argument that only one of the calls has is a difference. Recorders add some to
  /// background tasks, and few repeat them at the end of a span.
  private static func needsAll(_ call: RecordedEvent) -> Bool {
    call.phase != .return && call.kind != .bgtaskBegin && call.kind != .bgtaskEnd
      && call.kind != .completionCall && call.kind != .procExit
  }

  private static func isEqual(_ value: ArgumentValue, _ other: ArgumentValue) -> Bool {
    switch (value, other) {
    case (.integer(let number), .number(let fraction)),
      (.number(let fraction), .integer(let number)):
      Double(number) == fraction
    default: value == other
    }
  }
}
