// Holds the kinds of files, shared resources, network and caches in memory.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let fileOpen = EventKind(rawValue: 117)
  public static let fileClose = EventKind(rawValue: 118)
  public static let fileAccess = EventKind(rawValue: 119)
  public static let fileLock = EventKind(rawValue: 120)
  public static let resUse = EventKind(rawValue: 121)
  public static let bonjourService = EventKind(rawValue: 122)
  public static let netListen = EventKind(rawValue: 123)
  public static let netConnect = EventKind(rawValue: 124)
  public static let netError = EventKind(rawValue: 125)
  public static let netIo = EventKind(rawValue: 126)
  public static let netSyncWait = EventKind(rawValue: 127)
  public static let urlSession = EventKind(rawValue: 128)
  public static let urlTask = EventKind(rawValue: 129)
  public static let memCache = EventKind(rawValue: 130)
}

extension Vocabulary {
  static let resourceKinds: [KindDescription] = [
    KindDescription(
      .fileOpen, "file.open", .instant, by: .app, "open",
      with: [
        .handle: .integer, .path: .string,
        .protection: .words(["none", "complete", "complete_unless_open", "until_first_unlock"]),
        .container: .container,
      ]),
    KindDescription(
      .fileClose, "file.close", .instant, by: .app, "close",
      with: [.handle: .integer]),
    KindDescription(
      .fileAccess, "file.access", .instant, by: .app, "read, write",
      with: [.handle: .integer, .op: .words(["read", "write"]), .errno: .integer]),
    KindDescription(
      .fileLock, "file.lock", .instant, by: .app, "flock, fcntl, SQLite transaction",
      with: [
        .lock: .integer, .op: .acquireOrRelease, .kind: .words(["file", "sqlite"]),
        .container: .container,
      ]),
    KindDescription(
      .resUse, "res.use", .instant, by: .app, "Address Book, calendar and kin",
      with: [.op: .acquireOrRelease, .resource: .string]),
    KindDescription(
      .bonjourService, "bonjour.service", .instant, by: .app, "Bonjour publish, browse, resolve",
      with: [
        .op: .startOrStop, .service: .string, .kind: .words(["publish", "browse", "resolve"]),
      ]),
    KindDescription(
      .netListen, "net.listen", .instant, by: .app, "listening socket",
      with: [.op: .openOrClose, .socket: .integer]),
    KindDescription(
      .netConnect, "net.connect", .instant, by: .app, "stream socket",
      with: [.op: .openOrClose, .socket: .integer, .peer: .string]),
    KindDescription(
      .netError, "net.error", .instant, by: .app, "socket error",
      with: [.socket: .integer, .errno: .integer]),
    KindDescription(
      .netIo, "net.io", .instant, by: .app, "send or receive",
      with: [.socket: .integer, .bytes: .integer]),
    KindDescription(
      .netSyncWait, "net.sync_wait", .span, by: .app, "blocking wait for a reply",
      with: [.request: .integer]),
    KindDescription(
      .urlSession, "url.session", .instant, by: .app, "NSURLSession creation",
      with: [
        .identifier: .string, .kind: .words(["default", "ephemeral", "background"]),
        .sendsLaunchEvents: .boolean, .discretionary: .boolean, .configHash: .string,
      ]),
    KindDescription(
      .urlTask, "url.task", .instant, by: .appOrSystem, "NSURLSession task",
      with: [
        .op: .words(["start", "finish", "error", "cancel"]), .task: .integer, .session: .string,
        .type: .words(["upload", "download", "data"]), .bytes: .integer,
      ]),
    KindDescription(
      .memCache, "mem.cache", .instant, by: .app,
      with: [
        .op: .words(["hold", "drop"]), .cache: .integer, .bytes: .integer,
        .class: .words(["image", "media", "file", "other"]),
      ]),
  ]
}
