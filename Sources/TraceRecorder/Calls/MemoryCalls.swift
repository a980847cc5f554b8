// Calls for the events of `mem`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `mem`.
  public var memory: MemoryCalls {
    MemoryCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `mem`. Arguments that aren't known are left out.
public struct MemoryCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `mem.cache`.
  ///
  /// The app calls it when it does this.
  public func cache(op: Op? = nil, cache: Int? = nil, bytes: Int? = nil, class: Class? = nil) {
    guard var event = core.open(.memCache, .instant, slotsMax: 7) else { return }
    if let op { event.add(.op, op.text) }
    if let cache { event.add(.cache, Int64(cache)) }
    if let bytes { event.add(.bytes, Int64(bytes)) }
    if let `class` { event.add(.class, `class`.text) }
    event.commit()
  }

  /// Values of `Op`.
  public enum Op: Sendable {
    case hold
    case drop

    @inline(__always)
    var text: StaticString {
      switch self {
      case .hold: "hold"
      case .drop: "drop"
      }
    }
  }

  /// Values of `Class`.
  public enum Class: Sendable {
    case image
    case media
    case file
    case other

    @inline(__always)
    var text: StaticString {
      switch self {
      case .image: "image"
      case .media: "media"
      case .file: "file"
      case .other: "other"
      }
    }
  }
}
