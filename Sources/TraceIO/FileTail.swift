// Adds to the end of a file that somebody else keeps, such as the summary of a job.

import TraceModel

/// A file that is written at its end. What stood there stays.
public struct FileTail: ~Copyable {
  public let path: String
  /// The size of the file as it was when it was opened.
  public let byteCount: Int64
  private let descriptor: Int32

  /// Opens a file, or creates it.
  ///
  /// - Throws: ``FileError``
  public init(path: String) throws(FileError) {
    do throws(SystemError) {
      descriptor = try SystemCalls.openToAppend(path)
    } catch {
      throw FileError(error, path, "can't write to it")
    }
    self.path = path
    var size: Int64 = 0
    do throws(SystemError) {
      size = try SystemCalls.status(of: descriptor).byteCount
    } catch {
      // A file without a known size counts as empty.
    }
    byteCount = size
  }

  deinit { SystemCalls.close(descriptor) }

  public mutating func write(_ bytes: [UInt8]) throws(FileError) {
    do throws(SystemError) {
      try DescriptorWriter.write(bytes, to: descriptor)
    } catch {
      throw FileError(error, path, "can't write to it")
    }
  }
}
