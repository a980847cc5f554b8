// Writes a trace in one of our formats to a file or to standard output.

import TraceCodecs
public import TraceExport
import TraceFormat
import TraceIO
public import TraceModel
import TraceNotation

/// An output that takes traces.
///
/// A class, because an open file has one owner, while visitors are values.
public final class TraceWriter {
  private var encoder: any TraceEncoder
  private var file: OutputFile?
  private var stream: OutputStream?
  private let path: String
  /// Whether the events of a thread are numbered in what is written, if they are in what is taken.
  public let keepsNumbers: Bool
  /// Whether a text is stored once for all events of a block, and not printed for each.
  private let storesTexts: Bool

  /// The zstd level of written traces: higher ones take several times as long for a few per cent.
  public static let usualLevel = 3
  /// The zstd level of traces that are kept for long.
  public static let archiveLevel = 19

  /// Begins an output.
  ///
  /// - Parameters:
  ///   - path: A file, which appears when all is written; `-` for standard output.
  ///   - format: One of our own formats.
  ///   - level: The zstd level of a binary trace.
  ///   - isPrivate: Whether only the user may read a new file.
  /// - Throws: ``CaptureFailure`` if the file can't be written, or events can't be written in the
  ///   format.
  public init(
    path: String, format: CaptureFormat, level: Int = TraceWriter.usualLevel,
    isPrivate: Bool = false
  ) throws(CaptureFailure) {
    switch format.name {
    case CaptureFormat.lctrace.name: encoder = LctraceEncoder(codec: .zstd(level: level))
    case CaptureFormat.ndjson.name: encoder = NDJSONEncoder()
    case CaptureFormat.timeline.name: encoder = TimelineEncoder()
    default: throw CaptureFailure("events can't be written as \(format.name)", .output)
    }
    self.path = path
    storesTexts = format.name == CaptureFormat.lctrace.name
    keepsNumbers = Self.keepsNumbers(in: format)
    if path == "-" {
      stream = .standardOutput
      return
    }
    do throws(FileError) {
      file = try OutputFile(path: path, privacy: isPrivate ? .ownerOnly : .shared)
    } catch {
      throw CaptureFailure(output: error)
    }
  }

  /// Whether a format numbers the events of threads; text forms don't.
  public static func keepsNumbers(in format: CaptureFormat) -> Bool {
    format.name == CaptureFormat.lctrace.name
  }

  /// Whether the reader of standard output has gone.
  public var isClosed: Bool { stream?.isClosed ?? false }

  public func begin(_ header: TraceHeader) throws(CaptureFailure) {
    try encode { try $0.begin(header) }
  }

  public func consume(_ batch: EventBatch) throws(CaptureFailure) {
    if storesTexts { return try encode { try $0.consume(batch) } }
    try BatchSlices.forEach(of: batch) { (part) throws(CaptureFailure) in
      try encode { try $0.consume(part) }
    }
  }

  /// Ends the output and puts the file in its place.
  public func finish() throws(CaptureFailure) {
    try encode { try $0.end() }
    guard let file = file.take() else { return }
    do throws(FileError) {
      try file.commit()
    } catch {
      throw CaptureFailure(output: error)
    }
  }

  private func encode(_ step: (inout any TraceEncoder) throws -> Void) throws(CaptureFailure) {
    do {
      try step(&encoder)
    } catch {
      throw CaptureFailure("can't write to \(path): \(error)", .output)
    }
    if encoder.output.isEmpty { return }
    do throws(FileError) {
      try file?.write(encoder.output)
      try stream?.write(encoder.output)
    } catch {
      throw CaptureFailure(output: error)
    }
    encoder.output.removeAll(keepingCapacity: true)
  }
}

extension CaptureFailure {
  /// An output's failure, which names the output: the input's name stands before every failure.
  init(output error: FileError) {
    self.init("\(error.path): \(error.message)", advice: error.advice, .output)
  }
}
