// Opens a capture: recognises its format, takes off its wrappers, and gives out what its decoder
// says. This file must not know what is done with the events.

import TraceCodecs
import TraceExport
import TraceIO
import TraceModel

/// One capture being read.
struct CaptureSource: ~Copyable {
  let format: CaptureFormat
  private var bytes: ByteSource
  private var decoder: any CaptureDecoder
  private var chunk: [UInt8] = []
  private var hasEnded = false

  /// Bytes given to a decoder at once: large enough that calls cost nothing, small enough for the
  /// second-level cache.
  static let chunkBytes = 262_144

  /// How long a live input may be silent before complete lines are judged.
  static let idleMilliseconds: Int32 = 200

  enum Step: Sendable {
    case decoder(DecoderStep)
    /// A live input is silent: everything that arrived has been given out.
    case idle
    /// The system can't read on.
    case failed(CaptureFailure)
  }

  /// Opens a capture.
  ///
  /// - Parameters:
  ///   - path: A file, or `-` for standard input.
  ///   - format: The format it has; nil to recognise it.
  /// - Throws: ``CaptureFailure`` if it can't be opened, is empty, or is no capture.
  init(path: String, format: CaptureFormat?) throws(CaptureFailure) {
    var bytes = try ByteSource(path: path)
    let head = try bytes.readHead()
    if head.isEmpty {
      throw CaptureFailure("it is empty", advice: "record something, or leave it out", .foreign)
    }
    guard let format = format ?? CaptureFormats.recognise(head.span) else {
      throw ForeignContent.failure(for: head.span)
    }
    self.bytes = bytes
    self.format = format
    decoder = format.makeDecoder()
    decoder.feed(head.span)
  }

  /// Whether bytes may still be on their way.
  var isLive: Bool { bytes.isLive }

  /// Problems that the wrappers had.
  var wrapperProblem: InputProblem? { bytes.problem }

  /// The next thing that the capture says.
  mutating func next(into batch: inout EventBatch) -> Step {
    while true {
      let step = decoder.next(into: &batch)
      guard case .needsInput = step, !hasEnded else { return .decoder(step) }
      if Interrupt.isRaised {
        hasEnded = true
        decoder.finish()
        continue
      }
      chunk.removeAll(keepingCapacity: true)
      do throws(CaptureFailure) {
        switch try bytes.read(
          into: &chunk, limit: Self.chunkBytes, timeoutMilliseconds: Self.idleMilliseconds)
        {
        case .bytes:
          // Taken out and put back: it keeps its memory.
          var fed: [UInt8] = []
          swap(&fed, &chunk)
          decoder.feed(fed.span)
          swap(&fed, &chunk)
        case .end:
          hasEnded = true
          decoder.finish()
        case .timeout:
          return .idle
        case .interrupted:
          break
        }
      } catch {
        return .failed(error)
      }
    }
  }

  /// Makes the decoder give out what is complete.
  mutating func flush() { decoder.flush() }
}
