// What a trace of several captures holds beside their events: its beginning, gaps and ends.
// This file must not know why they are there.

import TraceModel

/// An event that no member has as it is.
struct AddedEvent: Sendable {
  enum Content: Sendable {
    /// The recording begins in the middle of a life.
    case attach
    /// Nobody saw what happened in a stretch of time.
    case lost(firstNanoseconds: Int64, lastNanoseconds: Int64)
    /// The end of a life, with what all captures say of it.
    case end(isKill: Bool, arguments: [(name: String, value: ArgumentValue)])
  }

  var timeNanoseconds: Int64
  var line: UInt32 = 0
  var content: Content

  /// Whether it stands before what happened at the same moment.
  var isFirst: Bool {
    switch content {
    case .attach: true
    case .lost(let first, _): timeNanoseconds != first
    case .end: false
    }
  }

  /// The order of events of one moment.
  var rank: Int {
    switch content {
    case .attach: 0
    case .lost: isFirst ? 1 : 3
    case .end: 2
    }
  }
}
