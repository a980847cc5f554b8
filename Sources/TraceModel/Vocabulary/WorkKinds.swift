// Holds the kinds of the work of the app: spans, queues, timers, queries, data, games and movies.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let workSpan = EventKind(rawValue: 58)
  public static let workSample = EventKind(rawValue: 59)
  public static let workDispatch = EventKind(rawValue: 60)
  public static let workQueueSuspend = EventKind(rawValue: 61)
  public static let workQueueResume = EventKind(rawValue: 62)
  public static let workTimerStart = EventKind(rawValue: 63)
  public static let workTimerStop = EventKind(rawValue: 64)
  public static let workTimerFire = EventKind(rawValue: 65)
  public static let workQueryStart = EventKind(rawValue: 66)
  public static let workQueryStop = EventKind(rawValue: 67)
  public static let dataDirty = EventKind(rawValue: 68)
  public static let dataSave = EventKind(rawValue: 69)
  public static let dataRestore = EventKind(rawValue: 70)
  public static let gamePause = EventKind(rawValue: 71)
  public static let gameResume = EventKind(rawValue: 72)
  public static let moviePlay = EventKind(rawValue: 73)
  public static let moviePause = EventKind(rawValue: 74)
  public static let appReact = EventKind(rawValue: 75)
}

extension Vocabulary {
  static let workKinds: [KindDescription] = [
    KindDescription(
      .workSpan, "work.span", .span, by: .app,
      with: [
        .id: .integer,
        .class: .words([
          "save", "db", "download", "upload", "critical", "noncritical", "audio_fill",
          "location", "housekeeping", "ui", "other",
        ]),
        .protectsToken: .token, .queue: .string, .session: .string, .label: .string,
      ]),
    KindDescription(
      .workSample, "work.sample", .instant, by: .recorder,
      with: [.thread: .integer, .label: .words(["profiler", "heartbeat"])]),
    KindDescription(
      .workDispatch, "work.dispatch", .instant, by: .app,
      "dispatch_async, NSOperationQueue.addOperation",
      with: [.queue: .string, .critical: .boolean, .work: .integer]),
    KindDescription(
      .workQueueSuspend, "work.queue_suspend", .instant, by: .app,
      "dispatch_suspend, setSuspended:YES",
      with: [.queue: .string, .critical: .boolean]),
    KindDescription(
      .workQueueResume, "work.queue_resume", .instant, by: .app, "dispatch_resume, setSuspended:NO",
      with: [.queue: .string]),
    KindDescription(
      .workTimerStart, "work.timer_start", .instant, by: .app,
      "NSTimer, dispatch source, CADisplayLink",
      with: [.timer: .integer, .intervalS: .number, .repeats: .boolean]),
    KindDescription(
      .workTimerStop, "work.timer_stop", .instant, by: .app, "invalidate, cancel",
      with: [.timer: .integer]),
    KindDescription(
      .workTimerFire, "work.timer_fire", .span, by: .app, "timer callback",
      with: [.timer: .integer]),
    KindDescription(
      .workQueryStart, "work.query_start", .instant, by: .app, "NSMetadataQuery startQuery",
      with: [.query: .integer]),
    KindDescription(
      .workQueryStop, "work.query_stop", .instant, by: .app, "NSMetadataQuery stopQuery",
      with: [.query: .integer]),
    KindDescription(
      .dataDirty, "data.dirty", .instant, by: .app,
      with: [.store: .string, .kind: .dataKind]),
    KindDescription(
      .dataSave, "data.save", .span, by: .app,
      with: [.store: .string, .kind: .dataKind, .ok: .boolean]),
    KindDescription(.dataRestore, "data.restore", .instant, by: .app, with: [.store: .string]),
    KindDescription(.gamePause, "game.pause", .instant, by: .app),
    KindDescription(
      .gameResume, "game.resume", .instant, by: .app,
      with: [.by: .words(["user", "app"])]),
    KindDescription(
      .moviePlay, "movie.play", .instant, by: .app, "movie playback",
      with: [.id: .integer, .route: .words(["local", "airplay"])]),
    KindDescription(
      .moviePause, "movie.pause", .instant, by: .app, "movie playback",
      with: [.id: .integer]),
    KindDescription(
      .appReact, "app.react", .instant, by: .app,
      with: [
        .subject: .words([
          "settings", "locale", "icloud", "status_bar", "reauth", "hide_info", "reload",
        ]),
        .security: .boolean,
      ]),
  ]
}
