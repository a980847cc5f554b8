// What the worker tells those who answer requests.

import TraceExport

enum FolderNews: Sendable {
  /// Everything that was kept from earlier runs.
  case loaded([CaptureRecord], MetricSet)
  case checked(CaptureRecord, MetricSet)
  /// Captures whose files are gone.
  case gone([String], MetricSet)
  case looked(FolderLook)
  /// What a person should read on the terminal.
  case warning(String)
}

/// A look at the directory.
struct FolderLook: Sendable {
  /// Whether every file in it has been checked.
  var isComplete = false
  /// Whether a capture turned out to be unreadable.
  var hasUnreadable = false
  /// Why the directory can't be listed.
  var problem: String?
  /// When it ended, since 1970.
  var endSeconds: Int64 = 0
}
