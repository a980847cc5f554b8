// Which events a pattern speaks of: kinds, phases, and tests of arguments.

public import TraceModel

/// The kinds that a pattern listens to.
public enum KindSelector: Hashable, Sendable {
  case kinds([EventKind])
  /// Everything that only running code of the app can cause: kinds made by the app, at both ends
  /// of spans, and samples of running threads that are no heartbeats.
  case appWork

  /// Whether events of a kind are selected, before any test of arguments.
  public func contains(_ kind: EventKind) -> Bool {
    switch self {
    case .kinds(let kinds): kinds.contains(kind)
    case .appWork: AppWork.kinds.contains(kind)
    }
  }
}

/// A test of an event's arguments. An absent argument passes no test but `not`.
public indirect enum FieldTest: Hashable, Sendable {
  case isText(ArgumentName, [String])
  case isTrue(ArgumentName)
  case isPresent(ArgumentName)
  case not(FieldTest)
  case all([FieldTest])
  case any([FieldTest])

  /// Whether the event passes.
  public func holds(for event: Event, in batch: EventBatch) -> Bool {
    switch self {
    case .isText(let name, let texts):
      texts.contains { batch.isText(name, $0, of: event) }
    case .isTrue(let name): batch.boolean(name, of: event) == true
    case .isPresent(let name): batch.bits(name, of: event) != nil
    case .not(let test): !test.holds(for: event, in: batch)
    case .all(let tests): tests.allSatisfy { $0.holds(for: event, in: batch) }
    case .any(let tests): tests.contains { $0.holds(for: event, in: batch) }
    }
  }
}

/// Events by kind, phase and arguments.
public struct EventPattern: Hashable, Sendable {
  public var kinds: KindSelector
  /// The phases that count; nil: all.
  public var phases: [Phase]?
  public var test: FieldTest?

  public init(_ kinds: KindSelector, phases: [Phase]? = nil, where test: FieldTest? = nil) {
    self.kinds = kinds
    self.phases = phases
    self.test = test
  }

  /// Whether an event of this kind and phase may match.
  public func listens(to kind: EventKind, _ phase: Phase) -> Bool {
    kinds.contains(kind) && (phases?.contains(phase) ?? true)
  }

  /// Whether an event matches that ``listens(to:_:)`` lets through.
  public func matches(_ event: Event, in batch: EventBatch) -> Bool {
    if case .appWork = kinds, !AppWork.counts(event, in: batch) { return false }
    return test?.holds(for: event, in: batch) ?? true
  }
}

/// What counts as work of the app.
public enum AppWork {
  /// The kinds that can count.
  public static let kinds: KindSet = {
    var set = KindSet()
    for description in Vocabulary.kinds {
      switch description.kind {
      case .procExit, .urlTask, .newsDownload: continue
      case .workSample: set.insert(description.kind)
      default:
        if description.emitter == .app || description.emitter == .appOrSystem {
          set.insert(description.kind)
        }
      }
    }
    return set
  }()

  /// Whether an event of one of these kinds counts.
  public static func counts(_ event: Event, in batch: EventBatch) -> Bool {
    switch event.kind {
    case .workSample: !batch.isText(.label, "heartbeat", of: event)
    case .uiAlertDismiss: batch.isText(.by, "app", of: event)
    default: event.kind.isKnown
    }
  }
}
