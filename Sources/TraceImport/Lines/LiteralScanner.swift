// Finds the first place where one of several texts stands, most bytes unseen.
// This file must not know what the texts mean.

/// A search for several texts at once, after Wu and Manber ("A fast algorithm for multi-pattern
/// searching", 1994): two bytes at the end of a window as long as the shortest text tell how far
/// the window can move without missing one.
struct LiteralScanner: Sendable {
  private let texts: [[UInt8]]
  /// Bytes of the window.
  private let windowBytes: Int
  /// By two bytes: how far the window can move.
  private var shifts: [UInt8]
  /// By two bytes: the texts of which the window may be the beginning.
  private var candidates: [[Int]]

  /// A longer window moves further, but is found in fewer texts' beginnings.
  private static let windowBytesMax = 16
  /// With shorter texts the window hardly moves.
  private static let textBytesMin = 4
  private static let pairCount = 4_096

  /// Nil if a text is too short to be looked for.
  init?(_ texts: [[UInt8]]) {
    let texts = Set(texts).sorted { $0.lexicographicallyPrecedes($1) }
    guard let shortest = texts.map(\.count).min(), shortest >= Self.textBytesMin else { return nil }
    let window = min(shortest, Self.windowBytesMax)
    windowBytes = window
    self.texts = texts
    shifts = [UInt8](repeating: UInt8(window - 1), count: Self.pairCount)
    candidates = [[Int]](repeating: [], count: Self.pairCount)
    for (index, text) in texts.enumerated() {
      for place in 0..<window - 1 {
        let pair = Self.pair(text[place], text[place + 1])
        shifts[pair] = min(shifts[pair], UInt8(window - 2 - place))
      }
      candidates[Self.pair(text[window - 2], text[window - 1])].append(index)
    }
  }

  @inline(__always)
  private static func pair(_ one: UInt8, _ two: UInt8) -> Int {
    Int((UInt16(one) ^ UInt16(two) &<< 5) & 0xfff)
  }

  /// The place of the first text in a range, which must lie in the bytes; nil if there is none.
  func first(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var last = start + windowBytes - 1
    while last < end {
      let pair = Self.pair(bytes[last - 1], bytes[last])
      let shift = Int(shifts[pair])
      if shift > 0 {
        last += shift
        continue
      }
      let place = last - windowBytes + 1
      for index in candidates[pair]
      where texts[index].count <= end - place && bytes.has(texts[index], at: place) {
        return place
      }
      last += 1
    }
    return nil
  }
}

extension Span where Element == UInt8 {
  /// How many line feeds stand in a range.
  func lineFeeds(from start: Int, to end: Int) -> Int {
    let part = extracting(start..<end)
    var count = 0
    var place = 0
    // A byte counts what fits into it, so that the compiler compares many bytes at once.
    while place < part.count {
      let stop = Swift.min(part.count, place + 255)
      var few: UInt8 = 0
      while place < stop {
        few &+= part[place] == Byte.newline ? 1 : 0
        place &+= 1
      }
      count &+= Int(few)
    }
    return count
  }

  /// The place of the last such byte before a place; nil if there is none from `start` on.
  func last(_ byte: UInt8, from start: Int, before end: Int) -> Int? {
    var offset = end
    while offset > start {
      offset -= 1
      if self[offset] == byte { return offset }
    }
    return nil
  }
}
