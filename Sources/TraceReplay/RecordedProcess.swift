// The processes of a recording: which thread of each is the main one, and in which call of the
// system each event lies.
// This file must not know what is delivered and what is compared.

import TraceModel

/// One process of a recording. Its main thread has number 1, whatever it had in the recording.
struct RecordedProcess {
  private(set) var events: [RecordedEvent] = []
  /// For a span that was entered on the main thread, by the place of its enter: where it returned.
  private(set) var returnPlaces: [Int: Int] = [:]

  /// The processes of a recording. What comes before the first start is part of it.
  static func all(of recording: Recording) -> [RecordedProcess] {
    let events = recording.events
    let starts = events.indices.filter { events[$0].kind == .procStart }
    var bounds = [events.startIndex] + starts.dropFirst()
    bounds.append(events.endIndex)
    var mainThread: Int64?
    return zip(bounds, bounds.dropFirst()).map { start, end in
      let part = events[start..<end]
      mainThread = namedMainThread(part) ?? mainThread
      return RecordedProcess(part, mainThread: mainThread ?? likelyMainThread(part))
    }
  }

  private init(_ recorded: ArraySlice<RecordedEvent>, mainThread: Int64) {
    var entered: [EventKind: [Int]] = [:]
    var systemTokens: Set<ArgumentValue> = []
    var open: [(kind: EventKind, place: Int)] = []
    events.reserveCapacity(recorded.count)
    for (place, recordedEvent) in recorded.enumerated() {
      var event = recordedEvent
      // The two numbers change places, so that no thread gets the number of another.
      if event.thread == mainThread {
        event.thread = 1
      } else if event.thread == 1 {
        event.thread = mainThread
      }
      if event.thread == 1 {
        if event.phase == .return {
          if let enter = entered[event.kind]?.popLast() { returnPlaces[enter] = place }
          if event.isLifeCall, open.last?.kind == event.kind { open.removeLast() }
        }
        event.enclosing = open.last?.kind
        event.enclosingPlace = open.last?.place
        if event.phase == .enter {
          entered[event.kind, default: []].append(place)
          if event.isLifeCall { open.append((event.kind, place)) }
        }
      }
      event.isMadeBySystem = Self.isTaskOfSystem(event, &systemTokens)
      events.append(event)
    }
  }

  /// Whether an event begins or ends a background task that the system has for itself in the
  /// process.
  ///
  /// - Parameter tokens: The tokens of those that are open.
  private static func isTaskOfSystem(
    _ event: RecordedEvent, _ tokens: inout Set<ArgumentValue>
  ) -> Bool {
    guard let token = event.value(.token) else { return false }
    switch event.kind {
    case .bgtaskBegin:
      let isOfSystem = event.text(.by) == "uikit"
      if isOfSystem { tokens.insert(token) } else { tokens.remove(token) }
      return isOfSystem
    case .bgtaskEnd: return tokens.contains(token)
    default: return false
    }
  }

  /// The main thread, where the recording says which one it is.
  private static func namedMainThread(_ events: ArraySlice<RecordedEvent>) -> Int64? {
    events.first { $0.kind == .traceThread && $0.boolean(.isMain) == true }
      .map { $0.integer(.thread) ?? $0.thread }
  }

  /// The system calls the delegate on the main thread.
  private static func likelyMainThread(_ events: ArraySlice<RecordedEvent>) -> Int64 {
    events.first { $0.isLifeCall }?.thread ?? 1
  }
}
