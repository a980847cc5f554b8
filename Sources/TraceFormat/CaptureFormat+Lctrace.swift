// The binary format as one of the formats that captures may have.

public import TraceModel

extension CaptureFormat {
  /// The binary trace format, read with this codec.
  public static func lctrace(codec: ChunkCodec) -> CaptureFormat {
    CaptureFormat(
      name: LctraceDecoder.formatName, title: "tracecheck's binary trace",
      recognise: { head in
        for place in FileSignature.magic.indices {
          guard place < head.count, head[place] == FileSignature.magic[place] else { return 0 }
        }
        return 100
      },
      makeDecoder: { LctraceDecoder(codec: codec) })
  }
}
