// How captures are read and traces are written: two protocols that every format implements.

/// Takes a trace: its header, its events block by block, and its end.
public protocol TraceSink {
  associatedtype Failure: Error
  /// Begins a trace. A second header ends the trace before it and begins another.
  mutating func begin(_ header: TraceHeader) throws(Failure)
  /// Takes the events of one block, in the order of their places.
  mutating func consume(_ batch: EventBatch) throws(Failure)
  /// Ends the output. Nothing may follow.
  mutating func end() throws(Failure)
}

/// What a decoder has to say next.
public enum DecoderStep: Sendable {
  /// Nothing before more bytes are fed, or ``CaptureDecoder/finish()`` is called.
  case needsInput
  /// A trace begins.
  case header(TraceHeader)
  /// The batch given now holds the next events.
  case batch
  /// Something is wrong with the input; reading goes on unless it says `refused`.
  case problem(InputProblem)
  /// Something about the capture that is worth a line in the report, and no defect.
  case remark(CaptureRemark)
  /// Something about the traces of a capture that holds several at once, or that learns of its
  /// app while it is read.
  case stream(StreamStep)
  /// Everything has been read.
  case end
}

/// What only a decoder says that reads a capture line by line, as the log of a whole device.
public enum StreamStep: Sendable {
  /// What follows is about the trace with this number, until another one is named. Traces are
  /// numbered from 0 in the order in which they begin. A decoder that says this does so before
  /// its first header, and its headers end no other trace.
  case trace(Int)
  /// The header of the trace at hand says more, or something else, from here on.
  case amended(TraceHeader)
  /// The trace at hand has ended, though the capture goes on.
  case ended
}

/// What an importer noticed about a capture that the reader of a report should know.
public struct CaptureRemark: Hashable, Sendable {
  /// A trace-quality id such as `TQ07`.
  public var id: String
  public var message: String
  public var count: Int
  /// How the app's process ended, if the remark tells that, which several captures may tell.
  public var end: RemarkedEnd?

  /// The id of a remark that says what an input is that is no capture.
  public static let foreignID = "foreign"

  /// The id of a remark that says what a capture without events tells all the same.
  public static let eventlessID = "eventless"

  public init(id: String, message: String, count: Int = 1, end: RemarkedEnd? = nil) {
    self.id = id
    self.message = message
    self.count = count
    self.end = end
  }
}

/// The end of a process that a remark tells of.
public struct RemarkedEnd: Hashable, Sendable {
  /// The id of its row in ``Terminations``; nil where nothing says why the process ended.
  public var termination: String?

  public init(termination: String?) { self.termination = termination }
}

/// Reads one format: bytes in at any split, headers and batches out.
///
///     decoder.feed(bytes.span)
///     while true {
///       switch decoder.next(into: &batch) { … }
///     }
///
/// What comes out doesn't depend on how the bytes were split. A decoder holds at most one block
/// and one unread chunk: feed again only after `needsInput`.
public protocol CaptureDecoder: Sendable {
  /// The format's name, for example `ndjson`.
  static var formatName: String { get }
  /// Takes bytes. Call it only after ``next(into:)`` said `needsInput`, or at the start.
  mutating func feed(_ bytes: Span<UInt8>)
  /// Says that no bytes follow.
  mutating func finish()
  /// Makes events of complete lines available although the block isn't full, for live input.
  ///
  /// - Parameter silentNanoseconds: Time since the last bytes came.
  mutating func flush(silentNanoseconds: Int64)
  /// The next header, batch or problem. Replaces the batch's content when it returns `batch`.
  mutating func next(into batch: inout EventBatch) -> DecoderStep
}

extension CaptureDecoder {
  public mutating func flush(silentNanoseconds: Int64) {}
}

/// A sink that turns a trace into bytes.
///
/// After every call the caller takes what stands in ``output`` and empties it, keeping its memory.
public protocol TraceEncoder: TraceSink {
  var output: [UInt8] { get set }
}

/// A format that captures may have: how it is recognised and who reads it.
public struct CaptureFormat: Sendable {
  /// The name for `--from` and reports, for example `ndjson`.
  public let name: String
  /// What a person calls it, for example "Console.app text export".
  public let title: String
  /// How sure the format is, from 0 (not this one) to 100, that a capture beginning with these
  /// bytes (at most the first 64 KiB) is its own.
  public let recognise: @Sendable (Span<UInt8>) -> Int
  public let makeDecoder: @Sendable () -> any CaptureDecoder

  public init(
    name: String, title: String, recognise: @escaping @Sendable (Span<UInt8>) -> Int,
    makeDecoder: @escaping @Sendable () -> any CaptureDecoder
  ) {
    self.name = name
    self.title = title
    self.recognise = recognise
    self.makeDecoder = makeDecoder
  }
}
