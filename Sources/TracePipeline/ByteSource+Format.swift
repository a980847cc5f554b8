// Recognises the format of a capture by its first bytes, also where a long line of noise stands
// before a log or lines end as on old systems. This file must not know any capture format.

import TraceCodecs
import TraceExport
import TraceFormat
import TraceIO
import TraceImport
import TraceModel

extension ByteSource {
  /// Bytes of a first line behind which a log may begin.
  private static let firstLineBytesMax = 2 << 20
  private static let pieceBytes = 65_536
  /// How long one wait lasts, so that no interrupt is missed for longer.
  private static let pauseMilliseconds: Int32 = 200
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Reads the first bytes of the capture without its wrappers, and finds out its format.
  ///
  /// - Parameter format: The format it has; nil to recognise it.
  /// - Returns: The bytes, and the format; nil if no format is theirs.
  mutating func readFormat(
    _ format: CaptureFormat?
  ) throws(CaptureFailure) -> (head: [UInt8], format: CaptureFormat?) {
    var head = try readHead(format)
    if isCutTrace { return (head, format ?? .lctrace) }
    try readBehindReturn(into: &head)
    if let log = recogniseReturns(&head, format) { return (head, log) }
    if let known = format ?? CaptureFormats.recognise(head.span) { return (head, known) }
    guard head.count >= CaptureFormats.headBytesMax,
      !head.contains(Self.newline), let lineEnd = try readFirstLine(into: &head)
    else { return (head, nil) }
    let rest = CaptureFormats.recognise(head.span.extracting((lineEnd + 1)..<head.count))
    // Only lines of a log are their own from any line on.
    guard let rest, rest.makeDecoder() is any LineDecoder else { return (head, nil) }
    return (head, rest)
  }

  /// Whether bytes that begin as a wrapper does are a trace that was cut off, and begins with a
  /// compressed part of a block: no capture comes out of them, and a whole record stands behind.
  ///
  /// - Parameters:
  ///   - head: The first bytes; more are appended where the record may stand further behind.
  ///   - format: The format that the capture has; nil if nobody says so.
  mutating func beginsInsideBlock(
    _ head: inout [UInt8], _ wrapper: StreamWrapper, _ format: CaptureFormat?
  ) throws(CaptureFailure) -> Bool {
    // Blocks are frames of zstd.
    guard wrapper == .zstd else { return false }
    var decoder = WrapperDecoder(wrapper)
    var unpacked: [UInt8] = []
    var consumed = 0
    var isUnderstood = true
    do throws(CodecError) {
      try decoder.decode(
        input: head.span, consumed: &consumed, into: &unpacked,
        outputBytesMax: CaptureFormats.headBytesMax)
    } catch {
      // What came out before decides.
      isUnderstood = false
    }
    if Self.isCapture(unpacked.span, format) { return false }
    // Of a live input more may come that tells what is wrapped.
    let isMoreToCome =
      isLive && isUnderstood && head.count < CaptureFormats.headBytesMax
      && unpacked.count < CaptureFormats.headBytesMax
    if isMoreToCome { return false }
    return try holdsRecord(&head)
  }

  private static func isCapture(_ bytes: Span<UInt8>, _ format: CaptureFormat?) -> Bool {
    if StreamWrapper.recognise(bytes) != nil { return true }
    if let format, format.isOwn { return format.recognise(bytes) > 0 }
    return CaptureFormats.recognise(bytes) != nil
  }

  /// Whether a whole record of a trace stands in the bytes or behind them, no further than a block
  /// reaches.
  private mutating func holdsRecord(_ head: inout [UInt8]) throws(CaptureFailure) -> Bool {
    var decoder = LctraceDecoder(codec: .stored)
    var batch = EventBatch()
    var fed = 0
    while true {
      decoder.feed(head.span.extracting(fed..<head.count))
      fed = head.count
      switch decoder.next(into: &batch) {
      case .needsInput: break
      case .problem(let problem): return problem.consequence != .refused
      case .end: return false
      case .header, .batch, .remark, .stream: return true
      }
      if fed > FormatLimits.recordBodyBytesMax || Interrupt.isRaised { return false }
      while fed == head.count {
        let outcome = try read(
          into: &head, limit: Self.pieceBytes, timeoutMilliseconds: Self.pauseMilliseconds)
        if outcome == .end {
          decoder.finish()
          break
        }
        if Interrupt.isRaised { return false }
      }
    }
  }

  /// Waits for what follows where a pipe has given one line up to its carriage return: the next
  /// byte tells whether lines end with it.
  private mutating func readBehindReturn(into head: inout [UInt8]) throws(CaptureFailure) {
    // A trace may end like that by chance, and holds zeros.
    guard isLive, head.last == Self.carriageReturn, !head.contains(Self.newline),
      !head.contains(0)
    else { return }
    while !Interrupt.isRaised {
      switch try read(
        into: &head, limit: Self.pieceBytes, timeoutMilliseconds: Self.pauseMilliseconds)
      {
      case .bytes, .end: return
      case .timeout, .interrupted: continue
      }
    }
  }

  /// The format of a log whose lines end with carriage returns alone; nil if it is none.
  private mutating func recogniseReturns(
    _ head: inout [UInt8], _ format: CaptureFormat?
  ) -> CaptureFormat? {
    guard !head.contains(Self.newline), head.dropLast().contains(Self.carriageReturn) else {
      return nil
    }
    var lines = head
    Self.replaceReturns(in: &lines, from: 0)
    guard let log = format ?? CaptureFormats.recognise(lines.span),
      log.makeDecoder() is any LineDecoder
    else { return nil }
    head = lines
    endsLinesWithReturns = true
    return log
  }

  /// Reads on to the end of the first line, and what recognition needs of the lines behind it; of
  /// a live input no more of those than has come.
  ///
  /// - Returns: Where the line ends; nil if it is too long, or nothing stands behind it.
  private mutating func readFirstLine(
    into head: inout [UInt8]
  ) throws(CaptureFailure) -> Int? {
    var lineEnd: Int?
    while !Interrupt.isRaised {
      if let lineEnd {
        if head.count - lineEnd > CaptureFormats.headBytesMax { break }
      } else if head.count > Self.firstLineBytesMax {
        return nil
      }
      let start = head.count
      let outcome = try read(
        into: &head, limit: Self.pieceBytes, timeoutMilliseconds: Self.pauseMilliseconds)
      if case .end = outcome { break }
      if outcome == .timeout, let lineEnd, lineEnd + 1 < head.count { break }
      if lineEnd == nil { lineEnd = head[start...].firstIndex(of: Self.newline) }
    }
    return lineEnd
  }
}
