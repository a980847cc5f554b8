// The list of the importers: the only place that names them all.

public import TraceModel

/// Formats of captures that other tools made.
public enum CaptureImporters {
  /// Every importer, one line each.
  public static let all: [CaptureFormat] = [
    .consoleText,
    .logCompact,
    .logDefault,
    .logSyslog,
    .logJSON,
    .deviceSyslog,
    .appium,
    .pymobile,
    .pymobileJSON,
    .syslog,
    .xcodeConsole,
    .crashText,
    .crashJSON,
    .resourceReport,
    .stackshot,
    .jetsamEvent,
    .metricPayload,
  ]
}
