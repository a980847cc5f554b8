// Holds the kinds of notifications inside the process and local notifications.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let noteObserve = EventKind(rawValue: 92)
  public static let noteDeliver = EventKind(rawValue: 93)
  public static let localnoteSchedule = EventKind(rawValue: 94)
  public static let localnoteCancel = EventKind(rawValue: 95)
  public static let localnoteCancelAll = EventKind(rawValue: 96)
  public static let localnoteFire = EventKind(rawValue: 97)
}

extension Vocabulary {
  static let notificationKinds: [KindDescription] = [
    KindDescription(
      .noteObserve, "note.observe", .instant, by: .app, "NSNotificationCenter addObserver",
      with: [.name: .string]),
    KindDescription(
      .noteDeliver, "note.deliver", .span, by: .system, "NSNotification delivered",
      with: [.name: .string, .queued: .boolean, .coalescedCount: .integer, .object: .string]),
    KindDescription(
      .localnoteSchedule, "localnote.schedule", .instant, by: .app,
      "scheduleLocalNotification:, presentLocalNotificationNow:",
      with: [
        .id: .string, .fireWallNs: .integer, .repeatInterval: .string, .soundName: .string,
        .soundInBundle: .boolean,
        .soundFormat: .words(["linear_pcm", "ma4", "ulaw", "alaw", "other"]),
      ]),
    KindDescription(
      .localnoteCancel, "localnote.cancel", .instant, by: .app, "cancelLocalNotification:",
      with: [.id: .string]),
    KindDescription(
      .localnoteCancelAll, "localnote.cancel_all", .instant, by: .app,
      "cancelAllLocalNotifications"),
    KindDescription(
      .localnoteFire, "localnote.fire", .instant, by: .system, "local notification delivered",
      with: [.id: .string, .to: .words(["user", "app"])]),
  ]
}
