// Callbacks by which it shows that the one before has returned.

import TraceModel

/// Callbacks that the main thread can only begin when the one before has returned.
enum CallbackKinds {
  private static let kinds = KindSet(
    Vocabulary.kinds.filter {
      $0.kind == .uiTouch || $0.namespace == "delegate" || $0.namespace == "scene"
    }.map(\.kind))

  static func provesReturn(_ kind: EventKind) -> Bool { kinds.contains(kind) }
}
