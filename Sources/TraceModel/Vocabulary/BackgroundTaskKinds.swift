// Holds the kinds of the beginning, the end and the expiration of background tasks.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let bgtaskBegin = EventKind(rawValue: 55)
  public static let bgtaskEnd = EventKind(rawValue: 56)
  public static let bgtaskExpire = EventKind(rawValue: 57)
}

extension Vocabulary {
  static let backgroundTaskKinds: [KindDescription] = [
    KindDescription(
      .bgtaskBegin, "bgtask.begin", .instant, by: .app,
      "beginBackgroundTaskWithName:expirationHandler:, beginBackgroundTaskWithExpirationHandler:",
      with: [
        .token: .token, .isInvalid: .boolean, .name: .string, .hasExpirationHandler: .boolean,
        .selector: .string, .by: .words(["app", "uikit"]), .elapsedS: .number,
      ]),
    KindDescription(
      .bgtaskEnd, "bgtask.end", .instant, by: .app, "endBackgroundTask:",
      with: [.token: .token, .isInvalid: .boolean, .refused: .boolean]),
    KindDescription(
      .bgtaskExpire, "bgtask.expire", .span, by: .system, "expiration handler",
      with: [.token: .token]),
  ]
}
