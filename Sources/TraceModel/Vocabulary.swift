// The vocabulary: every kind of event, joined from the tables in `Vocabulary/`.

/// The words of a trace: kinds of events, their arguments, and names of notifications.
public enum Vocabulary {
  /// Every kind, by number; the first has number 1.
  public static let kinds: [KindDescription] =
    recorderKinds + processKinds + stimulusKinds + delegateKinds + stateKinds
    + backgroundTaskKinds + workKinds + graphicsKinds + interfaceKinds + notificationKinds
    + serviceKinds + resourceKinds + modernKinds

  /// The description of a kind of the vocabulary; nil for an unknown kind.
  public static func description(of kind: EventKind) -> KindDescription? {
    let index = Int(kind.rawValue) - 1
    return index >= 0 && index < kinds.count ? kinds[index] : nil
  }

  /// The kind with this name; nil if the vocabulary doesn't know it.
  public static func kind(named name: String) -> EventKind? { kindsByName[name] }

  private static let kindsByName: [String: EventKind] = {
    var byName: [String: EventKind] = [:]
    for description in kinds { byName[description.name] = description.kind }
    return byName
  }()
}
