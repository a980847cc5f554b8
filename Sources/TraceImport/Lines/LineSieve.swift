// Which lines of a long log are read: a scan for texts, line boundaries found around hits only.
// This file must not know a grammar or a wording.

/// Picks lines of a log. What it picks depends on the bytes alone and not on how they were fed.
struct LineSieve: Sendable {
  /// Bytes that were fed before those at hand.
  var fedCount = 0
  /// Where the line at hand begins in the capture.
  var lineStart = 0
  /// The first line that begins here or later is read for its time.
  private var nextSample = 0

  /// The beginning of a capture, of which every line is read: it shows the columns, levels and
  /// processes, and hardly any capture but those of whole days is longer.
  static let wholeBytes = 1 << 20
  /// Lines this far apart tell the time well enough: they are under a second of a busy device.
  private static let sampleBytes = 8_192

  private let scanner = MessageReader.shared.scanner

  /// Whether lines may be passed over from the line at hand on.
  var isOpen: Bool { scanner != nil && lineStart >= Self.wholeBytes }

  /// The next line to read in a range that begins and ends with whole lines.
  ///
  /// - Returns: Its place, nil if there is none, and the number of lines before it.
  mutating func nextLine(
    in bytes: Span<UInt8>, from start: Int, to end: Int
  ) -> (start: Int?, skippedCount: Int) {
    var place = start
    var skippedCount = 0
    while place < end {
      if takeSample(fedCount + place) { return (place, skippedCount) }
      let wanted = nextSample - fedCount
      var stop = end
      if wanted < end {
        stop =
          bytes.first(Byte.newline, from: max(place, wanted - 1), to: end).map { $0 + 1 } ?? end
      }
      guard let scanner, let hit = scanner.first(in: bytes, from: place, to: stop) else {
        skippedCount += bytes.lineFeeds(from: place, to: stop)
        place = stop
        continue
      }
      let lineStart = bytes.last(Byte.newline, from: place, before: hit).map { $0 + 1 } ?? place
      skippedCount += bytes.lineFeeds(from: place, to: lineStart)
      // Only the beginning of a line is ever looked at.
      if hit - lineStart < ImportLimits.lineBytesMax { return (lineStart, skippedCount) }
      skippedCount += 1
      place = bytes.first(Byte.newline, from: hit, to: stop).map { $0 + 1 } ?? stop
    }
    return (nil, skippedCount)
  }

  /// Whether a line that was fed in pieces is to be read.
  mutating func isWorthReading(_ line: Span<UInt8>) -> Bool {
    if takeSample(lineStart) { return true }
    return scanner?.first(in: line, from: 0, to: line.count) != nil
  }

  private mutating func takeSample(_ place: Int) -> Bool {
    guard place >= nextSample else { return false }
    nextSample = (place / Self.sampleBytes + 1) * Self.sampleBytes
    return true
  }
}
