// The bytes of a capture without the gzip and zstd streams around it.
// This file must not know any capture format.

import TraceCodecs
import TraceExport
import TraceFormat
import TraceIO
import TraceModel

/// An opened input, unwrapped while it is read. Memory is one chunk per wrapper, whatever comes
/// out of them.
struct ByteSource: ~Copyable {
  private var file: InputFile
  private var layers: [Layer] = []
  /// Bytes of the file that were read.
  private(set) var fileByteCount: Int64 = 0
  /// Why a wrapper ended early; nil if none did.
  private(set) var problem: InputProblem?
  /// Whether lines end with carriage returns alone; they are given out with line feeds.
  var endsLinesWithReturns = false
  /// Whether the bytes are a trace that was cut off inside a block, and begins with a part of it.
  private(set) var isCutTrace = false

  /// A wrapper, and the bytes that wait to be unpacked.
  private struct Layer {
    var decoder: WrapperDecoder
    var input: [UInt8]
    var consumed = 0
    var hasInputEnded = false
    /// Whether nothing more is taken out of it.
    var isGivenUp = false
    /// Bytes that went in and came out.
    private var packedByteCount: Int64 = 0
    private var unpackedByteCount: Int64 = 0

    init(decoder: WrapperDecoder, input: [UInt8]) {
      self.decoder = decoder
      self.input = input
    }

    /// Whether so much came out that it was packed to keep its reader busy: logs become a tenth to
    /// a hundredth of their size.
    var isBomb: Bool {
      unpackedByteCount > ByteSource.anyRatioBytesMax
        + ByteSource.ratioMax * packedByteCount
    }

    /// Unpacks from what waits.
    mutating func decode(
      into bytes: inout [UInt8], limit: Int
    ) throws(CodecError) {
      // Taken out and put back, so that the decoder may change while it reads them.
      var waiting: [UInt8] = []
      swap(&waiting, &input)
      defer { swap(&waiting, &input) }
      var place = consumed
      let start = bytes.count
      defer {
        packedByteCount += Int64(place - consumed)
        unpackedByteCount += Int64(bytes.count - start)
        consumed = place
      }
      try decoder.decode(
        input: waiting.span, consumed: &place, into: &bytes, outputBytesMax: limit)
    }

    /// Hands over the memory of what waits, without what was unpacked.
    mutating func takeConsumed() -> [UInt8] {
      var rest: [UInt8] = []
      swap(&rest, &input)
      rest.removeFirst(consumed)
      consumed = 0
      return rest
    }
  }

  /// Wrappers inside wrappers: more are an accident or an attack.
  static let wrappersMax = 3
  private static let chunkBytes = 65_536
  /// Bytes that may come out of a wrapper whatever went in.
  static let anyRatioBytesMax: Int64 = 64 << 20
  /// How many times the bytes that went in may come out beyond these.
  static let ratioMax: Int64 = 1_000
  /// How long recognition waits for the bytes of a live input to add up.
  private static let recognitionNanoseconds: Int64 = 200_000_000
  /// How long one wait for the first byte lasts, so that no interrupt is missed for longer.
  private static let waitMilliseconds: Int32 = 200

  /// - Parameter onlyRegular: Refuses pipes and devices, whose writers may never come.
  init(path: String, onlyRegular: Bool = false) throws(CaptureFailure) {
    do throws(FileError) {
      file = try InputFile(path: path, onlyRegular: onlyRegular)
    } catch {
      throw CaptureFailure(error)
    }
  }

  var isLive: Bool { file.isLive }

  /// Takes off the wrappers and reads what recognition needs: the first bytes of the capture.
  ///
  /// Of a live input these are the bytes that come within 200 ms, and at least one.
  ///
  /// - Parameter format: The format that it has; nil if nobody says so.
  mutating func readHead(
    _ format: CaptureFormat? = nil
  ) throws(CaptureFailure) -> [UInt8] {
    while true {
      var head: [UInt8] = []
      let deadline = ProcessEnvironment.monotonicNanoseconds() + Self.recognitionNanoseconds
      reading: while head.count < CaptureFormats.headBytesMax {
        if Interrupt.isRaised { break }
        let rest = (deadline - ProcessEnvironment.monotonicNanoseconds()) / 1_000_000
        if isLive, !head.isEmpty, rest <= 0, !CaptureFormats.isHeadingOnly(head.span) { break }
        let outcome = try read(
          into: &head, limit: CaptureFormats.headBytesMax - head.count,
          timeoutMilliseconds: rest > 0 ? Int32(clamping: rest) : Self.waitMilliseconds)
        switch outcome {
        case .end: break reading
        case .bytes, .timeout, .interrupted: break
        }
      }
      guard let wrapper = StreamWrapper.recognise(head.span) else { return head }
      if try beginsInsideBlock(&head, wrapper, format) {
        isCutTrace = true
        return head
      }
      guard layers.count < Self.wrappersMax else {
        throw CaptureFailure(
          "it is wrapped by gzip or zstd more than \(Self.wrappersMax) times",
          advice: "unpack it first")
      }
      layers.append(Layer(decoder: WrapperDecoder(wrapper), input: head))
    }
  }

  /// Reads and appends at most so many bytes.
  ///
  /// A wrapper that is damaged or cut ends the input, and ``problem`` says so.
  mutating func read(
    into bytes: inout [UInt8], limit: Int, timeoutMilliseconds: Int32?
  ) throws(CaptureFailure) -> InputFile.Outcome {
    let start = bytes.count
    let outcome = try read(layer: layers.count, into: &bytes, limit: limit, timeoutMilliseconds)
    if endsLinesWithReturns { Self.replaceReturns(in: &bytes, from: start) }
    return outcome
  }

  /// Puts line feeds in the place of carriage returns.
  static func replaceReturns(in bytes: inout [UInt8], from start: Int) {
    for place in start..<bytes.count where bytes[place] == UInt8(ascii: "\r") {
      bytes[place] = UInt8(ascii: "\n")
    }
  }

  /// Reads what comes out of the wrapper at a depth; 0 is the file itself.
  private mutating func read(
    layer depth: Int, into bytes: inout [UInt8], limit: Int, _ timeoutMilliseconds: Int32?
  ) throws(CaptureFailure) -> InputFile.Outcome {
    guard depth > 0 else {
      do throws(FileError) {
        let outcome = try file.read(
          into: &bytes, limit: limit, timeoutMilliseconds: timeoutMilliseconds)
        if case .bytes(let count) = outcome { fileByteCount += Int64(count) }
        return outcome
      } catch {
        throw CaptureFailure(error)
      }
    }
    let index = depth - 1
    if layers[index].isGivenUp { return .end }
    while true {
      let start = bytes.count
      do throws(CodecError) {
        try layers[index].decode(into: &bytes, limit: limit)
        if layers[index].isBomb { giveUp(layer: index) }
        if bytes.count > start { return .bytes(bytes.count - start) }
        if layers[index].hasInputEnded {
          try layers[index].decoder.finish()
          return .end
        }
      } catch {
        note(error)
        layers[index].hasInputEnded = true
        let count = bytes.count - start
        return count > 0 ? .bytes(count) : .end
      }
      var input = layers[index].takeConsumed()
      let outcome = try read(
        layer: index, into: &input, limit: Self.chunkBytes, timeoutMilliseconds)
      layers[index].input = input
      switch outcome {
      case .bytes: break
      case .end: layers[index].hasInputEnded = true
      case .timeout, .interrupted: return outcome
      }
    }
  }

  private mutating func giveUp(layer index: Int) {
    layers[index].isGivenUp = true
    guard problem == nil else { return }
    problem = InputProblem(
      .skipped, at: .input,
      "the compressed stream stands for more than \(Self.ratioMax) times its bytes, and the rest of"
        + " it isn't read",
      advice: "unpack the file with gzip or zstd to read all of it")
  }

  private mutating func note(_ error: CodecError) {
    guard problem == nil else { return }
    let place = InputProblem.Location.bytes(error.byteOffset..<error.byteOffset)
    // Also a wrapper that stops in its middle is damage: what it held is lost, whereas an app that
    // was killed leaves a whole stream.
    problem = InputProblem(
      .skipped, at: place,
      "the compressed stream can't be read on: \(error.message)",
      advice: "what came out before was read; unpack the file with gzip or zstd to see more")
  }
}
