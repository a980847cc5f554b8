// The binary format as one of the formats that captures may have.

public import TraceModel

extension CaptureFormat {
  /// The binary trace format, read with this codec.
  public static func lctrace(codec: ChunkCodec) -> CaptureFormat {
    CaptureFormat(
      name: LctraceDecoder.formatName, title: "tracecheck's binary trace",
      recognise: { head in
        beginsAsTrace(head) ? certain : holdsRecord(head) ? likely : 0
      },
      makeDecoder: { LctraceDecoder(codec: codec) })
  }

  /// The magic number is there; a later version is refused by name.
  private static let certain = 100
  /// The beginning is damaged or missing, but the decoder finds a record. Texts that say what they
  /// are come first; no text holds a record, as 0xFE is no UTF-8.
  private static let likely = 50

  private static func beginsAsTrace(_ head: Span<UInt8>) -> Bool {
    for place in FileSignature.magic.indices {
      guard place < head.count, head[place] == FileSignature.magic[place] else { return false }
    }
    return true
  }

  /// Whether a whole record with the right checksum stands in the head.
  private static func holdsRecord(_ head: Span<UInt8>) -> Bool {
    let head = head.extracting(first: FormatLimits.recognitionBytesMax)
    var attempts = 0
    for place in head.indices where head[place] == RecordFrame.syncWord[0] {
      guard case .present(let frame) = RecordFrame.probe(head, at: place) else { continue }
      if CRC32C.checksum(head, frame.checked) == frame.storedChecksum(head) { return true }
      attempts += 1
      guard attempts < FormatLimits.recognitionAttemptsMax else { return false }
    }
    return false
  }
}
