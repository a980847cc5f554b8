// Writes to standard output and standard error, whatever they are: a file, a terminal, a pipe whose
// reader may leave.

/// Standard output or standard error.
///
/// When the reader of a pipe has gone, ``isClosed`` becomes true and further text is dropped: that
/// is how `| head` ends, and no error.
public struct OutputStream: Sendable {
  private let descriptor: Int32
  private let name: String
  public private(set) var isClosed = false

  private init(_ descriptor: Int32, _ name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  public static var standardOutput: OutputStream {
    OutputStream(SystemCalls.standardOutput, "standard output")
  }

  public static var standardError: OutputStream {
    OutputStream(SystemCalls.standardError, "standard error")
  }

  public var isTerminal: Bool { SystemCalls.isTerminal(descriptor) }

  /// Writes all bytes.
  ///
  /// - Throws: ``FileError`` if the system refuses, for example on a full disk.
  public mutating func write(_ bytes: [UInt8]) throws(FileError) {
    if isClosed { return }
    do throws(SystemError) {
      try DescriptorWriter.write(bytes, to: descriptor)
    } catch {
      if error.isBrokenPipe {
        isClosed = true
      } else {
        throw FileError(error, name, "can't write to it")
      }
    }
  }

  public mutating func write(_ text: String) throws(FileError) { try write(Array(text.utf8)) }
}

/// Writes whole buffers to descriptors, in as many calls as it takes.
enum DescriptorWriter {
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var failure: SystemError?
    unsafe bytes.withUnsafeBytes { buffer in
      var start = 0
      while start < buffer.count {
        do throws(SystemError) {
          // `start` is below the count, so the part lies inside the buffer.
          start += try unsafe SystemCalls.write(
            descriptor, UnsafeRawBufferPointer(rebasing: buffer[start...]))
        } catch {
          if error.isInterrupted { continue }
          if error.isAgain {
            // Somebody made the stream non-blocking: wait until it takes more.
            _ = SystemCalls.wait(for: descriptor, toWrite: true, milliseconds: -1)
            continue
          }
          failure = error
          return
        }
      }
    }
    if let failure { throw failure }
  }
}
