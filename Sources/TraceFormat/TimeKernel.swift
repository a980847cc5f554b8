// The loop that makes times of symbols and low bits. Nothing in it allocates or can fail.
// This file must not know where its columns stand in a file.

import TraceModel

/// Decodes times group by group.
///
/// What the loop loads isn't checked for each event but before it: padding behind the columns holds
/// all that a group of any content can ask for, and every place that a table names is compared with
/// what it points into.
enum TimeKernel {
  /// What a symbol stands for.
  struct Symbol: Sendable {
    /// The least number of the symbol.
    var base: UInt64
    /// The low bits that belong to it, as a mask of a word.
    var mask: UInt64
    /// Their number; ``undefinedBitCount`` for a symbol that isn't defined.
    var bitCount: Int
  }

  /// How the times of one column template are coded.
  struct Prediction: Sendable {
    /// Added to the time that is referred to.
    var period: Int64
    /// The mark of the time that is referred to, which the event's own replaces.
    var mark: UInt32
    /// The mark of the last time of the event's thread; as `mark` if nobody refers to it.
    var threadMark: UInt32
    /// The mark of the place in the stream that its symbols stand in.
    var stream: UInt16
    /// 1 if the number is a zigzag, else 0.
    var signBit: UInt8
    /// Added to a byte of a stream, which gives the symbol.
    var symbolOffset: UInt8
  }

  /// A part of the block that can be read on its own.
  struct Group: Sendable {
    /// The time of the event before; for the first group, of the first event.
    var base: Int64
    /// Where its low bits begin and end, in bytes.
    var lowBits: Range<Int>
  }

  /// The mark of the time of the event before.
  static let previousMark = 0
  /// The first of the marks that say how far the streams were read, one for each.
  static let firstStreamMark = 1
  /// More than any symbol has, and less than padding allows for.
  static let undefinedBitCount = 64
  /// Bytes that must stand behind all symbols: whichever stream a group's events name, it reads no
  /// further.
  static let symbolPaddingBytes = FormatLimits.eventsPerTimeGroup
  /// Bytes that must stand behind all low bits: as many as the events of a group have if each has
  /// 64, and the two words of 8 bytes that are loaded for the last one.
  static let lowBitPaddingBytes = FormatLimits.eventsPerTimeGroup * 8 + 16

  /// All that a byte may stand for.
  static let symbols: [Symbol] = (0..<256).map { symbol in
    let count = UInt64(TimeSymbols.lowBitCounts[symbol])
    return Symbol(
      base: TimeSymbols.bases[symbol], mask: 1 << count - 1,
      bitCount: symbol < TimeSymbols.count ? Int(count) : undefinedBitCount)
  }

  /// Reads the times of all events; false if they contradict the columns, whichever way.
  ///
  /// - Parameters:
  ///   - symbols: All streams, end to end, and ``symbolPaddingBytes`` behind them.
  ///   - lowBits: The low bits of all groups, and ``lowBitPaddingBytes`` behind them.
  ///   - templates: The column template of each event.
  ///   - marks: What changes from event to event: the time before, where each stream was left, and
  ///     the other times that predictions refer to. Begins with where the streams begin.
  ///   - times: Room for the time of each event; written in full unless it returns false.
  static func read(
    _ groups: Span<Group>, _ symbols: Span<UInt8>, streamCount: Int, _ lowBits: Span<UInt8>,
    _ templates: Span<UInt16>, _ predictions: Span<Prediction>, marks: inout [Int64],
    times: inout MutableSpan<Int64>
  ) -> Bool {
    let streams = firstStreamMark..<firstStreamMark + streamCount
    check(templates, predictions, markCount: marks.count, streams)
    precondition(times.count == templates.count && streams.upperBound <= marks.count)
    precondition((times.count + groupSize - 1) / groupSize == groups.count)
    let symbolEnd = Int64(symbols.count - symbolPaddingBytes)
    let lowEnd = lowBits.count - lowBitPaddingBytes
    for group in groups.indices {
      let part = groups[group]
      precondition(part.lowBits.lowerBound >= 0 && part.lowBits.upperBound <= lowEnd)
      for stream in streams where marks[stream] < 0 || marks[stream] > symbolEnd { return false }
      marks[previousMark] = part.base
      for mark in streams.upperBound..<marks.count { marks[mark] = part.base }
      let start = group * groupSize
      let bitEnd = part.lowBits.upperBound * 8
      let bit = readGroup(
        start..<min(times.count, start + groupSize), from: part.lowBits.lowerBound * 8, symbols,
        lowBits, templates, predictions, &marks, &times)
      guard let bit, bit <= bitEnd, bitEnd - bit < 8 else { return false }
    }
    for stream in streams where marks[stream] > symbolEnd { return false }
    return true
  }

  private static let groupSize = FormatLimits.eventsPerTimeGroup

  /// Compares what the tables name with what it points into, once for a block.
  private static func check(
    _ templates: Span<UInt16>, _ predictions: Span<Prediction>, markCount: Int,
    _ streams: Range<Int>
  ) {
    var highest: UInt16 = 0
    for event in templates.indices { highest = max(highest, templates[event]) }
    precondition(templates.isEmpty || Int(highest) < predictions.count)
    for index in predictions.indices {
      let prediction = predictions[index]
      let (mark, threadMark) = (Int(prediction.mark), Int(prediction.threadMark))
      precondition(streams.contains(Int(prediction.stream)))
      precondition(mark < markCount && !streams.contains(mark))
      precondition(threadMark < markCount && !streams.contains(threadMark))
    }
  }

  /// The 64 bits from a place.
  @inline(never)
  private static func longWord(_ bytes: Span<UInt8>, at bit: Int) -> UInt64 {
    let shift = UInt64(bit & 7)
    let word = ByteReader.word(bytes, at: bit >> 3) >> shift
    return word | (ByteReader.word(bytes, at: bit >> 3 + 8) << 1) << (63 - shift)
  }

  /// Reads one group. Everything that it refers to lies inside it.
  ///
  /// Unchecked are: events, which lie inside templates and times; templates and marks, which
  /// `check` has compared; symbols, as every stream was inside them when the group began, and each
  /// event moves one of them by one; the table, which has an entry for every byte; and low bits, as
  /// each event moves the place by at most 64.
  ///
  /// - Returns: The place behind the last low bit; nil if a symbol isn't defined.
  @inline(never)
  private static func readGroup(
    _ events: Range<Int>, from firstBit: Int, _ symbols: Span<UInt8>, _ lowBits: Span<UInt8>,
    _ templates: Span<UInt16>, _ predictions: Span<Prediction>, _ markList: inout [Int64],
    _ times: inout MutableSpan<Int64>
  ) -> Int? {
    let table = Self.symbols
    let entries = table.span
    var marks = markList.mutableSpan
    precondition(entries.count == 256 && events.count <= groupSize)
    precondition(events.lowerBound >= 0 && events.upperBound <= min(templates.count, times.count))
    let low = unsafe lowBits.bytes
    var bit = firstBit
    var isDefined = true
    for event in events {
      let template = Int(unsafe templates[unchecked: event])
      let stream = Int(unsafe predictions[unchecked: template].stream)
      let place = unsafe marks[unchecked: stream]
      unsafe marks[unchecked: stream] = place &+ 1
      let byte =
        unsafe symbols[unchecked: Int(place)] &+ predictions[unchecked: template].symbolOffset
      let symbol = unsafe entries[unchecked: Int(byte)]
      var word = UInt64(
        littleEndian: unsafe low.unsafeLoadUnaligned(
          fromUncheckedByteOffset: bit >> 3, as: UInt64.self))
      word &>>= UInt64(truncatingIfNeeded: bit & 7)
      if symbol.bitCount > 56 {
        if symbol.bitCount == undefinedBitCount { isDefined = false }
        word = longWord(lowBits, at: bit)
      }
      bit &+= symbol.bitCount
      let number = (word & symbol.mask) &+ symbol.base
      let sign = UInt64(unsafe predictions[unchecked: template].signBit)
      let difference = Int64(bitPattern: (number &>> sign) ^ (0 &- (number & sign)))
      let mark = Int(unsafe predictions[unchecked: template].mark)
      let time =
        unsafe marks[unchecked: mark] &+ predictions[unchecked: template].period &+ difference
      unsafe marks[unchecked: previousMark] = time
      unsafe marks[unchecked: Int(predictions[unchecked: template].threadMark)] = time
      unsafe marks[unchecked: mark] = time
      unsafe times[unchecked: event] = time
    }
    return isDefined ? bit : nil
  }
}
