// Keeps bytes that don't fit into memory until the program ends.

import TraceModel

/// A file without a name: only this process can read it, and it is gone when it is closed.
public struct ScratchFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  public private(set) var byteCount: Int64 = 0

  /// Names that are tried before giving up: a collision needs another process with our number.
  private static let nameAttemptsMax = 64

  /// Creates the file in the folder for temporary files.
  ///
  /// - Throws: ``FileError`` if it can't be created.
  public init() throws(FileError) {
    let folder = SystemCalls.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var attempt = 0
    while true {
      let name =
        "\(folder)/.tracecheck-\(SystemCalls.processNumber())-\(UInt32.random(in: .min ... .max))"
      do throws(SystemError) {
        descriptor = try SystemCalls.createShared(name)
        path = folder
        SystemCalls.remove(name)
        return
      } catch {
        attempt += 1
        if !error.isExisting || attempt >= Self.nameAttemptsMax {
          throw FileError(error, folder, "can't create a temporary file in it")
        }
      }
    }
  }

  deinit { SystemCalls.close(descriptor) }

  /// Appends bytes.
  public mutating func write(_ bytes: [UInt8]) throws(FileError) {
    do throws(SystemError) {
      try DescriptorWriter.write(bytes, to: descriptor)
    } catch {
      throw FileError(error, path, "can't write a temporary file in it")
    }
    byteCount += Int64(bytes.count)
  }

  /// The bytes of a range, which must have been written.
  public func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      var outcome: Result<Int, SystemError> = .success(0)
      unsafe bytes.withUnsafeMutableBytes { buffer in
        // `filled` is below the count, so the part lies inside the buffer.
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        do throws(SystemError) {
          outcome = .success(
            try unsafe SystemCalls.read(descriptor, at: offset + Int64(filled), into: part))
        } catch {
          outcome = .failure(error)
        }
      }
      switch outcome {
      case .success(0):
        throw FileError(
          SystemError(number: 0), path, "a temporary file in it is shorter than it was")
      case .success(let read): filled += read
      case .failure(let error):
        throw FileError(error, path, "can't read a temporary file in it")
      }
    }
    return bytes
  }
}
