// By what a capture is known again that grew, has another name, couldn't be read for a while or was
// away.

import TraceIO

/// What a file held when it was read last.
struct CaptureTrack: Codable, Sendable {
  var version: FileVersion
  /// How the file began; nil if that couldn't be read.
  var beginning: FileBeginning?
  /// The format's name.
  var format: String
  var traces: [Trace]

  struct Trace: Codable, Sendable {
    var traceID: String
    /// Under which name it is counted.
    var key: String
    /// Whether it became what it is by growing, and was counted under another id before.
    var hasGrown: Bool
  }
}

extension CaptureTrack {
  /// Whether nothing in it tells it from others: headers are alike, and nothing was counted yet.
  var isNameless: Bool {
    traces.allSatisfy { trace in trace.traceID.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }
  }

  /// About how many bytes it takes to keep it.
  var byteCount: Int {
    traces.reduce(400) { $0 + $1.traceID.utf8.count + $1.key.utf8.count + 80 }
  }
}

extension CaptureRecord {
  /// By what the file is known again; nil if it could never be read.
  var track: CaptureTrack? {
    if isPassedOver || traces.isEmpty { return lastRead }
    return CaptureTrack(
      version: version, beginning: beginning, format: format,
      traces: traces.map {
        CaptureTrack.Trace(traceID: $0.traceID, key: $0.key, hasGrown: $0.hasGrown ?? false)
      })
  }
}
