// Holds the kinds of the start, the end and the suspension of the process.

/// Numbers are part of the format: never changed, never reused.
extension EventKind {
  public static let procStart = EventKind(rawValue: 8)
  public static let procMain = EventKind(rawValue: 9)
  public static let procExit = EventKind(rawValue: 10)
  public static let procKill = EventKind(rawValue: 11)
  public static let procSuspend = EventKind(rawValue: 12)
  public static let procResume = EventKind(rawValue: 13)
  public static let procFootprint = EventKind(rawValue: 14)
  public static let procCpu = EventKind(rawValue: 15)
}

extension Vocabulary {
  static let processKinds: [KindDescription] = [
    KindDescription(
      .procStart, "proc.start", .instant, by: .system, "process creation",
      with: [
        .pid: .integer, .launchId: .integer, .into: .words(["foreground", "background"]),
        .reason: .startReason,
      ]),
    KindDescription(
      .procMain, "proc.main", .span, by: .app, "main, UIApplicationMain",
      with: [.argc: .integer, .principalClass: .string, .delegateClass: .string]),
    KindDescription(
      .procExit, "proc.exit", .instant, by: .app, "exit, return from main",
      with: [.code: .integer, .by: .words(["app", "uikit_after_will_terminate"])]),
    KindDescription(
      .procKill, "proc.kill", .instant, by: .system, "SIGKILL",
      with: [
        .signal: .integer,
        .cause: .words([
          "watchdog", "jetsam", "user_force_quit", "gpu_in_background", "bgtask_expired",
          "keepalive_timeout", "shared_resource", "file_lock", "cpu_limit", "thermal",
          "disk_space", "crash", "unknown",
        ]),
        .code: .integer, .namespace: .string, .description: .string, .allowanceS: .number,
        .elapsedS: .number, .appCpuS: .number,
        .thermalState: .words(["nominal", "fair", "serious", "critical"]),
        .visibility: .words(["foreground", "background", "unknown"]), .role: .string,
        .thermalLevel: .integer, .totalCpuPercent: .number,
      ]),
    KindDescription(
      .procSuspend, "proc.suspend", .instant, by: .systemOrRecorder,
      with: [
        .inferred: .boolean, .evidence: .words(["heartbeat_gap", "assertion_model", "os_log"]),
      ]),
    KindDescription(
      .procResume, "proc.resume", .instant, by: .systemOrRecorder,
      with: [.inferred: .boolean, .reason: .startReason, .gapNs: .integer]),
    KindDescription(
      .procFootprint, "proc.footprint", .instant, by: .recorder,
      with: [.bytes: .integer, .dirtyBytes: .integer]),
    KindDescription(
      .procCpu, "proc.cpu", .instant, by: .recorder,
      with: [.thread: .integer, .cpuNs: .integer, .windowNs: .integer]),
  ]
}
