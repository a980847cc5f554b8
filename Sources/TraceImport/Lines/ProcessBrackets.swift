// `Process Name[pid:tid]`, which two formats share. This file must not know which.

import TraceModel

/// The name, process id and thread id of `Process Name[pid:tid]`.
struct ProcessBrackets {
  var nameEnd: Int
  var pid: Int64
  var thread: Int64?

  enum ThreadRadix {
    case hexadecimal
    /// Old systems print the thread in hexadecimal and newer ones in decimal, without a mark.
    case decimalOrHexadecimal
  }

  /// Reads at an offset and moves it behind the bracket. A name holds no colon, and no `[` unless
  /// it is followed by something that isn't a process id.
  @inline(__always)
  static func read(
    _ line: Span<UInt8>, at offset: inout Int, threadRadix: ThreadRadix
  ) -> ProcessBrackets? {
    let start = offset
    let end = Swift.min(line.count, start + ImportLimits.nameBytesMax)
    var place = start
    while place < end {
      let byte = line[place]
      if byte == Byte.colon || byte == Byte.tab { return nil }
      if byte == Byte.openBracket, place > start, let found = ids(line, at: place, threadRadix) {
        offset = found.end
        return ProcessBrackets(nameEnd: place, pid: found.pid, thread: found.thread)
      }
      place += 1
    }
    return nil
  }

  private static func ids(
    _ line: Span<UInt8>, at bracket: Int, _ radix: ThreadRadix
  ) -> (end: Int, pid: Int64, thread: Int64?)? {
    var place = bracket + 1
    guard let pid = line.decimal(at: &place), let pid = Int64(exactly: pid),
      line.take(Byte.colon, at: &place)
    else { return nil }
    let digits = place
    guard var thread = line.hexadecimal(at: &place), line.take(Byte.closeBracket, at: &place) else {
      return nil
    }
    if radix == .decimalOrHexadecimal {
      var again = digits
      if let decimal = line.decimal(at: &again), again == place - 1 { thread = decimal }
    }
    return (place, pid, Int64(exactly: thread))
  }
}
