// Cuts a stream of bytes into lines. This file must not know what a line means.

/// Bytes that were fed and not yet read, as lines.
///
/// A line may end in LF or CR LF; a byte-order mark at the start is passed over. A line that is
/// too long is not kept: memory is bounded by the longest line and one chunk.
struct LineBuffer: Sendable {
  /// Bytes of a line: 64 arguments of 16 KiB, and far more than any tool prints.
  static let lineBytesMax = 1 << 20

  enum Next {
    /// A line without its end; `isTerminated` is false for a last line that has none.
    case line(Range<Int>, isTerminated: Bool)
    /// A line that is longer than allowed, and passed over.
    case tooLong
    case needsInput
    case end
  }

  /// The bytes that the ranges of lines refer to, until the next bytes are fed.
  private(set) var bytes: [UInt8] = []
  /// The number of the line that was read last, from 1.
  private(set) var lineNumber = 0

  private var position = 0
  private var searched = 0
  private var isFinished = false
  private var isSkipping = false

  mutating func feed(_ chunk: Span<UInt8>) {
    if position > 0 {
      bytes.removeSubrange(0..<position)
      searched -= position
      position = 0
    }
    bytes.append(addingCapacity: chunk.count) { span in
      for index in chunk.indices { span.append(chunk[index]) }
    }
  }

  mutating func finish() { isFinished = true }

  @inline(__always)
  mutating func next() -> Next {
    while true {
      searched = Self.endOfLine(in: bytes.span, from: searched)
      let start = position
      let end = searched
      guard end < bytes.count else { return unterminated() }
      position = end + 1
      searched = position
      if isSkipping {
        isSkipping = false
        continue
      }
      lineNumber += 1
      if end - start > Self.lineBytesMax { return .tooLong }
      return .line(trimmed(start..<end), isTerminated: true)
    }
  }

  /// Where the next line feed stands from an index on; the end of the text if there is none.
  @inline(__always)
  private static func endOfLine(in text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index <= text.count - ByteWord.count {
      let count = ByteWord.count(before: 0x0A, in: ByteWord.load(text, at: index))
      index += count
      if count < ByteWord.count { return index }
    }
    while index < text.count, text[index] != 0x0A { index += 1 }
    return index
  }

  /// What there is to say of bytes without a line's end.
  private mutating func unterminated() -> Next {
    if isSkipping {
      position = bytes.count
    } else if bytes.count - position > Self.lineBytesMax {
      isSkipping = true
      lineNumber += 1
      position = bytes.count
      return .tooLong
    }
    guard isFinished else { return .needsInput }
    guard position < bytes.count else { return .end }
    lineNumber += 1
    let range = position..<bytes.count
    position = bytes.count
    return .line(trimmed(range), isTerminated: false)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    if lineNumber == 1, range.count >= 3, bytes[start] == 0xEF, bytes[start + 1] == 0xBB,
      bytes[start + 2] == 0xBF
    {
      start += 3
    }
    if start < end, bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }
}
