// One moment on three clocks. It ties a trace's times to the calendar and to other traces.

import TraceModel

/// The same moment on the clocks of a device.
public struct ClockAnchor: Hashable, Sendable {
  /// Nanoseconds since start-up, sleep included: the clock of the trace's events.
  public var continuousNanoseconds: Int64
  /// Nanoseconds since start-up, without sleep.
  public var uptimeNanoseconds: Int64
  /// Nanoseconds since 1970-01-01T00:00:00 UTC.
  public var wallNanoseconds: Int64
  /// The local time zone's distance from UTC, in seconds, east positive.
  public var utcOffsetSeconds: Int32

  public init(
    continuousNanoseconds: Int64, uptimeNanoseconds: Int64, wallNanoseconds: Int64,
    utcOffsetSeconds: Int32
  ) {
    self.continuousNanoseconds = continuousNanoseconds
    self.uptimeNanoseconds = uptimeNanoseconds
    self.wallNanoseconds = wallNanoseconds
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  /// What the clock on the wall shows at time 0 of a trace; nil if that is centuries away.
  func wallClock(of header: TraceHeader) -> WallAnchor? {
    let isUptime = header.string(.clockKind) == "uptime"
    let (zero, overflow) = wallNanoseconds.subtractingReportingOverflow(
      isUptime ? uptimeNanoseconds : continuousNanoseconds)
    guard !overflow else { return nil }
    var clock = WallAnchor(nanosecondsAtZero: zero)
    clock.localOffsetSeconds = utcOffsetSeconds
    return clock
  }

  /// Appends the anchor's length and its numbers.
  func append(to output: inout [UInt8]) {
    var body: [UInt8] = []
    body.appendZigzag(continuousNanoseconds)
    body.appendZigzag(uptimeNanoseconds)
    body.appendZigzag(wallNanoseconds)
    body.appendZigzag(Int64(utcOffsetSeconds))
    output.appendVarint(body.count)
    output.append(contentsOf: body)
  }

  /// Reads an anchor, and passes over what a later minor version added at its end.
  init(_ bytes: Span<UInt8>, _ offset: inout Int) throws(FormatDamage) {
    let length = try ByteReader.count(bytes, &offset, max: 255, "bytes of clock anchor")
    let anchor = bytes.extracting(try ByteReader.range(bytes, &offset, count: length))
    var place = 0
    continuousNanoseconds = try ByteReader.zigzag(anchor, &place)
    uptimeNanoseconds = try ByteReader.zigzag(anchor, &place)
    wallNanoseconds = try ByteReader.zigzag(anchor, &place)
    guard let seconds = Int32(exactly: try ByteReader.zigzag(anchor, &place)) else {
      throw FormatDamage("a clock anchor's distance from UTC has more than 32 bits")
    }
    utcOffsetSeconds = seconds
  }
}
