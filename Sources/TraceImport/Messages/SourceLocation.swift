// The place in the source that the Swift runtime puts before its messages.
// This file must not know any pattern.

/// `Notes/ContentView.swift:12:`, the file with its module or its folders, without blanks.
enum SourceLocation {
  private static let suffix = bytes(".swift")

  /// The place behind the last colon of a location that stands at an offset; nil if none does.
  @inline(__always)
  static func end(in line: Span<UInt8>, from start: Int) -> Int? {
    let limit = min(line.count, start + ImportLimits.nameBytesMax)
    var place = start
    while place < limit, line[place] > Byte.space, line[place] != Byte.colon { place += 1 }
    guard place < limit, place - start > suffix.count,
      line.has(suffix, at: place - suffix.count), line.take(Byte.colon, at: &place),
      line.decimal(at: &place) != nil, line.take(Byte.colon, at: &place)
    else { return nil }
    return place
  }
}
