// The loop that makes arguments of bytes: one pass over the events, with a cursor in each slot's
// part of the column. Nothing in it allocates.
// This file must not know where its column stands in a file, nor how plans are written.

import TraceModel

/// Why arguments can't be read. Small, so that the loop stays small.
enum ArgumentDamage: Error {
  case cut, longNumber, text, boolean, rest

  var damage: FormatDamage {
    switch self {
    case .cut: .cut
    case .longNumber: .longNumber
    case .text: FormatDamage("an argument names a text that isn't there")
    case .boolean: FormatDamage("a boolean argument is neither 0 nor 1")
    case .rest: FormatDamage("its events have other arguments than it declares")
    }
  }
}

/// Decodes the arguments of a block.
///
/// Places that the tables name are compared once, before the loop, with what they point into; only
/// the ends of the parts are compared for each value.
enum ArgumentKernel {
  /// How the values of a part are read.
  enum Reading: UInt8 {
    /// A number, and what it is a difference from.
    case number
    /// Eight bytes.
    case word
    /// A number, as a difference from what the enclosing span holds.
    case span
    /// Whatever it is, the block has no texts that it could name.
    case nothing
  }

  /// The values of one slot that aren't all the same, and how far they were read.
  struct Part: Sendable {
    var offset: Int
    var end: Int
    /// The greatest value that it may have.
    var valueMax: UInt64
    /// What goes wrong above ``valueMax``.
    var isBoolean: Bool
    var reading: Reading
    /// 1 if numbers are zigzags, else 0.
    var signBit: UInt8
    /// The place of the slot among those of its template.
    var place: UInt8
    /// The word that numbers are differences from.
    var reference: UInt32
    /// The word that the value becomes.
    var own: UInt32
  }

  /// The arguments of the events of one column template.
  struct Shape: Sendable {
    var firstPart: UInt32
    var endPart: UInt32
    /// Where its values stand among the words; where values vary, anything.
    var firstConstant: UInt32
    /// As many slots hold all the constants.
    var constantCount: UInt16
    var slotCount: UInt16
    /// The place of the first number among the slots; -1 without, or if nobody refers to it.
    var number: Int16
    var thread: UInt16
    var phase: Phase
  }

  // The words: what values are differences from, and constants.

  /// Always 0: a value that is no difference refers to it.
  static let zeroWord = 0
  /// Takes values that nobody refers to.
  static let unusedWord = 1
  /// The greatest number, as ``ArgumentMode/maximum`` means it.
  static let maximumWord = 2
  /// The first of the words of threads: the last number of each.
  static let firstThreadWord = 3
  /// Words behind the last constant, and values behind the last one: constants are copied in
  /// pieces.
  static let pieceWords = 2

  /// The number of arguments of all events.
  static func count(_ templates: Span<UInt16>, _ shapes: Span<Shape>) -> Int {
    var highest: UInt16 = 0
    for event in templates.indices { highest = max(highest, templates[event]) }
    precondition(templates.isEmpty || Int(highest) < shapes.count)
    var total = 0
    // All templates have been compared.
    for event in templates.indices {
      total &+= Int(unsafe shapes[unchecked: Int(templates[event])].slotCount)
    }
    return total
  }

  /// Compares what the tables name with what it points into, once for a block.
  private static func check(
    _ shapes: Span<Shape>, _ parts: [Part], wordCount: Int, byteCount: Int
  ) {
    for part in parts {
      precondition(part.offset >= 0 && part.offset <= part.end && part.end <= byteCount)
      precondition(Int(part.reference) < wordCount && Int(part.own) < wordCount)
    }
    for index in shapes.indices {
      let shape = shapes[index]
      precondition(shape.firstPart <= shape.endPart && Int(shape.endPart) <= parts.count)
      precondition(shape.constantCount <= shape.slotCount && shape.number < Int(shape.slotCount))
      precondition(
        Int(shape.firstConstant) + Int(shape.constantCount) + pieceWords <= wordCount)
      precondition(firstThreadWord + Int(shape.thread) < wordCount)
      // Every place that has no constant has a part, so that every value is written.
      var next = 0
      var unwrittenCount = Int(shape.slotCount - shape.constantCount)
      for part in parts[Int(shape.firstPart)..<Int(shape.endPart)] {
        precondition(Int(part.place) >= next && part.place < shape.slotCount)
        next = Int(part.place) + 1
        if part.place >= shape.constantCount { unwrittenCount -= 1 }
      }
      precondition(unwrittenCount == 0)
    }
  }

  /// Reads the arguments of all events.
  ///
  /// - Parameters:
  ///   - bytes: The argument column.
  ///   - templates: The column template of each event.
  ///   - words: Each with its beginning.
  ///   - context: The spans, if a part refers to them.
  ///   - count: What ``count(_:_:)`` says.
  ///   - starts: Gets the place of each event's first argument.
  ///   - values: Gets the arguments. Of both, nothing is added if it throws.
  static func read(
    _ bytes: Span<UInt8>, _ templates: Span<UInt16>, _ shapes: Span<Shape>,
    parts: inout [Part], words: inout [UInt64], context: inout ArgumentContext,
    count: Int, starts: inout [UInt32], values: inout [UInt64]
  ) throws(ArgumentDamage) {
    check(shapes, parts, wordCount: words.count, byteCount: bytes.count)
    try starts.append(count: templates.count) { (starts) throws(ArgumentDamage) in
      try values.append(count: count + pieceWords) { (values) throws(ArgumentDamage) in
        for piece in 0..<pieceWords { values[count + piece] = 0 }
        try readEvents(
          bytes, templates, shapes, argumentCount: count, &parts, &words, &context, &starts,
          &values)
        for part in parts where part.offset != part.end { throw .rest }
      }
    }
    values.removeLast(pieceWords)
  }

  /// Unchecked are: events, which lie inside templates and starts; templates, parts and words,
  /// which `count` and `check` have compared; values, as the slots of all events are exactly as
  /// many and a piece stands behind them, and all places of an event lie below its number of
  /// slots; and the byte at the offset of a part, which is below the part's end, which lies inside
  /// the column.
  @inline(never)
  private static func readEvents(
    _ bytes: Span<UInt8>, _ templates: Span<UInt16>, _ shapes: Span<Shape>, argumentCount: Int,
    _ partList: inout [Part], _ wordList: inout [UInt64], _ context: inout ArgumentContext,
    _ starts: inout MutableSpan<UInt32>, _ values: inout MutableSpan<UInt64>
  ) throws(ArgumentDamage) {
    var parts = partList.mutableSpan
    var words = wordList.mutableSpan
    precondition(starts.count == templates.count)
    precondition(values.count == argumentCount + pieceWords)
    let tracksSpans = context.tracksSpans
    var first = 0
    for event in templates.indices {
      let template = Int(unsafe templates[unchecked: event])
      unsafe starts[unchecked: event] = UInt32(truncatingIfNeeded: first)
      let slotCount = Int(unsafe shapes[unchecked: template].slotCount)
      if slotCount == 0, !tracksSpans { continue }
      if unsafe shapes[unchecked: template].constantCount > 0 {
        let constant = Int(unsafe shapes[unchecked: template].firstConstant)
        unsafe values[unchecked: first] = words[unchecked: constant]
        unsafe values[unchecked: first &+ 1] = words[unchecked: constant &+ 1]
        if unsafe Int(shapes[unchecked: template].constantCount) > pieceWords {
          copyConstants(of: shapes[template], words.span, to: first, &values)
        }
      }
      var index = Int(unsafe shapes[unchecked: template].firstPart)
      let endPart = Int(unsafe shapes[unchecked: template].endPart)
      while index < endPart {
        let offset = unsafe parts[unchecked: index].offset
        guard unsafe offset < parts[unchecked: index].end else { throw .cut }
        let value: UInt64
        if unsafe parts[unchecked: index].reading == .number {
          var number = UInt64(unsafe bytes[unchecked: offset])
          if number < 0x80 {
            unsafe parts[unchecked: index].offset = offset &+ 1
          } else {
            number = try longNumber(bytes, &parts[index])
          }
          let sign = UInt64(unsafe parts[unchecked: index].signBit)
          let difference = (number &>> sign) ^ (0 &- (number & sign))
          value = unsafe words[unchecked: Int(parts[unchecked: index].reference)] &+ difference
          guard unsafe value <= parts[unchecked: index].valueMax else {
            throw parts[index].isBoolean ? .boolean : .text
          }
          unsafe words[unchecked: Int(parts[unchecked: index].own)] = value
        } else {
          value = try unusual(
            bytes, &parts[index], context, thread: Int(shapes[template].thread))
        }
        unsafe values[unchecked: first &+ Int(parts[unchecked: index].place)] = value
        index &+= 1
      }
      let place = Int(unsafe shapes[unchecked: template].number)
      if place >= 0 {
        let number = Int64(bitPattern: unsafe values[unchecked: first &+ place])
        let thread = firstThreadWord &+ Int(unsafe shapes[unchecked: template].thread)
        unsafe words[unchecked: thread] = UInt64(bitPattern: number)
        let maximum = Int64(bitPattern: unsafe words[unchecked: maximumWord])
        unsafe words[unchecked: maximumWord] = UInt64(
          bitPattern: ArgumentContext.maximum(maximum, with: number))
      }
      if tracksSpans { follow(shapes[template], place < 0 ? 0 : values[first + place], &context) }
      first &+= slotCount
    }
  }

  /// Copies the constants behind the first piece.
  @inline(never)
  private static func copyConstants(
    of shape: Shape, _ words: Span<UInt64>, to first: Int, _ values: inout MutableSpan<UInt64>
  ) {
    for place in pieceWords..<Int(shape.constantCount) {
      values[first + place] = words[Int(shape.firstConstant) + place]
    }
  }

  /// Takes an enter or a return, after its arguments.
  @inline(never)
  private static func follow(_ shape: Shape, _ number: UInt64, _ context: inout ArgumentContext) {
    if shape.phase == .instant { return }
    context.addSpan(
      isEnter: shape.phase == .enter, Int64(bitPattern: number), thread: Int(shape.thread))
  }

  /// A value that isn't simply a number.
  @inline(never)
  private static func unusual(
    _ bytes: Span<UInt8>, _ part: inout Part, _ context: ArgumentContext, thread: Int
  ) throws(ArgumentDamage) -> UInt64 {
    switch part.reading {
    case .word:
      guard part.end - part.offset >= 8 else { throw .cut }
      let word = ByteReader.word(bytes, at: part.offset)
      part.offset += 8
      return RowCoding.finite(word)
    case .number, .span:
      let difference = TimeSymbols.signed(try longNumber(bytes, &part))
      return UInt64(bitPattern: context.enclosing(thread) &+ difference)
    case .nothing:
      _ = try longNumber(bytes, &part)
      throw .text
    }
  }

  /// A number of any length.
  @inline(never)
  private static func longNumber(
    _ bytes: Span<UInt8>, _ part: inout Part
  ) throws(ArgumentDamage) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard part.offset < part.end else { throw .cut }
      let byte = bytes[part.offset]
      part.offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        if shift == 63, byte > 1 { throw .longNumber }
        return value
      }
      shift += 7
      if shift > 63 { throw .longNumber }
    }
  }
}
