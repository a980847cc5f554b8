// One transition of the life cycle, as data. The table is in `Transition+All.swift`.
// The model doesn't read it: the table says what is expected, the model follows what happens.

public import TraceModel

/// A transition that the life cycle allows: from where to where, why, and with which calls.
public struct Transition: Hashable, Sendable {
  /// An event of a transition.
  public struct Call: Hashable, Sendable {
    public let kind: EventKind
    public let isOptional: Bool
  }

  /// `T01` to `T32`.
  public let id: String
  public let from: [LifecycleState]
  /// The states passed through, in order.
  public let via: [LifecycleState]
  /// The states it may end in.
  public let to: [LifecycleState]
  public let stimulus: String
  /// The events in order.
  public let calls: [Call]
  /// What the calls alone don't say; empty if there is nothing.
  public let remark: String
  public let profiles: [Profile]
  public let sourceTitle: String

  /// The transition with this id; nil if there is none.
  public static func named(_ id: String) -> Transition? { all.first { $0.id == id } }
}

extension Transition.Call {
  static func must(_ kind: EventKind) -> Self { Self(kind: kind, isOptional: false) }
  static func may(_ kind: EventKind) -> Self { Self(kind: kind, isOptional: true) }
}
