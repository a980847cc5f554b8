// The lines of the NDJSON form as our encoder writes them, read without a look at what else a
// line might be. Everything that this reader doesn't know, it leaves to the general one.

import TraceModel

/// What stands between the values of a line that our encoder wrote, in words of eight bytes.
struct NDJSONUsualLine: Sendable {
  private let time = ByteWord.of("{\"t_ns\":")
  private let event = ByteWord.of(",\"event\"")
  private let phase = ByteWord.of(",\"phase\"")
  private let enter = ByteWord.of(":\"enter\"")
  private let `return` = ByteWord.of(":\"return")
  private let thread = ByteWord.of(",\"thread")
  private let arguments = ByteWord.of(",\"args\":")

  /// Reads a line into the event; false if it must be read in the general way, in which the event
  /// must be reset first.
  ///
  /// What is read here means the same to the general reader: there are no escapes in names, no
  /// space, no key twice, and every bound is kept.
  @inline(__always)
  func read(
    _ line: Span<UInt8>, into event: inout ScratchEvent, kinds: NameTable, arguments: NameTable
  ) -> Bool {
    var parser = JSONPullParser(stringBytesMax: BatchLimits.stringBytesMax)
    guard parser.passes(time, in: line), let time = parser.plainInteger(in: line),
      parser.passes(self.event, in: line), parser.passes(":", in: line),
      let kind = parser.plainString(in: line), kind.count <= BatchLimits.nameBytesMax
    else { return false }
    event.reset()
    event.timeNanoseconds = time
    event.kind = kinds.number(of: line, kind)
    if event.kind == 0 { event.kindText = event.append(line.extracting(kind)) }
    if parser.passes(phase, in: line) {
      if parser.passes(enter, in: line) {
        event.phase = .enter
      } else if parser.passes(self.return, in: line), parser.passes("\"", in: line) {
        event.phase = .return
      } else {
        return false
      }
    }
    guard parser.passes(thread, in: line), parser.passes("\"", in: line),
      parser.passes(":", in: line), let thread = parser.plainInteger(in: line)
    else { return false }
    event.thread = thread
    if parser.passes(self.arguments, in: line) {
      guard parser.passes("{", in: line) else { return false }
      repeat {
        guard readArgument(&parser, in: line, into: &event, arguments: arguments) else {
          return false
        }
      } while parser.passes(",", in: line)
      guard parser.passes("}", in: line) else { return false }
    }
    return parser.passes("}", in: line) && parser.position == line.count
  }

  @inline(__always)
  private func readArgument(
    _ parser: inout JSONPullParser, in line: Span<UInt8>, into event: inout ScratchEvent,
    arguments: NameTable
  ) -> Bool {
    guard event.canAddArgument, let key = parser.plainString(in: line),
      key.count <= BatchLimits.nameBytesMax, parser.passes(":", in: line)
    else { return false }
    let name = arguments.number(of: line, key)
    let nameText = name == 0 ? event.append(line.extracting(key)) : 0..<0
    if event.hasArgument(name, text: nameText) { return false }
    var argument = ScratchEvent.Argument(
      name: name, isLiteral: false, nameText: nameText, type: .json, bits: 0,
      valueText: 0..<0)
    if let text = parser.plainString(in: line) {
      argument.type = .string
      argument.valueText = event.append(line.extracting(text))
    } else if let value = parser.plainInteger(in: line) {
      argument.type = .integer
      argument.bits = UInt64(bitPattern: value)
    } else if !parser.readUnusual(in: line, into: &argument, texts: &event.texts) {
      return false
    }
    event.add(argument)
    return true
  }
}

extension JSONPullParser {
  /// Moves behind eight bytes if they stand at the position.
  @inline(__always)
  fileprivate mutating func passes(_ word: UInt64, in text: Span<UInt8>) -> Bool {
    guard position <= text.count - ByteWord.count, ByteWord.load(text, at: position) == word
    else { return false }
    position += ByteWord.count
    return true
  }

  /// Moves behind a byte if it stands at the position.
  @inline(__always)
  fileprivate mutating func passes(_ byte: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  /// Reads a string of ASCII without escapes; nil, and nothing is read, if anything else stands
  /// at the position. It is no longer than its bound.
  @inline(__always)
  fileprivate mutating func plainString(in text: Span<UInt8>) -> Range<Int>? {
    guard position < text.count, text[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    let end = Self.endOfPlainBytes(in: text, from: start)
    guard end < text.count, text[end] == UInt8(ascii: "\""), end - start <= stringBytesMax
    else { return nil }
    position = end + 1
    return start..<end
  }

  /// Reads a value that is neither a plain integer nor a plain string: a truth value, another
  /// number, a string with escapes or of another script; false if it is none of these, or wrong.
  @inline(never)
  fileprivate mutating func readUnusual(
    in line: Span<UInt8>, into argument: inout ScratchEvent.Argument, texts: inout [UInt8]
  ) -> Bool {
    // This one would count containers from here.
    let first = peek(in: line)
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return false }
    var value = JSONPullParser(at: position, stringBytesMax: stringBytesMax)
    do throws(JSONError) {
      try value.readArgument(in: line, into: &argument, texts: &texts)
    } catch { return false }
    position = value.position
    return argument.valueText.count <= BatchLimits.stringBytesMax
  }
}
