// Holds the kinds for what the tracing code says of the recording itself.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let traceStart = EventKind(rawValue: 1)
  public static let traceEnd = EventKind(rawValue: 2)
  public static let traceLost = EventKind(rawValue: 3)
  public static let traceClockSync = EventKind(rawValue: 4)
  public static let traceClockStep = EventKind(rawValue: 5)
  public static let traceThread = EventKind(rawValue: 6)
  public static let traceMarker = EventKind(rawValue: 7)
}

extension Vocabulary {
  static let recorderKinds: [KindDescription] = [
    KindDescription(
      .traceStart, "trace.start", .instant, by: .recorder,
      with: [
        .reason: .words(["launch", "attach", "resume_of_recording"]), .continuousNs: .integer,
        .uptimeNs: .integer, .wallNs: .integer,
      ]),
    KindDescription(
      .traceEnd, "trace.end", .instant, by: .recorder,
      with: [.reason: .words(["clean", "rotated", "buffer_full"])]),
    KindDescription(
      .traceLost, "trace.lost", .instant, by: .recorder,
      with: [
        .count: .integer, .firstNs: .integer, .lastNs: .integer, .thread: .string,
        .kinds: .string,
      ]),
    KindDescription(
      .traceClockSync, "trace.clock_sync", .instant, by: .recorder,
      with: [.continuousNs: .integer, .uptimeNs: .integer, .wallNs: .integer]),
    KindDescription(
      .traceClockStep, "trace.clock_step", .instant, by: .recorder,
      with: [.oldWallNs: .integer, .newWallNs: .integer]),
    KindDescription(
      .traceThread, "trace.thread", .instant, by: .recorder,
      with: [.thread: .integer, .isMain: .boolean, .queue: .string, .name: .string]),
    KindDescription(.traceMarker, "trace.marker", .instant, by: .app, with: [.text: .string]),
  ]
}
