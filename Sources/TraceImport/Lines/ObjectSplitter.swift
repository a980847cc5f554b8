// Cuts a stream of JSON objects, one a line or in an array, into single objects.
// This file must not know what is in an object.

/// Finds where objects begin and end, without reading them. What isn't inside an object (brackets
/// and commas of an array, lines of other text) is passed over.
///
/// A broken object doesn't take others with it: in what tools print, a `{` at the beginning of a
/// line always begins an object of its own, as those inside others are indented or in their line.
struct ObjectSplitter: Sendable {
  /// What ``next(in:at:)`` found.
  enum Step {
    /// An object that stands in these bytes as a whole, and the line on which it begins.
    case object(Range<Int>, line: UInt32)
    /// An object whose beginning was fed before: it is carried.
    case carried(line: UInt32)
    /// An object of too many bytes ended.
    case tooLong(line: UInt32)
    case needsInput
  }

  /// The beginning of an object whose end hasn't been fed.
  private var carry: [UInt8] = []

  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isAtLineStart = true
  private var isTooLong = false
  private var lineNumber: UInt32 = 1
  private var objectLine: UInt32 = 1

  /// Hands the object that was carried over, in exchange for a buffer.
  mutating func exchangeCarry(with buffer: inout [UInt8]) {
    swap(&carry, &buffer)
    clearCarry()
  }

  private mutating func clearCarry() { carry.removeAll(keepingCapacity: true) }

  /// The next object that ends in these bytes, from an offset on, which is moved.
  mutating func next(in bytes: Span<UInt8>, at offset: inout Int) -> Step {
    var start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if depth == 0 {
        if byte == Byte.openBrace {
          begin()
          start = offset - 1
        }
      } else if isAtLineStart, byte == Byte.openBrace {
        begin()
        clearCarry()
        start = offset - 1
      } else if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == Byte.backslash {
          isEscaped = true
        } else if byte == Byte.quote {
          isInString = false
        }
      } else if byte == Byte.quote {
        isInString = true
      } else if byte == Byte.openBrace {
        depth += 1
      } else if byte == Byte.closeBrace {
        depth -= 1
        if depth == 0 {
          isAtLineStart = false
          return end(bytes, start, offset)
        }
      }
      isAtLineStart = byte == Byte.newline
      if isAtLineStart, lineNumber < .max { lineNumber += 1 }
    }
    if depth > 0 { keep(bytes.extracting(start..<offset)) }
    return .needsInput
  }

  private mutating func begin() {
    depth = 1
    isInString = false
    isEscaped = false
    isTooLong = false
    objectLine = lineNumber
  }

  private mutating func end(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Step {
    if carry.isEmpty, !isTooLong, end - start <= ImportLimits.objectBytesMax {
      return .object(start..<end, line: objectLine)
    }
    keep(bytes.extracting(start..<end))
    guard !isTooLong else {
      clearCarry()
      return .tooLong(line: objectLine)
    }
    return .carried(line: objectLine)
  }

  private mutating func keep(_ bytes: Span<UInt8>) {
    if isTooLong || bytes.count > ImportLimits.objectBytesMax - carry.count {
      isTooLong = true
      clearCarry()
      return
    }
    for offset in bytes.indices { carry.append(bytes[offset]) }
  }
}
