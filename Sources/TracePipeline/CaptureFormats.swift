// Which formats of captures are read, and which one a capture has, decided by its first bytes.

import TraceCodecs
import TraceFormat
import TraceIO
import TraceImport
public import TraceModel
import TraceNotation

/// The formats of captures.
public enum CaptureFormats {
  /// Every format: our own three first.
  public static let all: [CaptureFormat] =
    [.lctrace, .journal, .ndjson, .timeline] + CaptureImporters.all

  /// The most bytes that recognition looks at.
  public static let headBytesMax = 65_536

  /// The format with this name; nil if there is none.
  public static func named(_ name: String) -> CaptureFormat? { all.first { $0.name == name } }

  /// Whether a path is called like a trace in one of our formats.
  static func isOwnExtension(of path: String) -> Bool {
    FileExtension.of(path, isAmong: ownExtensions)
  }

  private static let ownExtensions = all.filter(\.isOwn).map(\.name) + [Recording.journal]

  /// What `log stream` says first, in whatever style lines follow.
  private static let streamHeading = Array("Filtering the log data".utf8)

  /// Whether bytes are no more than a heading that several formats share: more must come before
  /// anybody can tell which one it is.
  static func isHeadingOnly(_ head: Span<UInt8>) -> Bool {
    guard head.count >= streamHeading.count else { return false }
    for offset in streamHeading.indices where head[offset] != streamHeading[offset] {
      return false
    }
    for offset in 0..<head.count where head[offset] == UInt8(ascii: "\n") {
      return offset == head.count - 1
    }
    return true
  }

  /// What a format says that is certain: none can be surer.
  private static let certain = 100

  /// The format that is surest of a capture that begins with these bytes; the first of equally
  /// sure ones; nil if none is sure at all.
  public static func recognise(_ head: Span<UInt8>) -> CaptureFormat? {
    let head = head.extracting(first: headBytesMax)
    var best: CaptureFormat?
    var bestScore = 0
    for format in all {
      let score = format.recognise(head)
      if score > bestScore {
        best = format
        bestScore = score
        if score >= certain { break }
      }
    }
    return best
  }
}

extension CaptureFormat {
  /// The binary trace format, with zstd columns.
  public static let lctrace = CaptureFormat.lctrace(codec: .zstd(level: 3))

  /// The recorder's journal, with the trace beside it.
  public static let journal = CaptureFormat.journal(codec: .zstd(level: 3))

  /// Whether a capture without events may be a trace.
  var isTrace: Bool { isOwn || name == Self.journal.name }

  /// Whether events may be written in this format, and a capture without events be a trace.
  public var isOwn: Bool { Self.ownNames.contains(name) }

  /// Which one of several captures of one trace is checked: the lowest, as it says most.
  package var copyRank: Int {
    // A journal is read with the trace beside it, and holds what the trace doesn't.
    if name == Self.journal.name { return -1 }
    return Self.ownNames.firstIndex(of: name) ?? Self.ownNames.count
  }

  private static let ownNames = ["lctrace", "ndjson", "timeline"]
}
