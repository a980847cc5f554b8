// Reads any format of logs that is made of JSON objects. This file must not know a key or a
// wording.

import TraceModel
import TraceNotation

/// The grammar of one format of objects.
protocol ObjectGrammar: Sendable {
  static var formatName: String { get }
  /// What an object says; nil if it is none of the format.
  static func columns(of object: Span<UInt8>) throws(JSONError) -> LogObject?
  /// What the format's word for a level means in the header, nil if it is no level.
  static func levelName(_ word: String) -> String?
  /// Takes an object whose message has been decoded.
  static func take(
    _ message: Span<UInt8>, _ object: LogObject, of bytes: Span<UInt8>, line: UInt32,
    into intake: inout MessageIntake)
}

extension ObjectGrammar {
  static func take(
    _ message: Span<UInt8>, _ object: LogObject, of bytes: Span<UInt8>, line: UInt32,
    into intake: inout MessageIntake
  ) {
    intake.take(message: message, object.columns, of: bytes, line: line)
  }
}

/// An object of a log: its columns as places in the object, and its message.
struct LogObject: Sendable {
  var columns = LogLine()
  var message: JSONString
}

/// A decoder for one grammar. Objects without life-cycle messages allocate nothing.
struct ObjectCaptureDecoder<Grammar: ObjectGrammar>: CaptureDecoder {
  static var formatName: String { Grammar.formatName }

  var intake = MessageIntake { Grammar.levelName($0) }
  private var splitter = ObjectSplitter()
  /// An object that was fed in several pieces.
  private var carried: [UInt8] = []
  /// A message without its escapes.
  private var message: [UInt8] = []
  private var objectCount = 0
  private let scanner = MessageReader.shared.scanner

  /// The beginning of a capture, of which every object is read.
  private static var wholeObjects: Int { 4_096 }
  /// Objects this far apart tell the time well enough, but for those who merge captures and ask
  /// when one ends.
  private static var sampleObjects: Int { 16 }

  init() {}

  mutating func feed(_ bytes: Span<UInt8>) {
    var offset = 0
    while true {
      switch splitter.next(in: bytes, at: &offset) {
      case .object(let range, let line): take(bytes.extracting(range), line)
      case .carried(let line):
        var object: [UInt8] = []
        swap(&object, &carried)
        splitter.exchangeCarry(with: &object)
        take(object.span, line)
        swap(&object, &carried)
      case .tooLong(let line): intake.summary.noteTooLong(line)
      case .needsInput: return
      }
    }
  }

  mutating func finish() { intake.finish() }

  mutating func flush(silentNanoseconds: Int64) {
    intake.flush(silentNanoseconds: silentNanoseconds)
  }

  mutating func next(into batch: inout EventBatch) -> DecoderStep { intake.next(into: &batch) }

  private mutating func take(_ object: Span<UInt8>, _ line: UInt32) {
    objectCount += 1
    if objectCount > Self.wholeObjects, !objectCount.isMultiple(of: Self.sampleObjects),
      !intake.hasPending, !intake.readsEveryLine, intake.collector == nil, let scanner,
      scanner.first(in: object, from: 0, to: object.count) == nil
    {
      return intake.summary.noteSifted(1)
    }
    // A broken object is as good as a broken line: it says nothing.
    intake.noteLine()
    guard let content = try? Grammar.columns(of: object) else {
      intake.noteUnfitting(object, line: line)
      return
    }
    message.removeAll(keepingCapacity: true)
    content.message.append(to: &message, in: object)
    var decoded: [UInt8] = []
    swap(&decoded, &message)
    Grammar.take(decoded.span, content, of: object, line: line, into: &intake)
    swap(&decoded, &message)
  }
}

extension ObjectCaptureDecoder: LineDecoder {
  mutating func prepare(_ options: LineOptions) { intake.prepare(options) }

  var ledger: LineLedger? { intake.ledger }
}

/// How sure an object format is that a capture is its own.
enum ObjectRecogniser<Grammar: ObjectGrammar> {
  /// Objects that are looked at: what stands before the first of the format is little.
  private static var objectsMax: Int { 8 }

  /// 0, or 80 if one of the first objects is one of the format. Where text stands before the first
  /// object, it must be short.
  static func confidence(_ text: Span<UInt8>) -> Int {
    var splitter = ObjectSplitter()
    var offset = 0
    for _ in 0..<objectsMax {
      guard case .object(let range, _) = splitter.next(in: text, at: &offset) else { return 0 }
      if let found = try? Grammar.columns(of: text.extracting(range)), found.columns.time != nil {
        return 80
      }
    }
    return 0
  }
}

/// Reading values of JSON objects of logs.
extension JSONPullParser {
  /// A value that must be a string to count; any other is passed over.
  mutating func optionalString(in text: Span<UInt8>) throws(JSONError) -> JSONString? {
    guard peek(in: text) == Byte.quote else {
      try skipValue(in: text)
      return nil
    }
    return try string(in: text)
  }

  /// A whole number, decimal or as a text such as `0x1cc15`; any other value is passed over.
  mutating func optionalInteger(in text: Span<UInt8>) throws(JSONError) -> Int64? {
    switch peek(in: text) {
    case Byte.quote:
      let string = try string(in: text)
      var offset = string.range.lowerBound
      if text.has([48, 120], at: offset) {
        offset += 2
        return text.hexadecimal(at: &offset).flatMap { Int64(exactly: $0) }
      }
      return text.decimal(at: &offset).flatMap { Int64(exactly: $0) }
    case Byte.minus, .some(48...57):
      guard case .integer(let value) = try number(in: text).value else { return nil }
      return value
    default:
      try skipValue(in: text)
      return nil
    }
  }
}
