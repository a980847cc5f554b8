// Holds the kinds of what the user touches and sees, and permissions.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let uiTouch = EventKind(rawValue: 82)
  public static let uiEvent = EventKind(rawValue: 83)
  public static let uiUpdate = EventKind(rawValue: 84)
  public static let uiNeedsDisplay = EventKind(rawValue: 85)
  public static let uiAlertShow = EventKind(rawValue: 86)
  public static let uiAlertDismiss = EventKind(rawValue: 87)
  public static let uiSensitiveShow = EventKind(rawValue: 88)
  public static let uiSensitiveHide = EventKind(rawValue: 89)
  public static let uiIcloudPrompt = EventKind(rawValue: 90)
  public static let privAuth = EventKind(rawValue: 91)
}

extension Vocabulary {
  static let interfaceKinds: [KindDescription] = [
    KindDescription(
      .uiTouch, "ui.touch", .instant, by: .system, "UITouch delivered",
      with: [.x: .number, .y: .number]),
    KindDescription(
      .uiEvent, "ui.event", .instant, by: .system, "remote control, motion, redraw",
      with: [.kind: .words(["remote_control", "motion", "accelerometer", "redraw", "gesture"])]),
    KindDescription(
      .uiUpdate, "ui.update", .instant, by: .app,
      with: [.what: .words(["view", "layer", "window"]), .forSnapshot: .boolean]),
    KindDescription(
      .uiNeedsDisplay, "ui.needs_display", .instant, by: .app,
      "setNeedsDisplay, setNeedsDisplayInRect:",
      with: [.view: .string]),
    KindDescription(
      .uiAlertShow, "ui.alert_show", .instant, by: .app, "UIAlertView, UIActionSheet shown",
      with: [.id: .integer, .type: .string]),
    KindDescription(
      .uiAlertDismiss, "ui.alert_dismiss", .instant, by: .appOrSystem,
      with: [.id: .integer, .by: .words(["user", "app", "system"])]),
    KindDescription(
      .uiSensitiveShow, "ui.sensitive_show", .instant, by: .app,
      with: [.id: .integer]),
    KindDescription(
      .uiSensitiveHide, "ui.sensitive_hide", .instant, by: .app,
      with: [.id: .integer]),
    KindDescription(
      .uiIcloudPrompt, "ui.icloud_prompt", .instant, by: .app, "asks about iCloud storage",
      with: [.choiceInDefaults: .boolean]),
    KindDescription(
      .privAuth, "priv.auth", .instant, by: .system,
      with: [.kind: .words(["microphone", "bluetooth_peripheral", "location"]), .status: .string]),
  ]
}
