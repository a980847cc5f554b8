// Waits until something below a directory may have changed. What changed is for a new listing to
// say: hints can be late, doubled or lost, so they only decide how soon one looks.

/// Watches a directory and the directories in it.
///
/// Where the system has no such service, or has none left, every wait takes its full time.
public struct DirectoryWatch: ~Copyable {
  /// Directories that are watched; deeper or wider trees are looked at by the clock.
  public static let directoriesMax = 8_192

  private let descriptor: Int32?
  /// Whether every directory of the tree is watched.
  public private(set) var isComplete: Bool

  /// Begins to watch.
  public init(path: String) {
    do throws(SystemError) {
      let descriptor = try SystemCalls.makeWatch()
      self.descriptor = descriptor
      isComplete = true
      isComplete = watch(path)
    } catch {
      descriptor = nil
      isComplete = false
    }
  }

  deinit { if let descriptor { SystemCalls.close(descriptor) } }

  /// Waits for a hint.
  ///
  /// - Returns: Whether something may have changed; false if the time is over.
  public func wait(milliseconds: Int32) -> Bool {
    guard let descriptor else {
      SystemCalls.sleep(milliseconds: milliseconds)
      return false
    }
    guard SystemCalls.wait(for: descriptor, milliseconds: milliseconds) == .ready else {
      return false
    }
    SystemCalls.discardAvailable(descriptor)
    return true
  }

  /// Watches directories that came into being since.
  public mutating func refresh(path: String) { isComplete = watch(path) }

  private func watch(_ path: String) -> Bool {
    guard let descriptor else { return false }
    let folders = DirectoryListing.folders(below: path, limit: Self.directoriesMax)
    var isComplete = folders.count < Self.directoriesMax
    for folder in folders {
      do throws(SystemError) {
        try SystemCalls.addWatch(descriptor, folder)
      } catch {
        isComplete = false
      }
    }
    return isComplete
  }
}
