// Which events a pattern speaks of: kinds, edges of spans, arguments, and when.

public import TraceModel

/// The kinds that a pattern listens to.
public enum KindSelector: Hashable, Sendable {
  case kinds([EventKind])
  /// Kinds by name that the vocabulary doesn't have: an app's own, in users' rules.
  case named([String])
  /// Everything that only running code of the app can cause: kinds made by the app, at both ends
  /// of spans, and samples of running threads that are no heartbeats.
  case appWork
}

/// Which end of a span counts. An instant is both ends of itself.
public enum Edge: String, CaseIterable, Hashable, Sendable {
  case begin, end, any

  /// Whether events of a phase count.
  public func contains(_ phase: Phase) -> Bool {
    switch self {
    case .begin: phase != .return
    case .end: phase != .enter
    case .any: true
    }
  }
}

/// What tells one key from another.
public enum KeyField: Hashable, Sendable {
  /// An argument; events without it share the key “absent”.
  case argument(ArgumentName)
  /// The event's thread.
  case thread
}

/// Events by kind, edge, arguments and circumstances.
///
/// In an app that lives by its scenes, a pattern of one of the four callbacks of the delegate that
/// scenes have too means the scene's callback where that moves the whole app: the last scene that
/// enters the background, the first that becomes active.
public struct EventPattern: Hashable, Sendable {
  public var kinds: KindSelector
  public var edge: Edge
  public var test: FieldTest?
  /// What must hold when the event happens. The life cycle has taken the event by then.
  public var condition: Condition?
  /// Where this pattern's events have their key; nil: where the combinator says.
  public var key: [KeyField]?
  /// The delegate's callbacks themselves are meant, also in an app that lives by its scenes.
  public var isLiteral: Bool

  public init(
    _ kinds: KindSelector, edge: Edge = .begin, where test: FieldTest? = nil,
    while condition: Condition? = nil, key: [KeyField]? = nil, isLiteral: Bool = false
  ) {
    self.kinds = kinds
    self.edge = edge
    self.test = test
    self.condition = condition
    self.key = key
    self.isLiteral = isLiteral
  }

  /// Instants, and beginnings of spans.
  public static func on(
    _ kinds: EventKind..., where test: FieldTest? = nil, while condition: Condition? = nil,
    key: [KeyField]? = nil
  ) -> EventPattern {
    EventPattern(.kinds(kinds), edge: .begin, where: test, while: condition, key: key)
  }

  /// Instants, and ends of spans.
  public static func end(
    _ kinds: EventKind..., where test: FieldTest? = nil, while condition: Condition? = nil,
    key: [KeyField]? = nil
  ) -> EventPattern {
    EventPattern(.kinds(kinds), edge: .end, where: test, while: condition, key: key)
  }

  /// Instants, and both ends of spans.
  public static func any(
    _ kinds: EventKind..., where test: FieldTest? = nil, while condition: Condition? = nil,
    key: [KeyField]? = nil
  ) -> EventPattern {
    EventPattern(.kinds(kinds), edge: .any, where: test, while: condition, key: key)
  }

  /// Whether an event of this kind and phase may match.
  public func listens(to kind: EventKind, _ phase: Phase) -> Bool {
    guard edge.contains(phase) else { return false }
    return switch kinds {
    case .kinds(let kinds): kinds.contains(kind)
    case .named: !kind.isKnown
    case .appWork: AppWork.kinds.contains(kind)
    }
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
