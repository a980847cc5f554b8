// Calls for the events of `file`. Made by `tracedev generate` from the vocabulary.

import TraceModel

extension TraceRecorder {
  /// Records events of `file`.
  public var file: FileCalls {
    FileCalls(core: journal.core, privacyKey: key)
  }
}

/// Calls for the events of `file`. Arguments that aren't known are left out.
public struct FileCalls: Sendable {
  let core: JournalCore
  let privacyKey: PrivacyKey

  /// Records `file.open`: open.
  ///
  /// The app calls it when it does this.
  public func open(
    handle: Int? = nil, path: RecordedText? = nil, protection: Protection? = nil,
    container: Container? = nil
  ) {
    var slots = 9
    if let path { slots += path.slotsMax }
    guard var event = core.open(.fileOpen, .instant, slotsMax: slots) else { return }
    if let handle { event.add(.handle, Int64(handle)) }
    if let path { event.add(.path, path, key: privacyKey) }
    if let protection { event.add(.protection, protection.text) }
    if let container { event.add(.container, container.text) }
    event.commit()
  }

  /// Records `file.close`: close.
  ///
  /// The app calls it when it does this.
  public func close(handle: Int? = nil) {
    guard var event = core.open(.fileClose, .instant, slotsMax: 2) else { return }
    if let handle { event.add(.handle, Int64(handle)) }
    event.commit()
  }

  /// Records `file.access`: read, write.
  ///
  /// The app calls it when it does this.
  public func access(handle: Int? = nil, op: Op? = nil, errno: Int? = nil) {
    guard var event = core.open(.fileAccess, .instant, slotsMax: 5) else { return }
    if let handle { event.add(.handle, Int64(handle)) }
    if let op { event.add(.op, op.text) }
    if let errno { event.add(.errno, Int64(errno)) }
    event.commit()
  }

  /// Records `file.lock`: flock, fcntl, SQLite transaction.
  ///
  /// The app calls it when it does this.
  public func lock(
    lock: Int? = nil, op: LockOp? = nil, kind: Kind? = nil, container: Container? = nil
  ) {
    guard var event = core.open(.fileLock, .instant, slotsMax: 9) else { return }
    if let lock { event.add(.lock, Int64(lock)) }
    if let op { event.add(.op, op.text) }
    if let kind { event.add(.kind, kind.text) }
    if let container { event.add(.container, container.text) }
    event.commit()
  }

  /// Values of `Protection`.
  public enum Protection: Sendable {
    case noneGiven
    case complete
    case completeUnlessOpen
    case untilFirstUnlock

    @inline(__always)
    var text: StaticString {
      switch self {
      case .noneGiven: "none"
      case .complete: "complete"
      case .completeUnlessOpen: "complete_unless_open"
      case .untilFirstUnlock: "until_first_unlock"
      }
    }
  }

  /// Values of `Container`.
  public enum Container: Sendable {
    case `private`
    case appGroup

    @inline(__always)
    var text: StaticString {
      switch self {
      case .private: "private"
      case .appGroup: "app_group"
      }
    }
  }

  /// Values of `Op`.
  public enum Op: Sendable {
    case read
    case write

    @inline(__always)
    var text: StaticString {
      switch self {
      case .read: "read"
      case .write: "write"
      }
    }
  }

  /// Values of `LockOp`.
  public enum LockOp: Sendable {
    case acquire
    case release

    @inline(__always)
    var text: StaticString {
      switch self {
      case .acquire: "acquire"
      case .release: "release"
      }
    }
  }

  /// Values of `Kind`.
  public enum Kind: Sendable {
    case file
    case sqlite

    @inline(__always)
    var text: StaticString {
      switch self {
      case .file: "file"
      case .sqlite: "sqlite"
      }
    }
  }
}
