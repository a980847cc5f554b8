// What unified logs print before a message: the library and the subsystem.
// This file must not know any format.

/// Passes over `(Library) [subsystem:category] `, each of which may be missing.
enum LogPrefix {
  static func skip(_ line: Span<UInt8>, at offset: inout Int) {
    line.skip(Byte.space, at: &offset)
    skipLibrary(line, at: &offset)
    skipSubsystem(line, at: &offset)
    skipUptime(line, at: &offset)
  }

  private static let memoryStatus = bytes("memorystatus: ")

  /// Passes over the seconds since the start that newer kernels print before what they say of
  /// memory: `4711.125 `.
  static func skipUptime(_ line: Span<UInt8>, at offset: inout Int) {
    guard offset < line.count, line[offset] &- 48 < 10 else { return }
    var place = offset
    guard line.decimal(at: &place) != nil, line.take(Byte.dot, at: &place),
      line.digits(3, at: &place) != nil, line.take(Byte.space, at: &place),
      line.has(memoryStatus, at: place)
    else { return }
    offset = place
  }

  private static func skipLibrary(_ line: Span<UInt8>, at offset: inout Int) {
    guard offset < line.count, line[offset] == Byte.openParenthesis,
      let end = line.first(
        Byte.closeParenthesis, from: offset, to: offset + ImportLimits.nameBytesMax),
      end + 1 < line.count, line[end + 1] == Byte.space
    else { return }
    offset = end + 2
  }

  /// A subsystem is told from a target such as `[app<com.example.notes>:41]` or `[Notes:41]` by
  /// its lack of `<`, and by what stands behind its colon, which is no number.
  private static func skipSubsystem(_ line: Span<UInt8>, at offset: inout Int) {
    guard offset < line.count, line[offset] == Byte.openBracket else { return }
    var place = offset + 1
    var colon: Int?
    while place < line.count, place - offset < ImportLimits.nameBytesMax {
      switch line[place] {
      case Byte.openAngle: return
      case Byte.colon: colon = colon ?? place
      case Byte.closeBracket:
        guard let colon else { return }
        var number = colon + 1
        if line.decimal(at: &number) != nil, number == place { return }
        offset = place + 1
        line.skip(Byte.space, at: &offset)
        return
      default: break
      }
      place += 1
    }
  }
}
