// Recognises the format of a capture by its first bytes, also where a long line of noise stands
// before a log or lines end as on old systems. This file must not know any capture format.

import TraceCodecs
import TraceExport
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
    var head = try readHead()
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

  /// Whether a capture comes out of a wrapper, and not a part of the capture that the bytes are
  /// themselves: a trace that was cut off may begin with the compressed part of a block.
  static func isWrapped(_ head: [UInt8], by wrapper: StreamWrapper) -> Bool {
    guard CaptureFormats.recognise(head.span) != nil else { return true }
    var decoder = WrapperDecoder(wrapper)
    var unpacked: [UInt8] = []
    var consumed = 0
    // What came out before an error decides.
    try? decoder.decode(
      input: head.span, consumed: &consumed, into: &unpacked,
      outputBytesMax: CaptureFormats.headBytesMax)
    return CaptureFormats.recognise(unpacked.span) != nil
      || StreamWrapper.recognise(unpacked.span) != nil
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
