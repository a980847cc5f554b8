// Reads a recording from the bytes of a capture, with a decoder of the capture's format.
// This file must not know any format.

public import TraceModel

extension Recording {
  /// Reads a capture.
  ///
  ///     let recording = try Recording(bytes, with: NDJSONDecoder())
  ///
  /// - Parameters:
  ///   - bytes: The whole capture.
  ///   - decoder: A decoder of its format; it is used up.
  /// - Throws: ``Failure``, also if a part of the capture can't be read.
  public init(_ bytes: [UInt8], with decoder: some CaptureDecoder) throws(Failure) {
    self.init()
    var decoder = decoder
    var batch = EventBatch()
    var rest = bytes[...]
    var hasFinished = false
    while true {
      switch decoder.next(into: &batch) {
      case .needsInput:
        let chunk = Array(rest.prefix(Self.chunkBytesMax))
        rest = rest.dropFirst(chunk.count)
        if !chunk.isEmpty {
          decoder.feed(chunk.span)
        } else if hasFinished {
          return
        } else {
          decoder.finish()
          hasFinished = true
        }
      case .header(let header): try begin(header)
      case .batch: try consume(batch)
      case .problem(let problem): throw .unreadable(problem.message)
      case .remark, .stream: break
      case .end: return
      }
    }
  }

  private static let chunkBytesMax = 65_536
}
