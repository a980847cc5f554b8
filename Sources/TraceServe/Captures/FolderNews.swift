// What the worker tells those who answer requests.

import TraceExport
import TraceIO
import TraceModel

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
  /// Whether there is a capture that can't be read.
  var hasUnreadable = false
  /// Why the directory can't be listed.
  var problem: String?
  var unseen = UnseenPaths()
  /// When it ended, since 1970.
  var endSeconds: Int64 = 0
}

/// Parts of the directory that can't be looked at, as long as that lasts.
struct UnseenPaths: Sendable {
  var count = 0
  /// What is wrong with the first one.
  var first = ""

  var isEmpty: Bool { count == 0 }

  /// What a person should know; nil if all is seen.
  var sentence: String? {
    switch count {
    case 0: nil
    case 1: "a part of the directory can't be looked at: \(first)"
    default: "\(count) parts of the directory can't be looked at, the first one: \(first)"
    }
  }
}

extension UnseenPaths {
  /// - Parameter listing: What is unseen in it without an error was gone a moment later.
  init(_ listing: DirectoryListing.Listing) {
    let unseen = Set(listing.unseen)
    for error in listing.errors where unseen.contains(error.path) {
      if count == 0 { first = "\(error.path): \(error.message)" }
      count += 1
    }
  }
}
