// Reads the NDJSON form: one JSON object per line, in any split of the bytes.

public import TraceModel

/// Reads the NDJSON interchange form.
///
/// A malformed line is one problem that names its line and column; the rest is read. Each header
/// line begins a new trace. Memory is bounded by one line, one chunk and one batch.
public struct NDJSONDecoder: CaptureDecoder {
  public static let formatName = "ndjson"

  private var decoder = LineDecoder(NDJSONGrammar())

  public init() {}

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
