// Reads a file or a stream into bounded buffers. Files are read with `pread` and never mapped, so
// that a file that shrinks while it is read is a short read and no signal.

import TraceModel

/// An open input. Closes itself.
public struct InputFile: ~Copyable, Sendable {
  /// The path as it was given; `-` for standard input.
  public let path: String
  /// The size of a regular file in bytes, as it was when it was opened; nil for pipes and the like.
  public let byteCount: Int64?
  private let descriptor: Int32
  private let closesDescriptor: Bool
  private var offset: Int64 = 0

  /// What a read brought.
  public enum Outcome: Sendable, Equatable {
    /// So many bytes were appended.
    case bytes(Int)
    case end
    /// Nothing arrived in the time given.
    case timeout
    /// A signal arrived while waiting.
    case interrupted
  }

  /// Opens a file, a named pipe or a device; `-` is standard input.
  ///
  /// - Parameter onlyRegular: Refuses what is no regular file, without waiting for a pipe's writer.
  /// - Throws: ``FileError``, also if the path names a directory.
  public init(path: String, onlyRegular: Bool = false) throws(FileError) {
    let isStandardInput = path == "-"
    var descriptor = SystemCalls.standardInput
    let status: FileStatus
    do throws(SystemError) {
      if !isStandardInput {
        descriptor =
          onlyRegular
          ? try SystemCalls.openWithoutWaiting(path) : try SystemCalls.openToRead(path)
      }
      status = try SystemCalls.status(of: descriptor)
    } catch {
      throw FileError(error, path, "can't open it")
    }
    if onlyRegular, status.kind == .other {
      if !isStandardInput { SystemCalls.close(descriptor) }
      throw .noRegularFile(path)
    }
    if status.kind == .directory {
      if !isStandardInput { SystemCalls.close(descriptor) }
      throw FileError(.isDirectory, path, "it is a directory, and a file is needed")
    }
    self.path = path
    self.descriptor = descriptor
    closesDescriptor = !isStandardInput
    byteCount = status.kind == .file ? status.byteCount : nil
    // Standard input may be a file that a shell has already read from: it keeps its place.
    isPositioned = status.kind == .file && !isStandardInput
  }

  private let isPositioned: Bool

  deinit {
    if closesDescriptor { SystemCalls.close(descriptor) }
  }

  /// Whether bytes may still be on their way: a pipe, a socket or a terminal.
  public var isLive: Bool { byteCount == nil }

  /// Reads once and appends to a buffer.
  ///
  /// - Parameters:
  ///   - bytes: Takes at most `limit` bytes at its end.
  ///   - limit: The most bytes to read, at least 1.
  ///   - timeoutMilliseconds: How long to wait for a live input; nil waits until something comes.
  /// - Throws: ``FileError`` if the system refuses to read.
  public mutating func read(
    into bytes: inout [UInt8], limit: Int, timeoutMilliseconds: Int32? = nil
  ) throws(FileError) -> Outcome {
    let limit = max(1, min(limit, bytesExpectedMax))
    if isLive {
      switch SystemCalls.wait(for: descriptor, milliseconds: timeoutMilliseconds ?? -1) {
      case .ready: break
      case .timeout: return .timeout
      case .interrupted: return .interrupted
      }
    }
    let old = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: limit))
    var count = 0
    var failure: SystemError?
    do throws(SystemError) {
      count = try readOnce(into: &bytes, from: old, limit: limit)
    } catch {
      failure = error
    }
    bytes.removeLast(limit - count)
    if let failure {
      if failure.isInterrupted { return .interrupted }
      if failure.isAgain { return .timeout }
      throw FileError(failure, path, "can't read it")
    }
    let (next, overflow) = offset.addingReportingOverflow(Int64(count))
    offset = overflow ? offset : next
    return count == 0 ? .end : .bytes(count)
  }

  /// A file may have grown since it was opened: a read at its end asks for so many bytes.
  private static let grownBytesMax: Int64 = 4_096

  /// As many bytes as a read can bring, as far as the size tells: room for more would have to be
  /// cleared, which costs more than to read a small file.
  private var bytesExpectedMax: Int {
    guard isPositioned, let byteCount else { return .max }
    return Int(clamping: max(Self.grownBytesMax, byteCount - offset))
  }

  /// Bytes at a place of a regular file, exactly as many as asked for. The place where ``read``
  /// goes on stays.
  ///
  /// - Returns: Nil if the file is no regular one, is shorter, or can't be read there.
  public func bytes(at place: UInt64, count: Int) -> [UInt8]? {
    guard isPositioned, count >= 0, let start = Int64(exactly: place),
      let byteCount, start <= byteCount, Int64(count) <= byteCount - start
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      var read = 0
      unsafe bytes.withUnsafeMutableBytes { buffer in
        // The part not filled yet: it ends where the buffer ends.
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        read =
          (try? unsafe SystemCalls.read(descriptor, at: start + Int64(filled), into: rest)) ?? 0
      }
      guard read > 0 else { return nil }
      filled += read
    }
    return bytes
  }

  private func readOnce(
    into bytes: inout [UInt8], from start: Int, limit: Int
  ) throws(SystemError) -> Int {
    var outcome: Result<Int, SystemError> = .success(0)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      // The part just appended: `start + limit` is the buffer's size.
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + limit])
      do throws(SystemError) {
        outcome = .success(
          isPositioned
            ? try unsafe SystemCalls.read(descriptor, at: offset, into: part)
            : try unsafe SystemCalls.read(descriptor, into: part))
      } catch {
        outcome = .failure(error)
      }
    }
    return try outcome.get()
  }
}
