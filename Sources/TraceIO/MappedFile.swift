// A new file of fixed size, mapped into memory and written there: what is stored in it is in the
// file the moment it is stored, whatever becomes of the process. Memory alone, for who wants none.

/// A file of this process's own that is written through memory.
///
/// A class, because a mapping has one owner; the pointer it hands out is good until ``unmap()``.
@safe public final class MappedFile: @unchecked Sendable {
  public let path: String
  public let byteCount: Int
  /// The first byte. Everything from there on for ``byteCount`` bytes is readable and writable.
  public let start: UnsafeMutableRawPointer
  /// -1 for memory without a file.
  private let descriptor: Int32
  private var isMapped = true

  /// Creates the file, with room on the disk for all of it, and brings its pages into memory.
  ///
  /// - Throws: ``FileError``, also if there is a file of that name, or no room. Nothing is left.
  public init(creating path: String, byteCount: Int) throws(FileError) {
    do throws(SystemError) {
      descriptor = try SystemCalls.createShared(path)
    } catch {
      throw FileError(error, path, "can't create it")
    }
    do throws(SystemError) {
      try SystemCalls.reserve(descriptor, byteCount: byteCount)
      unsafe start = try unsafe SystemCalls.map(descriptor, byteCount: byteCount)
    } catch {
      SystemCalls.close(descriptor)
      SystemCalls.remove(path)
      throw FileError(error, path, "can't reserve \(byteCount) bytes")
    }
    self.path = path
    self.byteCount = byteCount
    touchPages()
  }

  /// Takes memory that no file stands behind: nothing of it outlives the process.
  ///
  /// - Throws: ``FileError`` if the process may not have so much.
  public init(inMemory byteCount: Int) throws(FileError) {
    do throws(SystemError) {
      unsafe start = try unsafe SystemCalls.mapMemory(byteCount: byteCount)
    } catch {
      throw FileError(error, "memory", "can't reserve \(byteCount) bytes")
    }
    descriptor = -1
    path = ""
    self.byteCount = byteCount
    touchPages()
  }

  /// Brings the pages into memory. They are new and zero, and storing zero makes them present.
  private func touchPages() {
    for offset in stride(from: 0, to: byteCount, by: Self.pageByteCountMin) {
      // The offset is below the size of the mapping.
      unsafe start.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
    }
  }

  /// The smallest page of any system this runs on.
  private static let pageByteCountMin = 4_096

  /// Waits until the bytes around a range are on the disk.
  public func synchronize(_ range: Range<Int>) throws(FileError) {
    let first = range.lowerBound & ~(Self.pageByteCountMax - 1)
    let end = min(range.upperBound, byteCount)
    guard first < end, descriptor >= 0 else { return }
    do throws(SystemError) {
      // The range was cut to the mapping.
      try unsafe SystemCalls.synchronize(start + first, byteCount: end - first)
    } catch {
      throw FileError(error, path, "can't write it to the disk")
    }
  }

  /// The largest page: a range must begin at one.
  private static let pageByteCountMax = 65_536

  /// Takes the pages away. Nobody may use ``start`` from now on.
  public func unmap() {
    guard isMapped else { return }
    isMapped = false
    unsafe SystemCalls.unmap(start, byteCount: byteCount)
    if descriptor >= 0 { SystemCalls.close(descriptor) }
  }

  deinit { unmap() }
}
