// Reads the timeline notation, in any split of the bytes.

public import TraceModel

/// Reads the timeline notation.
///
/// A malformed line is one problem that names its line and column; the rest is read. A line
/// `timeline 1`, and a `header` line after events, begin a new trace.
public struct TimelineDecoder: CaptureDecoder {
  public static let formatName = "timeline"

  private var decoder: LineDecoder<TimelineGrammar>

  /// - Parameter requiresFirstLine: Whether the line `timeline 1` must come first, as in files;
  ///   snippets, such as the examples of rules, do without.
  public init(requiresFirstLine: Bool = true) {
    decoder = LineDecoder(TimelineGrammar(requiresFirstLine: requiresFirstLine))
  }

  public mutating func feed(_ bytes: Span<UInt8>) { decoder.feed(bytes) }
  public mutating func finish() { decoder.finish() }
  public mutating func flush(silentNanoseconds: Int64) {
    decoder.flush(silentNanoseconds: silentNanoseconds)
  }
  public mutating func next(into batch: inout EventBatch) -> DecoderStep {
    decoder.next(into: &batch)
  }

  /// Bytes that are held for lines not yet read.
  var heldBytes: Int { decoder.lines.bytes.count }
}
